/* The grains of a job in the order of its units, of which a share may have some only, or by runs.
 */
#include "sieve/schedule/schedule_state.h"

/* Most runs of a (repetition, variant) for each worker if they are ordered.  Of more, the last are
 * a small part. */
enum { RUNS_A_WORKER = 4 };

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

/* A run is grains that take no longer than one of them.  Its time grows with the labels of its
 * points, because more vertices are live there.  Those with most labels are given out first, so
 * that a worker that got one of them gets a short one at the end (Graham, SIAM J. Appl. Math.
 * 1969). */
void ms_schedule_order_runs(ms_schedule *p, uint32_t workers)
{
  uint64_t run = 0, count = 0;
  for (uint32_t i = 0; i < p->n_states; i++)
    if (p->states[i].alive && p->states[i].together > run)
      run = p->states[i].together;
  p->run = 0;
  if (run < 2 || p->pass_grains % run != 0 || workers < 2 || p->job->share)
    return;
  uint64_t all = p->pass_grains / run;
  if ((run & (run - 1)) != 0 || all > MS_MOST_RUNS || all > (uint64_t)RUNS_A_WORKER * workers)
    return;
  p->run = run;
  for (int labels = 63; labels >= 0; labels--)
    for (uint64_t r = 0; r < all; r++)
      if (__builtin_popcountll(ms_sieve_gray(r)) == labels)
        p->order[count++] = (uint8_t)r;
}

/* Takes grains of one run. */
static ms_grains take_of_run(ms_schedule *p, uint64_t size)
{
  uint64_t at = p->next % p->pass_grains, pass = p->next - at, in_run = at % p->run;
  uint64_t first = pass + p->order[at / p->run] * p->run + in_run;
  size = min_u64(size, p->run - in_run);
  p->next += size;
  return (ms_grains){first, first + size};
}

ms_grains ms_schedule_take_grains(ms_schedule *p, uint64_t size, uint64_t end)
{
  const ms_sieve_job *job = p->job;
  uint64_t length = p->unit_grains, unit, place, count;
  if (p->run > 0)
    return take_of_run(p, min_u64(size, end - p->next));
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
