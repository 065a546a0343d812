/* Counts of the matches of a motif: all at once, in parts, and with checkpoints. */
#include "run/listing.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/units.h"
#include "graph/content.h"
#include "motif/count_sets.h"
#include "parts/paranoid.h"
#include "parts/ranges.h"
#include "query/query.h"
#include "run/unit_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RANGE_SECONDS 2.0 /* of a range, at least about: each prepares the search again */
#define FIRST_RANGES 512u /* the first range has this part of all units */
#define MOST_DIGITS 64u   /* of a number in a checkpoint, hexadecimal */

ms_status ms_list_division_take(ms_list_options *o, ms_division *own, ms_error *err)
{
  MS_TRY(ms_division_take_checked(&o->division, own, err));
  if (!o->division)
    return MS_OK;
  const char *what = o->limit > 0       ? "a search for a limited number of matches"
                     : o->participation ? "a count of the matches of each vertex"
                     : o->sample > 0    ? "a sample of the matches"
                     : o->diverse       ? "a list of matches that share no vertex"
                     : o->families > 0  ? "a list of families"
                     : o->sort          ? "a sorted list"
                                        : NULL;
  if (what)
    return ms_division_refuse(o->division, what, err);
  if (!o->count_only && own->paranoid > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "only a count is computed twice, and each row of a list is checked in any case; "
                   "leave out `paranoid`");
  if (!o->count_only)
    MS_TRY(ms_unit_rows_check_engine(o->engine, err));
  if (!o->count_only && o->division->crew && o->division->parts > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "a part of a list cannot be divided among ranks; run it by motifsieve alone");
  o->exact = true;                    /* each part has to search the same graph */
  o->screen.method = MS_METHOD_SIEVE; /* there is no screen */
  return MS_OK;
}

static ms_status identify(const ms_listing *l, ms_identity *id, ms_error *err)
{
  const ms_division *d = l->options->division;
  char text[48];
  snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, d->part, d->parts);
  MS_TRY(ms_list_identify(l, "count of a motif", id, err));
  return ms_identity_text(id, "part", d->parts > 0 ? text : "all", err);
}

typedef struct counted {
  ms_listing *l;
  ms_unit_log *log;
  ms_share part;
  uint64_t done; /* units below are counted, by ranks or if the run checks itself */
  ms_integrity integrity;
} counted;

static ms_status add_share(void *user, const ms_share *share, ms_error *err)
{
  counted *c = user;
  mpz_t number;
  mpz_init(number);
  ms_status status = ms_list_count_share(c->l, share, number, err);
  if (status == MS_OK)
    mpz_add(c->l->run.count, c->l->run.count, number);
  mpz_clear(number);
  return status;
}

static void save(void *user, uint64_t done)
{
  counted *c = user;
  char digits[MOST_DIGITS + 2] = {0};
  if (mpz_sizeinbase(c->l->run.count, 16) <= MOST_DIGITS)
    mpz_get_str(digits, 16, c->l->run.count);
  ms_unit_log_begin(c->log, done, MOST_DIGITS);
  ms_unit_log_put(c->log, digits, MOST_DIGITS);
  ms_unit_log_end(c->log);
}

static ms_status load(counted *c, ms_error *err)
{
  char digits[MOST_DIGITS + 1] = {0};
  if (ms_unit_log_left(c->log) > 0) {
    MS_TRY(ms_unit_log_take(c->log, digits, MOST_DIGITS, err));
    if (mpz_set_str(c->l->run.count, digits, 16) != 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: the number of the checkpoint cannot be read",
                     c->l->options->division->checkpoint);
  }
  return ms_unit_log_taken(c->log, err);
}

/* ---- a count by ranks, or one that checks itself (parts/paranoid.h) ------------------------- */

/* Puts the number of the share as hexadecimal digits. */
static ms_status run_by(counted *c, const ms_share *share, ms_bytes *out, ms_error *err)
{
  const ms_share units = ms_share_within(&c->part, share->first, share->last);
  char digits[MOST_DIGITS + 2];
  mpz_t number;
  mpz_init(number);
  ms_status status = ms_list_count_share(c->l, &units, number, err);
  if (status == MS_OK) { /* it has two words of 64 bits */
    mpz_get_str(digits, 16, number);
    ms_bytes_put(out, digits, strlen(digits) + 1);
  }
  mpz_clear(number);
  return status;
}

/* A ms_crew_job.run. */
static ms_status run_range(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  return run_by(user, share, out, err);
}

/* On the CPU, with the next implementation of sets. */
static ms_status run_again(void *user, uint32_t opinion, const ms_share *share, ms_bytes *out,
                           ms_error *err)
{
  counted *c = user;
  ms_listing *l = c->l;
  const ms_motif_counted noted = l->counted;
  ms_motif_engine engine = l->engine;
  l->engine = MS_MOTIF_CPU;
  ms_other_kernel_set(opinion);
  ms_status status = run_by(c, share, out, err);
  ms_other_kernel_set(0);
  l->engine = engine;
  l->counted = noted;
  return status;
}

