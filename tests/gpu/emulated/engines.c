/* Every CUDA engine for pattern graphs, on emulated GPUs (or, with real_cuda.c, on GPUs),
 * against the CPU's engine and against brute force: counts and listed matches of random small
 * cases and of named patterns on random graphs; outputs of one row, several devices, too little
 * memory; how runs end (engines_ends.c).  Arguments: names of engines; without any, all engines.
 *
 * A new engine has a file launch_NAME with its emulated launches, and a line in the table of
 * subject.c. */
#include "tests/gpu/emulated/engines.h"

#include "base/hooks.h"
#include "gpu/common/search.h"
#include "gpu/common/share.h"
#include "gpu/match/upload.h"
#include "graph/generate/generate.h"
#include "match/engine.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 540, NAMED_CASES = 7, MOST_ROWS = 200000 };

static uint32_t keys[PATTERN_CASE_ROWS];

static ms_status count_with(const subject *s, const ms_pattern_engine *by, mpz_t maps,
                            ms_error *err)
{
  return count_within(s, by, 0, maps, err);
}

static void check_count(const subject *s, uint64_t wanted)
{
  mpz_t maps, of_cpu;
  ms_error err = {0};
  mpz_init(maps);
  mpz_init(of_cpu);
  ms_status status = count_with(s, engine, maps, &err);
  if (status != MS_OK)
    ck_abort_msg("%s, seed %llu: %s", engine->name, (unsigned long long)s->seed, err.message);
  must(s, count_with(s, &ms_pattern_engine_cpu, of_cpu, &err) == MS_OK);
  if (mpz_cmp(maps, of_cpu) != 0)
    ck_abort_msg("%s, seed %llu: %lu maps, the CPU counts %lu", engine->name,
                 (unsigned long long)s->seed, mpz_get_ui(maps), mpz_get_ui(of_cpu));
  if (wanted != UINT64_MAX)
    must(s, mpz_cmp_ui(maps, wanted) == 0);
  mpz_clear(maps);
  mpz_clear(of_cpu);
}

/* ---- listing ------------------------------------------------------------------------- */

typedef struct received {
  uint32_t length;
  uint64_t count, limit;
  uint32_t rows[MOST_ROWS * PATTERN_CASE_MAX_P];
} received;

static received of_gpu, of_host;

static bool on_rows(void *user, const uint32_t *rows, uint64_t count)
{
  received *r = user;
  if (r->count + count > MOST_ROWS)
    ck_abort_msg("too many rows");
  memcpy(r->rows + r->count * r->length, rows, count * r->length * sizeof *rows);
  r->count += count;
  return r->limit == 0 || r->count < r->limit;
}

static uint32_t compared;

