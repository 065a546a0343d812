#include "run/units/screen_units.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/content.h"
#include "parts/sum.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Seconds of a range.  Back ends open for each one, prepare what all its points share, and end with
 * the slowest thread, which was seen to take 0.07 s, so a range is long.  With a checkpoint it is
 * this part of the time between two savings, if that is less, and at least LEAST_SECONDS. */
#define RANGE_SECONDS 7.5
#define PART_OF_SAVING 0.25
#define LEAST_SECONDS 0.02
/* The same on GPUs; the least seconds of a range; and the most of a repetition, on one member, that
 * members do together. */
#define GPU_SECONDS 20.0
#define GPU_LEAST 0.1
#define GPU_ROUND 60.0
/* GPUs of one kind differ by a tenth in what they do in a second: this part of each share is not
 * given at first, and those that end early do it, if it takes a member the least seconds. */
#define KEPT_PART 8u
/* A share of fewer rows, or of fewer units for each thread, is not rounded up: some members would
 * have nothing. */
#define FEW_ROWS 4u

typedef struct sieve_run {
  const ms_query *query;
  const ms_screen_options *options;
  ms_division division;
  ms_sum_run units;
  ms_sieve_job *job; /* of the whole */
  ms_sieve_choice *choice;
  bool is_part;
  uint8_t *row;             /* [n] what is known of repetition job->finished; not of a part */
  uint64_t *points, *moved; /* [n_workers + 1] of the ranges so far: the workers', the rescue's */
  ms_integrity integrity;
  ms_sieve_worker *again; /* [n_workers] that compute units again */
  char name[64];
} sieve_run;

/* ---- the identity ------------------------------------------------------------------------ */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const sieve_run *s = run;
  const ms_query *query = s->query;
  const ms_sieve_problem *problem = s->job->problem;
  const ms_instance *in = problem->instance;
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(query->graph), err));
  MS_TRY(
      ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(query->coloring), err));
  MS_TRY(ms_identity_text(id, "motif", query->motif->text, err));
  for (uint32_t i = 0; i < query->n_required; i++)
    MS_TRY(ms_identity_number(id, "number of a required vertex", query->required[i], err));
  MS_TRY(ms_identity_number(id, "vertices of a match", problem->size, err));
  MS_TRY(ms_identity_text(id, "recurrence",
                          problem->recurrence == MS_CLASSIC ? "classic" : "sibling", err));
  MS_TRY(ms_identity_number(id, "seed", problem->seed, err));
  MS_TRY(ms_identity_number(id, "repetitions", s->job->repetitions, err));
  MS_TRY(ms_identity_text(id, "early stop", s->job->early_stop ? "yes" : "no", err));
  uint32_t kept = ms_crc32c(0, in->vertex, in->n * sizeof *in->vertex);
  return ms_identity_crc32c(id, "checksum of the vertices that pruning left",
                            ms_crc32c(kept, in->mask, in->n * sizeof *in->mask), err);
}

/* ---- the sum: finished repetitions, whether all vertices are flagged, hits, and the values of the
 * next repetition; of a part, the values of all repetitions ---------------------------------- */

/* Returns how many values of the sieve a part has. */
static size_t part_values(const sieve_run *s)
{
  return (size_t)s->job->repetitions * s->job->problem->instance->n;
}

static void save(void *run, ms_bytes *out)
{
  const sieve_run *s = run;
  const ms_sieve_job *job = s->job;
  uint32_t n = job->problem->instance->n;
  if (s->is_part) {
    ms_bytes_put(out, job->q, part_values(s));
    return;
  }
  ms_bytes_put_number(out, job->finished, 4);
  ms_bytes_put_number(out, job->all_flagged, 4);
  for (uint32_t v = 0; v < n; v++)
    ms_bytes_put_number(out, job->hits[v], 4);
  ms_bytes_put(out, s->row, n);
}

