/* Highest degree first (Xiang, Khan, Serra, Halappanavar, Sukumaran-Rajam,
 * "cuTS: scaling subgraph isomorphism on distributed multi-GPU systems using
 * trie based data structure", SC'21): the order begins with the vertex of the
 * highest degree and continues with the neighbour of the highest degree.  Ties
 * are broken by more matched neighbours, then by the smaller domain. */
#include "plan/match_order.h"

static void score_by_degree(const ms_order_state *walk, uint32_t v, double score[MS_SCORES])
{
  ms_bitset near = ms_shape_near(walk->shape, v);
  score[0] = ms_bitset_count(near);
  score[1] = ms_bitset_count(ms_bitset_and(near, walk->done));
  score[2] = -walk->input->domain[v];
  score[3] = 0;
}

void ms_order_degree(ms_order_state *walk)
{
  ms_order_state_greedily(walk, score_by_degree);
}
