/* The census on GPUs against that of the CPU, on emulated GPUs; the same tests run on real ones as
 * device_census. */
#include "census/census.h"
#include "base/threads/stop.h"
#include "census/accelerator.h"
#include "graph/colors.h"
#include "significance/permute/permute.h"
#include "tests/gpu/emulated/censuses.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/census_shares.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum {
  TIMES = 20,
  CASES = 400,
  VERTEX_CASES = 200,
  SHARE_CASES = 200,
  CHECKED_CASES = 60,
  LABEL_CASES = 100,
  PERMUTED_CASES = 60,
  MOST_N = 400,
  MOST_COLORS = 9
};

static const char *const color_names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

typedef struct trial {
  ms_graph *graph;
  ms_coloring *coloring;
  uint32_t k, n;
} trial;

/* A graph in which most edges join vertices that are near each other in one or two dimensions, and
 * sometimes a hub. */
static void make_trial(uint64_t seed, trial *t)
{
  static uint32_t edges[MOST_N * 40][2], pairs[MOST_N * 2][2];
  uint64_t m = 0, assigned = 0;
  ms_error err;
  t->k = 3 + (uint32_t)(seed % 6);
  uint32_t side = 2 + random_below(&seed, t->k < 6 ? 14 : 9);
  uint32_t colors = 1 + random_below(&seed, MOST_COLORS), spread = 1 + random_below(&seed, 3);
  bool lists = random_below(&seed, 4) == 0 && t->k < 6,
       hub = random_below(&seed, 4) == 0 && t->k < 6;
  t->n = side * (1 + random_below(&seed, side));
  for (uint32_t v = 0; v < t->n; v++) {
    for (uint32_t i = random_below(&seed, 4); i > 0; i--) {
      uint32_t u = v + random_below(&seed, spread + 1) + side * random_below(&seed, 2);
      if (u != v && u < t->n) {
        edges[m][0] = v;
        edges[m++][1] = u;
      }
    }
    if (hub && v > 0 && random_below(&seed, 2)) {
      edges[m][0] = 0;
      edges[m++][1] = v;
    }
    for (uint32_t i = random_below(&seed, 20) > 0 ? 1 + (lists && random_below(&seed, 2)) : 0;
         i > 0; i--) {
      pairs[assigned][0] = v;
      pairs[assigned++][1] = random_below(&seed, colors);
    }
  }
  ck_ok(ms_graph_from_edges(t->n, m, (const uint32_t(*)[2])edges, NULL, &t->graph, &err));
  ck_ok(ms_coloring_from_pairs(t->graph, assigned, (const uint32_t(*)[2])pairs, colors, color_names,
                               &t->coloring, &err));
}

static void free_trial(trial *t)
{
  ms_coloring_free(t->coloring);
  ms_graph_free(t->graph);
}

/* Varies devices, lanes, kernels, and where numbers are counted.  Returns the devices. */
static uint32_t vary(uint64_t seed)
{
  uint32_t devices = vary_devices(seed);
  fake_multiprocessors = 1 + (int)(seed / 16 % 2);
  emulated_blocks = 1 + seed / 8 % 2;
  ms_hooks.gpu_census_words = 1u << seed / 3 % 3;
  ms_hooks.gpu_census_words_limit = seed % 4 == 0 ? ms_hooks.gpu_census_words : 4;
  ms_hooks.gpu_census_shared_cells = seed / 2 % 2 ? 4096 : 0;
  ms_hooks.gpu_census_cache_bytes =
      seed % 7 == 0 ? 1 : (uint64_t)1 << 30; /* labellings: one by one */
  ms_hooks.gpu_census_ball_kinds = seed / 4 % 2 ? 64 : 0;
  return devices;
}

static ms_status count_by(const trial *t, const char *engine, uint32_t devices, ms_stop *stop,
                          ms_census_result **out, ms_error *err)
{
  ms_census_options o = {.size = sizeof o,
                         .k = t->k,
                         .run.threads = 1,
                         .run.engine = engine,
                         .run.devices = census_devices,
                         .run.n_devices = fake_cuda && strcmp(engine, "gpu") == 0 ? devices : 0,
                         .run.stop = stop};
  return ms_census(t->graph, t->coloring, &o, out, err);
}

