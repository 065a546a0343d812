/* A launch of the census by shape on GPUs: what the host (C) lays out and the kernels use.
 *
 * A warp searches one unit at a time, as census/shapes/search.h says, and each lane looks at other
 * neighbours (shapes.cuh).  It has marks of all vertices and a list of candidates in global memory.
 *
 * Without kinds, numbers are by codes: in the block's memory where there are few codes, else in
 * global memory.  With kinds, they are by keys, packed classes, in one hash table of the device. A
 * warp that finds the table half full takes no further unit; the host empties the table and
 * launches again.  Where even the other half does not suffice, nothing of the launch counts, and
 * the host launches again with fewer units.  Numbers are modulo 2^64: some are taken back later. */
#ifndef MS_GPU_CENSUS_SHAPES_DEVICE_H
#define MS_GPU_CENSUS_SHAPES_DEVICE_H

#include "gpu/common/queue.h"
#include "motifsieve.h"

enum {
  MS_SHAPES_WARPS = 8,     /* of a block */
  MS_SHAPES_PROBES = 128,  /* most places of the table in which a key is looked for */
  MS_SHAPES_BUCKETS = 512, /* most buckets of a warp that are in shared memory */
  MS_SHAPES_OF_PLACE = 12  /* bytes of a place of a block's cache */
};

/* A unit, as in census/units.h. */
typedef struct ms_shapes_unit {
  uint32_t root, roots, begin, end;
} ms_shapes_unit;

/* One of several networks that a launch counts side by side, as the parts of one graph. */
typedef struct ms_shapes_network {
  unsigned long long taken, begin, end; /* of its units, from unit `begin` on */
  uint32_t vertex;                      /* the first one */
} ms_shapes_network;

/* A place of the table. */
typedef struct ms_shapes_slot {
  unsigned long long key; /* plus 1; 0: it is free */
  unsigned long long sets;
} ms_shapes_slot;

/* All pointers are to device memory. */
typedef struct ms_shapes_launch {
  ms_gpu_queue *queue;      /* `rows` counts the sets that are visited, and `sum` all sets; `left`:
                               the table is half full; `listed`: it has no room */
  const uint32_t *offset;   /* [n + 1] */
  const uint32_t *neighbor; /* [offset[n]] */
  const uint8_t *direction; /* [offset[n]] NULL: there are none */
  const uint16_t *kind;     /* [n] */
  const ms_shapes_unit *unit; /* [units] */
  /* The launch takes unit first + j of every `all` units, for j < width: in this order, those from
   * number `begin` on, before number `end`. */
  uint64_t units, all, first, width, begin, end;
  /* Networks side by side have numbers of their own, with their number in front of the code or key;
   * their units take the place of those above, and all are taken. */
  ms_shapes_network *network; /* [networks] NULL: the graph is one network */
  uint32_t networks;
  uint32_t n; /* vertices of a network, at most */
  uint32_t arc_bits, code_bits, kind_bits;
  uint32_t x_room;  /* of a warp */
  uint32_t buckets; /* of a warp: kinds << bits of a mask */
  uint8_t *mark;    /* [warps][n], zeros */
  uint32_t *x;      /* [warps][x_room] candidates, of all levels */
  uint32_t *bucket; /* [warps][2][buckets] numbers, which are zeros in between, and buckets that are
                       not zero; NULL: they are in shared memory */
  unsigned long long *cell; /* [networks][2^code_bits] by codes; NULL: numbers are by keys */
  uint32_t shared_cells;    /* 2^code_bits, if a block counts in its own memory; else 0 */
  uint32_t cache_bits;      /* else a block has a cache of 2^cache_bits places */
  ms_shapes_slot *slot;     /* [2^slot_bits] the table */
  uint32_t slot_bits;
  unsigned long long *used; /* places of the table */
  unsigned long long many;  /* of them, with which it is half full */
  /* The table is read in windows: */
  uint64_t window_begin, window_end; /* places */
  ms_shapes_slot *entry;             /* [window_end - window_begin] */
  unsigned long long *entries;
} ms_shapes_launch;

typedef enum ms_shapes_kernel {
  MS_SHAPES_PLAIN,   /* numbers by codes */
  MS_SHAPES_COLORED, /* numbers by keys */
  MS_SHAPES_READ     /* copies the window's keys with numbers other than 0 to `entry` */
} ms_shapes_kernel;

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel for k = 3 to 6; its only argument is an ms_shapes_launch. */
    const void *
    ms_shapes_function(uint32_t k, ms_shapes_kernel kernel);

#endif
