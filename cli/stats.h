/* What the command stats has counted, for its two writers. */
#ifndef MS_CLI_STATS_H
#define MS_CLI_STATS_H

#include "base/outfile.h"
#include "cli/options.h"
#include "run/stats.h"

#define MS_STATS_COLORS 20u /* colours shown without --all */

typedef struct ms_stats_work {
  const ms_cli_options *options;
  ms_graph *graph;
  ms_coloring *coloring; /* NULL: none */
  ms_motif *motif;       /* NULL: none */
  ms_graph_stats counted;
  ms_color_stats colors;
  ms_motif_stats left;
} ms_stats_work;

/* Returns the number of colours to show. */
uint32_t ms_stats_shown(const ms_stats_work *work);
/* Returns the name of class c of the motif, "*" for the wildcard. */
const char *ms_stats_class_name(const ms_stats_work *work, uint32_t c);

/* Writes the counts as one JSON object. */
ms_status ms_stats_json(ms_outfile *out, const ms_stats_work *work, ms_error *err);

#endif
