/* What a count expects of the shapes that it may need.
 *
 * A count at a hinge needs the numbers of maps of its gluings, each of which may be counted at a
 * hinge, too, and so on.  To estimate each of them afresh wherever it is needed would take time
 * exponential in the size of the shape.  So each shape is estimated once: its own steps, and the
 * shapes that it needs in turn.  The steps of a sum are then the steps of all shapes that
 * can be reached from its terms.  Each shape is taken once, as a count takes it (shape_memo.h). */
#ifndef MS_MATCH_COUNT_ESTIMATES_H
#define MS_MATCH_COUNT_ESTIMATES_H

#include "base/status.h"
#include "match/count/count_choices.h"
#include "match/count/shape_memo.h"

#define MS_ESTIMATES                                                                               \
  4096u /* the most shapes; further ones are estimated wherever they are needed */
#define MS_NO_ESTIMATE UINT32_MAX

typedef struct ms_estimate {
  ms_shape_key key;
  double steps; /* without those of the shapes that it needs */
  /* Hinges were compared with a search.  Then `hinge` is the place of the best one in the list of
   * ms_hinge_find, and at_hinge its steps, with all that it needs and the time to plan them;
   * MS_NO_ESTIMATE, and infinite: a search is shorter. */
  bool compared;
  uint32_t hinge;
  double at_hinge;
  uint32_t *need; /* [needs] numbers of estimates */
  uint32_t needs, room;
} ms_estimate;

/* Estimates of shapes whose domains are those of one set of domains. */
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

#endif
