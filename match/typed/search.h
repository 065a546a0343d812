/* Lists and counts the matches of a typed pattern by backtracking over an index
 * (index.h), where candidates are intersections of sorted rows. */
#ifndef MS_MATCH_TYPED_SEARCH_H
#define MS_MATCH_TYPED_SEARCH_H

#include "match/stream.h"
#include "match/typed/index.h"
#include "plan/automorphisms.h"

#include <gmp.h>

/* A pattern vertex at its place in the matching order. */
typedef struct ms_typed_level {
  uint32_t vertex;
  uint32_t backs;               /* number of earlier levels that it is joined with */
  uint8_t back[MS_MAX_PATTERN]; /* [backs] these levels */
  /* [backs] the rows that lead from the candidates of back[i] to those of this
   * level */
  const ms_typed_pair *pair[MS_MAX_PATTERN];
  /* masks of the earlier levels whose match must be a smaller, or a larger,
   * vertex */
  uint64_t above, below;
} ms_typed_level;

typedef struct ms_typed_plan {
  uint32_t n;
  ms_typed_level level[MS_MAX_PATTERN]; /* [n] */
  double cost; /* expected number of partial matches, of all levels together */
} ms_typed_plan;

/* Chooses the matching order. The first vertex is the one with the smallest
 * domain. Next comes, among the vertices joined with earlier ones, the vertex
 * with the fewest expected candidates, estimated from the pairs' numbers of
 * entries. With a group one match of each class is found, the one whose row is
 * the smallest (Grochow and Kellis, as in automorphisms.h). The index's pairs
 * are reversed where necessary, so that they lead from earlier to later
 * levels. */
ms_status ms_typed_plan_new(ms_typed_index *index, const ms_group *group, ms_typed_plan *plan,
                            ms_error *err);

/* The input of a search. */
typedef struct ms_typed_search {
  const ms_typed_index *index;
  const ms_typed_plan *plan;
  const uint32_t *vertex; /* the graph's vertex for each vertex of the part */
  ms_stream *stream;      /* receives rows by pattern vertex; NULL: matches are counted */
  /* called with each row before it enters the stream, by several threads at the
   * same time; false: stop */
  bool (*check)(void *user, const uint32_t *row);
  void *user;
  const ms_stop *stop;
  /* approximate number of candidates after which the search gives up; 0: no
   * limit */
  uint64_t budget;
  /* with a budget: set if the budget was not enough; the status is MS_ERR_LIMIT
   * then */
  bool *spent;
  int threads;
} ms_typed_search;

/* Finds all matches: writes rows into the stream in an order that does not
 * depend on the threads, or (no stream) adds their number to `count`. The work
 * is divided by entries of the rows that lead to the second level, so that hubs
 * are divided as well. Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if it was
 * stopped; `count` then includes the matches counted until then. */
ms_status ms_typed_search_run(const ms_typed_search *search, mpz_t count, ms_error *err);

#endif
