/* ms_pattern_counts_new and ms_pattern_counts_permute: the matches of many patterns, and whether
 * they are more than by chance. */
#include "base/alloc.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/work.h"
#include "graph/graph.h"
#include "match/count/shape_memo.h"
#include "parts/log.h"
#include "query/labels.h"
#include "query/pattern.h"
#include "run/match/match.h"
#include "significance/permute/permute_each.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ------------------------------------------------------------------------- */

/* Takes the options, and refuses those that a count of a set does not have. */
static ms_status take_options(const ms_pattern_options *options, ms_pattern_options *o,
                              ms_error *err)
{
  MS_TRY(ms_options_take(&ms_pattern_options_kind, options, o, err));
  const char *useless = o->limit > 0                         ? "limit"
                        : o->rows                            ? "rows"
                        : o->begin                           ? "begin"
                        : o->n_required > 0                  ? "required"
                        : o->screen_mode == MS_SCREEN_ALWAYS ? "screen_mode"
                        : o->participation                   ? "participation"
                        : o->by_position                     ? "by_position"
                        : o->sample > 0                      ? "sample"
                        : o->sort                            ? "sort"
                        : o->top > 0                         ? "top"
                        : o->vertex_scores                   ? "vertex_scores"
                                                             : NULL;
  if (useless)
    return ms_fail(err, MS_ERR_USAGE,
                   "the patterns of a set are counted whole and without a sieve, so that `%s` has "
                   "no effect; leave it out",
                   useless);
  o->count_only = true;
  o->screen_mode = MS_SCREEN_NEVER;
  return MS_OK;
}

/* Refuses patterns that the graph cannot have, before any of them is counted. */
static ms_status check_set(const ms_pattern_index *index, const ms_pattern_set *set, ms_error *err)
{
  for (uint32_t i = 0; i < set->count; i++) {
    const ms_pattern *pattern = set->pattern[i];
    MS_TRY(ms_pattern_check_labels(pattern, index->graph, err));
    if (ms_pattern_has_colors(pattern) && !index->coloring)
      return ms_fail(err, MS_ERR_USAGE,
                     "the pattern '%.100s' asks for colours, and the graph has none; give colours, "
                     "or a pattern without them",
                     ms_pattern_set_name(set, i));
    if (pattern->directed && !index->graph->direction)
      return ms_fail(err, MS_ERR_USAGE,
                     "the pattern '%.100s' has arrows, and the edges of the graph have no "
                     "direction; read the graph as `directed`, or write '--' in place of '-->'",
                     ms_pattern_set_name(set, i));
  }
  return MS_OK;
}

/* ---- counts --------------------------------------------------------------------------- */

void ms_pattern_counts_free(ms_pattern_counts *c)
{
  if (!c)
    return;
  for (uint32_t i = 0; i < c->count; i++) {
    ms_free(c->count_text ? c->count_text[i] : NULL);
    ms_free(c->automorphisms_text ? c->automorphisms_text[i] : NULL);
  }
  ms_free(c->count_text);
  ms_free(c->automorphisms_text);
  ms_free(c->stopped);
  ms_free(c->seconds);
  ms_free(c);
}

static ms_status open_counts(const ms_pattern_set *set, const ms_pattern_options *o,
                             ms_pattern_counts **out, ms_error *err)
{
  ms_pattern_counts *c = ms_calloc(1, sizeof *c);
  if (c) {
    c->count = set->count;
    c->embeddings = o->embeddings;
    c->count_text = ms_calloc(c->count, sizeof *c->count_text);
    c->automorphisms_text = ms_calloc(c->count, sizeof *c->automorphisms_text);
    c->stopped = ms_calloc(c->count, sizeof *c->stopped);
    c->seconds = ms_calloc(c->count, sizeof *c->seconds);
  }
  if (c && c->count_text && c->automorphisms_text && c->stopped && c->seconds) {
    *out = c;
    return MS_OK;
  }
  ms_pattern_counts_free(c);
  return ms_fail_memory(err, "the counts of patterns");
}

/* Takes the numbers of pattern i out of its result. */
static void take_count(ms_pattern_counts *c, uint32_t i, ms_pattern_result *r)
{
  c->count_text[i] = r->count_text;
  c->automorphisms_text[i] = r->automorphisms_text;
  r->count_text = r->automorphisms_text = NULL;
  c->stopped[i] = r->run.stopped;
  if (c->run.stopped == MS_OK)
    c->run.stopped = r->run.stopped;
  ms_work_add(&c->run.work, &r->run.work);
}

