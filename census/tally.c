#include "census/tally.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 8u /* of a shard */

int ms_multiset_compare(const ms_multiset *a, const ms_multiset *b)
{
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    if (a->kind[i] != b->kind[i])
      return a->kind[i] < b->kind[i] ? -1 : 1;
  return 0;
}

uint64_t ms_multiset_hash(const ms_multiset *key)
{
  const ms_hash_key *random = ms_hash_key_get();
  uint64_t word[2];
  memcpy(word, key->kind, sizeof word);
  return ms_hash_word(random, word[0] ^ ms_hash_word(random, word[1]));
}

static uint64_t bytes_of(uint32_t bits)
{
  return sizeof(ms_tally_entry) << bits;
}

bool ms_tally_open(ms_tally *tally, uint32_t bits, ms_budget *budget)
{
  *tally = (ms_tally){.bits = bits, .budget = budget};
  if (!ms_budget_reserve(budget, bytes_of(bits)))
    return false;
  tally->entry = ms_calloc((size_t)1 << bits, sizeof *tally->entry);
  if (!tally->entry)
    ms_budget_release(budget, bytes_of(bits));
  return tally->entry != NULL;
}

void ms_tally_close(ms_tally *tally)
{
  if (tally->entry) {
    ms_free(tally->entry);
    ms_budget_release(tally->budget, bytes_of(tally->bits));
    tally->entry = NULL;
  }
}

void ms_tally_clear(ms_tally *tally)
{
  memset(tally->entry, 0, bytes_of(tally->bits));
  tally->used = 0;
}

/* Returns the entry of the key, or the free one where it belongs. */
static ms_tally_entry *find(const ms_tally *tally, const ms_multiset *key, uint64_t hash)
{
  uint64_t last = ((uint64_t)1 << tally->bits) - 1, at = hash >> (64 - tally->bits);
  while (tally->entry[at].sets > 0 && memcmp(&tally->entry[at].key, key, sizeof *key) != 0)
    at = (at + 1) & last;
  return &tally->entry[at];
}

static bool grow(ms_tally *tally)
{
  ms_tally larger;
  if (!ms_tally_open(&larger, tally->bits + 1, tally->budget))
    return false;
  for (uint64_t i = 0; i < (uint64_t)1 << tally->bits; i++) {
    const ms_tally_entry *entry = &tally->entry[i];
    if (entry->sets > 0)
      *find(&larger, &entry->key, ms_multiset_hash(&entry->key)) = *entry;
  }
  larger.used = tally->used;
  larger.overflow = tally->overflow;
  ms_tally_close(tally);
  *tally = larger;
  return true;
}

uint64_t *ms_tally_number(ms_tally *tally, const ms_multiset *key, uint64_t hash)
{
  ms_tally_entry *entry = find(tally, key, hash);
  if (entry->sets == 0) {
    if (tally->used >= (uint64_t)1 << (tally->bits - 1)) {
      if (!grow(tally))
        return NULL;
      entry = find(tally, key, hash);
    }
    entry->key = *key;
    tally->used++;
  }
  return &entry->sets;
}

bool ms_tally_add(ms_tally *tally, const ms_multiset *key, uint64_t hash, uint64_t sets)
{
  uint64_t *number = ms_tally_number(tally, key, hash);
  if (number)
    tally->overflow |= __builtin_add_overflow(*number, sets, number);
  return number != NULL;
}

static int by_key(const void *a, const void *b)
{
  const ms_tally_entry *x = a, *y = b;
  return ms_multiset_compare(&x->key, &y->key);
}

uint64_t ms_tally_sort(ms_tally *tally)
{
  uint64_t count = 0;
  for (uint64_t i = 0; i < (uint64_t)1 << tally->bits; i++)
    if (tally->entry[i].sets > 0)
      tally->entry[count++] = tally->entry[i];
  qsort(tally->entry, count, sizeof *tally->entry, by_key);
  return count;
}

/* ---- shared tallies ------------------------------------------------------------------- */

bool ms_shared_tally_open(ms_shared_tally *shared, ms_budget *budget)
{
  bool ok = true;
  memset(shared, 0, sizeof *shared);
  for (int i = 0; i < MS_TALLY_SHARDS; i++) {
    pthread_mutex_init(&shared->shard[i].lock, NULL);
    ok = ok && ms_tally_open(&shared->shard[i].tally, FIRST_BITS, budget);
  }
  if (!ok)
    ms_shared_tally_close(shared);
  return ok;
}

void ms_shared_tally_close(ms_shared_tally *shared)
{
  for (int i = 0; i < MS_TALLY_SHARDS; i++) {
    ms_tally_close(&shared->shard[i].tally);
    pthread_mutex_destroy(&shared->shard[i].lock);
  }
}

bool ms_shared_tally_add(ms_shared_tally *shared, const ms_multiset *key, uint64_t sets)
{
  uint64_t hash = ms_multiset_hash(key);
  ms_multiset group = *key;
  group.kind[0] = MS_NO_KIND;
  if (key->kind[2] != MS_NO_KIND)
    group.kind[1] = MS_NO_KIND;
  int shard = (int)((shared->has_groups ? ms_multiset_hash(&group) : hash) % MS_TALLY_SHARDS);
  pthread_mutex_lock(&shared->shard[shard].lock);
  bool ok = ms_tally_add(&shared->shard[shard].tally, key, hash, sets);
  pthread_mutex_unlock(&shared->shard[shard].lock);
  return ok;
}

bool ms_shared_tally_take(ms_shared_tally *shared, ms_tally *tally)
{
  bool ok = true;
  for (uint64_t i = 0; ok && i < (uint64_t)1 << tally->bits; i++) {
    const ms_tally_entry *entry = &tally->entry[i];
    if (entry->sets > 0)
      ok = ms_shared_tally_add(shared, &entry->key, entry->sets);
  }
  ms_tally_clear(tally);
  return ok;
}

uint64_t ms_shared_tally_count(const ms_shared_tally *shared)
{
  uint64_t count = 0;
  for (int i = 0; i < MS_TALLY_SHARDS; i++)
    count += shared->shard[i].tally.used;
  return count;
}
