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
#include "query/query.h"
#include "verify/recount.h"

#include <string.h>

enum { NOT_SEEN = 255 }; /* more than any number of hops, which is at most MS_MAX_K */

typedef struct reach {
  const ms_query *query;
  const ms_stop *stop;
  uint32_t *slots; /* [n] 0: dropped */
  uint32_t *queue; /* [n] */
  uint8_t *hops;   /* [n] */
} reach;

/* Drops every vertex that is more than k-1 hops from all of queue[0..tail); true if it dropped
 * one. */
static bool drop_far(reach *r, uint32_t tail)
{
  uint32_t n = ms_graph_vertex_count(r->query->graph), k = r->query->motif->k;
  bool dropped = false;
  memset(r->hops, NOT_SEEN, n);
  for (uint32_t i = 0; i < tail; i++)
    r->hops[r->queue[i]] = 0;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t degree, v = r->queue[head];
    const uint32_t *row = ms_graph_neighbors(r->query->graph, v, &degree);
    for (uint32_t i = 0; i < degree && r->hops[v] + 1u < k; i++)
      if (r->slots[row[i]] && r->hops[row[i]] == NOT_SEEN) {
        r->hops[row[i]] = (uint8_t)(r->hops[v] + 1);
        r->queue[tail++] = row[i];
      }
  }
  for (uint32_t v = 0; v < n; v++)
    if (r->slots[v] && r->hops[v] == NOT_SEEN) {
      r->slots[v] = 0;
      dropped = true;
    }
  return dropped;
}

/* Runs one round over all slots and required vertices; true if it dropped a vertex. */
static bool drop_round(reach *r)
{
  uint32_t n = ms_graph_vertex_count(r->query->graph), k = r->query->motif->k;
  bool dropped = false;
  for (uint32_t d = 0; d < k; d++) {
    uint32_t holders = 0;
    if (ms_stop_check(r->stop) != MS_OK)
      return false;
    for (uint32_t v = 0; v < n; v++)
      if (r->slots[v] >> d & 1)
        r->queue[holders++] = v;
    dropped = drop_far(r, holders) || dropped;
  }
  for (uint32_t i = 0; i < r->query->n_required; i++) {
    r->queue[0] = r->query->required[i];
    dropped = drop_far(r, r->slots[r->queue[0]] != 0) || dropped;
  }
  return dropped;
}

ms_status ms_recount_narrow(const ms_query *query, uint32_t *slots, const ms_stop *stop,
                            ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(query->graph);
  ms_status status = MS_OK;
  reach r = {query, stop, slots, ms_alloc(n, sizeof *r.queue), ms_alloc(n, 1)};
  if (!r.queue || !r.hops)
    status = ms_fail_memory(err, "the recount");
  while (status == MS_OK && drop_round(&r)) {
  }
  ms_free(r.queue);
  ms_free(r.hops);
  return status;
}
