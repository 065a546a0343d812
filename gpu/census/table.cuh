/* The numbers of one root: a hash table from motifs to numbers of sets, of a warp.  Where there are
 * not more motifs than places, each has the place of its number. */
#ifndef MS_GPU_CENSUS_TABLE_CUH
#define MS_GPU_CENSUS_TABLE_CUH

#include "gpu/census/ball.cuh"

struct ms_census_table {
  uint32_t *key;  /* [2^place_bits] motif + 1; 0: the place is free */
  uint32_t *sets; /* [2^place_bits] */
  uint32_t fresh; /* places that this lane has taken */
  bool full;      /* this lane had no place for a motif, or a number has no 32 bits */
};

MS_DEVICE void ms_table_add(const ms_census_launch &l, ms_census_table *t, uint32_t motif,
                            uint32_t sets)
{
  const uint32_t last = (1u << l.place_bits) - 1, key = motif + 1;
  uint32_t at = l.motifs <= last + 1 ? motif : motif * 2654435761u >> (32 - l.place_bits);
  for (uint32_t probe = 0; probe < MS_CENSUS_PROBES; probe++, at = (at + 1) & last) {
    uint32_t old = ms_peek(&t->key[at]);
    if (old == 0) {
      old = ms_exchange(&t->key[at], 0, key);
      t->fresh += old == 0;
      old = old == 0 ? key : old;
    }
    if (old == key) {
      t->full |= ms_add(&t->sets[at], sets) > ~sets;
      return;
    }
  }
  t->full = true;
}

/* Makes the warp's table zeros. */
MS_DEVICE void ms_table_clear(const ms_census_launch &l, ms_census_table *t)
{
  for (uint32_t i = ms_lane(); i < 1u << l.place_bits; i += MS_LANES)
    t->key[i] = t->sets[i] = 0;
  t->fresh = 0;
  t->full = false;
  ms_sync_warp();
}

/* Writes the entries of a root, and makes the table zeros.  All lanes have counted. */
MS_DEVICE void ms_table_write(const ms_census_launch &l, ms_census_table *t, uint64_t unit)
{
  ms_sync_warp();
  bool full = ms_any(t->full);
  uint32_t entries = ms_sum_of_lanes(t->fresh), written = 0;
  unsigned long long at = 0;
  if (ms_lane() == 0 && !full)
    at = ms_add(l.used, (unsigned long long)entries);
  at = ms_of_lane(at, 0);
  bool fits = !full && at + entries <= l.room;
  for (uint32_t i = ms_lane(); i < 1u << l.place_bits; i += MS_LANES) {
    uint32_t key = t->key[i], some = ms_ballot(key > 0);
    if (key > 0 && fits)
      l.entry[at + written + ms_rank(some)] =
          (unsigned long long)(0xffffffffu - t->sets[i]) << 32 | (key - 1);
    if (key > 0)
      t->key[i] = t->sets[i] = 0;
    written += ms_count_bits(some);
  }
  if (ms_lane() == 0 && full)
    l.found[unit] = MS_CENSUS_TABLE;
  if (ms_lane() == 0 && fits)
    l.found[unit] = at << 24 | (unsigned long long)entries << 2 | MS_CENSUS_DONE;
  t->fresh = 0;
  t->full = false;
  ms_sync_warp();
}

#endif
