#include "verify/permuted_chains.h"

#include "base/alloc.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_CLASS UINT32_MAX
#define REDRAWS 64u /* of two vertices with the same list of colours */
#define LOOK 4096u  /* swaps between two looks at the token */

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

/* ---- edges --------------------------------------------------------------------------------- */

struct ms_label_chain {
  const ms_graph *graph;
  const uint32_t *member, *first;
  uint32_t *end; /* [members] the place behind the last one of the stratum of each */
  uint32_t members, n, classes;
  uint32_t *original, *now; /* [n] the class of the list of colours; NO_CLASS: none */
  uint32_t *hub;            /* [n] whose list of colours each vertex has at the hub */
  int32_t *surplus;     /* [classes][classes] edges between two classes, less those of the graph,
                           in both orders of the classes */
  uint64_t edges;       /* between vertices with colours */
  int64_t apart;        /* the sum of |surplus| over all pairs of classes */
  int32_t *hub_surplus; /* these two at the hub */
  int64_t hub_apart;
};

static bool same_list(const ms_coloring *coloring, uint32_t u, uint32_t v)
{
  uint32_t a, b;
  const uint32_t *x = ms_coloring_of(coloring, u, &a), *y = ms_coloring_of(coloring, v, &b);
  return a == b && (a == 0 || memcmp(x, y, a * sizeof *x) == 0);
}

static uint64_t hash_list(const ms_coloring *coloring, uint32_t v)
{
  uint32_t count;
  const uint32_t *color = ms_coloring_of(coloring, v, &count);
  uint64_t hash = 0xcbf29ce484222325;
  for (uint32_t i = 0; i < count; i++)
    hash = (hash ^ color[i]) * 0x100000001b3;
  return hash ^ hash >> 29;
}

/* Gives vertices with the same list the same class. */
static ms_status find_classes(ms_label_chain *c, const ms_coloring *coloring, ms_error *err)
{
  uint64_t places = 16;
  while (places < 2 * (uint64_t)c->members)
    places *= 2;
  uint32_t *met = ms_calloc(places, sizeof *met); /* 1 + a vertex of each class */
  if (!met)
    return ms_fail_memory(err, "permutations");
  memset(c->original, 0xff, c->n * sizeof *c->original);
  for (uint32_t i = 0; i < c->members; i++) {
    uint32_t v = c->member[i];
    uint64_t at = hash_list(coloring, v) & (places - 1);
    while (met[at] && !same_list(coloring, met[at] - 1, v))
      at = (at + 1) & (places - 1);
    c->original[v] = met[at] ? c->original[met[at] - 1] : c->classes++;
    met[at] = met[at] ? met[at] : v + 1;
  }
  ms_free(met);
  return MS_OK;
}

static void fill_ends(ms_label_chain *c)
{
  for (uint32_t i = c->members; i-- > 0;)
    c->end[i] = i + 1 < c->members && c->first[i + 1] == c->first[i] ? c->end[i + 1] : i + 1;
}

static void count_edges(ms_label_chain *c)
{
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t count;
    const uint32_t *near = ms_graph_neighbors(c->graph, v, &count);
    for (uint32_t i = 0; i < count; i++)
      c->edges += near[i] < v && c->original[v] != NO_CLASS && c->original[near[i]] != NO_CLASS;
  }
}

/* Adds to the surplus of two classes. */
static void add_surplus(ms_label_chain *c, uint32_t a, uint32_t b, int32_t more)
{
  int32_t *one = &c->surplus[(size_t)a * c->classes + b];
  int32_t *other = &c->surplus[(size_t)b * c->classes + a];
  int32_t before = *one;
  *one = *other = before + more;
  c->apart += labs((long)before + more) - labs((long)before);
}

/* Adds `more` to the surplus for each edge at v, as its class says now, but not for that to
 * `except`. */
static void add_edges(ms_label_chain *c, uint32_t v, uint32_t except, int32_t more)
{
  uint32_t count;
  const uint32_t *near = ms_graph_neighbors(c->graph, v, &count);
  for (uint32_t i = 0; i < count; i++)
    if (near[i] != except && c->now[near[i]] != NO_CLASS)
      add_surplus(c, c->now[v], c->now[near[i]], more);
}

