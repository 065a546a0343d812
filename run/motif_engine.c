#include "run/motif_engine.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "motif/count/count.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"auto", "cpu", "gpu"};

enum { NAMES = sizeof names / sizeof *names };

const char *ms_motif_engine_name(uint32_t i)
{
  return i < NAMES ? names[i] : NULL;
}

ms_status ms_motif_engine_find(const char *name, ms_motif_engine *out, ms_error *err)
{
  *out = MS_MOTIF_AUTO;
  for (int i = 0; name && i < NAMES; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (ms_motif_engine)i;
      return MS_OK;
    }
  return name ? ms_fail(err, MS_ERR_USAGE,
                        "there is no engine '%s' for motifs; use auto, cpu or gpu", name)
              : MS_OK;
}

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

static void note(ms_motif_counted *out, const char *engine, const char *reason)
{
  out->engine = engine;
  snprintf(out->reason, sizeof out->reason, "%s", reason);
}

/* ---- one engine ---------------------------------------------------------------------- */

static ms_status count_region(const ms_motif_counting *w, const ms_instance *region,
                              const ms_engine *engine, ms_count_sink *sink, const ms_stop *stop,
                              ms_error *err)
{
  void *context = NULL;
  ms_count_sink own = *sink;
  own.taking = sink->taking ? ms_calloc(region->n, sizeof *own.taking) : NULL;
  if (sink->taking && !own.taking)
    return ms_fail_memory(err, "the matches of each vertex");
  ms_status status = engine->open(region, w->threads, &context, err);
  if (status == MS_OK)
    status = engine->count(context, 0, engine->units(context), &own, stop, err);
  engine->close(context);
  for (uint32_t v = 0; own.taking && v < region->n; v++)
    sink->taking[region->vertex[v]] += own.taking[v];
  sink->low = own.low;
  sink->high = own.high;
  sink->visits = own.visits;
  ms_free(own.taking);
  return status;
}

static ms_status count_by(const ms_motif_counting *w, const ms_engine *engine, ms_count_sink *sink,
                          const ms_stop *stop, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t r = 0; status == MS_OK && r < w->count; r++)
    status = count_region(w, w->region[r], engine, sink, stop, err);
  return status;
}

/* ---- a race -------------------------------------------------------------------------- */

/* The CPU counts, and so does a GPU once the CPU has taken as long as a GPU takes to start.  The
 * first that is done stops the other one: nobody can say before how long a count takes, on either.
 */
typedef struct race {
  const ms_motif_counting *work;
  ms_count_sink sink[2]; /* of the CPU and of the GPU */
  ms_stop *stop[2];
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool cpu_done, gpu_counted; /* under the lock */
  ms_error why;               /* if the GPU has not counted: the reason */
} race;

enum { CPU, GPU };

/* Waits until it is worth while to start a GPU; false: the CPU was done before. */
static bool wait_for_start(race *r)
{
  double end = ms_seconds() + ms_hooks.motif_gpu_patience, left;
  pthread_mutex_lock(&r->lock);
  while (!r->cpu_done && (left = end - ms_seconds()) > 0)
    ms_wait_for(&r->changed, &r->lock, left);
  bool starts = !r->cpu_done;
  pthread_mutex_unlock(&r->lock);
  return starts;
}

static void *run_gpu(void *user)
{
  race *r = user;
  const ms_engine *gpu = &ms_engine_gpu_sets;
  if (!wait_for_start(r))
    return NULL;
  ms_stop *before = ms_stop_attach(r->stop[GPU]);
  ms_status status = gpu->devices() > 0
                         ? count_by(r->work, gpu, &r->sink[GPU], r->stop[GPU], &r->why)
                         : ms_fail(&r->why, MS_ERR_USAGE, "there is no usable GPU");
  ms_stop_attach(before);
  pthread_mutex_lock(&r->lock);
  r->gpu_counted = status == MS_OK;
  pthread_mutex_unlock(&r->lock);
  if (status == MS_OK)
    ms_stop_request(r->stop[CPU]);
  return NULL;
}

