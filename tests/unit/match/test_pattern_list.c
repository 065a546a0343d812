/* ms_pattern_list on random small cases against brute force: rows stored and delivered, counts,
 * limits, early ends, every order, one thread and two, with and without a sieve; explanations; each
 * allocation failing once. A failure names its seed. */
#include "base/hooks.h"
#include "match/count/count.h"
#include "match/index.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/test_main.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 24000, PARTS = 4 };

/* A case and its answer. */
typedef struct trial {
  uint64_t seed;
  pattern_case c;
  ms_pattern_index *index;
  uint32_t embeddings, subgraphs, automorphisms;
  const uint32_t *expected; /* [n_expected] ascending: what its options ask for */
  uint32_t n_expected;
} trial;

static uint32_t every[PATTERN_CASE_ROWS], smallest[PATTERN_CASE_ROWS];
static uint8_t maps[PATTERN_CASE_MAPS][PATTERN_CASE_MAX_P];

/* ck_assert writes a note each time, which takes longer than most of these
 * checks. */
#define must(t, condition, ...) ((condition) ? (void)0 : give_up(t, #condition, __VA_ARGS__))

MS_PRINTF(3, 4)
static void give_up(const trial *t, const char *condition, const char *format, ...)
{
  char text[1280];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ck_abort_msg("seed %llu: %s: %s", (unsigned long long)t->seed, condition, text);
}

static void trial_make(trial *t, uint64_t seed)
{
  ms_error err = {0};
  *t = (trial){.seed = seed};
  pattern_case_make(seed, &t->c);
  t->embeddings = pattern_case_embeddings(&t->c, every);
  t->automorphisms = pattern_case_automorphisms(&t->c, maps);
  t->subgraphs = pattern_case_smallest(&t->c, every, t->embeddings, smallest);
  must(t, t->embeddings == t->subgraphs * t->automorphisms, "the oracle contradicts itself");
  t->expected = t->c.embeddings ? every : smallest;
  t->n_expected = t->c.embeddings ? t->embeddings : t->subgraphs;
  int threads = seed % 16 ? 1 : 2;
  ms_hooks.probe_steps = seed % 4 == 1 ? -1 : 1e6; /* of a quarter all ways to count are probed */
  ms_hooks.probe_factor = seed % 4 == 1 ? 1e9 : 50;
  ms_hooks.hub_degree = seed % 3 ? 64 : 1 + seed / 3 % 3; /* a third of the graphs have hubs */
  ms_status status = ms_pattern_index_new(t->c.graph, t->c.coloring, threads, &t->index, &err);
  must(t, status == MS_OK, "%s", err.message);
}

static void trial_free(trial *t)
{
  ms_pattern_index_free(t->index);
  pattern_case_free(&t->c);
}

/* The case's options; orders take turns.  Two threads now and then: starting
 * them takes longer than such a case. */
static ms_pattern_options options_of(const trial *t, unsigned turn)
{
  static const ms_order order[] = {MS_ORDER_AUTO, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};
  ms_pattern_options options = {
      .size = sizeof(ms_pattern_options),
      .induced = t->c.induced,
      .embeddings = t->c.embeddings,
      .order = order[(t->seed + turn) % 4],
      .screen_mode = t->seed % 5 ? MS_SCREEN_NEVER : MS_SCREEN_AUTO,
      .screen = {.size = sizeof(ms_screen_options),
                 .run.threads = (t->seed / 4 + turn) % 8 ? 1 : 2,
                 .error = 1e-12,
                 .run.seed = t->seed},
  };
  return options;
}

static ms_pattern_result *list(const trial *t, const ms_pattern_options *options)
{
  ms_pattern_result *result = NULL;
  ms_error err = {0};
  ms_status status = ms_pattern_list(t->index, t->c.pattern, options, &result, &err);
  must(t, status == MS_OK && result, "order %d: %s", (int)options->order, err.message);
  must(t, result->p == t->c.p, "%u", result->p);
  must(t, result->screen || result->screen_reason, "why no sieve went first is not said");
  must(t, result->run.engine && strcmp(result->run.engine, "cpu") == 0, "another engine");
  return result;
}

