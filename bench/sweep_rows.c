#include "base/stop.h"
#include "bench/harness.h"
#include "bench/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 1.3 /* issue: the engine that is chosen is within this factor of the best */

/* How an engine counts a pattern, and the probe of the program that it runs. */
typedef struct figures {
  ms_count_way way;
  double plan_ms;          /* to choose and compile the plan of the pattern itself */
  double quotients;        /* estimated steps of the smaller shapes that are counted, too */
  uint32_t prefix, groups; /* levels that are visited; groups of the tail */
  bool product, table;
  double roots, nodes, candidates, set_steps; /* sums over the levels, but for the roots */
  ms_probe probe;
} figures;

typedef struct outcome {
  ms_status status;
  int runs; /* that ended */
  double first, best, median, spent;
  char *maps;   /* NULL: no run ended */
  bool differs; /* a later run of this engine found another count */
  ms_count_report report;
  ms_work work; /* of the first run */
  figures figures;
  ms_error error;
} outcome;

/* What `inspect` reads and writes. */
typedef struct inspection {
  double steps;
  uint64_t seed;
  figures *out;
} inspection;

/* ---- plan and probe -------------------------------------------------------------- */

static void add_levels(figures *f, const ms_program *program)
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
  }
}

/* Makes the plan that a count of this shape makes, and probes its program. */
static ms_status inspect(const ms_count_query *query, const ms_shape *shape, void *user, mpz_t maps,
                         ms_error *err)
{
  const inspection *in = user;
  const ms_domain *domain = query->domains->of;
  figures *f = in->out;
  ms_shape named = *shape;
  ms_count_plan plan;
  (void)maps;
  f->way = ms_count_way_of(query, &named, domain);
  if (f->way != MS_COUNT_PLAN)
    return MS_OK;
  double begin = ms_seconds();
  ms_status status = ms_count_plan_new(query, &named, domain, &plan, err);
  if (status != MS_OK)
    return status;
  status = ms_count_plan_compile(query, domain, &plan, err);
  f->plan_ms = 1e3 * (ms_seconds() - begin);
  f->quotients = plan.quotients;
  if (status == MS_OK)
    status = ms_probe_closely(plan.program, NULL,
                              (ms_probe_effort){in->steps / 10, in->steps, query->stop}, in->seed,
                              &f->probe, err);
  if (status == MS_OK)
    add_levels(f, plan.program);
  ms_count_plan_free(&plan);
  return status;
}

/* ---- one engine in one row -------------------------------------------------------- */

static ms_count_query query_of(const sweep_settings *s, const sweep_case *c,
                               const ms_pattern_engine *engine, const ms_stop *stop)
{
  return (ms_count_query){.index = c->index,
                          .engine = engine,
                          .threads = s->threads,
                          .devices = s->devices,
                          .stop = stop};
}

/* Counts once; a run that the stop token ends has status MS_ERR_LIMIT. */
static ms_status run_once(const ms_count_query *query, const ms_pattern *pattern, outcome *o,
                          double *took)
{
  mpz_t maps;
  ms_count_query own = *query;
  ms_work work = {0};
  o->report = (ms_count_report){0};
  own.report = &o->report;
  own.work = &work;
  mpz_init(maps);
  ms_status status = bench_search(&own, pattern, NULL, NULL, maps, took, &o->error);
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
  return status;
}

/* The first run tells which time a row has left; up to s->runs follow it, while there is time. The
 * median leaves the first run out, unless it is the only one. */
static void run_engine(const sweep_settings *s, const sweep_case *c,
                       const ms_pattern_engine *engine, const ms_pattern *pattern, uint64_t seed,
                       outcome *o)
{
  double took[SWEEP_RUNS + 1];
  ms_stop *stop = NULL;
  mpz_t none;
  *o = (outcome){.status = ms_stop_new(&stop, &o->error)};
  if (o->status != MS_OK)
    return;
  ms_stop_after(stop, s->row_seconds);
  ms_count_query query = query_of(s, c, engine, stop);
  double begin = ms_seconds();
  while (o->runs <= s->runs && o->status == MS_OK) {
    o->status = run_once(&query, pattern, o, &took[o->runs]);
    o->runs += o->status == MS_OK;
  }
  o->spent = 1e3 * (ms_seconds() - begin);
  if (o->runs > 0 && (o->status == MS_OK || o->status == MS_ERR_LIMIT)) {
    int from = o->runs > 1;
    o->status = MS_OK;
    o->first = took[0];
    o->median = bench_median(took + from, (size_t)(o->runs - from));
    o->best = took[from];
  }
  ms_stop_free(stop);
  if (o->status != MS_OK && o->status != MS_ERR_LIMIT)
    return;
  inspection in = {s->probe_steps, seed, &o->figures};
  ms_error err;
  double ignored;
  query.stop = NULL;
  mpz_init(none);
  if (bench_search(&query, pattern, inspect, &in, none, &ignored, &err) != MS_OK)
    fprintf(stderr, "pattern_sweep: the probe failed: %s\n", err.message);
  mpz_clear(none);
}

void sweep_warm(const sweep_settings *s, const sweep_case *c)
{
  for (uint32_t e = 0; e < s->engines; e++) {
    ms_error err;
    ms_stop *stop = NULL;
    ms_pattern *triangle = NULL;
    double ignored;
    outcome o = {0};
    ms_status status = ms_stop_new(&stop, &err);
    if (status == MS_OK)
      status = ms_pattern_named("triangle", &triangle, &err);
    if (status == MS_OK) {
      ms_stop_after(stop, s->row_seconds);
      ms_count_query query = query_of(s, c, s->engine[e], stop);
      run_once(&query, triangle, &o, &ignored);
    }
    free(o.maps);
    ms_pattern_free(triangle);
    ms_stop_free(stop);
  }
}

