/* A census in shares: shares of random partitions add up to the whole census, bit for bit, over
 * random graphs with hubs and lists of colours, both forms of tables and all k; dealt parts of
 * skewed graphs are even. */
#include "base/hooks.h"
#include "census/accelerator.h"
#include "census/job.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "tests/support/random.h"
#include "tests/support/search/census_shares.h"

enum { CASES = 300, MOST_N = 120, MOST_COLORS = 8 };

static ms_error err;
static const char *const color_names[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};

typedef struct trial {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_options options;
  uint32_t only[2];
} trial;

static void make_trial(uint64_t seed, trial *t)
{
  static uint32_t edges[MOST_N * 16][2], pairs[MOST_N * 3][2];
  uint64_t m = 0, assigned = 0;
  uint32_t n = 1 + random_below(&seed, MOST_N), colors = 1 + random_below(&seed, MOST_COLORS);
  uint32_t hubs = random_below(&seed, 3), lists = random_below(&seed, 2);
  *t = (trial){.options = MS_CENSUS_OPTIONS_DEFAULT};
  t->options.k = 2 + (uint32_t)(seed % 5);
  t->options.run.threads = 1 + (int)random_below(&seed, 3);
  t->options.run.engine = "cpu";
  t->options.primary = random_below(&seed, 3) == 0;
  t->options.top = random_below(&seed, 4) == 0 ? 5 : 0;
  t->options.min_count = random_below(&seed, 4) == 0 ? 3 : 0;
  t->options.only = t->only;
  t->options.n_only = colors > 1 && random_below(&seed, 4) == 0 ? 2 : 0;
  t->only[1] = 1;
  for (uint32_t v = 0; v < n; v++) {
    for (uint32_t i = random_below(&seed, 3); i > 0 && v > 0; i--) {
      edges[m][0] = v;
      edges[m++][1] = random_below(&seed, v);
    }
    for (uint32_t h = 0; h < hubs && t->options.k < 6; h++)
      if (v != h * n / 3 && random_below(&seed, 3) == 0) {
        edges[m][0] = h * n / 3;
        edges[m++][1] = v;
      }
    for (uint32_t i = random_below(&seed, 20) > 0 ? 1 + lists * random_below(&seed, 2) : 0; i > 0;
         i--) {
      pairs[assigned][0] = v;
      pairs[assigned++][1] = random_below(&seed, colors);
    }
  }
  ck_ok(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edges, NULL, &t->graph, &err));
  ck_ok(ms_coloring_from_pairs(t->graph, assigned, (const uint32_t(*)[2])pairs, colors, color_names,
                               &t->coloring, &err));
  ms_hooks.census_form = (ms_census_form)random_below(&seed, 3);
  ms_hooks.census_motifs = random_below(&seed, 4);
  ms_hooks.census_unit_work = random_below(&seed, 2) ? 1 : 256;
}

static void free_trial(trial *t)
{
  ms_coloring_free(t->coloring);
  ms_graph_free(t->graph);
}

/* The shares of two jobs, counted in random order, make the result of ms_census: 300 random graphs
 * of up to 120 vertices, k = 2 to 6. */
START_TEST(shares_add_up)
{
  uint64_t cases = scaled(CASES / 10);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + 10 * i;
    trial t;
    make_trial(seed, &t);
    ms_census_result *whole, *sum;
    ck_ok(ms_census(t.graph, t.coloring, &t.options, &whole, &err));
    sum = sum_shares(&ms_census_gpus, t.graph, t.coloring, &t.options, seed);
    compare_results(whole, sum, seed);
    ms_census_result_free(whole);
    ms_census_result_free(sum);
    free_trial(&t);
  }
}
END_TEST

/* The totals of a job are what another one counts of these units in one go. */
static void check_totals(const trial *t, ms_census_job *job, const ms_share *share,
                         const char *when, uint64_t seed)
{
  ms_census_options o = t->options;
  ms_census_rows rows, wanted;
  ms_census_job *other;
  uint64_t sets, more;
  o.run.stop = NULL;
  ck_ok(ms_census_job_open(&ms_census_gpus, t->graph, t->coloring, &o, &other, &err));
  ck_ok(ms_census_job_run(other, share, &wanted, &more, &err));
  ck_ok(ms_census_job_totals(job, &rows, &sets, &err));
  ms_census_rows_order(&rows);
  ck_assert_msg(
      sets == more && rows.count == wanted.count &&
          (rows.count == 0 || memcmp(rows.row, wanted.row, rows.count * sizeof *rows.row) == 0),
      "seed %llu: %llu sets in place of %llu, %s", (unsigned long long)seed,
      (unsigned long long)sets, (unsigned long long)more, when);
  ms_free(rows.row);
  ms_free(wanted.row);
  ms_census_job_close(other);
}

