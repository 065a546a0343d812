#include "match/probe.h"

#include "base/philox.h"
#include "base/status.h"
#include "match/cpu/runner_inline.h"

#define COST_VISIT 2.0
#define TABLE_ROWS 8u
#define COST_SET 8.0
#define COST_ELEMENT 0.2
#define COST_GROUP 2.0

typedef struct prober {
  ms_runner runner;
  uint32_t key[2], counter[4], word[4];
  uint32_t left; /* words that are not used yet */
  ms_probe sum;
} prober;

/* Returns a random number below n. It is nearly uniform: n is far below 2^32
 * where it matters. */
static uint64_t draw_below(prober *p, uint64_t n)
{
  if (p->left == 0) {
    ms_philox4x32(p->counter, p->key, p->word);
    p->counter[0]++;
    p->left = 4;
  }
  return p->word[--p->left] * n >> 32;
}

/* Draws a root. Returns 1 / its probability, or 0 if the drawn vertex is not a
 * root. Vertices without edges matter only if no level is below. */
static double draw_root(prober *p)
{
  const ms_program *program = p->runner.program;
  const ms_neighbor_rows *rows = &program->index->rows[MS_ROWS_ANY];
  uint64_t roots = ms_program_roots(program), arcs = program->index->arcs;
  if (program->prefix < 2 || arcs == 0 || arcs >> 32 || program->step[1].source == MS_FROM_DOMAIN) {
    p->runner.match[0] = ms_program_root(program, draw_below(p, roots));
    return (double)roots;
  }
  uint32_t v = rows->neighbor[draw_below(p, arcs)];
  if (!ms_domain_has(&program->step[0].domain, v))
    return 0;
  p->runner.match[0] = v;
  return (double)arcs / ms_row_length(rows, v);
}

/* Returns the cost of computing the sets of a level under the current partial
 * match. */
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

/* Returns the number of paths from the current root. If there are many rows, a
 * regular sample is read. */
static double cost_of_table(const ms_runner *r)
{
  const ms_program *p = r->program;
  const ms_neighbor_rows *rows = &p->index->rows[p->table_second];
  ms_span middle = ms_runner_middles(r);
  size_t some = middle.length < TABLE_ROWS ? middle.length : TABLE_ROWS;
  double cost = 0;
  for (size_t i = 0; i < some; i++) {
    uint32_t length, smaller = 0;
    const uint32_t *row = ms_row(rows, middle.ids[i * middle.length / some], &length);
    if (p->table_above || p->table_below)
      smaller = (uint32_t)ms_lower_bound(row, length, r->match[0]);
    cost += p->table_above ? length - smaller : p->table_below ? smaller : length;
  }
  return some > 0 ? cost * (double)middle.length / (double)some : 0;
}

/* Draws a child among the vertices that the table would have touched. Paths of
 * length two stand for them. */
static bool draw_touched_child(prober *p, uint32_t level, double *weight)
{
  ms_runner *r = &p->runner;
  const ms_program *program = r->program;
  ms_span middle = ms_runner_middles(r), row;
  uint32_t length;
  if (middle.length == 0)
    return false;
  uint32_t w = middle.ids[draw_below(p, middle.length)];
  row.ids = ms_row(&program->index->rows[program->table_second], w, &length);
  if (length == 0)
    return false;
  uint32_t v = row.ids[draw_below(p, length)], n_v;
  if (!fits(r, &program->step[level], v))
    return false;
  /* v is reached once for each common neighbour */
  const uint32_t *row_v = ms_row(&program->index->rows[program->table_second], v, &n_v);
  size_t common = r->sorted->count(middle.ids, middle.length, row_v, n_v);
  *weight *= (double)middle.length * length / (common > 0 ? (double)common : 1);
  r->match[level] = v;
  return true;
}

/* Goes to a random child. Returns false if it does not match. */
static bool draw_child(prober *p, uint32_t level, double *weight)
{
  ms_runner *r = &p->runner;
  const ms_step *step = &r->program->step[level];
  double *looked_at = level + 1 < r->program->prefix ? &p->sum.visits : &p->sum.last;
  if (step->source == MS_FROM_TOUCHED) {
    bool found = draw_touched_child(p, level, weight);
    *looked_at += *weight;
    return found;
  }
  ms_span span = ms_runner_candidates(r, level);
  if (span.length == 0)
    return false;
  uint64_t i = draw_below(p, span.length);
  uint32_t v = span.ids ? span.ids[i] : span.lo + (uint32_t)i;
  *weight *= (double)span.length;
  *looked_at += *weight;
  if (!fits(r, step, v))
    return false;
  r->match[level] = v;
  return true;
}

static void run_walk(prober *p)
{
  ms_runner *r = &p->runner;
  const ms_program *program = r->program;
  double weight = draw_root(p);
  p->sum.visits += (double)ms_program_roots(program);
  if (weight == 0)
    return;
  if (program->table)
    p->sum.steps += weight * cost_of_table(r);
  for (uint32_t level = 0; level < program->prefix; level++) {
    if (level > 0 && !draw_child(p, level, &weight))
      return;
    bool leads_on = ms_runner_compute(r, level);
    p->sum.steps += weight * (COST_VISIT + cost_of_sets(r, level));
    if (!leads_on)
      return;
  }
  p->sum.steps += weight * COST_GROUP * program->n_groups;
  p->sum.matches += weight;
}

ms_status ms_probe_search(const ms_program *program, uint32_t walks, uint64_t seed, ms_probe *out,
                          ms_error *err)
{
  prober p = {.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}};
  ms_status status = ms_runner_init(&p.runner, program, err);
  *out = (ms_probe){0};
  for (uint32_t i = 0; status == MS_OK && i < walks && ms_program_roots(program) > 0; i++) {
    run_walk(&p);
    status =
        p.runner.status == MS_ERR_MEMORY ? ms_fail_memory(err, "candidate sets") : p.runner.status;
  }
  ms_runner_free(&p.runner);
  if (status == MS_OK && walks > 0)
    *out = (ms_probe){p.sum.visits / walks, p.sum.last / walks, p.sum.matches / walks,
                      p.sum.steps / walks};
  return status;
}
