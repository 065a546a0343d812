/* Checks rows that may be damaged, in one pass over all neighbours: are rows ascending and without
 * self-loops, and does every arc have its reverse?
 *
 * A fingerprint answers the last question without a search for reverses: give each vertex v a
 * random number g(v), and sum g(u) * g(v) over the arcs (u, v) with u < v, minus the same over
 * those with u > v, modulo 2^64.  Arcs in pairs cancel.  If some do not, the rest is a nonzero
 * polynomial in the numbers; for true random numbers it is 0 about once in 2^60 times, and the
 * multiplications of ms_row_number imitate them well.  Keys are drawn for every load, so that no
 * file can be prepared for them. */
#ifndef MS_GRAPH_FORMATS_ROW_SCAN_H
#define MS_GRAPH_FORMATS_ROW_SCAN_H

#include "motifsieve.h"

typedef struct ms_row_key {
  uint32_t mask, factor;
} ms_row_key;

ms_row_key ms_row_key_new(void);

/* Returns g(v): the product of the halves of a product. */
static inline uint64_t ms_row_number(ms_row_key key, uint32_t v)
{
  uint64_t product = (uint64_t)(v ^ key.mask) * key.factor;
  return (product >> 32) * (uint32_t)product;
}

/* Returns the sum of g over `count` > 0 neighbours of u, a row or a part of one, negative for
 * neighbours below u.  Sets *wrong where they do not ascend or include u (then the sum has no
 * meaning); else leaves it. */
typedef uint64_t (*ms_row_scan)(ms_row_key key, uint32_t u, const uint32_t *neighbor,
                                uint64_t count, bool *wrong);

uint64_t ms_row_scan_portable(ms_row_key key, uint32_t u, const uint32_t *neighbor, uint64_t count,
                              bool *wrong);
uint64_t ms_row_scan_avx2(ms_row_key key, uint32_t u, const uint32_t *neighbor, uint64_t count,
                          bool *wrong);
/* Returns the fastest one that this processor supports. */
ms_row_scan ms_row_scan_select(void);

#endif
