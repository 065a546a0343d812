/* Counts of patterns that fall apart at a vertex (match/count/hinge.h) against searches and brute
 * force: random graphs with hubs, directed or not, with colours or not; numbers of more than 128
 * bits, known by formula; which patterns are counted so, and what is said of it; stops. */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "base/wide.h"
#include "match/count/count.h"
#include "match/count/count_choice.h"
#include "match/count/count_methods.h"
#include "match/count/leaves.h"
#include "tests/support/graphs/hinge_case.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { CASES = 160 };

/* True if the count is at a hinge, and not by a plan, or by factors or a search for a pattern that
 * the domains divide; sets *divided to whether they do. */
static bool is_at_hinge(const count_trial *t, bool *divided)
{
  ms_count_case *k;
  ck_assert_int_eq(ms_count_choose_way(&t->query, &t->shape, &k, NULL), MS_OK);
  bool so = strcmp(k->way->name, "hinge") == 0;
  *divided = k->divided;
  ms_count_case_free(k);
  return so;
}

/* ---- counts ------------------------------------------------------------------------------ */

/* Patterns of 4 to 7 vertices with a hinge have as many maps when counted there as a search and
 * brute force find: 160 random cases, a quarter directed and a third with colours, on one to three
 * threads.  In most cases there are maps, and hinges were used. */
START_TEST(counts_are_right)
{
  uint32_t found = 0, at_hinge = 0, kinds[4] = {0}, divisions[2] = {0};
  uint32_t cases = (uint32_t)scaled(CASES);
  ms_hooks.work_for_threads = 0;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    hinge_case c;
    hinge_trial h;
    mpz_t maps, searched;
    mpz_inits(maps, searched, NULL);
    hinge_case_draw(&c, seed);
    hinge_trial_make(&h, &c, 1 + (int)(seed % 3));
    hinge_choose_weight(0);
    bool divided, so = is_at_hinge(&h.t, &divided);
    ck_assert_int_eq(ms_count_maps(&h.t.query, &h.t.shape, maps, NULL), MS_OK);
    hinge_choose_weight(INFINITY);
    ck_assert_int_eq(ms_count_maps(&h.t.query, &h.t.shape, searched, NULL), MS_OK);
    uint64_t expected = hinge_case_maps(&c);
    ck_assert_msg(mpz_cmp_ui(maps, expected) == 0 && mpz_cmp_ui(searched, expected) == 0,
                  "seed %llu: %llu maps", (unsigned long long)seed, (unsigned long long)expected);
    found += expected > 0;
    at_hinge += so;
    kinds[c.directed + 2 * c.colored] += so && expected > 0;
    divisions[c.directed] += so && divided && expected > 0;
    mpz_clears(maps, searched, NULL);
    hinge_trial_free(&h);
  }
  hinge_choose_as_usual();
  ck_assert_uint_ge(2 * found, cases);
  ck_assert_uint_ge(2 * at_hinge, cases);
  for (int i = 0; i < 4 && cases == CASES; i++)
    ck_assert_uint_gt(kinds[i], 0);
  for (int i = 0; i < 2 && cases == CASES; i++)
    ck_assert_uint_gt(divisions[i], 0);
}
END_TEST

/* ---- books on an engine -------------------------------------------------------------------- */

static uint32_t book_calls;
static ms_status book_status; /* what a call returns */

static ms_status count_books(const ms_pattern_task *task, ms_book *book, ms_error *err)
{
  const ms_pattern_index *index = task->program->index;
  (void)err;
  book_calls++;
  for (uint32_t v = 0; v < index->n; v++) {
    book->number[v] = 0;
    for (uint32_t a = 0; a < index->n; a++)
      for (uint32_t b = 0; b < index->n; b++) {
        uint64_t maps = 1;
        uint32_t common = 0;
        if (!count_trial_adjacent(index, a, b) ||
            (book->at_page
                 ? !count_trial_adjacent(index, a, v) || !count_trial_adjacent(index, b, v)
                 : a != v))
          continue;
        for (uint32_t x = 0; x < index->n; x++)
          common += count_trial_adjacent(index, a, x) && count_trial_adjacent(index, b, x);
        for (uint32_t i = book->at_page; i < book->pages; i++)
          maps *= common > i ? common - i : 0;
        book->number[v] += maps;
      }
  }
  return book_status;
}

/* A GPU counts books at each vertex, and the rest follows: as many maps as by brute force, also
 * where it lacks memory; a stop and a lost device are passed on. */
