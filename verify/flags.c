/* Checks the flags of a screen, of a motif or a pattern: whether each flagged vertex is in a match,
 * and whether each vertex of a match is flagged.
 *
 * A search for one match can take exponential time, but it mostly does not.  So the searches run in
 * rounds: each vertex that is still open has a bounded number of steps in a round, and more of them
 * in the next, so that one hard vertex does not delay the others.  All vertices of a match are
 * settled at once, and so is a vertex that can take the place of one of them.  If no vertex was
 * missed, all matches lie among the flagged vertices, where the search for them is short; only
 * where it fails the whole graph is searched. */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "base/text/float_text.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "verify/certificate.h"
#include "verify/recount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the profile ----------------------------------------------------------------------------- */

/* The bottleneck profile, computed again: each match is found by the plain backtracker, and its
 * bottleneck is the least score of a maximum spanning tree (Kruskal). */

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
      uint64_t at = ms_first_at_least(row, degree, set[j]);
      if (at < degree && row[at] == set[j])
        edges[count++] = (edge){score[at], {(uint8_t)i, (uint8_t)j}};
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
  if (++c->found % REPORT_MATCHES == 0)
    ms_limits_report(&c->options->run, "matches recounted", c->found, 0);
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

/* Computes the profile again, from all matches, and refuses wrong scores.  MS_ERR_USAGE: there is
 * to be no recount. */
static ms_status recount_profile(ms_certificate *c, ms_error *err)
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
  ms_status status = c->report->run.stopped == MS_OK ? search(&p, count, err) : MS_OK;
  if (status == MS_OK && c->report->run.stopped == MS_OK) {
    c->rows_checked = true;
    c->report->recounted = recounted;
    status = compare(c, p.best);
  }
  mpz_clear(count);
  ms_free(p.best);
  return status;
}

/* ---- flags ----------------------------------------------------------------------------------- */

enum {
  FIRST_EFFORT = 256, /* steps for a vertex in the first round */
  GROWTH = 4,         /* factor of the next round */
  MOST_SWAPS = 8,     /* matches into which a vertex is tried in another's place */
  MOST_WAITING = 4096 /* matches whose neighbours are still to be tried */
};

typedef struct flag_search {
  ms_certificate *c;
  uint32_t n, k;
  const ms_stop *stop;
  ms_backtracker *sets; /* the matches of a motif; NULL: of a pattern */
  ms_mapper *maps;
  uint8_t *in_match; /* [n] 1: a match that holds the vertex is known */
  uint8_t *possible; /* [n] 0: the vertex is known to be in no match */
  uint8_t *alone;    /* [n] 1: no match among flagged vertices holds this one */
  uint8_t *swaps;    /* [n] matches into which the vertex was tried */
  uint32_t *waiting; /* [MOST_WAITING][k] */
  uint32_t n_waiting;
  uint64_t settled; /* flagged vertices in in_match */
} flag_search;

static void close_search(flag_search *s)
{
  ms_backtracker_free(s->sets);
  ms_mapper_free(s->maps);
  ms_free(s->in_match);
  ms_free(s->possible);
  ms_free(s->alone);
  ms_free(s->swaps);
  ms_free(s->waiting);
}

static ms_status open_search(flag_search *s, ms_error *err)
{
  const ms_certificate *c = s->c;
  s->n = c->result.header.vertices;
  s->k = c->result.header.k;
  s->in_match = ms_calloc(s->n, 1);
  s->possible = ms_alloc(s->n, 1);
  s->alone = ms_calloc(s->n, 1);
  s->swaps = ms_calloc(s->n, 1);
  s->waiting = ms_alloc((size_t)MOST_WAITING * s->k, sizeof *s->waiting);
  if (!s->in_match || !s->possible || !s->alone || !s->swaps || !s->waiting)
    return ms_fail_memory(err, "the recount");
  memset(s->possible, 1, s->n);
  return c->query ? ms_backtracker_new(c->query, true, s->stop, &s->sets, err)
                  : ms_mapper_new(c->judge, s->stop, &s->maps, err);
}

/* ---- matches ------------------------------------------------------------------------- */

/* Marks the vertices of a match. */
static void mark_match(flag_search *s, const uint32_t *match)
{
  for (uint32_t i = 0; i < s->k; i++) {
    s->settled += s->c->flagged[match[i]] && !s->in_match[match[i]];
    s->in_match[match[i]] = 1;
  }
  if (s->n_waiting < MOST_WAITING)
    memcpy(s->waiting + (size_t)s->n_waiting++ * s->k, match, s->k * sizeof *match);
}

