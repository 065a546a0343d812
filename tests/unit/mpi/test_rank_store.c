/* Pieces of contributions that wait in rank 0 (mpi/store.h): their bytes come back, and what
 * changes in the file is found when it is read.  motifsieve-mpi itself is tested by tests/mpi.sh.
 */
#include "mpi/store.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ms_error err;
static unsigned char buffer[MS_PIECE_BYTES];

/* A piece that waits, and a copy of its bytes. */
typedef struct piece {
  ms_stored *stored;
  unsigned char *copy;
  size_t length;
} piece;

static piece put(ms_store *store, uint64_t *random, size_t length)
{
  piece p = {.copy = malloc(length + 1), .length = length};
  ck_assert_ptr_nonnull(p.copy);
  for (size_t i = 0; i < length; i++)
    p.copy[i] = (unsigned char)random_next(random);
  ck_ok(ms_store_put(store, p.copy, length, &p.stored, &err));
  return p;
}

static void drop(ms_store *store, piece *p)
{
  ms_store_drop(store, p->stored);
  free(p->copy);
  p->stored = NULL;
}

static void check_bytes(const ms_store *store, const piece *p)
{
  const unsigned char *data = ms_store_read(store, p->stored, buffer, &err);
  ck_assert_msg(data != NULL, "%s", err.message);
  ck_assert(memcmp(data, p->copy, p->length) == 0);
}

static void check_refused(const ms_store *store, const piece *p, const char *told)
{
  err = (ms_error){0};
  ck_assert_ptr_null(ms_store_read(store, p->stored, buffer, &err));
  ck_assert_int_eq(err.status, MS_ERR_OUTPUT);
  ck_assert_msg(strstr(err.message, told) != NULL, "%s", err.message);
}

/* Up to 20 pieces of 0 to 256 KiB, of which none to four fit into memory, come and go in any order:
 * each has its bytes at any time, and the file has no more blocks than pieces waited at once. */
START_TEST(pieces_come_back)
{
  enum { MOST = 20 };
  uint64_t random = (uint64_t)_i + 1, most = 0;
  piece all[MOST] = {0};
  ms_store store;
  ms_store_open(&store, random_below(&random, 5) * MS_PIECE_BYTES);
  for (int step = 0; step < 100; step++) {
    piece *p = &all[random_below(&random, MOST)];
    if (p->stored)
      drop(&store, p);
    else
      *p = put(&store, &random, random_below(&random, MS_PIECE_BYTES + 1));
    uint64_t count = 0;
    for (int i = 0; i < MOST; i++)
      count += all[i].stored != NULL;
    most = count > most ? count : most;
    p = &all[random_below(&random, MOST)];
    if (p->stored)
      check_bytes(&store, p);
  }
  for (int i = 0; i < MOST; i++)
    if (all[i].stored) {
      check_bytes(&store, &all[i]);
      drop(&store, &all[i]);
    }
  ck_assert_uint_le(store.blocks, most);
  ck_assert_uint_eq(store.in_memory, 0);
  ms_store_close(&store);
}
END_TEST

/* Flips a bit of the file. */
static void flip(const ms_store *store, const piece *p, size_t bit)
{
  off_t at = (off_t)(p->stored->block * MS_PIECE_BYTES + bit / 8);
  unsigned char byte;
  ck_assert_int_eq(pread(store->file, &byte, 1, at), 1);
  byte ^= (unsigned char)(1u << bit % 8);
  ck_assert_int_eq(pwrite(store->file, &byte, 1, at), 1);
}

/* Each flipped bit of short pieces, and 100 of long ones, are found when the piece is read, and
 * only then: the other pieces keep their bytes, and so does the piece once the bit is put right. */
START_TEST(flips_are_found)
{
  static const size_t length[] = {1, 7, 64, 4096, MS_PIECE_BYTES - 1, MS_PIECE_BYTES};
  enum { N = sizeof length / sizeof *length };
  uint64_t random = 1;
  piece all[N];
  ms_store store;
  ms_store_open(&store, 0);
  for (int i = 0; i < N; i++)
    all[i] = put(&store, &random, length[i]);
  for (int i = 0; i < N; i++) {
    uint32_t bits = (uint32_t)(8 * length[i]), flips = bits <= 512 ? bits : 100;
    for (uint32_t k = 0; k < flips; k++) {
      /* the first and the last one, and any */
      uint32_t bit = flips == bits || k == 0 ? k : k == 1 ? bits - 1 : random_below(&random, bits);
      flip(&store, &all[i], bit);
      check_refused(&store, &all[i], "does not hold what was written");
      check_bytes(&store, &all[(i + 1) % N]);
      flip(&store, &all[i], bit);
    }
    check_bytes(&store, &all[i]);
  }
  for (int i = 0; i < N; i++)
    drop(&store, &all[i]);
  ms_store_close(&store);
}
END_TEST

/* Bytes of another piece in a piece's place, and an end that was cut off, are found, too. */
START_TEST(foreign_bytes_and_short_files_are_found)
{
  uint64_t random = 1;
  ms_store store;
  ms_store_open(&store, 0);
  piece first = put(&store, &random, 5000), second = put(&store, &random, 5000);
  ck_assert_int_eq(pwrite(store.file, second.copy, 5000, 0), 5000);
  check_refused(&store, &first, "does not hold what was written");
  check_bytes(&store, &second);
  ck_assert_int_eq(ftruncate(store.file, (off_t)MS_PIECE_BYTES + 4999), 0);
  check_refused(&store, &second, "cannot be read");
  ck_assert_ptr_nonnull(strstr(err.message, "TMPDIR"));
  drop(&store, &first);
  drop(&store, &second);
  ms_store_close(&store);
}
END_TEST

TEST_MAIN("rank_store", TEST_TIMES(pieces_come_back, scaled(20)), TEST(flips_are_found),
          TEST(foreign_bytes_and_short_files_are_found))
