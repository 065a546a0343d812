/* Inside verify/: the rows seen so far, packed and exact: a row of p vertices takes p times the
 * bits of n, in whole words.  While rows come in ascending order they are an array, which is
 * searched by halving; from the first other one on, a hash table with open addressing. */
#ifndef MS_VERIFY_ROW_SET_H
#define MS_VERIFY_ROW_SET_H

#include "motifsieve.h"

typedef struct ms_row_set ms_row_set;

/* For rows of p vertices < n. */
ms_status ms_row_set_new(uint32_t p, uint32_t n, ms_row_set **out, ms_error *err);
void ms_row_set_free(ms_row_set *set);
/* Put a row in; *fresh: it was not there. */
ms_status ms_row_set_add(ms_row_set *set, const uint32_t *row, bool *fresh, ms_error *err);
bool ms_row_set_has(const ms_row_set *set, const uint32_t *row);

#endif
