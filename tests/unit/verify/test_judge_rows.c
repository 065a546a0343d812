/* The judge of pattern rows, which remembers pairs of vertices, against itself without a memory. */
#include "base/status.h"
#include "base/threads/parallel.h"
#include "graph/graph.h"
#include "run/run.h"
#include "tests/support/random.h"
#include "tests/support/results/judge_trials.h"
#include "tests/support/search/hand_pattern.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
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

/* ---- blocks of rows ------------------------------------------------------------------- */

enum { BATCH = 300, BATCHES = 12 }; /* rows of a call: several blocks, and the begin of one */

/* Rows, of which the judge by itself accepts those before `wrong`, and not that one. */
typedef struct batch {
  uint32_t p, count, wrong; /* wrong: `count` if there is none */
  uint32_t row[BATCH * MS_MAX_PATTERN];
} batch;

/* Returns the rows of the trial that the judge by itself accepts, in their order; [*count][p]. */
static uint32_t accepted(const judge_trial *t, const ms_judge *judge, uint32_t *rows)
{
  uint32_t count = 0;
  for (uint32_t r = 0; r < t->count; r++)
    if (ms_judge_map_alone(judge, t->row[r]) == MS_MATCH_OK)
      memcpy(rows + count++ * t->p, t->row[r], t->p * sizeof *rows);
  return count;
}

/* Draws a batch of right rows: from somewhere on in their order, or each at random. */
static void draw_batch(const uint32_t *rows, uint32_t count, uint32_t p, uint64_t *state, batch *b)
{
  bool in_order = random_below(state, 2);
  uint32_t at = random_below(state, count);
  b->p = p;
  b->wrong = b->count = 1 + random_below(state, BATCH);
  for (uint32_t r = 0; r < b->count; r++) {
    at = in_order ? (at + 1) % count : random_below(state, count);
    memcpy(b->row + r * p, rows + at * p, p * sizeof *rows);
  }
}

/* Changes one vertex of a row, which is often one at the begin or the end of a block; the row may
 * be that before it in all other vertices. */
static void damage(const judge_trial *t, uint64_t *state, batch *b)
{
  static const uint32_t places[] = {0, 1, 62, 63, 64, 65, 127, 128, 191, 192};
  uint32_t r = random_below(state, 3) == 0
                   ? random_below(state, b->count)
                   : places[random_below(state, sizeof places / sizeof *places)];
  r = random_below(state, 6) == 0 || r >= b->count ? b->count - 1 : r;
  uint32_t *row = b->row + r * b->p;
  if (r > 0 && random_below(state, 2))
    memcpy(row, row - b->p, b->p * sizeof *row);
  judge_trial_change(t, random_below(state, b->p), state, row);
}

static void find_wrong(const ms_judge *judge, batch *b)
{
  b->wrong = 0;
  while (b->wrong < b->count && ms_judge_map_alone(judge, b->row + b->wrong * b->p) == MS_MATCH_OK)
    b->wrong++;
}

/* What was seen: calls without a wrong row, and with one that is the first, the last, at the end of
 * a block, at the begin of one, or like the row before it but for one vertex. */
typedef struct seen {
  uint64_t right, first, last, block_end, block_begin, like_before;
} seen;

static void note(const batch *b, seen *s)
{
  uint32_t r = b->wrong, same = 0;
  s->right += r == b->count;
  if (r == b->count)
    return;
  for (uint32_t i = 0; r > 0 && i < b->p; i++)
    same += b->row[r * b->p + i] == b->row[(r - 1) * b->p + i];
  s->first += r == 0;
  s->last += r == b->count - 1;
  s->block_end += r % 64 == 63;
  s->block_begin += r > 0 && r % 64 == 0;
  s->like_before += same == b->p - 1;
}

/* Asks a judge about batches, and about each of them with more and more wrong rows. */
static void judge_batches(const judge_trial *t, ms_judge *judge, uint64_t *state, seen *s)
{
  uint32_t *rows = malloc(sizeof t->row);
  batch *b = malloc(sizeof *b);
  uint32_t count = accepted(t, judge, rows);
  for (uint32_t i = 0; count > 0 && i < BATCHES; i++) {
    draw_batch(rows, count, t->p, state, b);
    for (uint32_t wrongs = 0; wrongs < 6; wrongs++) {
      ck_assert_uint_eq(ms_judge_rows(judge, b->row, b->count), b->wrong);
      if (atomic_load(&judge->known->place)) /* with a table, blocks are not refused in vain */
        ck_assert_uint_eq(ms_judge_maps(judge, b->row, b->count),
                          b->wrong < b->count ? b->wrong / 64 * 64 : b->count);
      note(b, s);
      damage(t, state, b);
      find_wrong(judge, b);
    }
  }
  free(b);
  free(rows);
}

/* Many rows are judged as each of them by itself, without a memory: 24 random cases, with and
 * without directions, colours and non-edges, each with rows of all and with the smallest of their
 * classes, 72 calls each, with the table of all threads from some call on.  The first wrong row is
 * found wherever it is. */
