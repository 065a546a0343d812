/* A Markov chain of labellings that holds the table of labelled edges; null_edges.c says for what.
 *
 * State: a labelling x, with the weight exp(-w D(x)), where D is the sum of |T - T0| over all pairs
 * of labels a <= b, T the table of x, T0 that of the graph.  A step is of one of four kinds, with
 * fixed probabilities.  Each kind fulfils the detailed balance with these weights, and so does
 * their mixture.
 *
 * 1. Any two.  Two vertices of one class with different labels are drawn; both orders of each pair
 *    are equally likely in each labelling.  Their swap is accepted with the probability
 *    min(1, exp(-w (D' - D))) (N. Metropolis et al., 1953).
 * 2. Neighbours.  A vertex and one of its neighbours are drawn: the graph alone says how likely a
 *    pair is.  If they are of one class, and would be alike without the edge between them, their
 *    swap does not change T, and they would still be so after it.  Always accepted.
 * 3. Alike.  A vertex u is drawn, and v from the n vertices that are alike with u (alike.h).
 *    Without an edge between them, their swap does not change T.  Both stay alike, with n' vertices
 *    after the swap, so that the swap back is drawn with probabilities in which n' has the place of
 *    n.  Accepted with min(1, n / n') (W. K. Hastings, 1970).
 * 4. Two swaps.  A swap is made that changes T, and then one that changes it back.
 *
 *    First, a vertex u is drawn, one of its neighbours, whose label is c, and d: no label, or the
 *    label of a vertex that is drawn.  v is drawn from the l(v) vertices that would be alike with u
 *    if that neighbour had the label d, or were not there.  u gets b, the label of v, and v gets a,
 *    that of u.  So edges a-c become b-c, and b-d become a-d.
 *
 *    Let x' be the labelling then.  A way back is a pair of vertices u*, v* without an edge between
 *    them, where u* has the label b, a neighbour with the label c, and v*, which has the label a,
 *    would be alike with u* if that neighbour had the label d: a swap changes T back.  (u, v) is
 * one. The vertices with the label b are in a circle (by whose label they have: from[]).  From u
 * on, in a direction that is drawn, each u* in turn draws one of the vertices that its v* must be
 *    among.  The first one that draws a way back is taken.  At most MS_TABLE_LOOK are looked at.
 *
 *    From the labelling y after that swap, the same kind of step may swap u* and v* first, which
 *    makes x', go through the circle in the other direction, where the vertices between draw the
 *    same, and where u is the first one with a way back if it draws v.  With N(u) the number of
 *    neighbours of u with the label c, deg(u) that of all, l_x, l_x' and l_y numbers of vertices to
 *    draw from in these labellings, the way from x to y through x' has the probability
 *    K N(u) / deg(u) / l_x(v) / l_x'(v*), and the way back K N(u*) / deg(u*) / l_y(v*) / l_x'(v),
 * with the same K.  Accepted with min(1, second / first).  (Each way has its own way back with the
 *    same x', and so the sum over all ways is in balance, too.)
 *
 * Kinds 2 to 4 hold T, whatever it is.  Kind 1 alone connects all labellings that the chain of
 * it alone connects, and the mixture connects no fewer. */
#ifndef MS_SIGNIFICANCE_TABLE_CHAIN_H
#define MS_SIGNIFICANCE_TABLE_CHAIN_H

#include "significance/alike.h"
#include "significance/draws.h"
#include "significance/nulls.h"

/* Of 16 steps, on average; the others are of kind 1. */
#define MS_TABLE_ALIKE 4u
#define MS_TABLE_NEIGHBORS 2u
#define MS_TABLE_TWO 6u
#define MS_TABLE_LOOK 1024u
#define MS_TABLE_MOST_CHANGE 64 /* greater changes of D are looked up as this one */

typedef struct ms_table_chain {
  const ms_null *null;
  ms_draws draws;
  uint32_t *from;  /* [n] of the caller: the label of v is that of from[v] in the graph */
  uint32_t *to;    /* [n] the vertex that has it: to[from[v]] is v */
  uint16_t *label; /* [n] at this moment */
  int32_t *table;  /* [labels][labels] T - T0 at a <= b */
  int64_t sum;     /* D */
  uint64_t accept[MS_TABLE_MOST_CHANGE + 1]; /* of 2^64: the probability of each change of D */
  ms_alike *alike;
  ms_null_trace trace;
} ms_table_chain;

/* Makes a chain that stands at the labelling from[]; table[][]: its T - T0; NULL: zeros. */
ms_status ms_table_chain_open(ms_table_chain *c, const ms_null *null, double weight, uint32_t *from,
                              const int32_t *table, ms_error *err);
void ms_table_chain_close(ms_table_chain *c);
/* Tries one step. */
ms_status ms_table_chain_step(ms_table_chain *c, ms_error *err);
/* Returns about how many bytes a chain takes. */
uint64_t ms_table_chain_bytes(const ms_null *null);

#endif
