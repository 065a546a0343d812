/* The exact reductions before the sieve.  Let S be a match: k vertices,
 * connected, paired off with the k slots, holding every loose required vertex.
 *
 *  no slot         Every vertex of S takes a slot, so one with an empty mask
 *                  is in no S.
 *  one slot        Two vertices of S take different slots, so an edge whose
 *                  ends together fit a single slot has not both ends in any S:
 *                  S stays connected without it, and a set is no more or less
 *                  a match for it.
 *  poor component  S is connected, so it lies in one component, which then
 *                  fills the k slots and holds every loose required vertex.  A
 *                  component that cannot has no S.  (A pinned vertex alone
 *                  holds its private slot, so the slot test covers it.)
 *  too far         A spanning tree of S has k-1 edges, so any two vertices of S
 *                  are at most k-1 hops apart in what is left of the graph.
 *                  S holds a vertex of every slot and every loose required
 *                  vertex, so one farther than k-1 hops from all holders of a
 *                  slot, or from such a vertex, is in no S.
 *
 * Only vertices in no match are dropped, and edges that join no two vertices
 * of one match; so every match stays a match, and as vertices and edges are
 * only taken away, no new one appears.  Repeated to the fixed point; a round is
 * O(k (n + m)), and rounds are few (each answers a drop of the one before). */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/instance.h"

#include <string.h>

/* The work graph: that of `instance`, thinned by the two rules on slots.  A
 * vertex is dropped by clearing its mask. */
typedef struct pruning {
  const ms_instance *instance;
  uint32_t *mask;  /* [n] 0: dropped */
  uint32_t *queue; /* [n] of breadth-first searches */
  uint8_t *seen;   /* [n] */
  uint32_t *reach; /* [n] slots with a holder near by */
  ms_prune_stats stats;
} pruning;

static void close_pruning(pruning *p)
{
  ms_free(p->mask);
  ms_free(p->queue);
  ms_free(p->seen);
  ms_free(p->reach);
}

static bool one_slot(uint32_t mask)
{
  return (mask & (mask - 1)) == 0;
}

static void count_easy_drops(pruning *p)
{
  const ms_instance *instance = p->instance;
  for (uint32_t u = 0; u < instance->n; u++) {
    if (p->mask[u] == 0) {
      p->stats.no_slot++;
      continue;
    }
    for (uint64_t a = instance->offset[u]; a < instance->offset[u + 1]; a++) {
      uint32_t v = instance->neighbor[a];
      p->stats.edges_one_slot += u < v && p->mask[v] != 0 && one_slot(p->mask[u] | p->mask[v]);
    }
  }
}

static ms_status open_pruning(const ms_instance *instance, pruning *p, ms_error *err)
{
  *p = (pruning){.instance = instance};
  p->mask = ms_alloc(instance->n, sizeof *p->mask);
  p->queue = ms_alloc(instance->n, sizeof *p->queue);
  p->seen = ms_alloc(instance->n, sizeof *p->seen);
  p->reach = ms_alloc(instance->n, sizeof *p->reach);
  if (!p->mask || !p->queue || !p->seen || !p->reach)
    return ms_fail_memory(err, "pruning");
  memcpy(p->mask, instance->mask, instance->n * sizeof *p->mask);
  count_easy_drops(p);
  return MS_OK;
}

/* Extend the breadth-first search in queue[head..tail) by one vertex; returns
 * the new tail. */
static uint32_t expand(pruning *p, uint32_t head, uint32_t tail)
{
  const ms_instance *instance = p->instance;
  uint32_t u = p->queue[head];
  for (uint64_t a = instance->offset[u]; a < instance->offset[u + 1]; a++) {
    uint32_t v = instance->neighbor[a];
    if (p->mask[v] == 0 || p->seen[v] || one_slot(p->mask[u] | p->mask[v]))
      continue;
    p->seen[v] = 1;
    p->queue[tail++] = v;
  }
  return tail;
}

/* Drop queue[0..count). */
static uint32_t drop(pruning *p, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    p->mask[p->queue[i]] = 0;
  return count;
}

/* How many loose required vertices the searches since the last clearing of
 * `seen` have met. */
static uint32_t loose_seen(const pruning *p)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < p->instance->n_loose; i++)
    found += p->seen[p->instance->loose[i]];
  return found;
}

