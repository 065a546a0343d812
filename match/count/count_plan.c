/* Decides which vertices are visited, in which order, and which are only counted.
 *
 * For shapes of up to 6 vertices it compares every independent set as the tail, and
 * every order of the rest, by estimated cost (count_ways.h).  For larger shapes, and for
 * orders that the user asked for, it takes the longest tail that the order has. */
#include "match/count/count.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "match/count/count_choice.h"
#include "match/count/count_domains.h"
#include "match/count/count_run.h"
#include "match/count/count_ways.h"
#include "match/count/elimination.h"
#include "match/count/hinge.h"
#include "match/count/induced_sum.h"
#include "match/count/leaves.h"
#include "match/probe.h"

#include <math.h>
#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))
#define POPULATION 64u
#define LONGER_TAIL 6.0    /* see is_in_longer */
#define GPU_POPULATION 16u /* on a GPU, a larger probe would take longer than the whole search */
#define FEW_PROBES 1e6 /* steps; if all probes may take no more, each has this population, too */
/* Probes for a GPU end when they have taken this share of the shortest search that they found, by
 * their steps; by the clock, two or three times as much. */
#define GPU_PROBE_SHARE 0.02
#define PROGRAM_STEPS 1e4 /* to make a program for a probe, about */
/* Probes that compare ways take about twice as long as their steps say, because they also make
 * programs. */
#define PROBES_TIME 2.0
/* Ways within this factor of the best one are probed again, with a population that is larger by the
 * second factor. */
#define CLOSE 3
#define MORE 8u

/* A GPU's search with colours that is short by mean degrees is probed all the same if so many
 * partial matches are expected by the degrees at the ends of edges: a vertex of degree 28,000 makes
 * one take 34 ms where 0.4 are expected, and another order takes 5.  The probe takes about 0.06 ms;
 * of 385 rows with 4 to 16 labels, 28 expect a million partial matches or more. */
#define MANY_PARTIAL 4e6
/* A search of at most this many steps is not probed: a probe would take as long. */
#define SHORT_SEARCH 1e4
/* A way with an inner pattern is probed whatever its estimate, if the others take at least this
 * many times ms_hooks.probe_steps: estimates of orders rest on mean degrees, and in graphs
 * with hubs they were up to 8,000 times too low, and those of inner patterns up to 360 times too
 * high. */
#define LONG_FOR_MODULES 10

/* ---- the longest tail of an order ---------------------------------------------------- */

static bool connected_order(const ms_plan *plan)
{
  for (uint32_t i = 1; i < plan->shape.n; i++)
    if (ms_bitset_is_empty(plan->level[i].back_out) && ms_bitset_is_empty(plan->level[i].back_in))
      return false;
  return true;
}

/* True if v and w, which have the same neighbours, have the same relations with them. */
static bool same_relations(const ms_shape *s, uint32_t v, uint32_t w)
{
  ms_bitset near = ms_shape_near(s, v);
  MS_EACH_MEMBER (u, near)
    if (s->label && s->label[v][u] != s->label[w][u])
      return false;
  return true;
}

/* Returns the longest tail. Any number of tail vertices may share their
 * candidates; of others, at most MS_COUNT_MIXED. */
static ms_bitset longest_tail(const ms_plan *plan)
{
  const ms_shape *s = &plan->shape;
  uint32_t last = plan->level[s->n - 1].vertex, count = 0;
  ms_bitset tail = {{0}};
  bool single = s->induced || !connected_order(plan), is_mixed = false;
  for (uint32_t i = s->n; i-- > 1;) {
    const ms_plan_level *level = &plan->level[i];
    uint32_t v = level->vertex;
    is_mixed = is_mixed || !ms_bitset_equal(s->in[v], s->in[last]) ||
               !ms_bitset_equal(s->out[v], s->out[last]) || s->kind[v] != s->kind[last] ||
               !same_relations(s, v, last);
    if (ms_bitset_meets(ms_shape_near(s, v), tail) || (single && count == 1) ||
        (is_mixed && count + 1 > MS_COUNT_MIXED) ||
        (s->induced && ms_bitset_is_empty(level->back_out) && ms_bitset_is_empty(level->back_in)))
      break;
    count++;
    ms_bitset_add(&tail, v);
  }
  return tail;
}

