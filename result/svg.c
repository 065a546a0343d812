/* Writes a drawing as SVG: every vertex at its position as a light dot, the vertices found in the
 * colours of their roles, the edges among them, a legend and a scale.
 *
 * The size of the file is bounded.  Dots of one colour are one path; those that fall into the same
 * square as large as a dot are drawn once, so a path has at most (MS_SVG_SIDE / MS_SVG_LEAST_DOT)^2
 * = 640,000 of them, of some 14 bytes.  Edges beyond MOST_EDGES are left out, and the legend says
 * so. */
#include "result/drawing.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "graph/points/points.h"
#include "result/svg_places.h"
#include "result/writer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_EDGES 600000u
/* Up to this many vertices found are circles of their own, which show their names. */
#define MOST_NAMED 2000u
#define LINE_HEIGHT 420
#define FONT_SIZE 300

typedef struct svg {
  ms_outfile *out;
  const ms_drawing *drawing;
  ms_svg_places places;
  uint8_t *covered; /* bits of the squares that have a dot of this colour */
  uint32_t squares; /* in a row */
  size_t bytes;     /* of `covered` */
  int32_t width;    /* of the page, which also has room for the legend */
  uint64_t found;   /* vertices found that have a position */
  uint64_t lost;    /* vertices found that have none */
  bool found_only;  /* of edges: those among the vertices found */
  uint64_t edges;   /* written */
} svg;

/* ---- text ------------------------------------------------------------------------------- */

/* True if U+FFFE or U+FFFF is here, which UTF-8 can hold and XML does not allow. */
static bool is_no_character(const char *p)
{
  const unsigned char *u = (const unsigned char *)p;
  return u[0] == 0xef && u[1] == 0xbf && (u[2] == 0xbe || u[2] == 0xbf);
}

/* Writes text with the escapes of XML.  Bytes that XML does not allow become question marks. */
static void put_text(ms_outfile *out, const char *text)
{
  bool is_utf8 = ms_is_utf8(text);
  for (const char *p = text; *p; p++) {
    unsigned char c = (unsigned char)*p;
    const char *entity = c == '&'                              ? "&amp;"
                         : c == '<'                            ? "&lt;"
                         : c == '>'                            ? "&gt;"
                         : c == '"'                            ? "&quot;"
                         : c == '\t' || c == '\n' || c == '\r' ? " "
                         : c < 32 || (c >= 128 && !is_utf8)    ? "?"
                         : is_no_character(p)                  ? "?"
                                                               : NULL;
    if (is_utf8 && is_no_character(p))
      p += 2;
    if (entity)
      ms_outfile_puts(out, entity);
    else
      ms_outfile_write(out, p, 1);
  }
}

static void put_what(ms_outfile *out, const ms_drawing *d)
{
  put_text(out, d->heading ? d->heading : ms_drawing_title(d));
  if (d->heading)
    return;
  if (d->match)
    ms_outfile_printf(out, ", match %" PRIu64, d->match);
  ms_outfile_puts(out, " in ");
  put_text(out, d->header->graph_path ? d->header->graph_path : "a graph");
}

