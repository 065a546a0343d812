#include "motif/count/count.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "motif/count/count_sets.h"
#include "motif/units.h"

#include <stdatomic.h>

#define MOST_RANKS 32768u /* with rows of bits: 128 MiB */
/* A row of bits pays if it has at most this many words for each neighbour of a neighbour. */
#define WORDS_PER_NEIGHBOR 8
/* The same where three levels can be folded: in random graphs of 3,000 vertices, both take as long
 * with degree 20, and rows 5 times as long with degree 6. */
#define FOLDED_WORDS_PER_NEIGHBOR 2
#define SAMPLED_ROOTS 64u /* whose balls are made before one way is chosen */
/* Vertices of a set from which on balls may be faster than folded lists; one less, if a neighbour
 * of a vertex has so many neighbours that many sets share a ball. */
#define LEAST_IN_BALLS 6u
#define MANY_NEIGHBORS 8
#define TASK_ROOTS 64u  /* of a task with balls */
#define PART_DEGREE 16u /* neighbours of a root for each part of its work */

typedef struct counting {
  const ms_kinds *kinds;
  const ms_set_counting *method;
  const ms_bit_rows *rows;
  ms_count_sink *sink;
  const ms_stop *stop;
  ms_root_share share;
  ms_set_counter *counter; /* [threads] */
  int threads;
  uint64_t first, roots; /* the first root, and their number */
  uint8_t *left;         /* [roots] those whose balls are too large */
  uint64_t *tasks;       /* [roots + 1] number of the first task of each root; NULL: a task is
                            TASK_ROOTS roots, in balls */
  atomic_uint_fast64_t next, found;
  atomic_int stopped; /* MS_OK, or why the counting ends */
} counting;

void ms_count_take(ms_count_sink *sink, const ms_ranked *ranked, const uint64_t *taking)
{
  for (uint32_t r = 0; taking && r < ranked->n; r++)
    sink->taking[ranked->vertex[r]] += taking[r];
}

/* ---- the choice ---------------------------------------------------------------- */

double ms_count_mean_neighbors(const ms_ranked *ranked)
{
  double squares = 0;
  for (uint32_t r = 0; r < ranked->n; r++) {
    double degree = (double)(ranked->offset[r + 1] - ranked->offset[r]);
    squares += degree * degree;
  }
  return ranked->n > 0 && ranked->offset[ranked->n] > 0
             ? squares / (double)ranked->offset[ranked->n]
             : 0;
}

static bool rows_pay(const ms_ranked *ranked, const ms_budget *budget)
{
  return ranked->n <= MOST_RANKS && ms_bit_rows_bytes(ranked->n) <= ms_budget_left(budget) / 2 &&
         (ranked->n <= MS_BALL_MOST ||
          ranked->n / 64.0 <= WORDS_PER_NEIGHBOR * ms_count_mean_neighbors(ranked));
}

/* True if the last three levels can be folded in balls. */
static bool fold_in_balls(const ms_kinds *kinds)
{
  return kinds->count <= MS_BALL_FOLDED_KINDS && kinds->ranked->size > 3;
}

/* What is near the roots of a sample. */
typedef struct ball_sample {
  uint32_t roots, small;   /* small: those whose balls have not too many members, or that are in no
                              match */
  uint64_t members, outer; /* of these balls; outer: k - 1 steps away from their roots */
  bool folded;             /* the last three levels are folded in balls */
} ball_sample;

static ms_status sample_balls(const ms_ranked *ranked, ball_sample *out, ms_error *err)
{
  ms_kinds kinds;
  ms_ball *ball = NULL;
  ms_fits *fits = NULL;
  *out = (ball_sample){.roots = ranked->roots < SAMPLED_ROOTS ? ranked->roots : SAMPLED_ROOTS};
  MS_TRY(ms_kinds_of(ranked, &kinds, err));
  out->folded = fold_in_balls(&kinds);
  ms_status status = ms_ball_new(&kinds, &ball, err);
  if (status == MS_OK)
    status = ms_fits_new(&kinds, 0, false, ms_hooks.state_bytes, NULL, &fits, err);
  for (uint64_t i = 0; status == MS_OK && i < out->roots; i++) {
    uint32_t root = (uint32_t)(i * ranked->roots / out->roots), kind = ms_kinds_at(&kinds, root);
    const ms_fit *begin = ms_fits_begin(fits);
    const ms_fit *fit =
        ms_fit_takes(begin, kinds.kind[kind]) ? ms_fits_next(fits, begin, kind) : NULL;
    bool made = fit && ms_ball_make(ball, root, fit, NULL);
    out->small += !fit || made;
    out->members += made ? ball->size : 0;
    out->outer += made ? ball->outer : 0;
  }
  ms_fits_free(fits);
  ms_ball_free(ball);
  ms_kinds_free(&kinds);
  return status;
}

/* True if the balls of most roots of the sample are small enough. */
static bool are_small(const ball_sample *s)
{
  return 8 * s->small >= 7 * s->roots;
}

