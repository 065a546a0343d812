/* 4-cycles with weights of edges (gpu/match/dfs/dfs_weights.cuh), which count houses, and 4-cycles
 * inside neighbourhoods (gpu/match/squares/hub_squares.cuh), which count wheels; and sums over
 * triangles (gpu/match/squares/dense.cuh). */
#include "base/alloc.h"
#include "base/hooks.h"
#include "gpu/match/program.h"
#include "gpu/match/upload.h"
#include "match/cpu/sorted.h"
#include "match/cpu/weighted_squares.h"
#include "match/engine.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"

#include <string.h>

enum { SQUARES = 60, HUBS = 60 };

/* Returns the program of 4-cycles whose root is the largest vertex. */
static ms_program *program_of(const subject *s, ms_plan **plan)
{
  static const uint8_t order[] = {0, 2, 1, 3};
  ms_program_options options = {.table = true, .priority = true};
  ms_plan_input input = {.vertices = s->index->n,
                         .arcs = (double)s->index->arcs,
                         .square_degrees = s->index->square_degrees,
                         .fixed = order,
                         .constrain = true,
                         .largest_first = true,
                         .constrained = 2};
  ms_program *program;
  for (uint32_t i = 0; i < 4; i++)
    input.domain[i] = s->index->n;
  ms_bitset_add(&options.tail, 1);
  ms_bitset_add(&options.tail, 3);
  ck_assert_int_eq(ms_plan_new(&s->shape, &input, plan, NULL), MS_OK);
  ck_assert_int_eq(ms_program_new(s->index, *plan, s->domains.of, &options, &program, NULL), MS_OK);
  return program;
}

static void check_weights(uint64_t seed)
{
  uint64_t state = seed;
  subject s = {.seed = seed};
  ms_pattern *pattern;
  ms_plan *plan;
  mpz_t sum, of_cpu;
  ms_graph *graph = random_graph(&state, 20 + 3 * (uint32_t)seed, 150, (uint32_t)seed % 4);
  ck_assert_int_eq(ms_pattern_named("square", &pattern, NULL), MS_OK);
  subject_make(&s, graph, NULL, pattern, false);
  for (uint32_t i = 0; i < 4; i++) /* all vertices, as in match/count/edge_product.c */
    s.domains.of[i] = (ms_domain){.hi = s.index->n, .count = s.index->n};
  vary(seed);
  ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS; /* a large program has no weights */
  ms_program *program = program_of(&s, &plan);
  ms_pattern_task task = {
      .program = program, .threads = 1, .devices = gpus, .square_common = 1 + (uint32_t)(seed % 3)};
  mpz_inits(sum, of_cpu, NULL);
  must(&s, engine->count_squares(&task, sum, NULL) == MS_OK);
  must(&s, ms_weighted_squares(&task, NULL, of_cpu, NULL) == MS_OK);
  must(&s, mpz_cmp(sum, of_cpu) == 0);
  must(&s, mpz_sgn(sum) > 0 || seed % 4 == 0);
  mpz_clears(sum, of_cpu, NULL);
  ms_program_free(program);
  ms_plan_free(plan);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

/* Three devices that share little memory make the weights of edges together or fail for lack of it,
 * whichever of them fails, and none waits for another one for ever. */
START_TEST(test_weights_of_devices)
{
  uint64_t seed = enter(_i), state = 1 + seed;
  uint32_t failed = 0, counted = 0;
  subject s = {.seed = 4};
  ms_pattern *pattern;
  ms_plan *plan;
  mpz_t sum, of_cpu;
  ms_graph *graph = random_graph(&state, 60, 200, 2);
  ck_assert_int_eq(ms_pattern_named("square", &pattern, NULL), MS_OK);
  subject_make(&s, graph, NULL, pattern, false);
  for (uint32_t i = 0; i < 4; i++)
    s.domains.of[i] = (ms_domain){.hi = s.index->n, .count = s.index->n};
  vary(s.seed);
  ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS;
  emulated_width = 4;
  fake_devices = 3;
  ms_program *program = program_of(&s, &plan);
  ms_pattern_task task = {.program = program, .threads = 1, .devices = 3, .square_common = 1};
  mpz_inits(sum, of_cpu, NULL);
  must(&s, ms_weighted_squares(&task, NULL, of_cpu, NULL) == MS_OK);
  ms_gpu_match_free_kept();
  for (uint64_t kib = 8; kib < 512 || (counted == 0 && kib < 1 << 20); kib += 1 + kib / 8) {
    if (fake_cuda)
      fake_memory = kib << 10;
    mpz_set_ui(sum, 0);
    ms_status status = engine->count_squares(&task, sum, NULL);
    must(&s, status == MS_OK || status == MS_ERR_MEMORY);
    must(&s, status != MS_OK || mpz_cmp(sum, of_cpu) == 0);
    failed += status == MS_ERR_MEMORY;
    counted += status == MS_OK;
    ms_gpu_match_free_kept();
  }
  fake_memory = (uint64_t)1 << 30;
  must(&s, counted > 0 && (failed > 0 || !fake_cuda));
  mpz_clears(sum, of_cpu, NULL);
  ms_program_free(program);
  ms_plan_free(plan);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* The sums of weights are those of the CPU, in random graphs with up to three hubs. */
START_TEST(test_weighted_squares)
{
  for (uint64_t seed = enter(_i); seed < scaled(SQUARES); seed++)
    check_weights(seed);
}
END_TEST

/* ---- neighbourhoods ------------------------------------------------------------------------ */

static bool adjacent(const ms_pattern_index *index, uint32_t u, uint32_t v)
{
  uint32_t length;
  const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], u, &length);
  size_t at = ms_lower_bound(row, length, v);
  return at < length && row[at] == v;
}

