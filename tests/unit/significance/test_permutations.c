/* Permutations of a census against a census of each permuted graph: 120 random graphs, with one
 * colour and several, all nulls, strata, both engines, 1, 2 and 5 threads; stops, limits of memory,
 * failures and wrong options. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "significance/permute/permute.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 150, MOST_COLORS = 5, MOST_MOTIFS = 500, MOST_PERMUTATIONS = 40 };

static ms_error err;
static const char *const color_names[] = {"c0", "c1", "c2", "c3", "c4"};

typedef struct trial {
  uint32_t n;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_options census;
  ms_permutation_options options;
  uint32_t stratum[MOST_N], only[2];
  uint8_t colors_of[MOST_N];
  ms_census_result *observed;
} trial;

static trial t;

static void make_trial(uint64_t seed)
{
  static uint32_t edges[MOST_N * 8][2], pairs[MOST_N * MOST_COLORS][2];
  uint64_t m = 0, assigned = 0;
  bool several = random_below(&seed, 3) == 0;
  memset(&t, 0, sizeof t);
  t.n = 1 + random_below(&seed, MOST_N);
  uint32_t colors = 1 + random_below(&seed, MOST_COLORS), degree = random_below(&seed, 4);
  for (uint32_t v = 0; v < t.n; v++) {
    t.stratum[v] = random_below(&seed, 3);
    for (uint32_t i = 0; i < degree && v > 0; i++) {
      uint32_t u = random_below(&seed, 4) ? v - 1 - random_below(&seed, v < 8 ? v : 8)
                                          : random_below(&seed, v);
      edges[m][0] = v;
      edges[m++][1] = u;
    }
    uint32_t own = random_below(&seed, 8) == 0 ? 0 : several ? 1 + random_below(&seed, 2) : 1;
    for (uint32_t i = 0; i < own; i++) {
      pairs[assigned][0] = v;
      pairs[assigned++][1] = random_below(&seed, colors);
    }
  }
  ck_ok(ms_graph_from_edges(t.n, m, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
  ck_ok(ms_coloring_from_pairs(t.graph, assigned, (const uint32_t(*)[2])pairs, colors, color_names,
                               &t.coloring, &err));
  t.census = (ms_census_options){.size = sizeof t.census, .k = 2 + random_below(&seed, 4)};
  t.census.primary = random_below(&seed, 4) == 0;
  if (random_below(&seed, 4) == 0) {
    t.only[0] = random_below(&seed, colors);
    t.only[1] = random_below(&seed, colors);
    t.census.only = t.only;
    t.census.n_only = 2;
  }
  t.options = (ms_permutation_options){
      .size = sizeof t.options,
      .null_kind = (ms_null_kind)random_below(&seed, 5),
      .permutations = 1 + random_below(&seed, MOST_PERMUTATIONS),
      .seed = seed >> 1,
      .max_t = random_below(&seed, 2),
      .keep_counts = random_below(&seed, 2) * (1 + random_below(&seed, 2 * MOST_PERMUTATIONS)),
  };
  if (!ms_null_rewires(t.options.null_kind) && random_below(&seed, 2)) {
    t.options.stratum = t.stratum;
    t.options.n_strata = t.n;
  }
  ck_ok(ms_census(t.graph, t.coloring, &t.census, &t.observed, &err));
  ck_assert_uint_le(t.observed->count, MOST_MOTIFS);
}

static void free_trial(void)
{
  ms_census_result_free(t.observed);
  ms_coloring_free(t.coloring);
  ms_graph_free(t.graph);
}

/* ---- the second method ------------------------------------------------------------------- */

static uint64_t counted[MOST_PERMUTATIONS][MOST_MOTIFS];

static bool counts(uint32_t color)
{
  bool found = t.census.n_only == 0;
  for (uint32_t i = 0; i < t.census.n_only; i++)
    found |= t.only[i] == color;
  return found;
}

