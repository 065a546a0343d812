#include "run/units/census_units.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/units.h"
#include "graph/content.h"
#include "parts/sum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RANGE_SECONDS 0.5 /* of a range of units of a rank, about */

typedef struct census_run {
  ms_census_options options;
  ms_run_outcome outcome;
  ms_sum_run units;
  ms_census_job *job;
  uint64_t sets;
  ms_tally sum; /* the sets of each motif: in the checkpoint, or of ranks */
  /* what this process has counted beside them, of the units below `done` */
  struct {
    ms_census_rows rows;
    uint64_t sets, done;
    bool is_saved;
  } own;
  ms_budget budget;
  const ms_census_accelerator *gpus;
  const ms_graph *graph;
  const ms_coloring *coloring;
  ms_integrity integrity;
  ms_census_job *again[MS_OPINIONS]; /* that compute units again; [0] is not used */
} census_run;

/* ---- the identity ------------------------------------------------------------------------ */

ms_status ms_census_identify(ms_identity *id, const ms_graph *graph, const ms_coloring *coloring,
                             const ms_census_options *o, ms_error *err)
{
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(graph), err));
  if (coloring)
    MS_TRY(ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(coloring), err));
  if (o->shapes)
    MS_TRY(
        ms_identity_text(id, "shapes", ms_graph_directed(graph) ? "directed" : "undirected", err));
  if (o->non_induced)
    MS_TRY(ms_identity_text(id, "subgraphs", "not induced", err));
  MS_TRY(ms_identity_number(id, "k", o->k, err));
  MS_TRY(ms_identity_text(id, "primary colour", o->primary ? "yes" : "no", err));
  MS_TRY(ms_identity_number(id, "number of colours that count", o->n_only, err));
  for (uint32_t i = 0; i < o->n_only; i++)
    MS_TRY(ms_identity_number(id, "colour that counts", o->only[i], err));
  return MS_OK;
}

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const census_run *c = run;
  return ms_census_identify(id, c->graph, c->coloring, &c->options, err);
}

/* ---- the sum: the number of sets, then for each motif its key and its sets -------------- */

#define NUMBER_BYTES 2u /* of a key */
#define ENTRY_BYTES(numbers) (NUMBER_BYTES * (size_t)(numbers) + 8)

static void put_entries(const census_run *c, const ms_tally_entry *entry, uint64_t entries,
                        ms_bytes *out)
{
  for (uint64_t i = 0; i < entries; i++) {
    if (entry[i].sets == 0)
      continue;
    for (uint32_t j = 0; j < ms_census_job_key_size(c->job); j++)
      ms_bytes_put_number(out, entry[i].key.kind[j], NUMBER_BYTES);
    ms_bytes_put_number(out, entry[i].sets, 8);
  }
}

/* A motif may be in both sums, and then has two entries. */
static void save(void *run, ms_bytes *out)
{
  const census_run *c = run;
  ms_bytes_put_number(out, c->sets + c->own.sets, 8);
  put_entries(c, c->sum.entry, (uint64_t)1 << c->sum.bits, out);
  put_entries(c, c->own.rows.row, c->own.rows.count, out);
}

static ms_status fail_memory(ms_error *err)
{
  return ms_fail_memory(err, "the motifs of a census");
}

/* Adds an entry of so many sets.  A set has one motif, or several if its vertices have several
 * colours, and each of them once. */
static ms_status add_entry(census_run *c, ms_byte_reader *r, uint64_t all, ms_error *err)
{
  ms_multiset key;
  memset(&key, 0xff, sizeof key);
  for (uint32_t i = 0; i < ms_census_job_key_size(c->job); i++)
    key.kind[i] = (ms_kind_id)ms_byte_reader_number(r, NUMBER_BYTES);
  if (!ms_census_job_key_is_right(c->job, &key))
    return ms_fail(err, MS_ERR_INPUT, "it has colours that the graph lacks, or no motif");
  uint64_t sets = ms_byte_reader_number(r, 8);
  if (sets > all)
    return ms_sum_fail(err);
  return ms_tally_add(&c->sum, &key, ms_multiset_hash(&key), sets) ? MS_OK : fail_memory(err);
}

