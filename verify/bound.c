/* One repetition misses a vertex of a match with probability at most 1 - (1-p)^D.  The sieve
 * polynomial has degree D = 2k-1 in the random weights, and p is the largest probability of one
 * value of a weight (byte values 1..255 from 32 random bits: the most frequent ones get 16843010 of
 * the 2^32).  R independent repetitions all miss it with at most the R-th power of this.
 *
 * The arithmetic is exact.  With W = 2^32 and q = W - 16843010 the bound is N / 2^(32 D R), N =
 * (W^D - q^D)^R. */
#include "verify/bound.h"

#include "base/numbers.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

#define WORDS "4294967296"
#define OTHERS 4278124286u /* 2^32 - 16843010 */
#define FORMULA_ROOM 96

typedef struct power_bound {
  mpz_t numerator;
  mp_bitcnt_t shift; /* the denominator is 2^shift */
} power_bound;

static void recompute(power_bound *bound, uint32_t degree, uint32_t repetitions)
{
  mpz_t others;
  mpz_init(others);
  mpz_init_set_ui(bound->numerator, 1);
  mpz_mul_2exp(bound->numerator, bound->numerator, 32 * (mp_bitcnt_t)degree);
  mpz_ui_pow_ui(others, OTHERS, degree);
  mpz_sub(bound->numerator, bound->numerator, others);
  mpz_pow_ui(bound->numerator, bound->numerator, repetitions);
  bound->shift = 32 * (mp_bitcnt_t)degree * repetitions;
  mpz_clear(others);
}

/* Returns the sign of value - factor * bound. */
static int compare(mpq_srcptr value, const power_bound *bound, uint32_t factor)
{
  mpz_t left, right;
  mpz_inits(left, right, NULL);
  mpz_mul_2exp(left, mpq_numref(value), bound->shift);
  mpz_mul(right, bound->numerator, mpq_denref(value));
  mpz_mul_ui(right, right, factor);
  int sign = mpz_cmp(left, right);
  mpz_clears(left, right, NULL);
  return sign;
}

/* The tool rounds a bound up to a double, which is at most one part in 2^52 larger. */
#define DOUBLE_BITS 51

/* Sets *out to the least number of six decimal digits that is not below factor * bound, which is
 * below 1; with `slack`, not below a number that is one part in 2^51 larger. */
static void round_up(mpq_t out, const power_bound *bound, uint32_t factor, bool slack)
{
  mpz_t scaled, digits;
  mpz_inits(scaled, digits, NULL);
  mpz_mul_ui(scaled, bound->numerator, factor);
  mp_bitcnt_t shift = bound->shift;
  if (slack) {
    mpz_mul_2exp(digits, scaled, DOUBLE_BITS);
    mpz_add(scaled, scaled, digits);
    shift += DOUBLE_BITS;
  }
  /* the number of decimals, from the length of the number, and one less where that is too many */
  long bits = (long)shift - (long)mpz_sizeinbase(scaled, 2);
  unsigned long decimals = (unsigned long)(0.30103 * (double)(bits > 0 ? bits : 0)) + 8;
  mpz_t power;
  mpz_init(power);
  do {
    decimals--;
    mpz_ui_pow_ui(power, 10, decimals);
    mpz_mul(digits, scaled, power);
    mpz_cdiv_q_2exp(digits, digits, shift);
  } while (mpz_cmp_ui(digits, 1000000) > 0);
  mpq_set_num(out, digits);
  mpq_set_den(out, power);
  mpq_canonicalize(out);
  mpz_clears(scaled, digits, power, NULL);
}

/* True if the value is the one that this encoding has for `bound`: the double, in JSON, or the
 * number of six digits to which it is rounded up. */
static bool is_exact(const ms_result *result, const power_bound *bound)
{
  mpq_t rounded;
  mpq_srcptr value = result->bound[0];
  mpq_init(rounded);
  bool exact;
  if (result->format == &ms_result_json) {
    mpq_set_ui(rounded, 1, 1);
    mpq_mul_2exp(rounded, rounded, DOUBLE_BITS);
    mpz_sub_ui(mpq_numref(rounded), mpq_numref(rounded), 1);
    mpq_div_2exp(rounded, rounded, DOUBLE_BITS);
    mpq_mul(rounded, rounded, value);
    exact = compare(rounded, bound, 1) <= 0;
  } else {
    round_up(rounded, bound, 1, false);
    exact = mpq_equal(value, rounded);
    if (!exact) {
      round_up(rounded, bound, 1, true);
      exact = mpq_equal(value, rounded);
    }
  }
  mpq_clear(rounded);
  return exact;
}

/* True if value <= factor * bound, rounded up. */
static bool is_within(mpq_srcptr value, const power_bound *bound, uint32_t factor)
{
  mpq_t most;
  if (compare(value, bound, factor) <= 0)
    return true;
  mpq_init(most);
  mpq_set_ui(most, 1, 1);
  bool within = compare(most, bound, factor) <= 0; /* no bound is above 1 */
  if (!within) {
    round_up(most, bound, factor, true);
    within = mpq_cmp(value, most) <= 0;
  }
  mpq_clear(most);
  return within;
}

/* True if the value is at most the smallest normal double.  Doubles are coarser below it. */
static bool is_tiny(mpq_srcptr value)
{
  mpq_t least;
  mpq_init(least);
  mpq_set_d(least, 0x1p-1022);
  bool tiny = mpq_cmp(value, least) <= 0;
  mpq_clear(least);
  return tiny;
}

