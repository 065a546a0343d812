#include "motif/best_sums.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "motif/sum_bound.h"

#include <pthread.h>

#define WORDS_PER_STEP 64u /* as in take_part.c */
#define LARGE_BATCH 256u   /* or a share of all roots, since a batch copies what is known */
#define MANY_BATCHES 64u

typedef struct seeking {
  ms_best_sums *out;
  ms_ranked *ranked;
  ms_sum_bound *bound;
  ms_sums sums;
  atomic_uint_least32_t *best; /* [n] by instance vertex: the greatest sum so far */
  atomic_uint_least32_t *most; /* [n] by rank: the sum of a settled vertex, UINT32_MAX of others */
  uint64_t end;                /* roots 0..end - 1 of the bounds are searched now */
  atomic_uint_fast64_t next, settled, visits, spent;
  atomic_bool ended;
  /* With out->most, roots go in batches, and what a batch finds is of use to the next one only, so
   * that the work of a root does not depend on the threads. */
  uint32_t *known;      /* [n] the sums that the batch began with; NULL: no batches */
  pthread_mutex_t lock; /* of these two: the first failure */
  ms_status status;
  ms_error error;
} seeking;

/* The search of a thread. */
typedef struct seeker {
  seeking *all;
  uint32_t root; /* instance vertex */
  uint32_t best; /* its greatest sum that this search knows */
  atomic_uint_least32_t least;
} seeker;

static void raise(atomic_uint_least32_t *best, uint32_t sum)
{
  uint_least32_t before = atomic_load_explicit(best, memory_order_relaxed);
  while (before < sum && !atomic_compare_exchange_weak(best, &before, sum))
    ;
}

/* Notes the sum of a match for its vertices; an ms_match_fn. */
static bool on_match(void *user, int thread, const uint32_t *set)
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

/* Settles one vertex after the other, in the order of their bounds. */
static ms_status settle(seeker *s, ms_search *search, bool reports, ms_error *err)
{
  seeking *all = s->all;
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
    if (all->out->most > 0 && spent > all->out->most) {
      atomic_store(&all->ended, true);
      break;
    }
    if (!all->known)
      atomic_store(&all->most[rank], atomic_load(&all->best[s->root]));
    uint64_t settled = atomic_fetch_add(&all->settled, 1) + 1;
    if (reports && all->out->report)
      all->out->report(all->out->user, settled);
  }
  return MS_OK;
}

static void work(void *user, int thread)
{
  seeking *all = user;
  seeker s = {.all = all};
  ms_match_sink sink = {.match = on_match, .user = &s, .halt = &all->ended};
  ms_work_queue pool; /* of one worker, which no other waits for */
  ms_search search;
  ms_error error;
  ms_status status = ms_work_queue_init(&pool, 1, 0, 1, &sink, &error);
  if (status != MS_OK) {
    fail(all, status, &error);
    return;
  }
  atomic_init(&s.least, 0);
  status = ms_search_init(&search, all->ranked, thread, &error);
  if (status == MS_OK) {
    search.pool = &pool;
    search.sink = &sink;
    search.stop = all->out->stop;
    search.bound = all->bound;
    search.least = &s.least;
    search.most = all->out->most > 0 ? 2 + all->out->most / WORDS_PER_STEP : 0;
    status = settle(&s, &search, thread == 0, &error);
    atomic_fetch_add(&all->visits, search.steps);
    ms_search_free(&search);
  }
  ms_work_queue_destroy(&pool);
  if (status != MS_OK)
    fail(all, status, &error);
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
      atomic_store(&all->most[rank], atomic_load(&all->best[all->ranked->vertex[rank]]));
    }
  }
}

static ms_status search_all(seeking *all, int threads, ms_error *err)
{
  ms_best_sums *out = all->out;
  uint32_t n = all->ranked->n;
  for (uint32_t v = 0; v < n; v++) {
    atomic_init(&all->best[v], 0);
    atomic_init(&all->most[v], UINT32_MAX);
  }
  MS_TRY(ms_sum_bound_new(all->ranked, &all->sums, all->most, threads, &all->bound, err));
  if (pthread_mutex_init(&all->lock, NULL) != 0)
    return ms_fail(err, MS_ERR_MEMORY, "cannot create a lock; is the system out of resources?");
  all->end = n;
  if (all->known)
    search_batches(all, threads);
  else
    ms_parallel_team(threads, work, all);
  pthread_mutex_destroy(&all->lock);
  for (uint32_t v = 0; v < n; v++)
    out->best[v] = atomic_load(&all->best[v]);
  out->visits += atomic_load(&all->visits);
  out->settled += (uint32_t)atomic_load(&all->settled);
  out->work += atomic_load(&all->spent);
  out->gave_up |= out->most > 0 && atomic_load(&all->spent) > out->most;
  if (all->status != MS_OK && err)
    *err = all->error;
  return all->status;
}

ms_status ms_find_best_sums(const ms_instance *region, int threads, ms_best_sums *out,
                            ms_error *err)
{
  seeking all = {.out = out, .sums = {.score = out->score, .budget = out->budget}};
  ms_status status = ms_ranked_new(region, &all.ranked, err);
  if (status != MS_OK)
    return status;
  all.best = ms_alloc(region->n, sizeof *all.best);
  all.most = ms_alloc(region->n, sizeof *all.most);
  all.known = out->most > 0 ? ms_alloc(region->n, sizeof *all.known) : NULL;
  status = all.best && all.most && (all.known || out->most == 0)
               ? search_all(&all, threads, err)
               : ms_fail_memory(err, "the greatest sums of vertices");
  ms_sum_bound_free(all.bound);
  ms_ranked_free(all.ranked);
  ms_free(all.best);
  ms_free(all.most);
  ms_free(all.known);
  return status;
}
