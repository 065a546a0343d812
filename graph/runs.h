/* Sorted runs: the external sort of edges that do not fit into memory (Knuth, The Art of Computer
 * Programming 3, section 5.4).
 *
 * Pairs of vertices are added in portions.  Each portion becomes a run: the compressed sparse rows
 * of its edges, with both arcs of each, as ms_rows_build makes them, in a temporary file.  In a run
 * the vertices with neighbours follow each other as (difference to the one before, degree,
 * neighbours as differences), all as integers of 7 bits a byte; a run of a large graph takes about
 * 3 bytes an arc.  Merging goes from vertex to vertex and joins the rows that the runs have for it.
 * The result is the same, bit for bit, for any division into portions. */
#ifndef MS_GRAPH_RUNS_H
#define MS_GRAPH_RUNS_H

#include "base/file/temporary.h"
#include "graph/graph.h"
#include "graph/rows.h"

/* ---- files of runs --------------------------------------------------------------------------- */

/* Reading and writing of one run; see runs.h. */

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

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct ms_runs ms_runs;

#define MS_REPORT_SECONDS 0.1 /* least time between two reports of progress */

typedef struct ms_runs_options {
  const char *folder; /* of the temporary files; must outlive the runs */
  ms_run_limits run;  /* only threads and progress */
} ms_runs_options;

/* Makes an empty set of runs; no file is created before the first run. */
ms_status ms_runs_new(const ms_runs_options *options, ms_runs **out, ms_error *err);
void ms_runs_free(ms_runs *runs); /* accepts NULL */

/* Sorts m > 0 pairs of vertices below n, and adds them as a run, or as several where sorting them
 * at once takes too much memory.  Memory: that of ms_rows_build, and 256 KiB. */
ms_status ms_runs_add(ms_runs *runs, uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                      ms_error *err);
/* Returns how many runs have been added, and sets *bytes to what they took on the disk. */
uint64_t ms_runs_count(const ms_runs *runs, uint64_t *bytes);

/* Merges all runs to the rows of n vertices.  rows->neighbor lies in `file`, a mapped temporary
 * file, or on the heap if there is no arc.  rows->offset belongs to the caller, who frees it
 * and `file`, and must not call ms_rows_free.  Memory: 8 bytes a vertex, up to 1 MiB for each of at
 * most 64 runs, and 12 bytes for each arc of the longest row.  Polls the token of the thread. */
ms_status ms_runs_merge(ms_runs *runs, uint32_t n, ms_rows *rows, ms_image *file, ms_error *err);

#endif
