/* Estimates the time of a search from a sample of its partial matches.
 *
 * A random walk that chooses one candidate at each level (Knuth, "Estimating the efficiency of
 * backtrack programs", Mathematics of Computation 29, 1975) is right on average.  But if most
 * branches end early, most walks end early too, and the few long branches that hold the whole
 * search are not seen.  So the probe takes many partial matches through the levels together
 * (stochastic enumeration: Rubinstein, Methodology and Computing in Applied Probability 15, 2013;
 * Vaisman and Kroese, 2017).  At each level it tests candidates of all its partial matches, and
 * draws among those that fit a population of bounded size.  A branch that ends is replaced by
 * another that goes on.  A vertex is drawn with a probability that grows with the lengths of the
 * rows that later levels read, and its weight is divided by that probability, so every sum stays
 * right on average. The draws are systematic (equally spaced in the order of the search) and thus
 * spread over the whole search.  If a level has no more partial matches than the population holds,
 * all of them are kept: a small search is visited completely, and its figures are exact. */
#ifndef MS_MATCH_PROBE_H
#define MS_MATCH_PROBE_H

#include "match/cpu/program.h"

/* Costs in steps, which take MS_STEP_SECONDS on one thread of a processor of 2024. */
#define MS_STEP_SECONDS 2e-9
/* Returns how many times as fast as one thread so many threads are expected to be.  With 16 for 16
 * threads of one host, estimates were 1.8 times too low in the median of 43 counts
 * (bench/pattern_sweep.sh). */
double ms_step_speedup(int threads);
#define MS_COST_VISIT 2.0   /* cost of a partial match */
#define MS_COST_SET 16.0    /* cost of starting an intersection */
#define MS_COST_ELEMENT 0.5 /* cost of each element of both sets */

typedef struct ms_probe {
  double visits;  /* candidates that are read, except those of the last level */
  double last;    /* candidates of the last level that is visited */
  double matches; /* matches of the levels that are visited */
  double steps;   /* of the search: visits, sets, the table, the tail */
  double lists; /* the same if the sets of a local program (cpu/universe.h) were lists, and without
                   finding and cutting rows: as for what weighs programs on GPUs */
  double spent; /* steps that the probe itself took */
  bool exact;   /* nothing was drawn: the figures are those of the search */
  double nodes[MS_MAX_PATTERN];      /* [prefix] partial matches up to each level */
  double candidates[MS_MAX_PATTERN]; /* [prefix] candidates that are read for each level */
  double sets[MS_MAX_PATTERN]; /* [prefix] steps for the sets that each level's matches complete */
  /* [prefix] ids of the shorter list of each operation of these sets: lists cannot be intersected
   * without a look at each of them.  Of local programs, a 64th: one word has so many bits */
  double ids[MS_MAX_PATTERN];
  double paths;   /* paths of length two that the table counts */
  double middles; /* rows that the table reads: one for each middle of these paths */
} ms_probe;

/* Takes a population of at most this size through the levels, or fails with MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED if `stop` (may be NULL) ends it.  The same seed gives the same figures.
 * parent[prefix] is the level before each level in a tree of levels (count/factor.h); NULL: the
 * levels form a chain. */
ms_status ms_probe_search(const ms_program *program, const uint8_t *parent, uint32_t population,
                          uint64_t seed, const ms_stop *stop, ms_probe *out, ms_error *err);

/* How many steps a probe may take: a fiftieth of the search that it finds, and in any case not
 * fewer than `least` and not many more than `most`. */
typedef struct ms_probe_effort {
  double least, most;
  const ms_stop *stop; /* may be NULL */
} ms_probe_effort;

/* The usual effort: a tenth of a second makes a long search's estimate good enough. */
#define MS_PROBE_STEPS 5e7

/* Enlarges the population as long as the effort allows it.  If the token stops the probe, the
 * figures are those up to then. */
ms_status ms_probe_closely(const ms_program *program, const uint8_t *parent, ms_probe_effort effort,
                           uint64_t seed, ms_probe *out, ms_error *err);

/* Returns the steps of a search that finds as many partial matches as domains and rows allow.  It
 * is quick, and often far too large: a search whose bound is small needs no probe. */
double ms_probe_bound(const ms_program *program);
/* Returns the steps of a search in which every row has the mean length of the rows at the ends of
 * edges, and holds of a level's domain the share that the domain is of all vertices.  It is as
 * quick as the bound, and may be too low where degrees are skewed or neighbours are alike. */
double ms_probe_mean(const ms_program *program);

#endif
