#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/work.h"
#include "bench/harness.h"
#include "bench/match/sweep_outcome.h"
#include "match/count/count_methods.h"
#include "match/cpu/sorted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDUCED "induced:" /* before the text of a pattern whose matches have no further edges */

#define SHORT 20.0 /* milliseconds: a time up to this is measured three times */
enum { TIMES = 3 };

/* A pattern of a row. */
typedef struct sweep_pattern {
  const ms_pattern *pattern;
  bool induced;
} sweep_pattern;

/* What `inspect` reads and writes. */
typedef struct inspection {
  double steps;
  uint64_t seed;
  sweep_figures *out;
} inspection;

/* ---- plan and probe -------------------------------------------------------------- */

/* Adds up the levels of a program, which `probe` has probed.  computed[prefix] are the levels of
 * which every partial match is visited; NULL: all. */
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

/* Chooses the way to count, with its plan and program, and sets the time that it took: of a short
 * time, the least of three. */
static ms_status choose_way(const ms_count_query *query, const ms_shape *shape, double *took,
                            ms_count_case **of, ms_error *err)
{
  *took = INFINITY;
  for (int i = 1;; i++) {
    double begin = ms_seconds();
    MS_TRY(ms_count_choose_way(query, shape, of, err));
    *took = fmin(*took, 1e3 * (ms_seconds() - begin));
    if (*took > SHORT || i == TIMES)
      return MS_OK;
    ms_count_case_free(*of);
  }
}

/* Sets the figures of an edge product of so many steps: the looks for triangles at edges
 * (edge_steps of the index), and the paths of the table. */
static void take_edges(const ms_pattern_index *index, double steps, sweep_figures *f)
{
  f->ids = 0;
  for (uint32_t u = 0; u < index->n; u++) {
    uint32_t degree;
    const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], u, &degree);
    f->ids += (double)degree * (degree - (double)ms_lower_bound(row, degree, u));
  }
  f->probe.paths = steps - f->ids;
}

/* In a plan with an inner pattern, a probe has steps in levels, steps of its table, and steps in
 * the inner graphs.  The third are what remains of all steps without the other two. */
static void take_inner(sweep_figures *f)
{
  const ms_probe *p = &f->probe;
  f->way = "inner";
  f->inner = fmax(0, p->steps - MS_COST_VISIT * f->nodes - f->candidates - f->set_steps - p->paths);
}

/* Adds up the figures of what counts the sides, without the gluings.  The rows of the roots are the
 * rows of the last program alone; sums over neighbours and products have steps. */
static ms_status inspect_sides(const inspection *in, const ms_hinge_plan *plan,
                               const ms_count_query *query, ms_error *err)
{
  sweep_figures *f = in->out;
  double paths = 0;
  for (uint32_t i = 0; i < plan->rooted.count; i++) {
    const ms_rooted *of = plan->rooted.of[i];
    if (of->way == MS_ROOTED_PROGRAM && of->plan.program) { /* NULL: a domain is empty */
      MS_TRY(probe_program(in, of->plan.program, NULL, query->stop, err));
      add_levels(f, of->plan.program, NULL);
      paths += f->probe.paths;
    } else if (of->way != MS_ROOTED_PROGRAM) {
      paths += of->steps;
    }
  }
  f->probe.paths = paths;
  return MS_OK;
}

/* A level is computed for every partial match if its numbers of ways are not stored, nor are those
 * of the levels above it, and it has levels below: the candidates of others are only counted. */
static ms_status inspect_factors(const inspection *in, const ms_factor *factor, const ms_stop *stop,
                                 ms_error *err)
{
  bool anew[MS_MAX_PATTERN] = {true}, computed[MS_MAX_PATTERN];
  MS_TRY(probe_program(in, factor->program, factor->parent, stop, err));
  for (uint32_t i = 0; i < factor->n; i++) {
    anew[i] = anew[factor->parent[i]] && !factor->remembers[i];
    computed[i] = anew[i] && !ms_bitset_is_empty(factor->children[i]);
  }
  add_levels(in->out, factor->program, computed);
  return MS_OK;
}

static ms_status inspect_plan(const inspection *in, const ms_count_plan *plan, const ms_stop *stop,
                              ms_error *err)
{
  MS_TRY(probe_program(in, plan->program, NULL, stop, err));
  add_levels(in->out, plan->program, NULL);
  if (plan->inner)
    take_inner(in->out);
  return MS_OK;
}

