#include "match/count/estimates.h"

#include "base/alloc.h"

#include <string.h>

void ms_estimates_free(ms_estimates *e)
{
  for (uint32_t i = 0; i < e->count; i++)
    ms_free(e->of[i].need);
  ms_free(e->of);
  ms_count_choices_free(&e->choices);
  *e = (ms_estimates){0};
}

uint32_t ms_estimates_find(const ms_estimates *e, const ms_shape_key *key)
{
  for (uint32_t i = 0; i < e->count; i++)
    if (memcmp(&e->of[i].key, key, sizeof *key) == 0)
      return i;
  return MS_NO_ESTIMATE;
}

ms_status ms_estimates_add(ms_estimates *e, const ms_shape_key *key, ms_error *err)
{
  if (!MS_GROW(e->of, e->room, e->count, 1))
    return ms_fail_memory(err, "estimates of a count");
  e->of[e->count++] = (ms_estimate){.key = *key, .hinge = MS_NO_ESTIMATE};
  return MS_OK;
}

ms_status ms_estimates_need(ms_estimates *e, uint32_t number, uint32_t needed, ms_error *err)
{
  ms_estimate *of = &e->of[number];
  for (uint32_t i = 0; i < of->needs; i++)
    if (of->need[i] == needed)
      return MS_OK;
  if (!MS_GROW(of->need, of->room, of->needs, 1))
    return ms_fail_memory(err, "estimates of a count");
  of->need[of->needs++] = needed;
  return MS_OK;
}
