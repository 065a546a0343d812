#include "match/count/induced_sum.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/count/count_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number of pairs that are not adjacent, and stores them. */
static uint32_t find_pairs(const ms_shape *shape, uint8_t pair[MS_SUM_PAIRS][2])
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    for (uint32_t j = 0; j < i; j++) {
      if (ms_bitset_has(&shape->out[i], j))
        continue;
      pair[count][0] = (uint8_t)i;
      pair[count++][1] = (uint8_t)j;
    }
  return count;
}

static void add_edges(const ms_induced_sum *sum, const ms_shape *shape, uint32_t added,
                      ms_shape *out)
{
  *out = *shape;
  out->induced = false;
  for (uint32_t i = 0; added >> i; i++)
    if (added >> i & 1) {
      uint32_t a = sum->pair[i][0], b = sum->pair[i][1];
      ms_bitset_add(&out->out[a], b);
      ms_bitset_add(&out->out[b], a);
      ms_bitset_add(&out->in[a], b);
      ms_bitset_add(&out->in[b], a);
    }
}

void ms_induced_sum_shape(const ms_induced_sum *sum, const ms_shape *shape, uint32_t term,
                          ms_shape *out)
{
  add_edges(sum, shape, sum->term[term].added, out);
}

/* Adds the set of pairs to the term of its shape, or makes that term.  Sets of one term have
 * the same size, so its factor never becomes 0. */
static void add_set(ms_induced_sum *sum, const ms_shape *shape, const uint64_t *label,
                    uint32_t added)
{
  ms_shape larger;
  struct ms_induced_term term = {.added = added, .factor = __builtin_popcount(added) % 2 ? -1 : 1};
  add_edges(sum, shape, added, &larger);
  bool named = ms_shape_key_of(&larger, label, &term.key);
  for (uint32_t i = 0; named && i < sum->count; i++)
    if (memcmp(&sum->term[i].key, &term.key, sizeof term.key) == 0) {
      sum->term[i].factor += term.factor;
      return;
    }
  sum->term[sum->count++] = term;
}

/* Negative factors come first, then fewer edges, whose order is that of their making. */
static int compare_terms(const void *a, const void *b)
{
  const struct ms_induced_term *s = a, *t = b;
  if ((s->factor < 0) != (t->factor < 0))
    return s->factor < 0 ? -1 : 1;
  return (s->added > t->added) - (s->added < t->added);
}

ms_status ms_induced_sum_new(const ms_shape *shape, const uint64_t *label, ms_induced_sum **out,
                             ms_error *err)
{
  ms_induced_sum *sum = ms_calloc(1, sizeof *sum);
  *out = sum;
  if (!sum)
    return ms_fail_memory(err, "the terms of an induced count");
  uint32_t pairs = find_pairs(shape, sum->pair);
  for (uint32_t added = 0; added < UINT32_C(1) << pairs; added++)
    add_set(sum, shape, label, added);
  qsort(sum->term, sum->count, sizeof *sum->term, compare_terms);
  return MS_OK;
}

ms_status ms_induced_sum_count(const ms_induced_sum *sum, const ms_shape *shape,
                               ms_count_shape_fn count, void *user, mpz_t maps, ms_error *err)
{
  ms_status status = MS_OK;
  ms_shape *larger = ms_alloc(1, sizeof *larger); /* large for the stack of a recursion */
  if (!larger)
    return ms_fail_memory(err, "a term of an induced count");
  mpz_t of_term;
  bool subtracting = false;
  mpz_init(of_term);
  mpz_set_ui(maps, 0);
  for (uint32_t i = 0; status == MS_OK && i < sum->count; i++) {
    int32_t factor = sum->term[i].factor;
    ms_induced_sum_shape(sum, shape, i, larger);
    subtracting = factor < 0;
    status = count(user, larger, of_term);
    mpz_mul_si(of_term, of_term, factor);
    mpz_add(maps, maps, of_term);
  }
  mpz_clear(of_term);
  ms_free(larger);
  /* a sum that was stopped lacks positive terms, so it may still be negative */
  if (status != MS_OK && (subtracting || mpz_sgn(maps) < 0))
    mpz_set_ui(maps, 0);
  return status;
}

