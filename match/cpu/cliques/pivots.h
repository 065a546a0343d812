/* The tree of one root of a count of cliques (cliques.h), and its paths of instructions. */
#ifndef MS_MATCH_CPU_CLIQUES_PIVOTS_H
#define MS_MATCH_CPU_CLIQUES_PIVOTS_H

#include "match/cpu/sorted.h"

#include "base/units.h"

#include <gmp.h>

#define MS_PIVOT_SETS 3u /* sets of a level: its candidates, and two kinds of them */

/* Leaves with so many vertices that are held and free, and pairs that exclude each other. */
typedef struct ms_pivot_leaves {
  uint32_t held, spare, pairs;
  uint64_t count; /* 0: an unfilled slot of the table */
} ms_pivot_leaves;

/* The state of one thread. */
typedef struct ms_pivots {
  uint32_t least, most; /* sizes that are asked for */
  /* ---- the root */
  uint32_t n;    /* candidates: neighbours of the root behind it */
  size_t words;  /* of a set of candidates */
  uint64_t *row; /* [n][words] the neighbours of each candidate among them */
  uint64_t *set; /* [levels][MS_PIVOT_SETS][words] */
  /* few candidates are numbered anew, so that each set of them has one word */
  const uint64_t *narrow; /* the rows of sets of one word */
  uint64_t narrow_row[64];
  uint64_t *narrow_set; /* [levels][MS_PIVOT_SETS] */
  /* ---- the part of the root: vertices that are held first are numbered, and number i is in part
   * i % parts */
  uint32_t parts, first_part, last_part, held_first;
  uint64_t unit_of_root;
  const ms_share *share;
  bool has_rest; /* what no vertex is held for is in the part, too */
  /* ---- what was found */
  ms_pivot_leaves *leaf; /* [room], a table with linear probing; room is 0 or a power of two */
  uint32_t room, leaves;
  ms_wide_size *exact;  /* [most + 1] cliques of each size that no leaf has */
  uint64_t nodes, held; /* of all trees: looks at candidates, and vertices that were held */
  /* ---- time */
  int64_t allowance;                      /* work until `look` is called */
  uint64_t spent;                         /* work since it was called last */
  bool (*look)(struct ms_pivots *pivots); /* false: the tree ends here */
  bool no_memory;
} ms_pivots;

/* One path of instructions. */
typedef struct ms_pivots_path {
  const char *name;
  /* Visits the part of the root.  Returns false where `look` has ended it, or without memory. */
  bool (*visit)(ms_pivots *pivots);
} ms_pivots_path;

/* Counts one more leaf.  False: there is no memory. */
bool ms_pivots_add_leaf(ms_pivots *pivots, uint32_t held, uint32_t spare, uint32_t pairs,
                        uint64_t count);

/* Sets sum[0 .. most], which are 0, to the coefficients of the sum of all x^held (1 + x)^spare
 * (1 + 2x)^pairs, by Horner's scheme in 1 + x and 1 + 2x.  same[most + 1] are 0, before and after.
 * It sorts the leaves. */
void ms_pivots_expand(ms_pivot_leaves *leaf, uint32_t count, uint32_t most, mpz_t *sum,
                      mpz_t *same);

extern const ms_pivots_path ms_pivots_portable;
#ifdef MS_X86_64
extern const ms_pivots_path ms_pivots_avx2;
#endif

#endif
