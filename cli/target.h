/* Where a graph is written, and in which format: convert and gen. */
#ifndef MS_CLI_TARGET_H
#define MS_CLI_TARGET_H

#include "cli/options.h"

/* The format to write: as asked for, or as the ending of the file says. */
ms_status ms_find_target(const ms_cli_options *options, ms_graph_format *to, ms_error *err);

#endif
