#include "verify/statistics/permuted_chains.h"

#include "base/alloc.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <stdlib.h>
#include <string.h>

#define LOOK 4096u /* swaps between two looks at the token */

uint64_t ms_permuted_draw(uint64_t seed, uint64_t i, uint32_t purpose, uint64_t at)
{
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {(uint32_t)(at / 2), purpose << 24 | (uint32_t)(at >> 33),
                               (uint32_t)i, (uint32_t)(i >> 32)};
  uint32_t out[4];
  ms_philox4x32(counter, key, out);
  return out[at % 2 * 2] | (uint64_t)out[at % 2 * 2 + 1] << 32;
}

uint64_t ms_permuted_scale(uint64_t bits, uint64_t bound)
{
  uint64_t a = bits >> 32, b = bits & UINT32_MAX, c = bound >> 32, d = bound & UINT32_MAX;
  uint64_t middle = (b * d >> 32) + (a * d & UINT32_MAX) + (b * c & UINT32_MAX);
  return a * c + (a * d >> 32) + (b * c >> 32) + (middle >> 32);
}

/* ---- rewire -------------------------------------------------------------------------------- */

/* A place of a chain: edges in their order, and the neighbours of each vertex, whose number does
 * not change. */
typedef struct wiring {
  uint32_t (*edge)[2];
  uint32_t *near; /* [offset[n]] */
} wiring;

struct ms_edge_chain {
  uint32_t n;
  uint64_t edges;
  uint64_t *offset; /* [n + 1] */
  wiring hub, now;
  /* rewire-colors; an end is twice the number of an edge, plus one for its second vertex */
  uint32_t *list;  /* [n] equal for vertices with the same colours; NULL: rewire */
  uint64_t *begin; /* [n + 1] place of the first end of each list */
  uint64_t *ends;  /* [2 edges] the ends of each list, ascending */
};

static bool are_near(const ms_edge_chain *c, const wiring *w, uint32_t u, uint32_t v)
{
  if (c->offset[u + 1] - c->offset[u] > c->offset[v + 1] - c->offset[v]) {
    uint32_t other = u;
    u = v;
    v = other;
  }
  for (uint64_t a = c->offset[u]; a < c->offset[u + 1]; a++)
    if (w->near[a] == v)
      return true;
  return false;
}

/* Puts a neighbour in the place of another one. */
static void replace(const ms_edge_chain *c, wiring *w, uint32_t v, uint32_t old, uint32_t fresh)
{
  uint64_t a = c->offset[v];
  while (w->near[a] != old)
    a++;
  w->near[a] = fresh;
}

/* Draws the first edge of a step, and returns it with the place of its vertex that goes to the
 * other edge, from two random numbers. */
static uint64_t draw_end(const ms_edge_chain *c, uint64_t first)
{
  if (c->list)
    return ms_permuted_scale(first, 2 * c->edges);
  /* the lowest bit is the direction of the edge, and the others choose it */
  return 2 * ms_permuted_scale(first & ~(uint64_t)1, c->edges) + (~first & 1);
}

static uint64_t draw_other_end(const ms_edge_chain *c, const wiring *w, uint64_t end,
                               uint64_t second)
{
  if (!c->list)
    return 2 * ms_permuted_scale(second, c->edges) + 1;
  uint32_t list = c->list[w->edge[end / 2][end % 2]];
  uint64_t begin = c->begin[list];
  return c->ends[begin + ms_permuted_scale(second, c->begin[list + 1] - begin)];
}

/* Does all steps of a chain. */
static ms_status walk(const ms_edge_chain *c, wiring *w, uint64_t seed, uint64_t i,
                      uint32_t purpose, const ms_stop *stop, ms_chain_trace *trace, ms_error *err)
{
  uint64_t steps = c->edges > 1 ? c->edges * MS_SWAPS_OF_EDGE : 0;
  for (uint64_t s = 0; s < steps; s++) {
    if (s % LOOK == 0 && ms_stop_check(stop) != MS_OK)
      return ms_fail(err, ms_stop_check(stop), "stopped while permutations were made");
    uint64_t first = ms_permuted_draw(seed, i, purpose, 2 * s);
    uint64_t second = ms_permuted_draw(seed, i, purpose, 2 * s + 1);
    uint64_t end = draw_end(c, first), other = draw_other_end(c, w, end, second);
    uint32_t *x = w->edge[end / 2], *y = w->edge[other / 2];
    uint32_t a = x[~end & 1], b = x[end & 1], p = y[~other & 1], q = y[other & 1];
    trace->tried++;
    if (x == y || a == q || p == b || are_near(c, w, a, q) || are_near(c, w, p, b) ||
        (a == p && b == q) || (a == b && p == q))
      continue;
    replace(c, w, a, b, q);
    replace(c, w, b, a, p);
    replace(c, w, p, q, b);
    replace(c, w, q, p, a);
    uint32_t place = c->list ? end & 1 : 1;
    x[!place] = a;
    x[place] = q;
    y[other & 1] = b;
    trace->accepted++;
  }
  return MS_OK;
}

