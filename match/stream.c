#include "match/stream.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define FIRST_ROOM 256u /* number of rows of a new buffer */
/* bound on the bytes that wait before the receiver's speed is known */
#define FIRST_BOUND ((uint64_t)1 << 20)
/* number of rows that the first segment gathers before it delivers them */
#define FLUSH_ROWS 4096u

struct ms_segment {
  ms_segment *next;
  uint32_t *rows; /* [room][length] */
  size_t count, room;
  _Atomic size_t complete; /* with a limit: the rows that another thread may deliver */
  bool closed;             /* protected by the lock */
};

struct ms_stream {
  ms_stream_options options;
  pthread_mutex_t lock;
  pthread_mutex_t passing; /* one thread of ms_stream_pass has it */
  pthread_cond_t moved;    /* another segment has become the first, or the stream has ended */
  ms_segment *_Atomic first;
  ms_segment *last;           /* protected by the lock, as `next` of all segments */
  _Atomic uint64_t waiting;   /* bytes in all buffers */
  _Atomic uint64_t bound;     /* greatest number of these */
  double busy;                /* seconds in the receiver */
  atomic_bool *told;          /* set with `halt`; NULL: none.  Protected by the lock */
  atomic_bool halt;           /* no more rows are accepted */
  atomic_bool refused;        /* no more rows are delivered either */
  _Atomic uint64_t delivered; /* rows delivered; only one thread delivers at a time */
  ms_status status;           /* protected by the lock; the first error stays */
};

ms_status ms_stream_new(const ms_stream_options *options, ms_stream **out, ms_error *err)
{
  *out = NULL;
  ms_stream *stream = ms_calloc(1, sizeof *stream);
  if (!stream)
    return ms_fail_memory(err, "a stream of matches");
  stream->options = *options;
  atomic_init(&stream->bound, options->memory);
  if (options->seconds > 0 && options->memory > FIRST_BOUND)
    atomic_init(&stream->bound, FIRST_BOUND);
  if (pthread_mutex_init(&stream->lock, NULL) != 0) {
    ms_free(stream);
    return ms_fail_memory(err, "a lock");
  }
  if (pthread_mutex_init(&stream->passing, NULL) != 0) {
    pthread_mutex_destroy(&stream->lock);
    ms_free(stream);
    return ms_fail_memory(err, "a lock");
  }
  if (pthread_cond_init(&stream->moved, NULL) != 0) {
    pthread_mutex_destroy(&stream->passing);
    pthread_mutex_destroy(&stream->lock);
    ms_free(stream);
    return ms_fail_memory(err, "a lock");
  }
  *out = stream;
  return MS_OK;
}

static void free_segment(ms_stream *stream, ms_segment *segment)
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
    free_segment(stream, s);
  }
  pthread_cond_destroy(&stream->moved);
  pthread_mutex_destroy(&stream->passing);
  pthread_mutex_destroy(&stream->lock);
  ms_free(stream);
}

/* The caller has the lock. */
static void halt(ms_stream *stream)
{
  atomic_store(&stream->halt, true);
  if (stream->told)
    atomic_store(stream->told, true);
  pthread_cond_broadcast(&stream->moved);
}

void ms_stream_halt(ms_stream *stream)
{
  pthread_mutex_lock(&stream->lock);
  halt(stream);
  pthread_mutex_unlock(&stream->lock);
}

void ms_stream_tell(ms_stream *stream, atomic_bool *flag)
{
  pthread_mutex_lock(&stream->lock);
  stream->told = flag;
  if (flag && atomic_load(&stream->halt))
    atomic_store(flag, true);
  pthread_mutex_unlock(&stream->lock);
}

/* Ends the stream: no row is accepted or delivered any more.  The caller has the lock. */
static void refuse(ms_stream *stream, ms_status status)
{
  if (stream->status == MS_OK)
    stream->status = status;
  atomic_store(&stream->refused, true);
  halt(stream);
}

