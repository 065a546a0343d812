/* Sorts by the least significant digit first, 8 bits in each pass.  A thread counts and moves
 * one range of the keys; the ranges keep their order within a digit, so the result does not depend
 * on their number. */
#include "graph/generate/edge_keys.h"

#include "base/alloc.h"
#include "base/threads/parallel.h"

#include <string.h>

#define DIGIT_BITS 8
#define DIGITS (1u << DIGIT_BITS)
#define MAX_STRETCHES 64
#define SMALL 4096u /* keys; for fewer one thread is faster */
#define POLL_KEYS (UINT64_C(1) << 16)

static unsigned digit_of(uint64_t key, unsigned shift)
{
  return (unsigned)(key >> shift) & (DIGITS - 1);
}

typedef struct pass {
  const uint64_t *from;
  uint64_t *to, count;
  uint64_t each; /* keys of a stretch */
  unsigned shift;
  uint64_t (*start)[DIGITS]; /* [stretches] */
  ms_watch *watch;
} pass;

static uint64_t stretch_end(const pass *p, uint64_t s)
{
  return (s + 1) * p->each < p->count ? (s + 1) * p->each : p->count;
}

/* Returns the end of the keys from i to `end` that are read before the next check of the watch; i
 * itself if the loop has to end. */
static uint64_t piece_end(const pass *p, uint64_t i, uint64_t end)
{
  if (ms_watch_check(p->watch))
    return i;
  return end - i < POLL_KEYS ? end : i + POLL_KEYS;
}

static void count_digits(void *user, ms_range r)
{
  const pass *p = user;
  for (uint64_t s = r.begin; s < r.end; s++) {
    memset(p->start[s], 0, sizeof p->start[s]);
    uint64_t i = s * p->each, end = stretch_end(p, s), stop;
    for (; i < end && (stop = piece_end(p, i, end)) > i;)
      for (; i < stop; i++)
        p->start[s][digit_of(p->from[i], p->shift)]++;
  }
}

static void move_keys(void *user, ms_range r)
{
  const pass *p = user;
  for (uint64_t s = r.begin; s < r.end; s++) {
    uint64_t i = s * p->each, end = stretch_end(p, s), stop;
    for (; i < end && (stop = piece_end(p, i, end)) > i;)
      for (; i < stop; i++)
        p->to[p->start[s][digit_of(p->from[i], p->shift)]++] = p->from[i];
  }
}

/* Moves from[count] to to[count] by the digit at `shift`. */
static void move_by_digit(const uint64_t *from, uint64_t *to, uint64_t count, unsigned shift,
                          int stretches, ms_watch *watch)
{
  uint64_t alone[1][DIGITS], (*start)[DIGITS] = alone, before = 0;
  if (stretches > 1 && !(start = ms_alloc((size_t)stretches, sizeof *start))) {
    start = alone; /* one thread needs no memory */
    stretches = 1;
  }
  uint64_t each = (count + (uint64_t)stretches - 1) / (uint64_t)stretches;
  pass p = {from, to, count, each, shift, start, watch};
  ms_parallel(stretches, (uint64_t)stretches, 1, count_digits, &p);
  for (unsigned d = 0; d < DIGITS; d++)
    for (int s = 0; s < stretches; s++) {
      uint64_t here = start[s][d];
      start[s][d] = before;
      before += here;
    }
  /* after a stop, not all keys were counted, and the places of others would be overwritten */
  if (!ms_watch_check(watch))
    ms_parallel(stretches, (uint64_t)stretches, 1, move_keys, &p);
  if (start != alone)
    ms_free(start);
}

typedef struct used_bits {
  const uint64_t *key;
  uint64_t used;
} used_bits;

static void collect_bits(void *user, ms_range r)
{
  used_bits *b = user;
  uint64_t used = 0;
  for (uint64_t i = r.begin; i < r.end; i++)
    used |= b->key[i];
  __atomic_fetch_or(&b->used, used, __ATOMIC_RELAXED);
}

void ms_sort_keys(uint64_t *key, uint64_t *scratch, uint64_t count, int threads, ms_watch *watch)
{
  uint64_t *from = key, *to = scratch;
  used_bits bits = {.key = key};
  int stretches = count < SMALL ? 1 : threads < MAX_STRETCHES ? threads : MAX_STRETCHES;
  ms_parallel(stretches, count, 0, collect_bits, &bits);
  for (unsigned shift = 0; shift < 64 && !ms_watch_check(watch); shift += DIGIT_BITS) {
    if (digit_of(bits.used, shift) == 0)
      continue; /* the digit is 0 in every key */
    move_by_digit(from, to, count, shift, stretches, watch);
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != key)
    memcpy(key, from, count * sizeof *key);
}
