#include "parts/sum.h"

#include "base/status.h"
#include "base/threads/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The first range of a run that begins, and whose ranges prepare something, has this part of all
 * units. */
#define FIRST_RANGES 512u

ms_status ms_sum_fail(ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "what a range of units adds cannot be read");
}

/* ---- opening ----------------------------------------------------------------------------- */

static ms_status identify(ms_sum_run *s, ms_error *err)
{
  const ms_division *d = s->limits.division;
  char text[48];
  snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, d->part, d->parts);
  MS_TRY(ms_identity_open(&s->identity, s->kind->name, err));
  MS_TRY(s->kind->identify(s->run, &s->identity, err));
  MS_TRY(ms_identity_text(&s->identity, "part", d->parts > 0 ? text : "all", err));
  return ms_identity_number(&s->identity, "number of units", s->units, err);
}

/* Takes the sum of the checkpoint. */
static ms_status load(ms_sum_run *s, ms_error *err)
{
  const ms_bytes *state = ms_unit_log_state(s->log);
  uint64_t done = ms_unit_log_done(s->log);
  bool enough;
  ms_error reason;
  ms_status status = MS_OK;
  if (s->kind->load)
    status = s->kind->load(s->run, done, state, &reason);
  else if (done > 0)
    status = s->kind->add(s->run, 0, done, state, &enough, &reason);
  if (status != MS_OK)
    return done > 0 ? ms_fail(err, status, "%s: the state of the run cannot be used: %s",
                              s->limits.division->checkpoint, reason.message)
                    : ms_fail(err, status, "%s", reason.message);
  s->done = s->outcome->resumed = done;
  ms_unit_log_forget(s->log);
  return MS_OK;
}

ms_status ms_sum_open(ms_sum_run *s, ms_error *err)
{
  const ms_division *d = s->limits.division;
  MS_TRY(ms_division_prepared(err));
  s->part = d->parts > 0 ? ms_share_of_part(d->part, d->parts) : ms_share_of_range(0, UINT64_MAX);
  if (!d->checkpoint && !d->crew)
    return MS_OK;
  MS_TRY(identify(s, err));
  if (!ms_crew_saves(d->crew))
    return MS_OK;
  MS_TRY(ms_unit_log_open(d, &s->identity, s->units, &s->log, err));
  return s->log ? load(s, err) : MS_OK;
}

void ms_sum_close(ms_sum_run *s)
{
  ms_unit_log_close(s->log);
  ms_identity_free(&s->identity);
  s->log = NULL;
}

/* ---- saving ------------------------------------------------------------------------------ */

void ms_sum_save(ms_sum_run *s)
{
  if (!s->log)
    return;
  ms_unit_log_save(s->log, s->done, s->kind->save, s->run);
  s->outcome->time_checkpoint = ms_unit_log_seconds(s->log);
}

void ms_sum_note(ms_sum_run *s, uint64_t done)
{
  s->done = done;
  if (s->log && done < s->units && ms_unit_log_is_due(s->log))
    ms_sum_save(s);
}

void ms_sum_mark_put(const ms_sum_run *s, ms_spool *spool, const ms_spool_mark *mark, ms_bytes *out)
{
  if (!ms_spool_flush(spool)) {
    ms_unit_log_warn(s->log, ms_spool_problem(spool));
    out->failed = true;
  }
  ms_bytes_put_number(out, mark->bytes, 8);
  ms_bytes_put_number(out, mark->crc, 4);
}

ms_status ms_sum_mark_take(ms_byte_reader *bytes, ms_spool_mark *mark, ms_error *err)
{
  *mark = (ms_spool_mark){0};
  if (bytes->left == 0)
    return MS_OK;
  mark->bytes = ms_byte_reader_number(bytes, 8);
  mark->crc = (uint32_t)ms_byte_reader_number(bytes, 4);
  return bytes->failed ? ms_sum_fail(err) : MS_OK;
}

/* ---- units ------------------------------------------------------------------------------- */

/* A ms_crew_job.run, and with an opinion a ms_paranoid.again. */
static ms_status put_again(void *user, uint32_t opinion, const ms_share *share, ms_bytes *out,
                           ms_error *err)
{
  const ms_sum_run *s = user;
  const ms_share units = ms_share_within(&s->part, share->first, share->last);
  return s->kind->put(s->run, opinion, &units, out, err);
}

static ms_status put(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  return put_again(user, 0, share, out, err);
}

/* A ms_crew_job.add. */
static ms_status add(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  ms_sum_run *s = user;
  MS_TRY(s->kind->add(s->run, first, last, bytes, enough, err));
  if (*enough)
    s->done = last;
  else
    ms_sum_note(s, last);
  if (s->kind->units)
    ms_limits_report(&s->limits, s->kind->units, last, s->units);
  return MS_OK;
}

static ms_status take_piece(void *user, const void *data, size_t length, ms_error *err)
{
  const ms_sum_run *s = user;
  return s->kind->piece(s->run, data, length, err);
}

static const char *name_opinion(void *user, uint32_t opinion)
{
  const ms_sum_run *s = user;
  return s->kind->opinion(s->run, opinion);
}

static void show(void *user, ms_see_fn see, void *see_user)
{
  const ms_sum_run *s = user;
  s->kind->show(s->run, see, see_user);
}

/* Does all units at once: nobody asks for the sum of some of them. */
static ms_status do_at_once(ms_sum_run *s, ms_error *err)
{
  const ms_share all = ms_share_of_range(s->done, s->units);
  ms_bytes bytes = {0};
  bool enough = false;
  ms_status status = put(s, &all, &bytes, err);
  if (status == MS_OK && bytes.failed)
    status = ms_fail_memory(err, "what units add to the result");
  if (status == MS_OK)
    status = s->kind->add(s->run, s->done, s->units, &bytes, &enough, err);
  if (status == MS_OK)
    s->done = s->units;
  ms_bytes_free(&bytes);
  return status;
}

static ms_status do_ranges(ms_sum_run *s, ms_error *err)
{
  const ms_division *d = s->limits.division;
  const ms_paranoid paranoid = {.fraction = d->paranoid,
                                .integrity = s->checks,
                                .user = s,
                                .again = put_again,
                                .name = name_opinion,
                                .state = show,
                                .warn = d->warn,
                                .warn_user = d->warn_user,
                                .report = &s->outcome->paranoid};
  ms_crew_job job = s->job;
  job.identity = &s->identity;
  job.units = s->units;
  job.done = s->done;
  job.log = s->log;
  job.user = s;
  job.run = put;
  job.add = add;
  job.piece = s->kind->piece ? take_piece : NULL;
  if (s->kind->prepares && !d->crew && !s->checks) {
    job.first = s->units / FIRST_RANGES;
    job.seconds = fmax(job.seconds, ms_unit_log_often(s->log));
  }
  return ms_paranoid_run(s->checks ? &paranoid : NULL, d->crew, &job, s->log != NULL, err);
}

ms_status ms_sum_all(ms_sum_run *s, ms_error *err)
{
  ms_status status = MS_OK;
  if (s->checks)
    s->outcome->paranoid.fraction = s->limits.division->paranoid;
  if (s->limits.division->crew || (s->done < s->units && (s->log || s->checks)))
    status = do_ranges(s, err);
  else if (s->done < s->units)
    status = do_at_once(s, err);
  if (status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    ms_sum_save(s);
  return status;
}
