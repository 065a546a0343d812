/* The inexact matcher (MTGL 2007): walks in the graph that are type-isomorphic
 * to a walk through the pattern, scored by what of the pattern they keep.
 *
 * Let p_0 .. p_L be the pattern's walk and v_0 .. v_L one of those.  A pattern
 * vertex is mapped to where the walk stands when it first comes there.  The score
 * is the number of
 *   identifications kept: i in 1..L where p_i was visited before and v_i is what
 *     it was mapped to, or p_i is new and v_i is nothing's image yet; and
 *   adjacencies kept: pattern edges that find an edge between the images of their
 *     ends (parallel ones each an edge of its own).  Between two pattern vertices with
 *     the same image none is kept.
 * The best score, L + edges, is that of exact matches, and only of these.  What a
 * walk lacks to it is its loss.
 *
 * Branch and bound by loss.  Maps of loss 0 are the exact matches, which the exact
 * search finds (search.h).  Then all walks of loss 1, of loss 2, and so on, each
 * given up as soon as its loss, with what is certain to come, is above the bound,
 * until there are as many maps as asked for.  Near the bound the next vertex has to
 * be next to several others, and the shortest of their rows is gone through.  So
 * what is found is the best there is, also where the search is stopped on the way.
 * Exponential in the loss. */
#ifndef MS_MATCH_TYPED_INEXACT_H
#define MS_MATCH_TYPED_INEXACT_H

#include "match/typed/walk.h"
#include "plan/automorphisms.h"

#define MS_INEXACT_LONGEST 4096u /* steps of a walk */

struct ms_budget;

typedef struct ms_inexact {
  const ms_typed_rows *rows;
  const ms_typed_query *query;
  const ms_pattern_walk *walk; /* at most MS_INEXACT_LONGEST steps, through all of the pattern */
  const ms_typed_layers *layers;
  const ms_group *group; /* maps that differ by one of its automorphisms are one: the
                            smallest row stands for them.  NULL: every map */
  uint32_t best;         /* as many maps */
  uint64_t n_exact;      /* all exact matches, or the first of them if there are `best` */
  const uint32_t *exact; /* [n_exact][pattern vertices] vertices of the part; of each class
                            the smallest row */
  int threads;
  struct ms_budget *budget; /* of the maps that are kept; NULL: no bound */
  const ms_stop *stop;
  ms_progress_fn progress;
  void *progress_user;
} ms_inexact;

typedef struct ms_inexact_found {
  uint64_t count;
  uint32_t *row;  /* [count][pattern vertices] vertices of the part */
  uint32_t *loss; /* [count] rising; rows of one loss in the order they were found, which does not
                     depend on the threads */
} ms_inexact_found;

/* MS_ERR_LIMIT or MS_ERR_INTERRUPTED: stopped; what was found before stays in *found. */
ms_status ms_inexact_run(const ms_inexact *search, ms_inexact_found *found, ms_error *err);
void ms_inexact_found_free(ms_inexact_found *found);

#endif
