/* Inside motif/: a region whose last three levels are folded (count_three.h), as its threads see
 * it. */
#ifndef MS_MOTIF_COUNT_THREE_REGION_H
#define MS_MOTIF_COUNT_THREE_REGION_H

#include "base/compiler.h"
#include "motif/count/count_three.h"
#include "motif/kinds.h"
#include "motif/states.h"

#define MS_THREE_KINDS 8u

/* Three kinds, ascending, whose vertices complete a set if they all are candidates. */
typedef struct ms_three_triple {
  uint8_t kind[3];
} ms_three_triple;

/* Candidates of the kinds a <= b, and a vertex of the kind c that is next to one of them. */
typedef struct ms_three_pair {
  uint8_t a, b, c;
} ms_three_pair;

/* What completes the sets of one state. */
typedef struct ms_three_fold {
  uint64_t third[MS_THREE_KINDS][MS_THREE_KINDS]; /* lanes of the kinds that complete the set with
                                             two more vertices of these kinds */
  uint64_t outer[MS_THREE_KINDS]; /* lanes of the kinds that one of these can lead to */
  uint32_t triples, pairs;
  ms_three_triple triple[120];
  ms_three_pair pair[288];
} ms_three_fold;

struct ms_three {
  const ms_ranked *ranked;
  ms_kinds kinds;
  ms_states *states;
  uint32_t bits;     /* of a lane */
  uint32_t *fold_of; /* [states] of sets of size - 3 */
  ms_three_fold *folds;
  uint8_t *in_triangle; /* [n] 1: an edge of the rank may be in a triangle */
  uint8_t *kind_of;     /* [n] */
  uint64_t degree;      /* the greatest */
  uint64_t candidates;  /* the most that a set can have */
  ms_budget *budget;
  uint64_t reserved;
};

/* Returns the bytes of memory that a thread of the counting needs (count_three.c). */
uint64_t ms_three_thread_bytes(const ms_three *three);

/* ---- lanes ---------------------------------------------------------------------------- */

MS_ALWAYS_INLINE uint64_t ms_three_unit(uint32_t kind, uint32_t bits)
{
  return bits == 64 ? 1 : UINT64_C(1) << kind * bits;
}

MS_ALWAYS_INLINE uint64_t ms_three_lane(uint32_t bits)
{
  return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Adds up the lanes of x; the sum has to fit into one. */
MS_ALWAYS_INLINE uint64_t ms_three_sum_lanes(uint64_t x, uint32_t bits)
{
  return bits == 64 ? x : x * (UINT64_MAX / ms_three_lane(bits)) >> (64 - bits);
}

#endif
