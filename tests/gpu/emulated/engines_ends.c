/* How an engine's runs end early or fail, and runs through the library's function. */
#include "tests/gpu/emulated/engines.h"

#include "base/hooks.h"
#include "base/threads/stop.h"
#include "gpu/match/upload.h"
#include "match/cpu/inner_plan.h"
#include "run/match/match.h"
#include "tests/gpu/emulated/fake_cuda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- stopping ------------------------------------------------------------------ */

/* A search that takes long. */
typedef struct hunt {
  subject s;
  ms_graph *graph;
  ms_pattern *pattern;
  ms_plan *plan;
  ms_program *program;
  ms_stop *stop;
} hunt;

static void hunt_make(hunt *h, const named *p, uint32_t n, uint32_t edges)
{
  uint64_t state = 9;
  *h = (hunt){.s = {.seed = 11}}; /* 32 lanes, one device */
  h->graph = random_graph(&state, n, edges, 0);
  ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &h->pattern, NULL),
                   MS_OK);
  subject_make(&h->s, h->graph, NULL, h->pattern, false);
  h->program = visit_all(&h->s, true, &h->plan);
  ck_assert_int_eq(ms_stop_new(&h->stop, NULL), MS_OK);
}

static void hunt_free(hunt *h)
{
  ms_stop_free(h->stop);
  ms_program_free(h->program);
  ms_plan_free(h->plan);
  subject_free(&h->s);
  ms_pattern_free(h->pattern);
  ms_graph_free(h->graph);
}

/* A token that reads stop before a count interrupts it, and without a device the engine is refused
 * with the reason; so is a program with an inner pattern. */
START_TEST(test_stop_token)
{
  hunt h;
  mpz_t sum;
  (void)enter(_i);
  mpz_init(sum);
  hunt_make(&h, &patterns[0], 100, 600);
  ms_stop_request(h.stop);
  ms_pattern_task task = {.program = h.program, .threads = 1, .stop = h.stop};
  ck_assert_int_eq(engine->count(&task, sum, NULL), MS_ERR_INTERRUPTED);
  task.stop = NULL;
  ms_inner_plan inner = {.vertices = 4};
  h.program->inner = &inner;
  ck_assert_int_eq(engine->supports(h.program, NULL), MS_ERR_USAGE);
  h.program->inner = NULL;
  ck_assert_int_eq(engine->supports(h.program, NULL), MS_OK);
  fake_devices = 0;
  if (fake_cuda) {
    ms_error err = {0};
    ck_assert_int_eq(engine->devices(), 0);
    ck_assert_int_eq(engine->supports(NULL, &err), MS_ERR_USAGE);
    ck_assert_int_eq(engine->count(&task, sum, &err), MS_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "GPU"));
  }
  fake_devices = 2;
  ck_assert_int_ge(engine->devices(), fake_cuda ? 2 : 1);
  hunt_free(&h);
  mpz_clear(sum);
}
END_TEST

static ms_stop *stop_of_kernel;
static uint64_t asked; /* how often kernels have asked since */

/* The emulated GPU calls it while a kernel runs; the user stops the search at the second call. */
static bool user_stops(void)
{
  if (asked++ == 1)
    ms_stop_request(stop_of_kernel);
  return asked > 1;
}

/* Prepares a stop.  Where kernels are emulated, the token is set while one runs, which then has
 * to end soon; on GPUs, it has a deadline long before the end of the search. */
static void begin_to_stop(hunt *h)
{
  stop_of_kernel = h->stop;
  asked = 0;
  fake_slow = 3; /* so that the host checks the token */
  fake_while_running = user_stops;
  if (!fake_cuda)
    ms_stop_after(h->stop, 0.05);
}

static void check_stopped(ms_status status, double begin)
{
  fake_while_running = NULL;
  ck_assert_int_eq(status, fake_cuda ? MS_ERR_INTERRUPTED : MS_ERR_LIMIT);
  if (fake_cuda) {
    ck_assert_uint_ge(asked, 2);
    ck_assert_msg(asked < 60, "%s: went on after a stop: %llu", engine->name,
                  (unsigned long long)asked);
  } else {
    ck_assert_double_lt(ms_seconds() - begin, 3);
  }
}

/* A stop during a kernel, or a deadline on a real GPU, ends a count soon with part of it. */
START_TEST(test_stop_while_counting)
{
  hunt h;
  mpz_t sum, all;
  (void)enter(_i);
  mpz_inits(sum, all, NULL);
  hunt_make(&h, &patterns[3], fake_cuda ? 60 : 20000, fake_cuda ? 800 : 6000000);
  vary(h.s.seed);
  ms_pattern_task task = {.program = h.program, .threads = 1, .devices = gpus, .stop = h.stop};
  begin_to_stop(&h);
  double begin = ms_seconds();
  check_stopped(engine->count(&task, sum, NULL), begin);
  if (fake_cuda) {
    task.stop = NULL;
    ck_assert_int_eq(ms_pattern_engine_cpu.count(&task, all, NULL), MS_OK);
    /* `trie` looks at the token after the kernels that it launches at once: here they count all */
    bool at_once = engine == &ms_pattern_engine_trie || engine == &ms_pattern_engine_gpu;
    ck_assert(at_once ? mpz_cmp(sum, all) <= 0 : mpz_cmp(sum, all) < 0);
  }
  mpz_clears(sum, all, NULL);
  hunt_free(&h);
}
END_TEST

