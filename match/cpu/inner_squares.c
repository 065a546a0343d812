#include "match/cpu/inner_squares.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/inner_lanes.h"

#include <string.h>

#define ROW_COST 8.0  /* of a row that lanes read, in elements */
#define PATHS_STEP 8u /* paths that are entered in the time of a step, about */

ms_status ms_inner_squares_init(ms_inner_squares *q, size_t most, ms_error *err)
{
  *q = (ms_inner_squares){.sorted = ms_sorted_best()};
  q->below = ms_calloc(most, sizeof *q->below);
  q->paths = ms_calloc(most, sizeof *q->paths);
  q->mask = ms_calloc(most, sizeof *q->mask);
  return q->below && q->paths && q->mask ? MS_OK : ms_fail_memory(err, "counts of 4-cycles");
}

void ms_inner_squares_free(ms_inner_squares *q)
{
  ms_free(q->below);
  ms_free(q->paths);
  ms_free(q->mask);
}

static void forget_vertices(ms_inner_squares *q)
{
  memset(q->below, 0, q->n * sizeof *q->below);
  q->next = 0;
  q->arcs = 0;
}

void ms_inner_squares_begin(ms_inner_squares *q, const ms_neighbor_rows *rows, uint32_t n)
{
  q->rows = rows;
  q->n = n;
  q->roots = 0;
  q->group_paths = 0;
  forget_vertices(q);
}

static const uint32_t *row_of(const ms_inner_squares *q, uint32_t v, uint32_t *length)
{
  *length = (uint32_t)(q->rows->offset[v + 1] - q->rows->offset[v]);
  return q->rows->neighbor + q->rows->offset[v];
}

/* Enters all vertices below u. */
static void enter_vertices(ms_inner_squares *q, uint32_t u)
{
  for (; q->next < u; q->next++) {
    uint32_t length;
    const uint32_t *row = row_of(q, q->next, &length);
    q->arcs += 2 * (uint64_t)q->below[q->next];
    for (uint32_t i = 0; i < length; i++)
      q->below[row[i]]++;
  }
}

/* ---- paths one after the other ---------------------------------------------------------- */

/* Enters the paths of a root.  The row of each middle holds the root, and ends there. */
static void count_paths(ms_inner_squares *q, uint32_t u)
{
  uint32_t length, *paths = q->paths;
  uint64_t sum = 0, entered = 0;
  const uint32_t *row = row_of(q, u, &length);
  for (uint32_t i = 0; i < length && row[i] < u; i++) {
    const uint32_t *begin = q->rows->neighbor + q->rows->offset[row[i]], *w = begin;
    for (; *w < u; w++)
      sum += paths[*w]++;
    entered += (uint64_t)(w - begin);
  }
  q->total += sum;
  if (entered > u / 16) {
    memset(paths, 0, u * sizeof *paths);
    return;
  }
  for (uint32_t i = 0; i < length && row[i] < u; i++)
    for (const uint32_t *w = q->rows->neighbor + q->rows->offset[row[i]]; *w < u; w++)
      paths[*w] = 0;
}

/* ---- lanes ------------------------------------------------------------------------------- */

static double cost_of_lanes(const ms_sorted *sorted, double n, double arcs)
{
  return sorted->lane_cost * (arcs + ROW_COST * n);
}

static void set_masks(ms_inner_squares *q, bool set)
{
  for (uint32_t lane = 0; lane < q->roots; lane++) {
    uint32_t length;
    const uint32_t *row = row_of(q, q->root[lane], &length);
    for (uint32_t i = 0; i < length && row[i] < q->root[lane]; i++)
      q->mask[row[i]] = set ? q->mask[row[i]] | UINT64_C(1) << lane : 0;
  }
}

/* Counts the roots that wait.  Vertex w is opposite to those roots alone that are larger. */
static void count_group(ms_inner_squares *q)
{
  uint32_t last = q->roots > 0 ? q->root[q->roots - 1] : 0, first = 0;
  ms_lane_rows rows = {q->rows->offset, q->below, q->rows->neighbor, q->mask};
  if ((double)q->group_paths <= cost_of_lanes(q->sorted, last, (double)q->arcs)) {
    for (uint32_t lane = 0; lane < q->roots; lane++)
      count_paths(q, q->root[lane]);
  } else {
    set_masks(q, true);
    for (uint32_t lane = 0; lane < q->roots; lane++) {
      uint64_t active = ~UINT64_C(0) << lane;
      q->total += q->sorted->count_lanes(&rows, first, q->root[lane], active);
      first = q->root[lane];
    }
    set_masks(q, false);
  }
  q->roots = 0;
  q->group_paths = 0;
}

bool ms_inner_squares_visit(ms_inner_squares *q, ms_runner *outer, uint32_t first, uint32_t last)
{
  if (first < q->next) {
    count_group(q);
    forget_vertices(q);
  }
  for (uint32_t u = first; u < last; u++) {
    uint32_t length, smaller;
    const uint32_t *row = row_of(q, u, &length);
    uint64_t paths = 0;
    enter_vertices(q, u);
    smaller = q->below[u];
    for (uint32_t i = 0; smaller > 1 && i < smaller; i++)
      paths += q->below[row[i]];
    outer->steps += 1 + (smaller + paths) / PATHS_STEP;
    if (paths < 2)
      continue;
    if ((double)paths * q->sorted->lanes <= cost_of_lanes(q->sorted, u, (double)q->arcs)) {
      count_paths(q, u);
    } else {
      q->root[q->roots++] = u;
      q->group_paths += paths;
      if (q->roots == q->sorted->lanes)
        count_group(q);
    }
    if (!ms_runner_goes_on(outer))
      return false;
  }
  return true;
}

void ms_inner_squares_end(ms_inner_squares *q)
{
  count_group(q);
}

double ms_inner_squares_cost(const ms_sorted *sorted, double n, double paths, double arcs)
{
  /* below the mean root lies half of the vertices and, as they ascend by degree, less than half of
   * the edges */
  double lanes = n / sorted->lanes * cost_of_lanes(sorted, n, arcs) / 3;
  return paths < lanes ? paths : lanes;
}