/* Returns how many vertices were dropped. */
static uint32_t drop_poor_components(pruning *p)
{
  const ms_instance *instance = p->instance;
  uint32_t dropped = 0, loose_before = 0;
  p->stats.components = 0;
  memset(p->seen, 0, instance->n);
  for (uint32_t v = 0; v < instance->n; v++) {
    if (p->mask[v] == 0 || p->seen[v])
      continue;
    uint32_t head = 0, tail = 0;
    p->seen[v] = 1;
    p->queue[tail++] = v;
    while (head < tail)
      tail = expand(p, head++, tail);
    uint32_t loose = loose_seen(p);
    if (tail >= instance->k && loose - loose_before == instance->n_loose &&
        ms_slots_can_be_filled(instance->k, p->mask, p->queue, tail))
      p->stats.components++;
    else
      dropped += drop(p, tail);
    loose_before = loose;
  }
  p->stats.poor_component += dropped;
  return dropped;
}

/* Drop what the search from queue[0..tail), all seen, does not reach within
 * k-1 hops. */
static uint32_t drop_unreached(pruning *p, uint32_t tail)
{
  uint32_t head = 0, dropped = 0;
  for (uint32_t hop = 1; hop < p->instance->k && head < tail; hop++)
    for (uint32_t level_end = tail; head < level_end; head++)
      tail = expand(p, head, tail);
  for (uint32_t v = 0; v < p->instance->n; v++)
    if (p->mask[v] != 0 && !p->seen[v]) {
      p->mask[v] = 0;
      dropped++;
    }
  return dropped;
}

/* One hop for all slots at once: next[v] = the slots within reach of v or of a
 * neighbour.  Vertices that reach every slot (soon most) are done.  Returns
 * whether anything changed. */
static bool spread_reach(const pruning *p, uint32_t all, uint32_t *next)
{
  const ms_instance *instance = p->instance;
  bool changed = false;
  for (uint32_t v = 0; v < instance->n; v++) {
    uint32_t reach = p->reach[v];
    for (uint64_t a = instance->offset[v]; a < instance->offset[v + 1] && reach != all; a++) {
      uint32_t u = instance->neighbor[a];
      if (p->mask[u] != 0 && !one_slot(p->mask[u] | p->mask[v]))
        reach |= p->reach[u];
    }
    changed |= reach != p->reach[v];
    next[v] = reach;
  }
  return changed;
}

static uint32_t drop_far_from_slots(pruning *p)
{
  uint32_t n = p->instance->n, k = p->instance->k, dropped = 0;
  uint32_t all = k == 32 ? UINT32_MAX : (1u << k) - 1;
  /* a dropped vertex reaches everything: it needs no more work */
  for (uint32_t v = 0; v < n; v++)
    p->reach[v] = p->mask[v] ? p->mask[v] : all;
  for (uint32_t hop = 1; hop < k && spread_reach(p, all, p->queue); hop++) {
    uint32_t *next = p->queue;
    p->queue = p->reach;
    p->reach = next;
  }
  for (uint32_t v = 0; v < n; v++)
    if (p->reach[v] != all) {
      p->mask[v] = 0;
      dropped++;
    }
  return dropped;
}

static uint32_t drop_far_from_vertex(pruning *p, uint32_t v)
{
  if (p->mask[v] == 0)
    return 0; /* its component rule comes next round and drops everything */
  memset(p->seen, 0, p->instance->n);
  p->seen[v] = 1;
  p->queue[0] = v;
  return drop_unreached(p, 1);
}

static uint32_t drop_too_far(pruning *p)
{
  uint32_t dropped = drop_far_from_slots(p);
  for (uint32_t i = 0; i < p->instance->n_loose; i++)
    dropped += drop_far_from_vertex(p, p->instance->loose[i]);
  p->stats.too_far += dropped;
  return dropped;
}

ms_status ms_instance_prune(const ms_instance *instance, ms_instance **out, ms_prune_stats *stats,
                            ms_error *err)
{
  pruning p;
  uint32_t far;
  *out = NULL;
  ms_status status = open_pruning(instance, &p, err);
  if (status == MS_OK) {
    /* a round without far vertices leaves the components as they are */
    do {
      p.stats.rounds++;
      drop_poor_components(&p);
      far = drop_too_far(&p);
    } while (far > 0);
    for (uint32_t v = 0; v < instance->n; v++)
      p.seen[v] = p.mask[v] != 0;
    status = ms_instance_extract(instance, p.seen, true, out, err);
  }
  if (status == MS_OK && stats)
    *stats = p.stats;
  close_pruning(&p);
  return status;
}
