/* The judge of sets that differ in one vertex, against the judge of rows, which shares only the
 * look-up of a vertex's slots with it. */
#include "graph/graph.h"
#include "query/query.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <string.h>

static const oracle_shape shapes[] = {
    {.min_n = 2, .max_n = 12, .min_k = 2, .max_k = 7},
    {.min_n = 2, .max_n = 12, .min_k = 2, .max_k = 7, .color_lists = true, .wildcards = true},
    {.min_n = 3,
     .max_n = 12,
     .min_k = 2,
     .max_k = 6,
     .color_lists = true,
     .wildcards = true,
     .required = true,
     .conditions = true},
};

#define N_SHAPES (sizeof shapes / sizeof *shapes)

/* Draws k - 1 vertices: mostly connected in their order, often with the same beginning as before,
 * and now and then a vertex twice or one that is not in the graph. */
static void draw_set(const oracle_case *c, uint64_t *state, uint32_t *set)
{
  uint32_t same = random_below(state, c->k), degree;
  for (uint32_t i = same; i + 1 < c->k; i++) {
    set[i] = random_below(state, c->n + (random_below(state, 50) == 0));
    if (i == 0 || random_below(state, 20) == 0 || set[random_below(state, i)] >= c->n)
      continue;
    uint32_t from = set[random_below(state, i)];
    const uint32_t *row = from < c->n ? ms_graph_neighbors(c->graph, from, &degree) : NULL;
    if (row && degree > 0)
      set[i] = row[random_below(state, degree)];
  }
}

/* True if each vertex is in the graph and adjacent to one before it. */
static bool is_grown(const oracle_case *c, const uint32_t *set, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    bool adjacent = i == 0;
    if (set[i] >= c->n)
      return false;
    for (uint32_t j = 0; j < i; j++) {
      uint32_t degree;
      const uint32_t *row = ms_graph_neighbors(c->graph, set[j], &degree);
      for (uint32_t a = 0; a < degree; a++)
        adjacent |= row[a] == set[i];
    }
    if (!adjacent)
      return false;
  }
  return true;
}

/* Of sets with random vertices, right or wrong, the two judges accept the same, but for those that
 * are no match in their order; one thread or another follows them: 3,000 random queries, 60 groups
 * of up to 14 sets each.  Some of each kind occur. */
START_TEST(agrees_with_rows)
{
  uint64_t cases = scaled(3000), accepted = 0, refused = 0;
  for (uint64_t seed = 0; seed < cases; seed++) {
    oracle_case c;
    ms_error err;
    ms_set_judge *judge;
    uint32_t sets[2][MS_MAX_K] = {{0}};
    uint64_t state = seed + 77;
    oracle_make(&shapes[seed % N_SHAPES], 900000 + seed, &c);
    if (c.k < 2) {
      oracle_free(&c);
      continue;
    }
    ck_assert_int_eq(ms_set_judge_new(c.query, 2, &judge, &err), MS_OK);
    for (int group = 0; group < 60; group++) {
      int thread = (int)random_below(&state, 2);
      uint32_t last[14], count = random_below(&state, 15), *set = sets[thread], wanted = 0;
      draw_set(&c, &state, set);
      for (uint32_t i = 0; i < count; i++)
        last[i] = random_below(&state, c.n + (random_below(&state, 30) == 0));
      uint32_t row[MS_MAX_K];
      memcpy(row, set, (c.k - 1) * sizeof *set);
      for (; wanted < count; wanted++) {
        row[c.k - 1] = last[wanted];
        if (ms_verify_match(c.query, row) != MS_MATCH_OK)
          break;
      }
      uint64_t got = ms_set_judge_count(judge, thread, set, last, count);
      ck_assert_msg(got <= wanted, "seed %llu group %d: accepts what is no match",
                    (unsigned long long)seed, group);
      ck_assert_msg(got == wanted || !is_grown(&c, set, c.k - 1),
                    "seed %llu group %d: %llu of %u matches", (unsigned long long)seed, group,
                    (unsigned long long)got, wanted);
      accepted += got;
      refused += got < count;
    }
    ms_set_judge_free(judge);
    oracle_free(&c);
  }
  ck_assert_uint_ge(accepted, cases);
  ck_assert_uint_ge(refused, cases);
}
END_TEST

/* In a graph of 500 vertices with hubs, where the neighbours of some vertices are marked and those
 * of others are searched for: the judges agree on 40,000 grown sets with vertices near them. */
START_TEST(agrees_near_hubs)
{
  enum { N = 500, K = 5 };
  uint64_t state = 5, accepted = 0;
  uint32_t edges[3000][2], colors[N][2];
  const char *names[] = {"a", "b", "c"};
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_set_judge *judge;
  ms_error err;
  for (uint32_t i = 0; i < 3000; i++) {
    edges[i][0] = random_below(&state, i % 3 ? N : 4); /* four hubs */
    edges[i][1] = 4 + random_below(&state, N - 4);
  }
  for (uint32_t v = 0; v < N; v++) {
    colors[v][0] = v;
    colors[v][1] = random_below(&state, 3);
  }
  ck_assert_int_eq(ms_graph_from_edges(N, 3000, (const uint32_t(*)[2])edges, NULL, &graph, &err),
                   MS_OK);
  ck_assert_int_eq(
      ms_coloring_from_pairs(graph, N, (const uint32_t(*)[2])colors, 3, names, &coloring, &err),
      MS_OK);
  ck_assert_int_eq(ms_motif_parse("a:2,b,c,*:1", coloring, &motif, &err), MS_OK);
  ck_assert_int_eq(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err), MS_OK);
  ck_assert_int_eq(ms_set_judge_new(query, 1, &judge, &err), MS_OK);
  uint32_t set[K] = {0};
  for (int group = 0; group < 40000; group++) {
    uint32_t degree, last[4], wanted = 0;
    for (uint32_t i = random_below(&state, K); i + 1 < K; i++) {
      const uint32_t *row =
          ms_graph_neighbors(graph, set[i > 0 ? random_below(&state, i) : 0], &degree);
      set[i] = i > 0 && degree > 0 ? row[random_below(&state, degree)] : random_below(&state, N);
    }
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t *row = ms_graph_neighbors(graph, set[random_below(&state, K - 1)], &degree);
      last[i] = degree > 0 ? row[random_below(&state, degree)] : 0;
    }
    for (; wanted < 4; wanted++) {
      set[K - 1] = last[wanted];
      if (ms_verify_match(query, set) != MS_MATCH_OK)
        break;
    }
    uint64_t got = ms_set_judge_count(judge, 0, set, last, 4);
    ck_assert_uint_le(got, wanted);
    /* the first sets do not pay for the tables */
    ck_assert_msg(got == wanted || group < 64, "group %d: %llu of %u", group,
                  (unsigned long long)got, wanted);
    accepted += got;
  }
  ck_assert_uint_ge(accepted, 1000);
  ms_set_judge_free(judge);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("set_judge", TEST(agrees_with_rows), TEST(agrees_near_hubs))
