/* From forests to representatives of components, and from these to numbers. */
#include "graph/walk/components_inner.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"

enum { CHUNK = 1024 };

/* Vertices ascend within a range: parents come before their children, so paths are short. */
static void flatten_range(void *user, ms_range r)
{
  uint32_t *parent = user;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    uint32_t above = ms_forest_parent(parent, v), root = ms_forest_parent(parent, above);
    while (root != above) {
      above = root;
      root = ms_forest_parent(parent, above);
    }
    __atomic_store_n(parent + v, root, __ATOMIC_RELAXED);
  }
}

void ms_forest_flatten(uint32_t n, uint32_t *parent, int threads)
{
  ms_parallel(threads, n, 0, flatten_range, parent);
}

typedef struct numbering {
  uint32_t n;
  uint32_t *component; /* [n] roots, then numbers */
  uint32_t *first;     /* [chunks] the number of roots before the chunk */
  uint32_t *number;    /* [n] the number of a root */
} numbering;

static uint32_t chunk_end(const numbering *g, uint32_t begin)
{
  return g->n - begin < CHUNK ? g->n : begin + CHUNK;
}

static void count_roots_of_chunks(void *user, ms_range r)
{
  const numbering *g = user;
  for (uint32_t chunk = (uint32_t)r.begin; chunk < r.end; chunk++) {
    uint32_t begin = chunk * CHUNK, end = chunk_end(g, begin), roots = 0;
    for (uint32_t v = begin; v < end; v++)
      roots += g->component[v] == v;
    g->first[chunk] = roots;
  }
}

/* Sets first[c] to the number of roots before chunk c; returns the number of all roots. */
static uint32_t count_roots(numbering *g, uint32_t chunks, int threads)
{
  uint32_t roots = 0, *first = g->first;
  ms_parallel(threads, chunks, 0, count_roots_of_chunks, g);
  for (uint32_t chunk = 0; chunk < chunks; chunk++) {
    uint32_t more = first[chunk];
    first[chunk] = roots;
    roots += more;
  }
  return roots;
}

/* Numbers the roots, which ascend as the smallest vertices of their components do. */
static void number_roots(void *user, ms_range r)
{
  const numbering *g = user;
  for (uint32_t chunk = (uint32_t)r.begin; chunk < r.end; chunk++) {
    uint32_t begin = chunk * CHUNK, end = chunk_end(g, begin);
    for (uint32_t v = begin, next = g->first[chunk]; v < end; v++)
      if (g->component[v] == v)
        g->number[v] = next++;
  }
}

static void replace_roots(void *user, ms_range r)
{
  const numbering *g = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    g->component[v] = g->number[g->component[v]];
}

ms_status ms_components_number(uint32_t n, uint32_t *component, int threads, uint32_t *count,
                               ms_error *err)
{
  uint32_t chunks = n / CHUNK + (n % CHUNK != 0);
  numbering g = {.n = n, .component = component, .first = ms_alloc(chunks, sizeof *g.first)};
  ms_status status = MS_OK;
  if (!g.first)
    return ms_fail_memory(err, "components");
  *count = count_roots(&g, chunks, threads);
  if (*count > 1) { /* a single component has root 0, which is also its number */
    g.number = ms_alloc_lines(n, sizeof *g.number);
    if (g.number) {
      ms_parallel(threads, chunks, 0, number_roots, &g);
      ms_parallel(threads, n, 0, replace_roots, &g);
    } else {
      status = ms_fail_memory(err, "components");
    }
  }
  ms_free(g.first);
  ms_free(g.number);
  return status;
}

/* Sets *least to v if v is smaller.  Vertices ascend within a range, so nearly all calls only
 * load. */
static void lower(uint32_t *least, uint32_t v)
{
  uint32_t now = __atomic_load_n(least, __ATOMIC_RELAXED);
  while (v < now &&
         !__atomic_compare_exchange_n(least, &now, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

typedef struct lowering {
  uint32_t *component; /* [n] representatives */
  uint32_t *least;     /* [n] the smallest vertex with this representative */
} lowering;

static void begin_least(void *user, ms_range r)
{
  uint32_t *least = ((lowering *)user)->least;
  for (uint64_t v = r.begin; v < r.end; v++)
    least[v] = (uint32_t)v;
}

static void find_least(void *user, ms_range r)
{
  const lowering *l = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    lower(l->least + l->component[v], (uint32_t)v);
}

static void use_least(void *user, ms_range r)
{
  const lowering *l = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    l->component[v] = l->least[l->component[v]];
}

ms_status ms_components_lower(uint32_t n, uint32_t *component, int threads, ms_error *err)
{
  lowering l = {component, ms_alloc_lines(n, sizeof *l.least)};
  if (!l.least)
    return ms_fail_memory(err, "components");
  ms_parallel(threads, n, 0, begin_least, &l);
  ms_parallel(threads, n, 0, find_least, &l);
  ms_parallel(threads, n, 0, use_least, &l);
  ms_free(l.least);
  return MS_OK;
}
