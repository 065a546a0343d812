/* Inside run/: what a session holds (include/motifsieve/session.h). */
#ifndef MS_RUN_SESSION_H
#define MS_RUN_SESSION_H

#include "motif/holders.h"
#include "query/motif_set.h"

struct ms_session {
  const ms_graph *graph;
  const ms_coloring *coloring;
  ms_holders *holders;
};

/* Puts the usual numbers in place of zeros. */
void ms_mine_complete(ms_mine_options *options);

#endif
