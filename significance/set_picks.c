#include "significance/set_picks.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"

#include <string.h>

/* The wanted sets of one root. */
typedef struct drawn_root {
  uint32_t root;
  uint64_t base;         /* the number of its first set */
  uint64_t first, count; /* of the wanted numbers */
} drawn_root;

typedef struct picking {
  const ms_census_graph *graph;
  uint32_t k;
  const uint64_t *number;
  uint32_t *set;
  drawn_root *drawn; /* [n_drawn] */
  uint64_t n_drawn;
  struct picker *picker; /* [threads] */
  ms_watch watch;
  atomic_bool failed; /* a root has fewer sets than were counted */
} picking;

/* What one thread holds. */
typedef struct picker {
  picking *all;
  uint8_t *near;                  /* [n] 1: in the set or next to it; 0 between two roots */
  uint32_t *x;                    /* [n] candidates of all levels */
  uint32_t member[MS_MAX_CENSUS]; /* of the set that grows */
  uint32_t root;
  uint64_t met;           /* sets of the root before this place of the search */
  const uint64_t *wanted; /* [left] numbers among those of the root, plus `base` */
  uint64_t left, base, visits;
  uint32_t *to; /* receives the next wanted set */
  bool ended;
} picker;

/* ---- one root ------------------------------------------------------------------------- */

/* Puts the neighbours of u that are above the root, and new, behind `end`, ascending. */
static uint32_t append_new(picker *p, uint32_t u, uint32_t end)
{
  const ms_census_graph *g = p->all->graph;
  for (uint64_t a = g->offset[u + 1]; a-- > g->offset[u];) { /* rows descend */
    uint32_t w = g->neighbor[a];
    if (w > p->root && !p->near[w]) {
      p->near[w] = 1;
      p->x[end++] = w;
    }
  }
  return end;
}

static void take_off(picker *p, uint32_t end, uint32_t more)
{
  while (more > end)
    p->near[p->x[--more]] = 0;
}

/* Returns the number of neighbours that append_new would put there. */
static uint64_t count_new(const picker *p, uint32_t u)
{
  const ms_census_graph *g = p->all->graph;
  uint64_t count = 0;
  for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
    count += g->neighbor[a] > p->root && !p->near[g->neighbor[a]];
  return count;
}

/* Copies the members and one more vertex, in the order of ranks. */
static void write_set(picker *p, uint32_t last)
{
  uint32_t k = p->all->k;
  for (uint32_t i = 0; i < k; i++) {
    uint32_t rank = i + 1 < k ? p->member[i] : last, at = i;
    for (; at > 0 && p->to[at - 1] > rank; at--)
      p->to[at] = p->to[at - 1];
    p->to[at] = rank;
  }
  p->to += k;
  p->wanted++;
  p->left--;
}

/* Returns whether a wanted set is among the next ones, of which there are so many. */
static bool has_wanted(const picker *p, uint64_t sets)
{
  return p->left > 0 && *p->wanted - p->base - p->met < sets;
}

/* Meets the sets of k - 1 members and a candidate. */
static void complete(picker *p, uint32_t begin, uint32_t end)
{
  while (has_wanted(p, end - begin))
    write_set(p, p->x[begin + (*p->wanted - p->base - p->met)]);
  p->met += end - begin;
}

/* Meets the sets of `size` members and candidates begin .. end - 1 of p->x. */
static void extend(picker *p, uint32_t size, uint32_t begin, uint32_t end)
{
  if (size + 1 == p->all->k) {
    complete(p, begin, end);
    return;
  }
  for (uint32_t i = begin; i < end && p->left > 0 && !p->ended; i++) {
    uint32_t u = p->x[i];
    /* rows may be long: a look at the token costs less than reading one */
    if (ms_watch_ended(&p->all->watch, p->visits++)) {
      p->ended = true;
      return;
    }
    if (size + 2 == p->all->k) {
      uint64_t sets = end - i - 1 + count_new(p, u);
      if (!has_wanted(p, sets)) {
        p->met += sets;
        continue;
      }
    }
    p->member[size] = u;
    uint32_t more = append_new(p, u, end);
    extend(p, size + 1, i + 1, more);
    take_off(p, end, more);
  }
}

