/* The judge of pattern matches and its recount, against all injective maps of small cases. */
#include "base/status.h"
#include "graph/graph.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/results/all_rows.h"
#include "tests/support/search/hand_pattern.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

enum { MAX_N = 7, MAX_P = 5, COLORS = HAND_COLORS - 1 };

/* ---- random cases, and the oracle ---------------------------------------------- */

typedef struct draft {
  uint32_t n, p;
  bool graph_directed, pattern_directed, induced;
  bool arc[MAX_N][MAX_N], wanted[MAX_P][MAX_P];
  uint32_t palette[MAX_N];  /* bit c: the vertex has colour c */
  uint32_t accepted[MAX_P]; /* bit c; 0: any */
  bool colored;             /* there is a colouring */
  uint8_t direction[MAX_N * MAX_N];
  ms_graph *graph;
  ms_coloring *coloring;
  hand_pattern hand;
} draft;

static void draw_arcs(bool directed, uint32_t n, uint32_t percent, uint64_t *state, bool *arcs,
                      uint32_t width)
{
  for (uint32_t u = 0; u < n; u++) {
    for (uint32_t v = 0; v < n; v++) {
      if (u != v && random_below(state, 100) < percent) {
        arcs[u * width + v] = true;
        arcs[v * width + u] |= !directed;
      }
    }
  }
}

static void make_graph(draft *d)
{
  uint32_t edges[MAX_N * MAX_N][2], pairs[MAX_N * COLORS][2], count = 0, n_pairs = 0, degree;
  for (uint32_t u = 0; u < d->n; u++)
    for (uint32_t v = 0; v < u; v++)
      if (d->arc[u][v] || d->arc[v][u]) {
        edges[count][0] = u;
        edges[count++][1] = v;
      }
  ck_assert_int_eq(
      ms_graph_from_edges(d->n, count, (const uint32_t(*)[2])edges, NULL, &d->graph, NULL), MS_OK);
  for (uint32_t v = 0, at = 0; v < d->n; v++) {
    const uint32_t *row = ms_graph_neighbors(d->graph, v, &degree);
    for (uint32_t i = 0; i < degree; i++)
      d->direction[at++] = (uint8_t)(d->arc[v][row[i]] | d->arc[row[i]][v] << 1);
    for (uint32_t c = 0; c < COLORS; c++)
      if (d->palette[v] >> c & 1) {
        pairs[n_pairs][0] = v;
        pairs[n_pairs++][1] = c;
      }
  }
  if (d->graph_directed)
    d->graph->direction = d->direction;
  if (d->colored)
    ck_assert_int_eq(ms_coloring_from_pairs(d->graph, n_pairs, (const uint32_t(*)[2])pairs, COLORS,
                                            hand_colors, &d->coloring, NULL),
                     MS_OK);
}

static void draft_make(draft *d, uint64_t seed)
{
  uint64_t state = seed;
  memset(d, 0, sizeof *d);
  d->p = 1 + random_below(&state, MAX_P);
  d->n = 1 + random_below(&state, d->p == MAX_P ? 6 : MAX_N);
  d->graph_directed = random_below(&state, 2);
  d->pattern_directed = random_below(&state, 2);
  d->induced = random_below(&state, 2);
  d->colored = random_below(&state, 4) != 0;
  draw_arcs(d->graph_directed, d->n, 30 + random_below(&state, 60), &state, *d->arc, MAX_N);
  draw_arcs(d->pattern_directed, d->p, random_below(&state, 60), &state, *d->wanted, MAX_P);
  for (uint32_t v = 0; v < d->n; v++)
    d->palette[v] = random_below(&state, 8);
  bool choosy = random_below(&state, 2);
  for (uint32_t i = 0; i < d->p; i++)
    d->accepted[i] = choosy && random_below(&state, 2) ? random_below(&state, 16) : 0;
  make_graph(d);
  hand_make(&d->hand, d->p, d->pattern_directed);
  for (uint32_t i = 0; i < d->p; i++) {
    if (d->accepted[i])
      hand_accept(&d->hand, i, d->accepted[i]);
    for (uint32_t j = 0; j < d->p; j++)
      if (d->wanted[i][j])
        hand_join(&d->hand, i, j);
  }
}

static void draft_free(draft *d)
{
  d->graph->direction = NULL;
  ms_coloring_free(d->coloring);
  ms_graph_free(d->graph);
  hand_free(&d->hand);
}

static bool graph_has(const draft *d, uint32_t u, uint32_t v)
{
  return d->arc[u][v] || (!d->pattern_directed && d->arc[v][u]);
}

/* What is wrong with a row; a bit for each verdict that would be true. */
static unsigned faults(const draft *d, const uint32_t *row)
{
  unsigned found = 0;
  for (uint32_t i = 0; i < d->p; i++) {
    uint32_t palette = d->colored ? d->palette[row[i]] : 0;
    if (d->accepted[i] && !(d->accepted[i] & palette))
      found |= 1u << MS_MATCH_WRONG_COLOR;
    for (uint32_t j = 0; j < d->p; j++) {
      if (i != j && row[i] == row[j])
        found |= 1u << MS_MATCH_REPEATS_VERTEX;
      if (i == j || row[i] == row[j])
        continue;
      bool has = graph_has(d, row[i], row[j]);
      if (d->wanted[i][j] && !has)
        found |= 1u << MS_MATCH_LACKS_EDGE;
      if (d->induced && !d->wanted[i][j] && has)
        found |= 1u << MS_MATCH_EXTRA_EDGE;
    }
  }
  return found;
}

