#include "match/count.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/factor.h"
#include "match/shape_memo.h"

#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))
/* The greatest number of gluings of two components that are counted; with more,
 * the cross product is searched instead. Each gluing needs a search,
 * unless its shape came before. */
#define MAX_GLUINGS 2000u
#define VISITED_ON_GPU 8u
#define MAX_GLUED 10u /* greatest number of vertices of both components */

typedef struct counter {
  const ms_count_query *query;
  ms_error *err;
  bool names_shapes; /* the pattern has at most 64 vertices, so that `kind` is known */
  /* [pattern vertices] one bit; equal if and only if the domains are equal */
  uint64_t kind[64];
  ms_shape_memo memo; /* memo of shapes that are not induced */
  ms_count_report report;
} counter;

/* Sets maps to the number of maps of the shape. */
static ms_status count_shape(counter *c, const ms_shape *shape, mpz_t maps);

/* ---- domains of merged vertices --------------------------------------------- */

/* domain[n] of a shape's vertices, and the bits of those domains that are
 * intersections. */
typedef struct meets {
  ms_domain domain[MS_MAX_PATTERN];
  uint64_t *store;
} meets;

static void set_range(uint64_t *bits, size_t words, uint32_t lo, uint32_t hi)
{
  memset(bits, 0, words * sizeof *bits);
  for (uint32_t i = lo; i < hi;) {
    uint32_t in_word = 64 - i % 64, left = hi - i, some = in_word < left ? in_word : left;
    bits[i / 64] |= (some == 64 ? ~UINT64_C(0) : BIT(some) - 1) << i % 64;
    i += some;
  }
}

static void intersect_domains(const ms_domains *domains, ms_bitset member, size_t words,
                              uint64_t *bits, ms_domain *out)
{
  uint32_t lo = 0, hi = domains->index->n;
  bool range = true;
  MS_EACH_MEMBER (i, member) {
    const ms_domain *d = &domains->of[i];
    lo = d->lo > lo ? d->lo : lo;
    hi = d->hi < hi ? d->hi : hi;
    range = range && !d->bits;
  }
  *out = (ms_domain){.lo = lo, .hi = hi > lo ? hi : lo, .count = hi > lo ? hi - lo : 0};
  if (range || out->count == 0)
    return;
  set_range(bits, words, lo, hi);
  MS_EACH_MEMBER (i, member) {
    const ms_domain *d = &domains->of[i];
    for (size_t w = 0; d->bits && w < words; w++)
      bits[w] &= d->bits[w];
  }
  out->bits = bits;
  out->count = 0;
  for (size_t w = 0; w < words; w++)
    out->count += (uint32_t)__builtin_popcountll(bits[w]);
}

static ms_status intersect_merged(counter *c, const ms_shape *shape, meets *m)
{
  const ms_domains *domains = c->query->domains;
  size_t words = ((size_t)domains->index->n + 63) / 64;
  uint32_t merged = 0;
  *m = (meets){0};
  for (uint32_t i = 0; i < shape->n; i++)
    merged += ms_bitset_count(shape->member[i]) > 1;
  if (merged > 0 && domains->store) {
    m->store = ms_alloc(words * merged, sizeof *m->store);
    if (!m->store)
      return ms_fail_memory(c->err, "domains of merged vertices");
  }
  merged = 0;
  for (uint32_t i = 0; i < shape->n; i++) {
    if (ms_bitset_count(shape->member[i]) == 1)
      m->domain[i] = domains->of[ms_bitset_first(shape->member[i])];
    else
      intersect_domains(domains, shape->member[i], words,
                        m->store ? m->store + words * merged++ : NULL, &m->domain[i]);
  }
  return MS_OK;
}

/* Names kinds so that an automorphism may exchange two vertices only if their
 * domains are the same set. */
