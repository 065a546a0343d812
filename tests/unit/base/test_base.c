/* The room base/: status, allocation, CRC-32C, Philox, output files, stop tokens, threads and
 * progress. */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/crc32c.h"
#include "base/file/outfile.h"
#include "base/forecast.h"
#include "base/philox.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* ---- status -------------------------------------------------------------- */

/* Every status has a text, an unknown one is called unknown, and the library's version is that of
 * its header. */
START_TEST(status_has_text)
{
  for (int s = MS_OK; s <= MS_ERR_INTERNAL; s++)
    ck_assert(ms_status_text((ms_status)s)[0] != '\0');
  ck_assert_str_eq(ms_status_text((ms_status)1000), "unknown status");
  ck_assert_str_eq(ms_version(), MS_VERSION);
}
END_TEST

/* ms_fail and ms_fail_memory fill in status and message, return the status, and accept that nobody
 * wants the message. */
START_TEST(fail_fills_error)
{
  ms_error err = {MS_OK, ""};
  ck_assert_int_eq(ms_fail(&err, MS_ERR_INPUT, "%s:%d: bad", "x.tsv", 7), MS_ERR_INPUT);
  ck_assert_int_eq(err.status, MS_ERR_INPUT);
  ck_assert_str_eq(err.message, "x.tsv:7: bad");
  ck_assert_int_eq(ms_fail(NULL, MS_ERR_USAGE, "nobody listens"), MS_ERR_USAGE);
  ck_assert_int_eq(ms_fail_memory(&err, "a thing"), MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "a thing"));
}
END_TEST

/* A message of 4,095 characters is cut to the size of its field and ends with a NUL. */
START_TEST(fail_cuts_long_messages)
{
  ms_error err;
  char text[4096];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  ms_fail(&err, MS_ERR_INPUT, "%s", text);
  ck_assert_uint_eq(strlen(err.message), sizeof err.message - 1);
}
END_TEST

/* ---- allocation ---------------------------------------------------------- */

/* A product of sizes beyond 64 bits is refused by every allocation call, and a refused resize keeps
 * the block. */
START_TEST(alloc_refuses_overflow)
{
  /* 2^33 * 2^33 wraps to 4 in 64 bits plus a little: must not succeed */
  size_t big = ((size_t)1 << 33) + 1;
  ck_assert_ptr_null(ms_alloc(big, big));
  ck_assert_ptr_null(ms_calloc(big, big));
  ck_assert_ptr_null(ms_alloc_lines(big, big));
  ck_assert_ptr_null(ms_alloc_lines(SIZE_MAX, 1));
  char *block = ms_alloc(8, 1);
  ck_assert_ptr_nonnull(block);
  memcpy(block, "1234567", 8);
  ck_assert_ptr_null(ms_resize(block, 8, big, big));
  ck_assert_str_eq(block, "1234567");
  size_t product;
  ck_assert(!ms_mul_size(big, big, &product));
  ck_assert(ms_mul_size(6, 7, &product) && product == 42);
  ms_free(block);
  ms_free(NULL);
}
END_TEST

/* Blocks of no bytes exist, ms_calloc clears, ms_alloc_lines aligns to 64 bytes for six sizes, and
 * ms_resize keeps the content. */
START_TEST(alloc_zero_aligned_resize)
{
  void *nothing = ms_alloc(0, 8);
  ck_assert_ptr_nonnull(nothing);
  ms_free(nothing);
  uint8_t *zero = ms_calloc(1000, 3);
  for (int i = 0; i < 3000; i++)
    ck_assert_uint_eq(zero[i], 0);
  ms_free(zero);
  static const size_t sizes[] = {1, 63, 64, 65, 4097, (size_t)9 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint8_t *lines = ms_alloc_lines(sizes[i], 1);
    ck_assert_ptr_nonnull(lines);
    ck_assert_uint_eq((uintptr_t)lines % 64, 0);
    lines[0] = lines[sizes[i] - 1] = 1;
    ms_free(lines);
  }
  uint32_t *grown = ms_resize(NULL, 0, 4, sizeof *grown);
  for (uint32_t i = 0; i < 4; i++)
    grown[i] = i;
  grown = ms_resize(grown, 4, 4000, sizeof *grown);
  ck_assert_uint_eq(grown[3], 3);
  ms_free(grown);
}
END_TEST

/* A growing array keeps its elements and has room for what was asked for, over 200 random steps
 * with elements of 1, 4 and 48 bytes, each with a room of another type; adding 100,000 single
 * elements asks for memory at most 20 times.  Where a room cannot count the elements, or memory is
 * refused, nothing changes. */
