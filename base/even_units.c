#include "base/even_units.h"

enum { BUCKETS = sizeof(ms_degree_counts) / sizeof(uint64_t) };

/* Degrees below 8 have a bucket each.  From there on, eight buckets divide the degrees up to twice
 * as many. */
static uint32_t bucket_of(uint32_t degree)
{
  uint32_t bits = 31u - (uint32_t)__builtin_clz(degree | 1);
  return degree < 8 ? degree : 8 * (bits - 2) + (degree >> (bits - 3) & 7);
}

/* Returns the least degree in a bucket. */
static uint32_t degree_of_bucket(uint32_t bucket)
{
  return bucket < 8 ? bucket : (8 + bucket % 8) << (bucket / 8 - 1);
}

void ms_degree_counts_add(ms_degree_counts *counts, uint32_t degree)
{
  counts->count[bucket_of(degree)]++;
}

uint32_t ms_degree_counts_cut(const ms_degree_counts *counts, uint32_t least, uint64_t most)
{
  uint64_t above = 0;
  uint32_t bucket = BUCKETS;
  while (bucket > 0 && above + counts->count[bucket - 1] <= most)
    above += counts->count[--bucket];
  uint32_t degree = bucket < BUCKETS ? degree_of_bucket(bucket) : UINT32_MAX;
  return degree > least ? degree : least;
}
