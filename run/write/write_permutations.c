#include "run/write/write_permutations.h"

#include "base/text/float_text.h"
#include "base/text/format.h"
#include "verify/reader/result.h"

#include <math.h>
#include <string.h>

double ms_six_digits(double value)
{
  char text[MS_FLOAT_BYTES];
  ms_format(text, sizeof text, "%.6g", value);
  return ms_read_real(text, NULL);
}

double ms_fold(uint64_t observed, double expected)
{
  double written = ms_six_digits(expected);
  return written > 0 ? (double)observed / written : (double)NAN;
}

void ms_writing_statistics(const ms_permutation_result *r, uint64_t i, uint64_t count,
                           double statistic[MS_STATISTICS])
{
  const double by[] = {[MS_STAT_EXPECTED] = r->expected[i],
                       [MS_STAT_SD] = r->sd[i],
                       [MS_STAT_FOLD] = ms_fold(count, r->expected[i]),
                       [MS_STAT_Z] = r->z[i],
                       [MS_STAT_P] = r->p[i],
                       [MS_STAT_Q] = r->q[i],
                       [MS_STAT_P_LESS] = r->p_less[i],
                       [MS_STAT_Q_LESS] = r->q_less[i],
                       [MS_STAT_P_MAX] = r->p_max ? r->p_max[i] : (double)NAN};
  memcpy(statistic + MS_STAT_PERMUTED, by, sizeof by);
}

void ms_writing_permutations(ms_result_header *h, const ms_permutation_result *r,
                             const ms_permutation_options *o, const char *strata)
{
  bool swaps = o->null_kind == MS_NULL_EDGES || ms_null_rewires(o->null_kind);
  h->has |= MS_HAS_PERMUTATIONS | (swaps ? MS_HAS_SWAPS : 0);
  bool may_be_directed = h->has & MS_HAS_SHAPES || h->kind == MS_KIND_PATTERNS;
  h->permutations.null_kind = h->permutations.meaning = o->null_kind;
  if (may_be_directed && o->null_kind == MS_NULL_REWIRE) /* the text behind those of the nulls */
    h->permutations.meaning += 2;
  h->permutations.strata = strata;
  h->permutations.seed = o->seed;
  h->permutations.done = r->done;
  h->permutations.asked = r->asked;
  h->permutations.tried = r->tried;
  h->permutations.accepted = r->accepted;
  h->permutations.tests = r->count;
  h->permutations.deviation = ms_six_digits(r->deviation);
  h->permutations.max_t = r->p_max != NULL;
  if (r->run.stopped != MS_OK)
    h->status = ms_status_of(r->run.stopped, false);
}

/* ---- sums -------------------------------------------------------------------------------- */

static const char *put_digits(ms_unsigned_wide value, bool negative, char *room, size_t bytes)
{
  char *at = room + bytes;
  *--at = '\0';
  do {
    *--at = (char)('0' + (int)(value % 10));
    value /= 10;
  } while (value > 0);
  if (negative)
    *--at = '-';
  return at;
}

void ms_sums_write(const ms_permutation_sum *sum, uint64_t n_ge, uint64_t n_le, ms_sums_text *out)
{
  bool negative = sum->first < 0;
  ms_unsigned_wide size = (ms_unsigned_wide)sum->first;
  size_t bytes = sizeof out->digits[0];
  out->text[0] = put_digits(negative ? -size : size, negative, out->digits[0], bytes);
  out->text[1] = put_digits(sum->second, false, out->digits[1], bytes);
  out->text[2] = put_digits(n_ge, false, out->digits[2], bytes);
  out->text[3] = put_digits(n_le, false, out->digits[3], bytes);
}

/* Takes a whole number of at most 39 digits. */
static bool take_wide(const char *text, bool *negative, ms_unsigned_wide *value)
{
  *negative = *text == '-';
  *value = 0;
  for (text += *negative; *text; text++)
    if (__builtin_mul_overflow(*value, (ms_unsigned_wide)10, value) ||
        __builtin_add_overflow(*value, (ms_unsigned_wide)(*text - '0'), value))
      return false;
  return true;
}

static bool take_sum(const char *text, uint64_t *value)
{
  return ms_take_count(&text, UINT64_MAX, value) && !*text;
}

bool ms_sums_add(const char *const text[MS_PERMUTED_SUMS], uint64_t done, uint64_t observed,
                 ms_permutation_sum *sum, uint64_t *n_ge, uint64_t *n_le)
{
  bool negative, unused;
  ms_unsigned_wide size;
  ms_permutation_sum part;
  uint64_t ge, le;
  if (!take_wide(text[0], &negative, &size) || size >> 127 ||
      !take_wide(text[1], &unused, &part.second) || !take_sum(text[2], &ge) ||
      !take_sum(text[3], &le))
    return false;
  part.first = negative ? -(ms_wide)size : (ms_wide)size;
  *n_ge += ge;
  *n_le += le;
  return ms_permutation_sum_is_possible(&part, ge, le, done, observed) &&
         ms_permutation_sum_join(sum, &part);
}
