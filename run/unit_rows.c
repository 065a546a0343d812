#include "run/unit_rows.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ENTRY_BYTES 48u
#define RANGE_SECONDS 0.5            /* of a range of units, about */
#define READ_BYTES ((size_t)1 << 18) /* of rows from the spool */
/* The time in which a run that was stopped passes on rows that it has; the others can be had when
 * it goes on. */
#define SECONDS_AFTER_STOP 0.5

/* ---- the text of a part --------------------------------------------------------------------- */

static bool make_room(ms_unit_rows *u, size_t bytes)
{
  if (u->room - u->length >= bytes)
    return true;
  size_t room = 2 * u->room + bytes + 4096;
  char *larger = ms_resize(u->text, u->room, room, 1);
  if (!larger)
    return false;
  u->text = larger;
  u->room = room;
  return true;
}

static ms_status note_rows(ms_unit_rows *u, uint64_t unit, uint64_t rows, ms_error *err)
{
  if (rows == 0 || u->division->parts == 0)
    return MS_OK;
  if (!make_room(u, ENTRY_BYTES))
    return ms_fail_memory(err, "the rows of a part");
  u->length += (size_t)snprintf(u->text + u->length, ENTRY_BYTES, "%s%" PRIu64 ":%" PRIu64,
                                u->length ? " " : "", unit, rows);
  return MS_OK;
}

/* ---- the receiver of the run ---------------------------------------------------------------- */

/* Passes rows on to the receiver that the run had. */
static bool pass(ms_unit_rows *u, const uint32_t *rows, uint64_t count)
{
  ms_run *run = u->run;
  const ms_pattern_rows_fn own = run->rows;
  void *own_user = run->rows_user;
  uint64_t found = run->matches;
  run->matches = u->delivered;
  run->rows = u->rows;
  run->rows_user = u->rows_user;
  bool more = ms_run_receive(run, rows, count);
  u->delivered = run->matches;
  run->matches = found;
  run->rows = own;
  run->rows_user = own_user;
  return more;
}

/* Refuses rows, read from a file or received from a rank, with a vertex that the graph lacks. */
static ms_status check_vertices(const ms_unit_rows *u, const uint32_t *rows, uint64_t count,
                                ms_error *err)
{
  uint32_t n = ms_names_count(u->run->names), greatest = 0;
  for (uint64_t i = 0; i < count * u->run->width; i++)
    greatest = rows[i] > greatest ? rows[i] : greatest;
  return count == 0 || greatest < n
             ? MS_OK
             : ms_fail(err, MS_ERR_INTERNAL, "a row has vertex %" PRIu32 " of %" PRIu32, greatest,
                       n);
}

/* Passes on the rows of the spool.  MS_ERR_LIMIT: the receiver takes no more. */
static ms_status deliver(ms_unit_rows *u, ms_error *err)
{
  const ms_run *run = u->run;
  size_t row_bytes = run->width * sizeof(uint32_t), piece = READ_BYTES / row_bytes * row_bytes;
  uint64_t bytes = ms_spool_bytes(u->spool);
  uint32_t *rows = ms_alloc(piece, 1);
  ms_status status = rows ? MS_OK : ms_fail_memory(err, "rows");
  bool stopped = ms_stop_check(run->stop) != MS_OK;
  double begin = ms_seconds();
  for (uint64_t at = 0; at < bytes && status == MS_OK; at += piece) {
    if (bytes - at < piece)
      piece = (size_t)(bytes - at);
    status = ms_spool_read(u->spool, at, rows, piece, err);
    if (status == MS_OK)
      status = check_vertices(u, rows, piece / row_bytes, err);
    if (status == MS_OK && !pass(u, rows, piece / row_bytes))
      status = MS_ERR_LIMIT;
    if (status == MS_OK && !stopped && at + piece < bytes)
      status = ms_stop_check(run->stop);
    if (status == MS_OK && stopped && at + piece < bytes &&
        ms_seconds() - begin > SECONDS_AFTER_STOP)
      status = ms_stop_check(run->stop);
  }
  ms_free(rows);
  return status;
}

/* Keeps rows in the spool; an ms_pattern_rows_fn.  If it cannot grow, the receiver gets all of
 * them, and the state cannot be saved any more. */
static bool keep(void *user, const uint32_t *rows, uint64_t count)
{
  ms_unit_rows *u = user;
  if (u->spool && !u->direct) {
    if (ms_spool_put(u->spool, rows, count * u->run->width * sizeof *rows))
      return true;
    u->direct = true;
    ms_unit_log_warn(u->log, ms_spool_problem(u->spool));
    ms_status status = deliver(u, &u->failure);
    if (status != MS_OK)
      return false;
  }
  return pass(u, rows, count);
}

/* ---- the state: the mark of the rows, and the text of a part -------------------------------- */

