/* The engine for colour motifs on GPUs, against the CPU's and against brute force, on emulated
 * GPUs; the same tests run on real ones as device_motifs. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "gpu/common/search.h"
#include "gpu/motif/engine.h"
#include "motif/engine.h"
#include "run/motif_engine.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/motif_shares.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { TIMES = 20, SMALL_CASES = 3000, LARGER_CASES = 60 };
/* of a random case on an emulated GPU, to which ten million are 15 s */
#define MOST_MATCHES 100000u

/* Varies devices, lanes, the way in which sets are held, and the room that lists have. */
static uint32_t vary(uint64_t seed)
{
  static const uint32_t width[] = {8, 16, 8, 32};
  uint32_t devices = seed % 5 == 4 ? 3 : 1;
  fake_devices = (int)devices;
  fake_multiprocessors = 1 + (int)(seed / 16 % 2);
  emulated_width = width[seed % 4];
  emulated_blocks = 1 + seed / 8 % 2;
  emulated_seed = seed + 1;
  ms_hooks.gpu_motif_way = seed / 2 % 3 == 0   ? MS_MOTIF_CHOOSE
                           : seed / 2 % 3 == 1 ? MS_MOTIF_ROWS
                                               : MS_MOTIF_LISTS;
  ms_hooks.gpu_motif_table = seed % 7 < 3 ? 512 : 8u << seed % 3;
  ms_hooks.gpu_motif_second_table = seed % 7 == 0 ? 16 : 1024;
  ms_hooks.gpu_motif_short_row = seed / 4 % 3 == 0 ? 0 : 48;
  ms_hooks.gpu_motif_kinds = 1;
  ms_hooks.gpu_motif_part = seed % 3 == 0 ? 256 : 1 + (uint32_t)(seed % 4);
  return devices;
}

/* What a count has found. */
typedef struct found {
  uint64_t low, high, *taking;
} found;

static ms_status count_by(const ms_engine *engine, const ms_instance *instance, uint32_t gpus,
                          bool takes, const ms_stop *stop, found *out, ms_error *err)
{
  static const int device[] = {0, 1, 2};
  bool named = engine == &ms_engine_gpu_sets && (fake_cuda || gpus == 1);
  ms_count_sink sink = {.device = device, .devices = named ? gpus : 0};
  void *context = NULL;
  *out = (found){0};
  out->taking = takes ? calloc(instance->n, sizeof *out->taking) : NULL;
  sink.taking = out->taking;
  ms_status status = engine->open(instance, 1, &context, err);
  if (status == MS_OK)
    status = engine->count(context, 0, engine->units(context), &sink, stop, err);
  engine->close(context);
  out->low = sink.low;
  out->high = sink.high;
  return status;
}

/* Compares both engines on a query; returns the number of matches. */
static uint64_t compare(const ms_query *query, uint64_t seed, uint32_t gpus)
{
  ms_instance *instance;
  ms_error err;
  found cpu, gpu;
  ck_ok(ms_instance_new(query, 1, &instance, &err));
  bool takes = seed % 4 > 0;
  ck_ok(count_by(&ms_engine_connected_sets, instance, 1, takes, NULL, &cpu, &err));
  ck_ok(count_by(&ms_engine_gpu_sets, instance, gpus, takes, NULL, &gpu, &err));
  ck_assert_msg(cpu.low == gpu.low && gpu.high == 0, "seed %llu: %llu matches, not %llu",
                (unsigned long long)seed, (unsigned long long)gpu.low, (unsigned long long)cpu.low);
  for (uint32_t v = 0; takes && v < instance->n; v++)
    ck_assert_msg(cpu.taking[v] == gpu.taking[v], "seed %llu: vertex %u in %llu matches, not %llu",
                  (unsigned long long)seed, v, (unsigned long long)gpu.taking[v],
                  (unsigned long long)cpu.taking[v]);
  free(cpu.taking);
  free(gpu.taking);
  ms_instance_free(instance);
  return cpu.low;
}

/* It counts as brute force and as the CPU does: 3,000 random cases with lists of colours,
 * conditions, wildcards and required vertices. */
