#include "match/count/rooted_plan.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "match/count/count_run.h"
#include "match/count/gluings.h"

#include <math.h>
#include <string.h>

#define ROOT_MARK (UINT64_C(1) << 63) /* shapes with keys have fewer kinds */
#define EDGE_STEPS 2.0                /* to add the number of a neighbour, about */
/* Time of a count of books on an H200, in steps of the CPU, which take 2 ns: for each path whose
 * ends are compared, for each vertex, whose number is copied, and for the launches. */
#define BOOK_PATH_STEPS 0.012
#define BOOK_VERTEX_STEPS 1.0
#define LAUNCH_STEPS 1e5

/* ---- one shape ------------------------------------------------------------------------------ */

/* Makes the key of a rooted shape.  Without one the shape is not found again. */
static bool make_key(const ms_counter *c, const ms_shape *shape, uint32_t root, ms_shape_key *key)
{
  uint64_t label[MS_MEMO_VERTICES];
  ms_counter_label(c, shape, label);
  label[root] |= ROOT_MARK;
  return ms_shape_key_of(shape, label, key);
}

/* Plans the program of a rooted shape, whose domains are known. */
static ms_status plan_program(const ms_counter *c, ms_rooted *r)
{
  const ms_count_query *q = c->query;
  ms_shape_name_kinds(&r->shape, r->of.domain);
  r->shape.kind[r->root] = r->shape.n + 1; /* other kinds are 1 .. n */
  for (uint32_t i = 0; i < r->shape.n; i++)
    if (r->of.domain[i].count == 0)
      return MS_OK; /* all numbers are 0 */
  if (r->shape.n == 1)
    return MS_OK; /* they are 1 in the domain */
  MS_TRY(ms_count_plan_rooted(q, &r->shape, r->root, r->of.domain, &r->plan, c->err));
  r->steps = r->plan.cost;
  return ms_count_plan_compile(q, r->of.domain, &r->plan, c->err);
}

static uint32_t most_of(const ms_rooted_plan *plan)
{
  return plan->most > 0 ? plan->most : MS_ROOTED_SHAPES;
}

/* Returns the number of threads that share what processors do beside a GPU; otherwise steps are
 * those of one thread. */
static double threads_of(const ms_rooted_plan *plan, const ms_counter *c)
{
  return plan->books ? ms_threads(c->query->threads) : 1;
}

/* ---- other ways than a program --------------------------------------------------------------- */

/* A way that is tried. */
typedef struct trial {
  ms_rooted_plan *plan;
  const ms_counter *counter;
  const ms_rooted *whole;
  bool seen[MS_ROOTED_MOST]; /* shapes whose steps are in `steps` */
  uint32_t from[2], n_less, less[MS_ROOTED_LESS];
  double own, steps, most; /* own: without other shapes */
} trial;

/* Returns the steps of a shape and of all that it needs, without those that were seen. */
static double see(const ms_rooted_plan *plan, uint32_t number, bool seen[MS_ROOTED_MOST])
{
  const ms_rooted *r = plan->of[number];
  if (seen[number])
    return 0;
  seen[number] = true;
  double steps = r->steps;
  for (uint32_t i = 0; i < ms_rooted_sides(r); i++)
    steps += see(plan, r->from[i], seen);
  for (uint32_t i = 0; i < r->n_less; i++)
    steps += see(plan, r->less[i], seen);
  return steps;
}

/* Adds a shape to the plan, and its steps to the trial. */
static ms_status add_shape(trial *t, const ms_shape *shape, uint32_t root, uint32_t *number)
{
  if (t->plan->count + 2 >= most_of(t->plan) || /* both sides of the hinge have room */
      !ms_counter_may_plan(t->counter))
    t->steps = INFINITY;
  if (t->steps >= t->most)
    return MS_OK;
  MS_TRY(ms_rooted_plan_add(t->plan, t->counter, shape, root, number));
  t->steps += see(t->plan, *number, t->seen);
  return MS_OK;
}

static ms_status add_less(trial *t, const ms_shape *glued)
{
  ms_bitset of_root = t->whole->shape.member[t->whole->root];
  uint32_t member = ms_bitset_first(of_root), root = 0;
  if (t->n_less == MS_ROOTED_LESS)
    t->steps = INFINITY;
  if (t->steps >= t->most)
    return MS_OK;
  while (!ms_bitset_has(&glued->member[root], member))
    root++;
  return add_shape(t, glued, root, &t->less[t->n_less++]);
}

static ms_status visit_gluing(void *user, const ms_shape *glued)
{
  return add_less(user, glued);
}

