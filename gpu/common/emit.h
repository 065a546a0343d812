/* Rows of ids on their way from a GPU to the host's stream: one piece is copied
 * while the piece before it is made into rows. */
#ifndef MS_GPU_COMMON_EMIT_H
#define MS_GPU_COMMON_EMIT_H

#include "match/engine.h"

#include <stdatomic.h>

/* The destination of rows. */
typedef struct ms_gpu_sink {
  ms_rows_fn make; /* NULL: rows are only counted */
  void *user;
  ms_stream *stream;
  int threads;       /* most threads that make rows */
  atomic_bool *halt; /* all devices should stop; set where the stream takes no more rows */
} ms_gpu_sink;

/* The source of rows. */
typedef struct ms_gpu_rows {
  /* Begins to fetch rows first, first + 1, .. into buffer 0 or 1. */
  ms_status (*fetch)(void *on, uint32_t buffer, uint64_t first, uint64_t count, ms_error *err);
  /* Waits for the rows of a buffer. */
  ms_status (*fetched)(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err);
  void *on;
  uint32_t length; /* ids of a row, by level */
  uint64_t piece;  /* rows of a buffer */
  bool columns;    /* layout of a buffer: [length][piece]; else [piece][length] */
} ms_gpu_rows;

/* Emits rows first .. first + count - 1, and none once the sink halts.  Returns MS_OK also when
 * the stream takes no more.  The stop token (may be NULL) is checked before each piece. */
ms_status ms_gpu_emit(const ms_gpu_sink *sink, const ms_gpu_rows *rows, uint64_t first,
                      uint64_t count, const ms_stop *stop, ms_error *err);

#endif
