#include "base/file/compress.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define PACKED_BYTES ((size_t)1 << 16)
/* Least distance of points, and the distances in a long file: a point makes a gzip file about 0.1 %
 * longer there.  A frame of zstd begins with empty tables, which costs more. */
#define POINT_BYTES ((uint64_t)1 << 12)
#define BLOCK_BYTES ((uint64_t)1 << 16)
#define FRAME_BYTES ((uint64_t)1 << 20)

struct ms_compressor {
  z_stream deflater; /* a stream without the header and the trailer, which are written here, so that
                        a second stream can go on where the first was cut */
  uint32_t crc32;    /* of the data, and their number of bytes */
  uint32_t bytes;
  bool begun; /* the header is written */
  ms_sink sink;
  void *user;
  unsigned char packed[PACKED_BYTES];
};

static bool ends_in(const char *path, const char *suffix)
{
  size_t length = strlen(path), wanted = strlen(suffix);
  return length > wanted && strcmp(path + length - wanted, suffix) == 0;
}

ms_compression ms_compression_of(const char *path)
{
  return ends_in(path, ".gz") ? MS_GZIP : ends_in(path, ".zst") ? MS_ZSTD : MS_PLAIN;
}

void *ms_zlib_alloc(void *user, unsigned count, unsigned size)
{
  (void)user;
  return ms_alloc(count, size);
}

void ms_zlib_free(void *user, void *block)
{
  (void)user;
  ms_free(block);
}

/* ---- the begin of a file -------------------------------------------------- */

size_t ms_unpack_begin(const void *data, size_t bytes, void *to, size_t room)
{
  static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
  if (bytes > sizeof gzip && memcmp(data, gzip, sizeof gzip) == 0) {
    z_stream z = {.zalloc = ms_zlib_alloc, .zfree = ms_zlib_free};
    z.next_in = (unsigned char *)(uintptr_t)data; /* zlib only reads it */
    z.avail_in = (unsigned)bytes;
    z.next_out = to;
    z.avail_out = (unsigned)room;
    if (inflateInit2(&z, MAX_WBITS + 16 /* gzip */) != Z_OK)
      return 0;
    (void)!inflate(&z, Z_SYNC_FLUSH);
    inflateEnd(&z);
    return room - z.avail_out;
  }
  if (bytes > sizeof zstd && memcmp(data, zstd, sizeof zstd) == 0) {
    ZSTD_inBuffer in = {data, bytes, 0};
    ZSTD_outBuffer out = {to, room, 0};
    ZSTD_DStream *stream = ZSTD_createDStream();
    while (stream && in.pos < in.size && out.pos < out.size &&
           !ZSTD_isError(ZSTD_decompressStream(stream, &out, &in)))
      ;
    ZSTD_freeDStream(stream);
    return out.pos;
  }
  size_t copied = bytes < room ? bytes : room;
  memcpy(to, data, copied);
  return copied;
}

/* ---- gzip ---------------------------------------------------------------- */

/* Starts a stream without a header; returns a status of zlib. */
static int start_deflate(z_stream *z, int level)
{
  *z = (z_stream){.zalloc = ms_zlib_alloc, .zfree = ms_zlib_free};
  return deflateInit2(z, level, Z_DEFLATED, -MAX_WBITS /* no header */, 8, Z_DEFAULT_STRATEGY);
}

static ms_status start_gzip(ms_compressor *c, ms_error *err)
{
  int result = start_deflate(&c->deflater, Z_DEFAULT_COMPRESSION);
  if (result == Z_MEM_ERROR)
    return ms_fail_memory(err, "a gzip writer");
  return result == Z_OK ? MS_OK
                        : ms_fail(err, MS_ERR_INTERNAL,
                                  "zlib does not start (%d); check its installation", result);
}

/* Compresses a piece whose length fits into an unsigned; `flush` is one of zlib's. */
static void deflate_piece(ms_compressor *c, const unsigned char *data, unsigned bytes, int flush)
{
  z_stream *z = &c->deflater;
  z->next_in = (unsigned char *)data; /* zlib does not write to it */
  z->avail_in = bytes;
  do {
    z->next_out = c->packed;
    z->avail_out = sizeof c->packed;
    /* cannot fail: the stream was started, and there is room for output */
    (void)deflate(z, flush);
    c->sink(c->user, c->packed, sizeof c->packed - z->avail_out);
  } while (z->avail_out == 0);
}

