/* What the host (C) and the kernels (CUDA C++) of the engine `flood` agree on.
 *
 * Method: GRASS (Bonnici, Giugno, Bombieri, ICPP 2019), made exact for any
 * memory and with the plan's constraints.  A *path* is a partial match: a row
 * of words, the first candidate of the next level that was not tried, and then
 * the matches by level.  A path contains its whole state, so any block can
 * continue it.
 *
 * *Flooding.*  Breadth first, one thread for each path and one launch for each
 * level, until there are enough paths for all of the device: four for each thread
 * that it holds at a time (multiprocessors x blocks each holds x threads of a
 * block).  It runs for at least one level: a hub's children are too much work for
 * one block.  A child for which there is no room stays with its parent, as the
 * first candidate that was not tried.
 *
 * *Hypersearch.*  One persistent kernel.  A block takes paths from the common
 * queue and has a pool of paths for each level.  It continues with the deepest
 * pool that keeps its threads busy, by its paths or by their candidates, of which
 * it expects as many as there were recently; without such a pool, with the queue,
 * and then with the shallowest pool.  So it searches breadth first within chunks,
 * and depth first over them.  All threads of the block share the pairs of a path
 * and a candidate, which a prefix sum numbers.  No pool overflows: no more pairs
 * are tried at a time than the next pool has room for paths, and the path in which
 * that ends keeps its position.  The next pool always has some room: if it were
 * full, it would have been chosen.
 *
 * Programs are conjunctions (gpu/match/squares/conjunction.h): no sets are kept. */
#ifndef MS_GPU_MATCH_FLOOD_DEVICE_H
#define MS_GPU_MATCH_FLOOD_DEVICE_H

#include "gpu/match/classes.h"
#include "gpu/match/squares/conjunction_device.h"

#include <stddef.h>

enum {
  MS_FLOOD_WARPS = 8, /* warps of a block */
  MS_FLOOD_THREADS = 32 * MS_FLOOD_WARPS,
  MS_FLOOD_PAIRS = 1024, /* pairs that keep a block's threads busy for several rounds */
  MS_FLOOD_ROUNDS = 64,  /* rounds of candidates before a block chooses another job */
  MS_FLOOD_GUESS = 32,   /* candidates of a path, as long as none has been seen */
  MS_FLOOD_SIZES = 4096, /* sizes of tail sets that a block measures at a time */
/* levels of a block's pools (conjunction.cuh) */
#ifdef MS_MANY_LEVELS
  MS_FLOOD_LEVELS = MS_MOST_LEVELS
#else
  MS_FLOOD_LEVELS = MS_DEVICE_LEVELS
#endif
};
/* In place of the first candidate: all were tried. */
#define MS_FLOOD_DONE UINT32_MAX

/* What is done with a path of the deepest level. */
typedef enum ms_flood_action {
  MS_FLOOD_ONES,  /* counts one */
  MS_FLOOD_COUNT, /* counts the candidates of one more set, times a factor */
  MS_FLOOD_TAIL,  /* counts the tail's value */
  MS_FLOOD_LIST   /* writes it as a match */
} ms_flood_action;

/* Kernels, by number.
 *
 * ROOTS: its arguments are an ms_conjunction_program, first, count (64 bits each) and uint32_t
 * *to: to[0 .. count) = the paths of roots first + count - 1, .., first.
 *
 * STEP: its argument is an ms_flood_step.
 *
 * SEARCH + its action: its argument is an ms_flood_search. */
enum { MS_FLOOD_ROOTS, MS_FLOOD_STEP, MS_FLOOD_SEARCH };

/* Returns the words of a path that ends at this level; an odd number, so that rows begin in
 * different banks. */
static inline
#ifdef __CUDACC__
    __host__ __device__
#endif
        uint32_t
        ms_flood_words(uint32_t level)
{
  return (level + 2) | 1;
}

typedef struct ms_flood_paths {
  uint32_t *row; /* [count][words of the level] */
  uint64_t count;
} ms_flood_paths;

/* One launch of flooding: paths of `level` to their children.  Of the queue, `rows` is the
 * number of children that were found, and `left` is not 0 if some parents were not finished. */
typedef struct ms_flood_step {
  ms_conjunction_program program;
  ms_gpu_queue *queue;
  ms_flood_paths from;
  uint32_t *to; /* [room][words of level + 1] */
  uint64_t room;
  uint32_t level, blocks;
} ms_flood_step;

