#include "base/threads/race.h"

#include "base/hooks.h"
#include "base/meter.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"

struct ms_race {
  ms_race_fn *second;
  void *user;
  ms_stop *stop[2];
  ms_meter *meter; /* of the calling thread, for both */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool first_ended; /* under the lock */
  ms_status status; /* of the second way */
  ms_error why;
};

bool ms_race_wait(ms_race *r, double seconds)
{
  double end = ms_seconds() + seconds, left;
  pthread_mutex_lock(&r->lock);
  while (!r->first_ended && (left = end - ms_seconds()) > 0)
    ms_wait_for(&r->changed, &r->lock, left);
  bool runs = !r->first_ended;
  pthread_mutex_unlock(&r->lock);
  return runs;
}

bool ms_race_wait_for(ms_race *r, bool (*has_ended)(void))
{
  while (has_ended && !has_ended())
    if (!ms_race_wait(r, 1e-3))
      return false;
  return true;
}

static void *run_second(void *user)
{
  ms_race *r = user;
  ms_meter_attach(r->meter);
  ms_numbers_begin();
  ms_stop *before = ms_stop_attach(r->stop[1]);
  r->status = r->second(r->user, r, r->stop[1], &r->why);
  ms_stop_attach(before);
  ms_numbers_end();
  ms_meter_attach(NULL);
  if (r->status == MS_OK)
    ms_stop_request(r->stop[0]);
  return NULL;
}

static ms_status run_both(ms_race *r, const ms_stop *stop, ms_race_fn *first, ms_error *err)
{
  pthread_t thread;
  r->status = MS_ERR_LIMIT; /* if the system refuses the thread */
  bool started = ms_thread_start(&thread, run_second, r);
  if (started && ms_hooks.race_second_first) {
    pthread_join(thread, NULL);
    started = false;
  }
  ms_stop *before = ms_stop_attach(r->stop[0]);
  ms_status status = first(r->user, r, r->stop[0], err);
  ms_stop_attach(before);
  pthread_mutex_lock(&r->lock);
  r->first_ended = true;
  pthread_cond_signal(&r->changed);
  pthread_mutex_unlock(&r->lock);
  if (status == MS_OK || ms_stop_check(stop) != MS_OK)
    ms_stop_request(r->stop[1]);
  if (started)
    pthread_join(thread, NULL);
  return status;
}

ms_status ms_race_run(const ms_stop *stop, ms_race_fn *first, ms_race_fn *second, void *user,
                      ms_race_end *end, ms_error *err)
{
  ms_race r = {.second = second, .user = user, .meter = ms_meter_current()};
  *end = (ms_race_end){0};
  ms_status status = ms_stop_child(stop, 0, &r.stop[0], err);
  if (status == MS_OK)
    status = ms_stop_child(stop, 0, &r.stop[1], err);
  if (status == MS_OK && ms_timed_condition_init(&r.changed) != 0)
    status = ms_fail_memory(err, "a search in two ways");
  if (status == MS_OK) {
    pthread_mutex_init(&r.lock, NULL);
    status = run_both(&r, stop, first, err);
    end->second = status != MS_OK && r.status == MS_OK;
    end->why = r.why;
    pthread_mutex_destroy(&r.lock);
    pthread_cond_destroy(&r.changed);
  }
  for (int i = 0; i < 2; i++)
    ms_stop_free(r.stop[i]);
  return end->second ? MS_OK : status;
}