/* Writes the text alternative: a title and a description. */
static void put_head(svg *s, int32_t height)
{
  const ms_drawing *d = s->drawing;
  const ms_result_header *h = d->header;
  ms_outfile *out = s->out;
  ms_outfile_printf(out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                    "aria-labelledby=\"title description\" width=\"%d\" height=\"%d\" "
                    "viewBox=\"0 0 %d %d\">\n<title id=\"title\">",
                    s->width / 10, height / 10, s->width, height);
  put_what(out, d);
  ms_outfile_printf(out,
                    "</title>\n<desc id=\"description\">motifsieve %s %s, status: %s. %s: %" PRIu64
                    ". %" PRIu64 " of %" PRIu32 " vertices coloured, %" PRIu32
                    " vertices without a position. Positions of ",
                    ms_version(), ms_result_command(h->kind), ms_header_status(h),
                    ms_drawing_is_screen(d) ? "Flagged" : "Matches", h->found, s->found, d->n,
                    d->n - s->places.placed);
  put_text(out, d->positions->info.path ? d->positions->info.path : "the program");
  ms_outfile_printf(out, "; the second coordinate grows downwards%s.</desc>\n",
                    d->positions->dimensions > 2 ? ", and the third is left out" : "");
  ms_outfile_puts(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
}

/* ---- dots --------------------------------------------------------------------------------- */

/* True the first time that a dot of this colour comes into its square. */
static bool takes_square(svg *s, const int32_t at[2])
{
  uint64_t square =
      (uint64_t)(at[1] / s->places.dot) * s->squares + (uint64_t)(at[0] / s->places.dot);
  uint8_t bit = (uint8_t)(1u << (square & 7));
  bool first = !(s->covered[square >> 3] & bit);
  s->covered[square >> 3] |= bit;
  return first;
}

/* Writes the vertices of a role as one path of dots; MS_NO_ID: all others. */
static void put_dots(svg *s, uint32_t role, const char *color, int32_t diameter)
{
  const ms_drawing *d = s->drawing;
  bool begun = false;
  memset(s->covered, 0, s->bytes);
  for (uint32_t v = 0; v < d->n && !ms_watch_ended(d->watch, v); v++) {
    const int32_t *at = s->places.at[v];
    if (d->role[v] != role || at[0] == MS_SVG_NONE || !takes_square(s, at))
      continue;
    if (!begun)
      ms_outfile_printf(s->out,
                        "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" "
                        "stroke-linecap=\"round\" d=\"",
                        color, diameter);
    begun = true;
    ms_outfile_printf(s->out, "M%d %dh0", at[0], at[1]);
  }
  if (begun)
    ms_outfile_puts(s->out, "\"/>\n");
}

static void put_circle(svg *s, uint32_t v, int32_t diameter)
{
  const ms_drawing *d = s->drawing;
  const int32_t *at = s->places.at[v];
  if (at[0] == MS_SVG_NONE)
    return;
  ms_outfile_printf(s->out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\"><title>", at[0],
                    at[1], diameter / 2, ms_role_color(d->role[v]));
  put_text(s->out, ms_drawing_label(d, v));
  ms_outfile_puts(s->out, " (");
  put_text(s->out, ms_role_name(d, d->role[v]));
  ms_outfile_puts(s->out, ")</title></circle>\n");
}

/* Writes the vertices found, in front of all others and a little larger. */
static void put_found(svg *s)
{
  const ms_drawing *d = s->drawing;
  int32_t diameter = s->places.dot * 3 / 2 > 50 ? s->places.dot * 3 / 2 : 50;
  if (s->found <= MOST_NAMED) {
    for (uint32_t v = 0; v < d->n; v++)
      if (d->role[v] != MS_NO_ID)
        put_circle(s, v, diameter);
    return;
  }
  for (uint32_t i = 0; i < ms_drawing_roles(d); i++) {
    uint32_t role = ms_drawing_role_at(d, i);
    put_dots(s, role, ms_role_color(role), diameter);
  }
}

/* ---- edges -------------------------------------------------------------------------------- */

static bool put_edge(void *user, uint32_t from, uint32_t to, const char *type, bool directed)
{
  svg *s = user;
  const ms_drawing *d = s->drawing;
  const int32_t *a = s->places.at[from], *b = s->places.at[to];
  bool is_found = d->role[from] != MS_NO_ID && d->role[to] != MS_NO_ID;
  (void)type;
  (void)directed;
  if (is_found != s->found_only || a[0] == MS_SVG_NONE || b[0] == MS_SVG_NONE)
    return true;
  ms_outfile_printf(s->out, "M%d %dL%d %d", a[0], a[1], b[0], b[1]);
  s->edges++;
  return !ms_outfile_failed(s->out);
}

static ms_status put_edges(svg *s, bool found_only, ms_error *err)
{
  int32_t width = s->places.dot / 4 > 10 ? s->places.dot / 4 : 10;
  if (s->drawing->edges > MOST_EDGES)
    return MS_OK;
  s->found_only = found_only;
  ms_outfile_printf(s->out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" d=\"",
                    found_only ? "#444444" : "#dddddd", found_only ? width : width / 2);
  ms_status status = ms_drawing_edges(s->drawing, put_edge, s, err);
  ms_outfile_puts(s->out, "\"/>\n");
  return status;
}

/* ---- legend ------------------------------------------------------------------------------- */

/* Writes the name of a slide, cut to the letters for which there is room. */
static void put_slide_name(ms_outfile *out, const char *name)
{
  char text[4 * MS_SVG_LETTERS + 4];
  size_t length = 0, letters = 0;
  for (; name[length] && length < 4 * MS_SVG_LETTERS; length++) {
    letters += ((unsigned char)name[length] & 0xc0) != 0x80;
    if (letters > MS_SVG_LETTERS - 3 && strlen(name) > MS_SVG_LETTERS)
      break;
    text[length] = name[length];
  }
  strcpy(text + length, name[length] ? "..." : "");
  put_text(out, text);
}

static void put_slide_names(svg *s)
{
  const ms_points *points = s->drawing->positions;
  for (uint32_t i = 0; points->slides && s->places.slides > 1 && i < s->places.slides; i++) {
    const char *name = ms_names_get(points->slides, s->places.slide[i]);
    ms_outfile_printf(s->out, "<text x=\"%d\" y=\"%d\">", s->places.corner[i][0],
                      s->places.corner[i][1] - MS_SVG_TITLE / 4);
    put_slide_name(s->out, name ? name : "");
    ms_outfile_puts(s->out, "</text>\n");
  }
}

/* Finds the length of the scale, in units of the positions: 1, 2 or 5 times a power of ten, at most
 * a quarter of the map's longer side.  Returns its right end on the page. */
static int32_t find_scale(const svg *s, double *length)
{
  int32_t width = s->places.width, height = s->places.height;
  double most = ((width > height ? width : height) - 2 * MS_SVG_MARGIN) / s->places.scale / 4;
  double power = pow(10, floor(log10(most)));
  *length = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
  return MS_SVG_MARGIN + (int32_t)lround(*length * s->places.scale);
}

static void put_scale(svg *s, int32_t y)
{
  char number[32];
  double length;
  int32_t end = find_scale(s, &length);
  ms_format(number, sizeof number, "%g", length);
  ms_outfile_printf(s->out,
                    "<path stroke=\"#000000\" stroke-width=\"40\" d=\"M%d %dH%d\"/>\n"
                    "<text x=\"%d\" y=\"%d\">%s ",
                    MS_SVG_MARGIN, y - FONT_SIZE / 3, end, end + 150, y, number);
  put_text(s->out, s->drawing->unit ? s->drawing->unit : "(unit of the positions)");
  ms_outfile_puts(s->out, "</text>\n");
}

/* Writes an entry of the legend: a dot, a name and the number of its vertices. */
static void put_entry(svg *s, int32_t y, const char *color, const char *name, uint64_t count)
{
  ms_outfile_printf(s->out,
                    "<circle cx=\"%d\" cy=\"%d\" r=\"110\" fill=\"%s\"/>"
                    "<text x=\"%d\" y=\"%d\">",
                    MS_SVG_MARGIN + 110, y - FONT_SIZE / 3, color, MS_SVG_MARGIN + 350, y);
  put_text(s->out, name);
  ms_outfile_printf(s->out, ": %" PRIu64 "</text>\n", count);
}

static void put_legend(svg *s)
{
  const ms_drawing *d = s->drawing;
  int32_t y = s->places.height + LINE_HEIGHT;
  ms_outfile_printf(s->out, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", MS_SVG_MARGIN, y);
  put_what(s->out, d);
  ms_outfile_puts(s->out, "</text>\n");
  for (uint32_t i = 0; i < ms_drawing_roles(d); i++) {
    uint64_t count = 0;
    uint32_t role = ms_drawing_role_at(d, i);
    for (uint32_t v = 0; v < d->n; v++)
      count += d->role[v] == role && s->places.at[v][0] != MS_SVG_NONE;
    put_entry(s, y += LINE_HEIGHT, ms_role_color(role), ms_role_name(d, role), count);
  }
  put_entry(s, y += LINE_HEIGHT, "#d4d4d4", "other vertices", s->places.placed - s->found);
  if (s->places.placed < d->n)
    ms_outfile_printf(s->out,
                      "<text x=\"%d\" y=\"%d\">without a position: %" PRIu64 " (found: %" PRIu64
                      ")</text>\n",
                      MS_SVG_MARGIN, y += LINE_HEIGHT, (uint64_t)d->n - s->places.placed, s->lost);
  if (d->edges > MOST_EDGES)
    ms_outfile_printf(s->out, "<text x=\"%d\" y=\"%d\">%" PRIu64 " edges are not drawn</text>\n",
                      MS_SVG_MARGIN, y += LINE_HEIGHT, d->edges);
  if (s->places.scale > 0)
    put_scale(s, y + LINE_HEIGHT);
}

/* Makes the page at least as wide as the legend. */
static void find_width(svg *s)
{
  const ms_drawing *d = s->drawing;
  const char *path = d->header->graph_path;
  double length;
  int32_t bar = s->places.scale > 0 ? find_scale(s, &length) : 0;
  int32_t widest = ms_svg_text_width("without a position: 4294967295 (found: 4294967295)");
  int32_t title = d->heading ? ms_svg_text_width(d->heading)
                             : ms_svg_text_width(ms_drawing_title(d)) + ms_svg_text_width(path) +
                                   ms_svg_text_width(", match 123456789 in a graph");
  int32_t scale = bar + ms_svg_text_width("1e+300 ") +
                  ms_svg_text_width(d->unit ? d->unit : "(unit of the positions)");
  widest = title > widest ? title : widest;
  widest = scale > widest ? scale : widest;
  for (uint32_t i = 0; i < ms_drawing_roles(d); i++) {
    const char *name = ms_role_name(d, ms_drawing_role_at(d, i));
    int32_t entry = ms_svg_text_width(name) + ms_svg_text_width(": 4294967295 and a dot");
    widest = entry > widest ? entry : widest;
  }
  widest += 2 * MS_SVG_MARGIN;
  s->width = s->places.width > widest ? s->places.width : widest;
}

static ms_status put_all(svg *s, ms_error *err)
{
  const ms_drawing *d = s->drawing;
  int32_t lines = (int32_t)ms_drawing_roles(d) + 2 + (s->places.scale > 0) +
                  (s->places.placed < d->n) + (d->edges > MOST_EDGES);
  for (uint32_t v = 0; v < d->n; v++)
    if (d->role[v] != MS_NO_ID)
      ++*(s->places.at[v][0] == MS_SVG_NONE ? &s->lost : &s->found);
  find_width(s);
  s->squares = (uint32_t)(s->places.width / s->places.dot) + 1;
  s->bytes = ((size_t)s->squares * ((size_t)(s->places.height / s->places.dot) + 1) + 7) / 8;
  s->covered = ms_alloc(s->bytes, 1);
  if (!s->covered)
    return ms_fail_memory(err, "a drawing");
  put_head(s, s->places.height + lines * LINE_HEIGHT + MS_SVG_MARGIN);
  if (d->whole_graph)
    MS_TRY(put_edges(s, false, err));
  put_dots(s, MS_NO_ID, "#d4d4d4", s->places.dot);
  MS_TRY(put_edges(s, true, err));
  put_found(s);
  ms_outfile_printf(s->out, "<g font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%d\">\n",
                    FONT_SIZE);
  put_slide_names(s);
  put_legend(s);
  ms_outfile_puts(s->out, "</g>\n</svg>\n");
  return ms_watch_report(d->watch, MS_DRAWING_PHASE, err);
}

ms_status ms_draw_svg(ms_outfile *out, const ms_drawing *drawing, ms_error *err)
{
  svg s = {.out = out, .drawing = drawing};
  ms_status status = ms_svg_places_find(drawing, &s.places, err);
  if (drawing->unplaced && status == MS_OK)
    *drawing->unplaced = drawing->n - s.places.placed;
  if (status == MS_OK)
    status = put_all(&s, err);
  ms_free(s.covered);
  ms_svg_places_free(&s.places);
  return status;
}