static int by_value(const void *x, const void *y)
{
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* ---- what came --------------------------------------------------------------- */

/* Rows as keys, in the order in which they came. */
typedef struct received {
  const trial *t;
  uint32_t keys[PATTERN_CASE_ROWS];
  uint64_t count, calls, begins;
  uint64_t last_call; /* the one that is answered with false; 0: none */
} received;

static void start(received *r, const trial *t, uint64_t last_call)
{
  r->t = t;
  r->count = r->calls = r->begins = 0;
  r->last_call = last_call;
}

static void receive(received *r, const uint32_t *rows, uint64_t count)
{
  must(r->t, r->count + count <= r->t->n_expected, "%llu rows and %llu more, not %u",
       (unsigned long long)r->count, (unsigned long long)count, r->t->n_expected);
  for (uint64_t i = 0; i < count; i++, rows += r->t->c.p) {
    for (uint32_t j = 0; j < r->t->c.p; j++)
      must(r->t, rows[j] < r->t->c.n, "vertex %u", rows[j]);
    r->keys[r->count++] = pattern_case_key(&r->t->c, rows);
  }
}

static void check_number(const trial *t, const char *what, const char *text, uint64_t expected)
{
  char number[32];
  snprintf(number, sizeof number, "%llu", (unsigned long long)expected);
  must(t, text && strcmp(text, number) == 0, "%s: %s, not %s", what, text ? text : "none", number);
}

/* Once, in front of the rows, with what is known by then. */
static bool on_begin(void *user, const ms_pattern_result *known)
{
  received *r = user;
  must(r->t, ++r->begins == 1 && r->calls == 0, "%llu begins", (unsigned long long)r->begins);
  must(r->t, known->p == r->t->c.p, "%u", known->p);
  check_number(r->t, "automorphisms at first", known->automorphisms_text, r->t->automorphisms);
  return true;
}

static bool on_rows(void *user, const uint32_t *rows, uint64_t count)
{
  received *r = user;
  r->calls++;
  must(r->t, r->last_call == 0 || r->calls <= r->last_call, "called again after it refused");
  must(r->t, count > 0, "no rows");
  receive(r, rows, count);
  return r->calls != r->last_call;
}

/* All of them, each once. */
static void check_whole(const received *r)
{
  static uint32_t sorted[PATTERN_CASE_ROWS];
  const trial *t = r->t;
  must(t, r->count == t->n_expected, "%llu rows, not %u", (unsigned long long)r->count,
       t->n_expected);
  memcpy(sorted, r->keys, r->count * sizeof *sorted);
  qsort(sorted, r->count, sizeof *sorted, by_value);
  for (uint32_t i = 0; i < t->n_expected; i++)
    must(t, sorted[i] == t->expected[i], "row %06x, not %06x", sorted[i], t->expected[i]);
}

/* Some of them, none twice. */
static void check_part(const received *r)
{
  static uint32_t sorted[PATTERN_CASE_ROWS];
  memcpy(sorted, r->keys, r->count * sizeof *sorted);
  qsort(sorted, r->count, sizeof *sorted, by_value);
  for (uint64_t i = 0; i < r->count; i++) {
    must(r->t, i == 0 || sorted[i - 1] != sorted[i], "row %06x twice", sorted[i]);
    must(r->t, bsearch(&sorted[i], r->t->expected, r->t->n_expected, sizeof *sorted, by_value),
         "row %06x is no match", sorted[i]);
  }
}

static void check_numbers(const trial *t, const ms_pattern_result *r)
{
  must(t, r->run.stopped == MS_OK, "%d", (int)r->run.stopped);
  must(t, r->matches == t->n_expected, "%llu, not %u", (unsigned long long)r->matches,
       t->n_expected);
  check_number(t, "count", r->count_text, t->n_expected);
  check_number(t, "embeddings", r->embeddings_text, t->embeddings);
  check_number(t, "subgraphs", r->subgraphs_text, t->subgraphs);
  check_number(t, "automorphisms", r->automorphisms_text, t->automorphisms);
}

/* ---- one case, in several ways -------------------------------------------------- */

static received in_hand, before;

static void check_stored(const trial *t, unsigned turn)
{
  ms_pattern_options options = options_of(t, turn);
  ms_pattern_result *result = list(t, &options);
  check_numbers(t, result);
  start(&in_hand, t, 0);
  must(t, result->matches == 0 || result->vertices, "no rows are stored");
  receive(&in_hand, result->vertices, result->matches);
  check_whole(&in_hand);
  ms_pattern_result_free(result);
}

static void deliver(const trial *t, ms_pattern_options options, received *into)
{
  start(into, t, 0);
  options.rows = on_rows;
  options.begin = on_begin;
  options.rows_user = into;
  ms_pattern_result *result = list(t, &options);
  check_numbers(t, result);
  must(t, !result->vertices, "rows are delivered and stored");
  must(t, into->begins == 1, "%llu begins", (unsigned long long)into->begins);
  check_whole(into);
  ms_pattern_result_free(result);
}

/* The order does not depend on the number of threads. */
static void check_delivered(const trial *t, unsigned turn)
{
  ms_pattern_options options = options_of(t, turn);
  deliver(t, options, &in_hand);
  if (options.screen.run.threads == 1)
    return;
  options.screen.run.threads = 1;
  deliver(t, options, &before);
  must(t, memcmp(in_hand.keys, before.keys, before.count * sizeof *before.keys) == 0,
       "two threads deliver in another order than one");
}

static void check_counted(const trial *t, unsigned turn)
{
  ms_pattern_options options = options_of(t, turn);
  options.count_only = true;
  ms_pattern_result *result = list(t, &options);
  check_numbers(t, result);
  must(t, !result->vertices, "a count stores rows");
  ms_pattern_result_free(result);
}

static void check_limited(const trial *t, unsigned turn, uint64_t *state)
{
  ms_pattern_options options = options_of(t, turn);
  options.limit = 1 + random_next(state) % (t->n_expected + 2);
  uint64_t expected = options.limit < t->n_expected ? options.limit : t->n_expected;
  bool delivered = random_next(state) & 1;
  start(&in_hand, t, 0);
  options.rows = delivered ? on_rows : NULL;
  options.rows_user = &in_hand;
  ms_pattern_result *result = list(t, &options);
  if (!delivered)
    receive(&in_hand, result->vertices, result->matches);
  must(t, result->matches == expected && in_hand.count == expected,
       "limit %llu: %llu said, %llu received, not %llu", (unsigned long long)options.limit,
       (unsigned long long)result->matches, (unsigned long long)in_hand.count,
       (unsigned long long)expected);
  must(t, result->run.stopped == (options.limit <= t->n_expected ? MS_ERR_LIMIT : MS_OK),
       "limit %llu of %u: %d", (unsigned long long)options.limit, t->n_expected,
       (int)result->run.stopped);
  check_part(&in_hand);
  ms_pattern_result_free(result);
}

/* A receiver that has had enough gets no further call. */
static void check_refused(const trial *t, unsigned turn)
{
  ms_pattern_options options = options_of(t, turn);
  start(&in_hand, t, 1);
  options.rows = on_rows;
  options.rows_user = &in_hand;
  ms_pattern_result *result = list(t, &options);
  must(t, in_hand.calls == (t->n_expected > 0), "%llu calls", (unsigned long long)in_hand.calls);
  must(t, in_hand.count == t->n_expected || result->run.stopped != MS_OK,
       "not said to be cut short");
  check_part(&in_hand);
  ms_pattern_result_free(result);
}

static bool is_connected(const pattern_case *c)
{
  uint32_t reached = 1;
  for (uint32_t round = 0; round < c->p; round++)
    for (uint32_t i = 0; i < c->p; i++)
      for (uint32_t j = 0; j < c->p; j++)
        if ((reached >> i & 1) && ((c->wanted[i] >> j & 1) || (c->wanted[j] >> i & 1)))
          reached |= 1u << j;
  return reached == (1u << c->p) - 1;
}

static bool is_colored(const pattern_case *c)
{
  bool colored = false;
  for (uint32_t i = 0; i < c->p; i++)
    colored = colored || c->accepts[i];
  return colored;
}

/* Behind a sieve, whose miss bound is far below one in all these cases; it
 * refuses what it cannot do. */
static void check_screened(const trial *t, unsigned turn)
{
  ms_pattern_options options = options_of(t, turn);
  options.screen_mode = MS_SCREEN_ALWAYS;
  if (t->c.coloring && is_connected(&t->c) && is_colored(&t->c)) {
    deliver(t, options, &in_hand);
    return;
  }
  ms_pattern_result *result = NULL;
  ms_error err = {0};
  ms_status status = ms_pattern_list(t->index, t->c.pattern, &options, &result, &err);
  must(t, status == MS_ERR_USAGE && !result, "%d: %s", (int)status, err.message);
}

static void check_explained(const trial *t, unsigned turn)
{
  ms_pattern_options options = options_of(t, turn);
  char *text = NULL, *json = NULL;
  ms_error err = {0};
  ms_status status = ms_pattern_explain(t->index, t->c.pattern, &options, false, &text, &err);
  must(t, status == MS_OK && text && *text, "%s", err.message);
  must(t, text[strlen(text) - 1] == '\n', "the last line has no end");
  status = ms_pattern_explain(t->index, t->c.pattern, &options, true, &json, &err);
  must(t, status == MS_OK && json, "%s", err.message);
  json_error_t where;
  json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, &where);
  must(t, json_is_object(root), "%s", where.text);
  json_decref(root);
  ms_text_free(text);
  ms_text_free(json);
}

