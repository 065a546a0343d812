/* Random cases of every CUDA engine against the CPU's engine, on real or emulated GPUs.
 *
 *   random_cases [--engine NAME]... [--cases N] [--seed S] [--seconds T] [--size N] [--case I]
 *                [--no-fork]
 *
 * Each engine has a process of its own, and all run at the same time; without --engine these are
 * all engines.  A case is a random graph with a random pattern, device memory, number of GPUs and
 * settings of the engine (random_case.h).  It compares the number of maps, as `match --count` finds
 * it; the rows of a listing, if they are few; and the number of rows, as the engine counts them one
 * by one.
 *
 * --cases: for each engine, 10,000 by default on GPUs and 300 on emulated ones.  --seed: of all
 * cases; without it a new one is drawn.  --seconds: no case begins later.  --size: most vertices of
 * a graph, 200 by default on GPUs and 40 on emulated ones.  --case: this one alone.  --no-fork: one
 * process, for debuggers.  The engine `broken`, which is dfs with errors, shows that errors are
 * found.
 *
 * Exit status 1: results differ, an engine failed, or too few cases had matches.  Each of the first
 * differences is printed with its case and the command that repeats it. */
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "gpu/match/upload.h"
#include "match/engine.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/gpu/random_case.h"
#include "tests/support/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LARGE_POOL ((uint64_t)1 << 28) /* bytes; with less, the engine reuse may refuse */
enum {
  MOST_ROWS = 2000,     /* rows of a case with more are not compared */
  MOST_LOOKS = 300,     /* of the CPU's engine at its stop token; a longer search is left out */
  MOST_SECONDS = 3,     /* of an engine for each answer.  The CPU may know a count by a formula, and
                           an emulated GPU may need minutes or more: then it is left out */
  MOST_DIFFERENCES = 3, /* an engine ends after as many */
  KEPT = 64,            /* cases whose graphs stay on the device */
  JUDGED = 100,         /* with at least so many cases, a quarter must have matches */
  NO_CASE = -1
};

typedef struct settings {
  uint64_t seed, cases, size;
  int64_t only; /* NO_CASE: all */
  double seconds;
  bool fork;
  bool asked[ENGINES + 1]; /* the last is `broken` */
} settings;

/* The work of one engine, which the parent process reads. */
typedef struct tally {
  uint64_t begun, typed, large, matching, counted, listed, refused, late, differences;
  double seconds;
} tally;

static settings set = {.only = NO_CASE, .fork = true};
static tally *shared;   /* [ENGINES + 1] */
static tally *now;      /* of this process */
static uint64_t number; /* of the case */
static bool in_case;
static random_case current;
static const char *program_name, *engine_name;

/* ---- an engine that errs ---------------------------------------------------------- */

static ms_status count_wrong(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  ms_status status = ms_pattern_engine_dfs.count(task, sum, err);
  if (mpz_cmp_ui(sum, 50) > 0)
    mpz_sub_ui(sum, sum, 1);
  return status;
}

typedef struct row_maker {
  ms_rows_fn make;
  void *user;
  uint32_t length; /* of a row */
} row_maker;

static uint64_t make_wrong(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  row_maker *right = user;
  uint64_t made = right->make(right->user, ids, count, rows);
  for (uint64_t i = 0; i < made; i++)
    rows[i * right->length] += rows[i * right->length] == 7;
  return made;
}

static ms_status list_wrong(const ms_pattern_task *task, ms_rows_fn make, void *user,
                            ms_stream *stream, ms_error *err)
{
  row_maker right = {make, user, task->program->prefix};
  return ms_pattern_engine_dfs.list(task, make_wrong, &right, stream, err);
}

static int devices_of_dfs(void)
{
  return ms_pattern_engine_dfs.devices();
}

static const ms_pattern_engine broken = {
    .name = "broken", .devices = devices_of_dfs, .count = count_wrong, .list = list_wrong};

/* ---- differences ------------------------------------------------------------------------ */

