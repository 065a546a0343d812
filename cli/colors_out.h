/* The file of --colors-out. */
#ifndef MS_CLI_COLORS_OUT_H
#define MS_CLI_COLORS_OUT_H

#include "base/outfile.h"
#include "cli/options.h"

/* Writes VERTEX<TAB>COLOUR lines. */
void ms_put_colors(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out);

#endif
