/* Samples (include/motifsieve/compare.h): sheet.c reads a sheet, split.c divides one graph, given.c
 * takes what is in memory. */
#ifndef MS_SAMPLES_SAMPLES_H
#define MS_SAMPLES_SAMPLES_H

#include "graph/io/columns.h"
#include "graph/names.h"
#include "motifsieve.h"

typedef struct ms_sample_entry {
  uint32_t name, group, block; /* in the tables of ms_samples; block MS_NO_ID: none */
  const ms_graph *graph;
  ms_graph *owned; /* the same, if it was read from a sheet */
  const ms_coloring *coloring;
  ms_coloring *owned_coloring; /* the same, unless the caller owns it */
  uint64_t line;               /* of the file, where the sample first occurs */
} ms_sample_entry;

struct ms_samples {
  ms_samples_info info;
  char *path;
  ms_names *names, *groups, *blocks; /* blocks NULL: there are none */
  ms_sample_entry *entry;            /* [info.samples] */
  uint32_t room;
  const ms_coloring *whole; /* split: the colours that were divided */
};

/* The columns of a table of samples. */
typedef enum ms_sample_part {
  MS_PART_OF_SAMPLE,
  MS_PART_OF_GROUP,
  MS_PART_OF_BLOCK,
  MS_PART_OF_GRAPH, /* sheet */
  MS_PART_OF_COLORS,
  MS_PART_OF_VERTEX, /* split */
  MS_SAMPLE_PARTS
} ms_sample_part;

/* A table that is being read, line by line. */
typedef struct ms_sample_table {
  ms_text *text;
  ms_delimiter delimiter;
  ms_table_columns columns;         /* of the current line */
  uint32_t wanted;                  /* columns of a line */
  uint32_t column[MS_SAMPLE_PARTS]; /* MS_NO_COLUMN: there is none */
} ms_sample_table;

/* Opens the table and reads its titles, as the titles of a sheet or of a split. */
ms_status ms_sample_table_open(ms_sample_table *table, const char *path,
                               const ms_sample_options *options, bool sheet, ms_error *err);
/* Reads the next line; *more == false: there is none. */
ms_status ms_sample_table_next(ms_sample_table *table, bool *more, ms_error *err);
/* Returns the cell of the current line; empty where there is no such column. */
ms_field ms_sample_table_cell(const ms_sample_table *table, ms_sample_part part);

/* Makes the colouring of each sample of one graph.  of[n] is the sample of each vertex, MS_NO_ID:
 * none. */
ms_status ms_samples_divide(ms_samples *samples, const ms_graph *graph, const ms_coloring *coloring,
                            const uint32_t *of, ms_error *err);
ms_status ms_samples_new(const char *path, bool blocks, ms_samples **out, ms_error *err);
/* Adds the sample of the current line, or finds it: then the group and the block of the line must
 * be those of the sample.  *is_new says which. */
ms_status ms_samples_add(ms_samples *samples, const ms_sample_table *table, uint32_t *sample,
                         bool *is_new, ms_error *err);

#endif
