/* Typed patterns: what a cut has of the edges of a typed graph. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/typed.h"

#include <string.h>

/* The pattern that is made.  It has only relations that its edges have, in the order in which they
 * occur: the file of a pattern names no others. */
typedef struct typed_cut {
  const ms_typed *graph;
  const uint32_t *vertex; /* [k] the graph's vertices */
  uint32_t k;
  uint32_t n_relations;
  const char **relation, **inverse; /* [n_relations] inverse NULL: symmetric */
  uint32_t *number;                 /* [arc types] of the relation; MS_NO_ID: not seen yet */
  uint32_t m;                       /* edges */
  uint32_t (*edge)[2];              /* [MS_MAX_CUT_EDGES] */
  uint32_t *edge_type;              /* [MS_MAX_CUT_EDGES] */
  const char **name, **vertex_type; /* [k] */
} typed_cut;

static ms_status reserve(typed_cut *c, ms_error *err)
{
  uint32_t types = ms_names_count(c->graph->arc_types);
  c->relation = ms_alloc(types, sizeof *c->relation);
  c->inverse = ms_alloc(types, sizeof *c->inverse);
  c->number = ms_alloc(types, sizeof *c->number);
  c->edge = ms_alloc(MS_MAX_CUT_EDGES, sizeof *c->edge);
  c->edge_type = ms_alloc(MS_MAX_CUT_EDGES, sizeof *c->edge_type);
  c->name = ms_alloc(c->k, sizeof *c->name);
  c->vertex_type = ms_alloc(c->k, sizeof *c->vertex_type);
  if (!c->relation || !c->inverse || !c->number || !c->edge || !c->edge_type || !c->name ||
      !c->vertex_type)
    return ms_fail_memory(err, "a typed pattern");
  for (uint32_t t = 0; t < types; t++)
    c->number[t] = MS_NO_ID;
  return MS_OK;
}

static void free_all(typed_cut *c)
{
  ms_free(c->relation);
  ms_free(c->inverse);
  ms_free(c->number);
  ms_free(c->edge);
  ms_free(c->edge_type);
  ms_free(c->name);
  ms_free(c->vertex_type);
}

/* Returns the number of the relation that an arc of this type, and of no inverse, belongs to. */
static uint32_t number_of(typed_cut *c, ms_type type)
{
  ms_type inverse = c->graph->inverse[type];
  if (c->number[type] == MS_NO_ID) {
    c->number[type] = c->n_relations;
    c->relation[c->n_relations] = ms_names_get(c->graph->arc_types, type);
    c->inverse[c->n_relations++] =
        inverse == type ? NULL : ms_names_get(c->graph->arc_types, inverse);
  }
  return c->number[type];
}

/* Adds an edge, from the end at which its type is the first name of its relation. */
static ms_status add_edge(typed_cut *c, uint32_t i, uint32_t j, ms_type type, ms_error *err)
{
  bool second = ms_typed_is_second(c->graph, type) && c->graph->inverse[type] != type;
  if (c->m == MS_MAX_CUT_EDGES)
    return ms_fail(
        err, MS_ERR_USAGE,
        "a pattern has more than %u edges, parallel ones included, which no typed pattern "
        "may have; cut fewer vertices, or keep fewer edges",
        MS_MAX_CUT_EDGES);
  c->edge[c->m][0] = second ? j : i;
  c->edge[c->m][1] = second ? i : j;
  c->edge_type[c->m++] = number_of(c, second ? c->graph->inverse[type] : type);
  return MS_OK;
}

/* Adds all edges of the graph between two pattern vertices, or those from one to itself. */
static ms_status add_between(typed_cut *c, uint32_t i, uint32_t j, ms_error *err)
{
  uint64_t first,
      count = ms_typed_arcs_between(&c->graph->rows, c->vertex[i], c->vertex[j], &first);
  for (uint64_t a = first; a < first + count; a++)
    MS_TRY(add_edge(c, i, j, c->graph->rows.type[a], err));
  return MS_OK;
}

static ms_status add_vertex(typed_cut *c, uint32_t i, ms_error *err)
{
  uint32_t v = c->vertex[i];
  if (v >= c->graph->rows.n)
    return ms_fail(
        err, MS_ERR_USAGE,
        "the cut has vertex %u, but the typed graph has only %u; cut patterns out of its "
        "plain graph",
        v, c->graph->rows.n);
  const char *type = ms_names_get(c->graph->vertex_types, c->graph->rows.vertex_type[v]);
  c->name[i] = ms_names_get(c->graph->names, v);
  c->vertex_type[i] = strcmp(type, "untyped") == 0 ? "*" : type;
  return MS_OK;
}

/* Does an earlier edge of the cut join the same vertices?  Both arcs of a directed graph may be in
 * it, and stand next to each other. */
static bool is_repeated(const ms_cuts *cuts, uint64_t begin, uint64_t e)
{
  return e > begin && cuts->edges[e][0] == cuts->edges[e - 1][1] &&
         cuts->edges[e][1] == cuts->edges[e - 1][0];
}

static ms_status fill(typed_cut *c, const ms_cuts *cuts, uint32_t pattern, ms_error *err)
{
  uint64_t begin = cuts->offset[pattern];
  for (uint32_t i = 0; i < c->k; i++)
    MS_TRY(add_vertex(c, i, err));
  for (uint64_t e = begin; e < cuts->offset[pattern + 1]; e++)
    if (!is_repeated(cuts, begin, e))
      MS_TRY(add_between(c, cuts->edges[e][0], cuts->edges[e][1], err));
  for (uint32_t i = 0; i < c->k; i++)
    MS_TRY(add_between(c, i, i, err));
  return MS_OK;
}

ms_status ms_typed_from_cut(const ms_typed *graph, const ms_cuts *cuts, uint32_t pattern,
                            ms_typed **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(cuts, err);
  if (pattern >= cuts->patterns)
    return ms_fail(err, MS_ERR_USAGE, "there is no pattern %u among %u, which are numbered from 0",
                   pattern, cuts->patterns);
  typed_cut c = {
      .graph = graph, .vertex = cuts->vertices + (uint64_t)pattern * cuts->k, .k = cuts->k};
  ms_status status = reserve(&c, err);
  if (status == MS_OK)
    status = fill(&c, cuts, pattern, err);
  if (status == MS_OK) {
    const ms_typed_source source = {.n = c.k,
                                    .names = c.name,
                                    .vertex_type = c.vertex_type,
                                    .m = c.m,
                                    .edges = (const uint32_t(*)[2])c.edge,
                                    .edge_type = c.edge_type,
                                    .n_relations = c.n_relations,
                                    .relation = c.relation,
                                    .inverse = c.inverse};
    status = ms_typed_from_edges(&source, 1, out, err);
  }
  free_all(&c);
  return status;
}
