/* The inexact matcher (MTGL 2007).  It finds walks in the graph that are
 * type-isomorphic to a walk through the pattern, and scores how much of the
 * pattern they keep.
 *
 * Let p_0 .. p_L be the pattern's walk and v_0 .. v_L a type-isomorphic walk in
 * the graph.  A pattern vertex is mapped to the vertex where the walk stands
 * when it first visits the pattern vertex.  The score is the sum of two
 * numbers:
 *   identifications kept: i in 1..L where p_i was visited before and v_i is what
 *     it was mapped to, or p_i is new and v_i is nothing's image yet; and
 *   adjacencies kept: pattern edges that find an edge between the images of their
 *     ends (different edges for parallel ones).  Between two pattern vertices with
 *     the same image none is kept.
 * Exact matches have the best score, L + edges, and nothing else has it.  The
 * loss of a walk is the difference between the best score and its own.
 *
 * The search is branch and bound by loss.  Maps of loss 0 are the exact
 * matches, which the exact search finds (search.h).  Then come all walks of
 * loss 1, of loss 2, and so on, until there are as many maps as requested.  A
 * walk is given up as soon as its loss, with the losses that are certain to
 * come, exceeds the bound.  Near the bound the next vertex has to be adjacent
 * to several others, and the search reads the shortest of their rows.  The maps
 * found are always the best ones, even if the search is stopped early.  The
 * time is exponential in the loss. */
#ifndef MS_MATCH_TYPED_INEXACT_H
#define MS_MATCH_TYPED_INEXACT_H

#include "match/typed/walk.h"
#include "plan/automorphisms.h"

#define MS_INEXACT_LONGEST 4096u /* greatest number of steps of a walk */

struct ms_budget;

typedef struct ms_inexact {
  const ms_typed_rows *rows;
  const ms_typed_query *query;
  /* the walk, of at most MS_INEXACT_LONGEST steps, through all of the
   * pattern */
  const ms_pattern_walk *walk;
  const ms_typed_layers *layers;
  /* maps that differ by one of its automorphisms count as one, and the smallest
   * row represents them. NULL: every map counts */
  const ms_group *group;
  uint32_t best;    /* number of maps to find */
  uint64_t n_exact; /* number of exact matches: all of them, or the first `best` */
  /* [n_exact][pattern vertices] vertices of the part; the smallest row of each
   * class */
  const uint32_t *exact;
  int threads;
  struct ms_budget *budget; /* memory budget of the maps; NULL: no bound */
  const ms_stop *stop;
  ms_progress_fn progress;
  void *progress_user;
} ms_inexact;

typedef struct ms_inexact_found {
  uint64_t count;
  uint32_t *row; /* [count][pattern vertices] vertices of the part */
  /* [count] ascending; rows of equal loss are in the order of discovery, which
   * does not depend on the threads */
  uint32_t *loss;
  uint64_t visits; /* vertices that the search tried as images */
} ms_inexact_found;

/* Runs the search. If it returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED, it was
 * stopped, and *found holds the maps found until then. */
ms_status ms_inexact_run(const ms_inexact *search, ms_inexact_found *found, ms_error *err);
void ms_inexact_found_free(ms_inexact_found *found);

#endif