static const char *name_opinion(void *user, uint32_t opinion)
{
  const counted *c = user;
  if (opinion == 0 && c->l->counted.engine && strcmp(c->l->counted.engine, "gpu") == 0)
    return "the GPU";
  ms_other_kernel_set(opinion);
  const char *name = ms_set_counting_best()->name;
  ms_other_kernel_set(0);
  return name;
}

static void show_state(void *user, ms_see_fn see, void *see_user)
{
  counted *c = user;
  see(see_user, c->l->run.count->_mp_d, mpz_size(c->l->run.count) * sizeof(mp_limb_t));
}

/* A ms_crew_job.add. */
static ms_status add_range(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                           bool *enough, ms_error *err)
{
  counted *c = user;
  const ms_run *run = &c->l->run;
  mpz_t number;
  (void)first;
  (void)enough;
  mpz_init(number);
  bool fits = bytes->length > 0 && bytes->data[bytes->length - 1] == '\0' &&
              mpz_set_str(number, (const char *)bytes->data, 16) == 0;
  if (fits)
    mpz_add(c->l->run.count, c->l->run.count, number);
  mpz_clear(number);
  if (!fits)
    return ms_fail(err, MS_ERR_INTERNAL, "the number of a range of units cannot be read");
  c->done = last;
  if (c->log && last < MS_EVEN_UNITS && ms_unit_log_is_due(c->log))
    save(c, last);
  if (run->progress)
    run->progress(run->progress_user, "units", last, MS_EVEN_UNITS);
  return MS_OK;
}

static ms_status count_by_ranks(counted *c, const ms_identity *id, ms_error *err)
{
  const ms_division *d = c->l->options->division;
  const ms_paranoid paranoid = {.fraction = d->paranoid,
                                .integrity = c->l->checks,
                                .user = c,
                                .again = run_again,
                                .name = name_opinion,
                                .state = show_state,
                                .warn = d->warn,
                                .warn_user = d->warn_user,
                                .report = &c->l->result->paranoid};
  const ms_crew_job job = {.identity = id,
                           .units = MS_EVEN_UNITS,
                           .done = c->log ? ms_unit_log_done(c->log) : 0,
                           .seconds = RANGE_SECONDS,
                           .log = c->log,
                           .user = c,
                           .run = run_range,
                           .add = add_range};
  c->done = job.done;
  ms_status status =
      ms_paranoid_run(c->l->checks ? &paranoid : NULL, d->crew, &job, c->log != NULL, err);
  if (c->log && (status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED))
    save(c, c->done);
  return status;
}

static ms_status count(counted *c, ms_identity *id, ms_error *err)
{
  ms_listing *l = c->l;
  const ms_division *d = l->options->division;
  ms_ranges ranges = {.units = MS_EVEN_UNITS,
                      .part = {.last = UINT64_MAX},
                      .first_step = MS_EVEN_UNITS / FIRST_RANGES,
                      .seconds = RANGE_SECONDS,
                      .user = c,
                      .add = add_share,
                      .save = save,
                      .progress = l->run.progress,
                      .progress_user = l->run.progress_user};
  MS_TRY(ms_division_prepared(err));
  l->result->units = MS_EVEN_UNITS;
  if (d->parts > 0)
    ranges.part = ms_share_of_part(d->part, d->parts);
  c->part = ranges.part;
  l->checks = ms_integrity_open(d, &c->integrity);
  if (d->checkpoint || d->crew)
    MS_TRY(identify(l, id, err));
  if (d->checkpoint && ms_crew_saves(d->crew)) {
    MS_TRY(ms_unit_log_open(d, id, MS_EVEN_UNITS, &c->log, err));
    MS_TRY(load(c, err));
    l->result->resumed = ms_unit_log_done(c->log);
  }
  ms_status status =
      d->crew || l->checks ? count_by_ranks(c, id, err) : ms_ranges_run(&ranges, c->log, err);
  if (c->log)
    l->result->time_checkpoint = ms_unit_log_seconds(c->log);
  return status;
}

static ms_status count_units(ms_listing *l, ms_error *err)
{
  counted c = {.l = l};
  ms_identity id = {0};
  ms_status status = count(&c, &id, err);
  l->checks = NULL;
  l->run.matches = mpz_fits_ulong_p(l->run.count) ? mpz_get_ui(l->run.count) : UINT64_MAX;
  ms_unit_log_close(c.log);
  ms_identity_free(&id);
  return status;
}

ms_status ms_list_count_all(ms_listing *l, ms_error *err)
{
  double begin = ms_seconds();
  ms_status status = ms_run_settle(&l->run, l->options->division
                                                ? count_units(l, err)
                                                : ms_list_count_share(l, NULL, l->run.count, err));
  l->result->time_list = ms_seconds() - begin;
  return status;
}
