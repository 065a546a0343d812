/* Greatest constraint first: RI (Bonnici, Giugno, Pulvirenti, Shasha, Ferro,
 * "A subgraph isomorphism algorithm and its application to biochemical data",
 * BMC Bioinformatics 14, 2013), with domain sizes as in RI-DS (Bonnici and
 * Giugno, IEEE/ACM TCBB 14, 2017).
 *
 * The next vertex has the most neighbours among the matched vertices.  Ties are
 * broken by the most matched vertices with which it shares an unmatched
 * neighbour, then by the most neighbours that are adjacent to no matched vertex,
 * then by the smallest domain.  The first vertex of a component has the smallest
 * domain; ties are broken by the highest degree. */
#include "plan/match_order.h"

static void score_by_constraint(const ms_order_state *walk, uint32_t v, double score[MS_SCORES])
{
  const ms_shape *shape = walk->shape;
  ms_bitset own = ms_shape_near(shape, v), ahead = ms_bitset_minus(own, walk->done);
  ms_bitset unknown = ahead;
  uint32_t shared = 0;
  score[3] = -walk->input->domain[v];
  if (!ms_bitset_meets(own, walk->done)) {
    score[0] = score[3];
    score[1] = ms_bitset_count(own);
    score[2] = 0;
    return;
  }
  MS_EACH_MEMBER (w, walk->done) {
    ms_bitset theirs = ms_shape_near(shape, w);
    shared += ms_bitset_meets(theirs, ahead);
    unknown = ms_bitset_minus(unknown, theirs);
  }
  score[0] = ms_bitset_count(ms_bitset_and(own, walk->done));
  score[1] = shared;
  score[2] = ms_bitset_count(unknown);
}

void ms_order_ri(ms_order_state *walk)
{
  ms_order_state_greedily(walk, score_by_constraint);
}
