/* Checkpoints: the log of a run's units, also on a disk that may be full.  The
 * functions of libc that this file defines stand before those of the system. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/content.h"
#include "parts/crew.h"
#include "parts/sum.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static off_t room = -1; /* bytes that a regular file may have; -1: any number */

#ifdef __linux__
#define REPLACES_CALLS true
ssize_t write(int fd, const void *bytes, size_t size)
{
  struct stat facts;
  off_t at = lseek(fd, 0, SEEK_CUR);
  if (room >= 0 && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode)) {
    if (at >= room) {
      errno = ENOSPC;
      return -1;
    }
    if ((off_t)size > room - at)
      size = (size_t)(room - at);
  }
  return syscall(SYS_write, fd, bytes, size);
}
#else
#define REPLACES_CALLS false
#endif

static char warning[1024];

static void warn(void *user, const char *message)
{
  ck_assert_ptr_eq(user, warning);
  snprintf(warning, sizeof warning, "%s", message);
}

static ms_division division = {.size = sizeof division, .warn = warn, .warn_user = warning};

static void describe(ms_identity *id, const char *seed)
{
  ms_error err;
  ck_ok(ms_identity_open(id, "test", &err));
  ck_ok(ms_identity_text(id, "text", "a\tb\\c\nd", &err));
  ck_ok(ms_identity_text(id, "seed", seed, &err));
}

static ms_status open_log(const char *seed, uint64_t units, ms_unit_log **log, ms_identity *id,
                          ms_error *err)
{
  describe(id, seed);
  return ms_unit_log_open(&division, id, units, log, err);
}

typedef struct saved_bytes {
  size_t bytes;
  unsigned char first;
} saved_bytes;

static void put_bytes(void *user, ms_bytes *out)
{
  const saved_bytes *saved = user;
  unsigned char next = saved->first;
  for (size_t i = 0; i < saved->bytes; i++, next++)
    ms_bytes_put(out, &next, 1);
}

/* Saves a state of `bytes` bytes, 0, 1, 2, .. 255, 0, .. plus `first`. */
static void save(ms_unit_log *log, uint64_t done, size_t bytes, unsigned char first)
{
  saved_bytes saved = {bytes, first};
  ms_unit_log_save(log, done, put_bytes, &saved);
}

/* Checks that the log has the state of save(). */
static void check_state(ms_unit_log *log, size_t bytes, unsigned char first)
{
  const ms_bytes *state = ms_unit_log_state(log);
  ck_assert_uint_eq(state->length, bytes);
  for (size_t i = 0; i < bytes; i++, first++)
    ck_assert_uint_eq(state->data[i], first);
  ms_unit_log_forget(log);
  ck_assert_uint_eq(state->length, 0);
}

static ms_status resume(const char *seed, uint64_t units, uint64_t done, size_t bytes,
                        ms_error *err)
{
  ms_unit_log *log;
  ms_identity id;
  division.resume = true;
  ms_status status = open_log(seed, units, &log, &id, err);
  if (status == MS_OK) {
    ck_assert_uint_eq(ms_unit_log_done(log), done);
    check_state(log, bytes, 7);
  }
  ms_unit_log_close(log);
  ms_identity_free(&id);
  return status;
}

static void begin(uint64_t done, size_t bytes)
{
  ms_unit_log *log;
  ms_identity id;
  ms_error err;
  division.resume = false;
  ck_ok(open_log("1", 100, &log, &id, &err));
  save(log, done, bytes, 7);
  ms_unit_log_close(log);
  ms_identity_free(&id);
}

static void new_path(void)
{
  static char path[4096];
  snprintf(path, sizeof path, "%s", files_path("log"));
  division.checkpoint = path;
  unlink(division.checkpoint);
  warning[0] = '\0';
  room = -1;
}

/* States of 0 to 2^20 bytes come back as they were saved, and the last saving counts. */
START_TEST(round_trip)
{
  static const size_t sizes[] = {0, 1, 1000, 262143, 262144, 262145, 1 << 20};
  ms_error err;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    new_path();
    begin(40 + i, sizes[i]);
    ck_ok(resume("1", 100, 40 + i, sizes[i], &err));
  }
  ck_assert_str_eq(warning, "");
}
END_TEST

