/* The surroundings of a root in a sparse graph, as a small graph of bits.
 *
 * The ball of a root holds the ranks above the root that are at most k - 1 steps away through such
 * ranks, and that fit beside the root.  Its members are numbered as they are found, and the matches
 * of the root are counted in it (count_sets.h). */
#ifndef MS_MOTIF_BALL_H
#define MS_MOTIF_BALL_H

#include "motif/kinds.h"

#define MS_BALL_WORDS 8u /* of a row */
#define MS_BALL_BITS 9u
#define MS_BALL_MOST (1u << MS_BALL_BITS)
#define MS_BALL_FOLDED_KINDS 16u /* most kinds where three levels are folded */

typedef struct ms_ball {
  uint64_t number;    /* how many balls have been made; the states of sets carry it (ms_fit.of) */
  uint64_t reads;     /* neighbours that were read to make it, also if it became too large */
  uint32_t size;      /* members */
  uint32_t neighbors; /* members 0..neighbors-1 are next to the root */
  uint32_t outer;     /* the last so many members are k - 1 steps away */
  uint32_t kinds;     /* of the members */
  uint32_t kind[MS_BALL_MOST];                /* [kinds] */
  uint64_t bits[MS_BALL_MOST][MS_BALL_WORDS]; /* [kinds] the members of each kind */
  uint64_t row[MS_BALL_MOST][MS_BALL_WORDS];  /* [size] of members less than k - 1 steps away */
  uint32_t rank[MS_BALL_MOST];                /* [size] */
  uint16_t kind_of[MS_BALL_MOST];             /* [size] below `kinds` */

  /* private */
  const ms_kinds *of;
  uint32_t *rank_kind;  /* [n] */
  uint32_t *place;      /* [n] the member, below the number of the ball in which it is that */
  uint32_t *kind_place; /* [kinds of the graph] the same for kind[] */
} ms_ball;

/* `kinds` must outlive the ball. */
ms_status ms_ball_new(const ms_kinds *kinds, ms_ball **out, ms_error *err);
void ms_ball_free(ms_ball *ball);
/* Makes the ball of a root; `fit` is the state of the root alone.  Returns false if it would have
 * too many members.  With dead[n] it holds all ranks but those with 1, also those below the root.
 */
bool ms_ball_make(ms_ball *ball, uint32_t root, const ms_fit *fit, const uint8_t *dead);

#endif
