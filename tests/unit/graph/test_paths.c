/* Shortest paths of typed graphs against a plain search of the test's own: the length, each arc
 * under the mask, and the very path that the rule of graph/walk/paths.c names, by any number of
 * threads. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/philox.h"
#include "base/threads/threads.h"
#include "graph/walk/paths.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/typed_edge.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 64, MAX_M = 256 }; /* of random graphs */

static ms_error err;

static uint32_t draw(uint64_t seed, uint32_t number, uint32_t below)
{
  uint32_t out[4];
  const uint32_t counter[4] = {number, 0, 0, 7}, key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  ms_philox4x32(counter, key, out);
  return out[0] % below;
}

/* ---- graphs ---------------------------------------------------------------- */

/* Relations 0..symmetric - 1 are symmetric; then pairs of a directed one and its inverse. */
static ms_typed *make(uint32_t n, uint64_t m, const typed_edge *edge, uint32_t symmetric,
                      uint32_t directed)
{
  ms_typed_parts parts = {.names = NULL};
  uint32_t types = symmetric + 2 * directed, id;
  ms_typed *graph;
  char name[32];
  typed_add_edges(&parts, m, edge);
  ck_ok(ms_names_new(&parts.names, &err));
  ck_ok(ms_names_new(&parts.vertex_types, &err));
  ck_ok(ms_names_new(&parts.arc_types, &err));
  ck_ok(ms_names_add(parts.vertex_types, "untyped", 7, &id, &err));
  for (uint32_t v = 0; v < n; v++)
    ck_ok(ms_names_add(parts.names, name, (size_t)sprintf(name, "%u", v), &id, &err));
  parts.vertex_type = ms_calloc(n, sizeof *parts.vertex_type);
  parts.inverse = ms_alloc(types, sizeof *parts.inverse);
  parts.is_inverse = ms_calloc(types, sizeof *parts.is_inverse);
  ck_assert(parts.vertex_type && parts.inverse && parts.is_inverse);
  for (uint32_t t = 0; t < types; t++) {
    bool second = t >= symmetric && (t - symmetric) % 2;
    ck_ok(ms_names_add(parts.arc_types, name, (size_t)sprintf(name, "r%u", t), &id, &err));
    parts.inverse[t] = (ms_type)(t < symmetric ? t : second ? t - 1 : t + 1);
    parts.is_inverse[t] = second;
  }
  ck_ok(ms_typed_build(&parts, 1, &graph, &err));
  return graph;
}

/* Sparse to dense, with loops, repeats and vertices without edges. */
static ms_typed *make_random(uint64_t seed)
{
  static typed_edge edge[MAX_M];
  uint32_t n = 1 + draw(seed, 0, MAX_N), m = draw(seed, 1, 1 + (n * 4 < MAX_M ? n * 4 : MAX_M));
  uint32_t symmetric = draw(seed, 2, 4), directed = draw(seed, 3, 4) + (symmetric == 0);
  uint32_t used = 1 + draw(seed, 4, n);
  for (uint32_t e = 0; e < m; e++)
    edge[e] = (typed_edge){draw(seed, 5 + 3 * e, used), draw(seed, 6 + 3 * e, used),
                           (ms_type)draw(seed, 7 + 3 * e, symmetric + 2 * directed)};
  return make(n, m, edge, symmetric, directed);
}

/* ---- the plain search ------------------------------------------------------ */

typedef struct oracle {
  const ms_typed *graph;
  bool *follow;   /* [types] an arc v -> w of that type in the row of v may be followed */
  uint32_t *from; /* [n] distance from s, UINT32_MAX: none */
  uint32_t *to;   /* [n] distance to t */
  uint32_t *path; /* [n] */
  uint32_t length;
} oracle;

static oracle open_oracle(const ms_typed *graph, const ms_path_options *o)
{
  uint32_t n = graph->rows.n, types = ms_names_count(graph->arc_types);
  oracle plain = {.graph = graph,
                  .follow = calloc(types + 1, sizeof(bool)),
                  .from = malloc((n + 1) * sizeof(uint32_t)),
                  .to = malloc((n + 1) * sizeof(uint32_t)),
                  .path = malloc((n + 1) * sizeof(uint32_t))};
  for (uint32_t i = 0; o->types && i < o->n_types; i++)
    plain.follow[o->types[i]] = true;
  for (uint32_t t = 0; !o->types && t < types; t++)
    plain.follow[t] = graph->inverse[t] == t || !graph->is_inverse[t];
  for (uint32_t t = 0; o->both_ways && t < types; t++)
    if (plain.follow[t])
      plain.follow[graph->inverse[t]] = true;
  return plain;
}

