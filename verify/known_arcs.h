/* Inside verify/: arcs between pairs of vertices that were looked up in a plain graph, for all
 * threads of a judge that checks many rows.
 *
 * It is a table of buckets, each with a few places.  A pair of vertices, the smaller one first, is
 * a number of 2 * half bits.  Multiplying it by an odd number is a bijection on such numbers, whose
 * upper bits are the pair's bucket and whose other bits are its tag: together they are the pair, so
 * that a place never speaks of another pair.  What a place holds is a fact about the graph, read or
 * searched for in its rows.  If several threads write at the same time, facts may be lost, and are
 * then searched for again.
 *
 * The table is made once so many rows came that it pays.  It has at least two places for each edge,
 * up to a bound.  With fewer rows, without memory, and where a tag would be too long, there is
 * none. */
#ifndef MS_VERIFY_KNOWN_ARCS_H
#define MS_VERIFY_KNOWN_ARCS_H

#include "base/budget.h"
#include "motifsieve.h"

#include <stdatomic.h>

typedef _Atomic uint64_t ms_arc_places; /* two places: one in each half */

/* Number of pairs of places of a bucket: a quarter of a line of memory. */
#define MS_BUCKET_WORDS 2u
/* A place: the tag, below it MS_KNOWN_ARCS, and two bits with the arcs; 0: empty. */
#define MS_KNOWN_ARCS 4u
#define MS_ARC_BITS 3u
#define MS_ARC_MULTIPLIER 0x9e3779b97f4a7c15u

/* What a pair's place depends on. */
typedef struct ms_arcs_shape {
  uint32_t half, bucket_bits; /* bits of a vertex, and of the number of a bucket */
} ms_arcs_shape;

typedef struct ms_known_arcs {
  ms_arcs_shape shape;
  uint64_t entries;        /* places of the table; 0: there can be none */
  uint64_t arcs;           /* entries of the graph's rows, or 0: the table has no room for all */
  ms_budget *budget;       /* NULL: no bound */
  _Atomic uint64_t rows;   /* checked before there was a table */
  atomic_bool tried;       /* some thread makes the table, or could not */
  _Atomic uint64_t filled; /* entries of the graph's rows that some thread puts in */
  ms_arc_places *_Atomic place; /* [entries / 2] NULL: not made yet */
} ms_known_arcs;

/* Prepares a table for a graph of n vertices whose rows have `arcs` entries. */
void ms_known_arcs_init(ms_known_arcs *known, uint32_t n, uint64_t arcs);
void ms_known_arcs_free(ms_known_arcs *known);
/* Notes that `count` further rows are checked.  Returns the table, or NULL: there is none yet. */
ms_arc_places *ms_known_arcs_for(ms_known_arcs *known, uint64_t count);
/* Puts the arcs of a pair, 0 to 3, into its bucket. */
void ms_known_arcs_put(ms_arcs_shape shape, ms_arc_places *bucket, uint64_t mixed, unsigned arcs);
/* Returns the begin of entries of the graph's rows that the caller should put into the table, and
 * sets *end behind them; *end if there are none.  So all threads fill a table that was just made,
 * in less time than searches take, if it has room for all edges. */
uint64_t ms_known_arcs_slice(ms_known_arcs *known, uint64_t *end);

/* Returns the number from which the bucket and the tag of a pair, low < high, follow. */
static inline uint64_t ms_arcs_mix(ms_arcs_shape shape, uint32_t low, uint32_t high)
{
  uint64_t pair = (uint64_t)low << shape.half | high;
  return (pair << (64 - 2 * shape.half)) * MS_ARC_MULTIPLIER;
}

static inline ms_arc_places *ms_arcs_bucket(ms_arcs_shape shape, ms_arc_places *place,
                                            uint64_t mixed)
{
  return place + (mixed >> (64 - shape.bucket_bits)) * MS_BUCKET_WORDS;
}

/* Asks for a bucket that is soon read. */
static inline void ms_arcs_fetch(ms_arcs_shape shape, ms_arc_places *place, uint64_t mixed)
{
  __builtin_prefetch((const void *)ms_arcs_bucket(shape, place, mixed));
}

/* Returns the tag, where it is in a place, with MS_KNOWN_ARCS. */
static inline uint32_t ms_arcs_tag(ms_arcs_shape shape, uint64_t mixed)
{
  uint64_t tag = mixed << shape.bucket_bits >> (64 - 2 * shape.half + shape.bucket_bits);
  return (uint32_t)(tag << MS_ARC_BITS) | MS_KNOWN_ARCS;
}

/* Returns the arcs of a pair, or more than 3 if the bucket does not have it.  There is no branch,
 * since nobody could predict which place it is. */
static inline uint32_t ms_arcs_find(ms_arc_places *bucket, uint32_t tag)
{
  uint64_t twice = (uint64_t)tag << 32 | tag;
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < MS_BUCKET_WORDS; i++) {
    uint64_t x = atomic_load_explicit(&bucket[i], memory_order_relaxed) ^ twice;
    uint32_t a = (uint32_t)x, b = (uint32_t)(x >> 32);
    least = a < least ? a : least;
    least = b < least ? b : least;
  }
  return least;
}

#endif
