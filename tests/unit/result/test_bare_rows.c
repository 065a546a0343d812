/* Rows of names alone in TSV, against the same text put together here. */
#include "base/crc32c.h"
#include "result/writer.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 60, K = 4, ROWS = 5000, LONGEST = 70000 };

typedef struct draft {
  uint64_t start[NAMES];
  char *pool; /* of its own length, so that a sanitizer sees what is read behind it */
  uint64_t pool_bytes;
  uint32_t row[ROWS][K];
} draft;

/* Names of random lengths, none to `longest` bytes. */
static void draft_make(draft *d, uint32_t names, uint32_t longest, uint64_t *state)
{
  uint32_t length[NAMES];
  d->pool_bytes = 0;
  for (uint32_t v = 0; v < names; v++) {
    length[v] = random_below(state, longest + 1);
    d->start[v] = d->pool_bytes;
    d->pool_bytes += length[v] + 1;
  }
  d->pool = malloc(d->pool_bytes);
  ck_assert_ptr_nonnull(d->pool);
  for (uint32_t v = 0; v < names; v++) {
    for (uint32_t i = 0; i < length[v]; i++)
      d->pool[d->start[v] + i] = (char)('a' + random_below(state, 26));
    d->pool[d->start[v] + length[v]] = 0;
  }
  for (uint32_t r = 0; r < ROWS; r++)
    for (uint32_t i = 0; i < K; i++)
      d->row[r][i] = random_below(state, names);
}

static size_t append_expected(const draft *d, uint32_t r, char between, char *text)
{
  size_t length = (size_t)sprintf(text, "%u\t", r + 1);
  for (uint32_t i = 0; i < K; i++)
    length += (size_t)sprintf(text + length, "%s%c", d->pool + d->start[d->row[r][i]],
                              i + 1 < K ? between : '\n');
  return length;
}

/* Writes the rows in portions of 1, 2, 3, .. and compares the file's length and checksum. */
static void check_rows(const draft *d, uint32_t names, uint32_t rows, ms_result_kind kind)
{
  static ms_row_buffer buffer;
  static char text[K * (LONGEST + 1) + 16];
  ms_writer w = {.header = {.kind = kind, .k = K}, .buffer = &buffer};
  uint32_t crc = 0;
  uint64_t bytes = 0;
  w.names = (ms_name_blocks){
      .count = names, .start = d->start, .pool = d->pool, .pool_bytes = d->pool_bytes};
  buffer.used = 0;
  ck_assert_int_eq(ms_outfile_nowhere(&buffer.out, NULL), MS_OK);
  for (uint32_t at = 0, part = 1; at < rows; at += part++)
    ms_encoding_tsv.matches(&w, d->row[at], NULL, part < rows - at ? part : rows - at);
  ms_row_buffer_flush(&buffer);
  for (uint32_t r = 0; r < rows; r++) {
    size_t length = append_expected(d, r, kind == MS_KIND_LIST ? ',' : '\t', text);
    crc = ms_crc32c(crc, text, length);
    bytes += length;
  }
  ck_assert_uint_eq(ms_outfile_bytes(buffer.out), bytes);
  ck_assert_uint_eq(ms_outfile_crc32c(buffer.out), crc);
  ms_outfile_abort(buffer.out);
}

/* Rows of motifs and patterns are written unchanged: names of up to 3, 20 and 50 bytes, which are
 * copied in one piece or in several, 1 to 60 of them, and names of which a row exceeds the
 * buffer. */
START_TEST(names_of_any_length)
{
  static const uint32_t longest[] = {0, 3, 20, 50, LONGEST}, names[] = {1, 2, NAMES};
  static draft d;
  uint64_t state = 1;
  for (size_t l = 0; l < sizeof longest / sizeof *longest; l++)
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
      draft_make(&d, names[n], longest[l], &state);
      uint32_t rows = longest[l] == LONGEST ? 50 : ROWS;
      check_rows(&d, names[n], rows, MS_KIND_LIST);
      check_rows(&d, names[n], rows, MS_KIND_PATTERN);
      free(d.pool);
    }
}
END_TEST

TEST_MAIN("rows of names", TEST(names_of_any_length))
