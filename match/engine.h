/* The contract of engines for pattern graphs.
 *
 * A task is a plan on an index: which levels are visited and which are only
 * counted.  Units of work are candidates of the first two levels, which an
 * engine divides among its threads or GPUs.  It finds the same matches for any
 * number of them; an engine that is `ordered` finds them in the same order,
 * too. */
#ifndef MS_MATCH_ENGINE_H
#define MS_MATCH_ENGINE_H

#include "base/integrity.h"
#include "base/threads/stop.h"
#include "base/units.h"
#include "match/cpu/program.h"
#include "match/stream.h"

#include <gmp.h>

typedef struct ms_pattern_task {
  const ms_program *program;
  int threads;         /* at most this many */
  uint32_t devices;    /* at most this many GPUs; 0: the engine takes all of them for an estimated
                          second of work or more, otherwise mostly one */
  const int *device;   /* [devices] GPU numbers; NULL: the first ones */
  uint64_t gpu_memory; /* bytes that may be used of each GPU's memory; 0: all that is free */
  const ms_stop *stop; /* may be NULL */
  /* A count reports the roots that it has searched, from one thread; may be NULL. */
  ms_progress_fn progress;
  void *progress_user;
  /* The units that the CPU's engine counts (units.h); NULL: all.  For other engines, programs are
   * restricted to a share (units.h). */
  const ms_share *share;
  ms_work *work; /* receives what the engine did, in addition to what it holds; may be NULL */
  uint32_t square_common;  /* for count_squares and count_triangles alone */
  ms_integrity *integrity; /* NULL: what is copied from GPUs is not checked */
} ms_pattern_task;

/* Makes the result rows[count][n] from ids[count][n] by level; called by several threads at a time.
 * Returns how many it made, from the first on; fewer than `count`: to stop (the callee records
 * why).
 */
typedef uint64_t (*ms_rows_fn)(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows);

/* How an engine uses a program's table of paths from the root; count plans depend on it. */
typedef enum ms_table_use {
  MS_TABLE_READ,
  MS_TABLE_ROWS, /* it reads rows instead, in the same time; no level may depend on the table alone
                    (MS_FROM_TOUCHED) */
  MS_TABLE_NONE  /* it reads rows, too, and plans without a table are better */
} ms_table_use;

/* Books: an edge, the spine, and vertices next to both of its ends, the pages; with one page, a
 * triangle.  What is counted are the maps that take one vertex of the book to v. */
typedef struct ms_book {
  uint32_t pages;   /* 1 to MS_BOOK_PAGES */
  bool at_page;     /* that vertex is a page, and not an end of the spine */
  uint64_t *number; /* [index->n] receives the maps */
} ms_book;

#define MS_BOOK_PAGES 3u

