/* A compact form for programs: the head of the TSV form as it is, then vertex
 * ids of 4 bytes; all numbers little-endian.
 *
 *   "MSMATCH1", uint32 length of the head, the head, 0 to 3 zero bytes so that
 *   rows begin at a multiple of 4; rows of p uint32; "MSEND001", uint64 rows,
 *   uint32 status, uint32 CRC-32C of all bytes in front of this last number. */
#include "base/status.h"
#include "result/pattern_writer.h"

static const char pad[4];

static void put_little(ms_outfile *out, uint64_t value, size_t bytes)
{
  unsigned char text[8];
  for (size_t i = 0; i < bytes; i++)
    text[i] = (unsigned char)(value >> 8 * i);
  ms_outfile_write(out, text, bytes);
}

/* The length of the head stands in front of it: write it to nowhere first. */
static ms_status measure(const ms_pattern_output *o, const ms_pattern_result *known,
                         uint64_t *length, ms_error *err)
{
  ms_outfile *nowhere;
  MS_TRY(ms_outfile_nowhere(&nowhere, err));
  ms_put_pattern_head(nowhere, o->job, known);
  *length = ms_outfile_bytes(nowhere);
  ms_outfile_abort(nowhere);
  return *length <= UINT32_MAX
             ? MS_OK
             : ms_fail(err, MS_ERR_OUTPUT, "the head is too long for --binary; leave it out");
}

static ms_status head(ms_pattern_output *o, const ms_pattern_result *known, ms_error *err)
{
  uint64_t length = 0;
  MS_TRY(measure(o, known, &length, err));
  ms_outfile_puts(o->out, "MSMATCH1");
  put_little(o->out, length, 4);
  ms_put_pattern_head(o->out, o->job, known);
  ms_outfile_write(o->out, pad, -ms_outfile_bytes(o->out) & 3);
  return MS_OK;
}

static void rows(ms_pattern_output *o, const uint32_t *row, uint64_t count)
{
  uint64_t numbers = count * ms_pattern_size(o->job->pattern);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  ms_outfile_write(o->out, row, numbers * sizeof *row);
#else
  for (uint64_t i = 0; i < numbers; i++) {
    uint32_t little = __builtin_bswap32(row[i]);
    ms_row_put(o->buffer, (const char *)&little, sizeof little);
  }
#endif
}

static uint32_t status_number(const ms_pattern_output *o, const ms_pattern_result *result)
{
  enum { COMPLETE, LIMIT, TIME, INTERRUPTED };
  if (result->stopped == MS_OK)
    return COMPLETE;
  if (result->stopped != MS_ERR_LIMIT)
    return INTERRUPTED;
  return ms_pattern_at_limit(o->job, result) ? LIMIT : TIME;
}

static ms_status end(ms_pattern_output *o, const ms_pattern_result *result, ms_error *err)
{
  (void)err;
  ms_outfile_puts(o->out, "MSEND001");
  put_little(o->out, o->rows, 8);
  put_little(o->out, status_number(o, result), 4);
  put_little(o->out, ms_outfile_crc32c(o->out), 4);
  return MS_OK;
}

const ms_pattern_writer ms_pattern_writer_binary = {head, rows, end};
