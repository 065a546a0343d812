#include "motif/best/best_sums.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "motif/best/sum_bound.h"
#include "motif/search.h"

#include <pthread.h>

#define WORDS_PER_STEP 64u /* as in take_part.c */
#define LARGE_BATCH 256u   /* or a share of all roots, since a batch copies what is known */
#define MANY_BATCHES 64u

typedef struct seeker seeker;

/* What all threads share, whichever sums they seek. */
typedef struct seeking {
  ms_ranked *ranked;
  const ms_stop *stop;
  uint64_t most;     /* the work that may be done; 0: any */
  ms_match_fn match; /* notes a match; its user is the seeker */
  /* Searches one root after the other.  Only the thread that `reports` tells how many are done. */
  ms_status (*search)(seeker *s, bool reports, ms_error *err);
  atomic_uint_fast64_t next, done, visits, spent;
  atomic_bool ended;
  pthread_mutex_t lock; /* of these two: the first failure */
  ms_status status;
  ms_error error;

  ms_all_sums *sums; /* all sums, or else the greatest ones: */
  ms_best_sums *out;
  ms_sum_bound *bound;
  ms_sums scores;
  atomic_uint_least32_t *best;  /* [n] by instance vertex: the greatest sum so far */
  atomic_uint_least32_t *limit; /* [n] by rank: the sum of a settled vertex, UINT32_MAX of others */
  uint64_t end;                 /* roots 0..end - 1 of the bounds are searched now */
  /* With `most`, roots go in batches, and what a batch finds is of use to the next one only, so
   * that the work of a root does not depend on the threads. */
  uint32_t *known; /* [n] the sums that the batch began with; NULL: no batches */
} seeking;

/* The search of a thread. */
struct seeker {
  seeking *all;
  ms_lone_search lone;
  uint64_t matches; /* of all sums: that were found */
  uint32_t root;    /* of the greatest sums: instance vertex */
  uint32_t best;    /* its greatest sum that this search knows */
  atomic_uint_least32_t least;
};

/* ---- all threads ----------------------------------------------------------------------------- */

static void fail(seeking *all, ms_status status, const ms_error *error)
{
  pthread_mutex_lock(&all->lock);
  if (all->status == MS_OK) {
    all->status = status;
    all->error = *error;
  }
  pthread_mutex_unlock(&all->lock);
  atomic_store(&all->ended, true);
}

static void work(void *user, int thread)
{
  seeking *all = user;
  seeker s = {.all = all};
  ms_search *search = &s.lone.search;
  ms_error error;
  atomic_init(&s.least, 0);
  ms_status status =
      ms_lone_search_open(&s.lone, all->ranked, all->match, &s, &all->ended, all->stop, &error);
  if (status == MS_OK) {
    search->bound = all->bound;
    search->least = all->bound ? &s.least : NULL;
    search->most = all->most > 0 ? 2 + all->most / WORDS_PER_STEP : 0;
    status = all->search(&s, thread == 0, &error);
    atomic_fetch_add(&all->visits, search->steps);
  }
  ms_lone_search_close(&s.lone);
  if (status != MS_OK)
    fail(all, status, &error);
}

/* Prepares the lock.  Once it is there, the caller destroys it. */
static ms_status open_lock(seeking *all, ms_error *err)
{
  return pthread_mutex_init(&all->lock, NULL) == 0
             ? MS_OK
             : ms_fail(err, MS_ERR_MEMORY, "cannot create a lock; is the system out of resources?");
}

/* Adds what the searches took; returns how they ended. */
static ms_status close_search(seeking *all, uint64_t *visits, uint64_t *spent, bool *gave_up,
                              ms_error *err)
{
  pthread_mutex_destroy(&all->lock);
  *visits += atomic_load(&all->visits);
  *spent += atomic_load(&all->spent);
  *gave_up |= all->most > 0 && atomic_load(&all->spent) > all->most;
  if (all->status != MS_OK && err)
    *err = all->error;
  return all->status;
}

