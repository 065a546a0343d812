/* Cliques by pivots (match/cpu/cliques/cliques.h): the number of each size against brute force and
 * against formulas, on every path of instructions, in parts, and on several threads; counts of maps
 * by pivots against searches; which of the two counts; stops and lack of memory. */
#include "base/budget.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "match/count/count.h"
#include "match/count/count_choice.h"
#include "match/count/leaves.h"
#include "match/cpu/cliques/cliques.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/shapes.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- graphs ---------------------------------------------------------------------------------- */

enum { MOST = 500, MOST_SIZES = 90 };

typedef struct clique_graph {
  uint32_t n;
  bool near[MOST][MOST];
  ms_graph *graph;
  ms_pattern_index *index;
} clique_graph;

/* Makes the library's objects of w->n and w->near. */
static void finish_graph(clique_graph *w)
{
  uint32_t(*edge)[2] = malloc(((size_t)w->n * w->n + 1) * sizeof *edge);
  uint64_t m = 0;
  ck_assert(edge != NULL);
  for (uint32_t u = 0; u < w->n; u++)
    for (uint32_t v = 0; v < u; v++)
      if (w->near[u][v]) {
        edge[m][0] = u;
        edge[m++][1] = v;
      }
  ck_assert_int_eq(ms_graph_from_edges(w->n, m, (const uint32_t(*)[2])edge, NULL, &w->graph, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(w->graph, NULL, 1, &w->index, NULL), MS_OK);
  free(edge);
}

static void join(clique_graph *w, uint32_t u, uint32_t v, bool so)
{
  w->near[u][v] = w->near[v][u] = so && u != v;
}

static clique_graph *empty_graph(uint32_t n)
{
  clique_graph *w = calloc(1, sizeof *w);
  ck_assert(w != NULL);
  w->n = n;
  return w;
}

/* Vertices in groups of this size, with all edges between groups and none within. */
static clique_graph *grouped_graph(uint32_t n, uint32_t group)
{
  clique_graph *w = empty_graph(n);
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = 0; v < u; v++)
      join(w, u, v, u / group != v / group);
  finish_graph(w);
  return w;
}

static clique_graph *random_graph(uint64_t *state, uint32_t n, uint32_t percent)
{
  clique_graph *w = empty_graph(n);
  uint32_t halves = random_below(state, 3) == 0 ? 2 : 1; /* of which no edge joins the two */
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = 0; v < u; v++)
      join(w, u, v, random_below(state, 100) < percent && u % halves == v % halves);
  finish_graph(w);
  return w;
}

static void free_graph(clique_graph *w)
{
  ms_pattern_index_free(w->index);
  ms_graph_free(w->graph);
  free(w);
}

/* Adds to count[] the cliques of the vertices, all of which are at least `from`, that are next to
 * all of chosen[size]. */
