#include "run/units/unit_rows.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/names.h"
#include "verify/reader/result.h"

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
  if (rows == 0 || u->run->limits.division->parts == 0)
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
  bool stopped = ms_stop_check(run->limits.stop) != MS_OK;
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
      status = ms_stop_check(run->limits.stop);
    if (status == MS_OK && stopped && at + piece < bytes &&
        ms_seconds() - begin > SECONDS_AFTER_STOP)
      status = ms_stop_check(run->limits.stop);
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
    ms_unit_log_warn(u->sum.log, ms_spool_problem(u->spool));
    ms_status status = deliver(u, &u->failure);
    if (status != MS_OK)
      return false;
  }
  return pass(u, rows, count);
}

/* ---- the sum: the mark of the rows, and the text of a part ---------------------------------- */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const ms_unit_rows *u = run;
  return u->identify(u->user, id, err);
}

static void save(void *run, ms_bytes *out)
{
  const ms_unit_rows *u = run;
  ms_sum_mark_put(&u->sum, u->spool, &u->mark, out);
  ms_bytes_put(out, u->text, u->done_length);
}

/* True if the text is that of units below `done`, which have the rows up to the mark. */
static bool text_fits(const ms_unit_rows *u, uint64_t done)
{
  const ms_division *d = u->run->limits.division;
  const ms_result_header of = {.division = {.part = d->part, .parts = d->parts, .units = done}};
  const char *at = u->length > 0 ? u->text : "";
  uint64_t rows = 0, least = 0, unit, some;
  if (d->parts == 0)
    return u->length == 0;
  for (; *at; least = unit + 1, rows += some)
    if (!ms_take_unit_rows(&at, &of, least, &unit, &some))
      return false;
  return rows * u->run->width * sizeof(uint32_t) == u->mark.bytes;
}

static ms_status load(void *run, uint64_t done, const ms_bytes *bytes, ms_error *err)
{
  ms_unit_rows *u = run;
  ms_byte_reader r = ms_bytes_read(bytes);
  MS_TRY(ms_sum_mark_take(&r, &u->mark, err));
  size_t length = r.left;
  if (length > 0) {
    if (!make_room(u, length + 1))
      return ms_fail_memory(err, "the rows of a part");
    ms_byte_reader_take(&r, u->text, length);
    u->text[length] = '\0';
  }
  u->done_length = u->length = length;
  if (!text_fits(u, done))
    return ms_sum_fail(err);
  return ms_spool_open(u->run->limits.division->checkpoint, u->mark.bytes, u->mark.crc, &u->spool,
                       err);
}

/* The rows so far are those of units that are done. */
static void mark_done(ms_unit_rows *u)
{
  u->done_length = u->length;
  if (u->spool)
    u->mark = ms_spool_end(u->spool);
}

/* ---- units ---------------------------------------------------------------------------------- */

/* Appends to the range of unit `first` those behind it that are to be done with it; returns the
 * last one.  A part has to know the rows of each unit. */
static uint64_t join_units(ms_unit_rows *u, uint64_t first, ms_range_unit *range)
{
  uint64_t last = first, most = 1;
  if (u->run->limits.division->parts == 0) {
    ms_pace_set(&u->pace, RANGE_SECONDS, u->run->limits.stop);
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
  ms_unit_log_set_pace(u->sum.log, u->pace.unit);
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
    if (!u->run->limits.division->crew) {
      mark_done(u);
      ms_sum_note(&u->sum, last + 1);
    }
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

/* The contribution of units are their rows. */
static ms_status put(void *user, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  ms_unit_rows *u = user;
  ms_run *run = u->run;
  uint64_t found = run->matches;
  (void)opinion;
  u->todo = *share;
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

static ms_status add(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  (void)first;
  (void)last;
  (void)enough;
  MS_TRY(take_rows(user, bytes->data, bytes->length, err));
  mark_done(user);
  return MS_OK;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Lists the units that are left, by way of the spool if there is one. */
static ms_status list_rest(ms_unit_rows *u, ms_error *err)
{
  ms_run *run = u->run;
  u->todo = ms_share_within(&u->sum.part, u->sum.done, u->units.count);
  if (u->run->limits.division->crew)
    return ms_run_settle(run, ms_sum_all(&u->sum, err));
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
    u->sum.done = u->units.count;
  ms_spool_cut(u->spool, u->mark.bytes, u->mark.crc);
  ms_sum_save(&u->sum);
  ms_status status = deliver(u, err);
  if (!u->run->full)
    return ms_run_settle(u->run, status);
  u->run->matches = u->delivered;
  return ms_run_out_of_memory(u->run, err);
}

ms_status ms_unit_rows_check(const ms_run_limits *run, bool count_only, const char *what,
                             ms_error *err)
{
  const ms_division *d = run->division;
  if (what)
    return ms_division_refuse(d, what, err);
  if (count_only)
    return MS_OK;
  if (d->paranoid > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "only a count is computed twice, and each row of a list is checked in any case; "
                   "leave out `paranoid`");
  if (run->engine && strcmp(run->engine, "auto") != 0 && strcmp(run->engine, "cpu") != 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "parts and checkpoints of a list of matches need the engine cpu, which knows the "
        "order of rows; leave out `engine`");
  if (d->crew && d->parts > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "a part of a list cannot be divided among ranks; run it by motifsieve alone");
  return MS_OK;
}

ms_status ms_unit_rows_run(ms_unit_rows *u, ms_error *err)
{
  ms_run *run = u->run;
  u->rows = run->rows;
  u->rows_user = run->rows_user;
  run->unit_rows = u;
  u->kind = (ms_sum_kind){.name = u->name,
                          .identify = identify,
                          .put = put,
                          .add = add,
                          .piece = take_rows,
                          .save = save,
                          .load = load};
  u->sum = (ms_sum_run){.kind = &u->kind,
                        .run = u,
                        .units = u->units.count,
                        .limits.division = u->run->limits.division,
                        .outcome = u->outcome,
                        .job.seconds = RANGE_SECONDS};
  MS_TRY(ms_sum_open(&u->sum, err));
  u->pace = (ms_pace){.seconds = RANGE_SECONDS, .unit = ms_unit_log_pace(u->sum.log)};
  ms_status status = list_rest(u, err);
  if (status == MS_OK && u->spool)
    status = end_spool(u, err);
  if (u->spool || u->run->limits.division->crew) {
    run->matches = u->delivered;
    mpz_set_ui(run->count, (unsigned long)run->matches);
  }
  return status;
}

void ms_unit_rows_free(ms_unit_rows *u)
{
  ms_spool_close(u->spool);
  ms_sum_close(&u->sum);
  ms_range_units_free(&u->units);
  ms_free(u->text);
  if (u->run)
    u->run->unit_rows = NULL;
  *u = (ms_unit_rows){0};
}
