/* Progress: the phase of a run, how much of it is done, and how long it takes.  On a terminal it is
 * one line, redrawn in place and erased at the end.  Elsewhere, as in the log of a batch job, it is
 * one line a minute.  A thread redraws the line, so that it also goes on while nothing is reported.
 *
 * The time left is that of the phase.  It is shown once its prediction has been steady for a while,
 * and it is held to its word: when a phase takes more than twice as long as was shown (and a
 * second), no time is shown until the phase has lasted twice as long as at that moment.
 *
 * Of a long run, a forecast has a line of its own, which stays: before the work, if its time can be
 * predicted (ms_progress_forecast), or else the first time left.  If the work takes more than twice
 * as long as its forecast, the line of progress says so. */
#ifndef MS_BASE_PROGRESS_H
#define MS_BASE_PROGRESS_H

#include "motifsieve.h"

#include <pthread.h>

#define MS_PROGRESS_LONG 20.0 /* seconds of a long run */

typedef enum ms_forecast_kind {
  MS_FORECAST_ABOUT,
  MS_FORECAST_LEAST,
  MS_FORECAST_MOST
} ms_forecast_kind;

typedef struct ms_progress {
  int fd;        /* 0, as before the start: nothing is drawn */
  bool terminal; /* the line is redrawn */
  bool drawn;    /* a line was drawn on a terminal and must be erased */
  double start;  /* seconds on the monotonic clock when the job began */
  double last;   /* time of the last drawing, or of the start */
  double period; /* seconds between two lines */

  char what[48];        /* the unit that is counted in this phase */
  uint32_t pass;        /* 1; one more each time that the number done falls */
  uint64_t first;       /* number done when the phase, or its pass, was first seen */
  uint64_t done, total; /* of the last report; total 0: unknown */
  double begin, rise;   /* times of the first report of the phase, and of the last rise of `done` */

  double end, since; /* a prediction of the end of the phase, and when it was made */
  double due;        /* when the shown time left is contradicted; INFINITY: none is shown */
  double silent;     /* no time left is shown before */
  bool told;         /* that the run is long */
  double forecast;   /* when the forecast is contradicted; INFINITY: there is none */

  bool ticks; /* a thread redraws the line; the members below are for it */
  bool stops;
  pthread_t ticker;
  pthread_mutex_t lock;
  pthread_cond_t wake;
} ms_progress;

/* Shows progress on the descriptor if `wanted` is true, first that inputs are read.  The progress
 * must stay where it is until its end. */
void ms_progress_start(ms_progress *progress, int fd, bool wanted);
/* Reports progress; an ms_progress_fn whose user pointer is an ms_progress.  Total and done 0: a
 * phase of which nothing is counted. */
void ms_progress_report(void *progress, const char *what, uint64_t done, uint64_t total);
/* Says how long the work takes that begins now, such as "the count", if that is long and the
 * function is ms_progress_report.  0 seconds: the work has ended, or its time is not known. */
void ms_progress_forecast(const ms_run_limits *run, const char *work, double seconds,
                          ms_forecast_kind kind);
/* True if a forecast would be shown: only then need it be made. */
bool ms_progress_wants_forecast(const ms_run_limits *run);
/* Erases the line of a terminal, and ends the thread. */
void ms_progress_end(ms_progress *progress);
/* Erases the line that is drawn now, so that a message can be written in its place. */
void ms_progress_make_way(void);

/* ---- with a given time, for tests -------------------------------------------- */

/* Forgets all phases. */
void ms_progress_reset(ms_progress *progress, double now);
/* Notes a report. */
void ms_progress_note(ms_progress *progress, double now, const char *what, uint64_t done,
                      uint64_t total);
/* Writes the text of the line: "sieve: 12 of 48 (25 %), 3.1/s, 12 s left in this phase", or the
 * time since the start instead of the time left. */
void ms_progress_text(ms_progress *progress, double now, char *line, size_t bytes);
/* Writes a time for a forecast, with one digit: "about 4 minutes", "at least 30 s", "up to
 * about 2 hours". */
void ms_progress_forecast_text(double seconds, ms_forecast_kind kind, char *text, size_t bytes);
/* Notes a forecast at a time. */
void ms_progress_note_forecast(ms_progress *progress, double now, const char *work, double seconds,
                               ms_forecast_kind kind);
/* Draws the line if it is time for that. */
void ms_progress_draw(ms_progress *progress, double now);

#endif
