/* Random simple graphs with given degrees: the pairing model and switches.
 *
 * Vertex v has degree[v] stubs; a random permutation of all stubs, read two by
 * two, is a random multigraph.  Its loops, and all but one of each repeated
 * edge, are bad.  A bad edge {a,b} and a random good one {c,d}, ends in random
 * order, become {a,d} and {c,b} where both are new and no loops: a switch,
 * which keeps every degree (McKay & Wormald 1990; the result is close to
 * uniform, not exactly so).  Where bad edges resist, a new pairing is drawn. */
#include "graph/generate/family.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/generate/random.h"

#include <math.h>

#define MAX_PAIRINGS 50u
/* Tries for one bad edge.  A try fails where an end is joined to most others: almost always, if
 * the graph is nearly the densest with its degrees. */
#define MAX_TRIES 100000u
#define POLL_TRIES 1024u
#define PAIRS_PER_PIECE 65536u /* between two checks of the watch */

/* ---- the good edges ------------------------------------------------------ */

enum { EMPTY = 0, REMOVED = 1 }; /* not keys of edges: these are not 0, and SLOT_OF_KEY skips 1 */
#define SLOT_OF_KEY(key) ((key) + 1)

/* The good edges of the pairing, minus those that switches removed, plus those that they
 * made. */
typedef struct good_edges {
  uint64_t *paired; /* [n_paired] ascending */
  uint64_t n_paired;
  uint64_t *gone; /* one bit for each paired edge: removed */
  uint64_t *made; /* [n_made] in any order */
  uint64_t n_made;
  uint64_t *table; /* of the edges in `made`: EMPTY, REMOVED or SLOT_OF_KEY */
  uint64_t mask;
} good_edges;

/* Makes an empty set of switched edges.  Every bad edge adds two at most; slots are not used
 * twice. */
static ms_status open_good(good_edges *g, uint64_t *paired, uint64_t n_paired, uint64_t n_bad,
                           ms_error *err)
{
  uint64_t room = 16;
  while (room < 4 * n_bad)
    room *= 2;
  *g = (good_edges){.paired = paired, .n_paired = n_paired, .mask = room - 1};
  g->gone = ms_calloc(n_paired / 64 + 1, sizeof *g->gone);
  g->made = ms_alloc(2 * n_bad, sizeof *g->made);
  g->table = ms_calloc(room, sizeof *g->table);
  return g->gone && g->made && g->table ? MS_OK : ms_fail_memory(err, "random edges");
}

/* Returns the first slot of the key, or the empty one that ends its probe. */
static uint64_t probe(const good_edges *g, uint64_t key)
{
  uint64_t i = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & g->mask;
  while (g->table[i] != EMPTY && g->table[i] != SLOT_OF_KEY(key))
    i = (i + 1) & g->mask;
  return i;
}

static bool is_gone(const good_edges *g, uint64_t i)
{
  return g->gone[i / 64] >> i % 64 & 1;
}

