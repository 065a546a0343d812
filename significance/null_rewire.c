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
 * With colours held, a step swaps two ends with the same label of edges of one kind: of two arcs
 * their heads or their tails, of others any ends.  So an end keeps its label, and its class.  A
 * cycle of arcs is turned around by exchanging two of its vertices, which have the same label.
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
  const ms_null *null;
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

/* A vertex of an edge. */
typedef struct end {
  uint64_t edge;
  bool place;
} end;

/* What a step does: it swaps two ends, or turns three arcs around. */
typedef struct step {
  end x, y;
  uint64_t third; /* of a cycle, whose other arcs are those of x and y */
  bool is_cycle;
} step;

static uint32_t *vertex_of(const chain *c, end e)
{
  return &c->edge[e.edge][e.place];
}

/* Exchanges vertices u and w of an edge. */
static void exchange_vertices(uint32_t edge[2], uint32_t u, uint32_t w)
{
  for (int i = 0; i < 2; i++)
    edge[i] = edge[i] == u ? w : edge[i] == w ? u : edge[i];
}

/* Turns three arcs around, if each begins where another one ends. */
static bool try_turn(chain *c, const step *s)
{
  uint32_t *arc[] = {c->edge[s->x.edge], c->edge[s->y.edge], c->edge[s->third]};
  const uint16_t *label = c->null->label;
  int same = 0;
  if (arc[0] == arc[1] || arc[1] == arc[2] || arc[0] == arc[2] || arc[0][1] != arc[1][0] ||
      arc[1][1] != arc[2][0] || arc[2][1] != arc[0][0])
    return false;
  for (int i = 0; i < 3 && !c->null->end; i++)
    exchange_vertices(arc[i], arc[i][0], arc[i][1]);
  if (!c->null->end)
    return true;
  while (same < 3 && label[arc[same][0]] != label[arc[same][1]])
    same++;
  if (same == 3)
    return false;
  uint32_t u = arc[same][0], w = arc[same][1];
  for (int i = 0; i < 3; i++)
    exchange_vertices(arc[i], u, w);
  put_key(c, s->x.edge);
  put_key(c, s->y.edge);
  put_key(c, s->third);
  return true;
}

/* Swaps the ends x and y of edges a to b and third to d with those of the pairs at places p and q,
 * a with d and third with b, if these are alike. */
static bool exchange(chain *c, const step *s, const uint32_t v[4], uint64_t p, uint64_t q)
{
  uint64_t x = c->at[p], y = c->at[q];
  bool is_single = x < c->single, from_a = c->edge[x][0] == v[0],
       from_third = c->edge[y][0] == v[2];
  if (is_single != (y < c->single) || (is_single && from_a != from_third) || x == s->x.edge ||
      x == s->y.edge)
    return false;
  *vertex_of(c, s->x) = v[3];
  *vertex_of(c, s->y) = v[1];
  c->edge[x][from_a] = v[1];
  bool place = c->null->end ? from_third : from_a; /* without classes, x and y point alike */
  c->edge[y][!place] = v[2];
  c->edge[y][place] = v[3];
  put_key(c, s->x.edge);
  put_key(c, s->y.edge);
  put_key(c, x);
  put_key(c, y);
  return true;
}

/* Swaps two ends: v[0] to v[1] and v[2] to v[3] become v[0] to v[3] and v[2] to v[1].  Unless ends
 * have classes, the one that is swapped becomes the second vertex of its edge. */
static bool try_step(chain *c, step *s)
{
  const end at_x = {s->x.edge, !s->x.place}, at_y = {s->y.edge, !s->y.place};
  const uint32_t v[4] = {*vertex_of(c, at_x), *vertex_of(c, s->x), *vertex_of(c, at_y),
                         *vertex_of(c, s->y)};
  uint64_t first = key_of(v[0], v[3]), second = key_of(v[2], v[1]);
  if (s->x.edge == s->y.edge || v[0] == v[3] || v[2] == v[1] || first == second)
    return false;
  bool has_first = has_pair(c, v[0], v[3]), has_second = has_pair(c, v[2], v[1]);
  bool is_exchange = has_first && has_second && c->at;
  if ((has_first || has_second) && !is_exchange)
    return false;
  if (!c->null->end && !s->x.place) {
    exchange_vertices(c->edge[s->x.edge], v[0], v[1]);
    s->x.place = true;
  }
  if (is_exchange)
    return exchange(c, s, v, find_key(c, first), find_key(c, second));
  if (c->bits) {
    flip_bit(c, bit_of(v[0], v[1]));
    flip_bit(c, bit_of(v[2], v[3]));
    flip_bit(c, bit_of(v[0], v[3]));
    flip_bit(c, bit_of(v[2], v[1]));
  } else {
    remove_key(c, key_of(v[0], v[1]));
    remove_key(c, key_of(v[2], v[3]));
  }
  *vertex_of(c, s->x) = v[3];
  *vertex_of(c, s->y) = v[1];
  if (!c->bits) {
    put_key(c, s->x.edge);
    put_key(c, s->y.edge);
  }
  return true;
}