/* Without a file, a run that is to be resumed begins; with one, a run that is not is refused. */
START_TEST(begins)
{
  ms_unit_log *log;
  ms_identity id;
  ms_error err;
  new_path();
  ck_ok(resume("1", 100, 0, 0, &err));
  begin(3, 10);
  division.resume = false;
  ck_assert_int_eq(open_log("1", 100, &log, &id, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`resume`"));
  ck_assert_ptr_null(log);
  ms_identity_free(&id);
}
END_TEST

/* Another value of the identity, and another number of units, are named. */
START_TEST(other_run)
{
  ms_error err;
  new_path();
  begin(3, 10);
  ck_assert_int_eq(resume("2", 100, 3, 10, &err), MS_ERR_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "'seed' is 1 in the checkpoint, and 2 in this run"));
  ck_assert_int_eq(resume("1", 99, 3, 10, &err), MS_ERR_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "units"));
}
END_TEST

/* A disk that is full at any byte of a checkpoint leaves the last one as it was, with a warning;
 * the next saving has room. */
START_TEST(full_disk)
{
  ms_unit_log *log;
  ms_identity id;
  ms_error err;
  new_path();
  begin(3, 5000);
  division.resume = true;
  ck_ok(open_log("1", 100, &log, &id, &err));
  check_state(log, 5000, 7);
  for (room = 0; room < 6000; room += 97) {
    warning[0] = '\0';
    save(log, 50, 6000, 9);
    /* it says so once */
    ck_assert_int_eq(strstr(warning, "could not be saved") != NULL, room == 0);
    ck_assert_int_eq(warning[0] != '\0', room == 0);
  }
  ms_unit_log_close(log);
  ms_identity_free(&id);
  ck_ok(resume("1", 100, 3, 5000, &err));
  ck_ok(open_log("1", 100, &log, &id, &err));
  check_state(log, 5000, 7);
  room = -1;
  warning[0] = '\0';
  save(log, 50, 6000, 7);
  ms_unit_log_close(log);
  ck_assert_str_eq(warning, "");
  ck_ok(resume("1", 100, 50, 6000, &err));
  ms_identity_free(&id);
}
END_TEST

/* Saving is due once its seconds have passed. */
START_TEST(due)
{
  ms_unit_log *log;
  ms_identity id;
  ms_error err;
  new_path();
  division.resume = false;
  division.checkpoint_seconds = 1000;
  ck_ok(open_log("1", 100, &log, &id, &err));
  ck_assert(!ms_unit_log_is_due(log));
  ms_unit_log_close(log);
  ms_identity_free(&id);
  division.checkpoint_seconds = 1e-9;
  ck_ok(open_log("1", 100, &log, &id, &err));
  ck_assert(ms_unit_log_is_due(log));
  ms_unit_log_close(log);
  ms_identity_free(&id);
  division.checkpoint_seconds = 0;
}
END_TEST

/* Fills an identity from lines "NAME VALUE". */
static void make_identity(ms_identity *id, const char *lines)
{
  char name[32], value[32];
  ms_error err;
  int used;
  *id = (ms_identity){0};
  for (; sscanf(lines, "%31s %31s %n", name, value, &used) == 2; lines += used)
    ck_ok(ms_identity_text(id, name, value, &err));
}

/* Of two runs, the value that differs is named: one that both have, one that only one of them has
 * before, between and behind others, and one in the place of another.  A conflict is only a value
 * that both have. */
