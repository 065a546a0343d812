/* Writes a drawing in Graphviz's DOT language. */
#include "result/drawing.h"

#include "base/status.h"
#include "base/text/format.h"
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

/* Writes text inside an HTML-like label. */
static void put_html(ms_outfile *out, const char *text)
{
  for (const char *p = text; *p; p++) {
    const char *entity = *p == '&'   ? "&amp;"
                         : *p == '<' ? "&lt;"
                         : *p == '>' ? "&gt;"
                         : *p == '"' ? "&quot;"
                                     : NULL;
    if (entity)
      ms_outfile_puts(out, entity);
    else
      ms_outfile_write(out, p, 1);
  }
}

/* Writes the label of the whole drawing: the title, and a legend of the roles. */
static void put_legend(ms_outfile *out, const ms_drawing *drawing)
{
  ms_outfile_puts(out, "<<table border=\"0\" cellborder=\"0\" cellspacing=\"3\">\n"
                       "    <tr><td colspan=\"2\">");
  put_html(out, ms_drawing_title(drawing));
  if (drawing->match)
    ms_outfile_printf(out, ", match %" PRIu64, drawing->match);
  ms_outfile_puts(out, "</td></tr>\n");
  for (uint32_t i = 0; i < ms_drawing_roles(drawing); i++) {
    uint32_t role = ms_drawing_role_at(drawing, i);
    ms_outfile_printf(out,
                      "    <tr><td bgcolor=\"%s\" border=\"1\" width=\"24\"></td>"
                      "<td align=\"left\">",
                      ms_role_color(role));
    put_html(out, ms_role_name(drawing, role));
    ms_outfile_puts(out, "</td></tr>\n");
  }
  ms_outfile_puts(out, "  </table>>");
}

static void put_threshold(ms_outfile *out, const char *name, double least)
{
  char number[32];
  if (!(least > 0))
    return;
  ms_format(number, sizeof number, "%g", least);
  ms_outfile_printf(out, "// %s: %s\n", name, number);
}

static void put_head(ms_outfile *out, const ms_drawing *drawing)
{
  const ms_result_header *h = drawing->header;
  ms_outfile_printf(out, "// motifsieve %s %s --dot\n// graph: ", ms_version(),
                    ms_result_command(h->kind));
  ms_put_path(out, h->graph_path);
  if (h->colors_path) {
    ms_outfile_puts(out, "\n// colors: ");
    ms_put_path(out, h->colors_path);
  }
  ms_outfile_printf(out, "\n// %s: ", h->motif ? "motif" : "pattern");
  ms_put_path(out, ms_drawing_title(drawing));
  ms_outfile_printf(out, "\n// status: %s\n// %s: %" PRIu64 "\n", ms_header_status(h),
                    ms_drawing_is_screen(drawing) ? "flagged" : "matches", h->found);
  if (h->sort)
    ms_outfile_printf(out, "// sort: %s\n", ms_result_word(MS_WORDS_MEASURE, h->sort));
  if (h->top > 0)
    ms_outfile_printf(out, "// top: %" PRIu64 "\n", h->top);
  put_threshold(out, "min_density", h->min_density);
  put_threshold(out, "min_mean_score", h->min_mean_score);
  if (h->diverse)
    ms_outfile_puts(out, "// diverse: 1\n");
  put_threshold(out, "family_share", h->family.share);
  if (h->family.share > 0)
    ms_outfile_printf(out, "// family_matches: %" PRIu64 "\n", h->family.matches);
  if (h->has & MS_HAS_SAMPLE)
    ms_outfile_printf(out, "// sampled: %" PRIu64 " of %" PRIu64 "\n// sample_seed: %" PRIu64 "\n",
                      h->sample.rows, h->sample.from, h->sample.seed);
  ms_outfile_printf(out,
                    "graph motifsieve {\n"
                    "  graph [layout=%s, overlap=false, outputorder=edgesfirst, "
                    "fontname=\"Helvetica\", label=",
                    drawing->vertices <= FEW_VERTICES ? "neato" : "sfdp");
  put_legend(out, drawing);
  ms_outfile_puts(out, "];\n"
                       "  node [style=filled, fillcolor=\"#ffffff\", color=\"#666666\", "
                       "fontname=\"Helvetica\", fontsize=10];\n"
                       "  edge [color=\"#999999\", fontname=\"Helvetica\", fontsize=8];\n");
}

static void put_vertex(ms_outfile *out, const ms_drawing *drawing, uint32_t v)
{
  uint32_t role = drawing->role[v];
  ms_outfile_printf(out, "  v%" PRIu32 " [label=\"", v);
  put_escaped(out, ms_drawing_label(drawing, v));
  ms_outfile_puts(out, "\"");
  if (role != MS_NO_ID)
    ms_outfile_printf(out, ", fillcolor=\"%s\", fontcolor=\"%s\"", ms_role_color(role),
                      ms_role_label_color(role));
  ms_outfile_puts(out, "];\n");
}

static bool put_edge(void *user, uint32_t from, uint32_t to, const char *type, bool directed)
{
  ms_outfile *out = user;
  ms_outfile_printf(out, "  v%" PRIu32 " -- v%" PRIu32, from, to);
  if (type || directed)
    ms_outfile_puts(out, directed ? " [dir=forward" : " [dir=none");
  if (type) {
    ms_outfile_puts(out, ", label=\"");
    put_escaped(out, type);
    ms_outfile_puts(out, "\"");
  }
  ms_outfile_puts(out, type || directed ? "];\n" : ";\n");
  return !ms_outfile_failed(out);
}

ms_status ms_draw_dot(ms_outfile *out, const ms_drawing *drawing, ms_error *err)
{
  put_head(out, drawing);
  for (uint32_t v = 0; v < drawing->n && !ms_watch_ended(drawing->watch, v); v++)
    if (drawing->drawn[v])
      put_vertex(out, drawing, v);
  MS_TRY(ms_drawing_edges(drawing, put_edge, out, err));
  ms_outfile_puts(out, "}\n");
  return MS_OK;
}