/* Where balls grow slowly, as in the plane, many sets share a small ball, whose bits are then read
 * faster than lists.  In a random graph most members are in the outermost layer, and few sets share
 * them. */
ms_status ms_count_three_pays(const ms_ranked *ranked, const ms_budget *budget, bool *pays,
                              ms_error *err)
{
  bool rows = rows_pay(ranked, budget) &&
              ranked->n / 64.0 <= FOLDED_WORDS_PER_NEIGHBOR * ms_count_mean_neighbors(ranked);
  *pays = ms_hooks.count_way == MS_COUNT_THREE || (ms_hooks.count_way == 0 && !rows);
  bool many = ms_count_mean_neighbors(ranked) >= MANY_NEIGHBORS;
  if (!*pays || ms_hooks.count_way || ranked->size + many < LEAST_IN_BALLS ||
      ranked->n <= MS_BALL_MOST)
    return MS_OK;
  ball_sample s;
  MS_TRY(sample_balls(ranked, &s, err));
  *pays = !s.folded || !are_small(&s) || 2 * s.outer > s.members;
  return MS_OK;
}

ms_status ms_count_choose(const ms_ranked *ranked, const ms_budget *budget, ms_count_way *out,
                          ms_error *err)
{
  bool balls = false;
  *out = MS_COUNT_LISTS;
  if (ranked->size < 3) /* there is nothing to fold */
    return MS_OK;
  if (ms_hooks.count_way > 0 && ms_hooks.count_way < MS_COUNT_THREE) {
    *out = (ms_count_way)(ms_hooks.count_way - 1);
    return MS_OK;
  }
  if (ranked->n > MS_BALL_MOST) {
    ball_sample s;
    MS_TRY(sample_balls(ranked, &s, err));
    balls = are_small(&s);
  }
  if (balls)
    *out = MS_COUNT_BALLS;
  else if (rows_pay(ranked, budget))
    *out = MS_COUNT_ROWS;
  return MS_OK;
}

/* ---- the work ------------------------------------------------------------------- */

bool ms_count_poll(void *user)
{
  ms_count_thread *t = user;
  ms_status status = ms_stop_check(t->stop);
  if (status != MS_OK)
    atomic_store(t->stopped, (int)status);
  uint64_t more = *t->low - t->reported, found = atomic_fetch_add(t->found, more) + more;
  t->reported += more;
  if (t->sink && t->sink->progress)
    t->sink->progress(t->sink->user, found);
  return atomic_load_explicit(t->stopped, memory_order_relaxed) == MS_OK;
}

/* Notes the matches of a task, which were found since there were `before`. */
static void note_share(counting *all, const ms_set_counter *c, uint64_t task, uint64_t before)
{
  if (all->sink->shares)
    atomic_store_explicit(&all->sink->shares->matches[task], c->low - before, memory_order_relaxed);
}

static void count_in_rows(counting *all, ms_set_counter *c)
{
  uint64_t task, tasks = all->tasks[all->roots];
  while (!c->ended && (task = atomic_fetch_add(&all->next, 1)) < tasks) {
    uint64_t i = ms_last_at_most(all->tasks, all->roots, task), before = c->low;
    if (!ms_root_share_has(&all->share, all->kinds->ranked, (uint32_t)(all->first + i)))
      continue;
    c->second = ms_second_share_of(&all->share, all->kinds->ranked, (uint32_t)(all->first + i));
    all->method->count(c, (uint32_t)(all->first + i), (uint32_t)(task - all->tasks[i]),
                       (uint32_t)(all->tasks[i + 1] - all->tasks[i]));
    note_share(all, c, task, before);
  }
}

static void count_in_balls(counting *all, ms_set_counter *c)
{
  uint64_t begin;
  while (!c->ended && (begin = atomic_fetch_add(&all->next, TASK_ROOTS)) < all->roots)
    for (uint64_t i = begin; i < all->roots && i < begin + TASK_ROOTS && !c->ended; i++) {
      uint64_t before = c->low;
      uint32_t root = (uint32_t)(all->first + i);
      if (!ms_root_share_has(&all->share, all->kinds->ranked, root))
        continue;
      all->left[i] = ms_root_share_cuts(&all->share, all->kinds->ranked, root);
      if (all->left[i])
        continue;
      all->left[i] = !all->method->count_in_ball(c, root);
      note_share(all, c, i, before);
    }
}

static void work(void *user, int thread)
{
  counting *all = user;
  ms_set_counter *c = &all->counter[thread];
  ms_count_thread mine = {.sink = thread == 0 ? all->sink : NULL,
                          .stop = all->stop,
                          .found = &all->found,
                          .stopped = &all->stopped,
                          .low = &c->low};
  c->poll = ms_count_poll;
  c->user = &mine;
  c->ended = !ms_count_poll(&mine);
  if (all->tasks)
    count_in_rows(all, c);
  else
    count_in_balls(all, c);
}