static void close_oracle(oracle *plain)
{
  free(plain->follow);
  free(plain->from);
  free(plain->to);
  free(plain->path);
}

/* May one go from v to the neighbour of v's arc a (forth), or from that one to v (else)? */
static bool follows(const oracle *plain, uint64_t a, bool forth)
{
  ms_type type = plain->graph->rows.type[a];
  return plain->follow[forth ? type : plain->graph->inverse[type]];
}

static void flood(const oracle *plain, uint32_t begin, bool forth, uint32_t *distance)
{
  const ms_typed_rows *rows = &plain->graph->rows;
  uint32_t *queue = plain->path, head = 0, tail = 0;
  for (uint32_t v = 0; v < rows->n; v++)
    distance[v] = UINT32_MAX;
  distance[begin] = 0;
  for (queue[tail++] = begin; head < tail; head++)
    for (uint64_t a = rows->offset[queue[head]]; a < rows->offset[queue[head] + 1]; a++)
      if (follows(plain, a, forth) && distance[rows->neighbor[a]] == UINT32_MAX) {
        distance[rows->neighbor[a]] = distance[queue[head]] + 1;
        queue[tail++] = rows->neighbor[a];
      }
}

static uint64_t level_arcs(const oracle *plain, const uint32_t *distance, uint32_t level)
{
  const ms_typed_rows *rows = &plain->graph->rows;
  uint64_t arcs = 0;
  for (uint32_t v = 0; v < rows->n; v++)
    arcs += distance[v] == level ? rows->offset[v + 1] - rows->offset[v] : 0;
  return arcs;
}

/* The smallest vertex at that distance with an arc that is followed to v (forth) or from v. */
static uint32_t smallest(const oracle *plain, const uint32_t *distance, uint32_t level, uint32_t v,
                         bool forth)
{
  const ms_typed_rows *rows = &plain->graph->rows;
  for (uint32_t u = 0; u < rows->n; u++)
    for (uint64_t a = rows->offset[u]; distance[u] == level && a < rows->offset[u + 1]; a++)
      if (rows->neighbor[a] == v && follows(plain, a, forth))
        return u;
  return UINT32_MAX;
}

/* Length and path by the rule: sides take turns by the arcs of their last
 * levels, the crossing is the smallest, then the smallest of each level. */
static void solve(oracle *plain, uint32_t s, uint32_t t)
{
  const ms_typed_rows *rows = &plain->graph->rows;
  uint32_t a = 0, b = 0;
  flood(plain, t, false, plain->to);
  flood(plain, s, true, plain->from);
  plain->length = plain->from[t];
  plain->path[0] = s;
  if (plain->length == UINT32_MAX || plain->length == 0)
    return;
  bool forth = true;
  for (;;) {
    forth = level_arcs(plain, plain->from, a) <= level_arcs(plain, plain->to, b);
    if (a + b + 1 == plain->length)
      break;
    a += forth;
    b += !forth;
  }
  const uint32_t *mine = forth ? plain->from : plain->to, *theirs = forth ? plain->to : plain->from;
  uint32_t near = 0, far = UINT32_MAX;
  for (; far == UINT32_MAX; near += far == UINT32_MAX)
    for (uint64_t i = rows->offset[near];
         i < rows->offset[near + 1] && mine[near] == (forth ? a : b); i++)
      if (theirs[rows->neighbor[i]] == (forth ? b : a) && rows->neighbor[i] < far &&
          follows(plain, i, forth))
        far = rows->neighbor[i];
  plain->path[a] = forth ? near : far;
  plain->path[a + 1] = forth ? far : near;
  for (uint32_t i = a; i > 0; i--)
    plain->path[i - 1] = smallest(plain, plain->from, i - 1, plain->path[i], true);
  for (uint32_t i = a + 1; i < plain->length; i++)
    plain->path[i + 1] = smallest(plain, plain->to, plain->length - i - 1, plain->path[i], false);
}

