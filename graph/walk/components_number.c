/* From forests to representatives of components, and from these to numbers. */
#include "graph/walk/components_inner.h"

#include "base/alloc.h"
#include "base/status.h"

enum { CHUNK = 1024 };

/* Vertices ascend within a thread: parents come before their children, so paths are short. */
void ms_forest_flatten(uint32_t n, uint32_t *parent, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t v = 0; v < n; v++) {
    uint32_t above = ms_forest_parent(parent, v), root = ms_forest_parent(parent, above);
    while (root != above) {
      above = root;
      root = ms_forest_parent(parent, above);
    }
    __atomic_store_n(parent + v, root, __ATOMIC_RELAXED);
  }
}

/* Sets first[c] to the number of roots before chunk c; returns the number of all roots. */
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

/* Numbers the roots, which ascend as the smallest vertices of their components do, and then the
 * vertices. */
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

ms_status ms_components_number(uint32_t n, uint32_t *component, int threads, uint32_t *count,
                               ms_error *err)
{
  uint32_t chunks = n / CHUNK + (n % CHUNK != 0), *number = NULL;
  uint32_t *first = ms_alloc(chunks, sizeof *first);
  ms_status status = MS_OK;
  if (!first)
    return ms_fail_memory(err, "components");
  *count = count_roots(n, component, chunks, first, threads);
  if (*count > 1) { /* a single component has root 0, which is also its number */
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

/* Sets *least to v if v is smaller.  Vertices ascend within a thread, so nearly all calls only
 * load. */
static void lower(uint32_t *least, uint32_t v)
{
  uint32_t now = __atomic_load_n(least, __ATOMIC_RELAXED);
  while (v < now &&
         !__atomic_compare_exchange_n(least, &now, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

ms_status ms_components_lower(uint32_t n, uint32_t *component, int threads, ms_error *err)
{
  uint32_t *least = ms_alloc_lines(n, sizeof *least);
  if (!least)
    return ms_fail_memory(err, "components");
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (uint32_t v = 0; v < n; v++)
      least[v] = v;
#pragma omp for schedule(static)
    for (uint32_t v = 0; v < n; v++)
      lower(least + component[v], v);
#pragma omp for schedule(static)
    for (uint32_t v = 0; v < n; v++)
      component[v] = least[component[v]];
  }
  ms_free(least);
  return MS_OK;
}
