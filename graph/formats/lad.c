/* LAD, the format of Solnon's subgraph solver and its instances:
 *
 *   3          vertices, numbered from 0
 *   1 1        vertex 0: degree, neighbours
 *   2 0 2
 *   1 1
 *
 * An undirected graph lists an edge at both ends.  Where only one end does, as in files of directed
 * graphs, it is an edge, too: arcs lose their direction, unless the graph is read as a directed
 * one.  Then v's line holds the targets of the arcs from v.  A vertex that lists itself has a
 * self-loop, which is dropped.
 *
 * The labelled variants, which have a label in front of the degree, are refused: where the numbers
 * add up in both ways, edges that are listed at one end only distinguish a label from a degree. */
#include "graph/formats/format.h"
#include "graph/io/counted.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- reading ------------------------------------------------------------- */

static ms_status read_count(const ms_text *text, uint64_t *n, ms_error *err)
{
  ms_field line = ms_field_trim((ms_field){text->line, text->length});
  if (!ms_field_count(line, MS_MAX_NAMES, n))
    return ms_text_fail(text, err,
                        "expected the number of vertices, alone on its line; begin the file with "
                        "it");
  return *n > 0 ? MS_OK : ms_text_fail(text, err, "the graph has no vertices; give one that has");
}

/* Would the lines add up with a label in front of each degree, and do all arcs have reverses? */
typedef struct lad_clues {
  bool labels;
  uint64_t sum; /* 0: they have */
} lad_clues;

/* Reads the line of vertex v.  Its edges may lead to vertices whose lines come later; that all n
 * lines come is checked at the end. */
static ms_status read_vertex(ms_edges *edges, const ms_text *text, uint32_t v, uint64_t n,
                             lad_clues *c, ms_error *err)
{
  ms_field rest = {text->line, text->length}, word;
  uint64_t degree, neighbor, found = 0, first = UINT64_MAX;
  ms_status status = MS_OK;
  if (!ms_field_word(&rest, &word) || !ms_field_count(word, UINT32_MAX, &degree))
    return ms_text_fail(text, err,
                        "the degree of vertex %" PRIu32 " is not a whole number; correct it", v);
  for (; status == MS_OK && ms_field_word(&rest, &word); found++) {
    if (!ms_field_count(word, n - 1, &neighbor))
      return ms_text_fail(text, err,
                          "a neighbour of vertex %" PRIu32 " is not a number from 0 to %" PRIu64
                          "; correct it",
                          v, n - 1);
    status = ms_edges_join(edges, v, (uint32_t)neighbor, err);
    first = found == 0 ? neighbor : first;
    c->sum += ms_mix_arc(v, neighbor);
  }
  c->labels &= found > 0 && first == found - 1;
  if (status == MS_OK && found != degree)
    status = ms_text_fail(text, err,
                          "vertex %" PRIu32 " states degree %" PRIu64 ", but %" PRIu64
                          " neighbours follow; correct the line (labelled LAD is not read)",
                          v, degree, found);
  return status;
}

static ms_status add_name(ms_edges *edges, const ms_text *text, uint32_t v, ms_error *err)
{
  char name[16];
  uint32_t id;
  int length = snprintf(name, sizeof name, "%" PRIu32, v);
  return ms_edges_vertex(edges, text, (ms_field){name, (size_t)length}, &id, err);
}

static ms_status read_lad(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                          ms_error *err)
{
  uint64_t n;
  uint32_t v = 0;
  lad_clues clues = {.labels = true};
  ms_status status = ms_text_next_data(text, err);
  if (status != MS_OK || !text->line)
    return status;
  ms_text header = *text; /* for its line number */
  status = read_count(text, &n, err);
  if (status == MS_OK) {
    edges->ahead = (uint32_t)n;
    status = ms_text_next_data(text, err);
  }
  for (; status == MS_OK && text->line; v++) {
    if (v == n)
      return ms_text_fail(text, err,
                          "more lines than the %" PRIu64 " vertices of line %" PRIu64
                          "; remove them, or correct the number",
                          n, header.number);
    status = read_vertex(edges, text, v, n, &clues, err);
    if (status == MS_OK)
      status = add_name(edges, text, v, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  if (status == MS_OK && v < n)
    status = ms_text_fail(&header, err,
                          "states %" PRIu64 " vertices, but %" PRIu32
                          " lines follow; complete the file (a vertex without neighbours has the "
                          "line 0), or correct the number",
                          n, v);
  if (status == MS_OK && options->format == MS_FORMAT_AUTO && clues.labels && clues.sum != 0)
    status =
        ms_text_fail(&header, err,
                     "the file may be labelled LAD, which is not read: its numbers add up with "
                     "a label in front of each degree, and without one edges are listed at one "
                     "end only; name the format, if there are no labels (`format` lad)");
  return status;
}

/* ---- writing ------------------------------------------------------------- */

static ms_status write_lad(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                           ms_error *err)
{
  (void)coloring;
  (void)err;
  ms_outfile_printf(out, "%" PRIu32 "\n", graph->n);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++) {
    ms_outfile_printf(out, "%" PRIu64, graph->offset[v + 1] - graph->offset[v]);
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      ms_outfile_printf(out, " %" PRIu32, graph->neighbor[a]);
    ms_outfile_puts(out, "\n");
  }
  return MS_OK;
}

const ms_format ms_format_lad = {
    .info = {.name = "lad",
             .about = "LAD: the number of vertices, then a line of degree and neighbours for each, "
                      "from 0",
             .example = "3\n1 1\n2 0 2\n1 1\n",
             .suffix = ".lad",
             .writable = true,
             .numbered = true,
             .first_number = 0},
    .options = MS_HAS_DIRECTION,
    .read = read_lad,
    .write = write_lad};
