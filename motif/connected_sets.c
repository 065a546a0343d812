/* Implements the engine contract with the connected-set search. */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/hooks.h"
#include "base/integrity.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "motif/best/sum_bound.h"
#include "motif/count/count.h"
#include "motif/count/count_sets.h"
#include "motif/count/count_three.h"
#include "motif/engine.h"
#include "motif/search.h"
#include "motif/units.h"

/* ---- matches by their numbers ---------------------------------------------------------------- */

/* Picks matches of a region out by their numbers, without a visit to the others.
 *
 * Counting with ms_count_sink.shares says how many matches each share of the work has.  The numbers
 * of the matches follow the order of the shares and, in a share, the order in which the search
 * counts them.  Both depend on the region alone.  Only shares that hold a wanted match are counted
 * again. */

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
  ms_lone_search lone; /* open once a share is searched in lists */
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

static ms_status pick_in_lists(picker *p, const drawn_share *d, ms_error *err)
{
  ms_search *search = &p->lone.search;
  if (!p->lone.search_open)
    MS_TRY(ms_lone_search_open(&p->lone, p->all->ranked, NULL, NULL, NULL, p->all->stop, err));
  search->counted = 0;
  search->wanted = wanted_in(p->all, d);
  atomic_store(&p->lone.pool.halt, false);
  MS_TRY(ms_search_root(search, (uint32_t)d->share, err));
  return search->wanted.left == 0
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
  uint64_t root = ms_last_at_most(all->tasks, all->ranked->roots, d->share);
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
  ms_lone_search_close(&p->lone);
  ms_set_counter_close(&p->counter);
}

static void pick_work(void *user, int thread)
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
  ms_parallel_team(threads, pick_work, all);
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

