#include "sieve/problem.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"

#include <math.h>

/* Mixes a vertex number into 64 bits.  Sums of such values distinguish sets of holders. */
static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

/* Sets holders[d] to the number of vertices that have label d. signature[d]
 * distinguishes different sets of them. Both are sums, so the order of the
 * threads does not matter. */
static void count_holders(const ms_instance *in, int threads, uint64_t *holders,
                          uint64_t *signature)
{
#pragma omp parallel for num_threads(threads) schedule(static) \
  reduction(+ : holders[:MS_MAX_K], signature[:MS_MAX_K])
  for (uint32_t v = 0; v < in->n; v++) {
    uint64_t mixed = mix(v + UINT64_C(0x9E3779B97F4A7C15));
    for (uint32_t rest = in->mask[v]; rest; rest &= rest - 1) {
      uint32_t d = (uint32_t)__builtin_ctz(rest);
      holders[d]++;
      signature[d] += mixed;
    }
  }
}

/* Orders labels by the cost of having them innermost. Labels with one holder
 * set (slots of one class) share the cost: h holders with c such labels outside
 * are dead in a block with probability 2^-c, and inside never, so the class
 * costs h * 2^-c and saves room for c others. */
static void order_labels(ms_sieve_problem *problem, int threads)
{
  const ms_instance *in = problem->instance;
  uint64_t holders[MS_MAX_K] = {0}, signature[MS_MAX_K] = {0};
  double cost[MS_MAX_K];
  count_holders(in, threads, holders, signature);
  for (uint32_t d = 0; d < problem->size; d++) {
    uint32_t alike = 0;
    problem->labels += holders[d];
    for (uint32_t e = 0; e < problem->size; e++)
      alike += signature[e] == signature[d];
    cost[d] = ldexp((double)holders[d], -(int)alike) / alike;
    problem->label_at[d] = (uint8_t)d;
  }
  /* insertion sort of at most 32 labels; it is stable, so the order is reproducible */
  for (uint32_t i = 1; i < problem->size; i++)
    for (uint32_t j = i; j > 0 && cost[problem->label_at[j]] < cost[problem->label_at[j - 1]];
         j--) {
      uint8_t other = problem->label_at[j];
      problem->label_at[j] = problem->label_at[j - 1];
      problem->label_at[j - 1] = other;
    }
}

/* Reorders the bits of masks as label_at says, with one table for each byte of
 * a mask. */
static void order_masks(ms_sieve_problem *problem, int threads)
{
  const ms_instance *in = problem->instance;
  uint32_t table[4][256] = {{0}};
  for (uint32_t b = 0; b < problem->size; b++) {
    uint32_t label = problem->label_at[b];
    for (uint32_t byte = 0; byte < 256; byte++)
      table[label / 8][byte] |= (byte >> label % 8 & 1) << b;
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t v = 0; v < in->n; v++) {
    uint32_t mask = in->mask[v];
    problem->active[v] = table[0][mask & 255] | table[1][mask >> 8 & 255] |
                         table[2][mask >> 16 & 255] | table[3][mask >> 24];
  }
}

ms_status ms_sieve_problem_init(ms_sieve_problem *problem, const ms_instance *instance,
                                uint32_t size, ms_recurrence recurrence, uint64_t seed, int threads,
                                ms_error *err)
{
  if (size < 1 || size > instance->k)
    return ms_fail(err, MS_ERR_USAGE,
                   "a match of %u vertices does not fit a motif of %u slots; use 1 to %u", size,
                   instance->k, instance->k);
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
                   "%u required vertices fit several of the motif's colours each, and each of "
                   "them doubles the work; require at most 8 such vertices",
                   instance->n_loose);
  problem->active = ms_alloc_lines(instance->n, sizeof *problem->active);
  if (!problem->active)
    return ms_fail_memory(err, "the sieve's vertex table");
  threads = ms_threads_for(threads, instance->n);
  if (problem->nu) { /* every label mixes all shades */
    uint32_t all = size == 32 ? UINT32_MAX : ((uint32_t)1 << size) - 1;
    for (uint32_t b = 0; b < size; b++)
      problem->label_at[b] = (uint8_t)b;
    uint64_t holders = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : holders)
    for (uint32_t v = 0; v < instance->n; v++) {
      problem->active[v] = instance->mask[v] ? all : 0;
      holders += instance->mask[v] != 0;
    }
    problem->labels = holders * size;
  } else {
    order_labels(problem, threads);
    order_masks(problem, threads);
  }
  return MS_OK;
}

void ms_sieve_problem_clear(ms_sieve_problem *problem)
{
  ms_free(problem->active);
  problem->active = NULL;
}
