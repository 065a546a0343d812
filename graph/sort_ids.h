/* Sorting vertices by number: rows of a graph, levels of a search. */
#ifndef MS_GRAPH_SORT_IDS_H
#define MS_GRAPH_SORT_IDS_H

#include <stdint.h>

/* Insertion: the fastest up to some dozens. */
void ms_sort_ids_short(uint32_t *id, uint64_t count);
/* By digits of eight bits, the least significant first, those alone in which ids
 * differ; spare[count]. */
void ms_sort_ids_long(uint32_t *id, uint64_t count, uint32_t *spare);

#endif
