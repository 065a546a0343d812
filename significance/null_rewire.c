/* Random graphs with the degrees of a graph.
 *
 * A step of the chain draws two edges and a direction of each, (a, b) and (c, d), and puts (a, d)
 * and (c, b) in their place, unless one of these is a loop or an edge already (XSwap: S.
 * Hanhijärvi, G. C. Garriga and K. Puolamäki: Randomization techniques for graphs, SDM 2009).  A
 * step and its reverse are equally likely, so that the chain is reversible, and the uniform
 * distribution over all graphs with these degrees is stationary.
 *
 * Of a directed graph, a pair of vertices has one arc, or two that are mutual, or none.  A step
 * draws two arcs of the first kind, (a, b) and (c, d), whose directions stay, or two mutual pairs,
 * and exchanges them with (a, d) and (c, b), if these are alike: no arcs, mutual, from a and c, or
 * from d and b.  So each vertex keeps its numbers of arcs out, arcs in and mutual arcs.  Such steps
 * do not turn a cycle of three arcs around (A. R. Rao, R. Jana and S. Bandyopadhyay: A Markov chain
 * Monte Carlo method for generating random (0, 1)-matrices with given marginals, Sankhya A 58,
 * 1996).  So every 16th step draws three arcs, and turns them around if they are one.
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

#define SMALL_TABLE ((uint64_t)1 << 18) /* places that fit in a cache */

#define TURN_EVERY 16u /* steps, of a directed graph */

__extension__ typedef unsigned __int128 wide;

/* The edges, and which pairs of vertices they join: a bit for each pair, or a table of the edges
 * with open addressing and linear probing. */
typedef struct chain {
  uint32_t (*edge)[2];
  uint64_t edges, single; /* the first `single` ones have a direction */
  uint64_t *bits;         /* [pairs / 64 + 1]; NULL: the table has the edges */
  uint64_t *key;          /* [places] */
  uint64_t *at; /* [places] the number of the edge of the key; NULL: no edge has a direction */
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
      if (c->at)
        c->at[hole] = c->at[at];
      hole = at;
    }
  }
  c->key[hole] = FREE;
}

/* Turns arcs i, j and k around, if each begins where another one ends. */
static bool try_turn(chain *c, uint64_t i, uint64_t j, uint64_t k)
{
  uint32_t(*e)[2] = c->edge;
  bool is_cycle =
      i != j && j != k && i != k && e[i][1] == e[j][0] && e[j][1] == e[k][0] && e[k][1] == e[i][0];
  const uint64_t place[] = {i, j, k};
  for (int a = 0; is_cycle && a < 3; a++) {
    uint32_t from = e[place[a]][0];
    e[place[a]][0] = e[place[a]][1];
    e[place[a]][1] = from;
  }
  return is_cycle;
}

/* Returns the number of the bit of a pair. */
static uint64_t bit_of(uint32_t u, uint32_t v)
{
  uint64_t high = u < v ? v : u, low = u < v ? u : v;
  return high * (high - 1) / 2 + low;
}

static bool has_pair(const chain *c, uint32_t u, uint32_t v)
{
  if (!c->bits)
    return c->key[find_key(c, key_of(u, v))] != FREE;
  uint64_t bit = bit_of(u, v);
  return c->bits[bit / 64] >> bit % 64 & 1;
}

static void flip_bit(chain *c, uint64_t bit)
{
  c->bits[bit / 64] ^= (uint64_t)1 << bit % 64;
}

static void put_key(chain *c, uint64_t edge)
{
  uint64_t key = key_of(c->edge[edge][0], c->edge[edge][1]), place = find_key(c, key);
  c->key[place] = key;
  if (c->at)
    c->at[place] = edge;
}

/* Exchanges edges i and j, a to b and c to d, with those of the pairs at places p and q, a with d
 * and c with b, if these are alike. */
static bool exchange(chain *c, uint64_t i, uint64_t j, uint64_t p, uint64_t q)
{
  uint64_t x = c->at[p], y = c->at[q];
  uint32_t a = c->edge[i][0], b = c->edge[i][1], third = c->edge[j][0], d = c->edge[j][1];
  bool is_single = x < c->single, from_a = c->edge[x][0] == a, from_third = c->edge[y][0] == third;
  if (is_single != (y < c->single) || (is_single && from_a != from_third) || x == i || x == j)
    return false;
  c->edge[i][1] = d;
  c->edge[j][1] = b;
  c->edge[x][0] = from_a ? a : b;
  c->edge[x][1] = from_a ? b : a;
  c->edge[y][0] = from_a ? third : d;
  c->edge[y][1] = from_a ? d : third;
  c->at[find_key(c, key_of(a, d))] = i;
  c->at[find_key(c, key_of(third, b))] = j;
  c->at[find_key(c, key_of(a, b))] = x;
  c->at[find_key(c, key_of(third, d))] = y;
  return true;
}

