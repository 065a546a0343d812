/* Launches that sum over all triangles of a graph of few vertices and many edges: what the host (C)
 * lays out and the kernels use. */
#ifndef MS_GPU_MATCH_DENSE_DEVICE_H
#define MS_GPU_MATCH_DENSE_DEVICE_H

#include "gpu/common/queue.h"
#include "gpu/match/squares/hub_squares_device.h"

/* All pointers are to device memory. */
typedef struct ms_dense_launch {
  ms_device_index index;
  ms_gpu_queue *queue; /* next: half tiles taken */
  uint32_t blocks, warps;
  const ms_hub
      *hub; /* [roots + 1] with `size` larger neighbours each; the last one is after them */
  uint32_t roots;
  uint32_t common;  /* r: a triangle with t common neighbours counts t (t-1) .. (t-r+1) */
  bool upper;       /* rows hold larger neighbours alone; then t is of the larger ones */
  uint32_t stride;  /* words of a row */
  uint32_t *matrix; /* [index.n + 1][stride] of bits, fewer than 2^32 words; the last row is zero */
} ms_dense_launch;

typedef enum ms_dense_kernel { MS_DENSE_FILL, MS_DENSE_MULTIPLY } ms_dense_kernel;

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel; its only argument is an ms_dense_launch. */
    const void *
    ms_dense_function(ms_dense_kernel kernel);

#endif
