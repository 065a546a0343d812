#include "graph/walk/traverse.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"

#include <string.h>

ms_status ms_traversal_open(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                            int threads, ms_traversal *t, ms_error *err)
{
  *t = (ms_traversal){.n = n, .offset = offset, .neighbor = neighbor, .threads = threads};
  t->mark = ms_calloc(n, sizeof *t->mark);
  t->now.vertex = ms_alloc_lines(n, sizeof *t->now.vertex);
  t->next.vertex = ms_alloc_lines(n, sizeof *t->next.vertex);
  return t->mark && t->now.vertex && t->next.vertex ? MS_OK : ms_fail_memory(err, "a traversal");
}

void ms_traversal_close(ms_traversal *t)
{
  ms_free(t->mark);
  ms_free(t->now.vertex);
  ms_free(t->next.vertex);
}

void ms_visits_end(ms_visits *visits)
{
  ms_frontier *next = &visits->traversal->next;
  if (visits->arcs)
    __atomic_fetch_add(&next->arcs, visits->arcs, __ATOMIC_RELAXED);
  if (visits->count) {
    uint32_t at = __atomic_fetch_add(&next->rows, visits->count, __ATOMIC_RELAXED);
    memcpy(next->vertex + at, visits->vertex, visits->count * sizeof *visits->vertex);
  }
  visits->count = 0;
  visits->arcs = 0;
}

static void unmark(const ms_traversal *t, uint32_t from, uint32_t count, uint64_t thread,
                   uint64_t threads)
{
  for (uint64_t i = count * thread / threads; i < count * (thread + 1) / threads; i++)
    __atomic_store_n(t->mark + t->now.vertex[from + i], MS_MARK_SEEN, __ATOMIC_RELAXED);
}

static void unmark_parts(void *user, ms_range parts)
{
  const ms_traversal *t = user;
  uint64_t threads = (uint64_t)t->threads;
  for (uint64_t part = parts.begin; part < parts.end; part++) {
    unmark(t, 0, t->now.rows, part, threads);
    unmark(t, t->n - t->now.hubs, t->now.hubs, part, threads);
  }
}

typedef struct visit_call {
  ms_traversal *t;
  ms_traverse_fn *visit;
  void *user;
} visit_call;

static void visit_parts(void *user, ms_range parts)
{
  const visit_call *call = user;
  for (uint64_t part = parts.begin; part < parts.end; part++)
    call->visit(call->t, call->user, (int)part, call->t->threads);
}

/* ms_hooks.work_for_threads is meant for a call that has a dozen loops, where a round is
 * one.  But there may be thousands of rounds, and on a busy machine each of them
 * waits for the last of the threads. */
static bool is_worth_threads(const ms_traversal *t)
{
  return t->threads > 1 && t->now.arcs + t->now.rows + t->now.hubs >= ms_hooks.work_for_threads / 2;
}

/* Marks the vertices of a round as no longer waiting, all of them before the first row is read: an
 * arc that takes one of them later makes it visited again. */
ms_status ms_traverse(ms_traversal *t, ms_visit_rule rule, ms_traverse_fn *visit, void *user,
                      ms_error *err)
{
  visit_call call = {t, visit, user};
  uint64_t parts = (uint64_t)t->threads;
  while (t->next.rows || t->next.hubs) {
    MS_TRY(ms_stop_poll("the graph is searched", err));
    uint32_t *spare = t->now.vertex;
    t->now = t->next;
    t->next = (ms_frontier){.vertex = spare};
    t->taken = 0;
    if (is_worth_threads(t)) {
      if (rule != MS_VISIT_AND)
        ms_parallel(t->threads, parts, 1, unmark_parts, t);
      ms_parallel(t->threads, parts, 1, visit_parts, &call);
    } else {
      visit(t, user, 0, 1);
    }
  }
  return MS_OK;
}
