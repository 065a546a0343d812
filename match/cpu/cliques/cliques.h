/* Counts of cliques of all sizes by pivots (Jain and Seshadhri, "The power of pivoting for exact
 * clique counting", WSDM 2020; PivotScale, 2025).
 *
 * Let the vertices be in degeneracy order: each is taken where it has the fewest neighbours among
 * those that are left.  A clique is found at its first vertex, its *root*, whose other vertices are
 * neighbours of the root behind it.  They are found by the tree of Bron and Kerbosch: among the
 * candidates P, a pivot u has the most neighbours.  A clique within P either has a vertex that is
 * not next to u, and the first one of these is held, or lies in u and its neighbours, and u is
 * *free*: it may be in the clique or not.  So a leaf with h vertices that are held and p that are
 * free stands for C(p, k - h) cliques of each size k, and no clique is visited.
 *
 * Two more rules end the tree early.  Candidates each of which lacks at most one other are free, or
 * in q pairs that exclude each other: the leaf is the polynomial x^h (1 + x)^p (1 + 2x)^q, whose
 * coefficient of x^k is the number of cliques of size k.  So a clique without a perfect matching,
 * whose tree has 2^q leaves otherwise, is one leaf.  And where only two or three more vertices
 * are wanted, the edges and triangles among the candidates are counted.  Leaves are tallied by (h,
 * p, q), so that no number of the search is large, and the sums of polynomials are numbers of any
 * size.
 *
 * A tree is small where cliques are large and overlap, and then the time does not depend on the
 * sizes that are asked for.  In other graphs it visits as much as a search (cpu/universe.h), or
 * more.  Nothing says before which it is: so a count goes on in rounds, and forecasts its end.
 *
 * Roots are taken in steps of the golden section, so that the roots of each round are spread over
 * the order and a forecast by their sizes is right on average.  A root with many candidates is cut
 * into parts, between whose vertices the vertices that are held first are dealt out. */
#ifndef MS_MATCH_CPU_CLIQUES_CLIQUES_H
#define MS_MATCH_CPU_CLIQUES_CLIQUES_H

#include "match/domains.h"
#include "match/engine.h"

struct ms_budget;

typedef struct ms_cliques_task {
  const ms_pattern_index *index; /* its rows of all neighbours */
  const ms_domain *domain;       /* vertices that may be in a clique; NULL: all */
  uint32_t least, most;     /* sizes that are asked for; 1 <= least <= most <= MS_MAX_PATTERN */
  const ms_stop *stop;      /* may be NULL */
  struct ms_budget *budget; /* NULL: no bound */
} ms_cliques_task;

typedef struct ms_cliques ms_cliques;

/* Returns the steps (probe.h) in which the vertices of the index are put in order. */
double ms_cliques_order_steps(const ms_pattern_index *index);
/* Puts the vertices in order.  MS_ERR_MEMORY: the budget has no room.  A stop ends it with the
 * status of the token.  The caller frees *out with ms_cliques_free. */
ms_status ms_cliques_new(const ms_cliques_task *task, ms_cliques **out, ms_error *err);
void ms_cliques_free(ms_cliques *cliques);

/* How a count runs. */
typedef struct ms_cliques_run {
  int threads;           /* at most this many */
  const ms_share *share; /* units (base/units.h); NULL: all */
  /* Reports the roots that are searched, from one thread; may be NULL. */
  ms_progress_fn progress;
  void *progress_user;
} ms_cliques_run;

/* Forgets what was counted, and begins again.  MS_ERR_MEMORY: there is no room for one thread. */
ms_status ms_cliques_begin(ms_cliques *cliques, const ms_cliques_run *run, ms_error *err);
/* Goes on until all is counted (*done), or about `round` further steps were made: then each root
 * that was begun is finished.  If that takes `most` further steps it is given up: *lost is set, and
 * the numbers are of no use.  A stop ends it with the status of the token; what is counted is then
 * right, and incomplete. */
ms_status ms_cliques_go_on(ms_cliques *cliques, double round, double most, bool *done, bool *lost,
                           ms_error *err);
/* Returns the steps that the count has taken since it began, and those that it is expected to take
 * further. */
double ms_cliques_spent(const ms_cliques *cliques);
double ms_cliques_left(const ms_cliques *cliques);
/* Adds the number of cliques of each size i, least <= i <= most, to sum[i]. */
ms_status ms_cliques_add(const ms_cliques *cliques, mpz_t *sum, ms_error *err);
/* Adds what was visited to the work, which may be NULL. */
void ms_cliques_add_work(const ms_cliques *cliques, ms_work *work);

#endif
