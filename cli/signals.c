#include "cli/signals.h"

#include "base/file/outfile.h"
#include "base/file/scratch.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The signals that end a search.  Batch systems announce a kill with any of them. */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2};
#define SIGNALS (sizeof signals / sizeof *signals)

static ms_stop *volatile signal_stop;

static volatile sig_atomic_t signal_loud;    /* a note on standard error says that the tool stops */
static volatile sig_atomic_t signal_stopped; /* a signal has requested the stop */

/* A signal that comes right after the first is the same request: a terminal, a shell or the command
 * timeout may send it to a process and again to its group. */
#define SAME_REQUEST_SECONDS 0.5

static volatile double signal_time; /* time of the first SIGINT or SIGTERM; 0: none came */

static double signal_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now); /* async-signal-safe, as is everything here */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void set_handler(int signal_number, void (*handler)(int))
{
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal_number, &action, NULL);
}

/* True for half a second after the first SIGINT or SIGTERM, also if the search has ended since. */
static bool is_same_request(void)
{
  return signal_time > 0 && signal_clock() - signal_time <= SAME_REQUEST_SECONDS;
}

/* Lets the signal kill the process, as it does by default, but removes half-written files first.
 * Once the outputs are complete, the program is about to end, and puts them in their places. */
static void die_by_signal(int signal_number)
{
  if (is_same_request() || ms_scratch_all_complete() || ms_scratch_defer_signal(signal_number))
    return;
  ms_scratch_unlink_all();
  set_handler(signal_number, SIG_DFL);
  raise(signal_number);
}

/* The first signal requests the stop.  A second SIGINT or SIGTERM kills: somebody is impatient. The
 * others do not, since a batch system sends them on its own, and SIGXCPU comes every second. */
static void on_signal(int signal_number)
{
  static const char note[] = "motifsieve: stopping; what was found is checked and written; "
                             "a second signal (SIGINT or SIGTERM) stops at once\n";
  double now = signal_clock();
  if (signal_number == SIGINT || signal_number == SIGTERM) {
    if (signal_time > 0 && now - signal_time > SAME_REQUEST_SECONDS) {
      die_by_signal(signal_number);
      return;
    }
    if (!(signal_time > 0))
      signal_time = now;
  }
  if (signal_stopped)
    return;
  signal_stopped = 1;
  if (signal_stop)
    ms_stop_request(signal_stop);
  if (signal_loud)
    (void)!write(STDERR_FILENO, note, sizeof note - 1);
}

static bool is_ignored(int signal_number)
{
  struct sigaction now;
  return sigaction(signal_number, NULL, &now) != 0 || now.sa_handler == SIG_IGN;
}

void ms_catch_signals(ms_stop *stop, bool loud)
{
  signal_stop = stop;
  signal_loud = loud;
  signal_stopped = 0;
  if (stop)
    signal_time = 0;
  for (size_t i = 0; i < SIGNALS; i++)
    /* a job that was started with signals ignored, as by nohup, keeps ignoring them */
    if (!is_ignored(signals[i]))
      set_handler(signals[i], stop ? on_signal : die_by_signal);
}

/* ---- signals of writes -------------------------------------------------------------------- */

static bool dies_of_pipe; /* SIGPIPE was not ignored when the program began */

void ms_signals_keep_outputs(void)
{
  dies_of_pipe = !is_ignored(SIGPIPE);
  set_handler(SIGPIPE, SIG_IGN);
  set_handler(SIGXFSZ, SIG_IGN);
}

bool ms_signals_reader_is_gone(void)
{
  return dies_of_pipe && ms_outfile_reader_is_gone();
}

void ms_signals_end_for_pipe(void)
{
  if (!ms_signals_reader_is_gone())
    return;
  set_handler(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
}
