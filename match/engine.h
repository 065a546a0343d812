/* The contract of engines for pattern graphs.
 *
 * A task is a plan on an index: which levels are visited and which are only
 * counted.  Units of work are candidates of the first two levels; an engine
 * splits and shares them as it likes.  Whatever its number of threads or GPUs,
 * it finds the same matches; an engine that is `ordered` in the same order, the
 * others in any. */
#ifndef MS_MATCH_ENGINE_H
#define MS_MATCH_ENGINE_H

#include "base/stop.h"
#include "match/cpu/program.h"
#include "match/stream.h"

#include <gmp.h>

typedef struct ms_pattern_task {
  const ms_program *program;
  int threads;         /* at most so many */
  uint32_t devices;    /* GPUs, at most so many; 0: the engine's choice, mostly one, and all for
                          what looks like seconds of work */
  const int *device;   /* [devices] these ones; NULL: the first ones */
  const ms_stop *stop; /* may be NULL */
} ms_pattern_task;

/* Make the row[n] to be written out of ids[n] by level; several threads at a
 * time.  False: stop (it knows why). */
typedef bool (*ms_row_fn)(void *user, const uint32_t *ids, uint32_t *row);

/* What an engine makes of a program's table of paths from the root; count plans
 * heed it. */
typedef enum ms_table_use {
  MS_TABLE_READ,
  MS_TABLE_ROWS, /* it goes by rows instead, and plans are no worse for it; but no level should be
                    one that only the table leads to (MS_FROM_TOUCHED) */
  MS_TABLE_NONE  /* the same, and plans that do without a table are better */
} ms_table_use;

typedef struct ms_pattern_engine {
  const char *name;
  ms_table_use tables;
  bool ordered;         /* rows come in an order that depends on the program alone */
  int (*devices)(void); /* 0: not in this build or machine */
  /* MS_ERR_USAGE: it cannot run this program, or (NULL) none at all here; the
   * message says why.  NULL: it takes all. */
  ms_status (*takes)(const ms_program *program, ms_error *err);
  /* About how long this program takes, in steps of the CPU's engine, which it would take so many
   * of: decides between ways to count.  NULL: as many. */
  double (*weigh)(const ms_program *program, double steps);
  /* Add the program's total to `sum`.  MS_ERR_LIMIT, MS_ERR_INTERRUPTED: the
   * token stopped it; `sum` lacks what was not done. */
  ms_status (*count)(const ms_pattern_task *task, mpz_t sum, ms_error *err);
  /* Every match of a program without tail, as a row by `make`, into the
   * stream.  MS_OK also when the stream wants no more. */
  ms_status (*list)(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                    ms_error *err);
} ms_pattern_engine;

extern const ms_pattern_engine ms_pattern_engine_cpu;
/* On GPUs (gpu/match/engines.h), none of them ordered; a build without CUDA has them,
 * too, with zero devices. */
extern const ms_pattern_engine ms_pattern_engine_gpu, ms_pattern_engine_dfs, ms_pattern_engine_trie,
    ms_pattern_engine_reuse, ms_pattern_engine_flood;

#endif
