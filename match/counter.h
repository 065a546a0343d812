/* The state of a count, which the ways to count (count.h) share.
 *
 * A way to count needs the numbers of maps of other shapes, and asks the counter for them: it calls
 * counter->count, which is the function of count.c, so that no file needs one that needs it. */
#ifndef MS_MATCH_COUNTER_H
#define MS_MATCH_COUNTER_H

#include "match/count.h"
#include "match/shape_memo.h"

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
  ms_count_report report;
};

/* Counts the terms of a sum.  Their domains are the pattern's domains, which are widened first. */
typedef struct ms_term_counter {
  ms_counter c;
  ms_count_query query;
  ms_domains domains;
} ms_term_counter;

/* Prepares a counter for all shapes whose vertices are those of the pattern, or some of them
 * merged. */
void ms_counter_init(ms_counter *counter, const ms_count_query *query, ms_counter_fn *count,
                     ms_error *err);
/* Prepares a counter of terms of this shape, which `of` counts.  It points at itself, and so stays
 * where it is. */
void ms_terms_init(ms_term_counter *terms, const ms_counter *of, const ms_shape *shape);
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
