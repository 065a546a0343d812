/* Listing and counting the matches of a typed pattern: backtracking over an
 * index (index.h), where candidates are intersections of sorted rows. */
#ifndef MS_MATCH_TYPED_SEARCH_H
#define MS_MATCH_TYPED_SEARCH_H

#include "match/stream.h"
#include "match/typed/index.h"
#include "plan/automorphisms.h"

#include <gmp.h>

/* The place of a pattern vertex in the match order. */
typedef struct ms_typed_level {
  uint32_t vertex;
  uint32_t backs;                            /* earlier levels that it is joined with */
  uint8_t back[MS_MAX_PATTERN];              /* [backs] */
  const ms_typed_pair *pair[MS_MAX_PATTERN]; /* [backs] rows from back[i]'s candidates to its own */
  uint64_t above, below; /* earlier levels whose match is a smaller vertex, a larger one */
} ms_typed_level;

typedef struct ms_typed_plan {
  uint32_t n;
  ms_typed_level level[MS_MAX_PATTERN]; /* [n] */
  double cost;                          /* partial matches to expect, of all levels together */
} ms_typed_plan;

/* Which vertex comes next: one that is joined with earlier ones, with the fewest candidates to
 * expect, by the pairs' numbers of entries; the first is the one with the smallest domain.  With a
 * group one match of each class is found, the one whose row is the smallest (Grochow and Kellis, as
 * in automorphisms.h).  Turns the index's pairs to lead from earlier to later levels. */
ms_status ms_typed_plan_new(ms_typed_index *index, const ms_group *group, ms_typed_plan *plan,
                            ms_error *err);

/* What a search is given. */
typedef struct ms_typed_search {
  const ms_typed_index *index;
  const ms_typed_plan *plan;
  const uint32_t *vertex; /* the graph's vertex of each vertex of the part */
  ms_stream *stream;      /* rows, by pattern vertex; NULL: they are counted */
  bool (*check)(void *user, const uint32_t *row); /* with a stream: looks at each row first, by
                             several threads at a time; false: stop */
  void *user;
  const ms_stop *stop;
  uint64_t budget; /* candidates looked at, about, after which to give up; 0: none */
  bool *spent;     /* with a budget: it was not enough; the status is MS_ERR_LIMIT then */
  int threads;
} ms_typed_search;

/* All matches: rows into the stream in an order that does not depend on the threads, or (no
 * stream) their number added to `count`.  Work is shared by entries of the rows that lead
 * to the second level, so that hubs are taken apart.  MS_ERR_LIMIT and MS_ERR_INTERRUPTED: stopped;
 * what was counted by then counts. */
ms_status ms_typed_search_run(const ms_typed_search *search, mpz_t count, ms_error *err);

#endif