static uint64_t received_rows;

static bool count_rows(void *user, const uint32_t *rows, uint64_t count)
{
  (void)user;
  (void)rows;
  received_rows += count;
  return true;
}

/* The same for a listing, whose rows delivered are those that the stream counts. */
START_TEST(test_stop_while_listing)
{
  hunt h;
  ms_stream *stream;
  (void)enter(_i);
  hunt_make(&h, &patterns[3], fake_cuda ? 60 : 20000, fake_cuda ? 800 : 6000000);
  vary(h.s.seed);
  uint32_t length = h.s.shape.n;
  ms_stream_options options = {.length = length, .memory = 1 << 20, .rows = count_rows};
  ms_pattern_task task = {.program = h.program, .threads = 1, .devices = gpus, .stop = h.stop};
  ck_assert_int_eq(ms_stream_new(&options, &stream, NULL), MS_OK);
  received_rows = 0;
  begin_to_stop(&h);
  double begin = ms_seconds();
  check_stopped(engine->list(&task, as_it_is, &length, stream, NULL), begin);
  ck_assert_uint_eq(ms_stream_rows(stream), received_rows);
  ms_stream_free(stream);
  hunt_free(&h);
}
END_TEST

/* ---- through the library ---------------------------------------------------------- */

static ms_status list_by(const hunt *h, const char *by, bool count, uint64_t limit,
                         ms_pattern_result **result, ms_error *err)
{
  ms_pattern_options options = {
      .size = sizeof(ms_pattern_options),
      .count_only = count,
      .limit = limit,
      .screen = {
          .size = sizeof(ms_screen_options), .run.engine = by, .run.threads = 2, .run.seed = 1}};
  return ms_pattern_list(h->s.index, h->pattern, &options, result, err);
}

/* ---- limits ---------------------------------------------------------------------- */

static bool count_looks(void)
{
  asked++;
  return false;
}

/* Makes a 5-cycle whose vertices have leaves, so that they have the highest ids, beside a complete
 * bipartite graph of 2 * `side` vertices, in which a search for 5-cycles finds none for long. */
static ms_graph *hidden_cycle(uint32_t side, uint32_t leaves)
{
  uint32_t m = 0, n = 2 * side + 5,
           (*edge)[2] = malloc((side * side + 5 + 5 * leaves) * sizeof *edge);
  ms_graph *graph;
  for (uint32_t i = 0; i < side; i++)
    for (uint32_t j = 0; j < side; j++, m++)
      memcpy(edge[m], (uint32_t[]){i, side + j}, sizeof *edge);
  for (uint32_t i = 0; i < 5; i++, m++)
    memcpy(edge[m], (uint32_t[]){2 * side + i, 2 * side + (i + 1) % 5}, sizeof *edge);
  for (uint32_t i = 0; i < 5 * leaves; i++, m++)
    memcpy(edge[m], (uint32_t[]){2 * side + i % 5, n++}, sizeof *edge);
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                   MS_OK);
  free(edge);
  return graph;
}

/* Depth first, a listing of one row ends soon after some warp has found it, however long the
 * others would search without a match. */
START_TEST(test_limit_of_one)
{
  static const uint32_t cycle[5][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}};
  hunt h = {.s = {.seed = 11}};
  ms_pattern_result *result;
  (void)enter(_i);
  h.graph = hidden_cycle(fake_cuda ? 40 : 400, fake_cuda ? 60 : 500);
  ck_assert_int_eq(ms_pattern_from_edges(5, 5, cycle, false, NULL, &h.pattern, NULL), MS_OK);
  subject_make(&h.s, h.graph, NULL, h.pattern, false);
  vary(h.s.seed);
  asked = 0;
  fake_while_running = count_looks;
  double begin = ms_seconds();
  ck_assert_int_eq(list_by(&h, engine->name, false, 1, &result, NULL), MS_OK);
  fake_while_running = NULL;
  ck_assert_uint_eq(result->matches, 1);
  if (fake_cuda)
    ck_assert_msg(asked < 1500, "went on after the match: %llu", (unsigned long long)asked);
  else
    ck_assert_double_lt(ms_seconds() - begin, 10); /* other checks may use the GPU, too */
  ms_pattern_result_free(result);
  hunt_free(&h);
}
END_TEST

static uint32_t row_length;