/* ---- the plan -------------------------------------------------------------------------- */

/* Makes the inner plan of a tail that is a module. */
static ms_status plan_module(const ms_count_query *query, const ms_shape *shape, uint64_t tail,
                             ms_count_plan *out, ms_error *err)
{
  ms_count_estimator whole, facts;
  ms_shape *inner = ms_alloc(1, sizeof *inner); /* it is large for the stack of a recursion */
  if (!inner)
    return ms_fail_memory(err, "the plan of a count");
  ms_module_shape(shape, tail, inner);
  ms_count_estimator_init(&whole, query, shape, NULL);
  ms_count_estimator_inner(&whole, inner, shape->n - inner->n, &facts);
  ms_status status = ms_inner_plan_new(query, &facts, &out->inner, err);
  out->options.inner = out->inner;
  ms_free(inner);
  return status;
}

static ms_status make_plan(const ms_count_choice *c, const ms_count_query *query,
                           const ms_shape *shape, ms_plan_input *input, ms_count_plan *out,
                           ms_error *err)
{
  if (c->module)
    MS_TRY(plan_module(query, shape, c->tail, out, err));
  return ms_count_plan_of_choice(c, shape, input, out, err);
}

static bool is_begun_on_large(const ms_count_query *query, const ms_shape *shape,
                              const ms_domain *domain, double steps)
{
  return ms_count_is_quick(query) &&
         ms_count_begins_on_large(query, ms_count_is_restricted(query, shape, domain), steps);
}

/* Sets the plan's cost: by a bound if that is small, else by a probe.  Where a GPU has started, the
 * probe takes no longer than the search in which the GPU takes over: it may be done long before two
 * per cent of the CPU's search are. */
static ms_status probe_plan(const ms_count_query *query, const ms_domain *domain,
                            ms_count_plan *plan, ms_error *err)
{
  ms_probe probed;
  ms_probe_effort effort = query->effort;
  if (ms_count_is_quick(query))
    effort.most = fmin(effort.most, query->large_start * ms_count_speedup(query));
  MS_TRY(ms_count_plan_compile(query, domain, plan, err));
  plan->cost = plan->quotients + ms_probe_bound(plan->program);
  if (ms_probe_bound(plan->program) <= SHORT_SEARCH)
    return MS_OK;
  if (is_begun_on_large(query, &plan->plan->shape, domain, ms_probe_mean(plan->program))) {
    plan->cost = plan->quotients + ms_probe_mean(plan->program);
    plan->at_once = true;
    return MS_OK; /* it is long enough, whatever a probe would find */
  }
  MS_TRY(ms_probe_closely(plan->program, NULL, effort, 1, &probed, err));
  plan->planning += PROGRAM_STEPS + probed.spent;
  plan->cost = plan->quotients + probed.steps;
  plan->lists = probed.lists;
  return MS_OK;
}

/* Finds out whether a GPU's search with this plan, which mean degrees find short, is long. */
static ms_status look_again(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_count_plan *plan, bool *is_long,
                            ms_error *err)
{
  ms_probe probed;
  *is_long = false;
  if (!ms_count_is_restricted(query, shape, domain) ||
      ms_expected_partial_matches(query->index, shape, domain) <= MANY_PARTIAL)
    return MS_OK;
  MS_TRY(ms_count_plan_compile(query, domain, plan, err));
  MS_TRY(ms_probe_search(plan->program, NULL, GPU_POPULATION, 1,
                         query->estimate ? NULL : query->stop, &probed, err));
  plan->planning += PROGRAM_STEPS + probed.spent;
  *is_long = query->engine->weigh(plan->program, probed.lists) > ms_hooks.probe_steps;
  return MS_OK;
}

/* Ways to count a shape are compared by probes. */
typedef struct prober {
  const ms_count_query *query;
  const ms_shape *shape;
  const ms_domain *domain;
  const ms_plan_input *input;
  bool on_gpu, rooted; /* rooted: as in ms_count_ways */
  uint32_t population; /* of each probe */
  double spent;        /* steps that all probes took */
  double shortest;     /* of the searches that they found, without quotients */
} prober;

/* Sets c->cost by a probe, and *table to whether the program has a
 * table. */