/* Fills picks->set.  A count of all roots has filled `shares`.  Returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED if the token ended it; the sets are then not all filled. */
static ms_status ms_pick(const ms_ranked *ranked, const ms_shares *shares, const ms_picks *picks,
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

/* ---- connected sets -------------------------------------------------------------------------- */

typedef struct context {
  ms_ranked *ranked;
  int threads;
} context;

static int devices(void)
{
  return 1;
}

static void close_context(void *opaque)
{
  context *ctx = opaque;
  if (ctx) {
    ms_ranked_free(ctx->ranked);
    ms_free(ctx);
  }
}

static ms_status open_context(const ms_instance *instance, int threads, void **out, ms_error *err)
{
  *out = NULL;
  context *ctx = ms_calloc(1, sizeof *ctx);
  if (!ctx)
    return ms_fail_memory(err, "the listing");
  ctx->threads = threads > 0 ? threads : 1;
  ms_status status = ms_ranked_new(instance, &ctx->ranked, err);
  if (status != MS_OK) {
    close_context(ctx);
    return status;
  }
  *out = ctx;
  return MS_OK;
}

static uint64_t units(const void *opaque)
{
  const context *ctx = opaque;
  return ctx->ranked->roots;
}

/* The data that all workers of a run share. */
typedef struct run_args {
  const ms_ranked *ranked;
  ms_work_queue *pool;
  const ms_match_sink *sink;
  const ms_sum_bound *bound; /* NULL: nothing is left out */
  const ms_stop *stop;
  ms_root_share share;
  const ms_range_unit *unit; /* that is run; NULL: not one alone */
  atomic_uint_fast64_t counted;
  uint64_t *taking;              /* [threads][n] matches that hold each rank; NULL: not counted */
  atomic_uint_fast64_t *of_root; /* [roots] the matches of each are added; NULL: not counted */
} run_args;

/* Adds the matches of a root that were counted since there were `before`. */
static void note_root(const run_args *args, const ms_search *search, uint64_t root, uint64_t before)
{
  if (args->of_root && search->counted > before)
    atomic_fetch_add_explicit(&args->of_root[root], search->counted - before, memory_order_relaxed);
}

/* The next matches belong to this part.  Fails if it could not be opened. */
static ms_status use_part(ms_search *search, void *part, ms_error *err)
{
  const ms_match_sink *sink = search->sink;
  search->part = part;
  search->rest = NULL;
  if (!sink->parts)
    return MS_OK;
  if (!part)
    return ms_fail_memory(err, "a part of the listing");
  sink->parts->use(sink->user, search->thread, part);
  return MS_OK;
}

/* Ends the part that is being searched; goes on with the one behind it, if there is one. */
static void end_part(ms_search *search)
{
  const ms_match_sink *sink = search->sink;
  void *rest = search->rest;
  if (search->part)
    sink->parts->close(sink->user, search->part);
  search->part = NULL;
  if (rest)
    (void)use_part(search, rest, NULL);
}

/* Finds which second vertices the share has of a root. */
static ms_second_share seconds_of(const run_args *args, uint32_t root)
{
  ms_second_share second = ms_second_share_of(&args->share, args->ranked, root);
  if (args->unit) {
    second.low = args->unit->low;
    second.high = args->unit->high;
  }
  return second;
}

static ms_status search_roots(const run_args *args, ms_search *search, uint64_t first,
                              uint64_t last, void *part, ms_error *err)
{
  ms_status status = use_part(search, part, err);
  for (uint64_t root = first; root < last && status == MS_OK && !ms_work_queue_halted(search->pool);
       root++) {
    uint64_t before = search->counted;
    uint32_t rank = args->bound ? ms_sum_bound_root(args->bound, root) : (uint32_t)root;
    if (!ms_root_share_has(&args->share, args->ranked, rank))
      continue;
    search->second = seconds_of(args, rank);
    status = ms_search_root(search, rank, err);
    note_root(args, search, root, before);
    if (search->rest) /* branches of this root come before the next root */
      end_part(search);
  }
  end_part(search);
  return status;
}

static ms_status search_branch(const run_args *args, ms_search *search, ms_error *err)
{
  uint64_t before = search->counted;
  ms_status status = use_part(search, search->branch.part, err);
  search->second = seconds_of(args, search->branch.prefix[0]);
  if (status == MS_OK) {
    status = ms_search_branch(search, err);
    note_root(args, search, search->branch.prefix[0], before);
  }
  end_part(search);
  end_part(search); /* the rest, which is empty */
  return status;
}

static void work(void *user, int thread)
{
  run_args *args = user;
  ms_error error;
  ms_search search;
  uint64_t first, last;
  void *part;
  ms_work_queue *pool = args->pool;
  ms_work_queue_join(pool);
  ms_status status = ms_search_init(&search, args->ranked, thread, &error);
  if (status == MS_OK) {
    search.pool = pool;
    search.sink = args->sink;
    search.bound = args->bound;
    search.least = args->sink->sums ? &args->sink->sums->least : NULL;
    search.stop = args->stop;
    search.taking = args->taking ? args->taking + (size_t)thread * args->ranked->n : NULL;
    while (status == MS_OK && ms_work_queue_take_roots(pool, &first, &last, &part))
      status = search_roots(args, &search, first, last, part, &error);
    while (status == MS_OK && ms_work_queue_take_branch(pool, &search.branch))
      status = search_branch(args, &search, &error);
    if (args->sink->visits)
      atomic_fetch_add(args->sink->visits, search.steps);
    atomic_fetch_add(&args->counted, search.counted);
    ms_search_free(&search);
  }
  ms_work_queue_leave(pool, status, &error);
}

/* Visits all sets of the roots; with a sink that only counts, *counted receives their number;
 * `taking` and `of_root` are as in run_args. */
static ms_status visit(const context *ctx, uint64_t first, uint64_t last, const ms_match_sink *sink,
                       const ms_range_unit *unit, uint64_t *counted, uint64_t *taking,
                       atomic_uint_fast64_t *of_root, const ms_stop *stop, ms_error *err)
{
  ms_work_queue pool;
  last = last < units(ctx) ? last : units(ctx);
  if (first >= last)
    return MS_OK;
  ms_status status = ms_work_queue_init(&pool, ctx->threads, first, last, sink, err);
  if (status != MS_OK)
    return status;
  ms_sum_bound *bound = NULL;
  if (sink->sums) {
    status = ms_sum_bound_new(ctx->ranked, sink->sums, NULL, ctx->threads, &bound, err);
    if (status != MS_OK) {
      ms_work_queue_destroy(&pool);
      return status;
    }
  }
  run_args args = {.ranked = ctx->ranked,
                   .pool = &pool,
                   .sink = sink,
                   .bound = bound,
                   .stop = stop,
                   .unit = unit,
                   .share = ms_root_share_of(ctx->ranked, sink->share, sink->only_cut),
                   .taking = taking,
                   .of_root = of_root};
  ms_parallel_team(ctx->threads, work, &args);
  ms_sum_bound_free(bound);
  *counted = atomic_load(&args.counted);
  status = pool.status;
  if (status != MS_OK && err)
    *err = pool.error;
  ms_work_queue_destroy(&pool);
  return status;
}

static ms_status run(void *opaque, uint64_t first, uint64_t last, const ms_match_sink *sink,
                     const ms_stop *stop, ms_error *err)
{
  uint64_t counted = 0;
  if (sink->share)
    MS_TRY(ms_number_ranks(((context *)opaque)->ranked, err));
  return visit(opaque, first, last, sink, NULL, &counted, NULL, NULL, stop, err);
}

ms_status ms_connected_sets_row_units(const void *opaque, ms_range_units *out, ms_error *err)
{
  return ms_motif_row_units_make(((const context *)opaque)->ranked, out, err);
}

ms_status ms_connected_sets_run_unit(void *opaque, const ms_range_unit *unit,
                                     const ms_match_sink *sink, const ms_stop *stop, ms_error *err)
{
  uint64_t counted = 0;
  return visit(opaque, unit->first, unit->last, sink, unit, &counted, NULL, NULL, stop, err);
}

/* Counts in lists.  If the matches of each vertex are asked for, *taking is made when it is first
 * needed. */
static ms_status count_visits(const context *ctx, uint64_t first, uint64_t last,
                              ms_count_sink *sink, uint64_t **taking, const ms_stop *stop,
                              ms_error *err)
{
  atomic_uint_fast64_t visits;
  uint64_t counted = 0;
  if (sink->taking && !*taking) {
    *taking = ms_calloc((size_t)ctx->threads * ctx->ranked->n, sizeof **taking);
    if (!*taking)
      return ms_fail_memory(err, "the matches of each vertex");
  }
  atomic_init(&visits, 0);
  const ms_match_sink counting = {
      .visits = &visits, .share = sink->share, .only_cut = sink->only_cut};
  ms_status status = visit(ctx, first, last, &counting, NULL, &counted, *taking,
                           sink->shares ? sink->shares->matches : NULL, stop, err);
  ms_count_add(sink, counted);
  sink->visits += atomic_load(&visits);
  return status;
}

/* Counts by bits, and what is left in lists. */
static ms_status count_bits(const context *ctx, ms_count_way way, uint64_t first, uint64_t last,
                            ms_count_sink *sink, uint64_t **taking, const ms_stop *stop,
                            ms_error *err)
{
  uint8_t *left = ms_calloc((size_t)(last - first), 1);
  if (!left)
    return ms_fail_memory(err, "the roots of a counting");
  ms_status status =
      ms_count_by_bits(ctx->ranked, way, ctx->threads, first, last, sink, left, stop, err);
  for (uint64_t root = first, end; status == MS_OK && root < last; root = end) {
    for (end = root + 1; end < last && left[end - first] == left[root - first];)
      end++;
    if (left[root - first])
      status = count_visits(ctx, root, end, sink, taking, stop, err);
  }
  ms_free(left);
  return status;
}

/* Counts with three levels folded, and sets *counted, if that is possible and likely to be faster.
 */
static ms_status count_folded(const context *ctx, uint64_t first, uint64_t last,
                              ms_count_sink *sink, bool *counted, const ms_stop *stop,
                              ms_error *err)
{
  ms_three *three = NULL;
  *counted = false;
  if (sink->taking || sink->shares || ctx->ranked->size < 4 || ms_other_kernel() > 0)
    return MS_OK;
  MS_TRY(ms_count_three_pays(ctx->ranked, sink->budget, counted, err));
  if (!*counted)
    return MS_OK;
  *counted = false;
  MS_TRY(ms_three_new(ctx->ranked, sink->budget, &three, err));
  if (!three)
    return MS_OK;
  *counted = true;
  ms_status status = ms_three_count(three, ctx->threads, first, last, sink, stop, err);
  ms_three_free(three);
  return status;
}

static ms_status count(void *opaque, uint64_t first, uint64_t last, ms_count_sink *sink,
                       const ms_stop *stop, ms_error *err)
{
  const context *ctx = opaque;
  ms_count_way way;
  uint64_t *taking = NULL;
  last = last < units(ctx) ? last : units(ctx);
  if (first >= last)
    return MS_OK;
  bool counted;
  if (sink->share)
    MS_TRY(ms_number_ranks(ctx->ranked, err));
  MS_TRY(count_folded(ctx, first, last, sink, &counted, stop, err));
  if (counted)
    return MS_OK;
  /* what the shares are must not depend on the memory */
  MS_TRY(ms_count_choose(ctx->ranked, sink->shares ? NULL : sink->budget, &way, err));
  if (sink->shares && way != MS_COUNT_ROWS)
    MS_TRY(ms_shares_new(sink->shares, way, last, err));
  ms_status status = way == MS_COUNT_LISTS
                         ? count_visits(ctx, first, last, sink, &taking, stop, err)
                         : count_bits(ctx, way, first, last, sink, &taking, stop, err);
  for (int t = 0; taking && t < ctx->threads; t++)
    ms_count_take(sink, ctx->ranked, taking + (size_t)t * ctx->ranked->n);
  ms_free(taking);
  return status;
}

static ms_status pick(void *opaque, const ms_shares *shares, const ms_picks *picks,
                      ms_budget *budget, const ms_stop *stop, ms_error *err)
{
  const context *ctx = opaque;
  return ms_pick(ctx->ranked, shares, picks, ctx->threads, budget, stop, err);
}

static ms_status sum_shares(const void *opaque, const ms_shares *shares, uint64_t *matches,
                            ms_error *err)
{
  const context *ctx = opaque;
  return ms_shares_sum(ctx->ranked, shares, matches, err);
}

const ms_engine ms_engine_connected_sets = {
    .name = "connected-sets",
    .devices = devices,
    .open = open_context,
    .units = units,
    .run = run,
    .count = count,
    .pick = pick,
    .sum_shares = sum_shares,
    .close = close_context,
};
