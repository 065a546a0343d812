/* The bytes of a file or of standard input, decompressed where they are compressed. */
#include "graph/io/source.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/status.h"
#include "graph/io/text.h"

#include <string.h>
#include <sys/stat.h>

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
    MS_TRY(ms_raw_fill(raw, decoders[i]->magic, err));
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
  ms_status status = ms_raw_open(path, label, &source->raw, err);
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
  ms_raw_close(&source->raw);
  ms_free(source);
}

ms_status ms_source_read(ms_source *source, char *buffer, size_t room, size_t *got, ms_error *err)
{
  ms_raw *raw = &source->raw;
  *got = 0;
  room = room < MOST_BYTES ? room : MOST_BYTES;
  if (source->decoder) {
    MS_TRY(source->decoder->read(source->state, raw, buffer, room, got, err));
    return ms_raw_poll(raw, *got, err);
  }
  if (raw->begin == raw->end) {
    MS_TRY(ms_raw_fill(raw, 1, err));
  }
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