static void compare(const trial *t, uint64_t seed, uint32_t devices)
{
  ms_census_result *cpu, *gpu;
  ms_error err;
  ck_ok(count_by(t, "cpu", 0, NULL, &cpu, &err));
  ck_ok(count_by(t, "gpu", devices, NULL, &gpu, &err));
  ck_assert_str_eq(gpu->run.engine, gpu->vertices > 0 ? "gpu" : "cpu");
  ck_assert_msg(cpu->sets == gpu->sets && cpu->count == gpu->count,
                "seed %llu: %llu sets of %llu motifs, not %llu of %llu", (unsigned long long)seed,
                (unsigned long long)gpu->sets, (unsigned long long)gpu->count,
                (unsigned long long)cpu->sets, (unsigned long long)cpu->count);
  ck_assert_mem_eq(cpu->n_sets, gpu->n_sets, cpu->count * sizeof *cpu->n_sets);
  ck_assert_mem_eq(cpu->color, gpu->color, cpu->count * cpu->k * sizeof *cpu->color);
  ms_census_result_free(cpu);
  ms_census_result_free(gpu);
}

/* It counts as the CPU does, which brute force has checked: 400 random graphs of up to 210 vertices
 * with colours or lists of colours, k = 3 to 8, with and without roots that are left to the CPU. */
START_TEST(agrees_with_cpu)
{
  uint64_t cases = scaled(CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    trial t;
    make_trial(seed, &t);
    compare(&t, seed, vary(seed));
    free_trial(&t);
  }
}
END_TEST

/* Shares that GPUs count add up to the whole, and so do those of each vertex: 200 random graphs,
 * roots in one piece and cut into pieces, with and without roots that are left to the CPU. */
START_TEST(shares_add_up)
{
  uint64_t cases = scaled(SHARE_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    ms_census_result *cpu, *sum;
    ms_error err;
    trial t;
    make_trial(seed, &t);
    uint32_t devices = vary(seed);
    ms_hooks.census_unit_work = seed / 5 % 2 ? 1 : 256;
    ck_ok(count_by(&t, "cpu", 0, NULL, &cpu, &err));
    ms_census_options o = {.size = sizeof o,
                           .k = t.k,
                           .run.threads = 1,
                           .run.engine = seed % 9 == 0 ? "cpu" : "gpu",
                           .run.devices = census_devices,
                           .run.n_devices = fake_cuda && seed % 9 ? devices : 0};
    sum = sum_shares(&ms_census_gpus, t.graph, t.coloring, &o, seed);
    compare_results(cpu, sum, seed);
    if (i % 2 == 0)
      compare_vertex_shares(&ms_census_gpus, t.graph, t.coloring, &o, seed);
    ms_census_result_free(cpu);
    ms_census_result_free(sum);
    free_trial(&t);
  }
}
END_TEST

/* ---- runs that check themselves ------------------------------------------------------------- */

static ms_status count_paranoid(const trial *t, uint32_t devices, ms_fault_place place, bool checks,
                                uint64_t seed, ms_census_result **out, ms_error *err)
{
  const ms_division division = {.size = sizeof division, .paranoid = 1};
  ms_census_options o = {.size = sizeof o,
                         .k = t->k,
                         .run.threads = 1,
                         .run.engine = "gpu",
                         .run.devices = census_devices,
                         .run.n_devices = devices,
                         .run.division = &division};
  begin_fault(place, seed);
  ms_hooks.fault_unchecked = !checks;
  ms_status status = ms_census(t->graph, t->coloring, &o, out, err);
  ms_hooks.fault = NULL;
  ms_hooks.fault_unchecked = false;
  return status;
}

static bool same_sets(const ms_census_result *a, const ms_census_result *b)
{
  return a->sets == b->sets && a->count == b->count &&
         memcmp(a->n_sets, b->n_sets, a->count * sizeof *a->n_sets) == 0;
}

/* A bit that flips in a device's memory is found by the second computation, and one that flips in a
 * copy by its digest; the result is right.  Without checks it is wrong: 60 random graphs, 1 or 3
 * devices. */
