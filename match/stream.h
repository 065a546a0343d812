/* Matches of a pattern on their way out: rows in an order that does not
 * depend on the threads, through bounded memory.
 *
 * The work has an order, and so have its parts: each part that a thread takes
 * is a *segment* of the output.  Rows of the first open segment are handed on
 * at once; those of later ones wait in their buffers.  When the buffers are
 * full, the threads of later segments wait: the first one never does, so there
 * is always progress. */
#ifndef MS_MATCH_STREAM_H
#define MS_MATCH_STREAM_H

#include "motifsieve.h"

typedef struct ms_stream ms_stream;
typedef struct ms_segment ms_segment;

typedef struct ms_stream_options {
  uint32_t length; /* ids a row */
  uint64_t limit;  /* hand on at most so many rows; 0: all */
  uint64_t memory; /* bytes that waiting rows may take, or nearly: at least a few hundred rows a
                      segment are let in */
  ms_pattern_rows_fn rows; /* one call at a time */
  void *user;
} ms_stream_options;

ms_status ms_stream_new(const ms_stream_options *options, ms_stream **out, ms_error *err);
void ms_stream_free(ms_stream *stream);

/* A new segment behind `after`, or behind all others if NULL.  NULL without
 * memory.  Several threads at a time. */
ms_segment *ms_stream_open(ms_stream *stream, ms_segment *after);
/* Add row[length].  False: no more rows are wanted, or there is no memory for
 * them: stop.  One thread a segment. */
bool ms_stream_add(ms_stream *stream, ms_segment *segment, const uint32_t *row);
/* There will be no more rows in it.  Not to be called twice; a segment that is
 * not closed holds up all behind it. */
void ms_stream_close(ms_stream *stream, ms_segment *segment);
/* No more rows are taken in: wakes those who wait.  What was added before is
 * still handed on, as segments are closed. */
void ms_stream_halt(ms_stream *stream);

/* Once all threads are done: rows handed on, and MS_OK, MS_ERR_LIMIT (there
 * were more than the limit, or the receiver stopped) or MS_ERR_MEMORY. */
uint64_t ms_stream_rows(const ms_stream *stream);
ms_status ms_stream_status(const ms_stream *stream);

#endif
