/* The decision variant of the sieve: one field element for the whole graph and each repetition, the
 * sum of the values Q(i) of all vertices, which tells whether there is any match.  Kaski, Lauri and
 * Thejaswi (SEA 2018) compare it with the variant that is localized at vertices;
 * docs/EXPERIMENTS.md explains what it saves here. */
#ifndef MS_BENCH_DECISION_H
#define MS_BENCH_DECISION_H

#include "bench/sieve/experiments.h"
#include "sieve/kernels/kernel.h"

/* The sums Z(j) of zeta_i over the neighbours i of a vertex j: linear forms in the point L, as
 * ms_sieve_pass has them for other forms. */
typedef struct bench_roots {
  uint64_t *inner;   /* [n] */
  uint8_t *outer;    /* [outer_bits][n] */
  uint8_t *constant; /* [n] the forms at the block's outer labels */
} bench_roots;

/* Adds the block's contribution to the sum of all Q(i); scratch->constant and roots->constant must
 * already belong to `outer`.  The size of a match is at least BENCH_DECIDE_LEAST. */
typedef void bench_decide_fn(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                             const bench_roots *roots, ms_sieve_scratch *scratch, uint64_t outer,
                             uint8_t *sum);

/* The decision variant over one line type, beside the localized kernel from the same template. */
typedef struct bench_decision_kernel {
  const char *path; /* name of the gf2 path */
  const ms_sieve_kernel *localized;
  bench_decide_fn *decide;
} bench_decision_kernel;

/* A row of the table: one number of slots. */
typedef struct bench_decision_row {
  uint32_t vertices, slots, flagged;
  uint64_t edges;
  const char *arithmetic;
  double localized, decided; /* seconds, medians */
  double ratio;              /* median of the ratios of two runs in turn */
  uint32_t lines;            /* that cross each arc at a point: of the localized variant */
  uint8_t sum;               /* the value of the decision */
} bench_decision_row;

extern const bench_decision_kernel bench_decision_table, bench_decision_bitslice64,
    bench_decision_bitslice256, bench_decision_gfni256, bench_decision_gfni512;

#endif
