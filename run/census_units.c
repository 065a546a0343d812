#include "run/census_units.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/units.h"
#include "graph/content.h"
#include "parts/crew.h"
#include "parts/log.h"
#include "parts/paranoid.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RANGE_SECONDS 0.5 /* of a range of units of a rank, about */

typedef struct census_run {
  ms_census_options options;
  ms_division division;
  ms_share part; /* the units to do */
  ms_census_job *job;
  uint64_t units, sets;
  ms_tally sum; /* the sets of each motif: in the checkpoint, or of ranks */
  /* what this process has counted beside them, of the units below `done` */
  struct {
    ms_census_rows rows;
    uint64_t sets, done;
    bool is_saved;
  } own;
  ms_budget budget;
  ms_identity identity;
  ms_unit_log *log;          /* NULL: there is no checkpoint */
  uint64_t resumed, counted; /* units below are counted: in the checkpoint; by ranks, so far */
  const ms_census_accelerator *gpus;
  const ms_graph *graph;
  const ms_coloring *coloring;
  ms_integrity integrity, *checks;   /* NULL: nothing is checked */
  ms_census_job *again[MS_OPINIONS]; /* that compute units again; [0] is not used */
  ms_paranoid_report report;
} census_run;

/* ---- the identity ------------------------------------------------------------------------ */

ms_status ms_census_identify(ms_identity *id, const char *command, const ms_graph *graph,
                             const ms_coloring *coloring, const ms_census_options *o,
                             const ms_division *division, ms_error *err)
{
  char text[48];
  MS_TRY(ms_identity_open(id, command, err));
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(graph), err));
  MS_TRY(ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(coloring), err));
  MS_TRY(ms_identity_number(id, "k", o->k, err));
  MS_TRY(ms_identity_text(id, "primary colour", o->primary ? "yes" : "no", err));
  MS_TRY(ms_identity_number(id, "number of colours that count", o->n_only, err));
  for (uint32_t i = 0; i < o->n_only; i++)
    MS_TRY(ms_identity_number(id, "colour that counts", o->only[i], err));
  snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, division->part, division->parts);
  return ms_identity_text(id, "part", division->parts > 0 ? text : "all", err);
}

static ms_status identify(census_run *c, ms_error *err)
{
  MS_TRY(ms_census_identify(&c->identity, "census", c->graph, c->coloring, &c->options,
                            &c->division, err));
  return ms_identity_number(&c->identity, "number of units", c->units, err);
}

/* ---- the state: the number of sets, then an entry for each motif ---------------------------- */

/* k numbers of colours with two bytes each, then the number of sets with eight, the lowest byte
 * first. */
#define ENTRY_BYTES(k) (2 * (size_t)(k) + 8)
#define MOST_ENTRY_BYTES ENTRY_BYTES(MS_MAX_CENSUS)

static size_t put_number(unsigned char *at, uint64_t value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    at[i] = (unsigned char)(value >> 8 * i);
  return bytes;
}

static uint64_t get_number(const unsigned char *at, size_t bytes)
{
  uint64_t value = 0;
  for (size_t i = bytes; i-- > 0;)
    value = value << 8 | at[i];
  return value;
}

static size_t put_entry(const census_run *c, const ms_tally_entry *entry, unsigned char *bytes)
{
  size_t used = 0;
  for (uint32_t j = 0; j < c->options.k; j++)
    used += put_number(bytes + used, entry->key.kind[j], 2);
  return used + put_number(bytes + used, entry->sets, 8);
}

static void put_entries(census_run *c, const ms_tally_entry *entry, uint64_t entries)
{
  unsigned char bytes[MOST_ENTRY_BYTES];
  for (uint64_t i = 0; i < entries; i++)
    if (entry[i].sets > 0)
      ms_unit_log_put(c->log, bytes, put_entry(c, &entry[i], bytes));
}

/* Saves the sum of both, in which a motif may have two entries. */
static void save(census_run *c, uint64_t done)
{
  unsigned char bytes[8];
  uint64_t entries = c->sum.used + c->own.rows.count;
  ms_unit_log_begin(c->log, done, sizeof bytes + entries * ENTRY_BYTES(c->options.k));
  put_number(bytes, c->sets + c->own.sets, sizeof bytes);
  ms_unit_log_put(c->log, bytes, sizeof bytes);
  put_entries(c, c->sum.entry, (uint64_t)1 << c->sum.bits);
  put_entries(c, c->own.rows.row, c->own.rows.count);
  ms_unit_log_end(c->log);
}

