/* Patterns of 33 vertices and more on every CUDA engine, against the CPU's engine. */
#include "gpu/match/upload.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"
#include "tests/support/search/typed_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LARGE_CASES = 40,
  TYPED_CASES = 24,
  LEAST_P = 33,
  MOST_N = MS_MAX_PATTERN + 24,
  MOST_EDGES = 8 * MOST_N,
  MOST_ROWS = 400,      /* a case with more is drawn again */
  MOST_COUNT = 1 << 20, /* the same of counts */
  COLORS = 24
};

typedef struct edges {
  uint32_t count, edge[MOST_EDGES][2];
} edges;

/* A graph with a pattern that was cut out of it. */
typedef struct planted {
  uint32_t n, p, colors;
  bool directed, induced;
  edges graph, pattern;
  uint32_t color[MOST_N]; /* of the graph's vertices */
  uint32_t cut[MOST_N];   /* [p] the graph's vertices of the pattern's */
} planted;

static void join(edges *e, uint32_t u, uint32_t v)
{
  if (u == v || e->count == MOST_EDGES)
    return;
  for (uint32_t i = 0; i < e->count; i++)
    if ((e->edge[i][0] == u && e->edge[i][1] == v) || (e->edge[i][0] == v && e->edge[i][1] == u))
      return;
  e->edge[e->count][0] = u;
  e->edge[e->count++][1] = v;
}

/* Draws a connected graph: a tree whose vertices are mostly near each other, more edges, and now
 * and then a hub. */
static void draw_graph(planted *c, uint64_t *state)
{
  for (uint32_t v = 1; v < c->n; v++)
    join(&c->graph, v,
         v < 6 || random_below(state, 3) == 0 ? random_below(state, v)
                                              : v - 1 - random_below(state, 4));
  for (uint32_t more = c->n / 2 + random_below(state, 3 * c->n); more > 0; more--) {
    uint32_t u = random_below(state, c->n), v = random_below(state, c->n);
    join(&c->graph, u, random_below(state, 3) ? v : random_below(state, 2));
  }
  for (uint32_t v = 0; v < c->n; v++)
    c->color[v] = random_below(state, c->colors);
}

/* Cuts a connected part of p vertices out of the graph. */
static void draw_cut(planted *c, uint64_t *state)
{
  uint32_t place[MOST_N], count = 0;
  memset(place, 255, sizeof place);
  c->cut[count] = random_below(state, c->n);
  place[c->cut[count]] = count;
  for (count = 1; count < c->p;) {
    const uint32_t *e = c->graph.edge[random_below(state, c->graph.count)];
    bool from = place[e[0]] != UINT32_MAX, to = place[e[1]] != UINT32_MAX;
    if (from == to)
      continue;
    c->cut[count] = from ? e[1] : e[0];
    place[c->cut[count]] = count;
    count++;
  }
  for (uint32_t i = 0; i < c->graph.count; i++) {
    const uint32_t *e = c->graph.edge[i];
    bool dropped = !c->induced && random_below(state, 16) == 0;
    if (place[e[0]] != UINT32_MAX && place[e[1]] != UINT32_MAX && !dropped) {
      c->pattern.edge[c->pattern.count][0] = place[e[0]];
      c->pattern.edge[c->pattern.count++][1] = place[e[1]];
    }
  }
}

static void draw_planted(planted *c, uint64_t *state, uint32_t kind)
{
  *c = (planted){.induced = kind % 3 == 0, .directed = kind % 4 == 1};
  c->p = LEAST_P + random_below(state, MS_MAX_PATTERN - LEAST_P + 1);
  c->p = kind % 8 == 7 ? MS_MAX_PATTERN : c->p;
  c->n = c->p + random_below(state, 20);
  c->colors = 4 + random_below(state, COLORS - 4);
  draw_graph(c, state);
  draw_cut(c, state);
}

static void must_be(bool right, uint64_t seed, const char *what)
{
  ck_assert_msg(right, "%s, seed %llu: %s", engine->name, (unsigned long long)seed, what);
}

/* ---- results ------------------------------------------------------------------------ */

static uint32_t width;

