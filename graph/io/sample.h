/* The first lines of a table, split into cells, so that a reader can find out what its columns
 * hold before it reads the table. */
#ifndef MS_GRAPH_IO_SAMPLE_H
#define MS_GRAPH_IO_SAMPLE_H

#include "graph/io/text.h"

#define MS_SAMPLE_LINES 1000u /* at most */

typedef struct ms_sample_line {
  uint64_t number; /* in the file */
  uint32_t first;  /* cell */
  uint32_t count;  /* of cells */
} ms_sample_line;

/* The data lines of the first 64 KiB of a file. */
typedef struct ms_sample {
  ms_delimiter delimiter;
  bool quoted;          /* between tabs or blanks, the first cell of each line is in quotes; the
                           quotes of all cells are removed */
  ms_sample_line *line; /* [lines] */
  uint32_t lines, line_room;
  bool cut;       /* the file may have more lines */
  ms_field *cell; /* of all lines */
  uint32_t cells, cell_room;
  /* The last comment above the data that begins with '#', without that sign; count = 0: there is
   * none. */
  ms_sample_line comment;
  char *bytes; /* the cells point here */
} ms_sample;

/* How a format finds what separates the cells of the current line. */
typedef ms_delimiter ms_delimiter_rule(const ms_text *text);

/* Reads the sample of `text`, which is in front of its first line and stays there.  The first data
 * line decides the delimiter.  The sample ends in front of a line that cannot be split; the
 * reader of the table reports it.  ms_sample_free accepts NULL. */
ms_status ms_sample_read(ms_text *text, ms_delimiter_rule *rule, ms_sample **out, ms_error *err);
void ms_sample_free(ms_sample *sample);

/* Returns a cell of a line; an empty field where the line is too short. */
static inline ms_field ms_sample_cell(const ms_sample *sample, uint32_t line, uint32_t column)
{
  const ms_sample_line *l = &sample->line[line];
  return column < l->count ? sample->cell[l->first + column] : (ms_field){"", 0};
}

/* Is '+' in the column?  Then '-' is no sign of a missing value. */
bool ms_sample_has_sign(const ms_sample *sample, uint32_t column);

#endif
