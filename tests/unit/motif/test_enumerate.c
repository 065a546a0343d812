/* The connected-set engine against brute force, the judge's recount and closed forms; limits of the
 * collector; failing memory. */
#include "base/alloc.h"
#include "base/budget.h"
#include "motif/collect.h"
#include "motif/engine.h"
#include "motif/sort_rows.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ms_engine *const engine = &ms_engine_connected_sets;

/* What a listing gave. */
typedef struct listing {
  uint64_t rows;
  uint32_t *vertices; /* [rows][k] */
  uint64_t count;
  ms_status status; /* of the run, else of the collector */
  ms_status unsorted;
} listing;

typedef struct list_plan {
  int threads;
  bool count_only, one_root_a_run;
  uint64_t limit, memory;
  const ms_stop *stop;
} list_plan;

static uint32_t match_size; /* of the matches that the next function receives */

/* Passes matches that come together on to the collector; an ms_matches_fn. */
static bool collect_together(void *user, int thread, const uint32_t *set, const uint32_t *last,
                             uint32_t count)
{
  uint32_t whole[MS_MAX_K];
  ck_assert(count > 0 && count <= MS_SETS_TOGETHER);
  memcpy(whole, set, (match_size - 1) * sizeof *set);
  for (uint32_t i = 0; i < count; i++) {
    whole[match_size - 1] = last[i];
    if (!ms_collector_match(user, thread, whole)) {
      return false;
    }
  }
  return true;
}