/* Fills label[v] with a number for the list of colours of v that count. */
static void make_labels(uint16_t *label)
{
  for (uint32_t v = 0; v < t.n; v++) {
    uint32_t own, list = 0;
    const uint32_t *color = ms_coloring_of(t.coloring, v, &own);
    for (uint32_t i = 0; i < own; i++)
      if (counts(color[i]) && !(t.census.primary && list))
        list |= 1u << color[i];
    label[v] = list ? (uint16_t)list : MS_NO_LABEL;
  }
}

/* Sets counted[number] from a census of the graph with the lists of colours of from[v]. */
static void count_permuted(const ms_graph *graph, const uint32_t *from, uint64_t number)
{
  uint32_t pairs[MOST_N * 2][2];
  uint64_t m = 0;
  ms_coloring *coloring;
  ms_census_result *r;
  for (uint32_t v = 0; v < t.n; v++) {
    uint32_t own;
    const uint32_t *color = ms_coloring_of(t.coloring, from[v], &own);
    for (uint32_t i = 0; i < own; i++) {
      pairs[m][0] = v;
      pairs[m++][1] = color[i];
    }
  }
  ck_ok(ms_coloring_from_pairs(graph, m, (const uint32_t(*)[2])pairs,
                               ms_names_count(t.coloring->names), color_names, &coloring, &err));
  ck_ok(ms_census(graph, coloring, &t.census, &r, &err));
  for (uint64_t i = 0; i < t.observed->count; i++) {
    counted[number][i] = 0;
    for (uint64_t j = 0; j < r->count; j++)
      if (memcmp(r->color + j * r->k, t.observed->color + i * r->k, r->k * sizeof *r->color) == 0)
        counted[number][i] = r->n_sets[j];
  }
  ms_census_result_free(r);
  ms_coloring_free(coloring);
}

static void count_all(void)
{
  ms_null *null;
  uint16_t label[MOST_N];
  uint32_t from[MOST_N];
  make_labels(label);
  ck_ok(ms_null_open(t.graph, label, t.options.null_kind, t.options.n_strata ? t.stratum : NULL,
                     t.options.seed, &null, &err));
  for (uint64_t i = 0; i < t.options.permutations; i++) {
    ms_graph *graph = NULL;
    for (uint32_t v = 0; v < t.n; v++)
      from[v] = v;
    if (ms_null_rewires(t.options.null_kind))
      ck_ok(ms_null_graph(null, i, &graph, NULL, &err));
    else
      ck_ok(ms_null_from(null, i, from, NULL, &err));
    count_permuted(graph ? graph : t.graph, from, i);
    ms_graph_free(graph);
  }
  ms_null_free(null);
}

static void check_close(double a, double b, const char *what)
{
  if (isnan(b))
    ck_assert_msg(isnan(a), "%s: %g instead of none", what, a);
  else
    ck_assert_msg(fabs(a - b) <= 1e-9 * (1 + fabs(b)), "%s: %.12g instead of %.12g", what, a, b);
}

/* The least share of tests with such a p among which m p / i .. : q by its definition. */
static double q_of(const double *p, uint64_t count, uint64_t i)
{
  double least = 1;
  for (uint64_t j = 0; j < count; j++) {
    uint64_t at_most = 0;
    for (uint64_t l = 0; l < count; l++)
      at_most += p[l] <= p[j];
    double adjusted = p[j] * (double)count / (double)at_most;
    if (p[j] >= p[i] && adjusted < least)
      least = adjusted;
  }
  return least;
}

