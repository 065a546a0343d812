#include "graph/pairs.h"

#include "base/alloc.h"
#include "base/status.h"

ms_status ms_pairs_reserve(ms_pairs *pairs, uint64_t more, ms_error *err)
{
  return MS_GROW(pairs->pair, pairs->room, pairs->count, more)
             ? MS_OK
             : ms_fail_memory(err, "edges and colours being read");
}

ms_status ms_pairs_add(ms_pairs *pairs, uint32_t first, uint32_t second, ms_error *err)
{
  if (pairs->count == pairs->room)
    MS_TRY(ms_pairs_reserve(pairs, 1, err));
  pairs->pair[pairs->count][0] = first;
  pairs->pair[pairs->count][1] = second;
  pairs->count++;
  return MS_OK;
}

ms_status ms_pairs_seconds(const ms_pairs *pairs, uint32_t **out, ms_error *err)
{
  *out = ms_alloc(pairs->count, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "aliases");
  for (uint64_t i = 0; i < pairs->count; i++)
    (*out)[i] = pairs->pair[i][1];
  return MS_OK;
}

ms_status ms_pairs_expand(const ms_pairs *pairs, const ms_pairs *defaults, ms_pairs *out,
                          ms_error *err)
{
  uint64_t count = 0;
  for (uint64_t i = 0; i < pairs->count; i++)
    count += pairs->pair[i][1] == MS_DEFAULT_COLORS ? defaults->count : 1;
  out->pair = ms_alloc(count, sizeof *out->pair);
  if (!out->pair)
    return ms_fail_memory(err, "colours");
  out->room = count;
  for (uint64_t i = 0; i < pairs->count; i++) {
    const uint32_t *pair = pairs->pair[i];
    bool many = pair[1] == MS_DEFAULT_COLORS;
    for (uint64_t j = 0; j < (many ? defaults->count : 1); j++)
      MS_TRY(ms_pairs_add(out, pair[0], many ? defaults->pair[j][1] : pair[1], err));
  }
  return MS_OK;
}