/* Run the engine over an instance into a collector. */
static listing list_instance(const ms_instance *instance, const list_plan *plan)
{
  listing out = {0};
  ms_error err;
  void *context = NULL;
  ms_collector *collector = NULL;
  ms_budget budget;
  mpz_t count;
  mpz_init(count);
  ms_budget_open(&budget, plan->memory);
  ck_assert_msg(engine->open(instance, plan->threads, &context, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_collector_new(instance->k, plan->threads, plan->count_only, plan->limit,
                                    &budget, &collector, &err),
                   MS_OK);
  ms_collector_map(collector, instance->vertex);
  uint64_t units = engine->units(context), step = plan->one_root_a_run ? 1 : units;
  for (uint64_t first = 0; first < units && out.status == MS_OK; first += step) {
    static unsigned runs;
    const ms_match_sink sink = {.match = ms_collector_match,
                                .matches = ++runs % 2 ? collect_together : NULL,
                                .user = collector};
    match_size = instance->size;
    out.status = engine->run(context, first, first + step, &sink, plan->stop, &err);
  }
  if (out.status == MS_OK) {
    out.status = ms_collector_status(collector, &err);
  }
  ck_assert_msg(
      ms_collector_finish(collector, &out.rows, &out.vertices, count, &out.unsorted, &err) == MS_OK,
      "%s", err.message);
  out.count = mpz_get_ui(count);
  ck_assert_uint_eq(out.count, out.rows);
  mpz_clear(count);
  ck_assert_uint_le(budget.peak, budget.bound);
  ms_collector_free(collector);
  ck_assert_uint_eq(budget.reserved, 0);
  engine->close(context);
  return out;
}

static listing list_query(const ms_query *query, const list_plan *plan, bool prune)
{
  ms_error err;
  ms_instance *instance, *pruned = NULL;
  ck_assert_msg(ms_instance_new(query, 0, &instance, &err) == MS_OK, "%s", err.message);
  if (prune) {
    ck_assert_msg(ms_instance_prune(instance, 0, &pruned, NULL, &err) == MS_OK, "%s", err.message);
  }
  listing out = list_instance(prune ? pruned : instance, plan);
  ms_instance_free(instance);
  ms_instance_free(pruned);
  return out;
}

/* ---- against brute force ---------------------------------------------- */

static int compare_masks(const void *a, const void *b)
{
  return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* The same sets as the oracle's, in rows that are ascending and sorted. */
static void compare_with_oracle(const oracle_case *c, const listing *found, uint64_t seed)
{
  static uint16_t expected[1 << ORACLE_MAX_N], masks[1 << ORACLE_MAX_N];
  uint32_t matches = oracle_matches(c, expected);
  ck_assert_msg(found->rows == matches, "seed %llu: %llu matches, expected %u",
                (unsigned long long)seed, (unsigned long long)found->rows, matches);
  for (uint32_t i = 0; i < matches; i++) {
    const uint32_t *row = found->vertices + (size_t)i * c->k;
    masks[i] = 0;
    for (uint32_t j = 0; j < c->k; j++) {
      ck_assert_msg(j == 0 || row[j - 1] < row[j], "seed %llu: row %u does not ascend",
                    (unsigned long long)seed, i);
      masks[i] |= (uint16_t)(1u << row[j]);
    }
    uint32_t differ = 0;
    while (i > 0 && differ < c->k && row[differ] == (row - c->k)[differ]) {
      differ++;
    }
    ck_assert_msg(i == 0 || (differ < c->k && (row - c->k)[differ] < row[differ]),
                  "seed %llu: rows %u and %u are not in order", (unsigned long long)seed, i - 1, i);
  }
  qsort(masks, matches, sizeof *masks, compare_masks);
  ck_assert_msg(memcmp(masks, expected, matches * sizeof *masks) == 0, "seed %llu: other sets",
                (unsigned long long)seed);
}

/* One thread mostly: making a team costs more than such a case. */
static int threads_for(uint64_t seed)
{
  return seed % 40 == 7 ? 7 : seed % 20 == 3 ? 2 : 1;
}

/* Returns how many of the cases have a match. */
static uint32_t oracle_sweep(const oracle_shape *shape, uint64_t first, uint64_t last)
{
  uint32_t with_match = 0;
  for (uint64_t seed = first; seed < last; seed++) {
    oracle_case c;
    oracle_make(shape, seed, &c);
    list_plan plan = {.threads = threads_for(seed), .one_root_a_run = seed % 5 == 0};
    listing found = list_query(c.query, &plan, seed % 2);
    compare_with_oracle(&c, &found, seed);
    with_match += found.rows > 0;
    ms_free(found.vertices);
    oracle_free(&c);
  }
  return with_match;
}

/* The engine lists exactly the matches of brute force, in order: 6,000 random cases of up to 12
 * vertices and motifs of up to 8. */
START_TEST(test_plain_against_oracle)
{
  oracle_shape shape = {.min_n = 1, .max_n = 12, .min_k = 1, .max_k = 8};
  uint32_t with_match = oracle_sweep(&shape, 0, 6000);
  ck_assert_uint_gt(with_match, 6000 / 4); /* the cases are worth something */
  ck_assert_uint_lt(with_match, 6000 * 9 / 10);
}
END_TEST

/* The same with several colours for a vertex and wildcards in motifs: 8,000 random cases. */
START_TEST(test_color_lists_against_oracle)
{
  oracle_shape shape = {
      .min_n = 2, .max_n = 12, .min_k = 1, .max_k = 8, .color_lists = true, .wildcards = true};
  oracle_sweep(&shape, 100000, 108000);
}
END_TEST

/* The same with required vertices, too: 8,000 random cases. */
START_TEST(test_required_against_oracle)
{
  oracle_sweep(&oracle_all_shapes, 200000, 208000);
}
END_TEST

/* ---- graphs of our own making ------------------------------------------ */

typedef struct network {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
} network;

static void make_network(network *net, uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                         uint64_t n_pairs, const uint32_t (*pairs)[2], uint32_t colors,
                         const char *motif, uint32_t n_required, const char *const *required)
{
  static const char *const name[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};
  ms_error err;
  ck_assert_msg(ms_graph_from_edges(n, m, edges, NULL, &net->graph, &err) == MS_OK, "%s",
                err.message);
  ck_assert_msg(ms_coloring_from_pairs(net->graph, n_pairs, pairs, colors, name, &net->coloring,
                                       &err) == MS_OK,
                "%s", err.message);
  ck_assert_msg(ms_motif_parse(motif, net->coloring, &net->motif, &err) == MS_OK, "%s",
                err.message);
  ck_assert_msg(ms_query_new(net->graph, net->coloring, net->motif, n_required, required,
                             &net->query, &err) == MS_OK,
                "%s", err.message);
}

static void free_network(network *net)
{
  ms_query_free(net->query);
  ms_motif_free(net->motif);
  ms_coloring_free(net->coloring);
  ms_graph_free(net->graph);
}

/* A complete graph whose motif is k wildcards. */
static void make_clique(network *net, uint32_t n, const char *motif, uint32_t n_required,
                        const char *const *required)
{
  static uint32_t edges[64 * 63 / 2][2];
  uint64_t m = 0;
  ck_assert_uint_le(n, 64);
  for (uint32_t v = 1; v < n; v++) {
    for (uint32_t u = 0; u < v; u++, m++) {
      edges[m][0] = u;
      edges[m][1] = v;
    }
  }
  make_network(net, n, m, (const uint32_t(*)[2])edges, 0, NULL, 1, motif, n_required, required);
}

/* A clique of 20 has C(20, 6) sets by 1, 4 and 7 threads, and a path of 100 has 69 connected sets
 * of 32 vertices. */
START_TEST(test_closed_forms)
{
  /* C(20, 6) subsets of a clique, at several thread counts */
  network net;
  make_clique(&net, 20, "*:6", 0, NULL);
  for (int threads = 1; threads <= 7; threads += 3) {
    list_plan plan = {.threads = threads};
    listing found = list_query(net.query, &plan, true);
    ck_assert_uint_eq(found.rows, 38760);
    ms_free(found.vertices);
  }
  free_network(&net);
  /* windows of a path: n - k + 1, k = 32 the most there is */
  uint32_t path[99][2];
  for (uint32_t v = 0; v < 99; v++) {
    path[v][0] = v;
    path[v][1] = v + 1;
  }
  make_network(&net, 100, 99, (const uint32_t(*)[2])path, 0, NULL, 1, "*:32", 0, NULL);
  list_plan plan = {.threads = 2};
  listing found = list_query(net.query, &plan, false);
  ck_assert_uint_eq(found.rows, 69);
  ms_free(found.vertices);
  free_network(&net);
}
END_TEST

static uint64_t units_of(const ms_query *query)
{
  ms_error err;
  ms_instance *instance;
  void *context;
  ck_assert_int_eq(ms_instance_new(query, 0, &instance, &err), MS_OK);
  ck_assert_int_eq(engine->open(instance, 1, &context, &err), MS_OK);
  uint64_t units = engine->units(context);
  engine->close(context);
  ms_instance_free(instance);
  return units;
}

/* The roots are the holders of the rarest slot, or one required vertex: two queries on a path of
 * four vertices. */
START_TEST(test_roots)
{
  static const uint32_t edges[3][2] = {{0, 1}, {1, 2}, {2, 3}};
  static const uint32_t pairs[5][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 0}};
  const char *const required[] = {"1"};
  network net;
  make_network(&net, 4, 3, edges, 5, pairs, 2, "c0,c1", 0, NULL);
  ck_assert_uint_eq(units_of(net.query), 2);
  free_network(&net);
  make_network(&net, 4, 3, edges, 5, pairs, 2, "c0,c1", 1, required);
  ck_assert_uint_eq(units_of(net.query), 1);
  free_network(&net);
}
END_TEST

/* Where one required vertex is the only root, seven threads find the rows of one thread by taking
 * over branches, and three count as many: more than 50,000 rows. */
START_TEST(test_stealing_from_one_root)
{
  const char *const required[] = {"5"};
  uint32_t pairs[120][2];
  network net;
  for (uint32_t i = 0; i < 60; i++) {
    pairs[i][0] = i / 2;
    pairs[i][1] = i % 2 ? 2 : i % 4 / 2;
  }
  uint32_t edges[30 * 29 / 2][2];
  uint64_t m = 0;
  for (uint32_t v = 1; v < 30; v++) {
    for (uint32_t u = 0; u < v; u++, m++) {
      edges[m][0] = u;
      edges[m][1] = v;
    }
  }
  make_network(&net, 30, m, (const uint32_t(*)[2])edges, 60, (const uint32_t(*)[2])pairs, 3,
               "c0:2,c1:2,c2,*", 1, required);
  list_plan one = {.threads = 1}, seven = {.threads = 7},
            count = {.threads = 3, .count_only = true};
  listing a = list_query(net.query, &one, true), b = list_query(net.query, &seven, true);
  listing c = list_query(net.query, &count, true);
  ck_assert_uint_gt(a.rows, 50000);
  ck_assert_uint_eq(a.rows, b.rows);
  ck_assert_uint_eq(a.rows, c.count);
  ck_assert_ptr_null(c.vertices);
  ck_assert(memcmp(a.vertices, b.vertices, a.rows * 6 * sizeof *a.vertices) == 0);
  ms_free(a.vertices);
  ms_free(b.vertices);
  free_network(&net);
}
END_TEST

typedef struct row_list {
  uint32_t *row; /* [rows][k] */
  size_t rows, capacity;
  uint32_t k;
} row_list;

static bool append_row(void *user, const uint32_t *set)
{
  row_list *list = user;
  if (list->rows == list->capacity) {
    size_t grown = list->capacity * 2 + 64;
    list->row = realloc(list->row, grown * list->k * sizeof *list->row);
    ck_assert_ptr_nonnull(list->row);
    list->capacity = grown;
  }
  memcpy(list->row + list->rows++ * list->k, set, list->k * sizeof *set);
  return true;
}

/* A random graph of 30..60 vertices of about that degree, with colour lists
 * and a random motif. */
static void make_random_network(network *net, uint64_t *state, uint32_t degree)
{
  uint32_t n = 30 + (uint32_t)(random_next(state) % 31),
           colors = 3 + (uint32_t)(random_next(state) % 5);
  uint32_t edges[60 * 16][2], pairs[120][2], n_pairs = 0;
  uint64_t m = n * degree / 2 + random_next(state) % n;
  for (uint64_t i = 0; i < m; i++) {
    edges[i][0] = (uint32_t)(random_next(state) % n);
    edges[i][1] = (uint32_t)(random_next(state) % n);
  }
  for (uint32_t v = 0; v < n; v++) {
    uint32_t count = (uint32_t)(random_next(state) % 3);
    uint32_t c = (uint32_t)(random_next(state) % colors);
    for (uint32_t i = 0; i < (count ? count : 1); i++) {
      pairs[n_pairs][0] = v;
      pairs[n_pairs++][1] = (c + i) % colors;
    }
  }
  char motif[64];
  uint32_t a = (uint32_t)(random_next(state) % colors);
  snprintf(motif, sizeof motif, "c%u:%u,c%u:2,c%u%s", a, 1 + (uint32_t)(random_next(state) % 2),
           (a + 1) % colors, (a + 2) % colors, random_next(state) % 3 ? "" : ",*");
  const char *const required[] = {"7"};
  make_network(net, n, m, (const uint32_t(*)[2])edges, n_pairs, (const uint32_t(*)[2])pairs, colors,
               motif, random_next(state) % 4 == 0, required);
}

/* The engine lists exactly the rows of the judge's recount: 400 random graphs of 30 to 60
 * vertices. */
START_TEST(test_larger_graphs_against_recount)
{
  uint64_t total = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    uint64_t state = seed;
    network net;
    ms_error err;
    mpz_t count;
    make_random_network(&net, &state, 3);
    row_list expected = {.k = ms_motif_size(net.motif)};
    mpz_init(count);
    ck_assert_int_eq(recount_motif(net.query, count, append_row, &expected, NULL, &err), MS_OK);
    ck_assert_uint_eq(mpz_get_ui(count), expected.rows);
    mpz_clear(count);
    ms_sort_rows(expected.row, expected.rows, expected.k, NULL);
    list_plan plan = {.threads = seed % 3 ? 1 : 4};
    listing found = list_query(net.query, &plan, seed % 2);
    ck_assert_msg(found.rows == expected.rows, "seed %llu: %llu matches, recount %zu",
                  (unsigned long long)seed, (unsigned long long)found.rows, expected.rows);
    ck_assert_msg(!found.rows || memcmp(found.vertices, expected.row,
                                        found.rows * expected.k * sizeof *expected.row) == 0,
                  "seed %llu: other sets", (unsigned long long)seed);
    total += found.rows;
    ms_free(found.vertices);
    free(expected.row);
    free_network(&net);
  }
  ck_assert_uint_gt(total, 10000);
}
END_TEST

