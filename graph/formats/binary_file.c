/* What the two binary formats share; see binary_file.h. */
#include "graph/formats/binary_file.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/threads/parallel.h"

#include <string.h>

/* Files are little-endian, and their arrays are used as they are. */
ms_status ms_binary_check_processor(ms_error *err)
{
  const uint16_t one = 1;
  if (*(const unsigned char *)&one == 1)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the binary format needs a little-endian processor; choose another format");
}

/* ---- layout -------------------------------------------------------------- */

bool ms_binary_lay_out_sections(int sections, const uint64_t *counts, const uint64_t *sizes,
                                ms_binary_layout *layout)
{
  uint64_t at = MS_BINARY_HEADER;
  for (int s = 0; s < sections; s++) {
    uint64_t bytes;
    layout->at[s] = at;
    if (__builtin_mul_overflow(counts[s], sizes[s], &bytes) ||
        __builtin_add_overflow(at, bytes, &at) ||
        __builtin_add_overflow(at, MS_BINARY_ALIGN - 1, &at))
      return false;
    layout->bytes[s] = bytes;
    at = at / MS_BINARY_ALIGN * MS_BINARY_ALIGN;
  }
  layout->body = at;
  layout->chunks = (at - 1) / MS_BINARY_CHUNK + 1;
  return !__builtin_add_overflow(at, 4 * (layout->chunks + 1), &layout->file_bytes);
}

/* ---- reading ------------------------------------------------------------- */

static ms_status damaged(const char *label, const char *where, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "%s: is damaged %s; copy or download the file again", label,
                 where);
}

/* Returns the CRC-32C that a header should have in its last four bytes. */
static uint32_t header_crc(const void *header)
{
  return ms_crc32c(0, header, MS_BINARY_HEADER - sizeof(uint32_t));
}

static ms_status check_frame(const char *label, const ms_binary_kind *kind, const void *header,
                             ms_error *err)
{
  const ms_binary_frame *h = header;
  uint32_t crc;
  memcpy(&crc, (const char *)header + MS_BINARY_HEADER - sizeof crc, sizeof crc);
  if (memcmp(h->magic, kind->magic, 4) != 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: is not %s; leave out `format`, or make one %s", label,
                   kind->what, kind->how);
  if (memcmp(h->magic, kind->magic, MS_BINARY_MAGIC_BYTES) != 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: was damaged in transfer, probably by a conversion of line ends; transfer "
                   "it as binary data",
                   label);
  if (h->order == __builtin_bswap32(MS_BINARY_ORDER))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: was written in the opposite (big-endian) byte order; create it again with "
                   "'motifsieve convert' on a little-endian machine",
                   label);
  if (h->order != MS_BINARY_ORDER || header_crc(header) != crc)
    return damaged(label, "in its header", err);
  if (h->version > kind->version)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: was written by a newer version of motifsieve (format %u, this one reads up "
                   "to %u); update motifsieve, or convert the graph with this one",
                   label, h->version, kind->version);
  return MS_OK;
}

