/* What is gathered of the matches of a pattern, against brute force: the numbers of each vertex at
 * each position, by formulas and by searches, of plain and of typed patterns; random samples; rows
 * that are sorted by a measure.  A failure names its
 * seed. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "match/index.h"
#include "tests/support/random.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/search/typed_cases.h"
#include "tests/support/test_main.h"
#include "verify/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 12000, TYPED_CASES = 3000 };

static ms_error err;
static uint32_t every[PATTERN_CASE_ROWS], smallest[PATTERN_CASE_ROWS];
static uint8_t maps[PATTERN_CASE_MAPS][PATTERN_CASE_MAX_P];

/* ---- plain patterns -------------------------------------------------------------------------- */

typedef struct trial {
  uint64_t seed;
  pattern_case c;
  ms_pattern_index *index;
  uint32_t *key, keys;                           /* the matches that the options ask for */
  uint32_t orbit[PATTERN_CASE_MAX_P], positions; /* of each vertex of the pattern */
} trial;

static uint32_t vertex_at(const trial *t, uint32_t key, uint32_t i)
{
  return key >> 4 * (t->c.p - 1 - i) & 15;
}

static void find_orbits(trial *t)
{
  uint32_t automorphisms = pattern_case_automorphisms(&t->c, maps), number[PATTERN_CASE_MAX_P];
  t->positions = 0;
  for (uint32_t i = 0; i < t->c.p; i++) {
    uint32_t lowest = i;
    for (uint32_t a = 0; a < automorphisms; a++)
      lowest = maps[a][i] < lowest ? maps[a][i] : lowest;
    if (lowest == i)
      number[i] = t->positions++;
    t->orbit[i] = number[lowest];
  }
}

static void trial_make(trial *t, uint64_t seed)
{
  *t = (trial){.seed = seed};
  pattern_case_make(seed, &t->c);
  uint32_t embeddings = pattern_case_embeddings(&t->c, every);
  uint32_t subgraphs = pattern_case_smallest(&t->c, every, embeddings, smallest);
  t->key = t->c.embeddings ? every : smallest;
  t->keys = t->c.embeddings ? embeddings : subgraphs;
  find_orbits(t);
  ck_ok(ms_pattern_index_new(t->c.graph, t->c.coloring, 1, &t->index, &err));
}

static void trial_free(trial *t)
{
  ms_pattern_index_free(t->index);
  pattern_case_free(&t->c);
}

static ms_pattern_options options_of(const trial *t)
{
  return (ms_pattern_options){
      .size = sizeof(ms_pattern_options),
      .induced = t->c.induced,
      .embeddings = t->c.embeddings,
      .count_only = true,
      .participation = true,
      .by_position = t->seed % 3 > 0,
      .screen = {.size = sizeof(ms_screen_options), .run.threads = t->seed % 8 ? 1 : 3}};
}

/* Compares a participation with the matches that hold `required` (MS_NO_ID: all). */
static void check_numbers(const trial *t, const ms_pattern_result *r, bool by_position,
                          uint32_t required)
{
  uint64_t expected[PATTERN_CASE_MAX_N][PATTERN_CASE_MAX_P] = {{0}}, matches = 0;
  const ms_participation *p = r->participation;
  char text[24];
  for (uint32_t k = 0; k < t->keys; k++) {
    bool held = required == MS_NO_ID;
    for (uint32_t i = 0; i < t->c.p; i++)
      held = held || vertex_at(t, t->key[k], i) == required;
    matches += held;
    for (uint32_t i = 0; i < t->c.p && held; i++)
      expected[vertex_at(t, t->key[k], i)][by_position ? t->orbit[i] : 0]++;
  }
  snprintf(text, sizeof text, "%llu", (unsigned long long)matches);
  ck_assert_msg(r->matches == matches && strcmp(r->count_text, text) == 0,
                "seed %llu: %s matches, not %s", (unsigned long long)t->seed, r->count_text, text);
  ck_assert_uint_eq(p->vertices, t->c.n);
  ck_assert_uint_eq(p->positions, by_position ? t->positions : 1);
  for (uint32_t v = 0; v < t->c.n; v++)
    for (uint32_t o = 0; o < p->positions; o++)
      ck_assert_msg(p->matches[v * p->positions + o][0] == expected[v][o] &&
                        p->matches[v * p->positions + o][1] == 0,
                    "seed %llu: vertex %u is in %llu matches at position %u, not in %llu",
                    (unsigned long long)t->seed, v, (unsigned long long)expected[v][o], o,
                    (unsigned long long)p->matches[v * p->positions + o][0]);
  for (uint32_t i = 0; i < t->c.p; i++)
    ck_assert_uint_eq(p->position_of[i], by_position ? t->orbit[i] : 0);
}