static int by_row(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < compared; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void list_with(const subject *s, const ms_pattern_engine *by, const ms_program *program,
                      uint64_t limit, uint64_t first, received *to)
{
  ms_stream *stream;
  ms_error err = {0};
  uint32_t length = s->shape.n;
  ms_stream_options options = {
      .length = length, .limit = limit, .memory = 1 << 20, .rows = on_rows, .user = to};
  ms_pattern_task task = {
      .program = program, .threads = s->seed % 13 == 0 ? 3 : 1, .devices = gpus};
  to->length = length;
  to->count = 0;
  to->limit = first;
  must(s, ms_stream_new(&options, &stream, &err) == MS_OK);
  ms_status status = by->list(&task, as_it_is, &length, stream, &err);
  if (status != MS_OK)
    ck_abort_msg("%s, seed %llu: %s", engine->name, (unsigned long long)s->seed, err.message);
  must(s, ms_stream_rows(stream) == to->count);
  ms_stream_free(stream);
  compared = length;
  qsort(to->rows, to->count, length * sizeof *to->rows, by_row);
}

static void check_counted_one_by_one(const subject *s, const ms_program *program, uint64_t wanted)
{
  ms_pattern_task task = {.program = program, .threads = 1, .devices = gpus};
  mpz_t sum;
  mpz_init(sum);
  must(s, engine->count(&task, sum, NULL) == MS_OK);
  must(s, mpz_cmp_ui(sum, wanted) == 0);
  mpz_clear(sum);
}

static void check_list(const subject *s, bool constrain)
{
  if (s->domains.empty)
    return;
  ms_plan *plan;
  ms_program *program = visit_all(s, constrain, &plan);
  list_with(s, &ms_pattern_engine_cpu, program, 0, 0, &of_host);
  list_with(s, engine, program, 0, 0, &of_gpu);
  must(s, of_gpu.count == of_host.count);
  must(s, memcmp(of_gpu.rows, of_host.rows, of_gpu.count * of_gpu.length * sizeof(uint32_t)) == 0);
  check_counted_one_by_one(s, program, of_gpu.count);
  uint64_t all = of_gpu.count;
  if (all > 1) {
    uint64_t limit = 1 + s->seed % all;
    list_with(s, engine, program, limit, 0, &of_gpu);
    must(s, of_gpu.count == limit);
    list_with(s, engine, program, 0, 1, &of_gpu);
    must(s, of_gpu.count >= 1);
  }
  ms_program_free(program);
  ms_plan_free(plan);
}

/* ---- random small cases ----------------------------------------------------------------- */

static void check_case(uint64_t seed)
{
  pattern_case c;
  subject s = {.seed = seed};
  pattern_case_make(seed, &c);
  uint32_t embeddings = pattern_case_embeddings(&c, keys);
  subject_make(&s, c.graph, c.coloring, c.pattern, c.induced);
  vary(seed);
  check_count(&s, embeddings);
  check_list(&s, !c.embeddings);
  subject_free(&s);
  pattern_case_free(&c);
}

/* On one to several emulated GPUs, with any width, memory and limits, the engine counts and lists
 * what brute force does: 540 random small cases in three parts. */
START_TEST(test_small_cases)
{
  for (uint64_t seed = enter(_i); seed < scaled(CASES); seed += 3)
    check_case(seed);
  fake_devices = 3; /* some devices that were used are hidden now */
  ms_gpu_match_free_kept();
  ck_assert_uint_eq(fake_taken, 0);
}
END_TEST

/* ---- named patterns on larger graphs ------------------------------------------------------- */

ms_graph *random_graph(uint64_t *state, uint32_t n, uint32_t edges, uint32_t hubs)
{
  uint32_t(*edge)[2] = malloc((edges + hubs * n) * sizeof *edge);
  uint32_t m = 0;
  ms_graph *graph;
  for (uint32_t i = 0; i < edges; i++) {
    uint32_t a = random_below(state, n), b = random_below(state, n);
    if (a != b) {
      edge[m][0] = a;
      edge[m++][1] = b;
    }
  }
  for (uint32_t h = 0; h < hubs; h++)
    for (uint32_t v = hubs; v < n; v++)
      if (random_below(state, 4)) {
        edge[m][0] = h;
        edge[m++][1] = v;
      }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                   MS_OK);
  free(edge);
  return graph;
}

const named patterns[PATTERNS] = {
    {"K3", 3, 3, {{0, 1}, {0, 2}, {1, 2}}},
    {"K4", 4, 6, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
    {"K5", 5, 10, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}},
    {"C4", 4, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {"C5", 5, 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
    {"diamond", 4, 5, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}},
    {"house", 5, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}, {4, 1}}},
    {"wheel", 5, 8, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {2, 3}, {3, 4}, {4, 1}}},
    {"K5 minus an edge",
     5,
     9,
     {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}},
    {"K222",
     6,
     12,
     {{0, 2},
      {0, 3},
      {0, 4},
      {0, 5},
      {1, 2},
      {1, 3},
      {1, 4},
      {1, 5},
      {2, 4},
      {2, 5},
      {3, 4},
      {3, 5}}},
    {"K23", 5, 6, {{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}}},
    {"star", 6, 5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}},
    {"a set of two levels apart",
     6,
     9,
     {{0, 1}, {1, 2}, {0, 3}, {1, 4}, {3, 5}, {4, 5}, {0, 4}, {2, 4}, {3, 4}}},
    {"two triangles", 6, 6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}},
};

static void check_named(uint64_t seed, const named *p, uint32_t n, uint32_t edges, uint32_t hubs,
                        bool listed)
{
  uint64_t state = seed;
  subject s = {.seed = seed};
  ms_pattern *pattern;
  ms_graph *graph = random_graph(&state, n, edges, hubs);
  ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &pattern, NULL), MS_OK);
  subject_make(&s, graph, NULL, pattern, !listed && seed % 6 == 5);
  vary(seed);
  check_count(&s, UINT64_MAX);
  if (listed)
    check_list(&s, true);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

/* Counts, and for the first graphs rows, of a named pattern are the CPU engine's: 14 patterns on
 * random graphs of growing size. */
