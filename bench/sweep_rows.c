#include "base/status.h"
#include "base/stop.h"
#include "base/work.h"
#include "bench/harness.h"
#include "bench/sweep_outcome.h"
#include "match/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What `inspect` reads and writes. */
typedef struct inspection {
  double steps;
  uint64_t seed;
  sweep_figures *out;
} inspection;

/* ---- plan and probe -------------------------------------------------------------- */

/* Adds up the levels of a program.  computed[prefix] are the levels of which every partial match is
 * visited; NULL: all. */
static void add_levels(sweep_figures *f, const ms_program *program, const bool *computed)
{
  f->prefix = program->prefix;
  f->groups = program->n_groups;
  f->product = program->product;
  f->table = program->table;
  f->roots = f->probe.candidates[0];
  for (uint32_t i = 0; i < program->prefix; i++) {
    f->nodes += f->probe.nodes[i];
    f->candidates += f->probe.candidates[i];
    f->set_steps += f->probe.sets[i];
    f->ids += !computed || computed[i] ? f->probe.ids[i] : 0;
    f->visited += !computed || computed[i] ? f->probe.nodes[i] : 0;
  }
  if (program->prefix < 2 || (computed && !computed[1]))
    return;
  const ms_step *second = &program->step[1];
  f->second = f->probe.candidates[1];
  f->rows_of_roots = second->source == MS_FROM_SET && program->set[second->set].parent < 0;
}

static ms_status probe_program(const inspection *in, const ms_program *program,
                               const uint8_t *parent, const ms_stop *stop, ms_error *err)
{
  return ms_probe_closely(program, parent, (ms_probe_effort){in->steps / 10, in->steps, stop},
                          in->seed, &in->out->probe, err);
}

static ms_status inspect_plan(const inspection *in, const ms_count_query *query,
                              const ms_shape *shape, ms_error *err)
{
  const ms_domain *domain = query->domains->of;
  sweep_figures *f = in->out;
  ms_count_plan plan;
  double begin = ms_seconds();
  MS_TRY(ms_count_plan_new(query, shape, domain, &plan, err));
  ms_status status = ms_count_plan_compile(query, domain, &plan, err);
  f->plan_ms = 1e3 * (ms_seconds() - begin);
  f->quotients = plan.quotients;
  if (status == MS_OK)
    status = probe_program(in, plan.program, NULL, query->stop, err);
  if (status == MS_OK)
    add_levels(f, plan.program, NULL);
  ms_count_plan_free(&plan);
  return status;
}

/* A level is computed for every partial match if its numbers of ways are not stored, nor are those
 * of the levels above it, and it has levels below: the candidates of others are only counted. */
static ms_status inspect_factors(const inspection *in, const ms_count_query *query,
                                 const ms_shape *shape, ms_error *err)
{
  bool anew[MS_MAX_PATTERN] = {true}, computed[MS_MAX_PATTERN];
  ms_factor *factor;
  double begin = ms_seconds();
  MS_TRY(ms_factor_new(query->index, shape, query->domains->of, &factor, err));
  in->out->plan_ms = 1e3 * (ms_seconds() - begin);
  ms_status status = probe_program(in, factor->program, factor->parent, query->stop, err);
  for (uint32_t i = 0; i < factor->n; i++) {
    anew[i] = anew[factor->parent[i]] && !factor->remembers[i];
    computed[i] = anew[i] && !ms_bitset_is_empty(factor->children[i]);
  }
  if (status == MS_OK)
    add_levels(in->out, factor->program, computed);
  ms_factor_free(factor);
  return status;
}

/* Makes the plan that a count of this shape makes, and probes its program. */
static ms_status inspect(const ms_count_query *query, const ms_shape *shape, void *user, mpz_t maps,
                         ms_error *err)
{
  const inspection *in = user;
  ms_shape named = *shape;
  (void)maps;
  in->out->way = ms_count_way_of(query, &named, query->domains->of);
  return in->out->way == MS_COUNT_PLAN      ? inspect_plan(in, query, &named, err)
         : in->out->way == MS_COUNT_FACTORS ? inspect_factors(in, query, &named, err)
                                            : MS_OK;
}

/* ---- one engine in one row -------------------------------------------------------- */

