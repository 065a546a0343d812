/* Counts of the matches of a motif: all at once, in parts, and with checkpoints. */
#include "run/listing.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/units.h"
#include "graph/content.h"
#include "motif/count/count_sets.h"
#include "parts/sum.h"
#include "query/query.h"
#include "run/units/unit_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RANGE_SECONDS 2.0 /* of a range, at least about: each prepares the search again */
#define MOST_DIGITS 64u   /* of a number in a checkpoint, hexadecimal */

ms_status ms_list_division_take(ms_list_options *o, ms_division *own, ms_error *err)
{
  MS_TRY(ms_division_take_checked(&o->screen.run.division, own, err));
  if (!o->screen.run.division)
    return MS_OK;
  const char *what = o->limit > 0      ? "a search for a limited number of matches"
                     : o->sample > 0   ? "a sample of the matches"
                     : o->diverse      ? "a list of matches that share no vertex"
                     : o->families > 0 ? "a list of families"
                     : o->sort         ? "a sorted list"
                                       : NULL;
  MS_TRY(ms_unit_rows_check(&o->screen.run, o->count_only, what, err));
  o->exact = true;                    /* each part has to search the same graph */
  o->screen.method = MS_METHOD_SIEVE; /* there is no screen */
  return MS_OK;
}

/* ---- the sum: hexadecimal digits of the number, and a NUL; then the matches of each vertex, if
 * they are asked for ----------------------------------------------------------------------------
 */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const ms_listing *l = run;
  MS_TRY(ms_list_identify(l, id, err));
  return l->options->participation ? ms_identity_text(id, "number for each vertex", "yes", err)
                                   : MS_OK;
}

static uint32_t vertices(const ms_listing *l)
{
  return l->options->participation ? l->query->graph->n : 0;
}

static void put_numbers(const ms_listing *l, const mpz_t number, const uint64_t *taking,
                        ms_bytes *out)
{
  char digits[MOST_DIGITS + 2]; /* `add` refuses a sum with more digits */
  mpz_get_str(digits, 16, number);
  ms_bytes_put(out, digits, strlen(digits) + 1);
  for (uint32_t v = 0; v < vertices(l); v++)
    ms_bytes_put_number(out, taking[v], 8);
}

/* Counts into numbers of its own. */
static ms_status put_share(ms_listing *l, const ms_share *share, ms_bytes *out, ms_error *err)
{
  uint64_t *all = l->result->matches_of;
  uint64_t *own = vertices(l) > 0 ? ms_calloc(vertices(l), sizeof *own) : NULL;
  mpz_t number;
  if (vertices(l) > 0 && !own)
    return ms_fail_memory(err, "the matches of each vertex");
  mpz_init(number);
  l->result->matches_of = own;
  ms_status status = ms_list_count_share(l, share, number, err);
  l->result->matches_of = all;
  if (status == MS_OK)
    put_numbers(l, number, own, out);
  mpz_clear(number);
  ms_free(own);
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
  ms_byte_reader r = ms_bytes_read(bytes);
  const unsigned char *end = r.left > 0 ? memchr(r.at, '\0', r.left) : NULL;
  char digits[MOST_DIGITS + 2] = "-";
  mpz_t number;
  (void)first;
  (void)last;
  (void)enough;
  if (end && (size_t)(end - r.at) < sizeof digits)
    ms_byte_reader_take(&r, digits, (size_t)(end - r.at) + 1);
  if (r.left != 8 * (size_t)vertices(l))
    return ms_sum_fail(err);
  mpz_init(number);
  bool fits = mpz_set_str(number, digits, 16) == 0 && mpz_sgn(number) >= 0;
  if (fits)
    mpz_add(l->run.count, l->run.count, number);
  fits &= mpz_sizeinbase(l->run.count, 16) <= MOST_DIGITS;
  mpz_clear(number);
  if (!fits)
    return ms_sum_fail(err);
  for (uint32_t v = 0; v < vertices(l); v++) {
    uint64_t *of = &l->result->matches_of[v];
    if (__builtin_add_overflow(*of, ms_byte_reader_number(&r, 8), of) || *of > INT64_MAX)
      return ms_fail(err, MS_ERR_USAGE,
                     "a vertex is in 2^63 or more matches, which are not counted; choose a smaller "
                     "motif");
  }
  return MS_OK;
}

static void save(void *run, ms_bytes *out)
{
  const ms_listing *l = run;
  put_numbers(l, l->run.count, l->result->matches_of, out);
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
  see(see_user, l->result->matches_of, vertices(l) * sizeof *l->result->matches_of);
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
                    .units = MS_EVEN_UNITS,
                    .checks = ms_integrity_open(l->run.limits.division, &integrity),
                    .limits = l->run.limits,
                    .outcome = &l->result->run,
                    .job.seconds = RANGE_SECONDS};
  l->result->run.units = sum.units;
  l->checks = sum.checks;
  ms_status status = ms_sum_open(&sum, err);
  if (status == MS_OK)
    status = ms_sum_all(&sum, err);
  l->checks = NULL;
  l->run.matches = mpz_fits_ulong_p(l->run.count) ? mpz_get_ui(l->run.count) : UINT64_MAX;
  ms_sum_close(&sum);
  return status;
}

ms_status ms_list_count_all(ms_listing *l, ms_error *err)
{
  double begin = ms_seconds();
  ms_status status = ms_run_settle(&l->run, l->run.limits.division
                                                ? count_units(l, err)
                                                : ms_list_count_share(l, NULL, l->run.count, err));
  l->result->time_list = ms_seconds() - begin;
  return status;
}
