#include "run/screen_units.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "graph/content.h"
#include "parts/crew.h"
#include "parts/log.h"
#include "parts/paranoid.h"

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
  const ms_screen_options *options;
  ms_division division;
  ms_sieve_job *job; /* of the whole */
  ms_sieve_choice *choice;
  bool is_part;
  ms_share part; /* the units to do */
  uint8_t *row;  /* [n] what is known of repetition job->finished; not of a part */
  ms_identity identity;
  ms_unit_log *log; /* NULL: there is no checkpoint */
  uint64_t units, done;
  uint64_t *points, *moved; /* [n_workers + 1] of the ranges so far: the workers', the rescue's */
  ms_integrity integrity, *checks; /* NULL: nothing is checked */
  ms_sieve_worker *again;          /* [n_workers] that compute units again */
  char name[64];
} sieve_run;

/* ---- the identity ------------------------------------------------------------------------ */

static ms_status identify(const ms_query *query, sieve_run *s, ms_error *err)
{
  const ms_sieve_problem *problem = s->job->problem;
  const ms_instance *in = problem->instance;
  ms_identity *id = &s->identity;
  char text[48];
  snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, s->division.part, s->division.parts);
  MS_TRY(ms_identity_open(id, "screen", err));
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
  MS_TRY(ms_identity_crc32c(id, "checksum of the vertices that pruning left",
                            ms_crc32c(kept, in->mask, in->n * sizeof *in->mask), err));
  MS_TRY(ms_identity_text(id, "part", s->is_part ? text : "all", err));
  return ms_identity_number(id, "number of units", s->units, err);
}

/* ---- the state: finished repetitions, their hits, and the values of the next repetition; of a
 * part, the values of all repetitions -------------------------------------------------------- */

/* Returns how many values of the sieve a part has. */
static size_t part_values(const sieve_run *s)
{
  return (size_t)s->job->repetitions * s->job->problem->instance->n;
}

static void save_part(sieve_run *s)
{
  ms_unit_log_begin(s->log, s->done, part_values(s));
  ms_unit_log_put(s->log, s->job->q, part_values(s));
  ms_unit_log_end(s->log);
}

static void save(sieve_run *s)
{
  if (s->is_part) {
    save_part(s);
    return;
  }
  const ms_sieve_job *job = s->job;
  uint32_t n = job->problem->instance->n;
  uint32_t facts[2] = {job->finished, job->all_flagged};
  unsigned char bytes[4];
  ms_unit_log_begin(s->log, s->done, 8 + (uint64_t)n * 5);
  for (int i = 0; i < 2; i++) {
    for (int b = 0; b < 4; b++)
      bytes[b] = (unsigned char)(facts[i] >> 8 * b);
    ms_unit_log_put(s->log, bytes, 4);
  }
  for (uint32_t v = 0; v < n; v++) {
    for (int b = 0; b < 4; b++)
      bytes[b] = (unsigned char)(job->hits[v] >> 8 * b);
    ms_unit_log_put(s->log, bytes, 4);
  }
  ms_unit_log_put(s->log, s->row, n);
  ms_unit_log_end(s->log);
}

static ms_status take_number(ms_unit_log *log, uint32_t *number, ms_error *err)
{
  unsigned char bytes[4];
  MS_TRY(ms_unit_log_take(log, bytes, 4, err));
  *number =
      bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  return MS_OK;
}

static ms_status load(sieve_run *s, ms_error *err)
{
  ms_sieve_job *job = s->job;
  uint32_t n = job->problem->instance->n, flagged = 0;
  s->done = ms_unit_log_done(s->log);
  if (ms_unit_log_left(s->log) == 0)
    return ms_unit_log_taken(s->log, err);
  if (s->is_part) {
    MS_TRY(ms_unit_log_take(s->log, job->q, part_values(s), err));
    return ms_unit_log_taken(s->log, err);
  }
  MS_TRY(take_number(s->log, &job->finished, err));
  MS_TRY(take_number(s->log, &flagged, err));
  job->all_flagged = flagged;
  for (uint32_t v = 0; v < n; v++)
    MS_TRY(take_number(s->log, &job->hits[v], err));
  MS_TRY(ms_unit_log_take(s->log, s->row, n, err));
  MS_TRY(ms_unit_log_taken(s->log, err));
  if (job->finished != s->done / ms_sieve_repetition_units(job->problem))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the checkpoint has %" PRIu32 " repetitions for %" PRIu64 " units",
                   s->division.checkpoint, job->finished, s->done);
  return MS_OK;
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
  if (s->log || s->division.crew || s->checks)
    part.progress = NULL; /* ranges report it */
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
static ms_status run_by(const sieve_run *s, ms_sieve_worker *workers, uint32_t n_workers,
                        ms_sieve_worker *rescue, const ms_share *share, ms_sieve_plan *plan,
                        ms_bytes *out, ms_error *err)
{
  const ms_share units = ms_share_within(&s->part, share->first, share->last);
  size_t n = s->job->problem->instance->n;
  uint64_t length = ms_sieve_repetition_units(s->job->problem), first = share->first / length;
  size_t rows = (size_t)((share->last - 1) / length - first + 1);
  uint8_t *q = ms_calloc(rows, n);
  if (!q)
    return ms_fail_memory(err, "the sieve's values");
  ms_status status =
      run_sieve(s, workers, n_workers, rescue, &units, plan, (uint32_t)first, q, err);
  if (status == MS_OK)
    ms_bytes_put(out, q, rows * n);
  ms_free(q);
  return status;
}

