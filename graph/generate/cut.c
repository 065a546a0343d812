/* Patterns that are cut out of a graph: connected sets of vertices, found by random walks, with all
 * or some of their edges. */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/colors.h"
#include "graph/generate/grow.h"

#include <stdlib.h>
#include <string.h>

#define PHASE "patterns are cut"

/* Sets that are drawn for a pattern before the options are taken for impossible. */
#define MAX_DRAWS 10000u
/* Steps of a walk, for each vertex of the pattern, before the set grows by edges that leave it.  A
 * walk may be caught among few vertices. */
#define STEPS_PER_VERTEX 64u
/* Draws between two looks at the stop token. */
#define DRAWS_PER_POLL 16u

/* An edge between places of the set, the smaller one first. */
typedef struct cut_edge {
  uint32_t a, b;
} cut_edge;

typedef struct cutter {
  ms_garden garden;
  const ms_cut_options *options;
  uint32_t *set; /* [k] of the pattern that is cut */
  uint32_t count;
  cut_edge *edge; /* [k (k - 1) / 2] */
  uint32_t edges;
  uint32_t *parent; /* [k] of the trees that a spanning tree joins */
} cutter;

/* ---- a set ------------------------------------------------------------------ */

static uint64_t draw_below(cutter *c, uint64_t bound)
{
  return ms_random_next_below(&c->garden.random, bound);
}

static void add_vertex(cutter *c, uint32_t v)
{
  c->garden.used[v] = 1;
  c->set[c->count++] = v;
}

/* Draws a set of k vertices; false where the component of the first edge is too small. */
static bool draw_set(cutter *c)
{
  const ms_graph *graph = c->garden.graph;
  uint32_t k = c->options->vertices;
  uint64_t arc = draw_below(c, graph->arcs);
  uint32_t at = graph->neighbor[arc];
  while (c->count > 0)
    c->garden.used[c->set[--c->count]] = 0;
  add_vertex(c, (uint32_t)ms_last_at_most(graph->offset, graph->n, arc));
  add_vertex(c, at);
  for (uint32_t step = 0; c->count < k && step < k * STEPS_PER_VERTEX; step++) {
    uint64_t begin = graph->offset[at];
    at = graph->neighbor[begin + draw_below(c, graph->offset[at + 1] - begin)];
    if (!c->garden.used[at])
      add_vertex(c, at);
  }
  while (c->count < k) {
    uint32_t v = ms_garden_next(&c->garden, c->set, c->count);
    if (v == MS_NO_ID)
      return false;
    add_vertex(c, v);
  }
  return true;
}

/* Puts the set into a random order, so that the numbers of pattern vertices tell nothing of the
 * walk. */
static void mix_set(cutter *c)
{
  for (uint32_t left = c->count; left > 1; left--) {
    uint32_t i = (uint32_t)draw_below(c, left), v = c->set[i];
    c->set[i] = c->set[left - 1];
    c->set[left - 1] = v;
  }
}

/* ---- its edges --------------------------------------------------------------- */

static void find_edges(cutter *c)
{
  const ms_graph *graph = c->garden.graph;
  c->edges = 0;
  for (uint32_t a = 0; a < c->count; a++)
    for (uint32_t b = a + 1; b < c->count; b++)
      if (ms_graph_find_arc(graph, c->set[a], c->set[b]) != graph->arcs)
        c->edge[c->edges++] = (cut_edge){a, b};
}

static bool fits(const cutter *c)
{
  const ms_cut_options *o = c->options;
  bool dense = 2 * c->edges >= 3 * o->vertices;
  return o->edges <= c->edges && (o->density != MS_DENSITY_SPARSE || !dense) &&
         (o->density != MS_DENSITY_DENSE || dense);
}

static uint32_t root_of(cutter *c, uint32_t a)
{
  while (c->parent[a] != a)
    a = c->parent[a] = c->parent[c->parent[a]];
  return a;
}

static void swap_edges(cutter *c, uint32_t i, uint32_t j)
{
  cut_edge edge = c->edge[i];
  c->edge[i] = c->edge[j];
  c->edge[j] = edge;
}