START_TEST(test_named_patterns)
{
  const named *p = &patterns[enter(_i)];
  for (uint64_t seed = 0; seed < scaled(NAMED_CASES); seed++)
    check_named(seed * 8 + seed % 8, p, 20 + (uint32_t)seed * 4, 60 + (uint32_t)seed * 20,
                (uint32_t)seed % 3, seed < 4);
}
END_TEST

/* The same where sets do not fit into shared memory and rows are longer than a warp: 12
 * patterns. */
START_TEST(test_long_rows)
{
  const named *p = &patterns[enter(_i)];
  uint32_t n = p->n > 4 && p->m < p->n + 2 ? 90 : 160;
  for (uint64_t seed = 0; seed < scaled(2); seed++)
    check_named(3 + seed * 16, p, n, n * 9 / 2, 2, false);
}
END_TEST

/* 4-cycles, whose count is a sum over codegrees: hash tables that several roots share, full ones,
 * ranges of two ids and more, on one device and three; 60 graphs with 0 to 3 hubs. */
START_TEST(test_squares)
{
  for (uint64_t seed = enter(_i); seed < scaled(60); seed += 3) {
    uint64_t state = seed;
    subject s = {.seed = 12 * seed}; /* all ways to count are probed */
    ms_pattern *pattern;
    ms_graph *graph = random_graph(&state, 40 + (uint32_t)seed * 2, 300, (uint32_t)seed % 4);
    ck_assert_int_eq(ms_pattern_named("cycle:4", &pattern, NULL), MS_OK);
    subject_make(&s, graph, NULL, pattern, false);
    vary(seed);
    ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS; /* priority is for programs of few levels */
    check_count(&s, UINT64_MAX);
    subject_free(&s);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
}
END_TEST

/* Programs with a table whose roots are divided among blocks: the entries of the table are the
 * candidates of level 1, of a later level, or of none; 40 graphs with 2 hubs. */
START_TEST(test_parts_of_roots)
{
  static const named divided[] = {
      {"entries at level 2", 6, 6, {{0, 1}, {0, 2}, {0, 4}, {2, 4}, {1, 3}, {3, 5}}},
      {"C5", 5, 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
      {"house", 5, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}, {4, 1}}}};
  for (uint64_t seed = enter(_i); seed < scaled(40) + 3; seed += 3) {
    const named *p = &divided[_i % 3];
    uint64_t state = seed;
    subject s = {.seed = 12 * seed};
    ms_pattern *pattern;
    ms_graph *graph = random_graph(&state, 40 + (uint32_t)seed * 3, 200, 2);
    ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &pattern, NULL),
                     MS_OK);
    subject_make(&s, graph, NULL, pattern, false);
    vary(seed);
    ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS;
    ms_hooks.gpu_dfs_warp_paths = 0;
    ms_hooks.gpu_dfs_part_paths = 1 + (uint32_t)seed % 30;
    check_count(&s, UINT64_MAX);
    subject_free(&s);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
}
END_TEST

/* Settings besides those that a seed varies. */
typedef struct clique_case {
  uint64_t seed;
  uint32_t size, warp_degree, room;
  bool warps;      /* of 32 lanes */
  bool teams;      /* blocks search batches of universes */
  uint32_t colors; /* of the graph; all vertices of the clique have the first one.  0: none */
} clique_case;