/* ---- the suite ---------------------------------------------------------------- */

/* What kinds of cases there were: a test of nothing would pass, too. */
typedef struct tally {
  uint64_t cases, matched, symmetric, mixed, both_ways, colored;
} tally;

static void note(tally *sum, const trial *t)
{
  sum->cases++;
  sum->matched += t->embeddings > 0;
  sum->symmetric += t->embeddings > 0 && t->automorphisms > 1;
  sum->mixed += t->embeddings > 0 && t->c.graph_directed != t->c.pattern_directed;
  sum->both_ways += t->embeddings > 0 && t->c.graph_directed && t->c.pattern_directed;
  sum->colored += t->embeddings > 0 && is_colored(&t->c);
}

/* Rows that are stored and rows that are delivered, counts, limits, refusals, screens and
 * explanations are those of brute force: 24,000 random cases of up to 10 graph and 6 pattern
 * vertices, in four parts. */
START_TEST(random_cases)
{
  uint64_t cases = scaled(CASES) / PARTS, state = (uint64_t)_i;
  tally sum = {0};
  for (uint64_t i = 0; i < cases; i++) {
    trial t;
    trial_make(&t, i * PARTS + (uint64_t)_i);
    note(&sum, &t);
    unsigned turn = (unsigned)(i % 4);
    check_stored(&t, turn);
    check_delivered(&t, turn + 1);
    check_counted(&t, turn + 2);
    check_limited(&t, turn + 3, &state);
    if (i % 8 == 0)
      check_explained(&t, turn);
    if (i % 8 == 1)
      check_refused(&t, turn);
    if (i % 8 == 2)
      check_screened(&t, turn);
    trial_free(&t);
  }
  if (cases < 100)
    return;
  ck_assert_uint_gt(sum.matched, sum.cases / 2);
  ck_assert_uint_gt(sum.symmetric, sum.cases / 5);
  ck_assert_uint_gt(sum.mixed, sum.cases / 20);
  ck_assert_uint_gt(sum.both_ways, sum.cases / 10);
  ck_assert_uint_gt(sum.colored, sum.cases / 5);
}
END_TEST