static void save(ms_unit_rows *u)
{
  if (u->direct)
    return;
  double begin = ms_seconds();
  ms_spool_save(u->spool, u->log, u->done, &u->mark, u->text, u->done_length);
  u->time_checkpoint += ms_seconds() - begin;
}

static ms_status load(ms_unit_rows *u, ms_error *err)
{
  MS_TRY(ms_spool_take_mark(u->log, &u->mark, err));
  size_t length = (size_t)ms_unit_log_left(u->log);
  if (length > 0) {
    if (!make_room(u, length + 1))
      return ms_fail_memory(err, "the rows of a part");
    MS_TRY(ms_unit_log_take(u->log, u->text, length, err));
    u->text[length] = '\0';
    u->length = length;
  }
  MS_TRY(ms_unit_log_taken(u->log, err));
  u->done_length = u->length;
  u->done = u->resumed = ms_unit_log_done(u->log);
  return ms_spool_open(u->division->checkpoint, u->mark.bytes, u->mark.crc, &u->spool, err);
}

/* The units below `done` are done.  Saves the state if that is due. */
static void set_done(ms_unit_rows *u, uint64_t done)
{
  u->done = done;
  u->done_length = u->length;
  if (!u->spool)
    return;
  u->mark = ms_spool_end(u->spool);
  if (done < u->units.count && ms_unit_log_is_due(u->log))
    save(u);
}

/* ---- units ---------------------------------------------------------------------------------- */

/* Appends to the range of unit `first` those behind it that are to be done with it; returns the
 * last one.  A part has to know the rows of each unit. */
static uint64_t join_units(ms_unit_rows *u, uint64_t first, ms_range_unit *range)
{
  uint64_t last = first, most = 1;
  if (u->division->parts == 0) {
    ms_pace_set(&u->pace, RANGE_SECONDS, u->run->stop);
    most = ms_pace_next(&u->pace, u->units.count - first, 1);
  }
  while (last + 1 - first < most && last + 1 < u->units.count && ms_share_has(&u->todo, last + 1) &&
         ms_range_unit_join(range, &u->units.unit[last + 1]))
    last++;
  return last;
}

/* Takes note of what units took, the first ones of them if the run was stopped. */
static void note_pace(ms_unit_rows *u, uint64_t units, double seconds, bool stopped)
{
  if (stopped)
    ms_pace_stopped(&u->pace, units, seconds);
  else
    ms_pace_note(&u->pace, units, seconds);
  ms_unit_log_set_pace(u->log, u->pace.unit);
}

static ms_status list_units(ms_run *run, ms_stream *stream, ms_error *err)
{
  ms_unit_rows *u = run->unit_rows;
  for (uint64_t i = ms_share_next(&u->todo, 0), last; i < u->units.count;
       i = ms_share_next(&u->todo, last + 1)) {
    ms_range_unit range = u->units.unit[i];
    uint64_t before = ms_stream_rows(stream);
    double begin = ms_seconds();
    last = join_units(u, i, &range);
    ms_status status = u->list(u->user, i, &range, stream, err);
    bool ends = ms_stream_status(stream) != MS_OK; /* it takes no more rows */
    note_pace(u, last + 1 - i, ms_seconds() - begin, status != MS_OK || ends);
    MS_TRY(status);
    if (ends)
      return MS_OK;
    MS_TRY(note_rows(u, last, ms_stream_rows(stream) - before, err));
    if (!u->division->crew)
      set_done(u, last + 1);
  }
  return MS_OK;
}

/* ---- with a crew ---------------------------------------------------------------------------- */

/* Puts rows in pieces that crews pass on. */
static bool put_rows(void *user, const uint32_t *rows, uint64_t count)
{
  const ms_unit_rows *u = user;
  uint32_t width = u->run->width;
  uint64_t most = MS_PIECE_BYTES / (width * sizeof *rows);
  for (uint64_t done = 0, some; done < count && !u->out->failed; done += some) {
    some = count - done < most ? count - done : most;
    ms_bytes_put(u->out, rows + done * width, some * width * sizeof *rows);
  }
  return !u->out->failed;
}

/* An ms_crew_job.run: the contribution of units are their rows. */
static ms_status run_range(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  ms_unit_rows *u = user;
  ms_run *run = u->run;
  uint64_t found = run->matches;
  u->todo = ms_share_within(&u->part, share->first, share->last);
  u->pace = (ms_pace){.seconds = RANGE_SECONDS};
  u->out = out;
  run->rows = put_rows;
  run->rows_user = u;
  ms_status status = ms_run_rows(run, list_units, err);
  run->rows = u->rows;
  run->rows_user = u->rows_user;
  run->matches = found;
  if (status == MS_OK && !out->failed && run->stopped != MS_OK)
    status = run->stopped;
  run->stopped = MS_OK;
  return status;
}

