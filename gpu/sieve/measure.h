/* What the host and the kernels of the measurements share.  The kernels are in
 * gpu/sieve/measure.cu, timing them in gpu/sieve/measure.c. */
#ifndef MS_GPU_SIEVE_MEASURE_H
#define MS_GPU_SIEVE_MEASURE_H

#include "gf2/gf256.h"
#include "gpu/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel and what one of its threads does in one round: products of field elements,
 * operations, or bytes. */
typedef struct ms_measure_kernel {
  const void *function; /* for cudaLaunchKernel */
  uint32_t threads;     /* of a block */
  uint32_t work;
} ms_measure_kernel;

/* Arguments: rounds, uint32_t out[threads of the grid], ms_gf256_tables. */
typedef struct ms_measure_line {
  ms_gpu_line line;
  ms_measure_kernel kernel;
  /* Returns what thread `thread` of the grid writes to out[thread]. */
  uint32_t (*on_host)(uint32_t thread, uint32_t rounds, const ms_gf256_tables *tables);
} ms_measure_line;

/* The slowest one comes first. */
#define MS_MEASURE_LINES 8
const ms_measure_line *ms_measure_line_at(uint32_t index);

/* Arguments: rounds, out. */
const ms_measure_kernel *ms_measure_logic(void);
const ms_measure_kernel *ms_measure_shared(void);
/* Rows of MS_ROW_BYTES, one at a time for each warp.  Arguments: rounds, out, memory, number of
 * rows. */
#define MS_ROW_BYTES 512u
const ms_measure_kernel *ms_measure_rows(void);
/* Arguments: rounds, memory, number of rows.  A round goes through the memory once, whatever the
 * number of threads; work: bytes for each byte of memory. */
const ms_measure_kernel *ms_measure_stream(void);
/* Fills the memory.  Arguments: rounds (1), memory, number of rows. */
const ms_measure_kernel *ms_measure_fill(void);

#ifdef __cplusplus
}
#endif
#endif
