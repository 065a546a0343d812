/* A run whose contributions are long, for tests/mpi.sh: checks in rank 0 that all bytes come, in
 * the order of units, and says how much memory it has used for them.
 *
 *   mpirun -n N pieces UNITS BYTES SECONDS MEMORY [lose | flip]
 *
 * Unit u has about BYTES bytes, and unit 3 has 40 times as many; each takes SECONDS, and unit 2
 * half a second, so that others wait for it.  MEMORY: of rank 0 for those that wait.  lose: the
 * rank with unit 3 kills itself once half of it is sent, if it is not rank 0.  flip: when unit 2
 * comes, a bit of each piece in the file of rank 0 changes; rank 0 counts them. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "mpi/crew.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROW_NUMBERS = 6 };

typedef struct test_run {
  uint64_t bytes;
  double seconds;
  bool loses, slow, flips;
  uint64_t unit, row; /* that come next in rank 0 */
  uint64_t units;
} test_run;

static uint64_t rows_of(const test_run *t, uint64_t unit)
{
  uint64_t rows = t->bytes / (ROW_NUMBERS * 4) * (1 + unit % 3) / 2;
  return unit == 3 ? 40 * rows : rows;
}

static void make_row(uint64_t unit, uint64_t row, uint32_t *out)
{
  for (uint32_t i = 0; i < ROW_NUMBERS; i++)
    out[i] = (uint32_t)(unit * 2654435761u + row * 40503u + i);
}

static void wait(double seconds)
{
  struct timespec t = {.tv_sec = (time_t)seconds,
                       .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
}

static ms_status run(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  const test_run *t = user;
  uint32_t row[ROW_NUMBERS];
  for (uint64_t u = share->first; u < share->last; u++) {
    wait(u == 2 || t->slow ? 0.5 : t->seconds);
    for (uint64_t i = 0; i < rows_of(t, u); i++) {
      make_row(u, i, row);
      ms_bytes_put(out, row, sizeof row);
      if (out->failed)
        return ms_fail(err, MS_ERR_LIMIT, "no more rows are wanted");
      if (t->loses && i == rows_of(t, u) / 2)
        raise(SIGKILL);
    }
  }
  return MS_OK;
}

static ms_status check_rows(test_run *t, const unsigned char *data, size_t length, ms_error *err)
{
  uint32_t wanted[ROW_NUMBERS];
  for (size_t at = 0; at < length; at += sizeof wanted) {
    while (t->row == rows_of(t, t->unit)) {
      t->unit++;
      t->row = 0;
    }
    make_row(t->unit, t->row++, wanted);
    if (length - at < sizeof wanted || memcmp(data + at, wanted, sizeof wanted) != 0)
      return ms_fail(err, MS_ERR_INTERNAL, "wrong bytes in unit %" PRIu64, t->unit);
  }
  return MS_OK;
}

/* Returns the descriptor of the file of rows that wait, or -1; MPI has other files without a name.
 */
static int find_file(void)
{
  for (int fd = 3; fd < 256; fd++) {
    char link[64], target[PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, target, sizeof target - 1) < 0)
      continue;
    const char *name = strrchr(target, '/');
    bool is_of_store = name && (name[1] == '#' || strncmp(name, "/motifsieve-rows-", 17) == 0);
    if (is_of_store && strstr(name, " (deleted)"))
      return fd;
  }
  return -1;
}

/* Flips a bit of each piece in the file. */
static void flip_pieces(void)
{
  unsigned char byte;
  off_t at = 1000;
  uint32_t flipped = 0;
  int fd = find_file();
  for (; fd >= 0 && pread(fd, &byte, 1, at) == 1; at += (off_t)MS_PIECE_BYTES) {
    byte ^= 4;
    flipped += pwrite(fd, &byte, 1, at) == 1;
  }
  printf("pieces %" PRIu32 "\n", flipped);
}

static ms_status take_piece(void *user, const void *data, size_t length, ms_error *err)
{
  test_run *t = user;
  MS_TRY(check_rows(t, data, length, err));
  if (t->flips && t->unit == 2) {
    t->flips = false;
    flip_pieces();
  }
  return MS_OK;
}

static ms_status add(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  test_run *t = user;
  (void)enough;
  MS_TRY(check_rows(t, bytes->data, bytes->length, err));
  while (t->unit < last && t->row == rows_of(t, t->unit)) {
    t->unit++;
    t->row = 0;
  }
  return t->unit == last && first < last
             ? MS_OK
             : ms_fail(err, MS_ERR_INTERNAL, "units up to %" PRIu64 " end at %" PRIu64, last,
                       t->unit);
}

static void warn(const char *message)
{
  fprintf(stderr, "warning: %s\n", message);
}

int main(int argc, char **argv)
{
  ms_mpi *ranks;
  ms_error err = {0};
  ms_identity identity = {0};
  if (argc < 5)
    return 2;
  test_run t = {.bytes = strtoull(argv[2], NULL, 10),
                .seconds = strtod(argv[3], NULL),
                .units = strtoull(argv[1], NULL, 10)};
  const ms_mpi_options options = {
      .timeout = 5, .memory = strtoull(argv[4], NULL, 10), .warn = warn};
  if (ms_mpi_open(&options, &ranks, &err) != MS_OK ||
      ms_identity_open(&identity, "pieces", &err) != MS_OK) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  const char *fault = argc > 5 ? argv[5] : "";
  t.loses = strcmp(fault, "lose") == 0 && ms_mpi_rank(ranks) == 1;
  t.slow = strcmp(fault, "lose") == 0 && ms_mpi_rank(ranks) == 0;
  t.flips = strcmp(fault, "flip") == 0;
  const ms_crew_job job = {.identity = &identity,
                           .units = t.units,
                           .seconds = 0.05,
                           .user = &t,
                           .run = run,
                           .add = add,
                           .piece = take_piece};
  uint64_t before = ms_peak_memory();
  ms_status status = ms_crew_run(ms_mpi_crew(ranks), &job, &err);
  uint64_t grown = ms_peak_memory() - before;
  if (status != MS_OK) /* before the end, after which mpirun may pass on nothing */
    fprintf(stderr, "error: %s\n", err.message);
  ms_mpi_close(ranks, status == MS_OK ? 0 : 1, NULL);
  ms_identity_free(&identity);
  if (status != MS_OK)
    return 1;
  printf("units %" PRIu64 ", megabytes more %" PRIu64 "\n", t.unit, grown >> 20);
  return 0;
}
