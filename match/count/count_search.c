#include "match/count/count_methods.h"

#include "base/status.h"
#include "match/count/count_choice.h"
#include "match/count/count_run.h"
#include "match/count/gluings.h"

/* ---- triangle ends --------------------------------------------------------------------------- */

/* On GPUs, triangles with one more edge whose end is the largest vertex of all: what five-cycles
 * subtract (count.c).
 *
 * Let x < y < z be a triangle.  The further edge may hang at any of the three, and its end has to
 * be above z: so the triangle has as many of these edges as x, y and z together have neighbours
 * above z, and each is two maps.  The triangles are found with the places of z in the rows of x and
 * y, so that nothing else is read for x and y. */

/* True if the shape is a five-cycle in a plain graph without colours whose vertices accept all
 * vertices of their degree, and the engine, which may be NULL, counts so. */
static bool triangle_ends_find(const ms_count_query *q, const ms_shape *shape,
                               const ms_domain *domain, const ms_pattern_engine *engine)
{
  if (!engine || !engine->count_triangle_ends || shape->n != 5 || shape->induced ||
      shape->directed || shape->label || !q->index->by_degree || q->index->coloring ||
      q->leaves) /* this sum has no shares */
    return false;
  for (uint32_t i = 0; i < shape->n; i++)
    if (ms_bitset_count(shape->out[i]) != 2 || !ms_domain_is_by_degree(&domain[i], q->index, 2))
      return false;
  return true; /* two components would need six vertices */
}

/* Sets `maps` to their number.  MS_ERR_MEMORY, MS_ERR_DEVICE_LOST: another way may count. */
static ms_status triangle_ends_count(const ms_count_query *q, const ms_pattern_engine *engine,
                                     mpz_t maps, ms_error *err)
{
  ms_count_plan plan;
  ms_status status = ms_count_plan_squares(q, &plan, err);
  ms_pattern_task task = {.program = plan.program,
                          .threads = q->threads,
                          .devices = q->devices,
                          .device = q->device,
                          .gpu_memory = q->gpu_memory,
                          .stop = q->stop,
                          .work = q->work};
  mpz_set_ui(maps, 0);
  if (status == MS_OK)
    status = engine->count_triangle_ends(&task, maps, err);
  ms_count_plan_free(&plan);
  return status;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Chooses the engine.  Makes the plan again if `large` plans for itself, or if the plan was made in
 * a hurry and the CPU counts after all. */
static ms_status choose_engine(ms_counter *c, ms_count_case *k, bool *large)
{
  ms_count_query q = *c->query;
  *large = !q.estimate && ms_count_goes_to_large(&q, &c->report);
  if (*large ? !q.large->weigh : !k->plan.at_once)
    return MS_OK;
  if (*large)
    q = ms_count_query_on_large(&q);
  q.large = NULL;
  ms_count_plan_free(&k->plan);
  return ms_count_plan_new(&q, &k->shape, k->of.domain, &k->plan, c->err);
}

/* Adds the maps that a product with priority counts and whose two vertices of the tail are the
 * same. The symmetry moves the root to every vertex, so that all domains are the same, and each
 * vertex of the shape is the largest one equally often. */
static ms_status count_below_root(ms_counter *c, const ms_shape *shape, const ms_domain *domain,
                                  const ms_count_plan *of_product, bool large, mpz_t sum)
{
  const ms_pattern_engine *engine = large ? c->query->large : c->query->engine;
  ms_count_plan plan = {.cost = 0};
  ms_domain all[MS_MAX_PATTERN];
  mpz_t maps;
  mpz_init(maps);
  if (triangle_ends_find(c->query, shape, domain, engine)) {
    ms_error failure = {0};
    ms_status ended = triangle_ends_count(c->query, engine, maps, &failure);
    mpz_addmul_ui(sum, maps, ended == MS_OK ? shape->n : 0);
    if (ended != MS_ERR_MEMORY && ended != MS_ERR_DEVICE_LOST) {
      if (ended != MS_OK && c->err)
        *c->err = failure;
      mpz_clear(maps);
      return ended;
    }
  }
  for (uint32_t i = 0; i < shape->n; i++)
    all[i] = domain[0];
  ms_status status = ms_count_plan_below_root(c->query, shape, of_product, &plan, c->err);
  if (status == MS_OK)
    status = ms_count_plan_compile(c->query, all, &plan, c->err);
  if (status == MS_OK) {
    status = ms_count_run(c->query, plan.program, large, &c->report, maps, c->err);
    ms_count_multiply_back(&plan, maps);
    mpz_addmul_ui(sum, maps, shape->n);
  }
  ms_count_plan_free(&plan);
  mpz_clear(maps);
  return status;
}

/* Counts by the plan.  `large`: programs run on query->large. */
static ms_status run_plan(ms_counter *c, ms_count_case *k, bool large, mpz_t maps)
{
  const ms_shape *shape = &k->shape;
  ms_count_plan *plan = &k->plan;
  bool estimate = c->query->estimate;
  ms_status status = MS_OK;
  mpz_t quotients;
  mpz_init(quotients);
  if (!estimate)
    status = ms_count_plan_compile(c->query, k->of.domain, plan, c->err);
  /* The subtracted terms come first: if time runs out later, the sum is a lower bound. */
  if (status == MS_OK && plan->options.product && plan->options.priority && !estimate)
    status = count_below_root(c, shape, k->of.domain, plan, large, quotients);
  else if (status == MS_OK && plan->options.product)
    status = ms_each_quotient(shape, plan->options.tail, ms_maps_add,
                              &(ms_maps_sum){.c = c, .sum = quotients}, c->err);
  if (status == MS_OK && !estimate) {
    status = ms_count_run(c->query, plan->program, large, &c->report, maps, c->err);
    ms_count_multiply_back(plan, maps);
    mpz_sub(maps, maps, quotients);
    if (mpz_sgn(maps) < 0) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(quotients);
  return status;
}

/* An explanation names the levels of the program. */
static ms_status make_program(const ms_counter *c, ms_count_case *k)
{
  return c->explains ? ms_count_plan_compile(c->query, k->of.domain, &k->plan, c->err) : MS_OK;
}

ms_status ms_search_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  *pays = k->is_compared || (k->divided && k->factors.way == MS_FACTOR_BY_PLAN);
  return *pays ? make_program(c, k) : MS_OK;
}

ms_status ms_search_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  bool large = false;
  ms_count_report_plan(c->query, &k->plan, &c->report);
  if (k->is_compared || ms_factor_is_visited_on_gpu(&k->shape))
    MS_TRY(choose_engine(c, k, &large));
  return run_plan(c, k, large, maps);
}

