/* A buffer for many short pieces of text on their way to a file: it collects them without a call
 * for each, and passes them on in tens of thousands of bytes. */
#ifndef MS_RESULT_ROW_BUFFER_H
#define MS_RESULT_ROW_BUFFER_H

#include "base/outfile.h"

#include <string.h>

#define MS_ROW_BUFFER_BYTES ((size_t)1 << 16)

typedef struct ms_row_buffer {
  ms_outfile *out;
  size_t used;
  char bytes[MS_ROW_BUFFER_BYTES];
} ms_row_buffer;

static inline void ms_row_buffer_flush(ms_row_buffer *buffer)
{
  ms_outfile_write(buffer->out, buffer->bytes, buffer->used);
  buffer->used = 0;
}

static inline void ms_row_put(ms_row_buffer *buffer, const char *text, size_t length)
{
  if (length > MS_ROW_BUFFER_BYTES - buffer->used) {
    ms_row_buffer_flush(buffer);
    if (length > MS_ROW_BUFFER_BYTES) {
      ms_outfile_write(buffer->out, text, length);
      return;
    }
  }
  memcpy(buffer->bytes + buffer->used, text, length);
  buffer->used += length;
}

#define MS_PUT_TEXT(buffer, literal) ms_row_put(buffer, literal, sizeof(literal) - 1)

static inline void ms_row_put_char(ms_row_buffer *buffer, char c)
{
  if (buffer->used == MS_ROW_BUFFER_BYTES)
    ms_row_buffer_flush(buffer);
  buffer->bytes[buffer->used++] = c;
}

/* ---- numbers that count up ------------------------------------------------ */

/* A number in decimal.  Adding one usually changes one digit, while a division for each digit would
 * take longer than the rest of a row. */
typedef struct ms_counter {
  char digits[20]; /* the last `length` of them are in use */
  uint32_t length; /* 0: nothing has been counted */
} ms_counter;

/* Adds one; may be called at most UINT64_MAX times. */
static inline void ms_counter_next(ms_counter *counter)
{
  uint32_t at = sizeof counter->digits, first = at - counter->length;
  while (at > first && counter->digits[at - 1] == '9')
    counter->digits[--at] = '0';
  if (at > first) {
    counter->digits[at - 1]++;
  } else if (at > 0) {
    counter->digits[at - 1] = '1';
    counter->length++;
  }
}

static inline void ms_row_put_counter(ms_row_buffer *buffer, const ms_counter *counter)
{
  ms_row_put(buffer, counter->digits + sizeof counter->digits - counter->length, counter->length);
}

#endif
