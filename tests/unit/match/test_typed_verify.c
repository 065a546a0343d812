/* The judge of typed matches and its recount, against all maps of small cases and all ways to pair
 * off their edges. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "query/typed_query.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/typed_edge.h"
#include "tests/support/random.h"
#include "tests/support/results/all_rows.h"
#include "tests/support/results/judge_trials.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 6, MAX_P = 4, MAX_M = 24, MAX_E = 7, KINDS = 3, TYPES = 4 };

/* Types of arcs: "s" and "t" are symmetric, "r" points, "^r" is its inverse. */
static const ms_type inverse_of[TYPES] = {0, 2, 1, 3};

/* ---- cases ---------------------------------------------------------------------- */

typedef struct wish {
  uint32_t from, to;
  unsigned mask; /* bit t: accepts type t seen from `from` */
} wish;

typedef struct draft {
  uint32_t n, p, m, e;
  typed_edge edge[MAX_M];            /* [m] */
  ms_type kind[MAX_N];               /* [n] types of vertices */
  unsigned accepted[MS_MAX_PATTERN]; /* [p] bit k: accepts vertices of type k */
  wish wish[MS_MAX_TYPED_EDGES];     /* [e] */

  ms_typed *graph;
  ms_typed_query query;
  uint64_t bits[2 * MS_MAX_TYPED_EDGES + MS_MAX_PATTERN];
  ms_typed_query_edge query_edge[MS_MAX_TYPED_EDGES];
} draft;

static unsigned inverse_mask(unsigned mask)
{
  return (mask & 9) | (mask & 2) << 1 | (mask & 4) >> 1;
}

static void add_names(ms_names **names, uint32_t count, const char *const *texts)
{
  uint32_t id;
  char number[16];
  ck_assert_int_eq(ms_names_new(names, NULL), MS_OK);
  for (uint32_t i = 0; i < count; i++) {
    snprintf(number, sizeof number, "%u", i);
    const char *text = texts ? texts[i] : number;
    ck_assert_int_eq(ms_names_add(*names, text, strlen(text), &id, NULL), MS_OK);
  }
}

/* The same allocator as the library's: no block that the test itself made. */
static void make_graph(draft *d, uint32_t n, uint64_t m, const typed_edge *edge,
                       const ms_type *kind)
{
  static const char *const kinds[KINDS] = {"A", "B", "C"};
  static const char *const types[TYPES] = {"s", "r", "^r", "t"};
  ms_typed_parts parts = {.names = NULL};
  typed_add_edges(&parts, m, edge);
  add_names(&parts.names, n, NULL);
  add_names(&parts.vertex_types, KINDS, kinds);
  add_names(&parts.arc_types, TYPES, types);
  parts.vertex_type = ms_alloc(n, sizeof *parts.vertex_type);
  parts.inverse = ms_alloc(TYPES, sizeof *parts.inverse);
  parts.is_inverse = ms_calloc(TYPES, 1);
  ck_assert(parts.vertex_type && parts.inverse && parts.is_inverse);
  memcpy(parts.vertex_type, kind, n * sizeof *kind);
  memcpy(parts.inverse, inverse_of, sizeof inverse_of);
  parts.is_inverse[2] = 1;
  ck_assert_int_eq(ms_typed_build(&parts, 1, &d->graph, NULL), MS_OK);
}

/* Makes the query of accepted[] and wish[]. */
static void make_query(draft *d)
{
  d->query = (ms_typed_query){.graph = d->graph, .n = d->p, .edges = d->e, .edge = d->query_edge};
  uint64_t *bits = d->query.bits = d->bits;
  for (uint32_t i = 0; i < d->p; i++) {
    d->query.vertex_types[i] = bits;
    *bits++ = d->accepted[i];
  }
  for (uint32_t e = 0; e < d->e; e++, bits += 2) {
    wish w = d->wish[e];
    bits[0] = w.mask | (w.from == w.to ? inverse_mask(w.mask) : 0);
    bits[1] = w.from == w.to ? bits[0] : inverse_mask(w.mask);
    d->query_edge[e] = (ms_typed_query_edge){w.from, w.to, bits, bits + 1};
  }
}

