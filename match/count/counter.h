/* The state of a count, which the ways to count (count.h) share.
 *
 * A way to count needs the numbers of maps of other shapes, and asks the counter for them: it calls
 * counter->count, which is the function of count.c, so that no file needs one that needs it. */
#ifndef MS_MATCH_COUNT_COUNTER_H
#define MS_MATCH_COUNT_COUNTER_H

#include "base/status.h"
#include "match/count/count.h"
#include "match/count/count_choice.h"
#include "match/count/shape_memo.h"

/* ---- estimates ------------------------------------------------------------------------------- */

/* What a count expects of the shapes that it may need.
 *
 * A count at a hinge needs the numbers of maps of its gluings, each of which may be counted at a
 * hinge, too, and so on.  To estimate each of them afresh wherever it is needed would take time
 * exponential in the size of the shape.  So each shape is estimated once: its own steps, and the
 * shapes that it needs in turn.  The steps of a sum are then the steps of all shapes that
 * can be reached from its terms.  Each shape is taken once, as a count takes it (shape_memo.h). */

#define MS_ESTIMATES                                                                               \
  4096u /* the most shapes; further ones are estimated wherever they are needed */
#define MS_NO_ESTIMATE UINT32_MAX

typedef struct ms_estimate {
  ms_shape_key key;
  double steps; /* of this shape alone, without the shapes that it needs */
  /* Hinges were compared with a search.  Then `hinge` is the place of the best one in the list
   * that hinge.c makes, and at_hinge its steps, with all that it needs and the time to plan them;
   * MS_NO_ESTIMATE, and infinite: a search is shorter. */
  bool compared;
  uint32_t hinge;
  double at_hinge;
  uint32_t *need; /* [needs] numbers of estimates */
  uint32_t needs, room;
} ms_estimate;

/* Estimates of shapes that share one set of domains. */
typedef struct ms_estimates {
  ms_estimate *of; /* [count] */
  uint32_t count, room;
  double spent;             /* steps that planning took */
  ms_count_choices choices; /* of ways to count the shapes */
  double most;              /* once it has taken so many, no further ways are compared */
} ms_estimates;

void ms_estimates_free(ms_estimates *estimates);
/* Returns the number of the shape's estimate, or MS_NO_ESTIMATE. */
uint32_t ms_estimates_find(const ms_estimates *estimates, const ms_shape_key *key);
/* Appends an estimate of no steps for this key.  There are fewer than MS_ESTIMATES. */
ms_status ms_estimates_add(ms_estimates *estimates, const ms_shape_key *key, ms_error *err);
/* Notes that the shape of one estimate needs that of another one. */
ms_status ms_estimates_need(ms_estimates *estimates, uint32_t number, uint32_t needed,
                            ms_error *err);

/* ---- the counter ----------------------------------------------------------------------------- */

typedef struct ms_counter ms_counter;
/* Sets maps to the number of maps of the shape. */
typedef ms_status ms_counter_fn(ms_counter *counter, const ms_shape *shape, mpz_t maps);

struct ms_counter {
  const ms_count_query *query;
  ms_error *err;
  ms_counter_fn *count;
  bool names_shapes; /* the pattern has at most 64 vertices, so that `kind` is known */
  /* [pattern vertices] one bit; equal if and only if the domains are equal */
  uint64_t kind[64];
  ms_shape_memo memo; /* memo of shapes that are not induced; the owner frees it */
  bool shares;        /* `kind` has bits of the query's shared numbers, whose memo is used */
  ms_count_report report;
  bool explains; /* nothing is counted: a way is chosen, and it is said which */
  bool is_wide;  /* the domains are widened, and terms of its terms have the same domains */
  ms_estimates *estimates;          /* of shapes with these domains; NULL: none are kept */
  uint32_t current;                 /* the one that is being made, or MS_NO_ESTIMATE */
  uint64_t seen[MS_ESTIMATES / 64]; /* one bit for each estimate that is in the report */
  uint32_t n_seen;
};

/* Counts the terms of a sum.  Their domains are the pattern's domains, which are widened first. */
typedef struct ms_term_counter {
  ms_counter c;
  ms_count_query query;
  ms_domains domains;
  ms_estimates own; /* the estimates of c, unless it is a counter of terms of terms */
  double *planning; /* as in the query of the counter that counts the shape */
} ms_term_counter;

/* Prepares a counter for all shapes that have the vertices of the pattern, or some of them merged
 * or left out. */
void ms_counter_init(ms_counter *counter, const ms_count_query *query, ms_counter_fn *count,
                     ms_error *err);
/* Prepares a counter of terms of this shape, which `of` counts.  It points at itself, and so stays
 * where it is. */
void ms_terms_init(ms_term_counter *terms, const ms_counter *of, const ms_shape *shape);
/* Bounds the steps that planning may take from now on to find out whether a way is shorter than
 * another one of so many steps. */
void ms_terms_bound_planning(ms_term_counter *terms, double steps);
/* True if planning may go on: that bound is not reached, and there is room for estimates. */
bool ms_counter_may_plan(const ms_counter *counter);
void ms_terms_free(ms_term_counter *terms);
/* Lets the counter use these estimates, which have its domains; NULL: it has none. */
void ms_counter_take_estimates(ms_counter *counter, ms_estimates *estimates);
/* Sets the key of a shape in memos and estimates.  False: it has none. */
bool ms_counter_key(const ms_counter *counter, const ms_shape *shape, ms_shape_key *key);
/* Returns the memo that the counter uses for a shape; estimates are not shared. */
ms_shape_memo *ms_counter_memo(ms_counter *counter, const ms_shape *shape);
/* Adds the steps of an estimate, and of all that it needs, to the report, if they are not there. */
void ms_counter_see(ms_counter *counter, uint32_t number);
/* Sets label[MS_MEMO_VERTICES] to the kinds of the vertices of a shape, which is the same for the
 * same intersection of domains. */
void ms_counter_label(const ms_counter *counter, const ms_shape *shape, uint64_t *label);

/* The sum to which the maps of quotients or gluings are added. */
typedef struct ms_maps_sum {
  ms_counter *c;
  mpz_ptr sum;
} ms_maps_sum;
/* Adds the maps of a shape to the sum `user`: an ms_quotient_fn. */
ms_status ms_maps_add(void *user, const ms_shape *shape);

#endif
