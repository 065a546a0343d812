#include "motif/all_sums.h"

#include "base/parallel.h"
#include "base/status.h"
#include "motif/search.h"

#include <pthread.h>

#define WORDS_PER_STEP 64u /* as in take_part.c */

typedef struct seeking {
  ms_all_sums *out;
  ms_ranked *ranked;
  atomic_uint_fast64_t next, done, visits, spent;
  atomic_bool ended;
  pthread_mutex_t lock; /* of these two: the first failure */
  ms_status status;
  ms_error error;
} seeking;

/* The search of a thread. */
typedef struct seeker {
  seeking *all;
  uint64_t matches;
} seeker;

/* Notes the sum of a match for its vertices; an ms_match_fn. */
static bool on_match(void *user, int thread, const uint32_t *set)
{
  seeker *s = user;
  const ms_all_sums *out = s->all->out;
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

/* Takes one root after the other.  The work of a root does not depend on the others, so neither
 * does their sum, whether it exceeds what is allowed or not. */
static ms_status search_roots(seeker *s, ms_search *search, bool reports, ms_error *err)
{
  seeking *all = s->all;
  uint64_t i, most = all->out->most;
  while (!atomic_load(&all->ended) && (i = atomic_fetch_add(&all->next, 1)) < all->ranked->roots) {
    uint64_t before = s->matches;
    search->work = 0;
    MS_TRY(ms_search_root(search, (uint32_t)i, err));
    uint64_t work = search->work * WORDS_PER_STEP + (s->matches - before) * all->ranked->size;
    uint64_t spent = work + atomic_fetch_add(&all->spent, work);
    if (most > 0 && spent > most)
      atomic_store(&all->ended, true);
    uint64_t done = atomic_fetch_add(&all->done, 1) + 1;
    if (reports && all->out->report)
      all->out->report(all->out->user, done);
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
  status = ms_search_init(&search, all->ranked, thread, &error);
  if (status == MS_OK) {
    search.pool = &pool;
    search.sink = &sink;
    search.stop = all->out->stop;
    search.most = all->out->most > 0 ? 2 + all->out->most / WORDS_PER_STEP : 0;
    status = search_roots(&s, &search, thread == 0, &error);
    atomic_fetch_add(&all->visits, search.steps);
    ms_search_free(&search);
  }
  ms_work_queue_destroy(&pool);
  if (status != MS_OK)
    fail(all, status, &error);
}

ms_status ms_find_all_sums(const ms_instance *region, int threads, ms_all_sums *out, ms_error *err)
{
  seeking all = {.out = out};
  if (pthread_mutex_init(&all.lock, NULL) != 0)
    return ms_fail(err, MS_ERR_MEMORY, "cannot create a lock; is the system out of resources?");
  ms_status status = ms_ranked_new(region, &all.ranked, err);
  if (status == MS_OK) {
    ms_parallel_team(threads, work, &all);
    out->visits += atomic_load(&all.visits);
    out->work += atomic_load(&all.spent);
    out->gave_up |= out->most > 0 && atomic_load(&all.spent) > out->most;
    status = all.status;
    if (status != MS_OK && err)
      *err = all.error;
  }
  ms_ranked_free(all.ranked);
  pthread_mutex_destroy(&all.lock);
  return status;
}
