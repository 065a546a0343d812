/* A memo of numbers of maps, by shape.
 *
 * Gluing components and merging tails meets the same few small shapes again and
 * again, in other numberings.  A key is a numbering that mostly comes out the
 * same for the same shape: components apart, each with the smallest adjacency
 * matrix among the numberings that a refinement leaves; where those are too
 * many there is no key.  Equal keys are equal shapes, so a lookup is never
 * wrong; it may miss. */
#ifndef MS_MATCH_SHAPE_MEMO_H
#define MS_MATCH_SHAPE_MEMO_H

#include "plan/shape.h"

#include <gmp.h>

#define MS_MEMO_VERTICES 10u

typedef struct ms_shape_key {
  uint64_t n;
  uint64_t label[MS_MEMO_VERTICES]; /* [n] what the vertex may be */
  uint64_t out[MS_MEMO_VERTICES];   /* [n] */
} ms_shape_key;

/* label[shape->n]: equal iff the domains are equal.  Returns false if there is no key. */
bool ms_shape_key_of(const ms_shape *shape, const uint64_t *label, ms_shape_key *key);

typedef struct ms_shape_memo {
  struct ms_shape_maps {
    ms_shape_key key;
    mpz_t maps;
  } * entry; /* [count] */
  size_t count, room;
} ms_shape_memo;

/* True if the memo has the key; then maps is set. */
bool ms_shape_memo_get(const ms_shape_memo *memo, const ms_shape_key *key, mpz_t maps);
ms_status ms_shape_memo_put(ms_shape_memo *memo, const ms_shape_key *key, const mpz_t maps,
                            ms_error *err);
void ms_shape_memo_free(ms_shape_memo *memo);

#endif
