/* Inside verify/: shortest paths by a search from each source. */
#ifndef MS_VERIFY_PATHS_H
#define MS_VERIFY_PATHS_H

#include "motifsieve.h"

/* What is said of a pair of vertices. */
typedef struct ms_stated_path {
  uint64_t pair; /* number of the pair, from 0 */
  uint32_t from, to;
  uint32_t length; /* MS_NO_PATH: there is no path */
  bool has_vertices;
  uint64_t size; /* of vertices[] */
  const uint32_t *vertices;
} ms_stated_path;

typedef struct ms_path_judge ms_path_judge;

/* Makes a judge, which keeps pointers to the graph and to the options.  MS_ERR_USAGE: a type is out
 * of range. */
ms_status ms_path_judge_new(const ms_typed *graph, const ms_path_options *options,
                            const ms_stop *stop, ms_path_judge **out, ms_error *err);
void ms_path_judge_free(ms_path_judge *judge);
/* Refuses, in the report, what is not right.  The search from the source of the last call goes on
 * where it ended, so that pairs with one source should come together; O(n + m) for each other
 * source at most.  MS_ERR_LIMIT and MS_ERR_INTERRUPTED of the stop token have no message. */
ms_status ms_path_judge_pair(ms_path_judge *judge, const ms_stated_path *path,
                             ms_verify_report *report);
/* Returns the smallest type of the arcs from v to w that a path may follow; MS_NO_ID: there is no
 * such arc. */
uint32_t ms_path_judge_type(const ms_path_judge *judge, uint32_t v, uint32_t w);

#endif
