/* Contributions in rank 0 that have not been added: they come in any order, and are added in the
 * order of units.
 *
 * Pieces of contributions whose turn has not come are kept in a store.  Where they are too many, a
 * rank whose piece has come is not asked for the next one, so that it waits, until the one has been
 * passed on whose turn it is.  That one is being done by a rank, or is there: otherwise nobody
 * would do it, because all others wait, and then they are asked. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "mpi/ranks.h"

#include <string.h>

/* ---- finding ------------------------------------------------------------------------------- */

static ms_contribution *find(const ms_mpi *r, uint64_t serial)
{
  for (ms_contribution *c = r->contributions; c; c = c->next)
    if (c->serial == serial)
      return c;
  return NULL;
}

/* Returns the contribution of a range, which is new if it has none; NULL: the job has ended. */
static ms_contribution *contribution_of(ms_mpi *r, int from, const ms_range_head *range)
{
  ms_contribution *c = find(r, range->serial), **at = &r->contributions;
  if (c)
    return c;
  c = ms_calloc(1, sizeof *c);
  if (!c) {
    ms_leader_end_job(r, MS_ERR_MEMORY, "out of memory: what a range of units adds to the result");
    return NULL;
  }
  while (*at && (*at)->first < range->first)
    at = &(*at)->next;
  c->next = *at;
  c->serial = range->serial;
  c->first = range->first;
  c->last = range->last;
  c->from = from;
  c->end = &c->piece;
  *at = c;
  return c;
}

static void forget(ms_mpi *r, ms_contribution *c)
{
  ms_contribution **at = &r->contributions;
  while (*at != c)
    at = &(*at)->next;
  *at = c->next;
  while (c->piece) {
    ms_stored *p = c->piece;
    c->piece = p->next;
    ms_store_drop(&r->store, p);
  }
  r->held -= c->waiting + c->bytes.length;
  r->member[c->from].due += c->owed;
  ms_bytes_free(&c->bytes);
  ms_free(c);
}

void ms_waiting_forget(ms_mpi *r, uint64_t serial)
{
  ms_contribution *c = find(r, serial);
  if (c)
    forget(r, c);
}

void ms_waiting_free(ms_mpi *r)
{
  while (r->contributions)
    forget(r, r->contributions);
  ms_store_close(&r->store);
}

/* ---- coming -------------------------------------------------------------------------------- */

static void store_piece(ms_mpi *r, ms_contribution *c, const void *data, size_t length)
{
  ms_error err;
  ms_stored *p;
  ms_status status = ms_store_put(&r->store, data, length, &p, &err);
  if (status != MS_OK) {
    ms_leader_end_job(r, status, err.message);
    return;
  }
  *c->end = p;
  c->end = &p->next;
  c->waiting += length;
  r->held += length;
}

void ms_waiting_piece(ms_mpi *r, int from, const ms_range_head *range, const void *data,
                      size_t length)
{
  ms_contribution *c = contribution_of(r, from, range);
  if (!c)
    return;
  store_piece(r, c, data, length);
  c->owed += from > 0;
  pthread_cond_broadcast(&r->changed);
}

void ms_waiting_end(ms_mpi *r, int from, const ms_range_head *range, ms_bytes *bytes)
{
  ms_contribution *c = contribution_of(r, from, range);
  if (!c)
    return;
  c->complete = true;
  if (r->job->piece) {
    if (bytes->length > 0)
      store_piece(r, c, bytes->data, bytes->length);
  } else {
    c->bytes = *bytes;
    *bytes = (ms_bytes){0};
    r->held += c->bytes.length;
  }
  pthread_cond_broadcast(&r->changed);
}

/* ---- senders that wait ----------------------------------------------------------------------- */

/* True if the range whose turn it is is being done, or is there. */
static bool turn_is_taken(const ms_mpi *r)
{
  const ms_contribution *c = r->contributions;
  if (c && c->first == r->done && c->complete)
    return true;
  for (int i = 0; i < r->size; i++)
    if (r->member[i].n_given > 0 && r->member[i].given[0].first == r->done)
      return true;
  return false;
}

static bool has_to_wait(const ms_mpi *r, const ms_contribution *c)
{
  if (r->held < r->most_held || r->over)
    return false;
  return c->first == r->done ? c->waiting >= CREDIT * MS_PIECE_BYTES : turn_is_taken(r);
}

uint32_t ms_waiting_credit(ms_mpi *r, int member)
{
  uint32_t credit = r->member[member].due;
  r->member[member].due = 0;
  for (ms_contribution *c = r->contributions; c; c = c->next)
    if (c->from == member && c->owed > 0 && !has_to_wait(r, c)) {
      credit += c->owed;
      c->owed = 0;
    }
  return credit;
}

/* ---- adding -------------------------------------------------------------------------------- */

/* Passes on a piece that begins at `at` of its contribution, but for the bytes below `passed`,
 * which were passed on before their range was done again; without the lock. */
static ms_status pass_piece(const ms_store *store, const ms_crew_job *job, const ms_stored *piece,
                            uint64_t at, uint64_t passed, unsigned char *buffer, ms_error *err)
{
  uint64_t skip = passed > at ? passed - at : 0;
  if (skip >= piece->length)
    return MS_OK;
  const unsigned char *data = ms_store_read(store, piece, buffer, err);
  return data ? job->piece(job->user, data + skip, piece->length - skip, err) : MS_ERR_OUTPUT;
}

static void step_piece(ms_mpi *r, const ms_crew_job *job, ms_contribution *c)
{
  ms_error err = {0};
  ms_stored *piece = c->piece;
  uint64_t at = c->taken, passed = r->passed;
  unsigned char *buffer = piece->data ? NULL : ms_alloc(MS_PIECE_BYTES, 1);
  ms_status status = MS_OK;
  if (!piece->data && !buffer)
    status = ms_fail_memory(&err, "the rows that wait");
  c->piece = piece->next;
  if (!c->piece)
    c->end = &c->piece;
  c->waiting -= piece->length;
  c->taken += piece->length;
  r->held -= piece->length;
  if (r->passed < c->taken)
    r->passed = c->taken;
  /* from here on, the contribution may be forgotten */
  pthread_mutex_unlock(&r->lock);
  if (status == MS_OK)
    status = pass_piece(&r->store, job, piece, at, passed, buffer, &err);
  ms_free(buffer);
  pthread_mutex_lock(&r->lock);
  ms_store_drop(&r->store, piece);
  if (status != MS_OK)
    ms_leader_end_job(r, status, err.message);
}

static void step_end(ms_mpi *r, const ms_crew_job *job, ms_contribution *c, bool *enough)
{
  ms_error err = {0};
  ms_bytes bytes = c->bytes;
  uint64_t first = c->first, last = c->last;
  c->bytes = (ms_bytes){0};
  r->held -= bytes.length;
  forget(r, c);
  pthread_mutex_unlock(&r->lock);
  double begin = ms_seconds();
  ms_status status = job->add(job->user, first, last, &bytes, enough, &err);
  double adding = ms_seconds() - begin;
  ms_bytes_free(&bytes);
  pthread_mutex_lock(&r->lock);
  r->adding += adding;
  r->added++;
  r->done = last;
  r->passed = 0;
  if (status != MS_OK)
    ms_leader_end_job(r, status, err.message);
}

bool ms_waiting_step(ms_mpi *r, const ms_crew_job *job, bool *enough)
{
  ms_contribution *c = r->contributions;
  if (!c || c->first != r->done)
    return false;
  if (c->piece)
    step_piece(r, job, c);
  else if (c->complete)
    step_end(r, job, c, enough);
  else
    return false;
  return true;
}