static void name_kinds(ms_shape *shape, const ms_domain *domain)
{
  for (uint32_t i = 0; i < shape->n; i++) {
    shape->kind[i] = i + 1; /* not MS_KIND_ANY */
    for (uint32_t j = 0; j < i; j++)
      if (shape->kind[j] == j + 1 && ms_domain_equal(&domain[i], &domain[j])) {
        shape->kind[i] = j + 1;
        break;
      }
  }
}

/* ---- quotients ----------------------------------------------------------------- */

/* Adds the number of maps of a quotient to `sum`. */
static ms_status add_quotient(counter *c, const ms_shape *shape, const uint8_t *block,
                              uint32_t blocks, mpz_t sum)
{
  ms_shape quotient;
  mpz_t maps;
  mpz_init(maps);
  ms_shape_quotient(shape, block, blocks, &quotient);
  ms_status status = count_shape(c, &quotient, maps);
  mpz_add(sum, sum, maps);
  mpz_clear(maps);
  return status;
}

/* Visits every partition of the tail except the finest: adds vertices tail[i],
 * tail[i + 1], ... to the blocks so far. */
static ms_status add_partitions(counter *c, const ms_shape *shape, const uint8_t *tail, uint32_t r,
                                uint32_t i, uint8_t *block, uint32_t blocks, uint32_t first,
                                mpz_t sum)
{
  ms_status status = MS_OK;
  if (i == r)
    return blocks < shape->n ? add_quotient(c, shape, block, blocks, sum) : MS_OK;
  for (uint32_t b = first; status == MS_OK && b <= blocks; b++) {
    block[tail[i]] = (uint8_t)b;
    status = add_partitions(c, shape, tail, r, i + 1, block, b == blocks ? blocks + 1 : blocks,
                            first, sum);
  }
  return status;
}

static ms_status count_quotients(counter *c, const ms_shape *shape, ms_bitset tail_set, mpz_t sum)
{
  uint8_t tail[MS_MAX_PATTERN], block[MS_MAX_PATTERN];
  uint32_t r = 0, blocks = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    if (ms_bitset_has(&tail_set, i))
      tail[r++] = (uint8_t)i;
    else
      block[i] = (uint8_t)blocks++;
  return add_partitions(c, shape, tail, r, 0, block, blocks, blocks, sum);
}

/* ---- one connected shape -------------------------------------------------------- */

/* Multiplies maps by the number of automorphisms that the constraints of the
 * first levels break: each match of these levels stands for as many maps. */
static void multiply_back(const ms_plan *plan, uint32_t levels, mpz_t maps)
{
  for (uint32_t i = 0; plan->constrained && i < levels; i++)
    mpz_mul_ui(maps, maps, ms_bitset_count(plan->group->orbit[i]));
}

/* True if the program runs on the GPU. Once a large program has run there,
 * later ones follow with a hundredth of the work, because the GPU has
 * started. */
static bool goes_to_large(const counter *c)
{
  const ms_count_query *q = c->query;
  const ms_count_report *r = &c->report;
  if (!q->large || r->failure.status != MS_OK)
    return false;
  double threads = ms_threads(q->threads);
  if (r->used_large)
    return 100 * r->last / threads >= q->large_start;
  return r->work / threads >= q->large_start + (q->large_start > 0 ? r->large_work : 0) &&
         q->large->devices() > 0;
}

/* Adds the estimates of a plan, without those of its quotients, which have plans of their own. */
static void report_plan(counter *c, const ms_count_plan *plan)
{
  const ms_pattern_engine *large = c->query->large;
  ms_count_report *r = &c->report;
  r->programs++;
  r->last = plan->cost - plan->quotients;
  r->work += r->last;
  r->large_work += large && large->weigh && plan->program ? large->weigh(plan->program, r->last)
                                                          : MS_USUAL_GPU_WEIGHT * r->last;
}

