/* The enumeration engine contract.
 *
 * An engine lists the matches of an instance (motif/instance.h), each once.
 * It reads no files and knows no other engines.  The work is divided into units,
 * which are ranges of roots; run() may be called for any range on any open
 * context, and disjoint ranges have different matches.  run() returns MS_OK at
 * the end or if `match` ended it, and MS_ERR_LIMIT or MS_ERR_INTERRUPTED if the
 * stop token ended it.
 * At most one run() may be active on a context. */
#ifndef MS_MOTIF_ENGINE_H
#define MS_MOTIF_ENGINE_H

#include "base/stop.h"
#include "motif/instance.h"

/* Receives a match: set[k] are instance vertices in any order.  Several threads call it
 * at the same time; `thread` < threads is the number of the thread.  It returns false to
 * stop the whole run. */
typedef bool (*ms_match_fn)(void *user, int thread, const uint32_t *set);

typedef struct ms_engine {
  const char *name;
  int (*devices)(void); /* 0: the engine cannot run in this build or on this machine */
  ms_status (*open)(const ms_instance *instance, int threads, void **context, ms_error *err);
  uint64_t (*units)(const void *context); /* number of roots */
  ms_status (*run)(void *context, uint64_t first, uint64_t last, ms_match_fn match, void *user,
                   const ms_stop *stop, ms_error *err);
  void (*close)(void *context);
} ms_engine;

/* Connected-set enumeration on the CPU. */
extern const ms_engine ms_engine_connected_sets;

#endif
