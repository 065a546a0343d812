/* The results of permutations: what they show of each motif. */
#include "significance/permute/permute.h"

#include "base/alloc.h"
#include "base/status.h"
#include "significance/tails.h"

#include <math.h>
#include <stdlib.h>

#define SAME_Z 1e-9 /* z that differ by so little, relative, are equal */

void ms_permutation_result_free(ms_permutation_result *r)
{
  if (r) {
    ms_free(r->expected);
    ms_free(r->mean);
    ms_free(r->sd);
    ms_free(r->z);
    ms_free(r->p);
    ms_free(r->q);
    ms_free(r->p_less);
    ms_free(r->q_less);
    ms_free(r->p_max);
    ms_free(r->n_ge);
    ms_free(r->n_le);
    ms_free(r->counts);
    ms_free(r->sum);
    ms_free(r);
  }
}

ms_status ms_permutation_result_open(ms_permutation_result *r, uint64_t motifs, bool max_t,
                                     ms_error *err)
{
  double **column[] = {&r->expected, &r->sd,     &r->z,      &r->p,
                       &r->q,        &r->p_less, &r->q_less, &r->p_max};
  size_t columns = sizeof column / sizeof *column - !max_t;
  bool ok = true;
  r->count = motifs;
  for (size_t i = 0; i < columns; i++) {
    *column[i] = ms_alloc(motifs, sizeof **column[i]);
    ok &= *column[i] != NULL;
  }
  r->n_ge = ms_calloc(motifs, sizeof *r->n_ge);
  r->n_le = ms_calloc(motifs, sizeof *r->n_le);
  return ok && r->n_ge && r->n_le ? MS_OK : ms_fail_memory(err, "the results of permutations");
}

static void fill_moments(ms_permutation_result *r, const ms_permutation_sum *sum,
                         const uint64_t *n_sets)
{
  double n = (double)r->done;
  for (uint64_t i = 0; i < r->count; i++) {
    const ms_permutation_sum *s = &sum[i];
    ms_wide all = (ms_wide)n_sets[i] * (ms_wide)r->done + s->first;
    r->expected[i] = r->done > 0 ? (double)all / n : (double)NAN;
    /* the sum of squares around the mean, times n; exact unless it has no 127 bits */
    ms_wide square, mean;
    double around;
    if (__builtin_mul_overflow((ms_wide)s->second, (ms_wide)r->done, &square) ||
        __builtin_mul_overflow(s->first, s->first, &mean) || (ms_wide)s->second < 0)
      around = (double)s->second * n - (double)s->first * (double)s->first;
    else
      around = (double)(square - mean);
    r->sd[i] = r->done > 1 ? sqrt(around / n / (n - 1)) : (double)NAN;
    r->z[i] = r->sd[i] > 0 ? (double)-s->first / n / r->sd[i] : (double)NAN;
    r->p[i] = (1.0 + (double)r->n_ge[i]) / (1.0 + n);
    r->p_less[i] = (1.0 + (double)r->n_le[i]) / (1.0 + n);
  }
}

static int by_value(const void *a, const void *b)
{
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Fills p_max from the greatest z of each permutation. */
static ms_status fill_max(ms_permutation_result *r, const uint64_t *n_sets, const uint64_t *kept,
                          ms_error *err)
{
  double *greatest = ms_alloc(r->done, sizeof *greatest);
  if (!greatest)
    return ms_fail_memory(err, "the results of permutations");
  for (uint64_t n = 0; n < r->done; n++) {
    greatest[n] = -INFINITY;
    for (uint64_t i = 0; i < r->count; i++) {
      /* as z above, so that equal numbers have equal z */
      double z = ((double)kept[n * r->count + i] - (double)n_sets[i]) / r->sd[i] + r->z[i];
      if (r->sd[i] > 0 && z > greatest[n])
        greatest[n] = z;
    }
  }
  if (r->done > 0)
    qsort(greatest, r->done, sizeof *greatest, by_value);
  for (uint64_t i = 0; i < r->count; i++) {
    /* equal z of two motifs may differ in their last bits */
    double least = r->z[i] - SAME_Z * (1 + fabs(r->z[i]));
    uint64_t low = 0, high = r->done; /* the first that is at least z, in low .. high */
    while (low < high) {
      uint64_t middle = low + (high - low) / 2;
      if (greatest[middle] >= least)
        high = middle;
      else
        low = middle + 1;
    }
    uint64_t at_least = isnan(r->z[i]) ? r->done : r->done - low;
    r->p_max[i] = (1.0 + (double)at_least) / (1.0 + (double)r->done);
  }
  ms_free(greatest);
  return MS_OK;
}

ms_status ms_permutation_result_fill(ms_permutation_result *r, const ms_permutation_sum *sum,
                                     const uint64_t *n_sets, const uint64_t *kept, ms_error *err)
{
  fill_moments(r, sum, n_sets);
  MS_TRY(ms_adjust_p(r->p, r->count, (double)r->count, r->q, err));
  MS_TRY(ms_adjust_p(r->p_less, r->count, (double)r->count, r->q_less, err));
  return kept ? fill_max(r, n_sets, kept, err) : MS_OK;
}
