/* The data that a typed search reads: the domains as lists, and for each pair
 * of joined pattern vertices the pairs of graph vertices that all edges between
 * them accept, as rows of sorted ranks.  All types are tested when the index is
 * built, so a search only intersects sorted rows. */
#ifndef MS_MATCH_TYPED_INDEX_H
#define MS_MATCH_TYPED_INDEX_H

#include "match/typed/walk.h"

struct ms_budget;

/* The rows that lead from the candidates of pattern vertex a to the candidates
 * of b. */
typedef struct ms_typed_pair {
  uint32_t a, b;
  uint64_t *offset; /* [size[a] + 1] */
  uint32_t *target; /* [offset[size[a]]] ranks in list[b], ascending within each row */
} ms_typed_pair;

typedef struct ms_typed_index {
  uint32_t n;
  uint32_t size[MS_MAX_PATTERN]; /* [n] */
  /* [n][size[i]] vertices of the part, ascending; the position of a vertex is
   * its rank */
  uint32_t *list[MS_MAX_PATTERN];
  uint32_t pairs;
  ms_typed_pair *pair; /* [pairs] each joined pair once */
  struct ms_budget *budget;
  uint64_t reserved; /* bytes reserved in the budget for lists and pairs */
} ms_typed_index;

/* Builds the index. Time and memory are O(arcs of the domains' vertices) for
 * each pair of joined pattern vertices. The memory is reserved in the budget,
 * which may be NULL, until the index is freed. Returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED if `stop` says so. */
ms_status ms_typed_index_new(const ms_typed_rows *rows, const ms_typed_query *query,
                             const ms_typed_domains *domains, int threads, const ms_stop *stop,
                             struct ms_budget *budget, ms_typed_index **out, ms_error *err);
void ms_typed_index_free(ms_typed_index *index);

/* Reverses the pair's rows, so that they lead from b to a. */
ms_status ms_typed_pair_turn(ms_typed_index *index, ms_typed_pair *pair, ms_error *err);

#endif
