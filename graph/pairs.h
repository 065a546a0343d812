/* A growing array of pairs of ids: edges, or (vertex, colour). */
#ifndef MS_GRAPH_PAIRS_H
#define MS_GRAPH_PAIRS_H

#include "motifsieve.h"

typedef struct ms_pairs {
  uint32_t (*pair)[2]; /* [room] */
  uint64_t count, room;
} ms_pairs;

/* Start from {0}; free pairs->pair with ms_free. */
ms_status ms_pairs_add(ms_pairs *pairs, uint32_t first, uint32_t second, ms_error *err);
/* Copies the second id of each pair to an array; free *out with ms_free. */
ms_status ms_pairs_seconds(const ms_pairs *pairs, uint32_t **out, ms_error *err);

/* The pair (vertex, MS_DEFAULT_COLORS) stands for all colours that a file gives the vertices for
 * which it states none, which are the second ids of other pairs: a file of 1 MB may give 10,000
 * colours to 40,000 vertices so. */
#define MS_DEFAULT_COLORS UINT32_MAX
/* Copies the pairs to `out` ({0} before) with these colours in place of such a pair. */
ms_status ms_pairs_expand(const ms_pairs *pairs, const ms_pairs *defaults, ms_pairs *out,
                          ms_error *err);

/* Makes room for `more` further pairs. */
ms_status ms_pairs_reserve(ms_pairs *pairs, uint64_t more, ms_error *err);

#endif
