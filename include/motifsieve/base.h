/* Status, messages, memory, stopping and progress.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_BASE_H
#define MOTIFSIEVE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MS_API __attribute__((visibility("default")))
#define MS_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define MS_API
#define MS_PRINTF(f, a)
#endif

/* ---- status ---------------------------------------------------------- */

typedef enum ms_status {
  MS_OK = 0,
  MS_ERR_USAGE,       /* an argument or option makes no sense */
  MS_ERR_INPUT,       /* a file is missing, unreadable or malformed */
  MS_ERR_OUTPUT,      /* a result could not be written */
  MS_ERR_MEMORY,      /* allocation failed, or the memory bound is too low */
  MS_ERR_LIMIT,       /* a limit (time, count) ended the work early */
  MS_ERR_INTERRUPTED, /* the caller asked to stop */
  MS_ERR_DEVICE_LOST, /* an accelerator went away; its work can be redone */
  MS_ERR_INTERNAL     /* a bug in this library */
} ms_status;

typedef struct ms_error {
  ms_status status;
  char message[1024];
} ms_error;

/* Returns a short fixed phrase for a status, never NULL. */
MS_API const char *ms_status_text(ms_status status);
/* Returns the version of the library: MS_VERSION when it was built. */
MS_API const char *ms_version(void);

/* ---- memory ---------------------------------------------------------- */

/* The functions through which the library allocates all its heap memory but GMP's.  `align`
 * is a power of two.  The functions must be thread-safe, and must be set before
 * any other call. */