static bool is_good(const good_edges *g, uint64_t key)
{
  uint64_t low = 0, high = g->n_paired;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (g->paired[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < g->n_paired && g->paired[low] == key && !is_gone(g, low))
    return true;
  return g->table[probe(g, key)] != EMPTY;
}

static void make_edge(good_edges *g, uint64_t key)
{
  g->table[probe(g, key)] = SLOT_OF_KEY(key);
  g->made[g->n_made++] = key;
}

/* Removes edge number i, counted through the paired ones and then the made ones. */
static void remove_edge(good_edges *g, uint64_t i)
{
  if (i < g->n_paired) {
    g->gone[i / 64] |= UINT64_C(1) << i % 64;
    return;
  }
  uint64_t *made = &g->made[i - g->n_paired];
  g->table[probe(g, *made)] = REMOVED;
  *made = g->made[--g->n_made];
}

/* ---- switches ------------------------------------------------------------ */

/* Tries to switch a bad edge, which has the key of a loop (equal halves) or of a repeated
 * edge. */
static bool try_switch(good_edges *g, uint64_t bad, ms_random_sequence *random)
{
  uint64_t draw = ms_random_next_below(random, 2 * (g->n_paired + g->n_made)), i = draw / 2;
  if (i < g->n_paired && is_gone(g, i))
    return false;
  uint64_t good = i < g->n_paired ? g->paired[i] : g->made[i - g->n_paired];
  uint32_t a = (uint32_t)(bad >> 32), b = (uint32_t)bad;
  uint32_t c = (uint32_t)(draw % 2 ? good : good >> 32),
           d = (uint32_t)(draw % 2 ? good >> 32 : good);
  uint64_t first = ms_edge_key(a, d), second = ms_edge_key(c, b);
  if (a == d || c == b || first == second || is_good(g, first) || is_good(g, second))
    return false;
  remove_edge(g, i);
  make_edge(g, first);
  make_edge(g, second);
  return true;
}

static bool switch_all(const ms_generate_plan *plan, good_edges *g, const uint64_t *bad,
                       uint64_t n_bad, uint32_t pairing)
{
  ms_random_sequence random = {
      .seed = plan->o.run.seed, .stream = MS_STREAM_SWITCH, .part = pairing};
  for (uint64_t e = 0; e < n_bad; e++) {
    uint32_t tries = 0;
    if (g->n_paired + g->n_made == 0)
      return false;
    if (ms_watch_ended(plan->watch, e))
      return false;
    while (!try_switch(g, bad[e], &random))
      if (++tries == MAX_TRIES || (tries % POLL_TRIES == 0 && ms_watch_check(plan->watch)))
        return false;
  }
  return true;
}

/* Collects the remaining paired edges and then the made ones in the array of the paired ones. */
static void collect(const ms_generate_plan *plan, const good_edges *g)
{
  uint64_t count = 0, *to = g->paired;
  for (uint64_t i = 0; i < g->n_paired && !ms_generate_ended(plan, i); i++)
    if (!is_gone(g, i))
      to[count++] = g->paired[i];
  for (uint64_t i = 0; i < g->n_made; i++)
    to[count++] = g->made[i];
}

/* ---- pairing ------------------------------------------------------------- */

static void lay_stubs(const ms_generate_plan *plan, const uint32_t *degree, uint32_t d,
                      uint32_t *stub)
{
  uint64_t at = 0;
  for (uint32_t v = 0; v < plan->n && !ms_watch_ended(plan->watch, v); v++)
    for (uint32_t i = degree ? degree[v] : d; i > 0; i--)
      stub[at++] = v;
}

typedef struct pairing_up {
  const uint32_t *stub;
  uint64_t *key;
} pairing_up;

static void join_stubs(void *user, ms_range r)
{
  const pairing_up *p = user;
  for (uint64_t e = r.begin; e < r.end; e++)
    p->key[e] = ms_edge_key(p->stub[2 * e], p->stub[2 * e + 1]);
}

static ms_status pair_up(const ms_generate_plan *plan, const uint32_t *degree, uint32_t d,
                         uint32_t pairing, uint64_t *key, ms_error *err)
{
  uint32_t *stub = ms_alloc(2 * plan->m, sizeof *stub);
  if (!stub)
    return ms_fail_memory(err, "random edges");
  lay_stubs(plan, degree, d, stub);
  ms_status status = ms_generate_report(plan, err);
  if (status == MS_OK)
    status = ms_shuffle(plan, stub, 2 * plan->m, pairing, err);
  if (status == MS_OK)
    ms_watch_loop(plan->watch, plan->o.run.threads, plan->m, PAIRS_PER_PIECE, join_stubs,
                  &(pairing_up){stub, key});
  ms_free(stub);
  return status;
}

/* Moves the bad keys of the sorted ones to bad[], closes the gaps, and returns the number of
 * good ones.  bad NULL: only counts. */
static uint64_t part_bad(const ms_generate_plan *plan, uint64_t *key, uint64_t *bad)
{
  uint64_t good = 0, n_bad = 0, last = UINT64_MAX;
  for (uint64_t e = 0; e < plan->m && !ms_generate_ended(plan, e); e++) {
    uint64_t this = key[e];
    bool is_bad = this == last || this >> 32 == (uint32_t)this;
    last = this;
    if (!is_bad && bad)
      key[good] = this;
    else if (bad)
      bad[n_bad++] = this;
    good += !is_bad;
  }
  return good;
}

/* Makes one pairing and its switches; *done: the result is simple. */
static ms_status attempt(const ms_generate_plan *plan, const uint32_t *degree, uint32_t d,
                         uint32_t pairing, uint64_t *key, uint64_t *scratch, bool *done,
                         ms_error *err)
{
  good_edges good = {0};
  *done = false;
  MS_TRY(pair_up(plan, degree, d, pairing, key, err));
  ms_sort_keys(key, scratch, plan->m, plan->o.run.threads, plan->watch);
  uint64_t n_good = part_bad(plan, key, NULL), n_bad = plan->m - n_good;
  MS_TRY(ms_generate_report(plan, err));
  uint64_t *bad = ms_alloc(n_bad, sizeof *bad);
  ms_status status =
      bad ? open_good(&good, key, n_good, n_bad, err) : ms_fail_memory(err, "random edges");
  if (status == MS_OK) {
    part_bad(plan, key, bad);
    *done = switch_all(plan, &good, bad, n_bad, pairing);
  }
  if (*done)
    collect(plan, &good);
  if (status == MS_OK)
    status = ms_generate_report(plan, err);
  ms_free(good.gone);
  ms_free(good.made);
  ms_free(good.table);
  ms_free(bad);
  return status;
}

ms_status ms_pair_stubs(const ms_generate_plan *plan, const uint32_t *degree, uint32_t d,
                        ms_edge_keys *keys, ms_error *err)
{
  ms_status status = MS_OK;
  bool done = false;
  uint64_t *scratch = ms_alloc(plan->m, sizeof *scratch);
  keys->count = plan->m;
  keys->key = ms_alloc(plan->m, sizeof *keys->key);
  if (!keys->key || !scratch)
    status = ms_fail_memory(err, "random edges");
  /* pairing 0 is the shuffle of the degrees, see ms_make_power_law */
  for (uint32_t pairing = 1; pairing <= MAX_PAIRINGS && !done && status == MS_OK; pairing++)
    status = attempt(plan, degree, d, pairing, keys->key, scratch, &done, err);
  if (done && status == MS_OK) {
    ms_sort_keys(keys->key, scratch, keys->count, plan->o.run.threads, plan->watch);
    status = ms_generate_report(plan, err);
  }
  ms_free(scratch);
  if (status == MS_OK && !done)
    status = ms_fail(err, MS_ERR_USAGE,
                     "no simple graph with these degrees was found near %u random pairings; give "
                     "smaller degrees, or another seed",
                     MAX_PAIRINGS);
  return status;
}

ms_status ms_pair_stubs_erased(const ms_generate_plan *plan, const uint32_t *degree,
                               ms_edge_keys *keys, ms_error *err)
{
  uint64_t *scratch = ms_alloc(plan->m, sizeof *scratch);
  keys->key = ms_alloc(plan->m, sizeof *keys->key);
  ms_status status = keys->key && scratch ? pair_up(plan, degree, 0, 1, keys->key, err)
                                          : ms_fail_memory(err, "random edges");
  if (status == MS_OK) {
    ms_sort_keys(keys->key, scratch, plan->m, plan->o.run.threads, plan->watch);
    keys->count = part_bad(plan, keys->key, scratch);
    status = ms_generate_report(plan, err);
  }
  ms_free(scratch);
  return status;
}

/* ---- regular ------------------------------------------------------------- */

ms_status ms_plan_regular(ms_generate_plan *plan, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  MS_TRY(ms_plan_vertices(plan, o->vertices, err));
  double d = o->degree;
  if (!(d >= 0 && d == floor(d)))
    return ms_fail(err, MS_ERR_USAGE, "a degree of %g is not a whole number; give 0 or more", d);
  if (d >= plan->n || fmod(d, 2) * (plan->n % 2) != 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "there is no %.0f-regular graph on %u vertices; give a degree below the number "
                   "of vertices, such that one of the two is even",
                   d, plan->n);
  plan->m = (uint64_t)d * plan->n / 2;
  return MS_OK;
}

/* Makes a graph with more than half of all edges: the missing edges form a regular graph,
 * too. */
static ms_status make_dense(const ms_generate_plan *plan, uint32_t missing, ms_edge_keys *keys,
                            ms_error *err)
{
  ms_generate_plan other = *plan;
  ms_edge_keys without = {0};
  other.m = (uint64_t)missing * plan->n / 2;
  ms_status status = ms_pair_stubs(&other, NULL, missing, &without, err);
  if (status == MS_OK)
    status = ms_complement(plan, &without, keys, err);
  ms_free(without.key);
  return status;
}

ms_status ms_make_regular(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  uint32_t d = (uint32_t)plan->o.degree, missing = plan->n - 1 - d;
  return d > missing ? make_dense(plan, missing, keys, err)
                     : ms_pair_stubs(plan, NULL, d, keys, err);
}
