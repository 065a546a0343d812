/* Estimates the work of listing or counting the matches of a pattern. */
#include "run/match.h"

#include "base/status.h"
#include "match/probe.h"

#include <math.h>

/* Cost of making and judging a row, and of each of its vertices, in steps (probe.h).  With these
 * and the next one, lists of 1 to 100 million rows take 0.9 to 1.4 times what is expected. */
#define ROW_COST 8.0
#define ROW_VERTEX_COST 4.0
/* Cost of delivering a row as text. */
#define ROW_OUTPUT_COST 8.0
/* A search of at most this many steps is not probed: a probe would take as long. */
#define SHORT_SEARCH 1e4

ms_status ms_match_listing_work(const ms_match_run *m, const ms_program *program,
                                ms_probe_effort effort, ms_match_work *work, ms_error *err)
{
  const ms_pattern_engine *gpu = ms_pattern_engine_on_gpus();
  uint64_t limit = m->options->limit;
  ms_probe probe = {0};
  *work = (ms_match_work){0};
  if (!program)
    return MS_OK;
  double bound = ms_probe_bound(program);
  if (bound <= SHORT_SEARCH)
    probe.steps = bound;
  else
    MS_TRY(ms_probe_closely(program, NULL, effort, 1, &probe, err));
  /* with a limit, the search ends early */
  double share = limit > 0 && probe.matches > (double)limit ? (double)limit / probe.matches : 1;
  work->search = share * probe.steps;
  work->matches = share * probe.matches;
  work->rows = (ROW_COST + ROW_VERTEX_COST * program->prefix) * work->matches;
  work->output = ROW_OUTPUT_COST * work->matches;
  work->gpu = gpu->weigh ? gpu->weigh(program, work->search) : MS_USUAL_GPU_WEIGHT * work->search;
  double visits = probe.visits + probe.last, led = fmin(visits, program->prefix * probe.matches);
  work->wasted = visits > 0 ? work->search * (1 - led / visits) : 0;
  return MS_OK;
}

ms_status ms_match_counting_work(const ms_match_run *m, ms_probe_effort effort, ms_match_work *work,
                                 double *by_factors, ms_error *err)
{
  ms_count_report report = {0};
  ms_count_query query;
  mpz_t none;
  *work = (ms_match_work){0};
  ms_match_count_query(m, &query);
  query.report = &report;
  query.estimate = true;
  query.effort = effort;
  mpz_init(none);
  ms_status status = m->domains.empty ? MS_OK : ms_count_maps(&query, &m->shape, none, err);
  mpz_clear(none);
  work->search = work->wasted = m->domains.empty ? 0 : fmax(1, report.work + report.factors);
  work->gpu = report.large_work + report.factors;
  *by_factors = report.factors;
  return status;
}
