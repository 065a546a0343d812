#include "query/substitutes.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

uint32_t ms_substitutes_cost(const ms_substitutes *s, uint32_t wanted, uint32_t instead)
{
  uint32_t low = 0, high = s->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const ms_substitute *e = &s->entry[middle];
    if (e->wanted == wanted && e->instead == instead)
      return e->cost;
    if (e->wanted < wanted || (e->wanted == wanted && e->instead < instead))
      low = middle + 1;
    else
      high = middle;
  }
  return MS_NO_SUBSTITUTE;
}

static int compare(const void *a, const void *b)
{
  const ms_substitute *x = a, *y = b;
  if (x->wanted != y->wanted)
    return x->wanted < y->wanted ? -1 : 1;
  if (x->instead != y->instead)
    return x->instead < y->instead ? -1 : 1;
  return x->cost < y->cost ? -1 : x->cost > y->cost;
}

ms_status ms_substitutes_add(ms_substitutes *s, ms_substitute entry, ms_error *err)
{
  if (entry.wanted == MS_NO_ID || entry.instead == MS_NO_ID) {
    s->skipped++;
    return MS_OK;
  }
  if (entry.wanted == entry.instead)
    return MS_OK;
  if (!MS_GROW(s->entry, s->room, s->count, 1))
    return ms_fail_memory(err, "substitutions");
  s->entry[s->count++] = entry;
  return MS_OK;
}

void ms_substitutes_sort(ms_substitutes *s)
{
  uint32_t count = s->count;
  if (count > 1)
    qsort(s->entry, count, sizeof *s->entry, compare);
  s->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const ms_substitute *e = &s->entry[i], *last = s->count ? &s->entry[s->count - 1] : NULL;
    if (!last || e->wanted != last->wanted || e->instead != last->instead)
      s->entry[s->count++] = *e;
  }
}

ms_status ms_substitutes_check(const ms_substitutes *s, uint32_t max_cost,
                               const ms_coloring *coloring, ms_error *err)
{
  if (max_cost > MS_MAX_COST)
    return ms_fail(err, MS_ERR_USAGE, "`max_cost` is %u; allow at most %u", max_cost, MS_MAX_COST);
  if (max_cost > 0 && !s)
    return ms_fail(err, MS_ERR_USAGE,
                   "`max_cost` is for substitutions; also give `substitutes`, or leave it out");
  if (s && s->coloring_serial != coloring->serial)
    return ms_fail(err, MS_ERR_USAGE,
                   "`substitutes` are of other colours than the query; make them for its colours");
  return MS_OK;
}

ms_status ms_substitutes_new(const ms_coloring *coloring, uint32_t count, const char *const *wanted,
                             const char *const *instead, const uint32_t *cost, ms_substitutes **out,
                             ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(coloring, err);
  if (count > 0 && (!wanted || !instead || !cost))
    return ms_fail(err, MS_ERR_USAGE, "%s is NULL, and count is %u; give the array, or 0",
                   !wanted    ? "wanted"
                   : !instead ? "instead"
                              : "cost",
                   count);
  ms_substitutes *s = ms_calloc(1, sizeof *s);
  ms_status status = s ? MS_OK : ms_fail_memory(err, "substitutions");
  for (uint32_t i = 0; status == MS_OK && i < count; i++) {
    if (!wanted[i] || !instead[i])
      status = ms_fail(err, MS_ERR_USAGE, "entry %u of %s is NULL; give a string", i,
                       wanted[i] ? "instead" : "wanted");
    else if (cost[i] < 1 || cost[i] > MS_MAX_COST)
      status = ms_fail(err, MS_ERR_USAGE, "entry %u of cost is %u; give a number from 1 to %u", i,
                       cost[i], MS_MAX_COST);
    else
      status = ms_substitutes_add(s,
                                  (ms_substitute){ms_coloring_find(coloring, wanted[i]),
                                                  ms_coloring_find(coloring, instead[i]), cost[i]},
                                  err);
  }
  if (status != MS_OK) {
    ms_substitutes_free(s);
    return status;
  }
  ms_substitutes_sort(s);
  s->coloring_serial = coloring->serial;
  *out = s;
  return MS_OK;
}

uint32_t ms_substitutes_count(const ms_substitutes *s, uint32_t *skipped)
{
  if (skipped)
    *skipped = s ? s->skipped : 0;
  return s ? s->count : 0;
}

void ms_substitutes_free(ms_substitutes *s)
{
  if (!s)
    return;
  ms_free(s->entry);
  ms_free(s->path);
  ms_free(s);
}
