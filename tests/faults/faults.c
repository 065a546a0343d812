/* Faults in whole commands.  Each command of a table runs once undisturbed, which counts its calls.
 * Then, for each kind of call, one call after the other fails once, and the tool is killed at the
 * calls that change files and at random times.  Outputs must be the old files, or whole, or valid;
 * a failure has its exit status and its message; no scratch file is left without its name in the
 * message; no descriptor is left open.
 *
 * faults TOOL SHIM TABLE FOLDER [OPTION]...; the folder holds the inputs in `in`, and receives a
 * folder for each worker.
 *   --points N   at most so many calls of a kind, evenly spread (default 500)
 *   --kills N    times that the tool is killed, over all commands (default 1000)
 *   --jobs N     workers (default 1)
 *   --only NAME  commands whose names contain this
 *   --fault TEXT faults whose names contain this
 *   --at N       only this call */
#include "tests/faults/faults.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fault {
  const char *name;
  fault_kind kind;
  fault_mode mode;
  int error;
  bool for_good;
  expectation expected;
} fault;

static const fault faults[] = {
    {"memory", FAULT_MEMORY, FAULT_ERROR, ENOMEM, false, EXPECT_ANY},
    {"memory, for good", FAULT_MEMORY, FAULT_ERROR, ENOMEM, true, EXPECT_ANY},
    {"mmap", FAULT_MMAP, FAULT_ERROR, ENOMEM, false, EXPECT_ANY},
    {"open", FAULT_OPEN, FAULT_ERROR, EMFILE, false, EXPECT_ANY},
    {"open, for good", FAULT_OPEN, FAULT_ERROR, EMFILE, true, EXPECT_ANY},
    {"read", FAULT_READ, FAULT_ERROR, EIO, false, EXPECT_ANY},
    {"read, interrupted", FAULT_READ, FAULT_ERROR, EINTR, false, EXPECT_SUCCESS},
    {"read, half", FAULT_READ, FAULT_SHORT, 0, false, EXPECT_SUCCESS},
    {"write", FAULT_WRITE, FAULT_ERROR, EIO, false, EXPECT_FAILURE},
    {"write, disk full", FAULT_WRITE, FAULT_ERROR, ENOSPC, true, EXPECT_FAILURE},
    {"disk fills up", FAULT_WRITE, FAULT_FULL, 0, true, EXPECT_ANY},
    {"write, interrupted", FAULT_WRITE, FAULT_ERROR, EINTR, false, EXPECT_SUCCESS},
    {"write, half", FAULT_WRITE, FAULT_SHORT, 0, false, EXPECT_SUCCESS},
    {"close", FAULT_CLOSE, FAULT_ERROR, EIO, false, EXPECT_ANY},
    {"rename", FAULT_RENAME, FAULT_ERROR, EBUSY, false, EXPECT_ANY},
    {"rename, for good", FAULT_RENAME, FAULT_ERROR, EIO, true, EXPECT_PARTS},
    {"unlink", FAULT_UNLINK, FAULT_ERROR, EIO, false, EXPECT_ANY},
    {"sync", FAULT_SYNC, FAULT_ERROR, EIO, false, EXPECT_FAILURE},
    {"sync, disk full", FAULT_SYNC, FAULT_ERROR, ENOSPC, false, EXPECT_FAILURE},
    {"extend", FAULT_EXTEND, FAULT_ERROR, ENOSPC, false, EXPECT_ANY},
    {"stat", FAULT_STAT, FAULT_ERROR, EACCES, false, EXPECT_ANY},
    {"thread", FAULT_THREAD, FAULT_ERROR, EAGAIN, false, EXPECT_ANY},
    {"thread, for good", FAULT_THREAD, FAULT_ERROR, EAGAIN, true, EXPECT_ANY},
    {"standard output", FAULT_STDIO, FAULT_ERROR, ENOSPC, false, EXPECT_ANY},
    {"entropy", FAULT_ENTROPY, FAULT_ERROR, ENOSYS, false, EXPECT_ANY},
    /* kills: the last four, see kill_at */
    {"kill before", FAULT_CHANGE, FAULT_KILL_BEFORE, 0, false, EXPECT_ANY},
    {"kill in the middle", FAULT_CHANGE, FAULT_KILL_HALF, 0, false, EXPECT_ANY},
    {"kill after", FAULT_CHANGE, FAULT_KILL_AFTER, 0, false, EXPECT_ANY},
    {"kill at random", FAULT_CHANGE, FAULT_NONE, 0, false, EXPECT_ANY}};
enum { N_FAULTS = sizeof faults / sizeof *faults, N_KILLS = 4, FIRST_KILL = N_FAULTS - N_KILLS };

