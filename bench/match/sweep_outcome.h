/* What a sweep keeps of one way to count in one row, and what is made of it: the floor of its time
 * (sweep_floor.c), the comparison with the others (sweep_compare.c). */
#ifndef MS_BENCH_SWEEP_OUTCOME_H
#define MS_BENCH_SWEEP_OUTCOME_H

#include "bench/match/sweep.h"

/* How an engine counts a pattern, and the probe of the program that it runs. */
typedef struct sweep_figures {
  const char *way;   /* as plans call it (match/count/count.c), or inner; nothing: no domain */
  double domains_ms; /* to find the domains */
  double plan_ms;    /* to choose the way, and to compile the plan of the pattern itself */
  double quotients;  /* estimated steps of the smaller shapes that are counted, too */
  uint32_t prefix, groups; /* levels that are visited; groups of the tail */
  bool product, table;
  bool rows_of_roots; /* the candidates of the second level are the rows of the roots */
  double roots, nodes, candidates, set_steps; /* sums over the levels, but for the roots */
  double ids, visited; /* sums over the levels that are computed anew for each partial match */
  double second;       /* candidates of the second level */
  double inner;        /* estimated steps in the graphs of an inner pattern */
  double graph_bytes;  /* of the index, where no program or sum is known that reads a part of it */
  ms_probe probe;
} sweep_figures;

typedef struct sweep_outcome {
  ms_status status;
  int runs;                    /* that ended */
  double took[SWEEP_RUNS + 1]; /* [runs] milliseconds, like all times here */
  double first, best, median, spent;
  char *maps;   /* NULL: no run ended */
  bool differs; /* a later run of this engine found another count */
  ms_count_report report;
  ms_work work; /* of the first run */
  sweep_figures figures;
  sweep_floor floor;
  ms_error error;
} sweep_outcome;

/* Sets the floor of a count from its figures. */
void sweep_floor_of(const sweep_rates *rates, const sweep_figures *figures, sweep_floor *out);

/* Returns the first count that one of o[n] found, or NULL; *wrong receives whether another one, or
 * another run of one, found a different count. */
const char *sweep_compare(const sweep_outcome *o, uint32_t n, bool *wrong);
/* Returns the number of the outcome with the shortest median, or n if none ended. */
uint32_t sweep_fastest(const sweep_outcome *o, uint32_t n);
/* Adds the ratios of the times in o[s->engines] to the best one.  A way that did not end in time is
 * not part of the geometric mean; its ratio is at least that of its time so far. */
void sweep_add_ratios(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const sweep_outcome *o, sweep_totals *totals);
/* Adds how many times its floor the fastest way took, and what bounds the row. */
void sweep_add_floor(const sweep_outcome *fastest, sweep_totals *totals);
/* The words of sweep_totals.bound. */
extern const char *const sweep_bounds[SWEEP_BOUNDS];

#endif
