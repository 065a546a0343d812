/* The screen of a motif without a sieve: each region is searched for the vertices that take part.
 */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "motif/regions.h"
#include "motif/take_part.h"
#include "run/run.h"

static ms_status screen_region(const ms_run *run, const ms_instance *region, int threads,
                               ms_screen_result *result, ms_error *err)
{
  ms_part_takers takers = {.flag = ms_calloc(region->n, 1)};
  if (!takers.flag)
    return ms_fail_memory(err, "the flags");
  ms_status status = ms_take_part(region, threads, run->budget, run->stop, &takers, err);
  for (uint32_t v = 0; v < region->n; v++) {
    result->hits[region->vertex[v]] = takers.flag[v];
    result->flagged += takers.flag[v];
  }
  result->settled += (uint32_t)takers.settled;
  result->work.visits += takers.visits;
  ms_free(takers.flag);
  return status;
}

ms_status ms_screen_exactly(ms_run *run, const ms_instance *instance, int threads,
                            ms_screen_result *result, ms_error *err)
{
  ms_regions *regions = NULL;
  threads = ms_threads(threads);
  result->exact = true;
  result->threads = threads;
  ms_status status = ms_regions_find(instance, NULL, threads, &regions, err);
  if (status == MS_OK) /* no match holds the vertices outside of all regions */
    result->settled = instance->n - (uint32_t)regions->vertices;
  for (uint32_t r = 0; status == MS_OK && r < regions->count; r++) {
    ms_run_report(run, "vertices searched for", result->settled, instance->n);
    status = screen_region(run, regions->region[r], threads, result, err);
  }
  ms_regions_free(regions);
  status = ms_run_settle(run, status);
  result->miss_bound = result->miss_bound_union = run->stopped != MS_OK;
  return status;
}