START_TEST(differences)
{
  static const struct {
    const char *here, *there, *reason, *conflict;
  } cases[] = {
      {"a 1 b 2", "a 1 b 3", "'b' is 3 in that, and 2 in this", "'b' is 3 in that, and 2 in this"},
      {"a 1 x 5 b 2", "a 1 b 3", "this has 'x' 5, and that has no such value",
       "'b' is 3 in that, and 2 in this"},
      {"a 1 b 2", "a 1 x 5 b 3", "that has 'x' 5, and this has no such value",
       "'b' is 3 in that, and 2 in this"},
      {"x 5 a 1 b 2", "a 1 b 2", "this has 'x' 5, and that has no such value", NULL},
      {"a 1 b 2", "a 1 b 2 x 5", "that has 'x' 5, and this has no such value", NULL},
      {"a 1 b 2 x 5", "a 1 b 2", "this has 'x' 5, and that has no such value", NULL},
      {"a 1 x 5 b 2", "a 1 y 6 b 2", "that has 'y' 6, and this has 'x' 5 in its place", NULL},
      {"a 1 c 7 c 8 b 2", "a 1 c 7 b 2", "this has 'c' 8, and that has no such value", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_identity here, there;
    char reason[512] = "";
    make_identity(&here, cases[i].here);
    make_identity(&there, cases[i].there);
    ck_assert(ms_identity_equal(&here, "this", &here, "that", reason, sizeof reason));
    ck_assert(!ms_identity_equal(&here, "this", &there, "that", reason, sizeof reason));
    ck_assert_str_eq(reason, cases[i].reason);
    const char *conflict = cases[i].conflict;
    ck_assert_int_eq(ms_identity_conflicts(&here, "this", &there, "that", reason, sizeof reason),
                     conflict != NULL);
    ck_assert_str_eq(reason, conflict ? conflict : cases[i].reason);
    ck_assert(!ms_identity_conflicts(&here, "this", &here, "that", reason, sizeof reason));
    ms_identity_free(&here);
    ms_identity_free(&there);
  }
}
END_TEST

/* A place where no state can be saved is refused when the run begins, and nothing is left there; a
 * checkpoint that is there stays as it is. */
START_TEST(places)
{
  ms_error err;
  ms_unit_log *log;
  ms_identity id;
  char folder[4096], file[4200], fifo[4200];
  snprintf(folder, sizeof folder, "%s", files_path("places"));
  snprintf(file, sizeof file, "%s/file", folder);
  snprintf(fifo, sizeof fifo, "%s/fifo", folder);
  ck_assert_int_eq(mkdir(folder, 0777), 0);
  ck_assert_int_eq(mkfifo(fifo, 0666), 0);
  fclose(fopen(file, "w"));
  char missing[4200], below[4300];
  snprintf(missing, sizeof missing, "%s/none/log", folder);
  snprintf(below, sizeof below, "%s/log", file);
  const char *wrong[] = {missing, below, folder, fifo, "/dev/null"};
  division.resume = true;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    division.checkpoint = wrong[i];
    ck_assert_int_eq(open_log("1", 100, &log, &id, &err), MS_ERR_OUTPUT);
    ck_assert_ptr_null(log);
    ck_assert_msg(strstr(err.message, wrong[i]) && strstr(err.message, "cannot be saved"), "%s",
                  err.message);
    ms_identity_free(&id);
  }
  division.checkpoint = "-";
  ck_assert_int_eq(open_log("1", 100, &log, &id, &err), MS_ERR_USAGE);
  ms_identity_free(&id);
  new_path();
  begin(3, 5000);
  ck_ok(ms_unit_log_check(division.checkpoint, &err));
  ck_ok(resume("1", 100, 3, 5000, &err));
  ck_assert_int_eq(unlink(file), 0);
  ck_assert_int_eq(unlink(fifo), 0);
  ck_assert_msg(rmdir(folder) == 0, "something is left in %s", folder);
}
END_TEST

