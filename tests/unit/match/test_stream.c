/* The stream of rows (match/stream.h) under a limit: it ends with the row that reaches the limit.
 */
#include "base/alloc.h"
#include "match/stream.h"
#include "tests/support/test_main.h"

#include <pthread.h>

static ms_error err;

typedef struct taken {
  uint64_t rows, sum;
} taken;

static bool take(void *user, const uint32_t *rows, uint64_t count)
{
  taken *t = user;
  t->rows += count;
  for (uint64_t i = 0; i < count; i++)
    t->sum += rows[i];
  return true;
}

static ms_stream *stream_of(taken *t, uint64_t limit)
{
  ms_stream *stream;
  const ms_stream_options options = {
      .length = 1, .limit = limit, .memory = 1 << 20, .rows = take, .user = t};
  *t = (taken){0};
  ck_ok(ms_stream_new(&options, &stream, &err));
  return stream;
}

static bool add(ms_stream *stream, ms_segment *segment, uint32_t value)
{
  return ms_stream_add(stream, segment, &value);
}

/* The row that reaches the limit ends the stream at once, without another row and while its segment
 * is open, and sets the flag: limits of 1, 2, 255, 256, 257 and 5,000 rows. */
START_TEST(the_last_row_ends_the_stream)
{
  static const uint64_t limits[] = {1, 2, 255, 256, 257, 5000};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    taken t;
    atomic_bool halt = false;
    ms_stream *stream = stream_of(&t, limits[i]);
    ms_stream_tell(stream, &halt);
    ms_segment *segment = ms_stream_open(stream, NULL);
    for (uint64_t row = 1; row < limits[i]; row++)
      ck_assert(add(stream, segment, 1) && !halt);
    ck_assert(!add(stream, segment, 1) && halt);
    ck_assert_uint_eq(t.rows, limits[i]);
    ck_assert_int_eq(ms_stream_status(stream), MS_ERR_LIMIT);
    ms_stream_close(stream, segment);
    ck_assert_uint_eq(t.rows, limits[i]);
    ms_stream_free(stream);
  }
}
END_TEST

/* A segment that waits with enough rows ends the stream when those before it close, though no row
 * is added to it any more; rows come in the order of the segments. */
START_TEST(a_waiting_segment_ends_the_stream)
{
  taken t;
  atomic_bool halt = false;
  ms_stream *stream = stream_of(&t, 3);
  ms_stream_tell(stream, &halt);
  ms_segment *first = ms_stream_open(stream, NULL), *second = ms_stream_open(stream, NULL);
  ms_segment *third = ms_stream_open(stream, NULL);
  for (int i = 0; i < 4; i++)
    ck_assert(add(stream, third, 100));
  ck_assert(add(stream, first, 1));
  ms_stream_close(stream, second);
  ck_assert(t.rows == 0 && !halt);
  ms_stream_close(stream, first);
  ck_assert(halt && t.rows == 3);
  ck_assert_uint_eq(t.sum, 201);
  ck_assert(!add(stream, third, 100) || t.rows == 3);
  ms_stream_close(stream, third);
  ck_assert_uint_eq(t.rows, 3);
  ck_assert_int_eq(ms_stream_status(stream), MS_ERR_LIMIT);
  ms_stream_free(stream);
}
END_TEST

enum { THREADS = 4, ROWS = 2000 };

typedef struct part {
  ms_stream *stream;
  ms_segment *segment;
  uint32_t value;
} part;

static void *fill(void *user)
{
  part *p = user;
  for (int i = 0; i < ROWS && add(p->stream, p->segment, p->value); i++)
    continue;
  ms_stream_close(p->stream, p->segment);
  return NULL;
}

/* Four threads that add 2,000 rows each: the rows up to the limit are those of the first segments,
 * 300 streams with limits from 1 to 8,000. */
START_TEST(threads_reach_the_limit_in_order)
{
  for (uint64_t turn = 0; turn < 300; turn++) {
    uint64_t limit = 1 + turn * 7919 % (THREADS * ROWS), sum = 0;
    taken t;
    part parts[THREADS];
    pthread_t thread[THREADS];
    ms_stream *stream = stream_of(&t, limit);
    for (uint32_t i = 0; i < THREADS; i++)
      parts[i] = (part){stream, ms_stream_open(stream, NULL), i + 1};
    for (uint32_t i = 0; i < THREADS; i++)
      ck_assert_int_eq(pthread_create(&thread[i], NULL, fill, &parts[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++)
      pthread_join(thread[i], NULL);
    for (uint64_t row = 0; row < limit; row++)
      sum += row / ROWS + 1;
    ck_assert_uint_eq(t.rows, limit);
    ck_assert_uint_eq(t.sum, sum);
    ck_assert_int_eq(ms_stream_status(stream), MS_ERR_LIMIT);
    ms_stream_free(stream);
  }
}
END_TEST

/* Passes rows in batches of 0 to 6 rows, of which each is the thread's value. */
static void *pass(void *user)
{
  part *p = user;
  uint32_t rows[6];
  bool more = true;
  for (uint32_t i = 0; i < 6; i++)
    rows[i] = p->value;
  for (uint32_t row = 0, count = 0; row < ROWS && more; row += count) {
    count = (count + 1) % 7;
    count = count < ROWS - row ? count : ROWS - row;
    more = ms_stream_pass(p->stream, rows, count);
  }
  return NULL;
}

/* Four threads that pass 2,000 rows each, without segments: all arrive, or as many as the limit
 * says; 100 streams with limits from 1 to 8,000, and one without. */
START_TEST(threads_pass_rows)
{
  for (uint64_t turn = 0; turn <= 100; turn++) {
    uint64_t limit = turn == 0 ? 0 : 1 + turn * 7919 % (THREADS * ROWS);
    atomic_bool halt = false;
    taken t;
    part parts[THREADS];
    pthread_t thread[THREADS];
    ms_stream *stream = stream_of(&t, limit);
    ms_stream_tell(stream, &halt);
    for (uint32_t i = 0; i < THREADS; i++)
      parts[i] = (part){stream, NULL, i + 1};
    for (uint32_t i = 0; i < THREADS; i++)
      ck_assert_int_eq(pthread_create(&thread[i], NULL, pass, &parts[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++)
      pthread_join(thread[i], NULL);
    ck_assert_uint_eq(t.rows, limit > 0 ? limit : THREADS * ROWS);
    ck_assert_uint_eq(ms_stream_rows(stream), t.rows);
    ck_assert(limit > 0 || t.sum == ROWS * (1 + 2 + 3 + 4));
    ck_assert(halt == (limit > 0));
    ck_assert_int_eq(ms_stream_status(stream), limit > 0 ? MS_ERR_LIMIT : MS_OK);
    ms_stream_free(stream);
  }
}
END_TEST

int main(void)
{
  return RUN_TESTS("stream", TEST(the_last_row_ends_the_stream),
                   TEST(a_waiting_segment_ends_the_stream), TEST(threads_reach_the_limit_in_order),
                   TEST(threads_pass_rows));
}