START_TEST(flipped_bits_are_found)
{
  uint64_t cases = scaled(CHECKED_CASES) / TIMES + 1, harmed = 0, reached = 0;
  for (uint64_t i = 0; i < cases; i++)
    for (int transfer = 0; transfer < 2; transfer++) {
      uint64_t seed = (uint64_t)_i + TIMES * i;
      ms_fault_place place = transfer ? MS_FAULT_TRANSFER : MS_FAULT_DEVICE;
      ms_census_result *cpu, *gpu;
      ms_error err;
      trial t;
      make_trial(seed, &t);
      uint32_t devices = vary(seed);
      ck_ok(count_by(&t, "cpu", 0, NULL, &cpu, &err));
      ck_ok(count_paranoid(&t, devices, place, true, seed, &gpu, &err));
      ck_assert(same_sets(cpu, gpu));
      if (faults > 0) {
        reached++;
        ck_assert_uint_eq(gpu->run.paranoid.differences, !transfer);
        ck_assert_uint_eq(gpu->run.paranoid.damaged, transfer);
      }
      ck_assert_uint_eq(gpu->run.paranoid.checked, gpu->run.paranoid.blocks);
      ms_census_result_free(gpu);
      ck_ok(count_paranoid(&t, devices, place, false, seed, &gpu, &err));
      harmed += !same_sets(cpu, gpu);
      ms_census_result_free(gpu);
      ms_census_result_free(cpu);
      free_trial(&t);
    }
  ck_assert_uint_ge(harmed, reached / 2);
}
END_TEST

/* A context for labellings. */
typedef struct labeled {
  ms_census_graph *graph;
  ms_dense dense;
  void *context;
  uint64_t cells;
  uint8_t *label; /* [n][MS_CENSUS_AT_A_TIME] */
} labeled;

static void open_labeled(const trial *t, uint64_t seed, labeled *l)
{
  ms_census_options o = {.size = sizeof o, .k = t->k, .primary = true};
  ms_error err;
  ck_ok(ms_census_graph_new(t->graph, t->coloring, &o, &l->graph, &err));
  ck_ok(ms_dense_open(&l->dense, l->graph->kinds, t->k, &err));
  l->cells = l->dense.rows * l->graph->kinds;
  const ms_census_on on = {.graph = l->graph, .k = t->k, .dense = &l->dense, .threads = 1};
  ck_ok(ms_census_gpus.open(&on, &l->context, &err));
  l->label = malloc((size_t)l->graph->n * MS_CENSUS_AT_A_TIME + 1);
  for (uint64_t i = 0; i < (uint64_t)l->graph->n * MS_CENSUS_AT_A_TIME; i++)
    l->label[i] = (uint8_t)random_below(&seed, l->graph->kinds);
}

static void close_labeled(labeled *l)
{
  ms_census_gpus.close(l->context);
  ms_dense_close(&l->dense);
  ms_census_graph_free(l->graph);
  free(l->label);
}

/* Fills total[motifs] with the sets of each multiset of k kinds. */
static void add_up(labeled *l, uint32_t k, const uint64_t *cell, uint64_t *total)
{
  uint64_t motifs = ms_multisets_count(l->graph->kinds, k);
  ms_dense_clear(&l->dense, k);
  ms_dense_add_cells(&l->dense, l->graph->kinds, k, cell);
  for (uint64_t i = 0; i < motifs; i++)
    total[i] = l->dense.total[i];
}

/* Many labellings at a time have the numbers that each has alone: 100 random graphs, 1 to 64
 * labellings. */
START_TEST(labelings_agree)
{
  uint64_t cases = scaled(LABEL_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i, lefts, lefts_alone;
    uint32_t labelings = 1 + (uint32_t)(seed * 7 % MS_CENSUS_AT_A_TIME);
    trial t;
    labeled l;
    ms_error err;
    make_trial(seed, &t);
    (void)vary(seed);
    open_labeled(&t, seed, &l);
    uint64_t *all = malloc((labelings * l.cells + 1) * sizeof *all);
    uint64_t *one = malloc((l.cells + 1) * sizeof *one);
    uint64_t motifs = ms_multisets_count(l.graph->kinds, t.k);
    uint64_t *total[2] = {malloc((motifs + 1) * sizeof *one), malloc((motifs + 1) * sizeof *one)};
    ms_kind_id *kind = malloc((l.graph->n + 1) * sizeof *kind);
    ck_ok(ms_census_gpus.count_labels(l.context, l.label, labelings, all, &err));
    (void)ms_census_gpus.left(l.context, &lefts);
    for (uint32_t a = 0; a < labelings; a += 1 + labelings / 3) {
      for (uint32_t v = 0; v < l.graph->n; v++)
        kind[v] = l.label[(size_t)v * MS_CENSUS_AT_A_TIME + a];
      memset(one, 0, l.cells * sizeof *one);
      ck_ok(ms_census_gpus.count(l.context, kind, one, &err));
      (void)ms_census_gpus.left(l.context, &lefts_alone);
      ck_assert_uint_eq(lefts, lefts_alone);
      add_up(&l, t.k, one, total[0]);
      add_up(&l, t.k, all + a * l.cells, total[1]);
      ck_assert_mem_eq(total[0], total[1], motifs * sizeof *one);
    }
    free(total[0]);
    free(total[1]);
    free(kind);
    free(one);
    free(all);
    close_labeled(&l);
    free_trial(&t);
  }
}
END_TEST

