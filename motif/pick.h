/* Picks matches of a region out by their numbers, without a visit to the others.
 *
 * Counting with ms_count_sink.shares says how many matches each share of the work has.  The numbers
 * of the matches follow the order of the shares and, in a share, the order in which the search
 * counts them.  Both depend on the region alone.  Only shares that hold a wanted match are counted
 * again. */
#ifndef MS_MOTIF_PICK_H
#define MS_MOTIF_PICK_H

#include "motif/count.h"

/* Fills picks->set.  A count of all roots has filled `shares`.  Returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED if the token ended it; the sets are then not all filled. */
ms_status ms_pick(const ms_ranked *ranked, const ms_shares *shares, const ms_picks *picks,
                  int threads, ms_budget *budget, const ms_stop *stop, ms_error *err);

#endif
