#include "significance/overlaps.h"

#include "base/status.h"
#include "significance/set_counts.h"

#include <math.h>

/* An addition to the number of a subset takes about two nanoseconds, so that exact overlaps within
 * these bounds take at most some minutes of one processor.  Tables of more than three vertices
 * beside the first one are large. */
#define MOST_ADDITIONS (UINT64_C(1) << 37)
#define MOST_LARGE_ADDITIONS (UINT64_C(1) << 32)
#define SMALL_K 5u

/* Sets *exact to whether exact overlaps are likely to be counted in some minutes. */
static ms_status choose(const ms_census_graph *graph, const ms_overlaps_options *o, bool *exact,
                        ms_error *err)
{
  uint64_t sets = o->sets, most = o->k <= SMALL_K ? MOST_ADDITIONS : MOST_LARGE_ADDITIONS;
  *exact = true;
  if (o->which != MS_MOMENTS_AUTO || o->k == 2) {
    *exact = o->which != MS_MOMENTS_SAMPLED || o->k == 2;
    return MS_OK;
  }
  if (sets == 0) {
    ms_set_counts counts;
    MS_TRY(ms_set_counts_open(graph, o->k, o->run.threads, o->budget, &counts, err));
    sets = counts.sets;
    ms_set_counts_close(&counts);
  }
  *exact = sets <= most >> o->k;
  return MS_OK;
}

ms_status ms_overlaps_count(const ms_census_graph *graph, const ms_overlaps_options *options,
                            ms_overlaps *out, ms_error *err)
{
  bool exact;
  *out = (ms_overlaps){.n = graph->n, .k = options->k};
  MS_TRY(choose(graph, options, &exact, err));
  return exact ? ms_overlaps_exact(graph, options, out, err)
               : ms_overlaps_sampled(graph, options, out, err);
}

/* B_j = sum over i >= j of C(i, j) O_i is solved from O_k down. */
void ms_overlaps_pairs(const ms_overlaps *o, ms_signed128 *pairs)
{
  for (uint32_t j = o->k + 1; j-- > 0;) {
    ms_signed128 rest = (ms_signed128)o->shared[j], choose = 1;
    for (uint32_t i = j + 1; i <= o->k; i++) {
      choose = choose * i / (i - j);
      rest -= choose * pairs[i];
    }
    pairs[j] = rest;
  }
}