/* Returns the maps of 4-cycles into all neighbourhoods: c (c-1) for each ordered pair of neighbours
 * of a vertex with c common neighbours there. */
static uint64_t maps_in_neighborhoods(const ms_pattern_index *index)
{
  uint64_t sum = 0;
  for (uint32_t hub = 0; hub < index->n; hub++) {
    uint32_t size;
    const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], hub, &size);
    for (uint32_t i = 0; i < size; i++)
      for (uint32_t j = 0; j < i; j++) {
        uint64_t common = 0;
        for (uint32_t k = 0; k < size; k++)
          common += adjacent(index, row[i], row[k]) && adjacent(index, row[j], row[k]);
        sum += common > 0 ? 2 * common * (common - 1) : 0;
      }
  }
  return sum;
}

/* Matrices of one launch or of several, in warps and in global memory, with filters that are exact
 * and with others, in one slice and in several. */
static void vary_hubs(uint64_t seed)
{
  ms_hooks.gpu_hub_degree = seed % 3 == 0 ? 128 : seed % 3 == 1 ? 0 : 6;
  ms_hooks.gpu_hub_filter_words = seed % 2 ? 1 << 14 : 1;
  ms_hooks.gpu_hub_slice_rows = seed % 5 ? 256 : 3;
  ms_hooks.gpu_hub_matrix_words = seed % 4 ? 1 << 20 : 1;
}

static void check_hubs(uint64_t seed)
{
  uint64_t state = seed;
  subject s = {.seed = seed};
  ms_pattern *pattern;
  ms_plan *plan;
  mpz_t sum;
  uint32_t n = 20 + 2 * (uint32_t)seed;
  ms_graph *graph = random_graph(&state, n, 2 * n + (uint32_t)(seed % 3) * 100, (uint32_t)seed % 4);
  ck_assert_int_eq(ms_pattern_named("square", &pattern, NULL), MS_OK);
  subject_make(&s, graph, NULL, pattern, false);
  for (uint32_t i = 0; i < 4; i++)
    s.domains.of[i] = (ms_domain){.hi = s.index->n, .count = s.index->n};
  vary(seed);
  vary_hubs(seed);
  ms_program *program = program_of(&s, &plan);
  ms_pattern_task task = {.program = program, .threads = 1, .devices = gpus};
  mpz_init(sum);
  must(&s, engine->count_hub_squares(&task, sum, NULL) == MS_OK);
  must(&s, mpz_cmp_ui(sum, maps_in_neighborhoods(s.index)) == 0);
  must(&s, mpz_sgn(sum) > 0 || seed % 4 == 0);
  mpz_clear(sum);
  ms_program_free(program);
  ms_plan_free(plan);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

/* The maps of 4-cycles into neighbourhoods are those that codegrees say, in random graphs with up
 * to three hubs. */
START_TEST(test_hub_squares)
{
  for (uint64_t seed = enter(_i); seed < scaled(HUBS); seed++)
    check_hubs(seed);
  vary_hubs(3);
}
END_TEST

/* ---- triangles ------------------------------------------------------------------------------ */

enum { MOST_DENSE = 150 };

static bool edge[MOST_DENSE][MOST_DENSE];

static void note_edges(const ms_pattern_index *index)
{
  for (uint32_t u = 0; u < index->n; u++)
    for (uint32_t v = 0; v < index->n; v++)
      edge[u][v] = adjacent(index, u, v);
}

/* Returns the maps of a triangle with r further vertices, each next to all of it. */
static uint64_t maps_at_triangles(uint32_t n, uint32_t r)
{
  uint64_t sum = 0;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < a; b++)
      for (uint32_t c = 0; c < b; c++) {
        uint64_t common = 0, value = 6;
        if (!edge[a][b] || !edge[a][c] || !edge[b][c])
          continue;
        for (uint32_t x = 0; x < n; x++)
          common += edge[a][x] && edge[b][x] && edge[c][x];
        for (uint32_t i = 0; i < r; i++)
          value *= common > i ? common - i : 0;
        sum += value;
      }
  return sum;
}

