/* The ways to count a shape.  The table of them is in count.c, and most of them have a source file
 * of this folder.
 *
 * A count and an explanation walk the table alike: the first way whose `estimate` says that it pays
 * counts the shape, or is what the explanation describes. */
#ifndef MS_MATCH_COUNT_COUNT_METHODS_H
#define MS_MATCH_COUNT_COUNT_METHODS_H

#include "base/text/growing.h"
#include "match/count/count_domains.h"
#include "match/count/counter.h"
#include "match/count/edge_product.h"
#include "match/count/elimination.h"
#include "match/count/factor.h"
#include "match/count/hinge.h"
#include "match/count/induced_sum.h"

/* A count at a hinge.  Its domains are widened as for the terms of a sum, so that gluings have all
 * of their symmetry. */
typedef struct ms_hinge_count {
  ms_term_counter terms;
  ms_shape shape; /* with the kinds of these domains */
  ms_shape_domains of;
  ms_hinge_plan plan;
} ms_hinge_count;

/* A shape that is to be counted, and what the ways to count it have found.  It is large for the
 * stack of a recursion. */
typedef struct ms_count_case {
  ms_shape shape; /* with the kinds of its domains, unless one of these is empty */
  ms_shape_domains of;
  bool empty;               /* some vertex has no candidate */
  bool divided;             /* the domains divide the vertices (factor.h) */
  bool planned;             /* the next three are known */
  ms_factor_choice factors; /* of a shape that is divided, without its plan */
  ms_count_plan plan;       /* of the search; {0}: none was compared with factors */
  bool is_compared; /* all ways are compared with the plan, not only what factors.way says */
  const struct ms_counting_way *way; /* the one that counts */
  double steps;                      /* its estimated steps (probe.h), if it says them */
  bool declined; /* it lacks memory or a GPU, or takes longer than it seemed: another one counts */
  ms_count_query on_large; /* the query that is explained, where query->large would count */
  ms_edge_product edges;
  struct {
    const ms_pattern_engine *engine;
    bool large;      /* it is query->large */
    uint32_t common; /* vertices next to all of a triangle; 0: a wheel */
  } products;
  struct ms_clique_count *cliques;
  ms_elimination_choice *elimination;
  ms_hinge_count *hinge;
  ms_induced_sum *sum;
  ms_estimates terms; /* what was found out about the terms of the sum */
} ms_count_case;

/* Where a way is described: as lines for the user or as a part of a JSON object. */
typedef struct ms_count_text {
  ms_growing *out;
  const char *const *name; /* [shape.n] */
  bool json;
} ms_count_text;

typedef struct ms_counting_way {
  const char *name; /* "maps" in JSON */
  bool needs_plan;  /* the case is planned before it is asked */
  /* Decides whether the way counts the case, and leaves in the case what it needs for that.  If the
   * counter explains, it takes no more time than an estimate. */
  ms_status (*estimate)(ms_counter *counter, ms_count_case *of, bool *pays);
  /* Counts, or declines.  maps is 0 before the call, except that factors may have begun.  NULL:
   * there is nothing to count. */
  ms_status (*count)(ms_counter *counter, ms_count_case *of, mpz_t maps);
  const char *text; /* what is counted, of a way that says no more than its steps */
  void (*explain)(const ms_count_case *of, const ms_count_text *text); /* other ways */
} ms_counting_way;

/* Finds the way to count a shape, without counting.  The caller frees *out with ms_count_case_free.
 */
ms_status ms_count_choose_way(const ms_count_query *query, const ms_shape *shape,
                              ms_count_case **out, ms_error *err);
void ms_count_case_free(ms_count_case *of);
/* Sets maps to the number of maps of the shape: an ms_counter_fn. */
ms_status ms_count_shape(ms_counter *counter, const ms_shape *shape, mpz_t maps);
/* Puts names of vertices, between commas. */
void ms_count_put_names(const ms_count_text *text, const uint8_t *vertex, uint32_t count);

/* ---- count_search.c: a search by the plan ---------------------------------------------------- */