/* Runs the race; *winner is whose sink has the result that the status is about. */
static ms_status run_race(race *r, int *winner, ms_error *err)
{
  pthread_t thread;
  bool started = ms_thread_start(&thread, run_gpu, r);
  if (started && ms_hooks.motif_gpu_first) {
    pthread_join(thread, NULL);
    started = false;
  }
  ms_status status = count_by(r->work, &ms_engine_connected_sets, &r->sink[CPU], r->stop[CPU], err);
  pthread_mutex_lock(&r->lock);
  r->cpu_done = true;
  pthread_cond_signal(&r->changed);
  pthread_mutex_unlock(&r->lock);
  if (status == MS_OK || ms_stop_check(r->work->stop) != MS_OK)
    ms_stop_request(r->stop[GPU]);
  if (started)
    pthread_join(thread, NULL);
  *winner = status != MS_OK && r->gpu_counted ? GPU : CPU;
  return *winner == GPU ? MS_OK : status;
}

static void note_winner(const race *r, int winner, ms_motif_counted *out)
{
  if (winner == GPU)
    note(out, "gpu", "it was done before the CPU");
  else if (r->why.status == MS_OK)
    note(out, "cpu", "the count ended before a GPU would have started");
  else if (is_stop(r->why.status))
    note(out, "cpu", "it was done before a GPU");
  else {
    out->engine = "cpu";
    snprintf(out->reason, sizeof out->reason, "the GPU did not count: %.400s", r->why.message);
  }
}

static ms_status open_race(race *r, const ms_count_sink *sink, ms_error *err)
{
  for (int i = 0; i < 2; i++) {
    r->sink[i] = *sink;
    r->sink[i].low = r->sink[i].high = r->sink[i].visits = 0;
    r->sink[i].taking = sink->taking ? ms_calloc(r->work->n, sizeof *sink->taking) : NULL;
    if (sink->taking && !r->sink[i].taking)
      return ms_fail_memory(err, "the matches of each vertex");
    MS_TRY(ms_stop_child(r->work->stop, 0, &r->stop[i], err));
  }
  r->sink[GPU].progress = NULL; /* which one thread calls */
  return ms_timed_condition_init(&r->changed) == 0 ? MS_OK
                                                   : ms_fail_memory(err, "a search by two engines");
}

static ms_status count_auto(const ms_motif_counting *w, ms_count_sink *sink, ms_motif_counted *out,
                            ms_error *err)
{
  const ms_engine *gpu = &ms_engine_gpu_sets;
  if (!gpu->may_have_devices || !gpu->may_have_devices()) {
    note(out, "cpu", "there is no GPU");
    return count_by(w, &ms_engine_connected_sets, sink, w->stop, err);
  }
  int winner;
  race r = {.work = w, .lock = PTHREAD_MUTEX_INITIALIZER};
  ms_status status = open_race(&r, sink, err);
  if (status == MS_OK) {
    status = run_race(&r, &winner, err);
    note_winner(&r, winner, out);
    ms_count_merge(sink, &r.sink[winner], w->n);
    pthread_cond_destroy(&r.changed);
  }
  for (int i = 0; i < 2; i++) {
    ms_free(r.sink[i].taking);
    ms_stop_free(r.stop[i]);
  }
  return status;
}

ms_status ms_motif_count(const ms_motif_counting *work, ms_count_sink *sink, ms_motif_counted *out,
                         ms_error *err)
{
  if (work->engine == MS_MOTIF_AUTO)
    return count_auto(work, sink, out, err);
  note(out, names[work->engine], "as asked for");
  return count_by(work,
                  work->engine == MS_MOTIF_GPU ? &ms_engine_gpu_sets : &ms_engine_connected_sets,
                  sink, work->stop, err);
}
