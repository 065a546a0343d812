#include "match/count/rooted_plan.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/wide.h"
#include "match/count/count_run.h"
#include "match/count/edge_product.h"
#include "match/cpu/rooted.h"

#include <stdatomic.h>

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

/* Takes the numbers of a shape from the passes. */
static ms_status take_small(const numbers *n, ms_rooted *r, bool *fit)
{
  ms_status status = ms_small_numbers(n->plan->small, r->small, &r->number, n->err);
  *fit = status != MS_ERR_MEMORY;
  return *fit ? status : MS_OK;
}

/* Counts the numbers of a book on a GPU.  Without memory there, programs count. */
static ms_status count_book(const numbers *n, const ms_rooted *r, bool *fit)
{
  const ms_count_query *q = n->query;
  ms_book book = r->book;
  ms_count_plan plan;
  ms_status status = ms_count_plan_squares(q, &plan, n->err);
  ms_pattern_task task = ms_count_task(q, plan.program);
  const uint64_t bytes = q->index->n * sizeof *book.number;
  bool room = ms_budget_reserve(q->budget, bytes);
  book.number = status == MS_OK && room ? ms_alloc(q->index->n, sizeof *book.number) : NULL;
  if (status == MS_OK)
    status = book.number ? q->engine->count_books(&task, &book, n->err) : MS_ERR_MEMORY;
  for (uint32_t v = 0; status == MS_OK && v < q->index->n; v++)
    r->number[v] = book.number[v];
  ms_free(book.number);
  if (room)
    ms_budget_release(q->budget, bytes);
  ms_count_plan_free(&plan);
  *fit = status != MS_ERR_MEMORY;
  return *fit ? status : MS_OK;
}

/* Counts the numbers of a shape, after those of the smaller shapes that it needs. */
static ms_status count_numbers(numbers *n, uint32_t number, bool *fit)
{
  ms_rooted *r = n->plan->of[number];
  ms_status status = MS_OK;
  if (r->number)
    return MS_OK;
  if (r->way == MS_ROOTED_SMALL)
    return take_small(n, r, fit);
  for (uint32_t i = 0; status == MS_OK && *fit && i < ms_rooted_sides(r); i++)
    status = count_numbers(n, r->from[i], fit);
  for (uint32_t i = 0; status == MS_OK && *fit && i < r->n_less; i++)
    status = count_numbers(n, r->less[i], fit);
  if (status != MS_OK || !*fit)
    return status;
  *fit = make_room(n, r);
  if (!*fit)
    return MS_OK;
  return r->way == MS_ROOTED_PROGRAM ? run_program(n, r, fit)
         : r->way == MS_ROOTED_BOOK  ? count_book(n, r, fit)
                                     : combine(n, r, fit);
}

static void free_numbers(numbers *n)
{
  for (uint32_t i = 0; i < n->plan->count; i++)
    ms_rooted_forget(n->plan->of[i]);
  ms_budget_release(n->query->budget, n->reserved);
}

/* ---- the sum --------------------------------------------------------------------------------- */

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
    ms_wide_set(x, a[v]);
    ms_wide_set(y, b[v]);
    mpz_addmul(sum, x, y);
  }
  ms_wide_set(x, small);
  mpz_add(sum, sum, x);
  mpz_clear(x);
  mpz_clear(y);
}

ms_status ms_rooted_numbers_sum(const ms_count_query *query, ms_rooted_plan *plan,
                                const uint32_t number[2], mpz_t sum, bool *fit, ms_error *err)
{
  numbers n = {.query = query, .plan = plan, .err = err};
  *fit = true;
  ms_status status = count_numbers(&n, number[0], fit);
  if (status == MS_OK && *fit)
    status = count_numbers(&n, number[1], fit);
  if (status == MS_OK && *fit)
    add_products(plan->of[number[0]]->number, plan->of[number[1]]->number, query->index->n, sum);
  free_numbers(&n);
  return status;
}

/* ---- many shapes -------------------------------------------------------------------------------
 */

/* Opens the plan of many shapes of at most `vertices` vertices, which passes may count. */
static ms_status open_plan(numbers *n, uint32_t vertices)
{
  const ms_count_query *q = n->query;
  n->plan->most = MS_ROOTED_MOST;
  return ms_small_fits(q->index)
             ? ms_small_new(q->index, vertices, q->threads, q->budget, &n->plan->small, n->err)
             : MS_OK;
}

static void close_plan(numbers *n)
{
  free_numbers(n);
  ms_small_free(n->plan->small);
  ms_rooted_plan_free(n->plan);
}

