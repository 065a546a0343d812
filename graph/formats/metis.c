/* METIS graphs, adjacency lists of the vertices 1, 2, ...:
 *
 *   % a comment
 *   4 3 011 1        vertices, edges, what the lines hold, weights a vertex
 *   7 2 10           of vertex 1: its weight, then neighbour and edge weight
 *   7 1 10 3 10      of vertex 2
 *   7 2 10 4 10
 *   7 3 10
 *
 * The third number has up to three digits, 1 for there and 0 for not there:
 * vertex sizes, vertex weights, edge weights.  A blank line is a vertex
 * without neighbours, so blank lines count.  Every edge is listed at both of
 * its ends, and the second number counts it once.
 *
 * Edge weights are kept as scores if the graph is to have scores.
 *
 * Vertices are added as their lines come: the announced number takes no memory.
 *
 * G. Karypis: METIS 5.1, manual, "Graph file". 2013. */
#include "graph/formats/attributes.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/io/counted.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct metis {
  ms_metis_header header;
  uint32_t vertices; /* vertices whose lines were read */
  uint64_t *line;    /* [room]; line[v] is the line of vertex v */
  uint32_t room;
  bool scored; /* edge weights are kept as scores */
} metis;

/* Moves to the next line.  Unlike ms_text_next_data, it treats a blank line as data. */
static ms_status next_line(ms_text *text, ms_error *err)
{
  ms_status status;
  do
    status = ms_text_next(text, err);
  while (status == MS_OK && text->line && text->line[0] == '%');
  return status;
}

/* ---- header -------------------------------------------------------------- */

static ms_status read_header(ms_text *text, ms_metis_header *h, ms_error *err)
{
  MS_TRY(ms_text_next_data(text, err)); /* blank lines count only below the header */
  if (!text->line)
    return ms_fail(err, MS_ERR_INPUT, "%s: is empty; give a METIS graph", text->label);
  if (!ms_metis_parse_header((ms_field){text->line, text->length}, h))
    return ms_text_fail(
        text, err,
        "expected the header 'VERTICES EDGES [FLAGS [WEIGHTS]]', with flags such as "
        "011; correct it, or choose another format, such as edge-list");
  return h->n > 0 ? MS_OK : ms_text_fail(text, err, "the graph has no vertices; give one that has");
}

/* ---- vertices ------------------------------------------------------------ */

static ms_status add_vertex(const ms_text *text, ms_edges *edges, metis *g, ms_error *err)
{
  char name[16];
  uint32_t v;
  if (!MS_GROW(g->line, g->room, g->vertices, 1))
    return ms_fail_memory(err, "the lines of vertices");
  g->line[g->vertices++] = text->number;
  int length = snprintf(name, sizeof name, "%" PRIu32, g->vertices);
  return ms_edges_vertex(edges, text, (ms_field){name, (size_t)length}, &v, err);
}

static ms_status skip_weights(const ms_text *text, ms_field *rest, uint64_t count, ms_error *err)
{
  ms_status status = MS_OK;
  ms_field field;
  double weight;
  for (uint64_t i = 0; i < count && status == MS_OK; i++)
    status = ms_field_word(rest, &field)
                 ? ms_numbered_value(text, field, &weight, err)
                 : ms_text_fail(text, err,
                                "expected %" PRIu64 " numbers (size, weights) in front of the "
                                "neighbours, as the header says, found %" PRIu64 "; complete them",
                                count, i);
  return status;
}

/* Reads the weight of an edge, which `rest` begins with. */
static ms_status read_weight(const ms_text *text, ms_field *rest, const metis *g, ms_edges *edges,
                             ms_error *err)
{
  ms_field field;
  double weight = 0;
  if (!ms_field_word(rest, &field))
    return ms_text_fail(text, err,
                        "the last neighbour has no edge weight, as the header says; "
                        "complete the line");
  MS_TRY(ms_numbered_value(text, field, &weight, err));
  return g->scored ? ms_keep_score(edges, text, weight, err) : MS_OK;
}

static ms_status read_vertex(ms_text *text, ms_edges *edges, metis *g, ms_error *err)
{
  ms_field rest = {text->line, text->length};
  uint32_t u = g->vertices, v;
  ms_field field;
  ms_status status = add_vertex(text, edges, g, err);
  if (status == MS_OK)
    status = skip_weights(text, &rest, g->header.skip, err);
  while (status == MS_OK && ms_field_word(&rest, &field)) {
    status = ms_numbered_vertex(text, field, g->header.n, &v, err);
    if (status == MS_OK && u == v)
      status = ms_text_fail(
          text, err, "vertex %" PRIu32 " lists itself, which METIS does not allow; remove it",
          u + 1);
    if (status == MS_OK && g->header.edge_weights)
      status = read_weight(text, &rest, g, edges, err);
    if (status == MS_OK)
      status = ms_edges_join(edges, u, v, err);
  }
  return status;
}