static void find_group(const draft *d, all_rows_group *all)
{
  uint32_t map[MAX_P] = {0};
  all->count = 0;
  do {
    bool keeps = true;
    for (uint32_t i = 0; i < d->p; i++) {
      keeps &= d->accepted[i] == d->accepted[map[i]];
      for (uint32_t j = 0; j < d->p; j++)
        keeps &= i == j || (map[i] != map[j] && d->wanted[i][j] == d->wanted[map[i]][map[j]]);
    }
    if (keeps)
      memcpy(all->map[all->count++], map, d->p * sizeof *map);
  } while (all_rows_next(map, d->p, d->p));
}

/* Rows that the recount delivers, marked. */
typedef struct tally {
  const draft *d;
  uint8_t seen[16807]; /* MAX_N^MAX_P */
  uint64_t count;
} tally;

static bool mark(void *user, const uint32_t *row)
{
  tally *t = user;
  t->seen[all_rows_number(row, t->d->p, t->d->n)]++;
  t->count++;
  return true;
}

static void compare_case(uint64_t seed, uint64_t *verdicts)
{
  static draft d;
  static all_rows_group all;
  static tally t;
  ms_judge *judge, *strict;
  uint32_t row[MAX_P] = {0};
  uint64_t matches = 0, smallest = 0;
  mpz_t count, order;
  mpz_inits(count, order, NULL);
  draft_make(&d, seed);
  find_group(&d, &all);
  memset(&t, 0, sizeof t);
  t.d = &d;
  const ms_pattern *pattern = &d.hand.pattern;
  ck_assert_int_eq(ms_judge_pattern(d.graph, d.coloring, pattern, d.induced, false, &judge, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_judge_pattern(d.graph, d.coloring, pattern, d.induced, true, &strict, NULL),
                   MS_OK);
  ck_assert_int_eq(
      recount_pattern(d.graph, d.coloring, pattern, d.induced, count, mark, &t, NULL, NULL), MS_OK);
  ck_assert_int_eq(count_pattern_automorphisms(pattern, order, NULL, NULL), MS_OK);
  ck_assert_msg(mpz_cmp_ui(order, all.count) == 0, "seed %llu", (unsigned long long)seed);
  do {
    unsigned wrong = faults(&d, row);
    ms_verdict verdict = ms_judge_row(judge, row);
    ms_verdict strict_verdict = ms_judge_row(strict, row);
    bool is_small = !wrong && all_rows_smallest(&all, row, d.p);
    ck_assert_msg(wrong ? wrong >> verdict & 1 : verdict == MS_MATCH_OK, "seed %llu: %s",
                  (unsigned long long)seed, ms_verdict_text(verdict));
    ck_assert_int_eq(strict_verdict, wrong || is_small ? verdict : MS_MATCH_NOT_SMALLEST);
    ck_assert_uint_eq(t.seen[all_rows_number(row, d.p, d.n)], !wrong);
    matches += !wrong;
    smallest += is_small;
    verdicts[strict_verdict]++;
  } while (all_rows_next(row, d.p, d.n));
  ck_assert_uint_eq(mpz_get_ui(count), matches);
  ck_assert_uint_eq(t.count, matches);
  ck_assert_uint_eq(matches, smallest * all.count);
  ms_judge_free(judge);
  ms_judge_free(strict);
  draft_free(&d);
  mpz_clears(count, order, NULL);
}

/* The judge's verdict on each map and the recount are those of plain trial: all maps of 1,500
 * random cases of up to 7 graph and 5 pattern vertices, with more than 100 rows of each verdict. */
START_TEST(agrees_with_all_maps)
{
  uint64_t verdicts[MS_MATCH_NOT_SMALLEST + 1] = {0};
  for (uint64_t seed = 1; seed <= scaled(1500); seed++)
    compare_case(seed, verdicts);
  static const ms_verdict expected[] = {MS_MATCH_OK,          MS_MATCH_REPEATS_VERTEX,
                                        MS_MATCH_WRONG_COLOR, MS_MATCH_LACKS_EDGE,
                                        MS_MATCH_EXTRA_EDGE,  MS_MATCH_NOT_SMALLEST};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_msg(verdicts[expected[i]] > 100, "verdict %d: %llu rows", expected[i],
                  (unsigned long long)verdicts[expected[i]]);
}
END_TEST

/* A row with a number that is no vertex gets that verdict, and four other rows theirs. */
START_TEST(refuses_what_is_no_vertex)
{
  static const uint32_t edge[1][2] = {{0, 1}};
  hand_pattern hand;
  ms_graph *graph;
  ms_judge *judge;
  hand_make(&hand, 2, false);
  hand_join(&hand, 0, 1);
  ck_assert_int_eq(ms_graph_from_edges(3, 1, edge, NULL, &graph, NULL), MS_OK);
  ck_assert_int_eq(ms_judge_pattern(graph, NULL, &hand.pattern, false, true, &judge, NULL), MS_OK);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){0, 1}), MS_MATCH_OK);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){1, 0}), MS_MATCH_NOT_SMALLEST);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){0, 3}), MS_MATCH_OUT_OF_RANGE);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){UINT32_MAX, 1}), MS_MATCH_OUT_OF_RANGE);
  ck_assert_int_eq(ms_judge_row(judge, (uint32_t[]){0, 2}), MS_MATCH_LACKS_EDGE);
  ms_judge_free(judge);
  ms_graph_free(graph);
  hand_free(&hand);
}
END_TEST