static int by_row(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < width; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static bool same_rows(uint32_t *a, uint64_t rows_a, uint32_t *b, uint64_t rows_b, uint32_t p)
{
  width = p;
  if (rows_a != rows_b)
    return false;
  qsort(a, rows_a, p * sizeof *a, by_row);
  qsort(b, rows_b, p * sizeof *b, by_row);
  return memcmp(a, b, rows_a * p * sizeof *a) == 0;
}

/* ---- plain patterns, with colours --------------------------------------------------- */

typedef struct searched {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *pattern;
  ms_pattern_index *index;
} searched;

static void make_searched(const planted *c, searched *s)
{
  static char text[COLORS][8];
  const char *names[COLORS];
  uint32_t pairs[MOST_N][2];
  ms_error err;
  for (uint32_t i = 0; i < COLORS; i++) {
    snprintf(text[i], sizeof text[i], "c%u", i);
    names[i] = text[i];
  }
  for (uint32_t v = 0; v < c->n; v++) {
    pairs[v][0] = v;
    pairs[v][1] = c->color[v];
  }
  typedef const uint32_t(*view)[2];
  ck_ok((c->directed ? ms_graph_from_arcs : ms_graph_from_edges)(
      c->n, c->graph.count, (view)c->graph.edge, NULL, &s->graph, &err));
  ck_ok(ms_coloring_from_pairs(s->graph, c->n, (view)pairs, c->colors, names, &s->coloring, &err));
  ck_ok(ms_pattern_from_edges(c->p, c->pattern.count, (view)c->pattern.edge, c->directed, NULL,
                              &s->pattern, &err));
  for (uint32_t i = 0; i < c->p; i++)
    if (i % 5 > 0)
      ck_ok(ms_pattern_accept(s->pattern, i, names[c->color[c->cut[i]]], &err));
  ck_ok(ms_pattern_index_new(s->graph, s->coloring, 1, &s->index, &err));
}

static void free_searched(searched *s)
{
  ms_pattern_index_free(s->index);
  ms_pattern_free(s->pattern);
  ms_coloring_free(s->coloring);
  ms_graph_free(s->graph);
}

static ms_pattern_result *run(const planted *c, const searched *s, const char *by, bool count,
                              uint64_t limit, uint64_t memory)
{
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *result;
  ms_error err = {0};
  o.screen.run.engine = by;
  o.induced = c->induced;
  o.count_only = count;
  o.limit = count ? 0 : limit;
  o.screen.run.threads = 1;
  o.screen.run.memory = memory;
  if (ms_pattern_list(s->index, s->pattern, &o, &result, &err) != MS_OK)
    ck_abort_msg("%s, %u vertices: %s", by, c->p, err.message);
  return result;
}

/* Returns whether the case has few enough matches, which are compared. */
static bool compare(const planted *c, uint64_t seed)
{
  searched s;
  make_searched(c, &s);
  ms_pattern_result *by_cpu = run(c, &s, "cpu", false, MOST_ROWS, 0);
  bool few = by_cpu->run.stopped == MS_OK;
  must_be(by_cpu->matches > 0, seed, "the planted match is missing");
  for (int little = 0; few && little < 2; little++) {
    uint64_t memory = little ? (uint64_t)4 << 20 : 0;
    ms_gpu_match_free_kept();
    fake_most = 0;
    ms_pattern_result *rows = run(c, &s, engine->name, false, 0, memory),
                      *count = run(c, &s, engine->name, true, 0, memory);
    must_be(same_rows(by_cpu->vertices, by_cpu->matches, rows->vertices, rows->matches, c->p), seed,
            "other rows");
    must_be(strcmp(by_cpu->count_text, count->count_text) == 0, seed, "another count");
    must_be(!fake_cuda || !memory || fake_most <= memory * gpus, seed, "too much memory");
    ms_pattern_result_free(rows);
    ms_pattern_result_free(count);
  }
  ms_pattern_result_free(by_cpu);
  free_searched(&s);
  return few;
}

/* Coloured patterns of 33 to 64 vertices that were cut out of random graphs have the CPU engine's
 * matches and counts, within all memory and within 4 MB: 40 cases in four parts, a third of them
 * induced and a quarter directed. */
START_TEST(test_large_patterns)
{
  static planted c;
  uint32_t compared = 0, cases = 0;
  for (uint64_t seed = enter(_i); seed < scaled(LARGE_CASES); seed += 4, cases++) {
    uint64_t state = 77 + seed;
    bool few = false;
    for (int tries = 0; tries < 8 && !few; tries++) {
      draw_planted(&c, &state, (uint32_t)seed);
      vary(seed);
      gpus = fake_devices = 1; /* so that memory is that of one */
      few = compare(&c, seed);
    }
    compared += few;
  }
  ck_assert_uint_ge(4 * compared, 3 * cases);
}
END_TEST

/* ---- typed patterns ------------------------------------------------------------------ */

static ms_typed_result *match(const ms_typed_query *query, const char *by, bool induced, bool count,
                              uint64_t limit)
{
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_typed_result *result;
  ms_error err = {0};
  o.run.engine = by;
  o.induced = induced;
  o.count_only = count;
  o.limit = count ? 0 : limit;
  o.run.threads = 1;
  if (ms_typed_match(query, &o, &result, &err) != MS_OK)
    ck_abort_msg("%s: %s", by, err.message);
  return result;
}

static ms_typed_query *typed_query(const planted *c, ms_typed **graph, ms_typed_pattern **pattern)
{
  static const char *const kinds[] = {"A", "B", "C"}, *const types[] = {"s", "t", "r"};
  static typed_edge edge[MOST_EDGES];
  ms_type kind[MOST_N];
  ms_typed_query *query;
  ms_error err;
  char name[16];
  uint32_t place;
  for (uint32_t v = 0; v < c->n; v++)
    kind[v] = (ms_type)(c->color[v] % 3);
  for (uint32_t i = 0; i < c->graph.count; i++)
    edge[i] = (typed_edge){c->graph.edge[i][0], c->graph.edge[i][1],
                           (ms_type)((c->graph.edge[i][0] + c->graph.edge[i][1]) % 3)};
  *graph = typed_graph(c->n, c->graph.count, edge, kind);
  ck_ok(ms_typed_pattern_new("(test)", pattern, &err));
  for (uint32_t i = 0; i < c->p; i++) {
    snprintf(name, sizeof name, "p%u", i);
    const char *accepted = kinds[kind[c->cut[i]]];
    ck_ok(ms_typed_pattern_vertex(*pattern, name, strlen(name), &place, &err));
    ck_ok(ms_typed_pattern_accept(*pattern, place, accepted, strlen(accepted), &err));
  }
  for (uint32_t i = 0; i < c->pattern.count; i++) {
    const uint32_t *e = c->pattern.edge[i];
    const char *type = types[(c->cut[e[0]] + c->cut[e[1]]) % 3];
    ck_ok(ms_typed_pattern_join(*pattern, e[0], e[1], MS_WAY_ON, &err));
    ck_ok(ms_typed_pattern_accept_edge(*pattern, type, strlen(type), &err));
  }
  ck_ok(ms_typed_query_new(*graph, *pattern, &query, &err));
  return query;
}

static bool compare_typed(const planted *c, uint64_t seed)
{
  ms_typed *graph;
  ms_typed_pattern *pattern;
  ms_typed_query *query = typed_query(c, &graph, &pattern);
  ms_typed_result *by_cpu = match(query, "cpu", c->induced, false, MOST_ROWS);
  bool few = by_cpu->run.stopped == MS_OK;
  must_be(by_cpu->matches > 0, seed, "the planted match is missing");
  if (few) {
    ms_typed_result *rows = match(query, engine->name, c->induced, false, 0),
                    *count = match(query, engine->name, c->induced, true, 0);
    must_be(same_rows(by_cpu->vertices, by_cpu->matches, rows->vertices, rows->matches, c->p), seed,
            "other typed rows");
    must_be(by_cpu->matches == count->matches, seed, "another typed count");
    ms_typed_result_free(rows);
    ms_typed_result_free(count);
  }
  ms_typed_result_free(by_cpu);
  ms_typed_query_free(query);
  ms_typed_pattern_free(pattern);
  ms_typed_free(graph);
  return few;
}

/* The same for typed patterns with relations: 24 cases in two parts, a third of them induced. */
START_TEST(test_large_typed_patterns)
{
  static planted c;
  uint32_t compared = 0, cases = 0;
  for (uint64_t seed = enter(_i); seed < scaled(TYPED_CASES); seed += 2, cases++) {
    uint64_t state = 177 + seed;
    bool few = false;
    for (int tries = 0; tries < 8 && !few; tries++) {
      draw_planted(&c, &state, (uint32_t)seed);
      c.directed = false;
      vary(seed);
      few = compare_typed(&c, seed);
    }
    compared += few;
  }
  ms_gpu_match_free_kept();
  ck_assert_uint_ge(4 * compared, 3 * cases);
}
END_TEST

void add_large_tests(int number)
{
  add_test(number, test_large_patterns, 4);
  add_test(number, test_large_typed_patterns, 2);
}