/* Returns the maps of a triangle with one more edge whose end is above the triangle. */
static uint64_t maps_with_ends(uint32_t n)
{
  uint64_t sum = 0;
  for (uint32_t z = 0; z < n; z++)
    for (uint32_t y = 0; y < z; y++)
      for (uint32_t x = 0; x < y; x++)
        for (uint32_t end = z + 1; end < n; end++)
          if (edge[x][y] && edge[x][z] && edge[y][z])
            sum += 2 * ((uint64_t)edge[x][end] + edge[y][end] + edge[z][end]);
  return sum;
}

/* Returns the maps of a book that take an end of its spine, or a page, to v. */
static uint64_t books_at(uint32_t n, const ms_book *book, uint32_t v)
{
  uint64_t sum = 0;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) {
      uint64_t maps = 1;
      uint32_t common = 0;
      bool fits = edge[a][b] && (book->at_page ? edge[a][v] && edge[b][v] : a == v);
      for (uint32_t x = 0; x < n; x++)
        common += edge[a][x] && edge[b][x];
      for (uint32_t i = book->at_page; fits && i < book->pages; i++)
        maps *= common > i ? common - i : 0;
      sum += fits ? maps : 0;
    }
  return sum;
}

static void check_books(const subject *s, const ms_pattern_task *task)
{
  for (uint32_t i = 0; i < 2 * MS_BOOK_PAGES; i++) {
    ms_book book = {.pages = 1 + i / 2, .at_page = i % 2};
    book.number = ms_alloc(s->index->n, sizeof *book.number);
    must(s, book.number && engine->count_books(task, &book, NULL) == MS_OK);
    for (uint32_t v = 0; v < s->index->n; v++)
      must(s, book.number[v] == books_at(s->index->n, &book, v));
    ms_free(book.number);
  }
}

static void check_triangles(uint64_t seed)
{
  uint64_t state = seed;
  subject s = {.seed = seed};
  ms_pattern *pattern;
  ms_plan *plan;
  mpz_t sum;
  uint32_t n = seed % 20 == 19 ? MOST_DENSE : 6 + 3 * (uint32_t)(seed % 19);
  ms_graph *graph = random_graph(&state, n, n * (n - 1) / 3, (uint32_t)seed % 4);
  ck_assert_int_eq(ms_pattern_named("square", &pattern, NULL), MS_OK);
  subject_make(&s, graph, NULL, pattern, false);
  for (uint32_t i = 0; i < 4; i++)
    s.domains.of[i] = (ms_domain){.hi = s.index->n, .count = s.index->n};
  vary(seed);
  ms_program *program = program_of(&s, &plan);
  ms_pattern_task task = {
      .program = program, .threads = 1, .devices = gpus, .square_common = 1 + (uint32_t)(seed % 3)};
  mpz_init(sum);
  note_edges(s.index);
  must(&s, engine->count_triangles(&task, sum, NULL) == MS_OK);
  must(&s, mpz_cmp_ui(sum, maps_at_triangles(s.index->n, task.square_common)) == 0);
  ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS;
  mpz_set_ui(sum, 0);
  must(&s, engine->count_triangle_ends(&task, sum, NULL) == MS_OK);
  must(&s, mpz_cmp_ui(sum, maps_with_ends(s.index->n)) == 0);
  check_books(&s, &task);
  mpz_clear(sum);
  ms_program_free(program);
  ms_plan_free(plan);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

/* The maps of triangles with common neighbours, or with one more edge, and of books at each vertex
 * are those that brute force
 * finds, in random graphs with two thirds of all edges and in sparser ones. */
START_TEST(test_triangles)
{
  for (uint64_t seed = enter(_i); seed < scaled(HUBS); seed++)
    check_triangles(seed);
}
END_TEST

void add_square_tests(int number)
{
  add_test(number, test_triangles, 1);
  add_test(number, test_weights_of_devices, 1);
  add_test(number, test_hub_squares, 1);
  add_test(number, test_weighted_squares, 1);
}
