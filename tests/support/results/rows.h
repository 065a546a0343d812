/* Compressed sparse rows for tests, of many shapes.  Unlike those of a graph they
 * may hold an edge several times and edges from a vertex to itself. */
#ifndef MS_TESTS_SUPPORT_ROWS_H
#define MS_TESTS_SUPPORT_ROWS_H

#include <stdint.h>

typedef struct rows {
  uint32_t n;
  uint64_t *offset;   /* [n + 1] */
  uint32_t *neighbor; /* [offset[n]]; an edge in both rows, a loop once in its own */
} rows;

typedef enum rows_shape {
  ROWS_SPARSE, /* about as many edges as vertices */
  ROWS_DENSE,
  ROWS_REPEATED, /* few pairs, many edges, loops */
  ROWS_CHAIN,
  ROWS_CHAINS, /* some, of vertices in any order */
  ROWS_LADDER,
  ROWS_STAR,
  ROWS_ISOLATED, /* few vertices have an edge */
  ROWS_HUBS,     /* two, with leaves of either and of both */
  ROWS_CLIQUES,
  ROWS_TREE,
  ROWS_SHAPES
} rows_shape;

/* Makes the rows of a shape, a size and a seed.  `shuffled`: vertices are numbered at random. */
void rows_make(rows_shape shape, uint32_t n, uint64_t seed, int shuffled, rows *out);
void rows_free(rows *r);

#endif
