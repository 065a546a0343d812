#include "sieve/bound.h"

#include "sieve/weights.h"

#include <math.h>
#include <stdio.h>

#define WORDS (UINT64_C(1) << 32)

/* Bytes that are needed for each byte of a bound's denominator, GMP's own numbers included: at most
 * 5 are seen. */
#define NUMBERS_SHARE 12u

size_t ms_miss_bound_bytes(uint32_t degree, uint32_t repetitions)
{
  return NUMBERS_SHARE * sizeof(uint32_t) * degree * repetitions;
}

void ms_miss_bound(mpq_t bound, uint32_t degree, uint32_t repetitions)
{
  /* (2^32 - peak)^D / 2^(32 D) is in lowest terms only up to powers of two */
  mpz_ui_pow_ui(mpq_numref(bound), WORDS - MS_WEIGHT_PEAK, degree);
  mpz_set_ui(mpq_denref(bound), 1);
  mpz_mul_2exp(mpq_denref(bound), mpq_denref(bound), 32 * (mp_bitcnt_t)degree);
  mpz_sub(mpq_numref(bound), mpq_denref(bound), mpq_numref(bound));
  mpz_pow_ui(mpq_numref(bound), mpq_numref(bound), repetitions);
  mpz_pow_ui(mpq_denref(bound), mpq_denref(bound), repetitions);
  mpq_canonicalize(bound);
}

uint32_t ms_repetitions_for(uint32_t degree, double error)
{
  mpq_t bound, target;
  mpq_inits(bound, target, NULL);
  mpq_set_d(target, error);
  double p = (double)MS_WEIGHT_PEAK / (double)WORDS;
  double guess = log(error) / log(-expm1(degree * log1p(-p)));
  /* the guess is a little low here, and the loop makes it exact */
  uint32_t repetitions = guess > 2 ? (uint32_t)guess - 1 : 1;
  for (;; repetitions++) {
    ms_miss_bound(bound, degree, repetitions);
    if (mpq_cmp(bound, target) <= 0)
      break;
  }
  mpq_clears(bound, target, NULL);
  return repetitions;
}

double ms_round_up(const mpq_t value)
{
  double below = mpq_get_d(value); /* mpq_get_d truncates */
  mpq_t back;
  mpq_init(back);
  mpq_set_d(back, below);
  bool exact = mpq_equal(back, value) != 0;
  mpq_clear(back);
  return exact ? below : nextafter(below, 2.0);
}

void ms_miss_bound_text(uint32_t degree, uint32_t repetitions, char *text, size_t bytes)
{
  snprintf(text, bytes, "(1 - (%llu/%llu)^%u)^%u", (unsigned long long)(WORDS - MS_WEIGHT_PEAK),
           (unsigned long long)WORDS, degree, repetitions);
}
