/* What the host (C) and the kernels (CUDA C++) of the engine `reuse` agree on.
 *
 * Method: RPS (Guo, Li, Tan, TKDE'22).  Breadth first: the partial matches of a
 * level are *entries*; the children of an entry are contiguous and ascend, and an
 * entry knows its parent and its children.  Beside an entry are the candidate
 * sets that can be computed once its vertex is matched, in a *pool*.  A set
 * that is constraint-subsumed by a set of another partial match finds that set by
 * climbing to the common ancestor and by binary search downward
 * (gpu/match/reuse/reuse_program.h); if it is not there, the set is computed by an
 * intersection.
 *
 * The walk of the engine `dfs` (gpu/match/dfs/dfs_visit.cuh) finishes the deepest
 * level's entries: the last set and the tail, without an entry for each match.
 *
 * Memory is a fixed number of entries and of words.  An entry is expanded whole
 * (its sets and all of its children) or not at all, by one atomic addition to a
 * pair of counters, so each intersection is run once.  Once something did not
 * fit, nothing that comes later fits, and the host continues with the levels below
 * and then with the entries that are left.  A *batch* of a level is what was
 * expanded together; the cached sets are those of the current batches. */
#ifndef MS_GPU_MATCH_REUSE_DEVICE_H
#define MS_GPU_MATCH_REUSE_DEVICE_H

#include "gpu/match/dfs/dfs_device.h"

enum { MS_REUSE_NONE = 255 };
/* ms_reuse_place.count: not expanded; done and no longer in the batch (or one of its sets had
 * too few elements). */
#define MS_REUSE_WAITS UINT32_MAX
#define MS_REUSE_GONE (UINT32_MAX - 1)
/* Entries, words, and what warps may request beyond them, stay below 2^32. */
#define MS_REUSE_MOST ((uint64_t)1 << 31)

/* A cached set that can replace another one.  It belongs to the partial match that has the match
 * of level from[b] at level b. */
typedef struct ms_reuse_cover {
  int16_t set;   /* -1: none */
  uint8_t at;    /* level of the entries beside which it is kept */
  uint8_t first; /* levels below it, the common ancestor, are as in the current match */
  uint8_t whole; /* it covers all rows; otherwise it replaces the last row */
  uint8_t from[MS_DEVICE_LEVELS]; /* [at + 1] */
} ms_reuse_cover;

typedef struct ms_reuse_set {
  uint8_t at;    /* computed once this level is matched */
  uint8_t store; /* number among the sets kept beside an entry; MS_REUSE_NONE: it is not kept */
  ms_reuse_cover cover;
} ms_reuse_set;

/* Data of the engine beside an ms_device_program. */
typedef struct ms_reuse_program {
  uint32_t deepest;                      /* level whose entries are finished or listed */
  uint8_t stores[MS_DEVICE_LEVELS];      /* number of sets that are kept beside an entry */
  uint8_t stores_left[MS_DEVICE_LEVELS]; /* number of levels from this one on that keep sets */
  uint64_t wanted[MS_DEVICE_LEVELS]; /* sets of earlier levels that are needed beside an entry */
  ms_reuse_set set[MS_DEVICE_SETS];
} ms_reuse_program;

/* The progress of a level.  A launch of level i reads what the launches of earlier levels left,
 * and writes its own. */
typedef struct ms_reuse_level {
  unsigned long long cursor; /* words * 2^32 + children that were requested */
  unsigned long long taken;  /* entries that were begun, from the end; may exceed their number */
  unsigned long long hits, misses; /* cached sets that were found, and that were not */
  uint32_t limit; /* set by the host: entries [0, limit), as far as they exist, are to be done */
  uint32_t base, count;     /* entries base, base + 1, .. base + count - 1 */
  uint32_t left;            /* entries [0, left) of these were to be done in this batch */
  uint32_t pool;            /* the first word of its sets */
  uint32_t full;            /* something did not fit .. */
  uint32_t failed;          /* .. 1 + the last entry that did not fit */
  uint32_t children, words; /* .. the children and words that did fit */
} ms_reuse_level;

/* What is known beside an entry of a level that is expanded. */
typedef struct ms_reuse_place {
  uint32_t first, count; /* children */
  uint32_t sets;         /* pool[sets + 2 i], [.. + 1]: first word and length of the i-th set */
} ms_reuse_place;

typedef enum ms_reuse_job {
  MS_REUSE_ROOTS,
  MS_REUSE_EXPAND,
  MS_REUSE_FINISH,
  MS_REUSE_GATHER
} ms_reuse_job;

/* All pointers are to device memory, except `rows`. */
typedef struct ms_reuse_launch {
  ms_dfs_launch walk;
  const ms_reuse_program *program;
  ms_reuse_level *level;          /* [deepest + 1] */
  uint32_t *vertex, *parent;      /* [entries] */
  ms_reuse_place *place;          /* [inner] of levels above the deepest */
  uint32_t *pool;                 /* [words] */
  uint64_t entries, inner, words; /* each at most MS_REUSE_MOST */
  uint64_t last_room;             /* most entries of the deepest level */
  uint64_t first_root, all_roots; /* ROOTS: entry i is root number first_root + i of the classes */
  uint64_t classes;
  uint32_t roots;    /* entries of level 0 */
  uint32_t depth;    /* EXPAND */
  uint32_t long_row; /* a row that is shorter is intersected, and no cached set is searched that
                        would replace it */
  uint32_t *rows;    /* GATHER: [prefix][row_room] pinned memory of the host */
  uint64_t row_room;
  uint64_t first_row, row_count; /* entries of the deepest level */
} ms_reuse_launch;

#ifdef __cplusplus
extern "C"
#endif
    /* The address of a kernel; its only argument is an ms_reuse_launch. */
    const void *
    ms_reuse_function(ms_reuse_job job);

#endif
