/* The census by shape on GPUs against that of the CPU, on emulated GPUs; the same tests run on real
 * ones as device_shapes. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "census/census.h"
#include "graph/colors.h"
#include "tests/gpu/emulated/censuses.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/census_shares.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  TIMES = 20,
  CASES = 240,
  SHARE_CASES = 80,
  CHECKED_CASES = 40,
  FULL_CASES = 60,
  PERMUTED_CASES = 60,
  SMALL_CASES = 30,
  MOST_N = 400,
  MOST_EDGES = 4000,
  MOST_COLORS = 300
};

typedef struct trial {
  ms_graph *graph;
  ms_coloring *coloring; /* NULL: there are no colours */
  ms_census_options options;
} trial;

static const char *const *color_names(void)
{
  static char text[MOST_COLORS][8];
  static const char *name[MOST_COLORS];
  for (int i = 0; i < MOST_COLORS; i++) {
    snprintf(text[i], sizeof text[i], "c%d", i);
    name[i] = text[i];
  }
  return name;
}

static uint32_t edges[MOST_EDGES][2], pairs[MOST_N][2];

static void make_graph(uint32_t n, uint64_t m, bool directed, uint32_t colors, uint64_t seed,
                       trial *t)
{
  ms_error err;
  uint64_t assigned = 0;
  ck_assert_uint_le(m, MOST_EDGES);
  ck_ok((directed ? ms_graph_from_arcs : ms_graph_from_edges)(n, m, (const uint32_t(*)[2])edges,
                                                              NULL, &t->graph, &err));
  for (uint32_t v = 0; v < n && colors > 0; v++) {
    if (random_below(&seed, 20) == 0)
      continue; /* it has none */
    pairs[assigned][0] = v;
    pairs[assigned++][1] = random_below(&seed, colors);
  }
  if (colors > 0)
    ck_ok(ms_coloring_from_pairs(t->graph, assigned, (const uint32_t(*)[2])pairs, colors,
                                 color_names(), &t->coloring, &err));
}

/* A random graph of one of six kinds: with directions or not; without colours, with few, or with
 * more than 32.  Some have hubs, whose rows are long.  All sizes come. */
static void make_trial(uint64_t seed, trial *t)
{
  static const uint32_t few[] = {1, 2, 3, 5};
  bool directed = seed % 2, hub = seed / 6 % 3 == 0;
  uint32_t k = 3 + (uint32_t)(seed / 2 % (directed ? 3 : 4));
  uint32_t colors = seed % 3 == 0 ? 0 : seed % 3 == 1 ? few[seed / 3 % 4] : 33 + seed % 200;
  *t = (trial){.options = {.size = sizeof t->options,
                           .k = k,
                           .shapes = true,
                           .non_induced = seed % 11 == 0 && k < 5,
                           .run.threads = 1 + (int)(seed % 2)}};
  uint32_t n = 2 + random_below(&seed, hub && k < 5 ? 150 : k < 5 ? 40 : 22);
  uint64_t m = 0, wanted = (uint64_t)(n * (1 + random_below(&seed, k < 5 ? 4 : 2)));
  while (m < wanted) {
    uint32_t a = random_below(&seed, n), b = random_below(&seed, n);
    edges[m][0] = a;
    edges[m][1] = a == b ? (a + 1) % n : b;
    m++;
  }
  for (uint32_t v = 1; hub && v < n; v++)
    if (random_below(&seed, 5) > 0) {
      edges[m][0] = directed && random_below(&seed, 3) == 0 ? v : 0;
      edges[m][1] = edges[m][0] == 0 ? v : 0;
      m++;
    }
  make_graph(n, m, directed, colors, seed, t);
}

static void free_trial(trial *t)
{
  ms_coloring_free(t->coloring);
  ms_graph_free(t->graph);
}

