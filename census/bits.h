/* Neighbours as bits, for graphs with hubs.
 *
 * The last level of a census counts, for a set S and a candidate u, the neighbours of u by kind
 * that are neither in S nor next to it.  Where u has many neighbours, its row of bits is compared
 * with the bits of all free vertices, 64 at a time, in place of a look at each neighbour.  The
 * vertices of one kind have their bits beside each other, from the first bit of a word on, so that
 * the number of a kind is the number of bits in some words.  The numbers of candidates of the same
 * kind are added word by word, since they belong to the same row. */
#ifndef MS_CENSUS_BITS_H
#define MS_CENSUS_BITS_H

#include "base/budget.h"
#include "census/graph.h"

/* Adds, for each word i, the number of bits of row[i] & free[i] to sum[i]. */
typedef void ms_bits_add_fn(uint64_t *sum, const uint64_t *row, const uint64_t *free,
                            uint32_t words);

typedef struct ms_bits_kernel {
  const char *name;
  ms_bits_add_fn *add;
  double neighbors; /* that are looked at in the time of a word */
} ms_bits_kernel;

extern const ms_bits_kernel ms_bits_portable, ms_bits_popcnt256, ms_bits_popcnt512;
/* Returns kernel i that this machine has, a faster one for a larger i; NULL: there are no more. */
const ms_bits_kernel *ms_bits_at(unsigned i);

typedef struct ms_census_bits {
  const ms_bits_kernel *kernel;
  uint32_t least;   /* a candidate with fewer neighbours is counted by a look at each */
  uint32_t words;   /* of a row */
  uint32_t *word;   /* [kinds + 1] the first word of each kind */
  uint32_t *place;  /* [n] the bit of each rank */
  uint32_t *number; /* [n] of the rank's row, plus 1; 0: it has none */
  uint64_t *row;    /* [rows][words] */
  uint64_t bytes;   /* that it reserved */
} ms_census_bits;

/* Makes the rows of all vertices for which they save time; without such a vertex, or where they do
 * not fit an eighth of what the budget has left, *out is NULL. */
ms_status ms_census_bits_new(const ms_census_graph *g, ms_budget *budget, ms_census_bits **out,
                             ms_error *err);
void ms_census_bits_free(ms_census_bits *bits, ms_budget *budget); /* accepts NULL */
/* Returns the bytes that each thread needs for its words and its lists of candidates. */
uint64_t ms_census_bits_of_thread(const ms_census_graph *g, const ms_census_bits *bits);

#endif