static const uint32_t *neighbors_of(const flag_search *s, uint32_t v, uint64_t *count)
{
  const ms_certificate *c = s->c;
  const uint64_t *offset = c->typed ? c->typed->rows.offset : c->graph->offset;
  *count = offset[v + 1] - offset[v];
  return (c->typed ? c->typed->rows.neighbor : c->graph->neighbor) + offset[v];
}

/* Tries to put v in the place of one vertex of a match after the other; the judge decides. */
static bool try_swaps(flag_search *s, const uint32_t *match, uint32_t v)
{
  uint32_t row[MS_MAX_PATTERN];
  memcpy(row, match, s->k * sizeof *row);
  for (uint32_t i = 0; i < s->k; i++)
    if (match[i] == v)
      return false;
  for (uint32_t i = 0; i < s->k; i++) {
    if (s->sets && !ms_backtracker_can_swap(s->sets, match[i], v))
      continue;
    row[i] = v;
    if (ms_judge_row(s->c->judge, row) == MS_MATCH_OK) {
      mark_match(s, row);
      return true;
    }
    row[i] = match[i];
  }
  return false;
}

/* Tries the open flagged vertices next to known matches in the place of one of their vertices. */
static void spread_matches(flag_search *s)
{
  uint32_t match[MS_MAX_PATTERN];
  while (s->n_waiting > 0 && ms_stop_check(s->stop) == MS_OK) {
    memcpy(match, s->waiting + (size_t)--s->n_waiting * s->k, s->k * sizeof *match);
    for (uint32_t i = 0; i < s->k; i++) {
      uint64_t degree;
      const uint32_t *row = neighbors_of(s, match[i], &degree);
      for (uint64_t j = 0; j < degree; j++) {
        uint32_t v = row[j];
        if (!s->c->flagged[v] || s->in_match[v] || s->swaps[v] == MOST_SWAPS)
          continue;
        s->swaps[v]++;
        try_swaps(s, match, v);
      }
    }
  }
}

/* ---- searches ------------------------------------------------------------------------ */

static ms_status restrict_search(flag_search *s, const uint8_t *allowed, ms_error *err)
{
  return ms_note_stop(s->c, s->sets ? ms_backtracker_restrict(s->sets, allowed, err)
                                    : ms_mapper_restrict(s->maps, allowed, err));
}

/* Searches for a match that holds v, and marks the vertices of the match. */
static ms_status search_match(flag_search *s, uint32_t v, uint64_t effort, ms_finding *finding,
                              ms_error *err)
{
  uint32_t match[MS_MAX_PATTERN];
  ms_status status = MS_OK;
  *finding = MS_FOUND_MATCH;
  if (!s->sets || !ms_backtracker_grow(s->sets, v, effort, match))
    status = s->sets ? ms_backtracker_find(s->sets, v, effort, finding, match, err)
                     : ms_mapper_find(s->maps, v, effort, finding, match, err);
  if (status != MS_OK)
    return ms_note_stop(s->c, status);
  if (*finding != MS_FOUND_MATCH)
    return MS_OK;
  if (ms_judge_row(s->c->judge, match) != MS_MATCH_OK)
    return ms_fail(err, MS_ERR_INTERNAL, "the search for a match found a set that is none");
  mark_match(s, match);
  return MS_OK;
}

/* Where a pass searches; the second leaves out vertices that may have a match among flagged ones.
 */
typedef enum search_area { AMONG_FLAGGED, AMONG_ALL_IF_ALONE, AMONG_ALL } search_area;

/* Searches for matches of the open flagged vertices.  Refuses a flag that no match supports. */
static ms_status search_flagged(flag_search *s, search_area area, uint64_t effort, ms_error *err)
{
  ms_certificate *c = s->c;
  bool ready = false;
  for (uint32_t v = 0; v < s->n && c->report->run.stopped == MS_OK; v++) {
    ms_finding finding;
    if (!c->flagged[v] || s->in_match[v] || (area == AMONG_FLAGGED && s->alone[v]) ||
        (area == AMONG_ALL_IF_ALONE && !s->alone[v]))
      continue;
    if (!ready)
      MS_TRY(restrict_search(s, area == AMONG_FLAGGED ? c->flagged : s->possible, err));
    ready = true;
    ms_limits_report(&s->c->options->run, "flags with a match", s->settled, c->report->flags);
    MS_TRY(search_match(s, v, effort, &finding, err));
    if (c->report->run.stopped == MS_OK && finding == MS_FOUND_NONE && area != AMONG_FLAGGED)
      return ms_result_refuse(&c->result, c->result.first_row + c->row_of[v] - 1,
                              "'%.100s' is flagged and in no match", ms_name_of(c, v));
    s->alone[v] = s->alone[v] || finding == MS_FOUND_NONE;
    spread_matches(s);
  }
  return MS_OK;
}

