/* What a sieve run cannot do without, counted from the problem: for the floor
 * of `bench sieve`, and to guess how long a run takes. */
#ifndef MS_SIEVE_COST_H
#define MS_SIEVE_COST_H

#include "sieve/problem.h"

/* Of one (repetition, variant), in blocks of 2^inner points.  A line is one
 * value at all points of a block, a byte each. */
typedef struct ms_sieve_work {
  double live_vertices, live_arcs; /* summed over blocks */
  double products;                 /* of lines */
  double row_lines;                /* read over arcs, at random */
  double state_lines;              /* private ones, read or written in order */
} ms_sieve_work;

/* Every arc is counted: inner, the logarithm of points a block, is at most the
 * size; scale_at_head as in ms_sieve_kernel (sibling recurrence only). */
ms_sieve_work ms_sieve_count(const ms_sieve_problem *problem, uint32_t inner,
                             uint32_t scale_at_head);
/* The same from about 16384 of the vertices and of the arcs, taken from all over
 * the graph. */
ms_sieve_work ms_sieve_count_quickly(const ms_sieve_problem *problem, uint32_t inner,
                                     uint32_t scale_at_head);

#endif
