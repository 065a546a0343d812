/* The enumeration engine contract.
 *
 * An engine lists the matches of an instance (motif/instance.h), each once.
 * It reads no files and knows no other engines.  The work is divided into units,
 * which are ranges of roots; run() may be called for any range on any open
 * context, and disjoint ranges have different matches.  run() returns MS_OK at
 * the end or if `match` ended it, and MS_ERR_LIMIT or MS_ERR_INTERRUPTED if the
 * stop token ended it; so do
 * count() and pick().
 * At most one of these calls may be active on a context. */
#ifndef MS_MOTIF_ENGINE_H
#define MS_MOTIF_ENGINE_H

#include "base/budget.h"
#include "base/integrity.h"
#include "base/threads/stop.h"
#include "base/units.h"
#include "motif/instance.h"

#include <stdatomic.h>

/* Receives a match: set[k] are instance vertices in any order.  Several threads call it
 * at the same time; `thread` < threads is the number of the thread.  It returns false to
 * stop the whole run. */
typedef bool (*ms_match_fn)(void *user, int thread, const uint32_t *set);

#define MS_SETS_TOGETHER 256u

/* Receives matches that differ in one vertex: set[size-1], each vertex of which is adjacent to one
 * before it, and one of last[count] each; the order of the matches is that of last[].  1 <= count
 * <= MS_SETS_TOGETHER.  Otherwise as ms_match_fn. */
typedef bool (*ms_matches_fn)(void *user, int thread, const uint32_t *set, const uint32_t *last,
                              uint32_t count);

/* The parts of the work, for a caller that wants the matches in an order that does not depend on
 * the threads.  A part is the work that one worker does without a gap; each has a place among the
 * others, and the matches of all parts, one part after the other, are in the order in which a
 * single worker would find them. */
typedef struct ms_parts {
  /* Opens a part behind `after`, or behind all others if NULL.  NULL: no memory. */
  void *(*open)(void *user, void *after);
  /* The next matches of this thread belong to the part. */
  void (*use)(void *user, int thread, void *part);
  /* The part has no further matches.  Each part is closed once, even if the run was stopped. */
  void (*close)(void *user, void *part);
} ms_parts;

/* The matches whose sum of vertex scores is great enough. */
typedef struct ms_sums {
  const uint32_t *score; /* [n of the instance] */
  /* The engine may leave out matches with a lower sum.  The receiver of matches may raise it while
   * a run goes on. */
  atomic_uint_least32_t least;
  ms_budget *budget; /* for the tables of the bounds; may be NULL */
} ms_sums;

/* Receives the matches of a run. */
typedef struct ms_match_sink {
  ms_match_fn match;     /* NULL: matches are only counted */
  ms_matches_fn matches; /* receives the matches of two or more vertices in place of `match`, for
                            speed; may be NULL */
  const ms_parts *parts; /* NULL: the order does not matter */
  void *user;
  /* receives, in addition to what it holds, the vertices by which sets were tried to be extended;
   * may be NULL */
  atomic_uint_fast64_t *visits;
  const atomic_bool *halt; /* the search ends soon after it is set; may be NULL */
  const ms_share *share;   /* the units (units.h) whose matches are found; NULL: all.  Of the CPU's
                              engine, without `sums` */
  bool only_cut;           /* of a share: only what it has of cut roots is found */
  ms_sums *sums;           /* NULL: all matches are delivered; else, with `match` and no `parts`,
                              those with great sums first */
  /* for engines on GPUs */
  ms_budget *budget;   /* of the host's memory; may be NULL */
  const int *device;   /* [devices] numbers of GPUs */
  uint32_t devices;    /* 0: the engine chooses; 1 is the most */
  uint64_t gpu_memory; /* as in ms_count_sink */
  bool *begun;         /* receives true before the first match is delivered; may be NULL */
} ms_match_sink;

/* How the sets of a region are held while its matches are counted. */
typedef enum ms_count_way {
  MS_COUNT_LISTS, /* as lists: large graphs whose vertices have many others near them */
  MS_COUNT_ROWS,  /* as bits of all ranks: small or dense graphs */
  MS_COUNT_BALLS  /* as bits of what is near the root: sparse graphs */
} ms_count_way;

