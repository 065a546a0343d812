#include "match/count/hinge.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "match/count/count_choice.h"
#include "match/count/count_run.h"
#include "match/count/count_ways.h"
#include "match/count/leaves.h"
#include "match/count/rooted_plan.h"
#include "match/cpu/rooted.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- rooted numbers -------------------------------------------------------------------------- */

/* Counts the rooted numbers of a plan (rooted_plan.h). */

#define ROWS_AT_ONCE 1024u

typedef struct numbers {
  const ms_count_query *query;
  ms_rooted_plan *plan;
  uint64_t reserved; /* bytes of the budget */
  ms_error *err;
} numbers;

/* A loop over all vertices, for one shape of the plan. */
typedef struct loop {
  const ms_rooted_plan *plan;
  const ms_rooted *r;
  const ms_pattern_index *index;
  atomic_bool exceeds;
} loop;

/* ---- one shape ----------------------------------------------------------------------------- */

/* Returns the number of maps at v in which vertices may coincide.  Sets *exceeds if it needs more
 * than 128 bits. */
static ms_wide_size number_at(const loop *l, uint32_t v, bool *exceeds)
{
  const ms_wide_size *x = l->plan->of[l->r->from[0]]->number;
  ms_wide_size sum = 0;
  uint32_t length;
  if (l->r->way == MS_ROOTED_PRODUCT) {
    *exceeds |= __builtin_mul_overflow(x[v], l->plan->of[l->r->from[1]]->number[v], &sum);
    return sum;
  }
  const uint32_t *near = ms_row(&l->index->rows[MS_ROWS_ANY], v, &length);
  for (uint32_t i = 0; i < length; i++)
    *exceeds |= __builtin_add_overflow(sum, x[near[i]], &sum);
  return sum;
}

static void fill_range(void *user, ms_range range)
{
  loop *l = user;
  const ms_domain *domain = &l->r->of.domain[l->r->root];
  bool exceeds = false;
  for (uint64_t v = range.begin; v < range.end; v++) {
    if (!ms_domain_has(domain, (uint32_t)v))
      continue;
    ms_wide_size number = number_at(l, (uint32_t)v, &exceeds);
    for (uint32_t i = 0; i < l->r->n_less; i++)
      number -= l->plan->of[l->r->less[i]]->number[v];
    l->r->number[v] = number;
  }
  if (exceeds)
    atomic_store(&l->exceeds, true);
}

/* Combines the numbers of other shapes. */
static ms_status combine(const numbers *n, const ms_rooted *r, bool *fit)
{
  const ms_count_query *q = n->query;
  loop l = {.plan = n->plan, .r = r, .index = q->index};
  ms_parallel(ms_threads_for(q->threads, q->index->arcs), q->index->n, ROWS_AT_ONCE, fill_range,
              &l);
  *fit = !atomic_load(&l.exceeds);
  return ms_stop_check(q->stop);
}

/* Multiplies the numbers by that of the symmetries that the program breaks. */
static bool numbers_multiply_back(const ms_rooted *r, uint32_t n)
{
  bool exceeds = false;
  mpz_t factor;
  mpz_init_set_ui(factor, 1);
  ms_count_multiply_back(&r->plan, factor);
  ms_wide_size by = mpz_get_ui(factor);
  mpz_clear(factor);
  for (uint32_t v = 0; by > 1 && v < n; v++)
    exceeds |= __builtin_mul_overflow(r->number[v], by, &r->number[v]);
  return !exceeds;
}

static ms_status run_program(const numbers *n, const ms_rooted *r, bool *fit)
{
  const ms_count_query *q = n->query;
  ms_pattern_task task = {.program = r->plan.program,
                          .threads = q->threads,
                          .stop = q->stop,
                          .progress = q->progress,
                          .progress_user = q->progress_user,
                          .work = q->work};
  if (!r->plan.program) /* a domain is empty */
    return MS_OK;
  MS_TRY(ms_rooted_values(&task, r->number, fit, n->err));
  *fit = *fit && numbers_multiply_back(r, q->index->n);
  return MS_OK;
}

