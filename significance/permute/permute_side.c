/* Permutations one by one, on threads side by side (permute_side.h). */
#include "significance/permute/permute_side.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "graph/colors.h"
#include "graph/graph.h"

#include <pthread.h>
#include <string.h>

#define LONG_CENSUS (1u << 28)      /* visits: some seconds on one thread */
#define VISITS_OF_STEP 10u          /* that take as long as one step of a chain */
#define MEMORY_OF_CENSUS (1u << 24) /* at least, beyond a multiple of what the first one took */
#define SLOTS_OF_THREAD 2u          /* so that few threads wait for a slow permutation */

typedef struct slot {
  uint64_t *count; /* [motifs] */
  ms_null_trace trace;
  bool ready;
} slot;

typedef struct side {
  ms_permute *p;
  ms_permute_take_fn *take;
  void *user;
  uint64_t memory; /* bytes of the tables of one census */
  uint64_t end;
  bool reports; /* its progress */
  ms_stop *stop;
  slot *slot; /* [slots] permutation i has slot i mod slots */
  uint64_t slots;
  /* under the lock */
  uint64_t next, done; /* the first permutation that nobody has begun, and that was not taken */
  ms_status failed;
  ms_error error;
  pthread_mutex_t lock;
  pthread_cond_t changed;
} side;

/* ---- how many ------------------------------------------------------------------------------ */

static uint64_t steps_of_chain(const ms_null *null)
{
  return ms_null_rewires(null->kind)   ? null->edges * 10
         : null->kind == MS_NULL_EDGES ? (uint64_t)null->moved * 20
                                       : 0;
}

static bool wants_gpu(const ms_permute *p)
{
  return (p->census->run.engine && strcmp(p->census->run.engine, "gpu") == 0) ||
         (p->observed->run.engine && strcmp(p->observed->run.engine, "gpu") == 0);
}

static uint32_t count_wanted(const ms_permute *p, uint64_t left)
{
  uint64_t threads = (uint64_t)p->threads, visits = p->observed->visits;
  if (wants_gpu(p) ||
      (visits > LONG_CENSUS && visits / VISITS_OF_STEP / threads > steps_of_chain(p->null)))
    return 1;
  return (uint32_t)(left < threads ? left : threads);
}

/* Bytes of one thread beside the tables of its census: the permuted colours or edges, the ranks of
 * the census, and slots. */
static uint64_t bytes_of_thread(const ms_permute *p)
{
  uint64_t n = p->graph->n;
  return ms_null_bytes_of_call(p->null) + (p->coloring ? p->coloring->offset[n] * 4 : 0) + n * 12 +
         n * 32 + p->graph->arcs * (p->graph->direction ? 5 : 4) +
         SLOTS_OF_THREAD * p->motifs * sizeof(uint64_t);
}

/* Returns how many threads the budget has room for, and sets the memory of each census. */
static uint32_t fit_threads(const ms_permute *p, uint32_t wanted, bool tight, uint64_t *memory)
{
  uint64_t left = ms_budget_left(&p->budget), fixed = bytes_of_thread(p);
  uint64_t usual = 4 * p->observed->bytes + MEMORY_OF_CENSUS;
  for (uint32_t width = wanted; width > 1; width--) {
    uint64_t share = left / width;
    if (share <= fixed || (share - fixed < usual && !tight))
      continue;
    *memory = tight ? share - fixed : usual;
    return width;
  }
  return 1;
}

/* ---- threads -------------------------------------------------------------------------------- */

/* Hands over what is ready, in order; under the lock. */
static void take_ready(side *s)
{
  while (s->done < s->next && s->slot[s->done % s->slots].ready) {
    slot *at = &s->slot[s->done % s->slots];
    ms_error error;
    ms_status status = s->take(s->user, at->count, &at->trace, &error);
    if (status != MS_OK) {
      s->failed = status;
      s->error = error;
      return;
    }
    at->ready = false;
    s->done++;
  }
}

static void report_progress(const side *s, uint64_t done)
{
  const ms_census_options *o = s->p->census;
  if (done > 0 && s->reports)
    ms_limits_report(&o->run, "permutations", done, s->p->options->permutations);
}

