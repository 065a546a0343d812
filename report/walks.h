/* Results of components and path as rows of a report: a component, or a pair of vertices, has one
 * row, whatever number of rows it has in the file. */
#ifndef MS_REPORT_WALKS_H
#define MS_REPORT_WALKS_H

#include "report/table.h"

/* The sizes of all components of the file, in its order; equal sizes in a row are one entry. */
typedef struct ms_sizes {
  ms_values size, count;
} ms_sizes;

/* Reads all rows of the result, whose header was read, and keeps the first `most` components or
 * pairs.  The columns are: component, size, vertices   the vertices of the component, of a large
 * one only the first ones component, size, example    of a file that has only sizes pair, source,
 * target, length, vertices, types   the length is NAN, and the lists are empty, where there is no
 * path; the lists are empty, too, in a file that has only lengths Adds the sizes of components to
 * *sizes.  The table and the sizes must be freed in any case.  A file whose components are not
 * numbered one after the other, or do not have as many rows as vertices, is refused. */
ms_status ms_walks_read(ms_table *table, ms_certificate *c, uint64_t most, ms_sizes *sizes,
                        ms_error *err);
void ms_sizes_free(ms_sizes *sizes);

/* Adds the column `drawn`, in which ms_table_vertices then finds what each row draws.  Of a
 * component, these are up to 80 vertices: the first one, and those nearest to it.  Of a pair, they
 * are the vertices of its path, and, in the first rows, some neighbours of these.  The certificate
 * has the graph.  *any == false: there is nothing to draw, and no column. */
ms_status ms_walks_choose(ms_table *table, ms_certificate *c, bool *any, ms_error *err);

#endif