/* An ms_crew_job.piece. */
static ms_status take_rows(void *user, const void *data, size_t length, ms_error *err)
{
  ms_unit_rows *u = user;
  size_t row_bytes = u->run->width * sizeof(uint32_t);
  if (length % row_bytes != 0)
    return ms_fail(err, MS_ERR_INTERNAL, "a range of units has a part of a row");
  MS_TRY(check_vertices(u, data, length / row_bytes, err));
  return length == 0 || keep(u, data, length / row_bytes)
             ? MS_OK
             : ms_fail(err, MS_ERR_LIMIT, "no more rows are wanted");
}

/* An ms_crew_job.add. */
static ms_status add_range(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                           bool *enough, ms_error *err)
{
  ms_unit_rows *u = user;
  (void)first;
  (void)enough;
  MS_TRY(take_rows(user, bytes->data, bytes->length, err));
  set_done(u, last);
  return MS_OK;
}

static ms_status run_crew(ms_unit_rows *u, ms_error *err)
{
  const ms_crew_job job = {.identity = &u->identity,
                           .units = u->units.count,
                           .done = u->done,
                           .seconds = RANGE_SECONDS,
                           .log = u->log,
                           .user = u,
                           .run = run_range,
                           .add = add_range,
                           .piece = take_rows};
  return ms_run_settle(u->run, ms_crew_run(u->division->crew, &job, err));
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Lists the units that are left, by way of the spool if there is one. */
static ms_status list_rest(ms_unit_rows *u, ms_error *err)
{
  ms_run *run = u->run;
  u->todo = ms_share_within(&u->part, u->done, u->units.count);
  if (u->division->crew)
    return run_crew(u, err);
  if (u->spool) {
    run->rows = keep;
    run->rows_user = u;
  }
  ms_status status = ms_run_rows(run, list_units, err);
  run->rows = u->rows;
  run->rows_user = u->rows_user;
  return status;
}

/* Saves the state for the last time, and passes on the rows of the units that are done. */
static ms_status end_spool(ms_unit_rows *u, ms_error *err)
{
  if (u->failure.status != MS_OK && u->failure.status != MS_ERR_LIMIT)
    return ms_fail(err, u->failure.status, "%s", u->failure.message);
  if (u->direct)
    return MS_OK;
  if (u->run->stopped == MS_OK)
    u->done = u->units.count;
  ms_spool_cut(u->spool, u->mark.bytes, u->mark.crc);
  save(u);
  ms_status status = deliver(u, err);
  if (!u->run->full)
    return ms_run_settle(u->run, status);
  u->run->matches = u->delivered;
  return ms_run_out_of_memory(u->run, err);
}

static ms_status open_log(ms_unit_rows *u, ms_error *err)
{
  if (!u->division->checkpoint || !ms_crew_saves(u->division->crew))
    return MS_OK;
  MS_TRY(ms_unit_log_open(u->division, &u->identity, u->units.count, &u->log, err));
  u->pace.unit = ms_unit_log_pace(u->log);
  return load(u, err);
}

ms_status ms_unit_rows_check_engine(const char *engine, ms_error *err)
{
  if (!engine || strcmp(engine, "auto") == 0 || strcmp(engine, "cpu") == 0)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "parts and checkpoints of a list of matches need the engine cpu, which knows the "
                 "order of rows; leave out `engine`");
}

ms_status ms_unit_rows_identify(ms_unit_rows *u, ms_error *err)
{
  const ms_division *d = u->division;
  char text[48];
  snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, d->part, d->parts);
  return ms_identity_text(&u->identity, "part", d->parts > 0 ? text : "all", err);
}

ms_status ms_unit_rows_run(ms_unit_rows *u, ms_error *err)
{
  ms_run *run = u->run;
  u->rows = run->rows;
  u->rows_user = run->rows_user;
  run->unit_rows = u;
  u->pace = (ms_pace){.seconds = RANGE_SECONDS};
  u->part = ms_share_of_range(0, UINT64_MAX);
  if (u->division->parts > 0)
    u->part = ms_share_of_part(u->division->part, u->division->parts);
  MS_TRY(open_log(u, err));
  ms_status status = list_rest(u, err);
  if (status == MS_OK && u->spool)
    status = end_spool(u, err);
  if (u->spool || u->division->crew) {
    run->matches = u->delivered;
    mpz_set_ui(run->count, (unsigned long)run->matches);
  }
  return status;
}

void ms_unit_rows_free(ms_unit_rows *u)
{
  ms_spool_close(u->spool);
  ms_unit_log_close(u->log);
  ms_identity_free(&u->identity);
  ms_range_units_free(&u->units);
  ms_free(u->text);
  if (u->run)
    u->run->unit_rows = NULL;
  *u = (ms_unit_rows){0};
}