static ms_status load(void *run, uint64_t done, const ms_bytes *bytes, ms_error *err)
{
  sieve_run *s = run;
  ms_sieve_job *job = s->job;
  uint32_t n = job->problem->instance->n;
  ms_byte_reader r = ms_bytes_read(bytes);
  if (done == 0)
    return MS_OK;
  if (s->is_part) {
    ms_byte_reader_take(&r, job->q, part_values(s));
    return ms_byte_reader_is_done(&r) ? MS_OK : ms_sum_fail(err);
  }
  job->finished = (uint32_t)ms_byte_reader_number(&r, 4);
  job->all_flagged = ms_byte_reader_number(&r, 4) != 0;
  for (uint32_t v = 0; v < n; v++)
    job->hits[v] = (uint32_t)ms_byte_reader_number(&r, 4);
  ms_byte_reader_take(&r, s->row, n);
  /* a sieve that ended early may have done units of repetitions that it did not need */
  uint64_t whole = done / ms_sieve_repetition_units(job->problem);
  bool ended = job->early_stop && job->all_flagged && job->finished < whole;
  return ms_byte_reader_is_done(&r) && (job->finished == whole || ended) ? MS_OK : ms_sum_fail(err);
}

/* ---- ranges ------------------------------------------------------------------------------ */

static void add_work(sieve_run *s)
{
  uint32_t count = s->choice->n_workers;
  for (uint32_t i = 0; i <= count; i++) {
    const ms_sieve_worker *w = i < count ? &s->choice->workers[i] : &s->choice->rescue;
    s->points[i] += w->points;
    s->moved[i] += w->bytes_moved;
  }
}

/* The workers show the work of all ranges. */
static void show_work(sieve_run *s)
{
  uint32_t count = s->choice->n_workers;
  for (uint32_t i = 0; i <= count; i++) {
    ms_sieve_worker *w = i < count ? &s->choice->workers[i] : &s->choice->rescue;
    w->points = s->points[i];
    w->bytes_moved = s->moved[i];
  }
}

/* XORs the values of the units of a share to q, whose first row is that of repetition `first`, by
 * these workers. */
static ms_status run_sieve(const sieve_run *s, ms_sieve_worker *workers, uint32_t n_workers,
                           ms_sieve_worker *rescue, const ms_share *share, ms_sieve_plan *plan,
                           uint32_t first, uint8_t *q, ms_error *err)
{
  ms_sieve_job part = *s->job;
  size_t n = part.problem->instance->n;
  part.share = share;
  part.rescue = rescue;
  part.hits = NULL;
  part.take = NULL;
  part.finished = 0;
  if (s->units.log || s->division.crew || s->units.checks)
    part.run.progress = NULL; /* ranges report it */
  ms_sieve_job_bound(&part);
  if (part.first_repetition == part.last_repetition) /* the share has no unit */
    return MS_OK;
  part.q = q + (part.first_repetition - first) * n;
  MS_TRY(ms_sieve_schedule(&part, workers, n_workers, err));
  s->job->time_open = part.time_open;
  if (part.stopped != MS_OK)
    return ms_fail(err, part.stopped, "the sieve was stopped");
  *plan = part.plan;
  return MS_OK;
}

/* Puts the rows of the repetitions of a range, which a part may have no unit of. */
static ms_status put_by(const sieve_run *s, ms_sieve_worker *workers, uint32_t n_workers,
                        ms_sieve_worker *rescue, const ms_share *share, ms_sieve_plan *plan,
                        ms_bytes *out, ms_error *err)
{
  size_t n = s->job->problem->instance->n;
  uint64_t length = ms_sieve_repetition_units(s->job->problem), first = share->first / length;
  size_t rows = (size_t)((share->last - 1) / length - first + 1);
  uint8_t *q = ms_calloc(rows, n);
  if (!q)
    return ms_fail_memory(err, "the sieve's values");
  ms_status status = run_sieve(s, workers, n_workers, rescue, share, plan, (uint32_t)first, q, err);
  if (status == MS_OK)
    ms_bytes_put(out, q, rows * n);
  ms_free(q);
  return status;
}

