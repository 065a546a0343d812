#include "match/count/module.h"

#include "match/count/count_cost.h"

#define BIT(i) (UINT64_C(1) << (i))
#define MOST_OUTSIDE 2u

void ms_module_shape(const ms_shape *shape, uint64_t vertices, ms_shape *out)
{
  uint8_t number[MS_COUNT_SMALL] = {0};
  *out = (ms_shape){.n = 0};
  for (uint64_t left = vertices; left; left &= left - 1) {
    number[__builtin_ctzll(left)] = (uint8_t)out->n;
    out->member[out->n] = ms_bitset_of(out->n);
    out->n++;
  }
  for (uint64_t left = vertices; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(left);
    for (uint64_t near = ms_count_near(shape, i) & vertices; near; near &= near - 1) {
      ms_bitset_add(&out->out[number[i]], number[__builtin_ctzll(near)]);
      ms_bitset_add(&out->in[number[i]], number[__builtin_ctzll(near)]);
    }
  }
}

bool ms_is_module(const ms_shape *shape, uint64_t tail)
{
  uint64_t outside = (BIT(shape->n) - 1) & ~tail;
  if (!outside || (uint32_t)__builtin_popcountll(outside) > MOST_OUTSIDE)
    return false;
  for (uint64_t left = tail; left; left &= left - 1) {
    uint64_t near = ms_count_near(shape, (uint32_t)__builtin_ctzll(left));
    if ((near & outside) != outside || ((near | (left & -left)) & tail) == tail)
      return false;
  }
  uint64_t reached = tail & -tail;
  for (uint64_t left = reached; left;) {
    uint64_t near = ms_count_near(shape, (uint32_t)__builtin_ctzll(left)) & tail & ~reached;
    reached |= near;
    left = (left & (left - 1)) | near;
  }
  return reached == tail;
}
