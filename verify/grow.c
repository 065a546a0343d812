#include "verify/grow.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "verify/judge.h"

#include <string.h>

enum { FAR = 255, MOST_CANDIDATES = 4096 };

typedef struct grow_target {
  uint32_t slots;  /* the slots of the colour; 0: a required vertex */
  uint32_t vertex; /* the required vertex */
  uint8_t *hops;   /* [n] edges to the nearest vertex of the target, within what is allowed */
} grow_target;

struct ms_grower {
  const ms_query *query;
  const uint32_t *slots; /* [n] */
  const ms_stop *stop;
  uint8_t *allowed; /* [n] 1: a set may hold the vertex */
  uint32_t targets;
  grow_target target[MS_MAX_TARGETS];
  uint8_t *hops; /* [targets][n] */
  uint64_t random;

  uint32_t *frontier; /* [n] vertices next to the set; a queue while hops are counted */
  uint32_t n_frontier;
  uint32_t *seen; /* [n] the number of the try that saw the vertex last */
  uint32_t try_number;

  uint32_t set[MS_MAX_K], size;
  uint8_t near[MS_MAX_TARGETS];
  int owner[MS_MAX_K];     /* the place in the set of the vertex that fills the slot; -1: none */
  uint32_t used[MS_MAX_K]; /* the slot that set[i] fills */
};

/* ---- making one ---------------------------------------------------------------------- */

/* Lists the targets: colours but the wildcard, which is everywhere, and required vertices. */
static void list_targets(ms_grower *g)
{
  const ms_motif *motif = g->query->motif;
  uint32_t slot = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    uint32_t count = motif->class_[c].count;
    uint32_t slots = (uint32_t)((((uint64_t)1 << count) - 1) << slot);
    if (motif->class_[c].color != MS_WILDCARD)
      g->target[g->targets++].slots = slots;
    slot += count;
  }
  for (uint32_t i = 0; i < g->query->n_required; i++)
    g->target[g->targets++].vertex = g->query->required[i];
}

ms_status ms_grower_new(const ms_query *query, const uint32_t *slots, const ms_stop *stop,
                        ms_grower **out, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(query->graph);
  *out = NULL;
  ms_grower *g = ms_calloc(1, sizeof *g);
  if (!g)
    return ms_fail_memory(err, "the search for matches");
  g->query = query;
  g->slots = slots;
  g->stop = stop;
  g->random = 1;
  list_targets(g);
  g->allowed = ms_calloc(n, 1);
  g->hops = ms_alloc((size_t)g->targets * n, 1);
  g->frontier = ms_alloc(n, sizeof *g->frontier);
  g->seen = ms_calloc(n, sizeof *g->seen);
  if (!g->allowed || !g->hops || !g->frontier || !g->seen) {
    ms_grower_free(g);
    return ms_fail_memory(err, "the search for matches");
  }
  for (uint32_t t = 0; t < g->targets; t++)
    g->target[t].hops = g->hops + (size_t)t * n;
  *out = g;
  return MS_OK;
}

void ms_grower_free(ms_grower *g)
{
  if (g) {
    ms_free(g->allowed);
    ms_free(g->hops);
    ms_free(g->frontier);
    ms_free(g->seen);
    ms_free(g);
  }
}

/* ---- distances ----------------------------------------------------------------------- */

void ms_grower_strike(ms_grower *g, uint32_t v)
{
  g->allowed[v] = 0;
}

bool ms_grower_allows(const ms_grower *g, uint32_t v)
{
  return g->allowed[v];
}

/* Counts the hops to a target by a breadth-first search from its vertices; no more than k matter.
 */
