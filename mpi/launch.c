#include "mpi/launch.h"

#include "base/alloc.h"
#include "base/file/descriptor.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/print.h"
#include "mpi/place.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define USUAL_TIMEOUT 60.0
/* The command ends at most so many seconds, and those of the time-out, after rank 0. */
#define LEAST_GRACE 5.0
#define USUAL_MEMORY ((uint64_t)64 << 20)
#define LEAST_MEMORY ((uint64_t)1 << 20)
enum { USUAL_RESTARTS = 10, MOST_RANKS = 1000000 };

extern char **environ;

static const char help[] =
    "Usage: mpirun -n N motifsieve-mpi [--rank-timeout S] COMMAND ...\n"
    "       motifsieve-mpi --ranks N [--mpirun CMD] [--restarts R] COMMAND ...\n"
    "The tool motifsieve, whose long runs are done by all ranks of an MPI program.\n"
    "\n"
    "  --rank-timeout S  a rank that is silent for S seconds is lost (default: 60)\n"
    "  --rank-memory M   rows that wait in rank 0 take this memory, and 16 times as much\n"
    "                    in a file in TMPDIR; then ranks wait (default: 64M)\n"
    "  --merge-later P   ranks write the files of P parts beside the output, which\n"
    "                    'motifsieve merge' joins; 0: one part for each rank\n"
    "  --places          print the host, the threads and the GPUs of each rank\n"
    "  --ranks N         start N ranks by mpirun, and start them again if MPI lost them\n"
    "  --mpirun CMD      the command for that, such as 'srun --mpi=pmix' or\n"
    "                    'mpirun --hostfile hosts' (default: mpirun)\n"
    "  --restarts R      start them again at most R times (default: 10)\n"
    "\n"
    "COMMAND ... is as for motifsieve; see 'motifsieve --help' and docs/MPI.md.\n";

/* ---- options ----------------------------------------------------------------------------------
 */

static ms_status read_number(const char *name, const char *value, double least, double most,
                             double *out, ms_error *err)
{
  char *end = NULL;
  double number = value ? ms_read_real(value, &end) : -1;
  if (!value || !end || end == value || *end || !(number >= least && number <= most)) {
    char range[64];
    ms_format(range, sizeof range, "from %g to %g", least, most);
    return ms_fail(err, MS_ERR_USAGE, "%s needs a number %s; see 'motifsieve-mpi --help'", name,
                   range);
  }
  *out = number;
  return MS_OK;
}

ms_status ms_launch_parse(int *argc, char **argv, ms_launch_options *out, ms_error *err)
{
  enum { OPTIONS = 8 }; /* those that do not end the program */
  const char *given[OPTIONS];
  int at = 1, count = 0;
  *out = (ms_launch_options){.restarts = USUAL_RESTARTS,
                             .timeout = USUAL_TIMEOUT,
                             .memory = USUAL_MEMORY,
                             .mpirun = "mpirun",
                             .tool = argv[0]};
  for (; at < *argc && argv[at][0] == '-'; at += 2) {
    const char *name = argv[at], *value = at + 1 < *argc ? argv[at + 1] : NULL;
    double number = 0;
    for (int i = 0; i < count; i++)
      if (strcmp(given[i], name) == 0)
        return ms_fail(err, MS_ERR_USAGE, "option %s is given twice; leave one out", name);
    if (count < OPTIONS)
      given[count++] = name;
    if (strcmp(name, "--ranks") == 0) {
      MS_TRY(read_number(name, value, 1, MOST_RANKS, &number, err));
      out->ranks = (uint32_t)number;
    } else if (strcmp(name, "--restarts") == 0) {
      MS_TRY(read_number(name, value, 0, 1e6, &number, err));
      out->restarts = (uint32_t)number;
    } else if (strcmp(name, "--rank-timeout") == 0) {
      MS_TRY(read_number(name, value, 0.1, 1e6, &out->timeout, err));
    } else if (strcmp(name, "--rank-memory") == 0) {
      if (!value || !ms_parse_size(value, &out->memory) || out->memory < LEAST_MEMORY)
        return ms_fail(err, MS_ERR_USAGE,
                       "%s needs a size of at least 1M, such as 512M; see 'motifsieve-mpi --help'",
                       name);
    } else if (strcmp(name, "--merge-later") == 0) {
      MS_TRY(read_number(name, value, 0, MOST_RANKS, &number, err));
      out->parts = (uint32_t)number;
      out->merge_later = true;
    } else if (strcmp(name, "--places") == 0) {
      out->places = true;
      at--;                                               /* it has no value */
    } else if (strcmp(name, "--verdict") == 0 && value) { /* ms_launch gives it */
      out->verdict = true;
    } else if (strcmp(name, "--mpirun") == 0 && value) {
      out->mpirun = value;
    } else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
      ms_print("%s", help);
      exit(ms_print_end());
    } else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
      ms_print("motifsieve-mpi %s\n", ms_version());
      exit(ms_print_end());
    } else {
      return ms_fail(err, MS_ERR_USAGE,
                     "unknown option %s before the command; see "
                     "'motifsieve-mpi --help'",
                     name);
    }
  }
  memmove(argv + 1, argv + at, (size_t)(*argc - at + 1) * sizeof *argv);
  *argc -= at - 1;
  return MS_OK;
}

