/* The bottleneck profile, computed again: each match is found by the plain backtracker, and its
 * bottleneck is the least score of a maximum spanning tree (Kruskal). */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/float_text.h"
#include "base/status.h"
#include "base/stop.h"
#include "verify/recount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_MATCHES 65536u /* between two reports of progress */

typedef struct edge {
  float score;
  uint8_t ends[2]; /* places in the match */
} edge;

typedef struct profiling {
  ms_certificate *c;
  float *best; /* [n] of the matches so far that hold the vertex; -infinity: none does */
} profiling;

static int compare_edges(const void *a, const void *b)
{
  float x = ((const edge *)a)->score, y = ((const edge *)b)->score;
  return (x < y) - (x > y);
}

static uint32_t collect_edges(const ms_graph *graph, const uint32_t *set, uint32_t k, edge *edges)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < k; i++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(graph, set[i], &degree);
    const float *score = ms_graph_scores(graph, set[i]);
    for (uint32_t j = i + 1; j < k; j++) {
      uint32_t low = 0, high = degree;
      while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (row[middle] < set[j])
          low = middle + 1;
        else
          high = middle;
      }
      if (low < degree && row[low] == set[j])
        edges[count++] = (edge){score[low], {(uint8_t)i, (uint8_t)j}};
    }
  }
  return count;
}

/* Returns the greatest score t such that edges of at least t connect the set. */
static float bottleneck(const ms_graph *graph, const uint32_t *set, uint32_t k)
{
  edge edges[MS_MAX_K * (MS_MAX_K - 1) / 2];
  uint8_t part[MS_MAX_K];
  uint32_t count = collect_edges(graph, set, k, edges), parts = k;
  float least = INFINITY;
  qsort(edges, count, sizeof *edges, compare_edges);
  for (uint32_t i = 0; i < k; i++)
    part[i] = (uint8_t)i;
  for (uint32_t e = 0; e < count && parts > 1; e++) {
    uint8_t from = part[edges[e].ends[0]], to = part[edges[e].ends[1]];
    if (from == to)
      continue;
    for (uint32_t i = 0; i < k; i++)
      part[i] = part[i] == from ? to : part[i];
    least = edges[e].score;
    parts--;
  }
  return least;
}

/* Takes a match into account; an ms_found_fn. */
static bool note_match(void *user, const uint32_t *row)
{
  profiling *p = user;
  ms_certificate *c = p->c;
  uint32_t k = c->result.header.k;
  float score = bottleneck(c->graph, row, k);
  for (uint32_t i = 0; i < k; i++)
    p->best[row[i]] = p->best[row[i]] < score ? score : p->best[row[i]];
  if (++c->found % REPORT_MATCHES == 0 && c->options->progress)
    c->options->progress(c->options->progress_user, "matches recounted", c->found, 0);
  return true;
}

/* A complete result states the score itself, another one a lower bound of it. */
static ms_status compare(ms_certificate *c, const float *best)
{
  bool complete = c->result.header.status == MS_RESULT_COMPLETE;
  char right[MS_FLOAT_BYTES], wrong[MS_FLOAT_BYTES];
  for (uint32_t v = 0; v < c->result.header.vertices; v++) {
    float stated = c->score[v];
    if (c->flagged[v] && (stated > best[v] || (complete && stated != best[v])))
      return ms_result_refuse(
          &c->result, 0, "'%.100s' is in a match up to the score %s, and not %s as the file says",
          ms_name_of(c, v), ms_float_text(best[v], right), ms_float_text(stated, wrong));
  }
  return MS_OK;
}

static ms_status search(profiling *p, mpz_t count, ms_error *err)
{
  ms_certificate *c = p->c;
  ms_backtracker *backtracker;
  MS_TRY(ms_backtracker_new(c->query, true, c->recount_stop, &backtracker, err));
  ms_status status = ms_note_stop(c, ms_backtracker_list(backtracker, count, note_match, p, err));
  ms_backtracker_free(backtracker);
  return status;
}

ms_status ms_recount_profile(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the score of each vertex can only be checked by a recount; leave out "
                   "`no_recount`",
                   c->result.path);
  if (!ms_graph_scored(c->graph) || h->k < 2)
    return ms_result_refuse(&c->result, h->line[MS_PART_GRAPH],
                            "the result has scores, but it does not say that the graph has any");
  mpz_t count;
  profiling p = {.c = c, .best = ms_alloc(h->vertices, sizeof *p.best)};
  if (!p.best)
    return ms_fail_memory(err, "the recount");
  for (uint32_t v = 0; v < h->vertices; v++)
    p.best[v] = -INFINITY;
  mpz_init(count);
  bool recounted = c->report->recounted;
  c->rows_checked = c->report->recounted = false;
  c->found = 0;
  ms_stop_after(c->recount_stop, c->options->recount_seconds);
  ms_status status = c->report->stopped == MS_OK ? search(&p, count, err) : MS_OK;
  if (status == MS_OK && c->report->stopped == MS_OK) {
    c->rows_checked = true;
    c->report->recounted = recounted;
    status = compare(c, p.best);
  }
  mpz_clear(count);
  ms_free(p.best);
  return status;
}
