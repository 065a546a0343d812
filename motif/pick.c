#include "motif/pick.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/stop.h"
#include "motif/count_sets.h"
#include "motif/search.h"

/* A share that holds wanted matches. */
typedef struct drawn_share {
  uint64_t share, base;  /* the number of its first match */
  uint64_t first, count; /* of the wanted matches */
} drawn_share;

typedef struct picking {
  const ms_ranked *ranked;
  const ms_shares *shares;
  const ms_picks *picks;
  const ms_kinds *kinds;
  const ms_set_counting *method;
  const ms_bit_rows *rows; /* with MS_COUNT_ROWS, as `tasks` */
  const uint64_t *tasks;
  ms_budget *budget;
  const ms_stop *stop;
  drawn_share *drawn; /* [n_drawn] */
  uint64_t n_drawn;
  atomic_uint_fast64_t next;
  atomic_int stopped; /* MS_OK, or why the picking ends */
  ms_error error;     /* of the thread that set `stopped` first */
} picking;

/* What one thread needs. */
typedef struct picker {
  picking *all;
  ms_set_counter counter;
  ms_search search;
  ms_work_queue pool; /* of one worker, which no other waits for */
  ms_match_sink sink;
  bool pool_open, search_open;
} picker;

/* ---- one share -------------------------------------------------------------------- */

static bool poll(void *user)
{
  picking *all = ((picker *)user)->all;
  ms_status status = ms_stop_check(all->stop);
  int before = MS_OK;
  if (status != MS_OK && atomic_compare_exchange_strong(&all->stopped, &before, (int)status))
    (void)ms_fail(&all->error, status, "the drawing of matches was stopped: %s",
                  ms_status_text(status));
  return atomic_load_explicit(&all->stopped, memory_order_relaxed) == MS_OK;
}

static ms_wanted wanted_in(const picking *all, const drawn_share *d)
{
  uint32_t k = all->ranked->size;
  ms_wanted wanted = {.number = all->picks->number + d->first,
                      .left = d->count,
                      .base = d->base,
                      .set = all->picks->set + d->first * k,
                      .k = k};
  ms_wanted_find_next(&wanted);
  return wanted;
}

static ms_status open_search(picker *p, ms_error *err)
{
  MS_TRY(ms_work_queue_init(&p->pool, 1, 0, 1, &p->sink, err));
  p->pool_open = true;
  MS_TRY(ms_search_init(&p->search, p->all->ranked, 0, err));
  p->search_open = true;
  p->search.pool = &p->pool;
  p->search.sink = &p->sink;
  p->search.stop = p->all->stop;
  return MS_OK;
}

static ms_status pick_in_lists(picker *p, const drawn_share *d, ms_error *err)
{
  if (!p->search_open)
    MS_TRY(open_search(p, err));
  p->search.counted = 0;
  p->search.wanted = wanted_in(p->all, d);
  atomic_store(&p->pool.halt, false);
  MS_TRY(ms_search_root(&p->search, (uint32_t)d->share, err));
  return p->search.wanted.left == 0
             ? MS_OK
             : ms_fail(err, MS_ERR_INTERNAL,
                       "root %llu has fewer matches than were counted; this is a bug in "
                       "motifsieve, please report it with the input files",
                       (unsigned long long)d->share);
}

/* Picks in rows of bits, or in a ball.  Returns false if the ball would have too many members. */
static bool pick_in_bits(picker *p, const drawn_share *d)
{
  const picking *all = p->all;
  ms_set_counter *c = &p->counter;
  c->low = c->high = 0;
  c->ended = false;
  c->wanted = wanted_in(all, d);
  if (all->shares->way == MS_COUNT_BALLS)
    return all->method->count_in_ball(c, (uint32_t)d->share);
  uint64_t root = ms_count_root_of(all->tasks, all->ranked->roots, d->share);
  all->method->count(c, (uint32_t)root, (uint32_t)(d->share - all->tasks[root]),
                     (uint32_t)(all->tasks[root + 1] - all->tasks[root]));
  return true;
}

static ms_status pick_share(picker *p, const drawn_share *d, ms_error *err)
{
  if (p->all->shares->way == MS_COUNT_LISTS || !pick_in_bits(p, d))
    return pick_in_lists(p, d, err);
  if (p->counter.wanted.left == 0 || !poll(p))
    return MS_OK;
  return ms_fail(err, MS_ERR_INTERNAL,
                 "share %llu has fewer matches than were counted; this is a bug in motifsieve, "
                 "please report it with the input files",
                 (unsigned long long)d->share);
}

