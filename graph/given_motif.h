/* What a file of the format "motif" states beside its graph and colours: a motif, and perhaps what
 * a search for it has to find. */
#ifndef MS_GRAPH_GIVEN_MOTIF_H
#define MS_GRAPH_GIVEN_MOTIF_H

#include "motifsieve.h"

typedef struct ms_given_motif {
  uint32_t k;
  uint32_t color[MS_MAX_K]; /* [k] of the slots: ids in the graph's color_names */
  ms_target_kind target;
  uint32_t vertex[MS_MAX_K]; /* MS_TARGET_UNIQUE: [k] the vertices of the only match, ascending */
  uint64_t count;            /* MS_TARGET_COUNT: the number of matches */
} ms_given_motif;

#endif