static ms_status probe_one(prober *p, ms_count_choice *c, bool *table, ms_error *err)
{
  const ms_count_query *query = p->query;
  ms_count_plan plan = {.options = ms_count_program_options(query)};
  ms_plan_input input = *p->input;
  ms_probe probed = {0};
  ms_status status = make_plan(c, query, p->shape, &input, &plan, err);
  if (status == MS_OK)
    status = ms_count_plan_compile(query, p->domain, &plan, err);
  if (status == MS_ERR_LIMIT) { /* there is no such program */
    c->cost = INFINITY;
    ms_count_plan_free(&plan);
    return MS_OK;
  }
  if (status == MS_OK)
    status = ms_probe_search(plan.program, NULL, p->population, 1,
                             query->estimate ? NULL : query->stop, &probed, err);
  p->spent += PROGRAM_STEPS + probed.spent;
  double steps = p->on_gpu ? probed.lists : probed.steps;
  c->cost = steps * (c->module ? ms_hooks.count_module_weight : 1) + c->quotients;
  if (status == MS_OK) {
    if (p->on_gpu) {
      p->shortest = fmin(p->shortest, query->engine->weigh(plan.program, steps));
      c->cost = query->engine->weigh(plan.program, c->cost);
    }
    *table = plan.program->table;
  }
  ms_count_plan_free(&plan);
  return status;
}

/* Probes the same way with the root as the largest vertex or, for engines that may be faster
 * so, without the table. */
static ms_status probe_variants(prober *p, ms_count_choice *c, ms_error *err)
{
  bool table = false;
  ms_status status = probe_one(p, c, &table, err);
  ms_count_choice other[2] = {*c, *c};
  other[0].priority = true;
  other[1].plain = true;
  for (uint32_t i = p->rooted; i < 2 && status == MS_OK && table; i++) {
    bool ignored;
    status = probe_one(p, &other[i], &ignored, err);
    if (other[i].cost < c->cost)
      *c = other[i];
  }
  return status;
}

/* True if the tail is a part of a longer one that is to be probed, too.  On GPUs the longer one was
 * better wherever both were probed (diamond, W4, K5-e; wiki-Vote and email-Enron), even where the
 * estimate, which is for processors, was up to five times as high. */
static bool is_in_longer(const ms_count_ways *s, uint64_t tail, double most)
{
  for (uint64_t t = tail + 1; t < BIT(s->e.shape->n); t++) {
    double cost = s->of_tail[0][t].cost;
    if ((t & tail) == tail && cost > 0 && cost <= most &&
        cost <= LONGER_TAIL * s->of_tail[0][tail].cost)
      return true;
  }
  return false;
}

/* Finds the ways, the best one of each tail, that probes should compare, and sorts them by
 * estimated cost.  Returns their number.  The *modules ways with an inner pattern whose estimates
 * are too high for that follow them, in the order of tails.  On GPUs, those whose tail is
 * a part of a longer one are left out: *dropped of them. */
static uint32_t find_probes(ms_count_ways *s, bool on_gpu,
                            ms_count_choice *way[2u << MS_COUNT_SMALL], uint32_t *modules,
                            uint32_t *dropped)
{
  uint32_t count = 0;
  double most = ms_hooks.probe_factor * s->best.cost;
  ms_count_choice *far[2u << MS_COUNT_SMALL];
  *modules = *dropped = 0;
  for (int product = 0; product < 2; product++)
    for (uint64_t t = 1; t < BIT(s->e.shape->n); t++) {
      ms_count_choice *c = &s->of_tail[product][t];
      if (c->cost > most && c->module && c->cost < INFINITY)
        far[(*modules)++] = c;
      if (c->cost == 0 || c->cost > most)
        continue;
      if (on_gpu && product == 0 && is_in_longer(s, t, most)) {
        ++*dropped;
        continue;
      }
      uint32_t at = count++;
      for (; at > 0 && way[at - 1]->cost > c->cost; at--)
        way[at] = way[at - 1];
      way[at] = c;
    }
  for (uint32_t i = 0; i < *modules; i++)
    way[count + i] = far[i];
  return count;
}

/* True if probes of this many further steps take more than the query's bound, or than a GPU's share
 * of the shortest search. */
