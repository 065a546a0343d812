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
 * with both once the levels below are done (gpu/match/trie_drive.h).  So memory for one entry on
 * each level is enough. */
#ifndef MS_GPU_MATCH_TRIE_DEVICE_H
#define MS_GPU_MATCH_TRIE_DEVICE_H

#include "gpu/common/queue.h"
#include "gpu/match/conjunction_device.h"

#include <stdbool.h>
#include <stdint.h>

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

typedef struct ms_trie_counters {
  unsigned long long ticket; /* items and entries that were begun; may exceed their number */
  unsigned long long cursor; /* children that were found; may exceed their room */
  unsigned long long left;   /* items that were not finished */
  ms_gpu_sum sum;
} ms_trie_counters;

typedef struct ms_trie_memory {
  uint32_t *parent, *vertex; /* [entries] of all levels; parents are numbers in the same arrays */
  ms_trie_item *item;        /* [prefix + 1][most_items] lists */
  uint64_t most_items;
  ms_trie_counters *counters; /* all zeros when a kernel begins */
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
  uint32_t item_list, left_list; /* lists: to read, and to write what is left */
  uint32_t n_items;
  uint64_t begin, end; /* entries */
  uint64_t to, room;   /* children: to, to + 1, .., to + room - 1 */
} ms_trie_work;

/* Returns the number of words of fast memory that a warp needs. */
static inline uint32_t ms_trie_words(const ms_conjunction_program *p, ms_trie_job job)
{
  uint32_t words = 32 * (p->prefix + 4);
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