/* Chooses the way in which this shape is counted, and probes its programs. */
static ms_status inspect(const ms_count_query *query, const ms_shape *shape, void *user, mpz_t maps,
                         ms_error *err)
{
  const inspection *in = user;
  sweep_figures *f = in->out;
  ms_count_case *k;
  (void)maps;
  MS_TRY(choose_way(query, shape, &f->plan_ms, &k, err));
  const char *way = f->way = k->way->name;
  bool at_hinge = strcmp(way, "hinge") == 0, by_factors = strcmp(way, "factors") == 0,
       by_plan = strcmp(way, "plan") == 0;
  f->quotients = k->plan.quotients;
  if (shape->n > 1 && !k->empty && !at_hinge && !by_factors && !by_plan)
    f->graph_bytes = (double)(sizeof(uint64_t) * query->index->n) +
                     (double)(sizeof(uint32_t) * query->index->arcs);
  if (strcmp(way, "edges") == 0)
    take_edges(query->index, k->steps, f);
  ms_status status = at_hinge     ? inspect_sides(in, &k->hinge->plan, query, err)
                     : by_factors ? inspect_factors(in, k->factors.factor, query->stop, err)
                     : by_plan    ? inspect_plan(in, &k->plan, query->stop, err)
                                  : MS_OK;
  ms_count_case_free(k);
  return status;
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
                          const sweep_pattern *p, sweep_outcome *o, double *took)
{
  mpz_t maps;
  ms_stop *stop = NULL;
  ms_work work = {0};
  MS_TRY(ms_stop_new(&stop, &o->error));
  ms_stop_after(stop, fmax(0, s->row_seconds - 1e-3 * o->spent));
  ms_count_query query = query_of(s, c, engine, stop);
  sweep_engine_force(engine);
  double begin = ms_seconds();
  o->report = (ms_count_report){0};
  query.report = &o->report;
  query.work = &work;
  mpz_init(maps);
  ms_status status =
      bench_search(&query, p->pattern, p->induced, NULL, NULL, maps, took, &o->error);
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
  ms_hooks = ms_hooks_default;
  ms_stop_free(stop);
  return status;
}

