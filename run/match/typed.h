/* Parts that searches for a typed pattern and their explanation share. */
#ifndef MS_RUN_TYPED_H
#define MS_RUN_TYPED_H

#include "match/count/leaves.h"
#include "match/typed/relations.h"
#include "query/typed_filter.h"
#include "run/match/match.h"

/* Applies the compound type filter, which comes first in every typed query.
 * Sets edges_kept, vertices_kept and time_filter of the result. */
ms_status ms_typed_cut(const ms_typed_query *query, const ms_typed_match_options *options,
                       ms_typed_part **part, ms_typed_result *result, ms_error *err);
/* What a typed pattern may meet in its graph.  A struct of zeros is valid. */
typedef struct ms_typed_candidates {
  ms_typed_shape *shape;
  const ms_typed_part *part; /* set before: a part that belongs to the caller */
  ms_typed_part *own_part;   /* NULL: the part belongs to the caller */
  ms_typed_domains *domains;
  ms_typed_relations *relations; /* NULL: some pattern vertex has no candidates */
} ms_typed_candidates;

/* Finds the part, the domains and the relations of c->shape, and gives them to the run as its
 * index, domains and lengths of rows.  Sets walk_length, vertices_active, domain[p] and time_walk
 * of the result, whose p is set, and what ms_typed_cut sets. */
ms_status ms_typed_candidates_find(const ms_typed_query *query,
                                   const ms_typed_match_options *options, ms_typed_candidates *c,
                                   ms_match_run *match, ms_typed_result *result, ms_error *err);
void ms_typed_candidates_free(ms_typed_candidates *c);

/* Does the same as ms_typed_match in a part that was cut before; if the part is
 * NULL, it is cut here. */
ms_status ms_typed_match_part(const ms_typed_query *query, const ms_typed_match_options *options,
                              const ms_typed_part *part, ms_budget *budget, ms_typed_result **out,
                              ms_error *err);

/* Is ms_gather_take of the options of a typed pattern. */
ms_status ms_typed_gather_take(ms_typed_match_options *options, ms_error *err);

/* ---- parts of a count -------------------------------------------------------------- */

/* MS_ERR_USAGE: a run with these options cannot be divided.  Else *options, a copy of the caller's,
 * searches without the sieve, as every part does. */
ms_status ms_typed_division_take(ms_typed_match_options *options, ms_division *own, ms_error *err);
/* Counts with the sum of the leaves of all parts: what ms_typed_match gives for a whole run. */
ms_status ms_typed_count_merged(const ms_typed_query *query, const ms_typed_match_options *options,
                                ms_count_leaves *leaves, ms_typed_result **out, ms_error *err);

/* ---- relations as a plain graph --------------------------------------------------- */

/* A graph of the active vertices whose edges are the entries of all relations, and colours that
 * stand for domains.  A match of the typed pattern is one of the pattern without types in this
 * graph; the converse need not hold. */
typedef struct ms_merged {
  ms_graph *graph; /* its vertices are the ids of the relations' index */
  ms_coloring *coloring;
  uint32_t color[MS_MAX_PATTERN]; /* [pattern vertices] equal domains are the same colour */
  uint32_t colors;
  ms_budget *budget;
  uint64_t reserved; /* bytes of the budget */
} ms_merged;

/* Builds the graph.  It is NULL if the budget has no room for it. */
ms_status ms_merged_new(const ms_typed_relations *relations, int threads, ms_budget *budget,
                        ms_merged *out, ms_error *err);
/* Numbers the colours of the run's domains. */
void ms_merged_number(ms_merged *merged, const ms_match_run *match);
/* Gives the vertices of the graph these colours, whose names are their numbers. */
ms_status ms_merged_color(ms_merged *merged, const ms_match_run *match, ms_error *err);
void ms_merged_free(ms_merged *merged);

/* ---- the sieve --------------------------------------------------------------------- */

/* Sets the options of the steps that all patterns share. */
void ms_typed_shared_options(const ms_typed_match_options *options, ms_pattern_options *out);

/* Decides whether the sieve would run first. */
ms_status ms_typed_screen_decide(const ms_typed_candidates *candidates, ms_match_run *match,
                                 ms_screen_decision *decision, ms_error *err);
/* Decides whether the sieve runs first, as ms_pattern_screen does for plain patterns.  The colours
 * are the domains, which filter and walk have made smaller than the types alone.  Flags narrow the
 * domains and adapt the lengths of rows.  graph_vertices: vertices of the whole graph, to which
 * the flags of the result belong. */
ms_status ms_typed_screen(ms_typed_candidates *candidates, uint32_t graph_vertices,
                          ms_match_run *match, ms_error *err);

/* ---- long counts ------------------------------------------------------------- */

#endif
