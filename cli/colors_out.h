/* The file of --colors-out. */
#ifndef MS_CLI_COLORS_OUT_H
#define MS_CLI_COLORS_OUT_H

#include "base/file/outfile.h"
#include "cli/options/options.h"

/* Writes VERTEX<TAB>COLOUR lines.  MS_ERR_USAGE where a reader would take one for a comment. */
ms_status ms_put_colors(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                        ms_error *err);

#endif
