/* Sorting integers, ascending: rows of a graph, levels of a search. */
#ifndef MS_GRAPH_SORT_IDS_H
#define MS_GRAPH_SORT_IDS_H

#include <stdint.h>

/* Sorts by insertion, the fastest way for up to some dozens. */
void ms_sort_ids_short(uint32_t *id, uint64_t count);
void ms_sort_keys_short(uint64_t *key, uint64_t count);
/* Sorts by digits of eight bits, the least significant first.  It skips digits in which no two
 * values differ, and does nothing where the values ascend already.  spare[count]. */
void ms_sort_ids_long(uint32_t *id, uint64_t count, uint32_t *spare);
void ms_sort_keys_long(uint64_t *key, uint64_t count, uint64_t *spare);

#endif
