#include "motif/best/draw.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/philox.h"
#include "base/status.h"
#include "motif/sort_rows.h"

/* A random word is Philox's output for the counter (step, attempt, OF_SAMPLES).  The sieve uses
 * other counters, so a sample and the weights of the sieve share no random word under the same
 * seed. */
#define OF_SAMPLES 0x53414d50u

/* Returns a random number below `bound`, for a step of the drawing.  All are equally likely: words
 * below 2^64 mod bound are not used. */
static uint64_t random_below(uint64_t bound, uint64_t seed, uint64_t step)
{
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint64_t least = (UINT64_MAX - bound + 1) % bound, word = 0;
  for (uint32_t attempt = 0, out[4];; attempt++) {
    const uint32_t counter[4] = {(uint32_t)step, (uint32_t)(step >> 32), attempt, OF_SAMPLES};
    ms_philox4x32(counter, key, out);
    word = out[0] | (uint64_t)out[1] << 32;
    if (word >= least)
      return word % bound;
  }
}

/* A set of numbers.  place[1 << bits] holds a number + 1, or 0. */
typedef struct number_set {
  uint64_t *place;
  uint32_t bits;
} number_set;

/* Adds a number.  Returns false if it is there already. */
static bool add_number(number_set *set, uint64_t number)
{
  uint64_t mask = (UINT64_C(1) << set->bits) - 1;
  uint64_t at = ms_hash_word(ms_hash_key_get(), number) >> (64 - set->bits);
  for (; set->place[at]; at = (at + 1) & mask)
    if (set->place[at] == number + 1)
      return false;
  set->place[at] = number + 1;
  return true;
}

/* Sorts numbers, as rows of their two halves. */
static ms_status sort_numbers(uint64_t *number, uint64_t count, ms_error *err)
{
  uint32_t *row = ms_alloc(count, 2 * sizeof *row);
  if (!row)
    return ms_fail_memory(err, "the drawn numbers");
  for (uint64_t i = 0; i < count; i++) {
    row[2 * i] = (uint32_t)(number[i] >> 32);
    row[2 * i + 1] = (uint32_t)number[i];
  }
  ms_sort_rows(row, count, 2, NULL);
  for (uint64_t i = 0; i < count; i++)
    number[i] = (uint64_t)row[2 * i] << 32 | row[2 * i + 1];
  ms_free(row);
  return MS_OK;
}

/* Method: Floyd's (Bentley and Floyd, "Programming pearls: a sample of brilliance", CACM 30(9),
 * 1987).  At step j a number up to j is drawn, and j takes its place if it was drawn before. */
ms_status ms_draw_numbers(uint64_t total, uint64_t count, uint64_t seed, uint64_t *number,
                          ms_error *err)
{
  number_set set = {.bits = 1};
  if (count == total) {
    for (uint64_t i = 0; i < count; i++)
      number[i] = i;
    return MS_OK;
  }
  while (UINT64_C(1) << set.bits < 2 * count)
    set.bits++;
  set.place = ms_calloc((size_t)1 << set.bits, sizeof *set.place);
  if (!set.place)
    return ms_fail_memory(err, "the drawn numbers");
  for (uint64_t i = 0; i < count; i++) {
    uint64_t last = total - count + i, drawn = random_below(last + 1, seed, i);
    number[i] = add_number(&set, drawn) ? drawn : last;
    if (number[i] != drawn)
      add_number(&set, last);
  }
  ms_free(set.place);
  return sort_numbers(number, count, err);
}
