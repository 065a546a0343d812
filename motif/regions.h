/* Candidate regions: the parts of the graph that the exact listing has to search.
 *
 * A match whose vertices are all flagged lies inside one component of the
 * flagged vertices, and that component can supply the slots.  Each such
 * component, pruned once more on its own, is a region. */
#ifndef MS_MOTIF_REGIONS_H
#define MS_MOTIF_REGIONS_H

#include "motif/instance.h"

typedef struct ms_regions {
  uint32_t count;
  ms_instance **region; /* [count] connected and not empty, by smallest vertex */
  uint64_t vertices;    /* number of vertices in all regions together */
} ms_regions;

/* Finds the regions of the vertices with keep[v] != 0, or of all vertices if keep[n] is
 * NULL.  Every match of kept vertices lies in exactly one region.  It takes O(n + m) in
 * addition to the pruning, which `threads` threads share (as ms_threads). */
ms_status ms_regions_find(const ms_instance *instance, const uint8_t *keep, int threads,
                          ms_regions **out, ms_error *err);
void ms_regions_free(ms_regions *regions);

#endif
