/* Rank 0: hands out ranges of units, and adds what comes back. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "mpi/ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Of the units that were never given, as many members as there are times this have to be left, so
 * that a rank is given a range before it has done another one. */
#define LEFT_FOR_NEXT 4u
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

static bool take_returned(ms_mpi *r, ms_range_head *range)
{
  if (r->n_returned == 0)
    return false;
  int first = 0; /* the one whose turn comes first */
  for (int i = 1; i < r->n_returned; i++)
    if (r->returned[i].first < r->returned[first].first)
      first = i;
  range->first = r->returned[first].first;
  range->last = r->returned[first].last;
  r->returned[first] = r->returned[--r->n_returned];
  return true;
}

/* Returns the end of the units that may be given now. */
static uint64_t end_of_round(const ms_mpi *r)
{
  uint64_t round = r->job->round, units = r->job->units;
  return round == 0 || units - r->done < round - r->done % round ? units
                                                                 : (r->done / round + 1) * round;
}

/* True if the member may have a further range before it is done with one.  Where the first range is
 * a share for each member, others that are still to come need the rest. */
static bool may_have_next(const ms_mpi *r, const ms_member *m)
{
  return r->job->round == 0 && (r->job->first == 0 || m->pace.unit > 0);
}

/* Gives a member a range: the one that it does, or the next one, so that it need not wait for it.
 * Returns false if there is none now. */
static bool give_range(ms_mpi *r, ms_member *m)
{
  ms_range_head *range = &m->given[m->n_given];
  uint32_t members = count_members(r);
  bool is_next = m->n_given > 0;
  if (!r->job || r->over || m->n_given == MOST_GIVEN || (is_next && !may_have_next(r, m)))
    return false;
  if (is_next || !take_returned(r, range)) {
    uint64_t end = end_of_round(r), left = end - r->next;
    if (left == 0 || r->held >= r->most_held ||
        (is_next && (r->n_returned > 0 || left < LEFT_FOR_NEXT * members)))
      return false;
    range->first = r->next;
    double seconds = r->job->seconds;
    /* the ranges of rank 0 itself stay short, because it adds nothing meanwhile */
    if (m != r->member && r->added > 0)
      seconds = ms_pace_seconds(r->job, r->adding / (double)r->added, members);
    ms_pace_in_round(&m->pace, end);
    ms_pace_set(&m->pace, seconds, r->stop);
    range->last = range->first + ms_pace_next(&m->pace, left, is_next ? 2 * members : members);
    r->next = range->last;
  }
  range->serial = ++r->serial;
  range->seed = r->crew.seed;
  m->n_given++;
  return true;
}

static void return_ranges(ms_mpi *r, ms_member *m)
{
  for (uint32_t i = 0; i < m->n_given && r->job && !r->over; i++) {
    ms_waiting_forget(r, m->given[i].serial);
    r->returned[r->n_returned++] = (ms_range_of_units){m->given[i].first, m->given[i].last};
  }
  m->n_given = 0;
}

/* The member is done with its first range. */
static ms_range_head end_range(ms_member *m, double seconds)
{
  ms_range_head range = m->given[0];
  m->n_given--;
  memmove(m->given, m->given + 1, m->n_given * sizeof *m->given);
  ms_pace_note(&m->pace, range.last - range.first, seconds);
  return range;
}

void ms_leader_end_job(ms_mpi *r, ms_status status, const char *message)
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
    ms_leader_end_job(r, err.status, err.message);
}

static void warn_of(const ms_mpi *r, int rank, const char *what)
{
  char text[1400];
  const ms_member *m = &r->member[rank];
  snprintf(text, sizeof text, "rank %d%s%s %s%s", rank, m->host[0] ? " on " : "", m->host, what,
           m->n_given > 0 ? "; others do its units" : "");
  if (!r->closing && r->warn)
    r->warn(text);
}

static void lose(ms_mpi *r, int rank, const char *why, bool hangs)
{
  ms_member *m = &r->member[rank];
  uint64_t process = (uint64_t)m->process;
  warn_of(r, rank, why);
  return_ranges(r, m);
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
  m->pace = r->pace;
  ms_bytes_free(&m->identity);
  if (same)
    return;
  m->presence = MEMBER_HERE;
  snprintf(text, sizeof text, "rank %d cannot take part: %s", rank, reason);
  send(r, rank, L_REFUSE, text, strlen(text));
}

static void take_piece(ms_mpi *r, int rank, const ms_bytes *b)
{
  const ms_member *m = &r->member[rank];
  uint64_t serial;
  if (b->length < sizeof serial)
    return;
  memcpy(&serial, b->data, sizeof serial);
  if (b->failed)
    ms_leader_end_job(r, MS_ERR_MEMORY, "out of memory: what a range of units adds to the result");
  if (m->n_given > 0 && serial == m->given[0].serial && r->job && !r->over)
    ms_waiting_piece(r, rank, &m->given[0], b->data + sizeof serial, b->length - sizeof serial);
  else /* of a range that others do by now */
    send(r, rank, L_MORE, NULL, 0);
}

/* A member cannot do its range. */
static void take_failure(ms_mpi *r, int rank, ms_status failure, const ms_bytes *b)
{
  ms_member *m = &r->member[rank];
  char text[1000], what[1100];
  snprintf(text, sizeof text, "%.*s", (int)(b->length < 900 ? b->length : 900), (char *)b->data);
  if (failure == MS_ERR_MEMORY || failure == MS_ERR_DEVICE_LOST) {
    snprintf(what, sizeof what, "failed: %s", text);
    warn_of(r, rank, what);
  } else if (failure != MS_ERR_LIMIT && failure != MS_ERR_INTERRUPTED) {
    ms_leader_end_job(r, failure, text);
  }
  return_ranges(r, m);
  m->presence = MEMBER_HERE;
}

