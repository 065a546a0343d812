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
  int threads;         /* at most this many */
  uint32_t devices;    /* GPUs, at most this many; 0: the engine chooses, mostly one GPU, and all
                          of them for an estimated second of work or more */
  const int *device;   /* [devices] GPU numbers; NULL: the first ones */
  const ms_stop *stop; /* may be NULL */
} ms_pattern_task;

/* Makes the result row[n] from ids[n] by level; called by several threads at a time.
 * Returns false to stop (the callee records why). */
typedef bool (*ms_row_fn)(void *user, const uint32_t *ids, uint32_t *row);

/* How an engine uses a program's table of paths from the root; count plans depend on it. */
typedef enum ms_table_use {
  MS_TABLE_READ,
  MS_TABLE_ROWS, /* it reads rows instead, at no loss; but no level may depend on the table alone
                    (MS_FROM_TOUCHED) */
  MS_TABLE_NONE  /* the same, and plans without a table are better */
} ms_table_use;

typedef struct ms_pattern_engine {
  const char *name;
  ms_table_use tables;
  bool ordered;         /* rows come in an order that depends on the program alone */
  int (*devices)(void); /* 0: not in this build or machine */
  /* MS_ERR_USAGE: it does not support this program or, for a NULL program, nothing works
   * here; the message says why.  A NULL function: it supports every program. */
  ms_status (*supports)(const ms_program *program, ms_error *err);
  /* The estimated time of this program in steps of the CPU engine, given the steps that the CPU
   * engine would take; decides between ways to count.  NULL: the same number. */
  double (*weigh)(const ms_program *program, double steps);
  /* Adds the program's total to `sum`.  MS_ERR_LIMIT, MS_ERR_INTERRUPTED: the stop token
   * ended it; `sum` lacks the part that was not done. */
  ms_status (*count)(const ms_pattern_task *task, mpz_t sum, ms_error *err);
  /* Puts every match of a program without a tail into the stream, as a row made by `make`.
   * Returns MS_OK also when the stream accepts no more rows. */
  ms_status (*list)(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                    ms_error *err);
} ms_pattern_engine;

extern const ms_pattern_engine ms_pattern_engine_cpu;
/* Engines on GPUs (gpu/match/engines.h), none of them ordered; a build without CUDA has them
 * with zero devices. */
extern const ms_pattern_engine ms_pattern_engine_gpu, ms_pattern_engine_dfs, ms_pattern_engine_trie,
    ms_pattern_engine_reuse, ms_pattern_engine_flood;

#endif