static void count_hops(ms_grower *g, const grow_target *t)
{
  uint32_t n = ms_graph_vertex_count(g->query->graph), k = g->query->motif->k;
  uint32_t *queue = g->frontier, tail = 0;
  memset(t->hops, FAR, n);
  for (uint32_t v = 0; v < n; v++)
    if (g->allowed[v] && (t->slots ? (g->slots[v] & t->slots) != 0 : v == t->vertex)) {
      t->hops[v] = 0;
      queue[tail++] = v;
    }
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t degree, v = queue[head];
    const uint32_t *row = ms_graph_neighbors(g->query->graph, v, &degree);
    for (uint32_t i = 0; i < degree && t->hops[v] < k; i++)
      if (g->allowed[row[i]] && t->hops[row[i]] == FAR) {
        t->hops[row[i]] = (uint8_t)(t->hops[v] + 1);
        queue[tail++] = row[i];
      }
  }
}

ms_status ms_grower_restrict(ms_grower *g, const uint8_t *allowed, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(g->query->graph);
  for (uint32_t v = 0; v < n; v++)
    g->allowed[v] = g->slots[v] && allowed[v];
  for (uint32_t t = 0; t < g->targets; t++) {
    ms_status status = ms_stop_check(g->stop);
    if (status != MS_OK)
      return ms_fail(err, status, "the search for matches was stopped");
    count_hops(g, &g->target[t]);
  }
  return MS_OK;
}

/* A vertex of a colour can be in the set already, and the next one is at least one edge away. */
static uint8_t distance(const grow_target *t, uint32_t v)
{
  return t->slots && t->hops[v] == 0 ? 1 : t->hops[v];
}

void ms_grower_join(const ms_grower *g, const uint8_t *before, uint32_t v, uint8_t *after)
{
  for (uint32_t t = 0; t < g->targets; t++) {
    uint8_t own = distance(&g->target[t], v);
    after[t] = before && before[t] < own ? before[t] : own;
  }
}

bool ms_grower_reaches(const ms_grower *g, const uint32_t *set, uint32_t size, const uint8_t *near,
                       uint32_t left)
{
  for (uint32_t t = 0; t < g->targets; t++) {
    const grow_target *target = &g->target[t];
    uint32_t wanted = target->slots ? (uint32_t)__builtin_popcount(target->slots) : 0, held = 0;
    if (near[t] <= left)
      continue;
    for (uint32_t i = 0; i < size && held < wanted; i++)
      held += (g->slots[set[i]] & target->slots) != 0;
    if (target->slots ? held < wanted : near[t] > 0)
      return false;
  }
  return true;
}

/* ---- growing ------------------------------------------------------------------------- */

static uint32_t draw(ms_grower *g)
{
  g->random = g->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(g->random >> 33);
}

/* Returns the slots that a further vertex may take: slots that are free, and slots whose vertex can
 * move to such a slot. */
static uint32_t open_slots(const ms_grower *g)
{
  uint32_t k = g->query->motif->k, open = 0, before;
  for (uint32_t d = 0; d < k; d++)
    open |= (uint32_t)(g->owner[d] < 0) << d;
  do {
    before = open;
    for (uint32_t i = 0; i < g->size; i++)
      if (g->slots[g->set[i]] & open)
        open |= 1u << g->used[i];
  } while (open != before);
  return open;
}

/* Gives set[i] a slot, and moves vertices to other slots if they have to.  The recursion is at most
 * k deep. */
static bool give_slot(ms_grower *g, uint32_t i, uint32_t *tried)
{
  uint32_t k = g->query->motif->k, slots = g->slots[g->set[i]];
  for (uint32_t d = 0; d < k; d++) {
    if (!(slots >> d & 1) || (*tried >> d & 1))
      continue;
    *tried |= 1u << d;
    if (g->owner[d] < 0 || give_slot(g, (uint32_t)g->owner[d], tried)) {
      g->owner[d] = (int)i;
      g->used[i] = d;
      return true;
    }
  }
  return false;
}