static void check_motif(const ms_permutation_result *r, uint64_t i)
{
  double n = (double)r->done, mean = 0, square = 0, observed = (double)t.observed->n_sets[i];
  uint64_t ge = 0, le = 0;
  for (uint64_t j = 0; j < r->done; j++) {
    mean += (double)counted[j][i] / n;
    ge += counted[j][i] >= t.observed->n_sets[i];
    le += counted[j][i] <= t.observed->n_sets[i];
  }
  for (uint64_t j = 0; j < r->done; j++)
    square += ((double)counted[j][i] - mean) * ((double)counted[j][i] - mean);
  double sd = r->done > 1 ? sqrt(square / (n - 1)) : (double)NAN;
  check_close(r->expected[i], mean, "expected");
  check_close(r->sd[i], sd < 1e-9 ? 0 : sd, "sd");
  check_close(r->z[i], sd > 1e-9 ? (observed - mean) / sd : (double)NAN, "z");
  ck_assert_uint_eq(r->n_ge[i], ge);
  ck_assert_uint_eq(r->n_le[i], le);
  check_close(r->p[i], (1 + (double)ge) / (1 + n), "p");
  check_close(r->p_less[i], (1 + (double)le) / (1 + n), "p_less");
  check_close(r->q[i], q_of(r->p, r->count, i), "q");
  check_close(r->q_less[i], q_of(r->p_less, r->count, i), "q_less");
  uint64_t asked = t.options.keep_counts;
  ck_assert_uint_eq(r->kept, asked < r->done ? asked : r->done);
  for (uint64_t j = 0; j < r->kept; j++)
    ck_assert_uint_eq(r->counts[j * r->count + i], counted[j][i]);
  if (!r->p_max)
    return;
  uint64_t greater = 0;
  for (uint64_t j = 0; j < r->done; j++) {
    bool found = isnan(r->z[i]);
    for (uint64_t l = 0; l < r->count && !found; l++)
      found = r->sd[l] > 0 && ((double)counted[j][l] - r->expected[l]) / r->sd[l] >= r->z[i] - 1e-9;
    greater += found;
  }
  check_close(r->p_max[i], (1 + (double)greater) / (1 + n), "p_max");
}

static void check_same(const ms_permutation_result *a, const ms_permutation_result *b)
{
  size_t bytes = a->count * sizeof(double);
  ck_assert_mem_eq(a->expected, b->expected, bytes);
  ck_assert_mem_eq(a->sd, b->sd, bytes);
  ck_assert_mem_eq(a->z, b->z, bytes);
  ck_assert_mem_eq(a->p, b->p, bytes);
  ck_assert_mem_eq(a->q, b->q, bytes);
  ck_assert_mem_eq(a->p_less, b->p_less, bytes);
  ck_assert_mem_eq(a->q_less, b->q_less, bytes);
  ck_assert(!a->p_max == !b->p_max);
  if (a->p_max)
    ck_assert_mem_eq(a->p_max, b->p_max, bytes);
  ck_assert_uint_eq(a->kept, b->kept);
  if (a->kept && a->count)
    ck_assert_mem_eq(a->counts, b->counts, a->kept * a->count * sizeof *a->counts);
  ck_assert_uint_eq(a->tried, b->tried);
  ck_assert_uint_eq(a->accepted, b->accepted);
}

/* 120 random graphs by both engines, with 1, 2 and 5 threads, which count permutations side by
 * side, and segments of two sizes; the batches come into their own often. */
START_TEST(agree_with_a_census_of_each)
{
  uint64_t cases = scaled(120), batched = 0, together = 0;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    static const int threads[] = {1, 2, 5};
    ms_permutation_result *first, *r;
    make_trial(seed);
    count_all();
    ms_hooks.permute_engine = MS_PERMUTE_ONE;
    ms_hooks.census_motifs = (unsigned)(seed % 4);
    t.census.run.threads = 1;
    ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &first, &err));
    ck_assert_uint_eq(first->done, t.options.permutations);
    ck_assert_uint_eq(first->count, t.observed->count);
    ck_assert_uint_eq(first->batched, 0);
    for (uint64_t i = 0; i < first->count; i++)
      check_motif(first, i);
    for (int i = 1; i < 3; i++) {
      t.census.run.threads = threads[i];
      ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &r, &err));
      check_same(first, r);
      ms_permutation_result_free(r);
    }
    ms_hooks.permute_engine = MS_PERMUTE_BATCH;
    for (int i = 0; i < 3; i++) {
      t.census.run.threads = threads[i];
      ms_hooks.permute_segment_sets = i ? 300 : 0;
      ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &r, &err));
      check_same(first, r);
      batched += r->batched;
      together += r->done;
      ms_permutation_result_free(r);
    }
    ms_permutation_result_free(first);
    free_trial();
  }
  ck_assert(cases < 20 || batched > together / 5);
  ms_hooks = ms_hooks_default;
}
END_TEST

