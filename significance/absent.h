/* The motifs that have no set although many were expected, and the number of all motifs. */
#ifndef MS_SIGNIFICANCE_ABSENT_H
#define MS_SIGNIFICANCE_ABSENT_H

#include "significance/moments.h"

/* A list of motifs. */
typedef struct ms_motif_list {
  uint32_t *color; /* [room][k] colours, ascending; freed with ms_free */
  uint64_t count, room;
  bool full; /* there are further motifs, and the list has the greatest allowed number */
} ms_motif_list;

/* Returns the number of multisets of k colours for which there are vertices, or INT64_MAX if there
 * are more.  holders[colors]: the vertices of each colour. */
uint64_t ms_count_motifs(const uint64_t *holders, uint32_t colors, uint32_t k);

/* Lists all motifs that are expected at least `least` > 0 times, in the order of their colours; at
 * most `most` of them. */
ms_status ms_list_expected(const ms_overlaps *overlaps, const uint64_t *holders, uint32_t colors,
                           double least, uint64_t most, ms_budget *budget, ms_motif_list *out,
                           ms_error *err);

#endif
