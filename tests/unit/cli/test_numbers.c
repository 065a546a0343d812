/* Numbers of any size when memory runs out: GMP takes its blocks from a reserve instead of ending
 * the process, and a call that would use the reserve up fails with MS_ERR_MEMORY.  Each test is a
 * program that has its own GMP functions, which it sets before its first call of the library. */
#include "base/numbers.h"
#include "cli/commands.h"
#include "match/count/shape_memo.h"
#include "motifsieve.h"
#include "sieve/bound.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "verify/bound.h"

#include <gmp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static ms_error err;

/* ---- the program's functions ---------------------------------------------------------- */

static atomic_bool refusing; /* they return NULL */
static atomic_size_t held, most_held, refused, served;

static void note_held(size_t more, size_t less)
{
  size_t now = atomic_fetch_add(&held, more - less) + more - less, most = atomic_load(&most_held);
  while (most < now && !atomic_compare_exchange_weak(&most_held, &most, now))
    continue;
}

static void *host_alloc(size_t bytes)
{
  atomic_fetch_add(refusing ? &refused : &served, 1);
  if (refusing)
    return NULL;
  note_held(bytes, 0);
  return malloc(bytes);
}

static void *host_resize(void *block, size_t old_bytes, size_t bytes)
{
  atomic_fetch_add(refusing ? &refused : &served, 1);
  if (refusing)
    return NULL;
  note_held(bytes, old_bytes);
  return realloc(block, bytes);
}

static void host_release(void *block, size_t bytes)
{
  note_held(0, bytes);
  free(block);
}

static void set_host_functions(void)
{
  mp_set_memory_functions(host_alloc, host_resize, host_release);
}

/* ---- the allocator ---------------------------------------------------------------------- */

enum { SMALL = 40, BLOCKS = 24 };

typedef struct block {
  unsigned char *at;
  size_t bytes;
  unsigned char mark;
} block;

static bool fits_somewhere(const ms_reserve *r, size_t wanted)
{
  size_t run = 0;
  for (size_t i = 0; i < r->granules; i++) {
    run = r->taken[i] ? 0 : run + 1;
    if (run == wanted)
      return true;
  }
  return false;
}

static void check_block(const ms_reserve *r, const block *b)
{
  ck_assert(ms_reserve_has(r, b->at) && ms_reserve_has(r, b->at + b->bytes - 1));
  for (size_t i = 0; i < b->bytes; i++)
    ck_assert_uint_eq(b->at[i], b->mark);
}

/* 20,000 blocks of random sizes in a reserve of 40 granules, with at most 24 at a time: no two
 * overlap, a request fails if and only if no gap is large enough, and all comes back. */
START_TEST(blocks_of_the_reserve)
{
  static _Alignas(MS_GRANULE) unsigned char bytes[SMALL * MS_GRANULE];
  unsigned char taken[SMALL] = {0};
  ms_reserve r = {.bytes = bytes, .taken = taken, .granules = SMALL};
  block blocks[BLOCKS] = {{0}};
  uint64_t random = 7;
  uint64_t empty = 0;
  for (uint64_t i = 0; i < scaled(20000); i++) {
    block *b = &blocks[random_below(&random, BLOCKS)];
    if (b->at) {
      check_block(&r, b);
      ms_reserve_give(&r, b->at, b->bytes);
      b->at = NULL;
      continue;
    }
    b->bytes = 1 + random_below(&random, 6 * MS_GRANULE);
    bool fits = fits_somewhere(&r, (b->bytes + MS_GRANULE - 1) / MS_GRANULE);
    b->at = ms_reserve_take(&r, b->bytes);
    ck_assert(fits == (b->at != NULL));
    empty += !fits;
    b->mark = (unsigned char)i;
    if (b->at)
      memset(b->at, b->mark, b->bytes);
  }
  for (int i = 0; i < BLOCKS; i++)
    if (blocks[i].at)
      ms_reserve_give(&r, blocks[i].at, blocks[i].bytes);
  ck_assert_uint_eq(r.used, 0);
  ck_assert(fits_somewhere(&r, SMALL));
  ck_assert(test_scale() < 1 || empty > 100);
  ck_assert(!ms_reserve_has(&r, bytes + sizeof bytes) && !ms_reserve_has(&r, NULL));
}
END_TEST

/* ---- sections ------------------------------------------------------------------------------ */

static void factorial(mpz_t number, unsigned long n)
{
  mpz_set_ui(number, 1);
  for (unsigned long i = 2; i <= n; i++)
    mpz_mul_ui(number, number, i);
}

/* Numbers that begin in one kind of memory and go on in the other are right.  A section leaves no
 * block in the reserve. */
