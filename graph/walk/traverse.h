/* A walk over compressed sparse rows by several threads, which calls a visitor.
 *
 * After psearch of the MultiThreaded Graph Library (Berry, Hendrickson, Kahan,
 * Konecny: "Software and Algorithms for Graph Queries on Multithreaded
 * Architectures", MTAAP workshop of IPDPS 2007), which starts a thread for every
 * row.  Here vertices that wait for their visit form a frontier, and a round
 * visits all of it.  Rows of MS_TRAVERSE_HUB arcs or more are cut among all
 * threads, so that no hub keeps one of them busy alone; of the others a thread
 * takes some at a time.  A round with little to do is done by the calling thread
 * by itself, and no arc of it costs an atomic read-modify-write: a long chain
 * costs no more than a queue does.
 *
 * A visitor is a constant of known functions and ms_traverse_round is always
 * inlined, so that there is no call in the loop over arcs:
 *
 *   static const ms_visitor visitor = {.rule = MS_VISIT_AND, .tree_edge = note_parent};
 *   static void visit(ms_traversal *t, void *user, int thread, int threads)
 *   {
 *     ms_traverse_round(t, &visitor, user, thread, threads);
 *   }
 *   ...
 *   status = ms_traversal_open(n, offset, neighbor, threads, &t, err);
 *   ms_visits_begin(&starts, &t);
 *   ms_traverse_start(&starts, &visitor, &state, source);
 *   ms_visits_end(&starts);
 *   status = ms_traverse(&t, visitor.rule, visit, &state, err); */
#ifndef MS_GRAPH_WALK_TRAVERSE_H
#define MS_GRAPH_WALK_TRAVERSE_H

#include "base/compiler.h"
#include "motifsieve.h"

/* ---- the walk -------------------------------------------------------------- */

#define MS_TRAVERSE_HUB 1024u  /* arcs of a row that is cut */
#define MS_TRAVERSE_TAKE 64u   /* other rows that a thread takes at a time */
#define MS_TRAVERSE_LOCAL 256u /* vertices that a thread collects before it queues them */

typedef struct ms_frontier {
  uint32_t *vertex; /* [n] each once at most: rows from the front, hubs from the back */
  uint32_t rows, hubs;
  uint64_t arcs; /* arcs of all of them */
} ms_frontier;

enum { MS_MARK_UNSEEN = 0, MS_MARK_SEEN, MS_MARK_WAITING };

typedef struct ms_traversal {
  uint32_t n;
  const uint64_t *offset;   /* [n + 1], borrowed */
  const uint32_t *neighbor; /* [offset[n]], borrowed */
  int threads;
  uint8_t *mark; /* [n] MS_MARK_..  AND only distinguishes 0 from others. */
  ms_frontier now;
  _Alignas(64) ms_frontier next; /* written by all threads in a round */
  _Alignas(64) uint64_t taken;   /* rows of `now` that threads have taken */
} ms_traversal;

/* Part `thread` of `threads` of the work in a round: ms_traverse_round with a visitor. */
typedef void ms_traverse_fn(ms_traversal *t, void *user, int thread, int threads);

/* Opens a traversal in which no vertex is visited.  `threads`: the largest number of threads, at
 * least 1.  Memory: 9 bytes for each vertex.  ms_traversal_close also accepts it after a
 * failure. */
ms_status ms_traversal_open(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                            int threads, ms_traversal *t, ms_error *err);
void ms_traversal_close(ms_traversal *t);

/* Visits until no vertex waits.  `rule`: the visitor's.  Marks stay, so that further starts
 * continue from there.  Polls the token of the thread between rounds. */
ms_status ms_traverse(ms_traversal *t, ms_visit_rule rule, ms_traverse_fn *visit, void *user,
                      ms_error *err);

/* ---- putting in line --------------------------------------------------------- */

/* A thread's part of the queue. */
typedef struct ms_visits {
  ms_traversal *traversal;
  uint32_t count;
  uint64_t arcs;
  uint32_t vertex[MS_TRAVERSE_LOCAL];
} ms_visits;

static inline void ms_visits_begin(ms_visits *visits, ms_traversal *t)
{
  visits->traversal = t;
  visits->count = 0;
  visits->arcs = 0;
}

void ms_visits_end(ms_visits *visits);

MS_ALWAYS_INLINE void ms_visits_put(ms_visits *visits, uint32_t v)
{
  ms_traversal *t = visits->traversal;
  uint64_t arcs = t->offset[v + 1] - t->offset[v];
  visits->arcs += arcs;
  if (arcs >= MS_TRAVERSE_HUB) {
    t->next.vertex[t->n - 1 - __atomic_fetch_add(&t->next.hubs, 1, __ATOMIC_RELAXED)] = v;
    return;
  }
  visits->vertex[visits->count++] = v;
  if (visits->count == MS_TRAVERSE_LOCAL)
    ms_visits_end(visits);
}

