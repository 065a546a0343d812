/* What the host (C) and the kernels (CUDA C++) of the GPU sieve agree on.
 *
 * A block of points is one word: 32 points, the inner five bits of L.  The
 * outer bits are those of gray(block).  An element of the field at the 32
 * points is eight words, two uint4.  The weights of several passes, a pass being
 * (repetition, variant), follow one another. */
#ifndef MS_GPU_SIEVE_SIEVE_DEVICE_H
#define MS_GPU_SIEVE_SIEVE_DEVICE_H

#include "gf2/gf256.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum {
  MS_WORD_BITS = 5,
  MS_SEGMENT = 64, /* arcs for one thread, or for one group of lanes */
  MS_HUB = 256,
  MS_MOST_PASSES = 16,
  MS_MOST_SLOTS = 32
};

typedef struct ms_device_arc {
  uint32_t head, active; /* active: the head's */
} ms_device_arc;

/* Arcs [first, last) of a vertex: vertices of high degree have several segments, which follow
 * one another. */
typedef struct ms_device_segment {
  uint64_t first;
  uint32_t vertex, count;
} ms_device_segment;

/* A problem on a device; all pointers are to device memory. */
typedef struct ms_device_problem {
  uint32_t n, size, shades, inner_bits, outer_bits, variants, loose_count;
  uint32_t forms;  /* linear forms a vertex: size (sibling) or 1 */
  uint32_t quads;  /* words that hold one byte of each form */
  uint32_t gammas; /* gamma(t, q), t >= 2 */
  uint32_t gamma_offset[MS_MOST_SLOTS + 1];
  uint32_t loose[MS_MOST_SLOTS];
  uint8_t label_at[MS_MOST_SLOTS];
  uint8_t exponent_base[MS_MOST_SLOTS]; /* as in ms_sieve_problem, and so are these two */
  uint32_t evaluations;
  const uint8_t *exponent; /* [n]; NULL: there are no scores */
  bool nu, sibling;
  uint64_t seed, arcs, segment_count;
  const uint64_t *offset;           /* [n + 1] */
  const ms_device_arc *arc;         /* [arcs] */
  const uint32_t *active;           /* [n] */
  const uint32_t *vertex;           /* [n] ids in the input graph */
  const uint32_t *mask;             /* [n] */
  const ms_device_segment *segment; /* [segment_count]; NULL: one for each vertex */
  uint32_t hubs;                    /* number of vertices of more than MS_HUB arcs */
  uint64_t hub_segments;
  const uint32_t *hub_of; /* [n] number of the hub, or UINT32_MAX; NULL without hubs */
  const ms_device_segment *hub_segment;
} ms_device_problem;

/* Weights; v runs fastest, so that neighbouring threads read neighbouring words. */
typedef struct ms_device_pass {
  uint8_t *coefficient; /* [n][32] coefficient of zeta at a point bit; work space */
  uint8_t *gamma1;      /* [n][32] gamma(1, q) at q; work space */
  /* the same two of the whole graph, where `n` is that of a block of vertices; else equal to them
   */
  const uint8_t *all_coefficients, *all_gamma1;
  uint32_t *value; /* [size][quads][n] four forms at a point bit, one byte each */
  uint4 *inner;    /* [forms][2][n] the forms at the inner bits alone, 32 points of the line type */
  uint8_t *gamma;  /* [gammas][n] */
  uint8_t *alpha;  /* classic: [size - 1][arcs] */
  uint32_t *q;     /* [n] the sums, in the low byte */
  /* R(., 2, q) as quadratic forms (gpu/sieve/quadratic.cuh); NULL: by rows of neighbours */
  uint32_t *pair;     /* [n][pairs][fours] coefficients of four q, a byte each */
  uint4 *inner_pairs; /* [n][q][2] the pairs of inner bits alone, 32 points */
  uint32_t *slot;     /* [n][1 + size][fours] work space: the form with the outer bits fixed */
  /* [n][words] sums of what the last step would publish over the points that have a bit, a byte for
   * each bit (gpu/sieve/recurrence.cuh); NULL: the last step reads rows */
  uint32_t *moment;
} ms_device_pass;

/* Pairs d <= e of point bits; words that hold one byte of each sibling index of subtrees of size
 * two. */
#define ms_quadratic_pairs(size) ((size) * ((size) + 1) / 2)
#define ms_quadratic_fours(size) ((((size)-1) / 2 + 3) / 4)
/* Words that hold one byte of each point bit. */
#define ms_moment_words(size) (((size) + 3) / 4)