static ms_status fail_memory(ms_error *err)
{
  return ms_fail_memory(err, "the motifs of a census");
}

/* Adds an entry that `from`, such as "the checkpoint", has. */
static ms_status add_entry(census_run *c, const unsigned char *bytes, const char *from,
                           ms_error *err)
{
  uint32_t k = c->options.k, colors;
  ms_multiset key;
  memset(&key, 0xff, sizeof key);
  (void)ms_census_job_colors(c->job, &colors);
  for (uint32_t i = 0; i < k; i++) {
    key.kind[i] = (ms_kind_id)get_number(bytes + 2 * i, 2);
    if (key.kind[i] >= colors)
      return ms_fail(err, MS_ERR_INPUT, "%s has colours that the graph lacks", from);
  }
  if (!ms_tally_add(&c->sum, &key, ms_multiset_hash(&key), get_number(bytes + 2 * (size_t)k, 8)))
    return fail_memory(err);
  return MS_OK;
}

static ms_status load(census_run *c, ms_error *err)
{
  uint32_t k = c->options.k;
  unsigned char bytes[MOST_ENTRY_BYTES];
  if (ms_unit_log_left(c->log) == 0)
    return ms_unit_log_taken(c->log, err);
  MS_TRY(ms_unit_log_take(c->log, bytes, 8, err));
  c->sets = get_number(bytes, 8);
  while (ms_unit_log_left(c->log) > 0) {
    MS_TRY(ms_unit_log_take(c->log, bytes, ENTRY_BYTES(k), err));
    MS_TRY(add_entry(c, bytes, c->division.checkpoint, err));
  }
  return ms_unit_log_taken(c->log, err);
}

/* ---- steps ------------------------------------------------------------------------------- */

/* Reads what was counted below `done`, even after a stop. */
static ms_status read_totals(census_run *c, uint64_t done, ms_error *err)
{
  uint64_t all;
  ms_stop *before = ms_stop_attach(NULL);
  ms_free(c->own.rows.row);
  c->own.rows = (ms_census_rows){0};
  c->own.sets = 0;
  ms_status status = ms_census_job_totals(c->job, &c->own.rows, &c->own.sets, err);
  ms_stop_attach(before);
  MS_TRY(status);
  c->own.done = done;
  c->own.is_saved = false;
  return __builtin_add_overflow(c->sets, c->own.sets, &all) || all > INT64_MAX
             ? ms_census_fail_overflow(err)
             : MS_OK;
}

/* Saves what was read, while other threads count.  A ms_census_step.meanwhile. */
static void save_totals(void *user)
{
  census_run *c = user;
  if (!c->log || c->own.is_saved)
    return;
  save(c, c->own.done);
  c->own.is_saved = true;
  ms_free(c->own.rows.row);
  c->own.rows = (ms_census_rows){0};
}

/* Saves the state after a stop, unless a unit was left before its end: then that of the last step
 * has to do. */
static void save_stopped(census_run *c, uint64_t done)
{
  ms_error unused;
  if (c->log && ms_census_job_is_whole(c->job) && read_totals(c, done, &unused) == MS_OK)
    save_totals(c);
}

/* Counts all units of the part that are left.  Between two steps, the state is read. */
static ms_status count_steps(census_run *c, ms_error *err)
{
  const ms_share rest = ms_share_within(&c->part, c->resumed, UINT64_MAX);
  double often = c->division.checkpoint_seconds > 0 ? c->division.checkpoint_seconds : 30;
  const ms_census_step step = {
      .seconds = c->log ? often : INFINITY, .meanwhile = save_totals, .user = c};
  uint64_t done = c->resumed;
  c->own.is_saved = true; /* there is nothing yet */
  ms_status status = ms_census_job_start(c->job, &rest, err);
  while (status == MS_OK) {
    status = ms_census_job_advance(c->job, &step, &done, err);
    if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
      save_stopped(c, done);
    if (status == MS_OK && (done >= c->units || ms_unit_log_is_due(c->log)))
      status = read_totals(c, done, err);
    if (done >= c->units)
      break;
  }
  return status;
}

/* ---- ranks ------------------------------------------------------------------------------- */

static ms_status run_by(const census_run *c, ms_census_job *job, const ms_share *share,
                        ms_bytes *out, ms_error *err)
{
  const ms_share units = ms_share_within(&c->part, share->first, share->last);
  unsigned char bytes[MOST_ENTRY_BYTES];
  ms_census_rows rows;
  uint64_t sets;
  MS_TRY(ms_census_job_run(job, &units, &rows, &sets, err));
  ms_bytes_put(out, bytes, put_number(bytes, sets, 8));
  for (uint64_t i = 0; i < rows.count; i++)
    ms_bytes_put(out, bytes, put_entry(c, &rows.row[i], bytes));
  ms_free(rows.row);
  return MS_OK;
}