static ms_count_query query_of(const sweep_settings *s, const sweep_case *c,
                               const sweep_engine *engine, const ms_stop *stop)
{
  ms_count_query query = {
      .index = c->index, .threads = s->threads, .devices = s->devices, .stop = stop};
  sweep_engine_query(engine, &query);
  return query;
}

/* Counts once, within the time that this engine has left in its row; a run that the time ends has
 * status MS_ERR_LIMIT. */
static ms_status run_once(const sweep_settings *s, const sweep_case *c, const sweep_engine *engine,
                          const ms_pattern *pattern, sweep_outcome *o, double *took)
{
  mpz_t maps;
  ms_stop *stop = NULL;
  ms_work work = {0};
  MS_TRY(ms_stop_new(&stop, &o->error));
  ms_stop_after(stop, fmax(0, s->row_seconds - 1e-3 * o->spent));
  ms_count_query query = query_of(s, c, engine, stop);
  double usual = sweep_engine_begin(engine), begin = ms_seconds();
  o->report = (ms_count_report){0};
  query.report = &o->report;
  query.work = &work;
  mpz_init(maps);
  ms_status status = bench_search(&query, pattern, NULL, NULL, maps, took, &o->error);
  o->spent += 1e3 * (ms_seconds() - begin);
  if (status == MS_OK) {
    char *text = mpz_get_str(NULL, 10, maps);
    if (!o->maps) {
      o->maps = text;
      o->work = work;
    } else {
      o->differs = o->differs || strcmp(text, o->maps) != 0;
      free(text);
    }
  }
  mpz_clear(maps);
  sweep_engine_end(usual);
  ms_stop_free(stop);
  return status;
}

/* The first run tells which time a row has left; up to s->runs follow it, while there is time. */
static void run_next(const sweep_settings *s, const sweep_case *c, const sweep_engine *engine,
                     const ms_pattern *pattern, sweep_outcome *o)
{
  if (o->status != MS_OK)
    return;
  o->status = run_once(s, c, engine, pattern, o, &o->took[o->runs]);
  o->runs += o->status == MS_OK;
}

/* Sets the times of the runs that ended.  The median leaves the first run out, unless it is the
 * only one. */
static void set_times(sweep_outcome *o)
{
  int from = o->runs > 1;
  if (o->runs == 0 || (o->status != MS_OK && o->status != MS_ERR_LIMIT))
    return;
  o->status = MS_OK;
  o->first = o->took[0];
  o->median = bench_median(o->took + from, (size_t)(o->runs - from));
  o->best = o->took[from];
}

/* Probes the program that an engine ran. */
static void find_figures(const sweep_settings *s, const sweep_case *c, const sweep_engine *engine,
                         const ms_pattern *pattern, uint64_t seed, sweep_outcome *o)
{
  inspection in = {s->probe_steps, seed, &o->figures};
  ms_count_query query = query_of(s, c, engine, NULL);
  bool on_gpu = o->report.used_large || engine->on_gpu;
  double usual = sweep_engine_begin(engine), ignored;
  mpz_t none;
  ms_error err;
  mpz_init(none);
  if (bench_search(&query, pattern, inspect, &in, none, &ignored, &err) == MS_OK)
    sweep_floor_of(on_gpu ? &c->gpu : &c->cpu, &o->figures, &o->floor);
  else
    fprintf(stderr, "pattern_sweep: the probe failed: %s\n", err.message);
  mpz_clear(none);
  sweep_engine_end(usual);
}

/* Counts a pattern by all engines, which take turns, so that none of them has the warmer caches or
 * the quieter machine. */
static void measure(const sweep_settings *s, const sweep_case *c, const ms_pattern *pattern,
                    uint64_t seed, sweep_outcome *o)
{
  for (uint32_t e = 0; e < s->engines; e++)
    o[e] = (sweep_outcome){.status = MS_OK};
  for (int run = 0; run <= s->runs; run++)
    for (uint32_t e = 0; e < s->engines; e++)
      run_next(s, c, &s->engine[e], pattern, &o[e]);
  for (uint32_t e = 0; e < s->engines; e++) {
    set_times(&o[e]);
    if (o[e].status == MS_OK || o[e].status == MS_ERR_LIMIT)
      find_figures(s, c, &s->engine[e], pattern, seed, &o[e]);
  }
}