START_TEST(books_on_an_engine)
{
  static const ms_status statuses[] = {MS_OK,        MS_ERR_MEMORY, MS_OK,
                                       MS_ERR_LIMIT, MS_OK,         MS_ERR_DEVICE_LOST};
  ms_pattern_engine engine = ms_pattern_engine_cpu;
  uint32_t called = 0, cases = (uint32_t)scaled(4 * CASES);
  engine.count_books = count_books;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    hinge_case c;
    hinge_trial h;
    mpz_t maps;
    mpz_init(maps);
    hinge_case_draw(&c, seed);
    hinge_trial_make(&h, &c, 1);
    h.t.query.engine = &engine;
    hinge_choose_weight(0);
    book_calls = 0;
    book_status = statuses[seed % 6];
    ms_status status = ms_count_maps(&h.t.query, &h.t.shape, maps, NULL);
    ck_assert_msg(book_calls == 0 || book_status == MS_ERR_MEMORY ? status == MS_OK
                                                                  : status == book_status,
                  "seed %llu", (unsigned long long)seed);
    ck_assert_msg(status != MS_OK || mpz_cmp_ui(maps, hinge_case_maps(&c)) == 0, "seed %llu",
                  (unsigned long long)seed);
    called += book_calls > 0 && mpz_sgn(maps) > 0;
    ck_assert(book_calls == 0 || (!c.directed && !c.colored));
    if (book_calls > 0 && status == MS_OK) {
      ms_budget few; /* has room for the numbers of one shape alone, without those of the engine */
      ms_budget_open(&few, (h.t.index->n + 1) * sizeof(ms_wide_size) + sizeof(uint64_t));
      h.t.query.budget = &few;
      book_calls = 0;
      ck_assert_int_eq(ms_count_maps(&h.t.query, &h.t.shape, maps, NULL), MS_OK);
      ck_assert(book_calls == 0 && few.reserved == 0);
      ck_assert(mpz_cmp_ui(maps, hinge_case_maps(&c)) == 0);
    }
    mpz_clear(maps);
    hinge_trial_free(&h);
  }
  hinge_choose_as_usual();
  ck_assert(cases < 4 * CASES || 20 * called >= cases);
}
END_TEST

/* A star of eight leaves is two stars of fewer with a common centre.  Where two hubs have each
 * other and 200,000 more neighbours, its maps are a number of 142 bits, and the product at each hub
 * has more than 128. */
START_TEST(large_numbers)
{
  enum { LEAVES = 200000, WANTED = 8 };
  static uint32_t edge[2 * LEAVES + 1][2];
  static const uint32_t star[WANTED][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4},
                                           {0, 5}, {0, 6}, {0, 7}, {0, 8}};
  count_trial t;
  ms_graph *graph;
  ms_pattern *pattern;
  mpz_t maps, expected;
  edge[2 * LEAVES][1] = 1;
  for (uint32_t i = 0; i < 2 * LEAVES; i++) {
    edge[i][0] = i % 2;
    edge[i][1] = 2 + i / 2;
  }
  ck_assert_int_eq(ms_graph_from_edges(LEAVES + 2, 2 * LEAVES + 1, (const uint32_t(*)[2])edge, NULL,
                                       &graph, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(WANTED + 1, WANTED, star, false, NULL, &pattern, NULL),
                   MS_OK);
  count_trial_make(&t, graph, pattern, &ms_pattern_engine_cpu, 2);
  mpz_init(maps);
  mpz_init_set_ui(expected, 2);
  for (uint32_t i = 0; i < WANTED; i++)
    mpz_mul_ui(expected, expected, LEAVES + 1 - i);
  hinge_choose_weight(0);
  bool divided;
  ck_assert(is_at_hinge(&t, &divided));
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, maps, NULL), MS_OK);
  hinge_choose_as_usual();
  ck_assert_int_eq(mpz_cmp(maps, expected), 0);
  ck_assert_uint_gt(mpz_sizeinbase(maps, 2), 128);
  mpz_clears(maps, expected, NULL);
  count_trial_free(&t);
}
END_TEST

/* Counts all units as one share that keeps its choices, and replays its leaves without them, as a
 * merge of parts does. */
static ms_status count_and_merge(count_trial *t, mpz_t maps)
{
  ms_count_choices choices = {.count = 0};
  ms_count_leaves leaves = {.choices = &choices};
  ms_count_query query = t->query;
  query.leaves = &leaves;
  ck_assert_int_eq(ms_count_maps(&query, &t->shape, maps, NULL), MS_OK);
  ms_count_leaves_rewind(&leaves);
  leaves.choices = NULL;
  ms_status status = ms_count_maps(&query, &t->shape, maps, NULL);
  ms_count_leaves_free(&leaves);
  ms_count_choices_free(&choices);
  return status;
}

/* Parts of a count at hinges can be merged by a run that has kept no choices.  In sparse graphs the
 * domains of seven vertices are sets of bits, and the same gluing, made in two ways, has the same
 * domains at two places in memory: 40 random cases. */
