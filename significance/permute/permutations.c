/* Permutations of a census: batches, or single permutations on threads side by side. */
#include "significance/permute/permute_side.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/graph.h"

#define FIRST_BATCH 8u /* so that a run which is stopped soon has some permutations */

typedef struct permuting {
  ms_permute p;
  ms_permute_ways ways;
  uint64_t *count; /* [batch][motifs]; NULL: one by one */
  ms_permute_batch *batch;
  ms_permute_gpus *gpus;         /* instead of batches on processors; may be NULL */
  ms_permute_networks *networks; /* the same */
  uint32_t batch_size;           /* 0: one by one */
  uint64_t batched, on_gpus;
} permuting;

static ms_status check(const ms_census_options *census, const ms_census_result *observed,
                       ms_error *err)
{
  if ((observed->shape != NULL) != census->shapes)
    return ms_fail(err, MS_ERR_USAGE,
                   "the census and the options differ in `shapes`; pass what made the census");
  if (observed->k != census->k || observed->run.stopped != MS_OK)
    return ms_fail(err, MS_ERR_USAGE,
                   "permutations need a whole census of sets of %u vertices; it has sets of %u%s",
                   census->k, observed->k, observed->run.stopped ? " and was stopped" : "");
  if (observed->count < observed->motifs)
    return ms_fail(err, MS_ERR_USAGE,
                   "permutations need all motifs of a census; leave out `min_count` and `top`");
  return MS_OK;
}

static ms_status open_ways(void *user, ms_error *err)
{
  permuting *c = user;
  ms_permute *p = &c->p;
  MS_TRY(ms_permute_gpus_open(p, &c->gpus, err));
  MS_TRY(ms_permute_networks_open(p, &c->networks, err));
  c->batch_size = c->gpus       ? MS_NULL_BATCH
                  : c->networks ? ms_permute_networks_size(c->networks)
                                : ms_permute_batch_size(p);
  c->ways.range = c->batch_size;
  if (c->batch_size == 0)
    return MS_OK;
  c->count = ms_alloc(p->motifs * c->batch_size, sizeof *c->count);
  if (!c->count)
    return ms_fail_memory(err, "the sums of permutations");
  return c->gpus || c->networks ? MS_OK : ms_permute_batch_open(p, c->batch_size, &c->batch, err);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Counts the permutations first .. first + size - 1 as a batch.  *fits becomes false if they have
 * to be counted one by one. */
static ms_status run_batch(permuting *c, uint64_t first, uint32_t size, uint64_t end, bool *fits,
                           ms_permute_take_fn *take, void *take_user, ms_error *err)
{
  ms_null_trace trace[MS_NULL_BATCH];
  uint64_t *count = c->count;
  *fits = true;
  MS_TRY(c->gpus ? ms_permute_gpus_run(c->gpus, first, size, count, trace, err)
         : c->networks
             ? ms_permute_networks_run(c->networks, first, size, end, count, trace, fits, err)
             : ms_permute_batch_run(c->batch, first, size, count, trace, fits, err));
  for (uint32_t i = 0; i < size && *fits; i++) {
    MS_TRY(take(take_user, count + i * c->p.motifs, &trace[i], err));
    c->batched++;
    c->on_gpus += c->gpus || c->networks;
  }
  return MS_OK;
}

static void close_ways(permuting *c)
{
  ms_permute_batch_close(c->batch);
  ms_permute_gpus_close(c->gpus);
  ms_permute_networks_close(c->networks);
  c->batch = NULL;
  c->gpus = NULL;
  c->networks = NULL;
}

static ms_status run_ways(void *user, uint64_t first, uint64_t end, bool is_whole,
                          ms_permute_take_fn *take, void *take_user, ms_error *err)
{
  permuting *c = user;
  uint64_t begin = first;
  uint32_t most = is_whole && c->batch_size > FIRST_BATCH ? FIRST_BATCH : c->batch_size;
  while (first < end && (c->batch || c->gpus || c->networks)) {
    bool fits;
    uint32_t size = end - first < most ? (uint32_t)(end - first) : most;
    if (first > begin && is_whole)
      ms_limits_report(&c->p.census->run, "permutations", first, c->p.options->permutations);
    MS_TRY(run_batch(c, first, size, end, &fits, take, take_user, err));
    first += fits ? size : 0;
    most = c->batch_size;
    if (!fits)
      close_ways(c);
  }
  return ms_permute_side_by_side(&c->p, first, end, is_whole, take, take_user, err);
}

static ms_status identify(void *user, ms_identity *id, ms_error *err)
{
  const permuting *c = user;
  const ms_census_options *o = c->p.census;
  if (o->shapes)
    MS_TRY(ms_identity_text(id, "shapes", o->non_induced ? "all" : "induced", err));
  MS_TRY(ms_identity_number(id, "k", o->k, err));
  MS_TRY(ms_identity_text(id, "primary colour", o->primary ? "yes" : "no", err));
  for (uint32_t i = 0; i < o->n_only; i++)
    MS_TRY(ms_identity_number(id, "colour that counts", o->only[i], err));
  return MS_OK;
}

/* ---- entry point ------------------------------------------------------------------------------
 */

static ms_status permute(permuting *c, ms_permutation_result **out, ms_error *err)
{
  const ms_permute *p = &c->p;
  MS_TRY(ms_permute_open(&c->p, err));
  c->ways = (ms_permute_ways){
      .budget = &c->p.budget, .classes = p->null->classes, .open = open_ways, .run = run_ways};
  const ms_permute_each each = {.name = "permutations of a census",
                                .graph = p->graph,
                                .coloring = p->coloring,
                                .options = p->options,
                                .limits = &p->census->run,
                                .numbers = p->motifs,
                                .observed = p->observed->n_sets,
                                .user = c,
                                .ways = &c->ways,
                                .identify = identify};
  return ms_permute_each_run(&each, out, err);
}

static ms_status complete(const permuting *c, ms_permutation_result *r, ms_error *err)
{
  r->batched = c->batched;
  r->on_gpus = c->on_gpus;
  return ms_permute_means(&c->p, &r->mean, err);
}

ms_status ms_census_permute_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                               const ms_coloring *coloring, const ms_census_options *census,
                               const ms_permutation_options *options,
                               const ms_census_result *observed, ms_permutation_result **out,
                               ms_error *err)
{
  ms_census_options o;
  ms_permutation_options q;
  ms_division division;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(observed, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, census, &o, err));
  if (!o.shapes)
    MS_REQUIRE(coloring, err);
  MS_TRY(ms_options_take(&ms_permutation_options_kind, options, &q, err));
  MS_TRY(ms_census_complete(&o, err));
  MS_TRY(ms_division_take(&o.run.division, &division, err));
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_permute_each_check(graph, coloring != NULL, &q, o.run.division, err));
  MS_TRY(check(&o, observed, err));
  permuting c = {.p = {.gpus = gpus,
                       .graph = graph,
                       .coloring = coloring,
                       .census = &o,
                       .options = &q,
                       .observed = observed,
                       .motifs = observed->count,
                       .threads = ms_threads(o.run.threads)}};
  ms_budget_open(&c.p.budget, o.run.memory);
  ms_stop *before = ms_stop_enter(o.run.stop);
  ms_status status = permute(&c, out, err);
  ms_stop_leave(before);
  if (status == MS_OK)
    status = complete(&c, *out, err);
  if (status != MS_OK) {
    ms_permutation_result_free(*out);
    *out = NULL;
  }
  close_ways(&c);
  ms_permute_close(&c.p);
  ms_free(c.count);
  return status;
}
