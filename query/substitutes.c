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

ms_status ms_substitutes_from(ms_substitute *entry, uint32_t count, const ms_coloring *coloring,
                              ms_substitutes **out, ms_error *err)
{
  ms_substitutes *s = *out = ms_calloc(1, sizeof *s);
  if (!s) {
    ms_free(entry);
    return ms_fail_memory(err, "substitutions");
  }
  if (count > 1)
    qsort(entry, count, sizeof *entry, compare);
  s->entry = entry;
  s->coloring_serial = coloring->serial;
  for (uint32_t i = 0; i < count; i++)
    if (s->count == 0 || entry[i].wanted != entry[s->count - 1].wanted ||
        entry[i].instead != entry[s->count - 1].instead)
      entry[s->count++] = entry[i];
  return MS_OK;
}

void ms_substitutes_free(ms_substitutes *s)
{
  if (!s)
    return;
  ms_free(s->entry);
  ms_free(s->path);
  ms_free(s);
}
