/* 4-cycles of an inner graph by vertex priority (match/cpu/inner_squares.h), and numbers of common
 * neighbours by lanes (match/cpu/inner_lanes.h), against the codegrees of all pairs, on every path
 * of set operations: sparse and dense random graphs, whose rows have up to 600 vertices. */
#include "match/cpu/inner_lanes.h"
#include "match/cpu/inner_squares.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 700, CASES = 120 };

typedef struct network {
  uint32_t n;
  uint64_t offset[MOST + 1];
  uint32_t neighbor[MOST * MOST];
  bool near[MOST][MOST];
  ms_neighbor_rows rows;
} network;

/* A random graph, some of whose last vertices are adjacent to most others. */
static void make_network(network *w, uint64_t *state, uint32_t n, uint32_t percent)
{
  uint32_t hubs = random_below(state, 6);
  uint64_t arcs = 0;
  w->n = n;
  memset(w->near, 0, sizeof w->near);
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = 0; v < u; v++)
      w->near[u][v] = w->near[v][u] =
          random_below(state, 100) < (u + hubs >= n && v % 8 ? 90 : percent);
  for (uint32_t u = 0; u < n; u++) {
    w->offset[u] = arcs;
    for (uint32_t v = 0; v < n; v++)
      if (w->near[u][v])
        w->neighbor[arcs++] = v;
  }
  w->offset[n] = arcs;
  w->rows = (ms_neighbor_rows){.offset = w->offset, .neighbor = w->neighbor};
}

/* Returns the number of 4-cycles whose largest vertex is u. */
static uint64_t squares_below(const network *w, uint32_t u)
{
  uint64_t sum = 0;
  for (uint32_t x = 0; x < u; x++) {
    uint64_t paths = 0;
    for (uint32_t v = 0; v < u; v++)
      paths += w->near[u][v] && w->near[v][x];
    sum += paths * (paths - 1) / 2;
  }
  return sum;
}

static uint32_t size_of_case(uint64_t *state, uint64_t trial)
{
  return trial % 20 == 0 ? 600 + random_below(state, 100)
         : trial % 4 < 2 ? 4 + random_below(state, 60)
                         : 65 + random_below(state, 120);
}

/* In every range of roots there are as many 4-cycles as pairs of vertices and their codegrees say.
 * Ranges follow each other, or go back, or leave roots out. */
START_TEST(ranges_of_roots)
{
  network *w = malloc(sizeof *w);
  static const uint32_t percents[] = {1, 4, 15, 40, 90, 100};
  for (uint64_t trial = 0; trial < scaled(CASES); trial++) {
    uint64_t state = 100 + trial, sum[MOST + 1] = {0};
    uint32_t n = size_of_case(&state, trial);
    make_network(w, &state, n, percents[trial % 6]);
    for (uint32_t u = 0; u < n; u++)
      sum[u + 1] = sum[u] + squares_below(w, u);
    for (unsigned path = 0; ms_sorted_at(path); path++) {
      ms_inner_squares q;
      atomic_bool halt = false;
      ms_runner outer = {.halt = &halt};
      ms_wide_size expected = 0;
      ck_assert_int_eq(ms_inner_squares_init(&q, MOST, NULL), MS_OK);
      q.sorted = ms_sorted_at(path);
      ms_inner_squares_begin(&q, &w->rows, n);
      for (uint32_t i = 0, last = 0; i < 7; i++) {
        uint32_t first = i % 2 ? last : random_below(&state, n + 1);
        last = i == 0 ? n : first + random_below(&state, n + 1 - first);
        first = i == 0 ? 0 : first;
        ck_assert(ms_inner_squares_visit(&q, &outer, first, last));
        expected += sum[last] - sum[first];
        if (i % 2)
          continue; /* roots wait for those of the next range */
        ms_inner_squares_end(&q);
        ck_assert_msg(q.total == expected, "trial %u, path %u, roots %u to %u", (unsigned)trial,
                      path, first, last);
      }
      ms_inner_squares_free(&q);
    }
  }
  free(w);
}
END_TEST

/* Lanes count what the bits of the masks say, also in rows of more than 255 vertices, and for the
 * active lanes alone. */
START_TEST(lanes)
{
  network *w = malloc(sizeof *w);
  uint64_t mask[MOST];
  uint32_t length[MOST];
  for (uint64_t trial = 0; trial < scaled(CASES); trial++) {
    uint64_t state = 900 + trial;
    uint32_t n = size_of_case(&state, trial);
    make_network(w, &state, n, trial % 3 ? 100 : 30);
    uint64_t active = random_next(&state) | random_next(&state);
    for (uint32_t v = 0; v < n; v++) {
      mask[v] = trial % 2 ? ~UINT64_C(0) : random_next(&state);
      length[v] = random_below(&state, (uint32_t)(w->offset[v + 1] - w->offset[v]) + 1);
    }
    ms_lane_rows rows = {w->offset, length, w->neighbor, mask};
    uint32_t first = random_below(&state, n), last = first + random_below(&state, n + 1 - first);
    for (unsigned path = 0; ms_sorted_at(path); path++) {
      const ms_sorted *sorted = ms_sorted_at(path);
      uint64_t expected = 0;
      for (uint32_t lane = 0; lane < sorted->lanes; lane++)
        for (uint32_t v = first; active >> lane & 1 && v < last; v++) {
          uint64_t count = 0;
          for (uint32_t i = 0; i < length[v]; i++)
            count += mask[w->neighbor[w->offset[v] + i]] >> lane & 1;
          expected += count * (count - 1) / 2;
        }
      ck_assert_msg(sorted->count_lanes(&rows, first, last, active) == expected, "trial %u, %s",
                    (unsigned)trial, sorted->name);
    }
  }
  free(w);
}
END_TEST

/* Graphs of few arcs are counted by paths, and dense ones by lanes. */
START_TEST(costs)
{
  const ms_sorted *sorted = ms_sorted_at(0);
  ck_assert_double_eq(ms_inner_squares_cost(sorted, 1000, 500, 4000), 500);
  ck_assert_double_lt(ms_inner_squares_cost(sorted, 1000, 1e9, 1e6), 1e9);
}
END_TEST

TEST_MAIN("inner_squares", TEST(ranges_of_roots), TEST(lanes), TEST(costs))