/* The sums of 1 to 9 parts of 24 random graphs give the statistics of the whole, bit for bit. */
START_TEST(parts_add_up)
{
  uint64_t cases = scaled(24);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    static ms_permutation_sum sum[MOST_MOTIFS];
    ms_permutation_result *whole, *part, all = {0};
    ms_division division = MS_DIVISION_DEFAULT;
    uint64_t state = seed;
    make_trial(1000 + seed);
    t.options.max_t = false;
    t.options.keep_counts = 0;
    ms_hooks.permute_engine = seed % 2 ? MS_PERMUTE_ONE : MS_PERMUTE_BATCH;
    ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &whole, &err));
    ck_assert_ptr_null(whole->sum);
    ck_ok(ms_permutation_result_open(&all, t.observed->count, false, &err));
    memset(sum, 0, sizeof sum);
    division.parts = 1 + random_below(&state, 9);
    t.census.run.division = &division;
    for (division.part = 1; division.part <= division.parts; division.part++) {
      t.census.run.threads = 1 + (int)random_below(&state, 3);
      ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &part, &err));
      ck_assert_uint_eq(part->first, all.done);
      ck_assert_uint_le(part->done, t.options.permutations / division.parts + 1);
      for (uint64_t i = 0; i < part->count; i++) {
        sum[i].first += part->sum[i].first;
        sum[i].second += part->sum[i].second;
        all.n_ge[i] += part->n_ge[i];
        all.n_le[i] += part->n_le[i];
      }
      all.done += part->done;
      all.tried += part->tried;
      all.accepted += part->accepted;
      all.deviation = fmax(all.deviation, part->deviation);
      ms_permutation_result_free(part);
    }
    ck_assert_uint_eq(all.done, whole->done);
    ck_assert_double_eq(all.deviation, whole->deviation);
    ck_ok(ms_permutation_result_fill(&all, sum, t.observed->n_sets, NULL, &err));
    check_same(&all, whole);
    double *column[] = {all.expected, all.sd, all.z, all.p, all.q, all.p_less, all.q_less};
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
      ms_free(column[i]);
    ms_free(all.n_ge);
    ms_free(all.n_le);
    ms_permutation_result_free(whole);
    free_trial();
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* A prefix of the permutations is what a run of fewer gives, on one thread and on four. */
START_TEST(stops_keep_what_is_done)
{
  ms_stop *stop;
  uint64_t looks = 0, partial = 0;
  for (uint64_t seed = 1; looks == 0; seed++) {
    make_trial(seed);
    t.options.permutations = 30;
    if (t.observed->count > 3 && t.options.null_kind == MS_NULL_LABELS)
      looks = 1;
    else
      free_trial();
  }
  for (int way = 0; way < 3; way++) {
    ms_hooks.permute_engine = way < 2 ? MS_PERMUTE_ONE : MS_PERMUTE_BATCH;
    t.census.run.threads = way == 1 ? 4 : 1;
    for (looks = 1; looks < 2000; looks += 1 + looks / 4) {
      ms_permutation_result *r, *shorter;
      ck_ok(ms_stop_new(&stop, &err));
      ms_stop_after_looks(stop, looks);
      t.census.run.stop = stop;
      t.options.permutations = 30;
      ms_status status =
          ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &r, &err);
      t.census.run.stop = NULL;
      ms_stop_free(stop);
      if (status != MS_OK) { /* before there was anything */
        ck_assert_int_eq(status, MS_ERR_LIMIT);
        continue;
      }
      ck_assert(r->run.stopped == MS_ERR_LIMIT || r->done == 30);
      ck_assert_uint_eq(r->asked, 30);
      if (r->done > 0 && r->done < 30) {
        t.options.permutations = r->done;
        ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &shorter,
                                &err));
        check_same(shorter, r);
        ms_permutation_result_free(shorter);
        partial++;
      }
      ms_permutation_result_free(r);
    }
  }
  ck_assert_uint_gt(partial, 5);
  ms_hooks = ms_hooks_default;
  free_trial();
}
END_TEST