static void pick_root(picker *p, const drawn_root *d)
{
  picking *all = p->all;
  p->root = p->member[0] = d->root;
  p->met = 0;
  p->wanted = all->number + d->first;
  p->left = d->count;
  p->base = d->base;
  p->to = all->set + d->first * all->k;
  uint32_t end = append_new(p, d->root, 0);
  extend(p, 1, 0, end);
  take_off(p, 0, end);
  if (p->left > 0 && !p->ended)
    atomic_store(&all->failed, true);
}

static void pick_roots(void *user, ms_range r)
{
  picking *all = user;
  picker *p = &all->picker[r.thread];
  for (uint64_t i = r.begin; i < r.end && !p->ended && !atomic_load(&all->failed); i++)
    pick_root(p, &all->drawn[i]);
}

/* ---- all roots ------------------------------------------------------------------------ */

/* Finds the roots that have wanted sets. */
static ms_status find_roots(picking *all, const uint64_t *of_root, uint64_t count, ms_error *err)
{
  uint64_t base = 0, i = 0;
  all->drawn = ms_alloc(count, sizeof *all->drawn);
  if (!all->drawn)
    return ms_fail_memory(err, "the sample of overlaps");
  for (uint32_t r = 0; r < all->graph->n && i < count; r++) {
    uint64_t first = i, end = base + of_root[r];
    while (i < count && all->number[i] < end)
      i++;
    if (i > first)
      all->drawn[all->n_drawn++] = (drawn_root){r, base, first, i - first};
    base = end;
  }
  return MS_OK;
}

static ms_status open_pickers(picking *all, int threads, ms_error *err)
{
  const ms_census_graph *g = all->graph;
  all->picker = ms_calloc((size_t)threads, sizeof *all->picker);
  if (!all->picker)
    return ms_fail_memory(err, "the sample of overlaps");
  for (int t = 0; t < threads; t++) {
    picker *p = &all->picker[t];
    *p = (picker){
        .all = all, .near = ms_calloc(g->n, sizeof *p->near), .x = ms_alloc(g->n, sizeof *p->x)};
    if (!p->near || !p->x)
      return ms_fail_memory(err, "the sample of overlaps");
  }
  return MS_OK;
}

static ms_status pick_all(picking *all, int threads, ms_error *err)
{
  MS_TRY(open_pickers(all, threads, err));
  ms_watch_begin(&all->watch);
  ms_watch_loop(&all->watch, threads, all->n_drawn, 1, pick_roots, all);
  MS_TRY(ms_watch_report(&all->watch, "sets are drawn", err));
  if (atomic_load(&all->failed))
    return ms_fail(err, MS_ERR_INTERNAL,
                   "a vertex has fewer connected sets than were counted; this is a bug in "
                   "motifsieve, please report it with the input files");
  return MS_OK;
}

ms_status ms_pick_sets(const ms_census_graph *graph, uint32_t k, const uint64_t *of_root,
                       const uint64_t *number, uint64_t count, int threads, ms_budget *budget,
                       uint32_t *set, ms_error *err)
{
  picking all = {.graph = graph, .k = k, .number = number, .set = set};
  uint64_t bytes = (uint64_t)graph->n * (sizeof(uint8_t) + sizeof(uint32_t));
  uint64_t most = ms_budget_left(budget) / (bytes + 1);
  if ((uint64_t)threads > most)
    threads = most > 1 ? (int)most : 1;
  bytes *= (uint64_t)threads;
  if (!ms_budget_reserve(budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "drawing connected sets needs more memory than is left; raise `memory`");
  atomic_init(&all.failed, false);
  ms_status status = find_roots(&all, of_root, count, err);
  if (status == MS_OK)
    status = pick_all(&all, threads, err);
  for (int t = 0; all.picker && t < threads; t++) {
    ms_free(all.picker[t].near);
    ms_free(all.picker[t].x);
  }
  ms_free(all.picker);
  ms_free(all.drawn);
  ms_budget_release(budget, bytes);
  return status;
}
