/* What it costs to hand a range of units to a rank and to take its contribution: the ranks do a
 * run whose units take no time, or so many seconds, one at a time.
 *   mpirun -n N ranks_handover UNITS BYTES [SECONDS]
 * Prints, in rank 0: ranks, units, bytes of a contribution, seconds of a unit, seconds of the run,
 * the seconds that a rank waits between two units, and the processor time of rank 0 for a unit. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "mpi/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct idle_run {
  size_t bytes;
  double seconds;
  uint64_t added;
} idle_run;

static ms_status run(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  const idle_run *r = user;
  char block[4096] = {0};
  (void)err;
  for (uint64_t u = share->first; u < share->last; u++) {
    struct timespec t = {.tv_sec = (time_t)r->seconds,
                         .tv_nsec = (long)((r->seconds - (double)(time_t)r->seconds) * 1e9)};
    if (r->seconds > 0)
      nanosleep(&t, NULL); /* more ranks than processors sleep at the same time */
  }
  for (size_t at = 0; at < r->bytes; at += sizeof block)
    ms_bytes_put(out, block, r->bytes - at < sizeof block ? r->bytes - at : sizeof block);
  return MS_OK;
}

static ms_status add(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  idle_run *r = user;
  (void)enough;
  if (bytes->length != r->bytes || first != r->added)
    return ms_fail(err, MS_ERR_INTERNAL, "a wrong contribution");
  r->added = last;
  return MS_OK;
}

/* Of all threads. */
static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
  ms_mpi *ranks;
  ms_error err = {0};
  ms_identity identity = {0};
  idle_run r = {.bytes = argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
                .seconds = argc > 3 ? strtod(argv[3], NULL) : 0};
  uint64_t units = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
  const ms_mpi_options options = {.timeout = 60, .memory = UINT64_C(1) << 26};
  if (ms_mpi_open(&options, &ranks, &err) != MS_OK ||
      ms_identity_open(&identity, "nothing", &err) != MS_OK) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  int size = ms_mpi_size(ranks);
  /* so little that a range is one unit */
  ms_crew_job job = {
      .identity = &identity, .units = units, .seconds = 1e-12, .user = &r, .run = run, .add = add};
  double begin = ms_seconds(), used = processor_seconds();
  ms_status status = ms_crew_run(ms_mpi_crew(ranks), &job, &err);
  double seconds = ms_seconds() - begin;
  used = processor_seconds() - used;
  ms_mpi_close(ranks, 0, NULL);
  ms_identity_free(&identity);
  if (status != MS_OK) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  double wait = seconds * size / (double)units - r.seconds;
  printf("%d\t%llu\t%zu\t%g\t%.3f\t%.6f\t%.6f\n", size, (unsigned long long)units, r.bytes,
         r.seconds, seconds, wait, used / (double)units);
  return 0;
}