/* Many parallel edges, few types: pairing is a matter of luck. */
static void draft_make(draft *d, uint64_t seed)
{
  uint64_t state = seed;
  memset(d, 0, sizeof *d);
  d->p = 1 + random_below(&state, MAX_P);
  d->n = 1 + random_below(&state, MAX_N);
  d->m = random_below(&state, MAX_M + 1);
  d->e = random_below(&state, MAX_E + 1);
  uint32_t crowd = 1 + random_below(&state, d->n); /* edges are among these */
  for (uint32_t i = 0; i < d->m; i++)
    d->edge[i] = (typed_edge){random_below(&state, crowd), random_below(&state, d->n),
                              (ms_type)random_below(&state, TYPES)};
  for (uint32_t v = 0; v < d->n; v++)
    d->kind[v] = (ms_type)random_below(&state, KINDS);
  for (uint32_t i = 0; i < d->p; i++)
    d->accepted[i] = random_below(&state, 3) ? 7 : 1 + random_below(&state, 7);
  for (uint32_t e = 0; e < d->e; e++) {
    unsigned mask = random_below(&state, 3) ? 1 + random_below(&state, 15) : 15;
    mask |= random_below(&state, 3) ? 0 : inverse_mask(mask); /* either way */
    d->wish[e] = (wish){random_below(&state, d->p), random_below(&state, d->p), mask};
    if (e > 0 &&
        random_below(&state, 3) == 0) /* parallel to the last one, as it is or turned round */
      d->wish[e] = random_below(&state, 2)
                       ? d->wish[e - 1]
                       : (wish){d->wish[e - 1].to, d->wish[e - 1].from,
                                random_below(&state, 2) ? mask : d->wish[e - 1].mask};
  }
  make_graph(d, d->n, d->m, d->edge, d->kind);
  make_query(d);
}

static void draft_free(draft *d)
{
  ms_typed_free(d->graph);
}

/* ---- the oracle ------------------------------------------------------------------- */

static bool serves(const uint32_t *row, const wish *w, const typed_edge *g)
{
  return (row[w->from] == g->from && row[w->to] == g->to && w->mask >> g->type & 1) ||
         (row[w->from] == g->to && row[w->to] == g->from && w->mask >> inverse_of[g->type] & 1);
}

/* Try every way to give the wishes from e on an edge that is not in `taken`. */
static bool all_served(const draft *d, const uint32_t *row, uint32_t e, uint32_t taken)
{
  if (e == d->e)
    return true;
  for (uint32_t g = 0; g < d->m; g++)
    if (!(taken >> g & 1) && serves(row, &d->wish[e], &d->edge[g]) &&
        all_served(d, row, e + 1, taken | 1u << g))
      return true;
  return false;
}

/* What is wrong with a row; a bit for each verdict that would be true. */
static unsigned faults(const draft *d, const uint32_t *row)
{
  unsigned found = 0;
  for (uint32_t i = 0; i < d->p; i++) {
    if (!(d->accepted[i] >> d->kind[row[i]] & 1))
      found |= 1u << MS_MATCH_WRONG_TYPE;
    for (uint32_t j = 0; j < i; j++)
      if (row[i] == row[j])
        found |= 1u << MS_MATCH_REPEATS_VERTEX;
  }
  if (!all_served(d, row, 0, 0))
    found |= 1u << MS_MATCH_LACKS_EDGE;
  return found;
}

static int compare_wishes(const void *a, const void *b)
{
  return memcmp(a, b, sizeof(wish));
}

/* All wishes with their vertices mapped, each seen from its smaller end, sorted. */
static void list_mapped(const draft *d, const uint32_t *map, wish *list)
{
  for (uint32_t e = 0; e < d->e; e++) {
    wish w = {map[d->wish[e].from], map[d->wish[e].to], d->wish[e].mask};
    if (w.from > w.to)
      w = (wish){w.to, w.from, inverse_mask(w.mask)};
    else if (w.from == w.to)
      w.mask |= inverse_mask(w.mask);
    list[e] = w;
  }
  qsort(list, d->e, sizeof *list, compare_wishes);
}

