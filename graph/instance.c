/* Instances: from a query, induced, components. */
#include "graph/instance.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/components.h"

#include <string.h>

void ms_instance_free(ms_instance *instance)
{
  if (!instance)
    return;
  ms_free(instance->offset);
  ms_free(instance->neighbor);
  ms_free(instance->vertex);
  ms_free(instance->mask);
  ms_free(instance);
}

/* Arrays for n vertices and `arcs` arcs; offset is zeroed. */
static ms_status new_instance(uint32_t n, uint64_t arcs, uint32_t k, ms_instance **out,
                              ms_error *err)
{
  *out = NULL;
  ms_instance *instance = ms_calloc(1, sizeof *instance);
  if (!instance)
    return ms_fail_memory(err, "an instance");
  instance->n = n;
  instance->arcs = arcs;
  instance->k = k;
  instance->offset = ms_calloc((size_t)n + 1, sizeof *instance->offset);
  instance->neighbor = ms_alloc(arcs, sizeof *instance->neighbor);
  instance->vertex = ms_alloc(n, sizeof *instance->vertex);
  instance->mask = ms_alloc(n, sizeof *instance->mask);
  if (!instance->offset || !instance->neighbor || !instance->vertex || !instance->mask) {
    ms_instance_free(instance);
    return ms_fail_memory(err, "an instance");
  }
  *out = instance;
  return MS_OK;
}

static void make_impossible(ms_instance *instance)
{
  instance->n = 0;
  instance->arcs = 0;
  instance->n_loose = 0;
  instance->offset[0] = 0;
  instance->impossible = true;
}

/* ---- from a query ------------------------------------------------------ */

/* out[c] = the slots of class c. */
static void class_slots(const ms_motif *motif, uint32_t *out)
{
  uint32_t slot = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    out[c] = 0;
    for (uint32_t i = 0; i < motif->class_[c].count; i++)
      out[c] |= 1u << slot++;
  }
}

static void set_masks(const ms_query *query, const uint32_t *slots, uint32_t *mask)
{
  const ms_motif *motif = query->motif;
  uint32_t any = 0;
  if (motif->class_[motif->n_classes - 1].color == MS_WILDCARD)
    any = slots[motif->n_classes - 1];
  for (uint32_t v = 0; v < query->graph->n; v++) {
    uint32_t count;
    const uint32_t *colors = ms_coloring_of(query->coloring, v, &count);
    mask[v] = any;
    /* both lists ascend by colour id */
    for (uint32_t i = 0, c = 0; i < count && c < motif->n_classes;)
      if (colors[i] < motif->class_[c].color)
        i++;
      else if (colors[i] > motif->class_[c].color)
        c++;
      else
        mask[v] |= slots[c++];
  }
}

/* The one class of slots that mask meets, or n_classes. */
static uint32_t only_class(const uint32_t *slots, uint32_t n_classes, uint32_t mask)
{
  for (uint32_t c = 0; c < n_classes; c++)
    if (mask & slots[c])
      return (mask & ~slots[c]) == 0 ? c : n_classes;
  return n_classes;
}

static void pin(ms_instance *instance, uint32_t v)
{
  uint32_t own = instance->mask[v] & (0u - instance->mask[v]);
  for (uint32_t u = 0; u < instance->n; u++)
    instance->mask[u] &= ~own;
  instance->mask[v] = own;
}

/* Pin required vertices that fit one class only; each pin may leave another
 * vertex with one class, so go round until none is left.  False if a required
 * vertex is left without a slot. */
static bool pin_required(const ms_query *query, const uint32_t *slots, ms_instance *instance)
{
  bool pinned[MS_MAX_K] = {false}, changed = true;
  while (changed) {
    changed = false;
    for (uint32_t r = 0; r < query->n_required; r++) {
      uint32_t mask = instance->mask[query->required[r]];
      if (mask == 0)
        return false;
      if (pinned[r] || only_class(slots, query->motif->n_classes, mask) == query->motif->n_classes)
        continue;
      pin(instance, query->required[r]);
      pinned[r] = changed = true;
    }
  }
  for (uint32_t r = 0; r < query->n_required; r++)
    if (!pinned[r])
      instance->loose[instance->n_loose++] = query->required[r];
  return true;
}

