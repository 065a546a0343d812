/* Makes and copies instances, makes them from a query, and finds their
 * components. */
#include "motif/instance.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "graph/walk/components.h"

#include <string.h>

void ms_instance_free(ms_instance *instance)
{
  if (!instance)
    return;
  if (!instance->borrows) {
    ms_free(instance->offset);
    ms_free(instance->neighbor);
  }
  ms_free(instance->vertex);
  ms_free(instance->mask);
  ms_free(instance);
}

/* Allocates an instance without rows. */
static ms_status alloc_vertices(uint32_t n, uint64_t arcs, uint32_t k, ms_instance **out,
                                ms_error *err)
{
  *out = NULL;
  ms_instance *instance = ms_calloc(1, sizeof *instance);
  if (!instance)
    return ms_fail_memory(err, "an instance");
  instance->n = n;
  instance->arcs = arcs;
  instance->k = instance->size = k;
  instance->vertex = ms_alloc_lines(n, sizeof *instance->vertex);
  instance->mask = ms_alloc_lines(n, sizeof *instance->mask);
  if (!instance->vertex || !instance->mask) {
    ms_instance_free(instance);
    return ms_fail_memory(err, "an instance");
  }
  *out = instance;
  return MS_OK;
}

ms_status ms_instance_alloc(uint32_t n, uint64_t arcs, uint32_t k, ms_instance **out, ms_error *err)
{
  MS_TRY(alloc_vertices(n, arcs, k, out, err));
  ms_instance *instance = *out;
  instance->offset = ms_alloc_lines((size_t)n + 1, sizeof *instance->offset);
  instance->neighbor = ms_alloc_lines(arcs, sizeof *instance->neighbor);
  if (instance->offset && instance->neighbor)
    return MS_OK;
  ms_instance_free(instance);
  *out = NULL;
  return ms_fail_memory(err, "an instance");
}

void ms_instance_make_impossible(ms_instance *instance)
{
  instance->n = 0;
  instance->arcs = 0;
  instance->n_loose = 0;
  /* a borrowed offset belongs to the graph, and its first entry is 0 already */
  if (!instance->borrows)
    instance->offset[0] = 0;
  instance->impossible = true;
}

ms_status ms_instance_copy(const ms_instance *instance, ms_instance **out, ms_error *err)
{
  MS_TRY(instance->borrows ? alloc_vertices(instance->n, instance->arcs, instance->k, out, err)
                           : ms_instance_alloc(instance->n, instance->arcs, instance->k, out, err));
  ms_instance *copy = *out;
  ms_instance own = *copy;
  *copy = *instance;
  copy->vertex = own.vertex;
  copy->mask = own.mask;
  memcpy(copy->vertex, instance->vertex, instance->n * sizeof *copy->vertex);
  memcpy(copy->mask, instance->mask, instance->n * sizeof *copy->mask);
  if (!instance->borrows) {
    copy->offset = own.offset;
    copy->neighbor = own.neighbor;
    memcpy(copy->offset, instance->offset, ((size_t)instance->n + 1) * sizeof *copy->offset);
    memcpy(copy->neighbor, instance->neighbor, instance->arcs * sizeof *copy->neighbor);
  }
  return MS_OK;
}

/* ---- from a query ------------------------------------------------------ */

/* Sets out[c] to the slots of class c. */
static void class_slots(const ms_motif *motif, uint32_t *out)
{
  uint32_t slot = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    out[c] = 0;
    for (uint32_t i = 0; i < motif->class_[c].count; i++)
      out[c] |= 1u << slot++;
  }
}

struct ms_masking {
  ms_instance *instance;
  const ms_coloring *coloring;
  uint32_t *slots_of;       /* [colours] */
  uint32_t slots[MS_MAX_K]; /* [classes] */
  uint32_t any;             /* slots that every vertex gets */
  const ms_motif *motif;    /* NULL: colours alone decide */
};

static uint32_t slots_by_conditions(const ms_masking *m, uint32_t v)
{
  uint32_t mask = 0;
  for (uint32_t c = 0; c < m->motif->n_classes; c++)
    if (m->motif->class_[c].condition && ms_class_fits(&m->motif->class_[c], m->coloring, v))
      mask |= m->slots[c];
  return mask;
}

void ms_masking_range(void *masking, ms_range r)
{
  const ms_masking *m = masking;
  const uint64_t *offset = m->coloring->offset;
  const uint32_t *color = m->coloring->color, *slots_of = m->slots_of;
  uint32_t *to = m->instance->mask, *vertex = m->instance->vertex;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint32_t mask = m->any;
    for (uint64_t i = offset[v], end = offset[v + 1]; i < end; i++)
      mask |= slots_of[color[i]];
    if (m->motif)
      mask |= slots_by_conditions(m, (uint32_t)v);
    to[v] = mask;
    vertex[v] = (uint32_t)v;
  }
}

