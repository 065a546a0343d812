/* Sources of bytes (graph/io/source.c and its decoders): plain, gzip and zstd files and standard
 * input, and what is said of damaged ones. */
#include "base/alloc.h"
#include "graph/io/text.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static ms_error err;

/* ---- bytes ---------------------------------------------------------------- */

typedef struct blob {
  char *bytes;
  size_t size;
} blob;

static blob blob_new(size_t room)
{
  blob b = {malloc(room ? room : 1), 0};
  ck_assert_ptr_nonnull(b.bytes);
  return b;
}

static void append(blob *b, const void *bytes, size_t size)
{
  b->bytes = realloc(b->bytes, b->size + size + 1);
  ck_assert_ptr_nonnull(b->bytes);
  memcpy(b->bytes + b->size, bytes, size);
  b->size += size;
}

/* Lines of words that repeat now and then, so that packing has work to do. */
static blob words(size_t size)
{
  uint64_t state = 11;
  blob b = blob_new(size);
  while (b.size < size)
    b.bytes[b.size++] = "acgtacgtnnnnnn\t\n"[random_next(&state) % 16];
  return b;
}

static void append_gzip(blob *to, const blob *from)
{
  z_stream z = {0};
  ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  blob packed = blob_new(deflateBound(&z, from->size));
  z.next_in = (unsigned char *)from->bytes;
  z.avail_in = (unsigned)from->size;
  z.next_out = (unsigned char *)packed.bytes;
  z.avail_out = (unsigned)deflateBound(&z, from->size);
  ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
  append(to, packed.bytes, z.total_out);
  deflateEnd(&z);
  free(packed.bytes);
}

static void append_zstd(blob *to, const blob *from, bool checksum)
{
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ck_assert_ptr_nonnull(context);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
  blob packed = blob_new(ZSTD_compressBound(from->size));
  size_t size = ZSTD_compress2(context, packed.bytes, ZSTD_compressBound(from->size), from->bytes,
                               from->size);
  ck_assert(!ZSTD_isError(size));
  append(to, packed.bytes, size);
  ZSTD_freeCCtx(context);
  free(packed.bytes);
}

static void append_skippable(blob *to, unsigned char kind, uint32_t size)
{
  unsigned char head[8] = {(unsigned char)(0x50 + kind), 0x2A, 0x4D, 0x18, (unsigned char)size,
                           (unsigned char)(size >> 8),   0,    0};
  append(to, head, sizeof head);
  for (uint32_t i = 0; i < size; i++)
    append(to, "\xFD", 1);
}

/* Read to the end, `step` bytes at a time. */
static ms_status read_path(const char *path, size_t step, blob *got)
{
  ms_source *source = NULL;
  char *part = malloc(step);
  size_t size = 1;
  err.message[0] = '\0';
  got->size = 0;
  ck_assert_ptr_nonnull(part);
  ms_status status = ms_source_open(path, "the file", &source, &err);
  while (status == MS_OK && size > 0) {
    status = ms_source_read(source, part, step, &size, &err);
    ck_assert_uint_le(size, step);
    if (status == MS_OK)
      append(got, part, size);
  }
  ms_source_close(source);
  free(part);
  return status;
}

static ms_status read_bytes(const blob *packed, size_t size, blob *got)
{
  return read_path(files_write("x", packed->bytes, size), 4096, got);
}

static void same_bytes(const blob *got, const blob *wanted)
{
  ck_assert_uint_eq(got->size, wanted->size);
  ck_assert_int_eq(memcmp(got->bytes, wanted->bytes, got->size), 0);
}

/* ---- whole files ----------------------------------------------------------- */

enum { PLAIN, GZIP, ZSTD, ZSTD_UNCHECKED, KINDS };

static void append_packed(blob *to, const blob *from, int kind)
{
  if (kind == PLAIN)
    append(to, from->bytes, from->size);
  else if (kind == GZIP)
    append_gzip(to, from);
  else
    append_zstd(to, from, kind == ZSTD);
}

/* A file is read as it was written: twelve sizes around those of buffers and blocks, four kinds of
 * packing, read in three steps. */
