/* Uploads by one thread and by several: each byte arrives, a failed copy ends all threads, and work
 * beside the copies is done once. */
#include "gpu/common/staging.h"
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

/* A block of up to three parts. */
typedef struct block {
  ms_staging_list list;
  uint8_t *part[3], *to;
} block;

static block block_of(const uint64_t bytes[3], cudaStream_t stream)
{
  block b = {0};
  uint64_t state = bytes[0] + 1;
  void *to = NULL;
  for (int i = 0; i < 3; i++) {
    b.part[i] = malloc(bytes[i] + 1);
    ck_assert_ptr_nonnull(b.part[i]);
    uint32_t x = random_below(&state, 1 << 30);
    for (uint64_t at = 0; at < bytes[i]; at++)
      b.part[i][at] = (uint8_t)((x += 2654435761u) >> 24);
    (void)ms_staging_add(&b.list, b.part[i], bytes[i]);
  }
  ck_assert_int_eq(cudaMallocAsync(&to, b.list.bytes + 1, stream), cudaSuccess);
  b.to = to;
  return b;
}

static void check_arrived(const block *b)
{
  for (int i = 0; i < 3; i++) {
    const ms_staging_part *p = &b->list.part[i];
    ck_assert_msg(memcmp(b->to + p->at, p->from, p->bytes) == 0, "part %d of %llu bytes", i,
                  (unsigned long long)p->bytes);
  }
}

static void block_free(block *b, cudaStream_t stream)
{
  for (int i = 0; i < 3; i++)
    free(b->part[i]);
  ck_assert_int_eq(cudaFreeAsync(b->to, stream), cudaSuccess);
}

/* Bytes below, at and above those of a buffer, and of all buffers; by 1, 2 and 5 threads; the
 * device is idle, or found busy. */
START_TEST(all_bytes_arrive)
{
  static const uint64_t bytes[][3] = {
      {0, 0, 0},
      {1, 0, 0},
      {1000, 3, 70000},
      {MS_STAGING_BYTES - 256, 255, 0},
      {MS_STAGING_BYTES, 1, 0},
      {3, MS_STAGING_BYTES * MS_STAGING_BUFFERS, 5},
      {(9 << 20) + 77, (8 << 20) + 1, 12345},
  };
  static const int threads[] = {1, 2, 5};
  ms_staging staging;
  ck_ok(ms_staging_acquire(0, &staging, &err));
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
      block b = block_of(bytes[i], staging.stream);
      ms_hooks.work_for_threads = t == 1 ? 1 : ms_hooks_default.work_for_threads;
      fake_slow = i % 2 * 3;
      ck_ok(ms_staging_upload(&staging, &b.list, b.to, threads[t], &err));
      check_arrived(&b);
      block_free(&b, staging.stream);
    }
  ms_hooks = ms_hooks_default;
  fake_slow = 0;
  ms_staging_release(&staging, true);
}
END_TEST

/* The first copy fails, then the second, and so on, while other threads wait for room; the staging
 * works again afterwards. */
START_TEST(failed_copies)
{
  const uint64_t bytes[3] = {5 * MS_STAGING_BYTES, 100, 3 * MS_STAGING_BYTES};
  ms_staging staging;
  ck_ok(ms_staging_acquire(0, &staging, &err));
  block b = block_of(bytes, staging.stream);
  uint64_t copies = b.list.bytes / MS_STAGING_BYTES + 1;
  for (uint64_t good = 0; good <= copies; good++)
    for (int threads = 1; threads <= 4; threads += 3) {
      memset(b.to, 0, b.list.bytes);
      fake_copies_left = good;
      ms_status status = ms_staging_upload(&staging, &b.list, b.to, threads, &err);
      ck_assert_int_eq(status == MS_OK, good == copies);
      fake_copies_left = UINT64_MAX;
      if (good == copies)
        check_arrived(&b);
    }
  ck_ok(ms_staging_upload(&staging, &b.list, b.to, 4, &err));
  check_arrived(&b);
  block_free(&b, staging.stream);
  ms_staging_release(&staging, true);
}
END_TEST