/* Counts the cliques of a graph, and frees it. */
static void check_cliques(const clique_case *c, ms_graph *graph)
{
  static const char *const first[] = {"c0", "c0", "c0", "c0", "c0", "c0", "c0", "c0"};
  uint32_t edge[28][2], m = 0;
  subject s = {.seed = c->seed};
  ms_pattern *pattern;
  ms_coloring *coloring = NULL;
  for (uint32_t b = 0; b < c->size; b++)
    for (uint32_t a = 0; a < b; a++)
      memcpy(edge[m++], (uint32_t[]){a, b}, sizeof *edge);
  if (c->colors > 0)
    ck_assert_int_eq(ms_generate_colors(graph, c->colors, c->seed, &coloring, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(c->size, m, (const uint32_t(*)[2])edge, false,
                                         coloring ? (const char **)first : NULL, &pattern, NULL),
                   MS_OK);
  subject_make(&s, graph, coloring, pattern, false);
  vary(c->seed);
  ms_hooks.gpu_dfs_screen_edges =
      c->teams ? 0 : ms_hooks.gpu_dfs_screen_edges; /* roots that are screened have no teams */
  ms_hooks.gpu_dfs_warp_degree = c->warp_degree;
  ms_hooks.gpu_dfs_chain_room = c->room;
  ms_hooks.gpu_dfs_team_arcs = c->teams ? 1 << 20 : 0;
  ms_hooks.gpu_dfs_wide_rows = c->warps && c->room < 100;
  if (c->warps) {
    ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS;
    emulated_width = 32;
    ms_hooks.gpu_dfs_slice = 64;
  }
  check_count(&s, UINT64_MAX);
  ms_hooks = ms_hooks_default;
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* Cliques of 4 to 8 vertices in dense graphs: all roots are counted by blocks, whose warps make
 * small matrices of 1 to 128 vertices, and search depth first what does not fit; in the last two
 * graphs, blocks that list nothing count cliques of 4 to 7 vertices. */
START_TEST(test_cliques)
{
  static const uint32_t room[] = {128, 1, 5, 33, 2, 12};
  uint32_t size = 4 + (uint32_t)enter(_i);
  for (uint64_t seed = 0; seed < scaled(8); seed++) {
    uint32_t n = fake_cuda ? 50 + 4 * (uint32_t)seed : 400;
    uint64_t state = seed;
    clique_case c = {seed, size, seed == 5 ? 20 : 0, room[seed % 6], false, seed % 8 > 5, 0};
    check_cliques(&c, random_graph(&state, n, n * (fake_cuda ? 16 : 30), (uint32_t)seed % 3));
  }
}
END_TEST

/* Returns a graph in which three vertices are next to each other and to all of `n` vertices, of
 * which two are next to each other with probability 1/4.  Leaves give the n vertices the higher
 * degrees. */
static ms_graph *three_hubs(uint64_t *state, uint32_t n)
{
  uint32_t m = 0, leaf = n + 3, (*edge)[2] = malloc((n + 3) * (2 * n + 8) * sizeof *edge);
  ms_graph *graph;
  for (uint32_t v = 0; v < n + 3; v++)
    for (uint32_t u = 0; u < v; u++)
      if (u < 3 || random_below(state, 4) == 0)
        memcpy(edge[m++], (uint32_t[]){u, v}, sizeof *edge);
  for (uint32_t v = 3; v < n + 3; v++)
    for (uint32_t i = 0; i < n + 5; i++)
      memcpy(edge[m++], (uint32_t[]){v, leaf++}, sizeof *edge);
  ck_assert_int_eq(ms_graph_from_edges(leaf, m, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                   MS_OK);
  free(edge);
  return graph;
}

/* The same with warps of 32 lanes: denser graphs, and graphs with sets of 120 and 150 vertices,
 * which take all words of a small matrix, or are too large for it, so that only their last vertices
 * get one; in some of them, those before have wide rows.  In the last ones, blocks
 * search batches of universes.  Cliques of 4 to 7 vertices. */
START_TEST(test_cliques_of_warps)
{
  static const struct {
    uint32_t n, edges, warp_degree, room; /* edges 0: the graph has three hubs */
    bool teams;
  } graph_of[] = {{120, 0, 0, 128, false},    {120, 0, 128, 40, false}, {90, 2000, 128, 128, false},
                  {100, 2500, 0, 128, false}, {150, 0, 0, 128, false},  {100, 2500, 0, 33, false},
                  {90, 2000, 20, 128, false}, {150, 0, 0, 40, false},   {100, 2500, 0, 9, false},
                  {120, 0, 0, 128, true},     {90, 2000, 0, 128, true}, {100, 2500, 0, 128, true},
                  {400, 3000, 0, 128, true}};
  uint32_t size = 4 + (uint32_t)enter(_i);
  for (uint32_t i = 0; i < sizeof graph_of / sizeof *graph_of; i++) {
    uint64_t state = 31 * i + size;
    clique_case c = {
        state, size, graph_of[i].warp_degree, graph_of[i].room, true, graph_of[i].teams, 0};
    uint32_t n = graph_of[i].n, edges = graph_of[i].edges;
    for (; c.colors < (c.teams ? 3 : 1); c.colors++) { /* with colours, domains cut rows */
      uint64_t of_graph = state;
      check_cliques(&c,
                    edges > 0 ? random_graph(&of_graph, n, edges, 1) : three_hubs(&of_graph, n));
    }
  }
}
END_TEST

/* ---- memory ------------------------------------------------------------------------------------
 */

/* Counts within the bound of the task or, for odd numbers, within that of the variable, which takes
 * the place of a bound that would be too low. */
static ms_status count_within_either(const subject *s, uint64_t bytes, mpz_t maps, ms_error *err)
{
  char text[32];
  bool variable = bytes % 2;
  snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
  if (variable)
    setenv("MOTIFSIEVE_GPU_MEMORY", text, 1);
  ms_status status = count_within(s, engine, variable ? 1 : bytes, maps, err);
  unsetenv("MOTIFSIEVE_GPU_MEMORY");
  return status;
}

/* With ever less memory the count is the CPU engine's within that memory, or is refused with the
 * names of the option and the variable that bound it: 14 patterns, from 200,000 bytes down. */
START_TEST(test_little_memory)
{
  uint64_t state = 5;
  subject s = {.seed = 4};
  ms_pattern *pattern;
  mpz_t all, maps;
  bool refused = false, counted = false;
  ms_graph *graph = random_graph(&state, 100, 300, 1);
  const named *p = &patterns[enter(_i)];
  mpz_init(all);
  mpz_init(maps);
  ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &pattern, NULL), MS_OK);
  subject_make(&s, graph, NULL, pattern, false);
  fake_devices = 3;
  ms_gpu_match_free_kept(); /* frees what other tests left */
  vary(1);
  if (p->n == p->m) /* cycles: priority is for programs of few levels */
    ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS;
  ck_assert_int_eq(count_with(&s, &ms_pattern_engine_cpu, all, NULL), MS_OK);
  for (uint64_t bytes = 200001; bytes > 500; bytes /= 2) {
    ms_error err = {0};
    ms_gpu_match_free_kept();
    fake_most = 0;
    ms_status status = count_within_either(&s, bytes, maps, &err);
    if (status == MS_OK) {
      ck_assert(mpz_cmp(maps, all) == 0);
      ck_assert_uint_le(fake_most, bytes);
      counted = true;
    } else {
      ck_assert_int_eq(status, MS_ERR_MEMORY);
      ck_assert_ptr_nonnull(strstr(err.message, "`memory` or MOTIFSIEVE_GPU_MEMORY"));
      refused = true;
    }
  }
  ck_assert(counted && refused);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
  mpz_clear(all);
  mpz_clear(maps);
}
END_TEST

/* ---- devices -----------------------------------------------------------------------------------
 */

/* One, two and four devices count and list the matches of the CPU engine: 14 patterns. */
START_TEST(test_devices)
{
  uint64_t state = 11;
  const named *p = &patterns[enter(_i)];
  ms_pattern *pattern;
  ms_plan *plan;
  ms_graph *graph = random_graph(&state, 30, 90, 1);
  ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &pattern, NULL), MS_OK);
  subject s = {.seed = 12}; /* one thread makes the rows */
  subject_make(&s, graph, NULL, pattern, false);
  ms_program *program = visit_all(&s, true, &plan);
  vary(s.seed);
  fake_devices = 4;
  list_with(&s, &ms_pattern_engine_cpu, program, 0, 0, &of_host);
  for (gpus = 1; gpus <= 4; gpus *= 2) {
    check_count(&s, UINT64_MAX);
    list_with(&s, engine, program, 0, 0, &of_gpu);
    must(&s, of_gpu.count == of_host.count);
    must(&s,
         memcmp(of_gpu.rows, of_host.rows, of_gpu.count * of_gpu.length * sizeof(uint32_t)) == 0);
  }
  gpus = 1;
  ms_gpu_match_free_kept();
  ms_program_free(program);
  ms_plan_free(plan);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* A device that divides the work otherwise than the first one takes none of it. */