static void brute(const clique_graph *w, uint32_t from, uint32_t *chosen, uint32_t size,
                  uint64_t *count)
{
  for (uint32_t v = from; v < w->n; v++) {
    bool fits = true;
    for (uint32_t i = 0; fits && i < size; i++)
      fits = w->near[v][chosen[i]];
    if (!fits)
      continue;
    chosen[size] = v;
    count[size + 1]++;
    brute(w, v + 1, chosen, size + 1, count);
  }
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct sizes {
  mpz_t of[MS_MAX_PATTERN + 1];
} sizes;

static void init_sizes(sizes *s)
{
  for (uint32_t k = 0; k <= MS_MAX_PATTERN; k++)
    mpz_init(s->of[k]);
}

static void clear_sizes(sizes *s)
{
  for (uint32_t k = 0; k <= MS_MAX_PATTERN; k++)
    mpz_clear(s->of[k]);
}

/* Adds a share of the cliques of the sizes least .. most. */
static void add_share(const clique_graph *w, uint32_t least, uint32_t most, int threads,
                      const ms_share *share, double round, sizes *s)
{
  ms_cliques *k;
  ms_error err;
  bool done = false, lost;
  ms_cliques_task task = {.index = w->index, .least = least, .most = most};
  ms_cliques_run run = {.threads = threads, .share = share};
  ck_ok(ms_cliques_new(&task, &k, &err));
  ck_ok(ms_cliques_begin(k, &run, &err));
  while (!done) {
    ck_ok(ms_cliques_go_on(k, round, INFINITY, &done, &lost, &err));
    ck_assert(!lost);
  }
  ck_ok(ms_cliques_add(k, s->of, &err));
  ms_cliques_free(k);
}

static void use_defaults(void)
{
  ms_hooks = ms_hooks_default;
  unsetenv("MOTIFSIEVE_SETS");
}

/* Graphs of up to 18 vertices, sparse, dense, nearly complete, of one part and of two, have as many
 * cliques of each size as brute force finds, whatever sizes are asked for, on every path, in parts
 * and in rounds. */
START_TEST(small_graphs)
{
  static const char *const path[] = {"portable", "avx2"};
  static const uint32_t percent[] = {0, 20, 50, 80, 95, 100};
  uint64_t state = 7;
  for (uint32_t round = 0; round < scaled(600); round++) {
    uint32_t n = 1 + random_below(&state, 18), chosen[18];
    uint64_t count[20] = {0};
    clique_graph *w = random_graph(&state, n, percent[random_below(&state, 6)]);
    uint32_t least = 1 + random_below(&state, n + 1);
    uint32_t most = least + random_below(&state, n + 2 - least + 1);
    uint32_t parts = 1 + random_below(&state, 3);
    sizes s;
    init_sizes(&s);
    setenv("MOTIFSIEVE_SETS", path[round % 2], 1);
    brute(w, 0, chosen, 0, count);
    for (uint32_t part = 1; part <= parts; part++) {
      ms_share share = ms_share_of_part(part, parts);
      add_share(w, least, most, 1 + (int)random_below(&state, 3), parts > 1 ? &share : NULL,
                random_below(&state, 2) ? 0 : INFINITY, &s);
    }
    for (uint32_t k = 0; k <= MS_MAX_PATTERN; k++) {
      uint64_t expected = k >= least && k <= most && k < 20 ? count[k] : 0;
      ck_assert_msg(mpz_cmp_ui(s.of[k], expected) == 0, "round %u, size %u of %u to %u: not %llu",
                    round, k, least, most, (unsigned long long)expected);
    }
    clear_sizes(&s);
    free_graph(w);
  }
  use_defaults();
}
END_TEST

/* Complete graphs with several words in a set, from which groups of one, two or three vertices lack
 * their edges, have C(g, k) size^k cliques of g groups: on every path, also cut roots, in parts and
 * on several threads; numbers of more than 128 bits. */
START_TEST(grouped)
{
  static const struct {
    uint32_t n, group, least, most;
  } cases[] = {{40, 1, 1, 40},   {100, 1, 50, 50}, {65, 1, 1, 65},   {60, 2, 1, 31},
               {400, 2, 1, 256}, {130, 2, 7, 9},   {450, 1, 1, 256}, {90, 3, 1, 5},
               {150, 3, 4, 4},   {260, 4, 3, 3},   {24, 3, 7, 8}};
  static const char *const path[] = {"portable", "avx2"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t groups = cases[i].n / cases[i].group;
    clique_graph *w = grouped_graph(cases[i].n, cases[i].group);
    sizes s;
    mpz_t expected, power;
    mpz_inits(expected, power, NULL);
    init_sizes(&s);
    setenv("MOTIFSIEVE_SETS", path[((size_t)_i + i) % 2], 1);
    if (_i < 3)
      add_share(w, cases[i].least, cases[i].most, 1 + _i, NULL, INFINITY, &s);
    for (uint32_t part = 1; _i == 3 && part <= 5; part++) {
      ms_share share = ms_share_of_part(part, 5);
      add_share(w, cases[i].least, cases[i].most, 2, &share, 1000, &s);
    }
    for (uint32_t k = cases[i].least; k <= cases[i].most; k++) {
      mpz_bin_uiui(expected, groups, k);
      mpz_ui_pow_ui(power, cases[i].group, k);
      mpz_mul(expected, expected, power);
      ck_assert_msg(mpz_cmp(s.of[k], expected) == 0, "case %zu: size %u", i, k);
    }
    clear_sizes(&s);
    mpz_clears(expected, power, NULL);
    free_graph(w);
  }
  use_defaults();
}
END_TEST

/* Only vertices of the domain count. */
START_TEST(domains)
{
  clique_graph *w = grouped_graph(30, 1);
  uint64_t bits[1] = {0x2aaaaaaa}; /* every second vertex */
  ms_domain domain = {.lo = 3, .hi = 30, .bits = bits, .count = 14};
  ms_cliques_task task = {.index = w->index, .domain = &domain, .least = 2, .most = 4};
  ms_cliques *k;
  ms_error err;
  bool done, lost;
  sizes s;
  init_sizes(&s);
  ck_ok(ms_cliques_new(&task, &k, &err));
  ck_ok(ms_cliques_begin(k, &(ms_cliques_run){.threads = 1}, &err));
  ck_ok(ms_cliques_go_on(k, INFINITY, INFINITY, &done, &lost, &err));
  ck_ok(ms_cliques_add(k, s.of, &err));
  ck_assert_uint_eq(mpz_get_ui(s.of[2]), 14 * 13 / 2);
  ck_assert_uint_eq(mpz_get_ui(s.of[3]), 14 * 13 * 12 / 6);
  ck_assert_uint_eq(mpz_get_ui(s.of[4]), 14 * 13 * 12 * 11 / 24);
  ms_cliques_free(k);
  clear_sizes(&s);
  free_graph(w);
}
END_TEST

/* ---- maps ------------------------------------------------------------------------------------ */

/* A count of the maps of a clique. */
typedef struct clique_query {
  ms_shape shape;
  ms_domains domains;
  ms_count_query query;
  ms_count_report report;
} clique_query;

static void make_query(const clique_graph *w, uint32_t size, int threads, clique_query *q)
{
  memset(q, 0, sizeof *q);
  q->shape = shapes_clique(size);
  q->domains = (ms_domains){.index = w->index, .n = size};
  for (uint32_t i = 0; i < size; i++)
    q->domains.of[i] = (ms_domain){.hi = w->index->n, .count = w->index->n};
  q->query = (ms_count_query){.index = w->index,
                              .domains = &q->domains,
                              .engine = &ms_pattern_engine_cpu,
                              .threads = threads,
                              .effort = {0, MS_PROBE_STEPS, NULL},
                              .report = &q->report};
}

/* Searches and pivots find the same numbers of maps, each cut by looks, and so do shares of both,
 * which are put together, also where later shares know the choice of the first: random graphs of up
 * to 70 vertices, sizes of 5 to 10. */
START_TEST(same_maps)
{
  static clique_query q;
  uint64_t state = 5;
  mpz_t searched, maps;
  mpz_inits(searched, maps, NULL);
  ms_hooks.work_for_threads = 0;
  for (uint32_t round = 0; round < scaled(60); round++) {
    uint32_t n = 5 + random_below(&state, 66), size = 5 + random_below(&state, 6);
    clique_graph *w = random_graph(&state, n, n < 20 ? 90 : 20 + random_below(&state, 45));
    make_query(w, size, 1 + (int)random_below(&state, 3), &q);
    ms_hooks.count_clique_weight = INFINITY;
    ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, searched, NULL), MS_OK);
    ck_assert(!q.report.used_pivots);
    ms_hooks.count_clique_weight = random_below(&state, 3) == 0 ? 1e-3 : 0;
    ms_hooks.probe_steps = random_below(&state, 2) ? 0 : 1e6;
    ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
    ck_assert_msg(mpz_cmp(maps, searched) == 0, "round %u", round);
    ck_assert(q.report.used_pivots || ms_hooks.count_clique_weight > 0 || size > n);
    ms_count_leaves sum = {0};
    ms_count_choices choices = {0}, *kept = random_below(&state, 2) ? &choices : NULL;
    for (uint32_t part = 1; part <= 3; part++) {
      ms_share share = ms_share_of_part(part, 3);
      ms_count_leaves leaves = {.share = &share, .choices = kept};
      q.query.leaves = &leaves;
      ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
      ck_assert_int_eq(ms_count_leaves_add(&sum, &leaves, NULL), MS_OK);
      ms_count_leaves_free(&leaves);
    }
    ms_count_leaves_rewind(&sum);
    q.query.leaves = &sum;
    ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
    ck_assert_msg(mpz_cmp(maps, searched) == 0, "round %u in parts", round);
    ms_count_leaves_free(&sum);
    ms_count_choices_free(&choices);
    free_graph(w);
  }
  use_defaults();
  mpz_clears(searched, maps, NULL);
}
END_TEST

