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
  uint64_t own = ms_shape_near(shape, v), ahead = own & ~walk->done, unknown = ahead;
  uint32_t shared = 0;
  score[3] = -walk->input->domain[v];
  if (!(own & walk->done)) {
    score[0] = score[3];
    score[1] = ms_size_of(own);
    score[2] = 0;
    return;
  }
  for (uint64_t rest = walk->done; rest; rest &= rest - 1) {
    uint64_t theirs = ms_shape_near(shape, ms_lowest(rest));
    shared += (theirs & ahead) != 0;
    unknown &= ~theirs;
  }
  score[0] = ms_size_of(own & walk->done);
  score[1] = shared;
  score[2] = ms_size_of(unknown);
}

void ms_order_ri(ms_order_state *walk)
{
  ms_order_state_greedily(walk, score_by_constraint);
}
