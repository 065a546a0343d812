/* Shortest paths of typed graphs.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_PATHS_H
#define MOTIFSIEVE_PATHS_H

#include "motifsieve/typed.h"

/* ---- shortest paths of typed graphs ------------------------------------ */

#define MS_NO_PATH UINT32_MAX

typedef struct ms_path_options {
  size_t size; /* set by MS_PATH_OPTIONS_DEFAULT */
  const uint32_t
      *types; /* [n_types] types of arcs that a path may follow; NULL: all except the inverses of
                 directed relations, so that a path follows these only along their direction */
  uint32_t n_types;
  bool both_ways;      /* a path may also follow the inverses of these types */
  uint32_t max_length; /* greatest number of arcs in a path; 0: no limit */
  ms_run_limits run;   /* only `threads`, `stop` and progress, which counts pairs */
} ms_path_options;
#define MS_PATH_OPTIONS_DEFAULT                                                                    \
  {                                                                                                \
    .size = sizeof(ms_path_options)                                                                \
  }

/* One shortest path.  If there are several, the choice depends on graph, ends and options, and not
 * on the number of threads. */
typedef struct ms_typed_path {
  uint32_t length; /* number of arcs; MS_NO_PATH: there is no path, or none within max_length */
  const uint32_t *vertices; /* [length + 1] vertices from one end to the other; NULL: no path */
  const uint32_t *types;    /* [length] types: of the arc from vertices[i] to vertices[i + 1], the
                               smallest type allowed; NULL: no path */
  ms_status stopped; /* MS_OK; any other value: the search ended early, and there may be a path */
} ms_typed_path;

/* A graph prepared for searches; the graph must outlive it.  One thread at a time uses it.  A
 * search resets only what the previous one has touched. */
typedef struct ms_typed_paths ms_typed_paths;
/* MS_ERR_USAGE: a type is out of range. */
MS_API ms_status ms_typed_paths_new(const ms_typed *graph, const ms_path_options *options,
                                    ms_typed_paths **out, ms_error *err);
MS_API void ms_typed_paths_free(ms_typed_paths *paths);
/* Finds a shortest path from s to t.  Large searches use several threads.  *out points into `paths`
 * and is valid until the next search. */
MS_API ms_status ms_typed_paths_find(ms_typed_paths *paths, uint32_t s, uint32_t t,
                                     ms_typed_path *out, ms_error *err);

/* Receives the path of pair `pair` (from 0), which lives only until the call returns.  There is one
 * call at a time, from any thread, in the order of the pairs.  Return false to stop. */
typedef bool (*ms_typed_path_fn)(void *user, uint64_t pair, const ms_typed_path *path);

typedef struct ms_path_summary {
  /* stopped early: not all pairs were delivered; MS_ERR_INTERRUPTED if the callback returned false.
   * `work` includes that of pairs that were searched and not delivered. */
  ms_run_outcome run;
  uint64_t pairs;     /* pairs delivered */
  uint64_t found;     /* delivered pairs that have a path */
  double time_search; /* seconds, with those in which paths were delivered */
} ms_path_summary;

/* Finds a shortest path for each of pairs[count], (from, to), which the threads share.  `summary`
 * may be NULL. */
MS_API ms_status ms_typed_path_pairs(const ms_typed *graph, const ms_path_options *options,
                                     uint64_t count, const uint32_t (*pairs)[2],
                                     ms_typed_path_fn deliver, void *user, ms_path_summary *summary,
                                     ms_error *err);

/* Pairs of vertices, (from, to).  A program may fill such a struct itself. */
typedef struct ms_path_pairs {
  uint64_t count;
  uint32_t (*pairs)[2]; /* [count] */
  char *path;           /* the file from which they were read; NULL: none */
  uint32_t crc32c;      /* of its uncompressed bytes */
} ms_path_pairs;

/* Reads pairs from a file of lines SOURCE<TAB>TARGET. */
MS_API ms_status ms_path_pairs_read(const char *path, const ms_typed *graph, ms_path_pairs **out,
                                    ms_error *err);
MS_API void ms_path_pairs_free(ms_path_pairs *pairs);

#endif
