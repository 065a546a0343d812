/* Whole numbers of 128 bits, and how they become numbers of GMP. */
#ifndef MS_BASE_WIDE_H
#define MS_BASE_WIDE_H

#include <gmp.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ms_wide_size;

static inline void ms_wide_set(mpz_t out, ms_wide_size number)
{
  const uint64_t words[2] = {(uint64_t)number, (uint64_t)(number >> 64)};
  mpz_import(out, 2, -1, sizeof *words, 0, 0, words);
}

static inline void ms_wide_add(mpz_t sum, ms_wide_size number)
{
  mpz_t value;
  mpz_init(value);
  ms_wide_set(value, number);
  mpz_add(sum, sum, value);
  mpz_clear(value);
}

#endif
