#include "query/typed_filter.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/status.h"

#include <string.h>

/* ---- classes ----------------------------------------------------------------
 *
 * The signature of a vertex type is the set of pattern vertices that accept it,
 * and the signature of an arc type the set of pattern edges that accept it, each
 * seen from one of its ends.  Types with equal signatures form a class. */

#define MOST_WORDS (2 * MS_MAX_TYPED_EDGES / 64)

typedef struct signature {
  uint64_t word[MOST_WORDS];
} signature;

typedef struct classes {
  uint32_t count;  /* class 0: the empty signature */
  signature *list; /* [count] */
  uint16_t *of;    /* [types] */
} classes;

static void note(signature *s, uint32_t bit)
{
  s->word[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static bool has(const signature *s, uint32_t bit)
{
  return s->word[bit >> 6] >> (bit & 63) & 1;
}

typedef void (*sign_fn)(const ms_typed_query *query, ms_type type, signature *s);

static void sign_vertex_type(const ms_typed_query *query, ms_type type, signature *s)
{
  for (uint32_t i = 0; i < query->n; i++)
    if (ms_type_in(query->vertex_types[i], type))
      note(s, i);
}

static void sign_arc_type(const ms_typed_query *query, ms_type type, signature *s)
{
  for (uint32_t e = 0; e < query->edges; e++) {
    if (ms_type_in(query->edge[e].on, type))
      note(s, 2 * e);
    if (ms_type_in(query->edge[e].back, type))
      note(s, 2 * e + 1);
  }
}

/* Finds the classes.  There are at most two more than types that the pattern names. */
static ms_status find_classes(const ms_typed_query *query, uint32_t types, sign_fn sign,
                              classes *out, ms_error *err)
{
  *out = (classes){.count = 1};
  out->of = ms_alloc(types, sizeof *out->of);
  out->list = ms_calloc((size_t)types + 1, sizeof *out->list);
  if (!out->of || !out->list)
    return ms_fail_memory(err, "classes of types");
  for (uint32_t t = 0; t < types; t++) {
    signature s = {{0}};
    uint32_t c = 0;
    sign(query, (ms_type)t, &s);
    while (c < out->count && memcmp(&out->list[c], &s, sizeof s) != 0)
      c++;
    if (c == out->count)
      out->list[out->count++] = s;
    out->of[t] = (uint16_t)c;
  }
  return MS_OK;
}

/* ---- the table --------------------------------------------------------------- */

/* Puts all triples of a pattern edge, seen from its end `from`, into the table.  `bit` is the bit
 * of the edge and end in the signatures of arcs. */
static void put_edge(ms_type_filter *f, const classes *vertex, const classes *arc, uint32_t from,
                     uint32_t to, uint32_t bit)
{
  for (uint32_t v = 1; v < vertex->count; v++)
    for (uint32_t a = 1; has(&vertex->list[v], from) && a < arc->count; a++)
      for (uint32_t w = 1; has(&arc->list[a], bit) && w < vertex->count; w++)
        if (has(&vertex->list[w], to)) {
          uint64_t at = ((uint64_t)v * arc->count + a) * vertex->count + w;
          f->triple[at >> 6] |= UINT64_C(1) << (at & 63);
        }
}

/* Fills `some`.  It is indexed by the type of an arc, not by its class, which saves a step for
 * every arc. */
static void put_some(ms_type_filter *f, const classes *vertex, const classes *arc)
{
  for (uint32_t v = 1; v < vertex->count; v++)
    for (uint32_t t = 0; t < f->arc_types; t++)
      for (uint32_t w = 1; w < vertex->count && !f->some[(size_t)v * f->arc_types + t]; w++) {
        uint64_t at = ((uint64_t)v * arc->count + arc->of[t]) * vertex->count + w;
        f->some[(size_t)v * f->arc_types + t] = f->triple[at >> 6] >> (at & 63) & 1;
      }
}

static void put_alone(const ms_typed_query *query, ms_type_filter *f)
{
  ms_bitset joined = {{0}};
  for (uint32_t e = 0; e < query->edges; e++) {
    ms_bitset_add(&joined, query->edge[e].from);
    ms_bitset_add(&joined, query->edge[e].to);
  }
  for (uint32_t i = 0; i < query->n; i++)
    if (!ms_bitset_has(&joined, i)) {
      f->any_alone = true;
      for (uint32_t w = 0; w < query->type_words; w++)
        f->alone[w] |= query->vertex_types[i][w];
    }
}

ms_status ms_type_filter_new(const ms_typed_query *query, ms_type_filter **out, ms_error *err)
{
  classes vertex = {0}, arc = {0};
  *out = NULL;
  ms_type_filter *f = ms_calloc(1, sizeof *f);
  ms_status status = f ? MS_OK : ms_fail_memory(err, "a type filter");
  if (status == MS_OK)
    status = find_classes(query, ms_names_count(query->graph->vertex_types), sign_vertex_type,
                          &vertex, err);
  if (status == MS_OK)
    status = find_classes(query, ms_names_count(query->graph->arc_types), sign_arc_type, &arc, err);
  if (status == MS_OK) {
    size_t pairs = (size_t)vertex.count * arc.count;
    f->vertex_classes = vertex.count;
    f->arc_classes = arc.count;
    f->triple = ms_calloc(pairs * vertex.count / 64 + 1, sizeof *f->triple);
    f->arc_types = ms_names_count(query->graph->arc_types);
    f->some = ms_calloc((size_t)vertex.count * f->arc_types, 1);
    f->alone = ms_calloc(query->type_words, sizeof *f->alone);
    if (!f->triple || !f->some || !f->alone)
      status = ms_fail_memory(err, "a type filter");
  }
  for (uint32_t e = 0; e < query->edges && status == MS_OK; e++) {
    const ms_typed_query_edge *edge = &query->edge[e];
    put_edge(f, &vertex, &arc, edge->from, edge->to, 2 * e);
    put_edge(f, &vertex, &arc, edge->to, edge->from, 2 * e + 1);
  }
  if (status == MS_OK) {
    put_some(f, &vertex, &arc);
    put_alone(query, f);
    f->vertex_class = vertex.of;
    f->arc_class = arc.of;
    vertex.of = arc.of = NULL;
    *out = f;
    f = NULL;
  }
  ms_free(vertex.of);
  ms_free(vertex.list);
  ms_free(arc.of);
  ms_free(arc.list);
  ms_type_filter_free(f);
  return status;
}

void ms_type_filter_free(ms_type_filter *filter)
{
  if (!filter)
    return;
  ms_free(filter->vertex_class);
  ms_free(filter->arc_class);
  ms_free(filter->triple);
  ms_free(filter->some);
  ms_free(filter->alone);
  ms_free(filter);
}