/* On denser graphs, where threads take over branches often, seven threads find the rows of one: 60
 * random graphs, more than 500,000 rows. */
START_TEST(test_threads_agree)
{
  uint64_t total = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    uint64_t state = seed * 1000;
    network net;
    make_random_network(&net, &state, 20);
    list_plan one = {.threads = 1}, seven = {.threads = 7};
    listing a = list_query(net.query, &one, seed % 2), b = list_query(net.query, &seven, seed % 2);
    ck_assert_msg(a.rows == b.rows, "seed %llu: %llu and %llu matches", (unsigned long long)seed,
                  (unsigned long long)a.rows, (unsigned long long)b.rows);
    ck_assert_msg(
        memcmp(a.vertices, b.vertices, a.rows * ms_motif_size(net.motif) * sizeof *a.vertices) == 0,
        "seed %llu: other sets", (unsigned long long)seed);
    total += a.rows;
    ms_free(a.vertices);
    ms_free(b.vertices);
    free_network(&net);
  }
  ck_assert_uint_gt(total, 500000);
}
END_TEST

/* ---- limits, stopping, memory ------------------------------------------ */

/* A listing and a count stop at exactly the limit and say so, and a limit that is not reached
 * changes nothing: 4,368 matches, by 1 and 4 threads. */