static bool end_stream(ms_stream *stream, ms_status status)
{
  pthread_mutex_lock(&stream->lock);
  refuse(stream, status);
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

/* Bounds the rows that wait by the speed of the receiver, which took this long for the last rows.
 */
static void set_bound(ms_stream *stream, double seconds)
{
  const ms_stream_options *o = &stream->options;
  stream->busy += seconds;
  double taken = (double)stream->delivered * o->length * sizeof(uint32_t);
  double bound = stream->busy > 0 ? taken / stream->busy * o->seconds : (double)o->memory;
  if (bound < FIRST_BOUND / 16)
    bound = FIRST_BOUND / 16;
  atomic_store(&stream->bound, bound < (double)o->memory ? (uint64_t)bound : o->memory);
}

/* Passes rows of the first segment to the receiver, up to the limit.  False: it has as many as the
 * limit, or wants no more. */
static bool pass_on(ms_stream *stream, const uint32_t *rows, uint64_t count)
{
  const ms_stream_options *o = &stream->options;
  uint64_t left = o->limit > 0 ? o->limit - stream->delivered : UINT64_MAX;
  count = count < left ? count : left;
  double begin = o->seconds > 0 ? ms_seconds() : 0;
  bool wanted = o->rows(o->user, rows, count);
  stream->delivered += count;
  if (o->seconds > 0)
    set_bound(stream, ms_seconds() - begin);
  return wanted && count < left;
}

/* Delivers all rows of the first segment and empties its buffer.  Only its owner may call
 * this or, once it is closed, a thread that found it closed.  With a limit, the lock keeps
 * deliver_open out. */
static bool deliver(ms_stream *stream, ms_segment *segment)
{
  bool locks = stream->options.limit > 0, more = true;
  if (locks)
    pthread_mutex_lock(&stream->lock);
  bool refused = segment->count > 0 && atomic_load(&stream->refused);
  if (segment->count > 0 && !refused) {
    more = pass_on(stream, segment->rows, segment->count);
    atomic_store(&segment->complete, 0);
    segment->count = 0;
  }
  if (!more && !locks)
    pthread_mutex_lock(&stream->lock);
  if (!more)
    refuse(stream, MS_ERR_LIMIT);
  if (!more || locks)
    pthread_mutex_unlock(&stream->lock);
  return more && !refused;
}

/* True if this many rows of the first segment reach the limit. */
static bool reaches_limit(const ms_stream *stream, size_t count)
{
  return stream->options.limit > 0 && count >= stream->options.limit - stream->delivered;
}

static bool grow(ms_stream *stream, ms_segment *segment)
{
  size_t length = stream->options.length, room = segment->room ? segment->room * 2 : FIRST_ROOM;
  pthread_mutex_lock(&stream->lock); /* with a limit, another thread may read the rows under it */
  uint32_t *rows = ms_resize(segment->rows, segment->room * length, room * length, sizeof *rows);
  if (rows) {
    atomic_fetch_add(&stream->waiting, (room - segment->room) * length * sizeof *rows);
    segment->rows = rows;
    segment->room = room;
  }
  pthread_mutex_unlock(&stream->lock);
  return rows != NULL;
}

/* Waits until the segment is the first, or until other segments have gone. The
 * segment's buffer and the memory of all buffers are full. */
static void wait_for_room(ms_stream *stream, ms_segment *segment)
{
  pthread_mutex_lock(&stream->lock);
  while (stream->first != segment && !atomic_load(&stream->halt) &&
         atomic_load(&stream->waiting) > atomic_load(&stream->bound))
    pthread_cond_wait(&stream->moved, &stream->lock);
  pthread_mutex_unlock(&stream->lock);
}

/* Handles a full buffer: delivers, waits, or grows. */
static bool make_room(ms_stream *stream, ms_segment *segment)
{
  if (segment->room >= FLUSH_ROWS && stream->first == segment)
    return deliver(stream, segment);
  if (segment->room > 0 && atomic_load(&stream->waiting) > atomic_load(&stream->bound))
    wait_for_room(stream, segment);
  if (atomic_load(&stream->halt))
    return false;
  if (segment->room > 0 && stream->first == segment)
    return deliver(stream, segment);
  return grow(stream, segment) || end_stream(stream, MS_ERR_MEMORY);
}

bool ms_stream_add(ms_stream *stream, ms_segment *segment, const uint32_t *row)
{
  size_t length = stream->options.length;
  if (segment->count == segment->room && !make_room(stream, segment))
    return false;
  memcpy(segment->rows + segment->count++ * length, row, length * sizeof *row);
  if (stream->options.limit == 0)
    return true;
  atomic_store(&segment->complete, segment->count);
  return stream->first != segment || !reaches_limit(stream, segment->count) ||
         deliver(stream, segment);
}

size_t ms_stream_room(ms_stream *stream, ms_segment *segment, size_t wanted, uint32_t **rows)
{
  if (segment->count == segment->room && !make_room(stream, segment))
    return 0;
  size_t room = segment->room - segment->count;
  *rows = segment->rows + segment->count * stream->options.length;
  return room < wanted ? room : wanted;
}

void ms_stream_filled(ms_segment *segment, size_t rows)
{
  segment->count += rows;
}

/* Ends the stream if the open segment that has just become the first has the rows up to the limit:
 * its owner may not find another one for long.  Whichever of the owner, who adds a row and then
 * looks whether the segment is the first, and of this call comes last, delivers.  The caller has
 * the lock. */
static void deliver_open(ms_stream *stream, const ms_segment *segment)
{
  size_t count = atomic_load(&segment->complete);
  if (segment->closed || count == 0 || atomic_load(&stream->refused) ||
      !reaches_limit(stream, count))
    return;
  pass_on(stream, segment->rows, count);
  refuse(stream, MS_ERR_LIMIT);
}

/* Delivers the closed segments at the front. Only the thread that closed the
 * first of them does this. Nobody else could except the owner of the first
 * segment, and a closed one has no owner. */
static void deliver_closed(ms_stream *stream)
{
  ms_segment *first;
  pthread_mutex_lock(&stream->lock);
  while ((first = stream->first) && first->closed) {
    pthread_mutex_unlock(&stream->lock);
    deliver(stream, first);
    pthread_mutex_lock(&stream->lock);
    stream->first = first->next;
    if (first->next)
      deliver_open(stream, first->next);
    if (stream->last == first)
      stream->last = NULL;
    free_segment(stream, first);
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
  /* the thread that closes the first segment also delivers those closed behind
   * it; a thread that closes a later one leaves it to that thread */
  if (is_first)
    deliver_closed(stream);
}

bool ms_stream_pass(ms_stream *stream, const uint32_t *rows, uint64_t count)
{
  bool more = count == 0;
  pthread_mutex_lock(&stream->passing);
  bool refused = atomic_load(&stream->refused);
  if (count > 0 && !refused)
    more = pass_on(stream, rows, count) || end_stream(stream, MS_ERR_LIMIT);
  pthread_mutex_unlock(&stream->passing);
  return more && !refused;
}

uint64_t ms_stream_limit(const ms_stream *stream)
{
  return stream->options.limit;
}

uint64_t ms_stream_rows(const ms_stream *stream)
{
  return stream->delivered;
}

ms_status ms_stream_status(const ms_stream *stream)
{
  return stream->status;
}
