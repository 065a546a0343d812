#include "gpu/common/emit.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"

enum {
  MOST_PARTS = 256,
  PARTS_A_THREAD = 4, /* so that the others do not wait long for one that has lost its processor */
  SOME_ROWS = 1024,   /* that a thread makes before it looks whether it should stop */
  GATHERED_IDS = 4 * MS_MAX_PATTERN,
  LEAST_IDS = 1 << 14 /* of a part; to wake a thread for fewer takes longer */
};

/* A piece of the rows, which threads divide; the rows of a GPU have no order. */
typedef struct piece {
  const ms_gpu_sink *sink;
  const ms_gpu_rows *from;
  const uint32_t *ids;
  uint64_t count;
  uint32_t parts;
  uint32_t *made; /* [from->piece][length] */
} piece;

static void halt_sink(const ms_gpu_sink *sink)
{
  atomic_store(sink->halt, true);
  ms_stream_halt(sink->stream);
}

static bool make_rows(const piece *p, const uint32_t *ids, uint64_t first, uint64_t count)
{
  const ms_gpu_sink *sink = p->sink;
  return sink->make(sink->user, ids, count, p->made + first * p->from->length) == count;
}

/* Makes rows [first, last) of columns, which are gathered first. */
static bool make_of_columns(const piece *p, uint64_t first, uint64_t last)
{
  uint32_t ids[GATHERED_IDS], length = p->from->length;
  uint64_t most = GATHERED_IDS / length, some = 0;
  bool made = true;
  for (uint64_t at = first; made && at < last; at += some) {
    some = last - at < most ? last - at : most;
    for (uint64_t i = 0; i < some; i++)
      for (uint32_t j = 0; j < length; j++)
        ids[i * length + j] = p->ids[j * p->from->piece + at + i];
    made = make_rows(p, ids, at, some);
  }
  return made;
}

/* Makes rows [first, last); false if the sink halts. */
static bool make_some(const piece *p, uint64_t first, uint64_t last)
{
  bool made = p->from->columns
                  ? make_of_columns(p, first, last)
                  : make_rows(p, p->ids + first * p->from->length, first, last - first);
  return made && !atomic_load(p->sink->halt);
}

static void make_part(void *user, ms_range r)
{
  const piece *p = user;
  uint64_t first = p->count * r.begin / p->parts, last = p->count * r.end / p->parts, at = first;
  bool more = true;
  while (at < last && more) {
    uint64_t end = last - at < SOME_ROWS ? last : at + SOME_ROWS;
    more = make_some(p, at, end);
    at = more ? end : at;
  }
  /* the groups of rows that were made before the end count */
  if (!ms_stream_pass(p->sink->stream, p->made + first * p->from->length, at - first) || !more)
    halt_sink(p->sink);
}

static void emit_piece(piece *p)
{
  int threads = ms_threads_for(p->sink->threads, p->count * p->from->length * 16);
  uint64_t most = p->count * p->from->length / LEAST_IDS + 1;
  uint64_t parts = threads > 1 ? PARTS_A_THREAD * (uint64_t)threads : 1;
  parts = parts < most ? parts : most;
  p->parts = parts < MOST_PARTS ? (uint32_t)parts : MOST_PARTS;
  ms_parallel(threads, p->parts, 1, make_part, p);
}

ms_status ms_gpu_emit(const ms_gpu_sink *sink, const ms_gpu_rows *rows, uint64_t first,
                      uint64_t count, const ms_stop *stop, ms_error *err)
{
  uint64_t pending = 0, some = 0, room = count < rows->piece ? count : rows->piece;
  uint32_t buffer = 0;
  ms_status status = MS_OK;
  piece p = {.sink = sink, .from = rows};
  p.made = ms_alloc(room * rows->length, sizeof *p.made);
  if (!p.made)
    return ms_fail_memory(err, "buffers of matches");
  for (uint64_t at = 0; (at < count || pending > 0) && !atomic_load(sink->halt); at += some) {
    some = count - at < rows->piece ? count - at : rows->piece;
    status = ms_stop_check(stop);
    if (status == MS_OK && some > 0)
      status = rows->fetch(rows->on, buffer, first + at, some, err);
    buffer = 1 - buffer;
    if (status == MS_OK && pending > 0)
      status = rows->fetched(rows->on, buffer, &p.ids, err);
    if (status != MS_OK)
      break;
    p.count = pending;
    if (pending > 0)
      emit_piece(&p);
    pending = some;
  }
  ms_free(p.made);
  return status;
}
