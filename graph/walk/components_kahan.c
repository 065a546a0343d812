/* Connected components after Kahan, in three steps: searches from many vertices
 * at a time; the components of the graph of searches that met; each vertex gets
 * what its search got.
 *
 * component[] is a forest from the start: a vertex that a search reaches becomes
 * a child of where the search started.  The second step joins starts, the third
 * one brings each vertex right below its root. */
#include "graph/walk/components_inner.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"

/* Searches that met: pairs of starts, low << 32 | high, in a hash table of fixed size; 0 is an
 * empty slot, and no pair, as high > low.  The table exists because two searches meet at many arcs.
 * A pair for which there is no room within PROBES slots is joined at once: this is right at any
 * time, but costs more than a look-up. */
enum { SLOT_BITS = 16, SLOTS = 1 << SLOT_BITS, PROBES = 8 };

typedef struct searches {
  uint32_t *start; /* [n] where the search started that reached v */
  uint64_t *pairs; /* [SLOTS] */
} searches;

static uint32_t start_of(const searches *s, uint32_t v)
{
  return ms_forest_parent(s->start, v);
}

/* Replaces the test whether w was visited: one load shows this and which search was there. */
static bool reach(void *state, uint32_t v, uint32_t w, uint64_t arc)
{
  const searches *s = state;
  uint32_t unseen = MS_COMPONENT_UNSEEN;
  (void)arc;
  return start_of(s, w) == MS_COMPONENT_UNSEEN &&
         __atomic_compare_exchange_n(s->start + w, &unseen, start_of(s, v), false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

MS_ALWAYS_INLINE void note_pair(const searches *s, uint32_t low, uint32_t high)
{
  uint64_t pair = (uint64_t)low << 32 | high;
  uint32_t home = (uint32_t)(pair * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
  for (uint32_t i = 0; i < PROBES; i++) {
    uint64_t *slot = s->pairs + ((home + i) & (SLOTS - 1));
    uint64_t there = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (there == 0 &&
        __atomic_compare_exchange_n(slot, &there, pair, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
    if (there == pair)
      return;
  }
  ms_forest_join(s->start, low, high);
}

MS_ALWAYS_INLINE void meet(void *state, uint32_t v, uint32_t w, uint64_t arc)
{
  const searches *s = state;
  uint32_t a = start_of(s, v), b = start_of(s, w);
  (void)arc;
  if (a != b)
    note_pair(s, a < b ? a : b, a < b ? b : a);
}

/* REPLACE: the test also decides whether w was visited. */
static const ms_visitor visitor = {
    .rule = MS_VISIT_REPLACE, .visit_test = reach, .other_edge = meet};

static void visit(ms_traversal *t, void *user, int thread, int threads)
{
  ms_traverse_round(t, &visitor, user, thread, threads);
}

static void join_pairs(void *user, ms_range r)
{
  const searches *s = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    if (s->pairs[i])
      ms_forest_join(s->start, (uint32_t)(s->pairs[i] >> 32), (uint32_t)s->pairs[i]);
}

ms_status ms_components_kahan(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                              int threads, uint32_t *component, ms_error *err)
{
  searches s = {.start = component, .pairs = ms_calloc(SLOTS, sizeof *s.pairs)};
  ms_status status = s.pairs ? MS_OK : ms_fail_memory(err, "components");
  if (status == MS_OK)
    status = ms_components_search(n, offset, neighbor, threads, component, visit, &s, err);
  if (status == MS_OK) {
    ms_parallel(threads, SLOTS, 0, join_pairs, &s);
    ms_forest_flatten(n, component, threads);
  }
  ms_free(s.pairs);
  return status;
}
