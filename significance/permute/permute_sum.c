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
  MS_TRY(ms_identity_number(id, "permutations of which each one counts", s->rows_kept, err));
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

static ms_status add_motifs(ms_permuted *s, ms_byte_reader *r, ms_error *err)
{
  bool overflow = false;
  for (uint64_t i = 0; i < s->motifs; i++) {
    overflow |= __builtin_add_overflow(s->sum[i].first, (ms_wide)take_wide(r), &s->sum[i].first);
    overflow |= __builtin_add_overflow(s->sum[i].second, take_wide(r), &s->sum[i].second);
    s->n_ge[i] += ms_byte_reader_number(r, 8);
    s->n_le[i] += ms_byte_reader_number(r, 8);
  }
  return overflow ? ms_census_fail_overflow(err) : MS_OK;
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
  MS_TRY(add_motifs(s, &r, err));
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
