/* The public generators of planted colours and of types. */
#include "graph/generate/generate.h"
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "query/query.h"

ms_status ms_generate_planted(const ms_graph *graph, const ms_plant_options *options,
                              ms_coloring **out, ms_planted *planted, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_plant_options o;
  ms_planted own = {0};
  ms_names *colors = NULL;
  uint32_t slot[MS_MAX_K];
  if (planted)
    *planted = own;
  MS_TRY(ms_options_take(&ms_plant_options_kind, options, &o, err));
  if (o.motif)
    MS_TRY(ms_motif_slots(o.motif, &colors, slot, &o.slots, err));
  const ms_planting planting = {.colors = colors,
                                .slot = slot,
                                .slots = o.slots,
                                .plants = o.plants,
                                .background = o.background,
                                .seed = o.seed,
                                .keep = o.keep};
  ms_status status = ms_plant_colors(graph, &planting, out, &own, err);
  ms_names_free(colors);
  if (planted && status == MS_OK)
    *planted = own;
  else
    ms_planted_clear(&own);
  return status;
}

void ms_planted_clear(ms_planted *planted)
{
  if (!planted)
    return;
  ms_free(planted->vertices);
  *planted = (ms_planted){0};
}

ms_status ms_generate_types(const ms_graph *graph, const ms_coloring *coloring, uint32_t relations,
                            uint32_t directed, uint64_t seed, int threads, ms_typed **out,
                            ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_TRY(ms_check_threads(threads, err));
  const ms_type_options options = {
      .relations = relations, .directed = directed, .seed = seed, .threads = threads};
  return ms_add_edge_types(graph, coloring, &options, out, err);
}
