#include "significance/nulls.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "graph/graph.h"
#include "significance/draws.h"
#include "significance/table_chain.h"

#include <stdlib.h>
#include <string.h>

/* ---- classes -------------------------------------------------------------------------- */

typedef struct place {
  uint32_t stratum, degree, vertex;
} place;

static int compare_places(const void *a, const void *b)
{
  const place *x = a, *y = b;
  if (x->stratum != y->stratum)
    return x->stratum < y->stratum ? -1 : 1;
  if (x->degree != y->degree)
    return x->degree < y->degree ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static uint32_t count_labelled_neighbors(const ms_null *null, uint32_t v)
{
  const ms_graph *g = null->graph;
  uint32_t degree = 0;
  for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
    degree += null->label[g->neighbor[a]] != MS_NO_LABEL;
  return degree;
}

/* Cuts the places into classes. */
static void cut_classes(ms_null *null, const place *p)
{
  uint32_t begin = 0, before = 0; /* of this class; of the one before, in the same stratum */
  for (uint32_t i = 1; i <= null->moved; i++) {
    bool last = i == null->moved || p[i].stratum != p[i - 1].stratum;
    if (!last && (p[i].degree == p[i - 1].degree || i - begin < MS_DEGREE_CLASS))
      continue;
    if (last && i - begin < MS_DEGREE_CLASS && begin > before) {
      begin = before;
      null->classes--;
    }
    for (uint32_t j = begin; j < i; j++)
      null->class_begin[j] = begin;
    null->classes++;
    before = last ? i : begin;
    begin = i;
  }
}

static ms_status make_classes(ms_null *null, const uint32_t *stratum, ms_error *err)
{
  uint32_t n = null->graph->n, at = 0;
  bool by_degree = null->kind == MS_NULL_DEGREE;
  place *p = ms_alloc(null->moved, sizeof *p);
  null->member = ms_alloc(null->moved, sizeof *null->member);
  null->class_begin = ms_alloc(null->moved, sizeof *null->class_begin);
  if (!p || !null->member || !null->class_begin) {
    ms_free(p);
    return ms_fail_memory(err, "the classes of vertices");
  }
  for (uint32_t v = 0; v < n; v++)
    if (null->label[v] != MS_NO_LABEL)
      p[at++] =
          (place){stratum ? stratum[v] : 0, by_degree ? count_labelled_neighbors(null, v) : 0, v};
  if (at > 0 && (stratum || by_degree))
    qsort(p, at, sizeof *p, compare_places);
  for (uint32_t i = 0; i < at; i++)
    null->member[i] = p[i].vertex;
  cut_classes(null, p);
  ms_free(p);
  return MS_OK;
}

/* ---- entry points ----------------------------------------------------------------------- */

static ms_status open_null(const ms_graph *graph, const uint16_t *label, ms_null_kind kind,
                           bool directed, const uint32_t *stratum, uint64_t seed, ms_null **out,
                           ms_error *err)
{
  ms_null *null = ms_calloc(1, sizeof *null);
  *out = NULL;
  if (!null)
    return ms_fail_memory(err, "a null hypothesis");
  *null =
      (ms_null){.kind = kind, .seed = seed, .graph = graph, .label = label, .directed = directed};
  for (uint32_t v = 0; v < graph->n; v++)
    if (label[v] != MS_NO_LABEL) {
      null->moved++;
      null->labels = label[v] >= null->labels ? label[v] + 1u : null->labels;
    }
  ms_status status =
      ms_null_rewires(kind) ? ms_null_rewire_open(null, err) : make_classes(null, stratum, err);
  if (status == MS_OK && kind == MS_NULL_EDGES)
    status = ms_null_edges_open(null, err);
  if (status == MS_OK)
    *out = null;
  else
    ms_null_free(null);
  return status;
}

ms_status ms_null_open(const ms_graph *graph, const uint16_t *label, ms_null_kind kind,
                       const uint32_t *stratum, uint64_t seed, ms_null **out, ms_error *err)
{
  return open_null(graph, label, kind, false, stratum, seed, out, err);
}

ms_status ms_null_open_directed(const ms_graph *graph, const uint16_t *label, ms_null_kind kind,
                                const uint32_t *stratum, uint64_t seed, ms_null **out,
                                ms_error *err)
{
  return open_null(graph, label, kind, graph->direction != NULL, stratum, seed, out, err);
}

void ms_null_free(ms_null *null)
{
  if (null) {
    ms_free(null->member);
    ms_free(null->class_begin);
    ms_free(null->class_end);
    ms_free(null->by_label);
    ms_free(null->label_place);
    ms_free(null->label_begin);
    ms_free(null->hub);
    ms_free(null->table);
    ms_free(null->edge);
    ms_free(null->end);
    ms_free(null->end_begin);
    ms_free(null);
  }
}

uint64_t ms_null_bytes_of_call(const ms_null *null)
{
  uint64_t n = null->graph->n, bytes = (uint64_t)null->moved * sizeof(uint32_t);
  if (null->kind == MS_NULL_EDGES)
    bytes += n * sizeof(uint32_t) + ms_table_chain_bytes(null);
  if (ms_null_rewires(null->kind)) /* edges, a table of them, and the graph */
    bytes += null->edges * (8 + 4 * 8 + 8) + n * 64;
  return bytes;
}

enum { DRAWS = 32 };

/* Shuffles the items within their classes, by the method of R. A. Fisher and F. Yates: the item at
 * each place i of a class in turn is swapped with that at a random place of the class up to i.  The
 * draw of each place has the number of the place. */
#define SHUFFLE(NAME, TYPE)                                                                        \
  static void NAME(const ms_null *null, uint64_t number, TYPE *item)                               \
  {                                                                                                \
    uint64_t draw[DRAWS];                                                                          \
    ms_draws d;                                                                                    \
    ms_draws_open(&d, null->seed, number, MS_DRAW_SHUFFLE);                                        \
    for (uint32_t begin = 0; begin < null->moved; begin += DRAWS) {                                \
      uint32_t left = null->moved - begin, end = begin + (left < DRAWS ? left : DRAWS);            \
      ms_draws_fill(&d, draw, DRAWS);                                                              \
      for (uint32_t i = begin; i < end; i++) {                                                     \
        uint32_t first = null->class_begin[i];                                                     \
        uint32_t j = first + ms_draws_scale(draw[i - begin], i - first + 1);                       \
        TYPE other = item[j];                                                                      \
        item[j] = item[i];                                                                         \
        item[i] = other;                                                                           \
      }                                                                                            \
    }                                                                                              \
  }

SHUFFLE(shuffle_vertices, uint32_t)
SHUFFLE(shuffle_labels, uint16_t)

ms_status ms_null_from(const ms_null *null, uint64_t number, uint32_t *from, ms_null_trace *trace,
                       ms_error *err)
{
  ms_null_trace none;
  trace = trace ? trace : &none;
  *trace = (ms_null_trace){0};
  if (ms_null_rewires(null->kind))
    return ms_fail(err, MS_ERR_INTERNAL, "labels of rewired graphs stay");
  for (uint32_t v = 0; v < null->graph->n; v++)
    from[v] = v;
  if (null->kind == MS_NULL_EDGES)
    return ms_null_edges_from(null, number, from, trace, err);
  uint32_t *item = ms_alloc(null->moved, sizeof *item);
  if (!item)
    return ms_fail_memory(err, "a permutation");
  memcpy(item, null->member, null->moved * sizeof *item);
  shuffle_vertices(null, number, item);
  for (uint32_t i = 0; i < null->moved; i++)
    from[null->member[i]] = item[i];
  ms_free(item);
  return MS_OK;
}

static ms_status swap_labels(const ms_null *null, uint64_t number, uint16_t *out,
                             ms_null_trace *trace, ms_error *err)
{
  uint32_t *from = ms_alloc(null->graph->n, sizeof *from);
  if (!from)
    return ms_fail_memory(err, "a permutation");
  ms_status status = ms_null_from(null, number, from, trace, err);
  for (uint32_t v = 0; v < null->graph->n && status == MS_OK; v++)
    out[v] = null->label[from[v]];
  ms_free(from);
  return status;
}

ms_status ms_null_labels(const ms_null *null, uint64_t number, uint16_t *out, ms_null_trace *trace,
                         ms_error *err)
{
  if (trace)
    *trace = (ms_null_trace){0};
  if (null->kind == MS_NULL_EDGES)
    return swap_labels(null, number, out, trace, err);
  uint16_t *item = ms_alloc(null->moved, sizeof *item);
  if (!item)
    return ms_fail_memory(err, "a permutation");
  for (uint32_t i = 0; i < null->moved; i++)
    item[i] = null->label[null->member[i]];
  shuffle_labels(null, number, item);
  memcpy(out, null->label, null->graph->n * sizeof *out);
  for (uint32_t i = 0; i < null->moved; i++)
    out[null->member[i]] = item[i];
  ms_free(item);
  return MS_OK;
}
