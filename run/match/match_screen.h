/* The sieve in front of a search for a pattern, as plain and typed patterns share it. */
#ifndef MS_RUN_MATCH_SCREEN_H
#define MS_RUN_MATCH_SCREEN_H

#include "run/match/match.h"

/* What plain and typed patterns do differently. */
typedef struct ms_screen_kind {
  bool (*has_colors)(const ms_match_run *m); /* false: the sieve would flag every connected set */
  /* True if the pattern vertex has a colour of its own, false if it is a wildcard. */
  bool (*has_slot)(const ms_match_run *m, uint32_t i);
  double (*seconds)(const ms_match_run *m); /* estimated time of the sieve and its inputs */
  /* Computes the domains; `allowed` as in ms_domains_on.  The run may have domains already. */
  ms_status (*find_domains)(ms_match_run *m, const uint64_t *allowed, ms_domains *out,
                            ms_error *err);
  /* Runs the sieve by ms_match_sieve; hits[v] and kept[v] of the result's screen are those of
   * vertices of the searched graph.  It stays NULL if some pattern vertex has no candidates. */
  ms_status (*sieve)(ms_match_run *m, ms_error *err);
} ms_screen_kind;

/* Decides whether the sieve would run first, and computes the domains without it. */
ms_status ms_match_screen_decide(ms_match_run *m, const ms_screen_kind *kind,
                                 ms_screen_decision *decision, ms_error *err);
/* Decides whether the sieve runs first, runs it, and computes the domains that are left.  If they
 * change, a plan that was made before is freed.  Fills screen, screen_reason and region_vertices
 * of the result. */
ms_status ms_match_screen(ms_match_run *m, const ms_screen_kind *kind, ms_error *err);
/* Runs the sieve for a motif.  Fills the result's screen, whose vertices are those of this graph,
 * and `stopped` of the run.  required[m->required.n] are names of vertices of this graph. */
ms_status ms_match_sieve(ms_match_run *m, const ms_graph *graph, const ms_coloring *coloring,
                         const ms_motif *motif, const char *const *required, ms_error *err);
/* Estimates the seconds of a sieve that reads this number of arcs. */
double ms_match_sieve_seconds(const ms_match_run *m, double arcs);

#endif
