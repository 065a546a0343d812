/* Collects matches with a value each, and keeps the best: all of them, or a given number.
 *
 * A row is better than another one if its value is greater, or if the values are equal and it comes
 * first in lexicographic order.  The rows that are kept depend neither on the order in which rows
 * come nor on the number of threads.  Each thread has its own heap.  The root of the heap is the
 * worst row that the thread keeps, and a row that is no better than the root is dropped at once. */
#ifndef MS_MOTIF_BEST_H
#define MS_MOTIF_BEST_H

#include "base/budget.h"
#include "base/threads/watch.h"

typedef struct ms_best ms_best;

/* Rows have `width` < MS_MOST_ROW ids (sort_rows.h).  `most`: the number of rows to keep; 0: all.
 * The rows are reserved in `budget`, at most `most` of them for each thread. */
ms_status ms_best_new(uint32_t width, uint64_t most, int threads, ms_budget *budget, ms_best **out,
                      ms_error *err);
void ms_best_free(ms_best *best); /* accepts NULL */
/* Adds a row of one thread.  Returns false if there is no room for it; the rows so far stay. */
bool ms_best_add(ms_best *best, int thread, float value, const uint32_t *row);
/* Does the same for a value that is an integer; the rows of one collection all have values of one
 * kind. */
bool ms_best_add_sum(ms_best *best, int thread, uint32_t sum, const uint32_t *row);
/* Returns a sum such that the thread keeps no row with a lower one from now on; 0: it keeps
 * any. */
uint32_t ms_best_least_sum(const ms_best *best, int thread);
/* True if a row had no room. */
bool ms_best_is_full(const ms_best *best);
/* Sorts what was kept, the best row first.  *rows is (*count)[width], which the caller frees by
 * ms_free.  `watch` may be NULL; once it has ended, the rows are in some order. */
ms_status ms_best_finish(ms_best *best, ms_watch *watch, uint32_t **rows, uint64_t *count,
                         ms_error *err);

#endif