/* ---- all that a shape needs ------------------------------------------------------------------ */

static bool make_room(numbers *n, ms_rooted *r)
{
  uint64_t bytes = ((uint64_t)n->query->index->n + 1) * sizeof *r->number;
  if (!ms_budget_reserve(n->query->budget, bytes))
    return false;
  n->reserved += bytes;
  r->number = ms_calloc((size_t)n->query->index->n + 1, sizeof *r->number);
  return r->number != NULL;
}

/* Counts the numbers of a shape, after those of the smaller shapes that it needs. */
static ms_status count_numbers(numbers *n, uint32_t number, bool *fit)
{
  ms_rooted *r = n->plan->of[number];
  uint32_t from = r->way == MS_ROOTED_PROGRAM ? 0 : r->way == MS_ROOTED_EDGE ? 1 : 2;
  ms_status status = MS_OK;
  if (r->number)
    return MS_OK;
  for (uint32_t i = 0; status == MS_OK && *fit && i < from; i++)
    status = count_numbers(n, r->from[i], fit);
  for (uint32_t i = 0; status == MS_OK && *fit && i < r->n_less; i++)
    status = count_numbers(n, r->less[i], fit);
  if (status != MS_OK || !*fit)
    return status;
  *fit = make_room(n, r);
  if (!*fit)
    return MS_OK;
  return r->way == MS_ROOTED_PROGRAM ? run_program(n, r, fit) : combine(n, r, fit);
}

/* ---- the sum --------------------------------------------------------------------------------- */

static void set_wide(mpz_t out, ms_wide_size number)
{
  uint64_t words[2] = {(uint64_t)number, (uint64_t)(number >> 64)};
  mpz_import(out, 2, -1, sizeof *words, 0, 0, words);
}

static void add_products(const ms_wide_size *a, const ms_wide_size *b, uint32_t n, mpz_t sum)
{
  ms_wide_size small = 0, product, more;
  mpz_t x, y;
  mpz_init(x);
  mpz_init(y);
  for (uint32_t v = 0; v < n; v++) {
    if (!__builtin_mul_overflow(a[v], b[v], &product) &&
        !__builtin_add_overflow(small, product, &more)) {
      small = more;
      continue;
    }
    set_wide(x, a[v]);
    set_wide(y, b[v]);
    mpz_addmul(sum, x, y);
  }
  set_wide(x, small);
  mpz_add(sum, sum, x);
  mpz_clear(x);
  mpz_clear(y);
}

/* Adds the sum, over the vertices of the graph, of the product of the numbers of two shapes of the
 * plan.  *fit: it was counted; otherwise a number needs more than 128 bits, or the query's budget
 * has no room for the numbers of all vertices, and nothing is added.  A stop ends it with the
 * status of the token, and adds nothing. */
static ms_status rooted_numbers_sum(const ms_count_query *query, ms_rooted_plan *plan,
                                    const uint32_t number[2], mpz_t sum, bool *fit, ms_error *err)
{
  numbers n = {.query = query, .plan = plan, .err = err};
  *fit = true;
  ms_status status = count_numbers(&n, number[0], fit);
  if (status == MS_OK && *fit)
    status = count_numbers(&n, number[1], fit);
  if (status == MS_OK && *fit)
    add_products(plan->of[number[0]]->number, plan->of[number[1]]->number, query->index->n, sum);
  for (uint32_t i = 0; i < plan->count; i++) {
    ms_free(plan->of[i]->number);
    plan->of[i]->number = NULL;
  }
  ms_budget_release(query->budget, n.reserved);
  return status;
}

/* ---- hinge ----------------------------------------------------------------------------------- */

/* The most gluings.  Two cliques of five with one common vertex have 209. */
#define MOST_GLUINGS 250

/* ---- sides ------------------------------------------------------------------------------ */

/* One side with the hinge, which no automorphism moves. */
typedef struct side {
  ms_shape shape;
  ms_domain domain[MS_MAX_GLUED];
  uint32_t root; /* the hinge */
} side;

