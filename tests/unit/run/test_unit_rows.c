/* Lists whose rows come unit by unit: checkpoints of runs that are stopped early or late, and the
 * files beside a checkpoint. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/generate/generate.h"
#include "parts/lock.h"
#include "parts/log.h"
#include "parts/spool.h"
#include "tests/support/files.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EARLY_STOPS = 60 };

static ms_error err;

/* Rows that a list has stored. */
typedef struct list {
  ms_status status, stopped;
  uint64_t matches, resumed;
  uint32_t *rows;
  size_t bytes;
} list;

static void keep(list *l, const uint32_t *rows, uint64_t matches, uint32_t k)
{
  l->matches = matches;
  l->bytes = matches * k * sizeof *rows;
  l->rows = malloc(l->bytes + 1);
  if (l->bytes > 0)
    memcpy(l->rows, rows, l->bytes);
}

static bool counts; /* runs count alone */

/* Lists the matches of the case's motif, or if `pattern` is not NULL of this one. */
static list run(const larger_case *c, const ms_pattern_index *index, const ms_pattern *pattern,
                const ms_division *division, ms_stop *stop, int threads)
{
  list l = {.status = MS_OK};
  if (pattern) {
    ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
    ms_pattern_result *r;
    o.screen.run.engine = "cpu";
    o.screen_mode = MS_SCREEN_NEVER;
    o.count_only = counts;
    o.screen.run.division = division;
    o.screen.run.stop = stop;
    o.screen.run.threads = threads;
    l.status = ms_pattern_list(index, pattern, &o, &r, &err);
    if (l.status == MS_OK) {
      keep(&l, r->vertices, r->matches, counts ? 0 : r->p);
      l.stopped = r->run.stopped;
      l.resumed = r->run.resumed;
      ms_pattern_result_free(r);
    }
    return l;
  }
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *r;
  o.exact = true;
  o.count_only = counts;
  o.screen.run.division = division;
  o.screen.run.stop = stop;
  o.screen.run.threads = threads;
  l.status = ms_list(c->query, &o, &r, &err);
  if (l.status == MS_OK) {
    keep(&l, r->vertices, r->matches, counts ? 0 : r->k);
    l.stopped = r->run.stopped;
    l.resumed = r->run.resumed;
    ms_list_result_free(r);
  }
  return l;
}

static void check_same(const list *whole, const list *l, uint64_t seed, const char *what)
{
  ck_assert_msg(l->status == MS_OK && l->stopped == MS_OK && l->matches == whole->matches &&
                    memcmp(l->rows, whole->rows, whole->bytes) == 0,
                "seed %llu: %s: status %d, stopped %d, %llu matches, not %llu: %s",
                (unsigned long long)seed, what, l->status, l->stopped,
                (unsigned long long)l->matches, (unsigned long long)whole->matches,
                l->status == MS_OK ? "" : err.message);
}

/* ---- stops -------------------------------------------------------------------------------- */

/* Returns the nanoseconds of a unit that a checkpoint has (docs/PARTS.md). */
static uint64_t read_pace(const char *path)
{
  enum { MAGIC = 8, HEAD = 16, CHECK = 4 };
  unsigned char bytes[4096];
  uint64_t pace = 0;
  FILE *f = fopen(path, "rb");
  ck_assert(f != NULL);
  size_t size = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  size_t units = MAGIC + HEAD + bytes[MAGIC + 4] + 256u * bytes[MAGIC + 5] + CHECK;
  ck_assert(units + HEAD + 16 <= size && bytes[units] == 2);
  for (int i = 8; i-- > 0;)
    pace = pace << 8 | bytes[units + HEAD + 8 + (size_t)i];
  return pace;
}

/* Stops a list, or a count, at one of its first checks, and then lets it go on. Sets *saved to
 * whether there was a checkpoint, and *pace to what it says of the time of units. */
static void check_early_stop(const larger_case *c, const ms_pattern_index *index,
                             const ms_pattern *pattern, const list *whole, uint64_t looks,
                             const char *path, bool *saved, uint64_t *pace)
{
  ms_stop *stop;
  ms_division division = MS_DIVISION_DEFAULT;
  division.checkpoint = path;
  division.checkpoint_seconds = 1e-9;
  ck_assert(ms_stop_new(&stop, NULL) == MS_OK);
  ms_stop_after_looks(stop, looks);
  list l = run(c, index, pattern, &division, stop, 1);
  ms_stop_free(stop);
  ck_assert_msg(l.status == MS_OK || l.status == MS_ERR_LIMIT, "%s", err.message);
  free(l.rows);
  *saved = access(path, F_OK) == 0;
  *pace = *saved ? read_pace(path) : 0;
  division.resume = true;
  l = run(c, index, pattern, &division, NULL, 1);
  check_same(whole, &l, looks, "after an early stop");
  free(l.rows);
  ms_unit_log_remove(path);
}

