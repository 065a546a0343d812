#include "base/units.h"

#include "base/alloc.h"
#include "base/status.h"

/* ---- even units ------------------------------------------------------------------------------ */

enum { BUCKETS = sizeof(ms_degree_counts) / sizeof(uint64_t) };

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

void ms_degree_counts_add(ms_degree_counts *counts, uint32_t degree)
{
  counts->count[bucket_of(degree)]++;
}

uint32_t ms_degree_counts_cut(const ms_degree_counts *counts, uint32_t least, uint64_t most)
{
  uint64_t above = 0;
  uint32_t bucket = BUCKETS;
  while (bucket > 0 && above + counts->count[bucket - 1] <= most)
    above += counts->count[--bucket];
  uint32_t degree = bucket < BUCKETS ? degree_of_bucket(bucket) : UINT32_MAX;
  return degree > least ? degree : least;
}

/* ---- ranges of roots ------------------------------------------------------------------------- */

static ms_status add_unit(ms_range_units *units, ms_range_unit unit, ms_error *err)
{
  if (!MS_GROW(units->unit, units->room, units->count, 1))
    return ms_fail_memory(err, "the units of a list");
  units->unit[units->count++] = unit;
  return MS_OK;
}

static double work_of_root(const ms_range_cut *c, uint64_t root)
{
  uint64_t count;
  const uint32_t *child = c->children(c->user, root, &count);
  double work = c->own_work(c->user, root);
  for (uint64_t i = 0; i < count; i++)
    work += c->child_work(c->user, root, child[i], count - 1 - i);
  return work;
}

/* Cuts the children of a root into units, each with about `most` estimated work. */
static ms_status cut_root(const ms_range_cut *c, uint64_t root, double most, ms_range_units *units,
                          ms_error *err)
{
  uint64_t count;
  const uint32_t *child = c->children(c->user, root, &count);
  ms_range_unit open = {root, root + 1, 0, UINT32_MAX};
  double work = 0;
  for (uint64_t i = 0; i < count; i++) {
    work += c->child_work(c->user, root, child[i], count - 1 - i);
    if (work < most || i + 1 == count)
      continue;
    open.high = child[i] + 1;
    MS_TRY(add_unit(units, open, err));
    open.low = open.high;
    open.high = UINT32_MAX;
    work = 0;
  }
  return add_unit(units, open, err);
}

ms_status ms_range_units_add(const ms_range_cut *c, ms_range_units *units, ms_error *err)
{
  ms_range_unit open = {0, 0, 0, UINT32_MAX};
  double all = 0, work = 0, *of_root = ms_alloc(c->roots, sizeof *of_root);
  if (!of_root)
    return ms_fail_memory(err, "the units of a list");
  for (uint64_t i = 0; i < c->roots; i++)
    all += of_root[i] = work_of_root(c, i);
  const double most = all / c->most > c->least ? all / c->most : c->least;
  ms_status status = MS_OK;
  for (uint64_t i = 0; i < c->roots && status == MS_OK; i++) {
    bool cut = of_root[i] > most && c->cuts;
    if (open.last > open.first && (cut || work + of_root[i] > most)) {
      status = add_unit(units, open, err);
      open.first = i;
      work = 0;
    }
    if (cut && status == MS_OK) {
      status = cut_root(c, i, most, units, err);
      open.first = i + 1;
    } else {
      work += of_root[i];
    }
    open.last = i + 1;
  }
  if (status == MS_OK && open.last > open.first)
    status = add_unit(units, open, err);
  ms_free(of_root);
  return status;
}

void ms_range_units_free(ms_range_units *units)
{
  ms_free(units->unit);
  *units = (ms_range_units){0};
}
