/* Drops all vertices that are too far from a slot or a loose vertex, with a worklist.
 *
 * A column is a slot or a loose vertex; its sources are the holders of the slot, or the vertex.
 * level(v, c) is a lower bound on the hops from v to the nearest source of column c that is kept,
 * and in the end exact.  The levels begin as the distances in the whole instance, and only rise,
 * because vertices only drop (the scheme of Even and Shiloach: "An On-Line Edge-Deletion Problem",
 * 1981, cut off at k - 1 levels).
 *
 * Between two steps, each kept v that is no source of c has level(v, c) <= level(u, c) + 1 for
 * every kept neighbour u, and either has a *support*, a kept neighbour u with level(u, c) =
 * level(v, c) - 1, or waits in the worklist.  A step takes (v, c) from the list and looks for the
 * next support.  If there is none, all kept neighbours have at least level(v, c), so the level
 * rises by one, which keeps the bound; pairs whose support was v are listed.  At level k the vertex
 * drops, with all its columns.  When the list is empty, following supports is a path to a source of
 * as many hops as the level says, so the levels are the distances, and all are below k: nothing
 * more can drop.  No vertex dropped that the rule keeps: its level was at most its distance among
 * the vertices kept then.
 *
 * Time.  The search for a support continues where the last one ended: the neighbours before that
 * place were dropped, or had at least the present level of v, and neither changes.  It begins again
 * when the level rises.  So each of the at most k levels of (v, c) costs one pass over the row of v
 * for its searches, and one to list the neighbours that v supported when it rises or drops.  A pair
 * is listed once for each support that it loses, and then moves on in its row.  The sum over all
 * pairs is O(c k (n + m)). */
#include "motif/prune_far.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/watch.h"

#include <string.h>

enum { CHUNK = 512, MAX_COLUMNS = 2 * MS_MAX_K };
#define POLL_STEPS 4096u
#define WAITING (UINT32_C(1) << 31) /* in a place: the pair is in the worklist */
#define PHASE "vertices are pruned"

typedef struct far {
  const ms_instance *in;
  int threads;
  uint32_t columns;
  uint8_t *keep;   /* [n] */
  uint8_t *level;  /* [n][columns] k: no source within k - 1 hops */
  uint32_t *place; /* [n][columns] where in the row of v its support is, with WAITING */
  uint64_t *list;  /* [room] the worklist: v * columns + c */
  uint64_t listed, room;
  uint32_t dropped;
  bool no_memory;
} far;

static uint8_t *levels_of(const far *f, uint32_t v)
{
  return f->level + (uint64_t)v * f->columns;
}

static uint32_t *places_of(const far *f, uint32_t v)
{
  return f->place + (uint64_t)v * f->columns;
}

/* ---- the first levels --------------------------------------------------------- */

static void set_sources(far *f)
{
  const ms_instance *in = f->in;
  memset(f->level, (int)in->k, (size_t)in->n * f->columns);
  for (uint32_t v = 0; v < in->n; v++)
    for (uint32_t rest = in->mask[v]; rest; rest &= rest - 1)
      levels_of(f, v)[__builtin_ctz(rest)] = 0;
  for (uint32_t i = 0; i < in->n_loose; i++)
    levels_of(f, in->loose[i])[in->k + i] = 0;
}

/* Gives level `hop` to the pairs without one that have a neighbour of the level before. */
static bool reach_neighbors(const far *f, uint32_t v, uint32_t hop)
{
  const ms_instance *in = f->in;
  uint8_t *own = levels_of(f, v);
  bool changed = false;
  for (uint32_t c = 0; c < f->columns; c++)
    if (own[c] == in->k)
      for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
        /* another thread may set a level meanwhile, but not to hop - 1 */
        if (__atomic_load_n(levels_of(f, in->neighbor[a]) + c, __ATOMIC_RELAXED) == hop - 1) {
          __atomic_store_n(own + c, (uint8_t)hop, __ATOMIC_RELAXED);
          places_of(f, v)[c] = (uint32_t)(a - in->offset[v]);
          changed = true;
          break;
        }
  return changed;
}

typedef struct hop {
  const far *f;
  uint32_t hop;
  ms_watch watch;
  bool changed;
} hop;

static void reach_range(void *user, ms_range r)
{
  hop *h = user;
  bool changed = false;
  for (uint64_t v = r.begin; v < r.end; v++)
    if (!ms_watch_ended(&h->watch, v))
      changed |= reach_neighbors(h->f, (uint32_t)v, h->hop);
  if (changed)
    __atomic_store_n(&h->changed, true, __ATOMIC_RELAXED);
}

