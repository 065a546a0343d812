/* Inside verify/: the connected components of a graph, by a search from the lowest vertex of each
 * one. */
#ifndef MS_VERIFY_COMPONENTS_H
#define MS_VERIFY_COMPONENTS_H

#include "motifsieve.h"

typedef struct ms_searched_components {
  uint32_t count;
  uint32_t *number; /* [n] the component of each vertex; they are numbered by their lowest vertex */
  uint32_t *first;  /* [count] the lowest vertex of each */
  uint32_t *size;   /* [count] its number of vertices */
} ms_searched_components;

/* Searches all components; O(n + m).  `out` must be released in any case.  MS_ERR_LIMIT and
 * MS_ERR_INTERRUPTED of the stop token have no message. */
ms_status ms_search_components_again(const ms_graph *graph, const ms_stop *stop,
                                     ms_searched_components *out, ms_error *err);
void ms_searched_components_release(ms_searched_components *components);

#endif
