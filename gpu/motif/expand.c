#include "gpu/motif/expand.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/status.h"
#include "base/threads/parallel.h"

ms_status ms_motif_expansion_open(ms_motif_expansion *x, uint64_t tasks, uint64_t pieces,
                                  ms_error *err)
{
  x->room = tasks + pieces;
  x->stretch = ms_alloc(x->room, sizeof *x->stretch);
  return x->stretch ? MS_OK : ms_fail_memory(err, "the matches of a GPU");
}

void ms_motif_expansion_close(ms_motif_expansion *x)
{
  ms_free(x->stretch);
  x->stretch = NULL;
}

/* ---- matches ------------------------------------------------------------------------ */

MS_ALWAYS_INLINE uint32_t entry_at(const void *entries, uint64_t at, bool wide)
{
  return wide ? ((const uint32_t *)entries)[at] : ((const uint16_t *)entries)[at];
}

static bool deliver(const ms_match_sink *sink, int thread, uint32_t size, uint32_t *set,
                    const uint32_t *last, uint32_t count)
{
  if (sink->matches)
    return sink->matches(sink->user, thread, set, last, count);
  for (uint32_t i = 0; i < count; i++) {
    set[size - 1] = last[i];
    if (!sink->match(sink->user, thread, set))
      return false;
  }
  return true;
}

/* Delivers the matches of a stretch; false if the sink takes no more. */
MS_ALWAYS_INLINE bool expand_stretch(const ms_motif_expansion *x, const ms_motif_stretch *s,
                                     int thread, bool wide)
{
  const uint32_t *vertex = x->ranked->vertex;
  uint32_t size = x->ranked->size, set[MS_MAX_K], last[MS_SETS_TOGETHER], count;
  for (uint64_t at = s->begin; at < s->end && (count = entry_at(x->entries, at, wide)) > 0;
       at += size + count) {
    for (uint32_t i = 0; i + 1 < size; i++)
      set[i] = vertex[entry_at(x->entries, at + 1 + i, wide)];
    for (uint32_t i = 0; i < count; i++)
      last[i] = vertex[entry_at(x->entries, at + size + i, wide)];
    if (!deliver(x->sink, thread, size, set, last, count))
      return false;
  }
  return true;
}

static void expand_some(void *user, int thread)
{
  ms_motif_expansion *x = user;
  const ms_match_sink *sink = x->sink;
  for (uint64_t i; (i = atomic_fetch_add(&x->next, 1)) < x->count;) {
    ms_motif_stretch *s = &x->stretch[i];
    if (sink->halt && atomic_load_explicit(sink->halt, memory_order_relaxed))
      atomic_store(&x->ended, true);
    if (!atomic_load(&x->ended)) {
      if (sink->parts)
        sink->parts->use(sink->user, thread, s->part);
      if (!(x->wide ? expand_stretch(x, s, thread, true) : expand_stretch(x, s, thread, false)))
        atomic_store(&x->ended, true);
    }
    if (sink->parts)
      sink->parts->close(sink->user, s->part);
  }
}

/* Opens the parts of all stretches, in their order; after a failure none is open. */
static ms_status open_parts(ms_motif_expansion *x, ms_error *err)
{
  const ms_match_sink *sink = x->sink;
  for (uint64_t i = 0; sink->parts && i < x->count; i++) {
    x->stretch[i].part = sink->parts->open(sink->user, NULL);
    if (x->stretch[i].part)
      continue;
    while (i-- > 0)
      sink->parts->close(sink->user, x->stretch[i].part);
    return ms_fail_memory(err, "a part of the listing");
  }
  return MS_OK;
}

ms_status ms_motif_expand(ms_motif_expansion *x, const void *entries, const uint64_t *length,
                          uint64_t count, ms_error *err)
{
  uint64_t begin = 0;
  x->entries = entries;
  x->count = 0;
  for (uint64_t i = 0; i < count; begin += length[i++])
    for (uint64_t at = 0, end; at < length[i]; at = end) {
      end = length[i] - at < x->piece ? length[i] : at + x->piece;
      x->stretch[x->count++] = (ms_motif_stretch){begin + at, begin + end, NULL};
    }
  MS_TRY(open_parts(x, err));
  atomic_store(&x->next, 0);
  ms_parallel_team(x->count < (uint64_t)x->threads ? (int)x->count : x->threads, expand_some, x);
  return MS_OK;
}
