/* gzip (RFC 1952): one or more members, zero padding behind the last. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/source.h"

#include <zlib.h>

typedef struct gunzip {
  z_stream inflater;
  bool in_member; /* between the header and the trailer of a member */
} gunzip;

static void *zlib_alloc(void *user, unsigned count, unsigned size)
{
  (void)user;
  return ms_alloc(count, size);
}

static void zlib_free(void *user, void *block)
{
  (void)user;
  ms_free(block);
}

static bool begins(const unsigned char *bytes, size_t length)
{
  return length >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

static ms_status open_gzip(void **state, ms_error *err)
{
  *state = NULL;
  gunzip *g = ms_calloc(1, sizeof *g);
  if (!g)
    return ms_fail_memory(err, "a gzip reader");
  g->inflater.zalloc = zlib_alloc;
  g->inflater.zfree = zlib_free;
  int result = inflateInit2(&g->inflater, 16 + MAX_WBITS); /* 16: gzip, with its CRC */
  if (result != Z_OK) {
    ms_free(g);
    return result == Z_MEM_ERROR
               ? ms_fail_memory(err, "a gzip reader")
               : ms_fail(err, MS_ERR_INTERNAL, "zlib does not start (%d); check its installation",
                         result);
  }
  g->in_member = true;
  *state = g;
  return MS_OK;
}

static void close_gzip(void *state)
{
  gunzip *g = state;
  inflateEnd(&g->inflater);
  ms_free(g);
}

/* Expects another member, zero padding or the end after the end of a member. */
static ms_status next_member(gunzip *g, ms_raw *raw, ms_error *err)
{
  ms_status status = ms_raw_fill(raw, 2, err);
  if (status != MS_OK)
    return status;
  if (begins(raw->bytes + raw->begin, raw->end - raw->begin)) {
    inflateReset(&g->inflater);
    g->in_member = true;
    return MS_OK;
  }
  while (status == MS_OK && raw->begin < raw->end) {
    if (raw->bytes[raw->begin++] != 0)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: other data follows the gzip data; create the file again with gzip",
                     raw->label);
    if (raw->begin == raw->end)
      status = ms_raw_fill(raw, 1, err);
  }
  return status;
}

static ms_status read_gzip(void *state, ms_raw *raw, char *buffer, size_t room, size_t *got,
                           ms_error *err)
{
  gunzip *g = state;
  z_stream *z = &g->inflater;
  z->next_out = (unsigned char *)buffer;
  z->avail_out = room < UINT32_MAX ? (unsigned)room : UINT32_MAX;
  unsigned asked = z->avail_out;
  while (g->in_member && z->avail_out == asked) {
    if (raw->begin == raw->end) {
      MS_TRY(ms_raw_fill(raw, 1, err));
      if (raw->end == 0)
        return ms_fail(err, MS_ERR_INPUT,
                       "%s: the gzip data is cut off; copy or download the file again", raw->label);
    }
    z->next_in = raw->bytes + raw->begin;
    z->avail_in = (unsigned)(raw->end - raw->begin);
    int result = inflate(z, Z_NO_FLUSH);
    raw->begin = raw->end - z->avail_in;
    if (result == Z_MEM_ERROR)
      return ms_fail_memory(err, "a gzip reader");
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: the gzip data is damaged (%s); copy or download the file again",
                     raw->label, z->msg ? z->msg : "wrong checksum");
    if (result == Z_STREAM_END) {
      g->in_member = false;
      MS_TRY(next_member(g, raw, err));
    }
  }
  *got = asked - z->avail_out;
  return MS_OK;
}

const ms_decoder ms_decoder_gzip = {
    .magic = 2, .begins = begins, .open = open_gzip, .read = read_gzip, .close = close_gzip};