START_TEST(every_kind_and_size)
{
  /* around the sizes of the read buffer and of a block of zstd, and several blocks */
  static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 65535, 65536, 65537, 131072, 131073, 700000};
  static const size_t steps[] = {1000, 65536, 1 << 20};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    blob text = words(sizes[s]), got = blob_new(0);
    for (int kind = PLAIN; kind < KINDS; kind++) {
      blob packed = blob_new(0);
      append_packed(&packed, &text, kind);
      const char *path = files_write("x", packed.bytes, packed.size);
      for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ck_ok(read_path(path, steps[i], &got));
        same_bytes(&got, &text);
      }
      free(packed.bytes);
    }
    free(text.bytes);
    free(got.bytes);
  }
}
END_TEST

/* The same one byte at a time, where all packed bytes are read long before the last byte is
 * delivered: four kinds. */
START_TEST(small_steps)
{
  blob text = blob_new(0), got = blob_new(0);
  for (int i = 0; i < 40000; i++)
    append(&text, "ab", 2); /* packs into a few dozen bytes */
  for (int kind = PLAIN; kind < KINDS; kind++) {
    blob packed = blob_new(0);
    append_packed(&packed, &text, kind);
    ck_ok(read_path(files_write("x", packed.bytes, packed.size), 1, &got));
    same_bytes(&got, &text);
    free(packed.bytes);
  }
  free(text.bytes);
  free(got.bytes);
}
END_TEST

/* Three members or frames in one file, the second of them empty, are read one after another: three
 * kinds. */
START_TEST(several_in_one_file)
{
  blob text = words(100000), empty = blob_new(0), got = blob_new(0);
  for (int kind = GZIP; kind < KINDS; kind++) {
    blob packed = blob_new(0), wanted = blob_new(0);
    for (int i = 0; i < 3; i++) {
      append_packed(&packed, i == 1 ? &empty : &text, kind);
      append(&wanted, text.bytes, i == 1 ? 0 : text.size);
    }
    ck_ok(read_bytes(&packed, packed.size, &got));
    same_bytes(&got, &wanted);
    free(packed.bytes);
    free(wanted.bytes);
  }
  free(text.bytes);
  free(empty.bytes);
  free(got.bytes);
}
END_TEST

/* Skippable frames of zstd in front of, between and behind others are skipped, and a file of
 * nothing else is empty. */
START_TEST(skippable_frames)
{
  blob text = words(1000), packed = blob_new(0), wanted = blob_new(0), got = blob_new(0);
  append_skippable(&packed, 0, 7);
  append_zstd(&packed, &text, true);
  append_skippable(&packed, 15, 0);
  append_skippable(&packed, 3, 60000); /* reaches over the read buffer */
  append_skippable(&packed, 3, 60000);
  append_zstd(&packed, &text, false);
  append_skippable(&packed, 9, 100);
  append(&wanted, text.bytes, text.size);
  append(&wanted, text.bytes, text.size);
  ck_ok(read_bytes(&packed, packed.size, &got));
  same_bytes(&got, &wanted);
  packed.size = 0;
  append_skippable(&packed, 1, 5);
  ck_ok(read_bytes(&packed, packed.size, &got));
  ck_assert_uint_eq(got.size, 0);
  free(text.bytes);
  free(packed.bytes);
  free(wanted.bytes);
  free(got.bytes);
}
END_TEST

/* The four kinds are read from standard input. */
START_TEST(standard_input)
{
  blob text = words(3000), got = blob_new(0);
  for (int kind = PLAIN; kind < KINDS; kind++) {
    int ends[2], saved = dup(STDIN_FILENO);
    blob packed = blob_new(0);
    append_packed(&packed, &text, kind);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], packed.bytes, packed.size), (ssize_t)packed.size);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    ck_ok(read_path("-", 512, &got));
    same_bytes(&got, &text);
    dup2(saved, STDIN_FILENO);
    close(saved);
    free(packed.bytes);
  }
  free(text.bytes);
  free(got.bytes);
}
END_TEST

/* ---- damage ---------------------------------------------------------------- */

