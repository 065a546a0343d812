/* ms_list_estimate: about how many matches there are, from a part of the roots.
 *
 * The roots of each region are cut into blocks of about equal length.  The blocks are counted in an
 * order that spreads over the region at once, because roots come before the other vertices of their
 * matches, so that the first ones have far more matches than the last ones.  If the time ends,
 * those that were not counted are taken to have the mean of the others. */
#include "run/listing.h"

#include "base/alloc.h"
#include "base/forecast.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"

#include <math.h>
#include <string.h>

#define BLOCK_BITS 12u
#define LEAST_BLOCKS 8u /* with fewer, nothing is known about the others */

typedef struct estimate {
  ms_budget budget;
  const ms_stop *stop;
  int threads;
  bool ended;
  double matches;  /* of the regions that were looked at, perhaps estimated */
  double vertices; /* of these regions */
} estimate;

/* Returns the bits of a number in reverse order (van der Corput). */
static uint32_t spread(uint32_t i, uint32_t bits)
{
  uint32_t at = 0;
  for (uint32_t b = 0; b < bits; b++)
    at |= (i >> b & 1) << (bits - 1 - b);
  return at;
}

static double matches_of(const ms_count_sink *sink)
{
  return ldexp((double)sink->high, 64) + (double)sink->low;
}

static ms_status count_blocks(estimate *e, void *context, double vertices, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  uint64_t roots = engine->units(context);
  uint32_t bits = 0, done = 0;
  while (bits < BLOCK_BITS && UINT64_C(2) << bits <= roots)
    bits++;
  uint64_t blocks = UINT64_C(1) << bits;
  double whole = 0;
  for (; done < blocks; done++) {
    uint64_t at = spread(done, bits), first = roots * at / blocks, last = roots * (at + 1) / blocks;
    ms_count_sink sink = {.budget = &e->budget};
    ms_status status = engine->count(context, first, last, &sink, e->stop, err);
    e->ended = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
    if (e->ended) { /* the block has this many at least */
      double mean = done > 0 ? whole / done : 0;
      whole = mean * (double)(blocks - 1) + fmax(mean, matches_of(&sink));
      break;
    }
    MS_TRY(status);
    whole += matches_of(&sink);
  }
  if (e->ended && done < LEAST_BLOCKS)
    return MS_OK;
  e->matches += whole;
  e->vertices += vertices;
  return MS_OK;
}

static ms_status look_at_region(estimate *e, const ms_instance *region, ms_error *err)
{
  void *context;
  MS_TRY(ms_engine_connected_sets.open(region, e->threads, &context, err));
  ms_status status = count_blocks(e, context, region->n, err);
  ms_engine_connected_sets.close(context);
  return status;
}

ms_status ms_list_estimate(const ms_query *query, const ms_list_options *options, double *matches,
                           ms_error *err)
{
  ms_list_options o;
  ms_instance *instance = NULL;
  ms_regions *regions = NULL;
  MS_REQUIRE(query, err);
  MS_REQUIRE(matches, err);
  *matches = -1;
  MS_TRY(ms_options_take(&ms_list_options_kind, options, &o, err));
  estimate e = {.stop = o.screen.run.stop, .threads = ms_threads(o.screen.run.threads)};
  ms_budget_open(&e.budget, o.screen.run.memory);
  ms_status status = ms_instance_new(query, e.threads, &instance, err);
  if (status == MS_OK)
    status = ms_regions_find(instance, NULL, e.threads, &regions, err);
  double all = 0;
  for (uint32_t r = 0; status == MS_OK && r < regions->count; r++)
    all += regions->region[r]->n;
  for (uint32_t r = 0; status == MS_OK && !e.ended && r < regions->count; r++)
    status = look_at_region(&e, regions->region[r], err);
  if (status == MS_OK && (e.vertices > 0 || all == 0))
    *matches = all > 0 ? e.matches * all / e.vertices : 0;
  ms_regions_free(regions);
  ms_instance_free(instance);
  return status;
}

/* ---- the time of a search ------------------------------------------------------------- */