/* ---- all sums -------------------------------------------------------------------------------- */

/* Notes the sum of a match for its vertices; an ms_match_fn. */
static bool note_sum(void *user, int thread, const uint32_t *set)
{
  seeker *s = user;
  const ms_all_sums *out = s->all->sums;
  uint32_t k = s->all->ranked->size;
  uint64_t sum = 0;
  (void)thread;
  for (uint32_t i = 0; i < k; i++)
    sum += out->exponent[set[i]];
  sum -= out->base;
  for (uint32_t i = 0; i < k; i++) {
    atomic_uint_least64_t *word = &out->seen[(size_t)set[i] * out->words + sum / 64];
    uint64_t bit = UINT64_C(1) << sum % 64;
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
      atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
  }
  s->matches++;
  return true;
}

/* Takes one root after the other.  The work of a root does not depend on the others, so neither
 * does their sum, whether it exceeds what is allowed or not. */
static ms_status search_roots(seeker *s, bool reports, ms_error *err)
{
  seeking *all = s->all;
  ms_search *search = &s->lone.search;
  uint64_t i;
  while (!atomic_load(&all->ended) && (i = atomic_fetch_add(&all->next, 1)) < all->ranked->roots) {
    uint64_t before = s->matches;
    search->work = 0;
    MS_TRY(ms_search_root(search, (uint32_t)i, err));
    uint64_t work = search->work * WORDS_PER_STEP + (s->matches - before) * all->ranked->size;
    uint64_t spent = work + atomic_fetch_add(&all->spent, work);
    if (all->most > 0 && spent > all->most)
      atomic_store(&all->ended, true);
    uint64_t done = atomic_fetch_add(&all->done, 1) + 1;
    if (reports && all->sums->report)
      all->sums->report(all->sums->user, done);
  }
  return MS_OK;
}

ms_status ms_find_all_sums(const ms_instance *region, int threads, ms_all_sums *out, ms_error *err)
{
  seeking all = {
      .sums = out, .stop = out->stop, .most = out->most, .match = note_sum, .search = search_roots};
  MS_TRY(ms_ranked_new(region, &all.ranked, err));
  ms_status status = open_lock(&all, err);
  if (status == MS_OK) {
    ms_parallel_team(threads, work, &all);
    status = close_search(&all, &out->visits, &out->work, &out->gave_up, err);
  }
  ms_ranked_free(all.ranked);
  return status;
}

/* ---- the greatest sums ----------------------------------------------------------------------- */

static void raise(atomic_uint_least32_t *best, uint32_t sum)
{
  uint_least32_t before = atomic_load_explicit(best, memory_order_relaxed);
  while (before < sum && !atomic_compare_exchange_weak(best, &before, sum))
    ;
}

/* Notes the sum of a match for its vertices; an ms_match_fn. */
static bool note_best(void *user, int thread, const uint32_t *set)
{
  seeker *s = user;
  seeking *all = s->all;
  uint32_t sum = 0, k = all->ranked->size;
  (void)thread;
  for (uint32_t i = 0; i < k; i++)
    sum += all->out->score[set[i]];
  for (uint32_t i = 0; i < k; i++)
    raise(&all->best[set[i]], sum);
  if (all->known)
    s->best = s->best < sum ? sum : s->best;
  else
    s->best = (uint32_t)atomic_load(&all->best[s->root]);
  atomic_store_explicit(&s->least, s->best + 1, memory_order_relaxed);
  return true;
}

