/* Ordered partitions of a shape's vertices and their colour refinement, which prune the
 * search for automorphisms.
 *
 * Cells are numbered, and every step depends only on sizes and numbers of arcs.
 * So if an automorphism maps each cell of one partition to the cell with the same
 * number in another one, it still does so after both were refined, and both
 * traces are equal (McKay, "Practical graph isomorphism", Congressus Numerantium
 * 30, 1981). */
#ifndef MS_PLAN_CELLS_H
#define MS_PLAN_CELLS_H

#include "plan/shape.h"

typedef struct ms_cells {
  uint32_t count;  /* number of cells */
  uint64_t trace;  /* hash of all counts of the refinement */
  ms_bitset *cell; /* [count] sets of vertices, in the caller's memory, which has room for n */
} ms_cells;

/* Makes a cell of the vertices of each kind inside `keep`, and of each kind outside, and refines.
 */
void ms_cells_init(const ms_shape *shape, ms_bitset keep, ms_cells *cells);
/* Copies the cells of `from` to those of `to`. */
void ms_cells_copy(const ms_cells *from, ms_cells *to);
/* Copies `from` to `to`, moves v from its cell c into a new cell, and refines. */
void ms_cells_individualise(const ms_shape *shape, const ms_cells *from, uint32_t c, uint32_t v,
                            ms_cells *to);
/* Returns the cell of v. */
uint32_t ms_cells_of(const ms_cells *cells, uint32_t v);
/* True if an automorphism may map one partition to the other, cell by cell. */
bool ms_cells_alike(const ms_cells *a, const ms_cells *b);

#endif
