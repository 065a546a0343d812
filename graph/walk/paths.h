/* Shortest paths from s to t ("s-t connectivity" in MTGL: Berry, Hendrickson,
 * Kahan, Konecny, "Software and Algorithms for Graph Queries on Multithreaded
 * Architectures", 2007).
 *
 * Two breadth-first searches, from s along the allowed arcs and from t against
 * them, grow level by level, always the one whose last level has fewer arcs in
 * its rows.  Rows hold every edge from both ends, so the search from t needs
 * no second graph: where the one from s follows types A, it follows the
 * inverses of A.
 *
 * Levels are found top-down alone.  Bottom-up, by unseen vertices that look for a predecessor
 * (Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012), saves arcs
 * where one search floods the graph.  It cannot for two searches that have not met: only the rows
 * of one last level or the other show that no arc joins them, and the search that grows has fewer
 * arcs.  Where there is such an arc, top-down stops at it.
 *
 * No parents are kept, only the levels, each in ascending order; paths.c says how a path is found
 * from them, which one, and why it is a shortest one. */
#ifndef MS_GRAPH_WALK_PATHS_H
#define MS_GRAPH_WALK_PATHS_H

#include "graph/typed.h"

typedef struct ms_path_side {
  unsigned mark;       /* 1: from s; 2: from t */
  const uint64_t *out; /* bits [arc types]: of arcs that lead on, in the row of a vertex seen */
  const uint64_t *in;  /* the same arcs as the rows of their other ends have them: inverses */
  uint32_t *queue;     /* [n + 1] vertices seen, level by level, ascending within one */
  uint32_t
      visited; /* vertices in the queue; at the end of a search also those of an unfinished level */
  uint32_t *start; /* [room] level i is queue[start[i]] .. queue[start[i + 1] - 1] */
  uint32_t levels, room;
  uint64_t arcs; /* in the rows of the last level */
} ms_path_side;

struct ms_typed_paths {
  const ms_typed *graph;
  uint32_t max_length; /* 0: any */
  int threads;         /* as in ms_threads */
  const ms_stop *stop;
  bool every_type; /* all types are allowed: types of arcs are not read */
  uint64_t *bits;  /* the sides' out and in point into it */
  ms_path_side side[2];
  uint64_t *state; /* [n / 32 + 1] two bits a vertex: mark of the side that has seen it, or 0 */
  uint64_t *next;  /* [n / 64 + 1] a level while it is found; zero between levels */
  uint32_t *chunk; /* vertices of `next` before each of its chunks */
  uint32_t *path;  /* [path_room] vertices, then types */
  size_t path_room;
  uint64_t wide_levels; /* found by several threads, for tests */
  uint64_t visits;      /* of all searches, as in ms_work */
};

static inline unsigned ms_path_state(const uint64_t *state, uint32_t v)
{
  return state[v >> 5] >> (v & 31) * 2 & 3;
}

static inline void ms_path_set_state(uint64_t *state, uint32_t v, unsigned mark)
{
  state[v >> 5] |= (uint64_t)mark << (v & 31) * 2;
}

/* An arc that joins the two searches: from the last level of the side that
 * grew to the last level of the other.  The smallest such pair. */
#define MS_NO_CROSSING UINT64_MAX
static inline uint64_t ms_path_crossing(uint32_t from, uint32_t to)
{
  return (uint64_t)from << 32 | to;
}

#endif
