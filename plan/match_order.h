/* A matching order under construction: the vertices placed so far, the vertices that may
 * come next, and the estimated cost. */
#ifndef MS_PLAN_MATCH_ORDER_H
#define MS_PLAN_MATCH_ORDER_H

#include "plan/plan.h"

/* Every order is tried for shapes of at most this many vertices. */
#define MS_ORDER_EXHAUSTIVE 8u
/* A vertex has fewer neighbour rows than this: one for arcs from, and one for arcs to, each other
 * vertex. */
#define MS_MOST_ROWS (2 * MS_MAX_PATTERN)

typedef struct ms_order_state {
  const ms_shape *shape;
  const ms_plan_input *input;
  double mean_row; /* mean degree of an edge's end, which is the length of a row that is read */
  double closing; /* probability that a neighbour of one matched vertex is a neighbour of another */
  double share[MS_MOST_ROWS]; /* [rows] closing^(rows - 1) */
  uint32_t placed;
  ms_bitset done;                     /* vertices that are placed */
  uint8_t order[MS_MAX_PATTERN];      /* [placed] */
  ms_bitset back_out[MS_MAX_PATTERN]; /* [placed] earlier vertices with an arc to order[i] */
  ms_bitset back_in[MS_MAX_PATTERN];  /* [placed] the same for arcs from it; undirected: empty */
  double candidates[MS_MAX_PATTERN];  /* [placed] estimated candidates under one partial match */
  double work[MS_MAX_PATTERN];        /* [placed] entries that are read to find them */
  double matches[MS_MAX_PATTERN + 1]; /* [placed + 1] estimated maps of the first i vertices */
  double cost[MS_MAX_PATTERN + 1];    /* [placed + 1] steps to find them */
} ms_order_state;

void ms_order_state_init(const ms_shape *shape, const ms_plan_input *input, ms_order_state *walk);
void ms_order_state_place(ms_order_state *walk, uint32_t v);
void ms_order_state_undo(ms_order_state *walk);
/* Returns the vertices that may come next. */
ms_bitset ms_order_state_next(const ms_order_state *walk);
/* These two estimate the number of candidates of v if it came next, or with this number of rows. */
double ms_order_state_candidates(const ms_order_state *walk, uint32_t v);
double ms_order_state_estimate(const ms_order_state *walk, uint32_t v, uint32_t rows);

/* True if every graph vertex that v's colours accept also fits u's colours. */
static inline bool ms_kind_suits(const ms_shape *shape, uint32_t u, uint32_t v)
{
  return shape->kind[u] == MS_KIND_ANY || shape->kind[u] == shape->kind[v];
}

/* A rule scores v as the next vertex: the largest first score wins, then the largest
 * second score, and so on, then the smallest number. */
enum { MS_SCORES = 4 };
typedef void (*ms_score_fn)(const ms_order_state *walk, uint32_t v, double score[MS_SCORES]);
void ms_order_state_greedily(ms_order_state *walk, ms_score_fn score);

/* Places all vertices; the order must be empty. */
void ms_order_ri(ms_order_state *walk);
void ms_order_degree(ms_order_state *walk);
ms_status ms_order_reuse(ms_order_state *walk, ms_error *err);
/* Places all vertices that are not placed: the one with the fewest estimated candidates comes next.
 */
void ms_order_candidates(ms_order_state *walk);

#endif