/* Exchanges the lists of u and v.  An edge between them keeps its two classes. */
static void exchange(ms_label_chain *c, uint32_t u, uint32_t v)
{
  add_edges(c, u, v, -1);
  add_edges(c, v, u, -1);
  uint32_t class = c->now[u];
  c->now[u] = c->now[v];
  c->now[v] = class;
  add_edges(c, u, v, 1);
  add_edges(c, v, u, 1);
}

/* Returns the weight: 0.8 ln(pairs of classes), and at least 1. */
static double weight_of(const ms_label_chain *c)
{
  double weight = 0.8 * log((double)c->classes * (c->classes + 1.0) / 2);
  return c->classes > 0 && weight > 1 ? weight : 1;
}

/* True if a swap that moves the table away by `more` is taken: the probability is exp(-w more), cut
 * to 32 bits. */
static bool is_taken(double weight, int64_t more, uint64_t bits)
{
  if (more <= 0)
    return true;
  double chance = exp(-weight * (double)(more < 64 ? more : 64));
  return bits <= (uint64_t)(chance * 4294967296.0) << 32;
}

/* Tries one swap, with the random numbers of permutation i from *at on. */
static void try_swap(ms_label_chain *c, uint64_t seed, uint64_t i, uint32_t purpose, double weight,
                     uint64_t *at, uint32_t *from, ms_chain_trace *trace)
{
  uint32_t u = 0, v = 0, draws = 0;
  do {
    uint64_t place = ms_permuted_scale(ms_permuted_draw(seed, i, purpose, *at), c->members);
    uint32_t first = c->first[place], others = c->end[place] - first;
    u = c->member[place];
    v = c->member[first + ms_permuted_scale(ms_permuted_draw(seed, i, purpose, *at + 1), others)];
    *at += 2;
  } while (++draws < REDRAWS && c->now[u] == c->now[v]);
  if (c->now[u] == c->now[v])
    return;
  int64_t before = c->apart;
  exchange(c, u, v);
  trace->tried++;
  if (!is_taken(weight, c->apart - before, ms_permuted_draw(seed, i, purpose, (*at)++))) {
    exchange(c, u, v);
    return;
  }
  trace->accepted++;
  uint32_t moved = from[u];
  from[u] = from[v];
  from[v] = moved;
}

/* Walks from where the chain stands until enough steps have ended on the table. */
static ms_status swap_lists(ms_label_chain *c, uint64_t seed, uint64_t i, uint32_t purpose,
                            const ms_stop *stop, uint32_t *from, ms_chain_trace *trace,
                            ms_error *err)
{
  uint64_t steps = (uint64_t)c->members * MS_SWAPS_OF_VERTEX, at = 0, ended = 0;
  double weight = weight_of(c);
  for (uint64_t s = 0; ended < steps && s < MS_MOST_TRIES * steps; s++) {
    if (s % LOOK == 0 && ms_stop_check(stop) != MS_OK)
      return ms_fail(err, ms_stop_check(stop), "stopped while permutations were made");
    try_swap(c, seed, i, purpose, weight, &at, from, trace);
    ended += c->apart == 0;
  }
  double deviation = c->edges ? (double)c->apart / 2 / (double)c->edges : 0;
  trace->deviation = deviation > trace->deviation ? deviation : trace->deviation;
  return MS_OK;
}

static ms_status find_label_hub(ms_label_chain *c, uint64_t seed, const ms_stop *stop,
                                ms_error *err)
{
  size_t bytes = (size_t)c->classes * c->classes * sizeof *c->surplus;
  ms_chain_trace trace = {0};
  memcpy(c->now, c->original, c->n * sizeof *c->now);
  memset(c->surplus, 0, bytes);
  for (uint32_t v = 0; v < c->n; v++)
    c->hub[v] = v;
  MS_TRY(swap_lists(c, seed, 0, 2, stop, c->hub, &trace, err));
  memcpy(c->hub_surplus, c->surplus, bytes);
  c->hub_apart = c->apart;
  return MS_OK;
}