START_TEST(arrays_grow)
{
  uint8_t *bytes = NULL;
  uint32_t *words = NULL;
  struct {
    uint64_t word[6];
  } *rows = NULL;
  uint32_t room8 = 0, used = 0;
  uint64_t room32 = 0;
  size_t room48 = 0;
  uint64_t random = 4;
  for (int step = 0; step < 200; step++) {
    random = random * 6364136223846793005u + 1;
    uint32_t more = (uint32_t)(random >> 32) % 100;
    ck_assert(MS_GROW(bytes, room8, used, more) && MS_GROW(words, room32, used, more) &&
              MS_GROW(rows, room48, used, more));
    ck_assert(room8 >= used + more && room32 >= used + more && room48 >= used + more);
    for (; more > 0; more--, used++) {
      bytes[used] = (uint8_t)used;
      words[used] = used;
      rows[used].word[5] = used;
    }
  }
  for (uint32_t i = 0; i < used; i++)
    ck_assert(bytes[i] == (uint8_t)i && words[i] == i && rows[i].word[5] == i);
  meter m = {0};
  meter_start(&m);
  uint64_t *single = NULL;
  uint32_t room = 0;
  for (uint32_t i = 0; i < 100000; i++)
    ck_assert(MS_GROW(single, room, i, 1));
  ck_assert_int_le(m.requests, 20);
  ms_free(single);
  meter_stop();
  uint8_t few = 255, *all = ms_alloc(few, 1);
  ck_assert(!MS_GROW(all, few, 255, 1) && few == 255);
  ck_assert(!MS_GROW(words, room32, used, UINT64_MAX / 2) && words[used - 1] == used - 1);
  ms_free(all);
  ms_free(bytes);
  ms_free(words);
  ms_free(rows);
}
END_TEST

/* All requests and releases reach the allocator that was set last: counts of a copy that is made,
 * resized and freed. */
START_TEST(allocator_is_replaceable)
{
  meter m = {0};
  meter_start(&m);
  char *copy = ms_strdup("through the door");
  copy = ms_resize(copy, 17, 100, 1);
  ck_assert_str_eq(copy, "through the door");
  ck_assert_int_eq(m.requests, 2);
  ck_assert_int_eq(m.live, 1);
  ms_free(copy);
  ck_assert_int_eq(m.live, 0);
  meter_stop();
  ms_free(ms_alloc(1, 1));
  ck_assert_int_eq(m.requests, 2);
}
END_TEST

/* ---- CRC-32C: RFC 3720 appendix B.4 -------------------------------------- */

/* CRC-32C has the known values of seven inputs: five of RFC 3720, the usual check value, and no
 * bytes. */
START_TEST(crc32c_rfc3720)
{
  uint8_t data[32];
  memset(data, 0, sizeof data);
  ck_assert_uint_eq(ms_crc32c(0, data, 32), 0x8A9136AAu);
  memset(data, 0xFF, sizeof data);
  ck_assert_uint_eq(ms_crc32c(0, data, 32), 0x62A8AB43u);
  for (uint8_t i = 0; i < 32; i++)
    data[i] = i;
  ck_assert_uint_eq(ms_crc32c(0, data, 32), 0x46DD794Eu);
  for (uint8_t i = 0; i < 32; i++)
    data[i] = (uint8_t)(31 - i);
  ck_assert_uint_eq(ms_crc32c(0, data, 32), 0x113FDB5Cu);
  static const uint8_t scsi_read[48] = {
      0x01, 0xc0, 0, 0,    0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
      0,    0,    0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0,    0};
  ck_assert_uint_eq(ms_crc32c(0, scsi_read, 48), 0xD9963A56u);
  ck_assert_uint_eq(ms_crc32c(0, "123456789", 9), 0xE3069283u);
  ck_assert_uint_eq(ms_crc32c(0, "", 0), 0);
}
END_TEST

/* bit by bit, from the polynomial */
static uint32_t slow_crc32c(const uint8_t *data, size_t bytes)
{
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < bytes; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
  }
  return ~crc;
}

/* The checksum of two pieces is that of the whole, computed bit by bit: all cuts of all lengths up
 * to 100 bytes. */
START_TEST(crc32c_any_cut)
{
  uint8_t data[100];
  for (int i = 0; i < 100; i++)
    data[i] = (uint8_t)(i * 37 + 11);
  for (size_t length = 0; length <= 100; length++) {
    uint32_t whole = slow_crc32c(data, length);
    ck_assert_uint_eq(ms_crc32c(0, data, length), whole);
    for (size_t cut = 0; cut <= length; cut++)
      ck_assert_uint_eq(ms_crc32c(ms_crc32c(0, data, cut), data + cut, length - cut), whole);
  }
}
END_TEST

/* The fast implementation agrees with the portable one: 15 lengths around those of the interleaved
 * streams, at nine alignments, with four remainders; and the portable one agrees with bit-by-bit
 * computation. */
