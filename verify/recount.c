/* The independent recount: include or exclude one vertex after the other.
 *
 * A set S starts with a root, all smaller vertices excluded.  A step looks
 * for a vertex next to S that is neither in S nor excluded, lists everything
 * with it in S, then excludes it for good in this branch and looks on.  Every
 * connected set with that root is reached by exactly one sequence of answers.
 * The look-out reads the neighbours of S[0], S[1], .. in order; whatever lies
 * behind it is in S or excluded, so the branch that includes a vertex looks
 * on from the same place.  */
#include "verify/recount.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/fit.h"

#include <string.h>

/* State of a vertex.  EXCLUDED + s: excluded while S had s vertices; every
 * step of the recursion has its own s, and so knows what it must undo. */
enum { FREE = 0, CHOSEN, EXCLUDED };

/* Steps between two looks at the stop token. */
#define POLL_STEPS 1024u

struct ms_backtracker {
  const ms_query *query;
  const ms_stop *stop;
  uint32_t k;
  uint32_t *slots;                       /* [n] what a vertex may take; 0: never chosen */
  uint8_t *state;                        /* [n] */
  uint32_t set[MS_MAX_K], fit[MS_MAX_K]; /* [size] vertices chosen and their slots */
  uint32_t size;
  uint64_t steps;
  bool over;        /* found said so, or the token did */
  ms_status status; /* MS_OK or why it was stopped */
  mpz_ptr count;
  ms_recount_fn found;
  void *user;
};

ms_status ms_backtracker_new(const ms_query *query, const uint8_t *usable, const ms_stop *stop,
                             ms_backtracker **out, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(query->graph);
  *out = NULL;
  ms_backtracker *b = ms_calloc(1, sizeof *b);
  if (!b) {
    return ms_fail_memory(err, "the recount");
  }
  b->query = query;
  b->stop = stop;
  b->k = query->motif->k;
  b->slots = ms_calloc(n, sizeof *b->slots);
  b->state = ms_calloc(n, sizeof *b->state);
  if (!b->slots || !b->state) {
    ms_backtracker_free(b);
    return ms_fail_memory(err, "the recount");
  }
  for (uint32_t v = 0; v < n; v++) {
    b->slots[v] = !usable || usable[v] ? ms_verify_slots(query, v) : 0;
  }
  *out = b;
  return MS_OK;
}

void ms_backtracker_free(ms_backtracker *b)
{
  if (b) {
    ms_free(b->slots);
    ms_free(b->state);
    ms_free(b);
  }
}

void ms_backtracker_strike(ms_backtracker *b, uint32_t v)
{
  b->slots[v] = 0;
}

/* The status of a search that has ended. */
static ms_status outcome(const ms_backtracker *b, ms_error *err)
{
  if (b->status == MS_OK) {
    return MS_OK;
  }
  return ms_fail(err, b->status, "the recount was stopped: %s; allow it more time",
                 ms_status_text(b->status));
}

/* Put v into the set if the slots allow it. */
static bool choose(ms_backtracker *b, uint32_t v)
{
  b->set[b->size] = v;
  b->fit[b->size] = b->slots[v];
  if (!ms_verify_fit(b->fit, b->size + 1)) {
    return false;
  }
  b->size++;
  b->state[v] = CHOSEN;
  return true;
}

static bool holds_required(const ms_backtracker *b)
{
  for (uint32_t i = 0; i < b->query->n_required; i++) {
    if (b->state[b->query->required[i]] != CHOSEN) {
      return false;
    }
  }
  return true;
}

/* Hand over the set, ascending. */
static void report(ms_backtracker *b)
{
  uint32_t row[MS_MAX_K];
  if (!holds_required(b)) {
    return;
  }
  for (uint32_t i = 0; i < b->k; i++) {
    uint32_t at = i;
    for (; at > 0 && row[at - 1] > b->set[i]; at--) {
      row[at] = row[at - 1];
    }
    row[at] = b->set[i];
  }
  mpz_add_ui(b->count, b->count, 1);
  if (b->found && !b->found(b->user, row)) {
    b->over = true;
  }
}