static void ck_refused(ms_status status, const char *part, size_t at)
{
  ck_assert_msg(status == MS_ERR_INPUT, "at %zu: status %d", at, (int)status);
  ck_assert_msg(strncmp(err.message, "the file: ", 10) == 0, "at %zu: %s", at, err.message);
  ck_assert_msg(strstr(err.message, part) && strchr(err.message, ';'), "at %zu: no '%s': %s", at,
                part, err.message);
}

/* A file of two members that is cut anywhere is refused, unless the cut is between them: all
 * places, three kinds. */
START_TEST(cut_anywhere)
{
  blob text = words(300), got = blob_new(0);
  for (int kind = GZIP; kind < KINDS; kind++) {
    blob packed = blob_new(0);
    append_packed(&packed, &text, kind);
    size_t first = packed.size, magic = kind == GZIP ? 2 : 4;
    append_packed(&packed, &text, kind);
    for (size_t at = magic; at < packed.size; at++) {
      ms_status status = read_bytes(&packed, at, &got);
      if (at == first) {
        ck_ok(status);
        same_bytes(&got, &text);
      } else if (at > first && at < first + magic) {
        ck_refused(status, "other data follows", at);
      } else {
        ck_refused(status, kind == GZIP ? "the gzip data is cut off" : "the zstd data is cut off",
                   at);
      }
    }
    free(packed.bytes);
  }
  free(text.bytes);
  free(got.bytes);
}
END_TEST

/* A file with a checksum and one flipped bit is refused or gives what was packed: all bits of a
 * gzip and a zstd file. */
START_TEST(damage_anywhere)
{
  blob text = words(300), got = blob_new(0);
  for (int kind = GZIP; kind <= ZSTD; kind++) {
    blob packed = blob_new(0);
    size_t passed = 0;
    append_packed(&packed, &text, kind);
    for (size_t at = kind == GZIP ? 2 : 4; at < packed.size; at++)
      for (int bit = 0; bit < 8; bit++) {
        packed.bytes[at] ^= (char)(1 << bit);
        ms_status status = read_bytes(&packed, packed.size, &got);
        packed.bytes[at] ^= (char)(1 << bit);
        passed += status == MS_OK;
        if (status == MS_OK)
          same_bytes(&got, &text);
        else
          ck_refused(status, "the ", at);
      }
    ck_assert_uint_lt(passed, packed.size); /* of eight times as many */
    free(packed.bytes);
  }
  free(text.bytes);
  free(got.bytes);
}
END_TEST

/* A wrong checksum is reported as damage of gzip or zstd data. */
START_TEST(damage_is_named)
{
  blob text = words(300), packed = blob_new(0), got = blob_new(0);
  append_zstd(&packed, &text, true);
  packed.bytes[packed.size - 1] ^= 1;
  ck_refused(read_bytes(&packed, packed.size, &got), "the zstd data is damaged (", 0);
  packed.size = 0;
  append_gzip(&packed, &text);
  packed.bytes[packed.size - 6] ^= 1;
  ck_refused(read_bytes(&packed, packed.size, &got), "the gzip data is damaged (", 0);
  free(text.bytes);
  free(packed.bytes);
  free(got.bytes);
}
END_TEST

/* Each of eight pieces of junk behind a member is refused, but for zeros behind gzip. */
START_TEST(junk_behind)
{
  static const struct {
    const char *bytes;
    size_t size;
    bool gzip_takes; /* it may be padded with zeros */
  } junk[] = {{"x", 1, false},
              {"\0", 1, true},
              {"\0\0\0\0\0", 5, true},
              {"\0\0\0\0x", 5, false},
              {"\x28\xB5\x2F", 3, false},
              {"\x1F", 1, false},
              {"\n\n\n\n\n", 5, false},
              {"\x50\x2A\x4D\x19", 4, false}};
  blob text = words(300), got = blob_new(0);
  for (size_t j = 0; j < sizeof junk / sizeof *junk; j++)
    for (int kind = GZIP; kind < KINDS; kind++) {
      blob packed = blob_new(0);
      append_packed(&packed, &text, kind);
      append(&packed, junk[j].bytes, junk[j].size);
      ms_status status = read_bytes(&packed, packed.size, &got);
      if (kind == GZIP && junk[j].gzip_takes) {
        ck_ok(status);
        same_bytes(&got, &text);
      } else {
        ck_refused(status,
                   kind == GZIP ? "other data follows the gzip data"
                                : "other data follows the zstd data",
                   j);
      }
      free(packed.bytes);
    }
  free(text.bytes);
  free(got.bytes);
}
END_TEST