/* Seconds in which one thread judges, sorts and writes a match. */
#define KEEP_SECONDS 100e-9

/* What a thread has received, in a cache line of its own. */
typedef struct received {
  _Alignas(64) uint64_t matches;
} received;

typedef struct sample {
  const ms_listing *list;
  void **context;     /* [regions] of the engine */
  received *received; /* [threads] */
  uint32_t parts;     /* of the last part */
} sample;

static bool sample_match(void *user, int thread, const uint32_t *set)
{
  (void)set;
  ((received *)user)[thread].matches++;
  return true;
}

static bool sample_matches(void *user, int thread, const uint32_t *set, const uint32_t *last,
                           uint32_t count)
{
  (void)set, (void)last;
  ((received *)user)[thread].matches += count;
  return true;
}

/* Searches a part of the roots of all regions; an ms_forecast_part_fn. */
static ms_status search_part(void *user, uint32_t parts, ms_stop *stop, ms_error *err)
{
  sample *s = user;
  const ms_engine *engine = &ms_engine_connected_sets;
  const ms_share share = ms_share_of_part(parts / 2 + 1, parts);
  bool counts = s->list->run.count_only;
  ms_count_sink counter = {.budget = s->list->run.budget, .share = &share};
  const ms_match_sink sink = {
      .match = sample_match, .matches = sample_matches, .user = s->received, .share = &share};
  ms_status status = MS_OK;
  memset(s->received, 0, (size_t)s->list->threads * sizeof *s->received);
  s->parts = parts;
  for (uint32_t r = 0; status == MS_OK && r < s->list->regions->count; r++) {
    uint64_t roots = engine->units(s->context[r]);
    status = counts ? engine->count(s->context[r], 0, roots, &counter, stop, err)
                    : engine->run(s->context[r], 0, roots, &sink, stop, err);
  }
  return status;
}

/* Opens the engine for all regions, and returns their roots. */
static ms_status open_sample(sample *s, uint64_t *roots, ms_error *err)
{
  const ms_regions *regions = s->list->regions;
  s->context = ms_calloc(regions->count, sizeof *s->context);
  s->received = ms_alloc_lines((size_t)s->list->threads, sizeof *s->received);
  if (!s->context || !s->received)
    return ms_fail_memory(err, "a sample of a search");
  for (uint32_t r = 0; r < regions->count; r++) {
    MS_TRY(
        ms_engine_connected_sets.open(regions->region[r], s->list->threads, &s->context[r], err));
    *roots += ms_engine_connected_sets.units(s->context[r]);
  }
  return MS_OK;
}

static bool may_use_gpu(const ms_listing *l)
{
  const ms_engine *gpu = &ms_engine_gpu_sets;
  return l->engine == MS_MOTIF_GPU ||
         (l->engine == MS_MOTIF_AUTO && gpu->may_have_devices && gpu->may_have_devices());
}

void ms_list_forecast(const ms_listing *l)
{
  const ms_list_options *o = l->options;
  if (!ms_progress_wants_forecast(&l->run.limits) || !l->regions || l->run.limit > 0 ||
      o->top > 0 || o->screen.run.division || may_use_gpu(l))
    return;
  ms_error err;
  ms_forecast_kind kind = MS_FORECAST_ABOUT;
  sample s = {.list = l};
  uint64_t roots = 0, matches = 0;
  if (open_sample(&s, &roots, &err) == MS_OK) {
    double seconds = ms_forecast_by_parts(roots, search_part, &s, l->run.limits.stop, &kind);
    for (int t = 0; t < l->threads; t++)
      matches += s.received[t].matches;
    if (seconds > 0)
      seconds += KEEP_SECONDS * (double)matches * s.parts / l->threads;
    ms_progress_forecast(&l->run.limits, "the search", seconds, kind);
  }
  for (uint32_t r = 0; s.context && r < l->regions->count; r++)
    ms_engine_connected_sets.close(s.context[r]);
  ms_free(s.context);
  ms_free(s.received);
}