/* Was v unseen, and did this thread mark it? */
MS_ALWAYS_INLINE bool ms_traverse_claim(uint8_t *mark, uint32_t v, bool alone)
{
  uint8_t unseen = MS_MARK_UNSEEN;
  if (__atomic_load_n(mark + v, __ATOMIC_RELAXED) != MS_MARK_UNSEEN)
    return false;
  if (!alone)
    return __atomic_compare_exchange_n(mark + v, &unseen, MS_MARK_WAITING, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
  __atomic_store_n(mark + v, MS_MARK_WAITING, __ATOMIC_RELAXED);
  return true;
}

/* Is v not waiting yet, so that this thread must queue it? */
MS_ALWAYS_INLINE bool ms_traverse_wait(uint8_t *mark, uint32_t v, bool alone)
{
  if (__atomic_load_n(mark + v, __ATOMIC_RELAXED) == MS_MARK_WAITING)
    return false;
  if (!alone)
    return __atomic_exchange_n(mark + v, MS_MARK_WAITING, __ATOMIC_RELAXED) != MS_MARK_WAITING;
  __atomic_store_n(mark + v, MS_MARK_WAITING, __ATOMIC_RELAXED);
  return true;
}

/* Queues v as a start: under AND if it is unseen, else if it does not wait.  Several threads may
 * start vertices at the same time, each with its own visits. */
MS_ALWAYS_INLINE bool ms_traverse_start(ms_visits *visits, const ms_visitor *visitor, void *state,
                                        uint32_t v)
{
  uint8_t *mark = visits->traversal->mark;
  if (!(visitor->rule == MS_VISIT_AND ? ms_traverse_claim(mark, v, false)
                                      : ms_traverse_wait(mark, v, false)))
    return false;
  if (visitor->discover)
    visitor->discover(state, v);
  ms_visits_put(visits, v);
  return true;
}

/* ---- a round ----------------------------------------------------------------- */

/* Does the arc take w, and must w be queued? */
MS_ALWAYS_INLINE bool ms_traverse_takes(const ms_visitor *visitor, void *state, uint8_t *mark,
                                        uint32_t v, uint32_t w, uint64_t arc, bool alone,
                                        bool *line)
{
  bool (*test)(void *, uint32_t, uint32_t, uint64_t) = visitor->visit_test;
  if (visitor->rule == MS_VISIT_AND) {
    *line = __atomic_load_n(mark + w, __ATOMIC_RELAXED) == MS_MARK_UNSEEN &&
            (!test || test(state, v, w, arc)) && ms_traverse_claim(mark, w, alone);
    return *line;
  }
  *line = visitor->rule == MS_VISIT_OR && ms_traverse_claim(mark, w, alone);
  if (*line)
    return true;
  if (test && !test(state, v, w, arc))
    return false;
  *line = ms_traverse_wait(mark, w, alone);
  return true;
}

MS_ALWAYS_INLINE void ms_traverse_row(ms_visits *visits, const ms_visitor *visitor, void *state,
                                      uint32_t v, uint64_t begin, uint64_t end, bool alone)
{
  const uint32_t *neighbor = visits->traversal->neighbor;
  uint8_t *mark = visits->traversal->mark;
  for (uint64_t arc = begin; arc < end; arc++) {
    uint32_t w = neighbor[arc];
    bool line;
    if (!ms_traverse_takes(visitor, state, mark, v, w, arc, alone, &line)) {
      if (visitor->other_edge)
        visitor->other_edge(state, v, w, arc);
      continue;
    }
    if (visitor->tree_edge)
      visitor->tree_edge(state, v, w, arc);
    if (line && visitor->discover)
      visitor->discover(state, w);
    if (line)
      ms_visits_put(visits, w);
  }
}

/* Prefetches the rows of the next vertices, which may be anywhere.  On graphs larger than the
 * caches this is twice as fast. */
MS_ALWAYS_INLINE void ms_traverse_fetch(const ms_traversal *t, uint64_t i, uint64_t last)
{
  if (i + 16 < last)
    __builtin_prefetch(t->offset + t->now.vertex[i + 16]);
  if (i + 8 < last)
    __builtin_prefetch(t->neighbor + t->offset[t->now.vertex[i + 8]]);
}

MS_ALWAYS_INLINE void ms_traverse_part(ms_traversal *t, const ms_visitor *visitor, void *state,
                                       uint64_t thread, uint64_t threads, bool alone)
{
  const uint64_t *offset = t->offset;
  ms_visits visits;
  ms_visits_begin(&visits, t);
  for (uint32_t i = 0; i < t->now.hubs; i++) {
    uint32_t v = t->now.vertex[t->n - 1 - i];
    uint64_t begin = offset[v], arcs = offset[v + 1] - begin;
    if (alone)
      __atomic_store_n(t->mark + v, MS_MARK_SEEN, __ATOMIC_RELAXED);
    ms_traverse_row(&visits, visitor, state, v, begin + arcs * thread / threads,
                    begin + arcs * (thread + 1) / threads, alone);
  }
  const uint64_t rows = t->now.rows, take = alone ? rows : MS_TRAVERSE_TAKE;
  for (uint64_t first = 0; first < rows;) {
    first = alone ? 0 : __atomic_fetch_add(&t->taken, take, __ATOMIC_RELAXED);
    uint64_t last = first + take < rows ? first + take : rows;
    for (uint64_t i = first; i < last; i++) {
      uint32_t v = t->now.vertex[i];
      ms_traverse_fetch(t, i, last);
      if (alone)
        __atomic_store_n(t->mark + v, MS_MARK_SEEN, __ATOMIC_RELAXED);
      ms_traverse_row(&visits, visitor, state, v, offset[v], offset[v + 1], alone);
    }
    first = alone ? rows : first;
  }
  ms_visits_end(&visits);
}

/* Does the part of thread `thread` of `threads` in the visits of this round. */
MS_ALWAYS_INLINE void ms_traverse_round(ms_traversal *t, const ms_visitor *visitor, void *state,
                                        int thread, int threads)
{
  if (threads == 1) {
    ms_traverse_part(t, visitor, state, 0, 1, true);
    return;
  }
  ms_traverse_part(t, visitor, state, (uint64_t)thread, (uint64_t)threads, false);
}

#endif
