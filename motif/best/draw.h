/* Drawing some of many numbers at random. */
#ifndef MS_MOTIF_DRAW_H
#define MS_MOTIF_DRAW_H

#include "motifsieve.h"

/* Bytes that a drawing takes for each number that it draws, beside `number`. */
#define MS_DRAW_BYTES 32u

/* Draws `count` different ones of the numbers 0..total-1: each set of `count` numbers is equally
 * likely.  count <= total < 2^63.  number[count] receives them, ascending.  They are a function of
 * total, count and seed. */
ms_status ms_draw_numbers(uint64_t total, uint64_t count, uint64_t seed, uint64_t *number,
                          ms_error *err);

#endif