/* A list to a file that is stopped before its first row has a head and an end. */
static void check_early_file(const larger_case *c, uint64_t looks, const char *path)
{
  char text[64] = "";
  ms_stop *stop;
  ms_list_result *r;
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  ms_division division = MS_DIVISION_DEFAULT;
  division.checkpoint = path;
  o.exact = true;
  o.screen.run.division = &division;
  ck_assert(ms_stop_new(&stop, NULL) == MS_OK);
  ms_stop_after_looks(stop, looks);
  o.screen.run.stop = stop;
  const char *file = files_path("stopped.tsv");
  ms_status status = ms_list_to_file(c->query, &o, NULL, file, &r, &err);
  ms_stop_free(stop);
  ms_unit_log_remove(path);
  ck_assert_msg(status == MS_OK || status == MS_ERR_LIMIT, "%s", err.message);
  if (status != MS_OK)
    return;
  ms_list_result_free(r);
  FILE *f = fopen(file, "r");
  ck_assert(f && fgets(text, sizeof text, f));
  ck_assert_msg(strncmp(text, "# motifsieve ", 13) == 0, "%s", text);
  fclose(f);
  unlink(file);
}

/* Lists and counts of a motif, and of a pattern with colours, are stopped at one of their first
 * checks. A stop while vertices are pruned, or while domains are made, leaves too many vertices,
 * and the units would differ from the units of a run that goes on: then no checkpoint is written.
 * Later ones have the time of units, at least some of them. */
START_TEST(stops_before_the_search_leave_no_other_checkpoint)
{
  char path[PATH_MAX];
  larger_case c;
  ms_pattern_index *index;
  ms_pattern *pattern;
  uint64_t early = 0, late = 0;
  strcpy(path, files_path("early"));
  larger_make(11, &c);
  ck_ok(ms_pattern_index_new(c.graph, c.coloring, 1, &index, &err));
  ck_ok(ms_pattern_parse("(a:c0)--(b:c1)--(c:c0)--(d:c2)", false, &pattern, &err));
  for (int kind = 0; kind < 4; kind++) {
    const ms_pattern *p = kind % 2 ? pattern : NULL;
    counts = kind >= 2;
    list whole = run(&c, index, p, NULL, NULL, 1);
    uint64_t timed = 0;
    ck_assert(whole.status == MS_OK && whole.matches > 0);
    for (uint64_t i = 0; i < EARLY_STOPS; i++) {
      bool saved;
      uint64_t pace;
      check_early_stop(&c, index, p, &whole, i * (i + 1) / 2, path, &saved, &pace);
      timed += pace > 0;
      if (saved)
        late++;
      else
        early++;
      if (kind == 0)
        check_early_file(&c, i * (i + 1) / 2, path);
    }
    ck_assert_msg(timed > 0, "kind %d", kind);
    free(whole.rows);
  }
  counts = false;
  ck_assert_msg(early > 0 && late > 0, "%llu early, %llu late", (unsigned long long)early,
                (unsigned long long)late);
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  larger_free(&c);
}
END_TEST

/* A receiver whose first call takes longer than rows are passed on after a stop. */
static bool take_slowly(void *user, const uint32_t *rows, uint64_t count)
{
  uint64_t *taken = user;
  (void)rows;
  if (*taken == 0)
    usleep(700000);
  *taken += count;
  return true;
}

/* The rows of a list with a checkpoint reach the receiver after the search has ended.  A list that
 * is stopped there has all rows, or it says that it was stopped and keeps its checkpoint.  Rows are
 * read in pieces of 2^18 bytes, of which there are two. */