static ms_status add(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  census_run *c = run;
  ms_byte_reader r = ms_bytes_read(bytes);
  (void)first;
  (void)last;
  (void)enough;
  uint64_t sets = ms_byte_reader_number(&r, 8);
  if (__builtin_add_overflow(c->sets, sets, &c->sets))
    return ms_census_fail_overflow(err);
  if (r.failed || r.left % ENTRY_BYTES(ms_census_job_key_size(c->job)) != 0)
    return ms_sum_fail(err);
  while (r.left > 0)
    MS_TRY(add_entry(c, &r, sets, err));
  return c->sum.overflow ? ms_census_fail_overflow(err) : MS_OK;
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
  if (!c->units.log || c->own.is_saved)
    return;
  c->units.done = c->own.done;
  ms_sum_save(&c->units);
  c->own.is_saved = true;
  ms_free(c->own.rows.row);
  c->own.rows = (ms_census_rows){0};
}

/* Saves the state after a stop, unless a unit was left before its end: then that of the last step
 * has to do. */
static void save_stopped(census_run *c, uint64_t done)
{
  ms_error unused;
  if (c->units.log && ms_census_job_is_whole(c->job) && read_totals(c, done, &unused) == MS_OK)
    save_totals(c);
}

/* Counts all units of the part that are left.  Between two steps, the state is read. */
static ms_status count_steps(census_run *c, ms_error *err)
{
  const ms_unit_log *log = c->units.log;
  const ms_share rest = ms_share_within(&c->units.part, c->outcome.resumed, UINT64_MAX);
  const ms_census_step step = {
      .seconds = log ? ms_unit_log_often(log) : INFINITY, .meanwhile = save_totals, .user = c};
  uint64_t units = c->units.units, done = c->outcome.resumed;
  c->own.is_saved = true; /* there is nothing yet */
  ms_status status = ms_census_job_start(c->job, &rest, err);
  while (status == MS_OK) {
    status = ms_census_job_advance(c->job, &step, &done, err);
    if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
      save_stopped(c, done);
    if (status == MS_OK && (done >= units || ms_unit_log_is_due(log)))
      status = read_totals(c, done, err);
    if (done >= units)
      break;
  }
  if (status == MS_OK && log && !c->own.is_saved) { /* the result may fail to be written */
    c->units.done = done;
    ms_sum_save(&c->units);
  }
  return status;
}

/* ---- ranges of units ----------------------------------------------------------------------- */

static ms_status put_by(const census_run *c, ms_census_job *job, const ms_share *share,
                        ms_bytes *out, ms_error *err)
{
  ms_census_rows rows;
  uint64_t sets;
  MS_TRY(ms_census_job_run(job, share, &rows, &sets, err));
  ms_bytes_put_number(out, sets, 8);
  put_entries(c, rows.row, rows.count, out);
  ms_free(rows.row);
  return MS_OK;
}

/* Opens the job of another opinion: on processors, with tables of the other form; the third opinion
 * has hash tables. */
static ms_status open_again(census_run *c, uint32_t opinion, ms_error *err)
{
  ms_census_options o = c->options;
  bool on_gpus;
  ms_census_form form = ms_census_job_form(c->job, &on_gpus);
  o.run.engine = "cpu";
  o.run.devices = NULL;
  o.run.n_devices = 0;
  o.run.progress = NULL;
  MS_TRY(ms_census_job_open(c->gpus, c->graph, c->coloring, &o, &c->again[opinion], err));
  bool is_sparse = opinion > 1 || (form == MS_CENSUS_DENSE && !on_gpus);
  ms_census_job_set_form(c->again[opinion], is_sparse ? MS_CENSUS_SPARSE
                                            : on_gpus ? MS_CENSUS_AUTO
                                                      : MS_CENSUS_DENSE);
  return MS_OK;
}

