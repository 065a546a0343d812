/* Scores of edges.  An edge whose score is below the least score is dropped, and does not add its
 * ends to the vertices.  If the graph is to have scores, the scores of the other edges are kept.
 *
 * A file may list an edge in both directions.  The second listing of a kept edge counts as a
 * duplicate.  Edges below the score are not stored, so they are counted apart as lines with
 * name1 < name2 and with name1 > name2 in byte order, and the larger number is reported: exact for
 * files that list every edge in both directions, and for those that list each once in name
 * order. */
#ifndef MS_GRAPH_IO_SCORES_H
#define MS_GRAPH_IO_SCORES_H

#include "graph/io/edges/edges.h"

#include <math.h>

typedef struct ms_scores {
  double least;           /* to keep */
  bool kept;              /* the graph is to have them: ms_edges_score */
  ms_delimiter delimiter; /* of the table */
  bool watched;           /* notes lines of the same two vertices with different scores */
  double lowest, highest; /* found */
  uint64_t count;         /* found */
  uint64_t below[2];      /* lines, in either direction */
} ms_scores;

/* Reads the score of an edge that the caller then adds to `edges`; *keep: it is at least the least
 * score. */
ms_status ms_scores_add(ms_scores *scores, const ms_text *text, ms_edges *edges, ms_field score,
                        ms_field first, ms_field second, bool *keep, ms_error *err);
/* Does the same for a line without a score.  With a least score, the edge is dropped as one below
 * it; if the graph is to have scores without a least one, that is MS_ERR_INPUT.  `what` lacks, such
 * as "the interaction has no score". */
ms_status ms_scores_missing(ms_scores *scores, const ms_text *text, const char *what,
                            ms_field first, ms_field second, bool *keep, ms_error *err);
/* Notes column and range in `edges`. */
void ms_scores_end(const ms_scores *scores, uint32_t column, ms_edges *edges);

/* Returns the score below which edges are dropped; a minimum of 0 drops none. */
static inline double ms_least_score(double min_score)
{
  return min_score > 0 ? min_score : -INFINITY;
}

#endif
