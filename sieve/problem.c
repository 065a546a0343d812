#include "sieve/problem.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"

#include <math.h>

/* Mixes a vertex number into 64 bits.  Sums of such values distinguish sets of holders. */
static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

/* holders[d]: the number of vertices that have label d. signature[d]
 * distinguishes different sets of them. Both are sums, so the order of the
 * threads does not matter. */
typedef struct label_sums {
  const ms_instance *in;
  uint64_t holders[MS_MAX_K], signature[MS_MAX_K];
} label_sums;

static void count_holders(void *user, ms_range r)
{
  label_sums *sums = user;
  uint64_t holders[MS_MAX_K] = {0}, signature[MS_MAX_K] = {0};
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint64_t mixed = mix(v + UINT64_C(0x9E3779B97F4A7C15));
    for (uint32_t rest = sums->in->mask[v]; rest; rest &= rest - 1) {
      uint32_t d = (uint32_t)__builtin_ctz(rest);
      holders[d]++;
      signature[d] += mixed;
    }
  }
  for (uint32_t d = 0; d < MS_MAX_K; d++) {
    __atomic_fetch_add(&sums->holders[d], holders[d], __ATOMIC_RELAXED);
    __atomic_fetch_add(&sums->signature[d], signature[d], __ATOMIC_RELAXED);
  }
}

/* Orders labels by the cost of having them innermost. Labels with one holder
 * set (slots of one class) share the cost: h holders with c such labels outside
 * are dead in a block with probability 2^-c, and inside never, so the class
 * costs h * 2^-c and saves room for c others. */
static void order_labels(ms_sieve_problem *problem, int threads)
{
  const ms_instance *in = problem->instance;
  label_sums sums = {.in = in};
  const uint64_t *holders = sums.holders, *signature = sums.signature;
  double cost[MS_MAX_K];
  ms_parallel(threads, in->n, 0, count_holders, &sums);
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

typedef struct reordering {
  const ms_sieve_problem *problem;
  uint32_t table[4][256]; /* the new bits of each byte of a mask */
} reordering;

static void order_range(void *user, ms_range r)
{
  const reordering *o = user;
  const uint32_t *masks = o->problem->instance->mask;
  uint32_t *active = o->problem->active;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint32_t mask = masks[v];
    active[v] = o->table[0][mask & 255] | o->table[1][mask >> 8 & 255] |
                o->table[2][mask >> 16 & 255] | o->table[3][mask >> 24];
  }
}

/* Reorders the bits of masks as label_at says, with one table for each byte of
 * a mask. */
static void order_masks(ms_sieve_problem *problem, int threads)
{
  reordering o = {.problem = problem};
  for (uint32_t b = 0; b < problem->size; b++) {
    uint32_t label = problem->label_at[b];
    for (uint32_t byte = 0; byte < 256; byte++)
      o.table[label / 8][byte] |= (byte >> label % 8 & 1) << b;
  }
  ms_parallel(threads, problem->instance->n, 0, order_range, &o);
}

/* Gives every label to each vertex that has a slot. */
typedef struct mixing {
  const ms_sieve_problem *problem;
  uint32_t all; /* labels */
  uint64_t holders;
} mixing;

static void mix_range(void *user, ms_range r)
{
  mixing *m = user;
  uint64_t holders = 0;
  for (uint64_t v = r.begin; v < r.end; v++) {
    bool holds = m->problem->instance->mask[v] != 0;
    m->problem->active[v] = holds ? m->all : 0;
    holders += holds;
  }
  __atomic_fetch_add(&m->holders, holders, __ATOMIC_RELAXED);
}

ms_status ms_sieve_problem_begin(ms_sieve_problem *problem, const ms_instance *instance,
                                 uint32_t size, ms_recurrence recurrence, uint64_t seed,
                                 int threads, ms_error *err)
{
  *problem = (ms_sieve_problem){0};
  if (size < 1 || size > instance->k)
    return ms_fail(err, MS_ERR_USAGE,
                   "a match of %u vertices does not fit a motif of %u slots; use 1 to %u", size,
                   instance->k, instance->k);
  if (instance->n_loose > 8)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%u required vertices fit several of the motif's colours each, or slots may stay "
        "empty; each such vertex doubles the work of the sieve, so require at most 8",
        instance->n_loose);
  *problem = (ms_sieve_problem){
      .instance = instance,
      .size = size,
      .shades = instance->k,
      .nu = instance->k > size,
      .recurrence = recurrence,
      .seed = seed,
      .variants = (uint32_t)1 << instance->n_loose,
      .evaluations = 1,
  };
  if (!problem->nu)
    order_labels(problem, ms_threads_for(threads, instance->n));
  return MS_OK;
}

ms_status ms_sieve_problem_init(ms_sieve_problem *problem, const ms_instance *instance,
                                uint32_t size, ms_recurrence recurrence, uint64_t seed, int threads,
                                ms_error *err)
{
  MS_TRY(ms_sieve_problem_begin(problem, instance, size, recurrence, seed, threads, err));
  problem->active = ms_alloc_lines(instance->n, sizeof *problem->active);
  if (!problem->active)
    return ms_fail_memory(err, "the sieve's vertex table");
  threads = ms_threads_for(threads, instance->n);
  if (problem->nu) { /* every label mixes all shades */
    mixing m = {.problem = problem, .all = size == 32 ? UINT32_MAX : ((uint32_t)1 << size) - 1};
    for (uint32_t b = 0; b < size; b++)
      problem->label_at[b] = (uint8_t)b;
    ms_parallel(threads, instance->n, 0, mix_range, &m);
    problem->labels = m.holders * size;
  } else {
    order_masks(problem, threads);
  }
  return MS_OK;
}

void ms_sieve_problem_clear(ms_sieve_problem *problem)
{
  ms_free(problem->active);
  ms_free(problem->exponent);
  problem->active = NULL;
  problem->exponent = NULL;
}