ms_status ms_search_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_search_count(ms_counter *counter, ms_count_case *of, mpz_t maps);
void ms_search_explain(const ms_count_case *of, const ms_count_text *text);
/* Instead of factors, a search on query->large. */
ms_status ms_search_on_large_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_search_on_large_count(ms_counter *counter, ms_count_case *of, mpz_t maps);

/* ---- count_cliques.c ------------------------------------------------------------------------- */

/* Counts of cliques by pivots (match/cpu/cliques/cliques.h).
 *
 * Nobody knows before how large the trees of pivots are.  So pivots count in rounds, and give way
 * to the search by the plan as soon as they are expected to take longer than it. */
ms_status ms_pivots_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_pivots_count(ms_counter *counter, ms_count_case *of, mpz_t maps);
/* A clique of more than MS_COUNT_SMALL vertices that pivots count within the time of a plan. */
ms_status ms_pivots_at_once_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_pivots_at_once_count(ms_counter *counter, ms_count_case *of, mpz_t maps);
void ms_clique_count_free(struct ms_clique_count *count);

/* ---- edge_product.c: an edge product, less its gluings --------------------------------------- */

ms_status ms_edges_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_edges_count(ms_counter *counter, ms_count_case *of, mpz_t maps);

/* ---- count_products.c: products of bits on GPUs ---------------------------------------------- */

/* True if the shape is a triangle with *common further vertices, 1 to 3, each next to all three,
 * and its vertices accept all vertices of the graph of their degree: K4, K5 without an edge, K6
 * without a triangle. */
bool ms_dense_triangles_find(const ms_count_query *query, const ms_shape *shape,
                             const ms_domain *domain, uint32_t *common);
/* True if the shape is a wheel of four whose vertices accept all vertices of the graph of their
 * degree. */
bool ms_hub_squares_find(const ms_count_query *query, const ms_shape *shape,
                         const ms_domain *domain);
ms_status ms_hubs_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_triangles_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_products_count(ms_counter *counter, ms_count_case *of, mpz_t maps);

/* ---- hinge.c: at a hinge, less its gluings --------------------------------------------------- */

/* The estimate of the smaller shapes that a way subtracts.  It ends once they take longer than
 * another way. */
typedef struct ms_term_estimate {
  ms_term_counter trial;
  double steps, most; /* steps of the count and of planning */
} ms_term_estimate;
/* Adds the steps of a smaller shape and of its planning to an ms_term_estimate: an ms_quotient_fn.
 */
ms_status ms_terms_estimate(void *user, const ms_shape *term);
ms_status ms_hinge_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
/* Prepares a count at a hinge if that takes fewer steps than so many of another way: k->hinge. */
ms_status ms_hinge_compare(ms_counter *counter, ms_count_case *of, double steps);
/* Before anything is planned: an estimate has found that the shape is counted at a hinge. */
ms_status ms_known_hinge_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_at_hinge_count(ms_counter *counter, ms_count_case *of, mpz_t maps);
void ms_hinge_explain(const ms_count_case *of, const ms_count_text *text);
void ms_hinge_count_free(ms_hinge_count *count);

/* Returns `most`, or fewer steps if a count on processors may take only so many to be no longer
 * than query->large with its start, where that would search by this plan if it has a device. */
double ms_count_most_steps(const ms_counter *counter, const ms_count_plan *plan, double most);

/* ---- elimination.c: by elimination, less the merged shapes ----------------------------------- */

ms_status ms_elimination_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_elimination_way_count(ms_counter *counter, ms_count_case *of, mpz_t maps);
void ms_elimination_explain(const ms_count_case *of, const ms_count_text *text);

/* ---- induced_sum.c: an induced shape by a sum ------------------------------------------------ */

/* It compares the sum with a search of plan.cost steps. */
ms_status ms_sum_estimate(ms_counter *counter, ms_count_case *of, bool *pays);
ms_status ms_sum_count(ms_counter *counter, ms_count_case *of, mpz_t maps);
void ms_sum_explain(const ms_count_case *of, const ms_count_text *text);

/* ---- factor_choice.c: by factors (factor.h) -------------------------------------------------- */

ms_status ms_factors_count(ms_counter *counter, ms_count_case *of, mpz_t maps);

#endif
