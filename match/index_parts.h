/* Steps that the index of a whole graph and the index of a part of it share. */
#ifndef MS_MATCH_INDEX_PARTS_H
#define MS_MATCH_INDEX_PARTS_H

#include "match/index.h"

/* Sorts index->vertex[index->n], which ascends by vertex, by (colour, degree, vertex), or by
 * (degree, vertex) if some vertex has several colours.  degree[graph vertices] is at most
 * `highest`. */
ms_status ms_index_sort(ms_pattern_index *index, const uint32_t *degree, uint32_t highest,
                        ms_error *err);
/* Computes, from vertices and rows, everything else that the index of a graph holds. */
ms_status ms_index_measure(ms_pattern_index *index, ms_error *err);

#endif
