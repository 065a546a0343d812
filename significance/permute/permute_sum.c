#include "significance/permute/permute_sum.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* of a motif: both sums, permutations with at least and at most as many sets */
#define MOTIF_BYTES 48u

ms_status ms_permuted_open(ms_permuted *s, uint64_t motifs, uint64_t rows_kept, ms_error *err)
{
  *s = (ms_permuted){.motifs = motifs, .rows_kept = rows_kept};
  s->sum = ms_calloc(motifs, sizeof *s->sum);
  s->n_ge = ms_calloc(motifs, sizeof *s->n_ge);
  s->n_le = ms_calloc(motifs, sizeof *s->n_le);
  if (rows_kept > 0 && motifs <= SIZE_MAX / rows_kept)
    s->kept = ms_alloc(motifs * rows_kept, sizeof *s->kept);
  return s->sum && s->n_ge && s->n_le && (rows_kept == 0 || s->kept)
             ? MS_OK
             : ms_fail_memory(err, "the sums of permutations");
}

void ms_permuted_close(ms_permuted *s)
{
  ms_free(s->sum);
  ms_free(s->n_ge);
  ms_free(s->n_le);
  ms_free(s->kept);
  *s = (ms_permuted){0};
}

void ms_permuted_clear(ms_permuted *s)
{
  s->done = s->tried = s->accepted = 0;
  s->deviation = 0;
  memset(s->sum, 0, s->motifs * sizeof *s->sum);
  memset(s->n_ge, 0, s->motifs * sizeof *s->n_ge);
  memset(s->n_le, 0, s->motifs * sizeof *s->n_le);
}

/* Returns how many of the permutations have their numbers kept. */
static uint64_t rows_of(const ms_permuted *s)
{
  return !s->kept ? 0 : s->done < s->rows_kept ? s->done : s->rows_kept;
}

bool ms_permuted_count(ms_permuted *s, const uint64_t *count, const uint64_t *observed,
                       const ms_null_trace *trace)
{
  bool fits = true;
  for (uint64_t i = 0; i < s->motifs; i++)
    fits &= ms_permutation_sum_add(&s->sum[i], &s->n_ge[i], &s->n_le[i], count[i], observed[i]);
  if (rows_of(s) < s->rows_kept)
    memcpy(s->kept + s->done * s->motifs, count, s->motifs * sizeof *count);
  s->tried += trace->tried;
  s->accepted += trace->accepted;
  s->deviation = fmax(s->deviation, trace->deviation);
  s->done++;
  return fits;
}

/* ---- which sums there can be ------------------------------------------------------------- */

/* Sets *square to the least sum of squares of `count` whole numbers above 0 with this sum.  Returns
 * false if it is too large. */
static bool least_squares(ms_unsigned_wide sum, ms_unsigned_wide count, ms_unsigned_wide *square)
{
  *square = 0;
  if (count == 0)
    return true;
  ms_unsigned_wide each = sum / count, larger = sum % count; /* as even as possible */
  return !__builtin_mul_overflow(each, each, square) &&
         !__builtin_mul_overflow(*square, count, square) &&
         !__builtin_add_overflow(*square, larger * (2 * each + 1), square);
}

/* Sets *square to the greatest sum of squares, where no number exceeds `limit`.  Returns false if
 * it is too large. */
static bool most_squares(ms_unsigned_wide sum, ms_unsigned_wide count, ms_unsigned_wide limit,
                         ms_unsigned_wide *square)
{
  *square = 0;
  if (count == 0)
    return true;
  ms_unsigned_wide spare = sum - count, full = limit > 1 ? spare / (limit - 1) : 0;
  ms_unsigned_wide middle = full < count ? spare - full * (limit - 1) + 1 : 0;
  return !__builtin_mul_overflow(limit * limit, full, square) &&
         !__builtin_add_overflow(*square, middle * middle, square) &&
         !__builtin_add_overflow(*square, count - full - (full < count), square);
}

bool ms_permutation_sum_is_possible(const ms_permutation_sum *s, uint64_t n_ge, uint64_t n_le,
                                    uint64_t done, uint64_t observed)
{
  if (done > MS_MOST_PERMUTATIONS || n_ge > done || n_le > done || n_ge < done - n_le)
    return false;
  ms_wide above = (ms_wide)(done - n_le), below = (ms_wide)(done - n_ge);
  ms_wide down = observed, up = UINT64_MAX; /* of one permutation, at most */
  if (s->first < -below * down || s->first > above * up ||
      (((ms_unsigned_wide)s->first ^ s->second) & 1) != 0)
    return false;
  /* the sum of the d below 0 is -fall, and that of the d above 0 is first + fall */
  ms_wide fall = above - s->first, fall_most = above * up - s->first;
  fall = fall > below ? fall : below;
  fall_most = fall_most < below * down ? fall_most : below * down;
  if (fall > fall_most)
    return false;
  ms_unsigned_wide rises, falls, square;
  bool fits = least_squares((ms_unsigned_wide)(s->first + fall), (ms_unsigned_wide)above, &rises) &&
              least_squares((ms_unsigned_wide)fall, (ms_unsigned_wide)below, &falls);
  if (!fits || __builtin_add_overflow(rises, falls, &square) || s->second < square)
    return false;
  fits = most_squares((ms_unsigned_wide)(s->first + fall_most), (ms_unsigned_wide)above,
                      (ms_unsigned_wide)up, &rises) &&
         most_squares((ms_unsigned_wide)fall_most, (ms_unsigned_wide)below, (ms_unsigned_wide)down,
                      &falls);
  return !fits || __builtin_add_overflow(rises, falls, &square) || s->second <= square;
}

