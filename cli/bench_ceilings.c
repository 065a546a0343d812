#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/bench.h"
#include "cli/numbers.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The best of a few slices: what the machine can do when nobody disturbs it. */
enum { SLICES = 5 };

double ms_bench_products(const ms_gf2_path *path, int threads, double seconds)
{
  uint8_t sink = 0;
  uint64_t rounds = 1000;
  double best = 0, took;
  for (;;) { /* how many rounds make a slice */
    double start = ms_seconds();
    path->spin(rounds, &sink);
    took = ms_seconds() - start;
    if (took > seconds / SLICES / 2)
      break;
    rounds *= 2;
  }
  for (int slice = 0; slice < SLICES; slice++) {
    uint64_t products = 0;
    double start = ms_seconds();
#pragma omp parallel num_threads(threads) reduction(+ : products)
    {
      uint8_t mine = 0;
      products += path->spin(rounds, &mine);
#pragma omp atomic
      sink ^= mine;
    }
    double rate = (double)products / (ms_seconds() - start);
    if (rate > best)
      best = rate;
  }
  return sink == 0 && best < 0 ? 0 : best; /* sink is used */
}

typedef uint64_t cache_line __attribute__((vector_size(64)));

/* Compiled for several instruction sets: the widest loads reach the ceiling. */
#if defined(__x86_64__) && defined(__gnu_linux__)
#define WIDEST __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WIDEST
#endif

WIDEST static uint64_t read_lines(const cache_line *buffer, uint64_t mask, uint64_t step,
                                  uint64_t start, uint64_t count)
{
  /* four sums, so that their latency does not count; step 1 is sequential,
   * else a walk over all lines by an odd step near the golden ratio, which no
   * prefetcher follows; addresses do not depend on what was read */
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

ms_status ms_bench_reads(uint64_t bytes, bool random, int threads, double seconds, double *rate,
                         ms_error *err)
{
  uint64_t lines = 64;
  while (lines * 2 * sizeof(cache_line) <= bytes)
    lines *= 2; /* the power of two below, for a cheap random walk */
  cache_line *buffer = ms_alloc_lines(lines, sizeof *buffer);
  if (!buffer)
    return ms_fail_memory(err, "a benchmark buffer");
  memset(buffer, 1, lines * sizeof *buffer);
  uint64_t count = 1 << 16, digest = 0,
           step = random ? (uint64_t)(0.6180339887 * (double)lines) | 1 : 1;
  double best = 0;
  for (double spent = 0; spent < seconds || best == 0;) {
    double start = ms_seconds();
#pragma omp parallel num_threads(threads) reduction(^ : digest)
    digest ^=
        read_lines(buffer, lines - 1, step, (uint64_t)omp_get_thread_num() * lines / 2 + 1, count);
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
  *rate = digest == 1 ? best * (1 + 1e-15) : best; /* digest is used */
  return MS_OK;
}

bool ms_bench_list(const char *text, uint32_t least, uint32_t most, uint32_t *values, uint32_t room,
                   uint32_t *count)
{
  char copy[256], *save = NULL;
  *count = 0;
  if (strlen(text) >= sizeof copy || text[0] == ',' || strstr(text, ",,") ||
      (*text && text[strlen(text) - 1] == ','))
    return false;
  strcpy(copy, text);
  for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
    uint64_t value;
    if (*count == room || !ms_parse_count(item, least, most, &value))
      return false;
    values[(*count)++] = (uint32_t)value;
  }
  return *count > 0;
}
