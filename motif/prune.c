/* The exact reductions before the sieve.  Let S be a match: k vertices that are
 * connected, are paired off with the k slots, and include every loose required
 * vertex.
 *
 * no slot         Every vertex of S takes a slot, so one with an empty mask
 *                  is in no S.
 * one slot        Two vertices of S take different slots, so an edge whose
 *                  ends together fit a single slot has not both ends in any S:
 *                  S stays connected without it, and a set is no more or less
 *                  a match for it.
 * poor component  S is connected, so it lies in one component, which then
 *                  fills the k slots and holds every loose required vertex.  A
 *                  component that cannot has no S.  (A pinned vertex alone
 *                  holds its private slot, so the slot test covers it.)
 * too far         A spanning tree of S has k-1 edges, so any two vertices of S
 *                  are at most k-1 hops apart in what is left of the graph.
 *                  S holds a vertex of every slot and every loose required
 *                  vertex, so one farther than k-1 hops from all holders of a
 *                  slot, or from such a vertex, is in no S.
 *
 * Only vertices in no match are dropped, and edges that join no two vertices of
 * one match.  So every match stays a match, and because vertices and edges are
 * only removed, no new match appears.  The two rules on slots are applied first and
 * only once, because they depend on nothing else.
 *
 * The other two are applied in rounds until nothing changes.  A round is
 * O(k (n + m)) at worst, and usually there are few.  But a chain may lose one
 * vertex a round, so after k rounds the rule "too far" is applied by a worklist
 * until nothing changes (prune_far.c), in O(k^2 (n + m)) like those rounds.
 * One more round then drops the components that have become poor, and ends: no
 * distance leads from one component into another, so it makes nothing too far.
 *
 * The result does not depend on which of the two ways is taken, or how soon: a
 * vertex that a rule drops from a set of vertices, it drops from every subset that
 * holds the vertex, so each order of drops ends at the greatest set from which no
 * rule drops any.  Only the statistics do: a vertex that both rules would drop
 * counts for the one that comes first. */
#include "motif/prune.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "graph/walk/components.h"
#include "motif/instance.h"
#include "motif/prune_far.h"

#include <string.h>

/* ---- prune partial --------------------------------------------------------------------------- */

/* The pruning of an instance whose matches have fewer vertices than the motif has slots. */

#define ANY_COMPONENT UINT32_MAX
#define NO_COMPONENT (UINT32_MAX - 1)

/* Returns the component that holds all loose vertices, ANY_COMPONENT if there are none, or
 * NO_COMPONENT if they lie in several. */
static uint32_t find_loose(const ms_instance *in, const uint32_t *component)
{
  uint32_t common = in->n_loose ? component[in->loose[0]] : ANY_COMPONENT;
  for (uint32_t i = 1; i < in->n_loose; i++)
    if (component[in->loose[i]] != common)
      return NO_COMPONENT;
  return common;
}

/* Sets keep[v] for the vertices of the components that have enough vertices for a match, and all
 * loose vertices.  component[n] has the numbers of the components, 0..count-1. */
static ms_status keep_components(const ms_instance *in, const uint32_t *component, uint32_t count,
                                 uint8_t *keep, ms_prune_stats *stats, ms_error *err)
{
  ms_slot_matching *matching = ms_calloc(count, sizeof *matching);
  if (!matching)
    return ms_fail_memory(err, "the components of the coloured vertices");
  for (uint32_t v = 0; v < in->n; v++)
    (void)ms_slot_matching_add(&matching[component[v]], in->k, in->mask[v]);
  uint32_t wanted = find_loose(in, component);
  for (uint32_t v = 0; v < in->n; v++) {
    uint32_t c = component[v], taken = (uint32_t)__builtin_popcount(matching[c].taken);
    keep[v] = taken >= in->size && (wanted == ANY_COMPONENT || c == wanted);
    stats->poor_component += !keep[v];
  }
  for (uint32_t c = 0; c < count; c++)
    stats->components += (uint32_t)__builtin_popcount(matching[c].taken) >= in->size &&
                         (wanted == ANY_COMPONENT || c == wanted);
  ms_free(matching);
  return MS_OK;
}

/* Keeps the components of the instance, which has no vertex without a slot, that can hold a match.
 */
