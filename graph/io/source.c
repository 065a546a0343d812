/* The bytes of a file or of standard input, decompressed where they are compressed. */
#include "base/alloc.h"
#include "base/file/compress.h"
#include "base/file/descriptor.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/stop.h"
#include "graph/io/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define MS_RAW_BYTES ((size_t)64 << 10)

typedef struct ms_raw {
  const char *label;
  int file;
  bool owned;           /* close the file at the end */
  unsigned char *bytes; /* [MS_RAW_BYTES]: begin..end is not used yet */
  size_t begin, end;
  bool ended;      /* the file has no more bytes */
  bool may_wait;   /* reading may wait for another program: a pipe, a terminal, a socket */
  uint64_t polled; /* bytes since the stop token was polled last */
  uint64_t factor; /* bytes of memory for each byte that is read from now on (base/meter.h) */
} ms_raw;

/* A compression format. */
typedef struct ms_decoder {
  size_t magic; /* bytes that `begins` needs */
  /* Does compressed data begin here?  `length` is less than `magic` only at the end. */
  bool (*begins)(const unsigned char *bytes, size_t length);
  ms_status (*open)(void **state, ms_error *err);
  /* As ms_source_read, with room > 0. */
  ms_status (*read)(void *state, ms_raw *raw, char *buffer, size_t room, size_t *got,
                    ms_error *err);
  void (*close)(void *state);
} ms_decoder;

/* ---- bytes of a file ------------------------------------------------------------------------- */

#define POLL_BYTES ((uint64_t)1 << 20)
#define LEAST_STEP ((size_t)4096) /* bytes that a call counts at least, since each takes time */
#define WAIT_MS 50

/* Opens a file.  To open a named pipe waits for a program that writes into it, unless the
 * descriptor is non-blocking; then raw_fill waits. */
static int open_file(const char *path)
{
  struct stat facts;
  int flags = stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode) ? O_NONBLOCK : 0;
  return ms_open(path, O_RDONLY | flags, 0);
}

/* Opens the file, or standard input ("-").  `label` names it in messages and must outlive *raw.
 * The caller calls raw_close, also after a failure. */
static ms_status raw_open(const char *path, const char *label, ms_raw *raw, ms_error *err)
{
  struct stat facts;
  *raw = (ms_raw){.label = label, .file = STDIN_FILENO, .bytes = ms_alloc(MS_RAW_BYTES, 1)};
  if (!raw->bytes)
    return ms_fail_memory(err, "a read buffer");
  if (strcmp(path, "-") == 0) {
    raw->may_wait = fstat(raw->file, &facts) == 0 && !S_ISREG(facts.st_mode);
    return ms_check_stdin(err);
  }
  raw->file = open_file(path);
  if (raw->file < 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: cannot open: %s; check the path and its permissions",
                   raw->label, strerror(errno));
  raw->owned = true;
  if (fstat(raw->file, &facts) != 0)
    return MS_OK;
  raw->may_wait = !S_ISREG(facts.st_mode);
  if (S_ISDIR(facts.st_mode))
    return ms_fail(err, MS_ERR_INPUT, "%s: is a folder; give a file in it", raw->label);
  return MS_OK;
}

static void raw_close(ms_raw *raw)
{
  if (raw->owned)
    close(raw->file);
  ms_free(raw->bytes);
}

/* Fails if the token of the thread is stopped. */
static ms_status check_stop(const ms_raw *raw, ms_error *err)
{
  char line[32] = "";
  const ms_meter *reading = ms_meter_current();
  ms_status status = ms_stop_check(ms_stop_current());
  if (status == MS_OK)
    return MS_OK;
  if (reading && reading->line && *reading->line > 0)
    ms_format(line, sizeof line, ":%llu", (unsigned long long)*reading->line);
  return ms_fail(err, status,
                 status == MS_ERR_LIMIT
                     ? "%s%s: out of time while the input is read; there is no result yet, so "
                       "allow more time"
                     : "%s%s: interrupted while the input is read; there is no result yet",
                 raw->label, line);
}

/* Polls that token after every MiB of bytes, compressed or not.  So a small file is read even if
 * the time is up, and the search that follows says so in its result. */
static ms_status raw_poll(ms_raw *raw, size_t bytes, ms_error *err)
{
  raw->polled += bytes > LEAST_STEP ? bytes : LEAST_STEP;
  if (raw->polled < POLL_BYTES)
    return MS_OK;
  raw->polled = 0;
  return check_stop(raw, err);
}

/* Waits until there is something to read.  */
static ms_status wait_for_bytes(const ms_raw *raw, ms_error *err)
{
  struct pollfd wait = {.fd = raw->file, .events = POLLIN};
  int ready = !raw->may_wait || poll(&wait, 1, 0) != 0;
  while (!ready) {
    MS_TRY(check_stop(raw, err));
    ready = poll(&wait, 1, WAIT_MS) > 0;
  }
  return MS_OK;
}