/* Tries the sum over the neighbours of each vertex. */
static ms_status try_edge(trial *t)
{
  const ms_shape *s = &t->whole->shape;
  uint32_t root = t->whole->root, next = ms_bitset_first(ms_shape_near(s, root));
  uint8_t block[MS_MAX_GLUED];
  ms_shape *made = ms_alloc(1, sizeof *made); /* the rest, then gluings */
  if (!made)
    return ms_fail_memory(t->counter->err, "the parts of a pattern");
  ms_shape_part(s, ms_bitset_without(ms_bitset_below(s->n), root), made);
  ms_status status = add_shape(t, made, next - (next > root), &t->from[0]);
  for (uint32_t v = 0; v < s->n && status == MS_OK; v++) {
    if (v == root || v == next)
      continue;
    for (uint32_t i = 0; i < s->n; i++)
      block[i] = (uint8_t)(i - (i > root));
    block[root] = block[v];
    ms_shape_quotient(s, block, s->n - 1, made);
    status = add_less(t, made);
  }
  ms_free(made);
  return status;
}

/* Tries the product of a component of the rest, with the root, and of all others. */
static ms_status try_product(trial *t)
{
  const ms_shape *s = &t->whole->shape;
  uint32_t root = t->whole->root;
  ms_hinge hinge[MS_MAX_HINGES];
  uint32_t hinges = ms_list_hinges(s, hinge);
  for (uint32_t i = 0; i < hinges; i++) {
    if (hinge[i].vertex != root)
      continue;
    for (int side = 0; side < 2; side++) {
      ms_bitset vertices = ms_bitset_or(hinge[i].side[side], ms_bitset_of(root));
      ms_shape *part = ms_alloc(1, sizeof *part); /* it is large for the stack of a recursion */
      if (!part)
        return ms_fail_memory(t->counter->err, "a part of a pattern");
      ms_shape_part(s, vertices, part);
      uint32_t place = ms_bitset_count(ms_bitset_and(vertices, ms_bitset_below(root)));
      ms_status status = add_shape(t, part, place, &t->from[side]);
      ms_free(part);
      if (status != MS_OK)
        return status;
    }
    return ms_each_gluing(s, hinge[i].side[0], hinge[i].side[1], visit_gluing, t, t->counter->err);
  }
  return MS_OK;
}

bool ms_rooted_falls_apart(const ms_shape *shape, uint32_t root)
{
  ms_bitset rest = ms_bitset_without(ms_bitset_below(shape->n), root);
  ms_shape part;
  ms_shape_part(shape, rest, &part);
  return !ms_shape_is_connected(&part);
}

/* Takes the way that the shape allows instead of a program if it takes less than `most` steps.
 * Shapes that only a way needs which is not taken stay in the plan, and are not counted. */
static ms_status try_other_way(ms_rooted_plan *plan, const ms_counter *c, double most, ms_rooted *r)
{
  trial t = {.plan = plan, .counter = c, .whole = r, .most = most};
  bool by_edge = ms_bitset_count(ms_shape_near(&r->shape, r->root)) == 1;
  if (r->shape.directed || r->shape.n < 3 ||
      (!by_edge && !ms_rooted_falls_apart(&r->shape, r->root)))
    return MS_OK;
  t.own = t.steps = by_edge ? EDGE_STEPS * (double)c->query->index->arcs / threads_of(plan, c) : 0;
  if (t.steps < t.most)
    MS_TRY(by_edge ? try_edge(&t) : try_product(&t));
  if (t.steps >= t.most)
    return MS_OK;
  ms_count_plan_free(&r->plan);
  r->way = by_edge ? MS_ROOTED_EDGE : MS_ROOTED_PRODUCT;
  r->steps = t.own;
  memcpy(r->from, t.from, sizeof r->from);
  memcpy(r->less, t.less, sizeof r->less);
  r->n_less = t.n_less;
  return MS_OK;
}

/* Plans a shape that passes count, or that falls apart into such shapes. */
static ms_status plan_small(ms_rooted_plan *plan, const ms_counter *c, ms_rooted *r)
{
  r->small = ms_small_find(&r->shape, r->root);
  if (r->small == MS_NO_SMALL)
    return try_other_way(plan, c, INFINITY, r);
  r->way = MS_ROOTED_SMALL;
  return MS_OK;
}

/* True if the shape is a book, whose numbers have at most 62 bits. */
static bool find_book(const ms_pattern_index *index, const ms_shape *s, uint32_t root,
                      ms_book *book)
{
  uint32_t ends = 0, pages = 0, of_root = ms_bitset_count(s->out[root]);
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t degree = ms_bitset_count(s->out[i]);
    ends += degree + 1 == s->n;
    pages += degree == 2;
  }
  *book = (ms_book){.pages = s->n - 2, .at_page = s->n > 3 && of_root == 2};
  return s->n > 2 && book->pages <= MS_BOOK_PAGES && ends == (s->n == 3 ? 3 : 2) &&
         pages == (s->n == 3 ? 3 : book->pages) &&
         pow(index->longest, book->pages + 1) < (double)(UINT64_C(1) << 62);
}

