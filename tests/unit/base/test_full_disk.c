/* Outputs on a disk that fills up.  The functions of libc that this file defines stand before those
 * of the system: a file has room for so many bytes, and a flush fails at a given call. */
#include "base/crc32c.h"
#include "base/file/outfile.h"
#include "base/file/packer.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"
#include "tests/support/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static off_t room = -1;     /* bytes that a regular file may have; -1: any number */
static int flush_error;     /* errno of the flushes that fail */
static int failing_flushes; /* number of flushes that fail from now on */
static bool loses;          /* a flush that fails loses the bytes that were not on the disk */
static bool range_fails;    /* whether sync_file_range fails, too */

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

int fsync(int fd)
{
  struct stat facts;
  if (failing_flushes == 0 || fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
    return (int)syscall(SYS_fsync, fd);
  failing_flushes--;
  if (loses)
    ck_assert_int_eq(pwrite(fd, "X", 1, 0), 1);
  errno = flush_error;
  return -1;
}

int sync_file_range(int fd, off_t from, off_t bytes, unsigned flags)
{
  (void)fd;
  (void)from;
  (void)bytes;
  (void)flags;
  if (!range_fails)
    return 0;
  range_fails = false; /* the system reports a failure once */
  errno = flush_error;
  return -1;
}

#else
#define REPLACES_CALLS false
#endif

/* ---- marks ----------------------------------------------------------------------------- */

/* After 10,000 marks, at any end there is one that is near and one that is far: ends at every mark,
 * and rooms of 1 to 8192 bytes. */
START_TEST(marks_are_near_and_far)
{
  static ms_marks all;
  ms_mark mark = {0};
  all.count = 0;
  for (uint64_t i = 1; i <= 10000; i++) {
    mark.rows = i;
    mark.offset = (off_t)i;
    ms_marks_add(&all, &mark);
    for (off_t free = 1; free < (off_t)i; free *= 2) {
      ms_marks copy = all;
      ck_assert(ms_marks_take(&copy, (off_t)i, free, &mark));
      ck_assert_int_le(mark.offset, (off_t)i - free > 1 ? (off_t)i - free : (off_t)i);
      if (free < 16)
        ck_assert_int_ge(mark.offset, (off_t)i - free - 32);
    }
  }
  /* each take goes further back, until none is left */
  off_t before = 10001;
  int n = 0;
  for (; ms_marks_take(&all, 10000, 0, &mark); n++) {
    ck_assert_int_lt(mark.offset, before);
    before = mark.offset;
  }
  ck_assert_int_ge(n, 32);
  ck_assert_int_eq(mark.offset, 1);
}
END_TEST

/* ---- files ------------------------------------------------------------------------------- */

static ms_outfile *open_output(const char *path)
{
  ms_outfile *file;
  ms_error err;
  ck_assert_msg(ms_outfile_open(path, &file, &err) == MS_OK, "%s", err.message);
  return file;
}

static void put_row(ms_outfile *file, uint64_t row)
{
  ms_outfile_printf(file, "%llu\t%llu\n", (unsigned long long)row,
                    (unsigned long long)(row * 2654435761u % 1000003));
}

/* Writes so many rows with marks, then an end; returns the number of rows that the file has. */
static uint64_t write_rows(ms_outfile *file, uint64_t rows)
{
  for (uint64_t i = 1; i <= rows && !ms_outfile_failed(file); i++) {
    put_row(file, i);
    if (ms_outfile_wants_mark(file, 0))
      ms_outfile_mark(file, i);
  }
  ms_outfile_puts(file, "the end\n");
  while (!ms_outfile_finish(file) && ms_outfile_cut(file, &rows)) {
    ck_assert(!ms_outfile_failed(file));
    ms_outfile_puts(file, "the end\n");
  }
  return rows;
}

/* The output holds this number of rows and the end, and its checksum is right. */
static void expect_rows(const char *name, uint64_t rows)
{
  char command[4096], line[64];
  const char *path = files_path(name);
  snprintf(command, sizeof command, "%s '%s'",
           strstr(name, ".gz")    ? "gzip -dc"
           : strstr(name, ".zst") ? "zstd -dqc"
                                  : "cat",
           path);
  FILE *in = popen(command, "r");
  ck_assert_ptr_nonnull(in);
  for (uint64_t i = 1; i <= rows; i++) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%llu\t%llu\n", (unsigned long long)i,
             (unsigned long long)(i * 2654435761u % 1000003));
    ck_assert_msg(fgets(line, sizeof line, in) != NULL, "%s ends before row %llu", name,
                  (unsigned long long)i);
    ck_assert_str_eq(line, wanted);
  }
  ck_assert(fgets(line, sizeof line, in));
  ck_assert_str_eq(line, "the end\n");
  ck_assert(!fgets(line, sizeof line, in));
  ck_assert_int_eq(pclose(in), 0);
}

