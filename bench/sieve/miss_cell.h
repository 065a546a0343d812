/* A cell of the miss-rate table: independent trials of one setting, counted. */
#ifndef MS_BENCH_MISS_CELL_H
#define MS_BENCH_MISS_CELL_H

#include "bench/sieve/planted.h"

typedef struct miss_cell {
  planted_setting setting;
  ms_recurrence recurrence;
  uint64_t trials;
  /* filled in by miss_cell_run */
  uint64_t misses;      /* trials whose vertex the repetition did not flag */
  uint64_t flags;       /* flags of all vertices, each compared with the truth */
  uint64_t false_flags; /* flags on vertices that are in no match */
  uint64_t undecided;   /* flags for which the search gave up */
  uint64_t redrawn;     /* graphs thrown away because nothing could be planted */
  uint64_t matches;     /* matches that hold the vertex: median of the first MISS_COUNTED trials */
  double expected;      /* mean of planted_expected; NAN if a trial has none */
} miss_cell;

/* Matches are counted up to MISS_MOST_MATCHES. */
enum { MISS_COUNTED = 101, MISS_MOST_MATCHES = 10000 };

/* Runs the trials of a cell.  Each trial has a graph, a plant, colours, a vertex and weights of its
 * own, all functions of (seed, setting, recurrence, number of the trial); no two trials of any
 * cells with one seed share the seed of their weights.  A trial is one repetition without pruning.
 * `threads` threads run the trials, each trial on one thread. */
ms_status miss_cell_run(miss_cell *cell, uint64_t seed, int threads, ms_error *err);

/* These two return the degree of the polynomial, 2k-1, and the degree that is left once the weights
 * that cannot matter are divided out: 2k-1 - colours (docs/MISS_RATE.md, "A tighter bound"). */
uint32_t miss_degree(const planted_setting *setting);
uint32_t miss_tight_degree(const planted_setting *setting);

/* Returns the bound 1-(1-p)^degree of one repetition, rounded up. */
double miss_bound(uint32_t degree);

typedef enum miss_verdict {
  MISS_FINE = 0,
  MISS_FALSE_FLAG,  /* a flagged vertex is in no match */
  MISS_ABOVE_BOUND, /* the lower end of the 95 % interval is above the bound */
  MISS_ABOVE_TIGHT, /* even at one in 10^6, the lower end is above the tighter bound */
  MISS_UNEXPECTED   /* at one in 10^6 per side, the rate is not what theory expects */
} miss_verdict;

miss_verdict miss_cell_judge(const miss_cell *cell);
const char *miss_verdict_text(miss_verdict verdict);

#endif
