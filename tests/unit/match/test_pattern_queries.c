/* Labelled queries on real networks: the yeast and the human protein network, each with 1,200
 * connected queries of 12 to 32 vertices, half of them dense. Counts of one order are compared with
 * those of another, with rows, and with a plain backtracker, each as far as time allows: many
 * queries have more maps than anyone can count. Of those a part is taken, its first vertices in
 * breadth-first order. What was compared is printed. A sample is taken; MOTIFSIEVE_TEST_LONG=1
 * (make check-patterns) takes all queries and gives each twenty times as long. */
#include "motifsieve.h"
#include "query/pattern.h"
#include "tests/support/files.h"
#include "tests/support/graphs/published.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCHIVE "labelled/snu_yeast_human_tve.tar.gz"
#define EACH 200u       /* queries of one kind */
#define SAMPLE_STEP 12u /* in the sample: every 12th, 17 of one kind */
#define GIVEN 0.06      /* seconds for a count, .. */
#define LATE 1.0        /* .. and what it may take to end, on a busy machine: .. */
#define TURNS 4         /* .. in one of so many turns */
#define PART 5u         /* vertices of a part */
#define ROWS 50000u     /* most rows that are listed */
#define COMPARED 0.6    /* the share of queries of which some count must have ended */

typedef struct network {
  const char *name;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern_index *index;
} network;

/* What became of the counts. */
typedef struct summary {
  uint32_t queries, whole, induced, parts, compared, orders, listed, recounted;
} summary;

static const char *const kinds[][6] = {
    {"dense_16", "dense_24", "dense_32", "sparse_16", "sparse_24", "sparse_32"},
    {"dense_12", "dense_16", "dense_20", "sparse_12", "sparse_16", "sparse_20"},
};
static const char *const names[] = {"yeast", "human"};

static bool unpack(void)
{
  if (files_unpack(ARCHIVE, NULL) > 0)
    return true;
  printf("SKIPPED: labelled queries: no %s, or no tar; set MOTIFSIEVE_DATA\n", ARCHIVE);
  return false;
}

static void open_network(const char *name, network *out)
{
  ms_error err;
  char file[128];
  *out = (network){.name = name};
  snprintf(file, sizeof file, "dataset+%s+data_graph+%s.graph", name, name);
  ck_ok(ms_graph_read(files_path(file), NULL, &out->graph, &err));
  ck_ok(ms_coloring_from_graph(out->graph, &out->coloring, &err));
  ck_ok(ms_pattern_index_new(out->graph, out->coloring, 1, &out->index, &err));
}

static void close_network(network *n)
{
  ms_pattern_index_free(n->index);
  ms_coloring_free(n->coloring);
  ms_graph_free(n->graph);
}

/* ---- one query, in several ways ----------------------------------------------------- */

typedef struct query {
  const network *network;
  const char *name;
  const ms_pattern *pattern;
  bool induced;
  uint32_t number; /* of all: what differs from query to query is chosen by it */
} query;

static ms_pattern_options options_of(const query *q, ms_order order, const ms_stop *stop)
{
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .induced = q->induced,
                                .embeddings = true,
                                .order = order,
                                .screen_mode = MS_SCREEN_NEVER,
                                .screen = {.size = sizeof(ms_screen_options),
                                           .run.threads = q->number % 8 ? 1 : 2,
                                           .run.stop = (ms_stop *)stop}};
  return options;
}

/* The number of embeddings in `maps`; false: time ran out, it is a lower bound. */
static bool count_once(const query *q, ms_order order, double seconds, mpz_t maps, double *took)
{
  ms_error err;
  ms_pattern_result *result = NULL;
  ms_stop *stop = published_stop(seconds);
  ms_pattern_options options = options_of(q, order, stop);
  options.count_only = true;
  ms_status status = ms_pattern_list(q->network->index, q->pattern, &options, &result, &err);
  ck_assert_msg(status == MS_OK, "%s, %s: %s", q->network->name, q->name, err.message);
  ck_assert_msg(result->run.stopped == MS_OK || result->run.stopped == MS_ERR_LIMIT, "%s, %s: %d",
                q->network->name, q->name, (int)result->run.stopped);
  *took = result->time_plan + result->time_list;
  ck_assert_int_eq(mpz_set_str(maps, result->embeddings_text, 10), 0);
  bool whole = result->run.stopped == MS_OK;
  ms_pattern_result_free(result);
  ms_stop_free(stop);
  return whole;
}