static ms_status check_values(ms_result *result, const power_bound *bound)
{
  const ms_result_header *h = &result->header;
  if (h->status == MS_RESULT_COMPLETE && h->repetitions < h->repetitions_planned) {
    return ms_result_refuse(result, h->line[MS_PART_REPETITIONS],
                            "the result is said to be complete, but only %u of %u repetitions were "
                            "run",
                            h->repetitions, h->repetitions_planned);
  }
  if (compare(result->bound[0], bound, 1) < 0) {
    return ms_result_refuse(result, h->line[MS_PART_BOUND],
                            "the miss bound is stated too low for k = %u and %u repetitions", h->k,
                            h->repetitions);
  }
  if (!is_exact(result, bound) && !is_tiny(result->bound[0])) {
    return ms_result_refuse(result, h->line[MS_PART_BOUND],
                            "the miss bound is stated too high for k = %u and %u repetitions", h->k,
                            h->repetitions);
  }
  /* the sieve evaluates at least one vertex and at most all of them */
  bool over = mpq_cmp_ui(result->bound[1], 1, 1) > 0 ||
              (!is_within(result->bound[1], bound, h->vertices) && !is_tiny(result->bound[1]));
  if (over || compare(result->bound[1], bound, 1) < 0) {
    return ms_result_refuse(result, h->line[MS_PART_UNION],
                            "the union bound does not lie between the miss bound and that times "
                            "the number of vertices, or 1");
  }
  return MS_OK;
}

/* Checks a bound of 0, which comes with its reason instead of a formula. */
static ms_status check_zero(ms_result *result, bool *certain)
{
  const ms_result_header *h = &result->header;
  bool none_left = strcmp(h->formula, "0: pruning left no vertex") == 0;
  bool all_flagged = strcmp(h->formula, "0: every vertex that pruning left is flagged") == 0;
  if (!none_left && !all_flagged) {
    return ms_result_refuse(result, h->line[MS_PART_BOUND],
                            "the miss bound is 0, but no known reason is given");
  }
  if (mpq_sgn(result->bound[1]) != 0) {
    return ms_result_refuse(result, h->line[MS_PART_UNION],
                            "the miss bound is 0, but the union bound is not");
  }
  if (none_left && (h->found > 0 || h->repetitions_planned > 0)) {
    return ms_result_refuse(result, h->line[MS_PART_BOUND],
                            "pruning is said to have left no vertex, but there are %s",
                            h->found > 0 ? "rows" : "repetitions");
  }
  if (all_flagged && h->repetitions == 0) {
    return ms_result_refuse(result, h->line[MS_PART_BOUND],
                            "vertices are said to be flagged without a repetition");
  }
  /* for a pattern, the sieve flags vertices that the search then finds in no match */
  bool of_motif = h->kind == MS_KIND_SCREEN || h->kind == MS_KIND_LIST;
  bool leaves_out = h->min_density != 0 || h->min_mean_score != 0;
  if (all_flagged && of_motif && !leaves_out && h->status == MS_RESULT_COMPLETE && h->found == 0) {
    return ms_result_refuse(result, h->line[MS_PART_BOUND],
                            "vertices are said to be flagged, and so in a match, but there are "
                            "no rows");
  }
  *certain = true;
  return MS_OK;
}

/* Returns true if the header's formula is that of this degree, which formula[FORMULA_ROOM]
 * receives. */
static bool is_formula(const ms_result_header *h, uint32_t degree, char *formula)
{
  snprintf(formula, FORMULA_ROOM, "(1 - (%u/" WORDS ")^%u)^%u", OTHERS, degree, h->repetitions);
  return strcmp(h->formula, formula) == 0;
}

/* Returns the degree of the sieve polynomial by the header's formula; 0: the formula is none of
 * those that are possible, and formula[FORMULA_ROOM] receives one of them.  A screen for the
 * nearest matches states the bound of one of its levels; where slots stay empty, each vertex has a
 * further weight. */
static uint32_t find_degree(const ms_result_header *h, char *formula)
{
  if (is_formula(h, 2 * h->k - 1, formula))
    return 2 * h->k - 1;
  for (uint32_t missing = 0; missing <= h->max_missing && missing < h->k; missing++)
    for (uint32_t extra = 0; extra <= h->max_extra; extra++) {
      uint32_t degree = (missing > 0 ? 3 : 2) * (h->k - missing + extra) - 1;
      if (is_formula(h, degree, formula))
        return degree;
    }
  is_formula(h, 2 * h->k - 1, formula);
  return 0;
}

ms_status ms_check_bound(ms_result *result, bool *certain, ms_error *err)
{
  const ms_result_header *h = &result->header;
  power_bound bound;
  char formula[FORMULA_ROOM];
  *certain = h->mode == MS_MODE_EXACT;
  if (h->mode == MS_MODE_EXACT)
    return MS_OK;
  if (mpq_sgn(result->bound[0]) == 0)
    return check_zero(result, certain);
  if (h->repetitions > MS_MAX_REPETITIONS) {
    return ms_result_refuse(result, h->line[MS_PART_REPETITIONS],
                            "more than %u repetitions are more than this verifier multiplies out",
                            MS_MAX_REPETITIONS);
  }
  uint32_t degree = find_degree(h, formula);
  if (degree == 0) {
    return ms_result_refuse(result, h->line[MS_PART_BOUND],
                            "the formula of the miss bound must be '%s'", formula);
  }
  MS_TRY(ms_numbers_store(MS_CHECKED_SHARE * sizeof(uint32_t) * degree * h->repetitions, err));
  recompute(&bound, degree, h->repetitions);
  ms_status status = check_values(result, &bound);
  mpz_clear(bound.numerator);
  ms_numbers_release();
  return status;
}
