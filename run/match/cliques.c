/* ms_clique_counts_new, the number of cliques of each size, all of which one pass counts. */
#include "match/cpu/cliques/cliques.h"
#include "match/cpu/cliques/of_vertices.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "run/match/match.h"

#include <math.h>

static ms_status take_options(const ms_clique_options *options, ms_clique_options *o, ms_error *err)
{
  MS_TRY(ms_options_take(&ms_clique_options_kind, options, o, err));
  o->least = o->least ? o->least : 1;
  o->most = o->most ? o->most : MS_MAX_PATTERN;
  if (o->most <= MS_MAX_PATTERN && o->least <= o->most)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "cliques of %u to %u vertices cannot be counted; give a range of sizes from 1 to "
                 "%u",
                 o->least, o->most, MS_MAX_PATTERN);
}

/* Takes the numbers of all sizes.  k NULL: the vertices were not yet in order when a stop came. */
static ms_status take_numbers(const ms_cliques *k, ms_clique_counts *r, ms_error *err)
{
  mpz_t sum[MS_MAX_PATTERN + 1];
  r->count_text = ms_calloc(r->most - r->least + 1, sizeof *r->count_text);
  if (!r->count_text)
    return ms_fail_memory(err, "numbers of cliques");
  for (uint32_t i = 0; i <= r->most; i++)
    mpz_init(sum[i]);
  ms_status status = k ? ms_cliques_add(k, sum, err) : MS_OK;
  for (uint32_t i = r->least; status == MS_OK && i <= r->most; i++) {
    status = ms_number_text(sum[i], &r->count_text[i - r->least], err);
    r->largest = mpz_sgn(sum[i]) > 0 ? i : r->largest;
  }
  for (uint32_t i = 0; i <= r->most; i++)
    mpz_clear(sum[i]);
  return status;
}

/* Sets the number of all cliques of a size, each of which is counted at all of its vertices. */
static ms_status sum_vertices(ms_clique_counts *r, uint32_t size, ms_error *err)
{
  mpz_t sum, number;
  mpz_inits(sum, number, NULL);
  for (uint32_t v = 0; v < r->vertices; v++) {
    uint64_t own = r->of_vertex[(size_t)v * (r->most - r->least + 1) + size - r->least];
    mpz_import(number, 1, -1, sizeof own, 0, 0, &own);
    mpz_add(sum, sum, number);
  }
  mpz_divexact_ui(sum, sum, size);
  r->largest = mpz_sgn(sum) > 0 ? size : r->largest;
  ms_status status = ms_number_text(sum, &r->count_text[size - r->least], err);
  mpz_clears(sum, number, NULL);
  return status;
}

static ms_status count_of_vertices(ms_run *run, const ms_pattern_index *index, ms_clique_counts *r,
                                   ms_error *err)
{
  const ms_cliques_task task = {.index = index,
                                .least = r->least,
                                .most = r->most,
                                .stop = run->limits.stop,
                                .budget = run->budget};
  const ms_cliques_run how = {.threads = run->limits.threads,
                              .progress = run->limits.progress ? ms_run_report : NULL,
                              .progress_user = run};
  uint64_t sizes = r->most - r->least + 1, numbers = (uint64_t)r->vertices * sizes;
  if (!ms_budget_reserve(run->budget, numbers * sizeof *r->of_vertex))
    return ms_fail(err, MS_ERR_MEMORY,
                   "the cliques of %u vertices of %llu sizes need %llu bytes; raise `memory`, or "
                   "choose fewer sizes",
                   r->vertices, (unsigned long long)sizes,
                   (unsigned long long)(numbers * sizeof *r->of_vertex));
  r->of_vertex = ms_calloc(numbers, sizeof *r->of_vertex);
  r->count_text = ms_calloc(sizes, sizeof *r->count_text);
  if (!r->of_vertex || !r->count_text)
    return ms_fail_memory(err, "numbers of cliques");
  MS_TRY(ms_run_settle(run, ms_cliques_of_vertices(&task, &how, r->of_vertex, err)));
  for (uint32_t size = r->least; size <= r->most; size++)
    MS_TRY(sum_vertices(r, size, err));
  return MS_OK;
}

static ms_status count(ms_run *run, const ms_pattern_index *index, ms_clique_counts *r,
                       ms_error *err)
{
  ms_cliques_task task = {.index = index,
                          .least = r->least,
                          .most = r->most,
                          .stop = run->limits.stop,
                          .budget = run->budget};
  ms_cliques_run how = {.threads = run->limits.threads,
                        .progress = run->limits.progress ? ms_run_report : NULL,
                        .progress_user = run};
  ms_cliques *k;
  bool done, lost;
  ms_status status = ms_cliques_new(&task, &k, err);
  if (status == MS_OK)
    status = ms_cliques_begin(k, &how, err);
  if (status == MS_OK)
    status = ms_cliques_go_on(k, INFINITY, INFINITY, &done, &lost, err);
  status = ms_run_settle(run, status);
  if (status == MS_OK)
    status = take_numbers(k, r, err);
  if (k)
    ms_cliques_add_work(k, &r->run.work);
  ms_cliques_free(k);
  return status;
}

ms_status ms_clique_counts_new(const ms_pattern_index *index, const ms_clique_options *options,
                               ms_clique_counts **out, ms_error *err)
{
  ms_clique_options o;
  ms_budget budget;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(index, err);
  MS_TRY(take_options(options, &o, err));
  ms_budget_open(&budget, o.run.memory);
  ms_run run = {.budget = &budget, .limits = o.run};
  ms_clique_counts *r = ms_calloc(1, sizeof *r);
  if (!r)
    return ms_fail_memory(err, "numbers of cliques");
  r->least = o.least;
  r->most = o.most;
  r->vertices = index->graph->n;
  ms_run_engine(&r->run, ms_pattern_engine_cpu.name, "cliques of all sizes by pivots");
  double begin = ms_seconds();
  ms_stop *before = ms_stop_enter(run.limits.stop);
  ms_numbers_begin();
  ms_status status =
      o.per_vertex ? count_of_vertices(&run, index, r, err) : count(&run, index, r, err);
  ms_numbers_end();
  ms_stop_leave(before);
  r->run.stopped = run.stopped;
  r->time_count = ms_seconds() - begin;
  if (status == MS_OK)
    *out = r;
  else
    ms_clique_counts_free(r);
  return status;
}

void ms_clique_counts_free(ms_clique_counts *r)
{
  if (!r)
    return;
  for (uint32_t i = 0; r->count_text && i <= r->most - r->least; i++)
    ms_free(r->count_text[i]);
  ms_free(r->count_text);
  ms_free(r->of_vertex);
  ms_free(r);
}
