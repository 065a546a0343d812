/* R(v, 2, q) as quadratic forms in the point bits L.
 *
 * P(j, 2) = zeta_j * R(j, 1, 1) is a product of two linear forms, so a sum of
 * its multiples over neighbours is
 *     sum over pairs d <= e of point bits:  c[d, e] L_d L_e,
 * where L_d L_d = L_d.  Step 2 then needs no rows of neighbours: the coefficients
 * are summed once in each pass.  A word of coefficients holds one byte of each of
 * four sibling indices.  The code runs on host and device, so that a machine
 * without a GPU can test it. */
#ifndef MS_GPU_SIEVE_QUADRATIC_CUH
#define MS_GPU_SIEVE_QUADRATIC_CUH

#include "gpu/sieve/field.cuh"
#include "gpu/sieve/sieve_device.h"

#include <stddef.h>

MS_FIELD uint32_t ms_pair(uint32_t d, uint32_t e) /* d <= e */
{
  return e * (e + 1) / 2 + d;
}

/* Returns four products by one byte; bytes of a word do not mix. */
MS_FIELD uint32_t ms_times_byte(uint32_t four, uint32_t byte)
{
  uint32_t sum = 0;
#pragma unroll
  for (int bit = 0; bit < 8; bit++) {
    sum ^= byte >> bit & 1 ? four : 0;
    uint32_t top = four >> 7 & 0x01010101u;
    four = (four & 0x7F7F7F7Fu) << 1 ^ top * 0x1Bu;
  }
  return sum;
}

/* Returns the coefficient of L_d L_e, d <= e, in the product of two linear forms; z_d is the
 * first one's coefficient of L_d. */
MS_FIELD uint32_t ms_pair_product(uint32_t d, uint32_t e, uint32_t z_d, uint32_t z_e, uint32_t r_d,
                                  uint32_t r_e)
{
  uint32_t product = ms_times_byte(r_d, z_e);
  return d == e ? product : product ^ ms_times_byte(r_e, z_d);
}

/* Returns the inner points with L_d = L_e = 1. */
MS_FIELD uint32_t ms_pair_points(uint32_t d, uint32_t e)
{
  uint32_t points = 0;
  for (uint32_t l = 0; l < MS_LANES; l++)
    points |= (l >> d & l >> e & 1) << l;
  return points;
}

/* Returns a slot of a form in which some outer bits are fixed as in `outer`: they are the
 * same for all words of a launch, and only the lowest `bits` are not.  What is left is
 *     slot 0: a constant,
 *     slot 1 + d: the coefficient of L_d, d < 5 + bits, for inner d only what
 *                 outer bits add to it (the rest is with the inner pairs),
 * and the pairs of bits that are not fixed, unchanged.  pair: a form's
 * coefficients, `apart` words from one pair to the next. */
MS_FIELD uint32_t ms_quadratic_slot(const uint32_t *pair, size_t apart, uint32_t bits,
                                    uint32_t outer, uint32_t slot)
{
  uint32_t fixed = outer >> bits << bits, d = slot - 1;
  uint32_t sum = slot > MS_WORD_BITS ? pair[ms_pair(d, d) * apart] : 0;
  for (uint32_t e = 0; fixed >> e; e++) {
    if (!(fixed >> e & 1))
      continue;
    if (slot > 0) {
      sum ^= pair[ms_pair(d, MS_WORD_BITS + e) * apart];
      continue;
    }
    for (uint32_t c = 0; c <= e; c++)
      if (fixed >> c & 1)
        sum ^= pair[ms_pair(MS_WORD_BITS + c, MS_WORD_BITS + e) * apart];
  }
  return sum;
}

/* A word's form in the inner bits, four forms at a time: this, plus the inner pairs, which are
 * the same for all words. */
typedef struct ms_quadratic_word {
  uint32_t constant, linear[MS_WORD_BITS];
} ms_quadratic_word;