START_TEST(crc32c_paths_agree)
{
  enum { ROOM = 3 * 4096 * 2 + 3 * 256 * 2 + 64 };
  static const size_t near[] = {0,    8,     255,   256,   767,         768,   769,         1536,
                                4096, 12287, 12288, 12289, 12288 + 768, 24576, 24576 + 1536};
  static uint8_t data[ROOM];
  uint32_t state = 1;
  for (size_t i = 0; i < ROOM; i++)
    data[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
  for (size_t i = 0; i < sizeof near / sizeof *near; i++)
    for (size_t shift = 0; shift < 9; shift++)
      for (size_t more = 0; more < 10; more += 3) {
        size_t bytes = near[i] + more;
        uint32_t wanted = ms_crc32c_portable(0x12345678u, data + shift, bytes);
        ck_assert_msg(ms_crc32c(0x12345678u, data + shift, bytes) == wanted, "%zu bytes from %zu",
                      bytes, shift);
      }
  ck_assert_uint_eq(ms_crc32c_portable(0, data, 5000), slow_crc32c(data, 5000));
}
END_TEST

/* Checksums of two pieces combine to that of the whole: 64 pairs of lengths up to 65,537 bytes, and
 * 2^40 zeros by doubling. */
START_TEST(crc32c_pieces_join)
{
  static const size_t lengths[] = {0, 1, 7, 8, 255, 256, 4096, 65537};
  static uint8_t data[2 * 65537];
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = (uint8_t)(i * i >> 3);
  for (size_t a = 0; a < sizeof lengths / sizeof *lengths; a++)
    for (size_t b = 0; b < sizeof lengths / sizeof *lengths; b++)
      ck_assert_uint_eq(ms_crc32c_combine(ms_crc32c(0, data, lengths[a]),
                                          ms_crc32c(0, data + lengths[a], lengths[b]), lengths[b]),
                        ms_crc32c(0, data, lengths[a] + lengths[b]));
  /* 2^40 zeros behind a byte, by doubling */
  uint32_t zeros = ms_crc32c(0, "\0", 1), first = ms_crc32c(0, "x", 1);
  uint64_t many = 1;
  for (; many < (uint64_t)1 << 40; many *= 2)
    zeros = ms_crc32c_combine(zeros, zeros, many);
  uint32_t half = zeros;
  zeros = ms_crc32c_combine(half, half, many);
  ck_assert_uint_eq(ms_crc32c_combine(first, zeros, 2 * many),
                    ms_crc32c_combine(ms_crc32c_combine(first, half, many), half, many));
}
END_TEST

/* ---- Philox4x32-10: known answers of the Random123 distribution ----------- */

/* Philox4x32-10 gives the three known answers of the Random123 distribution. */
START_TEST(philox_known_answers)
{
  static const struct {
    uint32_t counter[4], key[2], answer[4];
  } kat[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (size_t i = 0; i < sizeof kat / sizeof *kat; i++) {
    uint32_t out[4];
    ms_philox4x32(kat[i].counter, kat[i].key, out);
    ck_assert_mem_eq(out, kat[i].answer, sizeof out);
  }
}
END_TEST

/* ---- output files -------------------------------------------------------- */

static void put(const char *path, const char *text)
{
  FILE *out = fopen(path, "w");
  ck_assert_ptr_nonnull(out);
  fputs(text, out);
  fclose(out);
}

static void assert_content(const char *path, const char *text)
{
  char got[256] = "";
  FILE *in = fopen(path, "r");
  ck_assert_ptr_nonnull(in);
  got[fread(got, 1, sizeof got - 1, in)] = '\0';
  fclose(in);
  ck_assert_str_eq(got, text);
}

/* A file that is replaced keeps its old content until the commit, and its mode after it. */
START_TEST(outfile_commits_whole)
{
  ms_outfile *file;
  ms_error err;
  const char *path = files_path("result");
  put(path, "old");
  ck_assert_int_eq(chmod(path, 0640), 0);
  ck_assert_int_eq(ms_outfile_open(path, &file, &err), MS_OK);
  ms_outfile_puts(file, "1234");
  ms_outfile_printf(file, "%d", 56789);
  ck_assert_uint_eq(ms_outfile_crc32c(file), 0xE3069283u);
  assert_content(path, "old");
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
  assert_content(path, "123456789");
  struct stat info;
  ck_assert_int_eq(stat(path, &info), 0);
  ck_assert_uint_eq(info.st_mode & 0777, 0640);
  ck_assert_int_eq(files_count(), 1);
}
END_TEST

/* An aborted output leaves no file behind, and leaves a file that was there as it was. */
START_TEST(outfile_abort_leaves_nothing)
{
  ms_outfile *file;
  ms_error err;
  ck_assert_int_eq(ms_outfile_open(files_path("new"), &file, &err), MS_OK);
  ms_outfile_puts(file, "gone");
  ms_outfile_abort(file);
  ck_assert_int_eq(files_count(), 0);
  put(files_path("kept"), "kept");
  ck_assert_int_eq(ms_outfile_open(files_path("kept"), &file, &err), MS_OK);
  ms_outfile_abort(file);
  assert_content(files_path("kept"), "kept");
  ck_assert_int_eq(files_count(), 1);
  ms_outfile_abort(NULL);
}
END_TEST

/* 300 kB in 100 pieces arrive whole: count, checksum and size on disk. */
START_TEST(outfile_larger_than_buffer)
{
  ms_outfile *file;
  ms_error err;
  char long_text[3000];
  uint32_t crc = 0;
  memset(long_text, 'y', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = '\0';
  ck_assert_int_eq(ms_outfile_open(files_path("big"), &file, &err), MS_OK);
  for (int i = 0; i < 100; i++) {
    ms_outfile_printf(file, "%s", long_text);
    crc = ms_crc32c(crc, long_text, sizeof long_text - 1);
  }
  ck_assert_uint_eq(ms_outfile_crc32c(file), crc);
  ck_assert_uint_eq(ms_outfile_bytes(file), 100 * 2999);
  ck_assert(!ms_outfile_failed(file));
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
  struct stat info;
  ck_assert_int_eq(stat(files_path("big"), &info), 0);
  ck_assert_int_eq(info.st_size, 100 * 2999);
}
END_TEST

/* An output to nowhere counts and sums its bytes and makes no file. */
START_TEST(outfile_nowhere)
{
  ms_outfile *file;
  ms_error err;
  static const char block[100000];
  ck_assert_int_eq(ms_outfile_nowhere(&file, &err), MS_OK);
  ms_outfile_write(file, block, sizeof block);
  ms_outfile_puts(file, "12345678");
  ck_assert_uint_eq(ms_outfile_bytes(file), sizeof block + 8);
  ck_assert_uint_eq(ms_outfile_crc32c(file),
                    ms_crc32c(ms_crc32c(0, block, sizeof block), "12345678", 8));
  ck_assert(!ms_outfile_failed(file));
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
  ck_assert_int_eq(files_count(), 0);
}
END_TEST

/* A failure shows as soon as bytes leave the buffer, and not before: an output to /dev/full. */
START_TEST(outfile_tells_failure)
{
  ms_outfile *file;
  ms_error err;
  static const char block[100000];
  ck_assert_int_eq(ms_outfile_open("/dev/full", &file, &err), MS_OK);
  ms_outfile_puts(file, "kept back");
  ck_assert(!ms_outfile_failed(file));
  ms_outfile_write(file, block, sizeof block);
  ck_assert(ms_outfile_failed(file));
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_ERR_OUTPUT);
}
END_TEST

/* An output through a symbolic link replaces the file behind the link and keeps the link. */
START_TEST(outfile_follows_links)
{
  ms_outfile *file;
  ms_error err;
  char real[256];
  snprintf(real, sizeof real, "%s", files_path("real"));
  put(real, "old");
  ck_assert_int_eq(symlink(real, files_path("link")), 0);
  ck_assert_int_eq(ms_outfile_open(files_path("link"), &file, &err), MS_OK);
  ms_outfile_puts(file, "new");
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
  struct stat info;
  ck_assert_int_eq(lstat(files_path("link"), &info), 0);
  ck_assert(S_ISLNK(info.st_mode));
  assert_content(real, "new");
}
END_TEST

/* A full device gives an error with its name, and a device is written in place and never replaced
 * by a file. */
START_TEST(outfile_full_device)
{
  ms_outfile *file;
  ms_error err;
  ck_assert_int_eq(ms_outfile_open("/dev/full", &file, &err), MS_OK);
  ms_outfile_puts(file, "no room");
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_ERR_OUTPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "/dev/full"));
  struct stat info;
  ck_assert_int_eq(stat("/dev/full", &info), 0);
  ck_assert(S_ISCHR(info.st_mode));
  /* a device is written in place, never replaced by a file */
  ck_assert_int_eq(ms_outfile_open("/dev/null", &file, &err), MS_OK);
  ms_outfile_puts(file, "lost");
  ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
  ck_assert_int_eq(stat("/dev/null", &info), 0);
  ck_assert(S_ISCHR(info.st_mode));
}
END_TEST

