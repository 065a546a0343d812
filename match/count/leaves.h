/* Counts in shares.
 *
 * A count combines numbers that engines find: it multiplies those of components, subtracts those of
 * quotients, and so on (count.h).  These numbers are its *leaves*.  Each is a sum over units
 * (units.h), so that the leaves of shares that together hold each unit once add up, one by one, to
 * those of the whole count.  Which leaves there are does not depend on their values, nor on threads
 * and devices: with leaves, every plan is made by one thread, for the engine `planner`.  Shares
 * whose planners differ are shares of different counts, and are refused by their checksums.
 *
 * A share is counted by ms_count_maps with query->leaves, which fills leaf[] with what the share
 * adds.  (What ms_count_maps says is of no use then.)  Once all shares are added,
 * ms_count_maps with `replays` finds the number of maps: it goes the same way, and reads each leaf
 * in place of counting it.  A leaf has a checksum of what it counts, so that leaves of another
 * query, graph, or way to count are refused. */
#ifndef MS_MATCH_COUNT_LEAVES_H
#define MS_MATCH_COUNT_LEAVES_H

#include "match/engine.h"

typedef struct ms_count_leaf {
  mpz_t value;
  uint32_t sum; /* CRC-32C of what it counts */
} ms_count_leaf;

typedef struct ms_count_leaves {
  const ms_share *share; /* NULL: all units */
  bool replays;
  const ms_pattern_engine *planner; /* plans are made for this engine; NULL: for processors */
  /* Runs the programs that it supports; NULL: the CPU's runs all.  An engine on GPUs runs programs
   * that were planned for processors, too, but they may be bad ones for it. */
  const ms_pattern_engine *engine;
  struct ms_count_choices *choices; /* of earlier shares (count_choice.h); NULL: none are kept */
  ms_integrity *integrity;          /* NULL: copies from GPUs are not checked */
  ms_count_leaf *leaf;              /* [count] */
  uint64_t count, room;
  uint64_t next; /* leaf to replay */
} ms_count_leaves;

/* Removes all leaves, before a share is counted. */
void ms_count_leaves_clear(ms_count_leaves *leaves);
void ms_count_leaves_free(ms_count_leaves *leaves);
/* Appends a leaf. */
ms_status ms_count_leaves_append(ms_count_leaves *leaves, const mpz_t value, uint32_t sum,
                                 ms_error *err);
/* Adds the leaves of another share.  A sum without leaves receives copies.  MS_ERR_USAGE: they are
 * leaves of another count. */
ms_status ms_count_leaves_add(ms_count_leaves *sum, const ms_count_leaves *share, ms_error *err);
/* Prepares to replay the sum of all shares. */
void ms_count_leaves_rewind(ms_count_leaves *leaves);
/* Sets `value` to the next leaf.  MS_ERR_USAGE: it is one of another count. */
ms_status ms_count_leaves_replay(ms_count_leaves *leaves, uint32_t sum, mpz_t value, ms_error *err);

/* Returns a checksum of a program; `what` tells apart several numbers of one program. */
uint32_t ms_count_leaf_sum(const ms_program *program, const char *what);

#endif