/* Plans a shape for a GPU: a book, or one that falls apart into books and edges. */
static ms_status plan_book(ms_rooted_plan *plan, const ms_counter *c, ms_rooted *r)
{
  const ms_pattern_index *index = c->query->index;
  r->way = MS_ROOTED_BOOK;
  r->steps = INFINITY;
  if (ms_count_is_restricted(c->query, &r->shape, r->of.domain))
    return MS_OK;
  if (!find_book(index, &r->shape, r->root, &r->book))
    return try_other_way(plan, c, INFINITY, r);
  r->steps = BOOK_PATH_STEPS * index->middle_paths + BOOK_VERTEX_STEPS * index->n + LAUNCH_STEPS;
  return MS_OK;
}

/* Chooses the way to count a shape. */
static ms_status plan_shape(ms_rooted_plan *plan, const ms_counter *c, ms_rooted *r)
{
  double weight = ms_hooks.count_hinge_weight;
  MS_TRY(ms_shape_domains_new(c->query->domains, &r->shape, &r->of, c->err));
  if (plan->small && r->shape.n <= MS_SMALL_VERTICES &&
      !ms_count_is_restricted(c->query, &r->shape, r->of.domain))
    MS_TRY(plan_small(plan, c, r));
  else if (plan->books && r->shape.n > 2)
    MS_TRY(plan_book(plan, c, r));
  if (r->way != MS_ROOTED_PROGRAM)
    return MS_OK;
  MS_TRY(plan_program(c, r));
  r->steps /= threads_of(plan, c);
  if (plan->programs || plan->books || !r->plan.program || r->steps <= ms_hooks.probe_steps)
    return MS_OK; /* nothing is clearly shorter */
  return try_other_way(plan, c, weight > 0 ? r->steps / weight : INFINITY, r);
}

/* ---- the plan -------------------------------------------------------------------------------- */

static uint32_t find_shape(const ms_rooted_plan *plan, const ms_shape_key *key)
{
  uint32_t i = 0;
  while (i < plan->count && memcmp(&plan->of[i]->key, key, sizeof *key) != 0)
    i++;
  return i;
}

ms_status ms_rooted_plan_add(ms_rooted_plan *plan, const ms_counter *c, const ms_shape *shape,
                             uint32_t root, uint32_t *number)
{
  ms_shape_key key = {0};
  bool named = make_key(c, shape, root, &key);
  *number = named ? find_shape(plan, &key) : plan->count;
  if (*number < plan->count)
    return MS_OK;
  ms_rooted *r = plan->count < most_of(plan) ? ms_calloc(1, sizeof *r) : NULL;
  if (!r)
    return ms_fail_memory(c->err, "rooted shapes of a count");
  plan->of[plan->count++] = r;
  r->shape = *shape;
  r->root = root;
  r->key = key;
  return plan_shape(plan, c, r);
}

uint32_t ms_rooted_checksum(const ms_rooted *r, const ms_pattern_index *index)
{
  const uint64_t size[] = {index->n, index->arcs};
  uint32_t sum = ms_crc32c(0, size, sizeof size);
  sum = ms_crc32c(sum, &r->key, sizeof r->key);
  for (uint32_t i = 0; i < r->shape.n; i++) {
    const ms_domain *d = &r->of.domain[i];
    const uint64_t facts[] = {r->shape.kind[i], d->lo, d->hi, d->count};
    sum = ms_crc32c(sum, facts, sizeof facts);
  }
  return sum;
}

double ms_rooted_plan_steps(const ms_rooted_plan *plan, const ms_pattern_index *index,
                            const uint32_t *number, uint32_t count)
{
  bool seen[MS_ROOTED_MOST] = {false};
  double steps = 0;
  uint32_t passes = 0;
  for (uint32_t i = 0; i < count; i++)
    steps += see(plan, number[i], seen);
  for (uint32_t i = 0; i < plan->count; i++)
    if (seen[i] && plan->of[i]->way == MS_ROOTED_SMALL)
      passes |= ms_small_passes(plan->of[i]->small);
  return passes ? steps + ms_small_steps(index, passes) : steps;
}

void ms_rooted_forget(ms_rooted *r)
{
  if (r->way != MS_ROOTED_SMALL)
    ms_free(r->number);
  r->number = NULL;
}

void ms_rooted_plan_free(ms_rooted_plan *plan)
{
  for (uint32_t i = 0; i < plan->count; i++) {
    ms_count_plan_free(&plan->of[i]->plan);
    ms_free(plan->of[i]->of.store);
    ms_rooted_forget(plan->of[i]);
    ms_free(plan->of[i]);
  }
  plan->count = 0;
}
