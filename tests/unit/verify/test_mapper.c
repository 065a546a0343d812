/* The verifier's search for one map of a pattern (verify/mapper.c): against its plain recount on
 * random patterns with twins, and in a bounded number of steps where plain backtracking needs
 * millions. */
#include "graph/graph.h"
#include "query/pattern.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "verify/judge/judge.h"
#include "verify/recount.h"

#include <stdio.h>
#include <string.h>

enum { MOST_N = 20, MOST_M = 200, MOST_P = 10, MOST_COLORS = 12, CASES = 3000, MOST_MAPS = 20000 };

static ms_error err;

#define ck_ok(call) ck_assert_msg((call) == MS_OK, "%s", err.message)

typedef struct edges {
  uint32_t n, m;
  uint32_t edge[MOST_M][2];
  uint32_t color[MOST_M]; /* [n] */
} edges;

static void join(edges *e, uint32_t u, uint32_t v)
{
  ck_assert_uint_lt(e->m, MOST_M);
  e->edge[e->m][0] = u;
  e->edge[e->m++][1] = v;
}

static uint32_t add_vertex(edges *e, uint32_t color)
{
  ck_assert_uint_lt(e->n, MOST_M);
  e->color[e->n] = color;
  return e->n++;
}

static const char *const color_name[MOST_COLORS] = {"a", "b", "c", "d", "e", "f",
                                                    "g", "h", "i", "j", "k", "l"};

static void make_graph(const edges *e, bool directed, ms_graph **graph, ms_coloring **coloring)
{
  uint32_t pair[MOST_M][2];
  const uint32_t(*edge)[2] = (const uint32_t(*)[2])e->edge;
  for (uint32_t v = 0; v < e->n; v++) {
    pair[v][0] = v;
    pair[v][1] = e->color[v];
  }
  ck_ok(directed ? ms_graph_from_arcs(e->n, e->m, edge, NULL, graph, &err)
                 : ms_graph_from_edges(e->n, e->m, edge, NULL, graph, &err));
  ck_ok(ms_coloring_from_pairs(*graph, e->n, (const uint32_t(*)[2])pair, MOST_COLORS, color_name,
                               coloring, &err));
}

static ms_pattern *make_pattern(const edges *e, bool directed)
{
  ms_pattern *pattern;
  const char *color[MOST_M];
  for (uint32_t i = 0; i < e->n; i++)
    color[i] = e->color[i] < MOST_COLORS ? color_name[e->color[i]] : NULL;
  ck_ok(ms_pattern_from_edges(e->n, e->m, (const uint32_t(*)[2])e->edge, directed, color, &pattern,
                              &err));
  return pattern;
}

/* ---- random patterns ------------------------------------------------------------------ */

/* A random connected graph; now and then a vertex is a twin of an earlier one. */
static void draw_edges(edges *e, uint32_t n, uint32_t further, uint32_t colors, uint64_t *state)
{
  *e = (edges){0};
  for (uint32_t v = 0; v < n; v++) {
    add_vertex(e, random_below(state, colors));
    if (v == 0)
      continue;
    uint32_t like = random_below(state, v), m = e->m;
    if (like > 0 && random_below(state, 2)) {
      e->color[v] = e->color[like];
      for (uint32_t i = 0; i < m; i++)
        if (e->edge[i][0] == like || e->edge[i][1] == like)
          join(e, e->edge[i][0] == like ? v : e->edge[i][0],
               e->edge[i][1] == like ? v : e->edge[i][1]);
    } else {
      join(e, v, like);
    }
  }
  for (uint32_t i = 0; i < further; i++) {
    uint32_t u = random_below(state, n), v = random_below(state, n);
    if (u != v && e->m < MOST_M)
      join(e, u, v);
  }
}

typedef struct expected {
  uint32_t p, maps;
  const uint8_t *allowed; /* [n] */
  uint8_t in_match[MOST_N];
} expected;

