/* A census, its permutations, and comparisons of censuses, on processors or on GPUs. */
#include "base/options.h"
#include "base/status.h"
#include "census/accelerator.h"
#include "parts/log.h"
#include "run/census/shape_formulas.h"
#include "run/units/census_units.h"
#include "run/units/vertex_rows.h"
#include "significance/compare.h"
#include "significance/permute/permute.h"

ms_status ms_census(const ms_graph *graph, const ms_coloring *coloring,
                    const ms_census_options *options, ms_census_result **out, ms_error *err)
{
  ms_census_options o;
  ms_division division;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, options, &o, err));
  MS_TRY(ms_division_take_checked(&o.run.division, &division, err));
  const ms_census_accelerator helpers = ms_census_helpers();
  if (o.run.division)
    return ms_census_divided(&helpers, graph, coloring, &o, out, err);
  return ms_census_by(&helpers, graph, coloring, &o, NULL, out, err);
}

/* The receiver of ms_census_vertices. */
typedef struct vertex_receiver {
  ms_census_fn receive;
  void *user;
} vertex_receiver;

/* Passes on a vertex that is not cut; an ms_census_part_fn. */
static bool pass_whole(void *user, const ms_census_part *part)
{
  const vertex_receiver *r = user;
  return r->receive(r->user, part->vertex);
}

ms_status ms_census_vertices(const ms_graph *graph, const ms_coloring *coloring,
                             const ms_census_options *options, ms_census_fn receive, void *user,
                             ms_census_summary *summary, ms_error *err)
{
  ms_census_options o;
  ms_division division;
  vertex_receiver whole = {receive, user};
  MS_TRY(ms_options_take(&ms_census_options_kind, options, &o, err));
  MS_TRY(ms_division_take(&o.run.division, &division, err));
  if (o.run.division && (division.parts > 0 || division.crew))
    return ms_division_refuse(o.run.division, "a census of each vertex", err);
  if (!o.run.division)
    return ms_census_vertices_by(&ms_census_gpus, graph, coloring, options, receive, user, summary,
                                 err);
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(receive, err);
  MS_TRY(ms_census_complete(&o, err));
  return ms_census_vertices_divided(&ms_census_gpus, graph, coloring, &o, pass_whole, &whole,
                                    summary, err);
}

ms_status ms_census_permute(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *census, const ms_permutation_options *options,
                            const ms_census_result *observed, ms_permutation_result **out,
                            ms_error *err)
{
  const ms_census_accelerator helpers = ms_census_helpers();
  return ms_census_permute_by(&helpers, graph, coloring, census, options, observed, out, err);
}

ms_status ms_compare(const ms_samples *samples, const ms_compare_options *options,
                     ms_comparison **out, ms_error *err)
{
  return ms_compare_by(&ms_census_gpus, samples, options, out, err);
}