static void find_group(const draft *d, all_rows_group *all)
{
  uint32_t map[MAX_P] = {0}, same[MAX_P] = {0, 1, 2, 3};
  wish plain[MAX_E], mapped[MAX_E];
  all->count = 0;
  list_mapped(d, same, plain);
  do {
    bool keeps = true;
    for (uint32_t i = 0; i < d->p; i++) {
      keeps &= d->accepted[i] == d->accepted[map[i]];
      for (uint32_t j = 0; j < i; j++)
        keeps &= map[i] != map[j];
    }
    list_mapped(d, map, mapped);
    if (keeps && memcmp(plain, mapped, d->e * sizeof *plain) == 0)
      memcpy(all->map[all->count++], map, d->p * sizeof *map);
  } while (all_rows_next(map, d->p, d->p));
}

/* Rows that the recount delivers, marked. */
typedef struct tally {
  const draft *d;
  uint8_t seen[1296]; /* MAX_N^MAX_P */
} tally;

static bool mark(void *user, const uint32_t *row)
{
  tally *t = user;
  t->seen[all_rows_number(row, t->d->p, t->d->n)]++;
  return true;
}

/* How often each verdict was given, and how often the class of a match was larger than it. */
typedef struct counts {
  uint64_t verdict[MS_MATCH_NOT_SMALLEST + 1], paired;
} counts;

/* Every row of the case; the number of matches and of smallest ones. */
static void compare_rows(const draft *d, uint64_t seed, const tally *t, counts *seen,
                         uint64_t totals[2])
{
  static all_rows_group all;
  ms_judge *judge, *strict;
  uint32_t row[MAX_P] = {0};
  find_group(d, &all);
  ck_assert_int_eq(ms_judge_typed(&d->query, false, false, &judge, NULL), MS_OK);
  ck_assert_int_eq(ms_judge_typed(&d->query, false, true, &strict, NULL), MS_OK);
  do {
    unsigned wrong = faults(d, row);
    ms_verdict verdict = ms_judge_row(judge, row);
    bool is_small = !wrong && all_rows_smallest(&all, row, d->p);
    ck_assert_msg(wrong ? wrong >> verdict & 1 : verdict == MS_MATCH_OK, "seed %llu: %s",
                  (unsigned long long)seed, ms_verdict_text(verdict));
    verdict = wrong || is_small ? verdict : MS_MATCH_NOT_SMALLEST;
    ck_assert_msg(ms_judge_row(strict, row) == verdict, "seed %llu: %s", (unsigned long long)seed,
                  ms_verdict_text(verdict));
    ck_assert_uint_eq(t->seen[all_rows_number(row, d->p, d->n)], !wrong);
    totals[0] += !wrong;
    totals[1] += is_small;
    seen->verdict[verdict]++;
  } while (all_rows_next(row, d->p, d->n));
  ck_assert_uint_eq(totals[0], totals[1] * all.count);
  ms_judge_free(judge);
  ms_judge_free(strict);
  mpz_t order;
  mpz_init(order);
  ck_assert_int_eq(count_typed_automorphisms(&d->query, order, NULL, NULL), MS_OK);
  ck_assert_msg(mpz_cmp_ui(order, all.count) == 0, "seed %llu", (unsigned long long)seed);
  mpz_clear(order);
}

static void compare_case(uint64_t seed, counts *seen)
{
  static draft d;
  static tally t;
  uint64_t totals[2] = {0};
  mpz_t count;
  mpz_init(count);
  draft_make(&d, seed);
  memset(&t, 0, sizeof t);
  t.d = &d;
  ck_assert_int_eq(recount_typed(&d.query, count, mark, &t, NULL, NULL), MS_OK);
  compare_rows(&d, seed, &t, seen, totals);
  ck_assert_uint_eq(mpz_get_ui(count), totals[0]);
  seen->paired += totals[0] > 0 && d.e > 3;
  draft_free(&d);
  mpz_clear(count);
}

/* The judge's verdict on each map and the recount are those of plain trial: all maps of 4,000
 * random cases of up to 6 graph and 4 pattern vertices with many parallel edges, with each verdict
 * in more than one case in 20. */
START_TEST(agrees_with_all_maps)
{
  uint64_t cases = scaled(4000);
  counts seen = {0};
  for (uint64_t seed = 1; seed <= cases; seed++)
    compare_case(seed, &seen);
  static const ms_verdict expected[] = {MS_MATCH_OK, MS_MATCH_REPEATS_VERTEX, MS_MATCH_WRONG_TYPE,
                                        MS_MATCH_LACKS_EDGE, MS_MATCH_NOT_SMALLEST};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_msg(seen.verdict[expected[i]] > cases / 20, "verdict %d: %llu", expected[i],
                  (unsigned long long)seen.verdict[expected[i]]);
  ck_assert_uint_gt(seen.paired, cases / 200);
}
END_TEST

