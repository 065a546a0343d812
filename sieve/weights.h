/* Random weights as a pure function of (seed, repetition, kind, indices).
 *
 * Vertices are named by their id in the input graph, so that pruning, back ends
 * and devices cannot change a weight.  A weight is uniform on the 255 non-zero
 * field elements except for one of 2^32 words: no value has probability above
 * MS_WEIGHT_PEAK / 2^32. */
#ifndef MS_SIEVE_WEIGHTS_H
#define MS_SIEVE_WEIGHTS_H

#include "base/philox.h"

/* 2^32 = 255 * 16843009 + 1: one word more gives the value 1 than any other
 * value */
#define MS_WEIGHT_PEAK UINT32_C(16843010)

enum {
  MS_WEIGHT_MU = 1,    /* (vertex, shade) */
  MS_WEIGHT_GAMMA = 2, /* (vertex, t, q) */
  MS_WEIGHT_ALPHA = 3, /* (tail, head, s) of an arc */
  MS_WEIGHT_NU = 4     /* (shade, label) */
};

/* Computes the weights kind(a, b, 4 * block .. 4 * block + 3) of one
 * repetition. */
MS_HOST_DEVICE void ms_weights4(uint64_t seed, uint32_t repetition, uint32_t kind, uint32_t a,
                                uint32_t b, uint32_t block, uint8_t out[4])
{
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {a, b, kind << 24 | block, repetition};
  uint32_t words[4];
  ms_philox4x32(counter, key, words);
  for (int i = 0; i < 4; i++)
    out[i] = (uint8_t)(1 + words[i] % 255);
}

/* Computes the weights kind(a, b, 0 .. count - 1). */
MS_HOST_DEVICE void ms_weights(uint64_t seed, uint32_t repetition, uint32_t kind, uint32_t a,
                               uint32_t b, uint32_t count, uint8_t *out)
{
  for (uint32_t i = 0; i < count; i += 4) {
    uint8_t four[4];
    ms_weights4(seed, repetition, kind, a, b, i / 4, four);
    for (uint32_t j = 0; j < 4 && i + j < count; j++)
      out[i + j] = four[j];
  }
}

#endif