START_TEST(numbers_move_between_memories)
{
  mpz_t one, two, right;
  set_host_functions();
  mpz_init(right);
  mpz_fac_ui(right, 3000);
  ms_numbers_begin();
  for (int first = 0; first < 2; first++) {
    mpz_inits(one, two, NULL);
    refusing = first != 0;
    factorial(one, 2000);
    refusing = first == 0;
    factorial(two, 2000);
    ck_assert(mpz_cmp(one, two) == 0);
    for (unsigned long i = 2001; i <= 3000; i++)
      mpz_mul_ui(one, one, i);
    ck_assert(mpz_cmp(one, right) == 0);
    mpz_clears(one, two, NULL);
  }
  refusing = false;
  ck_assert_uint_gt(refused, 0);
  ck_assert(!ms_numbers_low());
  mpz_clear(right);
  ms_numbers_end();
  ck_assert_uint_eq(held, 0);
}
END_TEST

/* Outside of a section, numbers of the program come from the program's functions only, also those
 * that grow or are freed. */
START_TEST(numbers_of_the_program)
{
  mpz_t number;
  set_host_functions();
  mpz_init_set_ui(number, 1);
  ms_numbers_begin();
  ms_numbers_end();
  size_t before = served;
  factorial(number, 500);
  ck_assert_uint_gt(served, before);
  char *text = mpz_get_str(NULL, 10, number);
  host_release(text, strlen(text) + 1);
  mpz_clear(number);
  ck_assert_uint_eq(held, 0);
}
END_TEST

/* GMP's own functions are the usual case: blocks are those of malloc, so that a program may free a
 * text as it always did. */
START_TEST(blocks_are_those_of_malloc)
{
  mpz_t number;
  ms_numbers_begin();
  mpz_init_set_ui(number, 1);
  factorial(number, 500);
  char *text = mpz_get_str(NULL, 10, number);
  ck_assert_uint_eq(strlen(text), 1135);
  free(text);
  mpz_clear(number);
  ms_numbers_end();
}
END_TEST

/* Fills the reserve, as a program might that has very many numbers. */
static size_t fill_reserve(mpz_t *number, size_t most)
{
  size_t n = 0;
  for (; n < most && !ms_numbers_low(); n++)
    mpz_init2(number[n], 8 * 60000);
  return n;
}

/* Code that keeps many numbers fails before the reserve is empty. */
START_TEST(many_numbers)
{
  enum { MOST = 100 };
  static mpz_t number[MOST];
  mpz_t small;
  ms_shape_memo memo = {0};
  ms_shape_key key = {.n = 1};
  set_host_functions();
  ms_numbers_begin();
  refusing = true;
  mpz_init_set_ui(small, 7);
  ms_status status = MS_OK;
  uint64_t kept = 0;
  for (; status == MS_OK && kept < 1000000; kept += status == MS_OK) {
    key.label[0] = kept;
    status = ms_shape_memo_put(&memo, &key, small, &err);
  }
  ck_assert_int_eq(status, MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "memory"));
  ck_assert_uint_gt(kept, 1000);
  ms_shape_memo_free(&memo);
  ck_assert(!ms_numbers_low());
  size_t n = fill_reserve(number, MOST);
  ck_assert(n > 10 && n < MOST);
  while (n > 0)
    mpz_clear(number[--n]);
  ck_assert(!ms_numbers_low());
  mpz_clear(small);
  ms_numbers_end();
}
END_TEST

/* Miss bounds of degrees up to 63 and up to 10,000 repetitions, the largest there are, fit the
 * store that they ask for: the peak of what GMP holds is below the stated size and above a tenth of
 * it, and with no other memory the bound is the same. */
START_TEST(largest_bounds)
{
  static const uint32_t cases[][2] = {{1, 1},    {19, 6},     {63, 490},
                                      {63, 700}, {25, 10000}, {63, MS_MAX_REPETITIONS}};
  uint32_t degree = cases[_i][0], repetitions = cases[_i][1];
  mpq_t with, without;
  set_host_functions();
  mpq_inits(with, without, NULL);
  size_t before = held;
  most_held = before;
  ms_miss_bound(with, degree, repetitions);
  double right = ms_round_up(with);
  size_t needed = most_held - before, stated = ms_miss_bound_bytes(degree, repetitions);
  ck_assert_msg(repetitions < 100 || (needed <= stated && needed > stated / 10), "%zu of %zu bytes",
                needed, stated);
  ck_ok(ms_numbers_store(stated, &err));
  refusing = true;
  mpq_t again;
  mpq_init(again);
  ms_miss_bound(again, degree, repetitions);
  ck_assert(mpq_equal(with, again) && ms_round_up(again) == right);
  mpq_clear(again);
  refusing = false;
  ms_numbers_release();
  mpq_clears(with, without, NULL);
  ck_assert_uint_eq(held, 0);
}
END_TEST