static void make_side(const ms_shape *shape, const ms_domain *domain, const ms_hinge *hinge,
                      int number, side *out)
{
  ms_bitset vertices = ms_bitset_or(hinge->side[number], ms_bitset_of(hinge->vertex));
  uint32_t i = 0;
  ms_shape_part(shape, vertices, &out->shape);
  MS_EACH_MEMBER (v, vertices) {
    if (v == hinge->vertex)
      out->root = i;
    out->domain[i++] = domain[v];
  }
  out->shape.kind[out->root] = shape->n + 1; /* other kinds are 1 .. n */
}

/* ---- the choice of a hinge -------------------------------------------------------------- */

/* Estimates the steps of a side by the formula for its best way. */
static double estimate_side(const ms_count_query *query, const side *s)
{
  ms_count_ways ways;
  memset(&ways, 0, sizeof ways);
  ways.rooted = true;
  ways.root = s->root;
  ms_count_estimator_init(&ways.e, query, &s->shape, s->domain);
  return ms_count_find_best_way(&ways, NULL) == MS_OK ? ways.best.cost : INFINITY;
}

/* Returns the estimated steps of both sides; INFINITY: it is not counted at this hinge. */
static double estimate(const ms_count_query *query, const ms_shape *shape, const ms_domain *domain,
                       const ms_hinge *hinge)
{
  uint32_t n[2] = {ms_bitset_count(hinge->side[0]), ms_bitset_count(hinge->side[1])};
  double steps = 0;
  side s;
  if (n[0] >= MS_COUNT_SMALL || n[1] >= MS_COUNT_SMALL ||
      ms_count_gluings(n[0], n[1]) > MOST_GLUINGS)
    return INFINITY;
  for (int i = 0; i < 2; i++) {
    make_side(shape, domain, hinge, i, &s);
    steps += estimate_side(query, &s);
  }
  return steps;
}

uint32_t ms_hinge_find(const ms_count_query *query, const ms_shape *shape, const ms_domain *domain,
                       ms_hinge best[MS_HINGES_PROBED])
{
  ms_hinge all[MS_MAX_HINGES];
  double cost[MS_HINGES_PROBED];
  uint32_t count = ms_list_hinges(shape, all), found = 0;
  for (uint32_t i = 0; i < count; i++) {
    double steps = estimate(query, shape, domain, &all[i]);
    uint32_t at = 0;
    while (at < found && cost[at] < steps * (1 - 1e-9))
      at++;
    /* the same estimate: mostly an image of the other one */
    if (isinf(steps) || at == MS_HINGES_PROBED || (at < found && cost[at] <= steps * (1 + 1e-9)))
      continue;
    found += found < MS_HINGES_PROBED;
    for (uint32_t j = found - 1; j > at; j--) {
      cost[j] = cost[j - 1];
      best[j] = best[j - 1];
    }
    cost[at] = steps;
    best[at] = all[i];
  }
  return found;
}

/* ---- the plan --------------------------------------------------------------------------- */

/* True if both sides are counted by programs, so that their numbers need not be stored, and shares
 * have parts of them. */
static bool has_programs(const ms_hinge_plan *p)
{
  const ms_rooted *a = p->rooted.of[p->side[0]], *b = p->rooted.of[p->side[1]];
  return a->plan.program && b->plan.program;
}

static ms_status plan_sides(const ms_counter *terms, const ms_shape *shape, bool programs,
                            ms_hinge_plan *out)
{
  const ms_hinge *hinge = &out->hinge;
  out->rooted = (ms_rooted_plan){.programs = programs};
  for (int i = 0; i < 2; i++) {
    ms_bitset vertices = ms_bitset_or(hinge->side[i], ms_bitset_of(hinge->vertex));
    uint32_t root = ms_bitset_count(ms_bitset_and(vertices, ms_bitset_below(hinge->vertex)));
    ms_shape *part = ms_alloc(1, sizeof *part); /* it is large for the stack of a recursion */
    if (!part)
      return ms_fail_memory(terms->err, "a side of a hinge");
    ms_shape_part(shape, vertices, part);
    ms_status status = ms_rooted_plan_add(&out->rooted, terms, part, root, &out->side[i]);
    ms_free(part);
    if (status != MS_OK)
      return status;
  }
  out->steps = ms_rooted_plan_steps(&out->rooted, out->side);
  return MS_OK;
}