/* Without options subgraphs, not induced, are stored: the five paths of three vertices in a
 * triangle with a tail. */
START_TEST(defaults)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}};
  ms_graph *graph = NULL;
  ms_pattern *pattern = NULL;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  ck_assert_int_eq(ms_graph_from_edges(4, 4, edges, NULL, &graph, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_named("path:3", &pattern, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 0, &index, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_list(index, pattern, NULL, &result, NULL), MS_OK);
  ck_assert_uint_eq(result->matches, 5); /* three in the triangle, two through 2-3 */
  ck_assert_str_eq(result->embeddings_text, "10");
  ck_assert_ptr_nonnull(result->vertices);
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* An index, a list of rows, a count, an explanation. */
static ms_status do_all(void *user, ms_error *err)
{
  const trial *t = user;
  ms_pattern_index *index = NULL;
  ms_pattern_result *listed = NULL, *counted = NULL;
  char *text = NULL;
  ms_pattern_options options = options_of(t, (unsigned)t->seed);
  options.screen.run.threads = 1;
  ms_status status = ms_pattern_index_new(t->c.graph, t->c.coloring, 1, &index, err);
  if (status == MS_OK)
    status = ms_pattern_list(index, t->c.pattern, &options, &listed, err);
  options.count_only = true;
  if (status == MS_OK)
    status = ms_pattern_list(index, t->c.pattern, &options, &counted, err);
  if (status == MS_OK)
    status = ms_pattern_explain(index, t->c.pattern, &options, t->seed % 2, &text, err);
  ms_text_free(text);
  ms_pattern_result_free(counted);
  ms_pattern_result_free(listed);
  ms_pattern_index_free(index);
  return status;
}

/* Whichever allocation fails while an index, a list, a count and an explanation are made, the call
 * reports it and leaks no block: 24 random cases. */
START_TEST(allocations_fail)
{
  for (uint64_t seed = 0; seed < 24; seed++) {
    trial t;
    trial_make(&t, seed);
    /* without memory, the time on a GPU is estimated more roughly */
    ck_assert_int_gt(failing_runs_survived(do_all, &t), 5);
    trial_free(&t);
  }
}
END_TEST

/* ---- large patterns and long rows ------------------------------------------------- */

/* Random patterns of 64 vertices, which need a set of their own for each pair, of 65, and of 100
 * vertices are found once in themselves with their vertices reversed and a hub added: four orders,
 * listed and counted. */
START_TEST(as_many_sets_as_pairs)
{
  enum { MOST = MS_MAX_PATTERN, PAIRS = MOST * (MOST - 1) / 2 };
  static const uint32_t sizes[] = {64, 65, 100};
  static uint32_t edges[PAIRS + MOST][2], turned[PAIRS + MOST][2];
  const uint32_t P = sizes[_i];
  ms_graph *graph = NULL;
  ms_pattern *pattern = NULL;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  ms_error err = {0};
  uint64_t state = 1, m = 0;
  for (uint32_t u = 0; u < P; u++)
    for (uint32_t v = u + 1; v < P; v++)
      if (random_next(&state) & 1) {
        edges[m][0] = u, edges[m][1] = v;
        turned[m][0] = P - 1 - u, turned[m][1] = P - 1 - v;
        m++;
      }
  for (uint32_t v = 0; v < P; v++)
    turned[m + v][0] = v, turned[m + v][1] = P;
  ck_assert_msg(
      ms_graph_from_edges(P + 1, m + P, (const uint32_t(*)[2])turned, NULL, &graph, &err) == MS_OK,
      "%s", err.message);
  ck_assert_msg(ms_pattern_from_edges(P, m, (const uint32_t(*)[2])edges, false, NULL, &pattern,
                                      &err) == MS_OK,
                "%s", err.message);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, NULL), MS_OK);
  for (unsigned turn = 0; turn < 8; turn++) {
    ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                  .embeddings = true,
                                  .induced = true,
                                  .order = turn % 4,
                                  .count_only = turn > 3,
                                  .screen = {.size = sizeof(ms_screen_options), .run.threads = 1}};
    ck_assert_msg(ms_pattern_list(index, pattern, &options, &result, &err) == MS_OK, "%s",
                  err.message);
    ck_assert_str_eq(result->count_text, "1");
    for (uint32_t v = 0; v < P && !options.count_only; v++)
      ck_assert_uint_eq(result->vertices[v], P - 1 - v);
    ms_pattern_result_free(result);
  }
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* A path with two vertices apart, too many to glue, has 48 embeddings and 12 subgraphs in a path of
 * 12: every order, listed and counted. */
