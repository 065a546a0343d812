/* Inside verify/: the set of rows seen so far, packed and exact.  A row of p vertices takes p times
 * the bits of n, in whole words.  While rows come in ascending order, the set is an array with
 * binary search; from the first row out of order on, it is a hash table with open addressing. */
#ifndef MS_VERIFY_ROW_SET_H
#define MS_VERIFY_ROW_SET_H

#include "motifsieve.h"

typedef struct ms_row_set ms_row_set;

/* Makes an empty set for rows of p vertices, each below n. */
ms_status ms_row_set_new(uint32_t p, uint32_t n, ms_row_set **out, ms_error *err);
void ms_row_set_free(ms_row_set *set);
/* Adds a row; *fresh: it was not in the set. */
ms_status ms_row_set_add(ms_row_set *set, const uint32_t *row, bool *fresh, ms_error *err);
bool ms_row_set_has(const ms_row_set *set, const uint32_t *row);

#endif
