/* Three algorithms for components against a union-find, and traversals with visitors (graph/walk/)
 * against plain searches. */
#include "graph/walk/components.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "graph/graph.h"
#include "graph/walk/traverse.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/results/rows.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static ms_error err;
static const int thread_counts[] = {1, 2, 4};
static const char *const names[] = {"afforest", "kahan", "bully"};

static void *array(size_t count, size_t size)
{
  void *block = ms_calloc(count + 1, size);
  ck_assert_ptr_nonnull(block);
  return block;
}

/* ---- components --------------------------------------------------------------- */

static uint32_t find(uint32_t *parent, uint32_t v)
{
  for (; parent[v] != v; v = parent[v])
    parent[v] = parent[parent[v]];
  return v;
}

/* want[n] by smallest vertex; their number. */
static uint32_t plain_components(const rows *r, uint32_t *want)
{
  uint32_t *parent = array(r->n, sizeof *parent), count = 0;
  for (uint32_t v = 0; v < r->n; v++)
    parent[v] = v;
  for (uint32_t v = 0; v < r->n; v++)
    for (uint64_t a = r->offset[v]; a < r->offset[v + 1]; a++) {
      uint32_t x = find(parent, v), y = find(parent, r->neighbor[a]);
      parent[x > y ? x : y] = x > y ? y : x;
    }
  for (uint32_t v = 0; v < r->n; v++)
    want[v] = find(parent, v) == v ? count++ : want[find(parent, v)];
  ms_free(parent);
  return count;
}

static void check_rows(const rows *r, const int *threads, size_t n_threads, const char *what,
                       uint64_t seed)
{
  uint32_t *want = array(r->n, sizeof *want), *got = array(r->n, sizeof *got), counted;
  uint32_t count = plain_components(r, want);
  for (size_t a = 0; a < COUNT(names); a++)
    for (size_t t = 0; t < n_threads; t++) {
      memset(got, 0xaa, r->n * sizeof *got);
      ck_ok(ms_components_by((ms_components_algorithm)a, r->n, r->offset, r->neighbor, threads[t],
                             got, &counted, &err));
      ck_assert_msg(counted == count && memcmp(got, want, r->n * sizeof *got) == 0,
                    "%s, %u vertices, seed %llu, %s, %d threads: %u components instead of %u, or "
                    "other vertices",
                    what, r->n, (unsigned long long)seed, names[a], threads[t], counted, count);
    }
  ms_free(want);
  ms_free(got);
}

/* Small ones mostly; now and then one with rows that threads share. */
static void make_case(uint64_t seed, rows *r)
{
  uint64_t state = seed;
  rows_shape shape = (rows_shape)(seed % ROWS_SHAPES);
  uint32_t limit = seed % 97 == 0 ? 4000 : seed % 7 == 0 ? 400 : 40;
  rows_make(shape, (uint32_t)(random_next(&state) % limit), seed, seed / ROWS_SHAPES % 2, r);
}

/* The three algorithms number components as a union-find does: 5,000 random graphs of up to 4,000
 * vertices in eleven shapes, by 1, 2 or 4 threads. */
