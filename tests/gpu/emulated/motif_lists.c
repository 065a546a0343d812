/* Listings of the engine for colour motifs on GPUs, against the CPU's, on emulated GPUs; the same
 * tests run on real ones as device_motif_lists. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "gpu/common/search.h"
#include "gpu/motif/engine.h"
#include "motif/engine.h"
#include "motif/sort_rows.h"
#include "run/motif_engine.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

/* Emulated lanes are slow: cases with more matches are left out, and with more than a few there are
 * few small outputs. */
enum { TIMES = 20, SMALL_CASES = 3000, LARGER_CASES = 200, MOST_MATCHES = 20000, A_FEW = 500 };

/* Varies lanes, the way in which sets are held, the room that lists have, records and outputs. */
static void vary(uint64_t seed)
{
  static const uint32_t width[] = {8, 16, 8, 32}, together[] = {1, 3, 256};
  fake_devices = 1 + (int)(seed % 5 == 4);
  fake_multiprocessors = 1 + (int)(seed / 16 % 2);
  emulated_width = width[seed % 4];
  emulated_blocks = 1 + seed / 8 % 2;
  emulated_seed = seed + 1;
  ms_hooks.gpu_motif_way = seed / 2 % 3 == 0   ? MS_MOTIF_CHOOSE
                           : seed / 2 % 3 == 1 ? MS_MOTIF_ROWS
                                               : MS_MOTIF_LISTS;
  ms_hooks.gpu_motif_table = seed % 7 < 3 ? 512 : 8u << seed % 3;
  ms_hooks.gpu_motif_second_table = seed % 7 == 0 ? 16 : 1024;
  ms_hooks.gpu_list_four_part = seed % 3 == 0 ? 128 : 1 + (uint32_t)(seed % 4);
  ms_hooks.gpu_list_part = seed % 3 == 1 ? 32 : 1 + (uint32_t)(seed % 5);
  ms_hooks.gpu_list_together = together[seed / 3 % 3];
  ms_hooks.gpu_list_piece =
      seed / 5 % 3 == 0 ? 8192 : MS_MAX_K + ms_hooks.gpu_list_together + (uint32_t)(seed % 9);
  ms_hooks.gpu_list_batch = seed / 7 % 2 ? 1 << 14 : 1 + (uint32_t)(seed % 6);
  ms_hooks.gpu_list_output = seed / 11 % 2 ? 1 << 20 : (seed % 5) * ms_hooks.gpu_list_piece;
}

/* The matches that an engine has delivered. */
typedef struct listed {
  uint32_t size, *row; /* row[count][size], each ascending, in the order of delivery */
  uint64_t count, room, most;
} listed;

static bool add(listed *l, const uint32_t *set, uint32_t last)
{
  if (l->count == l->room) {
    l->room = 2 * l->room + 64;
    l->row = realloc(l->row, l->room * l->size * sizeof *l->row);
  }
  uint32_t *row = l->row + l->count++ * l->size;
  for (uint32_t i = 0; i < l->size; i++) {
    uint32_t v = i + 1 < l->size ? set[i] : last, at = i;
    for (; at > 0 && row[at - 1] > v; at--)
      row[at] = row[at - 1];
    row[at] = v;
  }
  return l->most == 0 || l->count < l->most;
}

static bool add_match(void *user, int thread, const uint32_t *set)
{
  listed *l = user;
  (void)thread;
  return add(l, set, set[l->size - 1]);
}

static bool add_matches(void *user, int thread, const uint32_t *set, const uint32_t *last,
                        uint32_t count)
{
  (void)thread;
  ck_assert_uint_le(count, MS_SETS_TOGETHER);
  ck_assert_uint_gt(count, 0);
  for (uint32_t i = 0; i < count; i++)
    if (!add(user, set, last[i]))
      return false;
  return true;
}

/* Lists by an engine, by one thread; most: ends after so many matches, 0: none. */
static ms_status list_by(const ms_engine *engine, const ms_instance *instance, bool together,
                         uint64_t most, const ms_stop *stop, listed *out, ms_error *err)
{
  static const int device[] = {0};
  *out = (listed){.size = instance->size, .most = most};
  const ms_match_sink sink = {.match = add_match,
                              .matches = together ? add_matches : NULL,
                              .user = out,
                              .device = device,
                              .devices = most % 2 ? 1 : 0};
  void *context = NULL;
  ms_status status = engine->open(instance, 1, &context, err);
  if (status == MS_OK)
    status = engine->run(context, 0, engine->units(context), &sink, stop, err);
  engine->close(context);
  return status;
}

