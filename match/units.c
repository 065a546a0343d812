#include "match/units.h"

enum { BUCKETS = 240 };

uint32_t ms_count_cut_from = 64, ms_count_cut_roots = 256;

/* Most roots that are cut where a root's table or inner graph is made again for each of its parts.
 * With 256 of them, 16 parts of a count of wheels took ten times the time of the whole together. */
#define COSTLY_ROOTS 4u

/* Degrees below 8 have a bucket each.  From there on, eight buckets divide the degrees up to twice
 * as many. */
static uint32_t bucket_of(uint32_t degree)
{
  uint32_t bits = 31u - (uint32_t)__builtin_clz(degree | 1);
  return degree < 8 ? degree : 8 * (bits - 2) + (degree >> (bits - 3) & 7);
}

/* Returns the least degree in a bucket. */
static uint32_t degree_of_bucket(uint32_t bucket)
{
  return bucket < 8 ? bucket : (8 + bucket % 8) << (bucket / 8 - 1);
}

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
  uint64_t count[BUCKETS] = {0}, above = 0;
  uint32_t bucket = BUCKETS;
  uint32_t most = ms_count_cut_roots;
  if (!has_cuts(p))
    return UINT32_MAX;
  if ((p->table || p->inner) && most > COSTLY_ROOTS)
    most = COSTLY_ROOTS;
  for (uint32_t v = 0; v < p->index->n; v++)
    count[bucket_of(ms_row_length(rows, v))]++;
  while (bucket > 0 && above + count[bucket - 1] <= most)
    above += count[--bucket];
  uint32_t degree = degree_of_bucket(bucket);
  return degree > ms_count_cut_from ? degree : ms_count_cut_from;
}