/* No double needs more repetitions than MS_MOST_NEEDED_REPETITIONS. */
START_TEST(most_needed_repetitions)
{
  ck_assert_uint_le(ms_repetitions_for(2 * MS_MAX_K - 1, 4.9e-324), MS_MOST_NEEDED_REPETITIONS);
}
END_TEST

/* The same holds for the bound that `verify` computes again: a result of k = 32 and 10,000
 * repetitions is accepted with much memory, and with none but the store. */
START_TEST(largest_checked_bound)
{
  static char formula[] = "(1 - (4278124286/4294967296)^63)^10000";
  bool certain;
  ms_result result;
  set_host_functions();
  for (int i = 0; i < 2; i++) {
    ms_numbers_begin();
    ms_result_init(&result, "");
    result.header = (ms_result_header){.mode = MS_MODE_SCREENED,
                                       .status = MS_RESULT_COMPLETE,
                                       .k = MS_MAX_K,
                                       .repetitions = MS_MAX_REPETITIONS,
                                       .repetitions_planned = MS_MAX_REPETITIONS,
                                       .vertices = 1000,
                                       .formula = formula};
    mpq_set_d(result.bound[0], 0x1p-1074);
    mpq_set_d(result.bound[1], 0x1p-1074);
    size_t before = held;
    most_held = before;
    refusing = i == 1;
    ck_assert_msg(ms_check_bound(&result, &certain, &err) == MS_OK, "%s", result.problem);
    ck_assert_uint_lt(most_held - before, MS_CHECKED_SHARE * 4 * 63 * 10000);
    refusing = false;
    ms_result_close(&result);
    ms_numbers_end();
  }
  ck_assert_uint_eq(held, 0);
}
END_TEST

/* ---- commands ------------------------------------------------------------------------------- */

/* Runs a command that is given with the output's path for its last %s. */
static int run_command(const char *line, const char *output)
{
  char words[2000], *argv[40];
  int argc = 0;
  snprintf(words, sizeof words, "%s -o %s", line, output);
  for (char *word = strtok(words, " "); word && argc < 39; word = strtok(NULL, " "))
    argv[argc++] = word;
  argv[argc] = NULL;
  return ms_command_run(argc, argv);
}

static const char *content(const char *path)
{
  static char bytes[1 << 17];
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  size_t size = fread(bytes, 1, sizeof bytes - 1, file);
  fclose(file);
  bytes[size] = '\0';
  return bytes;
}

static char graph_path[300], colors_path[300], typed_path[300];

/* A clique of 60 vertices, in which large patterns have more maps than 128 bits hold, and an edge
 * that is in no match of the motifs: a sieve without pruning never flags it. */
static void write_inputs(void)
{
  char *edges = malloc(1 << 16), *colors = malloc(1 << 12);
  size_t e = 0, c = 0;
  for (int i = 0; i < 60; i++) {
    c += (size_t)sprintf(colors + c, "v%d\t%s\n", i, i % 20 ? "red" : "blue");
    for (int j = 0; j < i; j++)
      e += (size_t)sprintf(edges + e, "v%d\tv%d\n", i, j);
  }
  e += (size_t)sprintf(edges + e, "x\ty\n");
  c += (size_t)sprintf(colors + c, "x\tred\ny\tred\n");
  snprintf(graph_path, sizeof graph_path, "%s", files_write_text("g.tsv", edges));
  snprintf(colors_path, sizeof colors_path, "%s", files_write_text("c.tsv", colors));
  snprintf(typed_path, sizeof typed_path, "%s",
           files_write_text("t.tsv", "source\ttype\ttarget\na\tr\tb\nb\tr\tc\nc\ts\ta\n"));
  free(edges);
  free(colors);
}

