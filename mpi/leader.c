/* Rank 0: hands out ranges of units, and adds what comes back. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "mpi/ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Contributions that wait for those of earlier units take no more than this; then only ranges that
 * were returned are given. */
#define MOST_HELD (UINT64_C(1) << 30)
#define BUSY_PAUSE 0.001 /* seconds between two looks at messages, where others compute */
#define LOOK_PAUSE 0.1   /* seconds between two looks at the stop token */

/* ---- ranges; the lock is held ---------------------------------------------------------------- */

static uint32_t count_members(const ms_mpi *r)
{
  uint32_t count = 1;
  for (int i = 1; i < r->size; i++)
    count += r->member[i].presence == MEMBER_JOINED;
  return count;
}

/* Gives a member a range. Returns false if there is none now. */
static bool give_range(ms_mpi *r, ms_member *m)
{
  if (!r->job || r->over)
    return false;
  if (r->n_returned > 0) {
    ms_range_of_units range = r->returned[--r->n_returned];
    m->first = range.first;
    m->last = range.last;
  } else if (r->next < r->job->units && r->held < MOST_HELD) {
    m->first = r->next;
    m->last = m->first + ms_pace_next(&m->pace, r->job->units - r->next, count_members(r));
    r->next = m->last;
  } else {
    return false;
  }
  m->busy = true;
  m->serial = ++r->serial;
  return true;
}

static void return_range(ms_mpi *r, ms_member *m)
{
  if (m->busy && r->job && !r->over)
    r->returned[r->n_returned++] = (ms_range_of_units){m->first, m->last};
  m->busy = false;
}

/* Keeps a contribution, whose bytes it takes, until its turn. */
static void keep(ms_mpi *r, uint64_t first, uint64_t last, ms_bytes *bytes)
{
  ms_finished **at = &r->finished, *f = ms_alloc(1, sizeof *f);
  if (!f || bytes->failed) {
    if (r->status == MS_OK)
      r->status = ms_fail_memory(&r->error, "what a range of units adds to the result");
    ms_free(f);
    return;
  }
  while (*at && (*at)->first < first)
    at = &(*at)->next;
  *f = (ms_finished){*at, first, last, *bytes};
  *bytes = (ms_bytes){0};
  *at = f;
  r->held += f->bytes.length;
  pthread_cond_broadcast(&r->changed);
}

static void end_job(ms_mpi *r, ms_status status, const char *message)
{
  if (r->status == MS_OK)
    r->status = ms_fail(&r->error, status, "%s", message);
  pthread_cond_broadcast(&r->changed);
}

/* ---- messages; the lock is held ----------------------------------------------------------------
 */

static void send(ms_mpi *r, int to, uint32_t kind, const void *data, size_t length)
{
  ms_error err;
  if (ms_wire_send(r->wire, to, kind, data, length, &err) != MS_OK)
    end_job(r, err.status, err.message);
}

static void warn_of(const ms_mpi *r, int rank, const char *what)
{
  char text[1400];
  const ms_member *m = &r->member[rank];
  snprintf(text, sizeof text, "rank %d%s%s %s%s", rank, m->host[0] ? " on " : "", m->host, what,
           m->busy ? "; others do its units" : "");
  if (!r->closing && r->warn)
    r->warn(text);
}

static void lose(ms_mpi *r, int rank, const char *why, bool hangs)
{
  ms_member *m = &r->member[rank];
  uint64_t process = (uint64_t)m->process;
  warn_of(r, rank, why);
  return_range(r, m);
  m->presence = MEMBER_LOST;
  m->hangs = hangs;
  r->uneven = true;
  ms_wire_drop(r->wire, rank);
  if (!hangs || !r->survives || m->process <= 0)
    return;
  /* It must end, because MPI waits for each process at the end. */
  if (strcmp(m->host, r->host) == 0) {
    m->hangs = kill(m->process, SIGKILL) != 0 && errno != ESRCH;
    return;
  }
  for (int i = 1; i < r->size; i++) {
    ms_member *other = &r->member[i];
    if ((other->presence == MEMBER_HERE || other->presence == MEMBER_JOINED) &&
        strcmp(other->host, m->host) == 0) {
      send(r, i, L_KILL, &process, sizeof process);
      m->hangs = false;
      return;
    }
  }
}

static void take_hello(ms_member *m, const ms_bytes *b)
{
  uint64_t process = 0;
  if (b->length != HELLO_BYTES)
    return;
  memcpy(&process, b->data, 8);
  memcpy(m->host, b->data + 8, HOST_BYTES - 1);
  m->process = (pid_t)process;
  m->presence = MEMBER_HERE;
}