/* ---- comparing ------------------------------------------------------------- */

/* The path, and of each arc that it is there, allowed, and of the smallest such type. */
static void check_path(const oracle *plain, const ms_path_options *o, const ms_typed_path *path)
{
  const ms_typed_rows *rows = &plain->graph->rows;
  ck_assert_int_eq(path->stopped, MS_OK);
  if (plain->length == UINT32_MAX || (o->max_length && plain->length > o->max_length)) {
    ck_assert_uint_eq(path->length, MS_NO_PATH);
    ck_assert(!path->vertices && !path->types);
    return;
  }
  ck_assert_uint_eq(path->length, plain->length);
  for (uint32_t i = 0; i < path->length; i++) {
    uint32_t v = path->vertices[i], least = UINT32_MAX;
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++)
      if (rows->neighbor[a] == path->vertices[i + 1] && plain->follow[rows->type[a]] &&
          rows->type[a] < least)
        least = rows->type[a];
    ck_assert_uint_eq(path->types[i], least);
  }
  ck_assert_mem_eq(path->vertices, plain->path, (path->length + 1) * sizeof *plain->path);
}

/* Threads within a search, and whether its levels go by them. */
static const struct setting {
  int threads;
  bool wide;
} settings[] = {{1, false}, {2, true}, {4, true}, {2, false}};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void put_setting(uint32_t i, ms_path_options *o)
{
  ms_hooks.work_for_threads = settings[i].wide ? 0 : ms_hooks_default.work_for_threads;
  o->run.threads = settings[i].threads;
}

static void drop_setting(void)
{
  ms_hooks = ms_hooks_default;
}

typedef struct listener {
  oracle *plain;
  const ms_path_options *options;
  const uint32_t (*pairs)[2];
  uint64_t next;
} listener;

static bool listen(void *user, uint64_t pair, const ms_typed_path *path)
{
  listener *l = user;
  ck_assert_uint_eq(pair, l->next);
  solve(l->plain, l->pairs[pair][0], l->pairs[pair][1]);
  check_path(l->plain, l->options, path);
  l->next++;
  return true;
}

/* Every pair one by one, by one state that is used again, and all at once. */
static void check_pairs(const ms_typed *graph, ms_path_options *o, uint64_t count,
                        const uint32_t (*pairs)[2], uint32_t setting)
{
  oracle plain = open_oracle(graph, o);
  listener all = {&plain, o, pairs, 0};
  ms_path_summary summary;
  ms_typed_paths *paths;
  uint64_t found = 0;
  put_setting(setting, o);
  ck_ok(ms_typed_paths_new(graph, o, &paths, &err));
  for (uint64_t i = 0; i < count; i++) {
    ms_typed_path path;
    ck_ok(ms_typed_paths_find(paths, pairs[i][0], pairs[i][1], &path, &err));
    solve(&plain, pairs[i][0], pairs[i][1]);
    check_path(&plain, o, &path);
    found += path.length != MS_NO_PATH;
  }
  uint64_t visits = paths->visits;
  ms_typed_paths_free(paths);
  ck_ok(ms_typed_path_pairs(graph, o, count, pairs, listen, &all, &summary, &err));
  ck_assert_uint_eq(summary.run.work.visits, visits);
  ck_assert_uint_eq(all.next, count);
  ck_assert_uint_eq(summary.pairs, count);
  ck_assert_uint_eq(summary.found, found);
  ck_assert_int_eq(summary.run.stopped, MS_OK);
  drop_setting();
  close_oracle(&plain);
}

/* Lengths and paths are those of a plain search, pair by pair and all at once: 12 pairs in each of
 * 1,600 random graphs of up to 64 vertices, with random types, directions, limits and threads. */