START_TEST(stops_while_rows_are_passed_on)
{
  enum { N = 60, TRIANGLES = N * (N - 1) * (N - 2) / 6, LAST_LOOKS = 8 };
  ms_generate_options clique = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_pattern_index *index;
  ms_pattern *pattern;
  ms_division division = MS_DIVISION_DEFAULT;
  uint64_t all = UINT64_MAX, stopped = 0;
  clique.family = MS_FAMILY_CLIQUE;
  clique.given = MS_GEN_VERTICES;
  clique.vertices = N;
  ck_ok(ms_generate(&clique, &graph, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ck_ok(ms_pattern_parse("(a)--(b)--(c)--(a)", false, &pattern, &err));
  division.checkpoint = files_path("late");
  for (uint64_t i = 0; i <= LAST_LOOKS; i++) {
    ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
    ms_pattern_result *r;
    uint64_t taken = i == 0; /* the first run is not slow: it counts the looks */
    ck_ok(ms_stop_new(&o.screen.run.stop, &err));
    ms_stop_after_looks(o.screen.run.stop, i == 0 ? all : all - i);
    o.screen.run.engine = "cpu";
    o.screen_mode = MS_SCREEN_NEVER;
    o.screen.run.threads = 1;
    o.screen.run.division = &division;
    o.rows = take_slowly;
    o.rows_user = &taken;
    ck_ok(ms_pattern_list(index, pattern, &o, &r, &err));
    ck_assert_uint_eq(r->matches + (i == 0), taken);
    ck_assert_msg(r->run.stopped != MS_OK || r->matches == TRIANGLES,
                  "look %llu from the last: %llu", (unsigned long long)i,
                  (unsigned long long)r->matches);
    ck_assert(r->run.stopped == MS_OK || access(division.checkpoint, F_OK) == 0);
    stopped += r->run.stopped != MS_OK && taken > 0;
    all = i == 0 ? ms_stop_looks(o.screen.run.stop) : all;
    ms_stop_free(o.screen.run.stop);
    ms_pattern_result_free(r);
    ms_unit_log_remove(division.checkpoint);
  }
  ck_assert_uint_gt(stopped, 0);
  ms_pattern_free(pattern);
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

/* ---- the file of rows --------------------------------------------------------------------- */

/* Bytes that are put in pieces of any length are read back at any place, before and after a cut and
 * a flush: 200 random files. */
START_TEST(spools_keep_bytes)
{
  static unsigned char bytes[3 << 20], got[1 << 16];
  char path[PATH_MAX];
  ms_spool *spool;
  uint64_t state = 7;
  strcpy(path, files_path("spool"));
  ck_ok(ms_spool_open(path, 0, 0, &spool, &err));
  ms_spool_close(spool);
  ck_assert(access(files_path("spool.rows"), F_OK) != 0); /* rows of no state */
  FILE *saved = fopen(path, "w");
  ck_assert(saved && fclose(saved) == 0);
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)random_next(&state);
  for (uint64_t i = 0; i < scaled(40); i++) {
    uint64_t have = 0, cut = 0;
    uint32_t crc = 0;
    ck_ok(ms_spool_open(path, 0, 0, &spool, &err));
    while (have < sizeof bytes / 2) {
      size_t piece = random_below(&state, i % 3 == 0 ? 1 << 21 : 1 << 16);
      piece = piece < sizeof bytes - have ? piece : sizeof bytes - have;
      ck_assert(ms_spool_put(spool, bytes + have, piece));
      have += piece;
      if (random_below(&state, 4) == 0)
        ck_assert(ms_spool_flush(spool));
      if (random_below(&state, 4) == 0) {
        cut = have;
        crc = ms_spool_crc32c(spool);
      }
      uint64_t at = random_below(&state, (uint32_t)have + 1);
      size_t length = have - at < sizeof got ? (size_t)(have - at) : sizeof got;
      ck_ok(ms_spool_read(spool, at, got, length, &err));
      ck_assert_mem_eq(got, bytes + at, length);
      if (cut > 0 && random_below(&state, 8) == 0) {
        ms_spool_cut(spool, cut, crc);
        have = cut;
      }
    }
    ck_assert(ms_spool_bytes(spool) == have && ms_spool_flush(spool));
    crc = ms_spool_crc32c(spool);
    ms_spool_close(spool);
    ck_ok(ms_spool_open(path, have, crc, &spool, &err));
    ck_ok(ms_spool_read(spool, have - 100, got, 100, &err));
    ck_assert_mem_eq(got, bytes + have - 100, 100);
    ms_spool_close(spool);
    ck_assert(ms_spool_open(path, have, crc ^ 1, &spool, &err) == MS_ERR_INPUT);
  }
}
END_TEST

/* A byte of the rows that another process changes between writing and reading, and a file that it
 * cuts, are noticed before a row is used: 300 places of a file with three blocks. */
START_TEST(changes_of_written_rows_are_found)
{
  static unsigned char bytes[2500000], got[4096];
  char path[PATH_MAX];
  uint64_t state = 11;
  ms_spool *spool;
  strcpy(path, files_path("changed"));
  char *rows = ms_spool_path(path);
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)random_next(&state);
  ck_ok(ms_spool_open(path, 0, 0, &spool, &err));
  ck_assert(ms_spool_put(spool, bytes, sizeof bytes) && ms_spool_flush(spool));
  int fd = open(rows, O_RDWR);
  ck_assert_int_ge(fd, 0);
  for (int i = 0; i < 300; i++) {
    off_t at = (off_t)random_below(&state, sizeof bytes - 1);
    unsigned char changed = bytes[at] ^ (unsigned char)(1u << i % 8);
    uint64_t begin = (uint64_t)at & ~(uint64_t)(sizeof got - 1);
    size_t length = sizeof bytes - begin < sizeof got ? sizeof bytes - begin : sizeof got;
    /* another block, so that this one is read again */
    ck_ok(ms_spool_read(spool, at < 1000000 ? sizeof bytes - 1 : 0, got, 1, &err));
    ck_assert(pwrite(fd, &changed, 1, 8 + at) == 1);
    ck_assert_int_eq(ms_spool_read(spool, begin, got, length, &err), MS_ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "not those that the run has written"));
    ck_assert(pwrite(fd, bytes + at, 1, 8 + at) == 1);
    ck_ok(ms_spool_read(spool, begin, got, length, &err));
    ck_assert_mem_eq(got, bytes + begin, length);
  }
  ck_assert_int_eq(ftruncate(fd, 1000000), 0);
  ck_assert_int_eq(ms_spool_read(spool, 2000000, got, 1, &err), MS_ERR_INPUT);
  close(fd);
  ms_spool_close(spool);
  unlink(rows);
  ms_free(rows);
}
END_TEST

