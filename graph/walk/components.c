#include "graph/walk/components.h"

#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "graph/graph.h"
#include "graph/walk/components_inner.h"

#include <stdlib.h>

enum { CHUNK = 1024, SAMPLES = 1024 };

static int by_value(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Returns the most frequent root in a sample of vertices.  A wrong guess only costs time. */
static uint32_t frequent_root(uint32_t n, const uint32_t *parent)
{
  uint32_t sample[SAMPLES], count = n < SAMPLES ? n : SAMPLES, best = 0, most = 0;
  for (uint32_t i = 0; i < count; i++)
    sample[i] = parent[(uint64_t)i * n / count];
  qsort(sample, count, sizeof *sample, by_value);
  for (uint32_t begin = 0, i = 1; i <= count; i++)
    if (i == count || sample[i] != sample[begin]) {
      if (i - begin > most) {
        most = i - begin;
        best = sample[begin];
      }
      begin = i;
    }
  return best;
}

/* The rows, and the forest of parents. */
typedef struct joining {
  const uint64_t *offset;
  const uint32_t *neighbor;
  uint32_t *parent;
  ms_watch watch;
  uint32_t skipped; /* the root of the largest tree, perhaps */
} joining;

/* The first arc needs no join: nothing is joined yet. */
static void use_first_arcs(void *user, ms_range r)
{
  const joining *j = user;
  const uint64_t *offset = j->offset;
  const uint32_t *neighbor = j->neighbor;
  for (uint64_t v = r.begin; v < r.end; v++)
    j->parent[v] =
        offset[v] < offset[v + 1] && neighbor[offset[v]] < v ? neighbor[offset[v]] : (uint32_t)v;
}

static void join_second_arcs(void *user, ms_range r)
{
  joining *j = user;
  const uint64_t *offset = j->offset;
  for (uint64_t v = r.begin; v < r.end && !ms_watch_ended(&j->watch, v); v++)
    if (offset[v] + 1 < offset[v + 1])
      ms_forest_join(j->parent, (uint32_t)v, j->neighbor[offset[v] + 1]);
}

/* An edge out of the skipped tree is met from its other end. */
static void join_arcs(void *user, ms_range r)
{
  joining *j = user;
  for (uint64_t v = r.begin; v < r.end && !ms_watch_ended(&j->watch, v); v++)
    if (ms_forest_parent(j->parent, (uint32_t)v) != j->skipped)
      for (uint64_t a = j->offset[v]; a < j->offset[v + 1]; a++)
        ms_forest_join(j->parent, (uint32_t)v, j->neighbor[a]);
}

/* component[] holds parents first.  A parent is never the larger of the two vertices, so a root is
 * the smallest of its tree. */
ms_status ms_components_afforest(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                                 int threads, uint32_t *parent, ms_error *err)
{
  joining j = {.offset = offset, .neighbor = neighbor, .parent = parent};
  ms_watch_begin(&j.watch);
  ms_parallel(threads, n, 0, use_first_arcs, &j);
  ms_forest_flatten(n, parent, threads);
  ms_parallel(threads, n, 0, join_second_arcs, &j);
  ms_forest_flatten(n, parent, threads);
  j.skipped = frequent_root(n, parent);
  ms_parallel(threads, n, CHUNK, join_arcs, &j);
  MS_TRY(ms_watch_report(&j.watch, "components are found", err));
  ms_forest_flatten(n, parent, threads);
  return MS_OK;
}

ms_status ms_components_by(ms_components_algorithm algorithm, uint32_t n, const uint64_t *offset,
                           const uint32_t *neighbor, int threads, uint32_t *component,
                           uint32_t *count, ms_error *err)
{
  ms_status status = MS_OK;
  *count = 0;
  if (n == 0)
    return MS_OK;
  threads = ms_threads_for(threads, n + offset[n]);
  switch (algorithm) {
  case MS_COMPONENTS_AFFOREST:
    MS_TRY(ms_components_afforest(n, offset, neighbor, threads, component, err));
    return ms_components_number(n, component, threads, count, err);
  case MS_COMPONENTS_KAHAN:
    status = ms_components_kahan(n, offset, neighbor, threads, component, err);
    break;
  case MS_COMPONENTS_BULLY:
    status = ms_components_bully(n, offset, neighbor, threads, component, err);
    break;
  default:
    return ms_fail(err, MS_ERR_USAGE,
                   "components: there is no algorithm %d; use one of ms_components_algorithm",
                   (int)algorithm);
  }
  if (status == MS_OK)
    status = ms_components_lower(n, component, threads, err);
  return status == MS_OK ? ms_components_number(n, component, threads, count, err) : status;
}

ms_status ms_components(uint32_t n, const uint64_t *offset, const uint32_t *neighbor, int threads,
                        uint32_t *component, uint32_t *count, ms_error *err)
{
  return ms_components_by(MS_COMPONENTS_AFFOREST, n, offset, neighbor, threads, component, count,
                          err);
}

ms_status ms_graph_components(const ms_graph *graph, ms_components_algorithm algorithm, int threads,
                              uint32_t *component, uint32_t *count, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(component, err);
  MS_REQUIRE(count, err);
  MS_TRY(ms_check_threads(threads, err));
  MS_TRY(ms_check_enum("algorithm", (int)algorithm, "ms_components_algorithm", MS_COMPONENTS_BULLY,
                       err));
  return ms_components_by(algorithm, graph->n, graph->offset, graph->neighbor, threads, component,
                          count, err);
}