/* Wrong divisions are refused; one that neither divides nor saves is none. */
START_TEST(divisions)
{
  ms_error err;
  ms_division own;
  static const ms_division wrong[] = {{.part = 1},
                                      {.parts = 3},
                                      {.part = 4, .parts = 3},
                                      {.part = 1, .parts = MS_MOST_PARTS + 1},
                                      {.resume = true},
                                      {.checkpoint = "x", .checkpoint_seconds = -1},
                                      {.checkpoint = "x.gz"},
                                      {.checkpoint = "x.zst"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ms_division d = wrong[i];
    const ms_division *given = &d;
    d.size = sizeof d;
    ck_assert_msg(ms_division_take(&given, &own, &err) == MS_ERR_USAGE, "case %zu", i);
  }
  ms_division d = MS_DIVISION_DEFAULT;
  const ms_division *given = &d, *none = NULL;
  ck_ok(ms_division_take(&given, &own, &err));
  ck_assert_ptr_null(given);
  ck_ok(ms_division_take(&none, &own, &err));
  ck_assert_ptr_null(none);
  ck_ok(ms_division_refuse(&d, "this", &err));
  d.part = d.parts = 2;
  ck_assert_int_eq(ms_division_refuse(&d, "this", &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "this cannot be divided into parts"));
  d = (ms_division){.size = sizeof d, .checkpoint = "x"};
  ck_assert_int_eq(ms_division_refuse(&d, "this", &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "the state of this cannot be saved"));
}
END_TEST

/* The checksums of a graph and of colours differ if an edge, a name, or a colour does. */
START_TEST(contents)
{
  ms_error err;
  const char *a[] = {"x", "y", "z"}, *b[] = {"x", "y", "w"}, *colors[] = {"red", "blue"};
  const uint32_t path[][2] = {{0, 1}, {1, 2}}, other[][2] = {{0, 1}, {0, 2}};
  const uint32_t pairs[][2] = {{0, 0}, {1, 1}}, swapped[][2] = {{0, 1}, {1, 0}};
  ms_graph *g[4];
  ms_coloring *c[3];
  ck_ok(ms_graph_from_edges(3, 2, path, a, &g[0], &err));
  ck_ok(ms_graph_from_edges(3, 2, path, a, &g[1], &err));
  ck_ok(ms_graph_from_edges(3, 2, other, a, &g[2], &err));
  ck_ok(ms_graph_from_edges(3, 2, path, b, &g[3], &err));
  ck_ok(ms_coloring_from_pairs(g[0], 2, pairs, 2, colors, &c[0], &err));
  ck_ok(ms_coloring_from_pairs(g[0], 2, pairs, 2, colors, &c[1], &err));
  ck_ok(ms_coloring_from_pairs(g[0], 2, swapped, 2, colors, &c[2], &err));
  ck_assert_uint_eq(ms_graph_content(g[0]), ms_graph_content(g[1]));
  ck_assert_uint_ne(ms_graph_content(g[0]), ms_graph_content(g[2]));
  ck_assert_uint_ne(ms_graph_content(g[0]), ms_graph_content(g[3]));
  ck_assert_uint_eq(ms_coloring_content(c[0]), ms_coloring_content(c[1]));
  ck_assert_uint_ne(ms_coloring_content(c[0]), ms_coloring_content(c[2]));
  for (int i = 0; i < 3; i++)
    ms_coloring_free(c[i]);
  for (int i = 0; i < 4; i++)
    ms_graph_free(g[i]);
}
END_TEST

/* Few ranges are made, and none is much longer than is wanted: 500 runs of 1 to 4,000 seconds,
 * whose ranges take a fixed time and one for each unit, with 10 % of noise. */
START_TEST(ranges_are_long)
{
  for (uint64_t seed = 0; seed < 500; seed++) {
    uint64_t state = seed, units = 100000 + random_below(&state, 1000000), ranges = 0;
    double whole = 1 + random_below(&state, 4000), fixed = 0.5 / (1 + random_below(&state, 100));
    double longest = 0;
    const ms_crew_job job = {.seconds = 30, .first = units / 512};
    ms_pace pace;
    ms_pace_open(&pace, &job);
    for (uint64_t done = 0, now; done < units; done += now, ranges++) {
      double noise = 0.95 + 0.1 * random_below(&state, 1000) / 1000;
      now = ms_pace_next(&pace, units - done, 1);
      double seconds = noise * (fixed + whole * (double)now / (double)units);
      ms_pace_note(&pace, now, seconds);
      longest = seconds > longest ? seconds : longest;
    }
    ck_assert_msg(longest <= 36, "seed %llu: a range takes %.1f s", (unsigned long long)seed,
                  longest);
    ck_assert_msg((double)ranges <= 6 + 1.1 * whole / 30, "seed %llu: %llu ranges in %.0f s",
                  (unsigned long long)seed, (unsigned long long)ranges, whole);
  }
}
END_TEST

/* Saves 3 of 100 units whose time is known, and returns what a run that goes on knows of it. */
static double save_and_read_pace(double seconds)
{
  ms_unit_log *log;
  ms_identity id;
  ms_error err;
  new_path();
  division.resume = false;
  ck_ok(open_log("1", 100, &log, &id, &err));
  ck_assert_double_eq(ms_unit_log_pace(log), 0);
  ms_unit_log_set_pace(log, seconds);
  save(log, 3, 40, 7);
  ms_unit_log_close(log);
  ms_identity_free(&id);
  division.resume = true;
  ck_ok(open_log("1", 100, &log, &id, &err));
  seconds = ms_unit_log_pace(log);
  check_state(log, 40, 7);
  ms_unit_log_close(log);
  ms_identity_free(&id);
  return seconds;
}

/* A checkpoint has the time of a unit, in whole nanoseconds, at least one if it is known. */
START_TEST(time_of_units)
{
  ck_assert_double_eq(save_and_read_pace(0), 0);
  ck_assert_double_eq_tol(save_and_read_pace(0.25), 0.25, 1e-9);
  ck_assert_double_eq_tol(save_and_read_pace(1e-15), 1e-9, 1e-12);
  ck_assert_double_eq_tol(save_and_read_pace(86400), 86400, 1e-6);
  ck_assert_double_gt(save_and_read_pace(1e300), 1e9);
  ck_assert_double_eq(ms_unit_log_pace(NULL), 0);
  ms_unit_log_set_pace(NULL, 1);
}
END_TEST

/* Files of other forms are refused by name, and stay. */
START_TEST(other_forms)
{
  ms_error err;
  new_path();
  files_write("log", "MSUNITS2 ...", 12);
  ck_assert_int_eq(resume("1", 100, 3, 40, &err), MS_ERR_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "another version"));
  files_write("log", "something else", 14);
  ck_assert_int_eq(resume("1", 100, 3, 40, &err), MS_ERR_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "not a checkpoint"));
  ms_unit_log_remove(division.checkpoint);
  ck_assert_int_eq(access(division.checkpoint, F_OK), 0);
  save_and_read_pace(0.5);
  ms_unit_log_remove(division.checkpoint);
  ck_assert_int_ne(access(division.checkpoint, F_OK), 0);
}
END_TEST