/* Sets maps, which is 0 at first. */
static ms_status run_program(counter *c, const ms_program *program, bool large, mpz_t maps)
{
  const ms_count_query *q = c->query;
  ms_pattern_task task = {.program = program,
                          .threads = q->threads,
                          .devices = q->devices,
                          .device = q->device,
                          .gpu_memory = q->gpu_memory,
                          .stop = q->stop,
                          .progress = q->progress,
                          .progress_user = q->progress_user,
                          .work = q->work};
  if (large && (!q->large->supports || q->large->supports(program, NULL) == MS_OK)) {
    ms_error failure = {0};
    ms_status status = q->large->count(&task, maps, &failure);
    if (status != MS_ERR_MEMORY && status != MS_ERR_DEVICE_LOST) {
      c->report.used_large = true;
      if (status != MS_OK && c->err)
        *c->err = failure;
      return status;
    }
    c->report.failure = failure;
    mpz_set_ui(maps, 0);
  }
  return q->engine->count(&task, maps, c->err);
}

/* Makes the plan for the engine that will run it. */
static ms_status plan_count(counter *c, const ms_shape *shape, const ms_domain *domain,
                            ms_count_plan *plan, bool *large)
{
  ms_count_query of_large = *c->query;
  ms_status status = ms_count_plan_new(c->query, shape, domain, plan, c->err);
  *large = false;
  if (status != MS_OK)
    return status;
  report_plan(c, plan);
  *large = !c->query->estimate && goes_to_large(c);
  if (!*large || !of_large.large->weigh)
    return MS_OK;
  of_large.engine = of_large.large;
  ms_count_plan_free(plan);
  return ms_count_plan_new(&of_large, shape, domain, plan, c->err);
}

static ms_status count_by_plan(counter *c, const ms_shape *shape, const ms_domain *domain,
                               mpz_t maps)
{
  ms_count_plan plan;
  mpz_t quotients;
  mpz_init(quotients);
  bool large, estimate = c->query->estimate;
  ms_status status = plan_count(c, shape, domain, &plan, &large);
  if (status == MS_OK && !estimate)
    status = ms_count_plan_compile(c->query, domain, &plan, c->err);
  /* The subtracted terms come first: if time runs out later, the sum is a lower bound. */
  if (status == MS_OK && plan.options.product)
    status = count_quotients(c, shape, plan.options.tail, quotients);
  if (status == MS_OK && !estimate) {
    status = run_program(c, plan.program, large, maps);
    multiply_back(plan.plan, plan.options.bounded ? shape->n : plan.program->prefix, maps);
    mpz_sub(maps, maps, quotients);
    if (mpz_sgn(maps) < 0) /* stopped early */
      mpz_set_ui(maps, 0);
  }
  mpz_clear(quotients);
  ms_count_plan_free(&plan);
  return status;
}

/* Counts by factors. It is used for patterns with colours, whose domains
 * separate the parts of the pattern. */
static ms_status count_by_factors(counter *c, const ms_shape *shape, const ms_domain *domain,
                                  mpz_t maps)
{
  const ms_count_query *q = c->query;
  ms_factor *factor;
  double steps = 0;
  MS_TRY(ms_factor_new(q->index, shape, domain, &factor, c->err));
  ms_status status =
      q->estimate ? ms_factor_cost(factor, q->effort, &steps, c->err)
                  : ms_factor_count(factor, q->threads, q->stop, q->budget, q->work, maps, c->err);
  c->report.factors += steps;
  ms_factor_free(factor);
  return status;
}

