/* The ranks other than 0: they do ranges of units that rank 0 gives them. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "mpi/ranks.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#define WAITING_PAUSE 0.0005 /* seconds between two looks at messages while a range is awaited */
#define IDLE_PAUSE 0.005     /* the same if it was awaited for long */
#define COMPUTING_PAUSE 0.1
#define SHORT_WAIT 0.1

void ms_worker_take(ms_mpi *r, ms_message *message)
{
  const ms_bytes *b = &message->bytes;
  uint64_t process;
  r->heard = ms_seconds();
  if (message->kind == L_ALIVE && b->length == HELLO_BYTES) {
    memcpy(&process, b->data, sizeof process);
    r->leader = memcmp(b->data + 8, r->host, HOST_BYTES) == 0 ? (pid_t)process : 0;
    return;
  }
  if (message->kind == L_RANGE && b->length == sizeof *r->range && r->n_ranges <= MOST_GIVEN) {
    memcpy(&r->range[r->n_ranges++], b->data, sizeof *r->range);
  } else if (message->kind == L_MORE) {
    r->credit += r->credit < CREDIT;
  } else if (message->kind == L_AGAIN) {
    r->n_ranges = r->computes;
    r->credit = CREDIT;
  } else if (message->kind == L_REFUSE) {
    r->status = ms_fail(&r->error, MS_ERR_INPUT, "%.*s", (int)b->length, (char *)b->data);
  } else if (message->kind == L_END) {
    r->ended = true;
    r->uneven = b->length > 0 && b->data[0];
  } else if (message->kind == L_KILL && b->length == sizeof process) {
    memcpy(&process, b->data, sizeof process);
    kill((pid_t)process, SIGKILL);
  }
  pthread_cond_broadcast(&r->changed);
}

/* Sends; without memory for a message the rank falls silent, and counts as lost. */
static void send(ms_mpi *r, uint32_t kind, const void *data, size_t length)
{
  ms_error err;
  if (ms_wire_send(r->wire, 0, kind, data, length, &err) != MS_OK && r->status == MS_OK)
    r->status = ms_fail(&r->error, err.status, "%s", err.message);
  r->said = ms_seconds();
}

/* Ends the process if rank 0 is lost, so that mpirun ends, too, and the run can be started again.
 */
static void look_for_leader(const ms_mpi *r, double now)
{
  bool ended = r->leader > 0 && kill(r->leader, 0) != 0 && errno == ESRCH;
  if (!r->ended && (ended || (r->heard > 0 && now - r->heard > r->timeout)))
    ms_worker_leave(EX_TEMPFAIL);
}

double ms_worker_tend(ms_mpi *r)
{
  double now = ms_seconds();
  look_for_leader(r, now);
  if (r->has_message) {
    r->has_message = false;
    /* rank 0 may have ended, and receive nothing, once this rank has said that it leaves */
    if (!r->abandoned)
      send(r, r->message_kind, r->bytes.data, r->bytes.length);
    r->bytes.length = 0;
    pthread_cond_broadcast(&r->changed);
  }
  if (r->identity && !r->joined) {
    r->joined = true;
    send(r, W_JOIN, r->identity->text, r->identity->length);
  }
  if ((r->closing || r->ended) && !r->abandoned) {
    r->uneven |= !r->ended; /* it leaves before the others */
    ms_bytes leave = {0};
    uint32_t code = r->ended ? 0 : (uint32_t)r->code;
    ms_bytes_put(&leave, &code, 4);
    ms_bytes_put(&leave, r->text ? r->text : "", r->text ? strlen(r->text) : 0);
    send(r, W_LEAVE, leave.data, leave.length);
    ms_bytes_free(&leave);
    r->abandoned = true;
  }
  if (now - r->said > r->timeout / 4)
    send(r, W_ALIVE, NULL, 0);
  if (!ms_wire_is_idle(r->wire))
    return WAITING_PAUSE / 5;
  if (r->wants_credit && !r->ended)
    return WAITING_PAUSE;
  if (r->joined && r->n_ranges == 0 && !r->ended)
    return now - r->said < SHORT_WAIT ? WAITING_PAUSE : IDLE_PAUSE;
  return r->timeout / 8 < COMPUTING_PAUSE ? r->timeout / 8 : COMPUTING_PAUSE;
}

