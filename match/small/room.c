/* Memory and loops of the passes. */
#include "match/small/passes.h"

#include "base/alloc.h"
#include "base/status.h"

/* A hub may take as long as thousands of other roots, and hubs have ids in a row. */
#define ROOTS_AT_ONCE 1u

void *ms_small_room(ms_small *s, uint64_t count, size_t size)
{
  uint64_t bytes = count * size;
  if (!ms_budget_reserve(s->budget, bytes))
    return NULL;
  void *room = ms_calloc(count, size);
  if (room)
    s->reserved += bytes;
  else
    ms_budget_release(s->budget, bytes);
  return room;
}

void ms_small_give_back(ms_small *s, void *room, uint64_t count, size_t size)
{
  if (!room)
    return;
  ms_free(room);
  ms_budget_release(s->budget, count * size);
  s->reserved -= count * size;
}

ms_status ms_small_open(ms_small *s, const ms_small_shape *shape, uint32_t shapes, ms_error *err)
{
  for (uint32_t i = 0; i < shapes; i++) {
    s->number[shape[i]] = ms_small_room(s, s->n, sizeof **s->number);
    if (!s->number[shape[i]])
      return ms_fail_memory(err, "the numbers of small shapes");
  }
  return MS_OK;
}

ms_status ms_small_loop(ms_small *s, ms_range_fn *fn, void *user, ms_error *err)
{
  ms_watch_begin(&s->watch);
  ms_watch_loop(&s->watch, s->threads, s->n, ROOTS_AT_ONCE, fn, user);
  return ms_watch_report(&s->watch, "small shapes are counted", err);
}
