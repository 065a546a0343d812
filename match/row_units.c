#include "match/row_units.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/runner.h"

#include <string.h>

double ms_row_units_most = 16384, ms_row_units_least = 4096;

typedef struct maker {
  const ms_program *program;
  const ms_neighbor_rows *rows;
  double most; /* work of a unit, about */
  ms_row_units *units;
  uint64_t room;
} maker;

/* True if the candidates of level 1 are neighbours of the root. */
static bool has_children(const ms_program *p)
{
  return p->prefix > 1 && p->step[1].source == MS_FROM_SET && p->set[p->step[1].set].level == 0;
}

/* Returns the part of a root's row that may have children. */
static const uint32_t *row_of_children(const maker *m, uint32_t root, uint32_t *length)
{
  const ms_program *p = m->program;
  const uint32_t *row = ms_row(m->rows, root, length);
  uint32_t first = 0;
  if (ms_bitset_has(&p->step[1].above, 0))
    first = (uint32_t)ms_lower_bound(row, *length, root);
  else if (ms_bitset_has(&p->step[1].below, 0))
    *length = (uint32_t)ms_lower_bound(row, *length, root);
  *length -= first;
  return row + first;
}

/* Estimates the work of a root with a child: level 2 reads the row of either. */
static double work_of_child(const maker *m, uint32_t root, uint32_t child)
{
  return m->program->prefix > 2 ? 2.0 + ms_row_length(m->rows, child) + ms_row_length(m->rows, root)
                                : 1;
}

static double work_of_root(const maker *m, uint32_t root)
{
  uint32_t length;
  double work = 1 + ms_row_length(m->rows, root);
  if (!has_children(m->program))
    return work;
  const uint32_t *row = row_of_children(m, root, &length);
  for (uint32_t i = 0; i < length; i++)
    work += work_of_child(m, root, row[i]);
  return work;
}

static ms_status add_unit(maker *m, ms_row_unit unit, ms_error *err)
{
  if (m->units->count == m->room) {
    uint64_t room = 2 * m->room + 256;
    ms_row_unit *larger = ms_resize(m->units->unit, m->room, room, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the units of a list");
    m->units->unit = larger;
    m->room = room;
  }
  m->units->unit[m->units->count++] = unit;
  return MS_OK;
}

static ms_status cut_root(maker *m, uint64_t number, uint32_t root, ms_error *err)
{
  uint32_t length;
  const uint32_t *row = row_of_children(m, root, &length);
  ms_row_unit open = {number, number + 1, 0, UINT32_MAX};
  double work = 0;
  for (uint32_t i = 0; i < length; i++) {
    work += work_of_child(m, root, row[i]);
    if (work < m->most || i + 1 == length)
      continue;
    open.high = row[i] + 1;
    MS_TRY(add_unit(m, open, err));
    open.low = open.high;
    open.high = UINT32_MAX;
    work = 0;
  }
  return add_unit(m, open, err);
}

static ms_status make_units(maker *m, ms_error *err)
{
  const ms_program *p = m->program;
  uint64_t roots = ms_program_roots(p);
  ms_row_unit open = {0, 0, 0, UINT32_MAX};
  double all = 0, work = 0, *of_root = ms_alloc(roots, sizeof *of_root);
  if (!of_root)
    return ms_fail_memory(err, "the units of a list");
  for (uint64_t i = 0; i < roots; i++)
    all += of_root[i] = work_of_root(m, ms_program_root(p, i));
  m->most =
      all / ms_row_units_most > ms_row_units_least ? all / ms_row_units_most : ms_row_units_least;
  ms_status status = MS_OK;
  for (uint64_t i = 0; i < roots && status == MS_OK; i++) {
    bool cut = of_root[i] > m->most && has_children(p);
    if (open.last > open.first && (cut || work + of_root[i] > m->most)) {
      status = add_unit(m, open, err);
      open.first = i;
      work = 0;
    }
    if (cut && status == MS_OK) {
      status = cut_root(m, i, ms_program_root(p, i), err);
      open.first = i + 1;
    } else {
      work += of_root[i];
    }
    open.last = i + 1;
  }
  if (status == MS_OK && open.last > open.first)
    status = add_unit(m, open, err);
  ms_free(of_root);
  return status;
}

ms_status ms_row_units_make(const ms_program *program, ms_row_units *out, ms_error *err)
{
  maker m = {.program = program, .rows = &program->index->rows[MS_ROWS_ANY], .units = out};
  *out = (ms_row_units){0};
  ms_status status = make_units(&m, err);
  if (status != MS_OK)
    ms_row_units_free(out);
  return status;
}

void ms_row_units_free(ms_row_units *units)
{
  ms_free(units->unit);
  *units = (ms_row_units){0};
}

/* ---- a list ------------------------------------------------------------------------------- */

/* Restricts a program to a unit; step[prefix] and the program belong to the caller. */
static void restrict_program(const ms_program *p, const ms_row_unit *unit, ms_step *step,
                             ms_program *out)
{
  *out = *p;
  memcpy(step, p->step, p->prefix * sizeof *step);
  out->step = step;
  if (p->list[0]) {
    out->list[0] = p->list[0] + unit->first;
    step[0].domain.count = (uint32_t)(unit->last - unit->first);
  } else {
    step[0].domain.lo = p->step[0].domain.lo + (uint32_t)unit->first;
    step[0].domain.hi = p->step[0].domain.lo + (uint32_t)unit->last;
  }
  if (unit->low == 0 && unit->high == UINT32_MAX)
    return;
  ms_domain *child = &step[1].domain;
  child->lo = unit->low > child->lo ? unit->low : child->lo;
  child->hi = unit->high < child->hi ? unit->high : child->hi;
  step[1].later = 0; /* later levels may take what lies behind the unit's children */
}

ms_status ms_row_units_list(const ms_pattern_task *task, const ms_row_units *units,
                            const ms_share *share, ms_row_fn make, void *user, ms_stream *stream,
                            ms_unit_rows_fn done, void *done_user, ms_error *err)
{
  const ms_program *p = task->program;
  ms_program restricted;
  ms_pattern_task part = *task;
  ms_step *step = ms_alloc(p->prefix, sizeof *step);
  ms_status status = step ? MS_OK : ms_fail_memory(err, "a unit of a list");
  part.program = &restricted;
  for (uint64_t u = ms_share_next(share, 0); status == MS_OK && u < units->count;
       u = ms_share_next(share, u + 1)) {
    uint64_t before = ms_stream_rows(stream);
    restrict_program(p, &units->unit[u], step, &restricted);
    status = ms_pattern_engine_cpu.list(&part, make, user, stream, err);
    if (status != MS_OK || ms_stream_status(stream) != MS_OK ||
        !done(done_user, u, ms_stream_rows(stream) - before))
      break;
  }
  ms_free(step);
  return status;
}