static ms_status read_vertices(ms_text *text, ms_edges *edges, metis *g, ms_error *err)
{
  ms_status status = next_line(text, err);
  while (status == MS_OK && text->line && g->vertices < g->header.n) {
    status = read_vertex(text, edges, g, err);
    if (status == MS_OK)
      status = next_line(text, err);
  }
  if (status == MS_OK && g->vertices < g->header.n)
    return ms_text_fail(text, err,
                        "the file ends after the lines of %" PRIu32 " of %" PRIu64 " vertices; "
                        "complete it (a vertex without neighbours has a blank line)",
                        g->vertices, g->header.n);
  while (status == MS_OK && text->line) {
    if (ms_line_holds_data(text->line, text->length))
      return ms_text_fail(text, err,
                          "more lines than the %" PRIu64 " vertices of the header; remove them, or "
                          "correct the header",
                          g->header.n);
    status = next_line(text, err);
  }
  return status;
}

/* ---- both ends ----------------------------------------------------------- */

/* Arcs by their target: listed_by[begin[v]..begin[v + 1]) list v. */
typedef struct transpose {
  uint64_t *begin;     /* [n + 1] */
  uint32_t *listed_by; /* [arcs] */
  float *score;        /* [arcs] of these arcs; NULL: there are no scores */
  uint32_t
      *owed; /* [n]; for the current vertex: how often v lists it, minus how often it lists v */
} transpose;

/* score[arcs->count], or NULL */
static ms_status make_transpose(const ms_pairs *arcs, const float *score, uint32_t n, transpose *t,
                                ms_error *err)
{
  t->begin = ms_calloc((size_t)n + 1, sizeof *t->begin);
  t->listed_by = ms_alloc(arcs->count, sizeof *t->listed_by);
  t->owed = ms_calloc(n, sizeof *t->owed);
  t->score = score ? ms_alloc(arcs->count, sizeof *t->score) : NULL;
  if (!t->begin || !t->listed_by || !t->owed || (score && !t->score))
    return ms_fail_memory(err, "adjacency lists");
  for (uint64_t a = 0; a < arcs->count; a++)
    t->begin[arcs->pair[a][1]]++;
  for (uint32_t v = 0; v < n; v++)
    t->begin[v + 1] += t->begin[v];
  /* begin[v] is the end of row v; filling from behind turns it into the start */
  for (uint64_t a = arcs->count; a-- > 0;) {
    uint64_t i = --t->begin[arcs->pair[a][1]];
    t->listed_by[i] = arcs->pair[a][0];
    if (score)
      t->score[i] = score[a];
  }
  return MS_OK;
}

static ms_status one_sided(ms_text *text, const metis *g, uint32_t u, uint32_t v, ms_error *err)
{
  text->number = g->line[u];
  return ms_text_fail(text, err,
                      "vertex %" PRIu32 " lists %" PRIu32 ", but line %" PRIu64
                      ", of vertex %" PRIu32 ", does not list %" PRIu32
                      " as often; list every edge at both of its ends",
                      u + 1, v + 1, g->line[v], v + 1, u + 1);
}

/* Checks that both ends list each edge.  Arcs are in the order of their sources, so the arcs of
 * a vertex are consecutive. */
static ms_status check_both_ends(ms_text *text, const metis *g, const ms_pairs *arcs,
                                 const transpose *t, ms_error *err)
{
  uint64_t a = 0;
  for (uint32_t u = 0; u < g->vertices; u++) {
    for (uint64_t i = t->begin[u]; i < t->begin[u + 1]; i++)
      t->owed[t->listed_by[i]]++;
    for (; a < arcs->count && arcs->pair[a][0] == u; a++)
      if (t->owed[arcs->pair[a][1]]-- == 0)
        return one_sided(text, g, u, arcs->pair[a][1], err);
    for (uint64_t i = t->begin[u]; i < t->begin[u + 1]; i++)
      if (t->owed[t->listed_by[i]] > 0)
        return one_sided(text, g, t->listed_by[i], u, err);
  }
  return MS_OK;
}