ms_status ms_label_chain_new(const ms_graph *graph, const ms_coloring *coloring,
                             const uint32_t *member, const uint32_t *first, uint32_t members,
                             uint64_t seed, const ms_stop *stop, ms_label_chain **out,
                             ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(graph);
  ms_label_chain *c = ms_calloc(1, sizeof *c);
  *out = NULL;
  if (!c)
    return ms_fail_memory(err, "permutations");
  *c = (ms_label_chain){
      .graph = graph, .member = member, .first = first, .members = members, .n = n};
  c->original = ms_alloc(n, sizeof *c->original);
  c->now = ms_alloc(n, sizeof *c->now);
  c->hub = ms_alloc(n, sizeof *c->hub);
  c->end = ms_alloc(members, sizeof *c->end);
  bool ok = c->original && c->now && c->hub && c->end;
  ms_status status = ok ? find_classes(c, coloring, err) : ms_fail_memory(err, "permutations");
  if (status == MS_OK) {
    c->surplus = ms_alloc((size_t)c->classes * c->classes, sizeof *c->surplus);
    c->hub_surplus = ms_alloc((size_t)c->classes * c->classes, sizeof *c->surplus);
    status = c->surplus && c->hub_surplus ? MS_OK : ms_fail_memory(err, "permutations");
  }
  if (status == MS_OK) {
    fill_ends(c);
    count_edges(c);
    status = find_label_hub(c, seed, stop, err);
  }
  if (status == MS_OK)
    *out = c;
  else
    ms_label_chain_free(c);
  return status;
}

void ms_label_chain_free(ms_label_chain *c)
{
  if (c) {
    ms_free(c->original);
    ms_free(c->now);
    ms_free(c->hub);
    ms_free(c->end);
    ms_free(c->surplus);
    ms_free(c->hub_surplus);
    ms_free(c);
  }
}

ms_status ms_label_chain_run(ms_label_chain *c, uint64_t seed, uint64_t i, const ms_stop *stop,
                             uint32_t *from, ms_chain_trace *trace, ms_error *err)
{
  memcpy(from, c->hub, c->n * sizeof *from);
  for (uint32_t v = 0; v < c->n; v++)
    c->now[v] = c->original[from[v]];
  memcpy(c->surplus, c->hub_surplus, (size_t)c->classes * c->classes * sizeof *c->surplus);
  c->apart = c->hub_apart;
  return swap_lists(c, seed, i, 1, stop, from, trace, err);
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
    /* the lowest bit is the direction of the first edge, and the others choose it */
    uint32_t *x = w->edge[ms_permuted_scale(first & ~(uint64_t)1, c->edges)];
    uint32_t *y = w->edge[ms_permuted_scale(second, c->edges)];
    uint32_t a = x[first & 1], b = x[~first & 1], p = y[0], q = y[1];
    trace->tried++;
    if (x == y || a == q || p == b || are_near(c, w, a, q) || are_near(c, w, p, b) ||
        (a == p && b == q) || (a == b && p == q))
      continue;
    replace(c, w, a, b, q);
    replace(c, w, b, a, p);
    replace(c, w, p, q, b);
    replace(c, w, q, p, a);
    x[0] = a;
    x[1] = q;
    y[0] = p;
    y[1] = b;
    trace->accepted++;
  }
  return MS_OK;
}

static void copy_wiring(const ms_edge_chain *c, const wiring *from, wiring *to)
{
  memcpy(to->edge, from->edge, c->edges * sizeof *to->edge);
  memcpy(to->near, from->near, 2 * c->edges * sizeof *to->near);
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

ms_status ms_edge_chain_new(const ms_graph *graph, uint64_t seed, const ms_stop *stop,
                            ms_edge_chain **out, ms_error *err)
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
  ms_status status =
      ok ? walk(c, &c->hub, seed, 0, 2, stop, &trace, err) : ms_fail_memory(err, "permutations");
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
    ms_free(c);
  }
}

ms_status ms_edge_chain_run(ms_edge_chain *c, uint64_t seed, uint64_t i, const ms_stop *stop,
                            ms_graph **out, ms_chain_trace *trace, ms_error *err)
{
  *out = NULL;
  copy_wiring(c, &c->hub, &c->now);
  MS_TRY(walk(c, &c->now, seed, i, 1, stop, trace, err));
  return ms_graph_from_edges(c->n, c->edges, (const uint32_t(*)[2])c->now.edge, NULL, out, err);
}
