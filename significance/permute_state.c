#include "significance/permute_state.h"

#include "base/crc32c.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEAD_BYTES 24u /* swaps tried and accepted, the deviation */
#define SUM_BYTES                                                                                  \
  48u /* of a motif: both sums, permutations with at least and at most as many sets */
#define BUFFERED 1024u /* numbers that are put at a time */

/* ---- numbers, whose first byte is the lowest ---------------------------------------------- */

static unsigned char *put_number(unsigned char *at, ms_unsigned_wide value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    at[i] = (unsigned char)(value >> 8 * i);
  return at + bytes;
}

static ms_unsigned_wide take_number(const unsigned char **at, size_t bytes)
{
  ms_unsigned_wide value = 0;
  for (size_t i = bytes; i-- > 0;)
    value = value << 8 | (*at)[i];
  *at += bytes;
  return value;
}

/* ---- the identity --------------------------------------------------------------------------- */

static const char *null_name(ms_null_kind kind)
{
  return kind == MS_NULL_LABELS   ? "labels"
         : kind == MS_NULL_DEGREE ? "degree"
         : kind == MS_NULL_EDGES  ? "edges"
                                  : "rewire";
}

/* Appends what all permutations depend on. */
static ms_status identify(ms_permute_state *s, ms_error *err)
{
  const ms_permutation_options *q = s->options;
  const ms_division *d = s->division;
  ms_identity *id = &s->identity;
  char text[48];
  snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32, d->part, d->parts);
  MS_TRY(ms_identity_text(id, "null", null_name(q->null_kind), err));
  if (q->n_strata > 0)
    MS_TRY(ms_identity_crc32c(id, "checksum of `stratum`",
                              ms_crc32c(0, q->stratum, q->n_strata * sizeof *q->stratum), err));
  else
    MS_TRY(ms_identity_text(id, "checksum of `stratum`", "", err)); /* a message: not given */
  MS_TRY(ms_identity_number(id, "seed", q->seed, err));
  MS_TRY(ms_identity_number(id, "permutations", q->permutations, err));
  MS_TRY(ms_identity_number(id, "permutations of which each one counts", s->rows_kept, err));
  MS_TRY(ms_identity_text(id, "part", d->parts > 0 ? text : "all", err));
  return ms_identity_number(id, "number of motifs", s->motifs, err);
}

/* ---- saving ------------------------------------------------------------------------------- */

/* Returns how many rows of kept numbers the state has. */
static uint64_t rows_of(const ms_permute_state *s, uint64_t done)
{
  return !s->kept ? 0 : done < s->rows_kept ? done : s->rows_kept;
}

static void put_kept(ms_permute_state *s)
{
  uint64_t numbers = rows_of(s, s->result->done) * s->motifs;
  unsigned char bytes[BUFFERED * 8], *end = bytes;
  for (uint64_t i = 0; i < numbers; i++) {
    end = put_number(end, s->kept[i], 8);
    if (end < bytes + sizeof bytes && i + 1 < numbers)
      continue;
    ms_unit_log_put(s->log, bytes, (size_t)(end - bytes));
    end = bytes;
  }
}

void ms_permute_state_save(ms_permute_state *s)
{
  if (!s->log) /* nothing of the state need be there after an early stop */
    return;
  const ms_permutation_result *r = s->result;
  uint64_t motifs = s->motifs, deviation;
  unsigned char bytes[SUM_BYTES], *end = bytes;
  memcpy(&deviation, &r->deviation, sizeof deviation);
  ms_unit_log_begin(s->log, r->done, HEAD_BYTES + motifs * (SUM_BYTES + 8 * rows_of(s, r->done)));
  end = put_number(end, r->tried, 8);
  end = put_number(end, r->accepted, 8);
  end = put_number(end, deviation, 8);
  ms_unit_log_put(s->log, bytes, HEAD_BYTES);
  for (uint64_t i = 0; i < motifs; i++) {
    end = put_number(bytes, (ms_unsigned_wide)s->sum[i].first, 16);
    end = put_number(end, s->sum[i].second, 16);
    end = put_number(end, r->n_ge[i], 8);
    end = put_number(end, r->n_le[i], 8);
    ms_unit_log_put(s->log, bytes, SUM_BYTES);
  }
  put_kept(s);
  ms_unit_log_end(s->log);
}

void ms_permute_state_note(ms_permute_state *s)
{
  if (s->log && ms_unit_log_is_due(s->log))
    ms_permute_state_save(s);
}

/* ---- going on ------------------------------------------------------------------------------ */

static ms_status load(ms_permute_state *s, ms_error *err)
{
  ms_permutation_result *r = s->result;
  unsigned char bytes[SUM_BYTES];
  const unsigned char *at = bytes;
  uint64_t deviation, kept;
  if (ms_unit_log_left(s->log) == 0)
    return ms_unit_log_taken(s->log, err);
  MS_TRY(ms_unit_log_take(s->log, bytes, HEAD_BYTES, err));
  r->tried = (uint64_t)take_number(&at, 8);
  r->accepted = (uint64_t)take_number(&at, 8);
  deviation = (uint64_t)take_number(&at, 8);
  memcpy(&r->deviation, &deviation, sizeof deviation);
  for (uint64_t i = 0; i < s->motifs; i++) {
    MS_TRY(ms_unit_log_take(s->log, bytes, SUM_BYTES, err));
    at = bytes;
    s->sum[i].first = (ms_wide)take_number(&at, 16);
    s->sum[i].second = take_number(&at, 16);
    r->n_ge[i] = (uint64_t)take_number(&at, 8);
    r->n_le[i] = (uint64_t)take_number(&at, 8);
  }
  r->done = r->resumed = ms_unit_log_done(s->log);
  kept = rows_of(s, r->done) * s->motifs;
  for (uint64_t i = 0; i < kept; i++) {
    MS_TRY(ms_unit_log_take(s->log, bytes, 8, err));
    at = bytes;
    s->kept[i] = (uint64_t)take_number(&at, 8);
  }
  return ms_unit_log_taken(s->log, err);
}

bool ms_permute_state_saves(const ms_permute_state *s)
{
  return s->division && s->division->checkpoint;
}

ms_status ms_permute_state_open(ms_permute_state *s, ms_error *err)
{
  if (!ms_permute_state_saves(s))
    return MS_OK;
  MS_TRY(identify(s, err));
  MS_TRY(ms_unit_log_open(s->division, &s->identity, s->options->permutations, &s->log, err));
  return load(s, err);
}

void ms_permute_state_close(ms_permute_state *s, ms_permutation_result *result)
{
  result->time_checkpoint = s->log ? ms_unit_log_seconds(s->log) : 0;
  ms_unit_log_close(s->log);
  ms_identity_free(&s->identity);
}
