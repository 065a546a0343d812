/* Loops over the vertices of an index. */
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "match/index_parts.h"

uint64_t ms_index_chunks(const ms_pattern_index *index)
{
  return ((uint64_t)index->n + MS_INDEX_CHUNK - 1) / MS_INDEX_CHUNK;
}

ms_status ms_index_loop(const ms_pattern_index *index, int threads, ms_range_fn *fn, void *user,
                        ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  ms_watch_loop(&watch, ms_threads_for(threads, index->arcs + index->n), ms_index_chunks(index), 1,
                fn, user);
  return ms_watch_report(&watch, MS_INDEX_PHASE, err);
}
