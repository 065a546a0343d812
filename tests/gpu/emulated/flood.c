/* The special properties of the engine `flood`, on emulated GPUs: how far flooding goes, pools
 * of any size in either memory, memory that is just enough, outputs of one row, deep patterns,
 * sums beyond 64 bits; and random small cases in which all of these are drawn at random.
 * engines.c has the tests that it shares with other engines. */
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/search.h"
#include "gpu/match/upload.h"
#include "match/count/count.h"
#include "match/engine.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 3000, MOST_WORDS = 1 << 22 };

/* Resets what tests change to the values of a GPU, except for its size. */
static void usual(void)
{
  fake_devices = fake_multiprocessors = 1;
  fake_shared = 227 << 10;
  fake_slow = 0;
  emulated_width = 4;
  emulated_blocks = 2;
  emulated_value = 0;
  ms_hooks.gpu_first_rows = 1 << 16;
  ms_hooks.gpu_flood_pool = 512;
  ms_hooks.gpu_flood_shared_bytes = 40 << 10;
  ms_hooks.gpu_flood_paths = ms_hooks.gpu_flood_rows = 0;
}

/* ---- a pattern on a graph ------------------------------------------------------------ */

typedef struct subject {
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_plan *plan;
  ms_program *program; /* all matches are visited */
} subject;

static void subject_make(subject *s, const ms_graph *graph, const ms_coloring *coloring,
                         const ms_pattern *pattern, bool induced, bool constrain)
{
  static const ms_program_options all = {0};
  ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &s->index, NULL), MS_OK);
  ms_shape_of(pattern, induced, &s->shape);
  ck_assert_int_eq(ms_domains_on(NULL, s->index, pattern, &s->shape, NULL, 1, &s->domains, NULL),
                   MS_OK);
  ms_plan_input input = {.vertices = s->index->n,
                         .arcs = (double)s->index->arcs,
                         .order = MS_ORDER_RI,
                         .square_degrees = s->index->square_degrees,
                         .constrain = constrain};
  for (uint32_t i = 0; i < s->shape.n; i++)
    input.domain[i] = s->domains.of[i].count;
  ck_assert_int_eq(ms_plan_new(&s->shape, &input, &s->plan, NULL), MS_OK);
  ck_assert_int_eq(ms_program_new(s->index, s->plan, s->domains.of, &all, &s->program, NULL),
                   MS_OK);
}