/* What the judge remembers of pairs changes no verdict, whatever rows came before: 300 random
 * cases, up to 400 matches each in order and at random, each vertex of each match changed in turn.
 */
START_TEST(remembers_no_wrong_pair)
{
  static draft d;
  static judge_trial trial;
  uint64_t cases = scaled(300), verdicts[MS_MATCH_NOT_SMALLEST + 1] = {0};
  for (uint64_t seed = 1; seed <= cases; seed++) {
    ms_judge *judge[3]; /* of all rows, of the smallest ones, and of induced ones */
    uint64_t state = seed;
    mpz_t count;
    draft_make(&d, seed);
    trial = (judge_trial){.p = d.p, .n = d.n};
    mpz_init(count);
    ck_assert_int_eq(recount_typed(&d.query, count, judge_trial_add, &trial, NULL, NULL), MS_OK);
    mpz_clear(count);
    for (uint32_t i = 0; i < 3; i++)
      ck_assert_int_eq(ms_judge_typed(&d.query, i == 2, i == 1, &judge[i], NULL), MS_OK);
    judge_trial_run(&trial, 3, judge, &state, verdicts);
    for (uint32_t i = 0; i < 3; i++)
      ms_judge_free(judge[i]);
    draft_free(&d);
  }
  static const ms_verdict expected[] = {MS_MATCH_OK, MS_MATCH_REPEATS_VERTEX, MS_MATCH_LACKS_EDGE,
                                        MS_MATCH_EXTRA_EDGE, MS_MATCH_NOT_SMALLEST};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_msg(verdicts[expected[i]] > cases / 4, "verdict %d: %llu rows", expected[i],
                  (unsigned long long)verdicts[expected[i]]);
}
END_TEST

/* ---- pairs by hand ------------------------------------------------------------------ */

/* A row with a number that is no vertex gets that verdict, and three other rows theirs. */
START_TEST(refuses_what_is_no_vertex)
{
  static const typed_edge edge[1] = {{0, 1, 0}};
  static const ms_type kind[3] = {0};
  static draft d;
  ms_judge *judge;
  d.p = 2;
  d.e = 1;
  d.accepted[0] = d.accepted[1] = 7;
  d.wish[0] = (wish){0, 1, 15};
  make_graph(&d, 3, 1, edge, kind);
  make_query(&d);
  ck_assert_int_eq(ms_judge_typed(&d.query, false, true, &judge, NULL), MS_OK);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){0, 1}), MS_MATCH_OK);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){1, 0}), MS_MATCH_NOT_SMALLEST);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){0, 3}), MS_MATCH_OUT_OF_RANGE);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){UINT32_MAX, 1}), MS_MATCH_OUT_OF_RANGE);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){0, 2}), MS_MATCH_LACKS_EDGE);
  ms_judge_free(judge);
  draft_free(&d);
}
END_TEST

/* 200 parallel edges, the first 100 of which accept both types, are paired off though any greedy
 * choice has to be changed 100 times, and refused where one edge is missing. */
START_TEST(pairs_off_many_edges)
{
  enum { HALF = 100 };
  static typed_edge edge[2 * HALF];
  static const ms_type kind[2] = {0};
  static draft d;
  const uint32_t row[2] = {1, 0};
  ms_judge *judge;
  d.p = 2;
  d.e = 2 * HALF;
  d.accepted[0] = d.accepted[1] = 7;
  for (uint32_t i = 0; i < 2 * HALF; i++) {
    edge[i] = (typed_edge){0, 1, i < HALF ? 0 : 3};
    d.wish[i] = (wish){i % 2, 1 - i % 2, i < HALF ? 9 : 1};
  }
  for (uint32_t fewer = 0; fewer < 2; fewer++) {
    make_graph(&d, 2, 2 * HALF, edge, kind);
    make_query(&d);
    ck_assert_int_eq(ms_judge_typed(&d.query, false, false, &judge, NULL), MS_OK);
    ck_assert_int_eq(ms_judge_row(judge, row), fewer ? MS_MATCH_LACKS_EDGE : MS_MATCH_OK);
    ms_judge_free(judge);
    draft_free(&d);
    edge[HALF - 1].type = 3; /* one too few for those that accept only one type */
  }
}
END_TEST