static bool by_formulas(const ms_pattern_result *r)
{
  return strstr(r->run.engine_reason, "formulas") != NULL;
}

/* 12,000 random cases, directed or not, induced or not, with and without colours, of subgraphs and
 * of embeddings: formulas, wherever they apply, and searches give the numbers of brute force, and
 * each is used. */
START_TEST(participations)
{
  uint64_t used[2] = {0};
  for (uint64_t seed = 1; seed <= scaled(CASES); seed++) {
    trial t;
    trial_make(&t, seed);
    for (int way = 0; way < 2; way++) {
      ms_pattern_options o = options_of(&t);
      ms_pattern_result *r;
      ms_hooks.participation_weight = way ? INFINITY : 0;
      ms_hooks.count_hinge_weight = seed % 2 ? 0 : 2;
      ms_hooks.probe_steps = seed % 2 ? -1 : 1e6; /* with both, other ways than programs */
      ck_ok(ms_pattern_list(t.index, t.c.pattern, &o, &r, &err));
      check_numbers(&t, r, o.by_position, MS_NO_ID);
      used[by_formulas(r)] += t.keys > 0;
      ck_assert(!way || !by_formulas(r));
      ms_pattern_result_free(r);
    }
    trial_free(&t);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_uint_gt(used[0], scaled(CASES) / 4);
  ck_assert_uint_gt(used[1], scaled(CASES) / 16);
}
END_TEST

/* 3,000 random cases with a required vertex. */
START_TEST(required_vertices)
{
  uint64_t with = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES / 4); seed++) {
    trial t;
    trial_make(&t, seed);
    ms_pattern_options o = options_of(&t);
    ms_pattern_result *r;
    uint32_t v = (uint32_t)(seed % t.c.n);
    const char *name = ms_graph_name(t.c.graph, v);
    o.required = &name;
    o.n_required = 1;
    ck_ok(ms_pattern_list(t.index, t.c.pattern, &o, &r, &err));
    check_numbers(&t, r, o.by_position, v);
    with += r->matches > 0;
    ms_pattern_result_free(r);
    trial_free(&t);
  }
  ck_assert_uint_gt(with, scaled(CASES / 4) / 8);
}
END_TEST

/* ---- typed patterns -------------------------------------------------------------------------- */

static void check_typed(const typed_case *c, const ms_typed_result *r, const uint8_t *lowest,
                        uint64_t factor, uint64_t seed)
{
  const ms_participation *p = r->participation;
  uint64_t expected[TYPED_MOST_N][TYPED_MOST_P] = {{0}};
  for (uint64_t k = 0; k < c->classes; k++)
    for (uint32_t i = 0; i < c->p; i++)
      expected[c->row[k * c->p + i]][lowest ? lowest[i] : 0] += factor;
  ck_assert_uint_eq(r->matches, c->classes * factor);
  for (uint32_t v = 0; v < c->n; v++)
    for (uint32_t i = 0; i < c->p; i++)
      if (!lowest || lowest[i] == i)
        ck_assert_msg(p->matches[v * p->positions + p->position_of[i]][0] ==
                          expected[v][lowest ? i : 0],
                      "seed %llu: vertex %u at %u", (unsigned long long)seed, v, i);
}

/* 3,000 random typed cases, every third one induced: the numbers are those of all maps. */
START_TEST(typed_participations)
{
  uint64_t with = 0;
  for (uint64_t seed = 1; seed <= scaled(TYPED_CASES); seed++) {
    typed_case c;
    ms_typed_result *r;
    ms_judge *judge;
    uint8_t lowest[MS_MAX_PATTERN];
    ms_typed_match_options o = {.size = sizeof(ms_typed_match_options),
                                .run.threads = seed % 8 ? 1 : 3,
                                .induced = seed % 3 == 0,
                                .embeddings = seed % 4 == 0,
                                .count_only = true,
                                .participation = true,
                                .by_position = seed % 2 > 0};
    typed_case_make(&c, seed, 9, 5);
    c.induced = o.induced;
    typed_case_solve(&c);
    ck_ok(ms_judge_typed(c.query, o.induced, false, &judge, &err));
    ck_ok(ms_judge_orbits(judge, lowest, NULL, &err));
    ck_ok(ms_typed_match(c.query, &o, &r, &err));
    check_typed(&c, r, o.by_position ? lowest : NULL, o.embeddings ? c.symmetries : 1, seed);
    with += c.maps > 0;
    ms_typed_result_free(r);
    ms_judge_free(judge);
    typed_case_free(&c);
  }
  ck_assert_uint_gt(with, scaled(TYPED_CASES) / 4);
}
END_TEST