/* XORs the rows to what is known, and counts the flags of repetitions that are whole. */
static ms_status add(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  sieve_run *s = run;
  ms_sieve_job *job = s->job;
  size_t n = job->problem->instance->n;
  uint64_t length = ms_sieve_repetition_units(job->problem);
  const uint8_t *q = bytes->data;
  if (bytes->length != ((last - 1) / length - first / length + 1) * n)
    return ms_sum_fail(err);
  for (uint64_t r = first / length; r <= (last - 1) / length; r++, q += n) {
    uint8_t *row = s->is_part ? job->q + r * n : s->row;
    for (size_t v = 0; v < n; v++)
      row[v] ^= q[v];
    if (s->is_part)
      continue;
    if (last < (r + 1) * length)
      break;
    ms_sieve_flags(job, s->row, (uint32_t)r + 1, s->options->run.threads);
    memset(s->row, 0, n);
    if (job->early_stop && job->all_flagged) {
      *enough = true;
      break;
    }
  }
  return MS_OK;
}

static bool on_gpus(const sieve_run *s)
{
  return s->choice->workers[0].backend != s->choice->rescue.backend;
}

/* Returns the kernel that is `places` after the one of a worker that has run. */
static const char *kernel_after(const ms_sieve_worker *w, uint32_t places)
{
  const char *kernel = w->plan.kernel;
  for (uint32_t i = 0; i < places && kernel; i++)
    kernel = w->backend->other_kernel(kernel);
  return kernel;
}

/* Opinion 1 has another kernel on each device; opinion 2 is the CPU's, with the second other kernel
 * if the CPU was the first one, too. */
static ms_status put_again(sieve_run *s, uint32_t opinion, const ms_share *share, ms_bytes *out,
                           ms_error *err)
{
  const ms_sieve_choice *choice = s->choice;
  ms_sieve_worker rescue = choice->rescue;
  ms_sieve_plan plan;
  uint32_t count = on_gpus(s) && opinion == 1 ? choice->n_workers : 1;
  rescue.config.kernel = NULL;
  rescue.config.block_points = 0;
  for (uint32_t i = 0; i < count; i++) {
    ms_sieve_worker *w = &s->again[i];
    *w = on_gpus(s) && opinion > 1 ? rescue : choice->workers[i];
    if (!on_gpus(s) || opinion == 1)
      w->config.kernel = kernel_after(&choice->workers[i], opinion);
    w->config.block_points = 0;
    w->config.integrity = s->units.checks;
    w->opened = false;
    w->lost = (ms_error){0};
  }
  return put_by(s, s->again, count, on_gpus(s) ? &rescue : NULL, share, &plan, out, err);
}

static ms_status put(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  sieve_run *s = run;
  if (opinion > 0)
    return put_again(s, opinion, share, out, err);
  MS_TRY(put_by(s, s->choice->workers, s->choice->n_workers, s->job->rescue, share, &s->job->plan,
                out, err));
  add_work(s);
  return MS_OK;
}

static const char *name_opinion(void *run, uint32_t opinion)
{
  sieve_run *s = run;
  const char *kernel =
      opinion < 2 || !on_gpus(s) ? kernel_after(&s->choice->workers[0], opinion) : NULL;
  snprintf(s->name, sizeof s->name, "%s", kernel ? kernel : "the CPU");
  return s->name;
}

static void show(void *run, ms_see_fn see, void *see_user)
{
  sieve_run *s = run;
  ms_sieve_job *job = s->job;
  size_t n = job->problem->instance->n;
  if (s->is_part) { /* its sum is the values of all repetitions */
    see(see_user, job->q, part_values(s));
    return;
  }
  see(see_user, &job->finished, sizeof job->finished);
  see(see_user, job->hits, n * sizeof *job->hits);
  see(see_user, s->row, n);
}