ms_status ms_hinge_plan_new(const ms_counter *terms, const ms_shape *shape, const ms_hinge *hinge,
                            ms_hinge_plan *out)
{
  *out = (ms_hinge_plan){.hinge = *hinge};
  return plan_sides(terms, shape, false, out);
}

void ms_hinge_plan_free(ms_hinge_plan *plan)
{
  ms_rooted_plan_free(&plan->rooted);
}

/* ---- the sum ---------------------------------------------------------------------------- */

typedef struct hinge_run {
  const ms_counter *terms;
  const ms_shape *shape;
  ms_hinge_plan *plan;
} hinge_run;

/* Sums the products of what two programs count under each root. */
static ms_status sum_programs(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  const hinge_run *run = user;
  const ms_count_query *q = run->terms->query;
  const ms_program *a = run->plan->rooted.of[run->plan->side[0]]->plan.program,
                   *b = run->plan->rooted.of[run->plan->side[1]]->plan.program;
  ms_pattern_task task = {.program = a,
                          .threads = q->threads,
                          .stop = q->stop,
                          .progress = q->progress,
                          .progress_user = q->progress_user,
                          .work = q->work,
                          .share = share};
  return ms_rooted_sum(&task, a == b ? NULL : b, maps, err);
}

static void multiply_back(const ms_hinge_plan *p, mpz_t maps)
{
  for (int i = 0; i < 2; i++)
    ms_count_multiply_back(&p->rooted.of[p->side[i]]->plan, maps);
}

/* Sums the products of numbers that are stored.  They are not divided: the share of the first unit
 * has all of them. */
static ms_status sum_numbers(void *user, const ms_share *share, mpz_t maps, ms_error *err)
{
  hinge_run *run = user;
  ms_hinge_plan *p = run->plan;
  bool fit;
  if (!ms_share_has(share, 0))
    return MS_OK;
  MS_TRY(rooted_numbers_sum(run->terms->query, &p->rooted, p->side, maps, &fit, err));
  if (fit)
    return MS_OK;
  ms_rooted_plan_free(&p->rooted);
  MS_TRY(plan_sides(run->terms, run->shape, true, p));
  ms_status status = sum_programs(run, NULL, maps, err);
  multiply_back(p, maps);
  return status;
}

/* Returns a checksum of the programs, or of the sides. */
static uint32_t leaf_sum(const ms_hinge_plan *p, const ms_pattern_index *index, bool by_programs)
{
  uint32_t sum[2] = {0};
  for (int i = 0; i < 1 + (p->side[0] != p->side[1]); i++) {
    const ms_rooted *r = p->rooted.of[p->side[i]];
    sum[i] =
        by_programs ? ms_count_leaf_sum(r->plan.program, "hinge") : ms_rooted_checksum(r, index);
  }
  return ms_crc32c(by_programs, sum, sizeof sum);
}

ms_status ms_hinge_sum(const ms_counter *terms, const ms_shape *shape, ms_hinge_plan *plan,
                       mpz_t maps)
{
  const ms_count_query *q = terms->query;
  bool by_programs = has_programs(plan);
  ms_count_leaf_fn *count = by_programs ? sum_programs : sum_numbers;
  hinge_run run = {terms, shape, plan};
  mpz_set_ui(maps, 0);
  ms_status status = q->leaves ? ms_count_run_leaf(q, leaf_sum(plan, q->index, by_programs), count,
                                                   &run, maps, terms->err)
                               : count(&run, NULL, maps, terms->err);
  if (by_programs)
    multiply_back(plan, maps);
  return status;
}