/* ---- symmetries ----------------------------------------------------------------------- */

static void begin_pattern(draft *d, uint32_t p)
{
  static const ms_type kind[1] = {0};
  memset(d, 0, sizeof *d);
  d->p = p;
  for (uint32_t i = 0; i < p; i++)
    d->accepted[i] = 7;
  make_graph(d, 1, 0, NULL, kind);
}

static void join(draft *d, uint32_t from, uint32_t to, unsigned mask)
{
  d->wish[d->e++] = (wish){from, to, mask};
}

/* Frees it. */
static void check_order(const char *what, draft *d, const char *expected)
{
  mpz_t order, wanted;
  mpz_init(order);
  mpz_init_set_str(wanted, expected, 10);
  make_query(d);
  ck_assert_int_eq(count_typed_automorphisms(&d->query, order, NULL, NULL), MS_OK);
  char *text = mpz_get_str(NULL, 10, order);
  ck_assert_msg(mpz_cmp(order, wanted) == 0, "%s: %s, not %s", what, text, expected);
  free(text);
  mpz_clears(order, wanted, NULL);
  draft_free(d);
}

/* A star, a path, cycles, a clique and 64 vertices without edges have their known group orders, up
 * to 64!. */
START_TEST(knows_orders_of_large_groups)
{
  static draft d;
  begin_pattern(&d, 21);
  for (uint32_t i = 1; i <= 20; i++)
    join(&d, i % 3 ? 0 : i, i % 3 ? i : 0, i % 3 ? 2 : 4); /* all from 0, by r or by ^r */
  check_order("a star", &d, "2432902008176640000");
  begin_pattern(&d, 64);
  for (uint32_t i = 0; i < 63; i++)
    join(&d, i, i + 1, 1);
  check_order("a path", &d, "2");
  begin_pattern(&d, 64);
  for (uint32_t i = 0; i < 64; i++)
    join(&d, i, (i + 1) % 64, 9);
  check_order("a cycle", &d, "128");
  begin_pattern(&d, 64);
  for (uint32_t i = 0; i < 64; i++)
    join(&d, i, (i + 1) % 64, 2);
  check_order("a cycle that points", &d, "64");
  begin_pattern(&d, 12);
  for (uint32_t i = 0; i < 12; i++)
    for (uint32_t j = 0; j < i; j++)
      join(&d, i, j, 15);
  check_order("a clique", &d, "479001600");
  begin_pattern(&d, 64);
  check_order("no edges", &d,
              "12688693218588416410343338933516148080286551617454519219880189437521470423040000"
              "0000000000");
}
END_TEST

/* A square whose sides are two parallel edges each. */
static void make_square(draft *d, unsigned one, unsigned other)
{
  begin_pattern(d, 4);
  for (uint32_t i = 0; i < 4; i++) {
    join(d, i, (i + 1) % 4, one);
    join(d, (i + 1) % 4, i, other);
  }
}

/* A square with doubled sides of several types, self-loops and vertex types has the group order
 * counted by hand: ten variants. */
START_TEST(knows_orders_of_multigraphs)
{
  static draft d;
  make_square(&d, 1, 1);
  check_order("a square of doubled sides", &d, "8");
  make_square(&d, 1, 8);
  check_order("a square of sides of two types", &d, "8");
  make_square(&d, 2, 2);
  check_order("a square of an edge each way", &d, "8");
  make_square(&d, 2, 4);
  check_order("a square of two edges the same way", &d, "4");
  make_square(&d, 2, 6);
  check_order("a square of an edge and one of either way", &d, "4");
  make_square(&d, 1, 1);
  join(&d, 0, 1, 1);
  check_order("with one side of three", &d, "2");
  make_square(&d, 1, 1);
  join(&d, 2, 2, 2);
  check_order("with a self-loop", &d, "2");
  make_square(&d, 1, 1);
  join(&d, 2, 2, 2);
  join(&d, 0, 0, 4); /* the same, seen from its other end */
  check_order("with two self-loops", &d, "4");
  make_square(&d, 1, 1);
  join(&d, 2, 2, 2);
  join(&d, 0, 0, 1);
  check_order("with two self-loops of two types", &d, "2");
  make_square(&d, 1, 1);
  d.accepted[0] = d.accepted[1] = 3;
  check_order("with two vertices of another type", &d, "2");
}
END_TEST