static ms_status prune_components(const ms_instance *in, int threads, ms_instance **out,
                                  ms_prune_stats *stats, ms_error *err)
{
  uint32_t count = 0, *component = ms_alloc(in->n, sizeof *component);
  uint8_t *keep = ms_alloc(in->n, 1);
  ms_status status = component && keep ? MS_OK : ms_fail_memory(err, "the vertex filter");
  if (status == MS_OK)
    status = ms_instance_components(in, threads, component, &count, err);
  if (status == MS_OK)
    status = keep_components(in, component, count, keep, stats, err);
  if (status == MS_OK)
    status = ms_instance_induced(in, keep, threads, out, err);
  ms_free(component);
  ms_free(keep);
  return status;
}

/* Drops the vertices that fit no slot, the edges whose two ends fit only one and the same slot, and
 * the components that lack a loose vertex, or whose vertices fill fewer slots than a match has
 * vertices.  No match is lost or gained; instance->size < instance->k.  `stats` may be NULL.  The
 * result is as that of ms_instance_prune. */
static ms_status instance_prune_partial(const ms_instance *instance, int threads, ms_instance **out,
                                        ms_prune_stats *stats, ms_error *err)
{
  ms_thin thin;
  ms_prune_stats own = {0};
  MS_TRY(ms_instance_thin(instance, threads, &thin, err));
  own.no_slot = thin.dropped;
  own.edges_one_slot = thin.edges_one_slot;
  ms_status status = prune_components(thin.left ? thin.left : instance, threads, out, &own, err);
  ms_instance_free(thin.left);
  ms_free(thin.near);
  if (stats)
    *stats = own;
  return status;
}

/* ---- prune ----------------------------------------------------------------------------------- */

enum { CHUNK = 512 };
#define PHASE "vertices are pruned"

typedef struct pruning {
  const ms_instance *now; /* the instance that is left */
  ms_instance *own;       /* the same, or NULL if `now` is the caller's instance */
  int threads;
  uint32_t lost;       /* vertices that are no longer in `now` and not counted yet */
  bool near_is_known;  /* `reach` holds the slots within one hop */
  uint8_t *keep;       /* [n] 0: this round drops the vertex */
  uint32_t *component; /* [n] */
  uint32_t *reach;     /* [n] slots, or loose vertices, within the hops made so far */
  uint32_t *next;      /* [n] */
  ms_prune_stats stats;
} pruning;

static void close_pruning(pruning *p)
{
  ms_instance_free(p->own);
  ms_free(p->keep);
  ms_free(p->component);
  ms_free(p->reach);
  ms_free(p->next);
}

/* Counts the vertices that no rule has dropped when the instance became
 * impossible, and therefore empty. They have lost their loose vertex, so they
 * belong to a poor component. */
static void count_lost(pruning *p, uint32_t kept)
{
  p->lost = kept - p->now->n;
}

/* Takes over what ms_instance_thin made. */
static void take_thin(pruning *p, const ms_thin *thin)
{
  p->reach = thin->near;
  p->near_is_known = true;
  p->stats.no_slot = thin->dropped;
  p->stats.edges_one_slot = thin->edges_one_slot;
  if (thin->left)
    p->now = p->own = thin->left;
}

static ms_status alloc_marks(pruning *p, ms_error *err)
{
  uint32_t n = p->now->n;
  p->keep = ms_alloc_lines(n, 1);
  p->component = ms_alloc_lines(n, sizeof *p->component);
  p->next = ms_alloc_lines(n, sizeof *p->next);
  return p->keep && p->component && p->next ? MS_OK : ms_fail_memory(err, "pruning");
}

static ms_status open_pruning(const ms_instance *instance, int threads, pruning *p, ms_error *err)
{
  ms_thin thin;
  *p = (pruning){.now = instance, .threads = threads};
  MS_TRY(ms_instance_thin(instance, threads, &thin, err));
  take_thin(p, &thin);
  count_lost(p, instance->n - thin.dropped);
  return alloc_marks(p, err);
}

/* ---- poor components ------------------------------------------------------- */

/* The components of a round. */
typedef struct parts {
  uint32_t count, largest;
  uint32_t *size;   /* [count] */
  uint8_t *good;    /* [count] */
  uint32_t *start;  /* [count + 1] the members of part c begin at member[start[c]] */
  uint32_t *member; /* members of the parts that are grouped, see group_members */
} parts;

