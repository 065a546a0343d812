/* A launch of the engine for colour motifs: what the host (C) lays out and the kernels use.
 *
 * Two kernels count the matches of a region.  In *rows* (rows.cuh), a warp holds sets of ranks as
 * bits, a word a lane and 1,024 ranks; a unit of work is a root and its second vertex.  In *lists*
 * (lists.cuh), for large sparse regions, a warp searches one root: its candidates are a list, and a
 * hash table in shared memory holds the neighbourhood of the set.
 *
 * Two others list them (list_lists.cuh, list_lists.cuh), as records that the host expands. */
#ifndef MS_GPU_MOTIF_SETS_DEVICE_H
#define MS_GPU_MOTIF_SETS_DEVICE_H

#include "gpu/common/queue.h"
#include "motif/state_group.h"
#include "motifsieve.h"

#ifdef __CUDACC__
#define MS_MOTIF_BOTH_SIDES __host__ __device__
#else
#define MS_MOTIF_BOTH_SIDES
#endif

#define MS_MOTIF_WIDEST 32u      /* words of a lane */
#define MS_MOTIF_RANKS 32768u    /* most ranks of a region in rows */
#define MS_MOTIF_CHUNK 1024u     /* ranks that a word of each lane holds */
#define MS_MOTIF_RANK_BITS 24u   /* of an entry of a list; the others are the kind */
#define MS_MOTIF_LIST_KINDS 256u /* most kinds of a region in lists */
#define MS_MOTIF_WARPS 8u        /* most warps of a block */

/* A root, its second vertex, and the part of the third vertices: those whose number is `part`
 * modulo `parts`.  Sets of three have no second vertex: it is the root, too. */
typedef struct ms_motif_unit {
  uint16_t root, second, part, parts;
} ms_motif_unit;

/* A part of the output of a listing (list_lists.cuh), which a warp writes: all records of `units`
 * neighbouring units, or the entries first..last-1 of one. */
typedef struct ms_motif_task {
  uint64_t first, last;
  uint64_t to; /* entries of the output that are before it */
  uint32_t unit, units;
} ms_motif_task;

/* All pointers are to device memory. */
typedef struct ms_motif_launch {
  ms_gpu_queue *queue; /* `rows` counts the sets that are visited */
  /* the automaton: ms_states */
  const uint32_t *next, *joins, *group_begin;
  const ms_state_group *group;
  uint32_t kinds, kind_words, size; /* size: vertices of a match, 3 or more */
  const uint32_t *set; /* in rows: [sets][stride] the ranks of each set of kinds; in lists:
                          [sets][kind_words] the kinds */
  /* The launch takes unit first + j of every `all` units, for j < width. */
  uint64_t units, all, first, width;
  unsigned long long *taking; /* [n] matches that hold each rank; NULL: they are not asked for */
  /* rows */
  const ms_motif_unit *unit; /* [units] the heaviest first */
  const uint32_t *row;       /* [n][stride] */
  uint32_t stride;           /* words of a row, a multiple of 32 */
  const uint32_t *kind;      /* [n] of each rank */
  uint32_t *space;           /* [warps of the grid][size][2][stride] X and N of each size */
  /* lists */
  const uint32_t *root;     /* [units] */
  const uint32_t *offset;   /* [n + 1] */
  const uint32_t *neighbor; /* entries: the rank, and its kind above MS_MOTIF_RANK_BITS */
  uint8_t *left;            /* [n] in: 1: the root is left out; out: 1: too much is near it */
  uint32_t hash;            /* entries of a warp's table, a power of two */
  uint32_t longest;         /* entries of the longest row; 0: sets are not counted side by side */
  /* a listing */
  unsigned long long *entries; /* [units from `first` on] receives the entries of each unit */
  const ms_motif_task *task;   /* [units] NULL: only `entries` is filled */
  void *output;                /* uint16_t in rows, uint32_t in lists */
  uint32_t piece, together;    /* entries of a piece; vertices that complete a set in a record */
} ms_motif_launch;

/* Entries of a warp's table that may be taken. */
static inline MS_MOTIF_BOTH_SIDES uint32_t ms_motif_list_room(uint32_t hash)
{
  return hash / 4 * 3;
}

/* Candidates in all lists of a warp together. */
static inline MS_MOTIF_BOTH_SIDES uint32_t ms_motif_stack_room(uint32_t hash)
{
  return 2 * ms_motif_list_room(hash);
}

/* Bytes of shared memory of a warp. */
static inline MS_MOTIF_BOTH_SIDES uint32_t ms_motif_warp_bytes(uint32_t hash)
{
  return hash > 0
             ? hash * 4 + (ms_motif_list_room(hash) + ms_motif_stack_room(hash)) * 4 + MS_MAX_K * 16
             : MS_MOTIF_CHUNK * 2;
}

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel; its only argument is an ms_motif_launch.  width: words of a lane, 0:
     * lists; takes: launch->taking is filled.  NULL: there is no kernel of this width. */
    const void *
    ms_motif_function(uint32_t width, bool takes);

#ifdef __cplusplus
extern "C"
#endif
    /* The same for a listing. */
    const void *
    ms_motif_list_function(uint32_t width);

#endif