/* True if the domains separate some vertices; otherwise all vertices stay one group. */
static bool is_divided(const ms_shape *shape, const ms_domain *domain)
{
  for (uint32_t i = 0; i < shape->n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (shape->kind[i] == i + 1 && shape->kind[j] == j + 1 &&
          !ms_domain_meets(&domain[i], &domain[j]))
        return true;
  return false;
}

/* ---- disconnected shapes ----------------------------------------------------------- */

/* Extracts the shape of some of the vertices, which form whole components. */
static void extract_part(const ms_shape *shape, ms_bitset vertices, ms_shape *out)
{
  uint8_t number[MS_MAX_PATTERN];
  *out = (ms_shape){.directed = shape->directed, .induced = shape->induced};
  MS_EACH_MEMBER (i, vertices)
    number[i] = (uint8_t)out->n++;
  MS_EACH_MEMBER (i, vertices) {
    uint32_t j = number[i];
    out->member[j] = shape->member[i];
    out->kind[j] = shape->kind[i];
    MS_EACH_MEMBER (v, shape->out[i])
      ms_bitset_add(&out->out[j], number[v]);
    MS_EACH_MEMBER (v, shape->in[i])
      ms_bitset_add(&out->in[j], number[v]);
  }
}

typedef struct gluing {
  counter *c;
  const ms_shape *shape;
  uint8_t a[MAX_GLUED]; /* vertices of A */
  uint32_t n_a;
  ms_bitset b;             /* vertices of B */
  uint8_t with[MAX_GLUED]; /* [n_a] the vertex of B that it is glued to; 255: none */
  mpz_ptr sum;
} gluing;

static ms_status add_gluing(gluing *g)
{
  uint8_t block[MAX_GLUED];
  uint32_t blocks = 0;
  memset(block, 255, sizeof block);
  for (uint32_t i = 0; i < g->n_a; i++) {
    block[g->a[i]] = (uint8_t)blocks;
    if (g->with[i] != 255)
      block[g->with[i]] = (uint8_t)blocks;
    blocks++;
  }
  for (uint32_t i = 0; i < g->shape->n; i++)
    if (block[i] == 255)
      block[i] = (uint8_t)blocks++;
  return blocks < g->shape->n ? add_quotient(g->c, g->shape, block, blocks, g->sum) : MS_OK;
}

static ms_status glue_from(gluing *g, uint32_t i, ms_bitset left_of_b)
{
  if (i == g->n_a)
    return add_gluing(g);
  g->with[i] = 255;
  ms_status status = glue_from(g, i + 1, left_of_b);
  MS_EACH_MEMBER (v, left_of_b) {
    if (status != MS_OK)
      break;
    g->with[i] = (uint8_t)v;
    status = glue_from(g, i + 1, ms_bitset_without(left_of_b, v));
  }
  return status;
}

/* Returns the number of partial injections of `a` vertices into `b`
 * vertices. */
static double count_gluings(uint32_t a, uint32_t b)
{
  double sum = 0, term = 1;
  for (uint32_t i = 0; i <= a && i <= b; i++) {
    sum += term;
    term *= (double)(a - i) * (b - i) / (i + 1);
  }
  return sum;
}

static ms_status count_product(counter *c, const ms_shape *shape, ms_bitset first, mpz_t maps)
{
  ms_shape a, b;
  mpz_t other, glued;
  gluing g = {.c = c, .shape = shape, .sum = glued};
  mpz_init(other);
  mpz_init(glued);
  g.b = ms_bitset_minus(ms_bitset_below(shape->n), first);
  MS_EACH_MEMBER (i, first)
    g.a[g.n_a++] = (uint8_t)i;
  extract_part(shape, first, &a);
  extract_part(shape, g.b, &b);
  ms_status status = glue_from(&g, 0, g.b);
  if (status == MS_OK)
    status = count_shape(c, &a, maps);
  if (status == MS_OK)
    status = count_shape(c, &b, other);
  if (status == MS_OK) {
    mpz_mul(maps, maps, other);
    mpz_sub(maps, maps, glued);
  } else { /* a product without one of its factors is no bound */
    mpz_set_ui(maps, 0);
  }
  mpz_clear(other);
  mpz_clear(glued);
  return status;
}

/* ---- the whole count ------------------------------------------------------------------------ */

ms_count_way ms_count_way_of(const ms_count_query *query, ms_shape *shape, const ms_domain *domain)
{
  uint32_t first = ms_bitset_count(ms_shape_component(shape, 0));
  bool connected = first == shape->n;
  if (shape->n > query->index->n)
    return MS_COUNT_NOTHING;
  for (uint32_t i = 0; i < shape->n; i++)
    if (domain[i].count == 0)
      return MS_COUNT_NOTHING;
  name_kinds(shape, domain);
  if (shape->n == 1)
    return MS_COUNT_DOMAIN;
  if (shape->label)
    return MS_COUNT_PLAN;
  if (!connected && !shape->induced && shape->n <= MAX_GLUED &&
      count_gluings(first, shape->n - first) <= MAX_GLUINGS)
    return MS_COUNT_COMPONENTS;
  /* a GPU visits all matches of a small pattern in less time than the CPU counts by factors */
  bool visits = query->engine && query->engine->weigh && shape->n <= VISITED_ON_GPU;
  if (connected && !shape->induced && query->order == MS_ORDER_AUTO && !visits &&
      is_divided(shape, domain))
    return MS_COUNT_FACTORS;
  return MS_COUNT_PLAN;
}

static ms_status count_without_memo(counter *c, const ms_shape *given, mpz_t maps)
{
  ms_shape shape = *given;
  meets m;
  ms_status status = ms_stop_check(c->query->stop);
  if (status == MS_OK)
    status = intersect_merged(c, &shape, &m);
  if (status != MS_OK)
    return status;
  switch (ms_count_way_of(c->query, &shape, m.domain)) {
  case MS_COUNT_NOTHING:
    break;
  case MS_COUNT_DOMAIN:
    mpz_set_ui(maps, m.domain[0].count);
    break;
  case MS_COUNT_COMPONENTS:
    status = count_product(c, &shape, ms_shape_component(&shape, 0), maps);
    break;
  case MS_COUNT_FACTORS:
    status = count_by_factors(c, &shape, m.domain, maps);
    break;
  default:
    status = count_by_plan(c, &shape, m.domain, maps);
  }
  ms_free(m.store);
  return status;
}

/* Sets the memo's key of a shape. The domain of a merged vertex is the
 * intersection of its members' domains, so the kinds of the members determine
 * it. */
static bool make_key(const counter *c, const ms_shape *shape, ms_shape_key *key)
{
  uint64_t label[MS_MEMO_VERTICES] = {0};
  if (!c->names_shapes || shape->induced || shape->label || shape->n > MS_MEMO_VERTICES)
    return false;
  for (uint32_t i = 0; i < shape->n; i++)
    MS_EACH_MEMBER (v, shape->member[i])
      label[i] |= c->kind[v];
  return ms_shape_key_of(shape, label, key);
}

static ms_status count_shape(counter *c, const ms_shape *shape, mpz_t maps)
{
  ms_shape_key key;
  bool named = make_key(c, shape, &key);
  mpz_set_ui(maps, 0);
  if (named && ms_shape_memo_get(&c->memo, &key, maps))
    return MS_OK;
  if (ms_numbers_low())
    return ms_fail_memory(c->err, "numbers of maps");
  ms_status status = count_without_memo(c, shape, maps);
  if (named && status == MS_OK)
    status = ms_shape_memo_put(&c->memo, &key, maps, c->err);
  return status;
}

ms_status ms_count_maps(const ms_count_query *query, const ms_shape *shape, mpz_t embeddings,
                        ms_error *err)
{
  counter c = {.query = query, .err = err};
  ms_shape kinds = *shape;
  name_kinds(&kinds, query->domains->of);
  c.names_shapes = shape->n <= 64;
  for (uint32_t i = 0; c.names_shapes && i < shape->n; i++)
    c.kind[i] = BIT(kinds.kind[i] - 1);
  ms_status status = count_shape(&c, shape, embeddings);
  if (query->report)
    *query->report = c.report;
  ms_shape_memo_free(&c.memo);
  return status;
}