static void count_permutations(void *user, int thread)
{
  side *s = user;
  ms_stop *before = ms_stop_enter(s->stop);
  pthread_mutex_lock(&s->lock);
  while (s->failed == MS_OK && s->next < s->end) {
    if (s->next - s->done >= s->slots) { /* another thread is busy with permutation s->done */
      pthread_cond_wait(&s->changed, &s->lock);
      continue;
    }
    uint64_t number = s->next++, done = s->done;
    slot *at = &s->slot[number % s->slots];
    ms_error error;
    pthread_mutex_unlock(&s->lock);
    if (thread == 0)
      report_progress(s, done);
    ms_status status =
        ms_permute_one_within(s->p, number, s->memory, at->count, &at->trace, &error);
    pthread_mutex_lock(&s->lock);
    at->ready = status == MS_OK;
    if (status == MS_OK) {
      take_ready(s);
    } else if (s->failed == MS_OK) {
      s->failed = status;
      s->error = error;
    }
    pthread_cond_broadcast(&s->changed);
  }
  pthread_mutex_unlock(&s->lock);
  ms_stop_leave(before);
}

static ms_status run_threads(side *s, uint32_t width, ms_error *err)
{
  uint64_t motifs = s->p->motifs;
  ms_status status = MS_OK;
  s->slots = (uint64_t)width * SLOTS_OF_THREAD;
  s->slot = ms_calloc(s->slots, sizeof *s->slot);
  uint64_t *count = ms_alloc(s->slots * motifs, sizeof *count);
  if (s->slot && count) {
    for (uint64_t i = 0; i < s->slots; i++)
      s->slot[i].count = count + i * motifs;
    ms_parallel_team((int)width, count_permutations, s);
    if (s->failed != MS_OK)
      status = ms_fail(err, s->failed, "%s", s->error.message);
  } else {
    status = ms_fail_memory(err, "permutations side by side");
  }
  ms_free(count);
  ms_free(s->slot);
  return status;
}

static ms_status run_width(side *s, uint32_t width, ms_error *err)
{
  uint64_t bytes = width * (bytes_of_thread(s->p) + s->memory);
  if (!ms_budget_reserve(&s->p->budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY, "permutations side by side need more memory");
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  s->next = s->done;
  s->failed = MS_OK;
  ms_status status = run_threads(s, width, err);
  pthread_cond_destroy(&s->changed);
  pthread_mutex_destroy(&s->lock);
  ms_budget_release(&s->p->budget, bytes);
  return status;
}

/* One permutation after the other, each with all threads and all memory. */
static ms_status run_single(side *s, ms_error *err)
{
  ms_null_trace trace;
  uint64_t *count = ms_alloc(s->p->motifs, sizeof *count);
  ms_status status = count ? MS_OK : ms_fail_memory(err, "a permutation");
  while (status == MS_OK && s->done < s->end) {
    report_progress(s, s->done);
    status = ms_permute_one(s->p, s->done, count, &trace, err);
    if (status == MS_OK)
      status = s->take(s->user, count, &trace, err);
    if (status == MS_OK)
      s->done++;
  }
  ms_free(count);
  return status;
}

ms_status ms_permute_side_by_side(ms_permute *p, uint64_t first, uint64_t end, bool reports,
                                  ms_permute_take_fn *take, void *user, ms_error *err)
{
  side s = {.p = p, .take = take, .user = user, .end = end, .reports = reports, .done = first};
  uint32_t wanted = count_wanted(p, end - first);
  bool tight = false;
  s.stop = ms_stop_enter(NULL); /* the token of this thread, for the others */
  while (s.done < end) {
    uint32_t width = fit_threads(p, wanted, tight, &s.memory);
    if (width < 2)
      return run_single(&s, err);
    ms_status status = run_width(&s, width, err);
    if (status != MS_ERR_MEMORY)
      return status;
    /* fewer threads have more memory each */
    wanted = width / 2;
    tight = true;
  }
  return MS_OK;
}