START_TEST(paths_are_those_of_a_plain_search)
{
  uint64_t cases = scaled(1600);
  for (uint64_t seed = 0; seed < cases; seed++) {
    ms_typed *graph = make_random(seed);
    uint32_t n = graph->rows.n, types = ms_names_count(graph->arc_types), mask[16], pairs[12][2];
    ms_path_options o = {.size = sizeof(ms_path_options),
                         .both_ways = draw(seed, 2000, 3) == 0,
                         .max_length = draw(seed, 2001, 4) ? 0 : 1 + draw(seed, 2002, 5)};
    if (draw(seed, 2003, 3)) {
      o.types = mask;
      for (uint32_t t = 0; t < types; t++)
        if (draw(seed, 2010 + t, 4))
          mask[o.n_types++] = t;
    }
    for (uint32_t i = 0; i < 12; i++) {
      pairs[i][0] = draw(seed, 2100 + i, n);
      pairs[i][1] = draw(seed, 2200 + i, n);
    }
    ck_ok(validate_typed(graph, &err));
    check_pairs(graph, &o, 12, (const uint32_t(*)[2])pairs, seed % 8 < 4 ? 0 : seed % 4);
    ms_typed_free(graph);
  }
}
END_TEST

/* ---- shapes ---------------------------------------------------------------- */

/* Often enough that threads share the pairs, too. */
static void check_shape(ms_typed *graph, const uint32_t (*pairs)[2], uint64_t count)
{
  uint32_t often[15][2];
  for (uint32_t i = 0; i < 15; i++)
    memcpy(often[i], pairs[i % count], sizeof *often);
  for (uint32_t i = 0; i < SETTINGS; i++)
    for (int both = 0; both < 2; both++) {
      ms_path_options o = {.size = sizeof(ms_path_options), .both_ways = both};
      check_pairs(graph, &o, 15, (const uint32_t(*)[2])often, i);
    }
  ms_typed_free(graph);
}

/* The same in a chain of 300 vertices whose edges point one way: five pairs in four settings of
 * threads. */
START_TEST(chains)
{
  enum { N = 300 };
  static typed_edge edge[N - 1];
  static const uint32_t pairs[][2] = {{0, N - 1}, {N - 1, 0}, {50, 250}, {5, 5}, {250, 50}};
  for (uint32_t e = 0; e + 1 < N; e++)
    edge[e] = (typed_edge){e, e + 1, 0};
  check_shape(make(N, N - 1, edge, 0, 1), pairs, 5);
}
END_TEST

/* The same in a star of 6,000 leaves and in two stars joined at their leaves, where a level has
 * thousands of vertices: five pairs each. */
START_TEST(stars)
{
  enum { LEAVES = 6000, N = LEAVES + 2 };
  static typed_edge edge[2 * LEAVES];
  static const uint32_t pairs[][2] = {{0, N - 1}, {1, 2}, {N - 1, 0}, {77, N - 1}, {LEAVES, 1}};
  for (uint32_t e = 0; e < LEAVES; e++) {
    edge[e] = (typed_edge){0, LEAVES - e, 0};
    edge[LEAVES + e] = (typed_edge){e + 1, N - 1, 1};
  }
  check_shape(make(N, LEAVES, edge, 2, 0), pairs, 5);
  check_shape(make(N, 2 * LEAVES, edge, 2, 0), pairs, 5);
}
END_TEST

/* The same in a ladder of 60 rungs with two types and rails in both directions: five pairs. */
START_TEST(ladders)
{
  enum { STEPS = 60 };
  static typed_edge edge[3 * STEPS];
  static const uint32_t pairs[][2] = {
      {0, 2 * STEPS - 1}, {2 * STEPS - 1, 0}, {1, 2 * STEPS - 2}, {20, 81}, {81, 20}};
  uint32_t m = 0;
  for (uint32_t i = 0; i < STEPS; i++) {
    edge[m++] = (typed_edge){2 * i, 2 * i + 1, 0};
    if (i + 1 < STEPS) {
      edge[m++] = (typed_edge){2 * i, 2 * i + 2, 1};
      edge[m++] = (typed_edge){2 * i + 3, 2 * i + 1, 1};
    }
  }
  check_shape(make(2 * STEPS, m, edge, 1, 1), pairs, 5);
}
END_TEST

/* Two crowds that one arc joins: levels of all sizes before the searches meet,
 * and so each way to sort them. */