ms_status ms_instance_new(const ms_query *query, ms_instance **out, ms_error *err)
{
  const ms_graph *graph = query->graph;
  uint32_t slots[MS_MAX_K];
  ms_status status = new_instance(graph->n, graph->arcs, query->motif->k, out, err);
  if (status != MS_OK)
    return status;
  ms_instance *instance = *out;
  memcpy(instance->offset, graph->offset, ((size_t)graph->n + 1) * sizeof *graph->offset);
  memcpy(instance->neighbor, graph->neighbor, graph->arcs * sizeof *graph->neighbor);
  for (uint32_t v = 0; v < graph->n; v++)
    instance->vertex[v] = v;
  class_slots(query->motif, slots);
  set_masks(query, slots, instance->mask);
  if (!pin_required(query, slots, instance) || graph->n == 0)
    make_impossible(instance);
  return MS_OK;
}

/* ---- induced ----------------------------------------------------------- */

/* new_id[v] = place of v among the kept, or UINT32_MAX; returns their number. */
static uint32_t renumber(const ms_instance *instance, const uint8_t *keep, uint32_t *new_id)
{
  uint32_t kept = 0;
  for (uint32_t v = 0; v < instance->n; v++)
    new_id[v] = keep[v] ? kept++ : UINT32_MAX;
  return kept;
}

/* Visit the arcs that stay: both ends are kept and, where `thin` is set, the
 * two ends together fit more than one slot.  to NULL: only count. */
static uint64_t copy_arcs(const ms_instance *instance, const uint32_t *new_id, bool thin,
                          ms_instance *to)
{
  uint64_t arcs = 0;
  for (uint32_t u = 0; u < instance->n; u++) {
    if (new_id[u] == UINT32_MAX)
      continue;
    for (uint64_t a = instance->offset[u]; a < instance->offset[u + 1]; a++) {
      uint32_t v = instance->neighbor[a], both = instance->mask[u] | instance->mask[v];
      if (new_id[v] == UINT32_MAX || (thin && (both & (both - 1)) == 0))
        continue;
      if (to)
        to->neighbor[arcs] = new_id[v];
      arcs++;
    }
    if (to)
      to->offset[new_id[u] + 1] = arcs;
  }
  return arcs;
}

static void copy_vertices(const ms_instance *instance, const uint32_t *new_id, ms_instance *to)
{
  for (uint32_t v = 0; v < instance->n; v++)
    if (new_id[v] != UINT32_MAX) {
      to->vertex[new_id[v]] = instance->vertex[v];
      to->mask[new_id[v]] = instance->mask[v];
    }
  for (uint32_t i = 0; i < instance->n_loose; i++) {
    uint32_t v = new_id[instance->loose[i]];
    if (v == UINT32_MAX) {
      make_impossible(to);
      return;
    }
    to->loose[to->n_loose++] = v;
  }
  if (to->n == 0)
    make_impossible(to);
}

ms_status ms_instance_extract(const ms_instance *instance, const uint8_t *keep, bool thin,
                              ms_instance **out, ms_error *err)
{
  *out = NULL;
  uint32_t *new_id = ms_alloc(instance->n, sizeof *new_id);
  if (!new_id)
    return ms_fail_memory(err, "an induced subgraph");
  uint32_t kept = renumber(instance, keep, new_id);
  ms_status status =
      new_instance(kept, copy_arcs(instance, new_id, thin, NULL), instance->k, out, err);
  if (status == MS_OK) {
    copy_arcs(instance, new_id, thin, *out);
    copy_vertices(instance, new_id, *out);
  }
  ms_free(new_id);
  return status;
}

ms_status ms_instance_induced(const ms_instance *instance, const uint8_t *keep, ms_instance **out,
                              ms_error *err)
{
  return ms_instance_extract(instance, keep, false, out, err);
}

/* ---- components -------------------------------------------------------- */

ms_status ms_instance_components(const ms_instance *instance, uint32_t *component, uint32_t *count,
                                 ms_error *err)
{
  return ms_components(instance->n, instance->offset, instance->neighbor, component, count, err);
}