static void check_same(const listed *a, const listed *b, uint64_t seed)
{
  ck_assert_msg(a->count == b->count, "seed %llu: %llu matches, not %llu", (unsigned long long)seed,
                (unsigned long long)b->count, (unsigned long long)a->count);
  if (a->count > 0)
    ck_assert_msg(memcmp(a->row, b->row, a->count * a->size * sizeof *a->row) == 0,
                  "seed %llu: other matches", (unsigned long long)seed);
}

/* Lists by both engines; returns the number of matches, or MOST_MATCHES if there are as many or
 * more.  On the GPU the order is the same in two runs. */
static uint64_t compare(const ms_query *query, uint64_t seed)
{
  ms_instance *instance;
  ms_error err;
  listed cpu, gpu, again;
  ck_ok(ms_instance_new(query, 1, &instance, &err));
  ck_ok(list_by(&ms_engine_connected_sets, instance, true, MOST_MATCHES, NULL, &cpu, &err));
  if (cpu.count == MOST_MATCHES) {
    free(cpu.row);
    ms_instance_free(instance);
    return MOST_MATCHES;
  }
  if (cpu.count > A_FEW)
    ms_hooks.gpu_list_output = 1 << 20;
  ck_ok(list_by(&ms_engine_gpu_sets, instance, seed % 3 > 0, 0, NULL, &gpu, &err));
  emulated_seed = seed + 17;
  ck_ok(list_by(&ms_engine_gpu_sets, instance, true, 0, NULL, &again, &err));
  check_same(&gpu, &again, seed);
  ms_sort_rows(cpu.row, cpu.count, cpu.size, NULL);
  ms_sort_rows(gpu.row, gpu.count, gpu.size, NULL);
  check_same(&cpu, &gpu, seed);
  free(cpu.row);
  free(gpu.row);
  free(again.row);
  ms_instance_free(instance);
  return cpu.count;
}

/* It lists what the CPU lists, as many matches as brute force finds: 3,000 random cases with lists
 * of colours, conditions, wildcards and required vertices. */
START_TEST(agrees_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t cases = scaled(SMALL_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = 4000 + (uint64_t)_i + TIMES * i;
    oracle_case c;
    oracle_make(&oracle_long_motifs[seed / 3 % (ORACLE_SHAPES + 1)], seed, &c);
    uint32_t matches = oracle_matches(&c, masks);
    vary(seed);
    ck_assert_uint_eq(compare(c.query, seed), matches);
    oracle_free(&c);
  }
}
END_TEST

/* It lists what the CPU lists in larger graphs, with hubs: 200 random cases, of which those with
 * 1 to 19,999 matches count. */
START_TEST(agrees_with_cpu)
{
  uint64_t cases = scaled(LARGER_CASES) / TIMES + 1, compared = 0;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    larger_case c;
    larger_make(seed, &c);
    vary(seed);
    uint64_t matches = compare(c.query, seed);
    compared += matches > 0 && matches < MOST_MATCHES;
    larger_free(&c);
  }
  ck_assert(cases < 5 || compared > 0);
}
END_TEST

/* A list that is stopped after any number of looks, or by its receiver, is a part of the whole. */
START_TEST(a_stopped_list_is_a_part)
{
  larger_case c;
  ms_instance *instance;
  ms_error err;
  listed whole, part;
  uint64_t stopped = 0;
  larger_make(8, &c);
  ck_ok(ms_instance_new(c.query, 1, &instance, &err));
  for (uint64_t looks = 0; looks < 24; looks++) {
    ms_stop *stop;
    vary(looks);
    ms_hooks.gpu_motif_way = looks % 2 ? MS_MOTIF_ROWS : MS_MOTIF_LISTS;
    ck_ok(list_by(&ms_engine_gpu_sets, instance, true, 0, NULL, &whole, &err));
    fake_slow = 3;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, looks);
    ms_status status = list_by(&ms_engine_gpu_sets, instance, true, 0, stop, &part, &err);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    ck_assert_uint_le(part.count, whole.count);
    ck_assert(status != MS_OK || part.count == whole.count);
    stopped += status != MS_OK;
    ck_assert(part.count == 0 ||
              memcmp(part.row, whole.row, part.count * part.size * sizeof *part.row) == 0);
    free(part.row);
    ms_stop_free(stop);
    fake_slow = 0;
    ck_ok(list_by(&ms_engine_gpu_sets, instance, looks % 3 > 0, 1 + looks % 5, NULL, &part, &err));
    ck_assert_uint_eq(part.count, whole.count < 1 + looks % 5 ? whole.count : 1 + looks % 5);
    free(part.row);
    free(whole.row);
  }
  ck_assert_uint_gt(stopped, 5);
  ms_instance_free(instance);
  larger_free(&c);
}
END_TEST

