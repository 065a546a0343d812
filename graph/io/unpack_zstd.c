/* zstd (RFC 8878): one or more frames, skippable ones among them.
 *
 * libzstd takes an allocator only in the part of its interface that is for
 * static linking, so its memory (a window of at most 128 MiB) is its own and
 * not of base/alloc.  It is added to the meter when a frame has begun, and
 * windows that do not fit are refused before. */
#include "base/alloc.h"
#include "base/meter.h"
#include "base/status.h"
#include "graph/io/source.h"

#include <zstd.h>
#include <zstd_errors.h>

typedef struct unzstd {
  ZSTD_DStream *stream;
  bool in_frame;    /* a frame has begun and is not read completely */
  ms_meter *meter;  /* of the reader; may be NULL */
  uint64_t counted; /* bytes of the stream that it counts */
} unzstd;

#define LEAST_WINDOW 10 /* log2 of bytes, of the format */
#define MOST_WINDOW 27

/* Lets the stream have windows that leave half of the memory. */
static void limit_window(unzstd *z)
{
  int window = MOST_WINDOW;
  while (window > LEAST_WINDOW && (uint64_t)2 << window > ms_meter_left(z->meter))
    window--;
  (void)ZSTD_DCtx_setParameter(z->stream, ZSTD_d_windowLogMax, window);
}

static ms_status count_stream(unzstd *z, ms_error *err)
{
  uint64_t size = ZSTD_sizeof_DStream(z->stream);
  if (size > z->counted && !ms_meter_take(z->meter, size - z->counted))
    return ms_fail_memory(err, "a zstd reader");
  z->counted = size > z->counted ? size : z->counted;
  return MS_OK;
}

static bool begins(const unsigned char *p, size_t length)
{
  if (length < 4)
    return false;
  bool skippable = (p[0] & 0xF0) == 0x50 && p[1] == 0x2A && p[2] == 0x4D && p[3] == 0x18;
  return skippable || (p[0] == 0x28 && p[1] == 0xB5 && p[2] == 0x2F && p[3] == 0xFD);
}

static ms_status open_zstd(void **state, ms_error *err)
{
  *state = NULL;
  unzstd *z = ms_calloc(1, sizeof *z);
  if (!z)
    return ms_fail_memory(err, "a zstd reader");
  z->stream = ZSTD_createDStream();
  if (!z->stream) {
    ms_free(z);
    return ms_fail_memory(err, "a zstd reader");
  }
  z->in_frame = true;
  z->meter = ms_meter_current();
  limit_window(z);
  *state = z;
  return MS_OK;
}

static void close_zstd(void *state)
{
  unzstd *z = state;
  ZSTD_freeDStream(z->stream);
  ms_meter_give(z->meter, (int64_t)z->counted);
  ms_free(z);
}

static ms_status fail(const ms_raw *raw, size_t result, ms_error *err)
{
  switch (ZSTD_getErrorCode(result)) {
  case ZSTD_error_memory_allocation:
    return ms_fail_memory(err, "a zstd reader");
  case ZSTD_error_frameParameter_windowTooLarge:
    return ms_fail(
        err, MS_ERR_INPUT,
        "%s: the zstd data needs a window of more than 128 MiB, or of half of the memory that "
        "is left; compress it again without --long, give the file uncompressed, or "
        "raise `memory`",
        raw->label);
  case ZSTD_error_dictionary_wrong:
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the zstd data needs a dictionary; compress it again without one",
                   raw->label);
  default:
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the zstd data is damaged (%s); copy or download the file again", raw->label,
                   ZSTD_getErrorName(result));
  }
}

/* After the end of a frame: another one, or the end. */
static ms_status next_frame(unzstd *z, ms_raw *raw, ms_error *err)
{
  ms_status status = ms_raw_fill(raw, 4, err);
  if (status != MS_OK || raw->begin == raw->end)
    return status;
  z->in_frame = begins(raw->bytes + raw->begin, raw->end - raw->begin);
  if (!z->in_frame)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: other data follows the zstd data; create the file again with zstd",
                   raw->label);
  return MS_OK;
}

static ms_status read_zstd(void *state, ms_raw *raw, char *buffer, size_t room, size_t *got,
                           ms_error *err)
{
  unzstd *z = state;
  ZSTD_outBuffer out = {buffer, room, 0};
  while (z->in_frame && out.pos == 0) {
    /* even without new input the stream may hold output back, for want of room */
    ZSTD_inBuffer in = {raw->bytes, raw->end, raw->begin};
    size_t result = ZSTD_decompressStream(z->stream, &out, &in);
    raw->begin = in.pos;
    if (ZSTD_isError(result))
      return fail(raw, result, err);
    ms_status status = count_stream(z, err);
    if (status != MS_OK)
      return status;
    if (result == 0) {
      z->in_frame = false;
      status = next_frame(z, raw, err);
    } else if (out.pos == 0 && raw->begin == raw->end) {
      status = ms_raw_fill(raw, 1, err);
      if (status == MS_OK && raw->end == 0)
        status =
            ms_fail(err, MS_ERR_INPUT,
                    "%s: the zstd data is cut off; copy or download the file again", raw->label);
    }
    if (status != MS_OK)
      return status;
  }
  *got = out.pos;
  return MS_OK;
}

const ms_decoder ms_decoder_zstd = {
    .magic = 4, .begins = begins, .open = open_zstd, .read = read_zstd, .close = close_zstd};