/* An output to a full standard output fails at the commit with a message that says so. */
START_TEST(outfile_standard_output_full)
{
  ms_outfile *file;
  ms_error err;
  int saved = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
  ck_assert_int_ge(full, 0);
  fflush(stdout);
  dup2(full, STDOUT_FILENO);
  ms_status opened = ms_outfile_open("-", &file, &err);
  ms_outfile_puts(file, "no room");
  ms_status status = ms_outfile_commit(file, &err);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(full);
  ck_assert_int_eq(opened, MS_OK);
  ck_assert_int_eq(status, MS_ERR_OUTPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "standard output"));
}
END_TEST

/* A folder that does not exist, a folder as a file, and a read-only folder are refused, with the
 * option in the message. */
START_TEST(outfile_bad_places)
{
  ms_outfile *file = NULL;
  ms_error err;
  ck_assert_int_eq(ms_outfile_open(files_path("no/such/folder"), &file, &err), MS_ERR_OUTPUT);
  ck_assert_ptr_null(file);
  ck_assert_ptr_nonnull(strstr(err.message, "choose a file"));
  ck_assert_int_eq(ms_outfile_open(files_path("."), &file, &err), MS_ERR_OUTPUT);
  ck_assert_ptr_null(file);
  if (geteuid() == 0) {
    printf("SKIPPED: read-only folder (root may write anywhere)\n");
    return;
  }
  put(files_path("there"), "there");
  ck_assert_int_eq(chmod(files_path("."), 0500), 0);
  ck_assert_int_eq(ms_outfile_open(files_path("there"), &file, &err), MS_ERR_OUTPUT);
  ck_assert_int_eq(chmod(files_path("."), 0700), 0);
  assert_content(files_path("there"), "there");
}
END_TEST

