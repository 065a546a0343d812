/* The numbers of vertices and edges of a plan, which most families check alike. */
#include "base/status.h"
#include "graph/generate/family.h"

ms_status ms_plan_vertices(ms_generate_plan *plan, uint64_t value, ms_error *err)
{
  if (value < 1 || value > MS_MAX_NAMES)
    return ms_fail(err, MS_ERR_USAGE, "%llu vertices are out of range; give from 1 to %u",
                   (unsigned long long)value, MS_MAX_NAMES);
  plan->n = (uint32_t)value;
  return MS_OK;
}

ms_status ms_plan_edges(ms_generate_plan *plan, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  uint64_t most = ms_pairs_of(plan->n);
  if ((o->given & MS_GEN_EDGES) && (o->given & MS_GEN_DEGREE))
    return ms_fail(err, MS_ERR_USAGE, "`edges` and `degree` mean the same; leave one out");
  if ((o->given & MS_GEN_DEGREE) && !(o->degree >= 0 && o->degree < plan->n))
    return ms_fail(err, MS_ERR_USAGE,
                   "a mean degree of %g does not fit %u vertices; give one from 0 to below their "
                   "number",
                   o->degree, plan->n);
  plan->m = o->given & MS_GEN_EDGES ? o->edges : (uint64_t)(o->degree * plan->n / 2 + 0.5);
  if (plan->m > most)
    return ms_fail(err, MS_ERR_USAGE,
                   "a simple graph on %u vertices has at most %llu edges, not %llu; give fewer",
                   plan->n, (unsigned long long)most, (unsigned long long)plan->m);
  return MS_OK;
}