/* Pivots count where cliques are large, before a search is planned: 100!/50! maps of the clique of
 * 50 vertices into that of 100.  In a sparse random graph a search is expected to be shorter, or so
 * short that nothing is compared. */
START_TEST(choice)
{
  static clique_query q;
  uint64_t state = 3;
  mpz_t maps, expected;
  mpz_inits(maps, expected, NULL);
  clique_graph *w = grouped_graph(100, 1);
  make_query(w, 50, 1, &q);
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
  mpz_fac_ui(expected, 100);
  mpz_t less;
  mpz_init(less);
  mpz_fac_ui(less, 50);
  mpz_divexact(expected, expected, less);
  ck_assert_int_eq(mpz_cmp(maps, expected), 0);
  ck_assert(q.report.used_pivots && q.report.instead_of == 0);
  make_query(w, 6, 1, &q);
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
  ck_assert(q.report.used_pivots && q.report.instead_of > q.report.pivots);
  free_graph(w);
  w = random_graph(&state, 300, 15);
  make_query(w, 5, 1, &q);
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
  ck_assert(!q.report.used_pivots);
  free_graph(w);
  /* where pivots may take a twentieth of the search, they give way to it */
  w = random_graph(&state, 180, 60);
  make_query(w, 6, 2, &q);
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, expected, NULL), MS_OK);
  ck_assert(q.report.used_pivots);
  ms_hooks.count_clique_weight = 20;
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
  ck_assert(!q.report.used_pivots && q.report.pivots > q.report.instead_of);
  ck_assert_int_eq(mpz_cmp(maps, expected), 0);
  free_graph(w);
  mpz_clears(maps, expected, less, NULL);
}
END_TEST

