#include "verify/row_set.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

#define FIRST_SLOTS ((size_t)1 << 12)
#define MAX_WORDS (MS_MAX_PATTERN / 2)

struct ms_row_set {
  uint32_t p, bits, words;
  uint64_t count;
  size_t slots;    /* a power of two, at most 3/4 full */
  uint64_t *table; /* [slots][words]; first word 0: empty */
};

ms_status ms_row_set_new(uint32_t p, uint32_t n, ms_row_set **out, ms_error *err)
{
  *out = NULL;
  ms_row_set *set = ms_calloc(1, sizeof *set);
  if (!set) {
    return ms_fail_memory(err, "the rows of the result file");
  }
  set->p = p;
  set->bits = n ? 32 - (uint32_t)__builtin_clz(n) : 1;
  set->words = (p * set->bits + 63) / 64;
  set->slots = FIRST_SLOTS;
  set->table = ms_calloc(FIRST_SLOTS, set->words * sizeof *set->table);
  if (!set->table) {
    ms_row_set_free(set);
    return ms_fail_memory(err, "the rows of the result file");
  }
  *out = set;
  return MS_OK;
}

void ms_row_set_free(ms_row_set *set)
{
  if (set) {
    ms_free(set->table);
    ms_free(set);
  }
}

/* Vertices from 1 on, so that the first word is never 0. */
static void pack(const ms_row_set *set, const uint32_t *row, uint64_t *key)
{
  memset(key, 0, set->words * sizeof *key);
  for (uint32_t i = 0, at = 0; i < set->p; i++, at += set->bits) {
    uint64_t value = (uint64_t)row[i] + 1;
    uint32_t shift = at % 64;
    key[at / 64] |= value << shift;
    if (shift + set->bits > 64) {
      key[at / 64 + 1] |= value >> (64 - shift);
    }
  }
}

/* The slot of the key: its own, or the empty one where it belongs. */
static uint64_t *find_slot(const ms_row_set *set, uint64_t *table, size_t slots,
                           const uint64_t *key)
{
  uint64_t hash = 0;
  for (uint32_t w = 0; w < set->words; w++) {
    hash = (hash ^ key[w]) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  for (size_t slot = hash & (slots - 1);; slot = (slot + 1) & (slots - 1)) {
    uint64_t *at = table + slot * set->words;
    if (at[0] == 0 || memcmp(at, key, set->words * sizeof *key) == 0) {
      return at;
    }
  }
}

static ms_status grow(ms_row_set *set, ms_error *err)
{
  size_t slots, bytes = set->words * sizeof *set->table;
  uint64_t *table = ms_mul_size(set->slots, 2, &slots) ? ms_calloc(slots, bytes) : NULL;
  if (!table) {
    return ms_fail_memory(err, "the rows of the result file");
  }
  for (size_t slot = 0; slot < set->slots; slot++) {
    const uint64_t *key = set->table + slot * set->words;
    if (key[0]) {
      memcpy(find_slot(set, table, slots, key), key, bytes);
    }
  }
  ms_free(set->table);
  set->table = table;
  set->slots = slots;
  return MS_OK;
}

ms_status ms_row_set_add(ms_row_set *set, const uint32_t *row, bool *fresh, ms_error *err)
{
  uint64_t key[MAX_WORDS];
  pack(set, row, key);
  uint64_t *slot = find_slot(set, set->table, set->slots, key);
  *fresh = slot[0] == 0;
  if (!*fresh) {
    return MS_OK;
  }
  memcpy(slot, key, set->words * sizeof *key);
  set->count++;
  return set->count > set->slots / 4 * 3 ? grow(set, err) : MS_OK;
}

bool ms_row_set_has(const ms_row_set *set, const uint32_t *row)
{
  uint64_t key[MAX_WORDS];
  pack(set, row, key);
  return find_slot(set, set->table, set->slots, key)[0] != 0;
}
