/* A memo of numbers of maps, by shape.
 *
 * Gluing components and merging tails produces the same few small shapes many
 * times, with different numberings.  A key is a shape with a numbering that is
 * mostly the same for equal shapes: each component has the smallest adjacency
 * matrix among the numberings that a refinement leaves.  If these are too many,
 * there is no key.  Equal keys mean equal shapes, so a lookup is never wrong,
 * but it may miss. */
#ifndef MS_MATCH_COUNT_SHAPE_MEMO_H
#define MS_MATCH_COUNT_SHAPE_MEMO_H

#include "plan/shape.h"

#include <gmp.h>

#define MS_MEMO_VERTICES 10u

typedef struct ms_shape_key {
  uint64_t n;
  uint64_t label[MS_MEMO_VERTICES]; /* [n] equal iff the domains are equal */
  uint64_t out[MS_MEMO_VERTICES];   /* [n] */
} ms_shape_key;

/* Makes the key.  label[shape->n] are equal iff the domains are equal.  Returns false if there is
 * no key. */
bool ms_shape_key_of(const ms_shape *shape, const uint64_t *label, ms_shape_key *key);

typedef struct ms_shape_memo {
  struct ms_shape_maps {
    ms_shape_key key;
    mpz_t maps;
  } * entry; /* [count] */
  size_t count, room;
} ms_shape_memo;

/* Sets `maps` and returns true if the memo has the key. */
bool ms_shape_memo_get(const ms_shape_memo *memo, const ms_shape_key *key, mpz_t maps);
ms_status ms_shape_memo_put(ms_shape_memo *memo, const ms_shape_key *key, const mpz_t maps,
                            ms_error *err);
void ms_shape_memo_free(ms_shape_memo *memo);

#endif