/* Refuses a flag that no match supports.  From the third round on, the whole graph is searched for
 * vertices, too, that may have a match among the flagged ones. */
static ms_status check_flagged(flag_search *s, ms_error *err)
{
  ms_certificate *c = s->c;
  uint64_t effort = FIRST_EFFORT;
  for (uint32_t round = 1; s->settled < c->report->flags && c->report->run.stopped == MS_OK;
       round++) {
    MS_TRY(search_flagged(s, AMONG_FLAGGED, effort, err));
    MS_TRY(search_flagged(s, round < 3 ? AMONG_ALL_IF_ALONE : AMONG_ALL, effort, err));
    effort *= GROWTH;
  }
  c->report->supported = s->settled;
  return MS_OK;
}

/* Excludes a vertex that is in no match from all later searches. */
static void strike(flag_search *s, uint32_t v)
{
  s->possible[v] = 0;
  if (s->sets)
    ms_backtracker_strike(s->sets, v);
  else
    ms_mapper_strike(s->maps, v);
}

/* Searches for matches of the vertices without a flag; sets *open to the number of vertices about
 * which nothing is known yet. */
static ms_status search_unflagged(flag_search *s, uint64_t effort, uint64_t *open, ms_error *err)
{
  const ms_certificate *c = s->c;
  *open = 0;
  MS_TRY(restrict_search(s, s->possible, err));
  for (uint32_t v = 0; v < s->n && c->report->run.stopped == MS_OK; v++) {
    ms_finding finding;
    if (c->flagged[v] || s->in_match[v] || !s->possible[v])
      continue;
    ms_limits_report(&s->c->options->run, "vertices checked", v, s->n);
    MS_TRY(search_match(s, v, effort, &finding, err));
    *open += finding == MS_FOUND_NOTHING_YET;
    if (finding == MS_FOUND_NONE)
      strike(s, v);
  }
  return MS_OK;
}

/* Refuses a vertex in a match that has no flag. */
static ms_status check_unflagged(flag_search *s, ms_error *err)
{
  ms_certificate *c = s->c;
  uint32_t example = s->n;
  uint64_t effort = FIRST_EFFORT, open = 1;
  for (; open > 0 && c->report->run.stopped == MS_OK; effort *= GROWTH)
    MS_TRY(search_unflagged(s, effort, &open, err));
  for (uint32_t v = 0; v < s->n; v++)
    if (s->in_match[v] && !c->flagged[v] && c->report->missing++ == 0)
      example = v;
  c->report->recounted = c->report->run.stopped == MS_OK;
  if (c->report->missing == 0)
    return MS_OK;
  return ms_result_refuse(
      &c->result, 0, "%llu vert%s in a match but not flagged, for example '%.100s'; %s",
      (unsigned long long)c->report->missing, c->report->missing == 1 ? "ex is" : "ices are",
      ms_name_of(c, example), ms_missing_explanation(c));
}

ms_status ms_recount_vertices(ms_certificate *c, ms_error *err)
{
  flag_search s = {.c = c};
  for (uint32_t v = 0; v < c->result.header.vertices; v++)
    c->report->flags += c->flagged[v];
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->flag_seconds, &c->recount_stop, err));
  s.stop = c->recount_stop;
  ms_status status = open_search(&s, err);
  if (status == MS_OK)
    status = check_flagged(&s, err);
  c->rows_checked = status == MS_OK && c->report->run.stopped == MS_OK;
  if (c->rows_checked && c->result.header.status == MS_RESULT_COMPLETE && !c->options->no_recount) {
    ms_stop_after(c->recount_stop, c->options->recount_seconds);
    status = check_unflagged(&s, err);
  }
  close_search(&s);
  if (status == MS_OK && c->rows_checked && c->score)
    status = recount_profile(c, err);
  return status == MS_OK && c->rows_checked && c->best_sum ? ms_recount_best_sums(c, err) : status;
}
