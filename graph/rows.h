/* The one builder of compressed sparse rows, for plain and for typed graphs. */
#ifndef MS_GRAPH_ROWS_H
#define MS_GRAPH_ROWS_H

#include "motifsieve.h"

typedef uint16_t ms_type; /* of a vertex or of an arc */

typedef struct ms_row_edges {
  uint32_t n; /* vertices */
  uint64_t m;
  const uint32_t (*edge)[2]; /* [m] */
  const ms_type *type;       /* [m] of the arc from edge[e][0] to edge[e][1] */
  const ms_type *inverse;    /* [types] of the arc back; NULL: no types */
  uint32_t types;
} ms_row_edges;

/* Each edge is an arc in the rows of both of its ends.  Rows without types hold
 * every neighbour once and no self-loop.  Rows with types keep parallel edges,
 * and a self-loop is one arc, of the smaller of its type and that type's inverse. */
typedef struct ms_rows {
  uint64_t *offset;    /* [n + 1] */
  uint32_t *neighbor;  /* [offset[n]] ascending within a row, then by type */
  ms_type *type;       /* [offset[n]]; NULL: no types */
  uint64_t self_loops; /* edges of that kind, dropped or not */
  uint64_t repeats;    /* edges that repeat another one */
  uint32_t max_degree;
} ms_rows;

/* Builds the rows; {0} where it fails, and MS_ERR_USAGE where an id is out of range.
 * The result does not depend on `threads` (0: as ms_threads).
 *
 * Time O(n + m) without types, O(n + m log degree) at most with them.  Memory above the result:
 * 8 bytes a vertex and thread (fewer threads where that is more than 16 bytes an edge), and with
 * types 16 bytes an edge.  Polls the token of the thread. */
ms_status ms_rows_build(const ms_row_edges *edges, int threads, ms_rows *rows, ms_error *err);
void ms_rows_free(ms_rows *rows);

#endif