/* With too little memory on the GPU it says what to do; with little, outputs are small. */
START_TEST(little_memory)
{
  larger_case c;
  ms_instance *instance;
  ms_error err;
  listed none;
  larger_make(8, &c);
  ck_ok(ms_instance_new(c.query, 1, &instance, &err));
  for (int way = MS_MOTIF_ROWS; way <= MS_MOTIF_LISTS; way++) {
    vary(0);
    ms_hooks.gpu_motif_way = (ms_motif_way)way;
    setenv("MOTIFSIEVE_GPU_MEMORY", "1K", 1);
    ck_assert_int_eq(list_by(&ms_engine_gpu_sets, instance, true, 0, NULL, &none, &err),
                     MS_ERR_MEMORY);
    ck_assert_ptr_nonnull(strstr(err.message, "MOTIFSIEVE_GPU_MEMORY"));
    ck_assert_uint_eq(none.count, 0);
    free(none.row);
    setenv("MOTIFSIEVE_GPU_MEMORY", "7M", 1);
    ms_hooks.gpu_list_output = (uint64_t)128 << 20;
    compare(c.query, 0);
    unsetenv("MOTIFSIEVE_GPU_MEMORY");
  }
  ms_instance_free(instance);
  larger_free(&c);
}
END_TEST

/* Two GPUs do not list together, and one that does not exist lists nothing. */
START_TEST(one_gpu_lists)
{
  static const struct {
    int device[2];
    uint32_t devices;
    const char *message;
  } cases[] = {{{0, 1}, 2, "one GPU lists"}, {{999, 0}, 1, "there is no GPU 999"}};
  larger_case c;
  ms_instance *instance;
  ms_error err;
  larger_make(8, &c);
  ck_ok(ms_instance_new(c.query, 1, &instance, &err));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    void *context;
    listed none = {.size = instance->size};
    const ms_match_sink sink = {
        .match = add_match, .user = &none, .device = cases[i].device, .devices = cases[i].devices};
    vary(0);
    ck_ok(ms_engine_gpu_sets.open(instance, 1, &context, &err));
    ck_assert_int_eq(ms_engine_gpu_sets.run(context, 0, UINT64_MAX, &sink, NULL, &err),
                     MS_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, cases[i].message));
    ck_assert_uint_eq(none.count, 0);
    ms_engine_gpu_sets.close(context);
  }
  ms_instance_free(instance);
  larger_free(&c);
}
END_TEST

static ms_status list_once(void *user, ms_error *err)
{
  listed all;
  ms_status status = list_by(&ms_engine_gpu_sets, user, true, 0, NULL, &all, err);
  free(all.row);
  return status;
}

/* Whichever allocation fails, a list reports it, and nothing is lost. */
START_TEST(every_allocation_may_fail)
{
  oracle_case c;
  ms_instance *instance;
  ms_error err;
  oracle_make(&oracle_long_motifs[1], 5, &c);
  ck_ok(ms_instance_new(c.query, 1, &instance, &err));
  for (int way = MS_MOTIF_ROWS; way <= MS_MOTIF_LISTS; way++) {
    vary(0);
    ms_hooks.gpu_motif_way = (ms_motif_way)way;
    ck_assert_int_gt(failing_runs_survived(list_once, instance), 10);
  }
  ms_instance_free(instance);
  oracle_free(&c);
}
END_TEST

/* What a receiver has taken. */
typedef struct taken {
  uint32_t k, *row;
  uint64_t rows;
} taken;

static bool take_rows(void *user, const uint32_t *rows, uint64_t count)
{
  taken *t = user;
  t->row = realloc(t->row, (t->rows + count) * t->k * sizeof *rows);
  memcpy(t->row + t->rows * t->k, rows, count * t->k * sizeof *rows);
  t->rows += count;
  return true;
}

/* Lists by an engine through the library; the caller frees the result, and the rows of a receiver
 * if `to` is not NULL. */
