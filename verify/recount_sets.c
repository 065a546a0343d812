/* The independent recount of a motif: it includes or excludes one vertex after the other.
 *
 * A set S starts with a root, and all smaller vertices are excluded.  A step finds a vertex next to
 * S that is neither in S nor excluded, lists all sets that include it, then excludes it for good in
 * this branch and goes on to the next such vertex.  Exactly one sequence of decisions leads to each
 * connected set with that root.  The search reads the neighbours of S[0], S[1], ... in order.
 * Whatever it has passed is in S or excluded, so the branch that includes a vertex continues from
 * the same place.
 *
 * The search for one match does the same, but leaves a set from which a colour or a required vertex
 * is out of reach. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/judge/judge.h"
#include "verify/recount.h"

#include <string.h>

/* ---- growing a match ------------------------------------------------------------------------- */

/* Connected sets that grow towards a match of a motif.
 *
 * Most vertices that are in a match are in many, and one of them is found without backtracking: the
 * set takes one neighbour after the other, always one that fits the motif and brings the colours
 * and the required vertices that it still lacks near.  A set that cannot go on is given up. */

typedef struct grower grower;

static void grower_free(grower *grower);

enum { FAR = 255, MOST_CANDIDATES = 4096 };

typedef struct grow_target {
  uint32_t slots;  /* the slots of the colour; 0: a required vertex */
  uint32_t vertex; /* the required vertex */
  uint8_t *hops;   /* [n] edges to the nearest vertex of the target, within what is allowed */
} grow_target;

struct grower {
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
static void list_targets(grower *g)
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

/* Makes a grower.  It keeps pointers to the query, to slots[n], the slots that each vertex may
 * take, and to the stop token. */
static ms_status grower_new(const ms_query *query, const uint32_t *slots, const ms_stop *stop,
                            grower **out, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(query->graph);
  *out = NULL;
  grower *g = ms_calloc(1, sizeof *g);
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
    grower_free(g);
    return ms_fail_memory(err, "the search for matches");
  }
  for (uint32_t t = 0; t < g->targets; t++)
    g->target[t].hops = g->hops + (size_t)t * n;
  *out = g;
  return MS_OK;
}

static void grower_free(grower *g)
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

/* Counts the hops to a target by a breadth-first search from its vertices; no more than k matter.
 */
static void count_hops(grower *g, const grow_target *t)
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

/* Restricts sets to vertices v with allowed[v], which the grower reads only now, and finds how far
 * each vertex is from each target.  O(targets * (n + m)).  Returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED if it was stopped; the grower must then be restricted again before its use. */
static ms_status grower_restrict(grower *g, const uint8_t *allowed, ms_error *err)
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

/* Notes in after[targets] how near the targets are once v joins a set, which is `before` near them
 * (NULL: v is the first vertex).  A target is as many edges away as a set needs more vertices. */
static void grower_join(const grower *g, const uint8_t *before, uint32_t v, uint8_t *after)
{
  for (uint32_t t = 0; t < g->targets; t++) {
    uint8_t own = distance(&g->target[t], v);
    after[t] = before && before[t] < own ? before[t] : own;
  }
}

/* True if `left` more vertices suffice to reach each target that set[size], which is `near` them,
 * lacks; false: no match holds this set and no vertex that is not allowed. */
