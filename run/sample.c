/* Draws matches of a motif at random:
 *
 *   regions -> engine: number of matches in each share -> random numbers of matches
 *           -> engine: the matches with these numbers -> judge -> sorted rows
 *
 * Neither memory nor time depends on the number of matches: they are counted, and only those that
 * were drawn are visited. */
#include "run/sample.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "motif/best/draw.h"
#include "motif/engine.h"
#include "motif/sort_rows.h"

typedef struct sampling {
  ms_run *run;
  const ms_regions *regions;
  int threads;
  ms_shares *shares; /* [regions] */
  uint64_t *base;    /* [regions + 1] matches of the regions before it */
  uint64_t *number;  /* [count] the matches that were drawn */
  uint32_t *row;     /* [count][width] */
  uint64_t count;
  ms_count_sink sink; /* all matches so far */
} sampling;

static void on_count(void *user, uint64_t matches)
{
  ms_run_progress(user, matches);
}

static ms_status count_region(sampling *s, uint32_t r, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  void *context = NULL;
  s->sink.shares = &s->shares[r];
  MS_TRY(engine->open(s->regions->region[r], s->threads, &context, err));
  ms_status status =
      engine->count(context, 0, engine->units(context), &s->sink, s->run->limits.stop, err);
  engine->close(context);
  s->base[r + 1] = s->sink.low;
  return status;
}

static ms_status count_regions(sampling *s, ms_error *err)
{
  s->base[0] = 0;
  for (uint32_t r = 0; r < s->regions->count; r++) {
    MS_TRY(count_region(s, r, err));
    if (s->sink.high > 0 || s->sink.low > INT64_MAX)
      return ms_fail(err, MS_ERR_USAGE,
                     "the motif has 2^63 matches or more, and `sample` draws from fewer; choose "
                     "rarer colours, or require a vertex");
  }
  return MS_OK;
}

/* Reserves and allocates what the drawn matches need. */
static ms_status allocate(sampling *s, ms_error *err)
{
  ms_run *run = s->run;
  uint64_t row_bytes = run->width * sizeof *s->row, bytes = row_bytes + sizeof *s->number;
  if (s->count > UINT64_MAX / (bytes + MS_DRAW_BYTES) ||
      !ms_budget_reserve(run->budget, s->count * (bytes + MS_DRAW_BYTES)))
    return ms_fail(err, MS_ERR_MEMORY,
                   "a sample of %llu matches takes more than the memory that is allowed; raise "
                   "`memory`, or lower `sample`",
                   (unsigned long long)s->count);
  run->room = s->count; /* the rows are released with the run */
  s->number = ms_alloc(s->count, sizeof *s->number);
  s->row = ms_alloc(s->count, row_bytes);
  return s->number && s->row ? MS_OK : ms_fail_memory(err, "the drawn matches");
}

static ms_status pick_in(const ms_instance *region, sampling *s, const ms_shares *shares,
                         const ms_picks *picks, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  void *context = NULL;
  MS_TRY(engine->open(region, s->threads, &context, err));
  ms_status status = engine->pick(context, shares, picks, s->run->budget, s->run->limits.stop, err);
  engine->close(context);
  return status;
}

/* Turns the set of a match into a row of the graph's vertices, ascending. */
static void make_row(const ms_instance *region, uint32_t *set, uint32_t k)
{
  for (uint32_t i = 0; i < k; i++) {
    uint32_t v = region->vertex[set[i]], at = i;
    for (; at > 0 && set[at - 1] > v; at--)
      set[at] = set[at - 1];
    set[at] = v;
  }
}

/* Finds the drawn matches of a region, and judges them. */
static ms_status pick_region(sampling *s, uint32_t r, uint64_t first, uint64_t count, ms_error *err)
{
  uint32_t k = s->run->width, *row = s->row + first * k;
  const ms_instance *region = s->regions->region[r];
  ms_picks picks = {.number = s->number + first, .count = count, .set = row};
  for (uint64_t i = first; i < first + count; i++)
    s->number[i] -= s->base[r];
  MS_TRY(pick_in(region, s, &s->shares[r], &picks, err));
  for (uint64_t i = 0; i < count; i++) {
    make_row(region, row + i * k, k);
    if (!ms_run_judge(s->run, row + i * k))
      return ms_run_refusal(s->run, err);
  }
  return MS_OK;
}

static ms_status pick_regions(sampling *s, ms_error *err)
{
  uint64_t first = 0, end;
  for (uint32_t r = 0; r < s->regions->count && first < s->count; r++, first = end) {
    for (end = first; end < s->count && s->number[end] < s->base[r + 1];)
      end++;
    if (end > first)
      MS_TRY(pick_region(s, r, first, end - first, err));
  }
  return MS_OK;
}

static ms_status draw(sampling *s, const ms_list_options *o, ms_list_result *result, ms_error *err)
{
  ms_status status = count_regions(s, err);
  result->sampled_from = s->sink.high > 0 || s->sink.low > INT64_MAX ? INT64_MAX : s->sink.low;
  MS_TRY(status);
  s->count = o->sample < result->sampled_from ? o->sample : result->sampled_from;
  if (s->count == 0)
    return MS_OK;
  MS_TRY(allocate(s, err));
  status = ms_draw_numbers(result->sampled_from, s->count, o->screen.run.seed, s->number, err);
  if (status == MS_OK)
    status = pick_regions(s, err);
  ms_budget_release(s->run->budget, s->count * (sizeof *s->number + MS_DRAW_BYTES));
  return status;
}

ms_status ms_sample_regions(ms_run *run, const ms_regions *regions, const ms_list_options *options,
                            ms_list_result *result, uint64_t *visits, ms_error *err)
{
  sampling s = {.run = run,
                .regions = regions,
                .threads = ms_threads(options->screen.run.threads),
                .shares = ms_calloc(regions->count, sizeof *s.shares),
                .base = ms_alloc((size_t)regions->count + 1, sizeof *s.base),
                .sink = {.budget = run->budget, .progress = on_count, .user = run}};
  ms_status status = s.shares && s.base ? draw(&s, options, result, err)
                                        : ms_fail_memory(err, "the regions of a sample");
  if (status == MS_OK && s.count > 0) {
    ms_sort_rows(s.row, s.count, run->width, NULL);
    run->vertices = s.row;
    run->matches = s.count;
    mpz_set_ui(run->count, s.count);
    s.row = NULL;
  }
  *visits += s.sink.visits;
  for (uint32_t r = 0; s.shares && r < regions->count; r++)
    ms_free(s.shares[r].matches);
  ms_free(s.shares);
  ms_free(s.base);
  ms_free(s.number);
  ms_free(s.row);
  return status;
}
