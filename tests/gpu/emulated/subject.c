#include "tests/gpu/emulated/engines.h"

#include "base/hooks.h"
#include "gpu/common/search.h"
#include "gpu/match/dfs/dfs_device.h"
#include "gpu/match/upload.h"
#include "match/count/factor.h"
#include "match/engine.h"
#include "tests/gpu/emulated/fake_cuda.h"

#include <string.h>

/* ---- the engines ------------------------------------------------------------------- */

typedef struct tested {
  const ms_pattern_engine *engine;
  void (*vary)(uint64_t seed); /* varies what only this engine has; NULL: nothing */
} tested;

/* Varies the lanes and the places of sets; most cases have few lanes, because 32 take long. */
static void vary_dfs(uint64_t seed)
{
  static const uint32_t width[] = {1, 4, 3, 32, 1, 5, 4, 2};
  emulated_width = width[seed % 8];
  emulated_blocks = 1 + seed / 8 % 2;
  emulated_value = seed / 2 % 3; /* one of MS_VALUE_.. */
  ms_hooks.gpu_first_rows = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 7 : 1 << 16;
  ms_hooks.gpu_dfs_set_bytes = seed % 9 == 8 || seed >= 8 * 9 ? 2048 : 0;
  ms_hooks.gpu_dfs_warp_degree = seed % 10 < 4 ? 64 : (uint32_t)(seed % 3);
  ms_hooks.gpu_dfs_slice = seed % 10 < 6 ? 64 : 1 + (uint32_t)(seed % 4);
  ms_hooks.gpu_dfs_dense = seed % 4 == 1 ? 2048 : (double)(seed / 3 % 3 * 8);
  ms_hooks.gpu_dfs_warp_paths = seed % 4 == 0 ? 512 : (uint32_t)(seed % 30);
  ms_hooks.gpu_dfs_part_paths = seed % 4 == 3 ? 0 : 1 + (uint32_t)(seed % 40);
  ms_hooks.gpu_dfs_sure_universe = seed % 4 == 2 ? 0 : 2048;
  ms_hooks.gpu_dfs_shared_universe = seed % 3 == 1 ? (uint32_t)(seed % 5) : MS_LOCAL_MOST;
  ms_hooks.gpu_dfs_chain_room = seed % 3 == 0 ? 128 : 1 + (uint32_t)(seed % 7);
  ms_hooks.gpu_dfs_wide_rows = seed % 4 == 3;
  ms_hooks.gpu_dfs_finder_places = seed % 5 == 2 ? 10 : UINT32_MAX;
  ms_hooks.gpu_dfs_screen_edges = seed % 3 == 1 ? 1e30 : 0;
  ms_hooks.gpu_dfs_square_paths = seed % 3 == 0 ? MS_SQUARE_PATHS : (uint32_t)(1 + seed % 50);
  ms_hooks.gpu_dfs_near_bits = seed % 4 == 1 ? 128 * (uint32_t)(seed / 4 % 3) : UINT32_MAX;
  ms_hooks.gpu_dfs_square_vertices = seed % 7 == 6 ? 1 << 16 : 0;
  ms_hooks.gpu_dfs_counters = seed % 5 == 0 ? UINT32_MAX : 2 + 2 * (uint32_t)(seed % 17);
  ms_hooks.factor_engine_steps = seed / 2 % 3 ? 0 : 1e5;
  ms_hooks.gpu_dfs_team_arcs = seed % 5 < 2 ? 0 : 1 << 20;
  ms_hooks.gpu_dfs_sorted_arcs = seed / 2 % 2 ? 0 : 1 << 20;
}

/* Also varies pools of a few paths, in either memory, and the number of paths at which flooding
 * ends. */
static void vary_flood(uint64_t seed)
{
  static const uint32_t width[] = {1, 4, 3, 2, 1, 5, 4, 32},
                        room[] = {512, 1, 2, 5, 512, 16, 3, 64};
  vary_dfs(seed);
  emulated_width = seed % 32 == 7 || seed % 8 < 7 ? width[seed % 8] : 2;
  ms_hooks.gpu_flood_pool = room[seed / 2 % 8];
  ms_hooks.gpu_flood_shared_bytes = seed % 5 == 0 ? 0 : seed % 5 == 1 ? 64 : 40 << 10;
  ms_hooks.gpu_flood_paths = seed % 7 == 0 ? 0 : seed % 7 * seed % 40;
}

