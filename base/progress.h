/* Progress with rate and time left.  On a terminal it is one line, redrawn in place and erased at
 * the end.  Elsewhere, as in the log of a batch job, it is one line a minute. */
#ifndef MS_BASE_PROGRESS_H
#define MS_BASE_PROGRESS_H

#include "motifsieve.h"

typedef struct ms_progress {
  int fd;         /* -1: nothing is drawn */
  bool terminal;  /* the line is redrawn */
  bool drawn;     /* a line was drawn on a terminal and must be erased */
  char what[48];  /* the unit that is counted */
  uint64_t first; /* number done when `what` was first seen, or began anew */
  uint64_t done;  /* number done at the last report */
  double begin;   /* seconds on the monotonic clock at that time */
  double last;    /* time of the last drawing, or of the start */
  double period;  /* seconds between two lines */
} ms_progress;

/* Shows progress on the descriptor if `wanted` is true. */
void ms_progress_start(ms_progress *progress, int fd, bool wanted);
/* Reports progress; an ms_progress_fn whose user pointer is an ms_progress. */
void ms_progress_report(void *progress, const char *what, uint64_t done, uint64_t total);
/* Erases the line of a terminal. */
void ms_progress_end(ms_progress *progress);

/* Writes the text of the line: "sieve: 12 of 48 (25 %), 3.1/s, 12 s left".  `done_since`
 * were done in the last `seconds`; total 0: unknown. */
void ms_progress_format(char *line, size_t bytes, const char *what, uint64_t done, uint64_t total,
                        uint64_t done_since, double seconds);

#endif
