/* Numbers by subsets of one size of the vertices 0 .. r - 1.
 *
 * The subset e_0 < e_1 < .. < e_(a-1) has the number C(e_0, 1) + C(e_1, 2) + .. + C(e_(a-1), a)
 * (D. E. Knuth: The Art of Computer Programming, 7.2.1.3).  Where there are few subsets, each has a
 * place; else a hash table holds those that occur.  Where the places are very few, they are all
 * cleared after a use, and the squares are summed up with each addition; where there are more, a
 * list says which are not 0. */
#ifndef MS_SIGNIFICANCE_CELLS_H
#define MS_SIGNIFICANCE_CELLS_H

#include "base/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ms_cells {
  bool is_dense;     /* which form the numbers have at present */
  bool is_flat;      /* is_dense, with so few places that all are cleared: ms_cells_add_flat */
  uint32_t *number;  /* [dense_room] 0 between two uses */
  uint32_t *touched; /* [dense_room] places that are not 0 */
  uint64_t dense_room;
  uint64_t *key;              /* [hash_room] the number of the subset */
  uint32_t *of_key;           /* [hash_room] 0: the place is free */
  uint64_t hash_room, places; /* `places` of them are in use: a power of two */
  uint64_t used;              /* is_flat: of places that may be used */
  uint64_t squares;           /* is_flat: the sum of the squares of all numbers, modulo 2^64 */
  bool is_wide;               /* is_flat: the sum may have more than 64 bits */
  bool full;                  /* there was no memory: numbers are missing */
  ms_budget *budget;
} ms_cells;

void ms_cells_open(ms_cells *cells, ms_budget *budget);
void ms_cells_close(ms_cells *cells);
/* Prepares for subsets with the numbers 0 .. subsets - 1.  `flat`: these are at most flat_cells and
 * dense_cells of ms_hooks, and numbers are added by ms_cells_add_flat alone; else by ms_cells_add
 * alone. Returns false if there is no memory. */
bool ms_cells_begin(ms_cells *cells, uint64_t subsets, bool flat);
/* Adds to the number of a subset, by the hash table; `cells` may become full. */
void ms_cells_add_hashed(ms_cells *cells, uint64_t subset, uint32_t sets);

static inline void ms_cells_add(ms_cells *cells, uint64_t subset, uint32_t sets)
{
  if (cells->is_dense) {
    uint32_t before = cells->number[subset];
    cells->number[subset] = before + sets;
    cells->touched[cells->used] = (uint32_t)subset;
    cells->used += before == 0;
  } else {
    ms_cells_add_hashed(cells, subset, sets);
  }
}

/* Adds to a number of a flat table, and to a sum of squares, which the caller adds to
 * cells->squares. */
static inline void ms_cells_add_flat(uint32_t *number, uint64_t subset, uint32_t sets,
                                     uint64_t *squares)
{
  uint64_t before = number[subset];
  number[subset] = (uint32_t)before + sets;
  *squares += (2 * before + sets) * sets;
}

/* Returns the sum of the squares of all numbers, and sets them to 0.  The sum has 64 bits if that
 * of the numbers has 32. */
__extension__ typedef unsigned __int128 ms_squares;
ms_squares ms_cells_end(ms_cells *cells);

#endif