/* ---- starting ---------------------------------------------------------------------------------
 */

static volatile sig_atomic_t child, stopped;

static void pass_on(int number)
{
  stopped = 1;
  if (child > 0)
    kill((pid_t)child, number);
}

/* What the command prints on standard error, which is passed on but for the verdict. */
typedef struct passing {
  char line[sizeof MS_VERDICT + 16]; /* the beginning of a line that may be the verdict */
  size_t length;
  bool inside; /* of another line */
  bool begun;  /* rank 0 has */
  int verdict; /* of rank 0; -1: none */
} passing;

static void pass_byte(passing *p, char byte)
{
  const size_t lead = sizeof MS_VERDICT - 1;
  if (!p->inside) {
    p->line[p->length++] = byte;
    if (p->length <= lead ? byte == MS_VERDICT[p->length - 1]
                          : byte != '\n' && p->length < sizeof p->line)
      return;
    if (p->length > lead && byte == '\n') {
      p->begun = true;
      if (p->line[lead] != MS_BEGUN[0])
        p->verdict = atoi(p->line + lead);
      p->length = 0;
      return;
    }
    (void)ms_write_all(STDERR_FILENO, p->line, p->length, NULL);
    p->length = 0;
  } else {
    (void)ms_write_all(STDERR_FILENO, &byte, 1, NULL);
  }
  p->inside = byte != '\n';
}

/* Returns true if there is something to read before the time comes; 0: it never comes. */
static bool wait_for_bytes(int from, double until)
{
  struct pollfd look = {.fd = from, .events = POLLIN};
  for (;;) {
    double left = until > 0 ? until - ms_seconds() : 1;
    if (left <= 0)
      return false;
    int ready = poll(&look, 1, until > 0 ? (int)(1e3 * left) + 1 : -1);
    if (ready > 0 || (ready < 0 && errno != EINTR))
      return true;
  }
}

/* Reads the verdict, and waits for the end of the command, but not for long: once rank 0 has ended,
 * mpirun was seen to wait in vain for a host that was cut off, and to crash. */
static int read_verdict(int from, pid_t pid, double grace)
{
  passing p = {.verdict = -1};
  char block[4096];
  double until = 0;
  for (;;) {
    if (p.verdict >= 0 && until == 0)
      until = ms_seconds() + grace;
    if (!wait_for_bytes(from, until)) {
      ms_cli_warn("the command that started the ranks does not end, and is killed; processes on "
                  "hosts that were cut off may be left");
      kill(pid, SIGKILL);
      break;
    }
    ssize_t got = ms_read(from, block, sizeof block);
    if (got <= 0)
      break;
    for (ssize_t i = 0; i < got; i++)
      pass_byte(&p, block[i]);
  }
  return p.verdict >= 0 ? p.verdict : p.begun ? -2 : -1;
}

