#include "tests/support/search/naive_sieve.h"

#include "gf2/gf256.h"
#include "sieve/weights.h"

#include <string.h>

enum { MOST_N = 64, MOST_SIZE = 12 };

typedef struct naive {
  const ms_instance *in;
  uint32_t size, repetition;
  uint64_t seed;
  uint32_t zeroed; /* bitmask over in->loose */
} naive;

static uint8_t mul(uint8_t a, uint8_t b)
{
  return ms_gf256_mul_reference(a, b);
}

static uint8_t weight(const naive *s, uint32_t kind, uint32_t a, uint32_t b, uint32_t index)
{
  uint8_t w[128];
  ms_weights(s->seed, s->repetition, kind, a, b, index + 1, w);
  return w[index];
}

/* zeta_v(L) = sum of mu(v, d) over v's shades in L, or, with more shades than
 * labels, sum over labels l in L of sum_d mu(v, d) nu(d, l). */
static uint8_t zeta(const naive *s, uint32_t v, uint32_t points)
{
  uint8_t sum = 0;
  for (uint32_t i = 0; i < s->in->n_loose; i++)
    if (s->in->loose[i] == v && s->zeroed >> i & 1)
      return 0;
  for (uint32_t d = 0; d < s->in->k; d++) {
    if (!(s->in->mask[v] >> d & 1))
      continue;
    uint8_t mu = weight(s, MS_WEIGHT_MU, s->in->vertex[v], 0, d);
    if (s->in->k == s->size) {
      if (points >> d & 1)
        sum ^= mu;
    } else {
      for (uint32_t l = 0; l < s->size; l++)
        if (points >> l & 1)
          sum ^= mul(mu, weight(s, MS_WEIGHT_NU, d, 0, l));
    }
  }
  return sum;
}

static void sibling_point(const naive *s, uint32_t points, uint8_t *q)
{
  const ms_instance *in = s->in;
  uint32_t k = s->size;
  static uint8_t g[MOST_N][MOST_SIZE], a[MOST_N][MOST_SIZE];
  for (uint32_t v = 0; v < in->n; v++) {
    memset(g[v], 0, sizeof g[v]);
    g[v][0] = 1;
  }
  for (uint32_t t = 1; t < k; t++) {
    uint32_t siblings = (k - 1) / t;
    for (uint32_t v = 0; v < in->n; v++)
      for (uint32_t i = 1; i <= siblings; i++)
        a[v][i] = mul(weight(s, MS_WEIGHT_GAMMA, in->vertex[v], t, i - 1),
                      mul(zeta(s, v, points), g[v][t - 1]));
    for (uint32_t v = 0; v < in->n; v++) {
      uint8_t factor[MOST_SIZE] = {1}, product[MOST_SIZE] = {0}, w = 1;
      for (uint32_t i = 1; i <= siblings; i++) {
        uint8_t r = 0;
        for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
          r ^= a[in->neighbor[e]][i];
        w = mul(w, r);
        factor[i * t] = w;
      }
      for (uint32_t x = 0; x < k; x++)
        for (uint32_t y = 0; x + y < k; y++)
          product[x + y] ^= mul(g[v][x], factor[y]);
      memcpy(g[v], product, sizeof product);
    }
  }
  for (uint32_t v = 0; v < in->n; v++)
    q[v] ^= mul(zeta(s, v, points), g[v][k - 1]);
}

static void classic_point(const naive *s, uint32_t points, uint8_t *q)
{
  const ms_instance *in = s->in;
  static uint8_t p[MOST_N][MOST_SIZE + 1];
  for (uint32_t v = 0; v < in->n; v++)
    p[v][1] = zeta(s, v, points);
  for (uint32_t c = 2; c <= s->size; c++)
    for (uint32_t v = 0; v < in->n; v++) {
      p[v][c] = 0;
      for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++) {
        uint32_t j = in->neighbor[e];
        uint8_t sum = 0;
        for (uint32_t x = 1; x < c; x++)
          sum ^= mul(p[v][x], p[j][c - x]);
        p[v][c] ^= mul(weight(s, MS_WEIGHT_ALPHA, in->vertex[v], in->vertex[j], c - 2), sum);
      }
    }
  for (uint32_t v = 0; v < in->n; v++)
    q[v] ^= p[v][s->size];
}

void naive_sieve(const ms_instance *instance, uint32_t size, ms_recurrence recurrence,
                 uint64_t seed, uint32_t repetition, uint8_t *q)
{
  naive s = {.in = instance, .size = size, .repetition = repetition, .seed = seed};
  memset(q, 0, instance->n);
  for (s.zeroed = 0; s.zeroed < 1u << instance->n_loose; s.zeroed++)
    for (uint32_t points = 0; points < 1u << size; points++)
      (recurrence == MS_SIBLING ? sibling_point : classic_point)(&s, points, q);
}
