/* Writes GraphML: the attribute "color" of nodes holds the colours of the vertices, and "score" of
 * edges the scores. */
#include "graph/formats/graphml.h"

#include "base/status.h"
#include "base/text/float_text.h"

#include <inttypes.h>
#include <string.h>

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_xml_text(const char *name)
{
  return !strstr(name, "\xEF\xBF\xBE") && !strstr(name, "\xEF\xBF\xBF");
}

static ms_status check_vertices(const ms_graph *graph, ms_error *err)
{
  for (uint32_t v = 0; v < graph->n; v++)
    if (!is_xml_text(ms_names_get(graph->names, v)))
      return ms_fail(err, MS_ERR_USAGE,
                     "the name of vertex %" PRIu32 " holds a character that GraphML cannot express "
                     "(U+FFFE or U+FFFF); choose another format, or rename the vertex",
                     v);
  return MS_OK;
}

/* A reader cannot tell blanks around a colour from blanks of the layout. */
static ms_status check_colors(const ms_coloring *coloring, ms_error *err)
{
  for (uint32_t c = 0; coloring && c < ms_names_count(coloring->names); c++) {
    const char *name = ms_names_get(coloring->names, c);
    size_t length = strlen(name);
    if (!is_xml_text(name) || name[0] == ' ' || name[length - 1] == ' ')
      return ms_fail(
          err, MS_ERR_USAGE,
          "the colour '%.*s' %s, which GraphML cannot express; choose another format, or "
          "rename the colour",
          ms_name_clip(name, length), name,
          is_xml_text(name) ? "begins or ends with a blank" : "holds U+FFFE or U+FFFF");
  }
  return MS_OK;
}

static void put_escaped(ms_outfile *out, const char *name)
{
  for (;;) {
    size_t plain = strcspn(name, "&<>\"");
    ms_outfile_write(out, name, plain);
    name += plain;
    if (!*name)
      return;
    ms_outfile_puts(out, *name == '&'   ? "&amp;"
                         : *name == '<' ? "&lt;"
                         : *name == '>' ? "&gt;"
                                        : "&quot;");
    name++;
  }
}

static void put_node(ms_outfile *out, const ms_graph *graph, const ms_coloring *coloring,
                     const char *key, uint32_t v)
{
  uint64_t begin = coloring ? coloring->offset[v] : 0, end = coloring ? coloring->offset[v + 1] : 0;
  ms_outfile_puts(out, "    <node id=\"");
  put_escaped(out, ms_names_get(graph->names, v));
  if (begin < end)
    ms_outfile_printf(out, "\"><data key=\"%s\">", key);
  else
    ms_outfile_puts(out, "\"/>\n");
  for (uint64_t i = begin; i < end; i++) {
    if (i > begin)
      ms_outfile_puts(out, "\n");
    put_escaped(out, ms_names_get(coloring->names, coloring->color[i]));
  }
  if (begin < end)
    ms_outfile_puts(out, "</data></node>\n");
}

/* Writes the edge of arc a of u.  In a directed graph, one that points both ways is undirected. */
static void put_edge(ms_outfile *out, const ms_graph *graph, uint32_t u, uint64_t a)
{
  char text[MS_FLOAT_BYTES];
  int direction = graph->direction ? graph->direction[a] : 0;
  const char *u_name = ms_names_get(graph->names, u);
  const char *v_name = ms_names_get(graph->names, graph->neighbor[a]);
  ms_outfile_puts(out, "    <edge source=\"");
  put_escaped(out, direction == MS_ARC_FROM ? v_name : u_name);
  ms_outfile_puts(out, "\" target=\"");
  put_escaped(out, direction == MS_ARC_FROM ? u_name : v_name);
  ms_outfile_puts(out, direction == (MS_ARC_TO | MS_ARC_FROM) ? "\" directed=\"false\"" : "\"");
  if (graph->score)
    ms_outfile_printf(out, "><data key=\"score\">%s</data></edge>\n",
                      ms_float_text(graph->score[a], text));
  else
    ms_outfile_puts(out, "/>\n");
}

ms_status ms_graphml_write(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                           ms_error *err)
{
  const char *key = coloring && ms_missing_name(coloring->names) ? MS_LITERAL_COLORS : "color";
  ms_status status = check_vertices(graph, err);
  if (status == MS_OK)
    status = check_colors(coloring, err);
  if (status != MS_OK)
    return status;
  ms_outfile_puts(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<graphml xmlns=\"" MS_GRAPHML_SPACE "xmlns\"\n"
                  "         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                  "         xsi:schemaLocation=\"" MS_GRAPHML_SPACE "xmlns\n"
                  "                             " MS_GRAPHML_SPACE "xmlns/1.0/graphml.xsd\">\n");
  if (coloring)
    ms_outfile_printf(out,
                      "  <key id=\"%s\" for=\"node\" attr.name=\"color\" "
                      "attr.type=\"string\"/>\n",
                      key);
  if (graph->score)
    ms_outfile_puts(out, "  <key id=\"score\" for=\"edge\" attr.name=\"score\" "
                         "attr.type=\"float\"/>\n");
  ms_outfile_printf(out, "  <graph edgedefault=\"%s\">\n",
                    graph->direction ? "directed" : "undirected");
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++)
    put_node(out, graph, coloring, key, v);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (graph->neighbor[a] > v)
        put_edge(out, graph, v, a);
  ms_outfile_puts(out, "  </graph>\n</graphml>\n");
  return MS_OK;
}