START_TEST(parts_are_merged)
{
  hinge_choose_weight(0);
  for (uint64_t seed = 1; seed <= (uint64_t)scaled(40); seed++) {
    hinge_case c = {.n = HINGE_MOST_N, .p = HINGE_MOST_P};
    hinge_trial h;
    mpz_t maps;
    uint64_t state = seed;
    mpz_init(maps);
    for (uint32_t i = 0; i < HINGE_MOST_P; i++)
      c.accepts[i] = 7;
    for (uint32_t i = 1; i < HINGE_MOST_P; i++)
      hinge_case_want(&c, &state, i, random_below(&state, 2) ? i - 1 : random_below(&state, i));
    for (uint32_t i = 0; i < HINGE_MOST_N + 4; i++)
      hinge_case_join(&c, random_below(&state, HINGE_MOST_N), random_below(&state, HINGE_MOST_N));
    hinge_trial_make(&h, &c, 1);
    ck_assert_msg(count_and_merge(&h.t, maps) == MS_OK, "seed %llu: not the same leaves",
                  (unsigned long long)seed);
    ck_assert_msg(mpz_cmp_ui(maps, hinge_case_maps(&c)) == 0, "seed %llu",
                  (unsigned long long)seed);
    mpz_clear(maps);
    hinge_trial_free(&h);
  }
  hinge_choose_as_usual();
}
END_TEST

/* ---- which patterns ---------------------------------------------------------------------- */

static const uint32_t bowtie[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}};
static const uint32_t square[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
static const uint32_t house[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}};

static ms_pattern *pattern_of(uint32_t n, uint32_t m, const uint32_t (*edge)[2])
{
  ms_pattern *pattern;
  ck_assert_int_eq(ms_pattern_from_edges(n, m, edge, false, NULL, &pattern, NULL), MS_OK);
  return pattern;
}

/* Returns whether a random graph with hubs would be searched for the pattern at a hinge, with the
 * weights that the library has. */
static bool is_chosen(uint32_t n, uint32_t m, const uint32_t (*edge)[2], bool induced,
                      ms_order order)
{
  count_trial t;
  uint64_t state = 2; /* a graph with three hubs */
  count_trial_make(&t, count_trial_graph(&state, 3000, 60000), pattern_of(n, m, edge),
                   &ms_pattern_engine_cpu, 1);
  t.shape.induced = induced;
  t.query.order = order;
  t.query.effort = (ms_probe_effort){0, MS_PROBE_STEPS, NULL};
  bool divided, so = is_at_hinge(&t, &divided);
  count_trial_free(&t);
  return so;
}

START_TEST(which_patterns)
{
  static const uint32_t tail[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}};
  static const uint32_t star[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};
  ms_hooks.count_elimination_weight = INFINITY;
  ck_assert(is_chosen(5, 6, bowtie, false, MS_ORDER_AUTO));
  ck_assert(is_chosen(5, 5, tail, false, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 6, bowtie, true, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 6, bowtie, false, MS_ORDER_RI));
  ck_assert(!is_chosen(4, 4, square, false, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 6, house, false, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 4, star, false, MS_ORDER_AUTO)); /* it is short as it is */
  hinge_choose_as_usual();
}
END_TEST

static int one_device(void)
{
  return 1;
}

/* The plan names the vertex and the sides.  Where a GPU has started and would count at once, the
 * plan is that of its engine, which has no hinges. */
START_TEST(explained)
{
  static const char *const name[] = {"c", "w", "x", "y", "z"};
  static const char *const text = "counted: for each candidate of c, the maps that extend it to w, "
                                  "x times those that extend it to y, z, less the maps in which "
                                  "vertices of the two sides coincide; estimated steps: ",
                           *const json = "{\"maps\":\"hinge\",\"vertex\":\"c\",\"sides\":[[\"w\","
                                         "\"x\"],[\"y\",\"z\"]],\"cost\":";
  count_trial t;
  uint64_t state = 2;
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern_of(5, 6, bowtie),
                   &ms_pattern_engine_cpu, 1);
  hinge_choose_weight(0);
  for (int is_json = 0; is_json < 2; is_json++) {
    char *said;
    const char *begin = is_json ? json : text;
    ck_assert_int_eq(ms_count_explain(&t.query, &t.shape, name, is_json, &said, NULL), MS_OK);
    ck_assert_msg(strncmp(said, begin, strlen(begin)) == 0, "%s", said);
    ms_free(said);
  }
  ms_pattern_engine started = ms_pattern_engine_cpu;
  ms_count_report report;
  char *said;
  mpz_t maps;
  mpz_init(maps);
  started.devices = one_device;
  t.query.large = &started;
  t.query.report = &report;
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, maps, NULL), MS_OK);
  ck_assert(report.used_large);
  ck_assert_int_eq(ms_count_explain(&t.query, &t.shape, name, true, &said, NULL), MS_OK);
  ck_assert_msg(strstr(said, "{\"maps\":\"plan\"") == said, "%s", said);
  ms_free(said);
  mpz_clear(maps);
  hinge_choose_as_usual();
  count_trial_free(&t);
}
END_TEST

