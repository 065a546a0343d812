/* Reads pattern matches as numbers: "MSMATCH1", the length of the header, the header in TSV, rows
 * of ids, and a tail of 24 bytes.  All numbers have their low byte first. */
#include "verify/result.h"

#include "base/status.h"

#include <string.h>

#define HEAD_BYTES 12u /* bytes before the header: 8 of magic, 4 of its length */
#define TAIL_BYTES 24u /* 8 of magic, 8 of rows, 4 of status, 4 of CRC-32C */
#define SUM_BYTES 4u   /* the CRC-32C of all bytes before it */

static const char tail_magic[] = "MSEND001";

static uint32_t get32(const char *bytes)
{
  uint32_t value = 0;
  for (int i = 3; i >= 0; i--)
    value = value << 8 | (unsigned char)bytes[i];
  return value;
}

static ms_status header(ms_result *r, ms_error *err)
{
  char *bytes;
  size_t length, size = 0;
  MS_TRY(ms_tape_peek(r->tape, HEAD_BYTES, &bytes, &length, err));
  if (length >= HEAD_BYTES) {
    size = HEAD_BYTES + (size_t)get32(bytes + HEAD_BYTES - 4);
    MS_TRY(ms_tape_peek(r->tape, size, &bytes, &length, err));
  }
  if (size == 0 || length < size)
    return ms_result_refuse_cut(r);
  MS_TRY(ms_result_parse_head(r, bytes + HEAD_BYTES, size - HEAD_BYTES, err));
  if (!(r->header.kind & (MS_KIND_PATTERN | MS_KIND_TYPED)) || r->header.has & MS_HAS_INEXACT)
    return ms_result_refuse(r, 1, "only matches of a pattern have a binary form");
  if (r->header.labels.path || r->header.long_rows)
    return ms_result_refuse(r, 1, "the binary form has neither labels nor long rows");
  ms_tape_take(r->tape, size);
  size_t padding = (4 - size % 4) % 4;
  MS_TRY(ms_tape_peek(r->tape, padding, &bytes, &length, err));
  if (length < padding)
    return ms_result_refuse_cut(r);
  if (memcmp(bytes, "\0\0\0", padding) != 0)
    return ms_result_refuse(r, 0, "the bytes between header and rows are not zero");
  ms_tape_take(r->tape, padding);
  return MS_OK;
}

static ms_status check_sum(ms_result *r, const char *tail)
{
  uint32_t stated = get32(tail + TAIL_BYTES - SUM_BYTES);
  ms_tape_take(r->tape, TAIL_BYTES - SUM_BYTES);
  return ms_result_check_crc32c(r, r->tape->crc32c, stated);
}

static ms_status take_tail(ms_result *r, const char *tail)
{
  if (memcmp(tail, tail_magic, 8) != 0)
    return ms_result_refuse_cut(r);
  uint32_t word = get32(tail + 16);
  r->stated_rows = get32(tail + 8) | (uint64_t)get32(tail + 12) << 32;
  r->header.found = r->stated_rows;
  r->header.status = word;
  MS_TRY(check_sum(r, tail));
  if (word > MS_RESULT_SPACE)
    return ms_result_refuse(r, 0, "the status at the end is %u; it goes from 0 to 5", word);
  return MS_OK;
}

static ms_status row(ms_result *r, bool *more, ms_error *err)
{
  char *bytes;
  uint32_t p = r->header.k;
  size_t length, size = 4 * (size_t)p;
  MS_TRY(ms_tape_peek(r->tape, size + TAIL_BYTES, &bytes, &length, err));
  if (length < size + TAIL_BYTES)
    return length == TAIL_BYTES ? take_tail(r, bytes) : ms_result_refuse_cut(r);
  *more = true;
  for (uint32_t i = 0; i < p; i++)
    r->ids[i] = get32(bytes + 4 * i);
  ms_tape_take(r->tape, size);
  r->row.line = 0;
  r->row.match = (ms_match_row){.number = ++r->rows, .ids = r->ids, .count = p};
  return MS_OK;
}

static ms_status drain(ms_result *r, ms_error *err)
{
  char *bytes;
  size_t length;
  for (;;) {
    MS_TRY(ms_tape_peek(r->tape, TAIL_BYTES + 1, &bytes, &length, err));
    if (length <= TAIL_BYTES)
      break;
    ms_tape_take(r->tape, length - TAIL_BYTES);
  }
  if (length < TAIL_BYTES || memcmp(bytes, tail_magic, 8) != 0)
    return ms_result_refuse_cut(r);
  return check_sum(r, bytes);
}

const ms_result_format ms_result_binary = {"MSMATCH1", header, row, drain};
