/* Counting the matches of a motif without visiting them: in lists, in rows of bits and in balls, by
 * each instruction set, against brute force and against the search that visits each match. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "motif/count/count.h"
#include "motif/count/count_sets.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the next counts take this way (0: the one that is chosen), states of this many bytes, and
 * the i-th instruction set.  Returns its name, or NULL if there are no more. */
static const char *set_way(int way, uint64_t bytes, unsigned i)
{
  const ms_set_counting *path = ms_set_counting_at(i);
  ms_hooks.count_way = way;
  ms_hooks.state_bytes = bytes;
  if (path)
    setenv("MOTIFSIEVE_SETS", path->name, 1);
  return path ? path->name : NULL;
}

/* Counts, and compares with `want`; with the matches of each vertex, unless `of` is NULL, too. */
static void count_as(const ms_query *query, int threads, const char *want, const uint64_t *of,
                     const char *how)
{
  ms_list_options options = {.size = sizeof(ms_list_options),
                             .exact = true,
                             .count_only = true,
                             .participation = of != NULL,
                             .screen = {.size = sizeof(ms_screen_options), .run.threads = threads}};
  ms_list_result *result;
  ms_error err;
  ck_ok(ms_list(query, &options, &result, &err));
  ck_assert(!of == !result->matches_of);
  for (uint32_t v = 0; of && v < result->n; v++)
    ck_assert_msg(result->matches_of[v] == of[v], "%s, %d threads: vertex %u in %llu of %llu", how,
                  threads, v, (unsigned long long)result->matches_of[v], (unsigned long long)of[v]);
  ck_assert_msg(strcmp(result->count_text, want) == 0, "%s, %d threads: %s matches, wanted %s", how,
                threads, result->count_text, want);
  ck_assert_int_eq(result->run.stopped, MS_OK);
  ck_assert_ptr_null(result->vertices);
  ms_list_result_free(result);
}

/* Every way counts as brute force does, by every instruction set, whether states are kept or not:
 * 900 random cases. */
START_TEST(agrees_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t cases = scaled(900);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = 7000 + i;
    oracle_case c;
    char want[24], how[80];
    const char *name;
    oracle_make(&oracle_long_motifs[i % ORACLE_SHAPES], seed, &c);
    uint32_t matches = oracle_matches(&c, masks);
    uint64_t of[ORACLE_MAX_N] = {0};
    for (uint32_t m = 0; m < matches; m++)
      for (uint32_t v = 0; v < c.n; v++)
        of[v] += masks[m] >> v & 1;
    snprintf(want, sizeof want, "%u", matches);
    for (int way = 0; way <= MS_COUNT_THREE; way++)
      for (unsigned p = 0; (name = set_way(way, i % 2 ? 1 << 20 : i % 4 ? 4000 : 0, p)); p++) {
        snprintf(how, sizeof how, "seed %llu, way %d, %s", (unsigned long long)seed, way, name);
        count_as(c.query, 1 + (int)(i % 3), want, i / 4 % 2 ? of : NULL, how);
      }
    oracle_free(&c);
  }
}
END_TEST

/* ---- larger graphs ------------------------------------------------------------ */

/* Adds the vertices of matches to their numbers; an ms_list_rows_fn. */
typedef struct visited {
  uint64_t *of;
  uint32_t k;
} visited;

static bool visit_rows(void *user, const uint32_t *rows, uint64_t count)
{
  visited *v = user;
  for (uint64_t i = 0; i < count * v->k; i++)
    v->of[rows[i]]++;
  return true;
}

/* Lists the matches, and returns in how many each vertex is. */
static uint64_t *list_vertices(const ms_query *query)
{
  uint64_t *of = calloc(query->graph->n, sizeof *of);
  visited v = {of, query->motif->k};
  ms_list_options options = {.size = sizeof(ms_list_options),
                             .exact = true,
                             .rows = visit_rows,
                             .rows_user = &v,
                             .screen = {.size = sizeof(ms_screen_options), .run.threads = 2}};
  ms_list_result *result;
  ms_error err;
  ck_ok(ms_list(query, &options, &result, &err));
  ms_list_result_free(result);
  return of;
}

/* Counts by visiting each match: with a limit, matches are delivered. */
static void count_visits(const ms_query *query, char *text, size_t size)
{
  ms_list_options options = {.size = sizeof(ms_list_options),
                             .exact = true,
                             .count_only = true,
                             .limit = UINT64_MAX,
                             .screen = {.size = sizeof(ms_screen_options), .run.threads = 2}};
  ms_list_result *result;
  ms_error err;
  ck_ok(ms_list(query, &options, &result, &err));
  snprintf(text, size, "%s", result->count_text);
  ms_list_result_free(result);
}