/* Returns the exit code of rank 0, which says it on standard error, because what mpirun returns
 * says little where ranks were lost; or -1 and the error if rank 0 did not begin, and -2 if it did
 * not end by itself.  *code receives what the command returns. */
static int run(char **words, double grace, int *code, ms_error *err)
{
  pid_t pid;
  int ends[2], status = 0;
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0) {
    ms_fail(err, MS_ERR_MEMORY, "there is no pipe for the ranks: %s", strerror(errno));
    return -1;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  int failure = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure) {
    close(ends[0]);
    ms_fail(err, MS_ERR_USAGE, "%s cannot be started: %s; name the command with --mpirun", words[0],
            strerror(failure));
    return -1;
  }
  child = pid;
  int verdict = read_verdict(ends[0], pid, grace);
  close(ends[0]);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (verdict == -1)
    ms_fail(err, MS_ERR_USAGE, "%s returned %d before rank 0 began", words[0], *code);
  return verdict;
}

static bool has_word(int argc, char **argv, const char *word)
{
  size_t length = strlen(word);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], word, length) == 0 && (!argv[i][length] || argv[i][length] == '='))
      return true;
  return false;
}

/* Puts the words of the command line into `words`, and returns their number. */
static int make_words(const ms_launch_options *o, char *mpirun, char number[4][32], int argc,
                      char **argv, char **words)
{
  char *rest = NULL;
  int count = 0;
  for (char *w = strtok_r(mpirun, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
    words[count++] = w;
  words[count++] = (char *)"-n";
  words[count++] = number[0];
  words[count++] = (char *)o->tool;
  words[count++] = (char *)"--rank-timeout";
  words[count++] = number[1];
  words[count++] = (char *)"--rank-memory";
  words[count++] = number[2];
  if (o->merge_later) {
    words[count++] = (char *)"--merge-later";
    words[count++] = number[3];
  }
  if (o->places)
    words[count++] = (char *)"--places";
  words[count++] = (char *)"--verdict";
  words[count++] = (char *)"1";
  for (int i = 1; i < argc; i++)
    words[count++] = argv[i];
  words[count] = NULL;
  return count;
}

int ms_launch(const ms_launch_options *o, int argc, char **argv)
{
  ms_error err;
  char number[4][32];
  struct sigaction action = {.sa_handler = pass_on};
  size_t room = strlen(o->mpirun) / 2 + (size_t)argc + 20;
  char *mpirun = ms_strdup(o->mpirun), **words = ms_calloc(room, sizeof *words);
  if (!mpirun || !words) {
    ms_fail_memory(&err, "the command line");
    return ms_cli_error(&err);
  }
  snprintf(number[0], sizeof number[0], "%u", o->ranks);
  ms_format(number[1], sizeof number[1], "%g", o->timeout);
  snprintf(number[2], sizeof number[2], "%" PRIu64, o->memory);
  snprintf(number[3], sizeof number[3], "%u", o->parts);
  int count = make_words(o, mpirun, number, argc, argv, words), code = 0, verdict;
  bool saves = has_word(argc, argv, "--checkpoint");
  /* Open MPI before version 5 lets ranks survive the death of another one only with this. */
  setenv("OMPI_MCA_orte_enable_recovery", "1", 1);
  ms_place_spare_gpus(); /* mpirun may describe the host for the ranks */
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  for (uint32_t restarts = 0;; restarts++) {
    verdict = run(words, o->timeout + LEAST_GRACE, &code, &err);
    if (verdict != -2 || stopped || restarts == o->restarts)
      break;
    ms_cli_warn("rank 0 did not end by itself (%s returned %d); the ranks are started again%s",
                words[0], code,
                saves ? ", and go on from the checkpoint"
                      : " from the beginning, because there is no --checkpoint");
    if (saves && restarts == 0 && !has_word(argc, argv, "--resume"))
      words[count++] = (char *)"--resume";
  }
  if (verdict == -1)
    verdict = ms_cli_error(&err);
  ms_free(mpirun);
  ms_free(words);
  return verdict >= 0 ? verdict : MS_EXIT_LIMIT;
}