/* The plan says that pivots count. */
START_TEST(explained)
{
  static const char *const text = "counted: cliques by pivots, those within a large clique or near "
                                  "it at once; estimated steps: ",
                           *const json = "{\"maps\":\"pivots\",\"cost\":";
  static clique_query q;
  const char *name[12];
  clique_graph *w = grouped_graph(60, 2);
  make_query(w, 12, 1, &q);
  for (uint32_t i = 0; i < 12; i++)
    name[i] = "v";
  for (int is_json = 0; is_json < 2; is_json++) {
    char *said;
    const char *begin = is_json ? json : text;
    ck_assert_int_eq(ms_count_explain(&q.query, &q.shape, name, is_json, &said, NULL), MS_OK);
    ck_assert_msg(strncmp(said, begin, strlen(begin)) == 0, "%s", said);
    ms_text_free(said);
  }
  free_graph(w);
}
END_TEST

/* The public function counts all sizes at once, as many as formulas say of 20 groups of two,
 * refuses sizes that there cannot be, and after a stop has lower bounds. */
START_TEST(all_sizes)
{
  clique_graph *w = grouped_graph(40, 2);
  ms_clique_options options = MS_CLIQUE_OPTIONS_DEFAULT;
  ms_clique_counts *counts;
  ms_error err;
  mpz_t number;
  mpz_init(number);
  ck_ok(ms_clique_counts_new(w->index, NULL, &counts, &err));
  ck_assert_uint_eq(counts->least, 1);
  ck_assert_uint_eq(counts->most, MS_MAX_PATTERN);
  ck_assert_uint_eq(counts->largest, 20);
  for (uint32_t k = 1; k <= MS_MAX_PATTERN; k++) {
    char text[40];
    mpz_bin_uiui(number, 20, k);
    mpz_mul_2exp(number, number, k);
    gmp_snprintf(text, sizeof text, "%Zd", number);
    ck_assert_str_eq(counts->count_text[k - 1], k > 20 ? "0" : text);
  }
  ms_clique_counts_free(counts);
  options.least = 5;
  options.most = 4;
  ck_assert_int_eq(ms_clique_counts_new(w->index, &options, &counts, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(counts);
  options.most = MS_MAX_PATTERN + 1;
  ck_assert_int_eq(ms_clique_counts_new(w->index, &options, &counts, &err), MS_ERR_USAGE);
  options.most = 6;
  ck_ok(ms_stop_new(&options.run.stop, &err));
  ms_stop_request(options.run.stop);
  ck_ok(ms_clique_counts_new(w->index, &options, &counts, &err));
  ck_assert_int_eq(counts->run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_str_eq(counts->count_text[0], "0");
  ms_clique_counts_free(counts);
  ms_stop_free(options.run.stop);
  options.run.stop = NULL;
  options.run.memory = 1000;
  ck_assert_int_eq(ms_clique_counts_new(w->index, &options, &counts, &err), MS_ERR_MEMORY);
  mpz_clear(number);
  free_graph(w);
}
END_TEST

/* ---- of each vertex ------------------------------------------------------------------------ */

/* Adds to count[vertex][size] the cliques, as brute() does. */
static void brute_vertices(const clique_graph *w, uint32_t from, uint32_t *chosen, uint32_t size,
                           uint64_t (*count)[MOST_SIZES + 1])
{
  for (uint32_t v = from; v < w->n; v++) {
    bool fits = true;
    for (uint32_t i = 0; fits && i < size; i++)
      fits = w->near[v][chosen[i]];
    if (!fits)
      continue;
    chosen[size] = v;
    for (uint32_t i = 0; i <= size; i++)
      count[chosen[i]][size + 1]++;
    brute_vertices(w, v + 1, chosen, size + 1, count);
  }
}

/* Of random graphs, sparse and dense, each vertex has as many cliques of each size as brute force
 * finds, and all sizes their sums, by one thread and three. */
START_TEST(each_vertex)
{
  uint64_t state = 77, cases = scaled(3000);
  static uint64_t count[MOST][MOST_SIZES + 1];
  for (uint64_t i = 0; i < cases; i++) {
    uint32_t n = 1 + random_below(&state, i % 40 == 0 ? 90 : 17), chosen[MOST];
    clique_graph *w = random_graph(&state, n, n > 20 ? 30 : 20 + random_below(&state, 81));
    ms_clique_options options = MS_CLIQUE_OPTIONS_DEFAULT;
    ms_clique_counts *counts, *sums;
    ms_error err;
    options.least = 1 + random_below(&state, 6);
    options.most = options.least + random_below(&state, MOST_SIZES - options.least + 1);
    options.run.threads = i % 2 ? 1 : 3;
    memset(count, 0, sizeof count);
    brute_vertices(w, 0, chosen, 0, count);
    ck_ok(ms_clique_counts_new(w->index, &options, &sums, &err));
    options.per_vertex = true;
    ck_ok(ms_clique_counts_new(w->index, &options, &counts, &err));
    ck_assert_uint_eq(counts->vertices, n);
    ck_assert_uint_eq(counts->largest, sums->largest);
    uint32_t wide = options.most - options.least + 1;
    for (uint32_t k = options.least; k <= options.most; k++) {
      ck_assert_str_eq(counts->count_text[k - options.least], sums->count_text[k - options.least]);
      for (uint32_t v = 0; v < n; v++)
        ck_assert_msg(counts->of_vertex[v * wide + k - options.least] == count[v][k],
                      "case %llu: vertex %u, size %u", (unsigned long long)i, v, k);
    }
    ms_clique_counts_free(counts);
    ms_clique_counts_free(sums);
    free_graph(w);
  }
}
END_TEST

/* The public function with `per_vertex`: formulas of 40 groups of two, numbers without 63 bits, and
 * stops. */
START_TEST(each_vertex_of_groups)
{
  clique_graph *w = grouped_graph(60, 2), *whole = grouped_graph(80, 1);
  ms_clique_options options = MS_CLIQUE_OPTIONS_DEFAULT;
  ms_clique_counts *counts;
  ms_error err;
  mpz_t number;
  mpz_init(number);
  options.per_vertex = true;
  options.least = 3;
  options.most = 14;
  ck_ok(ms_clique_counts_new(w->index, &options, &counts, &err));
  for (uint32_t v = 0; v < 60; v++)
    for (uint32_t k = 3; k <= 14; k++) { /* C(29, k - 1) 2^(k - 1) with the vertex */
      mpz_bin_uiui(number, 29, k - 1);
      mpz_mul_2exp(number, number, k - 1);
      ck_assert(mpz_cmp_ui(number, counts->of_vertex[v * 12 + k - 3]) == 0);
    }
  ms_clique_counts_free(counts);
  options.most = 40;
  ck_assert_int_eq(ms_clique_counts_new(whole->index, &options, &counts, &err), MS_ERR_USAGE);
  ck_assert(strstr(err.message, "2^63") != NULL);
  options.least = 75; /* of all sizes from 75 on, there are few */
  options.most = 0;
  ck_ok(ms_clique_counts_new(whole->index, &options, &counts, &err));
  mpz_bin_uiui(number, 79, 75);
  ck_assert(mpz_cmp_ui(number, counts->of_vertex[1]) == 0);
  ms_clique_counts_free(counts);
  ck_ok(ms_stop_new(&options.run.stop, &err));
  ms_stop_request(options.run.stop);
  ck_ok(ms_clique_counts_new(w->index, &options, &counts, &err));
  ck_assert_int_eq(counts->run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_str_eq(counts->count_text[0], "0");
  ms_clique_counts_free(counts);
  ms_stop_free(options.run.stop);
  options.run.stop = NULL;
  options.run.memory = 1000;
  ck_assert_int_eq(ms_clique_counts_new(w->index, &options, &counts, &err), MS_ERR_MEMORY);
  mpz_clear(number);
  free_graph(w);
  free_graph(whole);
}
END_TEST

static ms_status take_each_vertex(void *user, ms_error *err)
{
  const clique_graph *w = user;
  ms_clique_options options = MS_CLIQUE_OPTIONS_DEFAULT;
  ms_clique_counts *counts = NULL;
  options.per_vertex = true;
  options.most = 5;
  options.run.threads = 2;
  ms_status status = ms_clique_counts_new(w->index, &options, &counts, err);
  ms_clique_counts_free(counts);
  return status;
}

START_TEST(each_vertex_without_memory)
{
  clique_graph *w = grouped_graph(12, 2);
  ck_assert_int_gt(failing_runs(take_each_vertex, w), 10);
  free_graph(w);
}
END_TEST

/* ---- stops and memory ------------------------------------------------------------------------ */

/* A count that a token stops has found at most all maps, and says so; the later the stop, the more
 * it may have found. */
START_TEST(stopped)
{
  static clique_query q;
  uint64_t state = 11, stops = 0;
  mpz_t all, maps;
  mpz_inits(all, maps, NULL);
  clique_graph *w = random_graph(&state, 120, 70);
  ms_hooks.count_clique_weight = 0;
  make_query(w, 6, 2, &q);
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, all, NULL), MS_OK);
  ck_assert(q.report.used_pivots);
  ms_status status = MS_ERR_LIMIT;
  for (uint64_t looks = 1; status != MS_OK; looks += 1 + looks / 2) {
    ms_stop *stop = NULL;
    ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
    ms_stop_after_looks(stop, looks);
    q.query.stop = stop;
    status = ms_count_maps(&q.query, &q.shape, maps, NULL);
    ms_stop_free(stop);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    ck_assert_int_le(mpz_cmp(maps, all), 0);
    stops += status != MS_OK;
  }
  ck_assert_int_eq(mpz_cmp(maps, all), 0);
  ck_assert_uint_ge(stops, 3);
  use_defaults();
  free_graph(w);
  mpz_clears(all, maps, NULL);
}
END_TEST

/* Trees that take more than they may are given up. */
START_TEST(given_up)
{
  uint64_t state = 2;
  clique_graph *w = random_graph(&state, 200, 80);
  ms_cliques_task task = {.index = w->index, .least = 12, .most = 12};
  ms_cliques *k;
  ms_error err;
  bool done, lost;
  ck_ok(ms_cliques_new(&task, &k, &err));
  ck_ok(ms_cliques_begin(k, &(ms_cliques_run){.threads = 2}, &err));
  ck_ok(ms_cliques_go_on(k, 1e4, 1e6, &done, &lost, &err));
  ck_assert(lost);
  ck_assert_double_lt(ms_cliques_spent(k), 2e6);
  ms_cliques_free(k);
  free_graph(w);
}
END_TEST

/* Without room in the budget, cliques are not counted by pivots; a search counts them. */
START_TEST(budget)
{
  static clique_query q;
  mpz_t maps;
  ms_budget small;
  clique_graph *w = grouped_graph(40, 2);
  mpz_init(maps);
  make_query(w, 7, 1, &q);
  ms_budget_open(&small, 100);
  q.query.budget = &small;
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
  ck_assert(!q.report.used_pivots);
  ck_assert_uint_eq(small.reserved, 0);
  mpz_fdiv_q_ui(maps, maps, 5040);
  ck_assert_uint_eq(mpz_get_ui(maps), 77520ull * 128); /* C(20, 7) 2^7 */
  ms_budget_open(&small, 1 << 20);
  ck_assert_int_eq(ms_count_maps(&q.query, &q.shape, maps, NULL), MS_OK);
  ck_assert(q.report.used_pivots);
  ck_assert_uint_eq(small.reserved, 0);
  ck_assert_uint_gt(small.peak, 0);
  mpz_clear(maps);
  free_graph(w);
}
END_TEST

static ms_status count_sizes(void *user, ms_error *err)
{
  const clique_graph *w = user;
  ms_cliques_task task = {.index = w->index, .least = 1, .most = 12};
  ms_cliques *k;
  bool done, lost;
  sizes s;
  MS_TRY(ms_cliques_new(&task, &k, err));
  ms_status status = ms_cliques_begin(k, &(ms_cliques_run){.threads = 1}, err);
  if (status == MS_OK)
    status = ms_cliques_go_on(k, INFINITY, INFINITY, &done, &lost, err);
  init_sizes(&s);
  if (status == MS_OK)
    status = ms_cliques_add(k, s.of, err);
  clear_sizes(&s);
  ms_cliques_free(k);
  return status;
}

/* Each failed allocation is reported, and leaves no block behind. */
START_TEST(no_memory)
{
  uint64_t state = 9;
  clique_graph *w = random_graph(&state, 60, 60);
  ck_assert_int_ge(failing_runs(count_sizes, w), 10);
  free_graph(w);
}
END_TEST

TEST_MAIN("cliques", AROUND_EACH(NULL, use_defaults), TEST(small_graphs), TEST_TIMES(grouped, 4),
          TEST(domains), TEST(same_maps), TEST(choice), TEST(explained), TEST(all_sizes),
          TEST(each_vertex), TEST(each_vertex_of_groups), TEST(each_vertex_without_memory),
          TEST(stopped), TEST(given_up), TEST(budget), TEST(no_memory))