/* ---- samples -----------------------------------------------------------------------------------
 */

static ms_pattern_index *star_index(uint32_t leaves, ms_graph **graph)
{
  ms_pattern_index *index;
  uint32_t(*edge)[2] = malloc(leaves * sizeof *edge);
  for (uint32_t i = 0; i < leaves; i++) {
    edge[i][0] = 0;
    edge[i][1] = i + 1;
  }
  ck_ok(ms_graph_from_edges(leaves + 1, leaves, (const uint32_t(*)[2])edge, NULL, graph, &err));
  ck_ok(ms_pattern_index_new(*graph, NULL, 1, &index, &err));
  free(edge);
  return index;
}

static int by_value(const void *x, const void *y)
{
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* 3,000 random cases: a sample consists of different matches, as many as were asked for, which
 * ascend, and does not depend on the threads; both numbers of all matches are stated. */
START_TEST(samples)
{
  uint64_t parts = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES / 4); seed++) {
    trial t;
    ms_pattern_result *r[2];
    trial_make(&t, seed);
    for (int way = 0; way < 2; way++) {
      ms_pattern_options o = options_of(&t);
      o.count_only = o.participation = o.by_position = false;
      o.sample = 1 + seed % 7;
      o.screen.run.seed = seed / 2;
      o.screen.run.threads = way ? 3 : 1;
      ck_ok(ms_pattern_list(t.index, t.c.pattern, &o, &r[way], &err));
      ck_assert_uint_eq(r[way]->matches, o.sample < t.keys ? o.sample : t.keys);
      ck_assert_uint_eq(r[way]->sampled_from, t.keys);
      ck_assert_uint_eq(strtoull(r[way]->count_text, NULL, 10), r[way]->matches);
      ck_assert_uint_eq(
          strtoull(t.c.embeddings ? r[way]->embeddings_text : r[way]->subgraphs_text, NULL, 10),
          t.keys);
      parts += way == 0 && t.keys > o.sample;
    }
    for (uint64_t i = 0; i < r[0]->matches; i++) {
      uint32_t key = pattern_case_key(&t.c, r[0]->vertices + i * t.c.p);
      ck_assert(bsearch(&key, t.key, t.keys, sizeof key, by_value) != NULL);
      ck_assert(i == 0 || key > pattern_case_key(&t.c, r[0]->vertices + (i - 1) * t.c.p));
      ck_assert_uint_eq(key, pattern_case_key(&t.c, r[1]->vertices + i * t.c.p));
    }
    ms_pattern_result_free(r[0]);
    ms_pattern_result_free(r[1]);
    trial_free(&t);
  }
  ck_assert_uint_gt(parts, scaled(CASES / 4) / 8);
}
END_TEST

/* Returns the set of the leaves of the edges that were drawn, as bits. */
static uint32_t subset_of(const ms_pattern_result *r)
{
  uint32_t subset = 0;
  for (uint64_t i = 0; i < r->matches; i++)
    subset |= 1u << (r->vertices[2 * i + 1] - 1);
  return subset;
}

/* Each of the C(12, 3) = 220 sets of three edges of a star is drawn about equally often by 22,000
 * seeds: chi-square, which has 219 degrees of freedom, is below its mean plus five standard
 * deviations, and above its mean minus five. */