static ms_census_options options_of(const trial *t, const char *engine, uint32_t devices)
{
  ms_census_options o = t->options;
  o.run.engine = engine;
  o.run.devices = census_devices;
  o.run.n_devices = fake_cuda && strcmp(engine, "gpu") == 0 ? devices : 0;
  return o;
}

static ms_status count_by(const trial *t, const char *engine, uint32_t devices,
                          ms_census_result **out, ms_error *err)
{
  const ms_census_options o = options_of(t, engine, devices);
  return ms_census(t->graph, t->coloring, &o, out, err);
}

static void compare_results_of(const ms_census_result *a, const ms_census_result *b, uint64_t seed)
{
  ck_assert_msg(a->sets == b->sets && a->count == b->count && a->motifs == b->motifs,
                "seed %llu: %llu sets of %llu shapes, not %llu of %llu", (unsigned long long)seed,
                (unsigned long long)b->sets, (unsigned long long)b->count,
                (unsigned long long)a->sets, (unsigned long long)a->count);
  for (uint64_t i = 0; i < a->count; i++)
    ck_assert_msg(a->n_sets[i] == b->n_sets[i] && a->shape[i] == b->shape[i],
                  "seed %llu: %llu sets of shape %u, not %llu of %u", (unsigned long long)seed,
                  (unsigned long long)b->n_sets[i], b->shape[i], (unsigned long long)a->n_sets[i],
                  a->shape[i]);
  ck_assert(!a->color == !b->color);
  if (a->color && a->count > 0)
    ck_assert_mem_eq(a->color, b->color, a->count * a->k * sizeof *a->color);
}

static void compare(const trial *t, uint64_t seed, uint32_t devices)
{
  ms_census_result *cpu, *gpu;
  ms_error err;
  ck_ok(count_by(t, "cpu", 0, &cpu, &err));
  ck_ok(count_by(t, "gpu", devices, &gpu, &err));
  ck_assert_str_eq(gpu->run.engine, gpu->vertices > 0 ? "gpu" : "cpu");
  compare_results_of(cpu, gpu, seed);
  if (t->options.k > 3)
    ck_assert_uint_eq(cpu->visits, gpu->visits);
  ms_census_result_free(cpu);
  ms_census_result_free(gpu);
}

/* It counts as the CPU does, which brute force has checked: 240 random graphs, directed or not,
 * without colours, with 1 to 5 or with 33 to 232, with and without hubs, all sizes, on one or three
 * devices. */
START_TEST(agrees_with_cpu)
{
  uint64_t cases = scaled(CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    trial t;
    make_trial(seed, &t);
    compare(&t, seed, vary_devices(seed));
    free_trial(&t);
  }
}
END_TEST

/* Shares that GPUs count add up to the whole: 80 random graphs, roots in one piece and cut into
 * pieces. */
START_TEST(shares_add_up)
{
  uint64_t cases = scaled(SHARE_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    ms_census_result *cpu, *sum;
    ms_error err;
    trial t;
    make_trial(seed, &t);
    const ms_census_options o = options_of(&t, "gpu", vary_devices(seed));
    ms_hooks.census_unit_work = seed / 5 % 2 ? 1 : 256;
    ck_ok(count_by(&t, "cpu", 0, &cpu, &err));
    sum = sum_shares(&ms_census_gpus, t.graph, t.coloring, &o, seed);
    ms_hooks.census_unit_work = 256;
    compare_results_of(cpu, sum, seed);
    ms_census_result_free(cpu);
    ms_census_result_free(sum);
    free_trial(&t);
  }
}
END_TEST

/* A table that becomes full is emptied, and one that has no room for the keys of a launch is filled
 * again by fewer units: 60 random graphs with tables of 2^6 to 2^11 places.  Where those of one
 * unit do not fit, a census that asks for GPUs fails, and says what to do. */
