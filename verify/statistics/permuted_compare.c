#include "verify/statistics/permuted_compare.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 0.00001 /* relative error of six digits */

/* The number of motif r in permutation i. */
static double number_of(const ms_permuted_counts *w, uint64_t i, uint64_t r)
{
  uint64_t place = i * w->rows->motifs + r;
  return w->wide ? (double)w->wide[place] : w->count[place];
}

typedef struct numbers {
  double *z, *p, *p_less; /* [motifs] as they should be */
  double *mean, *sd;
} numbers;

static bool is_same(double stated, double right, double scale)
{
  if (isnan(right))
    return isnan(stated);
  return fabs(stated - right) <= DIGITS * fabs(right) + 1e-9 * scale;
}

static void make_numbers(const ms_permuted_counts *w, numbers *to)
{
  uint64_t rows = w->rows->motifs;
  double n = (double)w->permuted->permutations;
  for (uint64_t r = 0; r < rows; r++) {
    double sum = 0, squares = 0, sets = (double)w->rows->row[r].sets;
    uint64_t more = 0, less = 0;
    for (uint64_t i = 0; i < w->permuted->permutations; i++) {
      double x = number_of(w, i, r);
      sum += x;
      more += x >= sets;
      less += x <= sets;
    }
    to->mean[r] = sum / n;
    for (uint64_t i = 0; i < w->permuted->permutations; i++) {
      double x = number_of(w, i, r) - to->mean[r];
      squares += x * x;
    }
    to->sd[r] = n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
    if (to->sd[r] < 1e-9 * (1 + to->mean[r]))
      to->sd[r] = 0;
    to->z[r] = to->sd[r] > 0 ? (sets - to->mean[r]) / to->sd[r] : (double)NAN;
    to->p[r] = (1 + (double)more) / (1 + n);
    to->p_less[r] = (1 + (double)less) / (1 + n);
  }
}

static int by_value(const void *a, const void *b)
{
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Returns the least of m p' / (number of values up to p') over the values p' from p on; sorted[m]
 * ascends. */
static double q_of(const double *sorted, uint64_t m, double p)
{
  double least = 1;
  for (uint64_t i = m; i-- > 0 && sorted[i] >= p;) {
    double rate = sorted[i] * (double)m / (double)(i + 1);
    least = rate < least ? rate : least;
  }
  return least;
}

/* Returns the share of permutations whose greatest z is at least z. */
static double p_max_of(const ms_permuted_counts *w, const double *greatest, double z)
{
  uint64_t more = 0, all = w->permuted->permutations;
  for (uint64_t i = 0; i < all; i++)
    more += isnan(z) || greatest[i] >= z - 1e-9 * (1 + fabs(z));
  return (1 + (double)more) / (1 + (double)all);
}

static void fill_greatest(const ms_permuted_counts *w, const numbers *n, double *greatest)
{
  uint64_t rows = w->rows->motifs;
  for (uint64_t i = 0; i < w->permuted->permutations; i++) {
    greatest[i] = -INFINITY;
    for (uint64_t r = 0; r < rows; r++) {
      double z = n->sd[r] > 0 ? (number_of(w, i, r) - n->mean[r]) / n->sd[r] : -INFINITY;
      greatest[i] = z > greatest[i] ? z : greatest[i];
    }
  }
}

static ms_status refuse(const ms_permuted_counts *w, uint64_t row, const char *what, double right)
{
  return ms_result_refuse(&w->c->result, w->rows->line[row],
                          "%s is %g by a recount of all permutations", what, right);
}

/* Compares a row with the numbers; sorted: p and p_less of all motifs that are tested, NULL if some
 * of them, on which q and p_max depend, are not known. */
static ms_status compare_row(const ms_permuted_counts *w, const numbers *n, uint64_t r,
                             double *const *sorted, const double *greatest)
{
  const double *s = w->rows->statistic[r] + MS_STAT_PERMUTED;
  uint64_t rows = w->rows->motifs;
  double scale = 1 + n->mean[r];
  if (!is_same(s[MS_STAT_EXPECTED], n->mean[r], scale))
    return refuse(w, r, "perm_expected", n->mean[r]);
  if (!is_same(s[MS_STAT_SD], n->sd[r], scale))
    return refuse(w, r, "perm_sd", n->sd[r]);
  if (!is_same(s[MS_STAT_Z], n->z[r], 1))
    return refuse(w, r, "perm_z", n->z[r]);
  if (!is_same(s[MS_STAT_P], n->p[r], 1))
    return refuse(w, r, "perm_p", n->p[r]);
  if (!is_same(s[MS_STAT_P_LESS], n->p_less[r], 1))
    return refuse(w, r, "perm_p_less", n->p_less[r]);
  if (!sorted[0])
    return MS_OK;
  double q = q_of(sorted[0], rows, n->p[r]), q_less = q_of(sorted[1], rows, n->p_less[r]);
  if (!is_same(s[MS_STAT_Q], q, 1))
    return refuse(w, r, "perm_q", q);
  if (!is_same(s[MS_STAT_Q_LESS], q_less, 1))
    return refuse(w, r, "perm_q_less", q_less);
  if (w->c->result.header.permutations.max_t) {
    double p_max = p_max_of(w, greatest, n->z[r]);
    if (!is_same(s[MS_STAT_P_MAX], p_max, 1))
      return refuse(w, r, "perm_p_max", p_max);
  }
  return MS_OK;
}

