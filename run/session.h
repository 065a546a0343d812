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

/* The seconds that the last motifs of a batch have on one thread each, once another thread has no
 * motif left.  Only tests change it. */
extern double ms_session_moment;

/* Puts the usual numbers in place of zeros. */
void ms_mine_complete(ms_mine_options *options);

#endif
