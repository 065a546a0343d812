/* The plan of a listing, and the query of a count, for a run and for its
 * explanation. */
#include "base/budget.h"
#include "base/status.h"
#include "match/probe.h"
#include "plan/match_order.h"
#include "run/match/match.h"

#include <math.h>
#include <string.h>

static void fill_input(const ms_match_run *m, const ms_domains *domains, ms_plan_input *input)
{
  *input = (ms_plan_input){.vertices = m->index->n,
                           .arcs = (double)m->index->arcs,
                           .square_degrees = m->index->square_degrees,
                           .order = m->options->order,
                           .row = m->row,
                           .constrain = !m->options->embeddings};
  for (uint32_t i = 0; i < m->shape.n; i++)
    input->domain[i] = domains->of[i].count;
}

ms_status ms_match_plan(const ms_match_run *m, const ms_domains *domains, ms_plan **plan,
                        ms_program **program, ms_error *err)
{
  static const ms_program_options visit_all = {0};
  ms_plan_input input;
  fill_input(m, domains, &input);
  MS_TRY(ms_plan_new(&m->shape, &input, plan, err));
  return domains->empty ? MS_OK
                        : ms_program_new(m->index, *plan, domains->of, &visit_all, program, err);
}

ms_status ms_match_compile(ms_match_run *m, ms_error *err)
{
  static const ms_program_options visit_all = {0};
  ms_program_free(m->program);
  m->program = NULL;
  return m->domains.empty
             ? MS_OK
             : ms_program_new(m->index, m->plan, m->domains.of, &visit_all, &m->program, err);
}

void ms_match_order_from(const ms_match_run *m, const ms_placed *placed, uint32_t first,
                         uint8_t *order)
{
  ms_plan_input input;
  ms_order_state state;
  fill_input(m, placed->domains, &input);
  ms_order_state_init(placed->shape, &input, &state);
  if (first != MS_NO_ID)
    ms_order_state_place(&state, first);
  ms_order_candidates(&state);
  memcpy(order, state.order, placed->shape->n * sizeof *order);
}

ms_status ms_match_plan_placed(const ms_match_run *m, const ms_placed *placed, bool constrain,
                               const uint8_t *order, ms_plan **plan, ms_program **program,
                               ms_error *err)
{
  static const ms_program_options visit_all = {0};
  ms_plan_input input;
  fill_input(m, placed->domains, &input);
  input.fixed = order;
  input.constrain = constrain;
  MS_TRY(ms_plan_new(placed->shape, &input, plan, err));
  return ms_program_new(m->index, *plan, placed->domains->of, &visit_all, program, err);
}

ms_status ms_match_plan_places(ms_match_run *m, const ms_placed *placed, ms_error *err)
{
  uint8_t order[MS_MAX_PATTERN];
  bool ours = m->options->order == MS_ORDER_AUTO;
  ms_match_order_from(m, placed, MS_NO_ID, order);
  MS_TRY(ms_match_plan_placed(m, placed, !m->options->embeddings, ours ? order : NULL, &m->plan,
                              &m->program, err));
  return m->asked && m->asked->supports ? m->asked->supports(m->program, err) : MS_OK;
}

void ms_match_count_query(const ms_match_run *m, ms_count_query *query)
{
  const ms_screen_options *o = &m->options->screen;
  *query = (ms_count_query){.index = m->index,
                            .domains = &m->domains,
                            .engine = m->asked ? m->asked : &ms_pattern_engine_cpu,
                            .order = m->options->order,
                            .row = m->row,
                            .threads = o->run.threads,
                            .stop = o->run.stop,
                            .effort = {0, MS_PROBE_STEPS, o->run.stop},
                            .budget = m->run.budget,
                            .shared = m->shared,
                            .gpu_memory = o->run.memory,
                            .devices = o->run.n_devices,
                            .device = o->run.n_devices ? o->run.devices : NULL};
  if (!m->asked) {
    query->large = ms_pattern_engine_on_gpus();
    query->large_start = ms_pattern_engine_start();
  }
}

void ms_match_forget_plan(ms_match_run *m)
{
  ms_program_free(m->program);
  ms_plan_free(m->plan);
  m->program = NULL;
  m->plan = NULL;
}

void ms_match_release(ms_match_run *m)
{
  ms_match_forget_plan(m);
  ms_domains_free(&m->domains);
  ms_group_free(m->group);
  ms_pattern_index_free(m->cut);
  ms_budget_release(m->run.budget, m->cut_reserved);
}

/* ---- estimates ------------------------------------------------------------------------------- */

/* Estimates the work of listing or counting the matches of a pattern. */

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