/* Permutations on GPUs have the numbers of a census of each permuted graph: 60 random graphs, the
 * three nulls that move labels, 1 to 70 permutations. */
START_TEST(permutations_agree)
{
  uint64_t cases = scaled(PERMUTED_CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    trial t;
    ms_error err;
    ms_census_result *observed;
    ms_permutation_result *r[2];
    make_trial(seed, &t);
    vary(seed);
    ms_hooks.gpu_census_words_limit = 4;
    ms_census_options o = {
        .size = sizeof o, .k = t.k < 6 ? t.k : 3, .run.threads = 2, .primary = true};
    ms_permutation_options q = {.size = sizeof q,
                                .null_kind = (ms_null_kind)(seed % 3),
                                .permutations = seed % 4 == 0 ? 70 : 1 + seed % 9,
                                .seed = seed};
    ck_ok(ms_census(t.graph, t.coloring, &o, &observed, &err));
    for (int gpu = 0; gpu < 2; gpu++) {
      ms_hooks.permute_engine = gpu ? MS_PERMUTE_GPU : MS_PERMUTE_ONE;
      ck_ok(ms_census_permute(t.graph, t.coloring, &o, &q, observed, &r[gpu], &err));
    }
    ms_hooks.permute_engine = MS_PERMUTE_AUTO;
    ck_assert_uint_eq(r[0]->on_gpus, 0);
    ck_assert_uint_eq(r[1]->on_gpus, q.permutations);
    ck_assert_uint_eq(r[0]->tried, r[1]->tried);
    ck_assert_mem_eq(r[0]->n_ge, r[1]->n_ge, observed->count * sizeof *r[0]->n_ge);
    ck_assert_mem_eq(r[0]->n_le, r[1]->n_le, observed->count * sizeof *r[0]->n_le);
    ck_assert_mem_eq(r[0]->expected, r[1]->expected, observed->count * sizeof *r[0]->expected);
    ms_permutation_result_free(r[0]);
    ms_permutation_result_free(r[1]);
    ms_census_result_free(observed);
    free_trial(&t);
  }
}
END_TEST

/* ---- each vertex ------------------------------------------------------------------------ */

/* The rows of all vertices, one behind the other: vertex, sets, count, and of each motif its
 * colours and its number. */
typedef struct rows_of_vertices {
  uint64_t *word; /* [room] */
  uint64_t words, room;
} rows_of_vertices;

static void keep_word(rows_of_vertices *r, uint64_t word)
{
  if (r->words == r->room) {
    r->room = 2 * r->room + 1024;
    r->word = realloc(r->word, r->room * sizeof *r->word);
  }
  r->word[r->words++] = word;
}

static uint32_t rows_k;

static bool keep_vertex(void *user, const ms_census_vertex *v)
{
  rows_of_vertices *r = user;
  keep_word(r, v->vertex);
  keep_word(r, v->sets);
  keep_word(r, v->count);
  for (uint64_t i = 0; i < v->count; i++) {
    for (uint32_t j = 0; j < rows_k; j++)
      keep_word(r, v->color[i * rows_k + j]);
    keep_word(r, v->n_sets[i]);
  }
  return true;
}

static ms_status count_vertices_by(const trial *t, uint64_t seed, const char *engine,
                                   uint32_t devices, ms_stop *stop, rows_of_vertices *rows,
                                   ms_census_summary *summary, ms_error *err)
{
  ms_census_options o = {.size = sizeof o,
                         .k = t->k,
                         .run.threads = 1 + (int)(seed % 2),
                         .primary = seed % 3 == 0,
                         .min_count = seed % 5 == 0 ? 3 : 0,
                         .top = seed % 7 == 0 ? 4 : 0,
                         .run.engine = engine,
                         .run.devices = census_devices,
                         .run.n_devices = fake_cuda && strcmp(engine, "gpu") == 0 ? devices : 0,
                         .run.stop = stop};
  rows_k = t->k;
  rows->words = 0;
  return ms_census_vertices(t->graph, t->coloring, &o, keep_vertex, rows, summary, err);
}

