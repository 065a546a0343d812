#include "match/stream.h"

#include "base/alloc.h"
#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define FIRST_ROOM 256u  /* rows of a new buffer */
#define FLUSH_ROWS 4096u /* that the first segment gathers before it delivers them */

struct ms_segment {
  ms_segment *next;
  uint32_t *rows; /* [room][length] */
  size_t count, room;
  bool closed; /* protected by the lock */
};

struct ms_stream {
  ms_stream_options options;
  pthread_mutex_t lock;
  pthread_cond_t moved; /* the first segment is another one, or all is over */
  ms_segment *_Atomic first;
  ms_segment *last;         /* under the lock, as next of all segments */
  _Atomic uint64_t waiting; /* bytes in buffers */
  atomic_bool halt;         /* no more rows are accepted */
  atomic_bool refused;      /* no more rows are delivered, either */
  uint64_t handed_on;       /* by who hands on: one at a time */
  ms_status status;         /* under the lock; the first one stays */
};

ms_status ms_stream_new(const ms_stream_options *options, ms_stream **out, ms_error *err)
{
  *out = NULL;
  ms_stream *stream = ms_calloc(1, sizeof *stream);
  if (!stream)
    return ms_fail_memory(err, "a stream of matches");
  stream->options = *options;
  if (pthread_mutex_init(&stream->lock, NULL) != 0) {
    ms_free(stream);
    return ms_fail_memory(err, "a lock");
  }
  if (pthread_cond_init(&stream->moved, NULL) != 0) {
    pthread_mutex_destroy(&stream->lock);
    ms_free(stream);
    return ms_fail_memory(err, "a lock");
  }
  *out = stream;
  return MS_OK;
}

static void release(ms_stream *stream, ms_segment *segment)
{
  atomic_fetch_sub(&stream->waiting, segment->room * stream->options.length * sizeof(uint32_t));
  ms_free(segment->rows);
  ms_free(segment);
}

void ms_stream_free(ms_stream *stream)
{
  if (!stream)
    return;
  for (ms_segment *s = stream->first, *next; s; s = next) {
    next = s->next;
    release(stream, s);
  }
  pthread_cond_destroy(&stream->moved);
  pthread_mutex_destroy(&stream->lock);
  ms_free(stream);
}

void ms_stream_halt(ms_stream *stream)
{
  pthread_mutex_lock(&stream->lock);
  atomic_store(&stream->halt, true);
  pthread_cond_broadcast(&stream->moved);
  pthread_mutex_unlock(&stream->lock);
}

/* Ends the stream: no row is accepted or delivered any more. */
static bool refuse(ms_stream *stream, ms_status status)
{
  pthread_mutex_lock(&stream->lock);
  if (stream->status == MS_OK)
    stream->status = status;
  atomic_store(&stream->refused, true);
  atomic_store(&stream->halt, true);
  pthread_cond_broadcast(&stream->moved);
  pthread_mutex_unlock(&stream->lock);
  return false;
}

ms_segment *ms_stream_open(ms_stream *stream, ms_segment *after)
{
  ms_segment *segment = ms_calloc(1, sizeof *segment);
  if (!segment)
    return NULL;
  pthread_mutex_lock(&stream->lock);
  ms_segment *before = after ? after : stream->last;
  if (before) {
    segment->next = before->next;
    before->next = segment;
  } else {
    atomic_store(&stream->first, segment);
  }
  if (stream->last == before)
    stream->last = segment;
  pthread_mutex_unlock(&stream->lock);
  return segment;
}

/* ---- delivery -------------------------------------------------------------- */

/* Delivers all rows of the first segment and empties its buffer.  Only its owner may call
 * this or, once it is closed, a thread with the lock. */
static bool hand_on(ms_stream *stream, ms_segment *segment)
{
  const ms_stream_options *o = &stream->options;
  uint64_t count = segment->count;
  if (count == 0 || atomic_load(&stream->refused))
    return count == 0;
  bool more = o->limit > 0 && count > o->limit - stream->handed_on;
  if (more)
    count = o->limit - stream->handed_on;
  bool wanted = count == 0 || o->rows(o->user, segment->rows, count);
  stream->handed_on += count;
  segment->count = 0;
  return more || !wanted ? refuse(stream, MS_ERR_LIMIT) : true;
}

static bool grow(ms_stream *stream, ms_segment *segment)
{
  size_t length = stream->options.length, room = segment->room ? segment->room * 2 : FIRST_ROOM;
  uint32_t *rows = ms_resize(segment->rows, segment->room * length, room * length, sizeof *rows);
  if (!rows)
    return false;
  atomic_fetch_add(&stream->waiting, (room - segment->room) * length * sizeof *rows);
  segment->rows = rows;
  segment->room = room;
  return true;
}

/* The segment's buffer is full, and the buffers' memory with it: wait until
 * the segment is the first, or others have gone. */
static void wait_for_room(ms_stream *stream, ms_segment *segment)
{
  pthread_mutex_lock(&stream->lock);
  while (stream->first != segment && !atomic_load(&stream->halt) &&
         atomic_load(&stream->waiting) > stream->options.memory)
    pthread_cond_wait(&stream->moved, &stream->lock);
  pthread_mutex_unlock(&stream->lock);
}

/* Handles a full buffer: delivers, waits, or grows. */
static bool make_room(ms_stream *stream, ms_segment *segment)
{
  if (segment->room >= FLUSH_ROWS && stream->first == segment)
    return hand_on(stream, segment);
  if (segment->room > 0 && atomic_load(&stream->waiting) > stream->options.memory)
    wait_for_room(stream, segment);
  if (atomic_load(&stream->halt))
    return false;
  if (segment->room > 0 && stream->first == segment)
    return hand_on(stream, segment);
  return grow(stream, segment) || refuse(stream, MS_ERR_MEMORY);
}

bool ms_stream_add(ms_stream *stream, ms_segment *segment, const uint32_t *row)
{
  size_t length = stream->options.length;
  if (segment->count == segment->room && !make_room(stream, segment))
    return false;
  memcpy(segment->rows + segment->count++ * length, row, length * sizeof *row);
  return true;
}

/* Closed segments at the front are handed on by whoever closed the first of
 * them, and by nobody else: only the owner of the first segment could, too, and
 * it has none. */
static void advance(ms_stream *stream)
{
  ms_segment *first;
  pthread_mutex_lock(&stream->lock);
  while ((first = stream->first) && first->closed) {
    pthread_mutex_unlock(&stream->lock);
    hand_on(stream, first);
    pthread_mutex_lock(&stream->lock);
    stream->first = first->next;
    if (stream->last == first)
      stream->last = NULL;
    release(stream, first);
  }
  pthread_cond_broadcast(&stream->moved);
  pthread_mutex_unlock(&stream->lock);
}

void ms_stream_close(ms_stream *stream, ms_segment *segment)
{
  pthread_mutex_lock(&stream->lock);
  bool is_first = stream->first == segment;
  segment->closed = true;
  pthread_mutex_unlock(&stream->lock);
  /* the one who closes the first segment goes on to those closed behind it;
   * who closes a later one leaves it to him */
  if (is_first)
    advance(stream);
}

uint64_t ms_stream_rows(const ms_stream *stream)
{
  return stream->handed_on;
}

ms_status ms_stream_status(const ms_stream *stream)
{
  return stream->status;
}