/* Every way counts as many matches as there are visits, in graphs whose balls have from a few to
 * too many vertices: 66 random cases. */
START_TEST(agrees_with_visits)
{
  uint64_t cases = scaled(66), most = 0;
  for (uint64_t i = 0; i < cases; i++) {
    larger_case c;
    char want[24], how[80];
    const char *name;
    larger_make(i, &c);
    count_visits(c.query, want, sizeof want);
    uint64_t *of = i % 2 ? list_vertices(c.query) : NULL;
    most = strtoull(want, NULL, 10) > most ? strtoull(want, NULL, 10) : most;
    for (int way = 0; way <= MS_COUNT_THREE; way++)
      for (unsigned p = 0; (name = set_way(way, i % 5 ? 1 << 20 : 20000, p)); p++) {
        snprintf(how, sizeof how, "case %llu, way %d, %s", (unsigned long long)i, way, name);
        count_as(c.query, 1 + (int)(i % 3), want, of, how);
      }
    free(of);
    larger_free(&c);
  }
  ck_assert(cases < 66 || most > 100000);
}
END_TEST

/* In a complete bipartite graph, the sets of three that hold a vertex are known, and more rows are
 * added up than a stack of planes holds. */
START_TEST(many_rows_are_stacked)
{
  enum { LEFT = 300, RIGHT = 401, N = LEFT + RIGHT };
  static uint32_t edges[LEFT * RIGHT][2];
  uint64_t of[N];
  const char *name;
  char how[80];
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_error err;
  for (uint32_t e = 0; e < LEFT * RIGHT; e++) {
    edges[e][0] = e % LEFT;
    edges[e][1] = LEFT + e / LEFT;
  }
  /* a vertex is in the middle of two others, or at the end of a path of three */
  for (uint32_t v = 0; v < N; v++)
    of[v] = v < LEFT ? RIGHT * (RIGHT - 1) / 2 + RIGHT * (LEFT - 1)
                     : LEFT * (LEFT - 1) / 2 + LEFT * (RIGHT - 1);
  ck_ok(ms_graph_from_edges(N, LEFT * RIGHT, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err));
  ck_ok(ms_motif_parse("*:3", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  for (int way = 1; way <= MS_COUNT_THREE; way++)
    for (unsigned p = 0; (name = set_way(way, 1 << 20, p)); p++) {
      snprintf(how, sizeof how, "way %d, %s", way, name);
      count_as(query, 2, "42044850", of, how);
    }
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* Every way counts as many matches as there are visits where two hubs have 150 neighbours or more,
 * and these many edges among them: lanes of 8 bits are too short for them, and triangles are looked
 * up with marks.  12 random graphs with five motifs each. */
START_TEST(hubs_have_wide_lanes)
{
  enum { N = 330 };
  static const char *const motifs[] = {"*:4", "c0:2,c1:2", "c0,c1:2,*", "c0:3,c1,*", "c1:4"};
  static const char *const colors[] = {"c0", "c1"};
  static uint32_t edge[8 * N][2], pair[N][2];
  uint64_t cases = scaled(12);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t state = 400 + i;
    uint32_t edges = 0;
    ms_graph *graph;
    ms_coloring *coloring;
    ms_error err;
    for (uint32_t v = 0; v < N; v++) {
      pair[v][0] = v;
      pair[v][1] = v < 2 ? v : random_below(&state, 3) == 0;
      for (uint32_t hub = 0; hub < 2 && v > 1; hub++)
        if (random_below(&state, 2)) {
          edge[edges][0] = hub;
          edge[edges++][1] = v;
        }
      if (v > 1 && v % 3 == 0) {
        edge[edges][0] = v;
        edge[edges++][1] = random_below(&state, v);
      }
    }
    ck_ok(ms_graph_from_edges(N, edges, (const uint32_t(*)[2])edge, NULL, &graph, &err));
    ck_ok(ms_coloring_from_pairs(graph, N, (const uint32_t(*)[2])pair, 2, colors, &coloring, &err));
    for (size_t m = 0; m < sizeof motifs / sizeof *motifs; m++) {
      ms_motif *motif;
      ms_query *query;
      char want[24], how[80];
      ck_ok(ms_motif_parse(motifs[m], coloring, &motif, &err));
      ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
      count_visits(query, want, sizeof want);
      ck_assert_msg(strtoull(want, NULL, 10) > 1000, "%s: %s matches", motifs[m], want);
      for (int way = 0; way <= MS_COUNT_THREE; way++) {
        set_way(way, 1 << 20, 0);
        snprintf(how, sizeof how, "case %llu, %s, way %d", (unsigned long long)i, motifs[m], way);
        count_as(query, 1 + (int)(i % 2), want, NULL, how);
      }
      ms_query_free(query);
      ms_motif_free(motif);
    }
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
}
END_TEST

/* A count that is stopped after any number of looks is at most the whole, and says so. */
START_TEST(a_stopped_count_is_a_part)
{
  larger_case c;
  char want[24];
  ms_error err;
  larger_make(8, &c);
  count_visits(c.query, want, sizeof want);
  uint64_t whole = strtoull(want, NULL, 10), stopped = 0;
  for (int way = 1; way <= MS_COUNT_THREE; way++)
    for (uint64_t looks = 0; looks < 60; looks++) {
      ms_stop *stop;
      ms_list_result *result;
      ck_ok(ms_stop_new(&stop, &err));
      ms_stop_after_looks(stop, looks);
      set_way(way, 1 << 20, 0);
      ms_list_options options = {
          .size = sizeof(ms_list_options),
          .exact = true,
          .count_only = true,
          .screen = {.size = sizeof(ms_screen_options), .run.threads = 2, .run.stop = stop}};
      ck_ok(ms_list(c.query, &options, &result, &err));
      uint64_t count = strtoull(result->count_text, NULL, 10);
      ck_assert_uint_le(count, whole);
      ck_assert(count == whole || result->run.stopped == MS_ERR_LIMIT);
      stopped += result->run.stopped != MS_OK && result->regions > 0;
      ms_list_result_free(result);
      ms_stop_free(stop);
    }
  ck_assert_uint_gt(stopped, 60);
  larger_free(&c);
}
END_TEST

static ms_status count_once(void *user, ms_error *err)
{
  ms_list_options options = {.size = sizeof(ms_list_options),
                             .exact = true,
                             .count_only = true,
                             .screen = {.size = sizeof(ms_screen_options), .run.threads = 1}};
  ms_list_result *result;
  ms_status status = ms_list(user, &options, &result, err);
  if (status == MS_OK) {
    ck_assert_str_ne(result->count_text, "0");
    ms_list_result_free(result);
  }
  return status;
}

/* Whichever allocation fails, a count reports it or does without, in each way. */
START_TEST(every_allocation_may_fail)
{
  larger_case c;
  larger_make(3, &c);
  for (int way = 1; way <= MS_COUNT_THREE; way++) {
    set_way(way, 1 << 16, 0);
    ck_assert_int_gt(failing_runs_survived(count_once, c.query), 10);
  }
  larger_free(&c);
}
END_TEST

/* The way depends on the graph. */
START_TEST(the_way_fits_the_graph)
{
  static const struct {
    uint32_t n, first; /* each vertex has edges to three of the `first` vertices before it */
    uint64_t bound;
    const char *motif;
    ms_count_way way;
  } cases[] = {
      {500, 500, 1 << 30, "*:7", MS_COUNT_ROWS},    {20000, 6, 1 << 30, "*:5", MS_COUNT_BALLS},
      {3000, 3000, 1 << 30, "*:3", MS_COUNT_BALLS}, {3000, 3000, 1 << 30, "*:7", MS_COUNT_ROWS},
      {3000, 3000, 1 << 20, "*:7", MS_COUNT_LISTS}, {60000, 60000, 1 << 30, "*:7", MS_COUNT_LISTS},
      {500, 500, 1 << 30, "*:2", MS_COUNT_LISTS}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t state = i;
    uint32_t n = cases[i].n, edges = 0;
    uint32_t(*edge)[2] = malloc(sizeof *edge * 3 * n);
    ms_graph *graph;
    ms_coloring *coloring;
    ms_motif *motif;
    ms_query *query;
    ms_instance *instance;
    ms_ranked *ranked;
    ms_count_way way;
    ms_budget budget;
    ms_error err;
    for (uint32_t v = 1; v < n; v++) {
      uint32_t first = v < cases[i].first ? v : cases[i].first;
      for (uint32_t j = 0; j < 3; j++, edges++) {
        edge[edges][0] = v;
        edge[edges][1] = v - 1 - random_below(&state, first);
      }
    }
    ck_ok(ms_graph_from_edges(n, edges, (const uint32_t(*)[2])edge, NULL, &graph, &err));
    ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err));
    ck_ok(ms_motif_parse(cases[i].motif, coloring, &motif, &err));
    ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
    ck_ok(ms_instance_new(query, 1, &instance, &err));
    ck_ok(ms_ranked_new(instance, &ranked, &err));
    ms_budget_open(&budget, cases[i].bound);
    ck_ok(ms_count_choose(ranked, &budget, &way, &err));
    ck_assert_msg(way == cases[i].way, "case %zu: way %d, wanted %d", i, (int)way,
                  (int)cases[i].way);
    ms_ranked_free(ranked);
    ms_instance_free(instance);
    ms_query_free(query);
    ms_motif_free(motif);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
    free(edge);
  }
}
END_TEST

/* In the plane, balls fold the last three levels: each set of three vertices is visited once, and
 * none of four, with one kind, three kinds, and 17 kinds, which are too many. */
START_TEST(colored_sets_are_folded_in_the_plane)
{
  enum { SIDE = 40, N = SIDE * SIDE };
  static const struct {
    const char *motif;
    bool folded;
  } cases[] = {{"*:6", true},
               {"c0:2,c1:2,c2:2", true},
               {"c0,c1,c2,*:3", true},
               {"c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,*", false}};
  static char name[17][4];
  static const char *names[17];
  static uint32_t edge[4 * N][2], pair[N][2];
  uint32_t edges = 0;
  uint64_t state = 5;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_error err;
  for (uint32_t i = 0; i < 17; i++) {
    snprintf(name[i], sizeof name[i], "c%u", i);
    names[i] = name[i];
  }
  for (uint32_t v = 0; v < N; v++) {
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    for (uint32_t s = 0; s < 4; s++) {
      int x = (int)(v % SIDE) + steps[s][0], y = (int)(v / SIDE) + steps[s][1];
      if (x < 0 || x >= SIDE || y >= SIDE)
        continue;
      edge[edges][0] = v;
      edge[edges++][1] = (uint32_t)(y * SIDE + x);
    }
    pair[v][0] = v;
    pair[v][1] = random_below(&state, 17) % (v % 2 ? 17 : 3);
  }
  ck_ok(ms_graph_from_edges(N, edges, (const uint32_t(*)[2])edge, NULL, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, N, (const uint32_t(*)[2])pair, 17, names, &coloring, &err));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_motif *motif;
    ms_query *query;
    ms_instance *instance;
    ms_ranked *ranked;
    void *context;
    bool pays;
    set_way(0, 1 << 20, 0);
    ck_ok(ms_motif_parse(cases[i].motif, coloring, &motif, &err));
    ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
    ck_ok(ms_instance_new(query, 1, &instance, &err));
    ck_ok(ms_ranked_new(instance, &ranked, &err));
    ck_ok(ms_count_three_pays(ranked, NULL, &pays, &err));
    ck_assert_msg(pays != cases[i].folded, "%s: lists pay: %d", cases[i].motif, pays);
    ck_ok(ms_engine_connected_sets.open(instance, 1, &context, &err));
    uint64_t found[MS_COUNT_THREE + 1] = {0}, visits[MS_COUNT_THREE + 1] = {0};
    for (int way = MS_COUNT_BALLS + 1; cases[i].folded && way <= MS_COUNT_THREE; way++) {
      ms_count_sink sink = {0};
      ms_hooks.count_way = way;
      ck_ok(ms_engine_connected_sets.count(context, 0, ranked->roots, &sink, NULL, &err));
      found[way] = sink.low;
      visits[way] = sink.visits;
    }
    const int balls = MS_COUNT_BALLS + 1;
    ck_assert_uint_eq(found[balls], found[MS_COUNT_THREE]);
    /* balls count a set that is folded and the step to it */
    ck_assert_uint_le(visits[balls], 2 * visits[MS_COUNT_THREE]);
    ck_assert(!cases[i].folded || found[balls] > visits[balls]);
    ms_engine_connected_sets.close(context);
    ms_ranked_free(ranked);
    ms_instance_free(instance);
    ms_query_free(query);
    ms_motif_free(motif);
  }
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("count_sets", TEST(agrees_with_oracle), TEST(agrees_with_visits),
          TEST(many_rows_are_stacked), TEST(hubs_have_wide_lanes), TEST(a_stopped_count_is_a_part),
          TEST(every_allocation_may_fail), TEST(the_way_fits_the_graph),
          TEST(colored_sets_are_folded_in_the_plane))