START_TEST(tables_become_full)
{
  uint64_t cases = scaled(FULL_CASES) + 1, failed = 0, launches = 0;
  for (uint64_t seed = 0; seed < cases; seed++) {
    ms_census_result *cpu, *gpu;
    ms_error err;
    trial t;
    make_trial(seed, &t);
    vary_devices(seed);
    ck_ok(count_by(&t, "cpu", 0, &cpu, &err));
    ms_hooks.gpu_shape_slot_bits = 6 + (uint32_t)(seed / 3 % 6);
    ms_hooks.census_unit_work = 1;
    fake_launches = 0;
    ms_status status = count_by(&t, "gpu", 1, &gpu, &err);
    launches += fake_launches > 2;
    ms_hooks.gpu_shape_slot_bits = 0;
    ms_hooks.census_unit_work = 256;
    if (status == MS_OK) {
      compare_results_of(cpu, gpu, seed);
      ms_census_result_free(gpu);
    } else {
      ck_assert_int_eq(status, MS_ERR_MEMORY);
      ck_assert_ptr_nonnull(strstr(err.message, "use the CPU"));
      failed++;
    }
    ms_census_result_free(cpu);
    free_trial(&t);
  }
  if (fake_cuda && cases > 20)
    ck_assert_uint_gt(launches, failed);
}
END_TEST

/* ---- random networks ------------------------------------------------------------------------ */

enum { PERMUTATIONS = 11 /* more than the first batch has */ };

static ms_null_kind null_of(const trial *t, uint64_t seed)
{
  static const ms_null_kind kind[] = {MS_NULL_REWIRE, MS_NULL_LABELS, MS_NULL_DEGREE, MS_NULL_EDGES,
                                      MS_NULL_REWIRE_COLORS};
  return t->coloring ? kind[seed / 3 % 5] : MS_NULL_REWIRE;
}

static ms_status permute_by(const trial *t, const char *engine, uint64_t seed, ms_stop *stop,
                            const ms_census_result *observed, ms_permutation_result **out,
                            ms_error *err)
{
  ms_census_options o = options_of(t, engine, 1);
  const ms_permutation_options q = {.size = sizeof q,
                                    .null_kind = null_of(t, seed),
                                    .permutations = PERMUTATIONS,
                                    .keep_counts = PERMUTATIONS,
                                    .seed = seed};
  o.run.stop = stop;
  return ms_census_permute(t->graph, t->coloring, &o, &q, observed, out, err);
}

/* Compares the permutations that both have. */
static void compare_permutations(const ms_permutation_result *a, const ms_permutation_result *b,
                                 uint64_t motifs, uint64_t seed)
{
  uint64_t done = a->done < b->done ? a->done : b->done;
  for (uint64_t i = 0; i < done * motifs; i++)
    ck_assert_msg(a->counts[i] == b->counts[i], "seed %llu, permutation %llu: %llu, not %llu",
                  (unsigned long long)seed, (unsigned long long)(i / motifs),
                  (unsigned long long)b->counts[i], (unsigned long long)a->counts[i]);
  if (a->done == b->done && motifs > 0)
    ck_assert_mem_eq(a->expected, b->expected, motifs * sizeof *a->expected);
}

/* Random networks have the same numbers of shapes in batches on a GPU, one by one where keys have
 * no room for their numbers: 60 random graphs, all nulls, with much memory and little. */
