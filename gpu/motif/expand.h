/* Records of a listing (list_lists.cuh), read by threads of the host, which deliver their matches.
 */
#ifndef MS_GPU_MOTIF_EXPAND_H
#define MS_GPU_MOTIF_EXPAND_H

#include "gpu/motif/sets_device.h"
#include "motif/engine.h"
#include "motif/ranked.h"

/* Entries begin..end-1 of a buffer, a sequence of records; a 0 in place of a record ends it. */
typedef struct ms_motif_stretch {
  uint64_t begin, end;
  void *part; /* of the sink's parts */
} ms_motif_stretch;

typedef struct ms_motif_expansion {
  const ms_ranked *ranked;
  const ms_match_sink *sink;
  int threads;
  uint32_t piece;
  bool wide;                 /* entries have 32 bits; else 16 */
  ms_motif_stretch *stretch; /* [room] */
  uint64_t room, count;
  /* of one call */
  const void *entries;
  atomic_uint_fast64_t next;
  atomic_bool ended; /* the sink takes no more */
} ms_motif_expansion;

/* Makes room for buffers with the output of at most `tasks` tasks and `pieces` whole pieces. */
ms_status ms_motif_expansion_open(ms_motif_expansion *expansion, uint64_t tasks, uint64_t pieces,
                                  ms_error *err);
void ms_motif_expansion_close(ms_motif_expansion *expansion);

/* Delivers the matches in a buffer with the output of task[count], whose task i has length[i]
 * entries, in their order if the sink has parts.  After it, `ended` says whether the sink takes
 * more. */
ms_status ms_motif_expand(ms_motif_expansion *expansion, const void *entries,
                          const uint64_t *length, uint64_t count, ms_error *err);

#endif
