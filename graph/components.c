#include "graph/components.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, SAMPLES = 1024 };

/* component[] holds parents first.  A parent is never the larger of the two
 * vertices, so there is no cycle, and a root is the smallest of its tree.
 * Threads read and write parents at any time: a stale one is an ancestor, too. */
static uint32_t parent_of(const uint32_t *parent, uint32_t v)
{
  return __atomic_load_n(parent + v, __ATOMIC_RELAXED);
}

static void join(uint32_t *parent, uint32_t u, uint32_t v)
{
  uint32_t a = parent_of(parent, u), b = parent_of(parent, v);
  while (a != b) {
    uint32_t high = a > b ? a : b, low = a > b ? b : a, above = parent_of(parent, high);
    if (above == low)
      return;
    /* only a root is given a parent, else its tree would fall apart */
    if (above == high && __atomic_compare_exchange_n(parent + high, &above, low, false,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
    a = parent_of(parent, parent_of(parent, high));
    b = parent_of(parent, low);
  }
}

/* Every vertex right below its root.  Ascending within a thread: parents are
 * done before their children, so paths are short. */
static void flatten(uint32_t n, uint32_t *parent, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t v = 0; v < n; v++) {
    uint32_t above = parent_of(parent, v), root = parent_of(parent, above);
    while (root != above) {
      above = root;
      root = parent_of(parent, above);
    }
    __atomic_store_n(parent + v, root, __ATOMIC_RELAXED);
  }
}

static int by_value(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The root that most of a sample of vertices has.  A wrong guess costs time only. */
static uint32_t frequent_root(uint32_t n, const uint32_t *parent)
{
  uint32_t sample[SAMPLES], count = n < SAMPLES ? n : SAMPLES, best = 0, most = 0;
  for (uint32_t i = 0; i < count; i++)
    sample[i] = parent[(uint64_t)i * n / count];
  qsort(sample, count, sizeof *sample, by_value);
  for (uint32_t begin = 0, i = 1; i <= count; i++)
    if (i == count || sample[i] != sample[begin]) {
      if (i - begin > most) {
        most = i - begin;
        best = sample[begin];
      }
      begin = i;
    }
  return best;
}

static void grow_forest(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                        uint32_t *parent, int threads)
{
  /* the first arc needs no join: nothing is joined yet */
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t v = 0; v < n; v++)
    parent[v] = offset[v] < offset[v + 1] && neighbor[offset[v]] < v ? neighbor[offset[v]] : v;
  flatten(n, parent, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t v = 0; v < n; v++)
    if (offset[v] + 1 < offset[v + 1])
      join(parent, v, neighbor[offset[v] + 1]);
  flatten(n, parent, threads);
  /* an edge out of the skipped tree is met from its other end */
  uint32_t skipped = frequent_root(n, parent);
#pragma omp parallel for num_threads(threads) schedule(dynamic, CHUNK)
  for (uint32_t v = 0; v < n; v++)
    if (parent_of(parent, v) != skipped)
      for (uint64_t a = offset[v]; a < offset[v + 1]; a++)
        join(parent, v, neighbor[a]);
  flatten(n, parent, threads);
}

/* first[c]: roots before chunk c; returns all. */
static uint32_t count_roots(uint32_t n, const uint32_t *parent, uint32_t chunks, uint32_t *first,
                            int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t chunk = 0; chunk < chunks; chunk++) {
    uint32_t begin = chunk * CHUNK, end = n - begin < CHUNK ? n : begin + CHUNK, roots = 0;
    for (uint32_t v = begin; v < end; v++)
      roots += parent[v] == v;
    first[chunk] = roots;
  }
  uint32_t roots = 0;
  for (uint32_t chunk = 0; chunk < chunks; chunk++) {
    uint32_t more = first[chunk];
    first[chunk] = roots;
    roots += more;
  }
  return roots;
}

/* Roots ascend as the smallest vertices of their components do. */
static void number_roots(uint32_t n, uint32_t *component, uint32_t chunks, const uint32_t *first,
                         uint32_t *number, int threads)
{
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
      uint32_t begin = chunk * CHUNK, end = n - begin < CHUNK ? n : begin + CHUNK;
      for (uint32_t v = begin, next = first[chunk]; v < end; v++)
        if (component[v] == v)
          number[v] = next++;
    }
#pragma omp for schedule(static)
    for (uint32_t v = 0; v < n; v++)
      component[v] = number[component[v]];
  }
}

ms_status ms_components(uint32_t n, const uint64_t *offset, const uint32_t *neighbor, int threads,
                        uint32_t *component, uint32_t *count, ms_error *err)
{
  uint32_t chunks = n / CHUNK + (n % CHUNK != 0), *number = NULL;
  ms_status status = MS_OK;
  *count = 0;
  if (n == 0)
    return MS_OK;
  uint32_t *first = ms_alloc(chunks, sizeof *first);
  if (!first)
    return ms_fail_memory(err, "components");
  threads = ms_threads_for(threads, n + offset[n]);
  grow_forest(n, offset, neighbor, component, threads);
  *count = count_roots(n, component, chunks, first, threads);
  if (*count > 1) { /* one: all have root 0, which is its number */
    number = ms_alloc_lines(n, sizeof *number);
    if (number)
      number_roots(n, component, chunks, first, number, threads);
    else
      status = ms_fail_memory(err, "components");
  }
  ms_free(first);
  ms_free(number);
  return status;
}
