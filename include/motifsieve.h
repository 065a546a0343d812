/* motifsieve solves the graph motif problem: it finds the vertices of a coloured
 * graph that are in a match of a motif, and lists the matches.  It also lists and
 * counts the matches of pattern graphs (subgraph isomorphism).
 *
 * Programs include this header alone; its parts are in the folder motifsieve/.  Handles are
 * opaque; result structs are read-only and owned by the caller once returned.
 *
 * Conventions
 *  - Every fallible call returns an ms_status and takes an `ms_error *` last
 *    (may be NULL).  On failure *err says what went wrong, where (file, line)
 *    and what to do; out-parameters are left NULL.  A message names parameters
 *    of these functions in backquotes.
 *  - A handle, a path or an out-parameter that is NULL is MS_ERR_USAGE, unless
 *    its comment says that it may be NULL.  Functions without a status then
 *    return 0, NULL, false or UINT32_MAX, and so they do for a number that no
 *    vertex, colour, type or slot has.  The number of items of an array that the
 *    program gives is not checked.
 *  - Options may be NULL; the defaults apply then.  An option struct begins with
 *    its size: initialise it with its macro MS_.._OPTIONS_DEFAULT, and each
 *    struct inside it with its own.  (In C++ before C++20: set all to zero, then
 *    each `size`.)  A program that was compiled with an older header may use a
 *    newer library: members that its structs lack have their defaults.  A size
 *    of 0, or larger than the library knows, is MS_ERR_USAGE.
 *  - The library never prints, never exits and never calls abort.
 *  - Objects are freed with their own _free function, which accepts NULL.
 *    Strings and arrays that a function returns belong to the object that it was
 *    given, unless a comment says who frees them.
 *  - Vertices are 32-bit ids in the order of first appearance in the input.
 *  - Sizes of memory are in bytes, times in seconds.
 *
 * Memory
 *  - All heap memory comes from the functions of ms_set_allocator, except numbers of
 *    any size, which GMP allocates.  The first call that needs them wraps the
 *    functions that GMP has then, so that a call fails with MS_ERR_MEMORY where
 *    GMP's own would end the process.  A program that uses GMP sets functions of
 *    its own before; its own numbers still come from them.  GUARANTEES
 *    says more ("A library inside another program").
 *
 * Threads
 *  - Any thread may call any function; different objects are independent.  A call
 *    takes up to MS_STACK_BYTES of its thread's stack, beside its callbacks, which is no
 *    more than threads of musl have by default.
 *  - Graphs, colourings, labels, motifs, sets of motifs, sessions, queries, patterns, indices of
 * patterns, typed graphs, typed patterns and typed queries do not change once they are made, so
 * several threads may use one of them at the same time.  The functions that take one of them
 * without `const` change or free it (ms_graph_read_aliases, ms_pattern_accept,
 * ms_pattern_read_colors, the _free functions): no other thread may use it meanwhile.
 *  - One thread at a time uses an ms_typed_paths.  Result structs are plain data.
 *  - Any thread may use an ms_stop at any time; it must outlive the calls to
 *    which it was given.  ms_stop_attach and ms_limit_memory are for the calls of
 *    the thread that calls them.
 *  - A call runs its callbacks on its own threads or on the calling one, one
 *    call at a time for each callback, unless a comment says otherwise: only an
 *    ms_visitor, an ms_allocator and the function of ms_set_block_size are called
 *    by several threads at once.  Calls that run at the same time call the same
 *    function at the same time, if it was given to each of them.
 *    A callback may call the library.  It may pass those objects of the running
 *    call that do not change, and it may make, pass and free other objects.  It
 *    may start threads, stop the running call by its token, and fork.  A child
 *    that it forks must end in the callback (by _exit or exec), because the
 *    threads that the call waits for are not in the child.  A callback must not
 *    free or change what the running call uses, and must not leave by longjmp or
 *    by a C++ exception.
 *  - The library starts threads for its loops, which wait for the next loop when a
 *    call has ended, and one for each GPU that a call uses, which ends with the
 *    call.  These threads block all signals, except those of faults, such as SIGSEGV.
 *  - The shared library stays loaded after dlclose, because its threads outlive
 *    the calls.
 *  - A child of fork may call the library, which starts threads of its own there,
 *    and use the objects that no other thread was changing at the time.  CUDA does
 *    not let it use GPUs that its parent has used.
 */
#ifndef MOTIFSIEVE_H
#define MOTIFSIEVE_H

#define MS_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* status, messages, memory, stop tokens, progress, defaults */
#include "motifsieve/base.h"

/* graphs: reading, writing, names, labels, components */
#include "motifsieve/graph.h"

/* colours of vertices */
#include "motifsieve/colors.h"

/* motifs, their queries, the screen and the list of matches */
#include "motifsieve/motif.h"

/* lists of the nearest matches of a motif */
#include "motifsieve/nearest.h"

/* many motifs on one graph */
#include "motifsieve/session.h"

/* the connected sets of every colour motif */
#include "motifsieve/census.h"
#include "motifsieve/permutations.h"

/* which motifs are there more often, or less often, than by chance */
#include "motifsieve/list_significance.h"
#include "motifsieve/significance.h"

/* samples, and the motifs in which groups of them differ */
#include "motifsieve/compare.h"

/* pattern graphs and their matches */
#include "motifsieve/pattern.h"

/* many patterns, and whether their matches are more than by chance */
#include "motifsieve/pattern_set.h"

/* graphs whose vertices and edges have types */
#include "motifsieve/typed.h"

/* typed patterns and their matches */
#include "motifsieve/typed_match.h"

/* shortest paths of typed graphs */
#include "motifsieve/paths.h"

/* traversal of a graph with a visitor */
#include "motifsieve/visit.h"

/* result files and drawings of everything above */
#include "motifsieve/write.h"

/* parts of long runs, and checkpoints */
#include "motifsieve/parts.h"

/* the check of result files */
#include "motifsieve/verify.h"

/* reports of result files */
#include "motifsieve/report.h"

/* counts of graphs, colours and motifs; the GPUs of this machine */
#include "motifsieve/stats.h"

/* points with coordinates, and the graphs of their neighbours */
#include "motifsieve/points.h"

/* random graphs and colours */
#include "motifsieve/generate.h"

#ifdef __cplusplus
}
#endif
#endif
