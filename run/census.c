/* A census, on processors or on GPUs. */
#include "census/census.h"
#include "gpu/census/engine.h"

ms_status ms_census(const ms_graph *graph, const ms_coloring *coloring,
                    const ms_census_options *options, ms_census_result **out, ms_error *err)
{
  return ms_census_by(&ms_census_gpus, graph, coloring, options, out, err);
}