/* Varies also the tables and the output, so that vertices are left or late. */
static uint32_t vary_vertices(uint64_t seed)
{
  static const uint32_t bits[] = {0, 5, 8, 16};
  uint32_t devices = vary(seed);
  ms_hooks.gpu_census_bits = bits[seed / 2 % 4];
  ms_hooks.gpu_census_entries = seed % 6 ? (uint64_t)1 << 24 : 1 << 16;
  return devices;
}

static void compare_vertices(const trial *t, uint64_t seed, uint32_t devices, uint64_t *on_gpus)
{
  rows_of_vertices cpu = {0}, gpu = {0};
  ms_census_summary summary[2];
  ms_error err;
  ck_ok(count_vertices_by(t, seed, "cpu", 0, NULL, &cpu, &summary[0], &err));
  ck_ok(count_vertices_by(t, seed, "gpu", devices, NULL, &gpu, &summary[1], &err));
  ck_assert_str_eq(summary[0].run.engine, "cpu");
  ck_assert_str_eq(summary[1].run.engine, summary[0].vertices > 0 && t->k > 2 ? "gpu" : "cpu");
  ck_assert_uint_eq(summary[0].vertices, summary[1].vertices);
  ck_assert_uint_eq(summary[0].rows, summary[1].rows);
  ck_assert_msg(cpu.words == gpu.words &&
                    (cpu.words == 0 || memcmp(cpu.word, gpu.word, 8 * cpu.words) == 0),
                "seed %llu: other numbers of vertices", (unsigned long long)seed);
  if (strcmp(summary[1].run.engine, "gpu") == 0)
    *on_gpus += summary[1].vertices - summary[1].cpu_vertices;
  free(cpu.word);
  free(gpu.word);
}

/* The numbers of each vertex are those of the CPU, which brute force has checked: 200 random graphs
 * of up to 210 vertices with colours or lists of colours, also with hubs, k = 2 to 8, on one or
 * three devices, with too small tables and with vertices that are left to the CPU. */
START_TEST(vertices_agree)
{
  uint64_t cases = scaled(VERTEX_CASES) / TIMES + 1, on_gpus = 0;
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    trial t;
    make_trial(seed, &t);
    t.k = seed % 13 == 12 ? 2 : t.k;
    compare_vertices(&t, seed, vary_vertices(seed), &on_gpus);
    free_trial(&t);
  }
  ms_hooks.gpu_census_bits = 0;
  if (cases > 1) /* a single one may have k = 2, which no GPU counts */
    ck_assert_uint_gt(on_gpus, 0);
}
END_TEST

/* Where the output has no room for the vertices of a call, fewer of them are asked for, and no
 * vertex is lost: 1,250 vertices (2,500 on a real GPU) with hundreds of motifs each, and room for
 * 2^16 entries. */
