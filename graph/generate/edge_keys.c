/* Sorts by the least significant digit first, 8 bits in each pass.  A thread counts and moves
 * one range of the keys; the ranges keep their order within a digit, so the result does not depend
 * on their number. */
#include "graph/generate/edge_keys.h"

#include <omp.h>
#include <string.h>

#define DIGIT_BITS 8
#define DIGITS (1u << DIGIT_BITS)
#define MAX_STRETCHES 64
#define SMALL 4096u /* keys; for fewer one thread is faster */

static unsigned digit_of(uint64_t key, unsigned shift)
{
  return (unsigned)(key >> shift) & (DIGITS - 1);
}

/* Moves from[count] to to[count] by the digit at `shift`. */
static void move_by_digit(const uint64_t *from, uint64_t *to, uint64_t count, unsigned shift,
                          int stretches)
{
  uint64_t start[MAX_STRETCHES][DIGITS];
  uint64_t each = (count + (uint64_t)stretches - 1) / (uint64_t)stretches;
#pragma omp parallel for num_threads(stretches) schedule(static, 1)
  for (int s = 0; s < stretches; s++) {
    memset(start[s], 0, sizeof start[s]);
    uint64_t end = (uint64_t)(s + 1) * each < count ? (uint64_t)(s + 1) * each : count;
    for (uint64_t i = (uint64_t)s * each; i < end; i++)
      start[s][digit_of(from[i], shift)]++;
  }
  uint64_t before = 0;
  for (unsigned d = 0; d < DIGITS; d++)
    for (int s = 0; s < stretches; s++) {
      uint64_t here = start[s][d];
      start[s][d] = before;
      before += here;
    }
#pragma omp parallel for num_threads(stretches) schedule(static, 1)
  for (int s = 0; s < stretches; s++) {
    uint64_t end = (uint64_t)(s + 1) * each < count ? (uint64_t)(s + 1) * each : count;
    for (uint64_t i = (uint64_t)s * each; i < end; i++)
      to[start[s][digit_of(from[i], shift)]++] = from[i];
  }
}

void ms_sort_keys(uint64_t *key, uint64_t *scratch, uint64_t count, int threads)
{
  uint64_t used = 0, *from = key, *to = scratch;
  int stretches = count < SMALL ? 1 : threads < MAX_STRETCHES ? threads : MAX_STRETCHES;
#pragma omp parallel for num_threads(stretches) schedule(static) reduction(| : used)
  for (uint64_t i = 0; i < count; i++)
    used |= key[i];
  for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
    if (digit_of(used, shift) == 0)
      continue; /* the digit is 0 in every key */
    move_by_digit(from, to, count, shift, stretches);
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != key)
    memcpy(key, from, count * sizeof *key);
}