static ms_status count_all(const ms_pattern_index *index, const ms_pattern_set *set,
                           const ms_pattern_options *options, ms_pattern_counts *c, ms_error *err)
{
  ms_pattern_options o = *options;
  ms_shared_maps shared = {0};
  ms_budget budget;
  ms_status status = MS_OK;
  double longest = -1;
  ms_budget_open(&budget, o.screen.run.memory);
  if (set->count > 1) /* patterns are what the progress counts */
    o.screen.run.progress = NULL;
  for (uint32_t i = 0; i < set->count && status == MS_OK; i++) {
    ms_pattern_result *r;
    double begin = ms_seconds();
    status = ms_pattern_count_sharing(index, set->pattern[i], &o, &budget, &shared, &r, err);
    if (status != MS_OK)
      break;
    c->seconds[i] = ms_seconds() - begin;
    take_count(c, i, r);
    if (c->seconds[i] > longest) /* the engine of the longest count is that of all */
      ms_run_engine(&c->run, r->run.engine, r->run.engine_reason);
    longest = c->seconds[i] > longest ? c->seconds[i] : longest;
    ms_pattern_result_free(r);
    if (set->count > 1)
      ms_limits_report(&options->screen.run, "patterns counted", i + 1, set->count);
  }
  ms_shared_maps_free(&shared);
  return status;
}

ms_status ms_pattern_counts_new(const ms_pattern_index *index, const ms_pattern_set *set,
                                const ms_pattern_options *options, ms_pattern_counts **out,
                                ms_error *err)
{
  ms_pattern_options o;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(index, err);
  MS_REQUIRE(set, err);
  MS_TRY(take_options(options, &o, err));
  MS_TRY(ms_division_refuse(o.screen.run.division, "counts of many patterns without permutations",
                            err));
  o.screen.run.division = NULL;
  MS_TRY(check_set(index, set, err));
  ms_pattern_counts *c = NULL;
  MS_TRY(open_counts(set, &o, &c, err));
  double begin = ms_seconds();
  ms_stop *before = ms_stop_enter(o.screen.run.stop);
  ms_numbers_begin();
  ms_status status = count_all(index, set, &o, c, err);
  ms_numbers_end();
  ms_stop_leave(before);
  c->time_count = ms_seconds() - begin;
  if (status == MS_OK)
    *out = c;
  else
    ms_pattern_counts_free(c);
  return status;
}

/* ---- permutations ------------------------------------------------------------------------ */

typedef struct set_chance {
  const ms_pattern_set *set;
  const ms_pattern_options *options; /* of the run */
} set_chance;

/* Reads a number of matches, which must be below 2^63. */
static ms_status read_count(const ms_pattern_set *set, uint32_t i, const char *text, bool permuted,
                            uint64_t *number, ms_error *err)
{
  errno = 0;
  unsigned long long value = strtoull(text, NULL, 10);
  if (errno == 0 && value <= INT64_MAX) {
    *number = value;
    return MS_OK;
  }
  return ms_fail(err, MS_ERR_USAGE,
                 "the pattern '%.100s' has %.60s matches%s; permutations are for fewer than 2^63, "
                 "so leave this pattern out",
                 ms_pattern_set_name(set, i), text, permuted ? " in a permutation" : "");
}

/* Counts all patterns in a permuted graph, by one thread. */
static ms_status count_permuted(void *user, const ms_graph *graph, const ms_coloring *coloring,
                                uint64_t *number, ms_error *err)
{
  const set_chance *s = user;
  ms_pattern_options o = *s->options;
  ms_pattern_index *index;
  ms_pattern_counts *c;
  o.screen.run = (ms_run_limits){.threads = 1,
                                 .memory = s->options->screen.run.memory,
                                 .stop = s->options->screen.run.stop,
                                 .engine = "cpu"};
  MS_TRY(ms_pattern_index_new(graph, coloring, 1, &index, err));
  ms_status status = ms_pattern_counts_new(index, s->set, &o, &c, err);
  ms_pattern_index_free(index);
  MS_TRY(status);
  if (c->run.stopped != MS_OK)
    status = ms_fail(err, c->run.stopped,
                     "stopped while a permuted graph was counted; allow more time, or choose "
                     "smaller patterns");
  for (uint32_t i = 0; i < c->count && status == MS_OK; i++)
    status = read_count(s->set, i, c->count_text[i], true, &number[i], err);
  ms_pattern_counts_free(c);
  return status;
}

static ms_status identify(void *user, ms_identity *id, ms_error *err)
{
  const set_chance *s = user;
  const ms_pattern_options *o = s->options;
  MS_TRY(ms_identity_crc32c(id, "checksum of the patterns", s->set->crc32c, err));
  MS_TRY(ms_identity_text(id, "matches", o->embeddings ? "embeddings" : "subgraphs", err));
  return ms_identity_text(id, "induced", o->induced ? "yes" : "no", err);
}