/* ---- work beside the copies ----------------------------------------------------------- */

/* The last part of a block, which is made while the others are copied. */
typedef struct making {
  block *b;
  uint8_t *made;        /* [bytes of the part] its values */
  _Atomic uint64_t sum; /* of the numbers of its bytes that were made */
} making;

static void make_range(void *user, ms_range r)
{
  making *m = user;
  uint64_t sum = 0;
  for (uint64_t i = r.begin; i < r.end; i++) {
    m->b->part[2][i] = m->made[i];
    sum += i + 1;
  }
  atomic_fetch_add(&m->sum, sum);
}

/* Uploads a block whose last part is made meanwhile in ranges of `chunk` bytes.  Each byte is made
 * once, whether or not a copy fails; without a failure all arrive. */
static void check_making(const uint64_t bytes[3], uint64_t chunk, int threads, ms_staging *staging)
{
  block b = block_of(bytes, staging->stream);
  making m = {.b = &b, .made = malloc(bytes[2] + 1)};
  ck_assert_ptr_nonnull(m.made);
  memcpy(m.made, b.part[2], bytes[2]);
  memset(b.part[2], 0, bytes[2]);
  ms_staging_work work = {
      .fn = make_range, .user = &m, .n = bytes[2], .chunk = chunk, .before = b.list.part[2].at};
  bool fails = fake_copies_left <= b.list.bytes / MS_STAGING_BYTES;
  ms_status status = ms_staging_upload_beside(staging, &b.list, b.to, threads, &work, &err);
  ck_assert_int_eq(status == MS_OK, !fails);
  fake_copies_left = UINT64_MAX;
  ck_assert_uint_eq(m.sum, bytes[2] * (bytes[2] + 1) / 2);
  ck_assert(memcmp(m.made, b.part[2], bytes[2]) == 0);
  if (!fails)
    check_arrived(&b);
  free(m.made);
  block_free(&b, staging->stream);
}

/* The part that is made begins in the first buffer, at the start of one, or in a later one; ranges
 * of it are many, few or one; by 1, 2 and 5 threads; the device is idle, or found busy. */
START_TEST(work_beside_copies)
{
  static const uint64_t bytes[][3] = {{1000, 3, 70000},
                                      {MS_STAGING_BYTES - 256, 255, 1 << 20},
                                      {3, MS_STAGING_BYTES * MS_STAGING_BUFFERS, (1 << 20) + 5},
                                      {(9 << 20) + 77, (8 << 20) + 1, 123456},
                                      {(5 << 20) + 1, 0, 9 << 20}};
  static const uint64_t chunk[] = {999, 65536, 1 << 25};
  static const int threads[] = {1, 2, 5};
  ms_staging staging;
  ck_ok(ms_staging_acquire(0, &staging, &err));
  for (size_t i = 0; i < 5 * 3 * 3; i++) {
    fake_slow = i % 2 * 3;
    check_making(bytes[i / 9], chunk[i / 3 % 3], threads[i % 3], &staging);
  }
  fake_slow = 0;
  ms_staging_release(&staging, true);
}
END_TEST

/* The work is done although the first copy fails, or the second, and so on. */
START_TEST(work_beside_failed_copies)
{
  static const uint64_t bytes[] = {5 * MS_STAGING_BYTES, 100, MS_STAGING_BYTES + 1000};
  ms_staging staging;
  ck_ok(ms_staging_acquire(0, &staging, &err));
  for (uint64_t good = 0; good <= 7; good++)
    for (int threads = 1; threads <= 4; threads += 3) {
      fake_copies_left = good;
      check_making(bytes, 100000, threads, &staging);
    }
  ms_staging_release(&staging, true);
}
END_TEST

int main(void)
{
  return RUN_TESTS("uploads to a GPU", TEST(all_bytes_arrive), TEST_IF(failed_copies, fake_cuda),
                   TEST(work_beside_copies), TEST_IF(work_beside_failed_copies, fake_cuda));
}
