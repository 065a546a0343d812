/* Rows of ids on their way from a GPU to the host's stream: one piece is copied
 * while the piece before it is made into rows. */
#ifndef MS_GPU_COMMON_EMIT_H
#define MS_GPU_COMMON_EMIT_H

#include "match/engine.h"

#include <stdatomic.h>

/* Where rows go. */
typedef struct ms_gpu_sink {
  ms_row_fn make; /* NULL: nothing is listed */
  void *user;
  ms_stream *stream;
  int threads;       /* that make rows, at most */
  atomic_bool *halt; /* no device is to go on; set where the stream wants no more */
} ms_gpu_sink;

/* Where they come from. */
typedef struct ms_gpu_rows {
  /* Begin to fetch rows first, first + 1, .. into buffer 0 or 1 .. */
  ms_status (*fetch)(void *on, uint32_t buffer, uint64_t first, uint64_t count, ms_error *err);
  /* .. and wait for them. */
  ms_status (*fetched)(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err);
  void *on;
  uint32_t length; /* ids of a row, by level */
  uint64_t piece;  /* rows that a buffer has room for */
  bool columns;    /* of a buffer: [length][piece]; else [piece][length] */
} ms_gpu_rows;

/* All rows first .. first + count - 1; none once the sink halts.  MS_OK also when
 * the stream wants no more.  The stop token (may be NULL) is asked before each piece. */
ms_status ms_gpu_emit(const ms_gpu_sink *sink, const ms_gpu_rows *rows, uint64_t first,
                      uint64_t count, const ms_stop *stop, ms_error *err);

#endif