/* Unpacked by the libraries' own simple calls; returns the number of bytes. */
static size_t unpack_file(const char *path, bool zstd, char *text, size_t room)
{
  if (!zstd) {
    gzFile in = gzopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    ck_assert_int_eq(gzdirect(in), 0);
    int got = gzread(in, text, (unsigned)room);
    ck_assert_int_eq(gzclose(in), Z_OK);
    ck_assert_int_ge(got, 0);
    return (size_t)got;
  }
  FILE *in = fopen(path, "rb");
  char *packed = malloc(room);
  ck_assert_ptr_nonnull(in);
  ck_assert_ptr_nonnull(packed);
  size_t size = fread(packed, 1, room, in), got = ZSTD_decompress(text, room, packed, size);
  fclose(in);
  ck_assert_msg(!ZSTD_isError(got), "%s", ZSTD_getErrorName(got));
  /* the frame has a checksum: bit 2 of its descriptor */
  ck_assert(packed[4] & 4);
  free(packed);
  return got;
}

/* Names that end with .gz and .zst give compressed files that zlib and zstd themselves unpack to
 * the same bytes: six sizes up to 500,000 bytes. */
START_TEST(outfile_compresses_by_name)
{
  enum { MOST = 1 << 20 };
  static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 500000};
  char *wanted = malloc(MOST), *got = malloc(MOST);
  uint32_t state = 5;
  ck_assert(wanted && got);
  for (size_t i = 0; i < MOST; i++) /* packs to about a half: more than one buffer of it */
    wanted[i] = "acgtnACGTN\n\t 012"[(state = state * 1664525u + 1013904223u) >> 28];
  for (size_t i = 0; i < 2 * (sizeof sizes / sizeof *sizes); i++) {
    ms_outfile *file;
    ms_error err;
    bool zstd = i % 2;
    size_t size = sizes[i / 2];
    const char *path = files_path(zstd ? "rows.tsv.zst" : "rows.tsv.gz");
    ck_assert_int_eq(ms_outfile_open(path, &file, &err), MS_OK);
    for (size_t at = 0; at < size; at += 1000)
      ms_outfile_write(file, wanted + at, size - at < 1000 ? size - at : 1000);
    ck_assert_uint_eq(ms_outfile_crc32c(file), ms_crc32c(0, wanted, size));
    ck_assert_msg(ms_outfile_commit(file, &err) == MS_OK, "%s", err.message);
    ck_assert_uint_eq(unpack_file(path, zstd, got, MOST), size);
    ck_assert_int_eq(memcmp(got, wanted, size), 0);
  }
  free(wanted);
  free(got);
}
END_TEST

/* Four names that only resemble those endings give plain files. */
START_TEST(outfile_plain_names)
{
  static const char *const names[] = {"a.gzip", "gz", "a.gz.txt", "zst"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ms_outfile *file;
    ms_error err;
    ck_assert_int_eq(ms_outfile_open(files_path(names[i]), &file, &err), MS_OK);
    ms_outfile_puts(file, "plain");
    ck_assert_int_eq(ms_outfile_commit(file, &err), MS_OK);
    assert_content(files_path(names[i]), "plain");
  }
}
END_TEST

/* A compressed output to a full device fails with its name, and an aborted one leaves the old file:
 * both compressions. */
START_TEST(outfile_compressed_errors)
{
  static const char *const names[] = {"full.gz", "full.zst"};
  for (size_t i = 0; i < 2; i++) {
    ms_outfile *file;
    ms_error err;
    ck_assert_int_eq(symlink("/dev/full", files_path(names[i])), 0);
    ck_assert_int_eq(ms_outfile_open(files_path(names[i]), &file, &err), MS_OK);
    ms_outfile_puts(file, "no room");
    ck_assert_int_eq(ms_outfile_commit(file, &err), MS_ERR_OUTPUT);
    ck_assert_ptr_nonnull(strstr(err.message, names[i]));
    unlink(files_path(names[i]));
    put(files_path(names[i]), "old");
    ck_assert_int_eq(ms_outfile_open(files_path(names[i]), &file, &err), MS_OK);
    ms_outfile_puts(file, "given up");
    ms_outfile_abort(file);
    assert_content(files_path(names[i]), "old");
  }
  ck_assert_int_eq(files_count(), 2);
}
END_TEST

/* Whichever allocation fails and all after it, opening a compressed output reports it, leaks no
 * block and leaves no file. */
START_TEST(outfile_allocations_may_fail)
{
  ms_status status = MS_ERR_MEMORY;
  for (int allowed = 0; status != MS_OK; allowed++) {
    ms_outfile *file;
    ms_error err;
    meter m = {.fail_at = allowed + 1, .fails_on = true};
    meter_start(&m);
    status = ms_outfile_open(files_path("rows.gz"), &file, &err);
    ck_assert((status == MS_OK) == (file != NULL));
    ms_outfile_abort(file);
    meter_stop();
    ck_assert_int_eq(m.live, 0);
    ck_assert(status == MS_OK || status == MS_ERR_MEMORY);
    ck_assert_int_eq(files_count(), 0);
    ck_assert_int_lt(allowed, 20);
  }
}
END_TEST