static bool is_too_long(const prober *p, double further)
{
  double most = p->query->most_probes;
  if (most > 0 && p->spent + further > most)
    return true;
  return p->on_gpu && ms_hooks.probe_steps > 0 &&
         p->spent + further > GPU_PROBE_SHARE * p->shortest;
}

/* Probes the ways whose costs are close to the best one again, with a larger population, if there
 * is time: a small population is far off in a graph of skewed degrees. */
static ms_status probe_again(prober *p, ms_count_ways *s, ms_count_choice *const *way,
                             uint32_t count, ms_error *err)
{
  double close = CLOSE * s->best.cost, each = MORE * p->spent / count;
  uint32_t contenders = 0;
  for (uint32_t i = 0; i < count; i++)
    contenders += way[i]->cost <= close;
  if (contenders < 2 || is_too_long(p, contenders * each))
    return MS_OK;
  p->population *= MORE;
  s->best.cost = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    bool ignored;
    if (way[i]->cost > close)
      continue;
    MS_TRY(probe_one(p, way[i], &ignored, err));
    if (way[i]->cost < s->best.cost)
      s->best = *way[i];
  }
  return MS_OK;
}

/* Probes of ways that all threads make, one by one. */
typedef struct probe_loop {
  const prober *prober;
  ms_count_choice *const *way;
  struct probe_end {
    double spent, shortest;
    ms_status status;
    ms_error err;
  } * end; /* [count] */
} probe_loop;

static void probe_range(void *user, ms_range r)
{
  probe_loop *l = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    struct probe_end *end = &l->end[i];
    prober own = *l->prober;
    own.spent = 0;
    end->status = probe_variants(&own, l->way[i], &end->err);
    end->spent = own.spent;
    end->shortest = own.shortest;
  }
}

/* Probes all these ways, whatever it takes. */
static ms_status probe_ways(prober *p, ms_count_ways *s, ms_count_choice *const *way,
                            uint32_t count, ms_error *err)
{
  ms_status status = MS_OK;
  probe_loop l = {.prober = p, .way = way, .end = ms_calloc(count, sizeof *l.end)};
  if (!l.end)
    return ms_fail_memory(err, "the plan of a count");
  ms_parallel(ms_threads(p->query->threads), count, 1, probe_range, &l);
  for (uint32_t i = 0; i < count && status == MS_OK; i++) {
    status = l.end[i].status;
    if (status != MS_OK && err)
      *err = l.end[i].err;
    p->spent += l.end[i].spent;
    p->shortest = fmin(p->shortest, l.end[i].shortest);
    if (way[i]->cost < s->best.cost)
      s->best = *way[i];
  }
  ms_free(l.end);
  return status;
}

/* Chooses, among these ways, the one that a probe finds shortest; ways with an inner pattern follow
 * on processors, if the others take long. */
static ms_status probe_all(prober *p, ms_count_ways *s, ms_count_choice *const *way, uint32_t count,
                           uint32_t modules, ms_error *err)
{
  bool bounded = p->on_gpu || p->query->most_probes > 0;
  uint32_t probed = 0, next;
  s->best.cost = INFINITY;
  for (; probed < count && (probed < 2 || !is_too_long(p, 0)); probed = next) {
    next = bounded ? probed + 1 : count;
    MS_TRY(probe_ways(p, s, way + probed, next - probed, err));
  }
  if (!p->on_gpu && s->best.cost > LONG_FOR_MODULES * ms_hooks.probe_steps && modules > 0)
    MS_TRY(probe_ways(p, s, way + count, modules, err));
  return p->on_gpu && probed > 0 ? probe_again(p, s, way, probed, err) : MS_OK;
}

/* Sets the root of a 4-cycle to be its largest vertex, if all four vertices have the same domain
 * and the search is long.  The table then takes some of the paths of length two that it takes
 * otherwise, and no others, because each 4-cycle is found at one of its vertices and not at one of
 * each pair of opposite ones (vertex priority: Wang et al., PVLDB 2019).  So no probe needs to
 * compare the two. Fewer paths do not make a short search faster: on an H200, those of wiki-Vote
 * take 0.49 ms so, and 0.39 otherwise. */
