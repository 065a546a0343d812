/* Where a count begins once a GPU has started in this process: on the GPU, unless it is so short
 * that processors are done before a launch is.  Processors do not begin and pass on what they do
 * not finish: on an H100 (bench/pattern_sweep.sh), counts that begin on 16 threads and continue on
 * the GPU take up to five times as long as counts that the GPU has alone, and no count of less than
 * a millisecond gains from the processors by more than it may lose. */
#ifndef MS_MATCH_COUNT_BEGIN_CHOICE_H
#define MS_MATCH_COUNT_BEGIN_CHOICE_H

#include "match/domains.h"

/* Seconds that a count on a GPU that holds the graph takes at least, where colours or conditions
 * restrict some vertices, and where none is: the first one has domains to copy.  Without
 * MS_BEGIN_PARTIAL and with a limit of 0.2, 0.1, 0.05 or 0.02 ms, auto is within 1.3 times of the
 * best engine on 88 to 90 % of 380 rows with colours on an H100: the limit matters little. */
#define MS_BEGIN_RESTRICTED 0.1e-3
#define MS_BEGIN_WHOLE 25e-6
/* A count of a pattern whose domains say that a search visits more partial matches than this
 * (ms_expected_partial_matches) is on the GPU before anything else is planned: the plan by factors
 * alone takes 0.15 to 0.6 ms, as long as many such counts on the GPU.  By the times of these rows,
 * with 100, 6 of 347 would be slower by more than 1.3 times, with 300 twelve, with no such rule 46.
 */
#define MS_BEGIN_PARTIAL 100.0
/* What threads are expected to gain in so short a search.  They take time to begin, and estimates
 * are too low where degrees are skewed.  With this number auto is within 1.3 times of the best
 * engine on 98.8 % of a sample of rows on an H200 with 16 threads
 * (bench/results/sweep-sample-h200.txt). */
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

/* Returns how many partial matches a search visits that begins with the vertex of the smallest
 * domain and goes on with the smallest one that is adjacent to it and the others before it, if
 * neighbours fall into domains as often as all ends of edges do: an edge to a further neighbour
 * that is matched is not taken into account. It reads no rows. */
double ms_expected_partial_matches(const ms_pattern_index *index, const ms_shape *shape,
                                   const ms_domain *domain);

#endif
