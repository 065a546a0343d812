/* How to count the maps of a shape for each image of one of its vertices, the *root*.
 *
 * For a vertex v of the graph let r(v) be the number of maps of a shape S that take its root c to
 * v. There are five ways to find all of these *rooted numbers*:
 *
 * A program whose root is c counts them, one v after the other (cpu/rooted.h).
 *
 * Without conditions on vertices, passes over the edges and triangles of the graph count shapes of
 * at most five vertices (small/small.h).
 *
 * Without such conditions, a GPU counts books (match/engine.h).
 *
 * If c has one neighbour d alone, and the shape without c has the rooted numbers x(u) at d, the sum
 * of x(u) over the neighbours u of v counts the maps in which c may coincide with another vertex.
 * For each vertex of S other than c and d, the rooted numbers of the shape in which c is glued to
 * that vertex are subtracted.
 *
 * If S falls apart without c into A and B, the product of the numbers of A + c and of B + c at v
 * counts the maps in which vertices of both may coincide.  The rooted numbers of all gluings
 * (gluings.h) are subtracted.
 *
 * The shapes of the last two ways are smaller, and each is counted in one of the five ways; equal
 * ones are counted once. */
#ifndef MS_MATCH_COUNT_ROOTED_PLAN_H
#define MS_MATCH_COUNT_ROOTED_PLAN_H

#include "match/count/count_domains.h"
#include "match/count/counter.h"
#include "match/cpu/sorted.h"
#include "match/small/small.h"

/* The most shapes of the plan of one count; with more, programs count. */
#define MS_ROOTED_SHAPES 64u
/* The most shapes of any plan. */
#define MS_ROOTED_MOST 256u
/* The most vertices of a shape that is asked for. */
#define MS_ROOTED_VERTICES 6u
/* The most shapes that one subtracts: the gluings of 2 and 3 vertices are 12. */
#define MS_ROOTED_LESS 16u

typedef enum ms_rooted_way {
  MS_ROOTED_PROGRAM,
  MS_ROOTED_EDGE,    /* the root has one neighbour */
  MS_ROOTED_PRODUCT, /* the shape falls apart without the root */
  MS_ROOTED_SMALL,   /* passes of match/small/ */
  MS_ROOTED_BOOK     /* on the query's engine */
} ms_rooted_way;

typedef struct ms_rooted {
  ms_shape shape; /* whose root is alone of its kind */
  uint32_t root;
  ms_shape_domains of;
  ms_shape_key key; /* with a mark on the root */
  ms_rooted_way way;
  ms_count_plan plan;                    /* of MS_ROOTED_PROGRAM, with its program */
  uint32_t small;                        /* of MS_ROOTED_SMALL: as ms_small_find returns it */
  ms_book book;                          /* of MS_ROOTED_BOOK, without numbers */
  uint32_t from[2];                      /* the shapes of x, or of A + c and B + c */
  uint32_t n_less, less[MS_ROOTED_LESS]; /* the shapes that are subtracted, some of them again */
  double steps; /* estimated (probe.h); other shapes and passes that it needs are not in it */
  ms_wide_size *number; /* [index->n] rooted numbers; NULL: not counted yet */
} ms_rooted;

typedef struct ms_rooted_plan {
  ms_rooted *of[MS_ROOTED_MOST]; /* [count] */
  uint32_t count, most;          /* most: 0: MS_ROOTED_SHAPES */
  bool programs;                 /* all shapes are counted by programs */
  bool books;      /* of more than two vertices, only books are counted by themselves */
  ms_small *small; /* NULL: no shape is counted by passes */
} ms_rooted_plan;

/* How many shapes the numbers of a shape are made from. */
static inline uint32_t ms_rooted_sides(const ms_rooted *rooted)
{
  return rooted->way == MS_ROOTED_PRODUCT ? 2 : rooted->way == MS_ROOTED_EDGE;
}

/* True if the shape is not connected without the root. */
bool ms_rooted_falls_apart(const ms_shape *shape, uint32_t root);
/* Frees the numbers of a shape, unless they belong to the passes. */
void ms_rooted_forget(ms_rooted *rooted);

/* Plans a shape, whose vertices are those of the counter's pattern, and sets *number to its place
 * in the plan, which is {.count = 0} before its first shape. */
ms_status ms_rooted_plan_add(ms_rooted_plan *plan, const ms_counter *counter, const ms_shape *shape,
                             uint32_t root, uint32_t *number);
/* Returns a checksum of a shape with its domains and of the size of the graph. */
uint32_t ms_rooted_checksum(const ms_rooted *rooted, const ms_pattern_index *index);
/* Returns the estimated steps of the shapes number[count] and of all that they need. */
double ms_rooted_plan_steps(const ms_rooted_plan *plan, const ms_pattern_index *index,
                            const uint32_t *number, uint32_t count);
void ms_rooted_plan_free(ms_rooted_plan *plan);

/* ---- numbers (rooted_numbers.c) ------------------------------------------------------------- */

/* Adds the sum, over the vertices of the graph, of the product of the numbers of two shapes of the
 * plan.  *fit: it was counted; otherwise a number needs more than 128 bits, or the query's budget
 * has no room for the numbers of all vertices, and nothing is added.  A stop ends it with the
 * status of the token, and adds nothing. */
ms_status ms_rooted_numbers_sum(const ms_count_query *query, ms_rooted_plan *plan,
                                const uint32_t number[2], mpz_t sum, bool *fit, ms_error *err);

typedef struct ms_rooted_shape {
  ms_shape shape; /* undirected, not induced, without colours; connected */
  uint32_t root;
} ms_rooted_shape;

/* Receives the numbers of a shape for all index ids; they last until the call returns. */
typedef void ms_rooted_fn(void *user, uint32_t shape, const ms_wide_size *number);

/* Counts the rooted numbers of many shapes of at most `vertices` vertices, each of which has a
 * member of its own, on processors; what several need is counted once.  MS_ERR_MEMORY: the budget
 * has no room, or a number has more than 128 bits; then only some shapes were received. */
ms_status ms_rooted_numbers_each(const ms_pattern_index *index, uint32_t vertices,
                                 const ms_rooted_shape *shape, uint32_t shapes,
                                 const ms_run_limits *limits, struct ms_budget *budget,
                                 ms_rooted_fn *receive, void *user, ms_error *err);
/* Counts the rooted numbers of one shape of at most MS_ROOTED_VERTICES vertices, which is connected
 * and not induced, and has no labels, for each of some roots, within the domains of the query, if
 * all of them are expected to take less than `most` steps.  *counted: they were counted and
 * received; otherwise some may have been received before it turned out that the budget has no room,
 * or that a number has more than 128 bits.  Stops as ms_rooted_numbers_sum. */
ms_status ms_rooted_numbers_within(const ms_count_query *query, const ms_shape *shape,
                                   const uint8_t *root, uint32_t roots, double most,
                                   ms_rooted_fn *receive, void *user, bool *counted, ms_error *err);

#endif
