/* Writes a drawing in Graphviz's DOT language. */
#include "result/drawing.h"
#include "result/writer.h"

#include <inttypes.h>
#include <string.h>

/* Up to this many vertices stress majorisation (neato) makes the better layout; above it, the
 * multilevel spring model (sfdp) still finishes soon. */
#define FEW_VERTICES 300u

/* Writes the inside of a quoted string.  Labels interpret the escapes \N, \n and so on, and HTML
 * entities; names mean none of these. */
static void put_escaped(ms_outfile *out, const char *text)
{
  for (const char *p = text; *p; p++)
    switch (*p) {
    case '"':
    case '\\':
      ms_outfile_puts(out, *p == '"' ? "\\\"" : "\\\\");
      break;
    case '&':
      ms_outfile_puts(out, "&amp;");
      break;
    default:
      ms_outfile_write(out, p, 1);
    }
}

static void put_head(ms_outfile *out, const ms_drawing *drawing)
{
  const ms_result_header *h = drawing->header;
  ms_outfile_printf(out, "// motifsieve %s %s --dot\n// graph: ", ms_version(),
                    ms_result_command(h->kind));
  ms_put_path(out, h->graph_path);
  ms_outfile_puts(out, "\n// colors: ");
  ms_put_path(out, h->colors_path);
  ms_outfile_printf(out, "\n// motif: %s\n// status: %s\n// %s: %" PRIu64 "\n", h->motif,
                    ms_header_status(h), drawing->list ? "matches" : "flagged", h->found);
  ms_outfile_printf(out,
                    "graph motifsieve {\n"
                    "  graph [layout=%s, overlap=false, outputorder=edgesfirst, "
                    "fontname=\"Helvetica\", label=\"",
                    drawing->vertices <= FEW_VERTICES ? "neato" : "sfdp");
  put_escaped(out, h->motif);
  if (drawing->match)
    ms_outfile_printf(out, "\\nmatch %" PRIu64, drawing->match);
  ms_outfile_puts(out, "\"];\n"
                       "  node [style=filled, fillcolor=\"#ffffff\", color=\"#666666\", "
                       "fontname=\"Helvetica\", fontsize=10];\n"
                       "  edge [color=\"#999999\"];\n");
}

static void put_vertex(ms_outfile *out, const ms_drawing *drawing, uint32_t v)
{
  char fill[8];
  uint32_t c = ms_drawing_class(drawing, v);
  ms_outfile_printf(out, "  v%" PRIu32 " [label=\"", v);
  put_escaped(out, ms_graph_name(drawing->query->graph, v));
  ms_outfile_puts(out, "\"");
  if (c != UINT32_MAX) {
    ms_class_fill(c, fill);
    ms_outfile_printf(out, ", fillcolor=\"%s\"", fill);
  }
  ms_outfile_puts(out, "];\n");
}

ms_status ms_draw_dot(ms_outfile *out, const ms_drawing *drawing, ms_error *err)
{
  const ms_graph *graph = drawing->query->graph;
  uint32_t n = ms_graph_vertex_count(graph), degree;
  (void)err;
  put_head(out, drawing);
  for (uint32_t v = 0; v < n; v++)
    if (drawing->drawn[v])
      put_vertex(out, drawing, v);
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
    for (uint32_t i = 0; drawing->drawn[v] && i < degree && row[i] < v; i++)
      if (drawing->drawn[row[i]])
        ms_outfile_printf(out, "  v%" PRIu32 " -- v%" PRIu32 ";\n", row[i], v);
  }
  ms_outfile_puts(out, "}\n");
  return MS_OK;
}
