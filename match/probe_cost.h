/* What the parts of a search cost under a partial match, in steps (probe.h).  The runner has the
 * partial match and its sets. */
#ifndef MS_MATCH_PROBE_COST_H
#define MS_MATCH_PROBE_COST_H

#include "match/cpu/runner.h"

/* Of local programs (cpu/universe.h), whose sets are bits. */
typedef struct ms_probe_local {
  bool local;  /* the program is one */
  bool simple; /* and its last level is one loop that counts ones */
  bool upper;  /* and its rows have the larger neighbours alone */
} ms_probe_local;
ms_probe_local ms_probe_local_of(const ms_program *program);

/* Returns the cost of the sets of a level as lists, up to the first one that is too small, and adds
 * the lengths of their shorter lists to *ids, and what processors take besides to find and cut rows
 * to *rows. */
double ms_probe_cost_of_sets(const ms_runner *runner, uint32_t level, double *ids, double *rows);
/* The same of a local program, as bits. */
double ms_probe_cost_of_bit_sets(const ms_runner *runner, const ms_probe_local *local,
                                 uint32_t level);

/* Returns the number of paths from the current root, and sets *middles to the number of rows that
 * they go through. If there are many rows, a regular sample is read. */
double ms_probe_cost_of_table(const ms_runner *runner, double *middles);
/* Returns what processors take besides to find so many of these rows. */
double ms_probe_cost_of_middles(double middles);

/* Returns the cost of the tail's sum, of sets that are lists. */
double ms_probe_cost_of_tail(const ms_runner *runner);
/* The same of a local program whose tail is not simple, as bits. */
double ms_probe_cost_of_bit_tail(const ms_runner *runner);

#endif
