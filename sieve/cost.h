/* Counts the operations and bytes that a sieve run must do, from the problem alone:
 * the floor that `bench/experiments` prints, and the basis of time estimates. */
#ifndef MS_SIEVE_COST_H
#define MS_SIEVE_COST_H

#include "sieve/kernels/kernel.h"

/* Counts for one (repetition, variant) in blocks of 2^inner points.  A line is one
 * field element, a byte, for each point of a block. */
typedef struct ms_sieve_work {
  double live_vertices, live_arcs; /* sums over blocks */
  double vertex_lines, arc_lines;  /* lines that they have, and that their heads have */
  double products;                 /* number of products of lines */
  double row_lines;                /* lines that are read at random, over arcs */
  double state_lines;              /* private lines that are read or written in order */
} ms_sieve_work;

/* How vertices use lines.  All but the first are for the sibling recurrence. */
typedef enum ms_sieve_lines {
  MS_SIEVE_WHOLE,    /* each has a line */
  MS_SIEVE_HALVED,   /* two may share a line (sieve/halves.h) */
  MS_SIEVE_QUADRATIC /* the same, and step 2 reads forms in place of arcs (sieve/quadratic.h) */
} ms_sieve_lines;

/* Returns how the blocks of a shape use them. */
ms_sieve_lines ms_sieve_lines_of(const ms_sieve_shape *shape);

/* Counts exactly, over every arc.  inner: log2 of the points in a block, at most the
 * size; scale_at_head: as in ms_sieve_kernel (sibling recurrence only). */
ms_sieve_work ms_sieve_count(const ms_sieve_problem *problem, uint32_t inner,
                             uint32_t scale_at_head, ms_sieve_lines lines);
/* Estimates the same counts from a sample of about 16384 vertices and arcs. */
ms_sieve_work ms_sieve_count_quickly(const ms_sieve_problem *problem, uint32_t inner,
                                     uint32_t scale_at_head, ms_sieve_lines lines);

#endif