START_TEST(vertices_come_late)
{
  enum { SIDE = 50 };
  static uint32_t edges[SIDE * SIDE * 2][2], pairs[SIDE * SIDE][2];
  trial t = {.k = 5, .n = SIDE * (SIDE / (fake_cuda ? 2 : 1))};
  uint64_t seed = 5, m = 0, on_gpus = 0;
  ms_error err;
  for (uint32_t v = 0; v < t.n; v++) {
    pairs[v][0] = v;
    pairs[v][1] = random_below(&seed, MOST_COLORS);
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t u = v + (i ? SIDE : 1);
      if (u < t.n && (i || u % SIDE)) {
        edges[m][0] = v;
        edges[m++][1] = u;
      }
    }
  }
  ck_ok(ms_graph_from_edges(t.n, m, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
  ck_ok(ms_coloring_from_pairs(t.graph, t.n, (const uint32_t(*)[2])pairs, MOST_COLORS, color_names,
                               &t.coloring, &err));
  vary(1);
  ms_hooks.gpu_census_entries = 1 << 16;
  compare_vertices(&t, 1, 1, &on_gpus);
  ck_assert_uint_gt(on_gpus, t.n / 2);
  ms_hooks.gpu_census_entries = (uint64_t)1 << 24;
  free_trial(&t);
}
END_TEST

/* Returns whether each vertex of `part` is in `whole` with the same numbers, in the same order. */
static bool are_rows_of(const rows_of_vertices *part, const rows_of_vertices *whole)
{
  uint64_t p = 0, w = 0;
  while (p < part->words && w < whole->words) {
    uint64_t length = 3 + whole->word[w + 2] * (rows_k + 1);
    if (p + length <= part->words && memcmp(part->word + p, whole->word + w, 8 * length) == 0)
      p += length;
    w += length;
  }
  return p == part->words;
}

/* After a stop, the vertices that were passed on have their right numbers: those that a thread had
 * ended, so that vertices before them may be missing.  A run that is not stopped passes on all. */
START_TEST(a_stop_keeps_vertices)
{
  trial t;
  ms_error err;
  uint64_t stopped = 0;
  rows_of_vertices whole = {0}, part = {0};
  ms_census_summary all, some;
  make_trial(20, &t);
  ck_ok(count_vertices_by(&t, 1, "cpu", 0, NULL, &whole, &all, &err));
  for (uint64_t looks = 0; looks < 40; looks++) {
    ms_stop *stop;
    vary_vertices(2);
    fake_slow = 3;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, looks);
    ck_ok(count_vertices_by(&t, 1, "gpu", 1, stop, &part, &some, &err));
    ck_assert(are_rows_of(&part, &whole));
    ck_assert(some.run.stopped != MS_OK || part.words == whole.words);
    stopped += some.run.stopped != MS_OK;
    ms_stop_free(stop);
  }
  ms_hooks.gpu_census_bits = 0;
  ck_assert_uint_gt(stopped, 2);
  ck_assert_uint_lt(stopped, 40);
  free(whole.word);
  free(part.word);
  free_trial(&t);
}
END_TEST

static bool take_none(void *user, const ms_census_vertex *v)
{
  (void)user;
  (void)v;
  return true;
}

static ms_status count_vertices_once(void *user, ms_error *err)
{
  const trial *t = user;
  ms_census_options o = {.size = sizeof o, .k = t->k, .run.threads = 1, .run.engine = "gpu"};
  return ms_census_vertices(t->graph, t->coloring, &o, take_none, NULL, NULL, err);
}

/* Whichever allocation fails, it is reported, and nothing is lost.  With too little memory on the
 * GPU, the message says what to do, and `auto` uses the CPU. */
START_TEST(vertices_without_memory)
{
  trial t;
  ms_error err;
  ms_census_summary summary;
  rows_of_vertices rows = {0};
  make_trial(14, &t);
  vary(4);
  if (fake_cuda)
    ck_assert_int_gt(failing_runs_survived(count_vertices_once, &t), 10);
  setenv("MOTIFSIEVE_GPU_MEMORY", "1K", 1);
  ck_assert_int_eq(count_vertices_by(&t, 1, "gpu", 1, NULL, &rows, &summary, &err), MS_ERR_MEMORY);
  unsetenv("MOTIFSIEVE_GPU_MEMORY");
  ck_assert_ptr_nonnull(strstr(err.message, "MOTIFSIEVE_GPU_MEMORY"));
  ck_assert_int_eq(count_vertices_by(&t, 1, "fpga", 1, NULL, &rows, &summary, &err), MS_ERR_USAGE);
  ck_ok(count_vertices_by(&t, 1, "auto", 1, NULL, &rows, &summary, &err));
  ck_assert_str_eq(summary.run.engine, "cpu");
  free(rows.word);
  free_trial(&t);
}
END_TEST

/* Counts sets of a complete graph, all of which are connected: C(n, k).  Up to 64 vertices have one
 * kernel each, and more than 256 are left to the CPU. */
