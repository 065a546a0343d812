/* The plan of a listing, and the query of a count, for a run and for its
 * explanation. */
#include "run/match.h"

#include "base/status.h"

ms_status ms_match_plan(const ms_match_run *m, const ms_domains *domains, ms_plan **plan,
                        ms_program **program, ms_error *err)
{
  static const ms_program_options visit_all = {0};
  ms_plan_input input = {.vertices = m->index->n,
                         .arcs = (double)m->index->arcs,
                         .square_degrees = m->index->square_degrees,
                         .order = m->options->order,
                         .row = m->row,
                         .constrain = !m->options->embeddings};
  for (uint32_t i = 0; i < m->shape.n; i++)
    input.domain[i] = domains->of[i].count;
  MS_TRY(ms_plan_new(&m->shape, &input, plan, err));
  return domains->empty ? MS_OK
                        : ms_program_new(m->index, *plan, domains->of, &visit_all, program, err);
}

void ms_match_count_query(const ms_match_run *m, ms_count_query *query)
{
  const ms_screen_options *o = &m->options->screen;
  *query = (ms_count_query){.index = m->index,
                            .domains = &m->domains,
                            .engine = m->asked ? m->asked : &ms_pattern_engine_cpu,
                            .order = m->options->order,
                            .row = m->row,
                            .threads = o->threads,
                            .stop = o->stop,
                            .effort = {0, MS_PROBE_STEPS, o->stop},
                            .progress = m->run.progress,
                            .progress_user = m->run.progress_user,
                            .budget = m->run.budget,
                            .devices = o->n_devices,
                            .device = o->n_devices ? o->devices : NULL};
  if (!m->asked) {
    query->large = ms_pattern_engine_on_gpus();
    query->large_start = ms_pattern_engine_start();
  }
}

void ms_match_release(ms_match_run *m)
{
  ms_program_free(m->program);
  ms_plan_free(m->plan);
  ms_domains_free(&m->domains);
  ms_group_free(m->group);
}
