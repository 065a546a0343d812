/* Pattern matches as numbers: "MSMATCH1", the header in TSV behind its length,
 * rows of ids, a tail of 24 bytes.  All numbers have their low byte first. */
#include "verify/pattern_file.h"

#include <string.h>

#define HEAD_BYTES 12u /* in front of the header: 8 of magic, 4 of its length */
#define TAIL_BYTES 24u /* 8 of magic, 8 of rows, 4 of status, 4 of CRC-32C */
#define SUM_BYTES 4u   /* the CRC-32C, which is that of all in front of it */

static const char tail_magic[] = "MSEND001";

static uint32_t get32(const char *bytes)
{
  uint32_t value = 0;
  for (int i = 3; i >= 0; i--) {
    value = value << 8 | (unsigned char)bytes[i];
  }
  return value;
}

/* Zero bytes up to a multiple of 4. */
static ms_status take_padding(ms_pattern_file *file, size_t taken, ms_error *err)
{
  size_t wanted = (4 - taken % 4) % 4, length;
  char *bytes;
  ms_status status = ms_tape_look(file->tape, wanted, &bytes, &length, err);
  if (status != MS_OK) {
    return status;
  }
  if (length < wanted) {
    return ms_pattern_refuse_cut(file);
  }
  if (memcmp(bytes, "\0\0\0", wanted) != 0) {
    return ms_result_refuse(file->result, 0, "the bytes between header and rows are not zero");
  }
  ms_tape_take(file->tape, wanted);
  return MS_OK;
}

static ms_status binary_header(ms_pattern_file *file, ms_error *err)
{
  char *bytes;
  size_t length, size = 0;
  ms_status status = ms_tape_look(file->tape, HEAD_BYTES, &bytes, &length, err);
  if (status == MS_OK && length >= HEAD_BYTES) {
    size = HEAD_BYTES + (size_t)get32(bytes + HEAD_BYTES - 4);
    status = ms_tape_look(file->tape, size, &bytes, &length, err);
  }
  if (status != MS_OK) {
    return status;
  }
  if (size == 0 || length < size) {
    return ms_pattern_refuse_cut(file);
  }
  status = ms_pattern_tsv_head(file, bytes + HEAD_BYTES, size - HEAD_BYTES, err);
  if (status != MS_OK) {
    return status;
  }
  ms_tape_take(file->tape, size);
  return take_padding(file, size, err);
}

static ms_status check_sum(ms_pattern_file *file, const char *tail)
{
  uint32_t stated = get32(tail + TAIL_BYTES - SUM_BYTES);
  ms_tape_take(file->tape, TAIL_BYTES - SUM_BYTES);
  return ms_pattern_check_crc32c(file, file->tape->crc32c, stated);
}

static ms_status read_tail(ms_pattern_file *file, const char *tail)
{
  if (memcmp(tail, tail_magic, 8) != 0) {
    return ms_pattern_refuse_cut(file);
  }
  uint32_t word = get32(tail + 16);
  file->stated_rows = get32(tail + 8) | (uint64_t)get32(tail + 12) << 32;
  file->stated_matches = file->stated_rows;
  file->complete = word == 0;
  ms_status status = check_sum(file, tail);
  if (status == MS_OK && word > 3) {
    status =
        ms_result_refuse(file->result, 0, "the status at the end is %u; it goes from 0 to 3", word);
  }
  return status;
}

static ms_status binary_row(ms_pattern_file *file, bool *more, ms_error *err)
{
  char *bytes;
  size_t length, row = 4 * (size_t)file->p;
  ms_status status = ms_tape_look(file->tape, row + TAIL_BYTES, &bytes, &length, err);
  *more = status == MS_OK && length >= row + TAIL_BYTES;
  if (status != MS_OK) {
    return status;
  }
  if (!*more) {
    return length == TAIL_BYTES ? read_tail(file, bytes) : ms_pattern_refuse_cut(file);
  }
  for (uint32_t i = 0; i < file->p; i++) {
    file->ids[i] = get32(bytes + 4 * i);
  }
  ms_tape_take(file->tape, row);
  file->number = file->rows + 1;
  return MS_OK;
}

static ms_status binary_drain(ms_pattern_file *file, ms_error *err)
{
  char *bytes;
  size_t length;
  for (;;) {
    ms_status status = ms_tape_look(file->tape, TAIL_BYTES + 1, &bytes, &length, err);
    if (status != MS_OK) {
      return status;
    }
    if (length <= TAIL_BYTES) {
      break;
    }
    ms_tape_take(file->tape, length - TAIL_BYTES);
  }
  if (length < TAIL_BYTES || memcmp(bytes, tail_magic, 8) != 0) {
    return ms_pattern_refuse_cut(file);
  }
  return check_sum(file, bytes);
}

static void binary_release(ms_pattern_file *file)
{
  (void)file;
}

const ms_pattern_format ms_pattern_file_binary = {true, binary_header, binary_row, binary_drain,
                                                  binary_release};
