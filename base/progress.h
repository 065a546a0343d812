/* A progress line for a terminal: one line on a stream, redrawn in place with
 * rate and time left, and erased at the end.  Nothing is drawn if the stream is no
 * terminal. */
#ifndef MS_BASE_PROGRESS_H
#define MS_BASE_PROGRESS_H

#include "motifsieve.h"

#include <stdio.h>

typedef struct ms_progress {
  FILE *stream;   /* NULL: nothing is drawn */
  bool drawn;     /* a line was drawn and must be erased */
  char what[48];  /* the unit that is counted */
  uint64_t first; /* number done when `what` was first seen, or began anew */
  uint64_t done;  /* number done at the last report */
  double begin;   /* seconds on the monotonic clock at that time */
  double last;    /* time of the last drawing */
} ms_progress;

/* Shows progress on `stream` if `wanted` is true and the stream is a terminal. */
void ms_progress_start(ms_progress *progress, FILE *stream, bool wanted);
/* Reports progress; an ms_progress_fn whose user pointer is an ms_progress. */
void ms_progress_report(void *progress, const char *what, uint64_t done, uint64_t total);
/* Erases the line. */
void ms_progress_end(ms_progress *progress);

/* Writes the text of the line: "sieve: 12 of 48 (25 %), 3.1/s, 12 s left".  `done_since`
 * were done in the last `seconds`; total 0: unknown. */
void ms_progress_format(char *line, size_t bytes, const char *what, uint64_t done, uint64_t total,
                        uint64_t done_since, double seconds);

#endif
