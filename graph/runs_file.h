/* Reading and writing of one run; see runs.h. */
#ifndef MS_GRAPH_RUNS_FILE_H
#define MS_GRAPH_RUNS_FILE_H

#include "base/temporary.h"

#define MS_NO_VERTEX UINT32_MAX

typedef struct ms_run {
  uint64_t at, bytes; /* in the temporary file */
  uint64_t arcs;
  uint32_t crc32c;
} ms_run;

typedef struct ms_run_writer {
  ms_temporary *file;
  ms_run run;      /* what has been written */
  uint32_t vertex; /* after the last one */
} ms_run_writer;

/* Begins a run at the end of the file. */
void ms_run_begin(ms_temporary *file, ms_run_writer *writer);
/* Adds the row of a vertex, with neighbours that ascend; vertices come in ascending order.  A row
 * without neighbours is left out. */
void ms_run_put(ms_run_writer *writer, uint32_t vertex, const uint32_t *neighbor, uint64_t count);

typedef struct ms_run_reader {
  const ms_temporary *file;
  uint64_t at, end; /* of the bytes that are not in the buffer yet */
  unsigned char *buffer;
  size_t room, begin, used;
  uint32_t vertex; /* of the next row, or MS_NO_VERTEX */
  uint32_t count;  /* neighbours of it */
  uint32_t next;   /* the least number that the vertex after it can have */
  uint32_t n;      /* vertices are below */
  uint32_t crc32c, stated;
} ms_run_reader;

/* Begins to read a run of vertices below n, through a buffer of `room` bytes. */
ms_status ms_run_open(const ms_temporary *file, const ms_run *run, uint32_t n, size_t room,
                      ms_run_reader *reader, ms_error *err);
void ms_run_close(ms_run_reader *reader); /* accepts {0} */
/* Writes the neighbours of the next row to neighbor[count], and goes to the row after it.
 * MS_ERR_OUTPUT: the run is not as it was written. */
ms_status ms_run_take(ms_run_reader *reader, uint32_t *neighbor, ms_error *err);

#endif