/* Settles one vertex after the other, in the order of their bounds. */
static ms_status settle(seeker *s, bool reports, ms_error *err)
{
  seeking *all = s->all;
  ms_search *search = &s->lone.search;
  uint64_t i;
  while (!atomic_load(&all->ended) && (i = atomic_fetch_add(&all->next, 1)) < all->end) {
    uint32_t rank = ms_sum_bound_root(all->bound, i);
    s->root = all->ranked->vertex[rank];
    s->best = all->known ? all->known[s->root] : (uint32_t)atomic_load(&all->best[s->root]);
    atomic_store(&s->least, s->best + 1);
    search->work = 0;
    MS_TRY(ms_search_around(search, rank, err));
    if (atomic_load(&all->ended)) /* which has ended this search, too */
      break;
    uint64_t spent = search->work * WORDS_PER_STEP;
    spent += atomic_fetch_add(&all->spent, spent);
    if (all->most > 0 && spent > all->most) {
      atomic_store(&all->ended, true);
      break;
    }
    if (!all->known)
      atomic_store(&all->limit[rank], atomic_load(&all->best[s->root]));
    uint64_t settled = atomic_fetch_add(&all->done, 1) + 1;
    if (reports && all->out->report)
      all->out->report(all->out->user, settled);
  }
  return MS_OK;
}

/* Searches batches of roots, short ones at first, because the first matches raise many bounds. */
static void search_batches(seeking *all, int threads)
{
  uint32_t n = all->ranked->n, begin = 0;
  uint32_t largest = n / MANY_BATCHES > LARGE_BATCH ? n / MANY_BATCHES : LARGE_BATCH;
  for (uint32_t size = 1; begin < n && !atomic_load(&all->ended); size *= 2) {
    size = size < largest ? size : largest;
    all->end = begin + size < n ? begin + size : n;
    atomic_store(&all->next, begin);
    for (uint32_t v = 0; v < n; v++)
      all->known[v] = (uint32_t)atomic_load(&all->best[v]);
    ms_parallel_team(threads, work, all);
    for (; begin < all->end && !atomic_load(&all->ended); begin++) {
      uint32_t rank = ms_sum_bound_root(all->bound, begin);
      atomic_store(&all->limit[rank], atomic_load(&all->best[all->ranked->vertex[rank]]));
    }
  }
}

static ms_status search_all(seeking *all, int threads, ms_error *err)
{
  ms_best_sums *out = all->out;
  uint32_t n = all->ranked->n;
  for (uint32_t v = 0; v < n; v++) {
    atomic_init(&all->best[v], 0);
    atomic_init(&all->limit[v], UINT32_MAX);
  }
  MS_TRY(ms_sum_bound_new(all->ranked, &all->scores, all->limit, threads, &all->bound, err));
  MS_TRY(open_lock(all, err));
  all->end = n;
  if (all->known)
    search_batches(all, threads);
  else
    ms_parallel_team(threads, work, all);
  for (uint32_t v = 0; v < n; v++)
    out->best[v] = atomic_load(&all->best[v]);
  out->settled += (uint32_t)atomic_load(&all->done);
  return close_search(all, &out->visits, &out->work, &out->gave_up, err);
}

ms_status ms_find_best_sums(const ms_instance *region, int threads, ms_best_sums *out,
                            ms_error *err)
{
  seeking all = {.out = out,
                 .stop = out->stop,
                 .most = out->most,
                 .match = note_best,
                 .search = settle,
                 .scores = {.score = out->score, .budget = out->budget}};
  ms_status status = ms_ranked_new(region, &all.ranked, err);
  if (status != MS_OK)
    return status;
  all.best = ms_alloc(region->n, sizeof *all.best);
  all.limit = ms_alloc(region->n, sizeof *all.limit);
  all.known = out->most > 0 ? ms_alloc(region->n, sizeof *all.known) : NULL;
  status = all.best && all.limit && (all.known || out->most == 0)
               ? search_all(&all, threads, err)
               : ms_fail_memory(err, "the greatest sums of vertices");
  ms_sum_bound_free(all.bound);
  ms_ranked_free(all.ranked);
  ms_free(all.best);
  ms_free(all.limit);
  ms_free(all.known);
  return status;
}