typedef struct part_work {
  const pruning *p;
  const parts *s;
} part_work;

/* Counts the vertices of each part. Runs of vertices in one component are added
 * at once, because most vertices are in one component. */
static void measure_range(void *user, ms_range r)
{
  const part_work *work = user;
  const uint32_t *component = work->p->component;
  for (uint32_t v = (uint32_t)r.begin, run = v; v < r.end; v++)
    if (v + 1 == r.end || component[v + 1] != component[v]) {
      __atomic_fetch_add(work->s->size + component[v], v + 1 - run, __ATOMIC_RELAXED);
      run = v + 1;
    }
}

/* Sets `good` for the parts that are large enough and contain every loose
 * required vertex. */
static void find_candidates(const pruning *p, parts *s)
{
  const ms_instance *now = p->now;
  for (uint32_t c = 0; c < s->count; c++) {
    s->good[c] = s->size[c] >= now->k;
    for (uint32_t i = 0; i < now->n_loose && s->good[c]; i++)
      s->good[c] = p->component[now->loose[i]] == c;
  }
}

/* Groups vertices by part, for all candidates except the largest. Often there
 * is none. */
static ms_status group_members(const pruning *p, parts *s, ms_error *err)
{
  uint64_t total = 0;
  for (uint32_t c = 0; c < s->count; c++)
    total += c != s->largest && s->good[c] ? s->size[c] : 0;
  if (total == 0)
    return MS_OK;
  s->start = ms_alloc((size_t)s->count + 1, sizeof *s->start);
  s->member = ms_alloc(total, sizeof *s->member);
  if (!s->start || !s->member)
    return ms_fail_memory(err, "pruning");
  s->start[0] = 0;
  for (uint32_t c = 0; c < s->count; c++)
    s->start[c + 1] = s->start[c] + (c != s->largest && s->good[c] ? s->size[c] : 0);
  for (uint32_t v = 0; v < p->now->n; v++) {
    uint32_t c = p->component[v];
    if (c != s->largest && s->good[c])
      s->member[s->start[c]++] = v;
  }
  /* each start has become the next one */
  memmove(s->start + 1, s->start, s->count * sizeof *s->start);
  s->start[0] = 0;
  return MS_OK;
}

/* True if the largest part can fill the slots. Usually some of its first
 * vertices do. */
static bool largest_fills(const pruning *p, const parts *s)
{
  const ms_instance *now = p->now;
  ms_slot_matching matching = {0};
  for (uint32_t v = 0; v < now->n; v++)
    if (p->component[v] == s->largest && ms_slot_matching_add(&matching, now->k, now->mask[v]))
      return true;
  return false;
}

static void match_slots(const pruning *p, parts *s)
{
  const ms_instance *now = p->now;
  for (uint32_t c = 0; c < s->count; c++)
    if (s->good[c])
      s->good[c] = c == s->largest
                       ? largest_fills(p, s)
                       : ms_slots_can_be_filled(now->k, now->mask, s->member + s->start[c],
                                                s->start[c + 1] - s->start[c]);
}

static void keep_good(void *user, ms_range r)
{
  const part_work *work = user;
  const pruning *p = work->p;
  for (uint64_t v = r.begin; v < r.end; v++)
    p->keep[v] = work->s->good[p->component[v]];
}

/* Sets `keep`, *dropped and the statistics of components. */
static void drop_parts(pruning *p, const parts *s, uint32_t *dropped)
{
  *dropped = 0;
  p->stats.components = 0;
  for (uint32_t c = 0; c < s->count; c++) {
    p->stats.components += s->good[c];
    *dropped += s->good[c] ? 0 : s->size[c];
  }
  p->stats.poor_component += *dropped;
  if (*dropped == 0) {
    memset(p->keep, 1, p->now->n);
    return;
  }
  ms_parallel(p->threads, p->now->n, 0, keep_good, &(part_work){p, s});
}