static int compare_edges(const void *x, const void *y)
{
  const cut_edge *a = x, *b = y;
  return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

/* Keeps that many edges of the set, which stays connected: in random order, first those that join
 * two trees, then others. */
static void choose_edges(cutter *c, uint32_t wanted)
{
  uint32_t kept = 0;
  for (uint32_t left = c->edges; left > 1; left--)
    swap_edges(c, (uint32_t)draw_below(c, left), left - 1);
  for (uint32_t a = 0; a < c->count; a++)
    c->parent[a] = a;
  for (uint32_t e = 0; e < c->edges; e++) {
    uint32_t a = root_of(c, c->edge[e].a), b = root_of(c, c->edge[e].b);
    if (a == b)
      continue;
    c->parent[a] = b;
    swap_edges(c, e, kept++); /* which leaves the edges behind `kept` in a random order */
  }
  c->edges = wanted;
  qsort(c->edge, wanted, sizeof *c->edge, compare_edges);
}

/* ---- all patterns -------------------------------------------------------------- */

static ms_status refuse(const cutter *c, uint32_t pattern, ms_error *err)
{
  const ms_cut_options *o = c->options;
  bool any = o->edges == 0 && o->density == MS_DENSITY_ANY;
  return ms_fail(err, MS_ERR_USAGE,
                 "no connected set of %u vertices%s was found for pattern %u of %u; give %s",
                 o->vertices,
                 any                               ? ""
                 : o->density == MS_DENSITY_SPARSE ? " with a mean degree below 3"
                 : o->density == MS_DENSITY_DENSE  ? " with a mean degree of at least 3"
                                                   : " with so many edges",
                 pattern + 1, o->patterns,
                 any                               ? "fewer vertices"
                 : o->density == MS_DENSITY_SPARSE ? "a number of edges to keep, or another graph"
                 : o->density == MS_DENSITY_DENSE  ? "another number of vertices, or another graph"
                                                   : "fewer edges or vertices, or another graph");
}

/* Cuts a pattern into c->set and c->edge. */
static ms_status cut(cutter *c, uint32_t pattern, ms_error *err)
{
  const ms_cut_options *o = c->options;
  c->garden.random =
      (ms_random_sequence){.seed = o->seed, .stream = MS_STREAM_CUT, .part = pattern};
  for (uint32_t draw = 0; draw < MAX_DRAWS; draw++) {
    if (draw % DRAWS_PER_POLL == 0)
      MS_TRY(ms_stop_poll(PHASE, err));
    if (!draw_set(c))
      continue;
    mix_set(c);
    find_edges(c);
    if (!fits(c))
      continue;
    if (o->edges > 0)
      choose_edges(c, (uint32_t)o->edges);
    return MS_OK;
  }
  return refuse(c, pattern, err);
}

/* Returns one of the vertex's colours. */
static uint32_t draw_color(cutter *c, uint32_t v)
{
  uint32_t count = 0;
  const uint32_t *color =
      c->options->coloring ? ms_coloring_of(c->options->coloring, v, &count) : NULL;
  return count == 0 ? MS_NO_ID : color[count == 1 ? 0 : draw_below(c, count)];
}

static void add_arc(ms_cuts *cuts, uint64_t *end, uint32_t from, uint32_t to)
{
  cuts->edges[*end][0] = from;
  cuts->edges[(*end)++][1] = to;
}

/* Adds the pattern that was cut to the others. */
static ms_status store(cutter *c, uint32_t pattern, ms_cuts *cuts, uint64_t *room, ms_error *err)
{
  const ms_graph *graph = c->garden.graph;
  uint64_t end = cuts->offset[pattern], place = (uint64_t)pattern * cuts->k;
  if (!MS_GROW(cuts->edges, *room, end, 2 * (uint64_t)c->edges))
    return ms_fail_memory(err, "the edges of patterns");
  memcpy(cuts->vertices + place, c->set, cuts->k * sizeof *c->set);
  for (uint32_t i = 0; i < cuts->k; i++)
    cuts->color[place + i] = draw_color(c, c->set[i]);
  for (uint32_t e = 0; e < c->edges; e++) {
    cut_edge edge = c->edge[e];
    uint64_t arc = ms_graph_find_arc(graph, c->set[edge.a], c->set[edge.b]);
    uint8_t direction = graph->direction ? graph->direction[arc] : MS_ARC_TO;
    if (direction & MS_ARC_TO)
      add_arc(cuts, &end, edge.a, edge.b);
    if (direction & MS_ARC_FROM)
      add_arc(cuts, &end, edge.b, edge.a);
  }
  cuts->offset[pattern + 1] = end;
  return MS_OK;
}

static ms_status check(const ms_graph *graph, const ms_cut_options *o, ms_error *err)
{
  if (o->patterns > MS_MAX_CUTS)
    return ms_fail(err, MS_ERR_USAGE, "%u patterns are too many; give at most %u", o->patterns,
                   MS_MAX_CUTS);
  if (o->vertices < 2 || o->vertices > MS_MAX_PATTERN)
    return ms_fail(err, MS_ERR_USAGE,
                   "patterns of %u vertices are out of range; give from 2 to %u vertices",
                   o->vertices, MS_MAX_PATTERN);
  uint64_t most = (uint64_t)o->vertices * (o->vertices - 1) / 2;
  if (o->edges > 0 && (o->edges < o->vertices - 1 || o->edges > most))
    return ms_fail(err, MS_ERR_USAGE,
                   "a connected pattern of %u vertices has from %u to %llu edges, and not %llu; "
                   "correct one of the numbers",
                   o->vertices, o->vertices - 1, (unsigned long long)most,
                   (unsigned long long)o->edges);
  if (o->vertices > graph->n || graph->arcs == 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "a graph of %u vertices and %llu edges has no connected set of %u vertices; give "
        "smaller patterns, or another graph",
        graph->n, (unsigned long long)graph->arcs / 2, o->vertices);
  return o->coloring ? ms_coloring_check(o->coloring, graph, err) : MS_OK;
}

static ms_status reserve_all(const ms_graph *graph, const ms_cut_options *o, cutter *c,
                             ms_cuts *out, ms_error *err)
{
  uint32_t k = o->vertices;
  *out = (ms_cuts){.patterns = o->patterns, .k = k};
  out->vertices = ms_alloc((size_t)o->patterns * k, sizeof *out->vertices);
  out->color = ms_alloc((size_t)o->patterns * k, sizeof *out->color);
  out->offset = ms_calloc((size_t)o->patterns + 1, sizeof *out->offset);
  c->garden.used = ms_calloc(graph->n, sizeof *c->garden.used);
  c->set = ms_alloc(k, sizeof *c->set);
  c->parent = ms_alloc(k, sizeof *c->parent);
  c->edge = ms_alloc((size_t)k * (k - 1) / 2, sizeof *c->edge);
  bool got = out->vertices && out->color && out->offset && c->garden.used && c->set && c->parent &&
             c->edge;
  return got ? MS_OK : ms_fail_memory(err, "patterns");
}

ms_status ms_cut_patterns(const ms_graph *graph, const ms_cut_options *options, ms_cuts *out,
                          ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = (ms_cuts){0};
  MS_REQUIRE(graph, err);
  ms_cut_options o;
  uint64_t room = 0;
  MS_TRY(ms_options_take(&ms_cut_options_kind, options, &o, err));
  o.patterns = o.patterns ? o.patterns : 1;
  MS_TRY(check(graph, &o, err));
  cutter c = {.garden = {.graph = graph}, .options = &o};
  ms_status status = reserve_all(graph, &o, &c, out, err);
  for (uint32_t i = 0; i < o.patterns && status == MS_OK; i++) {
    status = cut(&c, i, err);
    if (status == MS_OK)
      status = store(&c, i, out, &room, err);
  }
  ms_free(c.garden.used);
  ms_free(c.set);
  ms_free(c.parent);
  ms_free(c.edge);
  if (status != MS_OK)
    ms_cuts_clear(out);
  return status;
}

void ms_cuts_clear(ms_cuts *cuts)
{
  if (!cuts)
    return;
  ms_free(cuts->vertices);
  ms_free(cuts->color);
  ms_free(cuts->offset);
  ms_free(cuts->edges);
  *cuts = (ms_cuts){0};
}
