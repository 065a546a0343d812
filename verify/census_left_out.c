#include "base/alloc.h"
#include "base/status.h"
#include "verify/census.h"

#include <stdlib.h>
#include <string.h>

static int by_colors(const void *a, const void *b)
{
  return memcmp(((const ms_census_number *)a)->color, ((const ms_census_number *)b)->color,
                sizeof((const ms_census_number *)a)->color);
}

ms_status ms_census_left_out(const ms_verify_census *w, uint64_t most, ms_census_number **out,
                             uint64_t *count, ms_error *err)
{
  ms_census_number *sorted = ms_alloc(w->rows, sizeof *sorted);
  *out = NULL;
  *count = 0;
  for (uint64_t i = 0; i < w->places; i++)
    *count += w->counted[i].sets > 0;
  uint64_t room = *count < most ? *count : most;
  *out = ms_alloc(room, sizeof **out);
  if (!sorted || !*out) {
    ms_free(sorted);
    ms_free(*out);
    *out = NULL;
    return ms_fail_memory(err, "the motifs of a census");
  }
  memcpy(sorted, w->stated, w->rows * sizeof *sorted);
  qsort(sorted, w->rows, sizeof *sorted, by_colors);
  *count = 0;
  for (uint64_t i = 0; i < w->places; i++) {
    const ms_census_number *n = &w->counted[i];
    if (n->sets == 0 || bsearch(n, sorted, w->rows, sizeof *sorted, by_colors))
      continue;
    if (*count < room)
      (*out)[*count] = *n;
    ++*count;
  }
  ms_free(sorted);
  return MS_OK;
}
