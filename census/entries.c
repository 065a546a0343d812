/* Lists the entries of a census of vertices (entries.h). */
#include "census/entries.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

ms_status ms_census_entries_open(ms_census_entries *e, const ms_census_graph *g, uint32_t n,
                                 ms_error *err)
{
  uint32_t *rank_of = ms_alloc(n, sizeof *rank_of), count = 0;
  e->rank = ms_alloc(g->n, sizeof *e->rank);
  e->count = g->n;
  if (rank_of && e->rank) {
    memset(rank_of, 0xff, n * sizeof *rank_of);
    for (uint32_t r = 0; r < g->n; r++)
      rank_of[g->vertex[r]] = r;
    for (uint32_t v = 0; v < n; v++)
      if (rank_of[v] != UINT32_MAX)
        e->rank[count++] = rank_of[v];
  }
  ms_status status = rank_of && e->rank ? MS_OK : ms_fail_memory(err, "the vertices of a census");
  ms_free(rank_of);
  return status;
}

static void free_share(ms_census_entries *e)
{
  ms_free(e->number);
  ms_free(e->at);
  ms_free(e->whole);
  ms_free(e->whole_rank);
}

ms_status ms_census_entries_of_share(ms_census_entries *e, const ms_share *share, ms_error *err)
{
  const ms_census_unit *unit = e->units.unit;
  uint64_t count = 0;
  for (uint64_t u = ms_share_next(share, 0); u < e->units.count; u = ms_share_next(share, u + 1))
    count += unit[u].roots;
  free_share(e);
  e->number = ms_alloc(count, sizeof *e->number);
  e->at = ms_alloc(count, sizeof *e->at);
  e->whole = ms_alloc(count + 1, sizeof *e->whole);
  e->whole_rank = ms_alloc(count, sizeof *e->whole_rank);
  if (!e->number || !e->at || !e->whole || !e->whole_rank || count > UINT32_MAX)
    return ms_fail_memory(err, "the vertices of a census");
  e->whole[0] = e->count = 0;
  for (uint64_t u = ms_share_next(share, 0); u < e->units.count; u = ms_share_next(share, u + 1))
    for (uint32_t i = 0; i < unit[u].roots; i++) {
      uint32_t before = e->whole[e->count], is_whole = ms_census_unit_is_whole(&unit[u]);
      e->number[e->count] = (uint32_t)u;
      e->at[e->count] = unit[u].root + i;
      if (is_whole)
        e->whole_rank[before] = e->rank[unit[u].root + i];
      e->whole[++e->count] = before + is_whole;
    }
  return MS_OK;
}

void ms_census_entries_free(ms_census_entries *e)
{
  ms_free(e->rank);
  free_share(e);
  ms_census_units_free(&e->units);
}
