/* The ways to count that a sweep compares: the tool's own choice, each engine, and the engine of
 * the processors with a plan that it would not choose by itself. */
#include "base/hooks.h"
#include "bench/match/sweep.h"
#include "match/count/factor.h"
#include "run/match/match.h"

#include <math.h>
#include <string.h>

static const double always = 0, never = INFINITY;

/* Ways to count on processors.  `auto` compares all tails and orders by a formula, and by probes
 * where the search is expected to be long. */
static const struct forced {
  const char *name;
  ms_order order;
  double probe_from; /* of ms_hooks.probe_steps; 0: as usual */
  bool no_table;
  const double *hinge_weight;       /* of ms_hooks.count_hinge_weight; NULL: as usual */
  const double *elimination_weight; /* of ms_hooks.count_elimination_weight; NULL: as usual */
  const double *factor_weight;      /* of ms_hooks.factor_plan_weight; NULL: as usual */
} forced[] = {
    {.name = "cpu:ri", .order = MS_ORDER_RI}, /* an order, and the longest tail that it has */
    {.name = "cpu:degree", .order = MS_ORDER_DEGREE}, /* the same of another order */
    {.name = "cpu:reuse", .order = MS_ORDER_REUSE},
    {.name = "cpu:no-table", .no_table = true},
    {.name = "cpu:formula", .probe_from = INFINITY}, /* probes compare no plans */
    {.name = "cpu:probes", .probe_from = -1},        /* probes compare plans of any search */
    {.name = "cpu:hinge", .hinge_weight = &always, .elimination_weight = &never},
    {.name = "cpu:elimination", .elimination_weight = &always},
    {.name = "cpu:no-elimination", .elimination_weight = &never},
    {.name = "cpu:no-hinge", .hinge_weight = &never},
    {.name = "cpu:factors",
     .hinge_weight = &never,
     .elimination_weight = &never,
     .factor_weight = &never},
    {.name = "cpu:search",
     .hinge_weight = &never,
     .elimination_weight = &never,
     .factor_weight = &always},
};
enum { FORCED = sizeof forced / sizeof *forced };

/* The processors' engine without tables. */
static ms_pattern_engine no_table;

static bool has_device(const ms_pattern_engine *engine)
{
  return !engine->devices || engine->devices() > 0;
}

static sweep_engine plain_engine(const ms_pattern_engine *engine)
{
  return (sweep_engine){.name = engine->name,
                        .engine = engine,
                        .on_gpu = engine != &ms_pattern_engine_cpu && engine->devices};
}

static const sweep_engine chosen_by_tool = {
    .name = "auto", .engine = &ms_pattern_engine_cpu, .chosen = true};

uint32_t sweep_engines_here(sweep_engine *out)
{
  uint32_t count = 0;
  out[count++] = chosen_by_tool;
  for (int i = 0; bench_engines[i]; i++)
    if (has_device(bench_engines[i]))
      out[count++] = plain_engine(bench_engines[i]);
  return count;
}

bool sweep_engine_named(const char *name, sweep_engine *out)
{
  if (strcmp(name, chosen_by_tool.name) == 0) {
    *out = chosen_by_tool;
    return true;
  }
  for (int i = 0; i < FORCED; i++)
    if (strcmp(name, forced[i].name) == 0) {
      no_table = ms_pattern_engine_cpu;
      no_table.tables = MS_TABLE_NONE;
      *out = (sweep_engine){.name = forced[i].name,
                            .engine = forced[i].no_table ? &no_table : &ms_pattern_engine_cpu,
                            .order = forced[i].order,
                            .probe_from = forced[i].probe_from,
                            .hinge_weight = forced[i].hinge_weight,
                            .elimination_weight = forced[i].elimination_weight,
                            .factor_weight = forced[i].factor_weight};
      return true;
    }
  const ms_pattern_engine *engine = bench_engine_named(name);
  if (!engine || !has_device(engine))
    return false;
  *out = plain_engine(engine);
  return true;
}

void sweep_engine_query(const sweep_engine *engine, ms_count_query *query)
{
  query->engine = engine->engine;
  query->order = engine->order;
  if (!engine->chosen)
    return;
  /* as ms_match_count_query (run/match/match_plan.c) */
  query->large = ms_pattern_engine_on_gpus();
  query->large_start = ms_pattern_engine_start();
  query->effort = (ms_probe_effort){0, MS_PROBE_STEPS, query->stop};
}

void sweep_engine_force(const sweep_engine *engine)
{
  if (engine->probe_from != 0)
    ms_hooks.probe_steps = engine->probe_from;
  if (engine->hinge_weight)
    ms_hooks.count_hinge_weight = *engine->hinge_weight;
  if (engine->elimination_weight)
    ms_hooks.count_elimination_weight = *engine->elimination_weight;
  if (engine->factor_weight)
    ms_hooks.factor_plan_weight = *engine->factor_weight;
}
