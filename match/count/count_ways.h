/* Compares all ways to count a small shape: every independent set, and every set with an inner
 * pattern, as the tail, and every order of the rest, by estimated cost. */
#ifndef MS_MATCH_COUNT_COUNT_WAYS_H
#define MS_MATCH_COUNT_COUNT_WAYS_H

#include "match/count/count_cost.h"
#include "match/cpu/inner_plan.h"
#include "plan/shape.h"

/* ---- modules --------------------------------------------------------------------------------- */

/* Modules of small shapes, which are tails with an inner pattern (cpu/inner_plan.h). */

/* Sets `out` to the shape that these vertices of a small shape induce, without colours. */
void ms_module_shape(const ms_shape *shape, uint64_t vertices, ms_shape *out);

/* True if a tail of a small shape, which is undirected, is counted by an inner pattern: at most two
 * vertices are outside of it, all of which are adjacent to all of it; it is connected, and no
 * vertex in it is adjacent to all others, because that one is better visited before them. */
bool ms_is_module(const ms_shape *shape, uint64_t tail);

/* Makes the plan of an inner pattern for inner graphs like those of the estimator: of a tail whose
 * vertices have the same neighbours outside of the tail, and edges among themselves.  The caller
 * frees it with ms_inner_plan_free.  MS_ERR_LIMIT: it needs too many terms (count_inner.c). */
ms_status ms_inner_plan_new(const ms_count_query *query, const ms_count_estimator *of_inner,
                            ms_inner_plan **out, ms_error *err);

/* ---- ways ------------------------------------------------------------------------------------ */

/* The greatest number of tail vertices with different candidates that are
 * counted by partitions. */
#define MS_COUNT_MIXED 4u

typedef struct ms_count_ways {
  ms_count_estimator e;
  /* the vertices whose domains hold all vertices of their degree, so that they may be in the tail
   * of a module; 0: there are no ways with inner patterns */
  uint64_t by_degree;
  /* [tail] number of automorphisms that its constraints break; 0: it is the
   * image of another tail */
  double symmetry[1u << MS_COUNT_SMALL];
  /* [i][j], i < j: the cost of the quotient in which these two vertices are one; 0: not known yet.
   * It is the same for all ways to count the shape. */
  double quotient[MS_COUNT_SMALL][MS_COUNT_SMALL];
  ms_count_choice now, best;
  /* [product][tail] the best choice of each; cost 0: none */
  ms_count_choice of_tail[2][1u << MS_COUNT_SMALL];
  double
      far; /* ways that cost so many times the best one are not wanted in `of_tail`; 0: all are */
  bool rooted;   /* every order begins with `root`, no tail has it, and there are no products: what
                    each root counts is a number of its own (hinge.h) */
  uint32_t root; /* then, a vertex that no automorphism moves */
  bool finds_best;      /* nothing is wanted in `of_tail` */
  ms_count_bound bound; /* of the orders that are tried */
} ms_count_ways;

/* Sets `best` from the estimator and `by_degree`; the rest of *ways is zero.  An order is given up
 * where its first levels cost more than the best way so far. */
ms_status ms_count_find_best_way(ms_count_ways *ways, ms_error *err);
/* Sets `best`, to the same, and `of_tail`, by the estimator, `by_degree` and `far`.  It is faster
 * after ms_count_find_best_way. */
ms_status ms_count_compare_ways(ms_count_ways *ways, ms_error *err);

#endif
