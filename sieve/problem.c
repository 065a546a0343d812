#include "sieve/problem.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>

/* Mixes a vertex number into 64 bits; sums of these tell holder sets apart. */
static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

/* Labels by what it costs to have them innermost.  Labels with one holder set
 * (slots of one class) share the cost: h holders with c such labels outside
 * are dead in a block with probability 2^-c, and inside never, so the class
 * costs h * 2^-c and saves room for c others. */
static void order_labels(ms_sieve_problem *problem)
{
  const ms_instance *in = problem->instance;
  uint64_t holders[MS_MAX_K] = {0}, signature[MS_MAX_K] = {0};
  double cost[MS_MAX_K];
  for (uint32_t v = 0; v < in->n; v++)
    for (uint32_t rest = in->mask[v]; rest; rest &= rest - 1) {
      uint32_t d = (uint32_t)__builtin_ctz(rest);
      holders[d]++;
      signature[d] += mix(v + UINT64_C(0x9E3779B97F4A7C15));
    }
  for (uint32_t d = 0; d < problem->size; d++) {
    uint32_t alike = 0;
    for (uint32_t e = 0; e < problem->size; e++)
      alike += signature[e] == signature[d];
    cost[d] = ldexp((double)holders[d], -(int)alike) / alike;
    problem->label_at[d] = (uint8_t)d;
  }
  /* insertion sort: at most 32, stable, so that the order is reproducible */
  for (uint32_t i = 1; i < problem->size; i++)
    for (uint32_t j = i; j > 0 && cost[problem->label_at[j]] < cost[problem->label_at[j - 1]]; j--) {
      uint8_t other = problem->label_at[j];
      problem->label_at[j] = problem->label_at[j - 1];
      problem->label_at[j - 1] = other;
    }
}

ms_status ms_sieve_problem_init(ms_sieve_problem *problem, const ms_instance *instance, uint32_t size,
                                ms_recurrence recurrence, uint64_t seed, ms_error *err)
{
  if (size < 1 || size > instance->k)
    return ms_fail(err, MS_ERR_USAGE, "a match of %u vertices cannot be asked of a motif of %u slots; use 1 to %u",
                   size, instance->k, instance->k);
  *problem = (ms_sieve_problem){
    .instance = instance,
    .size = size,
    .shades = instance->k,
    .nu = instance->k > size,
    .recurrence = recurrence,
    .seed = seed,
    .variants = (uint32_t)1 << instance->n_loose,
  };
  if (instance->n_loose > 8)
    return ms_fail(err, MS_ERR_USAGE,
                   "%u required vertices fit several of the motif's colours each, which doubles the work "
                   "every time; require at most 8 such vertices",
                   instance->n_loose);
  problem->active = ms_alloc(instance->n, sizeof *problem->active);
  if (!problem->active)
    return ms_fail_memory(err, "the sieve's vertex table");
  if (problem->nu) /* every label mixes all shades */
    for (uint32_t b = 0; b < size; b++)
      problem->label_at[b] = (uint8_t)b;
  else
    order_labels(problem);
  uint32_t all = size == 32 ? UINT32_MAX : ((uint32_t)1 << size) - 1;
  for (uint32_t v = 0; v < instance->n; v++) {
    uint32_t bits = 0;
    for (uint32_t b = 0; b < size; b++)
      bits |= (instance->mask[v] >> problem->label_at[b] & 1) << b;
    problem->active[v] = problem->nu ? (instance->mask[v] ? all : 0) : bits;
  }
  return MS_OK;
}

void ms_sieve_problem_clear(ms_sieve_problem *problem)
{
  ms_free(problem->active);
  problem->active = NULL;
}
