/* The driver of the fault tests: it runs commands of the tool with the shim, makes one call after
 * the other fail or kills the tool there, and judges what is left.  faults.c has the plan. */
#ifndef MS_TESTS_FAULTS_FAULTS_H
#define MS_TESTS_FAULTS_FAULTS_H

#include "tests/faults/page.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_WORDS = 48, MAX_OUTPUTS = 4, MAX_COMMANDS = 200 };

/* ---- commands (commands.c) --------------------------------------------------------------- */

/* A file that a command writes. */
typedef struct output {
  const char *path;
  bool varies; /* times are in it: two runs write different bytes */
  char *whole; /* what the command writes undisturbed, and its number of bytes */
  size_t size;
} output;

/* A line of the table. */
typedef struct command {
  char *name;
  char *words[MAX_WORDS + 1];  /* arguments of the tool, NULL at the end */
  char *verify[MAX_WORDS + 1]; /* those that check the output; verify[0] is NULL: none */
  output outputs[MAX_OUTPUTS]; /* the first is standard output */
  int n_outputs;
  int status;     /* undisturbed exit status */
  double seconds; /* undisturbed time, and number of calls */
  uint64_t calls[FAULT_KINDS];
} command;

/* Reads the table: lines "NAME [EXIT STATUS]: ARGUMENTS [=> ARGUMENTS OF VERIFY]".  Words are
 * divided by blanks, and '...' holds blanks.  @FILE is an output, ~FILE an output that varies;
 * ~NAME is a command whose standard output varies; `stdout` is standard output.  Returns the number
 * of commands; ends the process after an error.
 */
int read_commands(const char *path, command commands[MAX_COMMANDS]);

/* ---- running (process.c) --------------------------------------------------------------------- */

/* Standard output of the tool, and the folder of all other outputs. */
#define STDOUT_FILE "stdout"
#define OUTPUT_FOLDER "out"

/* Where and with what one worker runs the tool: in its current folder. */
typedef struct worker {
  const char *tool, *shim;
  fault_page *page; /* also the file "page" of the folder */
} worker;

/* How a process ended. */
typedef struct ending {
  int status;   /* exit status, or -1 */
  int signal;   /* signal that ended it, or 0 */
  bool hung;    /* it was killed after RUN_SECONDS */
  char *errors; /* its standard error, to be freed */
} ending;

enum { RUN_SECONDS = 120 };

/* Makes the files that a worker needs in the current folder. */
void worker_open(worker *w, const char *tool, const char *shim);
/* Runs the tool, and kills it after `kill_after` seconds unless that is 0.  The page says which
 * call fails; its counters start at 0. */
ending run_tool(worker *w, char *const words[], double kill_after);
/* Runs the tool without the shim, its standard output in the file `to`; returns its exit status. */
int run_plainly(worker *w, char *const words[], const char *to);
double seconds_now(void);
/* Returns a whole file, to be freed, or NULL if it does not exist. */
char *read_file(const char *path, size_t *size);

/* ---- judging (judge.c) --------------------------------------------------------------------------
 */

/* What an output is after a run. */
typedef enum state {
  STATE_OLD,   /* the file that was there before, or none if there was none */
  STATE_WHOLE, /* what the command writes undisturbed */
  STATE_VALID, /* something else that `verify` accepts */
  STATE_PART,  /* the beginning of it; standard output only */
  STATE_WRONG
} state;

/* How a run with a fault may end. */
typedef enum expectation {
  EXPECT_ANY,     /* either way */
  EXPECT_SUCCESS, /* the fault is harmless, such as an interrupted call */
  EXPECT_FAILURE, /* the fault loses data */
  EXPECT_PARTS    /* either way, and one of two outputs may be old */
} expectation;

/* Puts the outputs into their state before a run: old files, or none. */
void outputs_reset(const command *c, bool old);
/* Keeps the outputs of an undisturbed run as those that are right.  If one lacks, prints the run's
 * messages and returns false. */
bool outputs_keep(command *c, const char *errors);
/* Judges a run with a fault.  Returns NULL, or what is wrong. */
const char *judge_fault(worker *w, const command *c, const ending *e, bool old,
                        expectation expected);
/* Judges what a killed run left, and the next run of the same command. */
const char *judge_kill(worker *w, const command *c, const ending *e, bool old);

#endif
