/* Small motifs on a graph that stays on a GPU.
 *
 * Graph and colours are copied once.  Motifs go in batches: one copy to the device, a fixed chain
 * of kernels, one copy back and one wait for each batch.  The chain is captured as a CUDA graph
 * when the session is opened, so that nothing is allocated later and a batch is one launch.
 *
 *   mask       the classes that each vertex fits; vertices that fit none are dead
 *   compact    numbers live vertices, and copies their arcs to live vertices
 *   pass       k - 2 times: T of motif/submultisets.h
 *   filter     keeps the arcs that may be in a tree of a match, and the vertices that have one;
 * with different classes these are the answer search     else: all connected sets that fit, from
 * the vertices of the rarest class; where one root has too many of them, a first match of each
 * vertex that is not flagged yet report     flags as bits
 *
 * All of this is exact.  A motif whose searches take more steps than they may is given up. */
#ifndef MS_GPU_MOTIF_SESSION_H
#define MS_GPU_MOTIF_SESSION_H

#include "graph/colors.h"
#include "graph/graph.h"
#include "query/query.h"

typedef struct ms_gpu_session ms_gpu_session;

/* The answer to one motif.  The bits are valid until the second next batch is begun. */
typedef struct ms_gpu_answer {
  bool known;           /* false: the search was given up, and nothing below is set */
  uint32_t flagged;     /* vertices that are in a match */
  uint32_t kept;        /* vertices that pruning left */
  const uint32_t *flag; /* [(n + 31) / 32] bit v % 32 of word v / 32: v is in a match */
  const uint32_t *keep; /* the same: pruning left v */
} ms_gpu_answer;

/* True if a session takes the motif: it has at most 64 sub-multisets, 8 classes and 12 slots, and
 * its conditions are of the kind that a vertex has one of some colours. */
bool ms_gpu_session_takes(const ms_motif *motif);

/* Copies the graph and its colours to a GPU.  `threads` of the host copy; `memory`: bytes of the
 * device that may be used, 0: all that are free.  MS_ERR_USAGE: there is no such GPU;
 * MS_ERR_MEMORY: the graph does not fit, or has 2^32 arcs or more.  Neither graph nor colours are
 * needed later. */
ms_status ms_gpu_session_open(const ms_graph *graph, const ms_coloring *coloring, int device,
                              int threads, uint64_t memory, ms_gpu_session **out, ms_error *err);
void ms_gpu_session_close(ms_gpu_session *session);

/* Returns the number of motifs that a batch may have. */
uint32_t ms_gpu_session_batch(const ms_gpu_session *session);

/* Begins a batch of motifs that ms_gpu_session_takes accepts, and returns at once.  Two batches may
 * be under way.  Neither the motifs nor the array are needed later. */
ms_status ms_gpu_session_begin(ms_gpu_session *session, const ms_motif *const *motif,
                               uint32_t count, ms_error *err);
/* Waits for the older of the batches under way.  answer[count of the batch] */
ms_status ms_gpu_session_end(ms_gpu_session *session, ms_gpu_answer *answer, ms_error *err);

#endif
