/* The choices that a count has made of ways to count small shapes, for its next shares.
 *
 * Each share of a count is planned like the first one (leaves.h).  On a GPU the probes of a plan
 * may take as long as the search of a share, so a run keeps what they found.  A choice is found
 * again by all that it depends on in one run, so that a share which finds it makes the plan that a
 * share without it would have made.  A count on processors that has no shares plans a shape by the
 * choice that it made when it estimated the shape. */
#ifndef MS_MATCH_COUNT_COUNT_CHOICES_H
#define MS_MATCH_COUNT_COUNT_CHOICES_H

#include "match/count/count_cost.h"

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
