/* The kinds in a typed pattern.  Vertices are alike that accept the same types
 * and have self-loops that do.  Ordered pairs are alike whose edges accept the
 * same sets of types, seen from the first vertex, each set as often: then so are
 * they seen from the second one. */
#include "verify/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/symmetry.h"
#include "verify/typed_fit.h"

#include <string.h>

/* The sets of types that edges accept, seen from one end. */
typedef struct bundle {
  uint32_t i, j; /* from i to j; equal: self-loops */
  uint32_t edges;
  const uint64_t *const *seen; /* [edges] */
} bundle;

typedef struct draft {
  const ms_typed_query *query;
  size_t arc_bytes, vertex_bytes; /* of a set of types */
  ms_typed_pairs pairs;
  uint32_t bundles;
  bundle bundle[2 * MS_MAX_TYPED_EDGES]; /* [bundles] */
  ms_kinds kinds;
} draft;

static size_t bytes_of(const ms_names *types)
{
  return ((size_t)ms_names_count(types) + 63) / 64 * sizeof(uint64_t);
}

/* How often the set is in the bundle. */
static uint32_t count_equal(const draft *d, const bundle *b, const uint64_t *set)
{
  uint32_t count = 0;
  for (uint32_t e = 0; e < b->edges; e++) {
    count += memcmp(b->seen[e], set, d->arc_bytes) == 0;
  }
  return count;
}

static bool same_bundles(const draft *d, const bundle *a, const bundle *b)
{
  if (a->edges != b->edges) {
    return false;
  }
  for (uint32_t e = 0; e < a->edges; e++) {
    if (count_equal(d, a, a->seen[e]) != count_equal(d, b, a->seen[e])) {
      return false;
    }
  }
  return true;
}

static void list_bundles(draft *d)
{
  for (uint32_t p = 0; p < d->pairs.count; p++) {
    const ms_typed_pair *pair = &d->pairs.pair[p];
    uint32_t edges = pair->end - pair->begin;
    d->bundle[d->bundles++] =
        (bundle){pair->first, pair->second, edges, d->pairs.seen[0] + pair->begin};
    if (pair->first != pair->second) {
      d->bundle[d->bundles++] =
          (bundle){pair->second, pair->first, edges, d->pairs.seen[1] + pair->begin};
    }
  }
}

/* The number, from 1, of the first bundle that is like bundle b. */
static uint16_t kind_of(const draft *d, uint32_t b)
{
  uint32_t like = 0;
  while (!same_bundles(d, &d->bundle[like], &d->bundle[b])) {
    like++;
  }
  return (uint16_t)(like + 1);
}

static void fill_kinds(draft *d)
{
  const ms_typed_query *query = d->query;
  uint16_t loops[MS_MAX_PATTERN] = {0}; /* [n] kind of the self-loops */
  d->kinds.n = query->n;
  for (uint32_t b = 0; b < d->bundles; b++) {
    uint32_t i = d->bundle[b].i, j = d->bundle[b].j;
    *(i == j ? &loops[i] : &d->kinds.pair[i][j]) = kind_of(d, b);
  }
  for (uint32_t i = 0; i < query->n; i++) {
    uint32_t like = 0;
    while (loops[like] != loops[i] ||
           memcmp(query->vertex_types[like], query->vertex_types[i], d->vertex_bytes) != 0) {
      like++;
    }
    d->kinds.vertex[i] = (uint16_t)like;
  }
}

ms_status ms_typed_orbits(const ms_typed_query *query, uint64_t *orbit, const ms_stop *stop,
                          ms_error *err)
{
  draft *d = ms_calloc(1, sizeof *d);
  if (!d) {
    return ms_fail_memory(err, "the symmetry of a typed pattern");
  }
  d->query = query;
  d->arc_bytes = bytes_of(query->graph->arc_types);
  d->vertex_bytes = bytes_of(query->graph->vertex_types);
  ms_typed_list_pairs(query, &d->pairs);
  list_bundles(d);
  fill_kinds(d);
  ms_status status = ms_kinds_orbits(&d->kinds, orbit, stop, err);
  ms_free(d);
  return status;
}

ms_status ms_typed_automorphisms(const ms_typed_query *query, mpz_t order, const ms_stop *stop,
                                 ms_error *err)
{
  uint64_t orbit[MS_MAX_PATTERN];
  mpz_set_ui(order, 0);
  ms_status status = ms_typed_orbits(query, orbit, stop, err);
  if (status == MS_OK) {
    ms_orbits_order(orbit, query->n, order);
  }
  return status;
}