static bool grower_reaches(const grower *g, const uint32_t *set, uint32_t size, const uint8_t *near,
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

static uint32_t draw(grower *g)
{
  g->random = g->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(g->random >> 33);
}

/* Returns the slots that a further vertex may take: slots that are free, and slots whose vertex can
 * move to such a slot. */
static uint32_t open_slots(const grower *g)
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
static bool give_slot(grower *g, uint32_t i, uint32_t *tried)
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
static bool add_vertex(grower *g, uint32_t v)
{
  uint32_t degree, tried = 0, i = g->size++;
  const uint32_t *row = ms_graph_neighbors(g->query->graph, v, &degree);
  g->set[i] = v;
  if (!give_slot(g, i, &tried))
    return false;
  grower_join(g, i ? g->near : NULL, v, g->near);
  for (uint32_t j = 0; j < degree; j++)
    if (g->allowed[row[j]] && g->seen[row[j]] != g->try_number) {
      g->seen[row[j]] = g->try_number;
      g->frontier[g->n_frontier++] = row[j];
    }
  return true;
}

/* Returns how many vertices of a target the set lacks, as the slots are given now. */
static uint32_t lacking(const grower *g, const grow_target *t)
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
static uint32_t cost_of(const grower *g, const uint32_t *lack, uint32_t v)
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
static uint32_t choose_next(grower *g, uint32_t noise)
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

static void leave_frontier(grower *g, uint32_t v)
{
  uint32_t at = 0;
  while (g->frontier[at] != v)
    at++;
  g->frontier[at] = g->frontier[--g->n_frontier];
}

static bool grow(grower *g, uint32_t v, uint32_t noise)
{
  uint32_t k = g->query->motif->k;
  g->size = g->n_frontier = 0;
  g->seen[v] = ++g->try_number;
  memset(g->owner, -1, sizeof g->owner);
  while (add_vertex(g, v)) {
    if (g->size == k)
      return grower_reaches(g, g->set, k, g->near, 0);
    v = choose_next(g, noise);
    if (v == MS_NO_ID)
      return false;
    leave_frontier(g, v);
  }
  return false;
}

/* Tries to grow a match from v, at most `tries` times with other random choices.  If it succeeds,
 * set[k] receives the vertices. */
static bool grower_try(grower *g, uint32_t v, uint32_t tries, uint32_t *set)
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

/* ---- the recount ----------------------------------------------------------------------------- */

/* State of a vertex.  EXCLUDED + s: excluded while S had s vertices.  Every step of the recursion
 * has its own s, and so knows what it must undo. */
enum { FREE = 0, CHOSEN, EXCLUDED };

enum { STEPS_PER_TRY = 512, MOST_TRIES = 256 };

struct ms_backtracker {
  ms_recount recount;
  const ms_query *query;
  uint32_t k;
  uint32_t *slots; /* [n] slots that a vertex may take; 0: never chosen */
  grower *grower;
  bool finds;                             /* the search is for one match */
  uint8_t near[MS_MAX_K][MS_MAX_TARGETS]; /* [size] how near set[0..i] is to what it must hold */
  uint8_t *state;                         /* [n] */
  uint32_t set[MS_MAX_K], fit[MS_MAX_K];  /* [size] vertices chosen and their slots */
  uint32_t size;
};

ms_status ms_backtracker_new(const ms_query *query, bool narrow, const ms_stop *stop,
                             ms_backtracker **out, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(query->graph);
  ms_status status = MS_OK;
  *out = NULL;
  ms_backtracker *b = ms_calloc(1, sizeof *b);
  if (!b)
    return ms_fail_memory(err, "the recount");
  b->query = query;
  b->recount.stop = stop;
  b->k = query->motif->k;
  b->slots = ms_alloc(n, sizeof *b->slots);
  b->state = ms_calloc(n, sizeof *b->state);
  if (!b->slots || !b->state) {
    status = ms_fail_memory(err, "the recount");
    goto cleanup;
  }
  for (uint32_t v = 0; v < n; v++)
    b->slots[v] = ms_verify_slots(query, v);
  if (narrow)
    status = ms_recount_narrow(query, b->slots, stop, err);
  if (status == MS_OK)
    status = grower_new(query, b->slots, stop, &b->grower, err);
cleanup:
  if (status == MS_OK)
    *out = b;
  else
    ms_backtracker_free(b);
  return status;
}

void ms_backtracker_free(ms_backtracker *b)
{
  if (b) {
    ms_free(b->slots);
    ms_free(b->state);
    grower_free(b->grower);
    ms_free(b);
  }
}

/* True if the set with v, which comes last, may be part of a match. */
static bool may_lead_to_match(ms_backtracker *b, uint32_t v)
{
  uint8_t *near = b->near[b->size];
  if (!b->grower->allowed[v])
    return false;
  grower_join(b->grower, b->size ? b->near[b->size - 1] : NULL, v, near);
  return grower_reaches(b->grower, b->set, b->size + 1, near, b->k - b->size - 1);
}

/* Puts v into the set if the slots allow it. */
static bool choose(ms_backtracker *b, uint32_t v)
{
  b->set[b->size] = v;
  b->fit[b->size] = b->slots[v];
  if ((b->finds && !may_lead_to_match(b, v)) || !ms_verify_fit(b->fit, b->size + 1))
    return false;
  b->size++;
  b->state[v] = CHOSEN;
  return true;
}

static bool holds_required(const ms_backtracker *b)
{
  for (uint32_t i = 0; i < b->query->n_required; i++)
    if (b->state[b->query->required[i]] != CHOSEN)
      return false;
  return true;
}

/* Reports the set in ascending order if it holds every required vertex. */
static void report(ms_backtracker *b)
{
  uint32_t row[MS_MAX_K];
  if (!holds_required(b))
    return;
  for (uint32_t i = 0; i < b->k; i++) {
    uint32_t at = i;
    for (; at > 0 && row[at - 1] > b->set[i]; at--)
      row[at] = row[at - 1];
    row[at] = b->set[i];
  }
  ms_recount_match(&b->recount, row);
}

static void extend_set(ms_backtracker *b, uint32_t from, uint32_t next);

/* Continues from neighbour `next` of S[from].  With `list`, includes and then excludes each free
 * vertex found there; without it, frees what this step excluded. */
static void try_neighbors(ms_backtracker *b, uint32_t from, uint32_t next, bool list)
{
  uint8_t excluded = (uint8_t)(EXCLUDED + b->size);
  for (; from < b->size; from++, next = 0) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(b->query->graph, b->set[from], &degree);
    for (; next < degree; next++) {
      uint32_t v = row[next];
      if (!list) {
        b->state[v] = b->state[v] == excluded ? FREE : b->state[v];
      } else if (b->state[v] == FREE && b->slots[v] && !b->recount.over) {
        ms_recount_step(&b->recount);
        if (choose(b, v)) {
          extend_set(b, from, next + 1);
          b->size--;
        }
        b->state[v] = excluded;
      }
    }
  }
}

