/* Bytes of a file or of standard input, inflated where they begin as gzip. */
#include "graph/text.h"

#include "base/alloc.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define RAW_BYTES ((size_t)64 << 10)

struct ms_source {
  const char *label;
  int file;
  bool owned; /* close the file at the end */
  bool gzip;
  bool in_member;     /* gzip: between the header and the trailer of a member */
  z_stream inflater;  /* ready iff gzip */
  unsigned char *raw; /* [RAW_BYTES]: raw_begin..raw_end is not yet used */
  size_t raw_begin, raw_end;
  bool raw_ended;
};

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

/* Move what is left to the front and read on until `wanted` bytes are there
 * or the file ends. */
static ms_status fill_raw(ms_source *source, size_t wanted, ms_error *err)
{
  memmove(source->raw, source->raw + source->raw_begin, source->raw_end - source->raw_begin);
  source->raw_end -= source->raw_begin;
  source->raw_begin = 0;
  while (source->raw_end < wanted && !source->raw_ended) {
    ssize_t got = read(source->file, source->raw + source->raw_end, RAW_BYTES - source->raw_end);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: cannot read: %s; check the file and its disk",
                     source->label, strerror(errno));
    source->raw_ended = got == 0;
    source->raw_end += (size_t)got;
  }
  return MS_OK;
}

static ms_status open_file(ms_source *source, const char *path, ms_error *err)
{
  struct stat facts;
  source->file = STDIN_FILENO;
  if (strcmp(path, "-") == 0)
    return MS_OK;
  source->file = open(path, O_RDONLY | O_CLOEXEC);
  if (source->file < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot open: %s; check the path and its permissions",
                   source->label, strerror(errno));
  source->owned = true;
  if (fstat(source->file, &facts) == 0 && S_ISDIR(facts.st_mode))
    return ms_fail(err, MS_ERR_INPUT, "%s: is a folder; give a file in it", source->label);
  return MS_OK;
}

static bool at_gzip(const ms_source *source)
{
  const unsigned char *p = source->raw + source->raw_begin;
  return source->raw_end - source->raw_begin >= 2 && p[0] == 0x1F && p[1] == 0x8B;
}

static ms_status start_inflater(ms_source *source, ms_error *err)
{
  source->inflater.zalloc = zlib_alloc;
  source->inflater.zfree = zlib_free;
  int result = inflateInit2(&source->inflater, 16 + MAX_WBITS); /* 16: gzip, with its CRC */
  if (result == Z_MEM_ERROR)
    return ms_fail_memory(err, "a gzip reader");
  if (result != Z_OK)
    return ms_fail(err, MS_ERR_INTERNAL, "zlib does not start (%d); check its installation",
                   result);
  source->gzip = true;
  source->in_member = true;
  return MS_OK;
}

ms_status ms_source_open(const char *path, const char *label, ms_source **out, ms_error *err)
{
  ms_status status;
  *out = NULL;
  ms_source *source = ms_calloc(1, sizeof *source);
  if (!source)
    return ms_fail_memory(err, "a reader");
  source->label = label;
  source->raw = ms_alloc(RAW_BYTES, 1);
  if (!source->raw) {
    status = ms_fail_memory(err, "a read buffer");
    goto fail;
  }
  status = open_file(source, path, err);
  if (status != MS_OK)
    goto fail;
  status = fill_raw(source, 2, err);
  if (status != MS_OK)
    goto fail;
  if (at_gzip(source))
    status = start_inflater(source, err);
  if (status != MS_OK)
    goto fail;
  *out = source;
  return MS_OK;

fail:
  ms_source_close(source);
  return status;
}

void ms_source_close(ms_source *source)
{
  if (!source)
    return;
  if (source->gzip)
    inflateEnd(&source->inflater);
  if (source->owned)
    close(source->file);
  ms_free(source->raw);
  ms_free(source);
}

/* After the end of a member: another member, zero padding, or the end. */
static ms_status next_member(ms_source *source, ms_error *err)
{
  ms_status status = fill_raw(source, 2, err);
  if (status != MS_OK)
    return status;
  if (at_gzip(source)) {
    inflateReset(&source->inflater);
    source->in_member = true;
    return MS_OK;
  }
  while (status == MS_OK && source->raw_begin < source->raw_end) {
    if (source->raw[source->raw_begin++] != 0)
      return ms_fail(
          err, MS_ERR_INPUT,
          "%s: something that is not gzip follows the gzip data; make the file anew with gzip",
          source->label);
    if (source->raw_begin == source->raw_end)
      status = fill_raw(source, 1, err);
  }
  return status;
}

static ms_status read_gzip(ms_source *source, char *buffer, size_t room, size_t *got, ms_error *err)
{
  z_stream *z = &source->inflater;
  z->next_out = (unsigned char *)buffer;
  z->avail_out = room < UINT32_MAX ? (unsigned)room : UINT32_MAX;
  unsigned asked = z->avail_out;
  while (source->in_member && z->avail_out == asked) {
    if (source->raw_begin == source->raw_end) {
      ms_status status = fill_raw(source, 1, err);
      if (status != MS_OK)
        return status;
      if (source->raw_end == 0)
        return ms_fail(err, MS_ERR_INPUT,
                       "%s: the gzip data is cut off; copy or download the file again",
                       source->label);
    }
    z->next_in = source->raw + source->raw_begin;
    z->avail_in = (unsigned)(source->raw_end - source->raw_begin);
    int result = inflate(z, Z_NO_FLUSH);
    source->raw_begin = source->raw_end - z->avail_in;
    if (result == Z_MEM_ERROR)
      return ms_fail_memory(err, "a gzip reader");
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: the gzip data is damaged (%s); copy or download the file again",
                     source->label, z->msg ? z->msg : "wrong checksum");
    if (result == Z_STREAM_END) {
      source->in_member = false;
      ms_status status = next_member(source, err);
      if (status != MS_OK)
        return status;
    }
  }
  *got = asked - z->avail_out;
  return MS_OK;
}

ms_status ms_source_read(ms_source *source, char *buffer, size_t room, size_t *got, ms_error *err)
{
  *got = 0;
  if (source->gzip)
    return read_gzip(source, buffer, room, got, err);
  if (source->raw_begin == source->raw_end) {
    ms_status status = fill_raw(source, 1, err);
    if (status != MS_OK)
      return status;
  }
  size_t size = source->raw_end - source->raw_begin;
  *got = size < room ? size : room;
  memcpy(buffer, source->raw + source->raw_begin, *got);
  source->raw_begin += *got;
  return MS_OK;
}
