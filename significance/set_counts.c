#include "significance/set_counts.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"

/* Makes an instance of all ranks, each of which fits each of the k slots. */
static ms_status make_instance(const ms_census_graph *g, uint32_t k, ms_instance **out,
                               ms_error *err)
{
  ms_instance *instance;
  MS_TRY(ms_instance_alloc(g->n, g->offset[g->n], k, &instance, err));
  for (uint32_t v = 0; v < g->n; v++) {
    uint64_t begin = g->offset[v], end = g->offset[v + 1];
    instance->offset[v] = begin;
    instance->vertex[v] = v;
    instance->mask[v] = (1u << k) - 1;
    for (uint64_t a = begin; a < end; a++) /* rows of a census descend */
      instance->neighbor[a] = g->neighbor[begin + end - 1 - a];
  }
  instance->offset[g->n] = g->offset[g->n];
  *out = instance;
  return MS_OK;
}

static ms_status count(ms_set_counts *c, const ms_instance *instance, int threads, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  ms_shares shares = {0};
  ms_count_sink sink = {.budget = c->budget, .taking = c->taking, .shares = &shares};
  void *context = NULL;
  MS_TRY(engine->open(instance, threads, &context, err));
  ms_status status =
      engine->count(context, 0, engine->units(context), &sink, ms_stop_current(), err);
  c->sets = sink.low;
  c->visits = sink.visits;
  if (status == MS_OK && (sink.high > 0 || sink.low > INT64_MAX))
    status = ms_fail(err, MS_ERR_USAGE,
                     "the graph has 2^63 connected sets or more, which is too many to sample their "
                     "overlaps; lower `k`");
  /* without a root there are no shares; else all vertices are roots, under their own ranks */
  if (status == MS_OK && engine->units(context) > 0)
    status = engine->sum_shares(context, &shares, c->of_root, err);
  engine->close(context);
  ms_free(shares.matches);
  return status;
}

ms_status ms_set_counts_open(const ms_census_graph *g, uint32_t k, int threads, ms_budget *budget,
                             ms_set_counts *out, ms_error *err)
{
  uint64_t bytes = (uint64_t)g->n * 3 * sizeof(uint64_t) + g->offset[g->n] * sizeof(uint32_t);
  ms_instance *instance = NULL;
  *out = (ms_set_counts){.k = k, .budget = budget};
  if (!ms_budget_reserve(budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "counting connected sets needs more memory than is left; raise `memory`");
  out->bytes = bytes;
  out->taking = ms_calloc(g->n, sizeof *out->taking);
  out->of_root = ms_calloc(g->n, sizeof *out->of_root);
  ms_status status =
      out->taking && out->of_root ? MS_OK : ms_fail_memory(err, "the numbers of sets");
  if (status == MS_OK)
    status = make_instance(g, k, &instance, err);
  if (status == MS_OK)
    status = count(out, instance, ms_threads(threads), err);
  ms_instance_free(instance);
  if (status != MS_OK)
    ms_set_counts_close(out);
  return status;
}

void ms_set_counts_close(ms_set_counts *c)
{
  ms_budget_release(c->budget, c->bytes);
  ms_free(c->taking);
  ms_free(c->of_root);
  *c = (ms_set_counts){0};
}