START_TEST(test_limit_is_exact)
{
  network net;
  make_clique(&net, 16, "*:5", 0, NULL); /* 4368 matches */
  for (int threads = 1; threads <= 4; threads += 3) {
    list_plan plan = {.threads = threads, .limit = 100};
    listing found = list_query(net.query, &plan, true);
    ck_assert_int_eq(found.status, MS_ERR_LIMIT);
    ck_assert_uint_eq(found.rows, 100);
    ms_free(found.vertices);
    plan = (list_plan){.threads = threads, .limit = 77, .count_only = true};
    found = list_query(net.query, &plan, true);
    ck_assert_int_eq(found.status, MS_ERR_LIMIT);
    ck_assert_uint_eq(found.count, 77);
    plan = (list_plan){.threads = threads, .limit = 5000};
    found = list_query(net.query, &plan, true);
    ck_assert_int_eq(found.status, MS_OK);
    ck_assert_uint_eq(found.rows, 4368);
    ms_free(found.vertices);
  }
  free_network(&net);
}
END_TEST

/* A listing that would pass its memory bound ends with an error below it, and a count needs none:
 * 177,100 matches. */
START_TEST(test_memory_bound)
{
  network net;
  make_clique(&net, 25, "*:6", 0, NULL); /* 177100 matches of 24 bytes */
  list_plan plan = {.threads = 2, .memory = 1 << 20};
  listing found = list_query(net.query, &plan, true);
  ck_assert_int_eq(found.status, MS_ERR_MEMORY);
  ck_assert_uint_lt(found.rows * 24, 1 << 20);
  ms_free(found.vertices);
  plan.count_only = true;
  found = list_query(net.query, &plan, true);
  ck_assert_int_eq(found.status, MS_OK);
  ck_assert_uint_eq(found.count, 177100);
  free_network(&net);
}
END_TEST

