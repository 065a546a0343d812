#include "base/file/read_rate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"

#include <string.h>

/* The best of a few slices counts: it shows what the machine can do undisturbed. */
enum { SLICES = 5 };

typedef uint64_t cache_line __attribute__((vector_size(64)));

typedef struct reading {
  const cache_line *buffer;
  uint64_t lines, step, count, digest;
} reading;

typedef uint64_t read_fn(const cache_line *buffer, uint64_t mask, uint64_t step, uint64_t start,
                         uint64_t count);

/* The function below is compiled for several instruction sets, because only the widest loads reach
 * the ceiling. */
static inline __attribute__((always_inline)) uint64_t
read_lines(const cache_line *buffer, uint64_t mask, uint64_t step, uint64_t start, uint64_t count)
{
  /* four sums hide their latency; step 1 is sequential, and otherwise the walk visits all lines by
   * an odd step near the golden ratio, which no prefetcher follows; addresses do not depend on the
   * data read */
  cache_line a = {0}, b = {0}, c = {0}, d = {0};
  for (uint64_t at = start, end = start + count * step; at != end; at += 4 * step) {
    a ^= buffer[at & mask];
    b ^= buffer[(at + step) & mask];
    c ^= buffer[(at + 2 * step) & mask];
    d ^= buffer[(at + 3 * step) & mask];
  }
  a ^= b ^ c ^ d;
  uint64_t all = 0;
  for (int w = 0; w < 8; w++)
    all ^= a[w];
  return all;
}

static uint64_t read_plain(const cache_line *buffer, uint64_t mask, uint64_t step, uint64_t start,
                           uint64_t count)
{
  return read_lines(buffer, mask, step, start, count);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static uint64_t
read_avx2(const cache_line *buffer, uint64_t mask, uint64_t step, uint64_t start, uint64_t count)
{
  return read_lines(buffer, mask, step, start, count);
}

__attribute__((target("avx512f"))) static uint64_t
read_avx512(const cache_line *buffer, uint64_t mask, uint64_t step, uint64_t start, uint64_t count)
{
  return read_lines(buffer, mask, step, start, count);
}
#endif

static read_fn *widest(void)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return read_avx512;
  if (__builtin_cpu_supports("avx2"))
    return read_avx2;
#endif
  return read_plain;
}

static void read_part(void *user, ms_range r)
{
  reading *d = user;
  read_fn *read = widest();
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint64_t digest = read(d->buffer, d->lines - 1, d->step, i * d->lines / 2 + 1, d->count);
    __atomic_fetch_xor(&d->digest, digest, __ATOMIC_RELAXED);
  }
}

ms_status ms_read_rate(uint64_t bytes, bool random, int threads, double seconds, double *rate,
                       ms_error *err)
{
  uint64_t lines = 64;
  while (lines * 2 * sizeof(cache_line) <= bytes)
    lines *= 2; /* the largest power of two that fits, for a cheap random walk */
  cache_line *buffer = ms_alloc_lines(lines, sizeof *buffer);
  if (!buffer)
    return ms_fail_memory(err, "a benchmark buffer");
  memset(buffer, 1, lines * sizeof *buffer);
  uint64_t count = 1 << 16, digest = 0,
           step = random ? (uint64_t)(0.6180339887 * (double)lines) | 1 : 1;
  double best = 0;
  for (double spent = 0; spent < seconds || best == 0;) {
    double start = ms_seconds();
    reading d = {buffer, lines, step, count, digest};
    ms_parallel(threads, (uint64_t)threads, 1, read_part, &d);
    digest = d.digest;
    double took = ms_seconds() - start;
    spent += took;
    if (took < seconds / SLICES / 2) {
      count *= 2;
      continue;
    }
    double now = (double)count * threads * sizeof(cache_line) / took;
    if (now > best)
      best = now;
  }
  ms_free(buffer);
  *rate = digest == 1 ? best * (1 + 1e-15) : best; /* makes the compiler keep digest */
  return MS_OK;
}
