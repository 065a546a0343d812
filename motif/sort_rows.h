/* Sorts rows of equal length of 32-bit ids. */
#ifndef MS_MOTIF_SORT_ROWS_H
#define MS_MOTIF_SORT_ROWS_H

#include "base/watch.h"

#include <stddef.h>
#include <stdint.h>

/* Sorts rows[count][width] lexicographically in place, without further memory.
 * Multikey quicksort (Bentley and Sedgewick, "Fast algorithms
 * for sorting and searching strings", SODA 1997).  `watch` may be NULL; once it has ended, the rows
 * are all there, in some order. */
void ms_sort_rows(uint32_t *rows, size_t count, uint32_t width, ms_watch *watch);

#endif