START_TEST(samples_are_uniform)
{
  enum { LEAVES = 12, SETS = 220 };
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index = star_index(LEAVES, &graph);
  uint32_t count[1u << LEAVES] = {0}, draws = (uint32_t)scaled(22000), sets = 0;
  double chi = 0, expected = (double)draws / SETS;
  ck_ok(ms_pattern_named("path:2", &pattern, &err));
  for (uint32_t seed = 0; seed < draws; seed++) {
    ms_pattern_options o = {
        .size = sizeof(ms_pattern_options), .sample = 3, .screen = MS_SCREEN_OPTIONS_DEFAULT};
    ms_pattern_result *r;
    o.screen.run.seed = seed;
    o.screen.run.threads = 1;
    ck_ok(ms_pattern_list(index, pattern, &o, &r, &err));
    ck_assert_uint_eq(r->matches, 3);
    count[subset_of(r)]++;
    ms_pattern_result_free(r);
  }
  for (uint32_t s = 0; s < 1u << LEAVES; s++)
    if (__builtin_popcount(s) == 3) {
      chi += (count[s] - expected) * (count[s] - expected) / expected;
      sets++;
    }
  ck_assert_uint_eq(sets, SETS);
  ck_assert_double_lt(chi, SETS - 1 + 5 * sqrt(2.0 * (SETS - 1)));
  ck_assert_double_gt(chi, SETS - 1 - 5 * sqrt(2.0 * (SETS - 1)));
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

/* ---- sorted rows -------------------------------------------------------------------------------
 */

static uint64_t value[PATTERN_CASE_ROWS]; /* [keys] of each match */
static const uint32_t *sorted_keys;

static int by_worth(const void *x, const void *y)
{
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  if (value[a] != value[b])
    return value[a] < value[b] ? 1 : -1;
  return (sorted_keys[a] > sorted_keys[b]) - (sorted_keys[a] < sorted_keys[b]);
}

/* Returns the edges between the vertices of a match, or the sum of their scores. */
static uint64_t worth_of(const trial *t, uint32_t key, const uint32_t *score)
{
  uint64_t worth = 0;
  for (uint32_t i = 0; i < t->c.p; i++) {
    uint32_t u = vertex_at(t, key, i);
    worth += score ? score[u] : 0;
    for (uint32_t j = 0; j < i && !score; j++) {
      uint32_t v = vertex_at(t, key, j);
      worth += (t->c.arc[u] >> v & 1) || (t->c.arc[v] >> u & 1);
    }
  }
  return worth;
}

static ms_vertex_scores *draw_scores(const trial *t, uint32_t *score)
{
  ms_vertex_scores *scores;
  uint64_t state = t->seed;
  for (uint32_t v = 0; v < t->c.n; v++)
    score[v] = random_below(&state, t->seed % 2 ? 4 : MS_MAX_VERTEX_SCORE);
  ck_ok(ms_vertex_scores_new(t->c.graph, score, &scores, &err));
  return scores;
}

/* 3,000 random cases: by edges, density or scores of vertices, all rows or the first ones, on one
 * thread and on three, against all matches in the order of qsort. */
START_TEST(sorted_rows)
{
  static const ms_measure measures[] = {MS_MEASURE_EDGES, MS_MEASURE_DENSITY,
                                        MS_MEASURE_VERTEX_SCORE};
  static uint32_t order[PATTERN_CASE_ROWS];
  uint64_t with = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES / 4); seed++) {
    trial t;
    ms_pattern_result *r;
    uint32_t score[PATTERN_CASE_MAX_N];
    trial_make(&t, seed);
    ms_vertex_scores *scores = draw_scores(&t, score);
    ms_pattern_options o = options_of(&t);
    o.count_only = o.participation = o.by_position = false;
    o.sort = measures[seed % 3];
    o.top = seed % 4 ? 0 : 1 + seed % 9;
    o.vertex_scores = scores;
    for (uint32_t k = 0; k < t.keys; k++) {
      order[k] = k;
      value[k] = worth_of(&t, t.key[k], seed % 3 == 2 ? score : NULL);
    }
    sorted_keys = t.key;
    qsort(order, t.keys, sizeof *order, by_worth);
    ck_ok(ms_pattern_list(t.index, t.c.pattern, &o, &r, &err));
    ck_assert_uint_eq(r->matches, o.top && o.top < t.keys ? o.top : t.keys);
    for (uint64_t i = 0; i < r->matches; i++)
      ck_assert_msg(pattern_case_key(&t.c, r->vertices + i * t.c.p) == t.key[order[i]],
                    "seed %llu, row %llu", (unsigned long long)seed, (unsigned long long)i);
    with += r->matches > 1;
    ms_pattern_result_free(r);
    ms_vertex_scores_free(scores);
    trial_free(&t);
  }
  ck_assert_uint_gt(with, scaled(CASES / 4) / 8);
}
END_TEST

/* ---- large numbers, little memory, stops -------------------------------------------------------
 */

/* A hub of 100,000 leaves is in C(100000, 5) stars of five, which is more than 64 bits have, and
 * each leaf in C(99999, 4). */