/* A frame with a window of 256 MiB and one with a dictionary are refused for that reason, and a
 * small window is not. */
START_TEST(zstd_that_needs_more)
{
  blob got = blob_new(0);
  blob window = {(char[]){"\x28\xB5\x2F\xFD\x00\x90\x01\x00\x00"}, 9};
  blob dictionary = {(char[]){"\x28\xB5\x2F\xFD\x01\x58\x07\x01\x00\x00"}, 10};
  ck_refused(read_bytes(&window, window.size, &got), "a window of more than 128 MiB", 0);
  ck_refused(read_bytes(&dictionary, dictionary.size, &got), "needs a dictionary", 0);
  window.bytes[5] = '\x58'; /* 2 MiB: an empty last block, and nothing is wrong */
  ck_ok(read_bytes(&window, window.size, &got));
  ck_assert_uint_eq(got.size, 0);
  free(got.bytes);
}
END_TEST

/* ---- places and memory ------------------------------------------------------ */

/* A missing file and a folder are refused as such. */
START_TEST(bad_places)
{
  blob got = blob_new(0);
  ck_refused(read_path(files_path("absent"), 10, &got), "cannot open", 0);
  ck_refused(read_path(files_path("."), 10, &got), "is a folder", 0);
  free(got.bytes);
}
END_TEST

/* Only a plain file on a disk is reported as one, with its size; a zstd file and a device are
 * not. */
START_TEST(plain_files_are_told)
{
  blob text = words(1000), packed = blob_new(0);
  ms_source *source;
  int file;
  size_t size;
  append_zstd(&packed, &text, true);
  ck_ok(ms_source_open(files_write("x", text.bytes, text.size), "x", &source, &err));
  ck_assert(ms_source_is_plain_file(source, &file, &size));
  ck_assert_uint_eq(size, text.size);
  ms_source_close(source);
  ck_ok(ms_source_open(files_write("x", packed.bytes, packed.size), "x", &source, &err));
  ck_assert(!ms_source_is_plain_file(source, &file, &size));
  ms_source_close(source);
  ck_ok(ms_source_open("/dev/null", "x", &source, &err));
  ck_assert(!ms_source_is_plain_file(source, &file, &size));
  ms_source_close(source);
  free(text.bytes);
  free(packed.bytes);
}
END_TEST

/* Whichever allocation fails while a file is read, the reader reports it and leaks no block: four
 * kinds. */
START_TEST(every_allocation_may_fail)
{
  blob text = words(3000), got = blob_new(0);
  for (int kind = PLAIN; kind < KINDS; kind++) {
    blob packed = blob_new(0);
    append_packed(&packed, &text, kind);
    const char *path = files_write("x", packed.bytes, packed.size);
    ms_status status = MS_ERR_MEMORY;
    for (long at = 1; status != MS_OK; at++) {
      meter m = {.fail_at = at};
      meter_start(&m);
      status = read_path(path, 4096, &got);
      meter_stop();
      ck_assert_msg(status == MS_OK || status == MS_ERR_MEMORY, "%s", err.message);
      ck_assert_int_eq(m.live, 0);
      ck_assert_int_lt(at, 100);
    }
    free(packed.bytes);
  }
  free(text.bytes);
  free(got.bytes);
}
END_TEST

TEST_MAIN("source", TEST(every_kind_and_size), TEST(small_steps), TEST(several_in_one_file),
          TEST(skippable_frames), TEST(standard_input), TEST(cut_anywhere), TEST(damage_anywhere),
          TEST(damage_is_named), TEST(junk_behind), TEST(zstd_that_needs_more), TEST(bad_places),
          TEST(plain_files_are_told), TEST(every_allocation_may_fail))