/* A ms_crew_job.run. */
static ms_status run_share(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  const census_run *c = user;
  return run_by(c, c->job, share, out, err);
}

/* A ms_crew_job.add. */
static ms_status add_share(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                           bool *enough, ms_error *err)
{
  census_run *c = user;
  size_t entry = ENTRY_BYTES(c->options.k);
  (void)first;
  (void)enough;
  if (bytes->length < 8 || (bytes->length - 8) % entry != 0)
    return ms_fail(err, MS_ERR_INTERNAL, "a range of the census has %zu bytes", bytes->length);
  if (__builtin_add_overflow(c->sets, get_number(bytes->data, 8), &c->sets))
    return ms_census_fail_overflow(err);
  for (size_t at = 8; at < bytes->length; at += entry)
    MS_TRY(add_entry(c, bytes->data + at, "what a rank has counted", err));
  if (c->sum.overflow)
    return ms_census_fail_overflow(err);
  c->counted = last;
  if (c->log && last < c->units && ms_unit_log_is_due(c->log))
    save(c, last);
  if (c->options.progress)
    c->options.progress(c->options.progress_user, "units of the census", last, c->units);
  return MS_OK;
}

/* ---- units that are computed again (parts/paranoid.h) --------------------------------------- */

/* Opens the job of another opinion: on processors, with tables of the other form; the third opinion
 * has hash tables. */
static ms_status open_again(census_run *c, uint32_t opinion, ms_error *err)
{
  ms_census_options o = c->options;
  bool on_gpus;
  ms_census_form form = ms_census_job_form(c->job, &on_gpus);
  o.engine = "cpu";
  o.devices = NULL;
  o.n_devices = 0;
  o.progress = NULL;
  MS_TRY(ms_census_job_open(c->gpus, c->graph, c->coloring, &o, &c->again[opinion], err));
  bool is_sparse = opinion > 1 || (form == MS_CENSUS_DENSE && !on_gpus);
  ms_census_job_set_form(c->again[opinion], is_sparse ? MS_CENSUS_SPARSE
                                            : on_gpus ? MS_CENSUS_AUTO
                                                      : MS_CENSUS_DENSE);
  return MS_OK;
}

static ms_status run_again(void *user, uint32_t opinion, const ms_share *share, ms_bytes *out,
                           ms_error *err)
{
  census_run *c = user;
  ms_other_kernel_set(opinion);
  ms_status status = c->again[opinion] ? MS_OK : open_again(c, opinion, err);
  if (status == MS_OK)
    status = run_by(c, c->again[opinion], share, out, err);
  ms_other_kernel_set(0);
  return status;
}

static const char *name_opinion(void *user, uint32_t opinion)
{
  census_run *c = user;
  const ms_census_job *job = opinion ? c->again[opinion] : c->job;
  bool on_gpus = false;
  ms_census_form form = job ? ms_census_job_form(job, &on_gpus) : MS_CENSUS_SPARSE;
  return on_gpus                   ? "the GPU"
         : form == MS_CENSUS_DENSE ? "the CPU (with a place for each motif)"
                                   : "the CPU (with hash tables)";
}

static void show_state(void *user, ms_see_fn see, void *see_user)
{
  census_run *c = user;
  see(see_user, &c->sets, sizeof c->sets);
  see(see_user, c->sum.entry, ((size_t)1 << c->sum.bits) * sizeof *c->sum.entry);
}

static ms_status count_by_ranks(census_run *c, ms_error *err)
{
  const ms_paranoid paranoid = {.fraction = c->division.paranoid,
                                .integrity = c->checks,
                                .user = c,
                                .again = run_again,
                                .name = name_opinion,
                                .state = show_state,
                                .warn = c->division.warn,
                                .warn_user = c->division.warn_user,
                                .report = &c->report};
  const ms_crew_job job = {.identity = &c->identity,
                           .units = c->units,
                           .done = c->resumed,
                           .seconds = RANGE_SECONDS,
                           .log = c->log,
                           .user = c,
                           .run = run_share,
                           .add = add_share};
  c->counted = c->resumed;
  ms_status status =
      ms_paranoid_run(c->checks ? &paranoid : NULL, c->division.crew, &job, c->log != NULL, err);
  if (c->log && (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED))
    save(c, c->counted);
  return status;
}

