/* Listing on a GPU; the engine (sets.c) calls it. */
#ifndef MS_GPU_MOTIF_LIST_H
#define MS_GPU_MOTIF_LIST_H

#include "motif/engine.h"
#include "motif/ranked.h"

typedef struct ms_motif_lister {
  const ms_instance *instance;
  const ms_ranked *ranked; /* of the instance, with matches of three or more vertices */
  int threads;             /* of the host */
} ms_motif_lister;

/* Delivers the matches of the roots first..last-1, as run() of an engine. */
ms_status ms_motif_list(const ms_motif_lister *lister, uint64_t first, uint64_t last,
                        const ms_match_sink *sink, const ms_stop *stop, ms_error *err);

#endif
