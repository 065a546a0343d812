/* Counts maps of a pattern by the elimination of its vertices (match/count/elimination.h).
 *
 * A vertex of the pattern that is not fixed has a set of candidates with weights: the numbers of
 * ways to match what was eliminated next to it.  To fix a vertex at an image restricts its
 * neighbours to the row of that image, and takes the image from the candidates of all others.  A
 * vertex u with one neighbour w left is eliminated by a *message*: the weight of each candidate z
 * of w is multiplied by the sum of the weights of u's candidates in the row of z.  The pattern
 * falls into components as vertices are fixed and eliminated, and the numbers of components are
 * multiplied.  This is variable elimination (Dechter, Artificial Intelligence 113, 1999) with
 * conditioning. */
#ifndef MS_MATCH_CPU_ELIMINATION_H
#define MS_MATCH_CPU_ELIMINATION_H

#include "base/wide.h"
#include "match/engine.h"

struct ms_budget;

#define MS_ELIMINATION_VERTICES 7u
#define MS_ELIMINATION_NODES 32u
#define MS_NO_VERTEX UINT8_MAX

typedef struct ms_elimination_message {
  uint8_t from, to;
  uint8_t times; /* equal vertices that are eliminated with `from` */
} ms_elimination_message;

/* What is done with a component: messages, then a vertex is fixed at each of its candidates and the
 * components of the rest are counted, or the weights of the only vertex left are added. */
typedef struct ms_elimination_node {
  ms_elimination_message message[MS_ELIMINATION_VERTICES]; /* [messages] */
  uint8_t messages;
  uint8_t fixed; /* MS_NO_VERTEX: the weights of `last` are added */
  uint8_t last;
  uint32_t rest; /* bits of the vertices that are left when `fixed` is fixed */
  uint8_t child[MS_ELIMINATION_VERTICES]; /* [children] nodes */
  uint8_t times[MS_ELIMINATION_VERTICES]; /* [children] equal components */
  uint8_t children;
} ms_elimination_node;

typedef struct ms_elimination_plan {
  uint32_t n;
  uint32_t near[MS_ELIMINATION_VERTICES]; /* [n] bits of the neighbours in the pattern */
  ms_elimination_node node[MS_ELIMINATION_NODES];
  uint32_t nodes;
  /* Nodes without messages that fix a vertex at each vertex of the graph.  The last one makes the
   * sum.  The products of each other one multiply the weights of its vertex, from where the part
   * that is then counted hangs. */
  uint8_t step[MS_ELIMINATION_VERTICES]; /* [steps] */
  uint32_t steps;
} ms_elimination_plan;

/* Sets `sum` to the number of maps in which each vertex is at some vertex of the index, adjacent
 * ones at adjacent ones, and none at the image of a vertex that was fixed while it was left.  *fit:
 * it was counted; otherwise a weight has more than 64 bits, a sum more than 128, or the budget
 * (NULL: no bound) has no room, and `sum` is 0.  Stops as ms_rooted_sum, with 0. */
ms_status ms_elimination_count(const ms_pattern_index *index, const ms_elimination_plan *plan,
                               int threads, const ms_stop *stop, ms_progress_fn progress,
                               void *progress_user, struct ms_budget *budget, mpz_t sum, bool *fit,
                               ms_error *err);

#endif
