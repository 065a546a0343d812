/* The judge of matches that need not fit the motif exactly.  It shares no code with the search. */
#ifndef MS_VERIFY_NEAR_H
#define MS_VERIFY_NEAR_H

#include "query/edits.h"
#include "result/columns.h"
#include "verify/verify.h"

/* Fills *edits with the least cost of set[size], size <= MS_MAX_K.  Returns false if every way of
 * pairing its vertices with slots exceeds a limit.  It does not look at edges. */
bool ms_verify_edits(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                     uint32_t size, ms_edits *edits);

/* Checks a match of any size <= MS_MAX_K: its vertices exist, differ, are connected and within the
 * limits, and hold all required vertices.  *edits receives its least cost. */
ms_verdict ms_verify_near(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                          uint32_t size, ms_edits *edits);

/* Returns what is wrong with the unfilled slots, the extra vertices and, if there are any, the
 * roles of a row of set[count], whose substitutions cost `spend`, or NULL.  There may be several
 * pairings of the same cost, and any of them is right. */
const char *ms_verify_near_slots(const ms_query *query, const ms_substitutes *substitutes,
                                 const uint32_t *set, const ms_match_row *row, uint64_t spend);

#endif
