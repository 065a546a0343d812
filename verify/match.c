#include "verify/fit.h"
#include "verify/verify.h"

const char *ms_verdict_text(ms_verdict verdict)
{
  switch (verdict) {
  case MS_MATCH_OK:
    return "is a match";
  case MS_MATCH_REPEATS_VERTEX:
    return "repeats a vertex";
  case MS_MATCH_OUT_OF_RANGE:
    return "holds a vertex that is not in the graph";
  case MS_MATCH_NOT_CONNECTED:
    return "is not connected";
  case MS_MATCH_COLORS_DO_NOT_FIT:
    return "does not fit the motif's colours";
  case MS_MATCH_LACKS_REQUIRED:
    return "lacks a required vertex";
  }
  return "has an unknown verdict";
}

static bool are_adjacent(const ms_graph *graph, uint32_t u, uint32_t v)
{
  uint32_t degree, low = 0;
  const uint32_t *row = ms_graph_neighbors(graph, u, &degree);
  uint32_t high = degree;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (row[middle] < v) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < degree && row[low] == v;
}

static bool is_connected(const ms_graph *graph, const uint32_t *set, uint32_t k)
{
  uint32_t queue[MS_MAX_K] = {0}, tail = 1; /* positions in the set */
  bool seen[MS_MAX_K] = {true};
  for (uint32_t head = 0; head < tail; head++) {
    for (uint32_t i = 0; i < k; i++) {
      if (!seen[i] && are_adjacent(graph, set[queue[head]], set[i])) {
        seen[i] = true;
        queue[tail++] = i;
      }
    }
  }
  return tail == k;
}

static bool contains(const uint32_t *set, uint32_t k, uint32_t v)
{
  for (uint32_t i = 0; i < k; i++) {
    if (set[i] == v) {
      return true;
    }
  }
  return false;
}

ms_verdict ms_verify_match(const ms_query *query, const uint32_t *set)
{
  uint32_t k = query->motif->k, slots[MS_MAX_K];
  for (uint32_t i = 0; i < k; i++) {
    if (set[i] >= ms_graph_vertex_count(query->graph)) {
      return MS_MATCH_OUT_OF_RANGE;
    }
    if (contains(set, i, set[i])) {
      return MS_MATCH_REPEATS_VERTEX;
    }
  }
  if (!is_connected(query->graph, set, k)) {
    return MS_MATCH_NOT_CONNECTED;
  }
  for (uint32_t i = 0; i < k; i++) {
    slots[i] = ms_verify_slots(query, set[i]);
  }
  if (!ms_verify_fit(slots, k)) {
    return MS_MATCH_COLORS_DO_NOT_FIT;
  }
  for (uint32_t i = 0; i < query->n_required; i++) {
    if (!contains(set, k, query->required[i])) {
      return MS_MATCH_LACKS_REQUIRED;
    }
  }
  return MS_MATCH_OK;
}