/* Refuses a head that says other swaps than those of all permutations. */
static ms_status compare_head(const ms_permuted_counts *w)
{
  const ms_result_header *h = &w->c->result.header;
  const ms_chain_trace *t = &w->permuted->trace;
  uint64_t line = h->line[MS_PART_NULL];
  if (!(h->has & MS_HAS_SWAPS))
    return MS_OK;
  if (h->permutations.tried != t->tried || h->permutations.accepted != t->accepted)
    return ms_result_refuse(&w->c->result, line,
                            "%llu of %llu swaps are accepted if the chains run again",
                            (unsigned long long)t->accepted, (unsigned long long)t->tried);
  if (!is_same(h->permutations.deviation, t->deviation, 1))
    return ms_result_refuse(&w->c->result, line, "table_deviation is %g if the chains run again",
                            t->deviation);
  return MS_OK;
}

/* Checks a row by a sample of the permutations, which is part of what its numbers are made of: of
 * those that count for p, all in the sample are there, and no more than the others besides; and
 * neither the sum nor the sum of squares is less than that of the sample. */
static ms_status compare_sample(const ms_permuted_counts *w, uint64_t r)
{
  const double *s = w->rows->statistic[r] + MS_STAT_PERMUTED;
  uint64_t more = 0, less = 0, sample = w->permuted->permutations;
  double all = (double)w->permuted->of, others = all - (double)sample;
  double sum = 0, squares = 0, sets = (double)w->rows->row[r].sets, mean = s[MS_STAT_EXPECTED];
  for (uint64_t i = 0; i < sample; i++) {
    double x = number_of(w, i, r);
    sum += x;
    squares += (x - mean) * (x - mean);
    more += x >= sets;
    less += x <= sets;
  }
  double n_ge = round(s[MS_STAT_P] * (1 + all) - 1),
         n_le = round(s[MS_STAT_P_LESS] * (1 + all) - 1);
  double rounding = DIGITS * (1 + all), variance = s[MS_STAT_SD] * s[MS_STAT_SD] * (all - 1);
  /* the mean was rounded by `off` at most, and squares by what Cauchy and Schwarz allow then */
  double off = DIGITS * (1 + mean),
         slack = (double)sample * off * off + 2 * off * sqrt((double)sample * squares);
  bool fits = n_ge > (double)more - 1 - rounding && n_ge < (double)more + others + 1 + rounding &&
              n_le > (double)less - 1 - rounding && n_le < (double)less + others + 1 + rounding &&
              sum <= mean * all * (1 + DIGITS) + 1e-9 &&
              (all < 2 || squares <= variance * (1 + 4 * DIGITS) + slack);
  return fits ? MS_OK
              : ms_result_refuse(&w->c->result, w->rows->line[r],
                                 "the numbers of permutations contradict %llu of them that were "
                                 "counted again",
                                 (unsigned long long)sample);
}

static ms_status compare_samples(const ms_permuted_counts *w)
{
  ms_status status = MS_OK;
  for (uint64_t r = 0; r < w->rows->rows && status == MS_OK; r++)
    status = compare_sample(w, r);
  return status;
}

static ms_status compare_all(const ms_permuted_counts *w, ms_error *err)
{
  uint64_t rows = w->rows->motifs;
  bool all = rows == w->c->result.header.permutations.tests;
  MS_TRY(compare_head(w));
  double *block = ms_alloc(7 * rows + w->permuted->permutations, sizeof *block);
  if (!block)
    return ms_fail_memory(err, "permutations");
  numbers n = {block, block + rows, block + 2 * rows, block + 3 * rows, block + 4 * rows};
  double *sorted[2] = {block + 5 * rows, block + 6 * rows}, *greatest = block + 7 * rows;
  double *none[2] = {NULL, NULL};
  make_numbers(w, &n);
  memcpy(sorted[0], n.p, rows * sizeof *n.p);
  memcpy(sorted[1], n.p_less, rows * sizeof *n.p);
  qsort(sorted[0], rows, sizeof *n.p, by_value);
  qsort(sorted[1], rows, sizeof *n.p, by_value);
  fill_greatest(w, &n, greatest);
  ms_status status = MS_OK;
  for (uint64_t r = 0; r < w->rows->rows && status == MS_OK; r++)
    status = compare_row(w, &n, r, all ? sorted : none, greatest);
  ms_free(block);
  return status;
}

ms_status ms_permuted_compare(const ms_permuted_counts *w, ms_error *err)
{
  return w->permuted->permutations == w->permuted->of ? compare_all(w, err) : compare_samples(w);
}
