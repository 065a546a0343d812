/* Lists of vertices whose neighbours have the same labels.
 *
 * Vertices are alike if they are of one class, and the multisets of the labels of their neighbours
 * are equal; neighbours without a label do not count.  Where two alike vertices that are not
 * neighbours swap their labels, the table of labelled edges stays as it is: the edges that the
 * label of the one loses, it gains at the other one.  null_edges.c draws such pairs from these
 * lists.
 *
 * The order of a list is part of the definition of a permutation (docs/SIGNIFICANCE.md): at first
 * that of ms_null.member; a vertex that comes is the last one, and if one leaves, the last one
 * takes its place.
 *
 * A multiset is known by the sum of 64-bit numbers of its labels, modulo 2^64, to which a number of
 * the class is added (D. Clarke et al.: Incremental multiset hash functions and their application
 * to memory integrity checking, 2003, section 5).  These numbers are the same in all processes, so
 * that two different multisets with the same sum, of which there is one in 2^64 pairs, would do
 * no more than make a permutation that does not hold the table; null_edges.c would notice. */
#ifndef MS_SIGNIFICANCE_ALIKE_H
#define MS_SIGNIFICANCE_ALIKE_H

#include "significance/nulls.h"

typedef struct ms_alike ms_alike;

/* Makes the lists of the labelling label[n], which the caller changes with each swap; it and the
 * null must outlive them. */
ms_status ms_alike_open(const ms_null *null, const uint16_t *label, ms_alike **out, ms_error *err);
void ms_alike_close(ms_alike *a); /* accepts NULL */
/* Returns about how many bytes the lists of a null hypothesis take. */
uint64_t ms_alike_bytes(const ms_null *null);

/* Returns how many vertices are alike with v; v is one of them. */
uint32_t ms_alike_count(const ms_alike *a, uint32_t v);
/* Returns number i of them. */
uint32_t ms_alike_get(const ms_alike *a, uint32_t v, uint32_t i);
/* True if u and v, which are neighbours, would be alike without the edge between them. */
bool ms_alike_but_edge(const ms_alike *a, uint32_t u, uint32_t v);
/* Returns the number of vertices that would be alike with v if one of its neighbours had the label
 * d in place of c, and sets *first for ms_alike_item.  MS_NO_LABEL as d: if v had one neighbour
 * with the label c fewer.  None, if it has no such neighbour. */
uint32_t ms_alike_find(const ms_alike *a, uint32_t v, uint16_t c, uint16_t d, uint32_t *first);
/* Returns number i of them. */
uint32_t ms_alike_item(const ms_alike *a, uint32_t first, uint32_t i);
/* Returns what ms_alike_count of u would be after a swap of the labels of u and v, which are x and
 * y.  u and v are not neighbours. */
uint32_t ms_alike_count_after(const ms_alike *a, uint32_t u, uint32_t v, uint16_t x, uint16_t y);
/* Brings the lists up to date: u, which had the label x, and v, which had y, have swapped them. */
ms_status ms_alike_swap(ms_alike *a, uint32_t u, uint32_t v, uint16_t x, uint16_t y, ms_error *err);

#endif