START_TEST(permutations_agree)
{
  uint64_t cases = scaled(PERMUTED_CASES) + 1, batched = 0, some = 0;
  for (uint64_t seed = 0; seed < cases; seed++) {
    ms_permutation_result *cpu, *gpu, *little;
    ms_census_result *observed;
    ms_error err;
    trial t;
    make_trial(seed, &t);
    vary_devices(seed % 4);
    ck_ok(count_by(&t, "cpu", 1, &observed, &err));
    ck_ok(permute_by(&t, "cpu", seed, NULL, observed, &cpu, &err));
    ck_ok(permute_by(&t, "gpu", seed, NULL, observed, &gpu, &err));
    compare_permutations(cpu, gpu, observed->count, seed);
    some += observed->count > 0;
    batched += observed->count > 0 && gpu->on_gpus == PERMUTATIONS;
    setenv("MOTIFSIEVE_GPU_MEMORY", "400K", 1);
    ms_status status = permute_by(&t, "gpu", seed, NULL, observed, &little, &err);
    unsetenv("MOTIFSIEVE_GPU_MEMORY");
    ck_assert(status == MS_OK || status == MS_ERR_MEMORY);
    if (status == MS_OK) {
      compare_permutations(cpu, little, observed->count, seed);
      ms_permutation_result_free(little);
    }
    ms_permutation_result_free(cpu);
    ms_permutation_result_free(gpu);
    ms_census_result_free(observed);
    free_trial(&t);
  }
  ck_assert_uint_gt(3 * batched, 2 * some);
}
END_TEST

/* A run that is stopped has the first permutations. */
START_TEST(stopped_permutations_are_the_first)
{
  uint64_t stopped = 0;
  ms_permutation_result *cpu, *gpu;
  ms_census_result *observed;
  ms_error err;
  trial t;
  make_trial(20, &t);
  vary_devices(2);
  ck_ok(count_by(&t, "cpu", 1, &observed, &err));
  ck_ok(permute_by(&t, "cpu", 1, NULL, observed, &cpu, &err));
  bool is_whole = false;
  fake_slow = 3;
  for (uint64_t looks = 0; !is_whole; looks += 1 + looks / 20) {
    ms_stop *stop;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, looks);
    ms_status status = permute_by(&t, "gpu", 1, stop, observed, &gpu, &err);
    if (status == MS_OK) {
      compare_permutations(cpu, gpu, observed->count, looks);
      stopped += gpu->run.stopped != MS_OK && gpu->done > 0;
      is_whole = gpu->run.stopped == MS_OK;
      ck_assert(!is_whole || gpu->done == PERMUTATIONS);
      ms_permutation_result_free(gpu);
    }
    ms_stop_free(stop);
  }
  fake_slow = 0;
  ck_assert_uint_gt(stopped, 0);
  ms_permutation_result_free(cpu);
  ms_census_result_free(observed);
  free_trial(&t);
}
END_TEST

/* Where a GPU has little memory, it searches with fewer warps and a smaller table: 30 random graphs
 * and 700 KB, of which most are counted. */
START_TEST(little_memory_suffices)
{
  uint64_t cases = scaled(SMALL_CASES) + 1, done = 0;
  for (uint64_t seed = 0; seed < cases; seed++) {
    ms_census_result *cpu, *gpu;
    ms_error err;
    trial t;
    make_trial(seed, &t);
    vary_devices(2);
    fake_multiprocessors = 20;
    ck_ok(count_by(&t, "cpu", 0, &cpu, &err));
    setenv("MOTIFSIEVE_GPU_MEMORY", "700K", 1);
    ms_status status = count_by(&t, "gpu", 1, &gpu, &err);
    unsetenv("MOTIFSIEVE_GPU_MEMORY");
    ck_assert(status == MS_OK || status == MS_ERR_MEMORY);
    if (status == MS_OK) {
      compare_results_of(cpu, gpu, seed);
      ck_assert_uint_le(gpu->gpu_bytes, 700 << 10);
      ms_census_result_free(gpu);
      done++;
    }
    ms_census_result_free(cpu);
    free_trial(&t);
  }
  if (fake_cuda)
    ck_assert_uint_gt(done, cases / 2);
}
END_TEST

/* ---- runs that check themselves ------------------------------------------------------------- */

/* A bit that flips in a copy is found by its digest, and the result is right: 40 random graphs, one
 * or three devices. */