static void poll(ms_backtracker *b)
{
  if (b->steps++ % POLL_STEPS == 0) {
    b->status = ms_stop_check(b->stop);
    b->over = b->over || b->status != MS_OK;
  }
}

static void extend(ms_backtracker *b, uint32_t from, uint32_t next);

/* Look out from neighbour `next` of S[from] on.  With `list` include and then
 * exclude what is free there; without, free again what this step excluded. */
static void look_out(ms_backtracker *b, uint32_t from, uint32_t next, bool list)
{
  uint8_t excluded = (uint8_t)(EXCLUDED + b->size);
  for (; from < b->size; from++, next = 0) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(b->query->graph, b->set[from], &degree);
    for (; next < degree; next++) {
      uint32_t v = row[next];
      if (!list) {
        b->state[v] = b->state[v] == excluded ? FREE : b->state[v];
      } else if (b->state[v] == FREE && b->slots[v] && !b->over) {
        poll(b);
        if (choose(b, v)) {
          extend(b, from, next + 1);
          b->size--;
        }
        b->state[v] = excluded;
      }
    }
  }
}

/* List everything that grows from the set.  Recursion is at most k deep. */
static void extend(ms_backtracker *b, uint32_t from, uint32_t next)
{
  if (b->over) {
    return;
  }
  if (b->size == b->k) {
    report(b);
    return;
  }
  look_out(b, from, next, true);
  look_out(b, from, next, false);
}

/* All matches that hold v and no excluded vertex. */
static void extend_root(ms_backtracker *b, uint32_t v)
{
  if (b->slots[v] && choose(b, v)) {
    extend(b, 0, 0);
    b->size--;
    b->state[v] = FREE;
  }
}

ms_status ms_backtracker_list(ms_backtracker *b, mpz_t count, ms_recount_fn found, void *user,
                              ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(b->query->graph);
  mpz_set_ui(count, 0);
  b->over = false;
  b->count = count;
  b->found = found;
  b->user = user;
  for (uint32_t root = 0; root < n && !b->over; root++) {
    poll(b);
    extend_root(b, root);
    b->state[root] = EXCLUDED;
  }
  memset(b->state, FREE, n);
  return outcome(b, err);
}

ms_status ms_recount(const ms_query *query, mpz_t count, ms_recount_fn found, void *user,
                     const ms_stop *stop, ms_error *err)
{
  ms_backtracker *b;
  ms_status status = ms_backtracker_new(query, NULL, stop, &b, err);
  if (status == MS_OK) {
    status = ms_backtracker_list(b, count, found, user, err);
  }
  ms_backtracker_free(b);
  return status;
}

typedef struct first_match {
  uint32_t k;
  uint32_t *set; /* [k] or NULL */
} first_match;

static bool keep_first(void *user, const uint32_t *set)
{
  first_match *first = user;
  if (first->set) {
    memcpy(first->set, set, first->k * sizeof *set);
  }
  return false;
}

ms_status ms_backtracker_find(ms_backtracker *b, uint32_t v, bool *yes, uint32_t *set,
                              ms_error *err)
{
  mpz_t count;
  first_match first = {b->k, set};
  mpz_init(count);
  b->over = false;
  b->count = count;
  b->found = keep_first;
  b->user = &first;
  poll(b);
  extend_root(b, v);
  *yes = mpz_sgn(count) > 0;
  mpz_clear(count);
  return *yes ? MS_OK : outcome(b, err);
}

ms_status ms_recount_has_match(const ms_query *query, uint32_t v, bool *yes, const ms_stop *stop,
                               ms_error *err)
{
  ms_backtracker *b;
  *yes = false;
  ms_status status = ms_backtracker_new(query, NULL, stop, &b, err);
  if (status == MS_OK) {
    status = ms_backtracker_find(b, v, yes, NULL, err);
  }
  ms_backtracker_free(b);
  return status;
}
