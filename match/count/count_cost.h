/* The estimated cost of one way to count a small shape: a prefix that is visited in some order, and
 * a tail that is only counted. */
#ifndef MS_MATCH_COUNT_COUNT_COST_H
#define MS_MATCH_COUNT_COUNT_COST_H

#include "match/count/count.h"

#define MS_COUNT_SMALL 6u /* the most vertices of a small shape */

typedef struct ms_count_estimator {
  const ms_count_query *query;
  const ms_shape *shape;
  bool tables, touched; /* the engine uses tables; levels that only a table leads to are allowed */
  bool singles;         /* the set of a tail of one vertex may be looked up if no automorphism moves
                           it, */
  uint64_t fixed;       /* as of these vertices (count_ways.c) */
  double vertices, degree, ends, two_hops, closure[2]; /* degree: the mean; ends: D */
  double square_degrees;
  double domain[MS_MAX_PATTERN];
} ms_count_estimator;

typedef struct ms_count_choice {
  uint8_t order[MS_COUNT_SMALL]; /* the prefix, then the tail */
  uint64_t tail;                 /* bit i: vertex i */
  bool product, plain, priority; /* plain: without a table */
  bool module;                   /* the tail is counted by an inner pattern (count_inner.c) */
  double inner;                  /* of a module: steps in one inner graph */
  double cost, quotients;        /* cost of everything; cost of the quotients of a product alone */
} ms_count_choice;

/* Returns the options of programs that every way to count has. */
ms_program_options ms_count_program_options(const ms_count_query *query);
/* Returns how the engine of the query uses tables. */
ms_table_use ms_count_table_use(const ms_count_query *query);
/* domain[shape->n]; NULL: all vertices of the graph. */
void ms_count_estimator_init(ms_count_estimator *e, const ms_count_query *query,
                             const ms_shape *shape, const ms_domain *domain);

/* Makes the estimator of a shape in a graph that the common neighbours of `rows` >= 1 vertices
 * induce. */
void ms_count_estimator_inner(const ms_count_estimator *e, const ms_shape *shape, uint32_t rows,
                              ms_count_estimator *out);
/* Returns the steps to make such a graph. */
double ms_count_cost_of_graph(const ms_count_estimator *of_inner);

/* Returns the steps to visit the prefix and evaluate the tail. Constraints
 * leave one of `symmetry` matches in the end, and at least one of i! partial
 * matches of the first i vertices. */
double ms_count_cost(const ms_count_estimator *e, const ms_count_choice *c, uint32_t prefix,
                     double symmetry);

/* A lower bound of ms_count_cost for all orders that begin with some levels: what visits cost
 * there, and the sets that are known to be made. */
typedef struct ms_count_bound {
  const ms_count_estimator *e;
  uint64_t near[MS_COUNT_SMALL]; /* [shape->n] neighbours */
  double set[MS_COUNT_SMALL];    /* [i] steps of one intersection of i + 1 rows */
  uint64_t tail, chained;        /* the tail; its vertices whose candidates are such sets */
  double symmetry;
  double kept[MS_COUNT_SMALL]; /* [level] matches that are kept */
} ms_count_bound;

/* The bound of the first levels of one order. */
typedef struct ms_count_least {
  double matches, cost;
  uint64_t sets; /* bit m: the set of the levels m is counted */
} ms_count_least;

void ms_count_bound_init(ms_count_bound *bound, const ms_count_estimator *e);
/* Sets the tail of the orders that follow. */
void ms_count_bound_tail(ms_count_bound *bound, const ms_count_choice *choice, double symmetry);
/* Returns the bound of the levels 0..level of the order, from that of the levels before `level`;
 * the bounds of those were the last ones that were asked for. */
ms_count_least ms_count_bound_level(ms_count_bound *bound, const uint8_t *order, uint32_t level,
                                    ms_count_least before);

/* Returns the neighbours of a vertex of a small shape. */
uint64_t ms_count_near(const ms_shape *shape, uint32_t vertex);
/* Returns the levels before `level` to which this vertex is adjacent. */
uint64_t ms_count_back(const ms_shape *shape, const uint8_t *order, uint32_t level,
                       uint32_t vertex);
double ms_count_factorial(uint32_t n);

#endif