static bool has_zstd(void)
{
  return system("command -v zstd >/dev/null") == 0;
}

/* A file has the rows that fit, for room from 5000 to 400,000 bytes, plain and compressed, and the
 * checksum that ms_outfile_crc32c returns is that of what is left. */
START_TEST(rows_that_fit)
{
  static const char *const names[] = {"rows", "rows.gz", "rows.zst"};
  for (int n = 0; n < 2 + has_zstd(); n++)
    for (off_t bytes = 5000; bytes < 400000; bytes = bytes * 3 / 2) {
      ms_error err;
      ms_outfile *file = open_output(files_path(names[n]));
      room = bytes;
      uint64_t rows = write_rows(file, 100000);
      room = -1;
      uint64_t length = ms_outfile_bytes(file);
      uint32_t crc = ms_outfile_crc32c(file);
      ck_assert_msg(ms_outfile_commit(file, &err) == MS_OK, "%s, %ld: %s", names[n], (long)bytes,
                    err.message);
      ck_assert_uint_gt(rows, 10);
      ck_assert_uint_lt(rows, 100000);
      expect_rows(names[n], rows);
      if (n > 0)
        continue;
      size_t size;
      char *text = tool_slurp(names[n], &size);
      ck_assert_uint_eq(size, length);
      ck_assert_uint_eq(ms_crc32c(0, text, size), crc);
      ck_assert_int_gt((off_t)size, bytes / 2 - 4096);
      free(text);
    }
}
END_TEST

/* A file that begins again has as many rows as fit, also if that fails a few times. */
START_TEST(begins_again)
{
  static const char *const names[] = {"again", "again.gz", "again.zst"};
  for (int n = 0; n < 2 + has_zstd(); n++) {
    ms_error err;
    ms_outfile *file = open_output(files_path(names[n]));
    uint64_t rows = 100000;
    room = 60000;
    do {
      for (uint64_t i = 1; i <= rows && !ms_outfile_failed(file); i++) {
        put_row(file, i);
        if (ms_outfile_wants_mark(file, 0))
          ms_outfile_mark(file, i);
      }
      ms_outfile_puts(file, "the end\n");
      room -= 3000; /* somebody else takes room */
    } while (!ms_outfile_finish(file) && ms_outfile_rewind(file, &rows));
    room = -1;
    ck_assert_msg(ms_outfile_commit(file, &err) == MS_OK, "%s: %s", names[n], err.message);
    ck_assert_uint_gt(rows, 1000);
    expect_rows(names[n], rows);
  }
}
END_TEST

/* Makes rows from their numbers; an ms_make_fn. */
static bool make_rows(const void *user, const void *input, size_t bytes, uint64_t rows,
                      ms_made *out)
{
  const uint64_t *row = input;
  size_t count = bytes / sizeof *row;
  ck_assert_ptr_null(user);
  ck_assert_uint_eq(row[count - 1], rows);
  for (size_t i = 0; i < count; i++) {
    char line[64];
    int length = snprintf(line, sizeof line, "%llu\t%llu\n", (unsigned long long)row[i],
                          (unsigned long long)(row[i] * 2654435761u % 1000003));
    if (!ms_made_add(out, line, (size_t)length))
      return false;
  }
  return true;
}

