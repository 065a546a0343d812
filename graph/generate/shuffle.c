/* A random permutation in parallel (Rao 1961, Sandelius 1962): every element goes to a random
 * bucket, then each bucket is shuffled by itself (Fisher & Yates).  Chunks and buckets depend on
 * the number of elements alone, and a bucket receives the chunks in order, so the number of threads
 * makes no difference. */
#include "graph/generate/family.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/generate/random.h"

#include <string.h>

#define ELEMENTS_PER_BUCKET 32768u /* 128 KiB, within the L2 cache */
#define MAX_BUCKETS 2048u
#define MAX_CHUNKS 1024u
#define COPIED_ELEMENTS (UINT64_C(1) << 20) /* between two checks of the watch */

typedef struct shuffle {
  uint64_t seed, count, chunk; /* elements; of a chunk */
  uint32_t part, chunks, buckets;
  uint64_t *start; /* [chunks][buckets] the place of the chunk's next element */
  uint64_t *end;   /* [buckets] */
  uint32_t *from;  /* [count] */
  uint32_t *to;    /* [count] the elements, bucket by bucket */
} shuffle;

/* Returns the bucket of element i, which has its own 32-bit word. */
static uint32_t bucket_of(const shuffle *s, uint64_t i, ms_random_block *block)
{
  if (i % 4 == 0)
    *block = ms_random_at(s->seed, MS_STREAM_BUCKET, s->part, i / 4);
  return (uint32_t)((uint64_t)block->word[i % 4] * s->buckets >> 32);
}

static void count_chunk(const shuffle *s, uint64_t c)
{
  uint64_t *start = s->start + (uint64_t)c * s->buckets;
  uint64_t i = c * s->chunk, end = i + s->chunk < s->count ? i + s->chunk : s->count;
  ms_random_block block = {{0}};
  for (; i < end; i++)
    start[bucket_of(s, i, &block)]++;
}

static void move_chunk(const shuffle *s, uint64_t c, const uint32_t *from, uint32_t *to)
{
  uint64_t *start = s->start + (uint64_t)c * s->buckets;
  uint64_t i = c * s->chunk, end = i + s->chunk < s->count ? i + s->chunk : s->count;
  ms_random_block block = {{0}};
  for (; i < end; i++)
    to[start[bucket_of(s, i, &block)]++] = from[i];
}

static void add_up(shuffle *s)
{
  uint64_t before = 0;
  for (uint32_t b = 0; b < s->buckets; b++) {
    for (uint32_t c = 0; c < s->chunks; c++) {
      uint64_t *start = s->start + (uint64_t)c * s->buckets + b, here = *start;
      *start = before;
      before += here;
    }
    s->end[b] = before;
  }
}

static void shuffle_bucket(const shuffle *s, uint64_t b, uint32_t *a)
{
  uint64_t begin = b ? s->end[b - 1] : 0;
  /* one number less than elements, so that rounding up keeps the buckets apart */
  ms_random_sequence random = {
      .seed = s->seed, .index = begin + begin % 2, .stream = MS_STREAM_SHUFFLE, .part = s->part};
  for (uint64_t left = s->end[b] - begin; left > 1; left--) {
    uint64_t j = ms_random_next_below(&random, left);
    uint32_t other = a[begin + j];
    a[begin + j] = a[begin + left - 1];
    a[begin + left - 1] = other;
  }
}

static void count_chunks(void *user, ms_range r)
{
  for (uint64_t c = r.begin; c < r.end; c++)
    count_chunk(user, c);
}

static void move_chunks(void *user, ms_range r)
{
  const shuffle *s = user;
  for (uint64_t c = r.begin; c < r.end; c++)
    move_chunk(s, c, s->from, s->to);
}

static void shuffle_buckets(void *user, ms_range r)
{
  const shuffle *s = user;
  for (uint64_t b = r.begin; b < r.end; b++)
    shuffle_bucket(s, b, s->to);
}

static void copy_back(void *user, ms_range r)
{
  const shuffle *s = user;
  memcpy(s->from + r.begin, s->to + r.begin, (r.end - r.begin) * sizeof *s->from);
}

ms_status ms_shuffle(const ms_generate_plan *plan, uint32_t *a, uint64_t count, uint32_t part,
                     ms_error *err)
{
  shuffle s = {.seed = plan->o.run.seed, .count = count, .part = part};
  int threads = plan->o.run.threads;
  uint64_t buckets = count / ELEMENTS_PER_BUCKET + 1;
  s.buckets = buckets < MAX_BUCKETS ? (uint32_t)buckets : MAX_BUCKETS;
  /* whole blocks of four words */
  s.chunk = (count / MAX_CHUNKS + ELEMENTS_PER_BUCKET) / 4 * 4;
  s.chunks = (uint32_t)((count + s.chunk - 1) / s.chunk);
  s.start = ms_calloc((size_t)s.chunks * s.buckets, sizeof *s.start);
  s.end = ms_alloc(s.buckets, sizeof *s.end);
  uint32_t *moved = ms_alloc(count, sizeof *moved);
  bool got = s.start && s.end && moved;
  if (got) {
    s.from = a;
    s.to = moved;
    ms_watch_loop(plan->watch, threads, s.chunks, 1, count_chunks, &s);
    add_up(&s);
    /* the watch that has ended lets no chunk move by the places that are missing */
    ms_watch_loop(plan->watch, threads, s.chunks, 1, move_chunks, &s);
    ms_watch_loop(plan->watch, threads, s.buckets, 1, shuffle_buckets, &s);
    ms_watch_loop(plan->watch, 1, count, COPIED_ELEMENTS, copy_back, &s);
  }
  ms_free(s.start);
  ms_free(s.end);
  ms_free(moved);
  return got ? ms_generate_report(plan, err) : ms_fail_memory(err, "a random permutation");
}

ms_status ms_random_order(uint64_t seed, int threads, uint32_t *a, uint64_t count, uint32_t part,
                          ms_error *err)
{
  ms_watch watch;
  const ms_generate_plan plan = {.o = {.run.seed = seed, .run.threads = threads}, .watch = &watch};
  ms_watch_begin(&watch);
  for (uint64_t i = 0; i < count; i++)
    a[i] = (uint32_t)i;
  return ms_shuffle(&plan, a, count, part, err);
}