START_TEST(judges_many_rows_as_one)
{
  static draft d;
  seen s = {0};
  uint64_t cases = scaled(24), tables = 0;
  cases = cases < 8 ? 8 : cases;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    ms_judge *judge[2];
    uint64_t state = seed;
    draft_make(&d, seed, &state);
    make_judges(&d, judge);
    for (uint32_t i = 0; i < 2; i++) {
      judge_batches(&d.trial, judge[i], &state, &s);
      tables += atomic_load(&judge[i]->known->place) != NULL;
      ms_judge_free(judge[i]);
    }
    draft_free(&d);
  }
  ck_assert_uint_gt(tables, cases);
  ck_assert_uint_gt(s.right, 2 * cases);
  ck_assert_uint_gt(s.first, cases);
  ck_assert_uint_gt(s.last, cases);
  ck_assert_uint_gt(s.block_end, cases);
  ck_assert_uint_gt(s.block_begin, cases);
  ck_assert_uint_gt(s.like_before, cases);
}
END_TEST

/* Required vertices count in many rows, too, and a judge without memory for a table, or whose
 * budget is used up, gives the same verdicts. */
START_TEST(judges_many_rows_with_less)
{
  static draft d;
  seen s = {0};
  ms_budget none;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    ms_judge *judge[2];
    uint64_t state = seed;
    draft_make(&d, seed, &state);
    make_judges(&d, judge);
    if (d.trial.count > 0)
      ms_judge_require(judge[0], 1, &d.trial.row[d.trial.count / 2][0]);
    ms_budget_open(&none, 1);
    ms_judge_lend(judge[1], &none);
    for (uint32_t i = 0; i < 2; i++)
      judge_batches(&d.trial, judge[i], &state, &s);
    ck_assert(!atomic_load(&judge[1]->known->place));
    ms_judge_free(judge[0]);
    ms_judge_free(judge[1]);
    ck_assert_uint_eq(none.reserved, 0);
    draft_free(&d);
  }
  ck_assert_uint_gt(s.right, 8);
  ck_assert_uint_gt(s.first, 8);
}
END_TEST

/* A run that judges many rows says which row is the first wrong one, and names its vertices; a
 * later one changes nothing. */
START_TEST(run_names_the_first_wrong_row)
{
  static draft d;
  static batch b;
  ms_judge *judge[2];
  uint64_t state = 4;
  ms_error err;
  char name[64];
  draft_make(&d, 4, &state);
  make_judges(&d, judge);
  ms_run run = {.judge = judge[0], .names = d.graph->names, .width = d.trial.p};
  for (uint32_t i = 0; i < 200; i++) {
    draw_batch(d.trial.row[0], 1, d.trial.p, &state, &b);
    ck_assert_uint_eq(ms_run_judge_rows(&run, b.row, b.count), b.count);
  }
  ck_assert_int_eq(ms_run_refusal(&run, &err), MS_OK);
  for (uint32_t wrong = 0; wrong < 2; wrong++) {
    draw_batch(d.trial.row[0], 1, d.trial.p, &state, &b);
    b.row[(b.count - 1) * b.p] = b.row[(b.count - 1) * b.p + 1 + wrong];
    ck_assert_uint_eq(ms_run_judge_rows(&run, b.row, b.count), b.count - 1);
    ck_assert_int_eq(ms_run_refusal(&run, &err), MS_ERR_INTERNAL);
    snprintf(name, sizeof name, ": %s,%s,", ms_names_get(run.names, d.trial.row[0][1]),
             ms_names_get(run.names, d.trial.row[0][1]));
    ck_assert_ptr_nonnull(strstr(err.message, "repeats a vertex"));
    ck_assert_ptr_nonnull(strstr(err.message, name));
  }
  ms_judge_free(judge[0]);
  ms_judge_free(judge[1]);
  draft_free(&d);
}
END_TEST

static void judge_batches_in_crowd(void *user, ms_range range)
{
  crowd *c = user;
  for (uint64_t i = range.begin; i < range.end; i++) {
    uint64_t state = i;
    seen s = {0};
    for (uint32_t j = 0; j < 2; j++)
      for (uint32_t times = 0; times < 4; times++)
        judge_batches(&c->d->trial, c->judge[j], &state, &s);
    ck_assert_uint_gt(s.first + s.block_begin + s.block_end, 0);
  }
}

/* Four threads fill and read the table of a judge at a time, and each finds the first wrong row of
 * each call. */
START_TEST(judges_many_rows_in_threads)
{
  static draft d;
  for (uint64_t seed = 3; seed < 5; seed++) {
    crowd c = {.d = &d};
    uint64_t state = seed;
    draft_make(&d, seed, &state);
    make_judges(&d, c.judge);
    ms_parallel(4, 4, 1, judge_batches_in_crowd, &c);
    ck_assert(atomic_load(&c.judge[0]->known->place) != NULL);
    ms_judge_free(c.judge[0]);
    ms_judge_free(c.judge[1]);
    draft_free(&d);
  }
}
END_TEST

TEST_MAIN("pattern: the judge's memory", TEST(remembers_no_wrong_pair),
          TEST(serves_several_threads), TEST(judges_many_rows_as_one),
          TEST(judges_many_rows_with_less), TEST(run_names_the_first_wrong_row),
          TEST(judges_many_rows_in_threads))
