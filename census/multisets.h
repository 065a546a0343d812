/* Multisets of kinds, numbered.
 *
 * The multiset c_0 <= c_1 <= .. <= c_(j-1) of kinds below C has the number
 *
 *     C(c_0, 1) + C(c_1 + 1, 2) + .. + C(c_(j-1) + j - 1, j),
 *
 * that of the set of all c_i + i in the combinatorial number system (D. E. Knuth: The Art of
 * Computer Programming, 7.2.1.3).  So the multisets of j kinds have the numbers 0 to
 * C(C + j - 1, j) - 1. */
#ifndef MS_CENSUS_MULTISETS_H
#define MS_CENSUS_MULTISETS_H

#include "motifsieve.h"

typedef uint16_t ms_kind_id;
#define MS_MOST_KINDS 65534u

typedef struct ms_multisets {
  uint32_t kinds, most; /* multisets of at most `most` kinds */
  uint64_t *choose;     /* [most + 1][kinds + most] choose[r][n] = C(n, r) */
} ms_multisets;

/* Returns the number of multisets of `size` of these kinds, or UINT64_MAX if it has no 64 bits. */
uint64_t ms_multisets_count(uint32_t kinds, uint32_t size);

/* The numbers of all multisets must be below 2^64. */
ms_status ms_multisets_open(ms_multisets *m, uint32_t kinds, uint32_t most, ms_error *err);
void ms_multisets_close(ms_multisets *m);

/* Moves kind[size], ascending, to the multiset of the next number; returns false after the last
 * one.  The first one holds only the kind 0. */
bool ms_multisets_next(const ms_multisets *m, ms_kind_id *kind, uint32_t size);

/* Sets kind[size], ascending, to the multiset of this number. */
void ms_multisets_find(const ms_multisets *m, uint64_t number, uint32_t size, ms_kind_id *kind);

/* Fills number[kinds] with the number of the multiset kind[size] with c, for each kind c; size <
 * most.  O(kinds + size). */
void ms_multisets_add(const ms_multisets *m, const ms_kind_id *kind, uint32_t size,
                      uint64_t *number);

#endif