static void fill_wiring(ms_edge_chain *c, const ms_graph *graph)
{
  uint64_t arcs = 0, edges = 0;
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t count;
    const uint32_t *near = ms_graph_neighbors(graph, v, &count);
    c->offset[v] = arcs;
    for (uint32_t i = 0; i < count; i++) {
      c->hub.near[arcs++] = near[i];
      if (near[i] > v) {
        c->hub.edge[edges][0] = v;
        c->hub.edge[edges++][1] = near[i];
      }
    }
  }
  c->offset[c->n] = arcs;
}

/* A vertex and its colours. */
typedef struct colored {
  uint32_t vertex, count;
  const uint32_t *color;
} colored;

static int compare_colors(const void *a, const void *b)
{
  const colored *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? -1 : 1;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->color[i] != y->color[i])
      return x->color[i] < y->color[i] ? -1 : 1;
  return 0;
}

/* Numbers the lists of colours, and sorts the ends by them. */
static ms_status sort_ends(ms_edge_chain *c, const ms_coloring *coloring, ms_error *err)
{
  colored *v = ms_alloc(c->n, sizeof *v);
  c->list = ms_alloc(c->n, sizeof *c->list);
  c->begin = ms_calloc((size_t)c->n + 2, sizeof *c->begin);
  c->ends = ms_alloc(2 * c->edges, sizeof *c->ends);
  if (!v || !c->list || !c->begin || !c->ends) {
    ms_free(v);
    return ms_fail_memory(err, "permutations");
  }
  for (uint32_t i = 0; i < c->n; i++) {
    v[i].vertex = i;
    v[i].color = ms_coloring_of(coloring, i, &v[i].count);
  }
  qsort(v, c->n, sizeof *v, compare_colors);
  uint32_t lists = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    lists += i > 0 && compare_colors(&v[i - 1], &v[i]) != 0;
    c->list[v[i].vertex] = lists;
  }
  ms_free(v);
  for (uint64_t e = 0; e < 2 * c->edges; e++)
    c->begin[c->list[c->hub.edge[e / 2][e % 2]] + 2]++;
  for (uint32_t i = 2; i <= c->n + 1; i++)
    c->begin[i] += c->begin[i - 1];
  for (uint64_t e = 0; e < 2 * c->edges; e++)
    c->ends[c->begin[c->list[c->hub.edge[e / 2][e % 2]] + 1]++] = e;
  return MS_OK;
}

ms_status ms_edge_chain_new(const ms_graph *graph, const ms_coloring *coloring, uint64_t seed,
                            const ms_stop *stop, ms_edge_chain **out, ms_error *err)
{
  ms_edge_chain *c = ms_calloc(1, sizeof *c);
  ms_chain_trace trace = {0};
  *out = NULL;
  if (!c)
    return ms_fail_memory(err, "permutations");
  c->n = ms_graph_vertex_count(graph);
  c->edges = ms_graph_describe(graph).edges;
  c->offset = ms_alloc((size_t)c->n + 1, sizeof *c->offset);
  bool ok = c->offset != NULL;
  for (int i = 0; i < 2; i++) {
    wiring *w = i ? &c->now : &c->hub;
    w->edge = ms_alloc(c->edges, sizeof *w->edge);
    w->near = ms_alloc(2 * c->edges, sizeof *w->near);
    ok = ok && w->edge && w->near;
  }
  if (ok)
    fill_wiring(c, graph);
  ms_status status = ok ? MS_OK : ms_fail_memory(err, "permutations");
  if (ok && coloring)
    status = sort_ends(c, coloring, err);
  if (status == MS_OK)
    status = walk(c, &c->hub, seed, 0, 2, stop, &trace, err);
  if (status == MS_OK)
    *out = c;
  else
    ms_edge_chain_free(c);
  return status;
}

void ms_edge_chain_free(ms_edge_chain *c)
{
  if (c) {
    ms_free(c->offset);
    ms_free(c->hub.edge);
    ms_free(c->hub.near);
    ms_free(c->now.edge);
    ms_free(c->now.near);
    ms_free(c->list);
    ms_free(c->begin);
    ms_free(c->ends);
    ms_free(c);
  }
}

ms_status ms_edge_chain_run(ms_edge_chain *c, uint64_t seed, uint64_t i, const ms_stop *stop,
                            ms_graph **out, ms_chain_trace *trace, ms_error *err)
{
  *out = NULL;
  memcpy(c->now.edge, c->hub.edge, c->edges * sizeof *c->now.edge);
  memcpy(c->now.near, c->hub.near, 2 * c->edges * sizeof *c->now.near);
  MS_TRY(walk(c, &c->now, seed, i, 1, stop, trace, err));
  return ms_graph_from_edges(c->n, c->edges, (const uint32_t(*)[2])c->now.edge, NULL, out, err);
}
