#include "run/match/match_rows.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/row_units.h"
#include "run/units/count_units.h"

/* ---- rows ------------------------------------------------------------------------- */

/* It turns ids by level into graph vertices by pattern vertex, replaces each row by the smallest
 * one of its class, and judges the rows. */
uint64_t ms_match_make_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  ms_match_run *m = user;
  const ms_plan_level *level = m->plan->level;
  const uint32_t n = m->shape.n, *vertex = m->index->vertex;
  for (uint64_t r = 0; r < count; r++) {
    uint32_t *row = rows + r * n;
    for (uint32_t i = 0; i < n; i++)
      row[level[i].vertex] = vertex[ids[r * n + i]];
  }
  if (!m->options->embeddings)
    ms_group_smallest_rows(m->group, rows, count);
  return ms_run_judge_rows(&m->run, rows, count);
}

void ms_match_list_task(ms_match_run *m, ms_pattern_task *task)
{
  const ms_screen_options *o = &m->options->screen;
  *task = (ms_pattern_task){.program = m->program,
                            .threads = o->run.threads,
                            .devices = o->run.n_devices,
                            .device = o->run.n_devices ? o->run.devices : NULL,
                            .gpu_memory = o->run.memory,
                            .stop = o->run.stop,
                            .work = &m->result->run.work};
}

/* ---- units ------------------------------------------------------------------------ */

/* Lists a range of units; an ms_unit_rows.list. */
static ms_status list_units(void *user, uint64_t unit, const ms_range_unit *range,
                            ms_stream *stream, ms_error *err)
{
  ms_match_run *m = user;
  ms_pattern_task task;
  (void)unit;
  ms_match_list_task(m, &task);
  return ms_row_unit_list(&task, range, ms_match_make_rows, m, stream, err);
}

static ms_status identify(void *user, ms_identity *id, ms_error *err)
{
  const ms_match_run *m = user;
  const ms_pattern_options *o = m->options;
  MS_TRY(ms_match_identify(m, id, err));
  MS_TRY(ms_identity_text(id, "embeddings", o->embeddings ? "yes" : "no", err));
  return ms_identity_number(id, "matching order", (uint64_t)o->order, err);
}

ms_status ms_match_rows_open(ms_match_run *m, ms_unit_rows *rows, ms_error *err)
{
  if (!m->run.limits.division)
    return MS_OK;
  *rows = (ms_unit_rows){.run = &m->run,
                         .outcome = &m->result->run,
                         .user = m,
                         .name = "list of the matches of a pattern",
                         .identify = identify,
                         .list = list_units};
  m->in_units = rows;
  if (!m->program)
    return MS_OK; /* nothing is searched or saved, and a typed pattern may have no index */
  MS_TRY(ms_division_prepared(err));
  MS_TRY(ms_row_units_make(m->program, &rows->units, err));
  m->result->run.units = rows->units.count;
  return MS_OK;
}

ms_status ms_match_rows_finish(ms_match_run *m, ms_error *err)
{
  const ms_unit_rows *rows = m->in_units;
  if (!rows || m->run.limits.division->parts == 0)
    return MS_OK;
  m->result->part_text = ms_strdup(rows->text ? rows->text : "none");
  return m->result->part_text ? MS_OK : ms_fail_memory(err, "the rows of a part");
}

void ms_match_rows_close(ms_match_run *m)
{
  if (m->in_units)
    ms_unit_rows_free(m->in_units);
  m->in_units = NULL;
}
