/* Sorts rows of equal length of 32-bit ids. */
#ifndef MS_MOTIF_SORT_ROWS_H
#define MS_MOTIF_SORT_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Sorts rows[count][width] lexicographically in place, without further memory.
 * Multikey quicksort (Bentley and Sedgewick, "Fast algorithms
 * for sorting and searching strings", SODA 1997). */
void ms_sort_rows(uint32_t *rows, size_t count, uint32_t width);

#endif
