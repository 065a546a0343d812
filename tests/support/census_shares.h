/* Sums of the shares of a census, by ms_census_job. */
#ifndef TESTS_SUPPORT_CENSUS_SHARES_H
#define TESTS_SUPPORT_CENSUS_SHARES_H

#include "base/alloc.h"
#include "census/census.h"
#include "tests/support/shares.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

/* Adds rows to a sum, both in the order of motifs. */
static inline void add_rows(ms_census_rows *sum, const ms_census_rows *rows)
{
  ms_census_rows both = {.row = ms_alloc(sum->count + rows->count + 1, sizeof *both.row)};
  uint64_t i = 0, j = 0;
  while (i < sum->count || j < rows->count) {
    int order = i == sum->count    ? 1
                : j == rows->count ? -1
                                   : ms_multiset_compare(&sum->row[i].key, &rows->row[j].key);
    both.row[both.count] = order <= 0 ? sum->row[i] : rows->row[j];
    if (order == 0)
      both.row[both.count].sets += rows->row[j].sets;
    i += order <= 0;
    j += order >= 0;
    both.count++;
  }
  ms_free(sum->row);
  *sum = both;
}

/* Counts random shares, in a random order of two jobs, and makes the result of their sum. */
static inline ms_census_result *sum_shares(const ms_census_accelerator *gpus, const ms_graph *graph,
                                           const ms_coloring *coloring,
                                           const ms_census_options *options, uint64_t seed)
{
  ms_census_job *job[2];
  ms_census_result *result;
  ms_census_rows sum = {0}, rows;
  ms_share share[MOST_SHARES];
  ms_error err;
  uint64_t sets = 0, more;
  ck_ok(ms_census_job_open(gpus, graph, coloring, options, &job[0], &err));
  ck_ok(ms_census_job_open(gpus, graph, coloring, options, &job[1], &err));
  uint64_t units = ms_census_job_units(job[0]);
  ck_assert(units == ms_census_job_units(job[1]));
  uint32_t shares = random_shares(&seed, units, share);
  while (shares > 0) {
    uint32_t at = random_below(&seed, shares);
    ck_ok(ms_census_job_run(job[random_below(&seed, 2)], &share[at], &rows, &more, &err));
    share[at] = share[--shares];
    add_rows(&sum, &rows);
    sets += more;
    ms_free(rows.row);
  }
  ck_ok(ms_census_job_finish(job[0], &sum, sets, &result, &err));
  ms_free(sum.row);
  ms_census_job_close(job[0]);
  ms_census_job_close(job[1]);
  return result;
}

static inline void compare_results(const ms_census_result *a, const ms_census_result *b,
                                   uint64_t seed)
{
  ck_assert_msg(a->sets == b->sets && a->count == b->count && a->motifs == b->motifs,
                "seed %llu: %llu sets of %llu motifs, not %llu of %llu", (unsigned long long)seed,
                (unsigned long long)b->sets, (unsigned long long)b->count,
                (unsigned long long)a->sets, (unsigned long long)a->count);
  ck_assert_mem_eq(a->n_sets, b->n_sets, a->count * sizeof *a->n_sets);
  ck_assert_mem_eq(a->color, b->color, a->count * a->k * sizeof *a->color);
}

#endif