MS_FIELD void ms_quadratic_add_bit(ms_quadratic_word *w, const uint32_t *pair, const uint32_t *slot,
                                   size_t apart, uint32_t outer, uint32_t b)
{
  uint32_t set = 0u - (outer >> b & 1), constant = slot[(1 + MS_WORD_BITS + b) * apart];
  const uint32_t *row = pair + ms_pair(0, MS_WORD_BITS + b) * apart;
  for (uint32_t c = 0; c < b; c++)
    constant ^= row[(MS_WORD_BITS + c) * apart] & (0u - (outer >> c & 1));
  w->constant ^= constant & set;
#pragma unroll
  for (int l = 0; l < MS_WORD_BITS; l++)
    w->linear[l] ^= row[l * apart] & set;
}

MS_FIELD ms_quadratic_word ms_quadratic_word_of(const uint32_t *pair, const uint32_t *slot,
                                                size_t apart, uint32_t bits, uint32_t outer)
{
  ms_quadratic_word w;
  w.constant = slot[0];
#pragma unroll
  for (int l = 0; l < MS_WORD_BITS; l++)
    w.linear[l] = slot[(1 + l) * apart];
#pragma unroll
  for (uint32_t b = 0; b < 5; b++)
    if (b < bits)
      ms_quadratic_add_bit(&w, pair, slot, apart, outer, b);
  for (uint32_t b = 5; b < bits; b++)
    ms_quadratic_add_bit(&w, pair, slot, apart, outer, b);
  return w;
}

template <int BIT>
MS_FIELD uint32_t ms_quadratic_bit(const ms_masks &constant, const ms_masks linear[MS_WORD_BITS])
{
  return ms_mask_of_bit<BIT>(constant) ^ (ms_mask_of_bit<BIT>(linear[0]) & 0xAAAAAAAAu) ^
         (ms_mask_of_bit<BIT>(linear[1]) & 0xCCCCCCCCu) ^
         (ms_mask_of_bit<BIT>(linear[2]) & 0xF0F0F0F0u) ^
         (ms_mask_of_bit<BIT>(linear[3]) & 0xFF00FF00u) ^
         (ms_mask_of_bit<BIT>(linear[4]) & 0xFFFF0000u);
}

/* Returns the 32 values of form i of four; inner: the values of its inner pairs. */
MS_FIELD ms_sliced ms_quadratic_values(ms_sliced inner, const ms_quadratic_word &w, uint32_t i)
{
  ms_masks constant = ms_masks_of(w.constant >> 8 * i & 255), linear[MS_WORD_BITS];
#pragma unroll
  for (int l = 0; l < MS_WORD_BITS; l++)
    linear[l] = ms_masks_of(w.linear[l] >> 8 * i & 255);
  inner.w[0] ^= ms_quadratic_bit<0>(constant, linear);
  inner.w[1] ^= ms_quadratic_bit<1>(constant, linear);
  inner.w[2] ^= ms_quadratic_bit<2>(constant, linear);
  inner.w[3] ^= ms_quadratic_bit<3>(constant, linear);
  inner.w[4] ^= ms_quadratic_bit<4>(constant, linear);
  inner.w[5] ^= ms_quadratic_bit<5>(constant, linear);
  inner.w[6] ^= ms_quadratic_bit<6>(constant, linear);
  inner.w[7] ^= ms_quadratic_bit<7>(constant, linear);
  return inner;
}

/* Returns the values of the inner pairs of form i of four. */
MS_FIELD ms_sliced ms_quadratic_inner(const uint32_t *pair, size_t apart, uint32_t i)
{
  ms_sliced r = ms_sliced_zero();
#pragma unroll
  for (uint32_t e = 0; e < MS_WORD_BITS; e++)
#pragma unroll
    for (uint32_t d = 0; d <= e; d++) {
      uint32_t byte = pair[ms_pair(d, e) * apart] >> 8 * i, points = ms_pair_points(d, e);
#pragma unroll
      for (int bit = 0; bit < 8; bit++)
        r.w[bit] ^= byte >> bit & 1 ? points : 0;
    }
  return r;
}

#endif
