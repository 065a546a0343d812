/* Numbers of small rooted shapes (match/small/) against brute force, on random graphs of few
 * vertices and on larger ones with hubs, cliques, or trees. */
#include "base/budget.h"
#include "base/threads/stop.h"
#include "match/count/gluings.h"
#include "match/small/rows.h"
#include "match/small/small.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 600, MOST = 24, CODES = 1024 };

typedef struct network {
  uint32_t n;
  bool near[MOST][MOST];
  ms_graph *graph;
  ms_pattern_index *index;
} network;

static void join(network *w, uint32_t a, uint32_t b)
{
  if (a != b)
    w->near[a][b] = w->near[b][a] = true;
}

/* Edges of one density; every third network has hubs, every fourth a clique, every fifth a path
 * that hangs on it. */
static void draw(network *w, uint64_t seed, uint32_t most)
{
  uint64_t state = seed;
  ms_error err;
  uint32_t edges[MOST * MOST][2];
  uint64_t m = 0;
  memset(w, 0, sizeof *w);
  w->n = 1 + random_below(&state, most);
  uint32_t percent = random_below(&state, 90);
  for (uint32_t a = 0; a < w->n; a++)
    for (uint32_t b = 0; b < a; b++)
      if (random_below(&state, 100) < percent || (seed % 3 == 0 && b < 2))
        join(w, a, b);
  for (uint32_t a = 0; seed % 4 == 0 && a < w->n / 2; a++)
    for (uint32_t b = 0; b < a; b++)
      join(w, a, b);
  for (uint32_t a = w->n / 2; seed % 5 == 0 && a < w->n; a++)
    for (uint32_t b = 0; b < w->n; b++)
      w->near[a][b] = w->near[b][a] = b + 1 == a;
  for (uint32_t a = 0; a < w->n; a++)
    for (uint32_t b = 0; b < a; b++)
      if (w->near[a][b]) {
        edges[m][0] = a;
        edges[m++][1] = b;
      }
  ck_ok(ms_graph_from_edges(w->n, m, (const uint32_t(*)[2])edges, NULL, &w->graph, &err));
  ck_ok(ms_pattern_index_new(w->graph, NULL, 1, &w->index, &err));
}

static void drop(network *w)
{
  ms_pattern_index_free(w->index);
  ms_graph_free(w->graph);
}

/* The shape with the edges of a code: bit i is the i-th pair of 01, 02, .., 12, .. */
static void shape_of(uint32_t n, uint32_t code, ms_shape *shape)
{
  uint32_t pair = 0;
  memset(shape, 0, sizeof *shape);
  shape->n = n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++, pair++)
      if (code >> pair & 1) {
        ms_bitset_add(&shape->out[i], j);
        ms_bitset_add(&shape->out[j], i);
      }
  memcpy(shape->in, shape->out, sizeof shape->in);
}

/* Returns the number of maps in which the first `level` vertices have these images. */
static uint64_t count_maps(const network *w, const ms_shape *s, uint32_t *image, uint32_t level)
{
  uint64_t maps = 0;
  if (level == s->n)
    return 1;
  for (uint32_t v = 0; v < w->n; v++) {
    bool fits = true;
    for (uint32_t i = 0; i < level && fits; i++)
      fits = image[i] != v && (!ms_bitset_has(&s->out[level], i) || w->near[image[i]][v]);
    image[level] = v;
    maps += fits ? count_maps(w, s, image, level + 1) : 0;
  }
  return maps;
}

/* True if the module has the shape: without the root it is connected, and the root has two
 * neighbours or more; or it is the edge. */
static bool is_there(const ms_shape *s)
{
  ms_shape rest;
  ms_shape_part(s, ms_bitset_without(ms_bitset_below(s->n), 0), &rest);
  return ms_shape_is_connected(&rest) && ms_bitset_count(s->out[0]) >= (s->n == 2 ? 1 : 2);
}

/* Checks a shape with the root 0. */
static void check_shape(const network *w, ms_small *small, const ms_shape *s, uint64_t seed)
{
  ms_wide_size *number;
  ms_error err;
  uint32_t image[MS_MAX_PATTERN], found = ms_small_find(s, 0);
  ck_ok(ms_small_numbers(small, found, &number, &err));
  for (uint32_t id = 0; id < w->n; id++) {
    image[0] = w->index->vertex[id];
    uint64_t maps = count_maps(w, s, image, 1);
    ck_assert_msg(number[id] == maps, "seed %llu, shape %u, vertex %u of %u: %llu for %llu",
                  (unsigned long long)seed, found, id, w->n, (unsigned long long)number[id],
                  (unsigned long long)maps);
  }
}

/* Every labelled shape has its place if and only if it has one, whichever its numbering. */
START_TEST(places)
{
  bool seen[64] = {false};
  uint32_t shapes = 0;
  for (uint32_t n = 2; n <= MS_SMALL_VERTICES; n++)
    for (uint32_t code = 0; code < 1u << n * (n - 1) / 2; code++) {
      ms_shape shape;
      shape_of(n, code, &shape);
      uint32_t found = ms_small_find(&shape, 0);
      ck_assert_msg((found != MS_NO_SMALL) == is_there(&shape), "%u vertices, code %u", n, code);
      if (found != MS_NO_SMALL && !seen[found]) {
        seen[found] = true;
        shapes++;
      }
    }
  ck_assert_uint_eq(shapes, 40);
}
END_TEST