/* The matches of each share of the work.  They depend on the instance alone. */
typedef struct ms_shares {
  ms_count_way way;
  uint64_t count;
  atomic_uint_fast64_t *matches; /* [count] modulo 2^64; freed with ms_free */
} ms_shares;

/* Matches that are picked out by their numbers. */
typedef struct ms_picks {
  const uint64_t *number; /* [count] ascending, from 0 */
  uint64_t count;
  uint32_t *set; /* [count][k] receives the instance vertices of each, in any order */
} ms_picks;

/* Receives the number of matches. */
typedef struct ms_count_sink {
  ms_budget *budget; /* for rows of bits and the states of sets; may be NULL */
  /* Called now and then by one thread with the number that was found so far; may be NULL. */
  void (*progress)(void *user, uint64_t matches);
  void *user;
  uint64_t low, high; /* the number, high * 2^64 + low, is added to this one */
  uint64_t *taking;   /* [n of the instance] the number of matches that hold each vertex is added;
                         NULL: it is not asked for */
  uint64_t visits;    /* the sets that were visited for it are added, too */
  const ms_share *share; /* the units (units.h) whose matches are counted; NULL: all */
  bool only_cut;         /* of a share: only what it has of cut roots is counted */
  ms_shares *shares;     /* receives the matches of each share, for a count of all roots; the caller
                            frees them, also after a failure.  NULL: they are not asked for */
  /* for engines on GPUs */
  const int *device;   /* [devices] numbers of GPUs; NULL: the engine chooses */
  uint32_t devices;    /* 0: the engine takes all of them for an estimated second of work or more,
                          otherwise one */
  uint64_t gpu_memory; /* bytes that may be used of each GPU's memory; 0: all that is free */
  ms_integrity *integrity; /* NULL: what is copied from GPUs is not checked */
} ms_count_sink;

typedef struct ms_engine {
  const char *name;
  int (*devices)(void); /* 0: the engine cannot run in this build or on this machine */
  /* Returns false only if there are no devices, and without starting them, which may take long.
   * NULL: there are none. */
  bool (*may_have_devices)(void);
  /* Begins to start a GPU in the background, and returns true once that has ended; NULL: a GPU is
   * started where it is used. */
  bool (*start)(void);
  ms_status (*open)(const ms_instance *instance, int threads, void **context, ms_error *err);
  uint64_t (*units)(const void *context); /* number of roots */
  ms_status (*run)(void *context, uint64_t first, uint64_t last, const ms_match_sink *sink,
                   const ms_stop *stop, ms_error *err);
  /* Counts the matches of a range of roots.  What a stop token ended has counted a part of them. */
  ms_status (*count)(void *context, uint64_t first, uint64_t last, ms_count_sink *sink,
                     const ms_stop *stop, ms_error *err);
  /* Picks matches out by their numbers; a count of all roots has filled the shares. */
  ms_status (*pick)(void *context, const ms_shares *shares, const ms_picks *picks,
                    ms_budget *budget, const ms_stop *stop, ms_error *err);
  /* Sets matches[units] to what the shares of each root have. */
  ms_status (*sum_shares)(const void *context, const ms_shares *shares, uint64_t *matches,
                          ms_error *err);
  void (*close)(void *context);
} ms_engine;

/* Connected-set enumeration on the CPU. */
extern const ms_engine ms_engine_connected_sets;

/* Counting and listing on GPUs.  It has no pick() and no sum_shares(), its count() fills no shares,
 * and its run() takes no sums.  open() fails with MS_ERR_USAGE if there is no GPU, and the instance
 * must outlive the context.  count() and run() fail with MS_ERR_USAGE if the region or the motif is
 * too large for the engine; then they have delivered no match.  A failure of count() leaves the
 * sink as it was, unless the stop token caused it.  The matches have the same order in each run on
 * GPUs, which is another one than on the CPU.  Without the plug-in (gpu/loader) the engine has zero
 * devices. */
extern const ms_engine ms_engine_gpu_sets;

#endif