static ms_typed *make_crowds(uint32_t n, uint32_t degree)
{
  uint64_t m = (uint64_t)n * degree, e = 0;
  typed_edge *edge = malloc((m + 1) * sizeof *edge);
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t d = 0; d < degree; d++) {
      uint32_t half = v < n / 2 ? 0 : n / 2, w = half + draw(degree, v * degree + d, n / 2);
      edge[e++] = (typed_edge){v, w, (ms_type)(d % 3)};
    }
  edge[e++] = (typed_edge){n / 4, n - n / 4, 0};
  ms_typed *graph = make(n, e, edge, 3, 0);
  free(edge);
  return graph;
}

/* The same in two crowds of 4,000 vertices together that one arc joins, dense and sparse, so that
 * levels of all sizes are sorted in each way: five pairs each. */
START_TEST(crowds)
{
  static const uint32_t pairs[][2] = {{0, 3999}, {3999, 0}, {17, 1900}, {2500, 3000}, {1, 3000}};
  check_shape(make_crowds(4000, 12), pairs, 5);
  check_shape(make_crowds(4000, 2), pairs, 5);
}
END_TEST

/* The same in crowds of 90,000 vertices, whose levels are short for bits and long for insertion and
 * so are sorted by digits: five pairs. */
START_TEST(large_graphs)
{
  static const uint32_t pairs[][2] = {{0, 89999}, {17, 60000}, {50000, 2}, {70000, 46000}, {9, 1}};
  ms_typed *graph = make_crowds(90000, 2);
  for (uint32_t i = 0; i < SETTINGS; i += 2) {
    ms_path_options o = {.size = sizeof(ms_path_options)};
    check_pairs(graph, &o, 5, pairs, i);
  }
  ms_typed_free(graph);
}
END_TEST

/* Searches use wide levels exactly in the settings that the tests above expect to, and visit as
 * many vertices in each: four settings. */
START_TEST(levels_are_wide_where_threads_have_work)
{
  ms_typed *graph = make_crowds(4000, 12);
  uint64_t visits = 0;
  for (uint32_t i = 0; i < SETTINGS; i++) {
    ms_path_options o = {.size = sizeof(ms_path_options)};
    ms_typed_path path;
    ms_typed_paths *paths;
    put_setting(i, &o);
    ck_ok(ms_typed_paths_new(graph, &o, &paths, &err));
    ck_ok(ms_typed_paths_find(paths, 0, 3999, &path, &err));
    ck_assert_int_eq(paths->wide_levels > 0, settings[i].wide);
    visits = i ? visits : paths->visits;
    ck_assert_uint_gt(visits, 4000 / 12);
    ck_assert_uint_eq(paths->visits, visits);
    ms_typed_paths_free(paths);
  }
  drop_setting();
  ms_typed_free(graph);
}
END_TEST

/* A mask of types allows arcs forward, back, and by the inverse named alone, within a length:
 * eleven queries on three vertices. */