/* Varies batches, of a few entries and of many, and looks up sets where that does not pay. */
static void vary_reuse(uint64_t seed)
{
  vary_dfs(seed);
  ms_hooks.gpu_reuse_bytes = seed % 4 == 0 ? (uint64_t)1 << 28 : (uint64_t)1 << (15 + seed / 4 % 8);
  ms_hooks.gpu_reuse_long_row = seed / 3 % 2 ? 0 : 8;
}

static const tested engines[] = {
    {&ms_pattern_engine_gpu, vary_dfs},     {&ms_pattern_engine_dfs, vary_dfs},
    {&ms_pattern_engine_trie, NULL},        {&ms_pattern_engine_reuse, vary_reuse},
    {&ms_pattern_engine_flood, vary_flood},
};

_Static_assert(sizeof engines / sizeof *engines == ENGINES, "the number of engines");

const ms_pattern_engine *engine;
uint32_t gpus = 1;

const ms_pattern_engine *tested_engine(int number)
{
  return engines[number].engine;
}

uint64_t enter(int number)
{
  engine = engines[number / MOST_TIMES].engine;
  return (uint64_t)(number % MOST_TIMES);
}

/* In a quarter of the cases kernels for many levels search most programs. */
void vary(uint64_t seed)
{
  fake_multiprocessors = 1 + (int)(seed / 16 % 2);
  fake_devices = seed % 5 == 4 ? 3 : 1;
  gpus = seed % 5 == 4 ? 3 : 1;
  fake_shared = seed % 7 == 3 ? 40 << 10 : 227 << 10;
  fake_slow = seed % 11 == 0 ? 3 : 0;
  ms_hooks.gpu_few_levels = seed % 4 == 1 ? (uint32_t)(seed / 4 % 4) : MS_DEVICE_LEVELS;
  for (int i = 0; i < ENGINES; i++)
    if (engines[i].engine == engine && engines[i].vary)
      engines[i].vary(seed);
}

/* ---- what a run needs ------------------------------------------------------------ */

void subject_make(subject *s, const ms_graph *graph, const ms_coloring *coloring,
                  const ms_pattern *pattern, bool induced)
{
  static const ms_order order[] = {MS_ORDER_AUTO, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};
  s->pattern = pattern;
  ms_hooks.probe_steps =
      s->seed % 3 ? 1e6 : -1; /* in a third of the cases all ways to count are probed */
  ms_hooks.probe_factor = s->seed % 3 ? 50 : 1e9;
  ms_hooks.count_dense_degree =
      s->seed % 6 ? 128 : 0; /* in a sixth by products wherever possible */
  ms_hooks.count_dense_weight = s->seed % 6 ? 1 : 0;
  s->order = order[s->seed % 4];
  must(s, ms_pattern_index_new(graph, coloring, 1, &s->index, NULL) == MS_OK);
  ms_shape_of(pattern, induced, &s->shape);
  must(s, ms_domains_on(NULL, s->index, pattern, &s->shape, NULL, 1, &s->domains, NULL) == MS_OK);
}

void subject_free(subject *s)
{
  ms_domains_free(&s->domains);
  ms_pattern_index_free(s->index);
}

ms_status count_within(const subject *s, const ms_pattern_engine *by, uint64_t bytes, mpz_t maps,
                       ms_error *err)
{
  ms_count_query query = {.gpu_memory = bytes,
                          .index = s->index,
                          .domains = &s->domains,
                          .engine = by,
                          .order = s->order,
                          .threads = 1,
                          .devices = gpus,
                          .stop = s->stop};
  mpz_set_ui(maps, 0);
  return s->domains.empty ? MS_OK : ms_count_maps(&query, &s->shape, maps, err);
}

uint64_t as_it_is(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  memcpy(rows, ids, count * *(const uint32_t *)user * sizeof *rows);
  return count;
}

ms_program *visit_all(const subject *s, bool constrain, ms_plan **plan)
{
  static const ms_program_options all = {0};
  ms_program *program;
  ms_plan_input input = {.vertices = s->index->n,
                         .arcs = (double)s->index->arcs,
                         .order = s->order,
                         .square_degrees = s->index->square_degrees,
                         .constrain = constrain};
  for (uint32_t i = 0; i < s->shape.n; i++)
    input.domain[i] = s->domains.of[i].count;
  must(s, ms_plan_new(&s->shape, &input, plan, NULL) == MS_OK);
  must(s, ms_program_new(s->index, *plan, s->domains.of, &all, &program, NULL) == MS_OK);
  return program;
}
