#include "bench/harness.h"

#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "cli/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void bench_sort(double *values, size_t count)
{
  qsort(values, count, sizeof *values, by_value);
}

double bench_median(double *values, size_t count)
{
  bench_sort(values, count);
  return values[count / 2];
}

/* Returns Pr[X <= x] for a binomial X, 0 < p < 1. */
static double at_most(uint64_t x, uint64_t trials, double p)
{
  double n = (double)trials, log_term = n * log1p(-p), odds = log(p) - log1p(-p), sum = 0;
  for (uint64_t i = 0; i <= x; i++) {
    sum += exp(log_term);
    log_term += log(n - (double)i) - log((double)i + 1) + odds;
  }
  return sum < 1 ? sum : 1;
}

void bench_interval(uint64_t hits, uint64_t trials, double tail, double *low, double *high)
{
  double below, above;
  *low = 0;
  *high = 1;
  /* low: the least p with Pr[X >= hits] >= tail */
  for (below = 0, above = 1; hits > 0 && above - below > 1e-12;) {
    double p = (below + above) / 2;
    if (1 - at_most(hits - 1, trials, p) >= tail)
      above = p;
    else
      below = p;
    *low = below;
  }
  for (below = 0, above = 1; hits < trials && above - below > 1e-12;) {
    double p = (below + above) / 2;
    if (at_most(hits, trials, p) >= tail)
      below = p;
    else
      above = p;
    *high = above;
  }
}

const char *bench_next_word(const char *at, char *word, size_t room)
{
  at += strspn(at, " ");
  size_t length = strcspn(at, " ");
  if (length == 0 || length >= room)
    return NULL;
  memcpy(word, at, length);
  word[length] = 0;
  return at + length;
}

bool bench_list(const char *text, uint32_t least, uint32_t most, uint32_t *values, uint32_t room,
                uint32_t *count)
{
  char number[16];
  uint64_t value;
  *count = 0;
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ",");
    if (length >= sizeof number || *count == room)
      return false;
    memcpy(number, at, length);
    number[length] = '\0';
    if (!ms_parse_count(number, least, most, &value))
      return false;
    values[(*count)++] = (uint32_t)value;
    at += length;
    if (!*at)
      return true;
  }
}

typedef struct reading {
  const uint64_t *word;
  uint64_t sum;
} reading;

static void read_range(void *user, ms_range r)
{
  reading *d = user;
  uint64_t sum = 0;
  for (uint64_t i = r.begin; i < r.end; i++)
    sum += d->word[i];
  __atomic_fetch_add(&d->sum, sum, __ATOMIC_RELAXED);
}

double bench_read_once(const void *const *array, const size_t *bytes, int blocks, int threads,
                       int runs)
{
  double least = 0;
  uint64_t sum = 0;
  for (int r = 0; r < runs; r++) {
    double begin = ms_seconds();
    for (int b = 0; b < blocks; b++) {
      const uint64_t *word = array[b];
      size_t words = bytes[b] / sizeof *word;
      reading d = {word, 0};
      ms_parallel(threads, words, 0, read_range, &d);
      sum += d.sum;
    }
    double took = 1e3 * (ms_seconds() - begin);
    least = r == 0 || took < least ? took : least;
  }
  volatile uint64_t kept = sum; /* otherwise the compiler would drop the reads */
  (void)kept;
  return least;
}

int bench_fail(const char *program, const ms_error *err)
{
  fprintf(stderr, "%s: %s\n", program, err->message);
  return 1;
}