/* Of all workers. */
typedef struct totals {
  _Atomic int taken[MAX_COMMANDS]; /* 1: a worker has this command */
  _Atomic long points[N_FAULTS];   /* that were tried */
  _Atomic long harmless[N_FAULTS]; /* of which the command survived */
  _Atomic long failures;
} totals;

static totals *sum;
static command commands[MAX_COMMANDS];
static int n_commands;
static long points = 500, kills = 1000, jobs = 1, only_at;
static const char *only_name = "", *only_fault = "";

/* ---- one point -------------------------------------------------------------------------- */

/* Counts and prints what is wrong with a run. */
static void report(const worker *w, const command *c, const fault *f, uint64_t at, const ending *e,
                   const char *wrong)
{
  char text[4000];
  size_t used = (size_t)snprintf(
      text, 2000, "FAILED: %s: %s, call %" PRIu64 ": %s (exit status %d)\n    %.1000s", c->name,
      f->name, at, wrong, e->status, e->errors);
  if (w->page->n_frames > 0)
    used += (size_t)snprintf(text + used, 1000, "    addr2line -fsipe %s", w->tool);
  for (uint32_t i = 0; i < w->page->n_frames; i++)
    used += (size_t)snprintf(text + used, 40, " 0x%" PRIx64, w->page->frames[i]);
  snprintf(text + used, 4, "\n");
  fputs(text, stderr);
  sum->failures++;
}

/* Lets call `at` fail.  `old`: the outputs exist before. */
static void try_fault(worker *w, const command *c, const fault *f, uint64_t at, bool old)
{
  bool is_kill = f >= &faults[FIRST_KILL];
  outputs_reset(c, old);
  w->page->kind = f->kind;
  w->page->mode = f->mode;
  w->page->error = f->error;
  w->page->for_good = f->for_good;
  w->page->at = at;
  double kill_after =
      is_kill && f->mode == FAULT_NONE ? 1e-9 + c->seconds * (double)(at % 1000) / 999 : 0;
  ending e = run_tool(w, c->words, kill_after);
  const char *wrong = is_kill ? judge_kill(w, c, &e, old) : judge_fault(w, c, &e, old, f->expected);
  sum->points[f - faults]++;
  if (e.status == c->status)
    sum->harmless[f - faults]++;
  if (wrong)
    report(w, c, f, at, &e, wrong);
  free(e.errors);
}

/* ---- one command -------------------------------------------------------------------------- */

/* Runs the command undisturbed, twice: what it writes must not differ from run to run.  Returns
 * false if it does not do what the table says. */
static bool measure(worker *w, command *c)
{
  w->page->mode = FAULT_NONE;
  outputs_reset(c, false);
  ending e = run_tool(w, c->words, 0);
  if (e.status != c->status || w->page->running != 2) {
    fprintf(stderr, "%s: undisturbed: exit status %d, signal %d\n%s\n", c->name, e.status, e.signal,
            e.errors);
    free(e.errors);
    return false;
  }
  for (int k = 0; k < FAULT_KINDS; k++)
    c->calls[k] = w->page->calls[k];
  bool whole = outputs_keep(c, e.errors);
  free(e.errors);
  if (!whole)
    return false;
  outputs_reset(c, true);
  double begin = seconds_now();
  e = run_tool(w, c->words, 0);
  c->seconds = seconds_now() - begin;
  for (int k = 0; k < FAULT_KINDS; k++) /* only old outputs are removed */
    if (c->calls[k] < w->page->calls[k])
      c->calls[k] = w->page->calls[k];
  const char *wrong = judge_fault(w, c, &e, true, EXPECT_SUCCESS);
  if (wrong)
    report(w, c, &(fault){.name = "undisturbed"}, 0, &e, wrong);
  free(e.errors);
  return true;
}

/* Calls of which there are no more than these are tried with outputs of before and without; of
 * others, every second one finds outputs of before. */
#define FEW_CALLS 8u

static void try_call(worker *w, const command *c, const fault *f, uint64_t at, uint64_t n)
{
  if (n <= FEW_CALLS)
    try_fault(w, c, f, at, at % 2 != 0);
  try_fault(w, c, f, at, at % 2 == 0);
}

/* Tries at most `most` of the calls 1 to n, evenly spread. */
static void try_calls(worker *w, const command *c, const fault *f, uint64_t n, uint64_t most)
{
  uint64_t parts = n < most ? n : most;
  for (uint64_t i = 0; i < parts; i++) {
    uint64_t at = (2 * i + 1) * n / (2 * parts) + 1;
    if (only_at == 0 || at == (uint64_t)only_at)
      try_call(w, c, f, at, n);
  }
  if (only_at > 0 && n > most)
    try_call(w, c, f, (uint64_t)only_at, n);
}

