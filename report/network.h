/* The part of the graph that a report holds: the edges among the vertices of its first rows. */
#ifndef MS_REPORT_NETWORK_H
#define MS_REPORT_NETWORK_H

#include "report/table.h"
#include "result/drawing.h"

typedef struct ms_network {
  ms_values from, to; /* numbers of the names of the ends, in table->strings */
  ms_values type;     /* of a typed graph: numbers of the names of types */
  ms_values directed; /* 1: the edge points from `from` to `to` */
  uint64_t rows;      /* rows whose vertices have all edges among them here */
} ms_network;

/* Returns a drawing of the certificate's graph, which has been read, in which nothing is chosen. */
ms_drawing ms_drawing_of(const ms_certificate *c);
/* Sets marked[v] to 1, and name_of[v] to the number of its name in table->strings, for the vertices
 * of the first rows; of a screen, only for flagged ones.  Both arrays are [n].  A name that is no
 * vertex, which only a result has that was not checked, is left out. */
void ms_mark_vertices(const ms_table *table, const ms_certificate *c, uint64_t rows,
                      uint8_t *marked, uint32_t *name_of);

/* Finds the edges among the vertices of the first rows, as many rows as have at most `most` edges
 * among their vertices: all rows, or half of them, or half of these and so on.  Of a screen, only
 * flagged vertices count.  The certificate has the graph.  The network must be freed in any case.
 */
ms_status ms_network_find(ms_network *network, ms_table *table, const ms_certificate *c,
                          uint64_t most, ms_error *err);
void ms_network_free(ms_network *network);
/* Writes it as a JSON object. */
void ms_put_network(ms_outfile *out, const ms_network *network);

#endif
