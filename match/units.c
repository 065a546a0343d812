#include "match/units.h"
#include "base/hooks.h"

/* Most roots that are cut where a root's table or inner graph is made again for each of its parts.
 * With 256 of them, 16 parts of a count of wheels take ten times the time of the whole together.
 * Programs for GPUs have as few: the fast kernels for cliques and the like count whole roots alone
 * (gpu/match/program.c). */
#define COSTLY_ROOTS 4u

/* The table of paths from a root takes about as long as the children that it counts, and is made
 * again for each part of a cut root.  No root has a large part of all paths. */
static bool has_cuts(const ms_program *p)
{
  if (p->inner)
    return true;
  return p->prefix > 1 && p->step[1].source != MS_FROM_DOMAIN && (p->prefix > 2 || !p->table);
}

uint32_t ms_count_cut_degree(const ms_program *p)
{
  const ms_neighbor_rows *rows = &p->index->rows[MS_ROWS_ANY];
  ms_degree_counts degrees = {{0}};
  uint32_t most = ms_hooks.count_cut_roots;
  if (!has_cuts(p))
    return UINT32_MAX;
  if ((p->table || p->inner || p->few_cuts) && most > COSTLY_ROOTS)
    most = COSTLY_ROOTS;
  for (uint32_t v = 0; v < p->index->n; v++)
    ms_degree_counts_add(&degrees, ms_row_length(rows, v));
  return ms_degree_counts_cut(&degrees, ms_hooks.count_cut_degree, most);
}
