/* Ordered partitions of a shape's vertices and their colour refinement, which prune the
 * search for automorphisms.
 *
 * Cells are numbered, and every step depends on sizes and numbers of arcs
 * only.  So an automorphism that takes each cell of one partition to the cell
 * of the same number of another one does so after both were refined, too, and
 * both traces are equal (McKay, "Practical graph isomorphism", Congressus
 * Numerantium 30, 1981). */
#ifndef MS_PLAN_CELLS_H
#define MS_PLAN_CELLS_H

#include "plan/shape.h"

typedef struct ms_cells {
  uint32_t count;
  uint64_t trace;                /* hash of all counts seen during refinement */
  uint64_t cell[MS_MAX_PATTERN]; /* [count] vertices */
} ms_cells;

/* Vertices of equal kind, in or out of `keep`, refined. */
void ms_cells_init(const ms_shape *shape, uint64_t keep, ms_cells *cells);
/* `to` = `from` with v, which is in cell c, in a cell of its own, refined. */
void ms_cells_individualise(const ms_shape *shape, const ms_cells *from, uint32_t c, uint32_t v,
                            ms_cells *to);
/* The cell that holds v. */
uint32_t ms_cells_of(const ms_cells *cells, uint32_t v);
/* True if an automorphism may map one partition to the other, cell by cell. */
bool ms_cells_alike(const ms_cells *a, const ms_cells *b);

#endif