/* Returns whether a probe compared the search for a path of seven with another way. */
static bool is_compared(const ms_pattern_engine *engine, ms_order order)
{
  static const uint32_t path[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
  count_trial t;
  ms_count_plan plan;
  uint64_t state = 2;
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern_of(7, 6, path), engine, 1);
  t.query.order = order;
  ck_assert_int_eq(ms_count_plan_new(&t.query, &t.shape, t.domains.of, &plan, NULL), MS_OK);
  bool compared = !isinf(plan.cost);
  ms_count_plan_free(&plan);
  count_trial_free(&t);
  return compared;
}

/* An engine on GPUs has no such counts, and neither it nor an order that was asked for waits for
 * probes that would compare them. */
START_TEST(other_engines)
{
  count_trial t;
  uint64_t state = 2;
  ms_pattern_engine other = ms_pattern_engine_cpu;
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern_of(5, 6, bowtie), &other, 1);
  hinge_choose_weight(0);
  ck_assert(!ms_hinge_may(&t.query, &t.shape));
  t.query.engine = NULL;
  ck_assert(ms_hinge_may(&t.query, &t.shape));
  hinge_choose_as_usual();
  count_trial_free(&t);
  ck_assert(is_compared(&ms_pattern_engine_cpu, MS_ORDER_AUTO));
  ck_assert(!is_compared(&ms_pattern_engine_cpu, MS_ORDER_RI));
  ck_assert(!is_compared(&other, MS_ORDER_AUTO));
}
END_TEST

/* To estimate a path of eight vertices takes few looks at the stop token, one for each shape that
 * is estimated and for each 8,192 steps of a probe: each gluing is estimated once, wherever it is
 * needed. */
START_TEST(planning_is_short)
{
  static const uint32_t path[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
  count_trial t;
  uint64_t state = 2;
  mpz_t maps;
  ms_stop *stop;
  mpz_init(maps);
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern_of(8, 7, path),
                   &ms_pattern_engine_cpu, 1);
  hinge_choose_weight(0);
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  ms_stop_after_looks(stop, 1000);
  t.query.stop = stop;
  t.query.estimate = true;
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, maps, NULL), MS_OK);
  hinge_choose_as_usual();
  ms_stop_free(stop);
  mpz_clear(maps);
  count_trial_free(&t);
}
END_TEST

/* ---- ends before the end ------------------------------------------------------------------- */

/* Stops a count after each number of looks at the token.  It is then at most the true one.  Returns
 * how many of these counts were not zero. */
static uint32_t stop_everywhere(ms_pattern *pattern, int threads)
{
  count_trial t;
  uint64_t state = 2, looks = 0;
  uint32_t some = 0;
  mpz_t all, maps;
  ms_stop *stop;
  ms_status status = MS_ERR_LIMIT;
  mpz_inits(all, maps, NULL);
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern, &ms_pattern_engine_cpu,
                   threads);
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, all, NULL), MS_OK);
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  t.query.stop = stop;
  for (; status != MS_OK; looks++) {
    ms_stop_after_looks(stop, looks);
    status = ms_count_maps(&t.query, &t.shape, maps, NULL);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    ck_assert_int_le(mpz_cmp(maps, all), 0);
    some += status == MS_ERR_LIMIT && mpz_sgn(maps) > 0;
  }
  ck_assert_int_eq(mpz_cmp(maps, all), 0);
  ms_stop_free(stop);
  mpz_clears(all, maps, NULL);
  count_trial_free(&t);
  return some;
}

/* A bowtie, some of whose stopped counts are not zero; and two triangles that an edge joins, whose
 * numbers are of use only once all of them are there. */
START_TEST(stops)
{
  static const uint32_t joined[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 5}, {5, 3}};
  ms_hooks.work_for_threads = 0;
  hinge_choose_weight(0);
  for (int threads = 1; threads < 3; threads++) {
    ck_assert_uint_gt(stop_everywhere(pattern_of(5, 6, bowtie), threads), 0);
    stop_everywhere(pattern_of(6, 7, joined), threads);
  }
  hinge_choose_as_usual();
}
END_TEST

TEST_MAIN("hinge", TEST(counts_are_right), TEST(books_on_an_engine), TEST(large_numbers),
          TEST(parts_are_merged), TEST(which_patterns), TEST(explained), TEST(other_engines),
          TEST(planning_is_short), TEST(stops))
