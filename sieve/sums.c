#include "sieve/sums.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "gf2/gf256.h"

#include <string.h>

#define ORDER 255u /* of the multiplicative group */

/* ---- exponents ----------------------------------------------------------------------- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
  while (b) {
    uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

ms_sum_range ms_sum_range_find(const ms_instance *in, const uint32_t *score)
{
  ms_sum_range range = {.step = 0};
  uint32_t greatest[MS_MAX_K] = {0};
  uint32_t holders = 0; /* shades that a vertex fits */
  memset(range.base, 0xFF, sizeof range.base);
  for (uint32_t v = 0; v < in->n; v++)
    for (uint32_t rest = in->mask[v]; rest; rest &= rest - 1) {
      uint32_t d = (uint32_t)__builtin_ctz(rest), own = score[in->vertex[v]];
      range.base[d] = own < range.base[d] ? own : range.base[d];
      greatest[d] = own > greatest[d] ? own : greatest[d];
      holders |= UINT32_C(1) << d;
    }
  for (uint32_t v = 0; v < in->n; v++)
    for (uint32_t rest = in->mask[v]; rest; rest &= rest - 1)
      range.step =
          common_divisor(range.step, score[in->vertex[v]] - range.base[__builtin_ctz(rest)]);
  range.step = range.step ? range.step : 1;
  for (uint32_t d = 0; d < MS_MAX_K; d++) {
    range.base[d] = holders >> d & 1 ? range.base[d] : 0;
    range.least += range.base[d];
    range.most += (greatest[d] - range.base[d]) / range.step;
  }
  return range;
}

ms_status ms_sieve_problem_set_scores(ms_sieve_problem *problem, const uint32_t *score,
                                      const ms_sum_range *range, ms_error *err)
{
  const ms_instance *in = problem->instance;
  problem->exponent = ms_alloc_lines(in->n, sizeof *problem->exponent);
  if (!problem->exponent)
    return ms_fail_memory(err, "the sieve's scores of vertices");
  problem->evaluations = (uint32_t)range->most + 1;
  /* The scores and the base of one shade are equal modulo the step, so the difference of the
   * quotients is the quotient of the difference. */
  for (uint32_t v = 0; v < in->n; v++)
    problem->exponent[v] = (uint8_t)(score[in->vertex[v]] / range->step % ORDER);
  for (uint32_t d = 0; d < in->k; d++)
    problem->exponent_base[d] = (uint8_t)(range->base[d] / range->step % ORDER);
  return MS_OK;
}

/* ---- interpolation -------------------------------------------------------------------- */

/* Sets the logarithms of the inverse of the Vandermonde matrix of the points x_t = g^t: row j is
 * the coefficient of x^j in each polynomial of Lagrange, which is 1 at x_t and 0 at the others. */
static void invert(uint32_t points, uint16_t *inverse)
{
  const ms_gf256_tables *gf = ms_gf256_get_tables();
  uint8_t product[ORDER + 2] = {1}, quotient[ORDER + 1];
  for (uint32_t t = 0; t < points; t++) /* multiply by x + x_t */
    for (uint32_t j = t + 2; j-- > 0;)
      product[j] = (uint8_t)((j > 0 ? product[j - 1] : 0) ^
                             (j <= t ? ms_gf256_mul_table(gf, product[j], gf->exp[t]) : 0));
  for (uint32_t t = 0; t < points; t++) {
    uint8_t x = gf->exp[t], rest = 0, at = 0;
    for (uint32_t j = points; j-- > 0;) { /* divide by x + x_t */
      rest = (uint8_t)(product[j + 1] ^ ms_gf256_mul_table(gf, rest, x));
      quotient[j] = rest;
    }
    for (uint32_t j = points; j-- > 0;)
      at = (uint8_t)(ms_gf256_mul_table(gf, at, x) ^ quotient[j]);
    uint8_t scale = gf->exp[ORDER - gf->log[at]];
    for (uint32_t j = 0; j < points; j++)
      inverse[j * points + t] = gf->log[ms_gf256_mul_table(gf, quotient[j], scale)];
  }
}

