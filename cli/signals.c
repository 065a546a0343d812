#include "cli/signals.h"

#include "base/outfile.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static ms_stop *volatile signal_stop;

static volatile sig_atomic_t signal_loud; /* a note on standard error says that the tool stops */

/* A signal that comes right after the first is the same request: a terminal, a shell or the command
 * timeout may send it to a process and again to its group. */
#define SAME_REQUEST_SECONDS 0.5

static volatile double signal_time; /* time of the first signal; 0: none came */

static double signal_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now); /* async-signal-safe, as is everything here */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Lets the signal kill the process, as it does by default, but removes half-written files first. */
static void die_by_signal(int signal_number)
{
  struct sigaction action;
  ms_outfile_unlink_all();
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = SIG_DFL;
  sigaction(signal_number, &action, NULL);
  raise(signal_number);
}

static void on_signal(int signal_number)
{
  static const char note[] = "motifsieve: stopping; what was found is checked and written; "
                             "a second signal stops at once\n";
  double now = signal_clock();
  if (signal_time > 0) {
    if (now - signal_time > SAME_REQUEST_SECONDS)
      die_by_signal(signal_number);
    return;
  }
  signal_time = now;
  if (signal_stop)
    ms_stop_request(signal_stop);
  if (signal_loud)
    (void)!write(STDERR_FILENO, note, sizeof note - 1);
}

void ms_catch_signals(ms_stop *stop, bool loud)
{
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = stop ? on_signal : die_by_signal;
  action.sa_flags = SA_RESTART;
  signal_stop = stop;
  signal_loud = loud;
  signal_time = 0;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    if (signals[i] == SIGHUP) /* nobody is left to read what was found */
      action.sa_handler = die_by_signal;
    struct sigaction old;
    /* a job started in the background with signals ignored keeps ignoring them */
    if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
  }
}
