/* The kept sets of the engine `reuse`, on emulated GPUs.  They replace other sets where the plan
 * says that they can; where memory is so short that a batch is one partial match, they are
 * missing and never wrong; and in all cases counts and matches are the CPU engine's. */
#include "base/hooks.h"
#include "gpu/common/search.h"
#include "gpu/match/program.h"
#include "gpu/match/reuse/reuse_program.h"
#include "gpu/match/upload.h"
#include "match/count/count.h"
#include "match/engine.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 12000, MOST_ROWS = 1 << 18, MOST_LENGTH = 32 };

/* ---- what a run needs ------------------------------------------------------------ */

typedef struct named {
  const char *what;
  uint32_t n, m, edges[12][2];
} named;

static const named patterns[] = {
    {"C4", 4, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {"C5", 5, 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
    {"K4", 4, 6, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
    {"K5", 5, 10, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}},
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
    {"two squares", 6, 7, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}, {4, 5}, {5, 3}}},
    {"triangles on a path", 5, 7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 2}, {1, 3}, {2, 4}}},
};

enum { PATTERNS = sizeof patterns / sizeof *patterns };

typedef struct subject {
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_plan *plan;
  ms_program *program; /* all levels are visited */
} subject;

static ms_graph *random_graph(uint64_t seed, uint32_t n, uint32_t m)
{
  uint64_t state = seed;
  uint32_t(*edge)[2] = malloc(m * sizeof *edge);
  ms_graph *graph;
  for (uint32_t i = 0; i < m; i++) {
    edge[i][0] = random_below(&state, n);
    edge[i][1] = (edge[i][0] + 1 + random_below(&state, n - 1)) % n;
  }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                   MS_OK);
  free(edge);
  return graph;
}

static void subject_make(subject *s, const ms_graph *graph, const ms_coloring *coloring,
                         const ms_pattern *pattern, bool induced, bool constrain, ms_order order)
{
  static const ms_program_options all = {0};
  memset(s, 0, sizeof *s);
  ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &s->index, NULL), MS_OK);
  ms_shape_of(pattern, induced, &s->shape);
  ck_assert_int_eq(ms_domains_on(NULL, s->index, pattern, &s->shape, NULL, 1, &s->domains, NULL),
                   MS_OK);
  ms_plan_input input = {.vertices = s->index->n,
                         .arcs = (double)s->index->arcs,
                         .order = order,
                         .square_degrees = s->index->square_degrees,
                         .constrain = constrain};
  if (s->domains.empty)
    return;
  for (uint32_t i = 0; i < s->shape.n; i++)
    input.domain[i] = s->domains.of[i].count;
  ck_assert_int_eq(ms_plan_new(&s->shape, &input, &s->plan, NULL), MS_OK);
  ck_assert_int_eq(ms_program_new(s->index, s->plan, s->domains.of, &all, &s->program, NULL),
                   MS_OK);
}

static void subject_free(subject *s)
{
  ms_program_free(s->program);
  ms_plan_free(s->plan);
  ms_domains_free(&s->domains);
  ms_pattern_index_free(s->index);
}

static void subject_of(subject *s, const named *p, uint64_t seed, uint32_t n, uint32_t m,
                       bool constrain, ms_order order)
{
  ms_pattern *pattern;
  ms_graph *graph = random_graph(seed, n, m);
  ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &pattern, NULL), MS_OK);
  subject_make(s, graph, NULL, pattern, false, constrain, order);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

/* ---- matches ----------------------------------------------------------------------- */

typedef struct received {
  uint32_t length;
  uint64_t count;
  uint32_t rows[MOST_ROWS * 6];
} received;

static received of_gpu, of_host;
static ms_work done; /* by the engine that listed last */

static bool on_rows(void *user, const uint32_t *rows, uint64_t count)
{
  received *r = user;
  ck_assert_uint_le((r->count + count) * r->length, sizeof r->rows / sizeof *r->rows);
  memcpy(r->rows + r->count * r->length, rows, count * r->length * sizeof *rows);
  r->count += count;
  return true;
}