/* A hopeless search ends soon after its deadline with part of the count, and a requested stop
 * interrupts it, by 1 and 4 threads.  A busy machine may begin to count after the deadline, or end
 * late, and then has another one. */
START_TEST(test_stop_token)
{
  network net;
  ms_error err;
  ms_stop *stop;
  make_clique(&net, 60, "*:20", 0, NULL); /* hopeless */
  ck_assert_int_eq(ms_stop_new(&stop, &err), MS_OK);
  for (int threads = 1; threads <= 4; threads += 3) {
    list_plan plan = {.threads = threads, .count_only = true, .stop = stop};
    listing found = {.count = 0};
    double late = 0;
    for (double given = 0.05; given < 20 && (found.count == 0 || late > 5); given *= 4) {
      ms_stop_after(stop, given);
      double begin = ms_seconds();
      found = list_query(net.query, &plan, true);
      late = ms_seconds() - begin - given;
      ck_assert_int_eq(found.status, MS_ERR_LIMIT);
    }
    ck_assert_uint_gt(found.count, 0);
    ck_assert_double_lt(late, 5.0);
  }
  ms_stop_request(stop);
  list_plan plan = {.threads = 2, .stop = stop};
  listing found = list_query(net.query, &plan, true);
  ck_assert_int_eq(found.status, MS_ERR_INTERRUPTED);
  ms_free(found.vertices);
  ms_stop_free(stop);
  free_network(&net);
}
END_TEST