static ms_status drop_poor_components(pruning *p, uint32_t *dropped, ms_error *err)
{
  parts s = {0};
  ms_status status = ms_instance_components(p->now, p->threads, p->component, &s.count, err);
  if (status != MS_OK)
    return status;
  s.size = ms_calloc(s.count, sizeof *s.size);
  s.good = ms_alloc(s.count, 1);
  if (!s.size || !s.good) {
    status = ms_fail_memory(err, "pruning");
    goto done;
  }
  ms_parallel(p->threads, p->now->n, 0, measure_range, &(part_work){p, &s});
  for (uint32_t c = 1; c < s.count; c++)
    s.largest = s.size[c] > s.size[s.largest] ? c : s.largest;
  find_candidates(p, &s);
  status = group_members(p, &s, err);
  if (status == MS_OK) {
    match_slots(p, &s);
    drop_parts(p, &s, dropped);
  }
done:
  ms_free(s.size);
  ms_free(s.good);
  ms_free(s.start);
  ms_free(s.member);
  return status;
}

/* ---- too far --------------------------------------------------------------- */

/* Makes one hop for all bits at once: next[v] receives the bits that v or a
 * neighbour has. Vertices with all bits (soon most of them) and dropped ones
 * stay as they are; dropped vertices have only bits of their component, or
 * none. */
typedef struct spread {
  const pruning *p;
  uint32_t all; /* bits */
  ms_watch watch;
  bool changed, missing;
  uint32_t dropped;
} spread;

static void spread_range(void *user, ms_range r)
{
  spread *h = user;
  const pruning *p = h->p;
  const ms_instance *now = p->now;
  const uint32_t *reach = p->reach, all = h->all;
  bool changed = false, missing = false;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint32_t own = reach[v], bits = own;
    if (!ms_watch_ended(&h->watch, v) && p->keep[v] && own != all) {
      for (uint64_t a = now->offset[v]; a < now->offset[v + 1] && bits != all; a++)
        bits |= reach[now->neighbor[a]];
      changed |= bits != own;
      missing |= bits != all;
    }
    p->next[v] = bits;
  }
  if (changed)
    __atomic_store_n(&h->changed, true, __ATOMIC_RELAXED);
  if (missing)
    __atomic_store_n(&h->missing, true, __ATOMIC_RELAXED);
}

/* *more: another hop may change anything. */
static ms_status spread_reach(const pruning *p, uint32_t all, bool *more, ms_error *err)
{
  spread h = {.p = p, .all = all};
  ms_watch_begin(&h.watch);
  ms_parallel(p->threads, p->now->n, CHUNK, spread_range, &h);
  *more = h.changed && h.missing;
  return ms_watch_report(&h.watch, PHASE, err);
}

static void drop_range(void *user, ms_range r)
{
  spread *h = user;
  const pruning *p = h->p;
  uint32_t dropped = 0;
  for (uint64_t v = r.begin; v < r.end; v++)
    if (p->keep[v] && p->reach[v] != h->all) {
      p->keep[v] = 0;
      dropped++;
    }
  __atomic_fetch_add(&h->dropped, dropped, __ATOMIC_RELAXED);
}

/* Drops the vertices that lack a bit k - 1 hops from the start, of which `hop`
 * hops are already made. */
static ms_status drop_unreached(pruning *p, uint32_t all, uint32_t hop, uint32_t *far,
                                ms_error *err)
{
  bool more = true;
  spread last = {.p = p, .all = all};
  for (; more && hop < p->now->k - 1; hop++) {
    MS_TRY(spread_reach(p, all, &more, err));
    uint32_t *swap = p->reach;
    p->reach = p->next;
    p->next = swap;
  }
  ms_parallel(p->threads, p->now->n, 0, drop_range, &last);
  *far += last.dropped;
  return MS_OK;
}

/* *far grows by the number of vertices that are dropped. */
static ms_status drop_far_from_slots(pruning *p, uint32_t *far, ms_error *err)
{
  const ms_instance *now = p->now;
  uint32_t all = now->k == 32 ? UINT32_MAX : (1u << now->k) - 1;
  uint32_t hops = p->near_is_known && now->k > 1;
  if (!hops)
    memcpy(p->reach, now->mask, now->n * sizeof *p->reach);
  p->near_is_known = false;
  return drop_unreached(p, all, hops, far, err);
}

/* Drops the vertices that are too far from a loose vertex, for all loose
 * vertices at once, among those that the slots left. A loose vertex that is
 * already gone needs no search: its component is poor in the next round. */