/* Writes some rows with marks, the others in blocks, and the end. */
static void write_blocks(ms_outfile *file, uint64_t rows)
{
  enum { BLOCK = 3000 };
  uint64_t i = 1, *input;
  for (; i <= 1500 && i <= rows && !ms_outfile_failed(file); i++) {
    put_row(file, i);
    if (ms_outfile_wants_mark(file, 0))
      ms_outfile_mark(file, i);
  }
  while (i <= rows && (input = ms_outfile_block_input(file, BLOCK * sizeof *input))) {
    size_t count = 0;
    while (count < BLOCK && i <= rows)
      input[count++] = i++;
    ms_outfile_end_block(file, make_rows, NULL, count * sizeof *input, i - 1);
  }
  ms_outfile_end_blocks(file);
  ms_outfile_puts(file, "the end\n");
}

/* So it is where rows come in blocks, which 1, 2 and 5 threads make: a file has the rows that fit,
 * or all of them, and the same bytes whatever the number of threads. */
START_TEST(blocks_that_fit)
{
  static const char *const names[] = {"rows", "rows.gz", "rows.zst"};
  static const int threads[] = {1, 2, 5};
  for (int n = 0; n < 2 + has_zstd(); n++)
    for (off_t bytes = 9000; bytes < 1300000; bytes *= 5) {
      uint32_t crc = 0;
      for (int t = 0; t < 3; t++) {
        ms_error err;
        uint64_t rows = 60000;
        ms_outfile *file = open_output(files_path(names[n]));
        ms_outfile_set_threads(file, threads[t]);
        room = bytes;
        write_blocks(file, rows);
        while (!ms_outfile_finish(file) && ms_outfile_cut(file, &rows))
          ms_outfile_puts(file, "the end\n");
        room = -1;
        size_t size;
        uint64_t length = ms_outfile_bytes(file);
        uint32_t text_crc = ms_outfile_crc32c(file);
        ck_assert_msg(ms_outfile_commit(file, &err) == MS_OK, "%s, %ld: %s", names[n], (long)bytes,
                      err.message);
        ck_assert_uint_gt(rows, 10);
        ck_assert_int_eq(rows == 60000, bytes > 800000 || (n > 0 && bytes > 600000));
        expect_rows(names[n], rows);
        char *text = tool_slurp(names[n], &size);
        uint32_t file_crc = ms_crc32c(0, text, size);
        ck_assert(t == 0 || crc == file_crc);
        crc = file_crc;
        ck_assert(n > 0 || (size == length && file_crc == text_crc));
        free(text);
      }
    }
}
END_TEST

/* A file that begins again has as many rows in blocks as fit, also if that fails a few times. */
START_TEST(blocks_begin_again)
{
  static const char *const names[] = {"again", "again.gz", "again.zst"};
  for (int n = 0; n < 2 + has_zstd(); n++) {
    ms_error err;
    ms_outfile *file = open_output(files_path(names[n]));
    uint64_t rows = 60000;
    ms_outfile_set_threads(file, 3);
    room = 200000;
    do {
      write_blocks(file, rows);
      room -= 9000; /* somebody else takes room */
    } while (!ms_outfile_finish(file) && ms_outfile_rewind(file, &rows));
    room = -1;
    ck_assert_msg(ms_outfile_commit(file, &err) == MS_OK, "%s: %s", names[n], err.message);
    ck_assert_uint_gt(rows, 3000);
    expect_rows(names[n], rows);
  }
}
END_TEST

/* A flush that fails because the disk is full, once to three times, costs the last rows; the others
 * are written again.  If the system has lost them, or the disk is broken, the output fails. */