static ms_status put(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  census_run *c = run;
  if (opinion == 0)
    return put_by(c, c->job, share, out, err);
  ms_other_kernel_set(opinion);
  ms_status status = c->again[opinion] ? MS_OK : open_again(c, opinion, err);
  if (status == MS_OK)
    status = put_by(c, c->again[opinion], share, out, err);
  ms_other_kernel_set(0);
  return status;
}

static const char *name_opinion(void *run, uint32_t opinion)
{
  const census_run *c = run;
  const ms_census_job *job = opinion ? c->again[opinion] : c->job;
  bool on_gpus = false;
  ms_census_form form = job ? ms_census_job_form(job, &on_gpus) : MS_CENSUS_SPARSE;
  return on_gpus                   ? "the GPU"
         : form == MS_CENSUS_DENSE ? "the CPU (with a place for each motif)"
                                   : "the CPU (with hash tables)";
}

static void show(void *run, ms_see_fn see, void *see_user)
{
  census_run *c = run;
  see(see_user, &c->sets, sizeof c->sets);
  see(see_user, c->sum.entry, ((size_t)1 << c->sum.bits) * sizeof *c->sum.entry);
}

static const ms_sum_kind census = {.name = "census",
                                   .units = "units of the census",
                                   .identify = identify,
                                   .put = put,
                                   .add = add,
                                   .save = save,
                                   .opinion = name_opinion,
                                   .show = show};

static ms_status count_all(census_run *c, ms_error *err)
{
  if (!ms_tally_open(&c->sum, 10, &c->budget))
    return fail_memory(err);
  MS_TRY(ms_sum_open(&c->units, err));
  return c->options.run.division->crew || c->units.checks ? ms_sum_all(&c->units, err)
                                                          : count_steps(c, err);
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
  (*out)->run.stopped = why;
  (*out)->run.engine = "cpu";
  snprintf((*out)->run.engine_reason, sizeof(*out)->run.engine_reason, "stopped before its end");
  return MS_OK;
}

static void note_division(const census_run *c, ms_census_result *result)
{
  result->run.units = c->units.units;
  result->run.resumed = c->outcome.resumed;
  result->run.time_checkpoint = c->outcome.time_checkpoint;
  result->run.paranoid = c->outcome.paranoid;
}

ms_status ms_census_divided(const ms_census_accelerator *gpus, const ms_graph *graph,
                            const ms_coloring *coloring, const ms_census_options *options,
                            ms_census_result **out, ms_error *err)
{
  census_run c = {.options = *options, .gpus = gpus, .graph = graph, .coloring = coloring};
  ms_sum_run *units = &c.units;
  MS_TRY(ms_census_complete(&c.options, err));
  *units = (ms_sum_run){.kind = &census,
                        .run = &c,
                        .checks = ms_integrity_open(c.options.run.division, &c.integrity),
                        .limits = c.options.run,
                        .outcome = &c.outcome,
                        .job.seconds = RANGE_SECONDS};
  if (units->checks) { /* half of the memory is for what is computed again */
    ms_budget_open(&c.budget, c.options.run.memory);
    c.options.run.memory = ms_budget_left(&c.budget) / 2;
  }
  if (c.options.run.division->parts > 0)
    c.options.min_count = c.options.top = 0; /* which hold for the whole */
  ms_budget_open(&c.budget, c.options.run.memory);
  MS_TRY(ms_census_job_open(gpus, graph, coloring, &c.options, &c.job, err));
  ms_census_job_set_integrity(c.job, units->checks);
  units->units = ms_census_job_units(c.job);
  ms_stop *before = ms_stop_enter(c.options.run.stop);
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
  ms_sum_close(units);
  return status;
}
