/* The units of a sieve (base/units.h): aligned ranges of 2^i points of one pass, which is a
 * (repetition, variant).  The contribution of a unit is the XOR of its values: n bytes of its
 * repetition.  The division depends on the problem alone, so it is the same for all back ends.
 *
 * A unit has at least 2^MS_SIEVE_UNIT_BITS points, which are whole blocks on every back end, and a
 * pass has at most 2^MS_SIEVE_MOST_UNIT_BITS units.  Units follow one another in the order of their
 * blocks, but for this: the units of a pass are rows of units, as many as a row has units or up to
 * four times as many, and each row begins with another one of its units.  Without these turns, a
 * share of every N-th unit would have the points that agree in some of their outer labels, and so
 * more live vertices, or fewer, than other shares. */
#ifndef MS_SIEVE_UNITS_H
#define MS_SIEVE_UNITS_H

#include "base/units.h"
#include "sieve/problem.h"

/* No block of a back end has more points than 2^8 (sieve/kernel.h). */
#define MS_SIEVE_UNIT_BITS 8u
#define MS_SIEVE_MOST_UNIT_BITS 12u

/* Returns the number of units of a pass, a power of two. */
static inline uint64_t ms_sieve_pass_units(const ms_sieve_problem *problem)
{
  uint32_t bits = problem->size > MS_SIEVE_UNIT_BITS ? problem->size - MS_SIEVE_UNIT_BITS : 0;
  return (uint64_t)1 << (bits < MS_SIEVE_MOST_UNIT_BITS ? bits : MS_SIEVE_MOST_UNIT_BITS);
}

/* Returns the number of units of a repetition. */
static inline uint64_t ms_sieve_repetition_units(const ms_sieve_problem *problem)
{
  return ms_sieve_pass_units(problem) * problem->variants;
}

/* Returns the number of units of `repetitions`, which are evaluations where there are scores. */
static inline uint64_t ms_sieve_units(const ms_sieve_problem *problem, uint32_t repetitions)
{
  return ms_sieve_repetition_units(problem) * repetitions;
}

/* Returns the number of units of a row of a pass, whose places are the same ones in another order.
 */
static inline uint64_t ms_sieve_row_units(const ms_sieve_problem *problem)
{
  uint64_t units = ms_sieve_pass_units(problem), row = 1;
  while (row * row * 4 <= units)
    row *= 2;
  return row;
}

/* Returns the place of a unit: if all passes are cut into as many ranges of blocks as they have
 * units, and these ranges are numbered in the order of blocks, it is the number of the unit's. */
static inline uint64_t ms_sieve_unit_place(const ms_sieve_problem *problem, uint64_t unit)
{
  uint64_t units = ms_sieve_pass_units(problem), pass = unit / units,
           row = ms_sieve_row_units(problem);
  /* multiples of nearly the golden section spread evenly */
  uint64_t turn = (unit % units / row + pass) * (row * 5 / 8 | 1);
  return unit - unit % row + (unit + turn) % row;
}

#endif