/* ---- stop tokens, threads, progress --------------------------------------- */

/* A stop token reads as stopped after its deadline and after a request, and not before; a cleared
 * deadline counts no more. */
START_TEST(stop_tokens)
{
  ms_stop *stop;
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  ck_assert_int_eq(ms_stop_check(NULL), MS_OK);
  ck_assert_int_eq(ms_stop_check(stop), MS_OK);
  ms_stop_after(stop, 1000);
  ck_assert_int_eq(ms_stop_check(stop), MS_OK);
  ms_stop_after(stop, 0.02);
  usleep(50000);
  ck_assert_int_eq(ms_stop_check(stop), MS_ERR_LIMIT);
  ms_stop_after(stop, 0);
  ck_assert_int_eq(ms_stop_check(stop), MS_OK);
  ms_stop_request(stop);
  ck_assert_int_eq(ms_stop_check(stop), MS_ERR_INTERRUPTED);
  ms_stop_free(stop);
  ms_stop_free(NULL);
}
END_TEST

/* Numbers of threads, memory bounds, cache size and clock are plausible, and given values are
 * kept. */
START_TEST(machine_facts)
{
  ck_assert_int_eq(ms_threads(7), 7);
  ck_assert_int_ge(ms_threads(0), 1);
  ck_assert_uint_ge(ms_physical_memory(), 1 << 20);
  ck_assert_uint_eq(ms_memory_bound(12345), 12345);
  ck_assert_uint_le(ms_memory_bound(0), ms_physical_memory());
  ck_assert_uint_gt(ms_memory_bound(0), 0);
  ck_assert_uint_ge(ms_l2_bytes(), 1 << 12);
  double before = ms_seconds();
  usleep(2000);
  ck_assert(ms_seconds() - before >= 0.002);
}
END_TEST

/* Progress lines have the documented text: a phase of which nothing is counted, one without a
 * total, with a rate, with the time left once it is steady, all but the last thing done, all of
 * them, and a phase that nobody has named after a phase that is done. */
START_TEST(progress_text)
{
  char line[160];
  ms_progress p = {0};
  ms_progress_reset(&p, 0);
  ms_progress_note(&p, 1, "plans are made", 0, 0);
  ms_progress_text(&p, 3, line, sizeof line);
  ck_assert_str_eq(line, "plans are made: 3 s so far");
  ms_progress_note(&p, 4, "matches", 0, 0);
  ms_progress_note(&p, 6, "matches", 42000, 0);
  ms_progress_text(&p, 6, line, sizeof line);
  ck_assert_str_eq(line, "matches: 42000, 21 k/s, 6 s so far");
  ms_progress_note(&p, 10, "blocks", 5, 100);
  ms_progress_text(&p, 10, line, sizeof line);
  ck_assert_str_eq(line, "blocks: 5 of 100 (5 %), 10 s so far");
  for (int i = 1; i <= 20; i++) {
    ms_progress_note(&p, 10 + i, "blocks", 5 + (uint64_t)i, 100);
    ms_progress_text(&p, 10 + i, line, sizeof line);
  }
  ck_assert_str_eq(line, "blocks: 25 of 100 (25 %), 1.0/s, 1 min 15 s left in this phase");
  ms_progress_note(&p, 40, "blocks", 999, 1000);
  ms_progress_text(&p, 40, line, sizeof line);
  ck_assert_str_eq(line, "blocks: 999 of 1000 (99 %), 33/s, 40 s so far");
  ms_progress_note(&p, 40, "blocks", 1000, 1000);
  ms_progress_text(&p, 40, line, sizeof line);
  ck_assert_str_eq(line, "blocks: 1000 of 1000 (100 %), 33/s, 40 s so far");
  ms_progress_text(&p, 42, line, sizeof line);
  ck_assert_str_eq(line, "blocks: done, and what follows is at work, 42 s so far");
  ms_progress_note(&p, 43, "blocks", 3, 1000);
  ms_progress_text(&p, 43, line, sizeof line);
  ck_assert_str_eq(line, "blocks, pass 2: 3 of 1000 (0 %), 43 s so far");
}
END_TEST

/* Returns the lines of 100 reports that come two milliseconds apart, or later on a busy machine, in
 * a file.  There are no more of them than periods. */
