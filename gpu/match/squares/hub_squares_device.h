/* Launches that count the 4-cycles inside the neighbourhood of each vertex: what the host (C) lays
 * out and the kernels use. */
#ifndef MS_GPU_MATCH_HUB_SQUARES_DEVICE_H
#define MS_GPU_MATCH_HUB_SQUARES_DEVICE_H

#include "gpu/common/queue.h"
#include "gpu/match/program_device.h"

#include <stdalign.h>

/* Vertices of a neighbourhood that a warp counts by itself, in shared memory, and the words of a
 * row of its matrix. */
#define MS_HUB_SMALL 128u
#define MS_HUB_SMALL_WORDS (MS_HUB_SMALL / 32)
#define MS_HUB_FILTER_WORDS 128u /* of such a neighbourhood's filter */

/* A tile has so many rows on either side; a warp has half of the rows of the left side. */
#define MS_HUB_TILE 64u
/* Words of a row that are multiplied together: each lane reads four of them at once. */
#define MS_HUB_STEP 16u

/* A vertex whose neighbourhood gets a matrix in global memory. */
typedef struct ms_hub {
  uint32_t vertex, size;    /* size: neighbours */
  uint32_t slice, rows;     /* of all slices before those of this hub; rows: of a slice */
  unsigned long long words; /* of all matrices before this one */
  unsigned long long half;  /* of all half tiles before those of this hub */
} ms_hub;

/* Words of a row of a matrix, and the number of rows; rows and columns that stand for no vertex are
 * zero. */
static inline MS_BOTH_SIDES uint32_t ms_hub_stride(uint32_t size)
{
  return (size + 32 * MS_HUB_STEP - 1) / (32 * MS_HUB_STEP) * MS_HUB_STEP;
}

static inline MS_BOTH_SIDES uint32_t ms_hub_rows(uint32_t size)
{
  return (size + MS_HUB_TILE - 1) / MS_HUB_TILE * MS_HUB_TILE;
}

/* Returns the number of half tiles: of each pair of two tiles' rows, or of one tile's with
 * themselves. */
static inline MS_BOTH_SIDES unsigned long long ms_hub_halves(uint32_t size)
{
  unsigned long long tiles = ms_hub_rows(size) / MS_HUB_TILE;
  return tiles * (tiles + 1);
}

/* A block's shared memory begins with this. */
typedef struct ms_hub_block {
  alignas(16) ms_gpu_sum sum;
  uint32_t slice;
} ms_hub_block;

/* A warp's part of shared memory, for small neighbourhoods. */
typedef struct ms_hub_warp {
  alignas(16) uint32_t matrix[MS_HUB_SMALL * MS_HUB_SMALL_WORDS];
  uint32_t ids[MS_HUB_SMALL];
  uint32_t filter[MS_HUB_FILTER_WORDS];
} ms_hub_warp;

/* All pointers are to device memory. */
typedef struct ms_hub_launch {
  ms_device_index index;
  ms_gpu_queue *queue; /* next: half tiles taken; listed: slices taken */
  uint32_t blocks, warps;
  uint32_t small;               /* most vertices of a warp's neighbourhood */
  uint64_t classes, first, end; /* of small neighbourhoods: the vertices v for which v % classes is
                                   in [first, end) are counted */
  uint32_t filter_words;        /* of a block: a power of two */
  const ms_hub *hub; /* [from, to) are those of the launch; hub[to] is one more, after the
                        last one */
  uint32_t from, to;
  uint32_t *matrix; /* of the hub `from`; the others follow */
} ms_hub_launch;

typedef enum ms_hub_kernel { MS_HUB_COUNT_SMALL, MS_HUB_FILL, MS_HUB_MULTIPLY } ms_hub_kernel;

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel; its only argument is an ms_hub_launch. */
    const void *
    ms_hub_function(ms_hub_kernel kernel);

#endif
