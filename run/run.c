#include "run/run.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PROGRESS_SECONDS 0.1
#define STREAM_SHARE 4u /* 1 / 4 of the budget that is left is for rows that wait */
/* Greatest number of bytes of rows that wait for a receiver, and the seconds in which it can take
 * them, so that a search that was stopped ends within two seconds. */
#define STREAM_BYTES ((uint64_t)256 << 20)
#define STREAM_SECONDS 0.5

/* ---- steps ------------------------------------------------------------------ */

ms_status ms_run_settle(ms_run *run, ms_status status)
{
  if (status != MS_ERR_LIMIT && status != MS_ERR_INTERRUPTED)
    return status;
  run->stopped = status;
  return MS_OK;
}

ms_status ms_run_out_of_memory(ms_run *run, ms_error *err)
{
  if (run->matches == 0)
    return ms_fail(err, MS_ERR_MEMORY, "there is no memory for a match; raise `memory`");
  run->stopped = MS_ERR_MEMORY;
  return MS_OK;
}

ms_status ms_run_query(ms_run *run, ms_error *err)
{
  double begin = ms_seconds();
  ms_stop *before = ms_stop_enter(run->limits.stop);
  ms_numbers_begin();
  mpz_init(run->count);
  atomic_init(&run->refused, false);
  ms_status status = ms_run_settle(run, run->kind->prepare(run, err));
  double prepared = ms_seconds();
  run->time_prepare = prepared - begin;
  if (status == MS_OK)
    ms_limits_report(&run->limits, "the search runs", 0, 0);
  if (status == MS_OK)
    status = ms_run_settle(run, run->kind->search(run, err));
  run->time_search = ms_seconds() - prepared;
  if (status == MS_OK)
    status = ms_run_refusal(run, err);
  if (status == MS_OK)
    status = run->kind->finish(run, err);
  ms_budget_release(run->budget, run->room * run->width * sizeof(uint32_t));
  ms_free(run->vertices);
  ms_judge_free(run->judge);
  mpz_clear(run->count);
  ms_numbers_end();
  ms_stop_leave(before);
  return status;
}

void ms_run_engine(ms_run_outcome *run, const char *engine, const char *reason)
{
  run->engine = engine;
  snprintf(run->engine_reason, sizeof run->engine_reason, "%s", reason);
}

void ms_run_report(void *user, const char *what, uint64_t done, uint64_t total)
{
  ms_run *run = user;
  double now = run->limits.progress ? ms_seconds() : 0;
  if (!run->limits.progress || now - run->last_progress < PROGRESS_SECONDS)
    return;
  run->last_progress = now;
  ms_limits_report(&run->limits, what, done, total);
}

void ms_run_progress(ms_run *run, uint64_t matches)
{
  ms_run_report(run, "matches", matches, 0);
}

/* ---- the judge ---------------------------------------------------------------- */

/* Records the first refused row. It is a separate function so that judging a
 * row does not pay for clearing `names`. */
static void record_refusal(ms_run *run, const uint32_t *row, ms_verdict verdict)
{
  char names[512] = "";
  size_t used = 0;
  if (atomic_exchange(&run->refused, true))
    return;
  for (uint32_t i = 0; i < run->width && used < sizeof names - 1; i++) {
    bool known = row[i] < ms_names_count(run->names);
    int length = snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "",
                          known ? ms_names_get(run->names, row[i]) : "?");
    used += length > 0 ? (size_t)length : 0;
  }
  ms_fail(&run->refusal, MS_ERR_INTERNAL,
          "the verifier refuses a match (%s): %s; this is a bug in motifsieve, please report it "
          "with the input files",
          ms_verdict_text(verdict), names);
}

bool ms_run_judge(ms_run *run, const uint32_t *row)
{
  ms_verdict verdict = ms_judge_row(run->judge, row);
  if (verdict != MS_MATCH_OK)
    record_refusal(run, row, verdict);
  return verdict == MS_MATCH_OK;
}

uint64_t ms_run_judge_rows(ms_run *run, const uint32_t *rows, uint64_t count)
{
  uint64_t fine = ms_judge_rows(run->judge, rows, count);
  if (fine < count) {
    const uint32_t *row = rows + fine * run->width;
    record_refusal(run, row, ms_judge_row(run->judge, row));
  }
  return fine;
}

