/* Shares the work of one run among threads that steal from each other.
 * A thread takes a few roots at a time off a common counter.  When no roots are
 * left there, it steals half of what another thread has left: half of its
 * roots, or half of the candidates of level 1 under its last root.  Each
 * stretch of work has its place in the output: a stolen stretch comes directly
 * behind the part that the victim keeps. */
#ifndef MS_MATCH_CPU_STEALING_H
#define MS_MATCH_CPU_STEALING_H

#include "match/stream.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct ms_stealing_worker {
  pthread_mutex_t lock;
  uint64_t root, root_end;   /* roots that are not begun */
  uint64_t begun;            /* the root whose children are shared */
  uint64_t child, child_end; /* candidates of level 1 that are not begun */
  ms_segment *segment;       /* NULL: matches are counted, or the worker is between two stretches */
  char pad[64];
} ms_stealing_worker;

typedef struct ms_stealing {
  int workers;
  ms_stealing_worker *worker; /* [workers] */
  _Atomic uint64_t next;      /* the first root that nobody has taken */
  uint64_t roots, chunk;
  ms_stream *stream; /* NULL: matches are counted */
  atomic_int idle;
  atomic_bool halt;
  atomic_bool no_memory; /* there was no memory for a segment */
} ms_stealing;

ms_status ms_stealing_init(ms_stealing *work, int workers, uint64_t roots, ms_stream *stream,
                           ms_error *err);
/* Registers a worker. It is called before the worker's first ms_stealing_take. */
void ms_stealing_join(ms_stealing *work);
void ms_stealing_destroy(ms_stealing *work);

/* Finds the next stretch for worker w: roots, or children of a root that
 * another worker began (*stolen_root). Waits while other workers may have work
 * to steal. Returns false if all work is done, or if the run was halted. */
bool ms_stealing_take(ms_stealing *work, int w, bool *stolen_root);
/* Sets *root to the next root of the stretch. Returns false if there is
 * none. */
bool ms_stealing_root(ms_stealing *work, int w, uint64_t *root);
/* Lets other workers steal the children of the root that worker w has begun. */
void ms_stealing_offer(ms_stealing *work, int w, uint64_t root, uint64_t children);
/* Sets [*first, *last) to the next children for worker w itself. Returns false
 * if none are left. */
bool ms_stealing_children(ms_stealing *work, int w, uint64_t *first, uint64_t *last);
/* Ends the worker's stretch and closes its segment. */
void ms_stealing_finish(ms_stealing *work, int w);

#endif
