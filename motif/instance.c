/* Makes and copies instances, makes them from a query, and finds their
 * components. */
#include "motif/instance.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/threads.h"
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

typedef struct masking {
  const ms_coloring *coloring;
  const uint32_t *slots_of; /* [colours] */
  uint32_t any;             /* slots that every vertex gets, or loses */
  const ms_motif *motif;    /* NULL: colours alone decide */
  const uint32_t *slots;    /* [classes] */
  ms_instance *instance;
} masking;

static void mask_range(void *user, ms_range r)
{
  const masking *m = user;
  const ms_coloring *coloring = m->coloring;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint32_t mask = m->any;
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1]; i++)
      mask |= m->slots_of[coloring->color[i]];
    for (uint32_t c = 0; m->motif && c < m->motif->n_classes; c++)
      if (m->motif->class_[c].condition &&
          ms_class_fits(&m->motif->class_[c], coloring, (uint32_t)v))
        mask |= m->slots[c];
    m->instance->mask[v] = mask;
    m->instance->vertex[v] = (uint32_t)v;
  }
}

static void unmask_range(void *user, ms_range r)
{
  const masking *m = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    m->instance->mask[v] &= ~m->any;
}

/* Sets the mask of each vertex. slots_of is an array of zeros, one for each
 * colour. Alternatives of single colours cost no more than colours; other
 * conditions are evaluated for each vertex. */
static void set_masks(const ms_query *query, const uint32_t *slots, uint32_t *slots_of, int threads,
                      ms_instance *instance)
{
  const ms_motif *motif = query->motif;
  masking m = {
      .coloring = query->coloring, .slots_of = slots_of, .slots = slots, .instance = instance};
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    const ms_condition *condition = motif->class_[c].condition;
    if (motif->class_[c].color == MS_WILDCARD)
      m.any = slots[c];
    else if (!condition)
      slots_of[motif->class_[c].color] |= slots[c];
    else if (!ms_condition_is_any_of(condition))
      m.motif = motif;
    else
      for (uint32_t i = 0; i < condition->count; i++)
        slots_of[condition->literal[i].color] |= slots[c];
  }
  ms_parallel(threads, instance->n, 0, mask_range, &m);
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
  masking m = {.any = own, .instance = instance};
  ms_parallel(threads, instance->n, 0, unmask_range, &m);
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

static void leave_loose(const ms_query *query, ms_instance *instance)
{
  instance->n_loose = query->n_required;
  memcpy(instance->loose, query->required, query->n_required * sizeof *query->required);
}

static ms_status make_instance(const ms_query *query, bool pins, int threads, ms_instance **out,
                               ms_error *err)
{
  const ms_graph *graph = query->graph;
  uint32_t slots[MS_MAX_K];
  *out = NULL;
  threads = ms_threads_for(threads, graph->n);
  uint32_t *slots_of = ms_calloc(ms_names_count(query->coloring->names), sizeof *slots_of);
  if (!slots_of)
    return ms_fail_memory(err, "an instance");
  ms_status status = alloc_vertices(graph->n, graph->arcs, query->motif->k, out, err);
  if (status == MS_OK) {
    ms_instance *instance = *out;
    instance->offset = graph->offset;
    instance->neighbor = graph->neighbor;
    instance->borrows = true;
    class_slots(query->motif, slots);
    set_masks(query, slots, slots_of, threads, instance);
    bool possible = !pins || pin_required(query, slots, threads, instance);
    if (!pins)
      leave_loose(query, instance);
    if (!possible || graph->n == 0)
      ms_instance_make_impossible(instance);
  }
  ms_free(slots_of);
  return status;
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