START_TEST(large_numbers)
{
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_result *r;
  ms_pattern_index *index = star_index(100000, &graph);
  ms_pattern_options o = {.size = sizeof(ms_pattern_options),
                          .count_only = true,
                          .participation = true,
                          .by_position = true,
                          .screen = MS_SCREEN_OPTIONS_DEFAULT};
  ck_ok(ms_pattern_named("star:5", &pattern, &err));
  ck_ok(ms_pattern_list(index, pattern, &o, &r, &err));
  mpz_t hub, leaf, number;
  mpz_inits(hub, leaf, number, NULL);
  mpz_bin_uiui(hub, 100000, 5);
  mpz_bin_uiui(leaf, 99999, 4);
  const uint64_t(*of)[2] = (const uint64_t(*)[2])r->participation->matches;
  mpz_import(number, 2, -1, 8, 0, 0, of[0]);
  ck_assert_int_eq(mpz_cmp(number, hub), 0);
  mpz_import(number, 2, -1, 8, 0, 0, of[2 * 77777 + 1]);
  ck_assert_int_eq(mpz_cmp(number, leaf), 0);
  ck_assert_uint_gt(of[0][1], 0);
  mpz_set_str(number, r->count_text, 10);
  ck_assert_int_eq(mpz_cmp(number, hub), 0);
  mpz_clears(hub, leaf, number, NULL);
  ms_pattern_result_free(r);
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

/* With little memory, formulas give way to a search, threads share their numbers, and in the end
 * the message says what is needed; the numbers are the same wherever there are any. */
START_TEST(little_memory)
{
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index = star_index(3000, &graph);
  int outcome[3] = {0}; /* formulas, searches, failures */
  ck_ok(ms_pattern_named("path:3", &pattern, &err));
  ms_hooks.participation_weight = 0;
  for (uint64_t memory = 20000; memory < 1000000; memory += memory / 8) {
    ms_pattern_options o = {.size = sizeof(ms_pattern_options),
                            .count_only = true,
                            .participation = true,
                            .by_position = true,
                            .screen = MS_SCREEN_OPTIONS_DEFAULT};
    ms_pattern_result *r;
    o.screen.run.threads = 4;
    o.screen.run.memory = memory;
    ms_status status = ms_pattern_list(index, pattern, &o, &r, &err);
    if (status == MS_OK) {
      ck_assert_uint_eq(r->participation->matches[1][0], UINT64_C(3000) * 2999 / 2);
      ck_assert_uint_eq(r->participation->matches[2 * 5][0], 2999);
      outcome[by_formulas(r) ? 0 : 1]++;
      ms_pattern_result_free(r);
    } else {
      ck_assert_int_eq(status, MS_ERR_MEMORY);
      ck_assert(strstr(err.message, "3001 vertices at 2 positions") != NULL);
      ck_assert(strstr(err.message, "`memory`") != NULL);
      outcome[2]++;
    }
  }
  for (int i = 0; i < 3; i++)
    ck_assert_int_gt(outcome[i], 0);
  ms_hooks = ms_hooks_default;
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

/* A token that has ended stops both ways.  What is there is consistent: each match is in the
 * numbers of as many vertices as it has. */
START_TEST(stops)
{
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index = star_index(3000, &graph);
  ck_ok(ms_pattern_named("star:3", &pattern, &err));
  for (int way = 0; way < 2; way++) {
    ms_pattern_options o = {.size = sizeof(ms_pattern_options),
                            .count_only = true,
                            .participation = true,
                            .by_position = true,
                            .screen = MS_SCREEN_OPTIONS_DEFAULT};
    ms_pattern_result *r;
    uint64_t sum = 0;
    ms_hooks.participation_weight = way ? INFINITY : 0;
    o.screen.run.threads = 2;
    ck_ok(ms_stop_child(NULL, way ? 0.5 : 1e-9, &o.screen.run.stop, &err));
    ck_ok(ms_pattern_list(index, pattern, &o, &r, &err));
    ck_assert_int_eq(r->run.stopped, MS_ERR_LIMIT);
    for (uint32_t i = 0; i < 2 * 3001; i++)
      sum += r->participation->matches[i][0];
    ck_assert_uint_eq(sum, 4 * r->matches);
    ck_assert(!way || r->matches > 0);
    ms_pattern_result_free(r);
    ms_stop_free(o.screen.run.stop);
  }
  ms_hooks = ms_hooks_default;
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("gather", TEST(participations), TEST(required_vertices), TEST(typed_participations),
          TEST(samples), TEST(samples_are_uniform), TEST(sorted_rows), TEST(large_numbers),
          TEST(little_memory), TEST(stops))
