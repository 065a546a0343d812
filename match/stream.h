/* The stream of result rows of a pattern.  The order of the rows does not depend on the threads,
 * and the memory is bounded.
 *
 * The work has an order.  Each part of the work that a thread takes has a
 * *segment* of the output, in the same order.  Rows of the first open segment are
 * delivered at once, in batches; rows of later segments wait in buffers.  When the buffers are
 * full, the threads of later segments wait; the thread of the first one never does, so there is
 * always progress.
 *
 * With a limit, the stream ends as soon as the rows up to it are there, all of them in the first
 * segment or delivered before: no thread has to find one more. */
#ifndef MS_MATCH_STREAM_H
#define MS_MATCH_STREAM_H

#include "motifsieve.h"

#include <stdatomic.h>

typedef struct ms_stream ms_stream;
typedef struct ms_segment ms_segment;

typedef struct ms_stream_options {
  uint32_t length; /* number of ids in a row */
  uint64_t limit;  /* deliver at most this many rows, then end the stream; 0: all */
  uint64_t memory; /* approximate bound on the bytes of waiting rows; a segment always has room for
                      a few hundred rows */
  double seconds; /* rows wait in no more memory than those that the receiver takes in this time, as
                     measured, so that a stream that is halted ends soon; 0: no bound */
  ms_pattern_rows_fn rows; /* receives rows, one call at a time */
  void *user;
} ms_stream_options;

ms_status ms_stream_new(const ms_stream_options *options, ms_stream **out, ms_error *err);
void ms_stream_free(ms_stream *stream);

/* Returns the limit; 0: none. */
uint64_t ms_stream_limit(const ms_stream *stream);

/* Opens a segment after the segment `after`, or after all others if NULL.  Returns NULL if there is
 * no memory.  Several threads may call it at the same time. */
ms_segment *ms_stream_open(ms_stream *stream, ms_segment *after);
/* Adds row[length].  Returns false if the stream accepts no more rows or there is no memory; the
 * caller then stops.  Only one thread uses a segment. */
bool ms_stream_add(ms_stream *stream, ms_segment *segment, const uint32_t *row);
/* Makes room for at most `wanted` rows, at least 1, in a segment.  Returns for how many, and sets
 * *rows to [room][length]; the caller fills the first of them, and ms_stream_filled says how many.
 * 0: as for ms_stream_add.  For a stream without a limit. */
size_t ms_stream_room(ms_stream *stream, ms_segment *segment, size_t wanted, uint32_t **rows);
void ms_stream_filled(ms_segment *segment, size_t rows);
/* Closes the segment.  This must happen exactly once, because an open segment delays all segments
 * after it. */
void ms_stream_close(ms_stream *stream, ms_segment *segment);
/* Delivers rows[count][length] at once, of a search whose rows have no order and which opens no
 * segment; several threads may call it, and wait for each other.  Returns false if the receiver
 * takes no more rows. */
bool ms_stream_pass(ms_stream *stream, const uint32_t *rows, uint64_t count);
/* Accepts no more rows and wakes all waiting threads.  Rows added before are still delivered
 * as segments are closed. */
void ms_stream_halt(ms_stream *stream);
/* Sets *flag to true, too, when the stream accepts no more rows, so that threads that look for rows
 * far from the next one end at once.  NULL: no flag. */
void ms_stream_tell(ms_stream *stream, atomic_bool *flag);

/* These two are called once all threads are done.  They return the number of rows delivered, and
 * MS_OK, MS_ERR_LIMIT (as many rows as the limit were delivered, or the receiver stopped) or
 * MS_ERR_MEMORY. */
uint64_t ms_stream_rows(const ms_stream *stream);
ms_status ms_stream_status(const ms_stream *stream);

#endif