/* Where memory is for some threads only, or for one, the numbers are the same; 30 bounds. */
START_TEST(little_memory)
{
  ms_permutation_result *first, *r;
  uint64_t done = 0;
  make_trial(7);
  count_all();
  ms_hooks.permute_engine = MS_PERMUTE_ONE;
  t.options.permutations = 9;
  t.census.run.threads = 1;
  ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &first, &err));
  t.census.run.threads = 8;
  for (int i = 0; i < 30; i++) {
    t.census.run.memory = (uint64_t)4096 << (i / 2);
    t.census.run.memory += i % 2 ? t.census.run.memory / 2 : 0;
    ms_status status =
        ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &r, &err);
    ck_assert(status == MS_OK || status == MS_ERR_MEMORY);
    if (status != MS_OK)
      continue;
    ck_assert_uint_le(r->bytes, t.census.run.memory);
    check_same(first, r);
    ms_permutation_result_free(r);
    done++;
  }
  ck_assert_uint_gt(done, 10);
  ms_hooks = ms_hooks_default;
  ms_permutation_result_free(first);
  free_trial();
}
END_TEST

/* Sets of one root that have no room in records are counted one by one. */
START_TEST(large_roots_are_counted_alone)
{
  static uint32_t edges[3000][2], pairs[3001][2];
  static const char *const one[] = {"c"};
  ms_permutation_result *r;
  for (uint32_t v = 0; v < 3000; v++) {
    edges[v][0] = 0;
    edges[v][1] = v + 1;
    pairs[v][0] = v;
  }
  pairs[3000][0] = 3000;
  memset(&t, 0, sizeof t);
  ck_ok(ms_graph_from_edges(3001, 3000, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
  ck_ok(ms_coloring_from_pairs(t.graph, 3001, (const uint32_t(*)[2])pairs, 1, one, &t.coloring,
                               &err));
  t.census = (ms_census_options){.size = sizeof t.census, .k = 4, .run.threads = 2};
  t.options = (ms_permutation_options){.size = sizeof t.options, .permutations = 3};
  ck_ok(ms_census(t.graph, t.coloring, &t.census, &t.observed, &err));
  ms_hooks.permute_engine = MS_PERMUTE_BATCH;
  ck_ok(ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &r, &err));
  ck_assert_uint_eq(r->done, 3);
  ck_assert_uint_eq(r->batched, 0);
  ck_assert_double_eq(r->expected[0], (double)t.observed->sets);
  ck_assert_double_eq(r->sd[0], 0);
  ms_hooks = ms_hooks_default;
  ms_permutation_result_free(r);
  free_trial();
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------------ */

static ms_status permute(void *user, ms_error *reason)
{
  ms_permutation_result *r;
  (void)user;
  ms_status status =
      ms_census_permute(t.graph, t.coloring, &t.census, &t.options, t.observed, &r, reason);
  if (status == MS_OK)
    ms_permutation_result_free(r);
  return status;
}

START_TEST(every_allocation_may_fail)
{
  make_trial(5);
  t.census.run.threads = 2;
  t.options.permutations = 3;
  t.options.max_t = true;
  for (int null = 0; null < 4; null += 3)
    for (int engine = MS_PERMUTE_ONE; engine <= MS_PERMUTE_BATCH; engine++) {
      t.options.null_kind = (ms_null_kind)null;
      if (null == MS_NULL_REWIRE)
        t.options.n_strata = 0;
      ms_hooks.permute_engine = (ms_permute_engine)engine;
      bool alone = engine == MS_PERMUTE_ONE || null == MS_NULL_REWIRE;
      t.census.run.threads = alone ? 1 : 2;
      ck_assert_int_gt(failing_runs(permute, NULL), 30);
      t.census.run.threads = 3; /* fewer threads go on where one lacks memory */
      if (alone)
        ck_assert_int_gt(failing_runs_survived(permute, NULL), 30);
    }
  ms_hooks = ms_hooks_default;
  free_trial();
}
END_TEST

#define REFUSED(word)                                                                              \
  do {                                                                                             \
    ck_assert_int_eq(permute(NULL, &err), MS_ERR_USAGE);                                           \
    ck_assert_msg(strstr(err.message, word) != NULL, "%s", err.message);                           \
  } while (0)

START_TEST(refusals)
{
  make_trial(5);
  t.options.permutations = MS_MOST_PERMUTATIONS + 1ull;
  REFUSED("`permutations`");
  t.options.permutations = 2;
  t.options.null_kind = MS_NULL_LABELS;
  t.options.stratum = t.stratum;
  t.options.n_strata = t.n + 1;
  REFUSED("`stratum`");
  t.options.n_strata = t.n;
  t.options.null_kind = MS_NULL_REWIRE;
  REFUSED("`stratum`");
  t.options.n_strata = 0;
  t.options.null_kind = (ms_null_kind)9;
  REFUSED("null_kind");
  t.options.null_kind = MS_NULL_LABELS;
  t.observed->motifs++;
  REFUSED("`min_count`");
  t.observed->motifs--;
  t.observed->run.stopped = MS_ERR_LIMIT;
  REFUSED("was stopped");
  t.observed->run.stopped = MS_OK;
  t.census.run.memory = 64;
  ck_assert_int_eq(permute(NULL, &err), MS_ERR_MEMORY);
  ck_assert_msg(strstr(err.message, "raise `memory`") != NULL, "%s", err.message);
  free_trial();
}
END_TEST

/* Sums of up to 3 permutations of a motif with up to 4 sets against all of their numbers: each sum
 * that occurs is accepted, and a sum of squares outside the range that occurs with the others, or
 * of the wrong parity, is refused. */
START_TEST(impossible_sums)
{
  enum { MOST = 14, SQUARES = 3 * MOST * MOST + 2, FIRST = 8 };
  int wrong = 0;
  for (int done = 0; done <= 3; done++)
    for (int observed = 0; observed <= 4; observed++) {
      static int least[2 * FIRST + 1][5][5], most[2 * FIRST + 1][5][5];
      memset(least, -1, sizeof least);
      memset(most, -1, sizeof most);
      int width = MOST + observed + 1, all = 1;
      for (int i = 0; i < done; i++)
        all *= width;
      for (int number = 0; number < all; number++) {
        int first = 0, square = 0, ge = 0, le = 0;
        for (int i = 0, rest = number; i < done; i++, rest /= width) {
          int d = rest % width - observed;
          first += d;
          square += d * d;
          ge += d >= 0;
          le += d <= 0;
        }
        if (first < -FIRST || first > 1)
          continue;
        int *low = &least[first + FIRST][ge][le], *high = &most[first + FIRST][ge][le];
        *low = *low < 0 || square < *low ? square : *low;
        *high = square > *high ? square : *high;
      }
      for (int first = -FIRST; first <= 1; first++)
        for (uint64_t ge = 0; ge < 5; ge++)
          for (uint64_t le = 0; le < 5; le++)
            for (int square = 0; square < SQUARES; square++) {
              ms_permutation_sum sum = {.first = first, .second = (ms_unsigned_wide)square};
              int low = least[first + FIRST][ge][le], high = most[first + FIRST][ge][le];
              bool occurs = low >= 0 && square >= low && square <= high;
              wrong += ms_permutation_sum_is_possible(&sum, ge, le, (uint64_t)done,
                                                      (uint64_t)observed) !=
                       (occurs && (square - first) % 2 == 0);
            }
    }
  ck_assert_int_eq(wrong, 0);
}
END_TEST

TEST_MAIN("permutations", TEST(agree_with_a_census_of_each), TEST(parts_add_up),
          TEST(stops_keep_what_is_done), TEST(little_memory), TEST(large_roots_are_counted_alone),
          TEST(every_allocation_may_fail), TEST(refusals), TEST(impossible_sums))
