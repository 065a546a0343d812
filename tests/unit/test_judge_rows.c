/* The judge of pattern rows, which remembers pairs of vertices, against itself without a memory. */
#include "base/parallel.h"
#include "base/status.h"
#include "graph/graph.h"
#include "tests/support/hand_pattern.h"
#include "tests/support/judge_trials.h"
#include "tests/support/random.h"
#include "tests/support/recounts.h"
#include "tests/support/test_main.h"

#include <string.h>

/* The vertices of edges lie STEP apart, so that ids have many bits.  There are more pairs of them
 * than the judge has places for. */
enum { USED = 300, STEP = 1024, N = USED * STEP, EDGES = 2000, COLORS = HAND_COLORS - 1 };

typedef struct draft {
  bool directed, induced, colored;
  ms_graph *graph;
  ms_coloring *coloring;
  hand_pattern hand;
  uint8_t direction[2 * EDGES];
  judge_trial trial;
} draft;

/* Arcs point from the smaller id, from the larger, or both ways, which the sum of the ids says. */
static uint8_t direction_of(uint32_t u, uint32_t v)
{
  static const uint8_t upwards[3] = {1, 2, 3}, downwards[3] = {2, 1, 3};
  return (u < v ? upwards : downwards)[(u / STEP + v / STEP) % 3];
}

static void make_graph(draft *d, uint64_t *state)
{
  static uint32_t edges[EDGES][2], pairs[USED][2];
  uint32_t degree;
  for (uint32_t e = 0; e < EDGES; e++) {
    /* a third of the vertices have most edges */
    uint32_t u = random_below(state, USED / 3), step = 1 + random_below(state, USED - 1);
    edges[e][0] = u * STEP;
    edges[e][1] = (random_below(state, 2) ? (u + 1 + step % (USED / 3 - 1)) % (USED / 3)
                                          : (u + step) % USED) *
                  STEP;
  }
  ck_assert_int_eq(
      ms_graph_from_edges(N, EDGES, (const uint32_t(*)[2])edges, NULL, &d->graph, NULL), MS_OK);
  for (uint32_t v = 0, at = 0; v < N; v++) {
    const uint32_t *row = ms_graph_neighbors(d->graph, v, &degree);
    for (uint32_t i = 0; i < degree; i++)
      d->direction[at++] = direction_of(v, row[i]);
  }
  d->graph->direction = d->directed ? d->direction : NULL;
  for (uint32_t i = 0; i < USED; i++) {
    pairs[i][0] = i * STEP;
    pairs[i][1] = random_below(state, COLORS);
  }
  ck_assert_int_eq(ms_coloring_from_pairs(d->graph, USED, (const uint32_t(*)[2])pairs, COLORS,
                                          hand_colors, &d->coloring, NULL),
                   MS_OK);
}

/* A connected pattern of three to five vertices. */
static void make_pattern(draft *d, uint64_t *state)
{
  uint32_t p = d->trial.p = 3 + random_below(state, 3);
  hand_make(&d->hand, p, d->directed);
  for (uint32_t i = 1; i < p; i++)
    for (uint32_t j = 0, joined = random_below(state, i); j < i; j++)
      if (j == joined || random_below(state, 4) == 0) {
        bool back = random_below(state, 2);
        hand_join(&d->hand, back ? i : j, back ? j : i);
      }
  for (uint32_t i = 0; d->colored && i < p; i++)
    if (random_below(state, 2))
      hand_accept(&d->hand, i, 1 + random_below(state, (1u << COLORS) - 2));
}

static void draft_make(draft *d, uint64_t seed, uint64_t *state)
{
  mpz_t count;
  memset(d, 0, sizeof *d);
  d->directed = seed & 1;
  d->induced = seed & 2;
  d->colored = seed & 4;
  d->trial.n = N;
  make_graph(d, state);
  make_pattern(d, state);
  mpz_init(count);
  ck_assert_int_eq(recount_pattern(d->graph, d->coloring, &d->hand.pattern, d->induced, count,
                                   judge_trial_add, &d->trial, NULL, NULL),
                   MS_OK);
  mpz_clear(count);
}

static void draft_free(draft *d)
{
  d->graph->direction = NULL;
  ms_coloring_free(d->coloring);
  ms_graph_free(d->graph);
  hand_free(&d->hand);
}

/* Makes two judges of the same pattern: of all rows, and of the smallest rows of their classes. */
static void make_judges(const draft *d, ms_judge *judge[2])
{
  for (uint32_t i = 0; i < 2; i++)
    ck_assert_int_eq(ms_judge_pattern(d->graph, d->coloring, &d->hand.pattern, d->induced, i > 0,
                                      &judge[i], NULL),
                     MS_OK);
}

/* A memory changes no verdict, whatever rows came before: 80 random cases, with and without
 * directions, colours and non-edges, 400 matches each in order and at random, each vertex of each
 * match changed in turn, by two judges in turn.  Each verdict occurs often. */
START_TEST(remembers_no_wrong_pair)
{
  static draft d;
  uint64_t cases = scaled(80), verdicts[MS_MATCH_NOT_SMALLEST + 1] = {0};
  cases = cases < 8 ? 8 : cases;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    ms_judge *judge[2];
    uint64_t state = seed;
    draft_make(&d, seed, &state);
    make_judges(&d, judge);
    judge_trial_run(&d.trial, 2, judge, &state, verdicts);
    ms_judge_free(judge[0]);
    ms_judge_free(judge[1]);
    draft_free(&d);
  }
  static const ms_verdict expected[] = {
      MS_MATCH_OK,         MS_MATCH_REPEATS_VERTEX, MS_MATCH_OUT_OF_RANGE, MS_MATCH_WRONG_COLOR,
      MS_MATCH_LACKS_EDGE, MS_MATCH_EXTRA_EDGE,     MS_MATCH_NOT_SMALLEST};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_msg(verdicts[expected[i]] > 10 * cases, "verdict %d: %llu rows", expected[i],
                  (unsigned long long)verdicts[expected[i]]);
}
END_TEST

typedef struct crowd {
  const draft *d;
  ms_judge *judge[2];
  uint64_t verdicts[4][MS_MATCH_NOT_SMALLEST + 1];
} crowd;

static void judge_in_crowd(void *user, ms_range range)
{
  crowd *c = user;
  for (uint64_t i = range.begin; i < range.end; i++) {
    uint64_t state = i;
    judge_trial_run(&c->d->trial, 2, c->judge, &state, c->verdicts[i]);
  }
}

/* Four threads ask the same two judges at a time, and each is told the verdicts without a memory.
 */
START_TEST(serves_several_threads)
{
  static draft d;
  crowd c = {.d = &d};
  uint64_t state = 5;
  draft_make(&d, 3, &state); /* directed and induced */
  make_judges(&d, c.judge);
  ms_parallel(4, 4, 1, judge_in_crowd, &c);
  for (uint32_t i = 0; i < 4; i++)
    ck_assert_uint_gt(c.verdicts[i][MS_MATCH_OK], JUDGE_TRIAL_ROWS);
  ms_judge_free(c.judge[0]);
  ms_judge_free(c.judge[1]);
  draft_free(&d);
}
END_TEST

TEST_MAIN("pattern: the judge's memory", TEST(remembers_no_wrong_pair),
          TEST(serves_several_threads))