static ms_status drop_far_from_loose(pruning *p, uint32_t *far, ms_error *err)
{
  const ms_instance *now = p->now;
  uint32_t all = 0;
  if (now->n_loose == 0)
    return MS_OK;
  memset(p->reach, 0, now->n * sizeof *p->reach);
  for (uint32_t i = 0; i < now->n_loose; i++)
    if (p->keep[now->loose[i]]) {
      p->reach[now->loose[i]] = 1u << i;
      all |= 1u << i;
    }
  return all ? drop_unreached(p, all, 0, far, err) : MS_OK;
}

/* ---- rounds ---------------------------------------------------------------- */

static ms_status shrink_to_kept(pruning *p, uint32_t kept, ms_error *err)
{
  ms_instance *left;
  MS_TRY(ms_instance_induced(p->now, p->keep, p->threads, &left, err));
  ms_instance_free(p->own);
  p->now = p->own = left;
  count_lost(p, kept);
  return MS_OK;
}

/* Runs one round. *again is true if the components may have changed. */
static ms_status run_round(pruning *p, bool *again, ms_error *err)
{
  uint32_t poor = 0, far = 0, before = p->now->n;
  p->stats.rounds++;
  p->stats.poor_component += p->lost;
  p->stats.components = 0;
  p->lost = 0;
  *again = false;
  if (before == 0)
    return MS_OK;
  MS_TRY(drop_poor_components(p, &poor, err));
  if (poor < before) {
    MS_TRY(drop_far_from_slots(p, &far, err));
    MS_TRY(drop_far_from_loose(p, &far, err));
    p->stats.too_far += far;
  }
  *again = far > 0;
  return poor + far > 0 ? shrink_to_kept(p, before - poor - far, err) : MS_OK;
}

/* Applies the rule "too far" until nothing changes. */
static ms_status drop_all_far(pruning *p, ms_error *err)
{
  uint32_t before = p->now->n, far;
  MS_TRY(ms_prune_far(p->now, p->threads, p->keep, &far, err));
  p->stats.too_far += far;
  p->near_is_known = false;
  return far > 0 ? shrink_to_kept(p, before - far, err) : MS_OK;
}

/* Rounds until nothing changes, or until a worklist takes less time. */
static ms_status run_rounds(pruning *p, ms_error *err)
{
  uint32_t most = ms_hooks.prune_rounds == UINT32_MAX ? p->now->k : ms_hooks.prune_rounds;
  bool again = true, few_ids = p->now->n >> 31 == 0;
  while (again && (p->stats.rounds < most || !few_ids))
    MS_TRY(run_round(p, &again, err));
  if (!again)
    return MS_OK;
  MS_TRY(drop_all_far(p, err));
  return run_round(p, &again, err);
}

/* Passes on the pruned instance and the statistics. */
static void pass_on(pruning *p, ms_instance **out, ms_prune_stats *stats)
{
  *out = p->own;
  p->own = NULL;
  (*out)->pruned = true;
  if (stats)
    *stats = p->stats;
}

ms_status ms_instance_prune(const ms_instance *instance, int threads, ms_instance **out,
                            ms_prune_stats *stats, ms_error *err)
{
  pruning p;
  *out = NULL;
  if (instance->size < instance->k)
    return instance_prune_partial(instance, threads, out, stats, err);
  ms_status status =
      open_pruning(instance, ms_threads_for(threads, instance->n + instance->arcs), &p, err);
  if (status == MS_OK)
    status = run_rounds(&p, err);
  if (status == MS_OK && !p.own)
    status = ms_instance_copy(instance, &p.own, err);
  if (status == MS_OK)
    pass_on(&p, out, stats);
  close_pruning(&p);
  return status;
}

ms_status ms_instance_prune_thin(const ms_thin *thin, ms_instance **out, ms_prune_stats *stats,
                                 ms_error *err)
{
  pruning p = {.threads = 1};
  *out = NULL;
  take_thin(&p, thin);
  ms_status status = alloc_marks(&p, err);
  if (status == MS_OK)
    status = run_rounds(&p, err);
  if (status == MS_OK)
    pass_on(&p, out, stats);
  close_pruning(&p);
  return status;
}