START_TEST(vertices_apart)
{
  enum { PATH = 9, APART = 2, GRAPH = 12 };
  uint32_t edges[GRAPH][2];
  ms_graph *graph = NULL;
  ms_pattern *pattern = NULL;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  ms_error err = {0};
  for (uint32_t i = 0; i < GRAPH; i++) {
    edges[i][0] = i;
    edges[i][1] = i + 1;
  }
  ck_assert_int_eq(
      ms_graph_from_edges(GRAPH, GRAPH - 1, (const uint32_t(*)[2])edges, NULL, &graph, &err),
      MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(PATH + APART, PATH - 1, (const uint32_t(*)[2])edges, false,
                                         NULL, &pattern, &err),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, &err), MS_OK);
  for (int order = MS_ORDER_AUTO; order <= MS_ORDER_REUSE; order++)
    for (int count = 0; count < 2; count++) {
      ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                    .screen.size = sizeof(ms_screen_options),
                                    .order = (ms_order)order,
                                    .count_only = count};
      ck_assert_int_eq(ms_pattern_list(index, pattern, &options, &result, &err), MS_OK);
      /* 4 places for the path, both ways; 3 * 2 for the others; 4 automorphisms */
      ck_assert_str_eq(result->embeddings_text, "48");
      ck_assert_str_eq(result->subgraphs_text, "12");
      ms_pattern_result_free(result);
    }
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