ms_status ms_run_refusal(const ms_run *run, ms_error *err)
{
  return atomic_load(&run->refused) ? ms_fail(err, run->refusal.status, "%s", run->refusal.message)
                                    : MS_OK;
}

/* ---- rows --------------------------------------------------------------------- */

/* Makes room for this number of rows, and for half as many again if the budget
 * allows it. */
static bool make_room(ms_run *run, uint64_t rows)
{
  size_t row_bytes = run->width * sizeof(uint32_t);
  uint64_t room = rows + rows / 2;
  if (!ms_budget_reserve(run->budget, (room - run->room) * row_bytes)) {
    room = rows;
    if (!ms_budget_reserve(run->budget, (room - run->room) * row_bytes))
      return false;
  }
  if (!ms_enlarge(&run->vertices, run->room, room, row_bytes)) {
    ms_budget_release(run->budget, (room - run->room) * row_bytes);
    return false;
  }
  run->room = room;
  return true;
}

static bool store(ms_run *run, const uint32_t *rows, uint64_t count)
{
  if (run->matches + count > run->room && !make_room(run, run->matches + count)) {
    run->full = true;
    return false;
  }
  memcpy(run->vertices + run->matches * run->width, rows, count * run->width * sizeof *rows);
  return true;
}

bool ms_run_receive(void *user, const uint32_t *rows, uint64_t count)
{
  ms_run *run = user;
  bool more = true;
  if (!run->count_only)
    more = run->rows ? run->rows(run->rows_user, rows, count) : store(run, rows, count);
  if (more || run->rows)
    run->matches += count;
  ms_run_progress(run, run->matches);
  return more;
}

ms_status ms_run_rows(ms_run *run, ms_status (*list)(ms_run *run, ms_stream *stream, ms_error *err),
                      ms_error *err)
{
  ms_stream *stream = NULL;
  ms_stream_options options = {.length = run->width,
                               .limit = run->limit,
                               .memory = ms_budget_left(run->budget) / STREAM_SHARE,
                               .rows = ms_run_receive,
                               .user = run};
  if (run->rows) {
    options.seconds = STREAM_SECONDS;
    if (options.memory > STREAM_BYTES)
      options.memory = STREAM_BYTES;
  }
  if (!ms_budget_reserve(run->budget, options.memory))
    /* another part has taken the memory meanwhile: rows pass through small
     * buffers */
    options.memory = 0;
  ms_status status = ms_stream_new(&options, &stream, err);
  if (status == MS_OK) {
    status = list(run, stream, err);
    mpz_set_ui(run->count, (unsigned long)run->matches);
    if (atomic_load(&run->refused))
      status = ms_run_refusal(run, err);
    else if (run->full || ms_stream_status(stream) == MS_ERR_MEMORY)
      status = ms_run_out_of_memory(run, err);
    else if (status == MS_OK && ms_stream_status(stream) == MS_ERR_LIMIT)
      /* the receiver has stopped the search, or there are more matches than the
       * limit */
      status = MS_ERR_LIMIT;
  }
  ms_stream_free(stream);
  ms_budget_release(run->budget, options.memory);
  return ms_run_settle(run, status);
}

/* ---- numbers ------------------------------------------------------------------ */

ms_status ms_number_text(const mpz_t number, char **out, ms_error *err)
{
  *out = ms_alloc(mpz_sizeinbase(number, 10) + 2, 1);
  if (!*out)
    return ms_fail_memory(err, "a number");
  mpz_get_str(*out, 10, number);
  return MS_OK;
}

uint64_t ms_number_cut(const mpz_t number)
{
  return mpz_fits_ulong_p(number) ? mpz_get_ui(number) : UINT64_MAX;
}

ms_status ms_group_order_text(const ms_group *group, char **out, ms_error *err)
{
  mpz_t order;
  mpz_init(order);
  ms_group_order(group, order);
  ms_status status = ms_number_text(order, out, err);
  mpz_clear(order);
  return status;
}
