/* Inside verify/: the vertices of the connected sets that fit each motif of single colours.  All
 * sets are visited: the time is exponential in the number of slots, and the memory is a bit for
 * each vertex and each motif that some set fits. */
#ifndef MS_VERIFY_MINED_H
#define MS_VERIFY_MINED_H

#include "motifsieve.h"

/* A motif: its colours, ascending, and then MS_NO_ID. */
typedef struct ms_mined_key {
  uint32_t color[MS_MAX_MINED];
} ms_mined_key;

typedef struct ms_mined_tally {
  ms_mined_key key;
  uint64_t *holds; /* a bit for each vertex of a set that fits the motif */
  bool listed;     /* for the caller: a row has this motif */
} ms_mined_tally;

typedef struct ms_mined_counts ms_mined_counts;

/* Visits all sets of `least` to `slots` vertices.  *out must be freed in any case.  MS_ERR_LIMIT
 * and MS_ERR_INTERRUPTED of the stop token have no message. */
ms_status ms_mined_count(const ms_graph *graph, const ms_coloring *coloring, uint32_t least,
                         uint32_t slots, const ms_stop *stop, ms_mined_counts **out, ms_error *err);
void ms_mined_counts_free(ms_mined_counts *counts); /* accepts NULL */
/* Reads a motif.  Returns false if the text is none, or if it has a slot for any vertex or with a
 * condition, or too few or too many slots. */
bool ms_mined_read(const ms_mined_counts *counts, const char *text, ms_mined_key *key,
                   uint32_t *slots);
/* Returns what is known of the motif; NULL: no set fits it. */
ms_mined_tally *ms_mined_find(const ms_mined_counts *counts, const ms_mined_key *key);
/* Returns the number of vertices in the sets of the motif. */
uint64_t ms_mined_holders(const ms_mined_counts *counts, const ms_mined_tally *tally);
/* Returns how many motifs that are not listed have at least `support` vertices. */
uint64_t ms_mined_missing(const ms_mined_counts *counts, uint32_t support);

#endif
