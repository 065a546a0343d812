/* Inside run/: what a session holds (include/motifsieve/session.h). */
#ifndef MS_RUN_SESSION_H
#define MS_RUN_SESSION_H

#include "query/motif_set.h"

struct ms_session {
  const ms_graph *graph;
  const ms_coloring *coloring;
};

#endif