static void print_repeat(FILE *to)
{
  fprintf(to, "  repeat: %s --engine %s --seed %llu --size %llu --case %llu\n", program_name,
          engine_name, (unsigned long long)set.seed, (unsigned long long)set.size,
          (unsigned long long)number);
}

__attribute__((format(printf, 1, 2))) static void differ(const char *format, ...)
{
  va_list arguments;
  fflush(stdout);
  fprintf(stderr, "%s, case %llu: ", engine_name, (unsigned long long)number);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  print_repeat(stderr);
  random_case_print(&current, stderr);
  now->differences++;
}

/* The library's test functions end the process where something is wrong. */
static void report_end(void)
{
  if (in_case)
    differ("the process ended in it");
}

/* ---- plain patterns ----------------------------------------------------------------------- */

typedef struct received {
  uint32_t length;
  uint64_t count;
  uint32_t rows[MOST_ROWS * RANDOM_CASE_MOST_P];
} received;

static received of_gpu, of_cpu;
static uint32_t compared_length;

static int by_row(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < compared_length; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void sort_rows(uint32_t *rows, uint64_t count, uint32_t length)
{
  compared_length = length;
  qsort(rows, count, length * sizeof *rows, by_row);
}

static bool keep_rows(void *user, const uint32_t *rows, uint64_t count)
{
  received *r = user;
  if (r->count + count > MOST_ROWS)
    return false;
  memcpy(r->rows + r->count * r->length, rows, count * r->length * sizeof *rows);
  r->count += count;
  return true;
}

/* Sets *few to whether these are all rows. */
static ms_status list_rows(const ms_pattern_engine *by, const ms_pattern_task *task,
                           uint32_t length, received *to, bool *few, ms_error *err)
{
  ms_stream *stream;
  ms_stream_options options = {.length = length, .memory = 1 << 20, .rows = keep_rows, .user = to};
  to->length = length;
  to->count = 0;
  MS_TRY(ms_stream_new(&options, &stream, err));
  ms_status status = by->list(task, as_it_is, &length, stream, err);
  *few = status == MS_OK && ms_stream_status(stream) == MS_OK;
  ms_stream_free(stream);
  sort_rows(to->rows, to->count, length);
  return status == MS_ERR_LIMIT ? MS_OK : status;
}

/* True if the engine failed; a lack of memory is no failure where memory was bounded, and a lack of
 * time never is. */
static bool failed(ms_status status, uint64_t memory, const ms_error *err)
{
  if (status == MS_OK)
    return false;
  if (status == MS_ERR_LIMIT) {
    now->late++;
    return true;
  }
  /* `vary` bounds the memory of the engine reuse, too */
  if (status == MS_ERR_MEMORY && (memory > 0 || ms_hooks.gpu_reuse_bytes < LARGE_POOL))
    now->refused++;
  else
    differ("%s", err->message);
  return true;
}

static ms_stop *new_stop(void)
{
  ms_stop *stop;
  if (ms_stop_new(&stop, NULL) != MS_OK)
    exit(EXIT_FAILURE);
  ms_stop_after_looks(stop, MOST_LOOKS);
  return stop;
}

static ms_stop *new_deadline(void)
{
  ms_stop *stop;
  if (ms_stop_new(&stop, NULL) != MS_OK)
    exit(EXIT_FAILURE);
  ms_stop_after(stop, MOST_SECONDS);
  return stop;
}

static void compare_maps(subject *s, uint64_t memory)
{
  mpz_t by_cpu, by_gpu;
  ms_error err = {0};
  mpz_inits(by_cpu, by_gpu, NULL);
  ms_stop *stop = new_stop();
  s->stop = stop;
  ms_status status = count_within(s, &ms_pattern_engine_cpu, 0, by_cpu, &err);
  ms_stop_free(stop);
  s->stop = stop = new_deadline();
  if (status == MS_OK) {
    now->matching += mpz_sgn(by_cpu) > 0;
    status = count_within(s, engine, memory, by_gpu, &err);
    if (status == MS_ERR_MEMORY && memory > 0) {
      now->refused++;
      status = count_within(s, engine, 0, by_gpu, &err);
    }
    if (!failed(status, 0, &err)) {
      now->counted++;
      if (mpz_cmp(by_cpu, by_gpu) != 0) {
        char *a = mpz_get_str(NULL, 10, by_gpu), *b = mpz_get_str(NULL, 10, by_cpu);
        differ("%s maps, the CPU's engine counts %s", a, b);
        free(a);
        free(b);
      }
    }
  }
  s->stop = NULL;
  ms_stop_free(stop);
  mpz_clears(by_cpu, by_gpu, NULL);
}

/* Lists the rows by both engines, and counts them one by one. */
static void compare_rows(const subject *s, uint64_t memory)
{
  ms_plan *plan;
  bool few, all;
  mpz_t sum;
  ms_error err = {0};
  ms_stop *stop = new_stop();
  ms_program *program = visit_all(s, s->seed % 3 > 0, &plan);
  ms_pattern_task task = {.program = program, .threads = 1, .stop = stop};
  mpz_init(sum);
  ms_status status = list_rows(&ms_pattern_engine_cpu, &task, s->shape.n, &of_cpu, &few, &err);
  ms_stop_free(stop);
  task.stop = stop = new_deadline();
  task.devices = gpus;
  task.gpu_memory = memory;
  if (status == MS_OK && few &&
      !failed(list_rows(engine, &task, s->shape.n, &of_gpu, &all, &err), memory, &err)) {
    if (!all && ms_stop_check(stop) != MS_OK)
      now->late++;
    else if (of_gpu.count != of_cpu.count || !all)
      differ("%s%llu rows, the CPU's engine lists %llu", all ? "" : "more than ",
             (unsigned long long)of_gpu.count, (unsigned long long)of_cpu.count);
    else if (memcmp(of_gpu.rows, of_cpu.rows, of_cpu.count * s->shape.n * sizeof *of_cpu.rows) != 0)
      differ("other rows than the CPU's engine");
    now->listed += all;
    if (!failed(engine->count(&task, sum, &err), memory, &err) &&
        mpz_cmp_ui(sum, of_cpu.count) != 0)
      differ("%lu rows counted one by one, the CPU's engine lists %llu", mpz_get_ui(sum),
             (unsigned long long)of_cpu.count);
  }
  ms_stop_free(stop);
  mpz_clear(sum);
  ms_program_free(program);
  ms_plan_free(plan);
}

static void compare_plain(uint64_t variant, uint64_t memory)
{
  random_plain plain;
  subject s = {.seed = variant};
  random_case_plain(&current, &plain);
  subject_make(&s, plain.graph, plain.coloring, plain.pattern, current.induced);
  if (!s.domains.empty) {
    compare_maps(&s, memory);
    compare_rows(&s, memory);
  }
  subject_free(&s);
  random_plain_free(&plain);
}

/* ---- typed patterns ------------------------------------------------------------------------ */

static ms_status match_typed(const ms_typed_query *query, ms_typed_match_options *o, const char *by,
                             bool count, ms_typed_result **out, ms_error *err)
{
  o->run.engine = by;
  o->count_only = count;
  return ms_typed_match(query, o, out, err);
}

static void compare_typed_results(const ms_typed_query *query, ms_typed_match_options *o,
                                  ms_typed_result *by_cpu, bool count)
{
  ms_typed_result *by_gpu = NULL;
  ms_error err = {0};
  const char *what = count ? "counted" : "listed";
  o->run.stop = new_deadline();
  ms_status status = match_typed(query, o, engine->name, count, &by_gpu, &err);
  ms_stop_free(o->run.stop);
  o->run.stop = NULL;
  if (status == MS_OK && by_gpu->run.stopped == MS_ERR_LIMIT) {
    now->late++;
  } else if (!failed(status, o->run.memory, &err)) {
    *(count ? &now->counted : &now->listed) += 1;
    if (strcmp(by_gpu->count_text, by_cpu->count_text) != 0)
      differ("%s typed matches %s, the CPU's engine finds %s", by_gpu->count_text, what,
             by_cpu->count_text);
    else if (!count && by_cpu->matches > 0) {
      sort_rows(by_cpu->vertices, by_cpu->matches, current.p);
      sort_rows(by_gpu->vertices, by_gpu->matches, current.p);
      if (memcmp(by_cpu->vertices, by_gpu->vertices,
                 by_cpu->matches * current.p * sizeof *by_cpu->vertices) != 0)
        differ("other typed rows than the CPU's engine");
    }
  }
  ms_typed_result_free(by_gpu);
}

static void compare_typed(uint64_t variant, uint64_t memory)
{
  random_typed typed;
  ms_typed_result *by_cpu = NULL;
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_error err = {0};
  random_case_typed(&current, &typed);
  o.induced = current.induced;
  o.embeddings = variant % 2;
  o.run.threads = 1;
  o.screen_mode = MS_SCREEN_NEVER;
  o.limit = MOST_ROWS;
  o.run.stop = new_stop();
  ms_status status = match_typed(typed.query, &o, "cpu", false, &by_cpu, &err);
  ms_stop_free(o.run.stop);
  o.run.stop = NULL;
  o.limit = 0;
  if (failed(status, 0, &err))
    goto done;
  now->matching += by_cpu->matches > 0;
  if (by_cpu->run.stopped == MS_OK) {
    o.run.memory = memory > 0 ? memory + ((uint64_t)4 << 20) : 0; /* it bounds the host's, too */
    compare_typed_results(typed.query, &o, by_cpu, false);
    compare_typed_results(typed.query, &o, by_cpu, true);
  }
done:
  ms_typed_result_free(by_cpu);
  random_typed_free(&typed);
}

/* ---- cases ------------------------------------------------------------------------------------
 */

static void run_case(uint64_t i)
{
  uint64_t state = set.seed + i * 0xD1342543DE82EF95u, seed = random_next(&state);
  uint32_t variant = random_below(&state, 1 << 20);
  uint64_t memory = random_below(&state, 3) ? 0 : (uint64_t)1 << (14 + random_below(&state, 8));
  number = i;
  random_case_draw(&current, seed, (uint32_t)set.size);
  in_case = true;
  vary(variant);
  if (!fake_cuda)
    gpus = 1 + random_below(&state, (uint32_t)engine->devices());
  now->begun++;
  now->typed += current.typed;
  now->large += current.p >= 10;
  if (i % KEPT == 0)
    ms_gpu_match_free_kept();
  if (current.typed && engine != &broken)
    compare_typed(variant, memory);
  else if (!current.typed)
    compare_plain(variant, memory);
  in_case = false;
}

static void run_engine(int which)
{
  double begin = ms_seconds();
  engine = which < ENGINES ? tested_engine(which) : &broken;
  engine_name = engine->name;
  now = &shared[which];
  atexit(report_end);
  if (engine->devices() == 0) {
    fprintf(stderr, "%s: there is no GPU\n", engine_name);
    now->differences++;
    return;
  }
  if (set.only != NO_CASE) {
    run_case((uint64_t)set.only);
    return;
  }
  for (uint64_t i = 0; i < set.cases && now->differences < MOST_DIFFERENCES; i++) {
    now->seconds = ms_seconds() - begin;
    if (set.seconds > 0 && now->seconds > set.seconds)
      break;
    run_case(i);
  }
  now->seconds = ms_seconds() - begin;
}

/* ---- processes ------------------------------------------------------------------------------ */

static bool print_tally(const char *name, const tally *t)
{
  bool judged = set.only == NO_CASE && t->begun >= JUDGED && t->differences == 0;
  printf("%s: %llu cases (%llu typed, %llu of patterns of 10 vertices and more): %llu with "
         "matches, %llu counts and %llu lists compared, %llu refused for lack of memory, "
         "%llu for lack of time, %llu differences, %.1f s\n",
         name, (unsigned long long)t->begun, (unsigned long long)t->typed,
         (unsigned long long)t->large, (unsigned long long)t->matching,
         (unsigned long long)t->counted, (unsigned long long)t->listed,
         (unsigned long long)t->refused, (unsigned long long)t->late,
         (unsigned long long)t->differences, t->seconds);
  if (judged && (4 * t->matching < t->begun || 3 * t->listed < t->begun)) {
    printf("%s: too few of the cases were compared\n", name);
    return false;
  }
  return t->differences == 0 && t->begun > 0;
}

static bool run_engines(void)
{
  pid_t child[ENGINES + 1];
  bool good = true;
  for (int i = 0; i <= ENGINES; i++) {
    child[i] = set.asked[i] && set.fork ? fork() : 0;
    if (set.asked[i] && child[i] == 0) {
      run_engine(i);
      if (set.fork)
        exit(shared[i].differences > 0);
    }
  }
  for (int i = 0; i <= ENGINES; i++) {
    int status = 0;
    const char *name = i < ENGINES ? tested_engine(i)->name : "broken";
    if (!set.asked[i])
      continue;
    if (child[i] > 0 && (waitpid(child[i], &status, 0) < 0 || !WIFEXITED(status))) {
      printf("%s: a signal ended its process in case %llu\n", name,
             (unsigned long long)(set.only != NO_CASE ? (uint64_t)set.only : shared[i].begun - 1));
      shared[i].differences++;
    }
    good &= print_tally(name, &shared[i]) && status == 0;
  }
  return good;
}

/* ---- arguments ---------------------------------------------------------------------------------
 */

static void fail_usage(const char *what)
{
  fprintf(stderr,
          "random_cases: %s; usage: random_cases [--engine NAME]... [--cases N] [--seed S] "
          "[--seconds T] [--size N] [--case I] [--no-fork]\n",
          what);
  exit(2);
}

static void ask_for_engine(const char *name)
{
  bool known = strcmp(name, broken.name) == 0;
  set.asked[ENGINES] |= known;
  for (int i = 0; i < ENGINES; i++)
    if (strcmp(name, tested_engine(i)->name) == 0)
      set.asked[i] = known = true;
  if (!known)
    fail_usage("there is no such engine");
}

static void set_option(const char *option, const char *value)
{
  char *end;
  if (strcmp(option, "--engine") == 0) {
    ask_for_engine(value);
    return;
  }
  uint64_t whole = strtoull(value, &end, 10);
  if (strcmp(option, "--seconds") == 0)
    set.seconds = strtod(value, &end);
  else if (strcmp(option, "--cases") == 0)
    set.cases = whole;
  else if (strcmp(option, "--seed") == 0)
    set.seed = whole;
  else if (strcmp(option, "--size") == 0)
    set.size = whole;
  else if (strcmp(option, "--case") == 0)
    set.only = (int64_t)whole;
  else
    fail_usage("there is no such option");
  if (*end || end == value)
    fail_usage("a number is wanted");
}

static void read_arguments(int argc, char **argv)
{
  bool any = false;
  uint64_t state = (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid();
  set.seed = random_next(&state) >> 32;
  set.cases = fake_cuda ? 300 : 10000;
  set.size = fake_cuda ? 40 : 200;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--no-fork") == 0)
      set.fork = false;
    else if (i + 1 == argc)
      fail_usage("an option needs a value");
    else
      set_option(argv[i], argv[i + 1]), i++;
  }
  for (int i = 0; i <= ENGINES; i++)
    any |= set.asked[i];
  for (int i = 0; i < ENGINES; i++)
    set.asked[i] |= !any;
  if (set.size < 4 || set.size > RANDOM_CASE_MOST_N)
    fail_usage("--size is 4 to 512");
}

int main(int argc, char **argv)
{
  program_name = argv[0];
  read_arguments(argc, argv);
  printf("# seed %llu, %llu cases of each engine, graphs of up to %llu vertices\n",
         (unsigned long long)set.seed, (unsigned long long)set.cases, (unsigned long long)set.size);
  fflush(stdout);
  shared = mmap(NULL, (ENGINES + 1) * sizeof *shared, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return EXIT_FAILURE;
  return run_engines() ? EXIT_SUCCESS : EXIT_FAILURE;
}