ms_status ms_binary_read_frame(ms_text *text, const ms_binary_kind *kind, void *header,
                               ms_error *err)
{
  const char *bytes;
  size_t length;
  MS_TRY(ms_text_head(text, MS_BINARY_HEADER, &bytes, &length, err));
  memset(header, 0, MS_BINARY_HEADER);
  memcpy(header, bytes, length < MS_BINARY_HEADER ? length : MS_BINARY_HEADER);
  if (length < MS_BINARY_HEADER && length >= 4 && memcmp(header, kind->magic, 4) == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is cut off in its header; copy or download the file again", text->label);
  return check_frame(text->label, kind, header, err);
}

bool ms_binary_table_fits(bool may_lack, uint32_t count, uint64_t slots)
{
  if (slots == 0 && may_lack)
    return true;
  return slots > 0 && (slots & (slots - 1)) == 0 && count <= slots / 4 * 3;
}

typedef struct sum_check {
  const unsigned char *bytes;
  const uint32_t *stated; /* [chunks] */
  uint64_t body;          /* bytes */
  uint64_t first;         /* chunk */
  uint64_t bad;           /* the first chunk that is damaged, or UINT64_MAX */
  ms_binary_chunk_fn *seen;
  void *user;
} sum_check;

static void note_damage(sum_check *s, uint64_t chunk)
{
  uint64_t before = __atomic_load_n(&s->bad, __ATOMIC_RELAXED);
  while (chunk < before && !__atomic_compare_exchange_n(&s->bad, &before, chunk, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void check_range(void *user, ms_range r)
{
  sum_check *s = user;
  for (uint64_t c = s->first + r.begin; c < s->first + r.end; c++) {
    uint64_t at = c * MS_BINARY_CHUNK, left = s->body - at;
    uint64_t bytes = left < MS_BINARY_CHUNK ? left : MS_BINARY_CHUNK;
    if (ms_crc32c(0, s->bytes + at, bytes) != s->stated[c])
      note_damage(s, c);
    if (s->seen)
      s->seen(s->user, at, at + bytes);
  }
}

ms_status ms_binary_check_chunks(const char *label, const ms_image *image,
                                 const ms_binary_layout *layout, uint64_t first, uint64_t last,
                                 int threads, ms_binary_chunk_fn *seen, void *user, ms_error *err)
{
  const unsigned char *bytes = image->bytes;
  sum_check s = {.bytes = bytes,
                 .stated = (const uint32_t *)(bytes + layout->body),
                 .body = layout->body,
                 .first = first,
                 .bad = UINT64_MAX,
                 .seen = seen,
                 .user = user};
  ms_parallel(threads, last - first, 1, check_range, &s);
  if (s.bad == UINT64_MAX)
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: is damaged somewhere in bytes %llu to %llu (wrong checksum); copy or "
                 "download the file again",
                 label, (unsigned long long)(s.bad * MS_BINARY_CHUNK),
                 (unsigned long long)((s.bad + 1) * MS_BINARY_CHUNK - 1));
}

ms_status ms_binary_open_sums(const char *label, const ms_image *image,
                              const ms_binary_layout *layout, uint32_t *crc, ms_error *err)
{
  const uint32_t *stated = (const uint32_t *)((const char *)image->bytes + layout->body);
  if (ms_crc32c(0, stated, 4 * layout->chunks) != stated[layout->chunks])
    return damaged(label, "in its checksums", err);
  *crc = 0;
  for (uint64_t c = 0; c + 1 < layout->chunks; c++)
    *crc = ms_crc32c_combine(*crc, stated[c], MS_BINARY_CHUNK);
  *crc = ms_crc32c_combine(*crc, stated[layout->chunks - 1],
                           layout->body - (layout->chunks - 1) * MS_BINARY_CHUNK);
  *crc = ms_crc32c(*crc, stated, 4 * (layout->chunks + 1));
  return MS_OK;
}

ms_status ms_binary_check_sums(const char *label, const ms_image *image,
                               const ms_binary_layout *layout, int threads, uint32_t *crc,
                               ms_error *err)
{
  MS_TRY(ms_binary_open_sums(label, image, layout, crc, err));
  return ms_binary_check_chunks(label, image, layout, 0, layout->chunks, threads, NULL, NULL, err);
}

ms_status ms_binary_make_names(const char *label, const ms_name_blocks *blocks, const char *what,
                               ms_names **out, ms_error *err)
{
  if (blocks->slots > 0)
    return ms_names_borrow(blocks, out, err);
  MS_TRY(ms_names_new(out, err));
  for (uint32_t id = 0; id < blocks->count; id++) {
    const char *name = blocks->pool + blocks->start[id];
    uint32_t given;
    MS_TRY(ms_names_add(*out, name, strlen(name), &given, err));
    if (given != id)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: the name of %s %u occurs a second time; create the file again with "
                     "names that differ",
                     label, what, id);
  }
  return MS_OK;
}

/* ---- writing ------------------------------------------------------------- */

void ms_binary_put(ms_binary_writer *w, const void *data, uint64_t bytes)
{
  const char *from = data;
  ms_outfile_write(w->out, from, bytes);
  if (ms_outfile_failed(w->out))
    return;
  while (bytes > 0) {
    uint64_t left = MS_BINARY_CHUNK - w->at % MS_BINARY_CHUNK, part = bytes < left ? bytes : left;
    w->sum = ms_crc32c(w->sum, from, part);
    w->at += part;
    from += part;
    bytes -= part;
    if (w->at % MS_BINARY_CHUNK == 0) {
      w->sums[w->at / MS_BINARY_CHUNK - 1] = w->sum;
      w->sum = 0;
    }
  }
}

void ms_binary_end_section(ms_binary_writer *w)
{
  static const char zeros[MS_BINARY_ALIGN];
  ms_binary_put(w, zeros, (MS_BINARY_ALIGN - w->at % MS_BINARY_ALIGN) % MS_BINARY_ALIGN);
}

void ms_binary_put_section(ms_binary_writer *w, const void *data, uint64_t bytes)
{
  if (bytes > 0)
    ms_binary_put(w, data, bytes);
  ms_binary_end_section(w);
}

void ms_binary_put_names(ms_binary_writer *w, const ms_name_blocks *names)
{
  ms_binary_put_section(w, names->start, names->count * sizeof *names->start);
  ms_binary_put_section(w, names->pool, names->pool_bytes);
  ms_binary_put_section(w, names->table, names->slots * sizeof *names->table);
}

ms_status ms_binary_writer_begin(ms_binary_writer *w, ms_outfile *out, void *header,
                                 const ms_binary_layout *layout, ms_error *err)
{
  ms_binary_frame *frame = header;
  *w = (ms_binary_writer){.out = out, .sums = ms_alloc(layout->chunks, sizeof *w->sums)};
  if (!w->sums)
    return ms_fail_memory(err, "checksums");
  frame->order = MS_BINARY_ORDER;
  frame->file_bytes = layout->file_bytes;
  uint32_t crc = header_crc(header);
  memcpy((char *)header + MS_BINARY_HEADER - sizeof crc, &crc, sizeof crc);
  ms_binary_put(w, header, MS_BINARY_HEADER);
  return MS_OK;
}

void ms_binary_writer_end(ms_binary_writer *w, const ms_binary_layout *layout)
{
  if (w->at % MS_BINARY_CHUNK != 0)
    w->sums[layout->chunks - 1] = w->sum;
  uint32_t last = ms_crc32c(0, w->sums, layout->chunks * sizeof *w->sums);
  ms_outfile_write(w->out, w->sums, layout->chunks * sizeof *w->sums);
  ms_outfile_write(w->out, &last, sizeof last);
  ms_free(w->sums);
  *w = (ms_binary_writer){0};
}

ms_status ms_binary_lay_out_names(const ms_names *names, ms_binary_names *out, ms_error *err)
{
  out->blocks = ms_names_blocks(names);
  if (out->blocks.table)
    return MS_OK;
  MS_TRY(ms_names_file_table(names, &out->own, &out->blocks.slots, err));
  out->blocks.table = out->own;
  return MS_OK;
}