/* The first run tells which time a row has left; up to s->runs follow it, while there is time. */
static void run_next(const sweep_settings *s, const sweep_case *c, const sweep_engine *engine,
                     const sweep_pattern *p, sweep_outcome *o)
{
  if (o->status != MS_OK)
    return;
  o->status = run_once(s, c, engine, p, o, &o->took[o->runs]);
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

/* Returns the milliseconds in which the domains are found: of a short time, the least of three. */
static double time_domains(const sweep_settings *s, const sweep_case *c, const sweep_engine *engine,
                           const sweep_pattern *p)
{
  ms_count_query query = query_of(s, c, engine, NULL);
  double took = INFINITY;
  ms_shape shape;
  for (int i = 0; i < TIMES && took > 0 && !(i > 0 && took > SHORT); i++) {
    ms_domains domains;
    double begin = ms_seconds();
    ms_shape_of(p->pattern, p->induced, &shape);
    if (ms_domains_on(query.large ? query.large->filter_domains : query.engine->filter_domains,
                      c->index, p->pattern, &shape, NULL, s->threads, &domains, NULL) != MS_OK)
      return 0;
    took = fmin(took, 1e3 * (ms_seconds() - begin));
    ms_domains_free(&domains);
  }
  return took;
}

/* Probes the program that an engine ran. */
static void find_figures(const sweep_settings *s, const sweep_case *c, const sweep_engine *engine,
                         const sweep_pattern *p, uint64_t seed, sweep_outcome *o)
{
  inspection in = {s->probe_steps, seed, &o->figures};
  o->figures.way = "nothing";
  o->figures.domains_ms = time_domains(s, c, engine, p);
  ms_count_query query = query_of(s, c, engine, NULL);
  bool on_gpu = o->report.used_large || engine->on_gpu;
  sweep_engine_force(engine);
  double ignored;
  mpz_t none;
  ms_error err;
  mpz_init(none);
  if (bench_search(&query, p->pattern, p->induced, inspect, &in, none, &ignored, &err) == MS_OK)
    sweep_floor_of(on_gpu ? &c->gpu : &c->cpu, &o->figures, &o->floor);
  else
    fprintf(stderr, "pattern_sweep: the probe failed: %s\n", err.message);
  mpz_clear(none);
  ms_hooks = ms_hooks_default;
}

/* Counts a pattern by all engines, which take turns, so that none of them has the warmer caches or
 * the quieter machine. */
static void measure(const sweep_settings *s, const sweep_case *c, const sweep_pattern *p,
                    uint64_t seed, sweep_outcome *o)
{
  for (uint32_t e = 0; e < s->engines; e++)
    o[e] = (sweep_outcome){.status = MS_OK};
  for (int run = 0; run <= s->runs; run++)
    for (uint32_t e = 0; e < s->engines; e++)
      run_next(s, c, &s->engine[e], p, &o[e]);
  for (uint32_t e = 0; e < s->engines; e++) {
    set_times(&o[e]);
    if (o[e].status == MS_OK || o[e].status == MS_ERR_LIMIT)
      find_figures(s, c, &s->engine[e], p, seed, &o[e]);
  }
}

void sweep_warm(const sweep_settings *s, const sweep_case *c)
{
  ms_pattern *triangle = NULL;
  sweep_pattern p = {0};
  ms_error err;
  if (ms_pattern_named("triangle", &triangle, &err) != MS_OK)
    return;
  p.pattern = triangle;
  for (uint32_t e = 0; e < s->engines; e++) {
    double ignored;
    sweep_outcome o = {0};
    run_once(s, c, &s->engine[e], &p, &o, &ignored);
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
  printf(" %10s %6s %10s %10s %s\n", "host", "share", "floor", "over", "bound");
  if (s->tsv)
    fputs("graph\tn\tm\tsquare_degrees\tmax_degree\tmax_out\tsquare_out\tseed\tlabels\tpattern\t"
          "edges\tengine\tstate\tmaps\truns\tfirst_ms\tbest_ms\tmedian_ms\tplan_ms\tway\tprograms\t"
          "quotient_steps\tprefix\tgroups\tproduct\ttable\texact\tsteps\tvisits\tlast\tmatches\t"
          "roots\tnodes\tcandidates\tset_steps\tcounted_visits\tcounted_sets\t"
          "ids\tpaths\tbytes\tfloor_ms\tover_floor\tbound\t"
          "reuse_ratio\texpand_ms\tfinish_ms\tstored\tdomains_ms\thost_ms\thost_share\n",
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
  fputs(work->stored[0] > 0 ? "" : "-", to);
}

/* Returns the share of the time that the host takes before the search, at most 1. */
static double host_share(const sweep_outcome *o)
{
  double all = o->status == MS_OK ? o->median : o->spent;
  return all > 0 ? fmin(1, o->floor.host_ms / all) : 0;
}

static void write_tsv(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const char *edges, const sweep_engine *engine, const sweep_outcome *o)
{
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
  fprintf(to, "\t%.4f\t%s\t%u\t%.6g\t%u\t%u\t%d\t%d", f->plan_ms, f->way ? f->way : "-",
          o->report.programs, f->quotients, f->prefix, f->groups, f->product, f->table);
  fprintf(to, "\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%llu\t%llu", p->exact,
          p->steps, p->visits, p->last, p->matches, f->roots, f->nodes, f->candidates, f->set_steps,
          (unsigned long long)o->work.visits, (unsigned long long)o->work.intersections);
  fprintf(to, "\t%.6g\t%.6g\t%.6g", o->floor.ids, o->floor.paths, o->floor.bytes);
  if (o->floor.ms > 0)
    fprintf(to, "\t%.4g\t%.4g\t%s", o->floor.ms, over_floor(o), o->floor.bound);
  else
    fputs("\t-\t-\t-", to);
  write_gpu_work(to, &o->work);
  fprintf(to, "\t%.4f\t%.4f\t%.4f\n", f->domains_ms, o->floor.host_ms, host_share(o));
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
  bool is_open = best == s->engines;
  for (uint32_t e = 0; is_open && e < s->engines; e++)
    if (o[e].floor.ms > 0 && (best == s->engines || o[e].floor.ms < o[best].floor.ms))
      best = e;
  if (best == s->engines || o[best].floor.ms <= 0) {
    printf(" %10s %6s %10s %10s %s", "-", "-", "-", "-", "-");
    return;
  }
  char over[32];
  snprintf(over, sizeof over, "%s%.3g", is_open ? ">" : "", over_floor(&o[best]));
  printf(" %10.3g %5.1f%% %10.3g %10s %s", o[best].floor.host_ms, 100 * host_share(&o[best]),
         o[best].floor.ms, over, o[best].floor.bound);
}

static void add_hosts(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const sweep_outcome *o, sweep_totals *t)
{
  for (uint32_t e = 0; e < s->engines; e++) {
    double share = host_share(&o[e]);
    if (o[e].status != MS_OK || o[e].median < SWEEP_LONG)
      continue;
    t->long_rows[e]++;
    t->host_rows[e] += share > SWEEP_HOST;
    if (share <= t->host_share[e])
      continue;
    t->host_share[e] = share;
    snprintf(t->host_row[e], sizeof t->host_row[e], "%s, %u labels, %s", c->graph, c->labels,
             pattern);
  }
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
  sweep_pattern p = {.induced = strncmp(text, INDUCED, strlen(INDUCED)) == 0};
  const char *plain = p.induced ? text + strlen(INDUCED) : text;
  sweep_outcome o[SWEEP_ENGINES];
  bool wrong;
  snprintf(key, sizeof key, "%s/%u", plain, c->labels);
  uint64_t seed = sweep_seed_of(s->seed, key);
  ms_status status = sweep_pattern_edges(plain, s->seed, edges, sizeof edges, err);
  if (status == MS_OK)
    status = sweep_pattern_make(edges, c->labels, seed, &pattern, err);
  if (status != MS_OK) {
    ms_pattern_free(pattern);
    return status;
  }
  p.pattern = pattern;
  measure(s, c, &p, seed, o);
  for (uint32_t e = 0; e < s->engines && s->tsv; e++)
    write_tsv(s, c, text, edges, &s->engine[e], &o[e]);
  const char *maps = sweep_compare(o, s->engines, &wrong);
  print_row(s, c, text, maps, o);
  if (wrong)
    report_counts(s, edges, o);
  printf("\n");
  fflush(stdout);
  sweep_add_ratios(s, c, text, o, totals);
  add_hosts(s, c, text, o, totals);
  uint32_t fastest = sweep_fastest(o, s->engines);
  if (fastest < s->engines)
    sweep_add_floor(&o[fastest], totals);
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
