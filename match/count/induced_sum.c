#include "match/count/induced_sum.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

#define MAX_VERTICES 6u

/* Returns the number of pairs that are not adjacent, and stores the first MS_SUM_PAIRS of them. */
static uint32_t find_pairs(const ms_shape *shape, uint8_t pair[MS_SUM_PAIRS][2])
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < shape->n; i++)
    for (uint32_t j = 0; j < i; j++) {
      if (ms_bitset_has(&shape->out[i], j))
        continue;
      if (count < MS_SUM_PAIRS) {
        pair[count][0] = (uint8_t)i;
        pair[count][1] = (uint8_t)j;
      }
      count++;
    }
  return count;
}

bool ms_induced_sum_exists(const ms_shape *shape)
{
  uint8_t pair[MS_SUM_PAIRS][2];
  if (!shape->induced || shape->directed || shape->label || shape->n > MAX_VERTICES)
    return false;
  uint32_t pairs = find_pairs(shape, pair);
  return pairs > 0 && pairs <= MS_SUM_PAIRS;
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