/* Fills first[] with the first code of each place, and returns how many there are. */
static uint32_t find_codes(uint32_t vertices, ms_shape *first)
{
  bool seen[64] = {false};
  uint32_t shapes = 0;
  for (uint32_t n = 2; n <= vertices; n++)
    for (uint32_t code = 0; code < 1u << n * (n - 1) / 2; code++) {
      shape_of(n, code, &first[shapes]);
      uint32_t found = ms_small_find(&first[shapes], 0);
      if (found == MS_NO_SMALL || seen[found])
        continue;
      seen[found] = true;
      shapes++;
    }
  return shapes;
}

/* All shapes in any order, so that each pass is the first one in some case. */
static void check_networks(uint64_t cases, uint32_t most, uint32_t vertices)
{
  ms_shape shape[64];
  ms_error err;
  uint32_t shapes = find_codes(vertices, shape);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    network w;
    ms_small *small;
    ms_budget budget;
    const ms_small_rows *rows = ms_small_rows_at((unsigned)(seed % 2));
    setenv("MOTIFSIEVE_SETS", rows ? rows->name : "portable", 1);
    ms_budget_open(&budget, UINT64_C(1) << 30);
    draw(&w, seed, most);
    ck_ok(ms_small_new(w.index, vertices, 1 + (int)(seed % 3), &budget, &small, &err));
    for (uint32_t i = 0; i < shapes; i++)
      check_shape(&w, small, &shape[(i + seed * 7) % shapes], seed);
    ms_small_free(small);
    ck_assert_uint_eq(ms_budget_left(&budget), UINT64_C(1) << 30);
    drop(&w);
  }
}

/* Each kernel for rows of bits does what the portable one does. */
START_TEST(kernels)
{
  enum { WORDS = 300 };
  uint64_t state = 5, a[WORDS], b[WORDS], out[2][WORDS];
  for (uint32_t words = 0; words <= WORDS; words++)
    for (unsigned i = 1; ms_small_rows_at(i); i++) {
      for (uint32_t w = 0; w < words; w++) {
        a[w] = random_next(&state);
        b[w] = random_next(&state) & random_next(&state);
      }
      const ms_small_rows *rows = ms_small_rows_at(i);
      uint64_t count = ms_small_rows_portable.meet(a, b, words, out[0]);
      ck_assert_uint_eq(rows->meet(a, b, words, out[1]), count);
      ck_assert_uint_eq(rows->count(a, b, words), count);
      ck_assert_uint_eq(ms_small_rows_portable.count(a, b, words), count);
      ck_assert(memcmp(out[0], out[1], words * sizeof *a) == 0);
    }
}
END_TEST

START_TEST(all_shapes)
{
  check_networks(scaled(CASES), 9, 5);
}
END_TEST

START_TEST(larger_networks)
{
  check_networks(scaled(CASES / 20), MOST, 5);
}
END_TEST

/* Passes that leave out what only five vertices need. */
START_TEST(four_vertices)
{
  check_networks(scaled(CASES), MOST, 4);
}
END_TEST

/* Budgets that have no room: an error, and all is released. */
START_TEST(small_budgets)
{
  ms_shape shape[64];
  ms_error err;
  network w;
  uint32_t shapes = find_codes(5, shape), refused = 0;
  draw(&w, 4, MOST);
  for (uint64_t bound = 1; bound < 100000; bound += bound / 3 + 100)
    for (uint32_t i = 0; i < shapes; i++) {
      ms_wide_size *number;
      ms_small *small;
      ms_budget budget;
      ms_budget_open(&budget, bound);
      ck_ok(ms_small_new(w.index, 5, 2, &budget, &small, &err));
      ms_status status = ms_small_numbers(small, ms_small_find(&shape[i], 0), &number, &err);
      ck_assert(status == MS_OK || status == MS_ERR_MEMORY);
      refused += status != MS_OK;
      ms_small_free(small);
      ck_assert_uint_eq(ms_budget_left(&budget), bound);
    }
  ck_assert_uint_gt(refused, 0);
  drop(&w);
}
END_TEST

/* Roots look at the token for each edge that costs time, and any look may end the count. */
START_TEST(stops_within_a_root)
{
  ms_shape shape[64];
  ms_error err;
  network w;
  ms_budget budget;
  uint32_t shapes = find_codes(5, shape);
  uint64_t allowed = 0, looks;
  draw(&w, 16, MOST);
  ms_budget_open(&budget, UINT64_C(1) << 30);
  for (ms_status status = MS_ERR_LIMIT; status != MS_OK; allowed++) {
    ms_wide_size *number;
    ms_small *small;
    ms_stop *stop;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, allowed);
    ms_stop *before = ms_stop_enter(stop);
    ck_ok(ms_small_new(w.index, 5, 1, &budget, &small, &err));
    status = MS_OK;
    for (uint32_t i = 0; i < shapes && status == MS_OK; i++)
      status = ms_small_numbers(small, ms_small_find(&shape[i], 0), &number, &err);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    looks = ms_stop_looks(stop);
    ms_stop_leave(before);
    ms_stop_free(stop);
    ms_small_free(small);
    ck_assert_uint_eq(ms_budget_left(&budget), UINT64_C(1) << 30);
  }
  ck_assert_uint_gt(looks, w.index->arcs);
  drop(&w);
}
END_TEST

TEST_MAIN("small", TEST(places), TEST(kernels), TEST(all_shapes), TEST(larger_networks),
          TEST(four_vertices), TEST(small_budgets), TEST(stops_within_a_root))