START_TEST(flush_fails)
{
  static const struct {
    int error, times;
    bool loses, kept;
  } cases[] = {{ENOSPC, 1, false, true},
               {EDQUOT, 2, false, true},
               {ENOSPC, 3, false, true},
               {ENOSPC, 1, true, false},
               {EIO, 1, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_error err;
    const char *path = files_write_text("flush", "old");
    ms_outfile *file = open_output(path);
    flush_error = cases[i].error;
    failing_flushes = cases[i].times;
    loses = cases[i].loses;
    uint64_t rows = write_rows(file, 20000);
    ck_assert_int_eq(failing_flushes, 0);
    ck_assert_int_eq(ms_outfile_commit(file, &err), cases[i].kept ? MS_OK : MS_ERR_OUTPUT);
    if (cases[i].kept) {
      ck_assert_uint_lt(rows, 20000);
      ck_assert_uint_gt(rows, 100);
      expect_rows("flush", rows);
    } else {
      char *text = tool_slurp("flush", NULL);
      ck_assert_str_eq(text, "old");
      free(text);
    }
  }
}
END_TEST

/* A failure that the system reports while the file is sent to the disk, and not again at the flush,
 * is no success. */
START_TEST(failure_is_reported_once)
{
  ms_error err;
  ms_outfile *file = open_output(files_path("once"));
  range_fails = true;
  flush_error = EIO;
  static char block[1 << 20];
  for (int i = 0; i < 20; i++)
    ms_outfile_write(file, block, sizeof block);
  ck_assert(!range_fails);
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_ERR_OUTPUT);
}
END_TEST

/* A short output has its room from the start: the disk may be full when its first byte is written.
 */
START_TEST(reserved_room)
{
  ms_error err;
  ms_outfile *file = open_output(files_path("short"));
  struct stat facts;
  room = 4096;
  for (uint64_t i = 1; i < 200; i++)
    put_row(file, i);
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
  room = -1;
  ck_assert_int_eq(stat(files_path("short"), &facts), 0);
  ck_assert_int_lt(facts.st_size, 4096);
  ck_assert_int_gt(facts.st_size, 1000);
}
END_TEST

/* The result of a search whose file was cut back has the numbers of the file: subgraphs and
 * embeddings of a path of three vertices, which has two automorphisms. */
START_TEST(numbers_of_the_file)
{
  ms_error err;
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  char text[20000], wanted[64];
  size_t used = 0;
  for (int i = 0; i < 1500; i++)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "v%d\tv%d\n", i % 50, i * 7 % 97 + 50);
  ck_ok(ms_graph_read(files_write_text("g.tsv", text), NULL, &graph, &err));
  ck_ok(ms_pattern_named("path:3", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  for (int embeddings = 0; embeddings < 2; embeddings++) {
    ms_pattern_options run = MS_PATTERN_OPTIONS_DEFAULT;
    ms_pattern_result *result;
    ms_verify_report report;
    ms_verify_options check = MS_VERIFY_OPTIONS_DEFAULT;
    run.embeddings = embeddings;
    room = 20000;
    remove(files_path("cut.tsv"));
    ms_status status =
        ms_pattern_list_to_file(index, pattern, &run, NULL, files_path("cut.tsv"), &result, &err);
    room = -1;
    ck_assert_msg(status == MS_OK, "%s", err.message);
    ck_assert_int_eq(result->run.stopped, MS_ERR_OUTPUT);
    ck_assert_uint_gt(result->matches, 500);
    snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)result->matches);
    ck_assert_str_eq(result->count_text, wanted);
    ck_assert_str_eq(embeddings ? result->embeddings_text : result->subgraphs_text, wanted);
    uint64_t other = embeddings ? (result->matches + 1) / 2 : 2 * result->matches;
    snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)other);
    ck_assert_str_eq(embeddings ? result->subgraphs_text : result->embeddings_text, wanted);
    check.pattern = "path:3";
    ck_ok(ms_verify_file(files_path("cut.tsv"), files_path("g.tsv"), NULL, &check, &report, &err));
    ck_assert_msg(report.accepted, "%s", report.problem);
    ck_assert_uint_eq(report.rows, result->matches);
    ck_assert_int_eq(report.completeness, MS_COMPLETENESS_NOT_STATED);
    ms_pattern_result_free(result);
  }
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("full disk", TEST_IF(numbers_of_the_file, REPLACES_CALLS), TEST(marks_are_near_and_far),
          TEST_IF(rows_that_fit, REPLACES_CALLS), TEST_IF(begins_again, REPLACES_CALLS),
          TEST_IF(blocks_that_fit, REPLACES_CALLS), TEST_IF(blocks_begin_again, REPLACES_CALLS),
          TEST_IF(flush_fails, REPLACES_CALLS), TEST_IF(failure_is_reported_once, REPLACES_CALLS),
          TEST_IF(reserved_room, REPLACES_CALLS))
