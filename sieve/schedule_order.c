/* The grains of a job in the order of its units, of which a share may have some only. */
#include "sieve/schedule_state.h"

void ms_sieve_job_bound(ms_sieve_job *job)
{
  uint64_t length = ms_sieve_repetition_units(job->problem);
  uint64_t units = ms_sieve_units(job->problem, job->repetitions);
  uint64_t first = ms_share_next(job->share, 0), count = ms_share_count(job->share, units);
  job->first_repetition = 0;
  job->last_repetition = job->repetitions;
  if (!job->share)
    return;
  if (count == 0) {
    job->last_repetition = 0;
    return;
  }
  uint64_t last = first + (count - 1) * (job->share->step > 1 ? job->share->step : 1);
  job->first_repetition = (uint32_t)(first / length);
  job->last_repetition = (uint32_t)(last / length) + 1;
}

uint64_t ms_schedule_grains_from(const ms_schedule *p, uint64_t from, uint64_t end)
{
  uint64_t length = p->unit_grains, rest;
  if (!p->job->share)
    return end - from;
  rest = (length - from % length) % length;
  ms_share between = ms_share_within(p->job->share, (from + rest) / length, end / length);
  return rest + length * ms_share_count(&between, end / length);
}

uint64_t ms_schedule_repetition_grains(const ms_schedule *p, uint32_t repetition)
{
  return ms_schedule_grains_from(p, repetition * p->grains, (repetition + UINT64_C(1)) * p->grains);
}

/* Returns how many units from this one on are whole rows of the share, below unit `end`, and have
 * at most `size` grains; 0: it is not the first one of a row, or the row is not whole.  Rows are
 * turned, and in the order of points each of them is two ranges or one: a device that takes many
 * points at a time would have to begin and to end twice as often as there are rows. */
static uint64_t whole_rows(const ms_schedule *p, uint64_t unit, uint64_t size, uint64_t end)
{
  const ms_share *share = p->job->share;
  uint64_t row = ms_sieve_row_units(p->job->problem), last = min_u64(share->last, end);
  if (share->step > 1 || unit % row != 0 || last <= unit)
    return 0;
  return min_u64(last - unit, size / p->unit_grains) / row * row;
}

ms_grains ms_schedule_take_grains(ms_schedule *p, uint64_t size, uint64_t end)
{
  const ms_sieve_job *job = p->job;
  uint64_t length = p->unit_grains, unit, place, count;
  if (!job->share) {
    ms_grains r = {p->next, min_u64(p->next + size, end)};
    p->next = r.last;
    return r;
  }
  if (p->next % length == 0)
    p->next = ms_share_next(job->share, p->next / length) * length;
  unit = p->next / length;
  if (p->next % length == 0 && (count = whole_rows(p, unit, size, end / length)) > 0) {
    p->next += count * length;
    return (ms_grains){unit * length, p->next};
  }
  place = ms_sieve_unit_place(job->problem, unit);
  count = length - p->next % length;
  uint64_t first = place * length + p->next % length;
  while (count < size && ++unit < end / length && ms_share_has(job->share, unit) &&
         ms_sieve_unit_place(job->problem, unit) == ++place)
    count += length;
  count = min_u64(count, size);
  p->next += count;
  return (ms_grains){first, first + count};
}