/* Adds v to the set and its neighbours to the frontier. */
static bool add_vertex(ms_grower *g, uint32_t v)
{
  uint32_t degree, tried = 0, i = g->size++;
  const uint32_t *row = ms_graph_neighbors(g->query->graph, v, &degree);
  g->set[i] = v;
  if (!give_slot(g, i, &tried))
    return false;
  ms_grower_join(g, i ? g->near : NULL, v, g->near);
  for (uint32_t j = 0; j < degree; j++)
    if (g->allowed[row[j]] && g->seen[row[j]] != g->try_number) {
      g->seen[row[j]] = g->try_number;
      g->frontier[g->n_frontier++] = row[j];
    }
  return true;
}

/* Returns how many vertices of a target the set lacks, as the slots are given now. */
static uint32_t lacking(const ms_grower *g, const grow_target *t)
{
  uint32_t lack = t->slots == 0;
  for (uint32_t rest = t->slots; rest; rest &= rest - 1)
    lack += g->owner[__builtin_ctz(rest)] < 0;
  for (uint32_t i = 0; i < g->size && !t->slots; i++)
    lack = g->set[i] == t->vertex ? 0 : lack;
  return lack;
}

/* Returns how far the targets are once v has joined the set, the farthest ones counting most;
 * UINT32_MAX: too far. */
static uint32_t cost_of(const ms_grower *g, const uint32_t *lack, uint32_t v)
{
  uint32_t left = g->query->motif->k - g->size - 1, cost = 0;
  for (uint32_t t = 0; t < g->targets; t++) {
    const grow_target *target = &g->target[t];
    uint32_t still = lack[t] - (lack[t] > 0 && target->hops[v] == 0);
    uint32_t own = distance(target, v), hops = own < g->near[t] ? own : g->near[t];
    if (!still)
      continue;
    if (hops > left)
      return UINT32_MAX;
    cost += hops * hops + still - 1;
  }
  return cost;
}

/* Returns the frontier's best vertex, or MS_NO_ID.  `noise` lets others win at times. */
static uint32_t choose_next(ms_grower *g, uint32_t noise)
{
  uint32_t open = open_slots(g), lack[MS_MAX_TARGETS], best = MS_NO_ID, least = UINT32_MAX;
  uint32_t count = g->n_frontier < MOST_CANDIDATES ? g->n_frontier : MOST_CANDIDATES;
  uint32_t at = count ? draw(g) % g->n_frontier : 0;
  for (uint32_t t = 0; t < g->targets; t++)
    lack[t] = lacking(g, &g->target[t]);
  for (; count > 0; count--, at = at + 1 < g->n_frontier ? at + 1 : 0) {
    uint32_t v = g->frontier[at], cost;
    if (!(g->slots[v] & open) || (cost = cost_of(g, lack, v)) == UINT32_MAX)
      continue;
    cost = 8 * cost + (noise ? draw(g) % noise : 0);
    if (cost < least) {
      least = cost;
      best = v;
    }
  }
  return best;
}

static void leave_frontier(ms_grower *g, uint32_t v)
{
  uint32_t at = 0;
  while (g->frontier[at] != v)
    at++;
  g->frontier[at] = g->frontier[--g->n_frontier];
}

static bool grow(ms_grower *g, uint32_t v, uint32_t noise)
{
  uint32_t k = g->query->motif->k;
  g->size = g->n_frontier = 0;
  g->seen[v] = ++g->try_number;
  memset(g->owner, -1, sizeof g->owner);
  while (add_vertex(g, v)) {
    if (g->size == k)
      return ms_grower_reaches(g, g->set, k, g->near, 0);
    v = choose_next(g, noise);
    if (v == MS_NO_ID)
      return false;
    leave_frontier(g, v);
  }
  return false;
}

bool ms_grower_try(ms_grower *g, uint32_t v, uint32_t tries, uint32_t *set)
{
  uint32_t k = g->query->motif->k;
  for (uint32_t i = 0; i < tries && g->allowed[v] && g->slots[v]; i++) {
    if (ms_stop_check(g->stop) != MS_OK)
      return false;
    if (grow(g, v, i ? 8u << i % 5 : 0)) {
      memcpy(set, g->set, k * sizeof *set);
      return true;
    }
  }
  return false;
}
