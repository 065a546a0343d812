#include "match/count/count_choice.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "match/count/leaves.h"
#include "match/cpu/inner_plan.h"

#include <math.h>
#include <string.h>

void ms_count_plan_input(const ms_count_estimator *e, ms_order order, ms_plan_input *input)
{
  *input = (ms_plan_input){.vertices = e->vertices,
                           .arcs = (double)e->query->index->arcs,
                           .square_degrees = e->query->index->square_degrees,
                           .order = order,
                           .row = e->query->row,
                           .constrain = true};
  memcpy(input->domain, e->domain, sizeof input->domain);
}

void ms_count_plan_set_last(const ms_shape *shape, ms_count_plan *plan, ms_plan_input *input)
{
  uint32_t tail = ms_bitset_count(plan->options.tail);
  plan->options.bounded = tail == 1 && !plan->options.priority;
  input->last =
      plan->options.bounded || plan->options.priority ? (ms_bitset){{0}} : plan->options.tail;
  input->largest_first = plan->options.priority;
  input->constrained = plan->options.priority ? shape->n - tail : 0;
}

ms_status ms_count_plan_of_choice(const ms_count_choice *c, const ms_shape *shape,
                                  ms_plan_input *input, ms_count_plan *out, ms_error *err)
{
  out->options.tail = ms_bitset_of_word(c->tail);
  out->options.product = c->product;
  out->options.table = out->options.table && !c->plain;
  out->cost = c->cost;
  input->fixed = c->order;
  out->quotients = c->quotients;
  out->options.priority = c->priority;
  ms_count_plan_set_last(shape, out, input);
  return ms_plan_new(shape, input, &out->plan, err);
}

ms_status ms_count_plan_compile(const ms_count_query *query, const ms_domain *domain,
                                ms_count_plan *plan, ms_error *err)
{
  if (plan->program)
    return MS_OK;
  MS_TRY(ms_program_new(query->index, plan->plan, domain, &plan->options, &plan->program, err));
  plan->program->few_cuts = query->leaves && query->leaves->planner;
  return MS_OK;
}

void ms_count_multiply_back(const ms_count_plan *plan, mpz_t maps)
{
  uint32_t levels = plan->options.bounded ? plan->plan->shape.n : plan->program->prefix;
  for (uint32_t i = 0; plan->plan->constrained && i < levels; i++)
    mpz_mul_ui(maps, maps, ms_bitset_count(plan->plan->group->orbit[i]));
}

void ms_count_plan_free(ms_count_plan *plan)
{
  ms_program_free(plan->program);
  ms_inner_plan_free(plan->inner);
  ms_plan_free(plan->plan);
  plan->program = NULL;
  plan->inner = NULL;
  plan->options.inner = NULL;
  plan->plan = NULL;
}

ms_status ms_count_plan_below_root(const ms_count_query *query, const ms_shape *shape,
                                   const ms_count_plan *of_product, ms_count_plan *out,
                                   ms_error *err)
{
  uint8_t block[MS_MAX_PATTERN], blocks = 0;
  ms_shape quotient;
  ms_plan_input input = {.vertices = query->index->n,
                         .arcs = (double)query->index->arcs,
                         .square_degrees = query->index->square_degrees,
                         .order = MS_ORDER_REUSE,
                         .constrain = true};
  for (uint32_t i = 0; i < shape->n; i++)
    if (!ms_bitset_has(&of_product->options.tail, i))
      block[i] = blocks++;
  MS_EACH_MEMBER (i, of_product->options.tail)
    block[i] = blocks;
  ms_shape_quotient(shape, block, blocks + 1u, &quotient);
  uint32_t root = block[of_product->plan->level[0].vertex], last = quotient.n - 1;
  for (uint32_t i = 0; i < quotient.n; i++) {
    quotient.kind[i] = i == root ? 2 : 1; /* no automorphism moves the root */
    input.domain[i] = of_product->program->step[0].domain.count;
  }
  input.last = out->options.tail = ms_bitset_of(root);
  out->options.bounded = true;
  MS_TRY(ms_plan_new(&quotient, &input, &out->plan, err));
  out->plan->level[last].above = ms_bitset_below(last);
  return MS_OK;
}

