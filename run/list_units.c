/* Counts of the matches of a motif: all at once, in parts, and with checkpoints. */
#include "run/listing.h"

#include "base/alloc.h"
#include "base/even_units.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/content.h"
#include "motif/count_sets.h"
#include "parts/sum.h"
#include "query/query.h"
#include "run/unit_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RANGE_SECONDS 2.0 /* of a range, at least about: each prepares the search again */
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

/* ---- the sum: hexadecimal digits of the number, and a NUL --------------------------------------
 */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  return ms_list_identify(run, id, err);
}

static void put_number(const mpz_t number, ms_bytes *out)
{
  char digits[MOST_DIGITS + 2]; /* it has two words of 64 bits, or is a sum of such */
  mpz_get_str(digits, 16, number);
  ms_bytes_put(out, digits, strlen(digits) + 1);
}

static ms_status put_share(ms_listing *l, const ms_share *share, ms_bytes *out, ms_error *err)
{
  mpz_t number;
  mpz_init(number);
  ms_status status = ms_list_count_share(l, share, number, err);
  if (status == MS_OK)
    put_number(number, out);
  mpz_clear(number);
  return status;
}

/* Other opinions are those of the CPU, with the next implementations of sets. */
static ms_status put(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  ms_listing *l = run;
  const ms_motif_counted noted = l->counted;
  ms_motif_engine engine = l->engine;
  if (opinion == 0)
    return put_share(l, share, out, err);
  l->engine = MS_MOTIF_CPU;
  ms_other_kernel_set(opinion);
  ms_status status = put_share(l, share, out, err);
  ms_other_kernel_set(0);
  l->engine = engine;
  l->counted = noted;
  return status;
}

static ms_status add(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  ms_listing *l = run;
  mpz_t number;
  (void)first;
  (void)last;
  (void)enough;
  mpz_init(number);
  bool fits = bytes->length > 0 && bytes->length <= MOST_DIGITS &&
              bytes->data[bytes->length - 1] == '\0' &&
              mpz_set_str(number, (const char *)bytes->data, 16) == 0 && mpz_sgn(number) >= 0;
  if (fits)
    mpz_add(l->run.count, l->run.count, number);
  mpz_clear(number);
  return fits ? MS_OK : ms_sum_fail(err);
}

static void save(void *run, ms_bytes *out)
{
  const ms_listing *l = run;
  put_number(l->run.count, out);
}

static const char *name_opinion(void *run, uint32_t opinion)
{
  const ms_listing *l = run;
  if (opinion == 0 && l->counted.engine && strcmp(l->counted.engine, "gpu") == 0)
    return "the GPU";
  ms_other_kernel_set(opinion);
  const char *name = ms_set_counting_best()->name;
  ms_other_kernel_set(0);
  return name;
}

static void show(void *run, ms_see_fn see, void *see_user)
{
  ms_listing *l = run;
  see(see_user, l->run.count->_mp_d, mpz_size(l->run.count) * sizeof(mp_limb_t));
}

static const ms_sum_kind count_of_motif = {.name = "count of a motif",
                                           .units = "units",
                                           .prepares = true,
                                           .identify = identify,
                                           .put = put,
                                           .add = add,
                                           .save = save,
                                           .opinion = name_opinion,
                                           .show = show};

static ms_status count_units(ms_listing *l, ms_error *err)
{
  ms_integrity integrity;
  ms_sum_run sum = {.kind = &count_of_motif,
                    .run = l,
                    .division = l->options->division,
                    .units = MS_EVEN_UNITS,
                    .checks = ms_integrity_open(l->options->division, &integrity),
                    .report = &l->result->paranoid,
                    .progress = l->run.progress,
                    .progress_user = l->run.progress_user,
                    .job.seconds = RANGE_SECONDS};
  l->result->units = sum.units;
  l->checks = sum.checks;
  ms_status status = ms_sum_open(&sum, err);
  l->result->resumed = sum.resumed;
  if (status == MS_OK)
    status = ms_sum_all(&sum, err);
  l->result->time_checkpoint = ms_sum_seconds(&sum);
  l->checks = NULL;
  l->run.matches = mpz_fits_ulong_p(l->run.count) ? mpz_get_ui(l->run.count) : UINT64_MAX;
  ms_sum_close(&sum);
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