START_TEST(complete_graphs)
{
  static const struct {
    uint32_t n, k;
    uint64_t sets;
  } cases[] = {{64, 4, 635376},  {65, 4, 677040},   {128, 3, 341376},
               {129, 3, 349504}, {256, 3, 2763520}, {257, 3, 2796160}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t n = cases[i].n, m = 0;
    uint32_t(*edge)[2] = malloc(sizeof *edge * n * n), (*pair)[2] = malloc(sizeof *pair * n);
    trial t = {.k = cases[i].k, .n = n};
    ms_error err;
    ms_census_result *gpu;
    for (uint32_t v = 0; v < n; v++) {
      pair[v][0] = v;
      pair[v][1] = v % 3;
      for (uint32_t u = 0; u < v; u++, m++) {
        edge[m][0] = v;
        edge[m][1] = u;
      }
    }
    ck_ok(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &t.graph, &err));
    ck_ok(ms_coloring_from_pairs(t.graph, n, (const uint32_t(*)[2])pair, 3, color_names,
                                 &t.coloring, &err));
    vary(12 + i);
    ms_hooks.gpu_census_words = 1;
    ms_hooks.gpu_census_words_limit = 4;
    ck_ok(count_by(&t, "gpu", 1, NULL, &gpu, &err));
    ck_assert_uint_eq(gpu->sets, cases[i].sets);
    ck_assert_uint_eq(gpu->cpu_roots, n > 256 ? n - 256 : 0);
    ms_census_result_free(gpu);
    compare(&t, i, 1);
    free_trial(&t);
    free(edge);
    free(pair);
  }
}
END_TEST

/* A census that is stopped after any number of looks has no motifs, and one that is not has all. */
START_TEST(a_stop_ends_it)
{
  trial t;
  ms_error err;
  uint64_t stopped = 0;
  ms_census_result *whole;
  make_trial(20, &t);
  ck_ok(count_by(&t, "cpu", 0, NULL, &whole, &err));
  for (uint64_t looks = 0; looks < 40; looks++) {
    ms_stop *stop;
    ms_census_result *part;
    vary(2);
    fake_slow = 3;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, looks);
    ck_ok(count_by(&t, "gpu", 1, stop, &part, &err));
    ck_assert_uint_eq(part->sets, part->run.stopped == MS_OK ? whole->sets : 0);
    stopped += part->run.stopped != MS_OK;
    ms_census_result_free(part);
    ms_stop_free(stop);
  }
  ck_assert_uint_gt(stopped, 2);
  ck_assert_uint_lt(stopped, 40);
  ms_census_result_free(whole);
  free_trial(&t);
}
END_TEST

/* With too little memory on the GPU it says what to do, and `auto` uses the CPU. */
START_TEST(too_little_memory_is_an_error)
{
  trial t;
  ms_error err;
  ms_census_result *r;
  make_trial(2, &t);
  vary(0);
  setenv("MOTIFSIEVE_GPU_MEMORY", "1K", 1);
  ck_assert_int_eq(count_by(&t, "gpu", 1, NULL, &r, &err), MS_ERR_MEMORY);
  unsetenv("MOTIFSIEVE_GPU_MEMORY");
  ck_assert_ptr_nonnull(strstr(err.message, "MOTIFSIEVE_GPU_MEMORY"));
  ck_assert_int_eq(count_by(&t, "fpga", 1, NULL, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "auto, cpu or gpu"));
  ck_ok(count_by(&t, "auto", 1, NULL, &r, &err));
  ck_assert_str_eq(r->run.engine, "cpu");
  ms_census_result_free(r);
  free_trial(&t);
}
END_TEST

static ms_status count_once(void *user, ms_error *err)
{
  ms_census_result *r;
  ms_status status = count_by(user, "gpu", 1, NULL, &r, err);
  ms_census_result_free(r);
  return status;
}

/* Whichever allocation fails, a census reports it, and nothing is lost. */
START_TEST(every_allocation_may_fail)
{
  trial t;
  make_trial(14, &t);
  vary(4);
  ck_assert_int_gt(failing_runs_survived(count_once, &t), 10);
  free_trial(&t);
}
END_TEST

int main(void)
{
  return RUN_TESTS("census on GPUs", TEST_TIMES(shares_add_up, TIMES),
                   TEST_TIMES(flipped_bits_are_found, fake_cuda ? TIMES : 1),
                   TEST_TIMES(agrees_with_cpu, TIMES), TEST_TIMES(labelings_agree, TIMES),
                   TEST_TIMES(permutations_agree, TIMES), TEST_TIMES(vertices_agree, TIMES),
                   TEST(vertices_come_late), TEST_IF(a_stop_keeps_vertices, fake_cuda),
                   TEST_IF(vertices_without_memory, true), TEST(complete_graphs),
                   TEST_IF(a_stop_ends_it, fake_cuda), TEST_IF(too_little_memory_is_an_error, true),
                   TEST_IF(every_allocation_may_fail, fake_cuda));
}