/* Replaces edges i and j by a to d and c to b: puts them in their places. */
static void replace_edges(chain *c, uint64_t i, uint64_t j, const uint32_t end[4])
{
  uint32_t *x = c->edge[i], *y = c->edge[j];
  if (c->bits) {
    flip_bit(c, bit_of(end[0], end[1]));
    flip_bit(c, bit_of(end[2], end[3]));
    flip_bit(c, bit_of(end[0], end[3]));
    flip_bit(c, bit_of(end[2], end[1]));
  } else {
    remove_key(c, key_of(end[0], end[1]));
    remove_key(c, key_of(end[2], end[3]));
  }
  x[0] = end[0];
  x[1] = end[3];
  y[0] = end[2];
  y[1] = end[1];
  if (!c->bits) {
    put_key(c, i);
    put_key(c, j);
  }
}

/* Replaces edges i and j; `turn`: the first one is read the other way round. */
static bool try_step(chain *c, uint64_t i, uint64_t j, bool turn)
{
  const uint32_t *x = c->edge[i], *y = c->edge[j];
  const uint32_t end[4] = {x[turn], x[!turn], y[0], y[1]};
  uint64_t first = key_of(end[0], end[3]), second = key_of(end[2], end[1]);
  if (i == j || end[0] == end[3] || end[2] == end[1] || first == second)
    return false;
  bool has_first = has_pair(c, end[0], end[3]), has_second = has_pair(c, end[2], end[1]);
  if (!has_first && !has_second) {
    replace_edges(c, i, j, end);
    return true;
  }
  if (!c->at || !has_first || !has_second)
    return false;
  c->edge[i][0] = end[0];
  c->edge[i][1] = end[1];
  return exchange(c, i, j, find_key(c, first), find_key(c, second));
}

static uint64_t scale(uint64_t random, uint64_t count)
{
  return (uint64_t)((wide)random * count >> 64);
}

/* What a step draws. */
typedef struct drawn {
  uint64_t i, j, k; /* k: of a cycle */
  bool is_cycle, turn;
} drawn;

static drawn draw_step(const chain *c, ms_draws *d, uint64_t number)
{
  uint64_t first = ms_draws_next(d), second = ms_draws_next(d);
  uint64_t i = (uint64_t)((wide)(first >> 1) * c->edges >> 63);
  if (c->single > 0 && number % TURN_EVERY == 0)
    return (drawn){scale(first, c->single), scale(second, c->single),
                   scale(ms_draws_next(d), c->single), true, false};
  if (i < c->single)
    return (drawn){i, scale(second, c->single), 0, false, false};
  return (drawn){i, c->single + scale(second, c->edges - c->single), 0, false, first & 1};
}

static void fetch_pair(const chain *c, uint32_t u, uint32_t v)
{
  if (c->bits)
    __builtin_prefetch(&c->bits[bit_of(u, v) / 64], 1);
  else
    __builtin_prefetch(&c->key[home_of(c, key_of(u, v))], 1);
}

/* Loads what a step looks at, if its edges stay as they are until then. */
static void fetch_pairs(const chain *c, const drawn *s)
{
  const uint32_t *x = c->edge[s->i], *y = c->edge[s->j];
  fetch_pair(c, x[s->turn], y[1]);
  fetch_pair(c, y[0], x[!s->turn]);
  fetch_pair(c, x[0], x[1]);
  fetch_pair(c, y[0], y[1]);
}

#define AHEAD 16u /* steps that are drawn before they are made */

/* The edges of a step and their places in the table are at random: it would wait for memory at each
 * of them, but they are loaded while others are made.  The chain to the hub takes the kinds of its
 * steps `backwards`, so that it is the reverse of those from it. */
static ms_status run_chain(chain *c, ms_draws *d, bool backwards, ms_null_trace *trace,
                           ms_error *err)
{
  uint64_t steps = c->edges > 1 ? c->edges * ms_hooks.null_edge_swaps : 0;
  drawn next[AHEAD];
  for (uint64_t made = 0, drawn_steps = 0; made < steps; made++) {
    if (made % 4096 == 0)
      MS_TRY(ms_stop_poll("edges are rewired", err));
    for (; drawn_steps < steps && drawn_steps < made + AHEAD; drawn_steps++) {
      drawn *s = &next[drawn_steps % AHEAD];
      *s = draw_step(c, d, backwards ? steps - 1 - drawn_steps : drawn_steps);
      __builtin_prefetch(c->edge[s->i], 1);
      __builtin_prefetch(c->edge[s->j], 1);
    }
    if (made + AHEAD / 2 < drawn_steps)
      fetch_pairs(c, &next[(made + AHEAD / 2) % AHEAD]);
    const drawn *s = &next[made % AHEAD];
    trace->accepted +=
        s->is_cycle ? try_turn(c, s->i, s->j, s->k) : try_step(c, s->i, s->j, s->turn);
    trace->tried++;
  }
  return MS_OK;
}

