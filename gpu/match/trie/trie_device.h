/* What the host (C) and the kernels (CUDA C++) of the engine `trie` agree on.
 *
 * Method: cuTS (Xiang et al., SC'21).  The partial matches of a level are two arrays, the parent
 * (an entry of the level before) and the vertex that extends it; a match is read by climbing.  A
 * warp takes up to 32 entries, lays out their candidates one after the other (where cuTS divides
 * warps into tiles, one for each entry) and tests 32 of them at a time; one atomic addition in
 * each round gives all children of the warp their places.
 *
 * What a level has no room for is not lost: the warp notes its entries and the candidates at
 * which it had to stop (an *item* each), the other entries are not begun, and the host continues
 * with both once the levels below are done (gpu/match/trie/trie_drive.h).  So memory for one entry
 * on each level is enough. */
#ifndef MS_GPU_MATCH_TRIE_DEVICE_H
#define MS_GPU_MATCH_TRIE_DEVICE_H

#include "gpu/common/queue.h"
#include "gpu/match/squares/conjunction_device.h"

#include <stdbool.h>
#include <stdint.h>

/* functions of the host and of the device */
#ifdef __CUDACC__
#define MS_TRIE_BOTH static __host__ __device__ inline
#else
#define MS_TRIE_BOTH static inline
#endif

enum {
  MS_TRIE_KEPT = 512, /* elements of sets that siblings share */
  MS_TRIE_BATCH = 32  /* most entries that a warp takes at a time */
};

/* How the bits of long rows are made: for rows of at least `least` neighbours, the highest ids
 * first, as many as there is room for. */
typedef struct ms_trie_hubs {
  uint32_t n, least, room;
  uint64_t words;
  uint32_t *number; /* [n + 1] as in ms_conjunction_program; [n] is a counter, 0 before */
  uint32_t *bits;   /* [room][words] all 0 before */
} ms_trie_hubs;

/* An entry some of whose candidates are left: from number `first` on. */
typedef struct ms_trie_item {
  uint32_t entry, first;
} ms_trie_item;

/* Of a kernel; all zeros when it begins. */
typedef struct ms_trie_counters {
  unsigned long long given;  /* items and entries that warps begin without a ticket .. */
  unsigned long long ticket; /* .. and with one; their sum may exceed the number of all */
  unsigned long long cursor; /* children that were found; may exceed their room */
  unsigned long long left;   /* items that were not finished */
  ms_gpu_sum sum;
  unsigned long long begin, end, room; /* as in ms_trie_work, also where the host did not know it */
  unsigned long long started;          /* nanoseconds of the device's clock */
} ms_trie_counters;

typedef struct ms_trie_memory {
  uint32_t *parent, *vertex; /* [entries] of all levels; parents are numbers in the same arrays */
  ms_trie_item *item;        /* [prefix + 1][most_items] lists */
  uint64_t most_items;
  /* of the kernel; in a descent, the counters of the kernel before it precede them */
  ms_trie_counters *counters;
} ms_trie_memory;

typedef enum ms_trie_job {
  MS_TRIE_EXPAND, /* write the children of the next level */
  MS_TRIE_COUNT,  /* count them */
  MS_TRIE_TAIL    /* add the tail's values */
} ms_trie_job;

/* Items, then entries, of one level. */
typedef struct ms_trie_work {
  uint32_t level;
  uint32_t batch;                /* entries that a warp takes at a time: 1 .. MS_TRIE_BATCH */
  uint32_t warps;                /* of the launch */
  uint32_t item_list, left_list; /* lists: to read, and to write what is left */
  uint32_t n_items;
  uint64_t begin, end; /* entries */
  uint64_t to, room;   /* children: to, to + 1, .., to + room - 1 */
  /* In a descent the host launches the kernels of all levels at once.  Each but the first one finds
   * batch, begin, end, to and room itself: it works on all children that the kernel before it has
   * found.  If that one left anything, or if there are more than `most`, it does nothing, and nor
   * do those after it. */
  uint32_t follows; /* 1: it is such a kernel */
  uint32_t deeper;  /* levels that still get children; 0: this level is the deepest */
  uint64_t entries; /* of all levels */
  uint64_t most;
  uint64_t share; /* of `count` entries a warp takes count / share at a time, rounded up */
} ms_trie_work;
#define MS_TRIE_WORK_WORDS (uint32_t)(sizeof(ms_trie_work) / sizeof(uint32_t))

/* Returns the room for the children of a level: its share of what `used` entries leave, if so many
 * levels still get children. */
MS_TRIE_BOTH uint64_t ms_trie_room(uint64_t entries, uint64_t used, uint32_t deeper)
{
  return (entries - used) / deeper;
}

/* Returns the number of words of fast memory that a warp needs. */
static inline uint32_t ms_trie_words(const ms_conjunction_program *p, ms_trie_job job)
{
  uint32_t words = MS_TRIE_WORK_WORDS + 32 * (p->prefix + 4);
  if (job != MS_TRIE_EXPAND)
    words += 32 * (p->n_masks + 1) + (p->keeps ? 32 * 2 + MS_TRIE_KEPT : 0);
  return words;
}

/* Kernels, by number, with their arguments.
 *
 * WORK + its job: an ms_conjunction_program, ms_trie_memory, ms_trie_work and uint32_t words of
 * fast memory of a warp.
 *
 * HUBS, one warp for each vertex: program, ms_trie_hubs.
 *
 * ROOTS, one thread for each entry 0, 1, .. of level 0 = roots first, first + 1, ..: program,
 * memory, first, count (64 bits each).
 *
 * GATHER, one thread for each row, rows[prefix][room] = the matches of entries first, first + 1,
 * .. of the deepest level: program, memory, first, count, uint32_t *rows, room. */
enum { MS_TRIE_WORK, MS_TRIE_HUBS = 3, MS_TRIE_ROOTS, MS_TRIE_GATHER };
#define MS_TRIE_PLAIN_THREADS 256u /* threads of a block of HUBS, ROOTS and GATHER */

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel. */
    const void *
    ms_trie_function(uint32_t kernel);
#ifdef __cplusplus
extern "C"
#endif
    /* The same for programs of many levels (trie_many.cu). */
    const void *
    ms_trie_many_function(uint32_t kernel);

#endif
