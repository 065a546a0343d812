/* A census and its permutations, on processors or on GPUs. */
#include "census/census.h"
#include "gpu/census/engine.h"
#include "significance/permute.h"

ms_status ms_census(const ms_graph *graph, const ms_coloring *coloring,
                    const ms_census_options *options, ms_census_result **out, ms_error *err)
{
  return ms_census_by(&ms_census_gpus, graph, coloring, options, out, err);
}

ms_status ms_census_vertices(const ms_graph *graph, const ms_coloring *coloring,
                             const ms_census_options *options, ms_census_fn receive, void *user,
                             ms_census_summary *summary, ms_error *err)
{
  return ms_census_vertices_by(&ms_census_gpus, graph, coloring, options, receive, user, summary,
                               err);
}

ms_status ms_census_permute(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *census, const ms_permutation_options *options,
                            const ms_census_result *observed, ms_permutation_result **out,
                            ms_error *err)
{
  return ms_census_permute_by(&ms_census_gpus, graph, coloring, census, options, observed, out,
                              err);
}