/* Keeps the arcs to higher numbers: every edge once.  score[arcs->count], or NULL. */
static void keep_upward(ms_pairs *arcs, float *score)
{
  uint64_t kept = 0;
  for (uint64_t a = 0; a < arcs->count; a++) {
    uint32_t u = arcs->pair[a][0], v = arcs->pair[a][1];
    if (u > v)
      continue;
    if (score)
      score[kept] = score[a];
    arcs->pair[kept][0] = u;
    arcs->pair[kept++][1] = v;
  }
  arcs->count = kept;
}

/* Gives each arc the greater score of the two that its edge has, or the greatest of more.
 * score[arcs->count] are those of the arcs, and greatest[g->vertices] is working space. */
static void raise_scores(const metis *g, const ms_pairs *arcs, const transpose *t, float *score,
                         float *greatest)
{
  uint64_t first = 0, end;
  for (uint32_t v = 0; v < g->vertices; v++)
    greatest[v] = -INFINITY;
  for (uint32_t u = 0; u < g->vertices; u++, first = end) {
    for (end = first; end < arcs->count && arcs->pair[end][0] == u; end++)
      greatest[arcs->pair[end][1]] = fmaxf(greatest[arcs->pair[end][1]], score[end]);
    for (uint64_t i = t->begin[u]; i < t->begin[u + 1]; i++)
      greatest[t->listed_by[i]] = fmaxf(greatest[t->listed_by[i]], t->score[i]);
    for (uint64_t a = first; a < end; a++)
      score[a] = greatest[arcs->pair[a][1]];
    for (uint64_t a = first; a < end; a++)
      greatest[arcs->pair[a][1]] = -INFINITY;
  }
}

static ms_status settle_scores(const metis *g, const ms_pairs *arcs, const transpose *t,
                               float *score, ms_error *err)
{
  float *greatest = ms_alloc(g->vertices, sizeof *greatest);
  if (!greatest)
    return ms_fail_memory(err, "the scores of edges");
  raise_scores(g, arcs, t, score, greatest);
  ms_free(greatest);
  return MS_OK;
}

static ms_status check_edges(ms_text *text, const metis *g, ms_edges *edges, ms_error *err)
{
  transpose t = {0};
  ms_pairs *arcs = &edges->pairs;
  uint64_t lines = text->number;
  ms_status status = make_transpose(arcs, edges->score, g->vertices, &t, err);
  if (status == MS_OK)
    status = check_both_ends(text, g, arcs, &t, err);
  if (status == MS_OK && edges->score)
    status = settle_scores(g, arcs, &t, edges->score, err);
  ms_free(t.begin);
  ms_free(t.listed_by);
  ms_free(t.score);
  ms_free(t.owed);
  if (status != MS_OK)
    return status;
  text->number = lines;
  keep_upward(arcs, edges->score);
  if (edges->score)
    edges->scores = arcs->count;
  if (arcs->count != g->header.m)
    return ms_text_fail(text, err,
                        "the header announces %" PRIu64 " edges, but the lines list %" PRIu64
                        "; complete them, or correct the header (an edge counts once)",
                        g->header.m, arcs->count);
  return MS_OK;
}

static ms_status read_metis(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                            ms_error *err)
{
  metis g = {.scored = options->keep_scores};
  ms_status status = read_header(text, &g.header, err);
  if (status == MS_OK && g.scored && !g.header.edge_weights)
    status = ms_text_fail(text, err,
                          "scores are wanted, but by the header there are no edge weights; give a "
                          "file that has them, or leave out `keep_scores`");
  if (status == MS_OK)
    status = read_vertices(text, edges, &g, err);
  if (status == MS_OK)
    status = check_edges(text, &g, edges, err);
  ms_free(g.line);
  return status;
}

static ms_status write_metis(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                             ms_error *err)
{
  (void)coloring;
  (void)err;
  ms_outfile_printf(out, "%" PRIu32 " %" PRIu64 "\n", graph->n, graph->arcs / 2);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++) {
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      ms_outfile_printf(out, "%s%" PRIu64, a > graph->offset[v] ? " " : "",
                        (uint64_t)graph->neighbor[a] + 1);
    ms_outfile_puts(out, "\n");
  }
  return MS_OK;
}

const ms_format ms_format_metis = {
    .info = {.name = "metis",
             .about = "METIS graph: the numbers of vertices and edges, then a line with the "
                      "neighbours of each vertex",
             .example = "3 2\n2\n1 3\n2\n",
             .suffix = ".graph",
             .writable = true,
             .numbered = true,
             .first_number = 1},
    .options = MS_HAS_KEPT_SCORES,
    .read = read_metis,
    .write = write_metis,
    .rereads = true};