/* ---- the choice and the count -----------------------------------------------------------------
 */

static ms_status count_term(void *user, const ms_shape *shape, mpz_t maps)
{
  ms_counter *c = user;
  return c->count(c, shape, maps);
}

/* Sets *shorter to whether the sum's estimated steps, which include the time to plan its terms, are
 * less than `direct`, and then *known to what was found out about the terms. */
static ms_status compare_sum(const ms_counter *c, const ms_shape *shape, const ms_induced_sum *sum,
                             double direct, bool *shorter, ms_estimates *known)
{
  ms_term_counter trial;
  double limit = ms_hooks.count_sum_weight > 0 ? direct / ms_hooks.count_sum_weight : INFINITY;
  double planning = ms_hooks.probe_steps > 0 ? ms_hooks.probe_steps * sum->count : 0;
  double steps = planning;
  ms_status status = MS_OK;
  ms_shape *larger = ms_alloc(1, sizeof *larger);
  if (!larger)
    return ms_fail_memory(c->err, "the terms of a sum");
  mpz_t ignored;
  mpz_init(ignored);
  ms_terms_init(&trial, c, shape);
  trial.query.estimate = true;
  ms_terms_bound_planning(&trial, direct);
  for (uint32_t i = 0; status == MS_OK && i < sum->count && steps < limit; i++) {
    ms_induced_sum_shape(sum, shape, i, larger);
    status = trial.c.count(&trial.c, larger, ignored);
    steps = planning + trial.c.report.work + trial.c.report.factors;
    if (!ms_counter_may_plan(&trial.c))
      steps = INFINITY;
  }
  *shorter = status == MS_OK && steps < limit;
  if (*shorter) {
    *known = trial.own;
    known->spent = 0;
    trial.own = (ms_estimates){.spent = trial.own.spent};
  }
  ms_terms_free(&trial);
  mpz_clear(ignored);
  ms_free(larger);
  return status;
}

ms_status ms_sum_estimate(ms_counter *c, ms_count_case *k, bool *pays)
{
  uint64_t label[MS_MEMO_VERTICES];
  ms_term_counter terms;
  if (!ms_count_has_sum(c->query, &k->shape) || k->plan.cost <= ms_hooks.probe_steps)
    return MS_OK;
  ms_terms_init(&terms, c, &k->shape);
  ms_counter_label(&terms.c, &k->shape, label);
  MS_TRY(ms_induced_sum_new(&k->shape, label, &k->sum, c->err));
  ms_status status = compare_sum(c, &k->shape, k->sum, k->plan.cost, pays, &k->terms);
  if (!*pays) {
    ms_free(k->sum);
    k->sum = NULL;
  }
  return status;
}

ms_status ms_sum_count(ms_counter *c, ms_count_case *k, mpz_t maps)
{
  ms_term_counter terms;
  ms_terms_init(&terms, c, &k->shape);
  if (terms.c.estimates == &terms.own) {
    terms.own = k->terms;
    k->terms = (ms_estimates){.count = 0};
  }
  terms.c.report = c->report;
  ms_status status = ms_induced_sum_count(k->sum, &k->shape, count_term, &terms.c, maps, c->err);
  c->report = terms.c.report;
  ms_terms_free(&terms);
  return status;
}

void ms_sum_explain(const ms_count_case *k, const ms_count_text *t)
{
  ms_growing_put(t->out,
                 t->json ? ",\"terms\":%u"
                         : "counted: a sum with signs over %u patterns with further edges, which "
                           "need not be induced\n",
                 k->sum->count);
}