/* A ms_crew_job.run. */
static ms_status run_share(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  sieve_run *s = user;
  MS_TRY(run_by(s, s->choice->workers, s->choice->n_workers, s->job->rescue, share, &s->job->plan,
                out, err));
  add_work(s);
  return MS_OK;
}

/* XORs the rows to what is known, and counts the flags of repetitions that are whole; a
 * ms_crew_job.add. */
static ms_status add_rows(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                          bool *enough, ms_error *err)
{
  sieve_run *s = user;
  ms_sieve_job *job = s->job;
  size_t n = job->problem->instance->n;
  uint64_t length = ms_sieve_repetition_units(job->problem);
  const uint8_t *q = bytes->data;
  if (bytes->length != ((last - 1) / length - first / length + 1) * n)
    return ms_fail(err, MS_ERR_INTERNAL, "a range of the sieve has %zu bytes", bytes->length);
  for (uint64_t r = first / length; r <= (last - 1) / length; r++, q += n) {
    uint8_t *row = s->is_part ? job->q + r * n : s->row;
    for (size_t v = 0; v < n; v++)
      row[v] ^= q[v];
    if (s->is_part)
      continue;
    if (last < (r + 1) * length)
      break;
    ms_sieve_flags(job, s->row, (uint32_t)r + 1, s->options->threads);
    memset(s->row, 0, n);
    if (job->early_stop && job->all_flagged) {
      *enough = true;
      break;
    }
  }
  s->done = last;
  if (s->log && ms_unit_log_is_due(s->log) && last < s->units && !*enough)
    save(s);
  if (job->progress)
    job->progress(job->progress_user, "units of the sieve", last, s->units);
  return MS_OK;
}

/* ---- units that are computed again (parts/paranoid.h) --------------------------------------- */

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

/* The second opinion has another kernel on each device; the third one is the CPU's, with the second
 * other kernel if the CPU was the first one, too. */
static ms_status run_again(void *user, uint32_t opinion, const ms_share *share, ms_bytes *out,
                           ms_error *err)
{
  sieve_run *s = user;
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
    w->config.integrity = s->checks;
    w->opened = false;
    w->lost = (ms_error){0};
  }
  return run_by(s, s->again, count, on_gpus(s) ? &rescue : NULL, share, &plan, out, err);
}

static const char *name_opinion(void *user, uint32_t opinion)
{
  sieve_run *s = user;
  const char *kernel =
      opinion < 2 || !on_gpus(s) ? kernel_after(&s->choice->workers[0], opinion) : NULL;
  snprintf(s->name, sizeof s->name, "%s", kernel ? kernel : "the CPU");
  return s->name;
}

