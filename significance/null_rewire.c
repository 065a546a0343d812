/* Random graphs with the degrees of a graph.
 *
 * A step of the chain draws two edges and a direction of each, (a, b) and (c, d), and puts (a, d)
 * and (c, b) in their place, unless one of these is a loop or an edge already (XSwap: S.
 * Hanhijärvi, G. C. Garriga and K. Puolamäki: Randomization techniques for graphs, SDM 2009).  A
 * step and its reverse are equally likely, so that the chain is reversible, and the uniform
 * distribution over all graphs with these degrees is stationary.
 *
 * One chain leads from the graph to a *hub*, and a chain of its own for each number leads from the
 * hub to its graph, all with as many steps (the parallel method of J. Besag and P. Clifford:
 * Generalized Monte Carlo significance tests, Biometrika 76, 1989).  If the graph itself is
 * uniform, as the null hypothesis says, then it and all these graphs are what chains reach that
 * begin at the hub, one of them read backwards: they are exchangeable.  So p = (1 + n) / (1 + N) is
 * valid for any number of steps.  A chain that is too short costs power, not level. */
#include "significance/nulls.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "significance/draws.h"

#include <string.h>

#define FREE UINT64_MAX

/* The edges, and a table of them: open addressing with linear probing. */
typedef struct chain {
  uint32_t (*edge)[2];
  uint64_t edges;
  uint64_t *key; /* [places] */
  uint64_t places;
} chain;

static uint64_t key_of(uint32_t u, uint32_t v)
{
  return u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
}

/* Only ids go in, which nobody can choose freely: a fixed function will do. */
static uint64_t home_of(const chain *c, uint64_t key)
{
  key *= 0x9E3779B97F4A7C15u;
  return (key ^ key >> 32) & (c->places - 1);
}

/* Returns the place of the key, or the free one where it belongs. */
static uint64_t find_key(const chain *c, uint64_t key)
{
  uint64_t at = home_of(c, key);
  while (c->key[at] != FREE && c->key[at] != key)
    at = (at + 1) & (c->places - 1);
  return at;
}

/* Empties a place, and moves those behind it up that could no longer be found (D. E. Knuth: The Art
 * of Computer Programming, 6.4, algorithm R). */
static void remove_key(chain *c, uint64_t key)
{
  uint64_t hole = find_key(c, key), mask = c->places - 1;
  for (uint64_t at = (hole + 1) & mask; c->key[at] != FREE; at = (at + 1) & mask) {
    uint64_t home = home_of(c, c->key[at]);
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      c->key[hole] = c->key[at];
      hole = at;
    }
  }
  c->key[hole] = FREE;
}

/* Replaces edges i and j; `turn`: the first one is read the other way round. */
static bool try_step(chain *c, uint64_t i, uint64_t j, bool turn)
{
  uint32_t *x = c->edge[i], *y = c->edge[j];
  uint32_t a = x[turn], b = x[!turn], third = y[0], d = y[1];
  if (i == j || a == d || third == b)
    return false;
  uint64_t first = key_of(a, d), second = key_of(third, b);
  if (first == second || c->key[find_key(c, first)] != FREE || c->key[find_key(c, second)] != FREE)
    return false;
  remove_key(c, key_of(a, b));
  remove_key(c, key_of(third, d));
  c->key[find_key(c, first)] = first;
  c->key[find_key(c, second)] = second;
  x[0] = a;
  x[1] = d;
  y[0] = third;
  y[1] = b;
  return true;
}

static ms_status run_chain(chain *c, ms_draws *d, ms_null_trace *trace, ms_error *err)
{
  uint64_t steps = c->edges > 1 ? c->edges * ms_hooks.null_edge_swaps : 0;
  __extension__ typedef unsigned __int128 wide;
  for (uint64_t i = 0; i < steps; i++) {
    if (i % 4096 == 0)
      MS_TRY(ms_stop_poll("edges are rewired", err));
    uint64_t first = ms_draws_next(d), second = ms_draws_next(d);
    bool done = try_step(c, (uint64_t)((wide)(first >> 1) * c->edges >> 63),
                         (uint64_t)((wide)second * c->edges >> 64), first & 1);
    trace->tried++;
    trace->accepted += done;
  }
  return MS_OK;
}

static void close_chain(chain *c)
{
  ms_free(c->key);
  ms_free(c->edge);
}

/* Makes a chain that stands at these edges. */
static ms_status open_chain(chain *c, const uint32_t (*edge)[2], uint64_t edges, ms_error *err)
{
  *c = (chain){.edges = edges, .places = 16};
  while (c->places < 2 * edges)
    c->places *= 2;
  c->edge = ms_alloc(edges, sizeof *c->edge);
  c->key = ms_alloc(c->places, sizeof *c->key);
  if (!c->edge || !c->key) {
    close_chain(c);
    return ms_fail_memory(err, "a rewired graph");
  }
  memcpy(c->edge, edge, edges * sizeof *c->edge);
  memset(c->key, 0xff, c->places * sizeof *c->key);
  for (uint64_t i = 0; i < edges; i++) {
    uint64_t key = key_of(c->edge[i][0], c->edge[i][1]);
    c->key[find_key(c, key)] = key;
  }
  return MS_OK;
}

/* Moves the edges of the graph to those of the hub. */
static ms_status find_hub(ms_null *null, ms_error *err)
{
  chain c;
  ms_draws d;
  ms_null_trace trace = {0};
  MS_TRY(open_chain(&c, (const uint32_t(*)[2])null->edge, null->edges, err));
  ms_draws_open(&d, null->seed, 0, MS_DRAW_HUB);
  ms_status status = run_chain(&c, &d, &trace, err);
  memcpy(null->edge, c.edge, c.edges * sizeof *c.edge);
  close_chain(&c);
  return status;
}

ms_status ms_null_rewire_open(ms_null *null, ms_error *err)
{
  const ms_graph *g = null->graph;
  null->edge = ms_alloc(g->arcs / 2, sizeof *null->edge);
  if (!null->edge)
    return ms_fail_memory(err, "the edges of a graph");
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
      if (g->neighbor[a] > v) {
        null->edge[null->edges][0] = v;
        null->edge[null->edges++][1] = g->neighbor[a];
      }
  return find_hub(null, err);
}

ms_status ms_null_graph(const ms_null *null, uint64_t number, ms_graph **out, ms_null_trace *trace,
                        ms_error *err)
{
  chain c;
  ms_draws d;
  ms_null_trace none;
  trace = trace ? trace : &none;
  *trace = (ms_null_trace){0};
  *out = NULL;
  MS_TRY(open_chain(&c, (const uint32_t(*)[2])null->edge, null->edges, err));
  ms_draws_open(&d, null->seed, number, MS_DRAW_SWAP);
  ms_status status = run_chain(&c, &d, trace, err);
  if (status == MS_OK)
    status =
        ms_graph_from_edges(null->graph->n, c.edges, (const uint32_t(*)[2])c.edge, NULL, out, err);
  close_chain(&c);
  return status;
}
