#include "verify/row_set.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/threads/watch.h"

#include <string.h>

#define FIRST_SLOTS ((size_t)1 << 12)
#define MAX_WORDS (MS_MAX_PATTERN / 2)

struct ms_row_set {
  uint32_t p, bits, words;
  uint64_t count;
  bool ascending;  /* all rows so far came in ascending order: the first `count` slots hold them in
                      this order */
  size_t slots;    /* otherwise a power of two, of which at most 3/4 are in use */
  uint64_t *table; /* [slots][words]; a slot is empty if its first word is 0 */
};

ms_status ms_row_set_new(uint32_t p, uint32_t n, ms_row_set **out, ms_error *err)
{
  *out = NULL;
  ms_row_set *set = ms_calloc(1, sizeof *set);
  if (!set)
    return ms_fail_memory(err, "the rows of the result file");
  set->p = p;
  set->bits = n ? 32 - (uint32_t)__builtin_clz(n) : 1;
  set->words = (p * set->bits + 63) / 64;
  set->ascending = true;
  *out = set;
  return MS_OK;
}

void ms_row_set_free(ms_row_set *set)
{
  if (set)
    ms_free(set->table);
  ms_free(set);
}

/* Packs a row into a key.  It numbers vertices from 1, so that the first word is never 0, and puts
 * the first vertex highest, so that keys compare as rows do. */
static void pack(const ms_row_set *set, const uint32_t *row, uint64_t *key)
{
  memset(key, 0, set->words * sizeof *key);
  for (uint32_t i = 0, at = 0; i < set->p; i++, at += set->bits) {
    uint64_t value = ((uint64_t)row[i] + 1) << (64 - set->bits);
    uint32_t shift = at % 64;
    key[at / 64] |= value >> shift;
    if (shift + set->bits > 64)
      key[at / 64 + 1] |= value << (64 - shift);
  }
}

static int compare(const ms_row_set *set, const uint64_t *a, const uint64_t *b)
{
  for (uint32_t w = 0; w < set->words; w++)
    if (a[w] != b[w])
      return a[w] < b[w] ? -1 : 1;
  return 0;
}

/* True if the key is among the ascending ones. */
static bool search_ascending(const ms_row_set *set, const uint64_t *key)
{
  uint64_t low = 0, high = set->count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    int order = compare(set, set->table + middle * set->words, key);
    if (order == 0)
      return true;
    low = order < 0 ? middle + 1 : low;
    high = order < 0 ? high : middle;
  }
  return false;
}

/* Returns the slot of the key, or the empty slot where it belongs. */
static uint64_t *find_slot(const ms_row_set *set, uint64_t *table, size_t slots,
                           const uint64_t *key)
{
  uint64_t hash = ms_hash_bytes(ms_hash_key_get(), key, set->words * sizeof *key);
  for (size_t slot = hash & (slots - 1);; slot = (slot + 1) & (slots - 1)) {
    uint64_t *at = table + slot * set->words;
    if (at[0] == 0 || memcmp(at, key, set->words * sizeof *key) == 0)
      return at;
  }
}

/* Moves the rows into a hash table of more than twice as many slots as rows. */
static ms_status rehash(ms_row_set *set, ms_error *err)
{
  size_t slots = FIRST_SLOTS, bytes = set->words * sizeof *set->table;
  while (slots <= 2 * set->count && slots < SIZE_MAX / 2)
    slots *= 2;
  uint64_t *table = ms_calloc(slots, bytes);
  if (!table)
    return ms_fail_memory(err, "the rows of the result file");
  size_t used = set->ascending ? set->count : set->slots;
  ms_watch watch;
  ms_watch_begin(&watch);
  for (size_t slot = 0; slot < used && !ms_watch_ended(&watch, slot); slot++) {
    const uint64_t *key = set->table + slot * set->words;
    if (key[0])
      memcpy(find_slot(set, table, slots, key), key, bytes);
  }
  ms_status status = ms_watch_report(&watch, "rows are compared", err);
  if (status != MS_OK) {
    ms_free(table);
    return status;
  }
  ms_free(set->table);
  set->table = table;
  set->slots = slots;
  set->ascending = false;
  return MS_OK;
}

/* Appends a key to the ascending ones. */
static ms_status append(ms_row_set *set, const uint64_t *key, ms_error *err)
{
  size_t bytes = set->words * sizeof *set->table;
  if (!MS_GROW_ROWS(set->table, bytes, set->slots, set->count, 1))
    return ms_fail_memory(err, "the rows of the result file");
  memcpy(set->table + set->count++ * set->words, key, bytes);
  return MS_OK;
}

ms_status ms_row_set_add(ms_row_set *set, const uint32_t *row, bool *fresh, ms_error *err)
{
  uint64_t key[MAX_WORDS];
  pack(set, row, key);
  int order = -1; /* order of the last row and this one */
  if (set->ascending && set->count > 0)
    order = compare(set, set->table + (set->count - 1) * set->words, key);
  *fresh = order != 0;
  if (order == 0)
    return MS_OK;
  if (order > 0)
    MS_TRY(rehash(set, err));
  if (set->ascending)
    return append(set, key, err);
  uint64_t *slot = find_slot(set, set->table, set->slots, key);
  *fresh = slot[0] == 0;
  if (!*fresh)
    return MS_OK;
  memcpy(slot, key, set->words * sizeof *key);
  set->count++;
  return set->count > set->slots / 4 * 3 ? rehash(set, err) : MS_OK;
}

bool ms_row_set_has(const ms_row_set *set, const uint32_t *row)
{
  uint64_t key[MAX_WORDS];
  pack(set, row, key);
  return set->ascending ? search_ascending(set, key)
                        : find_slot(set, set->table, set->slots, key)[0] != 0;
}
