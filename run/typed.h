/* What the exact and the inexact way of a typed pattern share. */
#ifndef MS_RUN_TYPED_H
#define MS_RUN_TYPED_H

#include "match/typed/index.h"
#include "query/typed_filter.h"
#include "run/run.h"

/* The compound type filter, which goes in front of every typed query; edges_kept,
 * vertices_kept and time_filter of the result. */
ms_status ms_typed_cut(const ms_typed_query *query, const ms_typed_match_options *options,
                       ms_typed_part **part, ms_typed_result *result, ms_error *err);
/* ms_typed_match in a part that was cut before; NULL: cut here. */
ms_status ms_typed_match_part(const ms_typed_query *query, const ms_typed_match_options *options,
                              const ms_typed_part *part, ms_budget *budget, ms_typed_result **out,
                              ms_error *err);

/* ---- long counts ------------------------------------------------------------- */

uint64_t ms_typed_entries(const ms_typed_index *index); /* of all pairs' rows */
/* A search for typed matches visits all but the last vertex of each.  When it has
 * taken so many steps for each entry and vertex, ms_typed_count_plain is tried;
 * 0: at once, which only tests ask for. */
extern double ms_typed_patience;
/* Count by the engines for plain patterns, whose counts visit less.  The graph is that of
 * all pairs' entries, of vertices below n; what a pattern vertex may be is a colour.  *done: if
 * this graph joins candidates of two joined pattern vertices where their pair does, and nowhere
 * else, so that its embeddings are those of the typed pattern, and the run's budget has room for
 * it; else nothing was counted.  The run's count and `stopped` are set. */
ms_status ms_typed_count_plain(const ms_typed_index *index, const ms_typed_domains *domains,
                               uint32_t n, const ms_typed_match_options *options, ms_run *run,
                               bool *done, ms_error *err);

#endif
