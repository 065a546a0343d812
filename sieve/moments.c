/* The last step of the sibling recurrence, for all points at once (sieve/moments.h). */
#include "sieve/moments.h"

#include "base/status.h"
#include "gf2/gf256.h"

#define POLL_PLACES 16384u /* between two checks of the stop token */

/* Returns the coefficient of zeta of a place at a label. */
static uint8_t zeta_at(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint32_t place,
                       uint32_t label)
{
  const ms_sieve_halves *h = shape->halves;
  if (label >= h->bits)
    return pass->outer[((size_t)(label - h->bits) * shape->places + place) * shape->row];
  uint32_t bit = ms_sieve_half_bit(shape->problem, h->bits, h->vertex[place]);
  return ms_sieve_half_coefficient(pass->inner[(size_t)place * shape->forms], h->bits, bit, label);
}

/* Returns the sum of the heads' moments at one label, whose moments begin at `moment` and are `row`
 * bytes apart. */
static uint8_t sum_heads(const ms_sieve_halves *h, uint32_t place, const uint8_t *moment,
                         size_t row)
{
  const uint32_t *entry = h->half_head + h->half[place].first;
  uint8_t sum = 0;
  for (uint32_t i = 0; i < h->half[place].count; i++)
    sum ^= moment[(entry[i] >> 3) * row];
  for (uint64_t e = h->whole[place]; e < h->whole[place + 1]; e++)
    sum ^= moment[h->whole_head[e] * row];
  return sum;
}

ms_status ms_sieve_moments_add(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                               uint32_t begin, uint32_t end, const uint8_t *moment, uint8_t *q)
{
  const ms_gf256_tables *tables = ms_gf256_get_tables();
  const ms_sieve_halves *h = shape->halves;
  for (uint32_t p = begin; p < end; p++) {
    if (p % POLL_PLACES == 0)
      MS_TRY(ms_stop_check(shape->stop));
    uint32_t v = h->vertex[p];
    for (uint32_t labels = shape->problem->active[v]; labels; labels &= labels - 1) {
      uint32_t label = (uint32_t)__builtin_ctz(labels);
      uint8_t sum = sum_heads(h, p, moment + label, shape->row);
      q[v] ^= ms_gf256_mul_table(tables, zeta_at(shape, pass, p, label), sum);
    }
  }
  return MS_OK;
}