/* ---- stopping, memory ------------------------------------------------------------------ */

static bool stop_at_third(void *user, const uint32_t *row)
{
  (void)row;
  return ++*(int *)user < 3;
}

/* A path of four vertices in a clique of 40, each edge of which is there twice. */
static void make_large(draft *d)
{
  enum { N = 40 };
  static typed_edge edge[N * (N - 1)];
  static const ms_type kind[N] = {0};
  uint32_t count = 0;
  for (uint32_t u = 0; u < N; u++)
    for (uint32_t v = 0; v < u; v++, count += 2)
      edge[count] = edge[count + 1] = (typed_edge){u, v, 1};
  memset(d, 0, sizeof *d);
  d->p = 4;
  for (uint32_t i = 0; i < 4; i++)
    d->accepted[i] = 7;
  for (uint32_t i = 0; i < 3; i++)
    join(d, i, i + 1, 6);
  make_graph(d, N, count, edge, kind);
  make_query(d);
}

/* A recount of 40 * 39 * 38 * 37 maps ends when its receiver, a deadline or a request says so, and
 * reports which. */
START_TEST(recount_stops)
{
  static draft d;
  ms_stop *stop;
  ms_error err = {0};
  int calls = 0;
  mpz_t count;
  mpz_init(count);
  make_large(&d);
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  ck_assert_int_eq(recount_typed(&d.query, count, NULL, NULL, stop, NULL), MS_OK);
  ck_assert_uint_eq(mpz_get_ui(count), 40 * 39 * 38 * 37);
  ck_assert_int_eq(recount_typed(&d.query, count, stop_at_third, &calls, stop, NULL), MS_OK);
  ck_assert_int_eq(calls, 3);
  ck_assert_uint_eq(mpz_get_ui(count), 3);
  ms_stop_after(stop, 1e-9);
  ck_assert_int_eq(recount_typed(&d.query, count, NULL, NULL, stop, &err), MS_ERR_LIMIT);
  ck_assert_ptr_nonnull(strstr(err.message, "allow it more time"));
  ck_assert_uint_lt(mpz_get_ui(count), 40 * 39 * 38 * 37);
  ms_stop_request(stop);
  ck_assert_int_eq(recount_typed(&d.query, count, NULL, NULL, stop, &err), MS_ERR_INTERRUPTED);
  ck_assert_int_eq(count_typed_automorphisms(&d.query, count, stop, &err), MS_ERR_INTERRUPTED);
  ck_assert_ptr_nonnull(strstr(err.message, "symmetries"));
  ms_stop_free(stop);
  draft_free(&d);
  mpz_clear(count);
}
END_TEST

static ms_status judge_once(void *user, ms_error *err)
{
  const draft *d = user;
  ms_judge *judge;
  mpz_t count;
  MS_TRY(ms_judge_typed(&d->query, false, true, &judge, err));
  mpz_init(count);
  ms_status status = ms_judge_recount(judge, count, NULL, NULL, NULL, err);
  if (status == MS_OK)
    status = ms_judge_automorphisms(judge, count, NULL, err);
  mpz_clear(count);
  ms_judge_free(judge);
  return status;
}

/* Whichever of the ten allocations fails in the judge, the recount or the symmetries, the call
 * reports it and leaks no block. */
START_TEST(survives_failing_memory)
{
  static draft d;
  draft_make(&d, 5);
  /* the judge, its masks, its memory; its symmetries: the search, its labels; the same again, to be
   * counted */
  ck_assert_int_eq(failing_runs(judge_once, &d), 10);
  draft_free(&d);
}
END_TEST

TEST_MAIN("typed: judge and recount", TEST(agrees_with_all_maps), TEST(remembers_no_wrong_pair),
          TEST(refuses_what_is_no_vertex), TEST(pairs_off_many_edges),
          TEST(knows_orders_of_large_groups), TEST(knows_orders_of_multigraphs),
          TEST(recount_stops), TEST(survives_failing_memory))