START_TEST(damaged_copies_are_found)
{
  uint64_t cases = scaled(CHECKED_CASES) / TIMES + 1, damaged = 0;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    const ms_division division = {.size = sizeof division, .paranoid = 1};
    ms_census_result *cpu, *gpu;
    ms_error err;
    trial t;
    make_trial(seed, &t);
    ms_census_options o = options_of(&t, "gpu", vary_devices(seed));
    ck_ok(count_by(&t, "cpu", 0, &cpu, &err));
    o.run.division = &division;
    begin_fault(MS_FAULT_TRANSFER, seed);
    ck_ok(ms_census(t.graph, t.coloring, &o, &gpu, &err));
    ms_hooks.fault = NULL;
    compare_results_of(cpu, gpu, seed);
    ck_assert_uint_eq(gpu->run.paranoid.damaged, faults > 0);
    ck_assert_uint_eq(gpu->run.paranoid.checked, gpu->run.paranoid.blocks);
    damaged += faults > 0;
    ms_census_result_free(cpu);
    ms_census_result_free(gpu);
    free_trial(&t);
  }
  ck_assert_uint_gt(damaged, 0);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------- */

/* A star, whose census is estimated to take long. */
static void make_star(bool colored, trial *t)
{
  *t = (trial){.options = {.size = sizeof t->options, .k = 4, .shapes = true, .run.threads = 1}};
  for (uint32_t v = 1; v < MOST_N; v++) {
    edges[v - 1][0] = v % 2 ? v : 0;
    edges[v - 1][1] = v % 2 ? 0 : v;
  }
  make_graph(MOST_N, MOST_N - 1, true, colored ? 40 : 0, 8, t);
}

/* `auto` counts on GPUs where an estimate says that it pays, with colours and without; the reason
 * has the estimate.  Where the GPU fails, the CPU takes over, and the numbers are the same. */
START_TEST(the_cpu_takes_over)
{
  for (int colored = 0; colored < 2; colored++) {
    ms_census_result *cpu, *r;
    ms_error err;
    trial t;
    vary_devices(2);
    make_star(colored, &t);
    ck_ok(count_by(&t, "cpu", 0, &cpu, &err));
    ms_census_result_free(cpu);
    ck_ok(count_by(&t, "gpu", 1, &r, &err)); /* starts the GPU */
    ms_census_result_free(r);
    ck_ok(count_by(&t, "cpu", 0, &cpu, &err));
    ck_assert_uint_gt(cpu->sets, 0);
    ck_ok(count_by(&t, "auto", 1, &r, &err));
    if (colored)
      ck_assert_msg(strcmp(r->run.engine, "gpu") == 0, "%s", r->run.engine_reason);
    ck_assert_ptr_nonnull(strstr(r->run.engine_reason, "by a search"));
    if (colored)
      ck_assert_ptr_nonnull(strstr(r->run.engine_reason, "s on processors, and"));
    compare_results_of(cpu, r, 0);
    ms_census_result_free(r);
    if (fake_cuda && colored) {
      fake_copies_left = 3;
      ck_ok(count_by(&t, "auto", 1, &r, &err));
      fake_copies_left = UINT64_MAX;
      ck_assert_str_eq(r->run.engine, "cpu");
      ck_assert_ptr_nonnull(strstr(r->run.engine_reason, "the GPU did not count"));
      compare_results_of(cpu, r, 0);
      ms_census_result_free(r);
    }
    ms_census_result_free(cpu);
    free_trial(&t);
  }
}
END_TEST