/* Moves the unused bytes to the front and reads until there are `wanted` of them or the file
 * ends.  It waits no longer than the token of the thread (base/threads/stop.h) allows. */
static ms_status raw_fill(ms_raw *raw, size_t wanted, ms_error *err)
{
  memmove(raw->bytes, raw->bytes + raw->begin, raw->end - raw->begin);
  raw->end -= raw->begin;
  raw->begin = 0;
  while (raw->end < wanted && !raw->ended) {
    MS_TRY(wait_for_bytes(raw, err));
    ssize_t got = read(raw->file, raw->bytes + raw->end, MS_RAW_BYTES - raw->end);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got < 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: cannot read: %s; check the file and its disk",
                     raw->label, strerror(errno));
    raw->ended = got == 0;
    raw->end += (size_t)got;
    if (raw->factor)
      ms_meter_input((uint64_t)got * raw->factor);
    MS_TRY(raw_poll(raw, (size_t)got, err));
  }
  return MS_OK;
}

/* ---- zstd ------------------------------------------------------------------------------------ */

/* zstd (RFC 8878): one or more frames, skippable ones among them.
 *
 * libzstd takes an allocator only in the part of its interface that is for
 * static linking, so its memory (a window of at most 128 MiB) is its own and
 * not of base/alloc.  It is added to the meter when a frame has begun, and
 * windows that do not fit are refused before. */

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

static bool zstd_begins(const unsigned char *p, size_t length)
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
  ms_status status = raw_fill(raw, 4, err);
  if (status != MS_OK || raw->begin == raw->end)
    return status;
  z->in_frame = zstd_begins(raw->bytes + raw->begin, raw->end - raw->begin);
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
      status = raw_fill(raw, 1, err);
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

static const ms_decoder ms_decoder_zstd = {
    .magic = 4, .begins = zstd_begins, .open = open_zstd, .read = read_zstd, .close = close_zstd};

/* ---- gzip ------------------------------------------------------------------------------------ */

/* gzip (RFC 1952): one or more members, zero padding behind the last. */

typedef struct gunzip {
  z_stream inflater;
  bool in_member; /* between the header and the trailer of a member */
} gunzip;

