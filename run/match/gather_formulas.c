/* Participations by rooted numbers.
 *
 * Let r(v) be the number of maps that take one vertex c of the orbit O to v.  Automorphisms carry
 * these maps to those that take any other vertex of O to v, so that v is at the position of O in
 * r(v) |O| embeddings, and in r(v) |O| / |Aut| subgraphs. */
#include "run/match/gather.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/wide.h"
#include "match/count/rooted_plan.h"

#include <string.h>

/* A shorter search takes no longer than plans. */
#define LEAST_STEPS 1e6

typedef struct formulas {
  const ms_match_run *m;
  ms_participation *out;
  uint32_t roots;
  uint8_t root[MS_ROOTED_VERTICES];  /* [roots] the first vertices of the orbits */
  uint32_t size[MS_ROOTED_VERTICES]; /* [roots] vertices of the orbit */
  uint64_t order;                    /* of the group */
  bool exceeds;                      /* a number has more than 128 bits */
  mpz_t first;                       /* the sum of the numbers of the first orbit */
} formulas;

static bool is_possible(const ms_match_run *m)
{
  const ms_shape *s = &m->shape;
  return m->pattern && m->required.n == 0 && !m->result->screen && !s->induced && !s->label &&
         s->n >= 2 && s->n <= MS_ROOTED_VERTICES && ms_shape_is_connected(s);
}

/* Adds the numbers of an orbit to the table; an ms_rooted_fn. */
static void add_orbit(void *user, uint32_t orbit, const ms_wide_size *maps)
{
  formulas *f = user;
  const ms_pattern_index *index = f->m->index;
  const ms_participation *p = f->out;
  const uint32_t position = p->position_of[f->root[orbit]];
  for (uint32_t id = 0; id < index->n; id++) {
    uint64_t *cell = p->matches[(size_t)index->vertex[id] * p->positions + position];
    ms_wide_size number = maps[id], sum = (ms_wide_size)cell[1] << 64 | cell[0];
    if (number == 0)
      continue;
    if (f->m->options->embeddings)
      f->exceeds |= __builtin_mul_overflow(number, f->size[orbit], &number);
    else
      number /= f->order / f->size[orbit];
    f->exceeds |= __builtin_add_overflow(sum, number, &sum);
    cell[0] = (uint64_t)sum;
    cell[1] = (uint64_t)(sum >> 64);
    if (orbit == 0)
      ms_wide_add(f->first, number);
  }
}

static ms_status find_orbits(formulas *f, ms_error *err)
{
  const ms_shape *shape = &f->m->shape;
  uint8_t orbit[MS_MAX_PATTERN];
  mpz_t order;
  MS_TRY(ms_shape_orbits(shape, orbit, err));
  for (uint32_t i = 0; i < shape->n; i++) {
    if (orbit[i] == i)
      f->root[f->roots++] = (uint8_t)i;
    for (uint32_t r = 0; r < f->roots; r++)
      f->size[r] += f->root[r] == orbit[i];
  }
  mpz_init(order);
  ms_group_order(f->m->group, order);
  f->order = mpz_get_ui(order);
  mpz_clear(order);
  return MS_OK;
}

ms_status ms_participation_by_formulas(ms_match_run *m, double most, ms_participation *out,
                                       bool *counted, ms_error *err)
{
  formulas f = {.m = m, .out = out};
  ms_count_query query;
  *counted = false;
  if (!is_possible(m) || most < LEAST_STEPS)
    return MS_OK;
  MS_TRY(find_orbits(&f, err));
  ms_match_count_query(m, &query);
  query.work = &m->result->run.work;
  query.progress = m->run.limits.progress ? ms_run_report : NULL;
  query.progress_user = &m->run;
  mpz_init(f.first);
  ms_status status = ms_rooted_numbers_within(&query, &m->shape, f.root, f.roots, most, add_orbit,
                                              &f, counted, err);
  *counted = *counted && !f.exceeds;
  mpz_divexact_ui(m->run.count, f.first, f.size[0]);
  mpz_clear(f.first);
  if (*counted)
    ms_run_engine(&m->result->run, ms_pattern_engine_cpu.name,
                  "formulas count the matches of each vertex");
  if (status != MS_OK) { /* what was counted of some positions says nothing */
    mpz_set_ui(m->run.count, 0);
    memset(out->matches, 0, (size_t)out->vertices * out->positions * sizeof *out->matches);
  }
  return status;
}
