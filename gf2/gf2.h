/* Arithmetic paths: the same GF(2^8) operations, one implementation per
 * instruction set and data layout ("line type"), chosen at run time. */
#ifndef MS_GF2_GF2_H
#define MS_GF2_GF2_H

#include "motifsieve.h"

typedef struct ms_gf2_path {
  const char *name;        /* "table", "packed64", "bitslice64", ... */
  const char *layout;      /* one phrase for users */
  uint32_t lanes;          /* field elements in one line */
  bool (*available)(void); /* does this processor have the instructions */

  /* Arrays of `count` elements, one a byte, any alignment; dst may be equal
   * to a or b but may not overlap them otherwise. */
  void (*mul)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count);     /* a[i] * b[i] */
  void (*mul_add)(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count); /* dst ^= */
  void (*scale)(uint8_t *dst, const uint8_t *a, uint8_t c, size_t count);          /* c * a[i] */

  /* `rounds` rounds of independent multiply-adds x[i] = x[i] * y[i] + z on
   * lines in the path's own layout that stay in the L1 cache; returns the
   * number of products.  *sink takes a digest, so that no work is dropped. */
  uint64_t (*spin)(uint64_t rounds, uint8_t *sink);
} ms_gf2_path;

/* All paths of this build, slowest first; not all need be available. */
uint32_t ms_gf2_path_count(void);
const ms_gf2_path *ms_gf2_path_at(uint32_t index);

/* The path called `name`, or with NULL: the one that the environment variable
 * MOTIFSIEVE_GF2 names, else the fastest available.  An unknown name is
 * MS_ERR_USAGE, an unavailable one too; the message lists what there is. */
const ms_gf2_path *ms_gf2_select(const char *name, ms_error *err);

#endif
