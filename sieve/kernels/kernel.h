/* CPU sieve kernels: one block of points at a time on one thread.
 *
 * A block is 2^line_bits points: the inner line_bits bits of L number the lanes
 * of a line, and the outer bits are fixed. */
#ifndef MS_SIEVE_KERNEL_H
#define MS_SIEVE_KERNEL_H

#include "base/threads/stop.h"
#include "sieve/halves.h"
#include "sieve/problem.h"
#include "sieve/schedule/team.h"

/* Read-only data that all blocks of a problem share. */
typedef struct ms_sieve_shape {
  const ms_sieve_problem *problem;
  uint32_t line_bits;
  uint32_t inner_bits; /* min(line_bits, size) */
  uint32_t outer_bits; /* size - inner_bits */
  uint32_t line_bytes;
  /* For each vertex there is a table of linear forms in L: form 0 is zeta_i(L),
   * form q > 0 (sibling only) is R(i, 1, q)(L). */
  uint32_t forms;
  uint32_t row;                        /* bytes between one vertex's constants and the next's */
  uint32_t gammas;                     /* number of gamma(t, q) of a vertex with t >= 2 */
  uint32_t gamma_offset[MS_MAX_K + 1]; /* [t] number of the gammas of smaller t */
  uint32_t exchange;    /* greatest number of lines that a vertex publishes in one step */
  uint32_t *arc_active; /* [arcs] problem->active of the arc's head */
  bool far;             /* the lines that vertices publish do not fit the L2 cache */
  uint32_t slots;       /* lines of a step: n, or fewer with halves */
  uint32_t places;      /* entries of the tables of a pass: n, or a few more with halves */
  bool is_halved;       /* two vertices may share a line, by these lists: */
  const ms_sieve_halves *halves;
  bool is_quadratic;   /* with halves: step 2 reads no arcs (sieve/quadratic.h) */
  bool is_shared;      /* with halves: all threads work on one block (sieve/schedule/team.h) */
  const ms_stop *stop; /* polled between steps; may be NULL */
} ms_sieve_shape;

/* Returns the number of a vertex in the tables of a pass. */
static inline uint32_t ms_sieve_place_of(const ms_sieve_shape *shape, uint32_t v)
{
  return shape->is_halved ? shape->halves->place[v] : v;
}

/* The part without outer labels of a quadratic form, on the 32 lanes of a unit.  Bit i of byte b of
 * the two words together is bit b of coefficient i.  With bits l0 .. l4 of a lane, the
 * coefficients are those of
 *   l0, l1, l2, 1;  l0 l3, l1 l3, l2 l3, l3;  l0 l4, l1 l4, l2 l4, l4;  l0 l1, l0 l2, l1 l2, l3 l4.
 */
typedef struct ms_sieve_inner_form {
  uint64_t word[2];
} ms_sieve_inner_form;

/* The quadratic forms R(i, 2, q) of a pass (sieve/quadratic.h). */
typedef struct ms_sieve_quadratic {
  ms_sieve_inner_form *inner; /* [siblings][2 slots]; a pair's are at its places */
  uint64_t *outer; /* [outer_bits][siblings][places] linear forms at one outer label: byte b has bit
                      b of the coefficients of l0 .. l4, and of 1 in lower and in upper halves */
  uint8_t *pair;   /* [pairs of outer labels][siblings][places] coefficients */
} ms_sieve_quadratic;

/* The weights of one (repetition, variant); computed once, then read-only.  With halves, the tables
 * are in the order of places, and have `places` entries in place of n. */
typedef struct ms_sieve_pass {
  uint64_t *inner;     /* [n][forms] 8 x 8 bit matrices: lane bits -> element */
  uint8_t *outer;      /* [outer_bits][n][row] value of the form at one outer label */
  uint32_t *gamma;     /* for each t >= 2 [n][siblings of t], the weight in each byte of a word */
  uint8_t *gamma_byte; /* with halves, instead of gamma: for each t >= 2 [places][siblings of t] */
  uint8_t *alpha;      /* classic: [arcs][size - 1], s = 2 .. size */
  ms_sieve_quadratic quadratic;
} ms_sieve_pass;

