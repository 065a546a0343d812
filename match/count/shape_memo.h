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

#include "match/domains.h"
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

/* ---- numbers that several counts share ------------------------------------------------------ */

/* The formulas of many patterns need the same few small shapes.  A count alone names the domains of
 * its pattern by their order (counter.h); counts that share have one list of domains, so that equal
 * keys mean equal shapes in equal domains, whichever pattern they come from. */
#define MS_SHARED_DOMAINS 64u

typedef struct ms_shared_maps {
  const ms_pattern_index *index;       /* of all counts; NULL: there was none */
  ms_domain domain[MS_SHARED_DOMAINS]; /* [domains] with bits of their own */
  uint32_t domains;
  ms_shape_memo memo[2]; /* of shapes without directions, and of directed ones */
} ms_shared_maps;

/* Sets kind[domains->n] to one bit for each domain, equal if and only if the domains are equal.
 * False: there are too many different ones, or the index is another one, and nothing is shared. */
bool ms_shared_maps_name(ms_shared_maps *shared, const ms_domains *domains, uint64_t *kind);
void ms_shared_maps_free(ms_shared_maps *shared);

#endif
