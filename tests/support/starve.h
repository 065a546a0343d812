/* Reading while memory runs out. */
#ifndef MS_TESTS_SUPPORT_STARVE_H
#define MS_TESTS_SUPPORT_STARVE_H

#include "motifsieve.h"

/* Read the graph again and again, with the first, the second, ... allocation
 * failing, until none fails: each time MS_ERR_MEMORY and no block left. */
void starve_graph(const char *path, const ms_graph_options *options);

#endif