static bool note_map(void *user, const uint32_t *row)
{
  expected *x = user;
  bool allowed = true;
  for (uint32_t i = 0; i < x->p; i++)
    allowed = allowed && x->allowed[row[i]];
  for (uint32_t i = 0; allowed && i < x->p; i++)
    x->in_match[row[i]] = 1;
  return ++x->maps < MOST_MAPS;
}

/* Compares what a search finds out about v; one with less than all effort may find out nothing. */
static void compare_vertex(ms_mapper *mapper, const ms_judge *judge, const expected *x, uint32_t v,
                           uint64_t effort, uint64_t seed)
{
  uint32_t row[MOST_P];
  ms_finding finding, right = x->in_match[v] ? MS_FOUND_MATCH : MS_FOUND_NONE;
  bool held = false;
  ck_ok(ms_mapper_find(mapper, v, effort, &finding, row, &err));
  ck_assert_msg(finding == right || (effort < UINT64_MAX && finding == MS_FOUND_NOTHING_YET),
                "seed %llu: vertex %u, effort %llu: %d", (unsigned long long)seed, v,
                (unsigned long long)effort, (int)finding);
  for (uint32_t i = 0; finding == MS_FOUND_MATCH && i < x->p; i++) {
    held = held || row[i] == v;
    ck_assert(x->allowed[row[i]]);
  }
  ck_assert(finding != MS_FOUND_MATCH || (held && ms_judge_row(judge, row) == MS_MATCH_OK));
}

static void compare_vertices(const ms_judge *judge, const expected *x, uint32_t n, uint64_t seed)
{
  static const uint64_t efforts[] = {1, 12, 40, UINT64_MAX};
  ms_mapper *mapper;
  ck_ok(ms_mapper_new(judge, NULL, &mapper, &err));
  ck_ok(ms_mapper_restrict(mapper, x->allowed, &err));
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t e = 0; e < sizeof efforts / sizeof *efforts; e++)
      compare_vertex(mapper, judge, x, v, efforts[e], seed);
  ms_mapper_free(mapper);
}

/* For CASES random patterns of 4 to 10 vertices in graphs of 12 to 20, directed or not, induced or
 * not, with colours, required vertices and vertices that are not allowed: the search finds a map
 * for exactly the vertices of the maps that the recount lists; with little effort, it finds the
 * same or nothing out. */
START_TEST(agrees_with_recount)
{
  uint32_t with = 0, compared = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES); seed++) {
    uint64_t state = seed * 7919;
    uint32_t colors = 1 + random_below(&state, 4), required[2];
    uint32_t p = 4 + random_below(&state, MOST_P - 3), n = 12 + random_below(&state, MOST_N - 11);
    bool directed = random_below(&state, 4) == 0, induced = random_below(&state, 3) == 0;
    uint8_t allowed[MOST_N];
    edges g, q;
    ms_graph *graph;
    ms_coloring *coloring;
    ms_judge *judge;
    mpz_t count;
    draw_edges(&g, n, random_below(&state, 2 * n), colors, &state);
    draw_edges(&q, p, random_below(&state, 3), colors, &state);
    for (uint32_t i = 0; i < p; i++)
      q.color[i] = random_below(&state, 5) ? q.color[i] : MOST_COLORS; /* any colour */
    for (uint32_t v = 0; v < n; v++)
      allowed[v] = seed % 3 || random_below(&state, 8);
    make_graph(&g, directed, &graph, &coloring);
    ms_pattern *pattern = make_pattern(&q, directed);
    ck_ok(ms_judge_pattern(graph, coloring, pattern, induced, false, &judge, &err));
    required[0] = random_below(&state, n);
    required[1] = (required[0] + 1) % n;
    ms_judge_require(judge, seed % 5 ? 0 : 1 + seed / 5 % 2, required);
    expected x = {.p = p, .allowed = allowed};
    mpz_init(count);
    ck_ok(ms_judge_recount(judge, count, note_map, &x, NULL, &err));
    if (x.maps < MOST_MAPS) {
      compare_vertices(judge, &x, n, seed);
      compared++;
      with += x.maps > 0;
    }
    mpz_clear(count);
    ms_judge_free(judge);
    ms_pattern_free(pattern);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
  ck_assert_uint_ge(compared, scaled(CASES) / 2);
  ck_assert_uint_ge(with, scaled(CASES) / 8);
}
END_TEST