static void root_squares_at_largest(const ms_count_query *query, const ms_shape *shape,
                                    ms_count_choice *c)
{
  bool square = c->cost >= ms_hooks.squares_steps && shape->n == 4 && !shape->directed &&
                !c->product && !c->plain && __builtin_popcountll(c->tail) == 2 &&
                ms_count_table_use(query) != MS_TABLE_NONE;
  for (uint32_t i = 0; square && i < shape->n; i++)
    square = ms_bitset_count(shape->out[i]) == 2 && shape->kind[i] == shape->kind[0];
  c->priority = c->priority || square;
}

/* Chooses the way by probes.  *sure: there is one alone, for a GPU, and nothing was probed. */
static ms_status choose_by_probes(prober *p, ms_count_ways *s, bool *sure, ms_error *err)
{
  const ms_count_query *query = p->query;
  bool is_quick = p->on_gpu || (query->most_probes > 0 && query->most_probes < FEW_PROBES);
  ms_count_choice *way[2u << MS_COUNT_SMALL];
  uint32_t modules, dropped, ways;
  p->rooted = s->rooted;
  p->shortest = INFINITY;
  p->population = is_quick ? GPU_POPULATION : POPULATION;
  MS_TRY(ms_count_compare_ways(s, err));
  ways = find_probes(s, p->on_gpu, way, &modules, &dropped);
  *sure = p->on_gpu && ways + dropped == 1 && ms_hooks.probe_steps > 0;
  if (*sure)
    root_squares_at_largest(query, p->shape, &s->best);
  return *sure ? MS_OK : probe_all(p, s, way, ways, modules, err);
}

/* Chooses by comparing all ways to count a small shape.  The comparison rests on mean degrees: if
 * domains and rows allow a far longer search, a probe judges the best way, and if that is long, all
 * ways. */
static ms_status choose_small(const ms_count_query *query, const ms_shape *shape,
                              const ms_domain *domain, ms_count_ways *s, ms_plan_input *input,
                              ms_count_plan *out, ms_error *err)
{
  s->far = ms_hooks.probe_factor;
  MS_TRY(ms_count_find_best_way(s, err));
  /* An engine on GPUs that the user asked for has no other to be compared with, and there a probe
   * takes as long as a short search. */
  bool on_gpu = query->engine && query->engine->weigh;
  bool estimate = query->large || query->estimate;
  bool at_once = ms_count_is_quick(query);
  out->at_once = at_once;
  if (on_gpu || at_once)
    root_squares_at_largest(query, shape, &s->best);
  if (at_once && is_begun_on_large(query, shape, domain, s->best.cost)) {
    MS_TRY(make_plan(&s->best, query, shape, input, out, err));
    return ms_count_plan_compile(query, domain, out, err); /* the GPU's engine weighs programs */
  }
  bool is_short = s->best.cost <= ms_hooks.probe_steps;
  if (is_short)
    MS_TRY(make_plan(&s->best, query, shape, input, out, err));
  if (is_short && on_gpu && !estimate) {
    bool is_long;
    MS_TRY(look_again(query, shape, domain, out, &is_long, err));
    if (!is_long)
      return MS_OK;
  } else if (is_short) {
    MS_TRY(probe_plan(query, domain, out, err));
    out->at_once = at_once && out->cost > ms_hooks.probe_steps;
    if (out->cost <= ms_hooks.probe_steps || at_once)
      return MS_OK;
  }
  bool sure = at_once;
  prober p = {.query = query, .shape = shape, .domain = domain, .input = input, .on_gpu = on_gpu};
  if (!sure) /* most searches are short or begin on a GPU, and need the best way alone */
    MS_TRY(choose_by_probes(&p, s, &sure, err));
  out->planning += PROBES_TIME * p.spent;
  if (is_short && sure)
    return MS_OK;
  ms_count_plan_free(out);
  out->weighed = on_gpu && !sure;
  MS_TRY(make_plan(&s->best, query, shape, input, out, err));
  return estimate ? probe_plan(query, domain, out, err) : MS_OK;
}

/* Returns the choices that were made before; NULL: none are kept. */
static ms_count_choices *choices_of(const ms_count_query *query)
{
  bool on_gpu = ms_count_is_quick(query) || (query->engine && query->engine->weigh);
  return query->leaves ? query->leaves->choices : on_gpu ? NULL : query->choices;
}