static bool count(const query *q, ms_order order, double seconds, mpz_t maps)
{
  double took = seconds + LATE;
  bool whole = false;
  for (int turn = 0; turn < TURNS && took >= seconds + LATE; turn++)
    whole = count_once(q, order, seconds, maps, &took);
  ck_assert_msg(took < seconds + LATE, "%s, %s: ended after %g s, not %g", q->network->name,
                q->name, took, seconds);
  return whole;
}

/* Counts agree; one that was stopped is no more than the other. */
static void check_equal(const query *q, const char *what, const mpz_t maps, const mpz_t other,
                        bool whole)
{
  int order = mpz_cmp(other, maps);
  if (whole ? order == 0 : order <= 0)
    return;
  char *a = mpz_get_str(NULL, 10, maps), *b = mpz_get_str(NULL, 10, other);
  ck_abort_msg("%s, %s%s: %s maps, but %s%s by %s", q->network->name, q->name,
               q->induced ? " (induced)" : "", a, whole ? "" : "at least ", b, what);
}

static bool on_rows(void *user, const uint32_t *rows, uint64_t rows_count)
{
  uint64_t *sum = user;
  (void)rows;
  *sum += rows_count;
  return true;
}

/* Rows of embeddings, or of subgraphs, each of which stands for |Aut| of them. */
static bool check_rows(const query *q, const mpz_t maps, double seconds)
{
  ms_error err;
  mpz_t listed, order;
  uint64_t rows = 0;
  ms_pattern_result *result = NULL;
  ms_stop *stop = published_stop(seconds);
  ms_pattern_options options = options_of(q, MS_ORDER_AUTO, stop);
  options.embeddings = q->number % 2;
  options.rows = on_rows;
  options.rows_user = &rows;
  ms_status status = ms_pattern_list(q->network->index, q->pattern, &options, &result, &err);
  ck_assert_msg(status == MS_OK, "%s, %s: %s", q->network->name, q->name, err.message);
  ck_assert_uint_eq(result->matches, rows);
  mpz_init_set_ui(listed, rows);
  mpz_init_set_str(order, result->automorphisms_text, 10);
  if (!options.embeddings)
    mpz_mul(listed, listed, order);
  bool whole = result->run.stopped == MS_OK;
  check_equal(q, "rows", maps, listed, whole);
  mpz_clear(listed);
  mpz_clear(order);
  ms_pattern_result_free(result);
  ms_stop_free(stop);
  return whole;
}

static bool check_recount(const query *q, const mpz_t maps, double seconds)
{
  ms_error err;
  mpz_t found;
  ms_stop *stop = published_stop(seconds);
  mpz_init(found);
  ms_status status = recount_pattern(q->network->graph, q->network->coloring, q->pattern,
                                     q->induced, found, NULL, NULL, stop, &err);
  if (status != MS_ERR_LIMIT)
    ck_ok(status);
  check_equal(q, "the backtracker", maps, found, status == MS_OK);
  mpz_clear(found);
  ms_stop_free(stop);
  return status == MS_OK;
}

/* False: its maps could not be counted in time. */
static bool compare(const query *q, summary *sum)
{
  double seconds = published_seconds(GIVEN);
  mpz_t maps, other;
  mpz_init(maps);
  mpz_init(other);
  bool whole = count(q, MS_ORDER_AUTO, seconds, maps);
  if (whole) {
    bool all = count(q, MS_ORDER_RI, 2 * seconds, other);
    check_equal(q, "order ri", maps, other, all);
    sum->orders += all;
    if (mpz_cmp_ui(maps, ROWS) <= 0)
      sum->listed += check_rows(q, maps, 2 * seconds);
    sum->recounted += check_recount(q, maps, seconds);
  }
  mpz_clear(maps);
  mpz_clear(other);
  return whole;
}