typedef struct hub {
  ms_graph *graph;
  ms_coloring *coloring; /* leaves in two colours by turns */
  ms_pattern_index *index;
} hub;

/* A vertex that is joined to very many. */
static void make_hub(hub *h)
{
  enum { LEAVES = 300000 };
  static const char *const names[] = {"hub", "odd", "even"};
  ms_error err = {0};
  uint32_t(*edges)[2] = calloc(LEAVES + 1, sizeof *edges);
  uint32_t(*colors)[2] = calloc(LEAVES + 1, sizeof *colors);
  ck_assert(edges && colors);
  for (uint32_t v = 1; v <= LEAVES; v++) {
    edges[v - 1][1] = colors[v][0] = v;
    colors[v][1] = v % 2 ? 1 : 2;
  }
  ck_assert_msg(ms_graph_from_edges(LEAVES + 1, LEAVES, (const uint32_t(*)[2])edges, NULL,
                                    &h->graph, &err) == MS_OK,
                "%s", err.message);
  ck_assert_msg(ms_coloring_from_pairs(h->graph, LEAVES + 1, (const uint32_t(*)[2])colors, 3, names,
                                       &h->coloring, &err) == MS_OK,
                "%s", err.message);
  ck_assert_msg(ms_pattern_index_new(h->graph, h->coloring, 1, &h->index, &err) == MS_OK, "%s",
                err.message);
  free(edges);
  free(colors);
}