START_TEST(agrees_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t cases = scaled(SMALL_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = 9000 + (uint64_t)_i + TIMES * i;
    oracle_case c;
    oracle_make(&oracle_long_motifs[seed / 3 % (ORACLE_SHAPES + 1)], seed, &c);
    uint32_t matches = oracle_matches(&c, masks);
    ck_assert_uint_eq(compare(c.query, seed, vary(seed)), matches);
    oracle_free(&c);
  }
}
END_TEST

/* Makes the random case of this seed; one that takes long is replaced by one of the same motif.
 * Returns its seed. */
static uint64_t make_larger(uint64_t seed, larger_case *c)
{
  for (;; seed += 11 * TIMES) { /* there are eleven motifs */
    ms_instance *instance;
    ms_error err;
    found cpu;
    larger_make(seed, c);
    if (!fake_cuda)
      return seed;
    ck_ok(ms_instance_new(c->query, 1, &instance, &err));
    ck_ok(count_by(&ms_engine_connected_sets, instance, 1, false, NULL, &cpu, &err));
    ms_instance_free(instance);
    if (cpu.low <= MOST_MATCHES)
      return seed;
    larger_free(c);
  }
}

/* It counts as the CPU does in larger graphs, with hubs: 60 random cases. */
START_TEST(agrees_with_cpu)
{
  uint64_t cases = scaled(LARGER_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    larger_case c;
    seed = make_larger(seed, &c);
    compare(c.query, seed, vary(seed));
    larger_free(&c);
  }
}
END_TEST

/* Shares that GPUs count, and some that the CPU counts, add up to the whole: 60 random cases in
 * larger graphs, in rows and in lists, with cut roots. */
START_TEST(shares_add_up)
{
  static const ms_engine *const both[] = {&ms_engine_connected_sets, &ms_engine_gpu_sets,
                                          &ms_engine_gpu_sets};
  uint64_t cases = scaled(LARGER_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    larger_case c;
    ms_instance *instance;
    ms_error err;
    seed = make_larger(seed, &c);
    (void)vary(seed);
    ms_hooks.motif_cut_degree = seed / 5 % 2 ? 2 : 64;
    ms_hooks.motif_cut_roots = seed / 10 % 2 ? 5 : 256;
    ck_ok(ms_instance_new(c.query, 1, &instance, &err));
    check_motif_shares(instance, both, 3, seed % 3 == 0, seed);
    ms_instance_free(instance);
    larger_free(&c);
  }
}
END_TEST

static uint64_t flips, flipped_bit;

static uint64_t flip_in_copy(ms_fault_place place, uint64_t bytes)
{
  return place == MS_FAULT_TRANSFER && flips++ == 0 ? flipped_bit % (8 * bytes) : UINT64_MAX;
}

/* A bit that flips in the copy of a device's numbers is found, whichever it is, and the copy made
 * again: 60 random cases in larger graphs. */
START_TEST(flipped_bits_are_found)
{
  uint64_t cases = scaled(LARGER_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    ms_integrity integrity = {.checks = true, .fault = flip_in_copy};
    ms_count_sink sink = {.integrity = &integrity};
    larger_case c;
    ms_instance *instance;
    ms_error err;
    found cpu;
    void *context = NULL;
    seed = make_larger(seed, &c);
    (void)vary(seed);
    flips = 0;
    flipped_bit = seed * 37;
    ck_ok(ms_instance_new(c.query, 1, &instance, &err));
    ck_ok(count_by(&ms_engine_connected_sets, instance, 1, false, NULL, &cpu, &err));
    ck_ok(ms_engine_gpu_sets.open(instance, 1, &context, &err));
    ck_ok(
        ms_engine_gpu_sets.count(context, 0, ms_engine_gpu_sets.units(context), &sink, NULL, &err));
    ms_engine_gpu_sets.close(context);
    ck_assert_uint_eq(sink.low, cpu.low);
    ck_assert_uint_eq(integrity.damaged, flips > 0);
    ms_instance_free(instance);
    larger_free(&c);
  }
}
END_TEST