void sweep_warm(const sweep_settings *s, const sweep_case *c)
{
  ms_pattern *triangle = NULL;
  ms_error err;
  if (ms_pattern_named("triangle", &triangle, &err) != MS_OK)
    return;
  for (uint32_t e = 0; e < s->engines; e++) {
    double ignored;
    sweep_outcome o = {0};
    run_once(s, c, &s->engine[e], triangle, &o, &ignored);
    free(o.maps);
  }
  ms_pattern_free(triangle);
}

/* ---- printing ---------------------------------------------------------------------- */

static const char *state_of(const sweep_outcome *o)
{
  return o->status == MS_OK          ? "ok"
         : o->status == MS_ERR_LIMIT ? "limit"
         : o->status == MS_ERR_USAGE ? "unsupported"
                                     : "failed";
}

void sweep_print_header(const sweep_settings *s)
{
  printf("%-32s %6s %-12s %20s", "graph", "labels", "pattern", "maps");
  for (uint32_t e = 0; e < s->engines; e++)
    printf(" %12s", s->engine[e].name);
  printf(" %10s %10s %s\n", "floor", "over", "bound");
  if (s->tsv)
    fputs("graph\tn\tm\tsquare_degrees\tmax_degree\tmax_out\tsquare_out\tseed\tlabels\tpattern\t"
          "edges\tengine\tstate\tmaps\truns\tfirst_ms\tbest_ms\tmedian_ms\tplan_ms\tway\tprograms\t"
          "quotient_steps\tprefix\tgroups\tproduct\ttable\texact\tsteps\tvisits\tlast\tmatches\t"
          "roots\tnodes\tcandidates\tset_steps\tcounted_visits\tcounted_sets\t"
          "ids\tpaths\tbytes\tfloor_ms\tover_floor\tbound\t"
          "reuse_ratio\texpand_ms\tfinish_ms\tstored\n",
          s->tsv);
}

/* Returns how many times the floor the time is; of a search that reached the limit, so far. */
static double over_floor(const sweep_outcome *o)
{
  return (o->status == MS_OK ? o->median : o->spent) / o->floor.ms;
}

/* Writes what the engines trie and reuse say of themselves. */
static void write_gpu_work(FILE *to, const ms_work *work)
{
  bool looked = work->sets_found + work->sets_missed > 0;
  fprintf(to, looked ? "\t%.4f" : "\t-", ms_work_reuse_ratio(work));
  fprintf(to, "\t%.4g\t%.4g\t", 1e3 * work->expand, 1e3 * work->finish);
  for (int i = 0; i < MS_WORK_LEVELS && work->stored[i] > 0; i++)
    fprintf(to, i ? ",%llu" : "%llu", (unsigned long long)work->stored[i]);
  fputs(work->stored[0] > 0 ? "\n" : "-\n", to);
}

static void write_tsv(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const char *edges, const sweep_engine *engine, const sweep_outcome *o)
{
  static const char *const ways[] = {"nothing", "domain", "components", "factors", "plan"};
  const sweep_graph_figures *g = c->figures;
  const sweep_figures *f = &o->figures;
  const ms_probe *p = &f->probe;
  FILE *to = s->tsv;
  fprintf(to, "%s\t%u\t%llu\t%.0f\t%u\t%u\t%.0f\t%llu\t%u\t%s\t%s\t%s\t%s\t%s\t%d", c->graph, g->n,
          (unsigned long long)g->m, g->square_degrees, g->max_degree, g->max_out, g->square_out,
          (unsigned long long)s->seed, c->labels, pattern, edges, engine->name, state_of(o),
          o->maps ? o->maps : "-", o->runs);
  if (o->status == MS_OK)
    fprintf(to, "\t%.4f\t%.4f\t%.4f", o->first, o->best, o->median);
  else
    fprintf(to, "\t-\t-\t%.4f", o->spent);
  fprintf(to, "\t%.4f\t%s\t%u\t%.6g\t%u\t%u\t%d\t%d", f->plan_ms, ways[f->way], o->report.programs,
          f->quotients, f->prefix, f->groups, f->product, f->table);
  fprintf(to, "\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%llu\t%llu", p->exact,
          p->steps, p->visits, p->last, p->matches, f->roots, f->nodes, f->candidates, f->set_steps,
          (unsigned long long)o->work.visits, (unsigned long long)o->work.intersections);
  fprintf(to, "\t%.6g\t%.6g\t%.6g", o->floor.ids, o->floor.paths, o->floor.bytes);
  if (o->floor.ms > 0)
    fprintf(to, "\t%.4g\t%.4g\t%s", o->floor.ms, over_floor(o), o->floor.bound);
  else
    fputs("\t-\t-\t-", to);
  write_gpu_work(to, &o->work);
  fflush(to);
}