static uint32_t log_lines(double period, bool wanted)
{
  ms_progress progress;
  char line[256];
  uint32_t lines = 0;
  FILE *out = tmpfile();
  double begin = ms_seconds();
  ms_progress_start(&progress, fileno(out), wanted);
  ck_assert(progress.period == 60 && !progress.terminal);
  if (progress.ticks)
    pthread_mutex_lock(&progress.lock);
  progress.period = period;
  if (progress.ticks)
    pthread_mutex_unlock(&progress.lock);
  for (uint64_t i = 0; i < 100; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    ms_progress_report(&progress, "things", i, 100);
  }
  ms_progress_end(&progress);
  double seconds = ms_seconds() - begin;
  rewind(out);
  for (; fgets(line, sizeof line, out); lines++) {
    ck_assert(strncmp(line, "motifsieve: things: ", 20) == 0);
    ck_assert(strstr(line, " of 100 (") && line[strlen(line) - 1] == '\n');
    ck_assert_ptr_null(strpbrk(line, "\r\033"));
  }
  fclose(out);
  ck_assert_double_le(lines, seconds / period);
  return lines;
}

/* Progress that goes to a file is one whole line in each period, without the signs that move on a
 * terminal: none in the first period, and at least three of 100 reports. */
START_TEST(progress_in_a_log)
{
  ck_assert_uint_eq(log_lines(60, true), 0);
  ck_assert_uint_eq(log_lines(0.02, false), 0);
  ck_assert_uint_ge(log_lines(0.02, true), 3);
}
END_TEST

/* Of a run that goes on for 1,000 seconds, a log has a line that says so within the first
 * minute, and but for that one line a minute.  Of one of 15 s it has none. */
START_TEST(long_runs_are_told)
{
  for (uint64_t total = 15; total <= 1000; total += 985) {
    char line[256];
    uint32_t told = 0, lines = 0;
    ms_progress progress;
    FILE *out = tmpfile();
    ms_progress_start(&progress, fileno(out), true);
    ms_progress_end(&progress); /* from now on, without the thread */
    double begin = progress.start;
    for (uint64_t i = 0; i < total && i < 125; i++) {
      ms_progress_note(&progress, begin + (double)i, "blocks", i, total);
      ms_progress_draw(&progress, begin + (double)i);
    }
    rewind(out);
    for (; fgets(line, sizeof line, out); lines++)
      told += strncmp(line, "motifsieve: blocks: about 16 min ", 33) == 0;
    ck_assert_uint_eq(told, total == 1000);
    ck_assert_uint_eq(lines, total == 1000 ? 3 : 0);
    fclose(out);
  }
}
END_TEST

