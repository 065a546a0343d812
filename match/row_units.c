#include "match/row_units.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/cpu/runner.h"

#include <string.h>

#define WANTED_UNITS 16384 /* about */

/* ---- units -------------------------------------------------------------------------------- */

/* Returns how many entries the rows of an id have: of an index of relations, those of all relations
 * together. */
static double row_entries(const ms_program *p, uint32_t id)
{
  const ms_pattern_index *index = p->index;
  double entries = 0;
  if (index->graph)
    return ms_row_length(&index->rows[MS_ROWS_ANY], id);
  for (uint32_t kind = MS_ROWS_ANY + 1; kind < index->kinds; kind++)
    entries += ms_row_length(&index->rows[kind], id);
  return entries;
}

/* True if the candidates of level 1 are neighbours of the root. */
static bool has_children(const ms_program *p)
{
  return p->prefix > 1 && p->step[1].source == MS_FROM_SET && p->set[p->step[1].set].level == 0;
}

/* Returns rows of roots that have all candidates of level 1: of a relation, the ones that the chain
 * of their set begins with. */
static const ms_neighbor_rows *rows_of_children(const ms_program *p)
{
  const ms_set *link = &p->set[p->step[1].set];
  while (link->parent >= 0)
    link = &p->set[link->parent];
  return &p->index->rows[p->index->graph ? MS_ROWS_ANY : link->kind];
}

/* Returns the part of a root's row that may have children. */
static const uint32_t *children(const void *user, uint64_t number, uint64_t *count)
{
  const ms_program *p = user;
  uint32_t length, first = 0, root = ms_program_root(p, number);
  *count = 0;
  if (!has_children(p))
    return NULL;
  const uint32_t *row = ms_row(rows_of_children(p), root, &length);
  if (ms_bitset_has(&p->step[1].above, 0))
    first = (uint32_t)ms_lower_bound(row, length, root);
  else if (ms_bitset_has(&p->step[1].below, 0))
    length = (uint32_t)ms_lower_bound(row, length, root);
  *count = length - first;
  return row + first;
}

static double own_work(const void *user, uint64_t number)
{
  const ms_program *p = user;
  return 1 + row_entries(p, ms_program_root(p, number));
}

/* Estimates the work of a root with a child: level 2 reads the row of either. */
static double child_work(const void *user, uint64_t number, uint32_t child, uint64_t behind)
{
  const ms_program *p = user;
  (void)behind;
  return p->prefix > 2 ? 1.0 + row_entries(p, child) + own_work(p, number) : 1;
}

ms_status ms_row_units_make(const ms_program *program, ms_range_units *out, ms_error *err)
{
  const ms_range_cut cut = {.roots = ms_program_roots(program),
                            .cuts = has_children(program),
                            .most = WANTED_UNITS,
                            .least = ms_hooks.row_unit_work,
                            .user = program,
                            .own_work = own_work,
                            .children = children,
                            .child_work = child_work};
  return ms_range_units_add(&cut, out, err);
}

/* ---- a list ------------------------------------------------------------------------------- */

/* Restricts a program to a unit; step[prefix] and the program belong to the caller. */
static void restrict_program(const ms_program *p, const ms_range_unit *unit, ms_step *step,
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

ms_status ms_row_unit_list(const ms_pattern_task *task, const ms_range_unit *unit, ms_rows_fn make,
                           void *user, ms_stream *stream, ms_error *err)
{
  ms_program restricted;
  ms_pattern_task part = *task;
  ms_step *step = ms_alloc(task->program->prefix, sizeof *step);
  if (!step)
    return ms_fail_memory(err, "a unit of a list");
  restrict_program(task->program, unit, step, &restricted);
  part.program = &restricted;
  ms_status status = ms_pattern_engine_cpu.list(&part, make, user, stream, err);
  ms_free(step);
  return status;
}