/* Reads the numbers that were observed; count_text of a count that was stopped is a lower bound. */
static ms_status take_observed(const ms_pattern_set *set, const ms_pattern_options *o,
                               const ms_pattern_counts *c, uint64_t *observed, ms_error *err)
{
  if (c->count != set->count || c->embeddings != o->embeddings)
    return ms_fail(err, MS_ERR_USAGE,
                   "the counts are of %u patterns, of %s, and the set has %u, of %s; pass the set "
                   "and the options that made the counts",
                   c->count, c->embeddings ? "embeddings" : "subgraphs", set->count,
                   o->embeddings ? "embeddings" : "subgraphs");
  for (uint32_t i = 0; i < set->count; i++)
    MS_TRY(read_count(set, i, c->count_text[i], false, &observed[i], err));
  return MS_OK;
}

/* After a stop: the result of no permutation. */
static ms_status make_none(const ms_pattern_counts *counts, const ms_permutation_options *o,
                           const uint64_t *observed, bool is_part, ms_permutation_result **out,
                           ms_error *err)
{
  ms_permuted none = {0};
  ms_permutation_result *r = ms_calloc(1, sizeof *r);
  ms_status status = r ? MS_OK : ms_fail_memory(err, "the results of permutations");
  if (status == MS_OK)
    status = ms_permuted_open(&none, counts->count, 0, err);
  if (status == MS_OK)
    status = ms_permutation_result_open(r, counts->count, o->max_t, err);
  if (status == MS_OK) {
    r->asked = o->permutations;
    r->run.stopped = counts->run.stopped;
    status = ms_permuted_finish(&none, observed, false, r, err);
  }
  for (uint64_t i = 0; status == MS_OK && r->p_max && i < r->count; i++)
    r->p_max[i] = 1;
  if (status == MS_OK && is_part) {
    r->sum = none.sum;
    none.sum = NULL;
  }
  ms_permuted_close(&none);
  if (status == MS_OK)
    *out = r;
  else
    ms_permutation_result_free(r);
  return status;
}

static ms_status permute_set(const ms_pattern_index *index, set_chance *s,
                             const ms_permutation_options *o, const ms_pattern_counts *counts,
                             uint64_t *observed, ms_permutation_result **out, ms_error *err)
{
  const ms_division *division = s->options->screen.run.division;
  MS_TRY(take_observed(s->set, s->options, counts, observed, err));
  if (counts->run.stopped != MS_OK)
    return make_none(counts, o, observed, division && division->parts > 0, out, err);
  const ms_permute_each each = {.name = "permutations of patterns",
                                .graph = index->graph,
                                .coloring = index->coloring,
                                .directed = true,
                                .options = o,
                                .limits = &s->options->screen.run,
                                .numbers = s->set->count,
                                .observed = observed,
                                .user = s,
                                .count = count_permuted,
                                .identify = identify};
  return ms_permute_each_run(&each, out, err);
}

ms_status ms_pattern_counts_permute(const ms_pattern_index *index, const ms_pattern_set *set,
                                    const ms_pattern_options *options,
                                    const ms_permutation_options *permutations,
                                    const ms_pattern_counts *counts, ms_permutation_result **out,
                                    ms_error *err)
{
  ms_pattern_options o;
  ms_permutation_options q;
  ms_division division;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(index, err);
  MS_REQUIRE(set, err);
  MS_REQUIRE(counts, err);
  MS_TRY(take_options(options, &o, err));
  MS_TRY(ms_options_take(&ms_permutation_options_kind, permutations, &q, err));
  MS_TRY(ms_division_take(&o.screen.run.division, &division, err));
  MS_TRY(
      ms_permute_each_check(index->graph, index->coloring != NULL, &q, o.screen.run.division, err));
  MS_TRY(check_set(index, set, err));
  if (o.screen.run.engine && strcmp(o.screen.run.engine, "cpu") != 0 &&
      strcmp(o.screen.run.engine, "auto") != 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "permutations of patterns are counted on processors; leave out `engine`, or use "
                   "\"cpu\"");
  set_chance s = {.set = set, .options = &o};
  uint64_t *observed = ms_calloc(set->count, sizeof *observed);
  if (!observed)
    return ms_fail_memory(err, "the counts of patterns");
  ms_stop *before = ms_stop_enter(o.screen.run.stop);
  ms_status status = permute_set(index, &s, &q, counts, observed, out, err);
  ms_stop_leave(before);
  ms_free(observed);
  return status;
}
