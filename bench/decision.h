/* The decision variant of the sieve: one field element for the whole graph and each repetition, the
 * sum of the values Q(i) of all vertices, which tells whether there is any match.  Kaski, Lauri and
 * Thejaswi (SEA 2018) compare it with the variant that is localized at vertices;
 * docs/EXPERIMENTS.md explains what it saves here. */
#ifndef MS_BENCH_DECISION_H
#define MS_BENCH_DECISION_H

#include "sieve/kernel.h"

/* The sums Z(j) of zeta_i over the neighbours i of a vertex j: linear forms in the point L, as
 * ms_sieve_pass has them for other forms. */
typedef struct bench_roots {
  uint64_t *inner;   /* [n] */
  uint8_t *outer;    /* [outer_bits][n] */
  uint8_t *constant; /* [n] the forms at the block's outer labels */
} bench_roots;

/* Adds the block's contribution to the sum of all Q(i); scratch->constant and roots->constant must
 * already belong to `outer`.  The size of a match is at least BENCH_DECISION_LEAST. */
typedef void bench_decide_fn(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                             const bench_roots *roots, ms_sieve_scratch *scratch, uint64_t outer,
                             uint8_t *sum);
#define BENCH_DECISION_LEAST 4u

/* The decision variant over one line type, beside the localized kernel from the same template. */
typedef struct bench_decision_kernel {
  const char *path; /* name of the gf2 path */
  const ms_sieve_kernel *localized;
  bench_decide_fn *decide;
} bench_decision_kernel;

extern const bench_decision_kernel bench_decision_table, bench_decision_bitslice64,
    bench_decision_bitslice256, bench_decision_gfni256, bench_decision_gfni512;

#endif