ms_status ms_count_divide(const ms_ranked *ranked, uint64_t first, uint64_t roots, bool divided,
                          uint64_t **out, ms_error *err)
{
  uint64_t *tasks = *out = ms_alloc(roots + 1, sizeof *tasks), sum = 0;
  if (!tasks)
    return ms_fail_memory(err, "the roots of a listing");
  for (uint64_t i = 0; i < roots; i++) {
    uint64_t r = first + i, degree = ranked->offset[r + 1] - ranked->offset[r];
    tasks[i] = sum;
    sum += divided && ranked->size > 3 ? 1 + degree / PART_DEGREE : 1;
  }
  tasks[roots] = sum;
  return MS_OK;
}

ms_status ms_shares_new(ms_shares *shares, ms_count_way way, uint64_t count, ms_error *err)
{
  shares->way = way;
  shares->count = count;
  shares->matches = ms_calloc(count, sizeof *shares->matches);
  return shares->matches ? MS_OK : ms_fail_memory(err, "the matches of each share");
}

ms_status ms_shares_sum(const ms_ranked *ranked, const ms_shares *shares, uint64_t *matches,
                        ms_error *err)
{
  uint64_t *tasks;
  MS_TRY(ms_count_divide(ranked, 0, ranked->roots, shares->way == MS_COUNT_ROWS, &tasks, err));
  for (uint32_t r = 0; r < ranked->roots; r++) {
    matches[r] = 0;
    for (uint64_t s = tasks[r]; s < tasks[r + 1]; s++)
      matches[r] += atomic_load_explicit(&shares->matches[s], memory_order_relaxed);
  }
  ms_free(tasks);
  return MS_OK;
}

/* A root with many neighbours is divided among threads, or into shares. */
static ms_status divide(counting *all, ms_error *err)
{
  ms_shares *shares = all->sink->shares;
  MS_TRY(ms_count_divide(all->kinds->ranked, all->first, all->roots, all->threads > 1 || shares,
                         &all->tasks, err));
  return shares ? ms_shares_new(shares, MS_COUNT_ROWS, all->tasks[all->roots], err) : MS_OK;
}

/* Counts with all threads.  Without memory for all of them, some do all of the work. */
static ms_status count_with_threads(counting *all, ms_error *err)
{
  bool folds_three = !all->rows && fold_in_balls(all->kinds) && !all->sink->taking;
  int open = 0;
  all->counter = ms_calloc((size_t)all->threads, sizeof *all->counter);
  ms_status status = all->counter ? MS_OK : ms_fail_memory(err, "the threads of a counting");
  for (; status == MS_OK && open < all->threads; open += status == MS_OK)
    status = ms_set_counter_open(all->kinds, all->rows, all->sink->taking != NULL,
                                 ms_hooks.state_bytes, all->sink->budget, &all->counter[open], err);
  for (int t = 0; t < open; t++)
    all->counter[t].folds_three = folds_three;
  if (open > 0) {
    status = MS_OK;
    ms_parallel_team(open, work, all);
  }
  for (int t = 0; t < open; t++) {
    ms_set_counter *c = &all->counter[t];
    ms_count_take(all->sink, all->kinds->ranked, c->taking);
    ms_count_add(all->sink, c->low);
    all->sink->high += c->high;
    all->sink->visits += c->steps;
    ms_set_counter_close(c);
  }
  ms_free(all->counter);
  return status;
}

static ms_status count_with_rows(counting *all, ms_error *err)
{
  ms_bit_rows rows;
  uint64_t bytes = ms_bit_rows_bytes(all->kinds->ranked->n);
  if (!ms_budget_reserve(all->sink->budget, bytes))
    return ms_fail_memory(err, "the rows of bits");
  ms_status status = divide(all, err);
  if (status == MS_OK)
    status = ms_bit_rows_new(all->kinds, &rows, err);
  if (status == MS_OK) {
    all->rows = &rows;
    status = count_with_threads(all, err);
    ms_bit_rows_free(&rows);
  }
  ms_free(all->tasks);
  ms_budget_release(all->sink->budget, bytes);
  return status;
}

ms_status ms_count_by_bits(const ms_ranked *ranked, ms_count_way way, int threads, uint64_t first,
                           uint64_t last, ms_count_sink *sink, uint8_t *left, const ms_stop *stop,
                           ms_error *err)
{
  ms_kinds kinds;
  MS_TRY(ms_kinds_of(ranked, &kinds, err));
  counting all = {.kinds = &kinds,
                  .method = ms_set_counting_best(),
                  .sink = sink,
                  .stop = stop,
                  .threads = threads,
                  .left = left,
                  .first = first,
                  .roots = last - first,
                  .share = ms_root_share_of(ranked, sink->share, sink->only_cut)};
  atomic_init(&all.next, 0);
  atomic_init(&all.found, 0);
  atomic_init(&all.stopped, MS_OK);
  ms_status status =
      way == MS_COUNT_ROWS ? count_with_rows(&all, err) : count_with_threads(&all, err);
  ms_kinds_free(&kinds);
  ms_status stopped = (ms_status)atomic_load(&all.stopped);
  if (status == MS_OK && stopped != MS_OK)
    return ms_fail(err, stopped, "the counting was stopped: %s; it has found a part of the matches",
                   ms_status_text(stopped));
  return status;
}
