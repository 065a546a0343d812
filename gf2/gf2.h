/* Arithmetic paths: the operations of GF(2^8), with one implementation for each
 * instruction set and data layout ("line type"), chosen at run time. */
#ifndef MS_GF2_GF2_H
#define MS_GF2_GF2_H

#include "motifsieve.h"

typedef struct ms_gf2_path {
  const char *name;        /* "table", "bitslice64", ... */
  const char *layout;      /* one phrase for users */
  uint32_t lanes;          /* field elements in one line */
  bool (*available)(void); /* true if this processor has the instructions */

  /* Operations on arrays of `count` elements, one in each byte, of any alignment.
   * dst may be equal to a or b but may not overlap them otherwise. */
  void (*mul)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count);     /* a[i] * b[i] */
  void (*mul_add)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count); /* dst ^= */
  void (*scale)(uint8_t *dst, const uint8_t *a, uint8_t c, size_t count);          /* c * a[i] */

  /* Makes `rounds` rounds of independent multiply-adds x[i] = x[i] * y[i] + z on
   * lines in the path's layout, which stay in the L1 cache.  Returns the number of
   * products.  *sink receives a digest, so that the compiler removes no work. */
  uint64_t (*spin)(uint64_t rounds, uint8_t *sink);
} ms_gf2_path;

/* These two give the paths of this build, slowest first.  Not all need be
 * available. */
uint32_t ms_gf2_path_count(void);
const ms_gf2_path *ms_gf2_path_at(uint32_t index);

/* Finds the path of the sieve called `name`.  NULL: the path that the environment
 * variable MOTIFSIEVE_GF2 names, otherwise the fastest one that the sieve takes.  NULL
 * with MS_ERR_USAGE for a name that is unknown or not available; the
 * message lists those that can be given. */
const ms_gf2_path *ms_gf2_select(const char *name, ms_error *err);

#endif