static const char *const commands[] = {
    "screen %s -c %s -m red,blue:2 -t 1",
    "screen %s -c %s -m red,blue:2 -t 1 --repetitions 5000 --no-prune",
    "list %s -c %s -m blue:3 -t 1",
    "list %s -c %s -m red,blue:2 -t 2 --exact --count",
    "match %s -c %s triangle -t 2 --count",
    "match %s -c %s star:40 -t 2 --count --embeddings",
    "match %s -c %s path:6 -t 1 --count --embeddings",
    "match %s -c %s (x:blue)--(y:blue)--(z:blue) -t 1",
    "plan %s -c %s house -t 1 --count",
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Where GMP gets no memory at all, commands write what they write otherwise. */
static void same_output(const char *line)
{
  char with[300], without[300], *right;
  snprintf(with, sizeof with, "%s", files_path("with"));
  snprintf(without, sizeof without, "%s", files_path("without"));
  ck_assert_int_eq(run_command(line, with), 0);
  size_t before = refused;
  refusing = true;
  int code = run_command(line, without);
  refusing = false;
  ck_assert_msg(code == 0, "%s: exit status %d", line, code);
  ck_assert_msg(refused > before, "%s: needs no numbers", line);
  right = strdup(content(with));
  ck_assert_msg(strcmp(content(without), right) == 0, "%s: %s", line, content(without));
  free(right);
  ck_assert(!ms_numbers_low());
}

START_TEST(commands_without_memory_for_numbers)
{
  char line[1000];
  set_host_functions();
  snprintf(line, sizeof line, commands[_i], graph_path, colors_path);
  same_output(line);
}
END_TEST

/* Typed queries, and verify of what they and a screen have written. */
START_TEST(typed_and_verify)
{
  char line[1000], result[300];
  set_host_functions();
  snprintf(line, sizeof line, "match %s (x)-[r]->(y) -t 1 --count", typed_path);
  same_output(line);
  snprintf(result, sizeof result, "%s", files_path("typed"));
  snprintf(line, sizeof line, "match %s (x)-[r]->(y) -t 1", typed_path);
  ck_assert_int_eq(run_command(line, result), 0);
  snprintf(line, sizeof line, "verify %s %s (x)-[r]->(y)", result, typed_path);
  same_output(line);
  snprintf(result, sizeof result, "%s", files_path("screen"));
  snprintf(line, sizeof line, commands[1], graph_path, colors_path);
  ck_assert_int_eq(run_command(line, result), 0);
  snprintf(line, sizeof line, "verify %s %s -c %s", result, graph_path, colors_path);
  same_output(line);
}
END_TEST

/* A call whose reserve others have used up fails with a message; with the reserve back, it
 * succeeds.  So does a count on several threads. */
START_TEST(reserve_is_used_up)
{
  enum { MOST = 100 };
  static mpz_t number[MOST];
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *r;
  set_host_functions();
  ck_ok(ms_graph_read(graph_path, NULL, &graph, &err));
  ck_ok(ms_pattern_named("star:40", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.count_only = options.embeddings = true;
  options.screen.run.threads = 2;
  ms_numbers_begin();
  refusing = true;
  size_t n = fill_reserve(number, MOST);
  ck_assert_int_eq(ms_pattern_list(index, pattern, &options, &r, &err), MS_ERR_MEMORY);
  ck_assert_ptr_null(r);
  ck_assert_ptr_nonnull(strstr(err.message, "memory"));
  while (n > 0)
    mpz_clear(number[--n]);
  ms_numbers_end();
  ck_ok(ms_pattern_list(index, pattern, &options, &r, &err));
  refusing = false;
  ms_pattern_result *again;
  ck_ok(ms_pattern_list(index, pattern, &options, &again, &err));
  ck_assert_str_eq(r->count_text, again->count_text);
  ck_assert_uint_gt(strlen(r->count_text), 40);
  ms_pattern_result_free(r);
  ms_pattern_result_free(again);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
  ck_assert_uint_eq(held, 0);
}
END_TEST

/* A child of fork() that is made while other threads use the reserve can use it, too. */
static atomic_bool enough;

static void *use_reserve(void *user)
{
  ms_numbers_begin();
  while (!enough) {
    mpz_t number;
    mpz_init(number);
    factorial(number, 100);
    mpz_clear(number);
  }
  ms_numbers_end();
  return user;
}

START_TEST(child_of_fork)
{
  pthread_t thread[2];
  set_host_functions();
  ms_numbers_begin();
  refusing = true;
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&thread[i], NULL, use_reserve, NULL), 0);
  for (uint64_t i = 0; i < 50; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      mpz_t number;
      mpz_init(number);
      factorial(number, 100);
      _exit(mpz_sizeinbase(number, 2) == 525 ? 0 : 1);
    }
    int status = -1;
    ck_assert(pid > 0 && waitpid(pid, &status, 0) == pid);
    ck_assert_int_eq(status, 0);
  }
  enough = true;
  for (int i = 0; i < 2; i++)
    pthread_join(thread[i], NULL);
  ms_numbers_end();
}
END_TEST

TEST_MAIN("numbers", BEFORE_ALL(write_inputs), TEST(blocks_of_the_reserve),
          TEST(numbers_move_between_memories), TEST(numbers_of_the_program),
          TEST(blocks_are_those_of_malloc), TEST(many_numbers), TEST_TIMES(largest_bounds, 6),
          TEST(most_needed_repetitions), TEST(largest_checked_bound),
          TEST_TIMES(commands_without_memory_for_numbers, COMMANDS), TEST(typed_and_verify),
          TEST(reserve_is_used_up), TEST(child_of_fork))