/* Lists all sets that grow from this one.  The recursion is at most k deep. */
static void extend_set(ms_backtracker *b, uint32_t from, uint32_t next)
{
  if (b->recount.over)
    return;
  if (b->size == b->k) {
    report(b);
    return;
  }
  try_neighbors(b, from, next, true);
  try_neighbors(b, from, next, false);
}

/* Finds all matches that hold v and no excluded vertex. */
static void extend_root(ms_backtracker *b, uint32_t v)
{
  if (b->slots[v] && choose(b, v)) {
    extend_set(b, 0, 0);
    b->size--;
    b->state[v] = FREE;
  }
}

ms_status ms_backtracker_list(ms_backtracker *b, mpz_t count, ms_found_fn found, void *user,
                              ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(b->query->graph);
  ms_recount_begin(&b->recount, count, found, user);
  b->finds = false;
  for (uint32_t root = 0; root < n && !b->recount.over; root++) {
    ms_recount_step(&b->recount);
    extend_root(b, root);
    b->state[root] = EXCLUDED;
  }
  memset(b->state, FREE, n);
  return ms_recount_outcome(&b->recount, err);
}

typedef struct first_match {
  uint32_t k;
  uint32_t *set; /* [k] */
} first_match;

static bool keep_first(void *user, const uint32_t *set)
{
  first_match *first = user;
  memcpy(first->set, set, first->k * sizeof *set);
  return false;
}

/* Growing is tried once in a first search, and more often where that did not suffice. */
static uint32_t tries_for(uint64_t effort)
{
  uint64_t tries = 1 + effort / STEPS_PER_TRY;
  return tries < MOST_TRIES ? (uint32_t)tries : MOST_TRIES;
}

ms_status ms_backtracker_restrict(ms_backtracker *b, const uint8_t *allowed, ms_error *err)
{
  return grower_restrict(b->grower, allowed, err);
}

void ms_backtracker_strike(ms_backtracker *b, uint32_t v)
{
  b->grower->allowed[v] = 0;
}

bool ms_backtracker_can_swap(const ms_backtracker *b, uint32_t u, uint32_t v)
{
  return (b->slots[u] & b->slots[v]) != 0;
}

bool ms_backtracker_grow(ms_backtracker *b, uint32_t v, uint64_t effort, uint32_t *set)
{
  return grower_try(b->grower, v, tries_for(effort), set);
}

ms_status ms_backtracker_find(ms_backtracker *b, uint32_t v, uint64_t effort, ms_finding *finding,
                              uint32_t *set, ms_error *err)
{
  mpz_t count;
  first_match first = {b->k, set};
  mpz_init(count);
  ms_recount_begin(&b->recount, count, keep_first, &first);
  b->recount.limit = effort;
  b->finds = true;
  ms_recount_step(&b->recount);
  if (!b->recount.over)
    extend_root(b, v);
  *finding = ms_recount_finding(&b->recount);
  mpz_clear(count);
  return *finding == MS_FOUND_MATCH ? MS_OK : ms_recount_outcome(&b->recount, err);
}
