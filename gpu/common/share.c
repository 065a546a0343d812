#include "gpu/common/share.h"

#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/work.h"
#include "gpu/common/staging.h"

#include <pthread.h>

enum {
  CHUNKS_A_DEVICE = 2, /* of the units that are left, so that the last chunks are short .. */
  LAST_CHUNKS = 32 /* .. but for each device at least this fraction of all units: each launch takes
                      time to begin and to end */
};

/* What the calling thread's device took last, and whether the thread reports progress. */
static _Thread_local uint64_t current_units;
static _Thread_local bool reports;

/* ---- units and sums --------------------------------------------------------------- */

bool ms_gpu_share_take(ms_gpu_share *s, uint64_t all, uint64_t *first, uint64_t *end)
{
  bool some = false;
  pthread_mutex_lock(&s->lock);
  if (!s->begun)
    s->left = s->all = all;
  s->begun = true;
  s->finished += current_units;
  current_units = 0;
  if (s->left > 0 && !atomic_load(&s->halt)) {
    uint64_t part = s->left, least = all / (s->devices * LAST_CHUNKS) + 1;
    if (s->devices > 1) {
      part = s->left / (s->devices * CHUNKS_A_DEVICE) + 1;
      part = part < least ? least : part;
      part = part < s->left ? part : s->left;
    }
    *end = s->left;
    *first = s->left -= part;
    current_units = part;
    some = true;
  }
  pthread_mutex_unlock(&s->lock);
  return some;
}

bool ms_gpu_share_divides(ms_gpu_share *s, uint64_t division)
{
  pthread_mutex_lock(&s->lock);
  if (s->division == 0)
    s->division = division;
  bool same = s->division == division;
  pthread_mutex_unlock(&s->lock);
  return same;
}

void ms_gpu_share_report(ms_gpu_share *s, double fraction)
{
  const ms_pattern_task *task = s->task;
  uint64_t done = 0;
  if (!reports || !task->progress || s->sink.make || s->all == 0)
    return;
  pthread_mutex_lock(&s->lock);
  double units = (double)s->finished + fraction * (double)current_units;
  done = (uint64_t)((double)s->roots * (units / (double)s->all));
  done = done < s->roots ? done : s->roots;
  done = s->reported = done > s->reported ? done : s->reported;
  pthread_mutex_unlock(&s->lock);
  task->progress(task->progress_user, "roots searched", done, s->roots);
}

void ms_gpu_share_add(ms_gpu_share *s, const ms_gpu_sum *sum)
{
  pthread_mutex_lock(&s->lock);
  ms_gpu_sum_add(s->sum, sum);
  pthread_mutex_unlock(&s->lock);
}

void ms_gpu_share_add_number(ms_gpu_share *s, mpz_srcptr number)
{
  pthread_mutex_lock(&s->lock);
  mpz_add(s->sum, s->sum, number);
  pthread_mutex_unlock(&s->lock);
}

void ms_gpu_share_add_work(ms_gpu_share *s, const ms_work *work)
{
  if (!s->task->work)
    return;
  pthread_mutex_lock(&s->lock);
  ms_work_add(s->task->work, work);
  pthread_mutex_unlock(&s->lock);
}

/* ---- devices ------------------------------------------------------------------------- */

/* A failure takes precedence over a stop, which all devices report. */
static void note_status(ms_gpu_share *s, ms_status status, const ms_error *error)
{
  if (status == MS_OK)
    return;
  atomic_store(&s->halt, true);
  if (s->sink.stream)
    ms_stream_halt(s->sink.stream);
  pthread_mutex_lock(&s->lock);
  if (s->status == MS_OK || (ms_gpu_is_stop(s->status) && !ms_gpu_is_stop(status))) {
    s->status = status;
    s->error = *error;
  }
  pthread_mutex_unlock(&s->lock);
}

typedef struct device_part {
  ms_gpu_share *share;
  int device;
  bool reports;
} device_part;

static void *run_part(void *user)
{
  device_part *p = user;
  ms_error error = {0};
  current_units = 0;
  reports = p->reports;
  ms_numbers_begin();
  (void)ms_staging_take_noted();
  note_status(p->share, p->share->work(p->share, p->device, &error), &error);
  ms_gpu_share_add_work(p->share, &(ms_work){.bytes_moved = ms_staging_take_noted()});
  ms_numbers_end();
  return NULL;
}

/* Runs the first device on this thread and starts a thread for each other device.  They are no
 * helpers of a loop (base/threads/parallel.h), inside which their own loops would have one thread
 * only. */
static void run_parts(ms_gpu_share *s)
{
  pthread_t thread[MS_GPU_MOST_DEVICES];
  device_part parts[MS_GPU_MOST_DEVICES];
  bool begun[MS_GPU_MOST_DEVICES] = {false};
  for (uint32_t i = 0; i < s->devices; i++) {
    parts[i] = (device_part){s, s->device[i], i == 0};
    begun[i] = i > 0 && ms_thread_start(&thread[i], run_part, &parts[i]);
  }
  (void)run_part(&parts[0]);
  /* the units are shared: other devices do the work of a thread that never began */
  for (uint32_t i = 1; i < s->devices; i++)
    if (begun[i])
      (void)pthread_join(thread[i], NULL);
}

ms_status ms_gpu_share_run(ms_gpu_share *s, ms_error *err)
{
  int threads = ms_threads(s->task->threads) / (int)s->devices;
  atomic_init(&s->halt, false);
  s->sink.threads = threads < 1 ? 1 : threads;
  s->sink.halt = &s->halt;
  if (s->sink.stream)
    ms_stream_tell(s->sink.stream, &s->halt);
  run_parts(s);
  if (s->sink.stream)
    ms_stream_tell(s->sink.stream, NULL);
  if (s->status != MS_OK && err)
    *err = s->error;
  return s->status;
}
