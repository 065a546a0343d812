/* Inside run/: what the writers of a census, of the whole graph and of each vertex, share. */
#ifndef MS_RUN_WRITE_CENSUS_H
#define MS_RUN_WRITE_CENSUS_H

#include "run/write.h"

typedef struct ms_census_file {
  ms_writing writing;
  const ms_graph *graph;
  const ms_coloring *coloring;
  uint32_t k;
  const ms_census_statistics *extra;
  const char *const *text;  /* [motifs] merged parts; NULL: made from the colours */
  struct known_text *known; /* for rows of vertices: most motifs come again and again */
  uint64_t *order;          /* [rows] the motifs in the order of rows; NULL: that of the census */
  uint64_t rows;            /* to be written */
  uint64_t vertices;        /* of rows of vertices: those that were counted */
  ms_status status;         /* of these rows */
  ms_error *err;
} ms_census_file;

/* Fills in the header: the graph, its colours and the options. */
void ms_census_file_describe(ms_census_file *f, const ms_census_options *o);
/* Says of which part the result is. */
void ms_census_file_describe_part(ms_census_file *f, const ms_division *division, uint64_t units);
/* Refuses more colours than a header holds. */
ms_status ms_census_file_check(const ms_census_options *o, const ms_coloring *coloring,
                               ms_error *err);

#endif
