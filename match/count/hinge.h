/* Counts of patterns that fall apart at a vertex.
 *
 * Let c be a vertex without which a connected shape falls apart into two parts, A and B, that no
 * edge joins: its *hinge*.  For a vertex v of the graph let a(v) be the number of maps of A + c
 * that take c to v, and b(v) the same of B + c.  Then the sum over v of a(v) b(v) counts the maps
 * of the shape in which vertices of A and of B may coincide.  Those in which some do are the maps
 * of the shapes that glue them (gluings.h), and are subtracted: Curticapean, Dell and Marx (STOC
 * 2017) call such shapes the spasm of a pattern, and ESCAPE (Pinar, Seshadhri and Vishal, WWW 2017)
 * counts patterns of five vertices in this way.  On skewed graphs this takes far fewer steps than a
 * search for one side below each match of the other.
 *
 * a(v) and b(v) are counted by programs whose root is c, or are made from the numbers of smaller
 * shapes (rooted_plan.h).  It needs shapes that are not induced and have no relations; the domains
 * may be any. */
#ifndef MS_MATCH_COUNT_HINGE_H
#define MS_MATCH_COUNT_HINGE_H

#include "match/count/count.h"
#include "match/count/gluings.h"
#include "match/count/rooted_plan.h"

typedef struct ms_hinge_plan {
  ms_hinge hinge;
  ms_rooted_plan rooted;
  uint32_t side[2]; /* shapes of that plan, which are the same if both sides are alike */
  double steps;     /* estimated steps (probe.h) of the sum, without the gluings */
} ms_hinge_plan;

/* True if `query` may count the shape in this way, whatever it takes (match/count/count_plan.c). */
bool ms_hinge_may(const ms_count_query *query, const ms_shape *shape);
/* Plans both sides of a shape, whose vertices are those of the counter's pattern.  The caller frees
 * *out with ms_hinge_plan_free, also after a failure. */
ms_status ms_hinge_plan_new(const ms_counter *terms, const ms_shape *shape, const ms_hinge *hinge,
                            ms_hinge_plan *out);
void ms_hinge_plan_free(ms_hinge_plan *plan);
/* Sets `maps` to the number of maps in which vertices of both sides may coincide.  Stops as
 * ms_rooted_sum; where the sides are not counted by programs alone, `maps` is then 0, unless
 * numbers did not fit: it then plans the sides again, by programs. */
ms_status ms_hinge_sum(const ms_counter *terms, const ms_shape *shape, ms_hinge_plan *plan,
                       mpz_t maps);

#endif