static void print_row(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const char *maps, const sweep_outcome *o)
{
  printf("%-32s %6u %-12s %20s", c->graph, c->labels, pattern, maps ? maps : "-");
  for (uint32_t e = 0; e < s->engines; e++) {
    char text[32];
    if (o[e].status == MS_OK)
      snprintf(text, sizeof text, "%.3f", o[e].median);
    else if (o[e].status == MS_ERR_LIMIT)
      snprintf(text, sizeof text, ">%.0f", o[e].spent);
    else
      snprintf(text, sizeof text, "%s", state_of(&o[e]));
    printf(" %12s", text);
  }
  uint32_t best = sweep_fastest(o, s->engines);
  if (best < s->engines && o[best].floor.ms > 0)
    printf(" %10.3g %10.3g %s", o[best].floor.ms, over_floor(&o[best]), o[best].floor.bound);
  else
    printf(" %10s %10s %s", "-", "-", "-");
}

static void report_counts(const sweep_settings *s, const char *edges, const sweep_outcome *o)
{
  printf("\n  WRONG: the counts differ; edges %s:", edges);
  for (uint32_t e = 0; e < s->engines; e++)
    printf(" %s %s%s", s->engine[e].name, o[e].maps ? o[e].maps : "-",
           o[e].differs ? " (not in every run)" : "");
}

ms_status sweep_row(const sweep_settings *s, const sweep_case *c, const char *text,
                    sweep_totals *totals, ms_error *err)
{
  char edges[SWEEP_EDGES], key[2 * SWEEP_NAME];
  ms_pattern *pattern = NULL;
  sweep_outcome o[SWEEP_ENGINES];
  bool wrong;
  snprintf(key, sizeof key, "%s/%u", text, c->labels);
  uint64_t seed = sweep_seed_of(s->seed, key);
  ms_status status = sweep_pattern_edges(text, s->seed, edges, sizeof edges, err);
  if (status == MS_OK)
    status = sweep_pattern_make(edges, c->labels, seed, &pattern, err);
  if (status != MS_OK) {
    ms_pattern_free(pattern);
    return status;
  }
  measure(s, c, pattern, seed, o);
  for (uint32_t e = 0; e < s->engines && s->tsv; e++)
    write_tsv(s, c, text, edges, &s->engine[e], &o[e]);
  const char *maps = sweep_compare(o, s->engines, &wrong);
  print_row(s, c, text, maps, o);
  if (wrong)
    report_counts(s, edges, o);
  printf("\n");
  fflush(stdout);
  sweep_add_ratios(s, c, text, o, totals);
  totals->rows++;
  totals->wrong += wrong;
  for (uint32_t e = 0; e < s->engines; e++) {
    totals->limits += o[e].status == MS_ERR_LIMIT;
    if (o[e].status != MS_OK && o[e].status != MS_ERR_LIMIT && o[e].status != MS_ERR_USAGE) {
      totals->failures++;
      fprintf(stderr, "pattern_sweep: %s: %s\n", s->engine[e].name, o[e].error.message);
    }
    free(o[e].maps);
  }
  ms_pattern_free(pattern);
  return MS_OK;
}

void sweep_print_summary(const sweep_settings *s, const sweep_totals *t)
{
  printf(
      "# %u rows, %u with counts that differ; %u searches reached the limit of %g s, %u failed\n",
      t->rows, t->wrong, t->limits, s->row_seconds, t->failures);
  for (uint32_t e = 0; e < s->engines; e++) {
    uint32_t all = t->compared[e] + t->open[e];
    if (all == 0)
      continue;
    printf("# %s:", s->engine[e].name);
    if (t->compared[e])
      printf(" %.3g times the best engine's time in the geometric mean of %u rows;",
             exp(t->log_ratio[e] / t->compared[e]), t->compared[e]);
    printf(" within %g times on %u of %u rows (%.1f %%); worst %.3g times (%s); beyond %g "
           "times on %u; %u rows it did not end\n",
           SWEEP_NEAR, t->near[e], all, 100.0 * t->near[e] / all, t->worst[e], t->worst_row[e],
           SWEEP_FAR, t->far[e], t->open[e]);
  }
}