/* ---- stopping, memory ------------------------------------------------------------ */

static bool stop_at_third(void *user, const uint32_t *row)
{
  (void)row;
  return ++*(int *)user < 3;
}

/* The pattern path:4 in a clique of 40. */
static void make_large(hand_pattern *hand, ms_graph **graph)
{
  enum { N = 40 };
  static uint32_t edges[N * (N - 1) / 2][2];
  uint32_t count = 0;
  for (uint32_t u = 0; u < N; u++)
    for (uint32_t v = 0; v < u; v++, count++) {
      edges[count][0] = u;
      edges[count][1] = v;
    }
  ck_assert_int_eq(ms_graph_from_edges(N, count, (const uint32_t(*)[2])edges, NULL, graph, NULL),
                   MS_OK);
  hand_make(hand, 4, false);
  for (uint32_t i = 0; i < 3; i++)
    hand_join(hand, i, i + 1);
}

/* A recount of 40 * 39 * 38 * 37 maps ends when its receiver, a deadline or a request says so, and
 * reports which. */
START_TEST(recount_stops)
{
  hand_pattern hand;
  ms_graph *graph;
  ms_stop *stop;
  ms_error err = {0};
  int calls = 0;
  mpz_t count;
  mpz_init(count);
  make_large(&hand, &graph);
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  ck_assert_int_eq(
      recount_pattern(graph, NULL, &hand.pattern, false, count, NULL, NULL, stop, NULL), MS_OK);
  ck_assert_uint_eq(mpz_get_ui(count), 40 * 39 * 38 * 37);
  ck_assert_int_eq(
      recount_pattern(graph, NULL, &hand.pattern, false, count, stop_at_third, &calls, stop, NULL),
      MS_OK);
  ck_assert_int_eq(calls, 3);
  ck_assert_uint_eq(mpz_get_ui(count), 3);
  ms_stop_after(stop, 1e-9);
  ck_assert_int_eq(
      recount_pattern(graph, NULL, &hand.pattern, false, count, NULL, NULL, stop, &err),
      MS_ERR_LIMIT);
  ck_assert_ptr_nonnull(strstr(err.message, "allow it more time"));
  ck_assert_uint_lt(mpz_get_ui(count), 40 * 39 * 38 * 37);
  ms_stop_request(stop);
  ck_assert_int_eq(
      recount_pattern(graph, NULL, &hand.pattern, false, count, NULL, NULL, stop, &err),
      MS_ERR_INTERRUPTED);
  ck_assert_int_eq(count_pattern_automorphisms(&hand.pattern, count, stop, &err),
                   MS_ERR_INTERRUPTED);
  ck_assert_ptr_nonnull(strstr(err.message, "symmetries"));
  ms_stop_free(stop);
  ms_graph_free(graph);
  hand_free(&hand);
  mpz_clear(count);
}
END_TEST

static ms_status judge_once(void *user, ms_error *err)
{
  draft *d = user;
  ms_judge *judge;
  mpz_t count;
  MS_TRY(ms_judge_pattern(d->graph, d->coloring, &d->hand.pattern, false, true, &judge, err));
  mpz_init(count);
  ms_status status = ms_judge_recount(judge, count, NULL, NULL, NULL, err);
  if (status == MS_OK)
    status = ms_judge_automorphisms(judge, count, NULL, err);
  mpz_clear(count);
  ms_judge_free(judge);
  return status;
}

/* Whichever of the eleven allocations fails in the judge, the recount or the symmetries, the call
 * reports it and leaks no block. */
START_TEST(survives_failing_memory)
{
  static draft d;
  uint64_t seed = 1;
  bool wanted = false;
  for (; !wanted; seed++) {
    draft_make(&d, seed);
    for (uint32_t i = 0; i < d.p; i++)
      wanted |= d.colored && d.accepted[i] != 0;
    if (!wanted)
      draft_free(&d);
  }
  /* the judge, its two memories, its colours (two blocks) and symmetries (two); the same two again,
   * to be counted */
  ck_assert_int_eq(failing_runs(judge_once, &d), 12);
  draft_free(&d);
}
END_TEST

TEST_MAIN("pattern: judge and recount", TEST(agrees_with_all_maps), TEST(refuses_what_is_no_vertex),
          TEST(recount_stops), TEST(survives_failing_memory))