static uint64_t meanwhiles;

static void count_meanwhiles(void *user)
{
  (void)user;
  meanwhiles++;
}

/* Counts a part in steps, each of which adds what lies below *done, up to the end or a stop.
 * Returns true if it was stopped. */
static bool check_steps(const trial *t, const ms_share *part, uint64_t *state, uint64_t seed)
{
  ms_census_step step = {.meanwhile = random_below(state, 2) ? count_meanwhiles : NULL};
  ms_census_job *job;
  ms_status status = MS_OK;
  uint64_t done = part->first, before;
  ck_ok(ms_census_job_open(&ms_census_gpus, t->graph, t->coloring, &t->options, &job, &err));
  uint64_t units = ms_census_job_units(job);
  ck_ok(ms_census_job_start(job, part, &err));
  if (t->options.run.stop)
    ms_stop_after_looks(t->options.run.stop, random_below(state, 60));
  do {
    before = done;
    step.seconds = random_below(state, 3) * 1e-5;
    status = ms_census_job_advance(job, &step, &done, &err);
    ck_assert(status != MS_OK || done > before || done >= units);
    ck_assert(ms_census_job_is_whole(job));
    if (status != MS_OK || done >= units || random_below(state, 16) == 0) {
      ms_share share = ms_share_within(part, 0, done);
      check_totals(t, job, &share, status == MS_OK ? "after a step" : "after a stop", seed);
    }
  } while (status == MS_OK && done < units);
  ms_census_job_close(job);
  if (status == MS_OK)
    return false;
  ck_assert_int_eq(status, MS_ERR_LIMIT);
  return true;
}

/* After each step, and after a stop, the totals are those of the units below the one that is said:
 * 200 random graphs, parts and first units, up to 3 threads, steps of 0 to 20 microseconds. */
START_TEST(steps_add_up)
{
  uint64_t stopped = 0, ended = 0;
  meanwhiles = 0;
  for (uint64_t seed = 0; seed < scaled(200); seed++) {
    uint64_t state = seed + 1000;
    trial t;
    make_trial(seed, &t);
    ms_share part = ms_share_of_part(1, 1 + random_below(&state, 3));
    part = ms_share_within(&part, random_below(&state, 2) * random_below(&state, 40), UINT64_MAX);
    if (seed % 2)
      ck_ok(ms_stop_new(&t.options.run.stop, &err));
    bool was_stopped = check_steps(&t, &part, &state, seed);
    stopped += was_stopped;
    ended += !was_stopped;
    ms_stop_free(t.options.run.stop);
    free_trial(&t);
  }
  ck_assert(meanwhiles > 0 && stopped > 0 && ended > 0);
}
END_TEST

/* The units do not depend on threads, and cover each root and candidate once. */
START_TEST(units_are_fixed)
{
  for (uint64_t seed = 0; seed < scaled(100); seed++) {
    ms_census_units units[2];
    ms_census_graph *g;
    trial t;
    make_trial(seed, &t);
    ck_ok(ms_census_graph_new(t.graph, t.coloring, &t.options, &g, &err));
    ck_ok(ms_census_units_make(g, t.options.k, 1, &units[0], &err));
    ck_ok(ms_census_units_make(g, t.options.k, 3, &units[1], &err));
    ck_assert(units[0].count == units[1].count);
    ck_assert_mem_eq(units[0].unit, units[1].unit, units[0].count * sizeof *units[0].unit);
    uint64_t covered = 0, wanted = 0;
    for (uint64_t u = 0; u < units[0].count; u++)
      for (uint32_t i = 0; i < units[0].unit[u].roots; i++) {
        const ms_census_unit *unit = &units[0].unit[u];
        uint32_t root = unit->root + i, degree = (uint32_t)(g->offset[root + 1] - g->offset[root]);
        uint32_t above = 0;
        while (above < degree && g->neighbor[g->offset[root] + above] > root)
          above++;
        uint32_t end = unit->end < above ? unit->end : above;
        covered += (end > unit->begin ? end - unit->begin : 0) + (unit->begin == 0);
      }
    wanted = g->n + g->offset[g->n] / 2;
    ck_assert_msg(covered == wanted, "seed %llu: %llu of %llu candidates and roots",
                  (unsigned long long)seed, (unsigned long long)covered,
                  (unsigned long long)wanted);
    ms_census_units_free(&units[0]);
    ms_census_units_free(&units[1]);
    ms_census_graph_free(g);
    free_trial(&t);
  }
}
END_TEST

