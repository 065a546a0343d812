#include "graph/runs_file.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"

#include <string.h>

#define MOST_BYTES ((size_t)5)  /* of an integer of 32 bits */
#define PIECE ((size_t)1 << 12) /* integers that are encoded together */

/* ---- writing --------------------------------------------------------------- */

static unsigned char *encode(unsigned char *to, uint32_t value)
{
  for (; value >= 0x80; value >>= 7)
    *to++ = (unsigned char)(value | 0x80);
  *to++ = (unsigned char)value;
  return to;
}

static void put(ms_run_writer *w, const unsigned char *bytes, size_t count)
{
  w->run.crc32c = ms_crc32c(w->run.crc32c, bytes, count);
  w->run.bytes += count;
  ms_temporary_write(w->file, bytes, count);
}

void ms_run_begin(ms_temporary *file, ms_run_writer *writer)
{
  *writer = (ms_run_writer){.file = file, .run = {.at = ms_temporary_bytes(file)}};
}

void ms_run_put(ms_run_writer *w, uint32_t vertex, const uint32_t *neighbor, uint64_t count)
{
  unsigned char bytes[(PIECE + 2) * MOST_BYTES], *to = bytes;
  if (count == 0)
    return;
  to = encode(to, vertex - w->vertex);
  to = encode(to, (uint32_t)count);
  uint32_t next = 0; /* the least neighbour that can follow */
  for (uint64_t i = 0; i < count; i++) {
    if ((size_t)(to - bytes) > sizeof bytes - MOST_BYTES) {
      put(w, bytes, (size_t)(to - bytes));
      to = bytes;
    }
    to = encode(to, neighbor[i] - next);
    next = neighbor[i] + 1;
  }
  put(w, bytes, (size_t)(to - bytes));
  w->run.arcs += count;
  w->vertex = vertex + 1;
}

/* ---- reading --------------------------------------------------------------- */

static ms_status damaged(ms_error *err)
{
  return ms_fail(err, MS_ERR_OUTPUT,
                 "a temporary file does not hold what was written to it; look for messages of the "
                 "system about the disk, or choose another folder (`scratch`)");
}

/* Moves the unused bytes to the front, and reads as many as there is room for. */
static ms_status fill(ms_run_reader *r, ms_error *err)
{
  size_t unused = r->used - r->begin, more = r->room - unused;
  memmove(r->buffer, r->buffer + r->begin, unused);
  r->begin = 0;
  more = r->end - r->at < more ? (size_t)(r->end - r->at) : more;
  MS_TRY(ms_temporary_read(r->file, r->at, r->buffer + unused, more, err));
  r->crc32c = ms_crc32c(r->crc32c, r->buffer + unused, more);
  r->at += more;
  r->used = unused + more;
  memset(r->buffer + r->used, 0, MOST_BYTES); /* an integer that is cut off ends here */
  return MS_OK;
}

/* At least MOST_BYTES bytes follow, or the zeros behind the last ones. */
static uint32_t decode(ms_run_reader *r)
{
  const unsigned char *from = r->buffer + r->begin;
  uint32_t value = *from & 0x7F;
  for (unsigned shift = 7; *from & 0x80 && shift < 35; shift += 7) {
    from++;
    value |= (uint32_t)(*from & 0x7F) << shift;
  }
  r->begin = (size_t)(from + 1 - r->buffer);
  return value;
}

/* Reads the head of the next row. */
static ms_status read_head(ms_run_reader *r, ms_error *err)
{
  if (r->used - r->begin < 2 * MOST_BYTES && r->at < r->end)
    MS_TRY(fill(r, err));
  r->vertex = MS_NO_VERTEX;
  r->count = 0;
  if (r->begin >= r->used)
    return r->begin == r->used && r->crc32c == r->stated ? MS_OK : damaged(err);
  uint64_t vertex = (uint64_t)r->next + decode(r);
  uint32_t count = decode(r);
  if (vertex >= r->n || count == 0 || count >= r->n || r->begin > r->used)
    return damaged(err);
  r->vertex = (uint32_t)vertex;
  r->count = count;
  r->next = (uint32_t)vertex + 1;
  return MS_OK;
}

ms_status ms_run_open(const ms_temporary *file, const ms_run *run, uint32_t n, size_t room,
                      ms_run_reader *reader, ms_error *err)
{
  *reader = (ms_run_reader){.file = file,
                            .at = run->at,
                            .end = run->at + run->bytes,
                            .room = room,
                            .n = n,
                            .stated = run->crc32c};
  reader->buffer = ms_alloc(room + MOST_BYTES, 1);
  if (!reader->buffer)
    return ms_fail_memory(err, "buffers for sorted runs");
  return read_head(reader, err);
}

void ms_run_close(ms_run_reader *reader)
{
  ms_free(reader->buffer);
  *reader = (ms_run_reader){0};
}

ms_status ms_run_take(ms_run_reader *r, uint32_t *neighbor, ms_error *err)
{
  uint32_t next = 0;
  for (uint32_t i = 0, end; i < r->count; i = end) {
    size_t wanted = (size_t)(r->count - i) * MOST_BYTES;
    if (r->used - r->begin < wanted && r->at < r->end)
      MS_TRY(fill(r, err));
    size_t whole = (r->used - r->begin) / MOST_BYTES;
    end = r->at == r->end || whole >= r->count - i ? r->count : i + (uint32_t)whole;
    uint32_t j = i;
    for (; j < end && r->begin < r->used; j++) {
      neighbor[j] = next + decode(r);
      next = neighbor[j] + 1;
      if (neighbor[j] >= r->n)
        return damaged(err);
    }
    if (j < end || r->begin > r->used)
      return damaged(err);
  }
  return read_head(r, err);
}
