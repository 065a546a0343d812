#include "motif/row_units.h"

#include "base/alloc.h"
#include "base/status.h"
#include "motif/count.h"

double ms_motif_row_units_most = 16384, ms_motif_row_units_least = 4096;

typedef struct maker {
  const ms_ranked *ranked;
  double further; /* neighbours of a vertex that an edge leads to, but for one */
  double most;    /* work of a unit, about */
  ms_motif_row_units *units;
  uint64_t room;
} maker;

/* Estimates the sets of a root and one of its candidates that has `behind` candidates behind it:
 * forests of trees whose vertices have m children each (Raney, 1960; see census/units.h). */
static double work_of_second(const maker *m, uint32_t rank, uint64_t behind)
{
  const ms_ranked *r = m->ranked;
  uint32_t left = r->size > 2 ? r->size - 2 : 0;
  double x = (double)behind + (double)(r->offset[rank + 1] - r->offset[rank]);
  double sets = left > 0 ? x : 1;
  for (uint32_t t = 1; t < left; t++) {
    double factor = left * m->further + x - t;
    sets *= (factor > 1 ? factor : 1) / (t + 1);
  }
  return 1 + sets;
}

/* Returns the first neighbour above a root. */
static uint64_t first_above(const ms_ranked *r, uint64_t root)
{
  uint64_t low = r->offset[root], high = r->offset[root + 1];
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (r->neighbor[middle] <= root)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static double work_of_root(const maker *m, uint64_t root)
{
  uint64_t end = m->ranked->offset[root + 1];
  double work = 1;
  for (uint64_t a = first_above(m->ranked, root); a < end; a++)
    work += work_of_second(m, m->ranked->neighbor[a], end - 1 - a);
  return work;
}

static ms_status add_unit(maker *m, ms_motif_unit_range unit, ms_error *err)
{
  if (m->units->count == m->room) {
    uint64_t room = 2 * m->room + 256;
    ms_motif_unit_range *larger = ms_resize(m->units->unit, m->room, room, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the units of a list");
    m->units->unit = larger;
    m->room = room;
  }
  m->units->unit[m->units->count++] = unit;
  return MS_OK;
}

static ms_status cut_root(maker *m, uint64_t root, ms_error *err)
{
  const ms_ranked *r = m->ranked;
  uint64_t end = r->offset[root + 1];
  ms_motif_unit_range open = {root, root + 1, 0, UINT32_MAX};
  double work = 0;
  for (uint64_t a = first_above(r, root); a < end; a++) {
    work += work_of_second(m, r->neighbor[a], end - 1 - a);
    if (work < m->most || a + 1 == end)
      continue;
    open.high = r->neighbor[a] + 1;
    MS_TRY(add_unit(m, open, err));
    open.low = open.high;
    open.high = UINT32_MAX;
    work = 0;
  }
  return add_unit(m, open, err);
}

static ms_status make_units(maker *m, ms_error *err)
{
  uint64_t roots = m->ranked->roots;
  ms_motif_unit_range open = {0, 0, 0, UINT32_MAX};
  double all = 0, work = 0, *of_root = ms_alloc(roots, sizeof *of_root);
  if (!of_root)
    return ms_fail_memory(err, "the units of a list");
  for (uint64_t i = 0; i < roots; i++)
    all += of_root[i] = work_of_root(m, i);
  m->most = all / ms_motif_row_units_most;
  m->most = m->most > ms_motif_row_units_least ? m->most : ms_motif_row_units_least;
  ms_status status = MS_OK;
  for (uint64_t i = 0; i < roots && status == MS_OK; i++) {
    bool cut = of_root[i] > m->most && m->ranked->size > 2;
    if (open.last > open.first && (cut || work + of_root[i] > m->most)) {
      status = add_unit(m, open, err);
      open.first = i;
      work = 0;
    }
    if (cut && status == MS_OK) {
      status = cut_root(m, i, err);
      open.first = i + 1;
    } else {
      work += of_root[i];
    }
    open.last = i + 1;
  }
  if (status == MS_OK && open.last > open.first)
    status = add_unit(m, open, err);
  ms_free(of_root);
  return status;
}

ms_status ms_motif_row_units_make(const ms_ranked *ranked, ms_motif_row_units *out, ms_error *err)
{
  double mean = ms_count_mean_neighbors(ranked);
  maker m = {.ranked = ranked, .further = mean > 1 ? mean - 1 : 0, .units = out};
  *out = (ms_motif_row_units){0};
  ms_status status = make_units(&m, err);
  if (status != MS_OK)
    ms_motif_row_units_free(out);
  return status;
}

void ms_motif_row_units_free(ms_motif_row_units *units)
{
  ms_free(units->unit);
  *units = (ms_motif_row_units){0};
}
