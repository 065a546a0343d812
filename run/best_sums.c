#include "run/best_sums.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/vertex_scores.h"
#include "motif/best_sums.h"
#include "motif/regions.h"

typedef struct progress {
  ms_run *run;
  uint64_t before, all;
} progress;

static void report(void *user, uint64_t settled)
{
  const progress *p = user;
  ms_run_report(p->run, "vertices settled", p->before + settled, p->all);
}

static ms_status search_region(progress *p, const ms_instance *region,
                               const ms_vertex_scores *scores, int threads,
                               ms_screen_result *result, ms_error *err)
{
  uint32_t *score = ms_alloc(region->n, 2 * sizeof *score);
  if (!score)
    return ms_fail_memory(err, "the greatest sums of vertices");
  ms_best_sums sums = {.score = score,
                       .best = score + region->n,
                       .budget = p->run->budget,
                       .stop = p->run->stop,
                       .report = report,
                       .user = p};
  for (uint32_t v = 0; v < region->n; v++) {
    score[v] = scores->of[region->vertex[v]];
    sums.best[v] = 0;
  }
  p->before = result->settled;
  ms_status status = ms_find_best_sums(region, threads, &sums, err);
  for (uint32_t v = 0; v < region->n; v++)
    if (sums.best[v] > result->best_sum[region->vertex[v]])
      result->best_sum[region->vertex[v]] = sums.best[v];
  result->settled += sums.settled;
  result->work.visits += sums.visits;
  ms_free(score);
  return status;
}

ms_status ms_screen_best_sums(ms_run *run, const ms_instance *instance,
                              const ms_vertex_scores *scores, int threads, ms_screen_result *result,
                              ms_error *err)
{
  ms_regions *regions = NULL;
  progress p = {.run = run, .all = result->vertices_kept};
  uint8_t *keep = ms_alloc(instance->n, 1);
  if (!keep)
    return ms_fail_memory(err, "the greatest sums of vertices");
  for (uint32_t v = 0; v < result->n; v++) /* a match has at least the score of its vertex */
    result->best_sum[v] = result->hits[v] ? scores->of[v] : 0;
  for (uint32_t v = 0; v < instance->n; v++)
    keep[v] = result->hits[instance->vertex[v]] > 0;
  ms_status status = run->stopped;
  if (status == MS_OK)
    status = ms_regions_find(instance, keep, threads, &regions, err);
  if (run->stopped == MS_OK)
    result->settled -= result->flagged; /* their sums are not known yet */
  for (uint32_t r = 0; status == MS_OK && r < regions->count; r++)
    status = search_region(&p, regions->region[r], scores, threads, result, err);
  ms_regions_free(regions);
  ms_free(keep);
  return status;
}