static uint64_t as_it_is(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  memcpy(rows, ids, count * *(const uint32_t *)user * sizeof *rows);
  return count;
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

static ms_status list_by(const ms_pattern_engine *engine, const ms_program *program, received *to,
                         ms_error *err)
{
  uint32_t length = program->shape.n;
  ms_stream *stream;
  ms_stream_options options = {.length = length, .memory = 1 << 20, .rows = on_rows, .user = to};
  ms_pattern_task task = {.program = program, .threads = 1, .devices = 1, .work = &done};
  done = (ms_work){0};
  to->length = compared = length;
  to->count = 0;
  ck_assert_int_eq(ms_stream_new(&options, &stream, NULL), MS_OK);
  ms_status status = engine->list(&task, as_it_is, &length, stream, err);
  ms_stream_free(stream);
  qsort(to->rows, to->count, length * sizeof *to->rows, by_row);
  return status;
}

static void check_same_rows(const char *what)
{
  if (of_gpu.count != of_host.count)
    ck_abort_msg("%s: %llu matches, the CPU finds %llu", what, (unsigned long long)of_gpu.count,
                 (unsigned long long)of_host.count);
  ck_assert_msg(
      memcmp(of_gpu.rows, of_host.rows, of_gpu.count * of_gpu.length * sizeof(uint32_t)) == 0, "%s",
      what);
}

/* Lists the program by both engines, and returns what `reuse` did. */
static ms_work check_list(const subject *s, const char *what)
{
  ms_error err = {0};
  fake_launches = 0;
  if (list_by(&ms_pattern_engine_reuse, s->program, &of_gpu, &err) != MS_OK)
    ck_abort_msg("%s: %s", what, err.message);
  ms_work work = done;
  ck_assert_int_eq(list_by(&ms_pattern_engine_cpu, s->program, &of_host, &err), MS_OK);
  check_same_rows(what);
  return work;
}

static void plenty(void)
{
  emulated_width = 4;
  emulated_blocks = 1;
  emulated_value = 0;
  fake_devices = 1;
  fake_multiprocessors = 2;
  ms_hooks.gpu_first_rows = 1 << 16;
  ms_hooks.gpu_reuse_bytes = (uint64_t)1 << 28;
  ms_hooks.gpu_reuse_long_row = 0;
}

/* ---- sets that are found again ---------------------------------------------------------- */

static void reuse_program_of(const subject *s, ms_reuse_program *to)
{
  ms_packed_program *pack = malloc(sizeof *pack);
  ck_assert_int_eq(ms_packed_program_new(s->program, pack, NULL), MS_OK);
  ms_reuse_program_make(s->program, &pack->program, true, to);
  ms_packed_program_free(pack);
  free(pack);
}

/* Returns the one set that covers all rows of a level, of another partial match. */
static const ms_plan_reuse *whole_reuse(const ms_plan_level *level)
{
  bool whole = level->n_reuse == 1 && ms_bitset_is_empty(level->rows_out) &&
               ms_bitset_is_empty(level->rows_in) && !level->reuse[0].same_path;
  return whole ? &level->reuse[0] : NULL;
}

/* Where the plan says that a kept set replaces a level's set alone, the engine's program has
 * one, if it is computed in time, and finds it: 11 patterns in three orders. */
START_TEST(test_plan_and_program_agree)
{
  uint32_t promised = 0;
  static const ms_order order[] = {MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};
  plenty();
  for (uint32_t i = 0; i < PATTERNS * 3; i++) {
    subject s;
    ms_reuse_program reuse;
    bool promises = false;
    subject_of(&s, &patterns[i / 3], 7, 18, 70, false, order[i % 3]);
    reuse_program_of(&s, &reuse);
    for (uint32_t j = 0; j < s.shape.n; j++) {
      const ms_plan_reuse *r = whole_reuse(&s.plan->level[j]);
      int served = s.program->step[j].set, cached = r ? s.program->step[r->level].set : -1;
      if (!r || s.program->set[cached].at >= s.program->set[served].at ||
          s.program->set[cached].lo > s.program->set[served].lo)
        continue;
      promises = true;
      ck_assert_msg(reuse.set[served].cover.set >= 0 && reuse.set[served].cover.whole,
                    "%s, level %u", patterns[i / 3].what, j);
    }
    ms_work work = check_list(&s, patterns[i / 3].what);
    ck_assert_msg(!promises || work.sets_found > 0, "%s: no set was found", patterns[i / 3].what);
    promised += promises;
    subject_free(&s);
  }
  ck_assert_uint_ge(promised, 5);
}
END_TEST

/* Without constraints and in one batch, more than four of five look-ups find the sets of a
 * wheel's rim, with the CPU engine's rows. */
START_TEST(test_wheel_finds_all)
{
  subject s;
  plenty();
  subject_of(&s, &patterns[6], 3, 16, 90, false, MS_ORDER_REUSE);
  ms_work all = check_list(&s, "wheel");
  ck_assert_uint_gt(all.sets_found, 500);
  ck_assert_uint_lt(all.sets_missed, all.sets_found / 4);
  ms_hooks.gpu_reuse_long_row =
      1000; /* rows are shorter: no set that would replace one row is looked up */
  ms_work some = check_list(&s, "wheel");
  ck_assert_uint_le(some.sets_found, all.sets_found);
  subject_free(&s);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------- */

/* In small steps from memory that is refused, where a batch is one partial match and less is found
 * again, rows are the CPU engine's: 11 patterns, 24 sizes. */
START_TEST(test_small_pools)
{
  subject s;
  ms_error err = {0};
  uint64_t launches = 0, hits = 0, sizes = 0;
  ms_work last = {0};
  plenty();
  subject_of(&s, &patterns[_i], 11, 40, 160, _i % 2, MS_ORDER_REUSE);
  for (ms_hooks.gpu_reuse_bytes = 256; sizes < 24;
       ms_hooks.gpu_reuse_bytes += ms_hooks.gpu_reuse_bytes / 4) {
    emulated_seed = sizes;
    ms_status status = list_by(&ms_pattern_engine_reuse, s.program, &of_gpu, &err);
    if (status == MS_ERR_MEMORY && sizes == 0) {
      ck_assert_ptr_nonnull(strstr(err.message, "MOTIFSIEVE_GPU_MEMORY"));
      continue;
    }
    last = check_list(&s, patterns[_i].what);
    if (sizes++ == 0) {
      launches = fake_launches;
      hits = last.sets_found;
    }
  }
  ck_assert_uint_gt(launches, fake_launches + 20);
  ck_assert_uint_ge(last.sets_found, hits);
  ck_assert_uint_le(fake_launches, 2 * s.shape.n + 16); /* one chain */
  subject_free(&s);
}
END_TEST

/* ---- random cases ---------------------------------------------------------------------------- */

/* Random small cases, directed or not, coloured, induced, with pools of all sizes, have the CPU
 * engine's rows and count: 12,000 cases in four parts. */
START_TEST(test_random_cases)
{
  static const ms_order order[] = {MS_ORDER_REUSE, MS_ORDER_RI, MS_ORDER_DEGREE};
  uint64_t hits = 0;
  plenty();
  for (uint64_t seed = 100000 + (uint64_t)_i; seed < 100000 + scaled(CASES); seed += 4) {
    pattern_case c;
    subject s;
    char what[32];
    snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
    pattern_case_make(seed, &c);
    subject_make(&s, c.graph, c.coloring, c.pattern, c.induced, seed % 2, order[seed / 2 % 3]);
    emulated_width = seed % 16 == 0 ? 32 : 1 + (uint32_t)(seed % 4);
    ms_hooks.gpu_reuse_bytes = (uint64_t)1 << (14 + seed % 5);
    ms_hooks.gpu_reuse_long_row = seed % 3 == 0 ? 4 : 0;
    if (!s.domains.empty)
      hits += check_list(&s, what).sets_found;
    subject_free(&s);
    pattern_case_free(&c);
  }
  ck_assert_uint_gt(hits, 0);
}
END_TEST

/* The longest pattern, a path of 32 vertices in a path of 40, has its 18 maps, with the CPU
 * engine's rows. */
START_TEST(test_longest_pattern)
{
  enum { N = 40 };
  uint32_t edge[N - 1][2];
  ms_graph *graph;
  ms_pattern *pattern;
  subject s;
  mpz_t sum;
  mpz_init(sum);
  plenty();
  for (uint32_t i = 0; i + 1 < N; i++) {
    edge[i][0] = i;
    edge[i][1] = i + 1;
  }
  ck_assert_int_eq(ms_graph_from_edges(N, N - 1, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(MOST_LENGTH, MOST_LENGTH - 1, (const uint32_t(*)[2])edge,
                                         false, NULL, &pattern, NULL),
                   MS_OK);
  subject_make(&s, graph, NULL, pattern, false, false, MS_ORDER_RI);
  ms_pattern_task task = {.program = s.program, .threads = 1, .devices = 1};
  ck_assert_int_eq(ms_pattern_engine_reuse.count(&task, sum, NULL), MS_OK);
  ck_assert_uint_eq(mpz_get_ui(sum), 2 * (N - MOST_LENGTH + 1));
  check_list(&s, "a path of 32");
  ck_assert_uint_eq(of_gpu.count, 2 * (N - MOST_LENGTH + 1));
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
  mpz_clear(sum);
}
END_TEST

TEST_MAIN("reuse", TIME_LIMIT(900), TEST(test_plan_and_program_agree), TEST(test_wheel_finds_all),
          TEST_TIMES(test_small_pools, PATTERNS), TEST_TIMES(test_random_cases, 4),
          TEST(test_longest_pattern))
