/* The positions of the vertices of a report, such as those of cells in a tissue. */
#ifndef MS_REPORT_PLACES_H
#define MS_REPORT_PLACES_H

#include "report/table.h"
#include "result/svg_places.h"

typedef struct ms_places {
  ms_svg_places map;
  const ms_points *points;
  uint32_t n;        /* vertices of the graph */
  uint8_t *found;    /* [n] 1: the vertex is in a row, */
  uint32_t *name_of; /* [n] and this is the number of its name in the table's strings */
  uint32_t *color;   /* [n] number of its first colour in the table's strings, from 1; 0: none;
                        NULL: nothing is known of colours */
  uint32_t every;    /* of the vertices in no row, every so many-th is written */
} ms_places;

/* Finds the places of all vertices of the certificate's graph, which has been read, and the
 * vertices that the rows of the table hold.  At most about `most` vertices in no row are written.
 * ms_places_free must follow in any case.  MS_ERR_INPUT: no vertex has a position. */
ms_status ms_places_find(ms_places *places, ms_table *table, const ms_certificate *c,
                         const ms_points *points, uint64_t most, ms_error *err);
void ms_places_free(ms_places *places);
/* Writes them as a JSON object. */
ms_status ms_put_places(ms_outfile *out, const ms_places *places, ms_error *err);

#endif