ms_status ms_search_on_large_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  *pays = k->divided && k->factors.way == MS_FACTOR_ON_LARGE;
  if (!*pays)
    return MS_OK;
  ms_count_query on_large = ms_count_query_on_large(c->query);
  MS_TRY(ms_count_plan_new(&on_large, &k->shape, k->of.domain, &k->plan, c->err));
  return make_program(c, k);
}

ms_status ms_search_on_large_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  ms_count_report_plan(c->query, &k->plan, &c->report);
  return run_plan(c, k, true, maps);
}

static void put_levels(const ms_plan *plan, uint32_t first, uint32_t last, const ms_count_text *t)
{
  uint8_t vertex[MS_MAX_PATTERN];
  for (uint32_t i = first; i < last; i++)
    vertex[i - first] = plan->level[i].vertex;
  ms_count_put_names(t, vertex, last - first);
}

void ms_search_explain(const ms_count_case *k, const ms_count_text *t)
{
  const ms_count_plan *c = &k->plan;
  const ms_program *program = c->program;
  ms_growing_put(t->out, "%s", t->json ? ",\"visited\":[" : "counted: the search visits ");
  put_levels(c->plan, 0, program->prefix, t);
  ms_growing_put(t->out, "%s",
                 t->json     ? "],\"counted\":["
                 : !c->inner ? "; the sizes of candidate sets count "
                 : program->prefix > 1
                     ? "; in the graph that their common neighbours induce it counts "
                     : "; in the graph that its neighbours induce it counts ");
  put_levels(c->plan, program->prefix, k->shape.n, t);
  if (t->json)
    ms_growing_put(t->out, "],\"product\":%s,\"inner\":%s,\"table\":%s,\"cost\":%.6g",
                   c->options.product ? "true" : "false", c->inner ? "true" : "false",
                   program->table ? "true" : "false", c->cost);
  else
    ms_growing_put(
        t->out, "%s%s\n",
        c->options.product ? ", as a product, less the maps in which these vertices coincide" : "",
        program->table ? "; a table holds the paths of length two from the first vertex" : "");
}
