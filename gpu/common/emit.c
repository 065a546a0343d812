#include "gpu/common/emit.h"

#include "base/parallel.h"
#include "base/status.h"
#include "base/threads.h"

enum { MOST_PARTS = 64 }; /* most threads that make rows */

/* A piece of the rows; each thread that makes rows of it has a segment of the stream. */
typedef struct piece {
  const ms_gpu_sink *sink;
  const ms_gpu_rows *from;
  const uint32_t *ids;
  uint64_t count;
  uint32_t parts;
  ms_segment *segment[MOST_PARTS];
} piece;

static void halt_sink(const ms_gpu_sink *sink)
{
  atomic_store(sink->halt, true);
  ms_stream_halt(sink->stream);
}

static const uint32_t *row_of(const piece *p, uint64_t i, uint32_t ids[MS_MAX_PATTERN])
{
  if (!p->from->columns)
    return p->ids + i * p->from->length;
  for (uint32_t j = 0; j < p->from->length; j++)
    ids[j] = p->ids[j * p->from->piece + i];
  return ids;
}

static void make_rows(const piece *p, uint32_t part)
{
  const ms_gpu_sink *sink = p->sink;
  uint32_t ids[MS_MAX_PATTERN], row[MS_MAX_PATTERN];
  uint64_t last = p->count * (part + 1) / p->parts;
  for (uint64_t i = p->count * part / p->parts; i < last && !atomic_load(sink->halt); i++)
    if (!sink->make(sink->user, row_of(p, i, ids), row) ||
        !ms_stream_add(sink->stream, p->segment[part], row))
      halt_sink(sink);
  ms_stream_close(sink->stream, p->segment[part]);
}

static void make_parts(void *user, ms_range r)
{
  for (uint64_t part = r.begin; part < r.end; part++)
    make_rows(user, (uint32_t)part);
}

static ms_status emit_piece(piece *p, ms_error *err)
{
  int threads = ms_threads_for(p->sink->threads, p->count * p->from->length * 16);
  ms_status status = MS_OK;
  while (p->parts < (uint32_t)threads && p->parts < MOST_PARTS && status == MS_OK) {
    p->segment[p->parts] = ms_stream_open(p->sink->stream, NULL);
    if (p->segment[p->parts])
      p->parts++;
    else
      status = ms_fail_memory(err, "buffers of matches");
  }
  if (status != MS_OK) /* open segments hold up those behind them: close them without rows */
    atomic_store(p->sink->halt, true);
  ms_parallel((int)p->parts, p->parts, 1, make_parts, p);
  return status;
}

ms_status ms_gpu_emit(const ms_gpu_sink *sink, const ms_gpu_rows *rows, uint64_t first,
                      uint64_t count, const ms_stop *stop, ms_error *err)
{
  uint64_t pending = 0, some = 0;
  uint32_t buffer = 0;
  for (uint64_t at = 0; (at < count || pending > 0) && !atomic_load(sink->halt); at += some) {
    some = count - at < rows->piece ? count - at : rows->piece;
    MS_TRY(ms_stop_check(stop));
    if (some > 0)
      MS_TRY(rows->fetch(rows->on, buffer, first + at, some, err));
    buffer = 1 - buffer;
    if (pending > 0) {
      piece p = {.sink = sink, .from = rows, .count = pending};
      MS_TRY(rows->fetched(rows->on, buffer, &p.ids, err));
      MS_TRY(emit_piece(&p, err));
    }
    pending = some;
  }
  return MS_OK;
}
