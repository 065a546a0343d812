/* Step 2 of the sibling recurrence without a look at the arcs, where two vertices may share a line
 * (sieve/halves.h).
 *
 * P(j, 2) = zeta_j R(j, 1, 1) is a product of two linear forms in L.  So R(i, 2, q), the sum of
 * gamma(2, q, j) P(j, 2) over the neighbours j of i, is a quadratic form in L: a coefficient for
 * each two labels, and one for each label.  They are summed over the arcs once for all blocks of a
 * repetition, and a block needs neither the rows of step 2 nor their sums.
 *
 * In a block, the outer labels are constant.  So the form is a polynomial of degree 2 in the bits
 * of a lane.  Its part that has no outer label is one table.  The products of an outer label and
 * inner ones are a linear form for each outer label, and a product of two outer labels is a
 * constant; the sum of these forms and constants for the labels that are in the block's points is
 * kept from block to block, like the constants of linear forms.
 *
 * Numbers q count from 0 here. */
#ifndef MS_SIEVE_QUADRATIC_H
#define MS_SIEVE_QUADRATIC_H

#include "sieve/kernels/kernel.h"

#define MS_QUADRATIC_MOST_SIZE 12u /* of a match: tables grow with the square of it */

/* Returns whether step 2 is done so, for a shape whose is_halved is set. */
bool ms_sieve_quadratic_fits(const ms_sieve_shape *shape);

/* These return the bytes of the tables of a pass; of what ms_sieve_quadratic_rows fills for all
 * labels of vertices; and of the sums that a thread, or a team, keeps for a block. */
uint64_t ms_sieve_quadratic_bytes(const ms_sieve_shape *shape);
uint64_t ms_sieve_quadratic_row_bytes(const ms_sieve_shape *shape);
uint64_t ms_sieve_quadratic_sum_bytes(const ms_sieve_shape *shape);

/* Allocates the tables; returns false, and leaves some of them, if there is no memory. */
bool ms_sieve_quadratic_alloc(const ms_sieve_shape *shape, ms_sieve_quadratic *quadratic);
void ms_sieve_quadratic_free(ms_sieve_quadratic *quadratic);

/* Sets row[size], whose word b has in byte q the coefficient of gamma(2, q, v) P(v, 2) at a label
 * of v and point bit b.  mu is that of the label, first[b * stride] the coefficient of R(v, 1, 1)
 * at b, and gamma has the weights of v at t = 2. */
void ms_sieve_quadratic_row(const ms_sieve_shape *shape, uint8_t mu, const uint8_t *first,
                            size_t stride, const uint8_t *gamma, uint64_t *row);

/* Makes the tables of vertex v.  row has the rows of all vertices, one for each label; those of
 * vertex j begin with number first_row[j]. */
void ms_sieve_quadratic_fill(const ms_sieve_shape *shape, uint32_t v, const uint64_t *first_row,
                             const uint64_t *row, ms_sieve_quadratic *quadratic);

/* Sets sum[siblings][places] to what the outer labels in `outer` add, for places begin .. end - 1.
 */
void ms_sieve_quadratic_init(const ms_sieve_shape *shape, const ms_sieve_quadratic *quadratic,
                             uint64_t outer, uint64_t begin, uint64_t end, uint64_t *sum);
/* Updates these places of sum[] after outer label `bit` was added or removed, which gave `outer`.
 */
void ms_sieve_quadratic_flip(const ms_sieve_shape *shape, const ms_sieve_quadratic *quadratic,
                             uint32_t bit, uint64_t outer, uint64_t begin, uint64_t end,
                             uint64_t *sum);

#endif
