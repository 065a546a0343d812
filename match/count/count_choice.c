#include "match/count/count_choice.h"

#include "base/status.h"
#include "match/count/leaves.h"
#include "match/cpu/inner_plan.h"

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
