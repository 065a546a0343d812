/* The fitted rates of the CPU's kernels, and predictions from them (sieve/cpu_time.h). */
#include "sieve/cpu_time.h"

#include "base/threads/threads.h"
#include "sieve/cost.h"

#include <math.h>
#include <string.h>

/* Fitted by bench/sieve_rates.py to bench/results/sieve-rates-epyc.txt; for neon from counted
 * instructions, two a cycle at 3 GHz.  The rate of a product is 0 where the time follows the bytes
 * alone.  Kernels without halved lines have no rates for them. */
static const struct known {
  const char *path;
  ms_sieve_rates whole, halved;
} known[] = {
    {"gfni512", {0, 2.1e-11, 1.9e-10}, {0, 6.0e-11, 1.55e-10}},
    {"gfni256", {0, 3.6e-11, 5.0e-10}, {0, 9.0e-11, 1.8e-10}},
    {"bitslice256", {1.1e-10, 1.1e-11, 1.45e-10}, {9.9e-11, 2.6e-11, 2.0e-10}},
    {"bitslice64", {3.8e-10, 4.5e-11, 1.7e-10}, {0, 0, 0}},
    {"neon", {1.0e-10, 9.5e-12, 1.9e-10}, {0, 0, 0}},
    {"table", {1.3e-9, 7.3e-11, 7.3e-11}, {0, 0, 0}},
};

/* Making weights: for a vertex and slot, for an arc and label of its head, for
 * an arc and slot of the classic recurrence. */
#define VERTEX_WEIGHTS 7.5e-8
#define ARC_LABEL 3e-9
#define ARC_WEIGHTS 2e-9
/* The number of threads that saturate the memory bandwidth. */
#define FAR_THREADS 16

/* Returns the share of the accesses that miss the caches, from 0 (all data in
 * the L2 cache) to 1. Rows are read at random; state is read in order, so
 * hardware prefetches it and it counts for less. */
static double farness(const ms_sieve_shape *shape)
{
  /* doublings of the size from the L2 cache to more than any cache holds */
  static const double doublings = 6;
  const ms_sieve_problem *p = shape->problem;
  double line = (double)shape->slots * shape->line_bytes, state = line * p->size;
  double bytes = p->recurrence == MS_CLASSIC ? state : line * shape->exchange + state / 4;
  double above = log2(bytes / (double)ms_l2_bytes()) / doublings;
  above = above < 0 ? 0 : above > 1 ? 1 : above;
  return above * above;
}

ms_sieve_parts ms_sieve_cpu_parts(const ms_sieve_shape *shape, const ms_sieve_kernel *kernel)
{
  const ms_sieve_problem *p = shape->problem;
  const ms_instance *in = p->instance;
  ms_sieve_work w =
      ms_sieve_count_quickly(p, shape->inner_bits, kernel->scale_at_head, ms_sieve_lines_of(shape));
  double line = shape->line_bytes, far = farness(shape),
         bytes = (w.row_lines + w.state_lines) * line;
  return (ms_sieve_parts){
      .products = w.products * line,
      .near_bytes = bytes * (1 - far),
      .far_bytes = bytes * far,
      .weights =
          VERTEX_WEIGHTS * in->n * p->size +
          (p->recurrence == MS_SIBLING ? ARC_LABEL * (double)in->arcs * (double)p->labels / in->n
                                       : ARC_WEIGHTS * (double)in->arcs * p->size),
  };
}

const ms_sieve_rates *ms_sieve_cpu_rates(const char *path, bool is_halved)
{
  for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].path, path) == 0) {
      const ms_sieve_rates *r = is_halved ? &known[i].halved : &known[i].whole;
      return r->far_byte > 0 ? r : NULL;
    }
  return NULL;
}

double ms_sieve_pass_seconds(const ms_sieve_shape *shape, const ms_sieve_kernel *kernel,
                             int threads, uint32_t passes)
{
  ms_sieve_parts parts = ms_sieve_cpu_parts(shape, kernel);
  const ms_sieve_rates *r = ms_sieve_cpu_rates(kernel->path, shape->is_halved);
  if (!r) /* a new kernel: as the first one until it is measured */
    r = shape->is_halved ? &known[0].halved : &known[0].whole;
  double blocks = ldexp(1, (int)shape->outer_bits) * passes,
         busy = threads < blocks || shape->is_shared ? threads : blocks;
  return parts.weights / threads +
         (parts.products * r->product + parts.near_bytes * r->near_byte) / busy +
         parts.far_bytes * r->far_byte / (busy < FAR_THREADS ? busy : FAR_THREADS);
}
