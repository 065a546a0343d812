/* The seconds that the CPU sieve needs, predicted from counts of products and bytes.
 *
 * The time of an evaluation is that of its weights, and a sum over the parts of its blocks: each
 * has a count, which follows from the problem, and a rate, which was fitted for each kernel
 * (bench/sieve/sieve_rates.c, docs/SIEVE.md "Predicted times"). */
#ifndef MS_SIEVE_CPU_TIME_H
#define MS_SIEVE_CPU_TIME_H

#include "sieve/kernels/kernel.h"

/* What the blocks of one evaluation do, over all of them. */
typedef struct ms_sieve_parts {
  double products;   /* products of field elements */
  double near_bytes; /* bytes of lines, read or written, by the share that fits the L2 cache */
  double far_bytes;  /* and by the rest */
  double weights;    /* seconds of one thread to make the weights */
} ms_sieve_parts;

/* Seconds of one thread for one product, and for one byte. */
typedef struct ms_sieve_rates {
  double product, near_byte, far_byte;
} ms_sieve_rates;

/* Returns the shape of a job on the CPU, without what needs allocations (sieve/pass.h), in blocks
 * of so many points (0: of any).  Where two vertices share a line, lines have
 * 2^kernel->halves->bits points. */
ms_sieve_shape ms_sieve_cpu_shape(const ms_sieve_problem *problem, const ms_sieve_kernel *kernel,
                                  uint32_t block_points);

ms_sieve_parts ms_sieve_cpu_parts(const ms_sieve_shape *shape, const ms_sieve_kernel *kernel);

/* Returns the fitted rates of a kernel, by the name of its arithmetic path, where two vertices
 * share a line or not; NULL: it has none. */
const ms_sieve_rates *ms_sieve_cpu_rates(const char *path, bool is_halved);

/* Returns the seconds that `threads` threads need for an evaluation, if the weights of `passes`
 * evaluations are kept at a time. */
double ms_sieve_pass_seconds(const ms_sieve_shape *shape, const ms_sieve_kernel *kernel,
                             int threads, uint32_t passes);

#endif
