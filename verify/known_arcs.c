#include "verify/known_arcs.h"

#include "base/alloc.h"

#include <string.h>

#define LEAST_ENTRIES ((uint64_t)1 << 10)
#define MOST_ENTRIES ((uint64_t)1 << 26) /* 256 MiB */
#define ENTRY_BYTES 4u
/* The table pays from one row on for this many places. */
#define PLACES_A_ROW 8u
/* Entries of the graph's rows that a thread puts in at a time. */
#define SLICE ((uint64_t)1 << 14)
/* Rows and other parts of a run need memory, too. */
#define BUDGET_SHARE 8u

/* Returns the number of bits of x. */
static uint32_t bits_of(uint64_t x)
{
  return x > 0 ? 64 - (uint32_t)__builtin_clzll(x) : 0;
}

void ms_known_arcs_init(ms_known_arcs *known, uint32_t n, uint64_t arcs)
{
  uint64_t entries = LEAST_ENTRIES;
  while (entries < arcs && entries < MOST_ENTRIES)
    entries *= 2;
  ms_arcs_shape shape = {.half = bits_of(n > 0 ? n - 1 : 0),
                         .bucket_bits = bits_of(entries / (2 * MS_BUCKET_WORDS)) - 1};
  uint32_t pair_bits = 2 * shape.half;
  *known = (ms_known_arcs){.shape = shape, .arcs = arcs <= entries ? arcs : 0};
  if (pair_bits > shape.bucket_bits && pair_bits - shape.bucket_bits + MS_ARC_BITS <= 32)
    known->entries = entries;
}

void ms_known_arcs_free(ms_known_arcs *known)
{
  ms_arc_places *place = atomic_load(&known->place);
  if (!place)
    return;
  ms_budget_release(known->budget, known->entries * ENTRY_BYTES);
  ms_free((void *)place);
}

/* Makes the table, if there is memory. */
static void make_table(ms_known_arcs *known)
{
  uint64_t bytes = known->entries * ENTRY_BYTES;
  if (ms_budget_left(known->budget) / BUDGET_SHARE < bytes ||
      !ms_budget_reserve(known->budget, bytes))
    return;
  ms_arc_places *place = ms_alloc_lines(known->entries / 2, sizeof *place);
  if (!place) {
    ms_budget_release(known->budget, bytes);
    return;
  }
  memset((void *)place, 0, bytes);
  atomic_store(&known->place, place);
}

ms_arc_places *ms_known_arcs_for(ms_known_arcs *known, uint64_t count)
{
  ms_arc_places *place = atomic_load_explicit(&known->place, memory_order_acquire);
  if (place || known->entries == 0)
    return place;
  uint64_t rows = atomic_fetch_add_explicit(&known->rows, count, memory_order_relaxed) + count;
  if (rows >= known->entries / PLACES_A_ROW && !atomic_exchange(&known->tried, true))
    make_table(known);
  return atomic_load(&known->place);
}

uint64_t ms_known_arcs_slice(ms_known_arcs *known, uint64_t *end)
{
  uint64_t begin = known->arcs;
  if (atomic_load_explicit(&known->filled, memory_order_relaxed) < known->arcs)
    begin = atomic_fetch_add_explicit(&known->filled, SLICE, memory_order_relaxed);
  begin = begin < known->arcs ? begin : known->arcs;
  *end = known->arcs - begin < SLICE ? known->arcs : begin + SLICE;
  return begin;
}

void ms_known_arcs_put(ms_arcs_shape shape, ms_arc_places *bucket, uint64_t mixed, unsigned arcs)
{
  const uint32_t places = 2 * MS_BUCKET_WORDS, entry = ms_arcs_tag(shape, mixed) | arcs;
  uint32_t at = places;
  for (uint32_t i = 0; i < places; i++) {
    uint64_t word = atomic_load_explicit(&bucket[i / 2], memory_order_relaxed);
    uint32_t place = (uint32_t)(word >> 32 * (i % 2));
    if (place == entry)
      return;
    at = place == 0 && at == places ? i : at;
  }
  /* a full bucket loses the place that the lowest bits of the tag name */
  at = at < places ? at : (entry >> MS_ARC_BITS) % places;
  uint64_t word = atomic_load_explicit(&bucket[at / 2], memory_order_relaxed);
  word = at % 2 ? (uint32_t)word | (uint64_t)entry << 32 : (word >> 32 << 32) | entry;
  atomic_store_explicit(&bucket[at / 2], word, memory_order_relaxed);
}