/* ---- runs whose time is limited -------------------------------------------------------------- */

#define LIMITED_UNITS 20000u
/* Seconds of a fast machine that is not busy; all of them are multiplied by `slowness`. */
#define LIMITED_SECONDS 0.04 /* of each run */
#define UNIT_SECONDS 5e-5
#define RANGE_SECONDS 4e-3 /* that each range takes besides its units */

typedef struct limited {
  uint64_t done;
  double slowness;
} limited;

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  (void)run;
  return ms_identity_text(id, "seed", "1", err);
}

/* Takes the time of the units, unless it is stopped. */
static ms_status take_time(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                           ms_error *err)
{
  const limited *l = run;
  double wanted = RANGE_SECONDS + UNIT_SECONDS * (double)(share->last - share->first);
  double end = ms_seconds() + wanted * l->slowness;
  const struct timespec pause = {.tv_nsec = 500000};
  ck_assert_uint_eq(opinion, 0);
  while (ms_seconds() < end) {
    nanosleep(&pause, NULL);
    MS_TRY(ms_stop_poll("a test", err));
  }
  ms_bytes_put_number(out, share->last - share->first, 8);
  return MS_OK;
}

static ms_status add_done(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes,
                          bool *enough, ms_error *err)
{
  limited *l = run;
  ms_byte_reader r = ms_bytes_read(bytes);
  (void)enough;
  (void)err;
  ck_assert_uint_eq(l->done, first);
  l->done += ms_byte_reader_number(&r, 8);
  ck_assert_uint_eq(l->done, last);
  ck_assert(ms_byte_reader_is_done(&r));
  return MS_OK;
}

static void save_done(void *run, ms_bytes *out)
{
  const limited *l = run;
  ms_bytes_put_number(out, l->done, 8);
}

/* Goes on with a run whose time is limited, and that has done these units.  Returns how many are
 * done in the end. */
static uint64_t run_for_a_while(uint64_t done, double slowness)
{
  static const ms_sum_kind kind = {.name = "test",
                                   .prepares = true,
                                   .identify = identify,
                                   .put = take_time,
                                   .add = add_done,
                                   .save = save_done};
  limited l = {.slowness = slowness};
  ms_stop *stop;
  ms_error err;
  ms_run_outcome outcome = {0};
  ms_sum_run sum = {.kind = &kind,
                    .run = &l,
                    .units = LIMITED_UNITS,
                    .limits.division = &division,
                    .outcome = &outcome,
                    .job.seconds = 2};
  ck_ok(ms_stop_new(&stop, &err));
  ck_ok(ms_sum_open(&sum, &err));
  ck_assert_uint_eq(outcome.resumed, done);
  ms_stop_after(stop, LIMITED_SECONDS * slowness);
  ms_stop *before = ms_stop_enter(stop);
  ms_status status = ms_sum_all(&sum, &err);
  ms_stop_leave(before);
  ck_assert_int_eq(status, l.done == LIMITED_UNITS ? MS_OK : MS_ERR_LIMIT);
  ms_sum_close(&sum);
  ms_stop_free(stop);
  return l.done;
}

/* A run whose ranges prepare something, and that is stopped again and again after a short time,
 * ends, because it begins with a range of a length that the runs before it have learned, and none
 * is longer than the time that is left.  If each run began with the first range of a new one (1/512
 * of the units, as counts have), 512 runs would be needed; about 50 are.  A busy machine gets up to
 * 16 times as much time for the same. */
START_TEST(limited_runs_advance)
{
  uint64_t runs = 0, done = 0;
  for (double slowness = 1; slowness <= 16 && done < LIMITED_UNITS; slowness *= 4) {
    new_path();
    division.resume = true;
    for (runs = done = 0; done < LIMITED_UNITS && runs < 256; runs++)
      done = run_for_a_while(done, slowness);
  }
  ck_assert_msg(done == LIMITED_UNITS, "%llu runs have done %llu units", (unsigned long long)runs,
                (unsigned long long)done);
}
END_TEST

TEST_MAIN("parts", TEST(round_trip), TEST(begins), TEST(other_run),
          TEST_IF(full_disk, REPLACES_CALLS), TEST(due), TEST(differences), TEST(places),
          TEST(divisions), TEST(contents), TEST(ranges_are_long), TEST(time_of_units),
          TEST(other_forms), TEST(limited_runs_advance))