/* ---- printing ---------------------------------------------------------------------- */

static const char *state_of(const outcome *o)
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
    printf(" %12s", s->engine[e]->name);
  printf("\n");
  if (s->tsv)
    fputs("graph\tn\tm\tsquare_degrees\tmax_degree\tmax_out\tsquare_out\tseed\tlabels\tpattern\t"
          "edges\tengine\tstate\tmaps\truns\tfirst_ms\tbest_ms\tmedian_ms\tplan_ms\tway\tprograms\t"
          "quotient_steps\tprefix\tgroups\tproduct\ttable\texact\tsteps\tvisits\tlast\tmatches\t"
          "roots\tnodes\tcandidates\tset_steps\tcounted_visits\tcounted_sets\n",
          s->tsv);
}

static void write_tsv(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const char *edges, const ms_pattern_engine *engine, const outcome *o)
{
  static const char *const ways[] = {"nothing", "domain", "components", "factors", "plan"};
  const sweep_graph_figures *g = c->figures;
  const figures *f = &o->figures;
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
  fprintf(to, "\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%llu\t%llu\n", p->exact,
          p->steps, p->visits, p->last, p->matches, f->roots, f->nodes, f->candidates, f->set_steps,
          (unsigned long long)o->work.visits, (unsigned long long)o->work.intersections);
  fflush(to);
}

static void print_row(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const char *maps, const outcome *o)
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
}

/* ---- comparing ---------------------------------------------------------------------- */

/* Adds the ratios of the times to the best one.  An engine that did not end in time is not part of
 * the geometric mean; its ratio is at least that of its time so far. */
static void add_ratios(const sweep_settings *s, const sweep_case *c, const char *pattern,
                       const outcome *o, sweep_totals *t)
{
  double best = HUGE_VAL;
  for (uint32_t e = 0; e < s->engines; e++)
    if (o[e].status == MS_OK && o[e].median < best)
      best = o[e].median;
  for (uint32_t e = 0; e < s->engines && best < HUGE_VAL; e++) {
    bool limit = o[e].status == MS_ERR_LIMIT;
    if (o[e].status != MS_OK && !limit)
      continue;
    double ratio = (limit ? o[e].spent : o[e].median) / best;
    if (limit) {
      t->open[e]++;
    } else {
      t->compared[e]++;
      t->log_ratio[e] += log(ratio);
      t->near[e] += ratio <= NEAR;
    }
    if (ratio > t->worst[e]) {
      t->worst[e] = ratio;
      snprintf(t->worst_row[e], sizeof t->worst_row[e], "%s, %u labels, %s", c->graph, c->labels,
               pattern);
    }
  }
}

/* Returns the first count that an engine found; *wrong receives whether another one differs. */
static const char *compare_counts(const sweep_settings *s, const outcome *o, bool *wrong)
{
  const char *maps = NULL;
  *wrong = false;
  for (uint32_t e = 0; e < s->engines; e++) {
    *wrong = *wrong || o[e].differs;
    if (o[e].maps && maps)
      *wrong = *wrong || strcmp(o[e].maps, maps) != 0;
    else if (o[e].maps)
      maps = o[e].maps;
  }
  return maps;
}

static void report_counts(const sweep_settings *s, const char *edges, const outcome *o)
{
  printf("  WRONG: the counts differ; edges %s:", edges);
  for (uint32_t e = 0; e < s->engines; e++)
    printf(" %s %s%s", s->engine[e]->name, o[e].maps ? o[e].maps : "-",
           o[e].differs ? " (not in every run)" : "");
}

ms_status sweep_row(const sweep_settings *s, const sweep_case *c, const char *text,
                    sweep_totals *totals, ms_error *err)
{
  char edges[SWEEP_EDGES], key[2 * SWEEP_NAME];
  ms_pattern *pattern = NULL;
  outcome o[SWEEP_ENGINES];
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
  for (uint32_t e = 0; e < s->engines; e++) {
    run_engine(s, c, s->engine[e], pattern, seed, &o[e]);
    if (s->tsv)
      write_tsv(s, c, text, edges, s->engine[e], &o[e]);
  }
  const char *maps = compare_counts(s, o, &wrong);
  print_row(s, c, text, maps, o);
  if (wrong)
    report_counts(s, edges, o);
  printf("\n");
  fflush(stdout);
  add_ratios(s, c, text, o, totals);
  totals->rows++;
  totals->wrong += wrong;
  for (uint32_t e = 0; e < s->engines; e++) {
    totals->limits += o[e].status == MS_ERR_LIMIT;
    if (o[e].status != MS_OK && o[e].status != MS_ERR_LIMIT && o[e].status != MS_ERR_USAGE) {
      totals->failures++;
      fprintf(stderr, "pattern_sweep: %s: %s\n", s->engine[e]->name, o[e].error.message);
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
    printf("# %s:", s->engine[e]->name);
    if (t->compared[e])
      printf(" %.3g times the best engine's time in the geometric mean of %u rows;",
             exp(t->log_ratio[e] / t->compared[e]), t->compared[e]);
    printf(" within %g times on %u of %u rows (%.1f %%); worst %.3g times (%s); %u rows it did not "
           "end\n",
           NEAR, t->near[e], all, 100.0 * t->near[e] / all, t->worst[e], t->worst_row[e],
           t->open[e]);
  }
}
