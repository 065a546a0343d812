/* Inside census/: the vertices whose sets are counted one vertex after the other, which are the
 * entries of a census of vertices; in a share also parts of vertices. */
#ifndef MS_CENSUS_ENTRIES_H
#define MS_CENSUS_ENTRIES_H

#include "base/units.h"
#include "census/units.h"

typedef struct ms_census_entries {
  uint32_t *rank; /* [n] of each vertex with a colour, in the order of the graph */
  uint32_t count;
  /* Of a share: */
  ms_census_units units;
  uint32_t *number; /* [count] of the unit of each entry; NULL: an entry is a vertex of rank[] */
  uint32_t *at;     /* [count] its place in rank[] */
  uint32_t *whole;  /* [count + 1] entries before each one whose vertices are not cut .. */
  uint32_t *whole_rank; /* .. and these vertices: [whole[count]] */
} ms_census_entries;

/* Lists the vertices with a colour in the order of the user's graph, which has n vertices. *entries
 * is zero before; the caller frees it even on failure. */
ms_status ms_census_entries_open(ms_census_entries *entries, const ms_census_graph *graph,
                                 uint32_t n, ms_error *err);
/* Frees the entries, and makes those of a share of entries->units, in the order of its units. */
ms_status ms_census_entries_of_share(ms_census_entries *entries, const ms_share *share,
                                     ms_error *err);
void ms_census_entries_free(ms_census_entries *entries);

/* Returns the unit of an entry if it is a part of a vertex, else NULL. */
static inline const ms_census_unit *ms_census_entry_part(const ms_census_entries *entries,
                                                         uint32_t entry)
{
  const ms_census_unit *unit =
      entries->number ? &entries->units.unit[entries->number[entry]] : NULL;
  return unit && !ms_census_unit_is_whole(unit) ? unit : NULL;
}

/* Returns the rank of an entry's vertex. */
static inline uint32_t ms_census_entry_rank(const ms_census_entries *entries, uint32_t entry)
{
  return entries->rank[entries->number ? entries->at[entry] : entry];
}

#endif
