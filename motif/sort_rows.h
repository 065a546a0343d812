/* Sorts rows of equal length of 32-bit ids. */
#ifndef MS_MOTIF_SORT_ROWS_H
#define MS_MOTIF_SORT_ROWS_H

#include "base/threads/watch.h"
#include "motifsieve.h"

#include <stddef.h>
#include <stdint.h>

/* The greatest width of rows: a match of a pattern, and what it is sorted by. */
#define MS_MOST_ROW (MS_MAX_PATTERN + 4u)

/* Sorts rows[count][width] lexicographically in place.  Multikey quicksort (Bentley and Sedgewick,
 * "Fast algorithms for sorting and searching strings", SODA 1997); a part of some thousand rows
 * whose ids fit into a word together is sorted by digits.  That takes up to 4 MiB, and is left out
 * if there is no memory.  `watch` may be NULL; once it has ended, the rows are all there, in some
 * order. */
void ms_sort_rows(uint32_t *rows, size_t count, uint32_t width, ms_watch *watch);

/* Sorts each part of rows[..][width] by several threads; part i is the rows end[i - 1]..end[i] - 1,
 * from 0, which agree in their first id.  Otherwise as ms_sort_rows, for each thread.  Returns
 * false, and sorts nothing, without memory for a pointer for each thread. */
bool ms_sort_parts(uint32_t *rows, const uint64_t *end, uint64_t parts, uint32_t width, int threads,
                   ms_watch *watch);

#endif