/* ---- the sum as bytes -------------------------------------------------------------------- */

ms_status ms_permuted_identify(const ms_permuted *s, const ms_permutation_options *o,
                               ms_identity *id, ms_error *err)
{
  static const char *const null[] = {[MS_NULL_LABELS] = "labels",
                                     [MS_NULL_DEGREE] = "degree",
                                     [MS_NULL_EDGES] = "edges",
                                     [MS_NULL_REWIRE] = "rewire",
                                     [MS_NULL_REWIRE_COLORS] = "rewire-colors"};
  uint32_t crc = o->n_strata > 0 ? ms_crc32c(0, o->stratum, o->n_strata * sizeof *o->stratum) : 0;
  MS_TRY(ms_identity_text(id, "null", null[o->null_kind], err));
  if (o->n_strata > 0)
    MS_TRY(ms_identity_crc32c(id, "checksum of `stratum`", crc, err));
  else
    MS_TRY(ms_identity_text(id, "checksum of `stratum`", "", err)); /* a message: not given */
  MS_TRY(ms_identity_number(id, "seed", o->seed, err));
  MS_TRY(ms_identity_number(id, "permutations", o->permutations, err));
  MS_TRY(ms_identity_number(id, "permutations that `max_t` keeps", s->rows_kept, err));
  return ms_identity_number(id, "number of motifs", s->motifs, err);
}

static void put_wide(ms_bytes *out, ms_unsigned_wide value)
{
  ms_bytes_put_number(out, (uint64_t)value, 8);
  ms_bytes_put_number(out, (uint64_t)(value >> 64), 8);
}

static ms_unsigned_wide take_wide(ms_byte_reader *r)
{
  uint64_t low = ms_byte_reader_number(r, 8);
  return (ms_unsigned_wide)ms_byte_reader_number(r, 8) << 64 | low;
}

void ms_permuted_put(const ms_permuted *s, ms_bytes *out)
{
  uint64_t deviation, kept = rows_of(s) * s->motifs;
  memcpy(&deviation, &s->deviation, sizeof deviation);
  ms_bytes_put_number(out, s->done, 8);
  ms_bytes_put_number(out, s->tried, 8);
  ms_bytes_put_number(out, s->accepted, 8);
  ms_bytes_put_number(out, deviation, 8);
  for (uint64_t i = 0; i < s->motifs; i++) {
    put_wide(out, (ms_unsigned_wide)s->sum[i].first);
    put_wide(out, s->sum[i].second);
    ms_bytes_put_number(out, s->n_ge[i], 8);
    ms_bytes_put_number(out, s->n_le[i], 8);
  }
  for (uint64_t i = 0; i < kept; i++)
    ms_bytes_put_number(out, s->kept[i], 8);
}

static ms_status add_motifs(ms_permuted *s, uint64_t done, ms_byte_reader *r, ms_error *err)
{
  bool fits = true;
  for (uint64_t i = 0; i < s->motifs; i++) {
    ms_permutation_sum sum;
    sum.first = (ms_wide)take_wide(r);
    sum.second = take_wide(r);
    uint64_t n_ge = ms_byte_reader_number(r, 8), n_le = ms_byte_reader_number(r, 8);
    if (!ms_permutation_sum_is_possible(&sum, n_ge, n_le, done, UINT64_MAX))
      return ms_sum_fail(err);
    fits &= ms_permutation_sum_join(&s->sum[i], &sum);
    s->n_ge[i] += n_ge;
    s->n_le[i] += n_le;
  }
  return fits ? MS_OK : ms_census_fail_overflow(err);
}

ms_status ms_permuted_add(ms_permuted *s, uint64_t permutations, const ms_bytes *bytes,
                          ms_error *err)
{
  ms_byte_reader r = ms_bytes_read(bytes);
  uint64_t done = ms_byte_reader_number(&r, 8), before = rows_of(s), bits;
  double deviation;
  s->tried += ms_byte_reader_number(&r, 8);
  s->accepted += ms_byte_reader_number(&r, 8);
  bits = ms_byte_reader_number(&r, 8);
  memcpy(&deviation, &bits, sizeof deviation);
  if (r.failed || r.left / MOTIF_BYTES < s->motifs || done != permutations || !(deviation >= 0))
    return ms_sum_fail(err);
  MS_TRY(add_motifs(s, done, &r, err));
  s->deviation = fmax(s->deviation, deviation);
  s->done += done;
  for (uint64_t i = before * s->motifs; i < rows_of(s) * s->motifs; i++)
    s->kept[i] = ms_byte_reader_number(&r, 8);
  return ms_byte_reader_is_done(&r) ? MS_OK : ms_sum_fail(err);
}

void ms_permuted_show(ms_permuted *s, ms_see_fn see, void *see_user)
{
  see(see_user, s->sum, s->motifs * sizeof *s->sum);
  see(see_user, s->n_ge, s->motifs * sizeof *s->n_ge);
  see(see_user, s->n_le, s->motifs * sizeof *s->n_le);
  see(see_user, s->kept, rows_of(s) * s->motifs * sizeof *s->kept);
}

ms_status ms_permuted_finish(const ms_permuted *s, const uint64_t *observed, bool max_t,
                             ms_permutation_result *r, ms_error *err)
{
  r->done = s->done;
  r->tried = s->tried;
  r->accepted = s->accepted;
  r->deviation = s->deviation;
  if (s->motifs > 0) {
    memcpy(r->n_ge, s->n_ge, s->motifs * sizeof *r->n_ge);
    memcpy(r->n_le, s->n_le, s->motifs * sizeof *r->n_le);
  }
  return ms_permutation_result_fill(r, s->sum, observed, max_t ? s->kept : NULL, err);
}