START_TEST(test_divisions)
{
  ms_gpu_share share = {.lock = PTHREAD_MUTEX_INITIALIZER};
  (void)enter(_i);
  ck_assert(ms_gpu_share_divides(&share, 7) && ms_gpu_share_divides(&share, 7));
  ck_assert(!ms_gpu_share_divides(&share, 8) && ms_gpu_share_divides(&share, 7));
}
END_TEST

/* ---- progress -----------------------------------------------------------------------------------
 */

typedef struct reports {
  uint64_t count, last, total;
} reports;

static void note_report(void *user, const char *what, uint64_t done, uint64_t total)
{
  reports *r = user;
  ck_assert_str_eq(what, "roots searched");
  ck_assert(done <= total && done >= r->last && (r->count == 0 || total == r->total));
  *r = (reports){r->count + 1, done, total};
}

/* A count on one and on two devices reports the roots that it has searched: their number never
 * falls and stays within that of all roots, and one device reports more than half: 14 patterns,
 * with and without kernels for many levels. */
START_TEST(test_progress)
{
  uint64_t state = 17;
  const named *p = &patterns[enter(_i)];
  ms_pattern *pattern;
  ms_plan *plan;
  mpz_t sum;
  ms_graph *graph = random_graph(&state, 40, 120, 1);
  ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &pattern, NULL), MS_OK);
  subject s = {.seed = 12};
  subject_make(&s, graph, NULL, pattern, false);
  ms_program *program = visit_all(&s, true, &plan);
  mpz_init(sum);
  for (int turn = 0; turn < 4; turn++) {
    reports r = {0};
    vary(s.seed);
    fake_devices = gpus = 1 + (uint32_t)turn % 2;
    ms_hooks.gpu_few_levels = turn < 2 ? MS_DEVICE_LEVELS : 0;
    fake_slow = 3; /* so that the host looks while kernels run */
    ms_hooks.gpu_look_seconds = 0;
    ms_pattern_task task = {.program = program,
                            .threads = 1,
                            .devices = gpus,
                            .progress = note_report,
                            .progress_user = &r};
    must(&s, engine->count(&task, sum, NULL) == MS_OK);
    if (fake_cuda) {
      must(&s, gpus > 1 || (r.count > 0 && 2 * r.last > r.total));
      must(&s, r.count == 0 || r.total == program->step[0].domain.count);
    }
  }
  ms_hooks = ms_hooks_default;
  gpus = 1;
  ms_gpu_match_free_kept();
  mpz_clear(sum);
  ms_program_free(program);
  ms_plan_free(plan);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* The list of tests: the tests below for every engine that is named. */