/* Finds the levels of all pairs, and the first support of each. */
static ms_status find_levels(far *f, ms_error *err)
{
  hop h = {.f = f, .hop = 1, .changed = true};
  ms_watch_begin(&h.watch);
  set_sources(f);
  for (; h.hop < f->in->k && h.changed; h.hop++) {
    h.changed = false;
    ms_parallel(f->threads, f->in->n, CHUNK, reach_range, &h);
    MS_TRY(ms_watch_report(&h.watch, PHASE, err));
  }
  return MS_OK;
}

/* ---- the worklist --------------------------------------------------------------- */

static void list_pair(far *f, uint32_t v, uint32_t c)
{
  if (!MS_GROW(f->list, f->room, f->listed, 1)) {
    f->no_memory = true;
    return;
  }
  places_of(f, v)[c] |= WAITING;
  f->list[f->listed++] = (uint64_t)v * f->columns + c;
}

/* Lists the neighbours that v supports in the columns first..last - 1, and no longer does. */
static void list_supported(far *f, uint32_t v, uint32_t first, uint32_t last)
{
  const ms_instance *in = f->in;
  for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++) {
    uint32_t u = in->neighbor[a];
    if (!f->keep[u])
      continue;
    for (uint32_t c = first; c < last; c++) {
      uint32_t level = levels_of(f, u)[c], place = places_of(f, u)[c];
      bool supported = level > 0 && level < in->k; /* no source, and not about to drop */
      if (supported && !(place & WAITING) && in->neighbor[in->offset[u] + place] == v)
        list_pair(f, u, c);
    }
  }
}

static void drop(far *f, uint32_t v)
{
  f->keep[v] = 0;
  f->dropped++;
  list_supported(f, v, 0, f->columns);
}

/* Finds the next support of a pair; raises its level as long as there is none. */
static void support_pair(far *f, uint32_t v, uint32_t c)
{
  const ms_instance *in = f->in;
  const uint32_t *row = in->neighbor + in->offset[v];
  uint32_t degree = (uint32_t)(in->offset[v + 1] - in->offset[v]);
  uint32_t *place = places_of(f, v) + c, at = *place & ~WAITING;
  uint8_t *level = levels_of(f, v) + c;
  while (f->keep[v]) {
    for (; at < degree; at++)
      if (f->keep[row[at]] && levels_of(f, row[at])[c] == *level - 1) {
        *place = at;
        return;
      }
    at = 0;
    if (++*level == in->k)
      drop(f, v);
    else
      list_supported(f, v, c, c + 1);
  }
}

static ms_status empty_list(far *f, ms_error *err)
{
  for (uint32_t steps = 0; f->listed > 0 && !f->no_memory; steps++) {
    if (steps % POLL_STEPS == 0)
      MS_TRY(ms_stop_poll(PHASE, err));
    uint64_t pair = f->list[--f->listed];
    support_pair(f, (uint32_t)(pair / f->columns), (uint32_t)(pair % f->columns));
  }
  return f->no_memory ? ms_fail_memory(err, "pruning") : MS_OK;
}

static ms_status drop_all(far *f, ms_error *err)
{
  MS_TRY(find_levels(f, err));
  for (uint32_t v = 0; v < f->in->n; v++) {
    if (f->keep[v] && memchr(levels_of(f, v), (int)f->in->k, f->columns))
      drop(f, v);
    if (v % POLL_STEPS == 0)
      MS_TRY(ms_stop_poll(PHASE, err));
  }
  return empty_list(f, err);
}

ms_status ms_prune_far(const ms_instance *instance, int threads, uint8_t *keep, uint32_t *dropped,
                       ms_error *err)
{
  far f = {
      .in = instance, .threads = threads, .columns = instance->k + instance->n_loose, .keep = keep};
  size_t pairs = (size_t)instance->n * f.columns;
  *dropped = 0;
  memset(keep, 1, instance->n);
  f.level = ms_alloc_lines(pairs, sizeof *f.level);
  f.place = ms_alloc_lines(pairs, sizeof *f.place);
  ms_status status = f.level && f.place ? drop_all(&f, err) : ms_fail_memory(err, "pruning");
  ms_free(f.level);
  ms_free(f.place);
  ms_free(f.list);
  if (status == MS_OK)
    *dropped = f.dropped;
  return status;
}