ms_status ms_sieve_sums_open(const ms_sieve_problem *problem, bool greatest_only, int threads,
                             ms_budget *budget, ms_sieve_sums *sums, ms_error *err)
{
  uint32_t n = problem->instance->n, points = problem->evaluations;
  uint32_t words = points / 64 + 1;
  *sums = (ms_sieve_sums){.problem = problem,
                          .greatest_only = greatest_only,
                          .threads = threads,
                          .budget = budget,
                          .words = words};
  uint64_t bytes = (uint64_t)n * (points + sizeof(uint32_t) + words * sizeof(uint64_t));
  if (!ms_budget_reserve(budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "the sums of %u vertices need %.1f MiB, which is more than `memory` has left; "
                   "raise `memory`, or round the scores to fewer values",
                   n, (double)bytes / (1 << 20));
  sums->reserved = bytes;
  sums->inverse = ms_alloc((size_t)points * points, sizeof *sums->inverse);
  sums->value = ms_alloc_lines(points, n);
  sums->hits = ms_calloc(n, sizeof *sums->hits);
  sums->seen = ms_calloc((size_t)n * words, sizeof *sums->seen);
  if (!sums->inverse || !sums->value || !sums->hits || !sums->seen) {
    ms_sieve_sums_close(sums);
    return ms_fail_memory(err, "the sums of vertices");
  }
  invert(points, sums->inverse);
  return MS_OK;
}

void ms_sieve_sums_close(ms_sieve_sums *sums)
{
  ms_free(sums->inverse);
  ms_free(sums->value);
  ms_free(sums->hits);
  ms_free(sums->seen);
  ms_budget_release(sums->budget, sums->reserved);
  *sums = (ms_sieve_sums){0};
}

int ms_sieve_sums_greatest(const ms_sieve_sums *sums, uint32_t v)
{
  const uint64_t *seen = sums->seen + (size_t)v * sums->words;
  for (uint32_t w = sums->words; w-- > 0;)
    if (seen[w])
      return (int)(64 * w + 63 - (uint32_t)__builtin_clzll(seen[w]));
  return -1;
}

/* Returns whether the coefficient of y^j is not 0; value: logarithms. */
static bool has_term(const ms_sieve_sums *s, const uint16_t *value, uint32_t j)
{
  const ms_gf256_tables *gf = ms_gf256_get_tables();
  uint32_t points = s->problem->evaluations;
  const uint16_t *row = s->inverse + (size_t)j * points;
  uint8_t sum = 0;
  for (uint32_t t = 0; t < points; t++)
    sum ^= gf->exp[value[t] + row[t]];
  return sum != 0;
}

/* Interpolates at one vertex.  Coefficients whose sum is known already are left out. */
static void interpolate(const ms_sieve_sums *s, uint32_t v)
{
  const ms_gf256_tables *gf = ms_gf256_get_tables();
  uint32_t points = s->problem->evaluations, n = s->problem->instance->n;
  uint64_t *seen = s->seen + (size_t)v * s->words;
  uint16_t value[ORDER];
  uint8_t any = 0;
  for (uint32_t t = 0; t < points; t++) {
    uint8_t q = s->value[(size_t)t * n + v];
    any |= q;
    value[t] = gf->log[q];
  }
  if (!any)
    return;
  s->hits[v]++;
  int known = s->greatest_only ? ms_sieve_sums_greatest(s, v) : -1;
  for (uint32_t j = points; (int)--j > known;) {
    if (seen[j / 64] >> j % 64 & 1 || !has_term(s, value, j))
      continue;
    seen[j / 64] |= UINT64_C(1) << j % 64;
    if (s->greatest_only)
      break;
  }
}

static void interpolate_range(void *user, ms_range r)
{
  for (uint64_t v = r.begin; v < r.end; v++)
    interpolate(user, (uint32_t)v);
}

void ms_sieve_sums_take(void *user, const uint8_t *q)
{
  ms_sieve_sums *s = user;
  uint32_t n = s->problem->instance->n;
  memcpy(s->value + (size_t)s->at * n, q, n);
  if (++s->at < s->problem->evaluations)
    return;
  ms_parallel(ms_threads_for(s->threads, (uint64_t)n * s->at), n, 0, interpolate_range, s);
  s->at = 0;
  s->repetitions++;
}