/* Finds what the masks depend on. Alternatives of single colours cost no more
 * than colours; other conditions are evaluated for each vertex. */
static void plan_masks(const ms_motif *motif, ms_masking *m)
{
  class_slots(motif, m->slots);
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    const ms_condition *condition = motif->class_[c].condition;
    if (motif->class_[c].color == MS_WILDCARD)
      m->any = m->slots[c];
    else if (!condition)
      m->slots_of[motif->class_[c].color] |= m->slots[c];
    else if (!ms_condition_is_any_of(condition))
      m->motif = motif;
    else
      for (uint32_t i = 0; i < condition->count; i++)
        m->slots_of[condition->literal[i].color] |= m->slots[c];
  }
}

void ms_masking_free(ms_masking *masking)
{
  if (!masking)
    return;
  ms_free(masking->slots_of);
  ms_free(masking);
}

ms_status ms_instance_begin(const ms_query *query, ms_instance **out, ms_masking **masking,
                            ms_error *err)
{
  const ms_graph *graph = query->graph;
  *out = NULL;
  ms_masking *m = *masking = ms_calloc(1, sizeof *m);
  if (m)
    m->slots_of = ms_calloc(ms_names_count(query->coloring->names), sizeof *m->slots_of);
  ms_status status = m && m->slots_of
                         ? alloc_vertices(graph->n, graph->arcs, query->motif->k, out, err)
                         : ms_fail_memory(err, "an instance");
  if (status != MS_OK) {
    ms_masking_free(m);
    *masking = NULL;
    return status;
  }
  (*out)->offset = graph->offset;
  (*out)->neighbor = graph->neighbor;
  (*out)->borrows = true;
  m->instance = *out;
  m->coloring = query->coloring;
  plan_masks(query->motif, m);
  if (graph->n == 0)
    ms_instance_make_impossible(*out);
  return MS_OK;
}

typedef struct unmasking {
  ms_instance *instance;
  uint32_t slots; /* that every vertex loses */
} unmasking;

static void unmask_range(void *user, ms_range r)
{
  const unmasking *u = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    u->instance->mask[v] &= ~u->slots;
}

/* Returns the one class of slots that the mask meets, or n_classes if there are
 * none or several. */
static uint32_t only_class(const uint32_t *slots, uint32_t n_classes, uint32_t mask)
{
  for (uint32_t c = 0; c < n_classes; c++)
    if (mask & slots[c])
      return (mask & ~slots[c]) == 0 ? c : n_classes;
  return n_classes;
}

static void pin(ms_instance *instance, uint32_t v, int threads)
{
  uint32_t own = instance->mask[v] & (0u - instance->mask[v]);
  unmasking u = {.instance = instance, .slots = own};
  ms_parallel(threads, instance->n, 0, unmask_range, &u);
  instance->mask[v] = own;
}

/* Pins the required vertices that fit one class only. Each pin may leave
 * another vertex with one class, so this is repeated until none is left.
 * Returns false if a required vertex is left without a slot. */
static bool pin_required(const ms_query *query, const uint32_t *slots, int threads,
                         ms_instance *instance)
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
      pin(instance, query->required[r], threads);
      pinned[r] = changed = true;
    }
  }
  for (uint32_t r = 0; r < query->n_required; r++)
    if (!pinned[r])
      instance->loose[instance->n_loose++] = query->required[r];
  return true;
}

static ms_status make_instance(const ms_query *query, bool pins, int threads, ms_instance **out,
                               ms_error *err)
{
  ms_masking *masking;
  threads = ms_threads_for(threads, query->graph->n);
  MS_TRY(ms_instance_begin(query, out, &masking, err));
  ms_instance *instance = *out;
  ms_parallel(threads, instance->n, 0, ms_masking_range, masking);
  if (!pins) {
    instance->n_loose = query->n_required;
    memcpy(instance->loose, query->required, query->n_required * sizeof *query->required);
  } else if (!pin_required(query, masking->slots, threads, instance))
    ms_instance_make_impossible(instance);
  ms_masking_free(masking);
  return MS_OK;
}

ms_status ms_instance_new(const ms_query *query, int threads, ms_instance **out, ms_error *err)
{
  return make_instance(query, true, threads, out, err);
}

ms_status ms_instance_new_loose(const ms_query *query, int threads, ms_instance **out,
                                ms_error *err)
{
  return make_instance(query, false, threads, out, err);
}

/* ---- components -------------------------------------------------------- */

ms_status ms_instance_components(const ms_instance *instance, int threads, uint32_t *component,
                                 uint32_t *count, ms_error *err)
{
  return ms_components(instance->n, instance->offset, instance->neighbor, threads, component, count,
                       err);
}
