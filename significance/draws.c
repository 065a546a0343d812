#include "significance/draws.h"

#include "base/philox.h"

void ms_draws_open(ms_draws *d, uint64_t seed, uint64_t permutation, uint32_t purpose)
{
  *d = (ms_draws){
      .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
      .counter = {0, purpose << 24, (uint32_t)permutation, (uint32_t)(permutation >> 32)},
  };
}

static void draw_block(ms_draws *d, uint64_t *number)
{
  uint32_t out[4];
  ms_philox4x32(d->counter, d->key, out);
  if (++d->counter[0] == 0)
    d->counter[1]++;
  number[0] = out[0] | (uint64_t)out[1] << 32;
  number[1] = out[2] | (uint64_t)out[3] << 32;
}

uint64_t ms_draws_next(ms_draws *d)
{
  if (d->left == 0) {
    draw_block(d, d->number);
    d->left = 2;
  }
  return d->number[2 - d->left--];
}

void ms_draws_fill(ms_draws *d, uint64_t *draw, uint32_t count)
{
  for (uint32_t i = 0; i < count; i += 2)
    draw_block(d, draw + i);
}