static void subject_of_edges(subject *s, uint32_t n, uint32_t m, const uint32_t (*edges)[2],
                             uint32_t p, uint32_t q, const uint32_t (*pattern)[2])
{
  memset(s, 0, sizeof *s);
  ck_assert_int_eq(ms_graph_from_edges(n, m, edges, NULL, &s->graph, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(p, q, pattern, false, NULL, &s->pattern, NULL), MS_OK);
  subject_make(s, s->graph, NULL, s->pattern, false, true);
}

static void subject_free(subject *s)
{
  ms_program_free(s->program);
  ms_plan_free(s->plan);
  ms_domains_free(&s->domains);
  ms_pattern_index_free(s->index);
  ms_pattern_free(s->pattern);
  ms_graph_free(s->graph);
}

/* Makes a graph of n vertices, two of which are next to half of all. */
static void subject_with_hubs(subject *s, uint64_t seed, uint32_t n, uint32_t m, uint32_t p,
                              uint32_t q, const uint32_t (*pattern)[2])
{
  static uint32_t edges[4000][2];
  uint32_t count = 0;
  for (uint32_t i = 0; i < m; i++) {
    edges[count][0] = random_below(&seed, n);
    edges[count][1] = random_below(&seed, n);
    count += edges[count][0] != edges[count][1];
  }
  for (uint32_t v = 2; v < n; v += 2)
    for (uint32_t hub = 0; hub < 2; hub++) {
      edges[count][0] = hub;
      edges[count++][1] = v;
    }
  subject_of_edges(s, n, count, (const uint32_t(*)[2])edges, p, q, pattern);
}

static const uint32_t k4[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const uint32_t house[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}, {4, 1}};
static const uint32_t path[][2] = {{0, 1}, {1, 2}, {2, 3}};

static const struct {
  uint32_t p, q;
  const uint32_t (*edges)[2];
} shapes[] = {{4, 6, k4}, {5, 6, house}, {4, 3, path}};

/* ---- both engines ----------------------------------------------------------------------- */

typedef struct rows {
  uint32_t length;
  uint64_t count;
  uint32_t words[MOST_WORDS];
} rows;

static rows of_flood, of_cpu;
static uint32_t compared;

static bool on_rows(void *user, const uint32_t *from, uint64_t count)
{
  rows *r = user;
  ck_assert_uint_le((r->count + count) * r->length, MOST_WORDS);
  memcpy(r->words + r->count * r->length, from, count * r->length * sizeof *from);
  r->count += count;
  return true;
}

static uint64_t as_it_is(void *user, const uint32_t *ids, uint64_t count, uint32_t *to)
{
  memcpy(to, ids, count * *(const uint32_t *)user * sizeof *to);
  return count;
}

static int by_row(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < compared; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static uint64_t limit; /* of the rows of a listing */

static ms_status list_with(const subject *s, const ms_pattern_engine *engine, rows *to,
                           ms_error *err)
{
  ms_stream *stream;
  ms_pattern_task task = {.program = s->program, .threads = 1, .devices = (uint32_t)fake_devices};
  ms_stream_options options = {
      .length = s->shape.n, .limit = limit, .memory = 1 << 20, .rows = on_rows, .user = to};
  to->length = compared = s->shape.n;
  to->count = 0;
  ck_assert_int_eq(ms_stream_new(&options, &stream, NULL), MS_OK);
  ms_status status = engine->list(&task, as_it_is, &to->length, stream, err);
  ms_stream_free(stream);
  qsort(to->words, to->count, to->length * sizeof *to->words, by_row);
  return status;
}

static ms_status count_with(const subject *s, const ms_pattern_engine *engine, mpz_t maps,
                            ms_error *err)
{
  ms_count_query query = {.index = s->index,
                          .domains = &s->domains,
                          .engine = engine,
                          .threads = 1,
                          .devices = (uint32_t)fake_devices};
  mpz_set_ui(maps, 0);
  return s->domains.empty ? MS_OK : ms_count_maps(&query, &s->shape, maps, err);
}

/* Checks the rows against of_cpu, which is filled before. */
static void check_rows(uint64_t seed)
{
  if (of_flood.count != of_cpu.count ||
      memcmp(of_flood.words, of_cpu.words, of_cpu.count * of_cpu.length * sizeof(uint32_t)) != 0)
    ck_abort_msg("case %llu: %llu rows, the CPU has %llu, or others", (unsigned long long)seed,
                 (unsigned long long)of_flood.count, (unsigned long long)of_cpu.count);
}

static void check_both(const subject *s, uint64_t seed)
{
  mpz_t maps, wanted;
  ms_error err = {0};
  mpz_inits(maps, wanted, NULL);
  ck_assert_int_eq(count_with(s, &ms_pattern_engine_cpu, wanted, NULL), MS_OK);
  if (count_with(s, &ms_pattern_engine_flood, maps, &err) != MS_OK)
    ck_abort_msg("case %llu: %s", (unsigned long long)seed, err.message);
  if (mpz_cmp(maps, wanted) != 0)
    ck_abort_msg("case %llu: %lu maps, the CPU counts %lu", (unsigned long long)seed,
                 mpz_get_ui(maps), mpz_get_ui(wanted));
  mpz_clears(maps, wanted, NULL);
  if (s->domains.empty)
    return;
  ck_assert_int_eq(list_with(s, &ms_pattern_engine_cpu, &of_cpu, NULL), MS_OK);
  if (list_with(s, &ms_pattern_engine_flood, &of_flood, &err) != MS_OK)
    ck_abort_msg("case %llu: %s", (unsigned long long)seed, err.message);
  check_rows(seed);
}

/* ---- pools ------------------------------------------------------------------------------- */

/* Any room of a pool, in either memory, gives the rows and the count of the CPU engine: three
 * patterns, 18 combinations. */
START_TEST(test_pools)
{
  static const uint32_t room[] = {1, 2, 3, 7, 64, 512}, near_bytes[] = {0, 100, 40 << 10};
  subject s;
  subject_with_hubs(&s, 3, 40, 120, shapes[_i].p, shapes[_i].q, shapes[_i].edges);
  for (uint32_t i = 0; i < 6; i++)
    for (uint32_t j = 0; j < 3; j++) {
      usual();
      ms_hooks.gpu_flood_pool = room[i];
      ms_hooks.gpu_flood_shared_bytes = near_bytes[j];
      ms_hooks.gpu_flood_paths = 1 + i * j;
      ms_hooks.gpu_first_rows = 1 + 10 * j;
      check_both(&s, i * 3 + j);
    }
  subject_free(&s);
}
END_TEST

/* ---- flooding ------------------------------------------------------------------------------ */

static uint64_t launches_of_listing(const subject *s, uint64_t paths)
{
  uint64_t before = fake_launches;
  ms_hooks.gpu_flood_paths = paths;
  ck_assert_int_eq(list_with(s, &ms_pattern_engine_flood, &of_flood, NULL), MS_OK);
  check_rows(paths);
  return fake_launches - before;
}

/* A listing takes one launch for each flooded level and one for the rest, with the CPU engine's
 * rows: paths on a graph with hubs, four limits. */
START_TEST(test_flooding)
{
  subject s;
  usual();
  subject_with_hubs(&s, 5, 40, 120, 4, 3, path);
  ck_assert_int_eq(list_with(&s, &ms_pattern_engine_cpu, &of_cpu, NULL), MS_OK);
  ck_assert_uint_gt(of_cpu.count, 2000);
  ck_assert_uint_eq(launches_of_listing(&s, 40), 2);
  ck_assert_uint_eq(launches_of_listing(&s, 500), 3);
  ck_assert_uint_eq(launches_of_listing(&s, 1 << 20), 4);
  ck_assert_uint_le(launches_of_listing(&s, 0), 4);
  subject_free(&s);
}
END_TEST

/* Returns the bytes that a listing of so many rows copies. */
static uint64_t bytes_of_listing(const subject *s, uint64_t rows_wanted)
{
  limit = rows_wanted;
  uint64_t before = fake_copied;
  ck_assert_int_eq(list_with(s, &ms_pattern_engine_flood, &of_flood, NULL), MS_OK);
  ck_assert_uint_eq(of_flood.count, rows_wanted);
  limit = 0;
  return fake_copied - before;
}

/* Under a limit, the first output is no longer than the limit: one row of 2,000 costs no copies of
 * the others. */
START_TEST(test_limited_output)
{
  subject s;
  usual();
  subject_with_hubs(&s, 5, 40, 120, 4, 3, path);
  uint64_t one = bytes_of_listing(&s, 1), many = bytes_of_listing(&s, 1000);
  ck_assert_uint_ge(many, one + 900 * 3 * sizeof(uint32_t));
  subject_free(&s);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

static ms_status list_within(const subject *s, uint64_t bytes, ms_error *err)
{
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
  setenv("MOTIFSIEVE_GPU_MEMORY", text, 1);
  ms_gpu_match_free_kept();
  fake_most = 0;
  ms_status status = list_with(s, &ms_pattern_engine_flood, &of_flood, err);
  unsetenv("MOTIFSIEVE_GPU_MEMORY");
  if (status == MS_OK) {
    check_rows(bytes);
    ck_assert_uint_le(fake_most, bytes);
  } else {
    ck_assert_int_eq(status, MS_ERR_MEMORY);
    ck_assert_ptr_nonnull(strstr(err->message, "MOTIFSIEVE_GPU_MEMORY"));
  }
  return status;
}

/* From the least memory that is enough, found by halving, to plenty, rows are the CPU engine's
 * within that memory, and less is refused with the variable that limits it: three patterns. */
START_TEST(test_memory)
{
  subject s;
  ms_error err = {0};
  uint64_t less = 1000, enough = 256 << 10;
  usual();
  subject_with_hubs(&s, 7, 40, 100, shapes[_i].p, shapes[_i].q, shapes[_i].edges);
  ck_assert_int_eq(list_with(&s, &ms_pattern_engine_cpu, &of_cpu, NULL), MS_OK);
  ck_assert_int_eq(list_within(&s, enough, &err), MS_OK);
  ck_assert_int_eq(list_within(&s, less, &err), MS_ERR_MEMORY);
  while (enough - less > 16) {
    uint64_t middle = (less + enough) / 2;
    if (list_within(&s, middle, &err) == MS_OK)
      enough = middle;
    else
      less = middle;
  }
  for (uint64_t bytes = enough; bytes < 256 << 10; bytes += bytes / 8)
    ck_assert_int_eq(list_within(&s, bytes, &err), MS_OK);
  subject_free(&s);
}
END_TEST

/* Outputs of one or a few rows, which suspend blocks with all of their pools, give the CPU engine's
 * rows in enough launches: three patterns, six settings. */
START_TEST(test_outputs)
{
  static const uint32_t room[] = {1, 3, 512};
  subject s;
  usual();
  subject_with_hubs(&s, 9, 18, 70, shapes[_i].p, shapes[_i].q, shapes[_i].edges);
  ck_assert_int_eq(list_with(&s, &ms_pattern_engine_cpu, &of_cpu, NULL), MS_OK);
  ck_assert_uint_gt(of_cpu.count, 10);
  for (uint32_t i = 0; i < 6; i++) {
    uint64_t before = fake_launches;
    ms_hooks.gpu_flood_rows = i < 3 ? 1 : 5 * i;
    ms_hooks.gpu_flood_pool = room[i % 3];
    ms_hooks.gpu_flood_shared_bytes = i == 4 ? 0 : 40 << 10;
    ck_assert_int_eq(list_with(&s, &ms_pattern_engine_flood, &of_flood, NULL), MS_OK);
    check_rows(i);
    ck_assert_uint_ge(fake_launches - before, of_cpu.count / ms_hooks.gpu_flood_rows);
  }
  subject_free(&s);
}
END_TEST

/* Memory of the host. */

static ms_status count_and_list(void *user, ms_error *err)
{
  const subject *s = user;
  ms_stream *stream = NULL;
  mpz_t maps;
  ms_pattern_task task = {.program = s->program, .threads = 1, .devices = 1};
  ms_stream_options options = {
      .length = s->shape.n, .memory = 1 << 20, .rows = on_rows, .user = &of_flood};
  of_flood.length = s->shape.n;
  of_flood.count = 0;
  mpz_init(maps);
  ms_gpu_match_free_kept();
  ms_status status = count_with(s, &ms_pattern_engine_flood, maps, err);
  mpz_clear(maps);
  if (status == MS_OK)
    status = ms_stream_new(&options, &stream, err);
  if (status == MS_OK)
    status = ms_pattern_engine_flood.list(&task, as_it_is, &of_flood.length, stream, err);
  if (status == MS_OK && ms_stream_status(stream) == MS_ERR_MEMORY)
    status = ms_fail_memory(err, "rows");
  ms_stream_free(stream);
  return status;
}

/* Whichever allocation of the host fails in a count and a listing, the engine reports it, leaks no
 * block, and leaves no device memory behind. */
START_TEST(test_failing)
{
  subject s;
  usual();
  subject_with_hubs(&s, 11, 16, 30, 4, 6, k4);
  ck_assert_int_ge(failing_runs(count_and_list, &s), 10);
  subject_free(&s);
  ms_gpu_match_free_kept();
  ck_assert_uint_eq(fake_taken, 0);
}
END_TEST

/* ---- many levels ------------------------------------------------------------------------------
 */

/* Paths of 2 to 32 vertices in a ring of 37, with pools in both memories, have two maps for each
 * beginning: five lengths. */
START_TEST(test_deep)
{
  enum { RING = 37 };
  static const uint32_t sizes[] = {2, 9, 20, 31, 32};
  uint32_t ring[RING][2], steps[31][2];
  subject s;
  mpz_t maps;
  mpz_init(maps);
  for (uint32_t i = 0; i < RING; i++) {
    ring[i][0] = i;
    ring[i][1] = (i + 1) % RING;
  }
  for (uint32_t i = 0; i < 31; i++) {
    steps[i][0] = i;
    steps[i][1] = i + 1;
  }
  for (uint32_t i = 0; i < 5; i++) {
    usual();
    ms_hooks.gpu_flood_pool = 1 + 100 * i;
    ms_hooks.gpu_flood_paths = 1;
    subject_of_edges(&s, RING, RING, (const uint32_t(*)[2])ring, sizes[i], sizes[i] - 1,
                     (const uint32_t(*)[2])steps);
    check_both(&s, sizes[i]);
    ck_assert_uint_eq(of_flood.count, RING);
    ck_assert_int_eq(count_with(&s, &ms_pattern_engine_flood, maps, NULL), MS_OK);
    ck_assert_uint_eq(mpz_get_ui(maps), 2 * RING);
    subject_free(&s);
  }
  mpz_clear(maps);
}
END_TEST

/* ---- large sums
 * ----------------------------------------------------------------------------------- */

/* Counts the stars: the centre is visited, the leaves are the tail. */
static void count_star(const subject *s, const ms_pattern_engine *engine, mpz_t sum)
{
  uint8_t order[MS_MAX_PATTERN];
  ms_program_options options = {.tail = ms_bitset_of_word((UINT64_C(1) << s->shape.n) - 2)};
  ms_plan_input input = {.vertices = s->index->n,
                         .arcs = (double)s->index->arcs,
                         .fixed = order,
                         .square_degrees = s->index->square_degrees,
                         .last = options.tail};
  ms_plan *plan;
  ms_program *program;
  for (uint32_t i = 0; i < s->shape.n; i++) {
    order[i] = (uint8_t)i;
    input.domain[i] = s->domains.of[i].count;
  }
  ck_assert_int_eq(ms_plan_new(&s->shape, &input, &plan, NULL), MS_OK);
  ck_assert_int_eq(ms_program_new(s->index, plan, s->domains.of, &options, &program, NULL), MS_OK);
  ck_assert_uint_eq(program->prefix, 1);
  ms_pattern_task task = {.program = program, .threads = 1, .devices = 1};
  mpz_set_ui(sum, 0);
  ck_assert_int_eq(engine->count(&task, sum, NULL), MS_OK);
  ms_program_free(program);
  ms_plan_free(plan);
}

/* Stars of 2 to 12 leaves in a star of 60,000, whose counts pass 64 bits, are the falling products,
 * by the engine and by the CPU. */
START_TEST(test_large_sums)
{
  enum { LEAVES = 60000 };
  static uint32_t star[LEAVES][2];
  static const uint32_t sizes[] = {2, 4, 5, 6, 7, 12};
  uint32_t spokes[12][2];
  subject s;
  mpz_t maps, wanted;
  mpz_inits(maps, wanted, NULL);
  for (uint32_t i = 0; i < LEAVES; i++)
    star[i][1] = i + 1;
  for (uint32_t i = 0; i < 12; i++) {
    spokes[i][0] = 0;
    spokes[i][1] = i + 1;
  }
  for (uint32_t i = 0; i < 6; i++) {
    usual();
    emulated_value = i % 3;
    subject_of_edges(&s, LEAVES + 1, LEAVES, (const uint32_t(*)[2])star, sizes[i] + 1, sizes[i],
                     (const uint32_t(*)[2])spokes);
    mpz_set_ui(wanted, 1);
    for (uint32_t j = 0; j < sizes[i]; j++)
      mpz_mul_ui(wanted, wanted, LEAVES - j);
    count_star(&s, &ms_pattern_engine_flood, maps);
    ck_assert_msg(mpz_cmp(maps, wanted) == 0, "a star of %u leaves", sizes[i]);
    count_star(&s, &ms_pattern_engine_cpu, maps);
    ck_assert_msg(mpz_cmp(maps, wanted) == 0, "a star of %u leaves", sizes[i]);
    subject_free(&s);
  }
  mpz_clears(maps, wanted, NULL);
}
END_TEST

/* ---- random cases
 * ------------------------------------------------------------------------------------ */

static void draw(uint64_t seed)
{
  static const uint32_t width[] = {1, 2, 3, 4, 5, 8};
  uint64_t state = seed;
  usual();
  fake_devices = random_below(&state, 4) ? 1 : 3;
  fake_multiprocessors = 1 + (int)random_below(&state, 2);
  fake_shared = random_below(&state, 4) ? 227 << 10 : 20 << 10;
  emulated_width = width[random_below(&state, 6)];
  emulated_blocks = 1 + random_below(&state, 3);
  emulated_value = random_below(&state, 3);
  ms_hooks.gpu_first_rows = 1 + random_below(&state, random_below(&state, 2) ? 4 : 4000);
  ms_hooks.gpu_flood_pool = 1 + random_below(&state, random_below(&state, 2) ? 6 : 600);
  ms_hooks.gpu_flood_shared_bytes = random_below(&state, random_below(&state, 2) ? 300 : 50000);
  ms_hooks.gpu_flood_rows = random_below(&state, 3) ? 0 : 1 + random_below(&state, 50);
  ms_hooks.gpu_flood_paths = random_below(&state, 3) ? random_below(&state, 100) : 0;
}

/* Random small cases with devices, widths, pools and outputs drawn at random have the CPU engine's
 * count and rows: 3,000 cases in four parts. */
START_TEST(test_random)
{
  for (uint64_t seed = 20000 + (uint64_t)_i; seed < 20000 + scaled(CASES); seed += 4) {
    pattern_case c;
    subject s = {0};
    pattern_case_make(seed, &c);
    subject_make(&s, c.graph, c.coloring, c.pattern, c.induced, !c.embeddings);
    draw(seed);
    check_both(&s, seed);
    subject_free(&s);
    pattern_case_free(&c);
  }
  fake_devices = 3;
  ms_gpu_match_free_kept();
  ck_assert_uint_eq(fake_taken, 0);
}
END_TEST

TEST_MAIN("flood", TIME_LIMIT(900), TEST_TIMES(test_pools, 3), TEST(test_flooding),
          TEST(test_limited_output), TEST_TIMES(test_memory, 3), TEST_TIMES(test_outputs, 3),
          TEST(test_failing), TEST(test_deep), TEST(test_large_sums), TEST_TIMES(test_random, 4))