/* Whether FILE.rows and FILE.lock may be replaced: not if they are links, folders, pipes, empty or
 * of somebody else; those that a killed run leaves are: eight states of each. */
START_TEST(files_of_others_stay)
{
  static const char *const contents[] = {"", "x", "a table of the user\n", "MSROWS0"};
  char path[PATH_MAX], foreign[PATH_MAX], beside[PATH_MAX + 8];
  strcpy(path, files_path("beside"));
  strcpy(foreign, files_write_text("foreign", "MSROWS01 of somebody else\n"));
  for (int lock = 0; lock < 2; lock++) {
    snprintf(beside, sizeof beside, "%s.%s", path, lock ? "lock" : "rows");
    for (int i = 0; i < 8; i++) {
      ms_spool *spool = NULL;
      ms_checkpoint_lock held = {0};
      bool ours = i == 7;
      if (i == 0)
        ck_assert_int_eq(symlink(foreign, beside), 0);
      else if (i == 1)
        ck_assert_int_eq(mkdir(beside, 0777), 0);
      else if (i == 2)
        ck_assert_int_eq(mkfifo(beside, 0666), 0);
      else {
        FILE *f = fopen(beside, "w");
        ck_assert(f && fputs(ours ? lock ? "motifsieve runs here: process 1 on x" : "MSROWS01abc"
                                  : contents[i - 3],
                             f) >= 0);
        fclose(f);
      }
      ms_status status = lock ? ms_checkpoint_lock_take(path, &held, &err)
                              : ms_spool_open(path, 0, 0, &spool, &err);
      ck_assert_msg(status == (ours ? MS_OK : MS_ERR_USAGE), "%s, %d: %s", beside, i, err.message);
      ms_spool_close(spool);
      ms_checkpoint_lock_release(&held);
      if (!ours && remove(beside) != 0)
        ck_abort_msg("%s, %d: was removed", beside, i);
      unlink(beside);
    }
  }
  char text[64] = "";
  FILE *f = fopen(foreign, "r");
  ck_assert(f && fgets(text, sizeof text, f) && fclose(f) == 0);
  ck_assert_str_eq(text, "MSROWS01 of somebody else\n");
}
END_TEST

/* While a lock is held, another process, thread or call is refused and told who has it; after its
 * end, and after the death of its process, the next one gets it, and no file is left. */
START_TEST(one_run_has_the_lock)
{
  ms_checkpoint_lock first, second;
  char path[PATH_MAX], file[PATH_MAX + 8], id[64];
  strcpy(path, files_path("locked"));
  snprintf(file, sizeof file, "%s.lock", path);
  for (int i = 0; i < 3; i++) {
    ck_ok(ms_checkpoint_lock_take(path, &first, &err));
    ck_assert_int_eq(ms_checkpoint_lock_take(path, &second, &err), MS_ERR_USAGE);
    snprintf(id, sizeof id, "(process %ld on ", (long)getpid());
    ck_assert_msg(strstr(err.message, id) && strstr(err.message, " UTC)"), "%s", err.message);
    ms_checkpoint_lock_release(&first);
    ck_assert_int_ne(access(file, F_OK), 0);
    pid_t child = fork();
    if (child == 0)
      _exit(ms_checkpoint_lock_take(path, &first, NULL) == MS_OK ? 0 : 1);
    int status;
    ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    ck_assert_int_eq(access(file, F_OK), 0); /* as after a kill */
  }
  ck_ok(ms_checkpoint_lock_take(path, &first, &err));
  ms_checkpoint_lock_release(&first);
  ck_assert_int_ne(access(file, F_OK), 0);
}
END_TEST

TEST_MAIN("unit_rows", TEST(stops_before_the_search_leave_no_other_checkpoint),
          TEST(stops_while_rows_are_passed_on), TEST(spools_keep_bytes),
          TEST(changes_of_written_rows_are_found), TEST(files_of_others_stay),
          TEST(one_run_has_the_lock))