static void take_join(ms_member *m, ms_bytes *b)
{
  ms_bytes_free(&m->identity);
  m->identity = *b;
  *b = (ms_bytes){0};
  m->presence = MEMBER_JOINED;
  m->checked = false;
}

/* Lets a member of the same run work, and refuses one of another run. */
static void check_member(ms_mpi *r, int rank)
{
  ms_member *m = &r->member[rank];
  char reason[400], text[700];
  ms_identity theirs = {
      .text = (char *)m->identity.data, .length = m->identity.length, .room = m->identity.room};
  bool same =
      ms_identity_equal(&theirs, "this rank", r->job->identity, "rank 0", reason, sizeof reason);
  m->checked = true;
  m->pace.seconds = r->job->seconds;
  ms_bytes_free(&m->identity);
  if (same)
    return;
  m->presence = MEMBER_HERE;
  snprintf(text, sizeof text, "rank %d cannot take part: %s", rank, reason);
  send(r, rank, L_REFUSE, text, strlen(text));
}

static void take_done(ms_mpi *r, int rank, ms_bytes *b)
{
  ms_member *m = &r->member[rank];
  ms_done_head head;
  char text[1200];
  if (b->length < sizeof head)
    return;
  memcpy(&head, b->data, sizeof head);
  if (!m->busy || head.serial != m->serial) /* a range that others do by now */
    return;
  if (b->failed)
    head.status = MS_ERR_MEMORY;
  b->length -= sizeof head;
  memmove(b->data, b->data + sizeof head, b->length);
  if (head.status == MS_OK) {
    m->busy = false;
    ms_pace_note(&m->pace, m->last - m->first, head.seconds);
    keep(r, m->first, m->last, b);
    return;
  }
  snprintf(text, sizeof text, "%.*s", (int)(b->length < 900 ? b->length : 900), (char *)b->data);
  if (head.status == MS_ERR_MEMORY || head.status == MS_ERR_DEVICE_LOST) {
    char what[1300];
    snprintf(what, sizeof what, "failed: %s", text);
    warn_of(r, rank, what);
  } else if (head.status != MS_ERR_LIMIT && head.status != MS_ERR_INTERRUPTED) {
    end_job(r, (ms_status)head.status, text);
  }
  return_range(r, m);
  m->presence = MEMBER_HERE;
}

static void take_leave(ms_mpi *r, int rank, const ms_bytes *b)
{
  ms_member *m = &r->member[rank];
  char what[1200];
  uint32_t code = 0;
  if (b->length >= 4)
    memcpy(&code, b->data, 4);
  if (code && !r->over && r->status == MS_OK) {
    size_t length = b->length - 4 < 900 ? b->length - 4 : 900;
    while (length > 0 && b->data[4 + length - 1] == '\n')
      length--;
    snprintf(what, sizeof what, "left with exit status %" PRIu32 "%s%.*s", code, length ? ": " : "",
             (int)length, (char *)b->data + 4);
    warn_of(r, rank, what);
  }
  return_range(r, m);
  r->uneven |= !m->told;
  m->presence = MEMBER_GONE;
}

void ms_leader_take(ms_mpi *r, ms_message *message)
{
  ms_member *m = &r->member[message->from];
  m->heard = ms_seconds();
  if (m->presence == MEMBER_LOST && message->kind != W_LEAVE) {
    warn_of(r, message->from, "answers again");
    m->presence = MEMBER_JOINED;
    m->hangs = m->told = false;
    ms_wire_accept(r->wire, message->from);
  }
  if (message->kind == W_HELLO)
    take_hello(m, &message->bytes);
  else if (message->kind == W_JOIN)
    take_join(m, &message->bytes);
  else if (message->kind == W_DONE)
    take_done(r, message->from, &message->bytes);
  else if (message->kind == W_LEAVE)
    take_leave(r, message->from, &message->bytes);
}

/* ---- from time to time; the lock is held
 * --------------------------------------------------------- */

static bool is_present(const ms_member *m)
{
  return m->presence == MEMBER_HERE || m->presence == MEMBER_JOINED;
}

static void look_for_losses(ms_mpi *r)
{
  double now = ms_seconds();
  char what[100];
  for (int i = 1; i < r->size; i++) {
    ms_member *m = &r->member[i];
    if (!is_present(m))
      continue;
    if (strcmp(m->host, r->host) == 0 && m->process > 0 && kill(m->process, 0) != 0 &&
        errno == ESRCH) {
      lose(r, i, "has ended before its work was done", false);
    } else if (now - m->heard > r->timeout) {
      snprintf(what, sizeof what, "has not answered for %d s", (int)(now - m->heard));
      lose(r, i, what, true);
    }
  }
}