#ifdef __cplusplus
extern "C" {
#endif

/* Sets arc[i] to heads[i] and its active set. */
cudaError_t ms_device_make_arcs(const uint32_t *heads, const uint32_t *active, uint64_t arcs,
                                ms_device_arc *arc, cudaStream_t stream);

/* Sets active[v] to the point bits of p->mask[v], and vertex[v] to v; there are as many labels as
 * shades. */
cudaError_t ms_device_make_labels(const ms_device_problem *p, uint32_t *active, uint32_t *vertex,
                                  cudaStream_t stream);

/* Writes the weights of (repetition, variant) into a pass, and clears its q.  `repetition` is the
 * number of an evaluation (ms_sieve_problem). */
cudaError_t ms_device_make_weights(const ms_device_problem *p, const ms_device_pass *pass,
                                   uint32_t repetition, uint32_t variant, cudaStream_t stream);

/* Writes only coefficient, gamma1 and gamma. */
cudaError_t ms_device_make_vertices(const ms_device_problem *p, const ms_device_pass *pass,
                                    uint32_t repetition, uint32_t variant, cudaStream_t stream);

/* Sets to[i] to the low byte of q[i]; `to` has room for the next multiple of four and may be
 * pinned host memory. */
cudaError_t ms_device_pack_q(const uint32_t *q, uint64_t count, uint8_t *to, cudaStream_t stream);

/* Makes the quadratic forms, after the weights; work: [n][size][size][fours] words. */
cudaError_t ms_device_make_quadratic(const ms_device_problem *p, const ms_device_pass *pass,
                                     void *work, cudaStream_t stream);

/* Adds to q what the moments of the neighbours give.  Both hold sums over the same points. */
cudaError_t ms_device_add_moments(const ms_device_problem *p, const ms_device_pass *pass,
                                  cudaStream_t stream);

/* ---- small graphs: a word on one multiprocessor, or several ------------------------ */

typedef struct ms_shared_plan {
  uint32_t blocks;       /* words at the same time */
  uint32_t threads;      /* of a block */
  uint32_t shared_bytes; /* of a block */
  uint32_t rows;         /* private rows of a vertex */
  uint64_t scratch;      /* bytes of global memory */
} ms_shared_plan;

/* False if the graph does not fit the shared memory of a multiprocessor. */
bool ms_shared_plan_make(const ms_device_problem *p, uint32_t multiprocessors,
                         uint32_t shared_bytes, ms_shared_plan *plan);
/* Runs units [first, last), unit = pass * blocks + block, of passes [0, passes). */
cudaError_t ms_shared_run(const ms_device_problem *p, const ms_shared_plan *plan,
                          const ms_device_pass *passes, uint4 *scratch, unsigned long long *counter,
                          uint64_t first, uint64_t last, cudaStream_t stream);

/* ---- graphs of any size: a step over all vertices at a time -------------------------- */

typedef struct ms_global_plan {
  uint32_t word_bits; /* a chunk is 2^word_bits words */
  bool ahead;         /* steps ask for arcs ahead; false unless it is set after the plan was made */
  uint32_t exchange;  /* most rows that a vertex publishes */
  uint64_t pair, inner_pairs, slot; /* bytes of the pass's quadratic forms; all 0: without them */
  uint64_t moment;                  /* bytes of the pass's moments; 0: without them */
  uint64_t state, rows, hub; /* bytes of the state, of one exchange buffer, of the hubs' sums */
  uint64_t scratch;          /* bytes in all */
} ms_global_plan;

/* quadratic: use quadratic forms where they pay (5 slots or more) and where the scratch memory
 * has room to make them. */
void ms_global_plan_make(const ms_device_problem *p, uint32_t word_bits, bool quadratic,
                         ms_global_plan *plan);
/* Runs `words` blocks, at most 2^word_bits, from `first` on, of one pass.  It is fastest where
 * they lie between two multiples of 2^word_bits. */
cudaError_t ms_global_run(const ms_device_problem *p, const ms_global_plan *plan,
                          const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                          uint32_t words, cudaStream_t stream);
/* Rows of one step, for ms_global_step: as in step_args of steps.cuh. */
typedef struct ms_global_rows {
  uint4 *state;
  const uint4 *from;
  uint4 *to;
  uint4 *hub_sum;
} ms_global_rows;

/* Does step t, from 1 on, of a sibling recurrence without quadratic forms, for the vertices of p,
 * which may be a block of those of the graph: its arrays and `to` begin at the block, and `from`
 * has the rows of all vertices.  The sums of hubs must be there from step 2 on. */
cudaError_t ms_global_step(const ms_device_problem *p, const ms_global_plan *plan,
                           const ms_device_pass *pass, const ms_global_rows *rows, uint32_t t,
                           uint64_t first, uint32_t words, cudaStream_t stream);
/* Sums the rows of the neighbours of hubs for step t; p is the whole graph. */
cudaError_t ms_global_sum_hubs(const ms_device_problem *p, const ms_global_plan *plan,
                               const ms_global_rows *rows, uint32_t t, uint64_t first,
                               uint32_t words, cudaStream_t stream);
cudaError_t ms_global_classic(const ms_device_problem *p, const ms_global_plan *plan,
                              const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                              uint32_t words, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
