/* DIMACS graphs, as of the clique and colouring challenge:
 *
 *   c a comment
 *   p edge 4 3       (or p col) vertices, edges
 *   e 1 2
 *   e 2 3            a third number, a weight, may follow; it is the edge's score
 *   e 3 4
 *
 * Lines n (node weights), d, v and x (positions of nodes, and parameters) are not read, because
 * they do not describe the graph.
 *
 * The number of edges.  A line e is an edge, and M counts the edges.  But some files of the
 * challenge count both directions of the edges that they list once, and some list both directions
 * and count the edges once.  So M must be the number of lines, or twice that, or half of it where
 * half of the lines go up (u < v) and half go down; everything else is an error.
 *
 * Clique and coloring problems graph format, DIMACS, 1993. */
#include "graph/formats/attributes.h"
#include "graph/formats/format.h"
#include "graph/io/counted.h"

#include "base/status.h"

#include <inttypes.h>

typedef struct problem {
  bool stated; /* the line p was there */
  uint64_t n, m;
  uint64_t lines;    /* e */
  uint64_t up, down; /* of these: to a higher number, to a lower one */
  bool scored;       /* weights are kept as scores */
} problem;

static ms_status read_problem(ms_text *text, ms_edges *edges, const ms_field *fields,
                              uint32_t count, problem *p, ms_error *err)
{
  if (p->stated)
    return ms_text_fail(text, err, "a second line 'p'; give one graph per file");
  if (count != 4)
    return ms_text_fail(text, err, "expected 'p edge VERTICES EDGES'; correct the line");
  if (!ms_field_is(fields[1], "edge") && !ms_field_is(fields[1], "col"))
    return ms_text_fail(text, err,
                        "this is another DIMACS format; give a file with 'p edge' or 'p col'");
  ms_status status =
      ms_numbered_count(text, fields[2], MS_MAX_NAMES, "number of vertices", &p->n, err);
  if (status == MS_OK)
    status = ms_numbered_count(text, fields[3], UINT64_MAX, "number of edges", &p->m, err);
  if (status == MS_OK && p->n == 0)
    status = ms_text_fail(text, err, "the graph has no vertices; give one that has");
  p->stated = true;
  return status == MS_OK ? ms_edges_number(edges, text, 1, p->n, err) : status;
}

static ms_status read_edge(ms_text *text, ms_edges *edges, const ms_field *fields, uint32_t count,
                           problem *p, ms_error *err)
{
  uint32_t u, v;
  double weight = 0;
  if (count != 3 && count != 4)
    return ms_text_fail(text, err, "expected 'e VERTEX VERTEX'; correct the line");
  ms_status status = ms_numbered_vertex(text, fields[1], p->n, &u, err);
  if (status == MS_OK)
    status = ms_numbered_vertex(text, fields[2], p->n, &v, err);
  if (status == MS_OK && count == 4)
    status = ms_numbered_value(text, fields[3], &weight, err);
  if (status == MS_OK && p->scored)
    status = count == 4 ? ms_keep_score(edges, text, weight, err) : ms_refuse_unscored(text, err);
  if (status != MS_OK)
    return status;
  p->lines++;
  p->up += u < v;
  p->down += u > v;
  return ms_edges_join(edges, u, v, err);
}

/* Checks a line about a vertex whose content the graph does not keep. */
static ms_status skip_node(const ms_text *text, const ms_field *fields, uint32_t count,
                           const problem *p, ms_error *err)
{
  uint32_t v;
  return count == 3 ? ms_numbered_vertex(text, fields[1], p->n, &v, err)
                    : ms_text_fail(text, err, "expected 'n VERTEX VALUE'; correct the line");
}

static ms_status read_line(ms_text *text, ms_edges *edges, problem *p, ms_error *err)
{
  ms_field fields[5];
  uint32_t count;
  ms_status status = ms_text_split(text, MS_BLANKS, 5, fields, &count, err);
  if (status != MS_OK || count == 0 || fields[0].text[0] == 'c')
    return status;
  if (ms_field_is(fields[0], "p"))
    return read_problem(text, edges, fields, count, p, err);
  if (!p->stated)
    return ms_text_fail(text, err,
                        "the line 'p edge VERTICES EDGES' must come first; add it in front");
  if (ms_field_is(fields[0], "e"))
    return read_edge(text, edges, fields, count, p, err);
  if (ms_field_is(fields[0], "n"))
    return skip_node(text, fields, count, p, err);
  if (ms_field_is(fields[0], "d") || ms_field_is(fields[0], "v") || ms_field_is(fields[0], "x"))
    return MS_OK;
  return ms_text_fail(text, err,
                      "expected a line that begins with c, p, e or n; correct or remove the line");
}

static ms_status check_count(const ms_text *text, const problem *p, ms_error *err)
{
  bool once = p->lines == p->m;
  bool counted_twice = p->lines == p->m / 2 && p->m % 2 == 0;
  bool listed_twice = p->up == p->m && p->down == p->m && p->lines == p->up + p->down;
  if (once || counted_twice || listed_twice)
    return MS_OK;
  return ms_text_fail(text, err,
                      "the line 'p' announces %" PRIu64 " edges, but there are %" PRIu64
                      " lines 'e'; complete the file, or correct the number",
                      p->m, p->lines);
}

static ms_status read_dimacs(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                             ms_error *err)
{
  problem p = {.scored = options->keep_scores};
  ms_status status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = read_line(text, edges, &p, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  if (status != MS_OK)
    return status;
  return p.stated ? check_count(text, &p, err)
                  : ms_fail(err, MS_ERR_INPUT,
                            "%s: holds no line 'p edge VERTICES EDGES'; give a DIMACS graph",
                            text->label);
}

static ms_status write_dimacs(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                              ms_error *err)
{
  (void)coloring;
  (void)err;
  ms_outfile_printf(out, "p edge %" PRIu32 " %" PRIu64 "\n", graph->n, graph->arcs / 2);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (graph->neighbor[a] > v)
        ms_outfile_printf(out, "e %" PRIu64 " %" PRIu64 "\n", (uint64_t)v + 1,
                          (uint64_t)graph->neighbor[a] + 1);
  return MS_OK;
}

const ms_format ms_format_dimacs = {
    .info = {.name = "dimacs",
             .about =
                 "DIMACS clique and colouring graph: 'p edge VERTICES EDGES', then a line 'e U "
                 "V' for each edge",
             .example = "p edge 3 2\ne 1 2\ne 2 3\n",
             .suffix = ".dimacs",
             .writable = true,
             .numbered = true,
             .first_number = 1},
    .options = MS_HAS_KEPT_SCORES,
    .read = read_dimacs,
    .write = write_dimacs};
