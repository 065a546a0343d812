/* The weights of one (repetition, variant) on the CPU, laid out for the
 * kernels, and the constants of a block of points. */
#ifndef MS_SIEVE_PASS_H
#define MS_SIEVE_PASS_H

#include "sieve/kernels/kernel.h"

/* Fills the shape, except arc_active and halves, which need allocations.  With halves, the caller
 * also sets slots and places. */
ms_sieve_shape ms_sieve_shape_of(const ms_sieve_problem *problem, const ms_sieve_kernel *kernel,
                                 bool is_halved);

/* These two return the bytes that ms_sieve_pass_alloc allocates, and the bytes that
 * ms_sieve_pass_fill allocates for its own use. Both saturate. */
uint64_t ms_sieve_pass_bytes(const ms_sieve_shape *shape);
uint64_t ms_sieve_pass_work_bytes(const ms_sieve_shape *shape);

ms_status ms_sieve_pass_alloc(const ms_sieve_shape *shape, ms_sieve_pass *pass, ms_error *err);
void ms_sieve_pass_free(ms_sieve_pass *pass);

/* Makes all weights of an evaluation, of which a repetition has problem->evaluations, with O(labels
 * * (n + arcs)) byte operations, in parallel. Returns MS_ERR_MEMORY if there is no memory for the
 * working space. */
ms_status ms_sieve_pass_fill(const ms_sieve_shape *shape, uint32_t repetition, uint32_t variant,
                             int threads, ms_sieve_pass *pass, ms_error *err);

/* Sets constant[n][row] to the XOR of pass->outer[b] over the bits b of
 * `outer`, for places `begin` .. end - 1. */
void ms_sieve_constants_init(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint64_t outer,
                             uint64_t begin, uint64_t end, uint8_t *constant);
/* Updates these places of constant[] after one outer bit flipped. */
void ms_sieve_constants_flip(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint32_t bit,
                             uint64_t begin, uint64_t end, uint8_t *constant);

/* These do so for all that a scratch keeps from block to block: constants, and, if the shape is
 * quadratic, what outer labels add to quadratic forms.  After a flip the labels are `outer`. */
void ms_sieve_block_init(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint64_t outer,
                         uint64_t begin, uint64_t end, const ms_sieve_scratch *scratch);
void ms_sieve_block_flip(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint32_t bit,
                         uint64_t outer, uint64_t begin, uint64_t end,
                         const ms_sieve_scratch *scratch);

#endif
