#include "enumerate/cpu/probe.h"

#include "base/philox.h"
#include "base/status.h"
#include "enumerate/cpu/runner_inline.h"

#define COST_VISIT 2.0
#define COST_SET 8.0
#define COST_ELEMENT 0.2
#define COST_GROUP 2.0

typedef struct prober {
  ms_runner runner;
  uint32_t walk, draw; /* what the random numbers are made from */
} prober;

/* Below `count`, from 2^32 on slightly uneven. */
static uint64_t random_below(prober *p, uint64_t count)
{
  static const uint32_t key[2] = {0x6D6F7469, 0x66736965};
  uint32_t counter[4] = {p->walk, p->draw++, 0, 0}, out[4];
  ms_philox4x32(counter, key, out);
  return (uint64_t)(((uint64_t)out[0] << 32 | out[1]) % count);
}

/* An end of a random edge; 1 / its chance, or 0: it is no root. */
static double pick_root(prober *p)
{
  const ms_pattern_index *index = p->runner.program->index;
  const ms_rows *rows = &index->rows[MS_ROWS_ANY];
  uint64_t arc = random_below(p, index->arcs);
  uint32_t v = rows->neighbor[arc];
  if (!ms_domain_has(&p->runner.program->step[0].domain, v))
    return 0;
  p->runner.match[0] = v;
  return (double)index->arcs / ms_row_length(rows, v);
}

/* What making the sets of a level costs, with the matches in hand. */
static double cost_of_sets(const ms_runner *r, uint32_t level)
{
  const ms_program *p = r->program;
  double cost = 0;
  for (uint32_t i = p->level_sets[level]; i < p->level_sets[level + 1]; i++) {
    const ms_set *s = &p->set[p->by_level[i]];
    if (s->parent < 0)
      continue;
    double a = (double)r->set[s->parent].length, b = (double)row_of(r, s->level, s->kind).length;
    double longer = a > b ? a : b, shorter = a > b ? b : a;
    cost += COST_SET + COST_ELEMENT * (shorter + (longer < 8 * shorter ? longer : 8 * shorter));
  }
  return cost;
}

static double cost_of_table(const ms_runner *r)
{
  const ms_program *p = r->program;
  ms_span middle = row_of(r, 0, p->table_first);
  double cost = 0;
  for (size_t i = 0; i < middle.length; i++)
    cost += ms_row_length(&p->index->rows[p->table_second], middle.ids[i]);
  return p->table_above || p->table_below ? cost / 2 : cost;
}

/* The paths of length two stand for what the table would have touched. */
static bool step_touched(prober *p, uint32_t level, double *weight)
{
  ms_runner *r = &p->runner;
  const ms_program *program = r->program;
  ms_span middle = row_of(r, 0, program->table_first), row;
  uint32_t length;
  if (middle.length == 0)
    return false;
  uint32_t w = middle.ids[random_below(p, middle.length)];
  row.ids = ms_row(&program->index->rows[program->table_second], w, &length);
  if (length == 0)
    return false;
  uint32_t v = row.ids[random_below(p, length)], n_v;
  if (!fits(r, &program->step[level], v))
    return false;
  /* v is met once for each common neighbour */
  const uint32_t *row_v = ms_row(&program->index->rows[program->table_second], v, &n_v);
  size_t common = r->sorted->count(middle.ids, middle.length, row_v, n_v);
  *weight *= (double)middle.length * length / (common > 0 ? (double)common : 1);
  r->match[level] = v;
  return true;
}

/* To a random child; false: it is none. */
static bool step_down(prober *p, uint32_t level, double *weight)
{
  ms_runner *r = &p->runner;
  const ms_step *step = &r->program->step[level];
  if (step->source == MS_FROM_TOUCHED)
    return step_touched(p, level, weight);
  ms_span span = ms_runner_candidates(r, level);
  if (span.length == 0)
    return false;
  uint64_t i = random_below(p, span.length);
  uint32_t v = span.ids ? span.ids[i] : span.lo + (uint32_t)i;
  *weight *= (double)span.length;
  if (!fits(r, step, v))
    return false;
  r->match[level] = v;
  return true;
}

static double walk(prober *p)
{
  ms_runner *r = &p->runner;
  const ms_program *program = r->program;
  double weight = pick_root(p), cost = 0;
  if (weight == 0)
    return 0;
  if (program->table)
    cost += weight * cost_of_table(r);
  for (uint32_t level = 0; level < program->prefix; level++) {
    if (level > 0 && !step_down(p, level, &weight))
      return cost;
    bool leads_on = ms_runner_compute(r, level);
    cost += weight * (COST_VISIT + cost_of_sets(r, level));
    if (!leads_on)
      return cost;
  }
  return cost + weight * COST_GROUP * program->n_groups;
}

ms_status ms_program_probe(const ms_program *program, uint32_t walks, double *steps, ms_error *err)
{
  prober p = {0};
  ms_status status = ms_runner_init(&p.runner, program, err);
  *steps = 0;
  for (p.walk = 0; status == MS_OK && program->index->arcs > 0 && p.walk < walks; p.walk++) {
    p.draw = 0;
    *steps += walk(&p) / walks;
    if (p.runner.status == MS_ERR_MEMORY)
      status = ms_fail_memory(err, "candidate sets");
  }
  ms_runner_free(&p.runner);
  return status;
}
