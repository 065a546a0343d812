/* The plan of one way to count a small shape (count_ways.h), which may be that of an inner pattern.
 * This file has also what count.h says of plans that are already made. */
#ifndef MS_MATCH_COUNT_COUNT_CHOICE_H
#define MS_MATCH_COUNT_COUNT_CHOICE_H

#include "match/count/count_cost.h"
#include "match/domains.h"

/* Sets the facts of the estimator's graph and shape. */
void ms_count_plan_input(const ms_count_estimator *e, ms_order order, ms_plan_input *input);
/* Sets the vertices that come last, and the levels with constraints, by the options of the plan.  A
 * tail of one vertex keeps all constraints of the group.  With priority, every tail keeps those of
 * the root. */
void ms_count_plan_set_last(const ms_shape *shape, ms_count_plan *plan, ms_plan_input *input);
/* Makes the plan of a choice.  out->options has the choice's inner plan, if there is one, and says
 * whether tables may be used. */
ms_status ms_count_plan_of_choice(const ms_count_choice *choice, const ms_shape *shape,
                                  ms_plan_input *input, ms_count_plan *out, ms_error *err);

/* Multiplies maps by the number of automorphisms that the constraints of the plan, whose program is
 * made, break: each match that its program counts stands for as many maps. */
void ms_count_multiply_back(const ms_count_plan *plan, mpz_t maps);

/* ---- where a count begins -------------------------------------------------------------------- */

/* Where a count begins once a GPU has started in this process: on the GPU, unless it is so short
 * that processors are done before a launch is.  Processors do not begin and pass on what they do
 * not finish: on an H100 (bench/pattern_sweep.sh), counts that begin on 16 threads and continue on
 * the GPU take up to five times as long as counts that the GPU has alone, and no count of less than
 * a millisecond gains from the processors by more than it may lose. */

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

/* Returns how many partial matches a search visits that begins with the vertex of the smallest
 * domain and goes on with the smallest one that is adjacent to it and the others before it, if
 * neighbours fall into domains as often as all ends of edges do: an edge to a further neighbour
 * that is matched is not taken into account. It reads no rows. */
double ms_expected_partial_matches(const ms_pattern_index *index, const ms_shape *shape,
                                   const ms_domain *domain);

/* ---- choices that are kept ------------------------------------------------------------------- */

/* The choices that a count has made of ways to count small shapes, for its next shares.
 *
 * Each share of a count is planned like the first one (leaves.h).  On a GPU the probes of a plan
 * may take as long as the search of a share, so a run keeps what they found.  A choice is found
 * again by all that it depends on in one run, so that a share which finds it makes the plan that a
 * share without it would have made.  A count on processors that has no shares plans a shape by the
 * choice that it made when it estimated the shape. */

/* A choice, and what the plan says of its cost. */
typedef struct ms_count_chosen {
  ms_count_choice choice;
  double cost, planning; /* as in ms_count_plan */
  bool weighed;          /* as in ms_count_plan */
} ms_count_chosen;

/* All choices of one count, or of its estimates, whose index, order and planner are always the
 * same. */
typedef struct ms_count_choices {
  struct ms_kept_choice *kept; /* [count]; NULL: none */
  uint32_t count, room;
  bool by_shape;  /* whatever the effort of probes, and whether it is for an estimate */
  uint64_t found; /* how often one was found again */
  /* Of cliques that are counted by pivots (count_cliques.c): a checksum of what they are, and what
   * the report says of them; pivots 0: there are none. */
  uint32_t cliques;
  double pivots, instead_of;
} ms_count_choices;

/* Sets *out to the choice for the shape, of at most MS_COUNT_SMALL vertices and without labels, and
 * domain[shape->n].  False: there is none yet, or `choices` is NULL. */
bool ms_count_choices_find(ms_count_choices *choices, const ms_count_query *query,
                           const ms_shape *shape, const ms_domain *domain, ms_count_chosen *out);
/* Keeps a choice for the same, unless `choices` is NULL or there is no memory for it. */
void ms_count_choices_keep(ms_count_choices *choices, const ms_count_query *query,
                           const ms_shape *shape, const ms_domain *domain,
                           const ms_count_chosen *chosen);
void ms_count_choices_free(ms_count_choices *choices);

#endif