/* Writes data, and after the last ones the trailer: checksum and length, little-endian. */
static void write_gzip(ms_compressor *c, const unsigned char *data, unsigned bytes, bool last)
{
  static const unsigned char header[10] = {0x1F, 0x8B, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 3 /* Unix */};
  unsigned char trailer[8];
  if (!c->begun)
    c->sink(c->user, header, sizeof header);
  c->begun = true;
  c->crc32 = (uint32_t)crc32(c->crc32, data, bytes);
  c->bytes += bytes;
  deflate_piece(c, data, bytes, last ? Z_FINISH : Z_NO_FLUSH);
  if (!last)
    return;
  for (int i = 0; i < 4; i++) {
    trailer[i] = (unsigned char)(c->crc32 >> 8 * i);
    trailer[4 + i] = (unsigned char)(c->bytes >> 8 * i);
  }
  c->sink(c->user, trailer, sizeof trailer);
}

/* ---- opening and writing ------------------------------------------------- */

ms_status ms_compressor_new(ms_sink sink, void *user, ms_compressor **out, ms_error *err)
{
  *out = NULL;
  ms_compressor *c = ms_alloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "a compressor");
  c->sink = sink;
  c->user = user;
  c->crc32 = c->bytes = 0;
  c->begun = false;
  ms_status status = start_gzip(c, err);
  if (status != MS_OK) {
    ms_free(c);
    return status;
  }
  *out = c;
  return MS_OK;
}

void ms_compressor_free(ms_compressor *c)
{
  if (c)
    deflateEnd(&c->deflater);
  ms_free(c);
}

void ms_compressor_write(ms_compressor *c, const void *data, size_t bytes, bool last)
{
  const unsigned char *from = data;
  for (; bytes > UINT32_MAX; bytes -= UINT32_MAX, from += UINT32_MAX)
    write_gzip(c, from, UINT32_MAX, false);
  write_gzip(c, from, (unsigned)bytes, last);
}

/* ---- cutting back ---------------------------------------------------------- */

uint64_t ms_compressor_point_distance(ms_compression kind, uint64_t before)
{
  uint64_t most = kind == MS_GZIP ? BLOCK_BYTES : FRAME_BYTES, part = before / 2;
  return part < POINT_BYTES ? POINT_BYTES : part < most ? part : most;
}

void ms_compressor_end_part(ms_compressor *c, ms_compressor_point *point)
{
  /* the stream goes on behind an empty block, after which it is at a whole byte */
  deflate_piece(c, (const unsigned char *)"", 0, Z_SYNC_FLUSH);
  ms_compressor_get_point(c, point);
}

void ms_compressor_get_point(const ms_compressor *c, ms_compressor_point *point)
{
  *point = (ms_compressor_point){c->crc32, c->bytes};
}

void ms_compressor_go_back(ms_compressor *c, const ms_compressor_point *point)
{
  deflateReset(&c->deflater);
  c->begun = point != NULL;
  c->crc32 = point ? point->crc32 : 0;
  c->bytes = point ? point->bytes : 0;
}

/* ---- blocks ------------------------------------------------------------------ */

struct ms_deflater {
  z_stream stream;
};

ms_deflater *ms_deflater_new(void)
{
  ms_deflater *d = ms_alloc(1, sizeof *d);
  if (d && start_deflate(&d->stream, Z_BEST_SPEED) != Z_OK) {
    ms_free(d);
    return NULL;
  }
  return d;
}

void ms_deflater_free(ms_deflater *d)
{
  if (d)
    deflateEnd(&d->stream);
  ms_free(d);
}

size_t ms_deflate_bound(ms_deflater *d, size_t bytes)
{
  return deflateBound(&d->stream, bytes) + 16; /* the empty block at the end */
}

size_t ms_deflate_block(ms_deflater *d, const void *data, size_t bytes, void *to, size_t room,
                        uint32_t *crc)
{
  z_stream *z = &d->stream;
  deflateReset(z);
  z->next_in = (unsigned char *)data; /* zlib does not write to it */
  z->avail_in = (unsigned)bytes;
  z->next_out = to;
  z->avail_out = (unsigned)room;
  (void)deflate(z, Z_SYNC_FLUSH); /* cannot fail: the stream was started, and there is room */
  *crc = (uint32_t)crc32(0, data, (unsigned)bytes);
  return room - z->avail_out;
}

void ms_compressor_add_block(ms_compressor *c, const void *packed, size_t packed_bytes,
                             uint32_t crc, size_t bytes)
{
  c->sink(c->user, packed, packed_bytes);
  c->crc32 = (uint32_t)crc32_combine(c->crc32, crc, (z_off_t)bytes);
  c->bytes += (uint32_t)bytes;
  deflateReset(&c->deflater); /* what follows must not look back to what came before the block */
}
