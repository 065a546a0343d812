/* Work of one run, shared among threads that steal.
 *
 * A thread takes a few roots at a time off a common counter.  When that is
 * dry it takes half of what another one has left: of its roots, or, of its
 * last root, half of the candidates of level 1.  Each stretch of work has its
 * place in the output: what is stolen comes right behind what the victim
 * keeps. */
#ifndef MS_MATCH_CPU_SHARE_H
#define MS_MATCH_CPU_SHARE_H

#include "match/stream.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct ms_share_worker {
  pthread_mutex_t lock;
  uint64_t root, root_end;   /* roots not begun */
  uint64_t begun;            /* the root whose children are these */
  uint64_t child, child_end; /* candidates of level 1 not begun */
  ms_segment *segment;       /* NULL: counting, or between stretches */
  char pad[64];
} ms_share_worker;

typedef struct ms_share {
  int workers;
  ms_share_worker *worker; /* [workers] */
  _Atomic uint64_t next;   /* roots that nobody has taken */
  uint64_t roots, chunk;
  ms_stream *stream; /* NULL: counting */
  atomic_int idle;
  atomic_bool halt;
  atomic_bool no_memory; /* for a segment */
} ms_share;

ms_status ms_share_init(ms_share *share, int workers, uint64_t roots, ms_stream *stream,
                        ms_error *err);
/* A worker begins: before its first ms_share_take. */
void ms_share_join(ms_share *share);
void ms_share_destroy(ms_share *share);

/* The next stretch for worker w: roots, or children of a root that is begun
 * (*stolen_root).  Waits while others may have something to give; false: all
 * is done, or halted. */
bool ms_share_take(ms_share *share, int w, bool *stolen_root);
/* The next root of the stretch, or false: none. */
bool ms_share_root(ms_share *share, int w, uint64_t *root);
/* The root that is begun has this many children, for whoever wants them. */
void ms_share_offer(ms_share *share, int w, uint64_t root, uint64_t children);
/* The next of them for worker w itself, or false: none are left. */
bool ms_share_children(ms_share *share, int w, uint64_t *first, uint64_t *last);
/* The stretch is done. */
void ms_share_finish(ms_share *share, int w);

#endif