/* Plans a small shape, by the choice of an estimate or of an earlier share if there is one. */
static ms_status plan_small(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_count_ways *s, ms_plan_input *input,
                            ms_count_plan *out, ms_error *err)
{
  ms_count_choices *choices = choices_of(query);
  ms_count_chosen chosen;
  if (ms_count_choices_find(choices, query, shape, domain, &chosen)) {
    MS_TRY(make_plan(&chosen.choice, query, shape, input, out, err));
    out->cost = chosen.cost;
    /* shares decide alike, whichever of them has probed; others have this for nothing */
    out->planning = query->leaves ? chosen.planning : 0;
    out->weighed = chosen.weighed;
    return MS_OK;
  }
  MS_TRY(choose_small(query, shape, domain, s, input, out, err));
  chosen = (ms_count_chosen){s->best, out->cost, out->planning, out->weighed};
  ms_count_choices_keep(choices, query, shape, domain, &chosen);
  return MS_OK;
}

/* Plans a shape with the longest tail that the order of a listing has. */
static ms_status plan_large(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_plan_input *input, ms_count_plan *out,
                            ms_error *err)
{
  uint8_t order[MS_MAX_PATTERN];
  MS_TRY(ms_plan_new(shape, input, &out->plan, err));
  for (uint32_t i = 0; i < shape->n; i++)
    order[i] = out->plan->level[i].vertex;
  input->fixed = order;
  out->options.tail = longest_tail(out->plan);
  ms_count_plan_set_last(shape, out, input);
  ms_plan_free(out->plan);
  out->plan = NULL;
  MS_TRY(ms_plan_new(shape, input, &out->plan, err));
  out->cost = INFINITY;
  bool compared = query->large || query->estimate || ms_count_has_sum(query, shape) ||
                  ms_elimination_may(query, shape, domain) || ms_count_may_pivot(query, shape) ||
                  ms_hinge_may(query, shape);
  return compared ? probe_plan(query, domain, out, err) : MS_OK;
}

/* Finds the vertices that the tail of a module may have (count_ways.h). */
static void allow_modules(const ms_count_query *query, const ms_domain *domain, ms_count_ways *s)
{
  const ms_shape *shape = s->e.shape;
  bool on_cpu = !query->engine || query->engine == &ms_pattern_engine_cpu;
  for (uint32_t i = 0; on_cpu && !shape->directed && i < shape->n; i++)
    if (ms_domain_is_by_degree(&domain[i], query->index, ms_bitset_count(shape->out[i])))
      s->by_degree |= BIT(i);
}

ms_status ms_count_plan_new(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_count_plan *out, ms_error *err)
{
  ms_count_ways s;
  ms_plan_input input;
  memset(&s, 0, sizeof s);
  *out = (ms_count_plan){.options = ms_count_program_options(query)};
  ms_count_estimator_init(&s.e, query, shape, domain);
  ms_count_plan_input(&s.e, query->order, &input);
  bool small = shape->n <= MS_COUNT_SMALL && !shape->induced && !shape->label &&
               query->order == MS_ORDER_AUTO && ms_shape_is_connected(shape);
  if (small)
    allow_modules(query, domain, &s);
  ms_status status = small ? plan_small(query, shape, domain, &s, &input, out, err)
                           : plan_large(query, shape, domain, &input, out, err);
  ms_count_add_planning(query, MS_PLAN_STEPS + out->planning);
  if (status != MS_OK)
    ms_count_plan_free(out);
  return status;
}

ms_status ms_count_plan_rooted(const ms_count_query *query, const ms_shape *shape, uint32_t root,
                               const ms_domain *domain, ms_count_plan *out, ms_error *err)
{
  ms_count_query q = *query;
  ms_count_ways s;
  ms_plan_input input;
  q.engine = &ms_pattern_engine_cpu;
  q.large = NULL;
  q.estimate = true; /* the cost is that of a probe */
  memset(&s, 0, sizeof s);
  s.rooted = true;
  s.root = root;
  *out = (ms_count_plan){.options = ms_count_program_options(&q)};
  ms_count_estimator_init(&s.e, &q, shape, domain);
  ms_count_plan_input(&s.e, MS_ORDER_AUTO, &input);
  ms_status status = choose_small(&q, shape, domain, &s, &input, out, err);
  ms_count_add_planning(query, MS_PLAN_STEPS + out->planning);
  if (status != MS_OK)
    ms_count_plan_free(out);
  return status;
}