/* ---- parts of queries ------------------------------------------------------------------ */

/* The first PART vertices of a walk in breadth, and the edges among them. */
static ms_pattern *part_of(const ms_pattern *whole)
{
  ms_error err;
  ms_pattern *part;
  uint32_t vertex[PART] = {0}, n = 1, edges[PART * PART][2];
  ms_bitset seen = ms_bitset_of(0);
  uint64_t m = 0;
  const char *color[PART];
  for (uint32_t i = 0; i < n; i++)
    MS_EACH_MEMBER (w, whole->out[vertex[i]])
      if (n < PART && !ms_bitset_has(&seen, w)) {
        vertex[n++] = w;
        ms_bitset_add(&seen, w);
      }
  for (uint32_t i = 0; i < n; i++) {
    color[i] = ms_names_get(whole->color_names, whole->color[vertex[i]][0]);
    for (uint32_t j = 0; j < i; j++)
      if (ms_bitset_has(&whole->out[vertex[i]], vertex[j])) {
        edges[m][0] = j;
        edges[m++][1] = i;
      }
  }
  ck_ok(ms_pattern_from_edges(n, m, (const uint32_t(*)[2])edges, false, color, &part, &err));
  return part;
}

static void run_query(const network *n, const char *kind, uint32_t i, summary *sum)
{
  ms_error err;
  char name[64], file[128];
  ms_pattern *pattern, *part;
  snprintf(name, sizeof name, "query_%s_%u", kind, i);
  snprintf(file, sizeof file, "dataset+%s+query_graph+%s.graph", n->name, name);
  ck_ok(ms_pattern_read(files_path(file), NULL, NULL, &pattern, &err));
  query q = {.network = n, .name = name, .pattern = pattern, .number = sum->queries++};
  bool whole = compare(&q, sum);
  sum->whole += whole;
  q.induced = true;
  bool induced = compare(&q, sum), in_part = false;
  sum->induced += induced;
  if (!whole) {
    q.pattern = part = part_of(pattern);
    q.induced = false;
    strcat(name, " (part)");
    in_part = compare(&q, sum);
    sum->parts += in_part;
    ms_pattern_free(part);
  }
  sum->compared += whole || induced || in_part;
  ms_pattern_free(pattern);
}

/* MOTIFSIEVE_TEST_SCALE below 1, as under sanitizers: a quarter of the sample. */
static uint32_t sample_step(void)
{
  return test_is_long() ? 1 : test_scale() < 1 ? 4 * SAMPLE_STEP : SAMPLE_STEP;
}

/* The sample of a network. */
static void run_queries(const network *n, uint32_t number, summary *sum)
{
  *sum = (summary){0};
  for (uint32_t k = 0; k < 6; k++)
    for (uint32_t i = 1; i <= EACH; i += sample_step())
      run_query(n, kinds[number][k], i, sum);
  printf("%s: %u queries: counted whole %u, induced %u, in part %u, not at all %u; counts "
         "compared with order ri %u, with rows %u, with the backtracker %u\n",
         names[number], sum->queries, sum->whole, sum->induced, sum->parts,
         sum->queries - sum->compared, sum->orders, sum->listed, sum->recounted);
}

/* Enough counts ended in time to be compared. */
static bool has_answers(const summary *sum)
{
  return sum->compared >= (uint32_t)(COMPARED * sum->queries) && sum->orders >= sum->queries / 4 &&
         sum->listed >= sum->queries / 8 && sum->recounted >= sum->queries / 10;
}

/* Counts by two orders, by rows and by the plain backtracker agree for at least 60 % of the sampled
 * queries of a network: every 12th of 1,200, for yeast and human. */
START_TEST(queries)
{
  network n;
  summary sum;
  if (!unpack())
    return;
  open_network(names[_i], &n);
  do {
    run_queries(&n, (uint32_t)_i, &sum);
  } while (published_again(has_answers(&sum)));
  close_network(&n);
  ck_assert(has_answers(&sum));
}
END_TEST

TEST_MAIN("labelled queries", TIME_LIMIT(test_is_long() ? 36000 : 600), TEST_TIMES(queries, 2))