static ms_status count_all(census_run *c, ms_error *err)
{
  if (!ms_tally_open(&c->sum, 10, &c->budget))
    return fail_memory(err);
  if (!c->division.checkpoint && !c->division.crew && !c->checks)
    return count_steps(c, err);
  MS_TRY(identify(c, err));
  if (c->division.checkpoint && ms_crew_saves(c->division.crew)) {
    MS_TRY(ms_unit_log_open(&c->division, &c->identity, c->units, &c->log, err));
    MS_TRY(load(c, err));
    c->resumed = ms_unit_log_done(c->log);
  }
  if (c->division.crew || c->checks)
    return count_by_ranks(c, err);
  return count_steps(c, err);
}

/* ---- the result -------------------------------------------------------------------------- */

/* Adds what this process has counted to the sum. */
static ms_status add_own(census_run *c, ms_error *err)
{
  for (uint64_t i = 0; i < c->own.rows.count; i++) {
    const ms_tally_entry *row = &c->own.rows.row[i];
    if (!ms_tally_add(&c->sum, &row->key, ms_multiset_hash(&row->key), row->sets))
      return fail_memory(err);
  }
  return c->sum.overflow ? ms_census_fail_overflow(err) : MS_OK;
}

static ms_status finish(census_run *c, ms_census_result **out, ms_error *err)
{
  uint64_t sets = c->sets + c->own.sets; /* read_totals has checked it */
  if (c->sum.used == 0)
    return ms_census_job_finish(c->job, &c->own.rows, sets, out, err);
  MS_TRY(add_own(c, err));
  ms_census_rows rows = {.count = ms_tally_sort(&c->sum)};
  rows.row = ms_alloc(rows.count, sizeof *rows.row);
  if (!rows.row)
    return fail_memory(err);
  memcpy(rows.row, c->sum.entry, rows.count * sizeof *rows.row);
  ms_status status = ms_census_job_finish(c->job, &rows, sets, out, err);
  ms_free(rows.row);
  return status;
}

/* Makes the result of a census that was stopped. */
static ms_status stop(const census_run *c, ms_status why, ms_census_result **out, ms_error *err)
{
  *out = ms_calloc(1, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "the result of a census");
  (*out)->k = c->options.k;
  (*out)->stopped = why;
  (*out)->engine = "cpu";
  snprintf((*out)->engine_reason, sizeof(*out)->engine_reason, "stopped before its end");
  return MS_OK;
}

static void note_division(const census_run *c, ms_census_result *result)
{
  result->units = c->units;
  result->resumed = c->resumed;
  result->time_checkpoint = c->log ? ms_unit_log_seconds(c->log) : 0;
  result->paranoid = c->report;
}

ms_status ms_census_divided(const ms_census_accelerator *gpus, const ms_graph *graph,
                            const ms_coloring *coloring, const ms_census_options *options,
                            ms_census_result **out, ms_error *err)
{
  census_run c = {.options = *options,
                  .division = *options->division,
                  .part = {.last = UINT64_MAX},
                  .gpus = gpus,
                  .graph = graph,
                  .coloring = coloring};
  MS_TRY(ms_census_complete(&c.options, err));
  c.checks = ms_integrity_open(&c.division, &c.integrity);
  if (c.checks) { /* half of the memory is for what is computed again */
    ms_budget_open(&c.budget, c.options.memory);
    c.options.memory = ms_budget_left(&c.budget) / 2;
  }
  if (c.division.parts > 0) {
    c.part = ms_share_of_part(c.division.part, c.division.parts);
    c.options.min_count = c.options.top = 0; /* which hold for the whole */
  }
  ms_budget_open(&c.budget, c.options.memory);
  MS_TRY(ms_census_job_open(gpus, graph, coloring, &c.options, &c.job, err));
  ms_census_job_set_integrity(c.job, c.checks);
  c.units = ms_census_job_units(c.job);
  ms_stop *before = ms_stop_enter(c.options.stop);
  ms_status status = count_all(&c, err);
  ms_stop_leave(before);
  if (status == MS_OK)
    status = finish(&c, out, err);
  else if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    status = stop(&c, status, out, err);
  if (status == MS_OK)
    note_division(&c, *out);
  ms_census_job_close(c.job);
  ms_free(c.own.rows.row);
  for (int i = 1; i < MS_OPINIONS; i++)
    ms_census_job_close(c.again[i]);
  ms_tally_close(&c.sum);
  ms_unit_log_close(c.log);
  ms_identity_free(&c.identity);
  return status;
}