/* Lists all matches on two threads and releases everything. */
static ms_status list_once(const ms_instance *instance, uint64_t *rows)
{
  ms_error err;
  void *context = NULL;
  ms_collector *collector = NULL;
  uint32_t *vertices = NULL;
  mpz_t count;
  mpz_init(count);
  ms_status stopped, status = engine->open(instance, 2, &context, &err);
  if (status == MS_OK) {
    status = ms_collector_new(instance->k, 2, false, 0, NULL, &collector, &err);
  }
  if (status == MS_OK) {
    ms_collector_map(collector, instance->vertex);
    const ms_match_sink sink = {.match = ms_collector_match, .user = collector};
    status = engine->run(context, 0, engine->units(context), &sink, NULL, &err);
  }
  if (status == MS_OK) {
    status = ms_collector_status(collector, &err);
  }
  if (status == MS_OK) {
    status = ms_collector_finish(collector, rows, &vertices, count, &stopped, &err);
  }
  ms_free(vertices);
  ms_collector_free(collector);
  engine->close(context);
  mpz_clear(count);
  return status;
}

/* Whichever allocation fails and all after it, a listing by two threads reports it and leaks no
 * block. */
START_TEST(test_failing_memory)
{
  const char *const required[] = {"3"};
  ms_error err;
  network net;
  ms_instance *instance;
  ms_status status = MS_ERR_MEMORY;
  uint64_t rows = 0;
  long n = 0;
  make_clique(&net, 16, "*:5", 1, required);
  ck_assert_int_eq(ms_instance_new(net.query, 0, &instance, &err), MS_OK);
  for (; n < 500 && status != MS_OK; n++) {
    meter m = {.fail_at = n + 1, .fails_on = true};
    meter_start(&m);
    status = list_once(instance, &rows);
    meter_stop();
    ck_assert_int_eq(m.live, 0);
    ck_assert(status == MS_OK || status == MS_ERR_MEMORY);
  }
  ck_assert_int_eq(status, MS_OK);
  ck_assert_int_gt(n, 10);
  ck_assert_uint_eq(rows, 1365); /* C(15, 4) */
  ms_instance_free(instance);
  free_network(&net);
}
END_TEST

