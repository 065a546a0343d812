/* A launch of the census on GPUs: what the host (C) lays out and the kernels use.
 *
 * A warp searches one root at a time.  It numbers the vertices of the root's *ball*: the vertices
 * above the root that paths of at most k - 1 edges reach from it without a vertex below the root.
 * All sets of the root lie in its ball.  A set of vertices of the ball is W words of 64 bits, and
 * the adjacency of the ball is a row of as many bits for each vertex (search.cuh).  A root whose
 * ball has more than 64 W vertices is left, for a kernel with more words or for the CPU.
 *
 * One kernel counts the sets for one labelling, with a set a lane (search.cuh); another one counts
 * them for 32 labellings at a time, with a labelling a lane (labels.cuh).  A third one counts, for
 * each root alone, all sets that hold it (vertices.cuh): there the vertices below the root belong
 * to the ball, too. */
#ifndef MS_GPU_CENSUS_DEVICE_H
#define MS_GPU_CENSUS_DEVICE_H

#include "gpu/common/queue.h"
#include "motifsieve.h"

#ifdef __CUDACC__
#define MS_CENSUS_BOTH_SIDES __host__ __device__
#else
#define MS_CENSUS_BOTH_SIDES
#endif

enum {
  MS_CENSUS_ITEMS = 64,     /* sets of one size that wait */
  MS_CENSUS_LABELINGS = 64, /* labellings of a vertex that lie beside each other */
  MS_CENSUS_LABELS = 32,    /* labellings of a launch of labels.cuh */
  MS_CENSUS_WARPS = 4,      /* of a block */
  MS_CENSUS_MOST_BITS = 16, /* most places of a table: 2^16 */
  MS_CENSUS_PROBES = 64     /* most places of a table in which a motif is looked for */
};

/* What a kernel counts. */
typedef enum ms_census_kernel {
  MS_CENSUS_SETS,       /* of all roots together */
  MS_CENSUS_ALL_LABELS, /* the same for many labellings */
  MS_CENSUS_VERTICES    /* of each root alone */
} ms_census_kernel;

/* What is found for a unit of MS_CENSUS_VERTICES: 0 if nothing was, since the launch was stopped or
 * there was no room; else one of these in the low two bits. */
enum {
  MS_CENSUS_BALL = 1,  /* the ball is too large */
  MS_CENSUS_TABLE = 2, /* the table is too small, or a number has no 32 bits */
  MS_CENSUS_DONE = 3   /* with the number of entries in the next 22 bits, and their place in the
                          remaining ones */
};

/* All pointers are to device memory. */
typedef struct ms_census_launch {
  ms_gpu_queue *queue;      /* `rows` counts the sets that are visited */
  const uint32_t *offset;   /* [n + 1] */
  const uint32_t *neighbor; /* [offset[n]] */
  const uint16_t *kind;     /* [n] */
  const uint8_t *label;     /* [n][MS_CENSUS_LABELINGS] kinds of each labelling, of which the launch
                               counts the first MS_CENSUS_LABELS; NULL: `kind` is the only one */
  const uint32_t *root;     /* [units]; NULL: unit u is root u */
  const uint32_t *begin; /* [units]; NULL: sets of all candidates are counted, else those whose */
  const uint32_t *end;   /* second vertex is one of candidates begin .. end - 1 of the root */
  /* The launch takes unit first + j of every `all` units, for j < width. */
  uint64_t units, all, first, width;
  uint32_t k, kinds;
  const uint32_t *step;            /* ms_dense.step, one size behind the other */
  uint32_t step_at[MS_MAX_CENSUS]; /* where each size begins */
  uint64_t cells;                  /* multisets of k - 1 kinds, times kinds */
  unsigned long long *cell;        /* [cells] sets of a multiset of k - 1 kinds and one more kind */
  uint32_t *label_cell;  /* [MS_CENSUS_LABELS][cells] the same for labellings; a number has
                            32 bits, because the sets of all together are fewer */
  uint32_t shared_cells; /* cells, if a block counts in its own memory; else 0 */
  uint32_t merged;       /* kinds, if a ball has a row for each; else 0 */
  uint8_t *left;         /* [n] receives 1 for roots whose ball is too large */
  /* MS_CENSUS_VERTICES: */
  const uint32_t *motif;     /* [cells] the number of the multiset of each cell; NULL: the vertices
                                below a root are not in its ball */
  uint32_t motifs;           /* numbers are below it */
  uint32_t place_bits;       /* the table of a warp has 2^place_bits places, 32 or more */
  uint32_t *table;           /* [warps][2][places], zeros; NULL: tables are in shared memory */
  unsigned long long *used;  /* entries that were asked for */
  unsigned long long *entry; /* [room] as in ms_vertex_numbers */
  unsigned long long room;
  unsigned long long *found; /* [units] */
} ms_census_launch;

/* Bytes of the table of a warp. */
static inline MS_CENSUS_BOTH_SIDES uint64_t ms_census_table_bytes(uint32_t place_bits)
{
  return (uint64_t)8 << place_bits;
}

/* Bytes of shared memory of a warp: the ball, and its lists of sets or its labels. */
static inline MS_CENSUS_BOTH_SIDES uint32_t ms_census_ball_bytes(uint32_t words, uint32_t merged)
{
  uint32_t most = 64 * words;
  /* rows; rows of kinds; entries of the hash table, their numbers; ranks, kinds */
  return most * words * 8 + merged * words * 8 + 2 * most * 6 + most * 6;
}

static inline MS_CENSUS_BOTH_SIDES uint32_t ms_census_warp_bytes(uint32_t words, uint32_t k,
                                                                 uint32_t merged)
{
  return ms_census_ball_bytes(words, merged) + (k - 2) * MS_CENSUS_ITEMS * (2 * words * 8 + 4);
}

static inline MS_CENSUS_BOTH_SIDES uint32_t ms_census_label_bytes(uint32_t words)
{
  return ms_census_ball_bytes(words, 0) + 64 * words * MS_CENSUS_LABELS;
}

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel; its only argument is an ms_census_launch.  words: 1, 2 or 4. */
    const void *
    ms_census_function(uint32_t words, ms_census_kernel kernel);

#endif
