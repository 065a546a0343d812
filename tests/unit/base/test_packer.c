/* Compression on several threads (base/file/packer.h). */
#include "base/file/packer.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MOST = 1 << 24 };

/* What a packer has passed on. */
typedef struct received {
  char *bytes;
  size_t length;
  uint64_t rows[64]; /* of the marks, in their order */
  uint32_t marks;
} received;

static void receive(void *user, const ms_packed *packed)
{
  received *r = user;
  ck_assert_uint_le(r->length + packed->bytes, MOST);
  memcpy(r->bytes + r->length, packed->data, packed->bytes);
  r->length += packed->bytes;
  if (packed->mark)
    r->rows[r->marks++] = packed->mark->rows;
}

/* Text that packs to about a half. */
static char *make_text(size_t length, uint64_t *seed)
{
  char *text = malloc(length + 1);
  ck_assert_ptr_nonnull(text);
  for (size_t i = 0; i < length; i++)
    text[i] = "acgtnACGTN\n\t 012"[random_next(seed) >> 60];
  return text;
}

/* Packs the text in pieces of random lengths, some of which end a frame with a mark. */
static void pack(const char *text, size_t length, int threads, received *r)
{
  ms_packer *packer;
  uint64_t seed = length, rows = 0;
  ck_assert_int_eq(ms_packer_new(MS_ZSTD, receive, r, &packer, NULL), MS_OK);
  ms_packer_set_threads(packer, threads);
  for (size_t at = 0; at < length;) {
    size_t part = 1 + random_below(&seed, 400000);
    part = part < length - at ? part : length - at;
    ck_assert(ms_packer_write(packer, text + at, part));
    at += part;
    if (random_below(&seed, 3) == 0)
      ck_assert(ms_packer_end_frame(packer, &(ms_mark){.rows = ++rows}));
  }
  ck_assert(ms_packer_finish(packer));
  ck_assert_uint_eq(r->marks, rows);
  for (uint32_t i = 0; i < r->marks; i++)
    ck_assert_uint_eq(r->rows[i], i + 1);
  ms_packer_free(packer);
}

/* The bytes are the same with 1, 2, 5 and 16 threads, marks come in order, and zstd itself unpacks
 * the bytes to the text: five lengths up to 9 million bytes. */
START_TEST(same_bytes)
{
  static const size_t lengths[] = {0, 1, 300000, 4000000, 9000000};
  static const int threads[] = {1, 2, 5, 16};
  received one = {malloc(MOST), 0, {0}, 0}, other = {malloc(MOST), 0, {0}, 0};
  char *got = malloc(MOST);
  for (uint32_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    uint64_t seed = i;
    char *text = make_text(lengths[i], &seed);
    for (uint32_t t = 0; t < sizeof threads / sizeof *threads; t++) {
      received *r = t == 0 ? &one : &other;
      r->length = r->marks = 0;
      pack(text, lengths[i], threads[t], r);
      ck_assert_uint_eq(r->length, one.length);
      ck_assert_int_eq(memcmp(r->bytes, one.bytes, one.length), 0);
    }
    ck_assert_uint_gt(one.length, 0);
    ck_assert_uint_eq(ZSTD_decompress(got, MOST, one.bytes, one.length), lengths[i]);
    ck_assert_int_eq(memcmp(got, text, lengths[i]), 0);
    free(text);
  }
  free(one.bytes);
  free(other.bytes);
  free(got);
}
END_TEST

/* A packer that forgets what waits begins anew: what was passed on before and what comes after are
 * the output. */
START_TEST(forgets)
{
  received r = {malloc(MOST), 0, {0}, 0};
  uint64_t seed = 3;
  char *text = make_text(5000000, &seed), *got = malloc(MOST);
  ms_packer *packer;
  ck_assert_int_eq(ms_packer_new(MS_ZSTD, receive, &r, &packer, NULL), MS_OK);
  ms_packer_set_threads(packer, 4);
  for (uint32_t i = 0; i < 20; i++) {
    size_t before;
    ck_assert(ms_packer_write(packer, text, 300000 + 200000 * i));
    ck_assert(ms_packer_end_frame(packer, NULL));
    ms_packer_forget(packer);
    before = r.length;
    ck_assert(ms_packer_write(packer, text + i, 1000));
    ck_assert(ms_packer_finish(packer));
    ck_assert_uint_eq(ZSTD_decompress(got, MOST, r.bytes + before, r.length - before), 1000);
    ck_assert_int_eq(memcmp(got, text + i, 1000), 0);
    r.length = 0;
  }
  ms_packer_free(packer);
  free(r.bytes);
  free(text);
  free(got);
}
END_TEST

TEST_MAIN("packer", TEST(same_bytes), TEST(forgets))
