/* The last step of the sibling recurrence, for all points at once.
 *
 * Let A_j = gamma(k-1, 1, j) P(j, k-1), which vertex j would publish for the last step.  The part
 * of Q(i) that crosses edges there is the sum over L of zeta_i(L) times the sum of A_j(L) over the
 * neighbours j.  zeta_i(L) is the sum of its coefficients at the labels in L, so this is the sum
 * over the labels b of the coefficient at b times the sum over neighbours of the *moment* of j at
 * b, the sum of A_j(L) over the points L that have b.  Moments are sums over points, so blocks add
 * to them, and the arcs are read once for all blocks; what vertices publish has one byte for each
 * label. */
#ifndef MS_SIEVE_MOMENTS_H
#define MS_SIEVE_MOMENTS_H

#include "sieve/kernels/kernel.h"

/* Returns the bytes of the moments of a thread: for each place a row with one for each label. */
static inline uint64_t ms_sieve_moments_bytes(const ms_sieve_shape *shape)
{
  return (uint64_t)shape->places * shape->row;
}

/* Adds to q[n] what crosses edges in the last step, for vertices of places `begin` .. end - 1,
 * which are even numbers or the last place, given the moments [places][row] of some blocks of a
 * pass.  The shape is one with halves.  Polls the stop token of the shape; if it is stopped, the
 * status says why, and q is of no use. */
ms_status ms_sieve_moments_add(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                               uint32_t begin, uint32_t end, const uint8_t *moment, uint8_t *q);

#endif