double ms_leader_tend(ms_mpi *r)
{
  bool ends = r->over || r->closing || r->status != MS_OK, any = false;
  double now = ms_seconds();
  bool speaks = now - r->said > r->timeout / 4;
  unsigned char hello[HELLO_BYTES];
  ms_mpi_hello(r, hello);
  r->said = speaks ? now : r->said;
  look_for_losses(r);
  for (int i = 1; i < r->size; i++) {
    ms_member *m = &r->member[i];
    any |= is_present(m);
    if (!is_present(m))
      continue;
    if (speaks || !m->greeted)
      send(r, i, L_ALIVE, hello, sizeof hello);
    m->greeted = true;
    if (m->presence == MEMBER_JOINED && !m->checked && r->job)
      check_member(r, i);
    if (ends && !m->told) {
      unsigned char uneven = r->uneven;
      send(r, i, L_END, &uneven, 1);
      m->told = true;
    } else if (!ends && m->presence == MEMBER_JOINED && m->checked && !m->busy &&
               give_range(r, m)) {
      ms_range_head head = {m->serial, m->first, m->last};
      send(r, i, L_RANGE, &head, sizeof head);
    }
  }
  if (!ms_wire_is_idle(r->wire))
    return BUSY_PAUSE / 10;
  return any || r->size > 1 ? BUSY_PAUSE : LOOK_PAUSE;
}

bool ms_leader_may_close(const ms_mpi *r)
{
  for (int i = 1; i < r->size; i++)
    if (is_present(&r->member[i]))
      return false;
  return true;
}

/* ---- the main thread
 * ------------------------------------------------------------------------------ */

/* Takes the contribution whose turn it is; the lock is held. */
static ms_finished *next_finished(ms_mpi *r, uint64_t done)
{
  ms_finished *f = r->finished;
  if (!f || f->first != done)
    return NULL;
  r->finished = f->next;
  r->held -= f->bytes.length;
  return f;
}

/* Does a range of its own, without the lock. Returns false if it cannot, and others go on. */
static bool compute(ms_mpi *r, ms_member *own)
{
  ms_error err = {0};
  ms_bytes bytes = {0};
  ms_share share = ms_share_of_range(own->first, own->last);
  double begin = ms_seconds();
  pthread_mutex_unlock(&r->lock);
  ms_status status = r->job->run(r->job->user, &share, &bytes, &err);
  pthread_mutex_lock(&r->lock);
  bool goes_on = true;
  if (status == MS_OK) {
    own->busy = false;
    ms_pace_note(&own->pace, own->last - own->first, ms_seconds() - begin);
    keep(r, own->first, own->last, &bytes);
  } else if ((status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST) && count_members(r) > 1) {
    char what[1200];
    snprintf(what, sizeof what, "failed: %.900s", err.message);
    warn_of(r, 0, what);
    return_range(r, own);
    goes_on = false;
  } else {
    end_job(r, status, err.message);
    own->busy = false;
  }
  ms_bytes_free(&bytes);
  return goes_on;
}

static void wait_a_little(ms_mpi *r)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += (long)(LOOK_PAUSE * 1e9);
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&r->changed, &r->lock, &t);
}

static void begin(ms_mpi *r, const ms_crew_job *job)
{
  r->job = job;
  r->next = job->done;
  for (int i = 0; i < r->size; i++)
    r->member[i].pace.seconds = job->seconds;
  pthread_cond_broadcast(&r->changed);
}

static ms_status lead(ms_mpi *r, const ms_crew_job *job, ms_error *err)
{
  ms_member *own = &r->member[0];
  uint64_t done = job->done;
  bool computes = true, enough = false;
  while (r->status == MS_OK && done < job->units && !enough) {
    ms_finished *f = next_finished(r, done);
    if (f) {
      pthread_mutex_unlock(&r->lock);
      ms_status status = job->add(job->user, f->first, f->last, &f->bytes, &enough, err);
      done = f->last;
      ms_bytes_free(&f->bytes);
      ms_free(f);
      pthread_mutex_lock(&r->lock);
      if (status != MS_OK)
        end_job(r, status, err->message);
    } else if (!computes && count_members(r) == 1) {
      end_job(r, MS_ERR_MEMORY, "no rank can do what is left");
    } else if (computes && give_range(r, own)) {
      computes = compute(r, own);
    } else {
      wait_a_little(r);
      ms_status stopped = ms_stop_check(ms_stop_current());
      if (stopped != MS_OK)
        end_job(r, stopped, "the run was stopped");
    }
  }
  if (r->status != MS_OK)
    *err = r->error;
  return r->status;
}

ms_status ms_leader_run(ms_mpi *r, const ms_crew_job *job, ms_error *err)
{
  pthread_mutex_lock(&r->lock);
  begin(r, job);
  ms_status status = lead(r, job, err);
  r->over = true;
  r->job = NULL;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
  return status;
}