static void close_chain(chain *c)
{
  ms_free(c->bits);
  ms_free(c->key);
  ms_free(c->at);
  ms_free(c->edge);
}

/* Makes a chain that stands at the edges of the null. */
static ms_status open_chain(chain *c, const ms_null *null, ms_error *err)
{
  const uint32_t(*edge)[2] = (const uint32_t(*)[2])null->edge;
  uint64_t edges = null->edges;
  uint64_t n = null->graph->n, words = n * n / 2 / 64 + 1;
  *c = (chain){.edges = edges, .single = null->single, .places = 16};
  while (c->places < 2 * edges)
    c->places *= 2;
  /* A bit needs no search, but the bits of a large sparse graph take more memory than its table. */
  uint64_t most = ms_hooks.null_words * (c->places > SMALL_TABLE ? c->places : SMALL_TABLE);
  bool has_bits = null->single == 0 && words <= most;
  c->edge = ms_alloc(edges, sizeof *c->edge);
  if (has_bits)
    c->bits = ms_calloc(words, sizeof *c->bits);
  else
    c->key = ms_alloc(c->places, sizeof *c->key);
  if (null->single > 0)
    c->at = ms_alloc(c->places, sizeof *c->at);
  if (!c->edge || (!c->bits && !c->key) || (null->single > 0 && !c->at)) {
    close_chain(c);
    return ms_fail_memory(err, "a rewired graph");
  }
  memcpy(c->edge, edge, edges * sizeof *c->edge);
  if (c->key)
    memset(c->key, 0xff, c->places * sizeof *c->key);
  for (uint64_t i = 0; i < edges; i++)
    if (c->bits)
      flip_bit(c, bit_of(edge[i][0], edge[i][1]));
    else
      put_key(c, i);
  return MS_OK;
}

/* Moves the edges of the graph to those of the hub. */
static ms_status find_hub(ms_null *null, ms_error *err)
{
  chain c;
  ms_draws d;
  ms_null_trace trace = {0};
  MS_TRY(open_chain(&c, null, err));
  ms_draws_open(&d, null->seed, 0, MS_DRAW_HUB);
  ms_status status = run_chain(&c, &d, true, &trace, err);
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
  for (int mutual = 0; mutual < 2; mutual++) { /* those with a direction come first */
    for (uint32_t v = 0; v < g->n; v++)
      for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++) {
        bool has_one = null->directed && g->direction[a] != (MS_ARC_TO | MS_ARC_FROM);
        bool is_from = has_one ? g->direction[a] == MS_ARC_TO : g->neighbor[a] > v;
        if (has_one == mutual || !is_from)
          continue;
        null->edge[null->edges][0] = v;
        null->edge[null->edges++][1] = g->neighbor[a];
      }
    if (!mutual)
      null->single = null->edges;
  }
  return find_hub(null, err);
}

/* Makes the graph of the edges. */
static ms_status make_graph(const ms_null *null, const chain *c, ms_graph **out, ms_error *err)
{
  uint32_t n = null->graph->n;
  uint64_t mutual = c->edges - c->single;
  const uint32_t(*edge)[2] = (const uint32_t(*)[2])c->edge;
  if (!null->directed)
    return ms_graph_from_edges(n, c->edges, edge, NULL, out, err);
  uint32_t(*arc)[2] = ms_alloc(c->edges + mutual, sizeof *arc);
  if (!arc)
    return ms_fail_memory(err, "a rewired graph");
  memcpy(arc, edge, c->edges * sizeof *arc);
  for (uint64_t i = 0; i < mutual; i++) {
    arc[c->edges + i][0] = edge[c->single + i][1];
    arc[c->edges + i][1] = edge[c->single + i][0];
  }
  ms_status status =
      ms_graph_from_arcs(n, c->edges + mutual, (const uint32_t(*)[2])arc, NULL, out, err);
  ms_free(arc);
  return status;
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
  MS_TRY(open_chain(&c, null, err));
  ms_draws_open(&d, null->seed, number, MS_DRAW_SWAP);
  ms_status status = run_chain(&c, &d, false, trace, err);
  if (status == MS_OK)
    status = make_graph(null, &c, out, err);
  close_chain(&c);
  return status;
}
