/* Text through the row buffer against the same text put together here, and the counter against
 * snprintf. */
#include "base/crc32c.h"
#include "base/file/outfile.h"
#include "result/row_buffer.h"
#include "tests/support/test_main.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static ms_row_buffer *new_buffer(void)
{
  ms_error err;
  ms_row_buffer *buffer = malloc(sizeof *buffer);
  ck_assert_ptr_nonnull(buffer);
  buffer->used = 0;
  buffer->made = NULL;
  ck_assert_int_eq(ms_outfile_nowhere(&buffer->out, &err), MS_OK);
  return buffer;
}

/* What the file got is `text`, by length and checksum. */
static void assert_passed_on(ms_row_buffer *buffer, const char *text, size_t length)
{
  ms_row_buffer_flush(buffer);
  ck_assert_uint_eq(ms_outfile_bytes(buffer->out), length);
  ck_assert_uint_eq(ms_outfile_crc32c(buffer->out), ms_crc32c(0, text, length));
  ms_outfile_abort(buffer->out);
  free(buffer);
}

/* Pieces that fill the buffer nearly, exactly and several times over are written unchanged, by
 * length and checksum. */
START_TEST(pieces_of_any_length)
{
  /* around the room that there is, exactly it, and more than it ever is */
  static const size_t lengths[] = {0,
                                   1,
                                   7,
                                   MS_ROW_BUFFER_BYTES - 8,
                                   8,
                                   MS_ROW_BUFFER_BYTES,
                                   3,
                                   MS_ROW_BUFFER_BYTES + 1,
                                   3 * MS_ROW_BUFFER_BYTES,
                                   MS_ROW_BUFFER_BYTES - 1,
                                   1,
                                   1};
  enum { PIECES = sizeof lengths / sizeof *lengths };
  size_t total = 0;
  for (int i = 0; i < PIECES; i++)
    total += lengths[i] + 1;
  char *text = malloc(total);
  ck_assert_ptr_nonnull(text);
  for (size_t i = 0; i < total; i++)
    text[i] = (char)(i * 2654435761u >> 13);
  ms_row_buffer *buffer = new_buffer();
  const char *at = text;
  for (int i = 0; i < PIECES; i++) {
    ms_row_put(buffer, at, lengths[i]);
    ms_row_put_char(buffer, at[lengths[i]]);
    at += lengths[i] + 1;
  }
  assert_passed_on(buffer, text, total);
  free(text);
}
END_TEST

/* Single characters, three times as many as the buffer holds, are written unchanged. */
START_TEST(characters_fill_it)
{
  enum { CHARACTERS = 3 * MS_ROW_BUFFER_BYTES + 5 };
  static char text[CHARACTERS];
  ms_row_buffer *buffer = new_buffer();
  for (int i = 0; i < CHARACTERS; i++) {
    text[i] = (char)('a' + i % 26);
    ms_row_put_char(buffer, text[i]);
  }
  assert_passed_on(buffer, text, CHARACTERS);
}
END_TEST

/* The counter's digits are those of snprintf: 1 to 1,000,100. */
START_TEST(counter_counts)
{
  ms_counter counter = {.length = 0};
  for (uint32_t i = 1; i <= 1000100; i++) {
    char want[24];
    int length = snprintf(want, sizeof want, "%" PRIu32, i);
    ms_counter_next(&counter);
    ck_assert_uint_eq(counter.length, (uint32_t)length);
    ck_assert(memcmp(counter.digits + sizeof counter.digits - length, want, (size_t)length) == 0);
  }
}
END_TEST

/* The counter reaches the largest number of 64 bits. */
START_TEST(counter_ends)
{
  ms_counter counter;
  char want[24];
  int length = snprintf(want, sizeof want, "%" PRIu64, UINT64_MAX);
  ck_assert_int_eq(length, (int)sizeof counter.digits);
  memcpy(counter.digits, want, sizeof counter.digits);
  counter.length = sizeof counter.digits;
  counter.digits[sizeof counter.digits - 1]--;
  ms_counter_next(&counter);
  ms_row_buffer *buffer = new_buffer();
  ms_row_put_counter(buffer, &counter);
  assert_passed_on(buffer, want, (size_t)length);
}
END_TEST

/* A counter that is set goes on as if it had counted: 0, and 9 numbers around powers of ten. */
START_TEST(counter_is_set)
{
  static const uint64_t numbers[] = {0, 1, 8, 9, 10, 99, 65535, 99999, 1000000, UINT64_MAX - 1};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    ms_counter counter;
    char want[24];
    int length = snprintf(want, sizeof want, "%" PRIu64, numbers[i] + 1);
    ms_counter_set(&counter, numbers[i]);
    ms_counter_next(&counter);
    ck_assert_uint_eq(counter.length, (uint32_t)length);
    ck_assert_int_eq(memcmp(ms_counter_text(&counter), want, (size_t)length), 0);
  }
}
END_TEST

TEST_MAIN("row_buffer", TEST(pieces_of_any_length), TEST(characters_fill_it), TEST(counter_counts),
          TEST(counter_ends), TEST(counter_is_set))