static const ms_sum_kind screen = {.name = "screen",
                                   .units = "units of the sieve",
                                   .identify = identify,
                                   .put = put,
                                   .add = add,
                                   .save = save,
                                   .load = load,
                                   .opinion = name_opinion,
                                   .show = show};

static double range_seconds(const sieve_run *s)
{
  double seconds = PART_OF_SAVING * s->division.checkpoint_seconds;
  if (!s->units.log || seconds <= 0 || seconds > RANGE_SECONDS)
    return RANGE_SECONDS;
  return seconds > LEAST_SECONDS ? seconds : LEAST_SECONDS;
}

/* Cuts ranges for GPUs, on which the first range starts the device, and each range is a launch with
 * a beginning and an end: long ones of whole rows (sieve/schedule/schedule.h).  Where the run may
 * end early, members do repetition by repetition together, as the threads of one process do, unless
 * a repetition takes long.  A member begins with most of its share, and what is left of all shares
 * is done in short ranges, so that all members end together although one of them is slower. */
static void cut_for_gpus(sieve_run *s)
{
  ms_crew_job *j = &s->units.job;
  const ms_sieve_problem *problem = s->job->problem;
  const ms_sieve_worker *w = &s->choice->workers[0];
  uint64_t members = s->division.crew ? s->division.crew->members : 1;
  uint64_t round = ms_sieve_repetition_units(problem), left = s->units.units - s->units.done,
           row = ms_sieve_row_units(problem);
  double unit = w->backend->estimate(problem, &w->config, w->device, 1) / (double)round /
                s->choice->n_workers;
  if (!s->units.log)
    j->seconds = GPU_SECONDS;
  j->least = GPU_LEAST < j->seconds ? GPU_LEAST : j->seconds;
  if (members > 1 && s->job->early_stop && !s->units.log && unit * (double)round < GPU_ROUND)
    j->round = round;
  uint64_t share = ((j->round ? round : left) + members - 1) / members;
  double wanted = j->seconds / unit;
  if (members > 1 && share >= KEPT_PART * row && (double)(share / KEPT_PART) * unit >= j->least)
    share -= share / KEPT_PART;
  j->whole = s->is_part || share < FEW_ROWS * row ? 1 : row;
  j->first = !j->round && wanted < (double)share ? (uint64_t)wanted + 1 : share;
}

/* Cuts ranges for processors: a thread does one block of points at a time, so that a range has a
 * unit for each thread, unless a repetition has fewer.  Alone, a run knows the back end's
 * estimate of their time, so that its first range is not short. */
static void cut_for_processors(sieve_run *s)
{
  ms_crew_job *j = &s->units.job;
  const ms_sieve_problem *problem = s->job->problem;
  const ms_sieve_worker *w = &s->choice->workers[0];
  uint64_t members = s->division.crew ? s->division.crew->members : 1,
           threads = (uint64_t)ms_threads(w->config.threads),
           round = ms_sieve_repetition_units(problem);
  double estimated = w->backend->estimate(problem, &w->config, 0, 1);
  if (members == 1 && isfinite(estimated))
    j->unit = estimated / (double)round / (s->is_part ? s->division.parts : 1);
  uint64_t whole = threads < round ? threads : round;
  j->whole =
      members > 1 && (s->units.units - s->units.done) / members < FEW_ROWS * whole ? 1 : whole;
}

static ms_status run_units(sieve_run *s, ms_error *err)
{
  ms_sieve_job *job = s->job;
  ms_sum_run *units = &s->units;
  ms_status status;
  if (job->early_stop && job->all_flagged)
    return MS_OK;
  units->job.seconds = range_seconds(s);
  if (on_gpus(s))
    cut_for_gpus(s);
  else
    cut_for_processors(s);
  if (s->is_part && !units->log && !s->division.crew && !units->checks) {
    /* there is nothing to do between ranges */
    status = run_sieve(s, s->choice->workers, s->choice->n_workers, job->rescue, &units->part,
                       &job->plan, 0, job->q, err);
    add_work(s);
  } else {
    status = ms_sum_all(units, err);
  }
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    job->stopped = status;
    status = MS_OK;
  }
  if (s->is_part)
    job->finished = job->stopped == MS_OK ? job->repetitions : 0;
  return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

