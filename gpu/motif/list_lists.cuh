/* Listing in lists, for large sparse regions: as lists.cuh, with the records of list_rows.cuh. What
 * completes a set of size - 1 vertices is gathered behind the candidates on the warp's stack. */
#ifndef MS_GPU_MOTIF_LIST_LISTS_CUH
#define MS_GPU_MOTIF_LIST_LISTS_CUH

#include "gpu/motif/list_rows.cuh"
#include "gpu/motif/lists.cuh"

/* Gathers the ranks that complete a set with one more vertex, and sets *found to their number.
 * Returns false if there is no room for them.  Members before the vertex are noted. */
MS_DEVICE bool ms_motif_gather(const ms_motif_launch &l, const ms_motif_lists &w, uint32_t size,
                               uint32_t vertex, uint32_t state, uint32_t *found)
{
  uint32_t joins = l.joins[state], end = l.offset[vertex + 1], place = w.base + w.count;
  uint32_t room = ms_motif_stack_room(l.hash) - place, *to = w.list + place;
  *found = 0;
  ms_sync_warp(); /* all lanes have read the vertex, and what was gathered before */
  if (ms_lane() == 0)
    w.member[size] = vertex;
  for (uint32_t tile = 0; tile < w.count; tile += MS_LANES) {
    uint32_t i = tile + ms_lane(), entry = i < w.count ? w.list[w.base + i] : 0;
    bool mine = i < w.count && ms_motif_holds(l, joins, entry >> MS_MOTIF_RANK_BITS);
    uint32_t mask = ms_ballot(mine), some = ms_count_bits(mask);
    if (*found + some > room)
      return false;
    if (mine)
      to[*found + ms_rank(mask)] = entry & MS_MOTIF_RANK_MASK;
    *found += some;
  }
  for (uint32_t tile = l.offset[vertex]; tile < end; tile += MS_LANES) {
    uint32_t i = tile + ms_lane(), entry = i < end ? l.neighbor[i] : 0;
    uint32_t rank = entry & MS_MOTIF_RANK_MASK;
    bool mine = i < end && rank > w.root && ms_motif_holds(l, joins, entry >> MS_MOTIF_RANK_BITS) &&
                !ms_motif_is_near(l, w, rank);
    uint32_t mask = ms_ballot(mine), some = ms_count_bits(mask);
    if (*found + some > room)
      return false;
    if (mine)
      to[*found + ms_rank(mask)] = rank;
    *found += some;
  }
  ms_sync_warp();
  return true;
}

/* Writes the records of a set and what was gathered. */
MS_DEVICE void ms_motif_write_gathered(const ms_motif_launch &l, const ms_motif_lists &w,
                                       uint32_t found, ms_motif_records<uint32_t> *r)
{
  const uint32_t *from = w.list + w.base + w.count;
  for (uint32_t done = 0, some; done < found; done += some) {
    some = found - done < l.together ? found - done : l.together;
    uint32_t *record = ms_motif_record(l, r, l.size + some);
    if (!record)
      continue;
    if (ms_lane() == 0)
      record[0] = some;
    for (uint32_t i = ms_lane(); i + 1 < l.size; i += MS_LANES)
      record[1 + i] = w.member[i];
    for (uint32_t i = ms_lane(); i < some; i += MS_LANES)
      record[l.size + i] = from[done + i];
  }
}

/* Lists the matches of a root.  Returns false if too much is near it. */
MS_DEVICE bool ms_motif_list_search(const ms_motif_launch &l, ms_motif_lists *w, uint32_t state,
                                    ms_motif_records<uint32_t> *r, ms_motif_tally *t)
{
  uint32_t size = 1, begin = 0, found; /* begin: places logged before the last vertex */
  if (!ms_motif_widen(l, w, w->root, state))
    return false;
  t->visits++;
  for (uint32_t steps = 0; !ms_motif_is_written(*r);) {
    if (w->count == 0) {
      ms_motif_take_off(w, begin);
      if (--size == 0)
        return true;
      const uint32_t *level = w->level + 3 * size;
      w->count = level[0];
      w->base -= w->count;
      begin = level[1];
      state = level[2];
      continue;
    }
    uint32_t entry = w->list[w->base + --w->count], vertex = entry & MS_MOTIF_RANK_MASK;
    uint32_t next = l.next[state * l.kinds + (entry >> MS_MOTIF_RANK_BITS)];
    if (next == MS_NO_STATE)
      continue;
    if (++steps % MS_MOTIF_LOOK == 0 && ms_motif_stops(l))
      return true;
    t->visits++;
    if (size + 2 == l.size) {
      if (!ms_motif_gather(l, *w, size, vertex, next, &found))
        return false;
      ms_motif_write_gathered(l, *w, found, r);
      continue;
    }
    uint32_t count = w->count, logged = w->logged;
    ms_sync_warp(); /* the entry was read before it is overwritten */
    if (ms_lane() == 0)
      w->member[size] = vertex;
    if (!ms_motif_copy(l, w) || !ms_motif_widen(l, w, vertex, next))
      return false;
    ms_motif_save(w, size, count, begin, state);
    size++;
    begin = logged;
    state = next;
  }
  return true;
}

MS_DEVICE void ms_motif_list_root(const ms_motif_launch &l, ms_motif_lists *w, uint32_t root,
                                  ms_motif_records<uint32_t> *r, ms_motif_tally *t)
{
  uint32_t state = l.next[l.kind[root]];
  ms_motif_begin_records(l, r);
  if (state == MS_NO_STATE || l.left[root])
    return;
  w->root = root;
  w->base = w->count = w->logged = 0;
  ms_sync_warp(); /* the records of the root before have been written */
  if (ms_lane() == 0)
    w->member[0] = root;
  bool done = ms_motif_list_search(l, w, state, r, t);
  ms_motif_take_off(w, 0);
  if (done)
    return;
  if (ms_lane() == 0)
    l.left[root] = 1;
  r->at = 0;
}

/* Lists the roots of a launch.  shared: the block's memory. */
MS_DEVICE void ms_motif_list_roots(const ms_motif_launch &l, uint8_t *shared)
{
  ms_motif_lists w;
  ms_motif_tally t = {0, 0};
  ms_motif_begin_lists(l, &w, shared);
  ms_motif_list_units<uint32_t>(l, [&](unsigned long long unit, ms_motif_records<uint32_t> *r) {
    ms_motif_list_root(l, &w, l.root[unit], r, &t);
  });
  ms_motif_end(l, &t);
}

#endif