/* A count of any motif that is stopped after any number of looks is at most the whole. */
START_TEST(a_stopped_count_is_a_part)
{
  larger_case c;
  ms_instance *instance;
  ms_error err;
  found whole;
  uint64_t stopped = 0;
  larger_make(8, &c);
  ck_ok(ms_instance_new(c.query, 1, &instance, &err));
  ck_ok(count_by(&ms_engine_connected_sets, instance, 1, false, NULL, &whole, &err));
  for (uint64_t looks = 0; looks < 12; looks++) {
    ms_stop *stop;
    found part;
    vary(8);
    fake_slow = 3;
    ms_hooks.gpu_motif_way = looks % 2 ? MS_MOTIF_ROWS : MS_MOTIF_LISTS;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, looks / 2);
    ms_status status = count_by(&ms_engine_gpu_sets, instance, 1, true, stop, &part, &err);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    ck_assert_uint_le(part.low, whole.low);
    ck_assert(status != MS_OK || part.low == whole.low);
    stopped += status != MS_OK;
    free(part.taking);
    ms_stop_free(stop);
  }
  ck_assert_uint_gt(stopped, 2);
  ms_instance_free(instance);
  larger_free(&c);
}
END_TEST

/* With too little memory on the GPU it says what to do. */
START_TEST(too_little_memory_is_an_error)
{
  larger_case c;
  ms_instance *instance;
  ms_error err;
  found none;
  larger_make(8, &c);
  ck_ok(ms_instance_new(c.query, 1, &instance, &err));
  for (int way = MS_MOTIF_ROWS; way <= MS_MOTIF_LISTS; way++) {
    vary(0);
    ms_hooks.gpu_motif_way = (ms_motif_way)way;
    setenv("MOTIFSIEVE_GPU_MEMORY", "1K", 1);
    ck_assert_int_eq(count_by(&ms_engine_gpu_sets, instance, 1, true, NULL, &none, &err),
                     MS_ERR_MEMORY);
    ck_assert_ptr_nonnull(strstr(err.message, "MOTIFSIEVE_GPU_MEMORY"));
    ck_assert_uint_eq(none.low, 0);
    free(none.taking);
    unsetenv("MOTIFSIEVE_GPU_MEMORY");
  }
  ms_instance_free(instance);
  larger_free(&c);
}
END_TEST

static ms_status count_once(void *user, ms_error *err)
{
  found all;
  ms_status status = count_by(&ms_engine_gpu_sets, user, 1, true, NULL, &all, err);
  free(all.taking);
  return status;
}

/* Whichever allocation fails, a count reports it, and nothing is lost. */
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
    ck_assert_int_gt(failing_runs_survived(count_once, instance), 10);
  }
  ms_instance_free(instance);
  oracle_free(&c);
}
END_TEST

/* Counts sets of vertices of a complete graph, in which every set is connected, and the numbers are
 * known: C(n, k), and C(n - 1, k - 1) of each vertex. */
START_TEST(complete_graphs)
{
  static const struct {
    uint32_t n;
    const char *motif;
    uint64_t all, of_each;
  } cases[] = {{40, "*:3", 9880, 741}, {40, "*:4", 91390, 9139}, {30, "*:5", 142506, 23751}};
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    uint32_t n = cases[i / 2].n, edges = 0;
    uint32_t(*edge)[2] = malloc(sizeof *edge * n * n);
    ms_graph *graph;
    ms_coloring *coloring;
    ms_motif *motif;
    ms_query *query;
    ms_instance *instance;
    ms_error err;
    found gpu;
    for (uint32_t v = 0; v < n; v++)
      for (uint32_t u = 0; u < v; u++, edges++) {
        edge[edges][0] = v;
        edge[edges][1] = u;
      }
    vary(0);
    ms_hooks.gpu_motif_way = i % 2 ? MS_MOTIF_ROWS : MS_MOTIF_LISTS;
    ck_ok(ms_graph_from_edges(n, edges, (const uint32_t(*)[2])edge, NULL, &graph, &err));
    ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err));
    ck_ok(ms_motif_parse(cases[i / 2].motif, coloring, &motif, &err));
    ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
    ck_ok(ms_instance_new(query, 1, &instance, &err));
    ck_ok(count_by(&ms_engine_gpu_sets, instance, 1, true, NULL, &gpu, &err));
    ck_assert_uint_eq(gpu.low, cases[i / 2].all);
    for (uint32_t v = 0; v < n; v++)
      ck_assert_uint_eq(gpu.taking[v], cases[i / 2].of_each);
    free(gpu.taking);
    ms_instance_free(instance);
    ms_query_free(query);
    ms_motif_free(motif);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
    free(edge);
  }
}
END_TEST