/* Shapes are counted by rooted numbers alone. */
static ms_status count_nothing(ms_counter *counter, const ms_shape *shape, mpz_t maps)
{
  (void)shape;
  (void)maps;
  return ms_fail(counter->err, MS_ERR_INTERNAL, "a rooted shape asked for the maps of another one");
}

static ms_status count_each(numbers *n, const ms_counter *counter, const ms_rooted_shape *shape,
                            uint32_t shapes, ms_rooted_fn *receive, void *user, ms_error *err)
{
  ms_status status = MS_OK;
  bool fit = true;
  uint32_t number;
  for (uint32_t i = 0; i < shapes && status == MS_OK && fit; i++) {
    MS_TRY(ms_rooted_plan_add(n->plan, counter, &shape[i].shape, shape[i].root, &number));
    status = count_numbers(n, number, &fit);
    if (status == MS_OK && fit)
      receive(user, i, n->plan->of[number]->number);
  }
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    return ms_fail(err, status, "stopped while rooted shapes are counted");
  MS_TRY(status);
  return fit ? MS_OK
             : ms_fail(err, MS_ERR_MEMORY,
                       "the numbers of all vertices need more memory, or have more than 128 bits");
}

ms_status ms_rooted_numbers_each(const ms_pattern_index *index, uint32_t vertices,
                                 const ms_rooted_shape *shape, uint32_t shapes,
                                 const ms_run_limits *limits, ms_budget *budget,
                                 ms_rooted_fn *receive, void *user, ms_error *err)
{
  ms_rooted_plan *plan = ms_calloc(1, sizeof *plan);
  ms_domains *domains = ms_alloc(1, sizeof *domains);
  ms_counter *counter = ms_alloc(1, sizeof *counter);
  ms_work work = {0};
  const ms_count_query query = {.index = index,
                                .domains = domains,
                                .engine = &ms_pattern_engine_cpu,
                                .threads = limits->threads,
                                .stop = ms_stop_current(),
                                .budget = budget,
                                .work = &work};
  ms_status status =
      plan && domains && counter ? MS_OK : ms_fail_memory(err, "the plan of rooted shapes");
  if (status == MS_OK) {
    numbers n = {.query = &query, .plan = plan, .err = err};
    ms_domains_of_all(index, vertices, domains);
    ms_counter_init(counter, &query, count_nothing, err);
    status = open_plan(&n, vertices);
    if (status == MS_OK)
      status = count_each(&n, counter, shape, shapes, receive, user, err);
    close_plan(&n);
  }
  ms_free(plan);
  ms_free(domains);
  ms_free(counter);
  return status;
}

/* ---- many roots of a shape ------------------------------------------------------------------- */

static ms_status count_roots(numbers *n, const ms_counter *counter, const ms_shape *shape,
                             const uint8_t *root, uint32_t roots, double most,
                             ms_rooted_fn *receive, void *user, bool *counted)
{
  uint32_t number[MS_ROOTED_VERTICES];
  for (uint32_t i = 0; i < roots; i++)
    MS_TRY(ms_rooted_plan_add(n->plan, counter, shape, root[i], &number[i]));
  bool fit = ms_rooted_plan_steps(n->plan, n->query->index, number, roots) < most;
  for (uint32_t i = 0; i < roots && fit; i++) {
    MS_TRY(count_numbers(n, number[i], &fit));
    if (fit)
      receive(user, i, n->plan->of[number[i]]->number);
  }
  *counted = fit;
  return MS_OK;
}

ms_status ms_rooted_numbers_within(const ms_count_query *query, const ms_shape *shape,
                                   const uint8_t *root, uint32_t roots, double most,
                                   ms_rooted_fn *receive, void *user, bool *counted, ms_error *err)
{
  ms_rooted_plan *plan = ms_calloc(1, sizeof *plan);
  ms_counter *counter = ms_alloc(1, sizeof *counter);
  ms_status status = plan && counter ? MS_OK : ms_fail_memory(err, "the plan of rooted shapes");
  *counted = false;
  if (status == MS_OK) {
    numbers n = {.query = query, .plan = plan, .err = err};
    ms_counter_init(counter, query, count_nothing, err);
    status = open_plan(&n, shape->n);
    if (status == MS_OK)
      status = count_roots(&n, counter, shape, root, roots, most, receive, user, counted);
    close_plan(&n);
  }
  ms_free(plan);
  ms_free(counter);
  return status;
}