/* ---- sorting ------------------------------------------------------------ */

static uint32_t sort_width;

static int compare_rows(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < sort_width; i++) {
    if (x[i] != y[i]) {
      return x[i] < y[i] ? -1 : 1;
    }
  }
  return 0;
}

/* ms_sort_rows orders rows as qsort does: 300 random tables of 1 to 6 columns, or as many as rows
 * may have, and up to 52,000 numbers. */
START_TEST(test_sort_rows)
{
  static uint32_t rows[52000], expected[52000];
  for (uint64_t seed = 0; seed < 300; seed++) {
    uint64_t state = seed;
    sort_width = 1 + (uint32_t)(random_next(&state) % (seed % 5 ? 6 : MS_MOST_ROW));
    size_t count = random_next(&state) % (seed % 10 ? 200 : 20000 / sort_width);
    uint64_t range = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 50 : UINT32_MAX;
    for (size_t i = 0; i < count * sort_width; i++) {
      rows[i] = seed % 7 == 0 ? (uint32_t)i : (uint32_t)(random_next(&state) % range);
    }
    memcpy(expected, rows, sizeof rows);
    qsort(expected, count, sort_width * sizeof *rows, compare_rows);
    ms_sort_rows(rows, count, sort_width, NULL);
    ck_assert_msg(memcmp(rows, expected, count * sort_width * sizeof *rows) == 0, "seed %llu",
                  (unsigned long long)seed);
  }
}
END_TEST

/* ms_sort_parts orders parts of rows as qsort does: 60 random tables of 1 to 7 columns and up to
 * 200,000 numbers, with 1 to 3 threads. */
START_TEST(test_sort_parts)
{
  enum { NUMBERS = 200000, IDS = 40 };
  uint32_t *rows = malloc(2 * NUMBERS * sizeof *rows), *expected = rows + NUMBERS;
  for (uint64_t seed = 0; seed < 60; seed++) {
    uint64_t state = seed + 3, end[IDS] = {0};
    sort_width = 1 + (uint32_t)(seed % 7);
    size_t count = random_next(&state) % (seed % 3 ? NUMBERS / sort_width : 500);
    uint64_t range = seed % 4 == 0   ? 3
                     : seed % 4 == 1 ? 6000
                     : seed % 4 == 2 ? 1000000
                                     : UINT32_MAX;
    for (size_t i = 0, first = 0; i < count; i++) {
      first += first + 1 < IDS && random_below(&state, (uint32_t)count) < IDS;
      rows[i * sort_width] = (uint32_t)first;
      end[first] = i + 1;
      for (uint32_t c = 1; c < sort_width; c++) {
        rows[i * sort_width + c] = (uint32_t)(random_next(&state) % range);
      }
    }
    for (int i = 1; i < IDS; i++) {
      end[i] = end[i] > end[i - 1] ? end[i] : end[i - 1];
    }
    memcpy(expected, rows, count * sort_width * sizeof *rows);
    qsort(expected, count, sort_width * sizeof *rows, compare_rows);
    ck_assert(ms_sort_parts(rows, end, IDS, sort_width, 1 + (int)(seed % 3), NULL));
    ck_assert_msg(memcmp(rows, expected, count * sort_width * sizeof *rows) == 0, "seed %llu",
                  (unsigned long long)seed);
  }
  free(rows);
}
END_TEST

TEST_MAIN("enumerate", TEST(test_plain_against_oracle), TEST(test_color_lists_against_oracle),
          TEST(test_required_against_oracle), TEST(test_larger_graphs_against_recount),
          TEST(test_threads_agree), TEST(test_closed_forms), TEST(test_roots),
          TEST(test_stealing_from_one_root), TEST(test_limit_is_exact), TEST(test_memory_bound),
          TEST(test_stop_token), TEST(test_failing_memory), TEST(test_sort_rows),
          TEST(test_sort_parts))
