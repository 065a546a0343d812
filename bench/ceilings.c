/* Measures what this machine can do at best: reading memory, and a GPU's logic and memories. */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/stop.h"
#include "bench/experiments.h"
#include "cli/numbers.h"
#include "gpu/gpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The best of a few slices counts: it shows what the machine can do undisturbed. */
enum { SLICES = 5 };

typedef uint64_t cache_line __attribute__((vector_size(64)));

/* The function is compiled for several instruction sets, because only the widest loads reach the
 * ceiling. */
#if defined(__x86_64__) && defined(__gnu_linux__)
#define WIDEST __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WIDEST
#endif

WIDEST static uint64_t read_lines(const cache_line *buffer, uint64_t mask, uint64_t step,
                                  uint64_t start, uint64_t count)
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

typedef struct reading {
  const cache_line *buffer;
  uint64_t lines, step, count, digest;
} reading;

static void read_part(void *user, ms_range r)
{
  reading *d = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint64_t digest = read_lines(d->buffer, d->lines - 1, d->step, i * d->lines / 2 + 1, d->count);
    __atomic_fetch_xor(&d->digest, digest, __ATOMIC_RELAXED);
  }
}

ms_status bench_reads(uint64_t bytes, bool random, int threads, double seconds, double *rate,
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

/* ---- GPUs ------------------------------------------------------------------------ */

/* Prints the ceilings of a GPU.  Random rows slow down at the size where they exceed the
 * second-level cache, and again where they exceed what the address translation covers. */
ms_status bench_print_ceilings(int device, double seconds, bool csv, ms_error *err)
{
  static const unsigned shifts[] = {22, 24, 25, 26, 28, 30, 32};
  const char *form = csv ? "%s,%s,%.4g,%s\n" : "%-22s  %8s  %10.4g  %s\n";
  ms_gpu_device d;
  ms_gpu_ceilings c;
  char size[32];
  MS_TRY(ms_gpu_device_at(device, &d, err));
  printf("%sGPU %d: %s, compute capability %d.%d, %d multiprocessors, %.0f MHz\n", csv ? "# " : "",
         device, d.name, d.major, d.minor, d.multiprocessors, d.clock * 1e-6);
  printf(csv ? "what,bytes,rate,unit\n" : "what                        bytes        rate\n");
  for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
    uint64_t bytes = UINT64_C(1) << shifts[i];
    if (bytes > d.memory_free / 2)
      break;
    MS_TRY(ms_gpu_measure(device, bytes, seconds, &c, err));
    if (i == 0) {
      printf(form, "three-input logic", "", c.logic, "32-bit operations/s");
      printf(form, "shared memory", "", c.shared_read, "bytes/s");
    }
    if (csv)
      snprintf(size, sizeof size, "%" PRIu64, bytes);
    else
      ms_format_size(size, sizeof size, bytes);
    printf(form, "rows of 512 at random", size, c.row_read, "bytes/s");
    printf(form, "read and written", size, c.stream, "bytes/s");
    fflush(stdout);
  }
  return MS_OK;
}