static void take_done(ms_mpi *r, int rank, ms_bytes *b)
{
  ms_member *m = &r->member[rank];
  ms_done_head head;
  if (b->length < sizeof head)
    return;
  memcpy(&head, b->data, sizeof head);
  if (m->n_given == 0 || head.serial != m->given[0].serial || !r->job || r->over)
    return; /* a range that others do by now, or nobody */
  if (b->failed)
    head.status = MS_ERR_MEMORY;
  b->length -= sizeof head;
  memmove(b->data, b->data + sizeof head, b->length);
  if (head.status != MS_OK) {
    take_failure(r, rank, (ms_status)head.status, b);
    return;
  }
  ms_range_head range = end_range(m, head.seconds);
  ms_waiting_end(r, rank, &range, b);
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
  return_ranges(r, m);
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
    send(r, message->from, L_AGAIN, NULL, 0);
  }
  if (message->kind == W_HELLO)
    take_hello(m, &message->bytes);
  else if (message->kind == W_JOIN)
    take_join(m, &message->bytes);
  else if (message->kind == W_DONE)
    take_done(r, message->from, &message->bytes);
  else if (message->kind == W_PIECE)
    take_piece(r, message->from, &message->bytes);
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
    if (!is_present(m) && m->presence != MEMBER_ABSENT)
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
  bool has_pieces = !r->job || r->job->piece;
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
    }
    for (uint32_t c = has_pieces ? ms_waiting_credit(r, i) : 0; c > 0; c--)
      send(r, i, L_MORE, NULL, 0);
    while (!ends && m->presence == MEMBER_JOINED && m->checked && give_range(r, m))
      send(r, i, L_RANGE, &m->given[m->n_given - 1], sizeof *m->given);
  }
  if (!ms_wire_is_idle(r->wire))
    return BUSY_PAUSE / 10;
  return any || r->size > 1 ? BUSY_PAUSE : LOOK_PAUSE;
}

bool ms_leader_may_close(const ms_mpi *r)
{
  /* one that has not spoken yet waits for work until it is told that there is none */
  for (int i = 1; i < r->size; i++)
    if (is_present(&r->member[i]) || r->member[i].presence == MEMBER_ABSENT)
      return false;
  return true;
}

/* ---- the main thread
 * ------------------------------------------------------------------------------ */

/* Keeps a piece of the range that the main thread does; called without the lock. */
static bool pass_own(void *user, const void *data, size_t length)
{
  ms_mpi *r = user;
  pthread_mutex_lock(&r->lock);
  ms_waiting_piece(r, 0, &r->member[0].given[0], data, length);
  bool more = r->status == MS_OK;
  pthread_mutex_unlock(&r->lock);
  return more;
}

/* Does a range of its own, without the lock. Returns false if it cannot, and others go on. */
static bool compute(ms_mpi *r, ms_member *own)
{
  ms_error err = {0};
  ms_bytes bytes = {.pass = r->job->piece ? pass_own : NULL, .pass_user = r};
  ms_share share = ms_share_of_range(own->given[0].first, own->given[0].last);
  double begin = ms_seconds();
  pthread_mutex_unlock(&r->lock);
  ms_status status = r->job->run(r->job->user, &share, &bytes, &err);
  if (status == MS_OK && bytes.failed)
    status = ms_fail_memory(&err, "what a range of units adds to the result");
  double seconds = ms_seconds() - begin;
  pthread_mutex_lock(&r->lock);
  bool goes_on = true;
  if (r->status != MS_OK) {
    own->n_given = 0;
  } else if (status == MS_OK) {
    ms_range_head range = end_range(own, seconds);
    ms_waiting_end(r, 0, &range, &bytes);
  } else if ((status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST) && count_members(r) > 1) {
    char what[1200];
    snprintf(what, sizeof what, "failed: %.900s", err.message);
    warn_of(r, 0, what);
    return_ranges(r, own);
    goes_on = false;
  } else {
    ms_pace_stopped(&own->pace, share.last - share.first, seconds);
    ms_leader_end_job(r, status, err.message);
    own->n_given = 0;
  }
  ms_unit_log_set_pace(r->job->log, own->pace.unit);
  ms_bytes_free(&bytes);
  return goes_on;
}

static void begin(ms_mpi *r, const ms_crew_job *job)
{
  r->job = job;
  r->crew.seed = ms_crew_new_seed();
  r->next = r->done = job->done;
  r->adding = 0;
  r->added = 0;
  r->stop = ms_stop_current();
  ms_pace_open(&r->pace, job);
  for (int i = 0; i < r->size; i++)
    r->member[i].pace = r->pace;
  pthread_cond_broadcast(&r->changed);
}

static ms_status lead(ms_mpi *r, const ms_crew_job *job, ms_error *err)
{
  ms_member *own = &r->member[0];
  bool computes = true, enough = false;
  while (r->status == MS_OK && r->done < job->units && !enough) {
    if (ms_waiting_step(r, job, &enough))
      continue;
    if (!computes && count_members(r) == 1) {
      ms_leader_end_job(r, MS_ERR_MEMORY, "no rank can do what is left");
    } else if (computes && give_range(r, own)) {
      computes = compute(r, own);
    } else {
      ms_wait_for(&r->changed, &r->lock, LOOK_PAUSE);
      ms_status stopped = ms_stop_check(ms_stop_current());
      if (stopped != MS_OK)
        ms_leader_end_job(r, stopped, "the run was stopped");
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
