/* Where a count begins once a GPU has started in this process: on the GPU, unless it is so short
 * that processors are done before a launch is.  Processors do not begin and pass on what they do
 * not finish: in the sweeps on an H100 (bench/results/sweep-all-h100.txt), counts that began on 16
 * threads and went on on the GPU took up to five times as long as counts that the GPU had alone,
 * and no count of less than a millisecond gained from the processors by more than it might lose. */
#ifndef MS_MATCH_BEGIN_CHOICE_H
#define MS_MATCH_BEGIN_CHOICE_H

#include <stdbool.h>

/* Seconds of a count on a GPU that holds the graph, where colours or conditions restrict some
 * vertices, and of one where none is: the first one has domains to make and to copy. */
#define MS_BEGIN_RESTRICTED 0.5e-3
#define MS_BEGIN_WHOLE 25e-6
/* What threads are expected to gain in so short a search.  They take time to begin, and estimates
 * are too low where degrees are skewed.  With this number auto did well in the sweep on an H100
 * with 16 threads (bench/results/sweep-h100.txt); other numbers were not tried. */
#define MS_BEGIN_SPEEDUP 2.0

typedef struct ms_begin {
  double steps;    /* estimated steps (probe.h) of one thread of processors */
  double start;    /* steps of one thread in MS_BEGIN_RESTRICTED, or another number in tests */
  int threads;     /* of processors */
  bool restricted; /* some vertex has another domain than all vertices of at least its degree */
} ms_begin;

/* Returns the steps of one thread up to which a count begins on processors. */
double ms_begin_limit(const ms_begin *begin);
/* True if the count begins on the GPU. */
bool ms_begins_on_gpu(const ms_begin *begin);

#endif