static void show_state(void *user, ms_see_fn see, void *see_user)
{
  sieve_run *s = user;
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

static double range_seconds(const sieve_run *s)
{
  double seconds = PART_OF_SAVING * s->division.checkpoint_seconds;
  if (!s->log || seconds <= 0 || seconds > RANGE_SECONDS)
    return RANGE_SECONDS;
  return seconds > LEAST_SECONDS ? seconds : LEAST_SECONDS;
}

/* Cuts ranges for GPUs, on which the first range starts the device, and each range is a launch with
 * a beginning and an end: long ones of whole rows (sieve/schedule.h).  Where the run may end early,
 * members do repetition by repetition together, as the threads of one process do, unless a
 * repetition takes long.  A member begins with most of its share, and what is left of all shares is
 * done in short ranges, so that all members end together although one of them is slower. */
static void cut_for_gpus(const sieve_run *s, ms_crew_job *j)
{
  const ms_sieve_problem *problem = s->job->problem;
  const ms_sieve_worker *w = &s->choice->workers[0];
  uint64_t members = s->division.crew ? s->division.crew->members : 1;
  uint64_t round = ms_sieve_repetition_units(problem), left = j->units - j->done,
           row = ms_sieve_row_units(problem);
  double unit = w->backend->estimate(problem, &w->config, w->device, 1) / (double)round /
                s->choice->n_workers;
  if (!s->log)
    j->seconds = GPU_SECONDS;
  j->least = GPU_LEAST < j->seconds ? GPU_LEAST : j->seconds;
  if (members > 1 && s->job->early_stop && !s->log && unit * (double)round < GPU_ROUND)
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
static void cut_for_processors(const sieve_run *s, ms_crew_job *j)
{
  const ms_sieve_problem *problem = s->job->problem;
  const ms_sieve_worker *w = &s->choice->workers[0];
  uint64_t members = s->division.crew ? s->division.crew->members : 1,
           threads = (uint64_t)ms_threads(w->config.threads),
           round = ms_sieve_repetition_units(problem);
  double estimated = w->backend->estimate(problem, &w->config, 0, 1);
  if (members == 1 && isfinite(estimated))
    j->unit = estimated / (double)round / (s->is_part ? s->division.parts : 1);
  uint64_t whole = threads < round ? threads : round;
  j->whole = members > 1 && (j->units - j->done) / members < FEW_ROWS * whole ? 1 : whole;
}

static ms_status run_units(sieve_run *s, ms_paranoid_report *report, ms_error *err)
{
  const ms_paranoid paranoid = {.fraction = s->division.paranoid,
                                .integrity = s->checks,
                                .user = s,
                                .again = run_again,
                                .name = name_opinion,
                                .state = show_state,
                                .warn = s->division.warn,
                                .warn_user = s->division.warn_user,
                                .report = report};
  ms_crew_job crew_job = {.identity = &s->identity,
                          .units = s->units,
                          .done = s->done,
                          .seconds = range_seconds(s),
                          .log = s->log,
                          .user = s,
                          .run = run_share,
                          .add = add_rows};
  ms_sieve_job *job = s->job;
  ms_status status;
  if (job->early_stop && job->all_flagged)
    return MS_OK;
  if (on_gpus(s))
    cut_for_gpus(s, &crew_job);
  else
    cut_for_processors(s, &crew_job);
  if (s->is_part && !s->log && !s->division.crew && !s->checks) {
    /* there is nothing to do between ranges */
    status = run_sieve(s, s->choice->workers, s->choice->n_workers, job->rescue, &s->part,
                       &job->plan, 0, job->q, err);
    add_work(s);
  } else {
    status = ms_paranoid_run(s->checks ? &paranoid : NULL, s->division.crew, &crew_job,
                             s->log != NULL, err);
  }
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    job->stopped = status;
    status = MS_OK;
  }
  if (s->is_part)
    job->finished = job->stopped == MS_OK ? job->repetitions : 0;
  if (status == MS_OK && s->log)
    save(s);
  return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

ms_status ms_screen_check_division(const ms_screen_options *o, ms_error *err)
{
  const ms_division *division = o->division;
  ms_division own;
  MS_TRY(ms_division_take_checked(&division, &own, err));
  if (!division)
    return MS_OK;
  if (o->method != MS_METHOD_SIEVE)
    return ms_fail(err, MS_ERR_USAGE,
                   "only the sieve is divided into units, and enumeration is not; choose "
                   "`MS_METHOD_SIEVE`");
  if (o->keep_q)
    return ms_division_refuse(division, "a screen that keeps the values of the sieve", err);
  if (o->vertex_scores)
    return ms_division_refuse(division, "a screen with scores of vertices", err);
  if (division->parts > 0 && o->match_size)
    return ms_division_refuse(division, "a screen for matches that leave slots empty", err);
  if (division->parts > 0 && o->no_early_stop) /* the merged parts end where all are flagged */
    return ms_division_refuse(division, "a sieve without an early stop", err);
  return MS_OK;
}

ms_status ms_screen_refuse_part(const ms_screen_options *o, const char *what, ms_error *err)
{
  return ms_screen_is_part(o) ? ms_division_refuse(o->division, what, err) : MS_OK;
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
  const ms_division *division = o->division;
  sieve_run s = {.options = o, .job = job, .choice = choice};
  MS_TRY(ms_division_take_checked(&division, &s.division, err));
  if (!division)
    return ms_sieve_schedule(job, choice->workers, choice->n_workers, err);
  s.units = ms_sieve_units(job->problem, job->repetitions);
  s.is_part = division->parts > 0;
  s.part = s.is_part ? ms_share_of_part(division->part, division->parts)
                     : ms_share_of_range(0, UINT64_MAX);
  s.row = s.is_part ? NULL : ms_calloc(n, 1);
  s.points = ms_calloc(workers, sizeof *s.points);
  s.moved = ms_calloc(workers, sizeof *s.moved);
  ms_status status = MS_OK;
  s.again = ms_calloc(choice->n_workers, sizeof *s.again);
  s.checks = ms_integrity_open(division, &s.integrity);
  for (uint32_t i = 0; i < choice->n_workers; i++)
    choice->workers[i].config.integrity = s.checks;
  if ((!s.row && !s.is_part) || !s.points || !s.moved || !s.again)
    status = ms_fail_memory(err, "the sieve's values");
  if (status == MS_OK)
    status = ms_division_prepared(err);
  if (status == MS_OK)
    status = identify(query, &s, err);
  if (status == MS_OK && ms_crew_saves(division->crew))
    status = ms_unit_log_open(division, &s.identity, s.units, &s.log, err);
  if (status == MS_OK && s.log)
    status = load(&s, err);
  if (status == MS_OK) {
    result->units = s.units;
    result->resumed = s.done;
    status = run_units(&s, &result->paranoid, err);
    show_work(&s);
    result->time_checkpoint = s.log ? ms_unit_log_seconds(s.log) : 0;
  }
  ms_unit_log_close(s.log);
  ms_identity_free(&s.identity);
  ms_free(s.row);
  ms_free(s.points);
  ms_free(s.moved);
  ms_free(s.again);
  return status;
}
