/* A buffer for many short pieces of text on their way to a file: it collects them without a call
 * for each, and passes them on in tens of thousands of bytes. */
#ifndef MS_RESULT_ROW_BUFFER_H
#define MS_RESULT_ROW_BUFFER_H

#include "base/file/outfile.h"

#include <string.h>

#define MS_ROW_BUFFER_BYTES ((size_t)1 << 16)

typedef struct ms_row_buffer {
  ms_outfile *out;
  ms_made *made; /* where the text goes instead, if it is of a block; NULL: to `out` */
  bool failed;   /* there was no memory for a block */
  size_t used;
  char bytes[MS_ROW_BUFFER_BYTES];
} ms_row_buffer;

/* Passes bytes on that are not in the buffer, which is empty. */
static inline void ms_row_buffer_pass(ms_row_buffer *buffer, const void *data, size_t bytes)
{
  if (!buffer->made)
    ms_outfile_write(buffer->out, data, bytes);
  else if (!ms_made_add(buffer->made, data, bytes))
    buffer->failed = true;
}

static inline void ms_row_buffer_flush(ms_row_buffer *buffer)
{
  ms_row_buffer_pass(buffer, buffer->bytes, buffer->used);
  buffer->used = 0;
}

static inline void ms_row_put(ms_row_buffer *buffer, const char *text, size_t length)
{
  if (length > MS_ROW_BUFFER_BYTES - buffer->used) {
    ms_row_buffer_flush(buffer);
    if (length > MS_ROW_BUFFER_BYTES) {
      ms_row_buffer_pass(buffer, text, length);
      return;
    }
  }
  memcpy(buffer->bytes + buffer->used, text, length);
  buffer->used += length;
}

/* Copies a text of at most 32 bytes, as most are, without a call: two copies of a fixed length may
 * overlap.  `to` must have room for `length` bytes. */
static inline char *ms_copy_text(char *to, const char *text, size_t length)
{
  if (length > 32) {
    memcpy(to, text, length);
  } else if (length > 16) {
    memcpy(to, text, 16);
    memcpy(to + length - 16, text + length - 16, 16);
  } else if (length >= 8) {
    memcpy(to, text, 8);
    memcpy(to + length - 8, text + length - 8, 8);
  } else if (length >= 4) {
    memcpy(to, text, 4);
    memcpy(to + length - 4, text + length - 4, 4);
  } else {
    for (size_t i = 0; i < length; i++)
      to[i] = text[i];
  }
  return to + length;
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

/* Sets the number. */
static inline void ms_counter_set(ms_counter *counter, uint64_t number)
{
  for (counter->length = 0; number > 0; number /= 10)
    counter->digits[sizeof counter->digits - ++counter->length] = (char)('0' + number % 10);
}

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

/* Its `length` digits. */
static inline const char *ms_counter_text(const ms_counter *counter)
{
  return counter->digits + sizeof counter->digits - counter->length;
}

static inline void ms_row_put_counter(ms_row_buffer *buffer, const ms_counter *counter)
{
  ms_row_put(buffer, ms_counter_text(counter), counter->length);
}

#endif
