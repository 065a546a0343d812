/* Finds the vertices that might be in a match, so that the recount skips the parts of a network
 * that cannot hold one.
 *
 * Why it is exact.  Every vertex of a match has a slot, so a match lies in the graph of vertices
 * with a slot.  A match is connected and has k vertices, so between any two of them there is a path
 * of at most k-1 edges inside the match.  A match holds a vertex for every slot and every required
 * vertex, so each of its vertices has all of these within k-1 hops in the graph of vertices not yet
 * dropped.  Dropping a vertex that lacks one drops no vertex of a match, and may put others out of
 * reach, so the filter repeats.  (In this way a component that lacks a colour drops out as a
 * whole.) */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "query/query.h"
#include "verify/recount.h"

#include <string.h>

enum { FAR = 255 }; /* more than any number of hops, which is at most MS_MAX_K */

#define PHASE_ROWS 256u /* vertices between two checks of the stop token */

/* The distances are kept while vertices drop out.  They can only grow, so a vertex is looked at
 * again only when a neighbour on a shortest path has moved away or has dropped out (as in the
 * decremental search of Even and Shiloach, "An on-line edge-deletion problem", 1981).  While a
 * distance may be too small, it is never too large; once no vertex is left to look at, all are
 * right. */
typedef struct reach {
  const ms_query *query;
  const ms_stop *stop;
  uint32_t *slots;  /* [n] 0: dropped */
  uint32_t targets; /* the slots, and then the required vertices */
  uint8_t *hops;    /* [n][targets] hops to the nearest vertex of the target; FAR: k or more */
  uint32_t *queue;  /* [n] a ring of vertices to look at again */
  uint8_t *queued;  /* [n] */
  uint32_t head, waiting;
} reach;

static void enqueue(reach *r, uint32_t v)
{
  uint32_t n = ms_graph_vertex_count(r->query->graph);
  if (r->queued[v])
    return;
  r->queued[v] = 1;
  uint64_t at = (uint64_t)r->head + r->waiting++;
  r->queue[at < n ? at : at - n] = v;
}

static uint32_t dequeue(reach *r)
{
  uint32_t n = ms_graph_vertex_count(r->query->graph), v = r->queue[r->head];
  r->head = r->head + 1 < n ? r->head + 1 : 0;
  r->waiting--;
  r->queued[v] = 0;
  return v;
}

/* True if v itself is of the target. */
static bool is_target(const reach *r, uint32_t v, uint32_t target)
{
  uint32_t k = r->query->motif->k;
  return target < k ? r->slots[v] >> target & 1 : r->query->required[target - k] == v;
}

/* Fills hops[..][target] by a breadth-first search. */
static ms_status search_from(reach *r, uint32_t target)
{
  uint32_t n = ms_graph_vertex_count(r->query->graph), k = r->query->motif->k, tail = 0;
  for (uint32_t v = 0; v < n; v++) {
    bool is_source = r->slots[v] && is_target(r, v, target);
    r->hops[(size_t)v * r->targets + target] = is_source ? 0 : FAR;
    if (is_source)
      r->queue[tail++] = v;
  }
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t degree, v = r->queue[head], next = r->hops[(size_t)v * r->targets + target] + 1u;
    const uint32_t *row = ms_graph_neighbors(r->query->graph, v, &degree);
    if (head % PHASE_ROWS == 0)
      MS_TRY(ms_stop_check(r->stop));
    for (uint32_t i = 0; i < degree && next < k; i++) {
      uint8_t *hops = r->hops + (size_t)row[i] * r->targets + target;
      if (r->slots[row[i]] && *hops == FAR) {
        *hops = (uint8_t)next;
        r->queue[tail++] = row[i];
      }
    }
  }
  return MS_OK;
}

/* Looks at the neighbours of v again: brings its distances up to date, drops it if a target is too
 * far, and enqueues the neighbours whose shortest paths may have led through it. */
static void look_again(reach *r, uint32_t v)
{
  uint32_t degree, k = r->query->motif->k;
  const uint32_t *row = ms_graph_neighbors(r->query->graph, v, &degree);
  uint8_t least[MS_MAX_TARGETS], *mine = r->hops + (size_t)v * r->targets, before[MS_MAX_TARGETS];
  bool is_far = false, moved = false;
  memset(least, FAR, r->targets);
  memcpy(before, mine, r->targets);
  for (uint32_t i = 0; i < degree; i++)
    if (r->slots[row[i]]) {
      const uint8_t *hops = r->hops + (size_t)row[i] * r->targets;
      for (uint32_t t = 0; t < r->targets; t++)
        least[t] = hops[t] < least[t] ? hops[t] : least[t];
    }
  for (uint32_t t = 0; t < r->targets; t++) {
    if (mine[t] > 0 && (least[t] == FAR || least[t] + 1u > mine[t]))
      mine[t] = least[t] == FAR || least[t] + 1u >= k ? FAR : (uint8_t)(least[t] + 1);
    moved |= mine[t] != before[t];
    is_far |= mine[t] == FAR;
  }
  if (is_far)
    r->slots[v] = 0;
  for (uint32_t i = 0; (moved || is_far) && i < degree; i++) {
    const uint8_t *hops = r->hops + (size_t)row[i] * r->targets;
    bool depends = false;
    for (uint32_t t = 0; t < r->targets && !depends; t++)
      depends = (is_far || mine[t] != before[t]) && hops[t] == before[t] + 1u;
    if (depends && r->slots[row[i]])
      enqueue(r, row[i]);
  }
}

static ms_status narrow(reach *r)
{
  uint32_t n = ms_graph_vertex_count(r->query->graph);
  for (uint32_t t = 0; t < r->targets; t++)
    MS_TRY(search_from(r, t));
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t t = 0; t < r->targets && r->slots[v] && !r->queued[v]; t++)
      if (r->hops[(size_t)v * r->targets + t] == FAR)
        enqueue(r, v);
  for (uint64_t step = 0; r->waiting > 0; step++) {
    if (step % PHASE_ROWS == 0)
      MS_TRY(ms_stop_check(r->stop));
    uint32_t v = dequeue(r);
    if (r->slots[v])
      look_again(r, v);
  }
  return MS_OK;
}

ms_status ms_recount_narrow(const ms_query *query, uint32_t *slots, const ms_stop *stop,
                            ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(query->graph), targets = query->motif->k + query->n_required;
  ms_status status = MS_OK;
  reach r = {.query = query,
             .stop = stop,
             .slots = slots,
             .targets = targets,
             .hops = ms_alloc(n, targets),
             .queue = ms_alloc(n, sizeof *r.queue),
             .queued = ms_calloc(n, 1)};
  if (!r.hops || !r.queue || !r.queued)
    status = ms_fail_memory(err, "the recount");
  else
    (void)narrow(&r); /* after a stop, a later search ends at once */
  ms_free(r.hops);
  ms_free(r.queue);
  ms_free(r.queued);
  return status;
}
