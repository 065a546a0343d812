#include "motif/units.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "graph/sort_ids.h"

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
