/* Writes matches of a pattern as numbers, all little-endian:
 *
 *   "MSMATCH1", uint32 length of the head, the head of the TSV form, 0 to 3 zero
 *   bytes so that rows begin at a multiple of 4; rows of p uint32; "MSEND001",
 *   uint64 rows, uint32 status, uint32 CRC-32C of all bytes before it. */
#include "base/status.h"
#include "result/writer.h"

static const char pad[4];

static void put_little(ms_outfile *out, uint64_t value, size_t bytes)
{
  unsigned char text[8];
  for (size_t i = 0; i < bytes; i++)
    text[i] = (unsigned char)(value >> 8 * i);
  ms_outfile_write(out, text, bytes);
}

static ms_status begin(ms_writer *w, ms_error *err)
{
  /* the length of the head comes before it, so a first pass only counts bytes */
  ms_outfile *nowhere;
  MS_TRY(ms_outfile_nowhere(&nowhere, err));
  ms_put_tsv_head(nowhere, &w->header);
  uint64_t length = ms_outfile_bytes(nowhere);
  ms_outfile_abort(nowhere);
  if (length > UINT32_MAX)
    return ms_fail(err, MS_ERR_OUTPUT,
                   "the head is too long for `MS_FORM_BINARY`; leave out `MS_FORM_BINARY`");
  ms_outfile_puts(w->out, "MSMATCH1");
  put_little(w->out, length, 4);
  ms_put_tsv_head(w->out, &w->header);
  ms_outfile_write(w->out, pad, -ms_outfile_bytes(w->out) & 3);
  return MS_OK;
}

static void matches(ms_writer *w, const uint32_t *row, const uint32_t *score, uint64_t count)
{
  uint64_t numbers = count * w->header.k;
  (void)score; /* matches of a pattern have no score */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  ms_row_buffer_pass(w->buffer, row, numbers * sizeof *row);
#else
  for (uint64_t i = 0; i < numbers; i++) {
    uint32_t little = __builtin_bswap32(row[i]);
    ms_row_put(w->buffer, (const char *)&little, sizeof little);
  }
#endif
}

static ms_status end(ms_writer *w, ms_error *err)
{
  (void)err;
  ms_outfile_puts(w->out, "MSEND001");
  put_little(w->out, w->rows, 8);
  put_little(w->out, w->header.status, 4);
  put_little(w->out, ms_outfile_crc32c(w->out), 4);
  return MS_OK;
}

const ms_encoding ms_encoding_binary = {false, begin, matches, end};