START_TEST(types_and_their_inverses)
{
  static const typed_edge edge[] = {{0, 1, 0}, {1, 2, 0}, {2, 2, 0}, {0, 1, 0}, {0, 2, 2}};
  ms_typed *graph = make(3, 5, edge, 0, 2);
  static const uint32_t r0[] = {0}, back[] = {1}, all[] = {0, 1, 2, 3};
  static const struct {
    ms_path_options o;
    uint32_t s, t, length, type;
  } cases[] = {
      {{0}, 0, 2, 1, 2},
      {{.types = r0, .n_types = 1}, 0, 2, 2, 0},
      {{.types = r0, .n_types = 1}, 2, 0, MS_NO_PATH, 0},
      {{.types = back, .n_types = 1}, 2, 0, 2, 1},
      {{.types = back, .n_types = 1}, 0, 2, MS_NO_PATH, 0},
      {{.types = r0, .n_types = 1, .both_ways = true}, 2, 0, 2, 1},
      {{.types = r0, .n_types = 0}, 0, 2, MS_NO_PATH, 0},
      {{.types = r0, .n_types = 0}, 2, 2, 0, 0},
      {{.types = all, .n_types = 4}, 2, 0, 1, 3},
      {{.types = r0, .n_types = 1, .max_length = 1}, 0, 2, MS_NO_PATH, 0},
      {{.types = r0, .n_types = 1, .max_length = 2}, 0, 2, 2, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_typed_path path;
    ms_typed_paths *paths;
    ms_path_options o = cases[i].o;
    o.size = sizeof o;
    ck_ok(ms_typed_paths_new(graph, &o, &paths, &err));
    ck_ok(ms_typed_paths_find(paths, cases[i].s, cases[i].t, &path, &err));
    ck_assert_uint_eq(path.length, cases[i].length);
    if (path.length && path.length != MS_NO_PATH)
      ck_assert_uint_eq(path.types[0], cases[i].type);
    ms_typed_paths_free(paths);
  }
  ms_typed_free(graph);
}
END_TEST

/* ---- what goes wrong ------------------------------------------------------- */

typedef struct counter {
  uint64_t delivered, last;
} counter;

static bool count_delivered(void *user, uint64_t pair, const ms_typed_path *path)
{
  counter *c = user;
  (void)path;
  ck_assert_uint_eq(pair, c->delivered);
  return ++c->delivered != c->last;
}

/* An unknown type, a vertex that is not there and a pair with one are refused, and the search can
 * be used afterwards. */
START_TEST(what_makes_no_sense_is_refused)
{
  static const typed_edge edge[] = {{0, 1, 0}};
  static const uint32_t bad_type[] = {1}, pairs[][2] = {{0, 1}, {1, 2}};
  ms_typed *graph = make(2, 1, edge, 1, 0);
  ms_path_options o = {.size = sizeof(ms_path_options), .types = bad_type, .n_types = 1};
  ms_typed_path path;
  ms_typed_paths *paths;
  counter c = {0, UINT64_MAX};
  ck_assert_int_eq(ms_typed_paths_new(graph, &o, &paths, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(paths);
  ck_ok(ms_typed_paths_new(graph, NULL, &paths, &err));
  ck_assert_int_eq(ms_typed_paths_find(paths, 0, 2, &path, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_typed_paths_find(paths, 2, 0, &path, &err), MS_ERR_USAGE);
  ck_assert_uint_eq(path.length, MS_NO_PATH);
  ck_ok(ms_typed_paths_find(paths, 0, 1, &path, &err));
  ck_assert_uint_eq(path.length, 1);
  ms_typed_paths_free(paths);
  ck_assert_int_eq(ms_typed_path_pairs(graph, NULL, 2, pairs, count_delivered, &c, NULL, &err),
                   MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "pair 1"));
  ck_assert_uint_eq(c.delivered, 0);
  ms_typed_free(graph);
}
END_TEST

/* Searches of one pair and of 200 end at a deadline or at the caller's request with what was
 * delivered by then, and leave nothing to the next search: four settings of threads. */
START_TEST(searches_stop)
{
  ms_typed *graph = make_crowds(2000, 4);
  static uint32_t pairs[200][2];
  ms_stop *stop;
  ck_ok(ms_stop_new(&stop, &err));
  for (uint32_t i = 0; i < 200; i++) {
    pairs[i][0] = draw(1, i, 2000);
    pairs[i][1] = (pairs[i][0] + 1) % 2000;
  }
  for (uint32_t i = 0; i < SETTINGS; i++) {
    ms_path_options o = {.size = sizeof(ms_path_options), .run.stop = stop};
    ms_path_summary summary;
    ms_typed_path path;
    ms_typed_paths *paths;
    counter c = {0, 0};
    put_setting(i, &o);
    /* among the first pairs, among those that threads share, and by none */
    for (uint64_t last = 3; last < 600; last = 8 * last + 6) {
      c = (counter){0, last};
      ck_ok(ms_typed_path_pairs(graph, &o, 200, (const uint32_t(*)[2])pairs, count_delivered, &c,
                                &summary, &err));
      ck_assert_uint_eq(c.delivered, last < 200 ? last : 200);
      ck_assert_uint_eq(summary.pairs, c.delivered);
      ck_assert_int_eq(summary.run.stopped, last < 200 ? MS_ERR_INTERRUPTED : MS_OK);
    }
    ck_ok(ms_typed_paths_new(graph, &o, &paths, &err));
    ms_stop_after(stop, 1e-9);
    ck_ok(ms_typed_paths_find(paths, 0, 1999, &path, &err));
    ck_assert_int_eq(path.stopped, MS_ERR_LIMIT);
    ck_assert_uint_eq(path.length, MS_NO_PATH);
    c = (counter){0, 0};
    ck_ok(ms_typed_path_pairs(graph, &o, 200, (const uint32_t(*)[2])pairs, count_delivered, &c,
                              &summary, &err));
    ck_assert_uint_eq(c.delivered, 0);
    ck_assert_int_eq(summary.run.stopped, MS_ERR_LIMIT);
    ms_stop_after(stop, 0);
    /* nothing of the search that was stopped is left */
    ck_ok(ms_typed_paths_find(paths, 0, 1999, &path, &err));
    ck_assert_int_eq(path.stopped, MS_OK);
    ck_assert_uint_ne(path.length, MS_NO_PATH);
    ms_typed_paths_free(paths);
  }
  drop_setting();
  ms_stop_free(stop);
  ms_typed_free(graph);
}
END_TEST

/* A chain: levels, and paths that threads keep, ask for memory on the way. */
enum { CHAIN = 300 };

static ms_typed *make_chain(void)
{
  static typed_edge edge[CHAIN - 1];
  for (uint32_t e = 0; e + 1 < CHAIN; e++)
    edge[e] = (typed_edge){e, e + 1, 0};
  return make(CHAIN, CHAIN - 1, edge, 0, 1);
}

static bool ignore(void *user, uint64_t pair, const ms_typed_path *path)
{
  (void)user;
  (void)pair;
  (void)path;
  return true;
}

static ms_status find_poorly(void *user, ms_error *e)
{
  ms_path_options o = {.size = sizeof(ms_path_options), .run.threads = 1, .both_ways = true};
  ms_typed_path path;
  ms_typed_paths *paths;
  ms_status status = ms_typed_paths_new(user, &o, &paths, e);
  if (status == MS_OK)
    status = ms_typed_paths_find(paths, 0, CHAIN - 1, &path, e);
  ms_typed_paths_free(paths);
  return status;
}

static ms_status find_pairs_poorly(const ms_typed *graph, int threads, ms_error *e)
{
  uint32_t pairs[40][2];
  ms_path_options o = {.size = sizeof(ms_path_options), .run.threads = threads, .both_ways = true};
  for (uint32_t i = 0; i < 40; i++) {
    pairs[i][0] = i;
    pairs[i][1] = CHAIN - 1 - i;
  }
  return ms_typed_path_pairs(graph, &o, 40, (const uint32_t(*)[2])pairs, ignore, NULL, NULL, e);
}

static ms_status find_pairs_alone(void *user, ms_error *e)
{
  return find_pairs_poorly(user, 1, e);
}

/* Whichever allocation fails in a search of one pair or of several, the call reports it and leaks
 * no block: a chain of 300 vertices. */
START_TEST(every_allocation_may_fail)
{
  ms_typed *graph = make_chain();
  ck_assert_int_gt(failing_runs(find_poorly, graph), 10);
  ck_assert_int_gt(failing_runs(find_pairs_alone, graph), 12);
  ms_typed_free(graph);
}
END_TEST

/* The same where two threads share the pairs and ask in any order. */
START_TEST(memory_may_fail_any_thread)
{
  ms_typed *graph = make_chain();
  meter m = {.fail_at = 1};
  ms_status status = MS_ERR_MEMORY;
  ms_hooks.work_for_threads = 0;
  for (; status != MS_OK; m.fail_at++) {
    meter_start(&m);
    status = find_pairs_poorly(graph, 2, &err);
    meter_stop();
    ck_assert_int_eq(m.live, 0);
    ck_assert(status == MS_OK || status == MS_ERR_MEMORY);
    ck_assert_int_eq(status == MS_OK, !meter_has_failed(&m));
  }
  ck_assert_int_gt(m.fail_at, 24);
  drop_setting();
  ms_typed_free(graph);
}
END_TEST

int main(void)
{
  return RUN_TESTS("paths", TEST(paths_are_those_of_a_plain_search), TEST(chains), TEST(stars),
                   TEST(ladders), TEST(crowds), TEST(large_graphs),
                   TEST(levels_are_wide_where_threads_have_work), TEST(types_and_their_inverses),
                   TEST(what_makes_no_sense_is_refused), TEST(searches_stop),
                   TEST(every_allocation_may_fail), TEST(memory_may_fail_any_thread));
}