/* A vertex that is not zero throughout the block. */
typedef struct ms_sieve_live {
  uint64_t first;  /* its live neighbours: head[first .. first + heads) */
  uint32_t vertex; /* with halves, its place */
  uint32_t heads;  /* with halves, those that are none */
} ms_sieve_live;

/* One thread's state, or, but for `member`, that of a team. */
typedef struct ms_sieve_scratch {
  uint8_t *constant;    /* [n][row] the forms at the block's outer labels */
  ms_sieve_live *found; /* [n] live vertices in vertex order; with halves, by their places */
  ms_sieve_live *live;  /* [n] live vertices by number of heads; with halves, those that are none */
  uint32_t *head;       /* [arcs + slack] live neighbours */
  uint32_t *arc;        /* [arcs + slack] classic: their arc numbers */
  void *state;          /* sibling: G [n][size] lines; classic: P [n][size] lines */
  void *exchange[2];    /* sibling: [n][exchange] lines, read at even and at odd steps */
  uint64_t *quadratic;  /* if the shape is quadratic: [siblings of 2][places] (sieve/quadratic.h) */
  uint8_t *moment;      /* with halves: [places][row], to which blocks add (sieve/moments.h) */
  ms_sieve_member *member; /* with halves: of the team that has the arrays; NULL: of none */
} ms_sieve_scratch;

/* Number of entries past the end of `head` that kernels may read or write. It
 * is also the distance at which rows are prefetched, which lets some 30 misses
 * of 100 ns overlap. */
#define MS_SIEVE_SLACK 64
#define MS_SIEVE_AHEAD 32

/* Adds the block's contribution to q[n] by XOR; scratch->constant must already belong to `outer`.
 * Returns false if it was stopped; then q is unchanged. */
typedef bool ms_sieve_block_fn(const ms_sieve_shape *, const ms_sieve_pass *, ms_sieve_scratch *,
                               uint64_t outer, uint8_t *q);

/* The sibling recurrence where two vertices may share a line.  If the scratch has a member of a
 * team, the others call it with the same arguments but for it; all return once the block is done,
 * or the work is stopped.  What crosses edges in the last step is added to scratch->moment; a
 * block's part of q is whole once that is added, too. */
typedef struct ms_sieve_halves_kernel {
  uint32_t bits;     /* inner point bits, at most MS_HALVES_MOST_BITS */
  bool is_quadratic; /* it can do step 2 as sieve/quadratic.h says */
  bool (*available)(void);
  ms_sieve_block_fn *sibling;
} ms_sieve_halves_kernel;

typedef struct ms_sieve_kernel {
  const char *path;       /* name of the gf2 path */
  uint32_t line_bits;     /* at most 8: inner labels are kept as 8 x 8 bit matrices */
  uint32_t scale_at_head; /* with this many siblings or more, a vertex publishes P(t) instead of all
                             A(t, q) */
  bool (*available)(void);
  void (*setup)(void);
  ms_sieve_block_fn *sibling, *classic;
  const ms_sieve_halves_kernel *halves; /* NULL: there is none */
} ms_sieve_kernel;

/* Sets live[count] to found[count] sorted by number of heads or, if the shape
 * is far, in the old order, which reads memory from front to back. Kernels loop
 * over the heads of one vertex after the other, a few at a time: if equal
 * numbers follow each other, the branch predictor knows where each loop ends.
 * Vertices of 64 heads or more stay in order. */
void ms_sieve_order_live(const ms_sieve_shape *shape, ms_sieve_scratch *scratch, uint32_t count);

/* These two give the kernels of this build, one for each arithmetic path. */
uint32_t ms_sieve_kernel_count(void);
const ms_sieve_kernel *ms_sieve_kernel_at(uint32_t index);

#endif
