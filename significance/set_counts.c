#include "significance/set_counts.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"

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

static ms_status count(ms_set_counts *c, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  ms_count_sink sink = {.budget = c->budget, .taking = c->taking, .shares = &c->shares};
  void *context = NULL;
  MS_TRY(engine->open(c->instance, c->threads, &context, err));
  ms_status status =
      engine->count(context, 0, engine->units(context), &sink, ms_stop_current(), err);
  engine->close(context);
  c->sets = sink.low;
  c->visits = sink.visits;
  if (status == MS_OK && (sink.high > 0 || sink.low > INT64_MAX))
    status = ms_fail(err, MS_ERR_USAGE,
                     "the graph has 2^63 connected sets or more, which is too many to sample their "
                     "overlaps; lower `k`");
  return status;
}

ms_status ms_set_counts_open(const ms_census_graph *g, uint32_t k, int threads, ms_budget *budget,
                             ms_set_counts *out, ms_error *err)
{
  uint64_t bytes = (uint64_t)g->n * 3 * sizeof(uint64_t) + g->offset[g->n] * sizeof(uint32_t);
  *out = (ms_set_counts){.k = k, .threads = ms_threads(threads), .budget = budget};
  if (!ms_budget_reserve(budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "counting connected sets needs more memory than is left; raise `memory`");
  out->bytes = bytes;
  out->taking = ms_calloc(g->n, sizeof *out->taking);
  ms_status status = out->taking ? MS_OK : ms_fail_memory(err, "the numbers of sets");
  if (status == MS_OK)
    status = make_instance(g, k, &out->instance, err);
  if (status == MS_OK)
    status = count(out, err);
  if (status != MS_OK)
    ms_set_counts_close(out);
  return status;
}

void ms_set_counts_close(ms_set_counts *c)
{
  ms_budget_release(c->budget, c->bytes);
  ms_free(c->shares.matches);
  ms_free(c->taking);
  ms_instance_free(c->instance);
  *c = (ms_set_counts){0};
}

ms_status ms_set_counts_pick(ms_set_counts *c, const uint64_t *number, uint64_t count,
                             uint32_t *set, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  ms_picks picks = {.number = number, .count = count, .set = set};
  void *context = NULL;
  if (count == 0)
    return MS_OK;
  MS_TRY(engine->open(c->instance, c->threads, &context, err));
  ms_status status = engine->pick(context, &c->shares, &picks, c->budget, ms_stop_current(), err);
  engine->close(context);
  return status;
}