/* One launch of hypersearch; all pointers are to device memory. */
typedef struct ms_flood_search {
  ms_conjunction_program program;
  uint32_t table_bytes; /* of its tables, which follow one another; 0: blocks make no copies */
  ms_flood_action action;
  uint32_t deepest; /* the last level that has a pool */
  uint32_t counted; /* COUNT: number of the set .. */
  int64_t factor;   /* .. and its factor */
  uint32_t falling; /* TAIL: not 0: c (c-1) .. (c-falling+1) of the only set, and no terms */
  uint8_t value;    /* MS_VALUE_.. of the terms of a path */
  ms_gpu_queue *queue;
  ms_flood_paths first, second; /* of levels base and base + 1; some of the first may be done */
  uint32_t base;
  uint32_t blocks;
  uint32_t room, enough; /* most paths of a pool; paths that keep a block's threads busy */
  uint32_t near_level;   /* pools from this level on are in shared memory, the others in far[] */
  uint32_t *far;         /* [blocks][far_words] */
  uint64_t far_words;
  uint32_t shared_bytes; /* of a block */
  uint32_t *saved; /* [blocks][saved_words] of a listing: what one launch leaves to the next */
  uint64_t saved_words;
  bool again;     /* continue with what is saved */
  uint32_t *rows; /* [capacity][prefix] the output of a listing */
  uint64_t capacity;
} ms_flood_search;

/* A block's data in shared memory. */
typedef struct ms_flood_block {
  ms_conjunction_program program;
  ms_gpu_sum sum;
  unsigned long long warp_total[MS_FLOOD_WARPS];
  unsigned long long at; /* in the queue or in the output: the first number that the block got */
  uint32_t *pool[MS_FLOOD_LEVELS];
  uint32_t count[MS_FLOOD_LEVELS];    /* paths of a pool */
  uint32_t per_path[MS_FLOOD_LEVELS]; /* candidates of a path, as last seen; deepest level: 1 */
  uint32_t job, level, some;
  uint32_t dry, full; /* dry: the queue is empty; full: the output is full */
} ms_flood_block;

/* The current paths: number i is the i-th from the top of a pool. */
typedef struct ms_flood_batch {
  unsigned long long end[MS_FLOOD_THREADS]; /* number of candidates of paths 0 .. i together */
  const uint32_t *ids[MS_FLOOD_THREADS];    /* candidates not yet tried; NULL: lo, lo + 1, .. */
  uint32_t lo[MS_FLOOD_THREADS], link[MS_FLOOD_THREADS];
} ms_flood_batch;

/* Returns the words of the pools of levels [from, to). */
static inline
#ifdef __CUDACC__
    __host__ __device__
#endif
        uint64_t
        ms_flood_pool_words(uint32_t room, uint32_t from, uint32_t to)
{
  uint64_t words = 0;
  for (uint32_t level = from; level < to; level++)
    words += (uint64_t)room * ms_flood_words(level);
  return words;
}

/* Returns the words of sizes in a block's shared memory. */
static inline
#ifdef __CUDACC__
    __host__ __device__
#endif
        uint32_t
        ms_flood_size_words(ms_flood_action action, uint32_t n_masks)
{
  uint32_t all = n_masks * MS_FLOOD_THREADS;
  if (action != MS_FLOOD_TAIL)
    return 0;
  return all < (uint32_t)MS_FLOOD_SIZES ? all : (uint32_t)MS_FLOOD_SIZES;
}

/* Returns the bytes of an ms_flood_block with pools of that many levels. */
static inline
#ifdef __CUDACC__
    __host__ __device__
#endif
        uint64_t
        ms_flood_block_bytes(uint32_t levels)
{
  uint64_t level = sizeof(uint32_t *) + 2 * sizeof(uint32_t); /* pool, count and per_path */
  return sizeof(ms_flood_block) - MS_FLOOD_LEVELS * level + levels * level;
}

/* Returns the bytes of a block's shared memory: ms_flood_block with pools of `levels` levels, the
 * batch, tables, sizes, pools. */
static inline
#ifdef __CUDACC__
    __host__ __device__
#endif
        uint64_t
        ms_flood_shared_bytes(const ms_flood_search *s, uint32_t levels)
{
  uint64_t words = ms_flood_size_words(s->action, s->program.n_masks);
  words += ms_flood_pool_words(s->room, s->near_level, s->deepest + 1);
  return ms_flood_block_bytes(levels) + sizeof(ms_flood_batch) + (s->table_bytes + 15) / 16 * 16 +
         words * sizeof(uint32_t);
}

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel. */
    const void *
    ms_flood_function(uint32_t kernel);
#ifdef __cplusplus
extern "C"
#endif
    /* The same for programs of many levels (flood_many.cu). */
    const void *
    ms_flood_many_function(uint32_t kernel);

#endif