static uint64_t scale(uint64_t random, uint64_t count)
{
  return (uint64_t)((wide)random * count >> 64);
}

/* Returns the class of an end. */
static uint32_t class_of(const ms_null *null, const uint32_t edge[2], bool is_single, bool place)
{
  return (is_single ? 1u + place : 0u) * (MS_NO_LABEL + 1u) + null->label[edge[place]];
}

static end end_of(uint64_t number)
{
  return (end){number / 2, number % 2};
}

/* Draws a second end of the class of the first one. */
static step draw_ends(const chain *c, uint64_t first, uint64_t second)
{
  const ms_null *null = c->null;
  end x = end_of(scale(first, 2 * c->edges));
  /* an end keeps its class, so that the edges of the hub tell it */
  uint32_t class = class_of(null, null->edge[x.edge], x.edge < c->single, x.place);
  uint64_t begin = null->end_begin[class];
  return (step){.x = x,
                .y = end_of(null->end[begin + scale(second, null->end_begin[class + 1] - begin)])};
}

static step draw_step(const chain *c, ms_draws *d, uint64_t number)
{
  uint64_t first = ms_draws_next(d), second = ms_draws_next(d);
  uint64_t i = (uint64_t)((wide)(first >> 1) * c->edges >> 63);
  if (c->single > 0 && number % TURN_EVERY == 0)
    return (step){.x.edge = scale(first, c->single),
                  .y.edge = scale(second, c->single),
                  .third = scale(ms_draws_next(d), c->single),
                  .is_cycle = true};
  if (c->null->end)
    return draw_ends(c, first, second);
  if (i < c->single)
    return (step){.x = {i, true}, .y = {scale(second, c->single), true}};
  return (step){.x = {i, ~first & 1}, .y = {c->single + scale(second, c->edges - c->single), true}};
}

static void fetch_pair(const chain *c, uint32_t u, uint32_t v)
{
  if (c->bits)
    __builtin_prefetch(&c->bits[bit_of(u, v) / 64], 1);
  else
    __builtin_prefetch(&c->key[home_of(c, key_of(u, v))], 1);
}

/* Loads what a step looks at, if its edges stay as they are until then. */
static void fetch_pairs(const chain *c, const step *s)
{
  const uint32_t *x = c->edge[s->x.edge], *y = c->edge[s->y.edge];
  fetch_pair(c, x[!s->x.place], y[s->y.place]);
  fetch_pair(c, y[!s->y.place], x[s->x.place]);
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
  step next[AHEAD];
  for (uint64_t made = 0, drawn_steps = 0; made < steps; made++) {
    if (made % 4096 == 0)
      MS_TRY(ms_stop_poll("edges are rewired", err));
    for (; drawn_steps < steps && drawn_steps < made + AHEAD; drawn_steps++) {
      step *s = &next[drawn_steps % AHEAD];
      *s = draw_step(c, d, backwards ? steps - 1 - drawn_steps : drawn_steps);
      __builtin_prefetch(c->edge[s->x.edge], 1);
      __builtin_prefetch(c->edge[s->y.edge], 1);
    }
    if (made + AHEAD / 2 < drawn_steps)
      fetch_pairs(c, &next[(made + AHEAD / 2) % AHEAD]);
    step *s = &next[made % AHEAD];
    trace->accepted += s->is_cycle ? try_turn(c, s) : try_step(c, s);
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
  *c = (chain){.null = null, .edges = edges, .single = null->single, .places = 16};
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

/* Puts all ends in the order of their classes. */
static ms_status sort_ends(ms_null *null, ms_error *err)
{
  null->end = ms_alloc(2 * null->edges, sizeof *null->end);
  null->end_begin = ms_calloc(MS_END_CLASSES + 1, sizeof *null->end_begin);
  if (!null->end || !null->end_begin)
    return ms_fail_memory(err, "the ends of edges");
  uint64_t *begin = null->end_begin, sum = 0;
  for (int pass = 0; pass < 2; pass++) { /* counts, then places */
    for (uint64_t e = 0; e < 2 * null->edges; e++) {
      uint32_t class = class_of(null, null->edge[e / 2], e / 2 < null->single, e % 2);
      uint64_t place = begin[class]++;
      if (pass == 1)
        null->end[place] = e;
    }
    for (uint32_t i = 0; pass == 0 && i < MS_END_CLASSES; i++) {
      uint64_t count = begin[i];
      begin[i] = sum;
      sum += count;
    }
  }
  memmove(begin + 1, begin, MS_END_CLASSES * sizeof *begin);
  begin[0] = 0;
  return MS_OK;
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
  if (null->kind == MS_NULL_REWIRE_COLORS)
    MS_TRY(sort_ends(null, err));
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