/* Returns the greatest part's multiple of the mean, in sets that were visited. */
static double unevenness(const ms_graph *graph, const ms_coloring *coloring, uint32_t k,
                         uint32_t parts)
{
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  double most = 0, all = 0;
  o.k = k;
  o.run.threads = 1;
  o.run.engine = "cpu";
  for (uint32_t p = 1; p <= parts; p++) {
    ms_share share = ms_share_of_part(p, parts);
    ms_census_rows rows;
    ms_census_job *job;
    uint64_t sets;
    ck_ok(ms_census_job_open(&ms_census_gpus, graph, coloring, &o, &job, &err));
    ck_ok(ms_census_job_run(job, &share, &rows, &sets, &err));
    double visits = (double)job->search[0].visits;
    most = visits > most ? visits : most;
    all += visits;
    ms_free(rows.row);
    ms_census_job_close(job);
  }
  return most * parts / all;
}

static void check_even(ms_graph *graph, uint32_t k, const char *name)
{
  static const uint32_t parts[] = {2, 4, 7, 16};
  ms_coloring *coloring;
  ck_ok(ms_generate_colors(graph, 4, 1, &coloring, &err));
  for (int i = 0; i < 4; i++) {
    double times = unevenness(graph, coloring, k, parts[i]);
    ck_assert_msg(times <= 1.2, "%s, k = %u: a part of %u has %.2f times the mean", name, k,
                  parts[i], times);
  }
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* Checks that no unit has more than a small share of the visits: in the last units, threads wait
 * for it. */
static void check_units(const ms_graph *graph, uint32_t k, double most_share)
{
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_census_job *job;
  ms_coloring *coloring;
  uint64_t before = 0, most = 0;
  o.k = k;
  o.run.threads = 1;
  o.run.engine = "cpu";
  ck_ok(ms_generate_colors(graph, 4, 1, &coloring, &err));
  ck_ok(ms_census_job_open(&ms_census_gpus, graph, coloring, &o, &job, &err));
  for (uint64_t u = 0; u < ms_census_job_units(job); u++) {
    ms_share share = ms_share_of_range(u, u + 1);
    ms_census_rows rows;
    uint64_t sets;
    ck_ok(ms_census_job_run(job, &share, &rows, &sets, &err));
    uint64_t visits = job->search[0].visits - before;
    before += visits;
    most = visits > most ? visits : most;
    ms_free(rows.row);
  }
  ck_assert_msg((double)most <= most_share * (double)before,
                "a unit has %llu of %llu visits, k = %u", (unsigned long long)most,
                (unsigned long long)before, k);
  ms_census_job_close(job);
  ms_coloring_free(coloring);
}

/* Makes a square lattice whose vertices have up to eight neighbours. */
static ms_graph *make_lattice(uint32_t side)
{
  static uint32_t edges[4 * 60 * 60][2];
  uint32_t n = side * side;
  uint64_t m = 0;
  ms_graph *graph;
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t step[] = {1, side, side + 1, side - 1};
    for (int i = 0; i < 4; i++) {
      bool fits = i == 0 ? v % side + 1 < side : i == 2 ? v % side + 1 < side : i < 3 || v % side;
      if (!fits || v + step[i] >= n)
        continue;
      edges[m][0] = v;
      edges[m++][1] = v + step[i];
    }
  }
  ck_ok(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  return graph;
}

/* No dealt part of 2, 4, 7 or 16 visits more than 1.2 times as many sets as the mean: R-MAT, a
 * power law, a graph with one hub, and a lattice.  No unit of the lattice is heavy: the vertices
 * that a search breadth first finds last have as many sets as others. */
START_TEST(parts_are_even)
{
  static uint32_t edges[12000][2];
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  o.family = MS_FAMILY_RMAT;
  o.given = MS_GEN_SCALE | MS_GEN_EDGES;
  o.scale = 10;
  o.edges = 4000;
  ck_ok(ms_generate(&o, &graph, &err));
  check_even(graph, 4, "rmat");
  o.family = MS_FAMILY_POWER_LAW;
  o.given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE;
  o.vertices = 2000;
  o.exponent = -2.2;
  o.min_degree = 1;
  o.max_degree = 150;
  ck_ok(ms_generate(&o, &graph, &err));
  check_even(graph, 4, "power law");
  for (uint32_t v = 1; v < 3000; v++) {
    edges[2 * v][0] = 0;
    edges[2 * v][1] = v;
    edges[2 * v + 1][0] = v;
    edges[2 * v + 1][1] = 1 + v % 2999;
  }
  edges[0][0] = edges[1][0] = 0;
  edges[0][1] = edges[1][1] = 1;
  ck_ok(ms_graph_from_edges(3000, 6000, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  check_even(graph, 4, "hub");
  ms_hooks.census_unit_work = 4000; /* some roots */
  graph = make_lattice(50);
  check_units(graph, 5, 0.01);
  check_even(graph, 5, "lattice");
}
END_TEST

TEST_MAIN("census_shares", TEST_TIMES(shares_add_up, 10), TEST(steps_add_up), TEST(units_are_fixed),
          TEST(parts_are_even))