static test_entry list[ENGINES * 24 * PATTERNS + 2];
static int listed;
/* The arguments "--part I/N": the I-th of N parts of the runs, from 1 on. */
static unsigned part = 1, parts = 1;

void add_test(int number, const TTest *test, int times)
{
  static unsigned runs;
  if (parts == 1)
    list[listed++] = (test_entry){.test = test, .first = number * MOST_TIMES, .times = times};
  for (int i = 0; parts > 1 && i < times; i++)
    if (runs++ % parts + 1 == part)
      list[listed++] = (test_entry){.test = test, .first = number * MOST_TIMES + i, .times = 1};
}

static void add_engine(int number)
{
  add_test(number, test_small_cases, 3);
  add_test(number, test_named_patterns, PATTERNS);
  add_test(number, test_long_rows, PATTERNS - 2);
  if (tested_engine(number) == &ms_pattern_engine_dfs) {
    add_test(number, test_cliques, 5);
    add_test(number, test_cliques_of_warps, 4);
    add_depth_first_tests(number);
    add_codegree_tests(number);
    add_square_tests(number);
    add_hub_tests(number);
    add_joined_tests(number);
    add_complete_tests(number);
    add_test(number, test_squares, 3);
    add_test(number, test_parts_of_roots, 3);
  }
  add_test(number, test_little_memory, PATTERNS);
  add_test(number, test_devices, PATTERNS);
  add_test(number, test_divisions, 1);
  add_test(number, test_progress, PATTERNS);
  add_typed_tests(number);
  add_share_tests(number);
  add_large_tests(number);
  add_wide_tests(number);
  add_end_tests(number);
}

static bool is_asked_for(const char *name, int argc, char **argv)
{
  bool any = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], name) == 0)
      return true;
    any = any || (strcmp(argv[i], "--part") != 0 && !strchr(argv[i], '/'));
  }
  return !any;
}

int main(int argc, char **argv)
{
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], "--part") == 0 &&
        (sscanf(argv[i + 1], "%u/%u", &part, &parts) != 2 || part < 1 || part > parts)) {
      fprintf(stderr, "engines: '--part %s' is not I/N with 1 <= I <= N\n", argv[i + 1]);
      return 2;
    }
  list[listed++] = TIME_LIMIT(900);
  for (int i = 0; i < ENGINES; i++)
    if (is_asked_for(tested_engine(i)->name, argc, argv))
      add_engine(i);
  return run_tests("engines", list);
}
