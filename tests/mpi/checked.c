/* Ranks that check what they compute, for tests/mpi.sh: a run of tests/support/checked_runs.h with
 * `paranoid` 1, and a fault in one rank.
 *
 *   mpirun -n N checked RUN PLACE RANK FILE [unchecked]
 *
 * RUN: the name of a run.  PLACE: where a bit is flipped, the first time that RANK comes there;
 * none: nowhere.  FILE: the rank makes this file then, and the others compute nothing before it is
 * there, so that the rank gets a range; "-": they do not wait.  unchecked: nobody looks for faults.
 * Rank 0 prints the report, and whether the result is that of a run alone. */
#include "base/hooks.h"
#include "base/integrity.h"
#include "base/threads/stop.h"
#include "mpi/crew.h"
#include "tests/support/checked_runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WAITING_SECONDS 30.0
#define BIT 1u
#define STATE_AT 5u /* the sum is damaged that many times later, once something was added to it */

static struct {
  bool has_fault;
  int place;
  uint32_t seen;    /* times that this rank came there */
  const char *file; /* NULL: nobody waits */
} test;

/* Waits for the fault; a run in which it does not come goes on, and then lacks it. */
static void wait_for_fault(void)
{
  const struct timespec pause = {.tv_nsec = 5000000};
  double begin = ms_seconds();
  while (access(test.file, F_OK) != 0 && ms_seconds() - begin < WAITING_SECONDS)
    nanosleep(&pause, NULL);
}

static uint64_t flip(ms_fault_place place, uint64_t bytes)
{
  if (!test.has_fault) {
    if (test.file && place == MS_FAULT_RESULT)
      wait_for_fault();
    return UINT64_MAX;
  }
  if ((int)place != test.place || test.seen++ != (place == MS_FAULT_STATE ? STATE_AT : 0))
    return UINT64_MAX;
  if (test.file) {
    FILE *file = fopen(test.file, "w");
    if (file)
      fclose(file);
  }
  return BIT % (8 * bytes);
}

static int find_place(const char *name)
{
  static const struct {
    const char *name;
    int place;
  } places[] = {{"none", -1},
                {"result", MS_FAULT_RESULT},
                {"second", MS_FAULT_SECOND},
                {"sum", MS_FAULT_SUM},
                {"state", MS_FAULT_STATE}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(places[i].name, name) == 0)
      return places[i].place;
  return -2;
}

static void warn_of_rank(const char *message)
{
  fprintf(stderr, "ranks: %s\n", message);
}

static void warn(void *user, const char *message)
{
  (void)user;
  fprintf(stderr, "warning: %s\n", message);
}

/* Does the run alone, and then with the ranks; rank 0 prints. */
static ms_status run(const checked_run *kind, ms_crew *crew, ms_error *err)
{
  checked_inputs inputs;
  uint32_t alone, together;
  ms_paranoid_report r;
  ms_division division = MS_DIVISION_DEFAULT;
  division.paranoid = 1;
  division.crew = crew;
  division.warn = warn;
  ms_status status = checked_inputs_open(&inputs, err);
  if (status == MS_OK)
    status = kind->run(&inputs, NULL, &alone, &r, err);
  ms_hooks.fault = flip;
  if (status == MS_OK)
    status = kind->run(&inputs, &division, &together, &r, err);
  ms_hooks.fault = NULL;
  checked_inputs_close(&inputs);
  if (status == MS_OK)
    printf("%" PRIu64 " of %" PRIu64 " checked, %" PRIu64 " differed, %" PRIu64
           " damaged, the result is %s\n",
           r.checked, r.blocks, r.differences, r.damaged, alone == together ? "right" : "wrong");
  return status;
}

int main(int argc, char **argv)
{
  ms_mpi *ranks;
  ms_error err = {0};
  const checked_run *kind = NULL;
  int rank;
  for (int i = 0; i < CHECKED_RUNS && argc > 1; i++)
    if (strcmp(argv[1], checked_runs[i].name) == 0)
      kind = &checked_runs[i];
  if (argc < 5 || !kind || find_place(argv[2]) < -1 || sscanf(argv[3], "%d", &rank) != 1)
    return 2;
  const ms_mpi_options options = {.timeout = 60, .memory = 1 << 20, .warn = warn_of_rank};
  if (ms_mpi_open(&options, &ranks, &err) != MS_OK) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  test.place = find_place(argv[2]);
  test.has_fault = test.place >= 0 && ms_mpi_rank(ranks) == rank;
  test.file = test.place >= 0 && strcmp(argv[4], "-") != 0 ? argv[4] : NULL;
  ms_hooks.fault_unchecked = argc > 5;
  ms_status status = run(kind, ms_mpi_crew(ranks), &err);
  if (status != MS_OK) /* before the end, after which mpirun may pass on nothing */
    fprintf(stderr, "error: %s\n", err.message);
  ms_mpi_close(ranks, status == MS_OK ? 0 : 1, NULL);
  return status != MS_OK;
}