/* ---- few steps -------------------------------------------------------------------------- */

/* Returns what 4000 steps find out about vertex v. */
static ms_finding search_briefly(const edges *g, const edges *q, uint32_t v)
{
  uint32_t row[MOST_M];
  ms_finding finding;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_judge *judge;
  ms_mapper *mapper;
  make_graph(g, false, &graph, &coloring);
  ms_pattern *pattern = make_pattern(q, false);
  ck_ok(ms_judge_pattern(graph, coloring, pattern, false, false, &judge, &err));
  ck_ok(ms_mapper_new(judge, NULL, &mapper, &err));
  ck_ok(ms_mapper_restrict(mapper, NULL, &err));
  ck_ok(ms_mapper_find(mapper, v, 4000, &finding, row, &err));
  ms_mapper_free(mapper);
  ms_judge_free(judge);
  ms_pattern_free(pattern);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return finding;
}

/* Ten leaves of one colour find no place on nine vertices: without a regard for twins, the search
 * would try all orders of the nine, which are 362,880. */
START_TEST(twins_fail_once)
{
  enum { LEAVES = 10 };
  edges g = {0}, q = {0};
  uint32_t hub = add_vertex(&g, 0), center = add_vertex(&q, 0);
  for (uint32_t i = 0; i < LEAVES; i++)
    join(&q, center, add_vertex(&q, 1));
  for (uint32_t i = 0; i + 1 < LEAVES; i++)
    join(&g, hub, add_vertex(&g, 1));
  join(&g, hub, add_vertex(&g, 2)); /* the degree is enough */
  ck_assert_int_eq(search_briefly(&g, &q, hub), MS_FOUND_NONE);
  ck_assert_int_eq(search_briefly(&g, &q, hub + 1), MS_FOUND_NONE);
  join(&g, hub, add_vertex(&g, 1));
  ck_assert_int_eq(search_briefly(&g, &q, hub), MS_FOUND_MATCH);
}
END_TEST

/* A hub with six arms, of which each can go to six places, and a triangle that exists nowhere,
 * though each of its vertices has neighbours of the right colours: the search finds the triangle
 * at fault and does not try the 46,656 places of the arms. */
START_TEST(conflicts_skip_other_parts)
{
  enum { ARMS = 6, PLACES = 6, PAIRS = 8 };
  edges g = {0}, q = {0};
  uint32_t hub[2] = {add_vertex(&g, 0), add_vertex(&g, 0)}, center = add_vertex(&q, 0);
  for (uint32_t i = 0; i < ARMS; i++) {
    join(&q, center, add_vertex(&q, 3 + i));
    for (uint32_t j = 0; j < PLACES; j++) {
      uint32_t v = add_vertex(&g, 3 + i);
      join(&g, hub[0], v);
      join(&g, hub[1], v);
    }
  }
  uint32_t left = add_vertex(&q, 1), right = add_vertex(&q, 2);
  join(&q, center, left);
  join(&q, center, right);
  join(&q, left, right);
  for (uint32_t i = 0; i < 2 * PAIRS; i++) {
    uint32_t u = add_vertex(&g, 1), v = add_vertex(&g, 2);
    join(&g, hub[i % 2], u);
    join(&g, u, v);
    join(&g, v, hub[1 - i % 2]);
  }
  ck_assert_int_eq(search_briefly(&g, &q, hub[0]), MS_FOUND_NONE);
  join(&g, hub[0], g.n - 1); /* closes one triangle */
  join(&g, hub[0], g.n - 2);
  ck_assert_int_eq(search_briefly(&g, &q, hub[0]), MS_FOUND_MATCH);
}
END_TEST

TEST_MAIN("the search for one map", TEST(agrees_with_recount), TEST(twins_fail_once),
          TEST(conflicts_skip_other_parts))