/* Counts for so many seconds.  Returns false if planning alone took as long, or if the search went
 * on far longer. */
static bool stops_after(const hub *h, const ms_pattern *pattern, bool induced, double seconds)
{
  ms_stop *stop = NULL;
  ms_pattern_result *result = NULL;
  ms_error err = {0};
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  ms_pattern_options options = {
      .size = sizeof(ms_pattern_options),
      .induced = induced,
      .count_only = true,
      .screen_mode = MS_SCREEN_NEVER,
      .screen = {.size = sizeof(ms_screen_options), .run.threads = 1, .run.stop = stop}};
  ms_stop_after(stop, seconds);
  ck_assert_msg(ms_pattern_list(h->index, pattern, &options, &result, &err) == MS_OK, "%s",
                err.message);
  ck_assert_int_eq(result->run.stopped, MS_ERR_LIMIT);
  bool well = result->time_plan < seconds && result->time_list < 5 * seconds;
  ms_pattern_result_free(result);
  ms_stop_free(stop);
  return well;
}

/* A build that is slow takes longer to plan, and other work may delay the end of one search: then
 * there is more time. */
static void check_stops(const hub *h, const ms_pattern *pattern, bool induced)
{
  double seconds = 0.3;
  while (!stops_after(h, pattern, induced, seconds) && seconds < 30)
    seconds *= 3;
  ck_assert_msg(seconds < 30, "planning or the end of a search takes too long");
}

/* Three of the odd leaves and three of the even ones, 150,000 each. */
static void check_twins(const hub *h, const ms_pattern *pattern)
{
  ms_pattern_result *result = NULL;
  ms_error err = {0};
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .count_only = true,
                                .screen = {.size = sizeof(ms_screen_options), .run.threads = 1}};
  ck_assert_msg(ms_pattern_list(h->index, pattern, &options, &result, &err) == MS_OK, "%s",
                err.message);
  ck_assert_str_eq(result->automorphisms_text, "36");
  ck_assert_str_eq(result->subgraphs_text, "316393593932811375002500000000");
  ms_pattern_result_free(result);
}

/* A run checks its stop token within rows of any length: a star of 40 leaves and coloured stars
 * on a hub of 300,000 leaves; and twins of such a hub are counted right. */
START_TEST(stops_within_long_rows)
{
  static const uint32_t edges[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}};
  static const char *const colors[] = {"hub", "odd", "odd", "odd", "even", "even", "even"};
  hub h;
  ms_pattern *star = NULL, *colored = NULL;
  make_hub(&h);
  ck_assert_int_eq(ms_pattern_named("star:40", &star, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(7, 6, edges, false, colors, &colored, NULL), MS_OK);
  check_twins(&h, colored);
  /* no twins any more: every leaf of the last three may be any leaf */
  for (uint32_t leaf = 4; leaf <= 6; leaf++)
    ck_assert_int_eq(ms_pattern_accept(colored, leaf, "odd", NULL), MS_OK);
  check_stops(&h, star, true);
  ms_hooks.count_hinge_weight = INFINITY; /* at a hinge, it is counted at once */
  check_stops(&h, colored, false);        /* by factors */
  ms_hooks = ms_hooks_default;
  check_stops(&h, colored, true);
  ms_pattern_free(colored);
  ms_pattern_free(star);
  ms_pattern_index_free(h.index);
  ms_coloring_free(h.coloring);
  ms_graph_free(h.graph);
}
END_TEST

TEST_MAIN("pattern_list", TEST(defaults), TEST_TIMES(random_cases, PARTS), TEST(allocations_fail),
          TEST_TIMES(as_many_sets_as_pairs, 3), TEST(vertices_apart), TEST(stops_within_long_rows))