ms_status ms_screen_check_division(const ms_screen_options *o, ms_error *err)
{
  const ms_division *division = o->run.division;
  ms_division own;
  MS_TRY(ms_division_take_checked(&division, &own, err));
  if (!division)
    return MS_OK;
  if (o->method != MS_METHOD_SIEVE)
    return ms_fail(err, MS_ERR_USAGE,
                   "only the sieve is divided into units, and enumeration is not; choose "
                   "`MS_METHOD_SIEVE`");
  if (o->vertex_scores)
    return ms_division_refuse(division, "a screen with scores of vertices", err);
  if (division->parts > 0 && o->match_size)
    return ms_division_refuse(division, "a screen for matches that leave slots empty", err);
  if (division->parts > 0 && o->no_early_stop) /* the merged parts end where all are flagged */
    return ms_division_refuse(division, "a sieve without an early stop", err);
  return MS_OK;
}

ms_status ms_screen_refuse_units(const ms_screen_options *o, const char *what, ms_error *err)
{
  const ms_division *division = o->run.division;
  ms_division own;
  MS_TRY(ms_division_take_checked(&division, &own, err));
  return division && (own.parts > 0 || own.checkpoint || own.crew)
             ? ms_division_refuse(division, what, err)
             : MS_OK;
}

ms_status ms_screen_reserve_part(ms_budget *budget, uint32_t kept, uint32_t n, uint32_t repetitions,
                                 ms_error *err)
{
  uint64_t bytes = ((uint64_t)kept + n) * repetitions;
  if (ms_budget_reserve(budget, bytes))
    return MS_OK;
  return ms_fail(err, MS_ERR_MEMORY,
                 "the values of a part of the sieve need %" PRIu64 " MiB; raise `memory`",
                 (bytes >> 20) + 1);
}

ms_status ms_screen_divided(const ms_query *query, const ms_screen_options *o, ms_sieve_job *job,
                            ms_sieve_choice *choice, ms_screen_result *result, ms_error *err)
{
  uint32_t n = job->problem->instance->n;
  size_t workers = choice->n_workers + (size_t)1;
  const ms_division *division = o->run.division;
  sieve_run s = {.query = query, .options = o, .job = job, .choice = choice};
  MS_TRY(ms_division_take_checked(&division, &s.division, err));
  if (!division)
    return ms_sieve_schedule(job, choice->workers, choice->n_workers, err);
  s.units = (ms_sum_run){.kind = &screen,
                         .run = &s,
                         .units = ms_sieve_units(job->problem, job->repetitions),
                         .checks = ms_integrity_open(division, &s.integrity),
                         .limits = {.progress = job->run.progress,
                                    .progress_user = job->run.progress_user,
                                    .division = division},
                         .outcome = &result->run};
  s.is_part = division->parts > 0;
  s.row = s.is_part ? NULL : ms_calloc(n, 1);
  s.points = ms_calloc(workers, sizeof *s.points);
  s.moved = ms_calloc(workers, sizeof *s.moved);
  s.again = ms_calloc(choice->n_workers, sizeof *s.again);
  for (uint32_t i = 0; i < choice->n_workers; i++)
    choice->workers[i].config.integrity = s.units.checks;
  ms_status status = MS_OK;
  if ((!s.row && !s.is_part) || !s.points || !s.moved || !s.again)
    status = ms_fail_memory(err, "the sieve's values");
  if (status == MS_OK)
    status = ms_sum_open(&s.units, err);
  if (status == MS_OK) {
    result->run.units = s.units.units;
    status = run_units(&s, err);
    show_work(&s);
  }
  ms_sum_close(&s.units);
  ms_free(s.row);
  ms_free(s.points);
  ms_free(s.moved);
  ms_free(s.again);
  return status;
}