/* A census that is stopped after any number of looks has no shapes, and one that is not has all. */
START_TEST(a_stop_ends_it)
{
  uint64_t stopped = 0;
  for (uint64_t looks = 0; looks < 40; looks++) {
    ms_stop *stop;
    ms_census_result *whole, *part;
    ms_error err;
    trial t;
    make_trial(20 + looks % 2, &t);
    ck_ok(count_by(&t, "cpu", 0, &whole, &err));
    vary_devices(2);
    fake_slow = 3;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, looks);
    t.options.run.stop = stop;
    ck_ok(count_by(&t, "gpu", 1, &part, &err));
    ck_assert_uint_eq(part->sets, part->run.stopped == MS_OK ? whole->sets : 0);
    stopped += part->run.stopped != MS_OK;
    ms_census_result_free(part);
    ms_census_result_free(whole);
    ms_stop_free(stop);
    free_trial(&t);
  }
  fake_slow = 0;
  ck_assert_uint_gt(stopped, 2);
  ck_assert_uint_lt(stopped, 40);
}
END_TEST

/* With too little memory on the GPU, or with colours that have no room in a key, it says what to
 * do.
 */
START_TEST(too_little_room_is_an_error)
{
  trial t;
  ms_error err;
  ms_census_result *r;
  make_trial(2, &t);
  vary_devices(0);
  setenv("MOTIFSIEVE_GPU_MEMORY", "1K", 1);
  ck_assert_int_eq(count_by(&t, "gpu", 1, &r, &err), MS_ERR_MEMORY);
  unsetenv("MOTIFSIEVE_GPU_MEMORY");
  ck_assert_ptr_nonnull(strstr(err.message, "MOTIFSIEVE_GPU_MEMORY"));
  free_trial(&t);
  for (uint32_t v = 0; v < MOST_N; v++) {
    edges[v][0] = v;
    edges[v][1] = (v + 1) % MOST_N;
  }
  t = (trial){.options = {.size = sizeof t.options, .k = 5, .shapes = true}};
  make_graph(MOST_N, MOST_N, true, MOST_COLORS, 3, &t);
  for (uint32_t v = 0; v < MOST_N; v++) {
    pairs[v][0] = v;
    pairs[v][1] = v % MOST_COLORS;
  }
  ms_coloring_free(t.coloring);
  ck_ok(ms_coloring_from_pairs(t.graph, MOST_N, (const uint32_t(*)[2])pairs, MOST_COLORS,
                               color_names(), &t.coloring, &err));
  ck_assert_int_eq(count_by(&t, "gpu", 1, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "too many colours for the GPU"));
  free_trial(&t);
}
END_TEST

static ms_status count_once(void *user, ms_error *err)
{
  ms_census_result *r;
  ms_status status = count_by(user, "gpu", 1, &r, err);
  ms_census_result_free(r);
  return status;
}

static ms_status permute_once(void *user, ms_error *err)
{
  ms_permutation_result *r;
  ms_census_result *observed;
  MS_TRY(count_by(user, "cpu", 1, &observed, err));
  ms_status status = permute_by(user, "gpu", 3, NULL, observed, &r, err);
  if (status == MS_OK)
    ms_permutation_result_free(r);
  ms_census_result_free(observed);
  return status;
}

/* Whichever allocation fails, a census reports it, and nothing is lost. */
START_TEST(every_allocation_may_fail)
{
  for (uint64_t seed = 30; seed < 33; seed++) {
    trial t;
    make_trial(seed, &t);
    vary_devices(4 + 5 * seed);
    ck_assert_int_gt(failing_runs_survived(count_once, &t), 10);
    if (seed == 30)
      ck_assert_int_gt(failing_runs_survived(permute_once, &t), 10);
    free_trial(&t);
  }
}
END_TEST

int main(void)
{
  return RUN_TESTS(
      "shapes on GPUs", TEST_TIMES(agrees_with_cpu, TIMES), TEST_TIMES(shares_add_up, TIMES),
      TEST(tables_become_full), TEST(permutations_agree),
      TEST_IF(stopped_permutations_are_the_first, fake_cuda), TEST(little_memory_suffices),
      TEST(damaged_copies_are_found), TEST(the_cpu_takes_over), TEST_IF(a_stop_ends_it, fake_cuda),
      TEST_IF(too_little_room_is_an_error, true), TEST_IF(every_allocation_may_fail, fake_cuda));
}
