/* Vertices that are zero at half of the points of every block.
 *
 * A vertex whose only label is that of an inner point bit b is zero at each point without b.  All
 * that it publishes, and all that its own coefficients are multiplied by in the end, has its factor
 * zeta: so only the other half of the lanes matters, and two such vertices of one bit share the
 * lines of a *slot*.  The first has the lower half of each line, the second the upper one.  Any
 * other vertex has a slot to itself.  Where the lines do not fit a cache, the bytes of a block drop
 * in proportion.
 *
 * The lanes of a line have an order in which halves need not be moved.  Let l0, l1, .. be the bits
 * of a lane, and m the last of them.  Its point has bit 0 if m is 1, and bit j > 0 if m + l(j-1) is
 * odd.  So each point bit depends on m: of the two lanes that differ in m alone, exactly one has b,
 * and a lane of a half stands for this one.  To spread a half over a line is to mask it with
 * the lanes of the lower half that have b, and for the upper half, with the others.
 *
 * Slots are numbered: pairs of bit 0, of bit 1, .., then the other vertices, each in the order of
 * the instance.  Vertices have *places* in the same order; a pair has two, of which the second
 * repeats the first vertex if there is no other. */
#ifndef MS_SIEVE_HALVES_H
#define MS_SIEVE_HALVES_H

#include "sieve/problem.h"

#define MS_HALVES_MOST_BITS 7u  /* inner point bits; kernels have that many, or one less */
#define MS_HALVES_GROUP 4u      /* most slots whose coefficients share registers */
#define MS_HALVES_AHEAD 64u     /* entries past the end of half_head that kernels may read */
#define MS_HALVES_LEAST_SIZE 7u /* of a match, so that steps 2 and 3 are early ones */

/* The heads of a place: those that are halves, the same in every block, and the others, of which a
 * block has some. */
typedef struct ms_half_list {
  uint64_t first;
  uint32_t count;
} ms_half_list;

typedef struct ms_sieve_halves {
  uint32_t bits;                          /* inner point bits; a line has 2^bits points */
  uint32_t pairs;                         /* slots of two vertices */
  uint32_t pair_end[MS_HALVES_MOST_BITS]; /* [b] the first pair of a later bit than b */
  uint32_t full;                          /* slots of one vertex */
  uint32_t *vertex;                       /* [2 pairs + full] of each place */
  uint32_t *place;                        /* [n] of each vertex */
  ms_half_list *half;                     /* [places] in half_head */
  uint32_t *half_head;                    /* place << 3 | point bit */
  uint64_t *whole;                        /* [places + 1] first of a place in whole_head */
  uint32_t *whole_head;                   /* place */
  uint32_t *whole_active;                 /* [whole heads] their point bits */
} ms_sieve_halves;

/* Counts the slots and the places of a problem whose blocks have 2^bits points. */
void ms_sieve_halves_count(const ms_sieve_problem *problem, uint32_t bits, uint32_t *slots,
                           uint32_t *places);

/* Returns the bytes that ms_sieve_halves_new allocates. */
uint64_t ms_sieve_halves_bytes(const ms_sieve_problem *problem);

/* Makes the lists for blocks of 2^bits points, on threads.  The caller frees *halves. MS_ERR_MEMORY
 * if there is no memory. */
ms_status ms_sieve_halves_new(const ms_sieve_problem *problem, uint32_t bits, int threads,
                              ms_sieve_halves **halves, ms_error *err);
void ms_sieve_halves_free(ms_sieve_halves *halves);

/* Returns the bit matrix of the inner part of a linear form for the lanes of a place.  Given are
 * its columns, one for each of `bits` point bits, and the bit of the place's vertex (`bits`: it is
 * no half).  The first bits - 1 columns of the result are for the bits of a lane of either half,
 * the next one is added in the lower half, and the one after that in the upper half. */
uint64_t ms_sieve_half_matrix(uint64_t matrix, uint32_t bits, uint32_t bit);

/* Returns the coefficient of the linear form at an inner point bit, from what ms_sieve_half_matrix
 * has returned.  If the vertex is a half, `at` must be its bit, and the form must have no other
 * inner coefficient. */
uint8_t ms_sieve_half_coefficient(uint64_t lanes, uint32_t bits, uint32_t bit, uint32_t at);

/* Returns bit x for each lane x of the lower half of a line whose point has a bit.  With fewer bits
 * than MS_HALVES_MOST_BITS the upper ones of the result mean nothing. */
static inline uint64_t ms_sieve_half_lanes(uint32_t bit)
{
  static const uint64_t lanes[MS_HALVES_MOST_BITS] = {
      0,
      UINT64_C(0xAAAAAAAAAAAAAAAA),
      UINT64_C(0xCCCCCCCCCCCCCCCC),
      UINT64_C(0xF0F0F0F0F0F0F0F0),
      UINT64_C(0xFF00FF00FF00FF00),
      UINT64_C(0xFFFF0000FFFF0000),
      UINT64_C(0xFFFFFFFF00000000),
  };
  return lanes[bit];
}

/* Returns the number of places. */
static inline uint32_t ms_sieve_places(const ms_sieve_halves *halves)
{
  return 2 * halves->pairs + halves->full;
}

/* Returns the number of the line of a place that has a slot to itself. */
static inline uint32_t ms_sieve_whole_line(const ms_sieve_halves *halves, uint32_t place)
{
  return place - halves->pairs;
}

/* Returns the point bit of a vertex that is a half, or `bits`. */
static inline uint32_t ms_sieve_half_bit(const ms_sieve_problem *problem, uint32_t bits, uint32_t v)
{
  uint32_t active = problem->active[v];
  bool is_half = active != 0 && (active & (active - 1)) == 0 && active >> bits == 0;
  return is_half ? (uint32_t)__builtin_ctz(active) : bits;
}

#endif
