/* The host's part of the engine `trie`: the order in which entries are expanded.
 *
 * The levels lie one after the other in the arrays of entries.  A level may take its share of
 * the free room, (free entries) / (levels to come), so that each level has room for at least one
 * entry.  If it does not have room for all children, those that were found are searched to the
 * end first; then the level before it continues where it stopped: with the items that the warps
 * left, then with the entries that nobody had begun.  An entry with more children than there is
 * room for becomes such an item again and again.  Each run of a kernel writes at least one child
 * or finishes the level, so the search ends.
 *
 * The first kernels of all levels, below new roots, are launched at once, and the host waits for
 * them once (a *descent*).  They have the same room, and stop at the first level that is not
 * finished or has many entries; from there on the host continues level by level. */
#ifndef MS_GPU_MATCH_TRIE_DRIVE_H
#define MS_GPU_MATCH_TRIE_DRIVE_H

#include "gpu/common/emit.h"
#include "gpu/match/squares/conjunction.h"
#include "gpu/match/trie/trie_device.h"

/* Bytes of device memory of an entry, and of an item. */
#define MS_TRIE_ENTRY_BYTES (2 * sizeof(uint32_t))
#define MS_TRIE_ITEM_BYTES sizeof(ms_trie_item)

/* A first search below the entries of level 0, which are entry[0 .. count): the jobs of all levels,
 * each on what the one before has found, without a wait between them (ms_trie_work). */
typedef struct ms_trie_descent {
  uint64_t count, entries, most; /* the last two as in ms_trie_work */
  uint32_t deepest;              /* levels 0 .. deepest - 1 are expanded */
  uint32_t left_list;            /* for what the one level that is not finished leaves */
  bool counts;                   /* .. and level `deepest` is counted by: */
  ms_trie_job job;
} ms_trie_descent;

/* Returns what the kernel of a level gets; all but the first level find their entries themselves.
 */
ms_trie_work ms_trie_descent_work(const ms_trie_descent *descent, uint32_t depth);

/* The machine that runs kernels, called by one thread at a time; `on` is its state. */
typedef struct ms_trie_machine {
  /* Sets entry[0 .. count) to roots first, first + 1, .. */
  ms_status (*roots)(void *on, uint64_t first, uint64_t count, ms_error *err);
  ms_status (*work)(void *on, ms_trie_job job, const ms_trie_work *work, ms_trie_counters *out,
                    ms_error *err);
  /* out[deepest + counts]: the counters of each level that the descent expands or counts. */
  ms_status (*descend)(void *on, const ms_trie_descent *descent, ms_trie_counters *out,
                       ms_error *err);
  /* Copies list from[from_at .. from_at + count) to list to[to_at ..]. */
  ms_status (*copy_items)(void *on, uint32_t to, uint64_t to_at, uint32_t from, uint64_t from_at,
                          uint64_t count, ms_error *err);
} ms_trie_machine;

/* How a budget is divided. */
typedef struct ms_trie_memory_plan {
  uint64_t entries; /* of all levels */
  uint64_t items;   /* of a list; there are prefix + 1 */
} ms_trie_memory_plan;

/* `most_items`: a bound on the items that a launch can leave. */
ms_status ms_trie_memory_plan_make(uint64_t bytes, uint32_t prefix, uint64_t most_items,
                                   ms_trie_memory_plan *plan, ms_error *err);

/* Roots that several drives share. */
typedef struct ms_trie_roots {
  uint64_t next;         /* changed atomically */
  uint64_t count, grain; /* grain: most roots taken at a time; 0: as many as there is room for */
} ms_trie_roots;

typedef struct ms_trie_drive {
  const ms_trie_machine *machine;
  void *on;
  ms_trie_memory_plan memory;
  const ms_program *program;
  uint64_t slice; /* entries of the first launch; 0: the drive chooses */
  ms_trie_roots *roots;
  const ms_stop *stop;
  mpz_ptr sum;                                 /* of a count */
  void (*report)(void *user, double fraction); /* receives the fraction of the roots that is done;
                                                  may be NULL */
  void *report_user;
  ms_gpu_rows rows;        /* of a listing: matches of the deepest level, by entry */
  const ms_gpu_sink *sink; /* NULL: count */
  ms_work work;            /* receives what this drive did, in addition to what it holds */
  atomic_bool *halt; /* no drive should continue; NULL: this is the only drive, and it counts */
} ms_trie_drive;

/* Searches all roots that this drive gets.  Returns MS_OK also when the stream takes no more. */
ms_status ms_trie_drive_run(ms_trie_drive *drive, ms_error *err);

#endif