static ms_list_result *list_with(const ms_query *query, const char *engine, int threads, taken *to)
{
  ms_list_options options = {
      .size = sizeof(ms_list_options),
      .exact = true,
      .rows = to ? take_rows : NULL,
      .rows_user = to,
      .screen = {.size = sizeof(ms_screen_options), .run.engine = engine, .run.threads = threads}};
  ms_list_result *result;
  ms_error err;
  ck_ok(ms_list(query, &options, &result, &err));
  return result;
}

/* The library returns and passes on the same sorted rows by both engines, with one and three
 * threads: 40 larger cases. */
START_TEST(same_rows)
{
  for (uint64_t seed = (uint64_t)_i * 2; seed < (uint64_t)_i * 2 + 2; seed++) {
    larger_case c;
    larger_make(seed, &c);
    vary(seed);
    ms_hooks.gpu_list_output = 1 << 20;
    ms_list_result *cpu = list_with(c.query, "cpu", 1, NULL);
    if (cpu->matches < MOST_MATCHES) {
      taken to = {.k = cpu->k};
      size_t bytes = cpu->matches * cpu->k * sizeof *cpu->vertices;
      ms_list_result *gpu = list_with(c.query, "gpu", seed % 2 ? 3 : 1, NULL),
                     *passed = list_with(c.query, "gpu", seed % 2 ? 1 : 3, &to);
      ck_assert_str_eq(gpu->run.engine, cpu->region_vertices > 0 ? "gpu" : "cpu");
      ck_assert_uint_eq(gpu->matches, cpu->matches);
      ck_assert_uint_eq(to.rows, cpu->matches);
      ck_assert(bytes == 0 || memcmp(gpu->vertices, cpu->vertices, bytes) == 0);
      ck_assert(bytes == 0 || memcmp(to.row, cpu->vertices, bytes) == 0);
      ms_list_result_free(gpu);
      ms_list_result_free(passed);
      free(to.row);
    }
    ms_list_result_free(cpu);
    larger_free(&c);
  }
}
END_TEST

/* `auto` lists on the GPU if that saves enough, otherwise on the CPU, and there, too, if the GPU
 * fails; the rows are the same, and the result says which engine has listed and why. */
START_TEST(auto_chooses)
{
  static const struct {
    double gain;
    bool fails;
    const char *engine, *reason;
  } cases[] = {{100, false, "cpu", "the search is short, or its rows take longer"},
               {-1, false, "gpu", "the CPU would search for longer than a GPU takes"},
               {-1, true, "cpu", "the GPU did not list: the region takes"}};
  enum { N = 1500, EDGES = 6000 };
  static uint32_t edge[EDGES][2];
  uint64_t random = 3;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_error err;
  for (uint32_t i = 0; i < EDGES; i++)
    for (uint32_t j = 0; j < 2; j++)
      edge[i][j] = random_below(&random, N);
  ck_ok(ms_graph_from_edges(N, EDGES, (const uint32_t(*)[2])edge, NULL, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err));
  ck_ok(ms_motif_parse("*:3", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  vary(0);
  ms_hooks.gpu_list_output = 1 << 20;
  ms_list_result *want = list_with(query, "cpu", 1, NULL);
  ck_assert_str_eq(want->run.engine, "cpu");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_hooks.motif_gpu_gain = cases[i].gain;
    if (cases[i].fails)
      setenv("MOTIFSIEVE_GPU_MEMORY", "1K", 1);
    ms_list_result *result = list_with(query, i % 2 ? NULL : "auto", 1, NULL);
    unsetenv("MOTIFSIEVE_GPU_MEMORY");
    ck_assert_str_eq(result->run.engine, cases[i].engine);
    ck_assert_ptr_eq(strstr(result->run.engine_reason, cases[i].reason), result->run.engine_reason);
    ck_assert_uint_eq(result->matches, want->matches);
    ck_assert_mem_eq(result->vertices, want->vertices,
                     want->matches * want->k * sizeof *want->vertices);
    ms_list_result_free(result);
  }
  ms_list_result_free(want);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

int main(void)
{
  return RUN_TESTS("lists of motifs on GPUs", TEST_TIMES(agrees_with_oracle, TIMES),
                   TEST_TIMES(agrees_with_cpu, TIMES), TEST_TIMES(same_rows, TIMES),
                   TEST_IF(auto_chooses, fake_cuda), TEST_IF(a_stopped_list_is_a_part, fake_cuda),
                   TEST_IF(little_memory, fake_cuda), TEST(one_gpu_lists),
                   TEST_IF(every_allocation_may_fail, fake_cuda));
}