/* A count by `auto`, and with `engine` NULL; the caller frees the result. */
static ms_list_result *list_by(const ms_query *query, const char *engine)
{
  ms_list_options options = {
      .size = sizeof(ms_list_options),
      .exact = true,
      .count_only = true,
      .participation = true,
      .screen = {.size = sizeof(ms_screen_options), .run.engine = engine, .run.threads = 1}};
  ms_list_result *result;
  ms_error err;
  ck_ok(ms_list(query, &options, &result, &err));
  return result;
}

/* With `auto`, what is done first counts, and the CPU if the GPU fails; the numbers are the same,
 * and the result says which engine has counted and why. */
START_TEST(auto_chooses)
{
  static const struct {
    double patience;
    bool fails;
    const char *engine, *reason;
  } cases[] = {{100, false, "cpu", "the count ended before a GPU would have started"},
               {1e-9, false, "gpu", "it was done before the CPU"},
               {1e-9, true, "cpu", "the GPU did not count: the region takes"}};
  larger_case c;
  larger_make(8, &c);
  vary(0);
  ms_list_result *want = list_by(c.query, "cpu");
  ck_assert_str_eq(want->run.engine, "cpu");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_hooks.race_start_patience = cases[i].patience;
    ms_hooks.race_second_first = i > 0;
    if (cases[i].fails)
      setenv("MOTIFSIEVE_GPU_MEMORY", "1K", 1);
    ms_list_result *result = list_by(c.query, i % 2 ? NULL : "auto");
    unsetenv("MOTIFSIEVE_GPU_MEMORY");
    ck_assert_str_eq(result->run.engine, cases[i].engine);
    ck_assert_ptr_eq(strstr(result->run.engine_reason, cases[i].reason), result->run.engine_reason);
    ck_assert_str_eq(result->count_text, want->count_text);
    ck_assert_mem_eq(result->matches_of, want->matches_of, want->n * sizeof *want->matches_of);
    ms_list_result_free(result);
  }
  ms_list_result_free(want);
  larger_free(&c);
}
END_TEST

/* Whoever wins, the numbers are those of one engine. */
START_TEST(races_have_one_winner)
{
  larger_case c;
  larger_make((unsigned)_i, &c);
  vary((unsigned)_i);
  ms_list_result *want = list_by(c.query, "cpu");
  ms_hooks.race_second_first = false;
  ms_hooks.race_start_patience = 1e-9;
  for (int i = 0; i < 20; i++) {
    ms_list_result *result = list_by(c.query, "auto");
    ck_assert_str_eq(result->count_text, want->count_text);
    ck_assert_mem_eq(result->matches_of, want->matches_of, want->n * sizeof *want->matches_of);
    ms_list_result_free(result);
  }
  ms_list_result_free(want);
  larger_free(&c);
}
END_TEST

int main(void)
{
  return RUN_TESTS(
      "motifs on GPUs", TEST_TIMES(agrees_with_oracle, TIMES), TEST_TIMES(agrees_with_cpu, TIMES),
      TEST_TIMES(shares_add_up, TIMES), TEST_TIMES(flipped_bits_are_found, TIMES),
      TEST(complete_graphs), TEST_IF(auto_chooses, fake_cuda), TEST_TIMES(races_have_one_winner, 8),
      TEST_IF(a_stopped_count_is_a_part, fake_cuda), TEST_IF(too_little_memory_is_an_error, true),
      TEST_IF(every_allocation_may_fail, fake_cuda));
}
