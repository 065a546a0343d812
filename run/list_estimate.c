/* ms_list_estimate: about how many matches there are, from a part of the roots.
 *
 * The roots of each region are cut into blocks of about equal length.  The blocks are counted in an
 * order that spreads over the region at once, because roots come before the other vertices of their
 * matches, so that the first ones have far more matches than the last ones.  If the time ends,
 * those that were not counted are taken to have the mean of the others. */
#include "run/run.h"

#include "base/options.h"
#include "base/status.h"
#include "base/threads.h"
#include "motif/engine.h"
#include "motif/regions.h"

#include <math.h>

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
  estimate e = {.stop = o.screen.stop, .threads = ms_threads(o.screen.threads)};
  ms_budget_open(&e.budget, o.screen.memory);
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