/* ---- the main thread
 * ------------------------------------------------------------------------------ */

/* Hands bytes that begin with a head to the thread for messages; the lock is held. */
static void hand_over(ms_mpi *r, ms_message_kind kind, const void *head, size_t head_length,
                      const void *data, size_t length)
{
  while (r->has_message && !r->ended)
    pthread_cond_wait(&r->changed, &r->lock);
  r->bytes.length = 0;
  ms_bytes_put(&r->bytes, head, head_length);
  ms_bytes_put(&r->bytes, data, length);
  if (r->bytes.failed)
    r->status = ms_fail_memory(&r->error, "what a range of units adds to the result");
  r->message_kind = kind;
  r->has_message = true;
  pthread_cond_broadcast(&r->changed);
}

/* Sends a piece of a contribution once rank 0 has taken earlier ones; called without the lock.
 * Returns false if the run has ended. */
static bool pass_piece(void *user, const void *data, size_t length)
{
  ms_mpi *r = user;
  pthread_mutex_lock(&r->lock);
  r->wants_credit = r->credit == 0;
  pthread_cond_broadcast(&r->changed);
  while (r->credit == 0 && !r->ended && r->status == MS_OK)
    pthread_cond_wait(&r->changed, &r->lock);
  r->wants_credit = false;
  bool goes_on = !r->ended && r->status == MS_OK;
  if (goes_on) {
    r->credit--;
    hand_over(r, W_PIECE, &r->range[0].serial, sizeof r->range[0].serial, data, length);
  }
  pthread_mutex_unlock(&r->lock);
  return goes_on;
}

/* Does the range, without the lock. Returns false if this rank can do no other one. */
static bool do_range(ms_mpi *r, const ms_crew_job *job)
{
  ms_error err = {0};
  ms_bytes bytes = {.pass = job->piece ? pass_piece : NULL, .pass_user = r};
  ms_share share = ms_share_of_range(r->range[0].first, r->range[0].last);
  ms_done_head head = {.serial = r->range[0].serial};
  double begin = ms_seconds();
  r->computes = true;
  r->crew.seed = r->range[0].seed;
  pthread_mutex_unlock(&r->lock);
  ms_status status = job->run(job->user, &share, &bytes, &err);
  if (status == MS_OK && bytes.failed)
    status = ms_fail_memory(&err, "what a range of units adds to the result");
  head.seconds = ms_seconds() - begin;
  head.status = (uint64_t)status;
  pthread_mutex_lock(&r->lock);
  r->computes = false;
  r->n_ranges--;
  memmove(r->range, r->range + 1, r->n_ranges * sizeof *r->range);
  if (status == MS_OK)
    hand_over(r, W_DONE, &head, sizeof head, bytes.data, bytes.length);
  else
    hand_over(r, W_DONE, &head, sizeof head, err.message, strlen(err.message));
  ms_bytes_free(&bytes);
  return status == MS_OK;
}

ms_status ms_worker_run_job(ms_mpi *r, const ms_crew_job *job, ms_error *err)
{
  bool goes_on = true;
  pthread_mutex_lock(&r->lock);
  r->identity = job->identity;
  r->credit = CREDIT;
  pthread_cond_broadcast(&r->changed);
  while (goes_on && !r->ended && r->status == MS_OK) {
    if (r->n_ranges > 0)
      goes_on = do_range(r, job);
    else
      pthread_cond_wait(&r->changed, &r->lock);
  }
  ms_status status = r->status;
  if (status != MS_OK)
    *err = r->error;
  if (status == MS_OK)
    r->ended = true; /* the result is the leader's */
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
  if (status == MS_OK)
    ms_worker_end(r);
  return status;
}