static int by_row(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < row_length; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void check_same(const ms_pattern_result *a, const ms_pattern_result *b)
{
  ck_assert_str_eq(a->count_text, b->count_text);
  ck_assert_uint_eq(a->matches, b->matches);
  row_length = a->p;
  if (a->vertices && b->vertices) {
    qsort(a->vertices, a->matches, a->p * sizeof *a->vertices, by_row);
    qsort(b->vertices, b->matches, b->p * sizeof *b->vertices, by_row);
    ck_assert_mem_eq(a->vertices, b->vertices, a->matches * a->p * sizeof *a->vertices);
  }
}

/* Through ms_pattern_list matches are those of the CPU engine and judged, with the engine's name,
 * and a limit of three gives three: four patterns, listed and counted. */
START_TEST(test_library)
{
  hunt h;
  (void)enter(_i);
  for (uint32_t p = 0; p < PATTERNS - 2; p += 3) {
    hunt_make(&h, &patterns[p], 30, 100);
    vary(h.s.seed);
    for (int count = 0; count < 2; count++) {
      ms_pattern_result *by_cpu, *by_gpu;
      ms_error err = {0};
      ck_assert_int_eq(list_by(&h, "cpu", count, 0, &by_cpu, &err), MS_OK);
      ck_assert_msg(list_by(&h, engine->name, count, 0, &by_gpu, &err) == MS_OK, "%s", err.message);
      ck_assert_str_eq(by_gpu->run.engine, engine->name);
      ck_assert(by_cpu->ordered && !by_gpu->ordered);
      check_same(by_cpu, by_gpu);
      ms_pattern_result_free(by_gpu);
      if (by_cpu->matches > 3 && !count) {
        ck_assert_int_eq(list_by(&h, engine->name, count, 3, &by_gpu, &err), MS_OK);
        ck_assert_uint_eq(by_gpu->matches, 3);
        ck_assert_int_eq(by_gpu->run.stopped, MS_ERR_LIMIT);
        ms_pattern_result_free(by_gpu);
      }
      ms_pattern_result_free(by_cpu);
    }
    hunt_free(&h);
  }
}
END_TEST

/* With engine auto a GPU is taken where it pays, and the CPU where the GPU lacks memory or is
 * missing, with the reason; an engine that was asked for by name fails instead: listed and
 * counted. */
START_TEST(test_auto)
{
  static const char *const limits[] = {"100M", "600", NULL}; /* NULL: no GPU */
  hunt h;
  (void)enter(_i);
  hunt_make(&h, &patterns[1], 30, 150);
  vary(h.s.seed);
  ms_hooks.pattern_gpu_patience = 0;
  ms_hooks.race_patience = INFINITY;
  for (int turn = 0; turn < 3 * 2; turn++) {
    ms_pattern_result *by_cpu, *by_auto, *none = NULL;
    ms_error err = {0};
    const char *limit = limits[turn / 2];
    bool count = turn % 2;
    if (!limit && !fake_cuda)
      break;
    fake_devices = limit ? 1 : 0;
    ms_gpu_match_free_kept();
    setenv("MOTIFSIEVE_GPU_MEMORY", limit ? limit : "", 1);
    ck_assert_int_eq(list_by(&h, "cpu", count, 0, &by_cpu, &err), MS_OK);
    ck_assert_msg(list_by(&h, "auto", count, 0, &by_auto, &err) == MS_OK, "%s", err.message);
    check_same(by_cpu, by_auto);
    ck_assert_str_eq(by_auto->run.engine, turn < 2 ? ms_pattern_engine_on_gpus()->name : "cpu");
    ck_assert_ptr_nonnull(strstr(by_auto->run.engine_reason, turn / 2 == 0 ? "with its start"
                                                             : turn / 2 == 1
                                                                 ? "MOTIFSIEVE_GPU_MEMORY"
                                                                 : "no usable GPU"));
    if (turn >= 2) {
      ck_assert_int_eq(list_by(&h, engine->name, count, 0, &none, &err),
                       limit ? MS_ERR_MEMORY : MS_ERR_USAGE);
      ck_assert_ptr_null(none);
    }
    ms_pattern_result_free(by_cpu);
    ms_pattern_result_free(by_auto);
  }
  unsetenv("MOTIFSIEVE_GPU_MEMORY");
  ms_hooks = ms_hooks_default;
  ck_assert(ms_pattern_engine_start() < 1e6); /* steps of 2 ns: a GPU has started */
  fake_devices = 1;
  hunt_free(&h);
}
END_TEST

void add_depth_first_tests(int number)
{
  if (!getenv("MOTIFSIEVE_SANITIZER")) /* a sanitizer makes everything slow */
    add_test(number, test_limit_of_one, 1);
}

void add_end_tests(int number)
{
  add_test(number, test_stop_token, 1);
  if (!getenv("MOTIFSIEVE_SANITIZER")) { /* a sanitizer makes everything slow */
    add_test(number, test_stop_while_counting, 1);
    add_test(number, test_stop_while_listing, 1);
  }
  add_test(number, test_library, 1);
  add_test(number, test_auto, 1);
}
