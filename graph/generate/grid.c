/* Road-like grids, row after row; each row is made in two passes, which count its edges and then
 * keep them. */
#include "graph/generate/family.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/generate/random.h"
#include "graph/names.h"

#include <math.h>

ms_status ms_plan_grid(ms_generate_plan *plan, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  const uint64_t rows = o->rows, cols = o->cols;
  if (rows < 1 || cols < 1 || rows > MS_MAX_NAMES / cols)
    return ms_fail(
        err, MS_ERR_USAGE,
        "a grid of %llu rows and %llu columns has no vertices or too many; give from 1 to "
        "%u in all",
        (unsigned long long)rows, (unsigned long long)cols, MS_MAX_NAMES);
  if (!(o->removed >= 0 && o->removed <= 1) || !(o->diagonals >= 0 && o->diagonals <= 1))
    return ms_fail(
        err, MS_ERR_USAGE,
        "chances of %g and %g of removed edges and of diagonals are out of range; give them from 0 to 1",
        o->removed, o->diagonals);
  plan->n = (uint32_t)(rows * cols);
  double sides = (double)(rows * (cols - 1)) + (double)(cols * (rows - 1));
  double squares = (double)(rows - 1) * (double)(cols - 1);
  plan->m = (uint64_t)ceil(sides * (1 - o->removed) + squares * o->diagonals);
  return MS_OK;
}

/* Makes the edges of row r to the right and down, with one block of random words for each
 * vertex; returns their number.  `to` is NULL or receives their keys. */
static uint64_t walk_row(const ms_generate_plan *plan, uint64_t r, uint64_t *to)
{
  const uint64_t cols = plan->o.cols;
  const uint64_t removed = ms_random_threshold(plan->o.removed),
                 diagonals = ms_random_threshold(plan->o.diagonals);
  const bool below = r + 1 < plan->o.rows;
  uint64_t found = 0;
  for (uint64_t c = 0; c < cols && !ms_watch_ended(plan->watch, c); c++) {
    const bool beside = c + 1 < cols;
    uint32_t v = (uint32_t)(r * cols + c), right = v + 1, down = v + (uint32_t)cols;
    ms_random_block random = ms_random_at(plan->o.run.seed, MS_STREAM_GRID, 0, v);
    if (beside && random.word[0] >= removed) {
      if (to)
        to[found] = ms_edge_key(v, right);
      found++;
    }
    if (below && random.word[1] >= removed) {
      if (to)
        to[found] = ms_edge_key(v, down);
      found++;
    }
    if (beside && below && random.word[2] < diagonals) {
      if (to)
        to[found] = random.word[3] % 2 ? ms_edge_key(v, down + 1) : ms_edge_key(right, down);
      found++;
    }
  }
  return found;
}

typedef struct grid_rows {
  const ms_generate_plan *plan;
  uint64_t *start; /* [rows + 1] the number of edges of the rows before */
  uint64_t *key;   /* of all edges */
} grid_rows;

static void count_edges(void *user, ms_range range)
{
  const grid_rows *g = user;
  for (uint64_t r = range.begin; r < range.end; r++)
    g->start[r + 1] = walk_row(g->plan, r, NULL);
}

static void make_edges(void *user, ms_range range)
{
  const grid_rows *g = user;
  for (uint64_t r = range.begin; r < range.end; r++)
    walk_row(g->plan, r, g->key + g->start[r]);
}

ms_status ms_make_grid(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  const uint64_t rows = plan->o.rows;
  uint64_t *start = ms_calloc(rows + 1, sizeof *start);
  if (!start)
    return ms_fail_memory(err, "random edges");
  grid_rows g = {.plan = plan, .start = start};
  ms_parallel(plan->o.run.threads, rows, 0, count_edges, &g);
  ms_status status = ms_generate_report(plan, err);
  if (status != MS_OK) {
    ms_free(start);
    return status;
  }
  for (uint64_t r = 0; r < rows; r++)
    start[r + 1] += start[r];
  keys->count = start[rows];
  g.key = keys->key = ms_alloc(keys->count, sizeof *keys->key);
  if (g.key)
    ms_parallel(plan->o.run.threads, rows, 0, make_edges, &g);
  ms_free(start);
  return keys->key ? ms_generate_report(plan, err) : ms_fail_memory(err, "random edges");
}