/* The lines of a forecast, by its seconds and kind. */
START_TEST(forecast_text)
{
  static const struct {
    double seconds;
    ms_forecast_kind kind;
    const char *text;
  } cases[] = {{20, MS_FORECAST_ABOUT, "about 20 s"},
               {44.9, MS_FORECAST_ABOUT, "about 40 s"},
               {54.9, MS_FORECAST_ABOUT, "about 50 s"},
               {55, MS_FORECAST_ABOUT, "about 1 minute"},
               {89, MS_FORECAST_ABOUT, "about 1 minute"},
               {91, MS_FORECAST_ABOUT, "about 2 minutes"},
               {570, MS_FORECAST_ABOUT, "about 10 minutes"},
               {24 * 60, MS_FORECAST_MOST, "up to about 20 minutes"},
               {54 * 60, MS_FORECAST_ABOUT, "about 50 minutes"},
               {55 * 60, MS_FORECAST_ABOUT, "about 1 hour"},
               {119, MS_FORECAST_LEAST, "at least 1 minute"},
               {239 * 60, MS_FORECAST_LEAST, "at least 3 hours"},
               {86400, MS_FORECAST_ABOUT, "about 1 day"},
               {4e6, MS_FORECAST_ABOUT, "about 50 days"},
               {6.4e7, MS_FORECAST_ABOUT, "about 2 years"},
               {1e12, MS_FORECAST_ABOUT, "more than 1000 years"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[48];
    ms_progress_forecast_text(cases[i].seconds, cases[i].kind, text, sizeof text);
    ck_assert_str_eq(text, cases[i].text);
  }
}
END_TEST

/* A forecast has a line if the work is long, progress is shown, and its function is the tool's own.
 * After twice its time and a second, the line of progress withdraws it, unless it was a lower
 * bound, or the work has ended. */
START_TEST(forecasts_are_told_and_withdrawn)
{
  static const char withdrawn[] = "longer than was forecast";
  for (int kind = MS_FORECAST_ABOUT; kind <= MS_FORECAST_MOST; kind++)
    for (double seconds = 19; seconds <= 30; seconds += 11) {
      char line[200];
      uint32_t lines = 0;
      ms_progress progress;
      FILE *out = tmpfile();
      ms_progress_start(&progress, fileno(out), true);
      ms_progress_end(&progress); /* from now on, without the thread */
      double now = progress.start;
      ms_progress_note_forecast(&progress, now, "the count", seconds, (ms_forecast_kind)kind);
      for (double t = 0; t < 100; t += 0.5) {
        ms_progress_note(&progress, now + t, t < 5 ? "first" : "second", (uint64_t)t / 10, 1000);
        ms_progress_text(&progress, now + t, line, sizeof line);
        bool is_due = kind != MS_FORECAST_LEAST && seconds >= 20 && t >= 2 * seconds + 1;
        ck_assert_msg((strstr(line, withdrawn) != NULL) == is_due, "%g s: %s", t, line);
      }
      ms_progress_note_forecast(&progress, now + 100, "", 0, MS_FORECAST_ABOUT);
      ms_progress_text(&progress, now + 200, line, sizeof line);
      ck_assert_ptr_null(strstr(line, withdrawn));
      rewind(out);
      for (; fgets(line, sizeof line, out); lines++)
        ck_assert_ptr_nonnull(strstr(line, "motifsieve: the count takes "));
      ck_assert_uint_eq(lines, seconds >= 20);
      fclose(out);
    }
}
END_TEST

static void take_report(void *user, const char *what, uint64_t done, uint64_t total)
{
  (void)user, (void)what, (void)done, (void)total;
}

START_TEST(forecasts_are_for_the_tool)
{
  ms_progress progress;
  ms_progress_start(&progress, 2, false);
  const ms_run_limits quiet = {.progress = ms_progress_report, .progress_user = &progress};
  const ms_run_limits other = {.progress = take_report, .progress_user = &progress};
  const ms_run_limits none = {0};
  ck_assert(!ms_progress_wants_forecast(&quiet));
  ck_assert(!ms_progress_wants_forecast(&other));
  ck_assert(!ms_progress_wants_forecast(&none));
  ms_progress_forecast(&none, "the count", 100, MS_FORECAST_ABOUT);
  ms_progress_forecast(&quiet, "the count", 100, MS_FORECAST_ABOUT);
  ms_progress_end(&progress);
}
END_TEST

/* ---- forecasts by samples ------------------------------------------------------------- */

typedef struct slow_job {
  double preparation, whole; /* seconds */
  uint32_t calls;
} slow_job;

/* Waits as long as a part takes. */
static ms_status wait_for_part(void *user, uint32_t parts, ms_stop *stop, ms_error *error)
{
  slow_job *job = user;
  double end = ms_seconds() + job->preparation + job->whole / parts;
  (void)error;
  job->calls++;
  while (ms_seconds() < end)
    if (ms_stop_check(stop) != MS_OK)
      return ms_stop_check(stop);
  return MS_OK;
}

/* The time of a job is found from parts of it within a factor of two, whatever its preparation
 * takes; a short one has no forecast, and neither has one of which a single part takes too long. */
START_TEST(forecast_by_parts)
{
  ms_forecast_kind kind;
  slow_job even = {.whole = 100}, prepared = {.preparation = 0.05, .whole = 100},
           brief = {.whole = 1}, vast = {.whole = 1e6};
  double seconds = ms_forecast_by_parts(1000000, wait_for_part, &even, NULL, &kind);
  ck_assert_msg(seconds > 50 && seconds < 200 && kind == MS_FORECAST_ABOUT, "%g s", seconds);
  seconds = ms_forecast_by_parts(1000000, wait_for_part, &prepared, NULL, &kind);
  ck_assert_msg(seconds > 50 && seconds < 200 && kind == MS_FORECAST_ABOUT, "%g s", seconds);
  ck_assert(ms_forecast_by_parts(1000000, wait_for_part, &brief, NULL, &kind) == 0);
  ck_assert(2 <= brief.calls &&
            brief.calls <= 4); /* a part that waits for a processor seems long */
  ck_assert(ms_forecast_by_parts(1000000, wait_for_part, &vast, NULL, &kind) == 0);
  ck_assert_uint_eq(vast.calls, 1);
  ck_assert(ms_forecast_by_parts(20, wait_for_part, &vast, NULL, &kind) == 0);
  vast.whole = 4000; /* the second part does not end */
  seconds = ms_forecast_by_parts(1000000, wait_for_part, &vast, NULL, &kind);
  ck_assert_msg(seconds > 1000 && seconds < 5000 && kind == MS_FORECAST_LEAST, "%g s", seconds);
}
END_TEST

TEST_MAIN("base", TEST(status_has_text), TEST(fail_fills_error), TEST(fail_cuts_long_messages),
          TEST(alloc_refuses_overflow), TEST(alloc_zero_aligned_resize), TEST(arrays_grow),
          TEST(allocator_is_replaceable), TEST(crc32c_rfc3720), TEST(crc32c_any_cut),
          TEST(crc32c_paths_agree), TEST(crc32c_pieces_join), TEST(philox_known_answers),
          TEST(stop_tokens), TEST(machine_facts), TEST(progress_text), TEST(progress_in_a_log),
          TEST(long_runs_are_told), TEST(forecast_text), TEST(forecasts_are_told_and_withdrawn),
          TEST(forecasts_are_for_the_tool), TEST(forecast_by_parts), AROUND_EACH(NULL, files_clear),
          TEST(outfile_commits_whole), TEST(outfile_abort_leaves_nothing),
          TEST(outfile_larger_than_buffer), TEST(outfile_nowhere), TEST(outfile_tells_failure),
          TEST(outfile_follows_links), TEST(outfile_full_device),
          TEST(outfile_standard_output_full), TEST(outfile_bad_places),
          TEST(outfile_compresses_by_name), TEST(outfile_plain_names),
          TEST(outfile_compressed_errors), TEST(outfile_allocations_may_fail))
