/* The degeneracy order of a count of cliques (cliques.h): each vertex is taken where it has the
 * fewest neighbours among those that are left (Batagelj and Zaversnik, 2003). */
#ifndef MS_MATCH_CPU_CLIQUES_ORDER_H
#define MS_MATCH_CPU_CLIQUES_ORDER_H

#include "match/cpu/cliques/cliques.h"

/* Vertices that may be in a clique of the least size have places 0, 1, .. */
typedef struct ms_clique_order {
  uint32_t vertices;
  uint32_t *vertex;   /* [vertices] which it is, in the index */
  uint64_t *offset;   /* [vertices + 1] */
  uint32_t *neighbor; /* the places of neighbours behind each vertex */
  uint32_t longest;   /* the most of them */
} ms_clique_order;

/* Returns the most bytes that making an order takes. */
uint64_t ms_clique_order_bytes(const ms_pattern_index *index);
/* Makes the order; *out is {0} before.  A stop ends it with the status of the token.  The caller
 * frees *out with ms_clique_order_free, also after a failure. */
ms_status ms_clique_order_make(const ms_cliques_task *task, ms_clique_order *out, ms_error *err);
void ms_clique_order_free(ms_clique_order *order);

#endif