/* Kills the command so many times: at calls that change files, and at random times. */
static void try_kills(worker *w, const command *c, uint64_t most)
{
  uint64_t random_times = 0;
  for (int i = 0; i < N_KILLS; i++) {
    /* another kind comes first in the next command */
    const fault *f = &faults[FIRST_KILL + (i + (c - commands)) % N_KILLS];
    uint64_t share = (most + (uint64_t)(N_KILLS - i) - 1) / (uint64_t)(N_KILLS - i);
    if (f->mode == FAULT_NONE)
      random_times += share;
    else if (share > c->calls[FAULT_CHANGE])
      share = c->calls[FAULT_CHANGE];
    most -= share;
    if (f->mode != FAULT_NONE && strstr(f->name, only_fault))
      try_calls(w, c, f, c->calls[FAULT_CHANGE], share);
  }
  if (strstr(faults[N_FAULTS - 1].name, only_fault))
    try_calls(w, c, &faults[N_FAULTS - 1], 1000, random_times + most);
}

static void try_command(worker *w, command *c, uint64_t its_kills)
{
  if (!measure(w, c)) {
    sum->failures++;
    return;
  }
  for (int i = 0; i < FIRST_KILL; i++)
    if (strstr(faults[i].name, only_fault))
      try_calls(w, c, &faults[i], c->calls[faults[i].kind], (uint64_t)points);
  try_kills(w, c, its_kills);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool is_wanted(const command *c)
{
  return strstr(c->name, only_name) != NULL;
}

static void work(int number, const char *tool, const char *shim)
{
  char folder[32];
  worker w;
  snprintf(folder, sizeof folder, "worker%d", number);
  if ((mkdir(folder, 0700) != 0 && errno != EEXIST) || chdir(folder) != 0 ||
      (symlink("../in", "in") != 0 && errno != EEXIST)) {
    perror(folder);
    exit(EXIT_FAILURE);
  }
  worker_open(&w, tool, shim);
  long wanted = 0, before = 0;
  for (int i = 0; i < n_commands; i++)
    wanted += is_wanted(&commands[i]);
  for (int i = 0; i < n_commands; i++) {
    if (!is_wanted(&commands[i]))
      continue;
    /* the kills are spread evenly over the commands */
    long share = kills * (before + 1) / wanted - kills * before / wanted;
    before++;
    if (atomic_exchange(&sum->taken[i], 1) == 0)
      try_command(&w, &commands[i], (uint64_t)share);
  }
  exit(EXIT_SUCCESS);
}

static long number_of(const char *text)
{
  char *end;
  long n = strtol(text, &end, 10);
  if (*end || n < 0) {
    fprintf(stderr, "faults: '%s' is no number\n", text);
    exit(EXIT_FAILURE);
  }
  return n;
}

static void read_options(int argc, char **argv)
{
  for (int i = 0; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (strcmp(name, "--points") == 0)
      points = number_of(value);
    else if (strcmp(name, "--kills") == 0)
      kills = number_of(value);
    else if (strcmp(name, "--jobs") == 0)
      jobs = number_of(value);
    else if (strcmp(name, "--only") == 0)
      only_name = value;
    else if (strcmp(name, "--fault") == 0)
      only_fault = value;
    else if (strcmp(name, "--at") == 0)
      only_at = number_of(value);
    else
      fprintf(stderr, "faults: %s is not known\n", name), exit(EXIT_FAILURE);
  }
}

static int print_totals(int broken)
{
  long all = 0;
  for (int i = 0; i < N_FAULTS; i++) {
    all += sum->points[i];
    if (sum->points[i] > 0)
      printf("%-20s %7ld points, %6ld survived\n", faults[i].name, sum->points[i],
             sum->harmless[i]);
  }
  long failures = sum->failures + broken;
  printf("%d commands, %ld points tried\n", n_commands, all);
  printf("%ld%%: Checks: %ld, Failures: %ld, Errors: 0\n",
         all ? 100 * (all > failures ? all - failures : 0) / all : 0, all, failures);
  return failures || !all ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  int broken = 0;
  if (argc < 5) {
    fputs("usage: faults TOOL SHIM TABLE FOLDER [OPTION VALUE]...\n", stderr);
    return EXIT_FAILURE;
  }
  read_options(argc - 5, argv + 5);
  n_commands = read_commands(argv[3], commands);
  sum = mmap(NULL, sizeof *sum, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sum == MAP_FAILED || chdir(argv[4]) != 0) {
    perror(argv[4]);
    return EXIT_FAILURE;
  }
  for (int i = 0; i < jobs; i++) {
    pid_t pid = fork();
    if (pid == 0)
      work(i, argv[1], argv[2]);
    broken += pid < 0;
  }
  for (int status; wait(&status) > 0;)
    broken += status != 0;
  return print_totals(broken);
}