typedef struct ms_allocator {
  void *(*alloc)(void *user, size_t bytes, size_t align);
  void *(*resize)(void *user, void *block, size_t old_bytes, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} ms_allocator;

/* Sets the allocator; NULL restores malloc. */
MS_API void ms_set_allocator(const ms_allocator *allocator);
/* Tells the library, after ms_set_allocator, how it finds the size of a block of that allocator in
 * bytes (`user` is that of the allocator; for malloc, the library uses malloc_usable_size). Without
 * it, memory limits of reading refuse only single blocks beyond the limit.  The function must be
 * thread-safe. */
MS_API void ms_set_block_size(size_t (*block_size)(void *user, const void *block));

/* Bytes of stack that a thread needs for any call: as many as threads of musl have. */
#define MS_STACK_BYTES 131072

/* Limits the memory of reading: from this call to the next one, all that the calling thread
 * allocates in the library counts, and a call that would hold more than `bytes` together with what
 * is held by then fails with MS_ERR_MEMORY.  0: ends the limit.  Calls that read files (graphs,
 * colours, aliases, labels, motifs, patterns, pairs, results) may hold, where there is no limit,
 * 1 GiB each, or if that is more 64 bytes for each byte of their input and 2048 for each byte of a
 * compressed one, but no more than three quarters of physical memory; and always 16 MiB.  Calls
 * that build graphs of arrays may hold three quarters of physical memory.  Searches have their own
 * limits
 * (`memory` of their options), so end this limit when all is read. */
MS_API void ms_limit_memory(uint64_t bytes);

/* ---- stopping -------------------------------------------------------- */

/* A stop token, which long calls poll.  ms_stop_request is async-signal-safe, and any thread may
 * call all functions of a token but ms_stop_free.  One token may serve several calls, one after the
 * other or at the same time.  A request is never taken back: calls that begin later end at once.
 * A stopped call returns MS_OK and a result whose `stopped` is MS_ERR_INTERRUPTED after a request,
 * or else MS_ERR_LIMIT after a deadline; what the result holds is right, and incomplete.  A call
 * without such a result returns that status.  Free the token after the last of its calls. */
typedef struct ms_stop ms_stop;
MS_API ms_status ms_stop_new(ms_stop **out, ms_error *err);
MS_API void ms_stop_free(ms_stop *stop);
MS_API void ms_stop_request(ms_stop *stop);
/* Makes the token read as stopped after this many seconds from now; a value <= 0 removes the
 * time limit. */
MS_API void ms_stop_after(ms_stop *stop, double seconds);

/* Makes the token that of the calling thread, and returns the one before, or NULL.  Calls of this
 * thread that have no option for a token poll it: those that read, build, generate, measure,
 * convert and write graphs, make queries and indexes, filter, and find components.  A call whose
 * options have a token polls that one.  Attach NULL before you free the token. */
MS_API ms_stop *ms_stop_attach(ms_stop *stop);

/* Receives progress: `done` of `total` units of `what` are finished; total 0: unknown.  It is
 * called from one thread at a time, which need not be the calling one, at most about ten times a
 * second. done == total only if all of this part of the work was done: never after a stop. */
typedef void (*ms_progress_fn)(void *user, const char *what, uint64_t done, uint64_t total);

/* ---- limits ---------------------------------------------------------- */

/* What a call may use, and how it is watched and ended: the member `run` of its options.  Zero
 * means the default, except for seeds.  Calls refuse the members that they do not use. */
typedef struct ms_run_limits {
  int threads;     /* 0: OMP_NUM_THREADS or all processors */
  uint64_t memory; /* bytes of this machine's memory, and as many of each GPU's; 0: three quarters
                      of physical memory, and all that is free on a GPU */
  ms_stop *stop;   /* may be NULL */
  ms_progress_fn progress; /* may be NULL */
  void *progress_user;
  const int *devices; /* [n_devices] numbers of GPUs, all different; borrowed */
  uint32_t n_devices; /* 0: all, or as many as the work repays */
  const char *engine; /* what searches, as the options of the call say; NULL: "auto" */
  uint64_t seed;      /* of all that the call draws at random */
  /* A part of the run, or a checkpoint of it, where the call has them.  Borrowed; NULL: the whole,
   * without a checkpoint. */
  const struct ms_division *division;
} ms_run_limits;

/* ---- work ------------------------------------------------------------ */

enum { MS_WORK_LEVELS = 16 };

/* What a search did, as it is counted where no hot loop pays for it: once for each list of
 * candidates, set, or copy.  What kernels of a GPU visit is not counted.  The members from
 * sets_found on are of the GPU engines that they name, as the papers of these engines report them;
 * seconds are summed over all GPUs. */
typedef struct ms_work {
  uint64_t visits;        /* candidates in the lists that a search on processors went through; of a
                             motif: vertices by which it tried to extend a connected set; of
                             paths: vertices of the levels that searches from both ends completed */
  uint64_t intersections; /* sets that it computed from two lists */
  uint64_t points;        /* points at which the sieve was evaluated */
  uint64_t bytes_moved;   /* bytes copied to GPUs and back */
  uint64_t sets_found;    /* reuse: candidate sets that it took from other partial matches, which
                             had computed them; RPS, TKDE'22 */
  uint64_t sets_missed;   /* reuse: candidate sets that it looked for there in vain, and computed */
  /* trie: partial matches that it stored at each level, 0 for the roots; the last member has those
   * of all deeper levels, too; cuTS, SC'21 */
  uint64_t stored[MS_WORK_LEVELS];
  /* trie, reuse: seconds of the kernels that extend partial matches, of the kernels that count what
   * is below the deepest level, and of the host for copying, checking and passing on rows */
  double expand, finish, rows;
} ms_work;

/* What a run with `paranoid` has checked; all 0 without it. */
typedef struct ms_paranoid_report {
  double fraction;      /* of the blocks, as asked for */
  uint64_t blocks;      /* of units, which this run has done; not those that a checkpoint had */
  uint64_t checked;     /* of these, those that were computed twice */
  uint64_t differences; /* computations that differed; the right result was found and used */
  uint64_t damaged;     /* copies from a GPU, and contributions, that were damaged and made again */
} ms_paranoid_report;

enum { MS_REASON_BYTES = 512 };

/* How a run went: the member `run` of its result.  What a run does not have is 0. */
typedef struct ms_run_outcome {
  /* MS_OK, or why the run ended early: MS_ERR_LIMIT, MS_ERR_INTERRUPTED, MS_ERR_MEMORY (there was
   * no memory for further matches, and the result has those found before) or MS_ERR_OUTPUT (see
   * ms_list_to_file) */
  ms_status stopped;
  const char *engine;                  /* that did the work: "cpu", "gpu" or another; a constant */
  char engine_reason[MS_REASON_BYTES]; /* one line of text: why this engine */
  ms_work work;
  double time_write; /* a call to a file: seconds for writing it, which other times leave out */
  /* with a division */
  uint64_t units;         /* of work, of all parts */
  uint64_t resumed;       /* of these, what a checkpoint had */
  double time_checkpoint; /* seconds in which the state was saved */
  ms_paranoid_report paranoid;
} ms_run_outcome;

/* ---- defaults -------------------------------------------------------- */

/* Defaults of options.  In a struct of options, zero means the default, except for seeds, which
 * MS_.._OPTIONS_DEFAULT and the tool set. */
#define MS_DEFAULT_SEED 1
#define MS_DEFAULT_ERROR 1e-6 /* per-vertex miss bound */
#define MS_DEFAULT_BEST 10    /* number of maps that an inexact search finds */

#endif
