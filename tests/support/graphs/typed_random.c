#include "tests/support/graphs/typed_random.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

void typed_random_make(uint64_t seed, typed_random *r)
{
  static const char *const types[] = {"Gene", "Disease", "untyped", "Side Effect", "a:b"};
  static const char *const relation[] = {"binds", "Gr>G", "r", "is a", "^up", "q"};
  /* NULL and the same name: no direction */
  static const char *const inverse[] = {NULL, "G<rG", "^r", "has a", NULL, "q"};
  uint64_t state = seed;
  uint32_t n = 1 + random_below(&state, TYPED_RANDOM_MOST);
  uint32_t m = random_below(&state, TYPED_RANDOM_EDGES);
  uint32_t relations = 1 + random_below(&state, TYPED_RANDOM_RELATIONS);
  memset(r, 0, sizeof *r);
  for (uint32_t v = 0; v < n; v++) {
    snprintf(r->name[v], sizeof r->name[v], "%s%u", v % 3 ? "v" : "x ", v);
    r->names[v] = r->name[v];
    r->vertex_type[v] = types[random_below(&state, sizeof types / sizeof *types)];
  }
  for (uint32_t e = 0; e < m; e++) {
    r->edges[e][0] = random_below(&state, n);
    r->edges[e][1] = random_below(&state, n);
    r->edge_type[e] = random_below(&state, relations);
  }
  memcpy(r->relation, relation, sizeof relation);
  memcpy(r->inverse, inverse, sizeof inverse);
  r->source = (ms_typed_source){.n = n,
                                .names = r->names,
                                .vertex_type = r->vertex_type,
                                .m = m,
                                .edges = (const uint32_t(*)[2])r->edges,
                                .edge_type = r->edge_type,
                                .n_relations = relations,
                                .relation = r->relation,
                                .inverse = r->inverse};
}

/* The names of a relation there and back. */
static void names_of(const typed_random *r, uint32_t relation, const char *name[2])
{
  name[0] = r->relation[relation];
  name[1] = r->inverse[relation] ? r->inverse[relation] : name[0];
}

/* Arcs of that name in the row of v to w that the source asks for: a loop has
 * one arc, whichever of its names it is. */
static uint32_t wanted_arcs(const typed_random *r, uint32_t v, uint32_t w, const char *type)
{
  uint32_t count = 0;
  for (uint64_t e = 0; e < r->source.m; e++) {
    const char *name[2];
    uint32_t from = r->edges[e][0], to = r->edges[e][1];
    names_of(r, r->edge_type[e], name);
    bool on = strcmp(name[0], type) == 0, back = strcmp(name[1], type) == 0;
    if (from == to)
      count += from == v && to == w && (on || back);
    else
      count += (from == v && to == w && on) || (from == w && to == v && back);
  }
  return count;
}

static uint32_t found_arcs(const ms_typed *graph, uint32_t v, uint32_t w, const char *type)
{
  uint32_t count = 0;
  for (uint64_t a = graph->rows.offset[v]; a < graph->rows.offset[v + 1]; a++) {
    const char *name = ms_typed_arc_type_name(graph, graph->rows.type[a]);
    const char *other = ms_typed_arc_type_name(graph, graph->inverse[graph->rows.type[a]]);
    if (graph->rows.neighbor[a] == w)
      count += strcmp(name, type) == 0 || (v == w && strcmp(other, type) == 0);
  }
  return count;
}

/* place[v] = the vertex of the graph that is v of the source. */
static void check_vertices(const typed_random *r, const ms_typed *graph, uint32_t *place)
{
  ms_typed_info info = ms_typed_describe(graph);
  uint32_t untyped = 0;
  ck_assert_uint_eq(info.vertices, r->source.n);
  for (uint32_t v = 0; v < r->source.n; v++) {
    place[v] = ms_typed_find(graph, r->names[v]);
    ck_assert_uint_ne(place[v], UINT32_MAX);
    const char *type = ms_typed_vertex_type_name(graph, ms_typed_vertex_type(graph, place[v]));
    ck_assert_str_eq(type, r->vertex_type[v]);
    untyped += strcmp(type, "untyped") == 0;
  }
  ck_assert_uint_eq(info.untyped, untyped);
}

static void check_counts(const typed_random *r, const ms_typed *graph)
{
  ms_typed_info info = ms_typed_describe(graph);
  uint64_t loops = 0, repeats = 0;
  for (uint64_t e = 0; e < r->source.m; e++) {
    const char *name[2], *before[2];
    bool again = false;
    uint32_t u = r->edges[e][0], v = r->edges[e][1];
    names_of(r, r->edge_type[e], name);
    for (uint64_t f = 0; f < e && !again; f++) {
      uint32_t x = r->edges[f][0], y = r->edges[f][1];
      names_of(r, r->edge_type[f], before);
      bool same = strcmp(name[0], before[0]) == 0, symmetric = strcmp(name[0], name[1]) == 0;
      again = same && ((u == x && v == y) || (u == y && v == x && symmetric));
    }
    loops += u == v;
    repeats += again;
  }
  ck_assert_uint_eq(info.edges, r->source.m);
  ck_assert_uint_eq(info.self_loops, loops);
  ck_assert_uint_eq(info.repeats, repeats);
}

void typed_random_check(const typed_random *r, const ms_typed *graph)
{
  uint32_t place[TYPED_RANDOM_MOST];
  ms_error err;
  ck_assert_msg(validate_typed(graph, &err) == MS_OK, "%s", err.message);
  check_vertices(r, graph, place);
  check_counts(r, graph);
  for (uint32_t v = 0; v < r->source.n; v++)
    for (uint32_t w = 0; w < r->source.n; w++)
      for (uint32_t i = 0; i < 2 * r->source.n_relations; i++) {
        const char *name[2];
        names_of(r, i / 2, name);
        if (i % 2 && name[0] == name[1])
          continue;
        ck_assert_uint_eq(found_arcs(graph, place[v], place[w], name[i % 2]),
                          wanted_arcs(r, v, w, name[i % 2]));
      }
  ck_assert_uint_eq(graph->rows.arcs, 2 * r->source.m - ms_typed_describe(graph).self_loops);
}