START_TEST(random_graphs)
{
  static const int threads[] = {1, 2, 1, 4, 1, 2};
  ms_hooks.work_for_threads = 0;
  for (uint32_t seed = 0; seed < scaled(5000); seed++) {
    rows r;
    make_case(seed, &r);
    check_rows(&r, threads + seed % COUNT(threads), 1, "random", seed);
    rows_free(&r);
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* The same for seven shapes of 100,000 vertices, in order and shuffled, by 1, 2 and 4 threads. */
START_TEST(long_chains_and_large_stars)
{
  static const rows_shape shapes[] = {ROWS_CHAIN, ROWS_CHAINS,   ROWS_LADDER, ROWS_STAR,
                                      ROWS_HUBS,  ROWS_ISOLATED, ROWS_CLIQUES};
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (int shuffled = 0; shuffled < 2; shuffled++) {
      rows r;
      rows_make(shapes[i], 100000, i, shuffled, &r);
      check_rows(&r, thread_counts, COUNT(thread_counts), "large", i);
      rows_free(&r);
    }
}
END_TEST

/* The same for a chain of 5,000 vertices, in order and shuffled, where even rounds of one vertex
 * are shared by all threads. */
START_TEST(chains_by_threads)
{
  rows r;
  rows_make(ROWS_CHAIN, 5000, 1, _i, &r);
  ms_hooks.work_for_threads = 0;
  check_rows(&r, thread_counts, COUNT(thread_counts), "chain", 0);
  ms_hooks = ms_hooks_default;
  rows_free(&r);
}
END_TEST

/* The same for a chain of 250,000 vertices behind 75,000 pairs, where thousands of searches start
 * at once: their pairs are more than a set has room for, and the weakest search must not be taken
 * over by one neighbour after another. */
START_TEST(many_searches_in_one_chain)
{
  enum { N = 400000, CHAIN = 250000 };
  rows r = {.n = N};
  r.offset = array(N + 1, sizeof *r.offset);
  r.neighbor = array(4 * N, sizeof *r.neighbor);
  uint64_t arcs = 0;
  /* first pairs of vertices, of higher degrees, so that searches start there first */
  for (uint32_t v = 0; v < N; v++) {
    r.offset[v] = arcs;
    if (v < N - CHAIN) {
      r.neighbor[arcs++] = v;
      r.neighbor[arcs++] = v;
      r.neighbor[arcs++] = v ^ 1;
      r.neighbor[arcs++] = v ^ 1;
      continue;
    }
    /* place p has vertex p ^ 1: were they in order, one round from the first to the last vertex
     * would take the strongest search all the way */
    uint32_t place = v ^ 1;
    if (place > N - CHAIN)
      r.neighbor[arcs++] = (place - 1) ^ 1;
    if (place + 1 < N)
      r.neighbor[arcs++] = (place + 1) ^ 1;
  }
  r.offset[N] = arcs;
  check_rows(&r, thread_counts, 2, "chain behind pairs", 0);
  ms_free(r.offset);
  ms_free(r.neighbor);
}
END_TEST

/* The same for STRING's yeast network at three score limits, above the last of which it falls
 * apart. */
START_TEST(a_real_graph)
{
  const char *path = files_data("yeast/4932.protein.physical.links.v12.0.txt.gz");
  if (!path) {
    printf("SKIPPED: components of a real graph: no yeast/4932.protein.physical.links.v12.0.txt.gz "
           "(MOTIFSIEVE_DATA)\n");
    return;
  }
  /* above 990 it falls apart */
  for (int score = 150; score <= 990; score += 420) {
    ms_graph *graph;
    ms_graph_options options = {.size = sizeof(ms_graph_options), .min_score = score};
    ck_ok(ms_graph_read(path, &options, &graph, &err));
    rows r = {graph->n, graph->offset, graph->neighbor};
    check_rows(&r, thread_counts, COUNT(thread_counts), path, (uint64_t)score);
    uint32_t *component = array(graph->n, sizeof *component), count, same;
    ck_ok(ms_graph_components(graph, MS_COMPONENTS_BULLY, 0, component, &count, &err));
    ck_ok(ms_graph_components(graph, MS_COMPONENTS_AFFOREST, 0, component, &same, &err));
    ck_assert(count == same && count > 0);
    ms_free(component);
    ms_graph_free(graph);
  }
}
END_TEST

static const rows *failing_rows;

static ms_status find_components(void *user, ms_error *e)
{
  uint32_t component[500], count;
  const rows *r = failing_rows;
  return ms_components_by(*(ms_components_algorithm *)user, r->n, r->offset, r->neighbor, 2,
                          component, &count, e);
}

/* Whichever allocation fails, each of the three algorithms reports it and leaks no block: 500
 * vertices, two threads. */
START_TEST(allocations_fail)
{
  rows r;
  ms_components_algorithm algorithm = (ms_components_algorithm)_i;
  rows_make(ROWS_ISOLATED, 500, 3, 1, &r);
  failing_rows = &r;
  ms_hooks.work_for_threads = 0;
  ck_assert_int_ge(failing_runs(find_components, &algorithm), _i ? 7 : 2);
  ms_hooks = ms_hooks_default;
  rows_free(&r);
}
END_TEST

/* An unknown algorithm is refused with no components, and a graph without vertices has none. */
START_TEST(there_is_no_such_algorithm)
{
  uint64_t offset[2] = {0, 0};
  uint32_t component[1] = {0}, count = 7;
  ck_assert_int_eq(ms_components_by((ms_components_algorithm)3, 1, offset, component, 1, component,
                                    &count, &err),
                   MS_ERR_USAGE);
  ck_assert_uint_eq(count, 0);
  ck_ok(ms_components_by(MS_COMPONENTS_KAHAN, 0, offset, component, 1, component, &count, &err));
  ck_assert_uint_eq(count, 0);
}
END_TEST

/* ---- visitors ------------------------------------------------------------------ */

#define NONE UINT32_MAX

/* What a walk has called, and what it may go by. */
typedef struct record {
  const rows *r;
  uint32_t *discovered;   /* [n] times */
  uint32_t *parent;       /* [n] of the last tree edge */
  uint32_t *taken;        /* [n] tree edges to it */
  uint32_t *tree, *other; /* [arcs] times */
  uint32_t *asked;        /* [n] times that the test was asked about it */
  int32_t *budget;        /* [n] times that the test may still say yes */
  uint64_t *distance;     /* [n] */
  uint64_t wrong;         /* calls that should not have come */
  uint32_t *starts;       /* [n] times that a walk started there */
} record;

static void record_make(const rows *r, record *c)
{
  uint64_t arcs = r->offset[r->n];
  *c = (record){.r = r,
                .discovered = array(r->n, sizeof *c->discovered),
                .parent = array(r->n, sizeof *c->parent),
                .taken = array(r->n, sizeof *c->taken),
                .tree = array(arcs, sizeof *c->tree),
                .other = array(arcs, sizeof *c->other),
                .asked = array(r->n, sizeof *c->asked),
                .budget = array(r->n, sizeof *c->budget),
                .distance = array(r->n, sizeof *c->distance),
                .starts = array(r->n, sizeof *c->starts)};
  memset(c->parent, 0xff, r->n * sizeof *c->parent);
  memset(c->distance, 0xff, r->n * sizeof *c->distance);
}

static void record_free(record *c)
{
  void *blocks[] = {c->discovered, c->parent, c->taken,    c->tree,  c->other,
                    c->asked,      c->budget, c->distance, c->starts};
  for (size_t i = 0; i < COUNT(blocks); i++)
    ms_free(blocks[i]);
}

#define MORE(counter) __atomic_add_fetch(&(counter), 1, __ATOMIC_RELAXED)
#define NOW(value) __atomic_load_n(&(value), __ATOMIC_RELAXED)

static void discover(void *state, uint32_t v)
{
  record *c = state;
  MORE(c->discovered[v]);
  if (!c->starts[v] && NOW(c->taken[v]) == 0)
    MORE(c->wrong); /* its tree edge comes first */
}

static void check_arc(record *c, uint32_t v, uint32_t w, uint64_t arc)
{
  if (arc < c->r->offset[v] || arc >= c->r->offset[v + 1] || c->r->neighbor[arc] != w)
    MORE(c->wrong);
}

static void tree_edge(void *state, uint32_t v, uint32_t w, uint64_t arc)
{
  record *c = state;
  check_arc(c, v, w, arc);
  MORE(c->taken[w]);
  MORE(c->tree[arc]);
  __atomic_store_n(c->parent + w, v, __ATOMIC_RELAXED);
}

static void other_edge(void *state, uint32_t v, uint32_t w, uint64_t arc)
{
  record *c = state;
  check_arc(c, v, w, arc);
  MORE(c->other[arc]);
}

/* AND: some vertices are kept out. */
static bool is_open(const rows *r, uint32_t v)
{
  return (v * UINT32_C(2654435761) ^ r->n) >> 29 != 0;
}

static bool open_test(void *state, uint32_t v, uint32_t w, uint64_t arc)
{
  record *c = state;
  check_arc(c, v, w, arc);
  MORE(c->asked[w]);
  return is_open(c->r, w);
}

/* OR: yes, so often. */
static bool budget_test(void *state, uint32_t v, uint32_t w, uint64_t arc)
{
  record *c = state;
  check_arc(c, v, w, arc);
  MORE(c->asked[w]);
  return __atomic_sub_fetch(c->budget + w, 1, __ATOMIC_RELAXED) >= 0;
}

/* REPLACE: a shorter way. */
static uint64_t length(uint32_t v, uint32_t w)
{
  return 1 + (v ^ w) * UINT32_C(2654435761) % 1000;
}

static bool distance_test(void *state, uint32_t v, uint32_t w, uint64_t arc)
{
  record *c = state;
  uint64_t way = NOW(c->distance[v]) + length(v, w), now = NOW(c->distance[w]);
  (void)arc;
  while (way < now)
    if (__atomic_compare_exchange_n(c->distance + w, &now, way, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return true;
  return false;
}

static const ms_visitor visitors[] = {
    {MS_VISIT_AND, discover, NULL, tree_edge, other_edge},
    {MS_VISIT_AND, discover, open_test, tree_edge, other_edge},
    {MS_VISIT_OR, discover, budget_test, tree_edge, other_edge},
    {MS_VISIT_REPLACE, discover, distance_test, tree_edge, other_edge},
};

#define VISIT(i)                                                                                   \
  static void visit_##i(ms_traversal *t, void *user, int thread, int threads)                      \
  {                                                                                                \
    ms_traverse_round(t, &visitors[i], user, thread, threads);                                     \
  }
VISIT(0)
VISIT(1)
VISIT(2)
VISIT(3)
static ms_traverse_fn *const visits[] = {visit_0, visit_1, visit_2, visit_3};

/* From one source, then from another one, by visitors[which]. */
static void walk(const rows *r, record *c, int which, const uint32_t sources[2], int threads)
{
  ms_traversal t;
  ms_visits starts;
  ck_ok(ms_traversal_open(r->n, r->offset, r->neighbor, threads, &t, &err));
  for (int i = 0; i < 2; i++) {
    uint32_t s = sources[i];
    bool starts_now = visitors[which].rule != MS_VISIT_AND || c->discovered[s] == 0;
    c->starts[s] += starts_now;
    c->distance[s] = 0;
    ms_visits_begin(&starts, &t);
    ck_assert(ms_traverse_start(&starts, &visitors[which], c, s) == starts_now);
    ms_visits_end(&starts);
    ck_ok(ms_traverse(&t, visitors[which].rule, visits[which], c, &err));
  }
  ms_traversal_close(&t);
}

/* reached[n] by a queue; with `kept_out` only over open vertices. */
static void plain_walk(const rows *r, const uint32_t sources[2], bool kept_out, bool *reached)
{
  uint32_t *queue = array(r->n, sizeof *queue), head = 0, tail = 0;
  for (int i = 0; i < 2; i++)
    if (!reached[sources[i]]) {
      reached[sources[i]] = true;
      queue[tail++] = sources[i];
    }
  for (; head < tail; head++)
    for (uint64_t a = r->offset[queue[head]]; a < r->offset[queue[head] + 1]; a++) {
      uint32_t w = r->neighbor[a];
      if (reached[w] || (kept_out && !is_open(r, w)))
        continue;
      reached[w] = true;
      queue[tail++] = w;
    }
  ms_free(queue);
}

/* Checks below add up what is wrong: an assertion for each arc would take longer
 * than all else. */

/* Every visit gives each arc of the row to one of the two. */
static void check_arcs(const rows *r, const record *c)
{
  uint64_t wrong = c->wrong;
  for (uint32_t v = 0; v < r->n; v++)
    for (uint64_t a = r->offset[v]; a < r->offset[v + 1]; a++)
      wrong += c->tree[a] + c->other[a] != c->discovered[v];
  ck_assert_uint_eq(wrong, 0);
}

static void check_and(const rows *r, const record *c, const bool *reached, bool tested)
{
  uint64_t twice = 0, wrongly_taken = 0, loose = 0;
  for (uint32_t v = 0; v < r->n; v++) {
    uint32_t steps = 0, root = v;
    twice += c->discovered[v] != reached[v];
    wrongly_taken += c->taken[v] != (reached[v] && !c->starts[v]) || (!tested && c->asked[v]);
    for (; c->parent[root] != NONE && steps <= r->n; steps++)
      root = c->parent[root];
    loose += reached[v] && (steps > r->n || !c->starts[root]);
  }
  ck_assert_uint_eq(twice, 0);
  ck_assert_uint_eq(wrongly_taken, 0);
  ck_assert_uint_eq(loose, 0);
}

/* Unseen vertices are taken without a question, others as often as the test said
 * so, and each is visited no more often than that.  Returns the vertices that were
 * visited again. */
static uint64_t check_or(const rows *r, const record *c, const bool *reached, uint32_t budget,
                         const uint32_t sources[2])
{
  uint64_t again = 0, wrong = 0;
  for (uint32_t v = 0; v < r->n; v++) {
    uint32_t yes = c->asked[v] < budget ? c->asked[v] : budget;
    /* the first start is the only way to be seen for the first time without being taken; the
     * second start may be one that was taken before */
    bool first = v != sources[0] && (v != sources[1] || c->taken[v] > yes);
    wrong += (c->discovered[v] > 0) != reached[v];
    wrong += c->discovered[v] > c->taken[v] + c->starts[v];
    wrong += c->taken[v] != yes + (reached[v] && first);
    again += c->discovered[v] > 1;
  }
  ck_assert_uint_eq(wrong, 0);
  return again;
}

static void check_distances(const rows *r, const record *c, const uint32_t sources[2])
{
  uint64_t *want = array(r->n, sizeof *want);
  bool changed = true;
  memset(want, 0xff, r->n * sizeof *want);
  want[sources[0]] = want[sources[1]] = 0;
  while (changed) {
    changed = false;
    for (uint32_t v = 0; v < r->n; v++)
      for (uint64_t a = r->offset[v]; a < r->offset[v + 1] && want[v] != UINT64_MAX; a++) {
        uint32_t w = r->neighbor[a];
        if (want[v] + length(v, w) < want[w]) {
          want[w] = want[v] + length(v, w);
          changed = true;
        }
      }
  }
  ck_assert_mem_eq(want, c->distance, r->n * sizeof *want);
  ms_free(want);
}

static uint64_t check_walk(const rows *r, int which, uint64_t seed, int threads)
{
  record c;
  uint32_t sources[2] = {(uint32_t)(seed % r->n), (uint32_t)(seed / 3 % r->n)};
  uint32_t budget = seed % 4;
  bool *reached = array(r->n, sizeof *reached);
  uint64_t again = 0;
  record_make(r, &c);
  for (uint32_t v = 0; v < r->n; v++)
    c.budget[v] = (int32_t)budget;
  walk(r, &c, which, sources, threads);
  check_arcs(r, &c);
  plain_walk(r, sources, which == 1, reached);
  if (which < 2)
    check_and(r, &c, reached, which == 1);
  else if (which == 2)
    again = check_or(r, &c, reached, budget, sources);
  else
    check_distances(r, &c, sources);
  record_free(&c);
  ms_free(reached);
  return again;
}

/* Visitors of the rules AND (plain and with a test), OR and REPLACE are called for the vertices and
 * arcs that a plain search, the numbers of questions, or shortest distances demand: 1,200 random
 * graphs for each of four visitors. */
START_TEST(visitors_see_what_they_should)
{
  uint64_t again = 0;
  for (uint32_t seed = 0; seed < scaled(1200); seed++) {
    rows r;
    make_case(seed * 7 + (uint32_t)_i, &r);
    ms_hooks.work_for_threads = seed % 4 ? 0 : ms_hooks_default.work_for_threads;
    if (r.n > 0)
      again += check_walk(&r, _i, seed, thread_counts[seed % 3]);
    rows_free(&r);
  }
  ms_hooks = ms_hooks_default;
  ck_assert(_i != 2 || again > 0);
}
END_TEST

/* The same on four graphs of 2,000 or 20,000 vertices whose rows threads share, by 1, 2 and 4
 * threads. */
START_TEST(visitors_on_large_graphs)
{
  static const rows_shape shapes[] = {ROWS_HUBS, ROWS_STAR, ROWS_DENSE, ROWS_CHAIN};
  ms_hooks.work_for_threads = 1000;
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (size_t t = 0; t < COUNT(thread_counts); t++) {
      rows r;
      rows_make(shapes[i], shapes[i] == ROWS_CHAIN ? 2000 : 20000, 5 + i, 1, &r);
      check_walk(&r, _i, 7 + i, thread_counts[t]);
      rows_free(&r);
    }
  ms_hooks = ms_hooks_default;
}
END_TEST

static ms_status open_traversal(void *user, ms_error *e)
{
  const rows *r = user;
  ms_traversal t;
  ms_status status = ms_traversal_open(r->n, r->offset, r->neighbor, 2, &t, e);
  ms_traversal_close(&t);
  return status;
}

/* Whichever of the three allocations of a traversal fails, opening it reports that and leaks no
 * block. */
START_TEST(a_traversal_without_memory)
{
  rows r;
  rows_make(ROWS_STAR, 100, 1, 0, &r);
  ck_assert_int_eq(failing_runs(open_traversal, &r), 3);
  rows_free(&r);
}
END_TEST

TEST_MAIN("graph: components and traversal", TEST(random_graphs), TEST(long_chains_and_large_stars),
          TEST_TIMES(chains_by_threads, 2), TEST(many_searches_in_one_chain), TEST(a_real_graph),
          TEST_TIMES(allocations_fail, 3), TEST(there_is_no_such_algorithm),
          TEST_TIMES(visitors_see_what_they_should, COUNT(visitors)),
          TEST_TIMES(visitors_on_large_graphs, COUNT(visitors)), TEST(a_traversal_without_memory))