/* ---- all shares ------------------------------------------------------------------- */

static ms_status open_picker(picking *all, picker *p, ms_error *err)
{
  p->all = all;
  if (all->shares->way == MS_COUNT_LISTS)
    return MS_OK;
  MS_TRY(ms_set_counter_open(all->kinds, all->rows, false, ms_hooks.state_bytes, all->budget,
                             &p->counter, err));
  p->counter.poll = poll;
  p->counter.user = p;
  return MS_OK;
}

static void close_picker(picker *p)
{
  if (p->search_open)
    ms_search_free(&p->search);
  if (p->pool_open)
    ms_work_queue_destroy(&p->pool);
  ms_set_counter_close(&p->counter);
}

static void work(void *user, int thread)
{
  picking *all = user;
  picker p = {.all = all};
  ms_error error;
  uint64_t i;
  int before = MS_OK;
  (void)thread;
  ms_status status = open_picker(all, &p, &error);
  while (status == MS_OK && poll(&p) && (i = atomic_fetch_add(&all->next, 1)) < all->n_drawn)
    status = pick_share(&p, &all->drawn[i], &error);
  close_picker(&p);
  if (status != MS_OK && atomic_compare_exchange_strong(&all->stopped, &before, (int)status))
    all->error = error;
}

/* Finds the shares that hold wanted matches. */
static ms_status find_shares(picking *all, ms_error *err)
{
  const ms_picks *picks = all->picks;
  uint64_t base = 0, i = 0;
  all->drawn = ms_alloc(picks->count, sizeof *all->drawn);
  if (!all->drawn)
    return ms_fail_memory(err, "the drawn matches");
  for (uint64_t s = 0; s < all->shares->count && i < picks->count; s++) {
    uint64_t first = i, end = base + atomic_load(&all->shares->matches[s]);
    while (i < picks->count && picks->number[i] < end)
      i++;
    if (i > first)
      all->drawn[all->n_drawn++] = (drawn_share){s, base, first, i - first};
    base = end;
  }
  return MS_OK;
}

static ms_status pick_with_threads(picking *all, int threads, ms_error *err)
{
  MS_TRY(find_shares(all, err));
  ms_parallel_team(threads, work, all);
  ms_free(all->drawn);
  ms_status stopped = (ms_status)atomic_load(&all->stopped);
  if (stopped != MS_OK && err)
    *err = all->error;
  return stopped;
}

static ms_status pick_with_rows(picking *all, int threads, ms_error *err)
{
  ms_bit_rows rows;
  uint64_t *tasks, bytes = ms_bit_rows_bytes(all->ranked->n);
  if (!ms_budget_reserve(all->budget, bytes))
    return ms_fail_memory(err, "the rows of bits");
  ms_status status = ms_count_divide(all->ranked, 0, all->ranked->roots, true, &tasks, err);
  if (status == MS_OK) {
    all->tasks = tasks;
    status = ms_bit_rows_new(all->kinds, &rows, err);
    if (status == MS_OK) {
      all->rows = &rows;
      status = pick_with_threads(all, threads, err);
      ms_bit_rows_free(&rows);
    }
    ms_free(tasks);
  }
  ms_budget_release(all->budget, bytes);
  return status;
}

ms_status ms_pick(const ms_ranked *ranked, const ms_shares *shares, const ms_picks *picks,
                  int threads, ms_budget *budget, const ms_stop *stop, ms_error *err)
{
  ms_kinds kinds;
  if (picks->count == 0)
    return MS_OK;
  MS_TRY(ms_kinds_of(ranked, &kinds, err));
  picking all = {.ranked = ranked,
                 .shares = shares,
                 .picks = picks,
                 .kinds = &kinds,
                 .method = ms_set_counting_best(),
                 .budget = budget,
                 .stop = stop};
  atomic_init(&all.next, 0);
  atomic_init(&all.stopped, MS_OK);
  ms_status status = shares->way == MS_COUNT_ROWS ? pick_with_rows(&all, threads, err)
                                                  : pick_with_threads(&all, threads, err);
  ms_kinds_free(&kinds);
  return status;
}
