/* Numbers of sets by multisets, in hash tables: for censuses of so many motifs that most of them
 * do not occur. */
#ifndef MS_CENSUS_TALLY_H
#define MS_CENSUS_TALLY_H

#include "base/budget.h"
#include "census/multisets.h"

#include <pthread.h>

#define MS_NO_KIND UINT16_MAX

/* A multiset of kinds, ascending; MS_NO_KIND in the places behind the last one. */
typedef struct ms_multiset {
  ms_kind_id kind[MS_MAX_CENSUS];
} ms_multiset;

/* Sets *to to the multiset `from` of `size` kinds with one more. */
static inline void ms_multiset_insert(const ms_multiset *from, uint32_t size, ms_kind_id kind,
                                      ms_multiset *to)
{
  *to = *from;
  uint32_t at = size < MS_MAX_CENSUS ? size : MS_MAX_CENSUS - 1; /* it is less: for the compiler */
  for (; at > 0 && to->kind[at - 1] > kind; at--)
    to->kind[at] = to->kind[at - 1];
  to->kind[at] = kind;
}

/* Compares by the first kind that differs. */
int ms_multiset_compare(const ms_multiset *a, const ms_multiset *b);

typedef struct ms_tally_entry {
  ms_multiset key;
  uint64_t sets; /* 0: the place is free */
} ms_tally_entry;

typedef struct ms_tally {
  ms_tally_entry *entry; /* [2^bits] */
  uint32_t bits;
  uint64_t used;
  ms_budget *budget; /* for growing */
  bool overflow;     /* a number of sets has no 64 bits */
} ms_tally;

/* A tally has room for 2^bits / 2 multisets, and then grows.  Returns false, and opens nothing, if
 * there is no memory, of the budget or of the system. */
bool ms_tally_open(ms_tally *tally, uint32_t bits, ms_budget *budget);
void ms_tally_close(ms_tally *tally);
void ms_tally_clear(ms_tally *tally);
uint64_t ms_multiset_hash(const ms_multiset *key);
/* Returns the number of a key, which must become more than 0 if it is 0: then the key is new. NULL:
 * there is no memory.  `hash`: that of the key. */
uint64_t *ms_tally_number(ms_tally *tally, const ms_multiset *key, uint64_t hash);
/* Adds sets > 0.  `hash`: that of the key.  Returns false, and adds nothing, if there is no
 * memory. */
bool ms_tally_add(ms_tally *tally, const ms_multiset *key, uint64_t hash, uint64_t sets);
/* Moves the entries to the front, in ascending order of their keys, and returns their number.
 * Nothing may be added before the tally is cleared. */
uint64_t ms_tally_sort(ms_tally *tally);

/* ---- one that several threads share ---------------------------------------------------- */

enum { MS_TALLY_SHARDS = 64 };

typedef struct ms_shared_tally {
  bool has_groups; /* keys with the same kinds but for the lowest two, or the lowest of two, are in
                      one shard */
  struct {
    pthread_mutex_t lock;
    ms_tally tally;
  } shard[MS_TALLY_SHARDS];
} ms_shared_tally;

bool ms_shared_tally_open(ms_shared_tally *shared, ms_budget *budget);
void ms_shared_tally_close(ms_shared_tally *shared);
/* As ms_tally_add. */
bool ms_shared_tally_add(ms_shared_tally *shared, const ms_multiset *key, uint64_t sets);
/* Adds all entries of the tally, which it clears.  Returns false if there is no memory; then only
 * some were added. */
bool ms_shared_tally_take(ms_shared_tally *shared, ms_tally *tally);
/* Returns the number of entries. */
uint64_t ms_shared_tally_count(const ms_shared_tally *shared);

#endif