/* ---- where a count begins -------------------------------------------------------------------- */

double ms_begin_limit(const ms_begin *b)
{
  if (b->restricted)
    return b->start * fmin(b->threads, MS_BEGIN_SPEEDUP);
  return b->start * (MS_BEGIN_WHOLE / MS_BEGIN_RESTRICTED); /* too short for threads to gain */
}

double ms_expected_partial_matches(const ms_pattern_index *index, const ms_shape *shape,
                                   const ms_domain *domain)
{
  double ends = index->arcs > 0 ? index->square_degrees / (double)index->arcs : 0;
  double share = ends / (index->n > 0 ? index->n : 1), nodes = 1, all = 0;
  ms_bitset taken = ms_bitset_below(0);
  for (uint32_t level = 0; level < shape->n; level++) {
    uint32_t next = UINT32_MAX;
    for (uint32_t i = 0; i < shape->n; i++)
      if (!ms_bitset_has(&taken, i) &&
          (level == 0 || ms_bitset_meets(ms_shape_near(shape, i), taken)) &&
          (next == UINT32_MAX || domain[i].count < domain[next].count))
        next = i;
    if (next == UINT32_MAX)
      break; /* another component */
    ms_bitset_add(&taken, next);
    nodes *= level == 0 ? domain[next].count : share * domain[next].count;
    all += nodes;
  }
  return all;
}

/* ---- choices that are kept ------------------------------------------------------------------- */

/* What a choice depends on within one count.  Without padding, so that it can be compared. */
typedef struct choice_key {
  uint64_t n, directed, estimate;
  double least, most, most_probes; /* what probes may take: a hinge is compared by small ones */
  uint64_t out[MS_COUNT_SMALL], in[MS_COUNT_SMALL];
  uint64_t kind[MS_COUNT_SMALL], lo[MS_COUNT_SMALL], hi[MS_COUNT_SMALL], count[MS_COUNT_SMALL],
      bits[MS_COUNT_SMALL]; /* of the domains; bits: their CRC-32C */
} choice_key;

typedef struct ms_kept_choice {
  choice_key key;
  ms_count_chosen chosen;
} ms_kept_choice;

static void fill_key(const ms_count_choices *c, const ms_count_query *query, const ms_shape *shape,
                     const ms_domain *domain, choice_key *key)
{
  memset(key, 0, sizeof *key);
  key->n = shape->n;
  key->directed = shape->directed;
  if (!c->by_shape) {
    key->estimate = query->estimate;
    key->least = query->effort.least;
    key->most = query->effort.most;
    key->most_probes = query->most_probes;
  }
  for (uint32_t i = 0; i < shape->n; i++) {
    const ms_domain *d = &domain[i];
    key->out[i] = ms_bitset_word(shape->out[i]);
    key->in[i] = ms_bitset_word(shape->in[i]);
    key->kind[i] = shape->kind[i];
    key->lo[i] = d->lo;
    key->hi[i] = d->hi;
    key->count[i] = d->count;
    key->bits[i] =
        d->bits ? 1 + (uint64_t)ms_crc32c(0, d->bits, query->index->words * sizeof *d->bits) : 0;
  }
}

bool ms_count_choices_find(ms_count_choices *c, const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, ms_count_chosen *out)
{
  choice_key key;
  if (!c || c->count == 0)
    return false;
  fill_key(c, query, shape, domain, &key);
  for (uint32_t i = 0; i < c->count; i++)
    if (memcmp(&c->kept[i].key, &key, sizeof key) == 0) {
      *out = c->kept[i].chosen;
      c->found++;
      return true;
    }
  return false;
}

void ms_count_choices_keep(ms_count_choices *c, const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, const ms_count_chosen *chosen)
{
  if (!c)
    return;
  if (!MS_GROW(c->kept, c->room, c->count, 1))
    return;
  fill_key(c, query, shape, domain, &c->kept[c->count].key);
  c->kept[c->count++].chosen = *chosen;
}

void ms_count_choices_free(ms_count_choices *c)
{
  ms_free(c->kept);
  *c = (ms_count_choices){0};
}