static bool gzip_begins(const unsigned char *bytes, size_t length)
{
  return length >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

static ms_status open_gzip(void **state, ms_error *err)
{
  *state = NULL;
  gunzip *g = ms_calloc(1, sizeof *g);
  if (!g)
    return ms_fail_memory(err, "a gzip reader");
  g->inflater.zalloc = ms_zlib_alloc;
  g->inflater.zfree = ms_zlib_free;
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
  ms_status status = raw_fill(raw, 2, err);
  if (status != MS_OK)
    return status;
  if (gzip_begins(raw->bytes + raw->begin, raw->end - raw->begin)) {
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
      status = raw_fill(raw, 1, err);
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
      MS_TRY(raw_fill(raw, 1, err));
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

static const ms_decoder ms_decoder_gzip = {
    .magic = 2, .begins = gzip_begins, .open = open_gzip, .read = read_gzip, .close = close_gzip};

/* ---- sources --------------------------------------------------------------------------------- */

/* What a call delivers at most, so that the stop token is polled often enough. */
#define MOST_BYTES ((size_t)4 << 20)

struct ms_source {
  ms_raw raw;
  const ms_decoder *decoder; /* NULL: plain */
  void *state;               /* of the decoder */
};

static const ms_decoder *const decoders[] = {&ms_decoder_gzip, &ms_decoder_zstd};
#define DECODERS (sizeof decoders / sizeof *decoders)

static ms_status find_decoder(ms_source *source, ms_error *err)
{
  ms_raw *raw = &source->raw;
  for (size_t i = 0; i < DECODERS; i++) {
    MS_TRY(raw_fill(raw, decoders[i]->magic, err));
    if (!decoders[i]->begins(raw->bytes, raw->end))
      continue;
    ms_status status = decoders[i]->open(&source->state, err);
    if (status == MS_OK)
      source->decoder = decoders[i];
    return status;
  }
  return MS_OK;
}

/* Do the bytes include one that no text file has? */
static bool is_binary(const ms_raw *raw)
{
  for (size_t i = raw->begin; i < raw->end; i++)
    if (raw->bytes[i] < '\t')
      return true;
  return false;
}

/* Refuses common files that are no text and would be read as bad text.  (A vertex may be called
 * BZh91AY&SY.) */
static ms_status refuse_others(const ms_raw *raw, ms_error *err)
{
  if (!is_binary(raw))
    return MS_OK;
  static const struct {
    const char *bytes;
    size_t size;
    const char *what;
  } others[] = {
      {"PK\003\004", 4, "a ZIP archive or an Excel workbook; unpack it, or export it as text"},
      {"BZh91AY&SY", 10, "compressed by bzip2; unpack it, or compress it with gzip or zstd"},
      {"\xFD"
       "7zXZ",
       5, "compressed by xz; unpack it, or compress it with gzip or zstd"},
      {"\xD0\xCF\x11\xE0", 4, "an old Excel or Word file; export it as text"},
      {"%PDF-", 5, "a PDF document; give a text file"},
      {"PAR1", 4, "Parquet; write it as text, in Python with pandas: to_csv(FILE, index=False)"},
      {"ARROW1", 6, "Arrow or Feather; write it as text, in Python with pandas: to_csv"},
      {"FEA1", 4, "Feather; write it as text, in Python with pandas: to_csv(FILE, index=False)"},
      {"\x89HDF\r\n", 6,
       "HDF5, as in .h5ad and .loom; write it as text, or read it in Python (Graph.from_anndata)"},
      {"\x93NUMPY", 6,
       "an array of NumPy; write it as text, in Python with numpy.savetxt(fmt='%d')"},
      {"\xE2\x9B\xBE gt", 6,
       "a graph of graph-tool; save it as GraphML: graph.save('NEW.graphml')"},
      {"\x80\x03", 2, "a pickle of Python; write it as text"},
      {"\x80\x04", 2, "a pickle of Python; write it as text"},
      {"\x80\x05", 2, "a pickle of Python; write it as text"},
      {"RDX", 3, "R's .RData; write a table: write.table(x, FILE, sep='\\t', quote=FALSE)"},
      {"X\n\0\0", 4, "R's .rds; write a table: write.table(x, FILE, sep='\\t', quote=FALSE)"},
      {"SQLite format 3", 15, "a database of SQLite; export a table as CSV"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (raw->end - raw->begin >= others[i].size &&
        memcmp(raw->bytes + raw->begin, others[i].bytes, others[i].size) == 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: is %s", raw->label, others[i].what);
  return MS_OK;
}

/* Lets reading take memory in proportion to the file, or, from a pipe, to what has come so far. */
static void allow_memory(ms_source *source)
{
  struct stat facts;
  ms_raw *raw = &source->raw;
  uint64_t factor = source->decoder ? MS_UNPACKING_FACTOR : MS_READING_FACTOR;
  uint64_t bytes = raw->end - raw->begin;
  if (!raw->may_wait && fstat(raw->file, &facts) == 0 && facts.st_size > 0)
    bytes = (uint64_t)facts.st_size;
  else
    raw->factor = factor;
  ms_meter_input(bytes < UINT64_MAX / factor ? bytes * factor : UINT64_MAX);
}

ms_status ms_source_open(const char *path, const char *label, ms_source **out, ms_error *err)
{
  *out = NULL;
  ms_source *source = ms_calloc(1, sizeof *source);
  if (!source)
    return ms_fail_memory(err, "a reader");
  ms_status status = raw_open(path, label, &source->raw, err);
  if (status == MS_OK)
    status = find_decoder(source, err);
  if (status == MS_OK)
    status = refuse_others(&source->raw, err);
  if (status == MS_OK)
    allow_memory(source);
  if (status != MS_OK) {
    ms_source_close(source);
    return status;
  }
  *out = source;
  return MS_OK;
}

void ms_source_close(ms_source *source)
{
  if (!source)
    return;
  if (source->decoder)
    source->decoder->close(source->state);
  raw_close(&source->raw);
  ms_free(source);
}

ms_status ms_source_read(ms_source *source, char *buffer, size_t room, size_t *got, ms_error *err)
{
  ms_raw *raw = &source->raw;
  *got = 0;
  room = room < MOST_BYTES ? room : MOST_BYTES;
  if (source->decoder) {
    MS_TRY(source->decoder->read(source->state, raw, buffer, room, got, err));
    return raw_poll(raw, *got, err);
  }
  if (raw->begin == raw->end)
    MS_TRY(raw_fill(raw, 1, err));
  size_t size = raw->end - raw->begin;
  *got = size < room ? size : room;
  memcpy(buffer, raw->bytes + raw->begin, *got);
  raw->begin += *got;
  return MS_OK;
}

bool ms_source_is_plain_file(const ms_source *source, int *file, size_t *size)
{
  struct stat facts;
  if (source->decoder || !source->raw.owned || fstat(source->raw.file, &facts) != 0 ||
      !S_ISREG(facts.st_mode) || facts.st_size <= 0)
    return false;
  *file = source->raw.file;
  *size = (size_t)facts.st_size;
  return true;
}
