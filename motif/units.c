#include "motif/units.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/hooks.h"
#include "base/status.h"
#include "graph/sort_ids.h"
#include "motif/count/count.h"

/* Smaller sets are folded: all of a root takes less time than many of its parts. */
#define LEAST_SIZE 5u

static uint32_t degree_of(const ms_ranked *ranked, uint32_t rank)
{
  uint64_t degree = ranked->offset[rank + 1] - ranked->offset[rank];
  return degree < UINT32_MAX ? (uint32_t)degree : UINT32_MAX;
}

static uint32_t find_cut_degree(const ms_ranked *ranked)
{
  ms_degree_counts degrees = {{0}};
  if (ranked->size < LEAST_SIZE)
    return UINT32_MAX;
  for (uint32_t r = 0; r < ranked->roots; r++)
    ms_degree_counts_add(&degrees, degree_of(ranked, r));
  bool few = ranked->roots <= ms_hooks.motif_cut_roots;
  return ms_degree_counts_cut(&degrees, few ? 2 : ms_hooks.motif_cut_degree,
                              ms_hooks.motif_cut_roots);
}

/* Numbers the roots in the order of their degrees, and then the other ranks. */
ms_status ms_number_ranks(ms_ranked *ranked, ms_error *err)
{
  uint32_t n = ranked->n;
  if (ranked->number)
    return MS_OK;
  uint64_t *key = ms_alloc(n, sizeof *key), *spare = ms_alloc(n, sizeof *spare);
  uint32_t *number = ms_alloc(n, sizeof *number);
  bool ok = key && spare && number;
  for (uint32_t r = 0; ok && r < n; r++)
    key[r] = (uint64_t)degree_of(ranked, r) << 32 | r;
  if (ok) {
    ms_sort_keys_long(key, ranked->roots, spare);
    ms_sort_keys_long(key + ranked->roots, n - ranked->roots, spare);
  }
  for (uint32_t i = 0; ok && i < n; i++)
    number[(uint32_t)key[i]] = i;
  ranked->number = ok ? number : NULL;
  ranked->cut_degree = find_cut_degree(ranked);
  if (!ok)
    ms_free(number);
  ms_free(key);
  ms_free(spare);
  return ok ? MS_OK : ms_fail_memory(err, "a share of the work");
}

/* ---- units of lists -------------------------------------------------------------------------- */

#define WANTED_UNITS 16384 /* about */

typedef struct listed {
  const ms_ranked *ranked;
  double further; /* neighbours of a vertex that an edge leads to, but for one */
} listed;

static double own_work(const void *user, uint64_t root)
{
  (void)user;
  (void)root;
  return 1;
}

/* Returns the neighbours above a root. */
static const uint32_t *children(const void *user, uint64_t root, uint64_t *count)
{
  const ms_ranked *r = ((const listed *)user)->ranked;
  const uint32_t *row = r->neighbor + r->offset[root];
  uint64_t degree = r->offset[root + 1] - r->offset[root];
  uint64_t first = ms_first_at_least(row, degree, (uint32_t)root + 1);
  *count = degree - first;
  return row + first;
}

/* Estimates the sets of a root and one of its candidates that has `behind` candidates behind it:
 * forests of trees whose vertices have m children each (Raney, 1960; see census/units.h). */
static double child_work(const void *user, uint64_t root, uint32_t rank, uint64_t behind)
{
  const listed *l = user;
  const ms_ranked *r = l->ranked;
  uint32_t left = r->size > 2 ? r->size - 2 : 0;
  double x = (double)behind + (double)(r->offset[rank + 1] - r->offset[rank]);
  double sets = left > 0 ? x : 1;
  (void)root;
  for (uint32_t t = 1; t < left; t++) {
    double factor = left * l->further + x - t;
    sets *= (factor > 1 ? factor : 1) / (t + 1);
  }
  return 1 + sets;
}

ms_status ms_motif_row_units_make(const ms_ranked *ranked, ms_range_units *out, ms_error *err)
{
  double mean = ms_count_mean_neighbors(ranked);
  const listed user = {ranked, mean > 1 ? mean - 1 : 0};
  const ms_range_cut cut = {.roots = ranked->roots,
                            .cuts = ranked->size > 2,
                            .most = WANTED_UNITS,
                            .least = ms_hooks.row_unit_work,
                            .user = &user,
                            .own_work = own_work,
                            .children = children,
                            .child_work = child_work};
  return ms_range_units_add(&cut, out, err);
}