typedef struct ms_pattern_engine {
  const char *name;
  ms_table_use tables;
  bool ordered;         /* rows come in an order that depends on the program alone */
  int (*devices)(void); /* 0: not in this build or machine */
  /* True if `devices` may find one.  Nothing is loaded; NULL: nobody knows. */
  bool (*may_have_devices)(void);
  /* Begins to start a GPU in the background, and returns true once that has ended; NULL: a GPU is
   * started where it is used. */
  bool (*start)(void);
  /* True once this process has started a GPU, which takes long for the first time; NULL: nobody
   * knows. */
  bool (*is_started)(void);
  /* Returns MS_ERR_USAGE, with the reason in the message, if the engine does not support this
   * program or, for NULL, no program at all on this machine.  A NULL function: it supports every
   * program. */
  ms_status (*supports)(const ms_program *program, ms_error *err);
  /* Returns the estimated time of this program in steps of the CPU engine, given the steps that the
   * CPU engine would take.  Plans of counts are compared by it.  NULL: the same number. */
  double (*weigh)(const ms_program *program, double steps);
  /* Loads the code of `weigh`, which needs no device: for who plans counts that others have made.
   * MS_ERR_USAGE: there is none.  NULL: it is there. */
  ms_status (*load)(ms_error *err);
  /* Adds the program's total to `sum`.  If it returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED, the stop
   * token ended it, and `sum` lacks the part that was not done. */
  ms_status (*count)(const ms_pattern_task *task, mpz_t sum, ms_error *err);
  /* Adds the weights of the edges of all 4-cycles (cpu/weighted_squares.h), for `square_common`
   * common neighbours of the ends of an edge.  The program is one of 4-cycles, whose root is the
   * largest vertex.  It ends as `count`, and MS_ERR_MEMORY means that nothing was added.  NULL:
   * this engine does not; the CPU's is ms_weighted_squares. */
  ms_status (*count_squares)(const ms_pattern_task *task, mpz_t sum, ms_error *err);
  /* Adds the number of maps of 4-cycles into the neighbourhoods of all vertices (count_products.c).
   * The program is one of 4-cycles; its index is what counts.  It ends as `count`, and after
   * MS_ERR_MEMORY `sum` is of no use.  NULL: this engine does not. */
  ms_status (*count_hub_squares)(const ms_pattern_task *task, mpz_t sum, ms_error *err);
  /* Adds the number of maps of a triangle with `square_common` further vertices, 1 to 3, each next
   * to all three (count_products.c).  The index of the program is what counts.  It ends as
   * count_hub_squares.  NULL: this engine does not. */
  ms_status (*count_triangles)(const ms_pattern_task *task, mpz_t sum, ms_error *err);
  /* Adds the number of maps of a triangle with one more edge whose end is the largest vertex
   * (match/count/count_search.c).  The index of the program, which is by degree, is what counts. It
   * ends as count_hub_squares.  NULL: this engine does not. */
  ms_status (*count_triangle_ends)(const ms_pattern_task *task, mpz_t sum, ms_error *err);
  /* Counts books at each vertex (match/count/rooted_plan.h).  The program is as for count_squares,
   * and longest^(pages + 1) of its index is below 2^62.  It ends as count_hub_squares, but that
   * numbers are of no use unless it returns MS_OK.  NULL: this engine does not. */
  ms_status (*count_books)(const ms_pattern_task *task, ms_book *book, ms_error *err);
  /* Makes the tests of domains on a GPU (domain_task.h); NULL: this engine does not. */
  ms_status (*filter_domains)(const struct ms_domain_task *task, ms_error *err);
  /* Puts every match of a program without a tail into the stream, in rows made by `make`.
   * Returns MS_OK also when the stream accepts no more rows. */
  ms_status (*list)(const ms_pattern_task *task, ms_rows_fn make, void *user, ms_stream *stream,
                    ms_error *err);
} ms_pattern_engine;

/* Estimated time of a program on a GPU, as a share of its time on one thread of the CPU, where no
 * engine's `weigh` says more. */
#define MS_USUAL_GPU_WEIGHT 0.03

extern const ms_pattern_engine ms_pattern_engine_cpu;
/* Engines on GPUs, none of which is ordered.  Without the plug-in (gpu/loader) they have zero
 * devices.
 *
 *   dfs   depth first, with a stack for each warp (STMatch, SC'22; G2Miner,
 *         OSDI'22), over the same programs as the CPU's engine; its memory does
 *         not depend on the number of matches (gpu/match/dfs/dfs.c);
 *   trie  breadth first in bounded memory (cuTS, SC'21): gpu/match/trie/trie_device.h,
 *         gpu/match/trie/trie_drive.h;
 *   reuse breadth first; it keeps candidate sets and uses them again (RPS,
 *         TKDE'22): gpu/match/reuse/reuse_device.h.  Its plans have no table; dfs runs
 *         a program that has one;
 *   flood breadth first until there are paths for all of the device, then a queue
 *         of paths, and depth first over chunks within a block (GRASS, ICPP 2019):
 *         gpu/match/flood/flood_device.h;
 *   gpu   the best of the others for a program: dfs for local programs
 *         (gpu/match/dfs/dfs_local.cuh) and for those with a table, trie for all other
 *         counts, flood for lists (gpu/match/best.c). */
extern const ms_pattern_engine ms_pattern_engine_gpu, ms_pattern_engine_dfs, ms_pattern_engine_trie,
    ms_pattern_engine_reuse, ms_pattern_engine_flood;

#endif
