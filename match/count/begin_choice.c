#include "match/count/begin_choice.h"

#include <math.h>

double ms_begin_limit(const ms_begin *b)
{
  if (b->restricted)
    return b->start * fmin(b->threads, MS_BEGIN_SPEEDUP);
  return b->start * (MS_BEGIN_WHOLE / MS_BEGIN_RESTRICTED); /* too short for threads to gain */
}

bool ms_begins_on_gpu(const ms_begin *b)
{
  return b->steps > ms_begin_limit(b);
}

double ms_expected_partial_matches(const ms_pattern_index *index, const ms_shape *shape,
                                   const ms_domain *domain)
{
  double ends = index->arcs > 0 ? index->square_degrees / (double)index->arcs : 0;
  double share = ends / (index->n > 0 ? index->n : 1), nodes = 1, all = 0;
  ms_bitset taken = ms_bitset_below(0);
  for (uint32_t level = 0; level < shape->n; level++) {
    uint32_t next = UINT32_MAX;
    for (uint32_t i = 0; i < shape->n; i++)
      if (!ms_bitset_has(&taken, i) &&
          (level == 0 || ms_bitset_meets(ms_shape_near(shape, i), taken)) &&
          (next == UINT32_MAX || domain[i].count < domain[next].count))
        next = i;
    if (next == UINT32_MAX)
      break; /* another component */
    ms_bitset_add(&taken, next);
    nodes *= level == 0 ? domain[next].count : share * domain[next].count;
    all += nodes;
  }
  return all;
}
