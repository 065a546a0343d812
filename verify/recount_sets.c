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
#include "verify/recount.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/grow.h"
#include "verify/judge.h"

#include <string.h>

/* State of a vertex.  EXCLUDED + s: excluded while S had s vertices.  Every step of the recursion
 * has its own s, and so knows what it must undo. */
enum { FREE = 0, CHOSEN, EXCLUDED };

enum { STEPS_PER_TRY = 512, MOST_TRIES = 256 };

struct ms_backtracker {
  ms_recount recount;
  const ms_query *query;
  uint32_t k;
  uint32_t *slots; /* [n] slots that a vertex may take; 0: never chosen */
  ms_grower *grower;
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
    status = ms_grower_new(query, b->slots, stop, &b->grower, err);
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
    ms_grower_free(b->grower);
    ms_free(b);
  }
}

/* True if the set with v, which comes last, may be part of a match. */
static bool may_lead_to_match(ms_backtracker *b, uint32_t v)
{
  uint8_t *near = b->near[b->size];
  if (!ms_grower_allows(b->grower, v))
    return false;
  ms_grower_join(b->grower, b->size ? b->near[b->size - 1] : NULL, v, near);
  return ms_grower_reaches(b->grower, b->set, b->size + 1, near, b->k - b->size - 1);
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
  return ms_grower_restrict(b->grower, allowed, err);
}

void ms_backtracker_strike(ms_backtracker *b, uint32_t v)
{
  ms_grower_strike(b->grower, v);
}

bool ms_backtracker_can_swap(const ms_backtracker *b, uint32_t u, uint32_t v)
{
  return (b->slots[u] & b->slots[v]) != 0;
}

bool ms_backtracker_grow(ms_backtracker *b, uint32_t v, uint64_t effort, uint32_t *set)
{
  return ms_grower_try(b->grower, v, tries_for(effort), set);
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
