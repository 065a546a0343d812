/* Listing in lists, for large sparse regions: as lists.cuh, with records of sets. What
 * completes a set of size - 1 vertices is gathered behind the candidates on the warp's stack. */
#ifndef MS_GPU_MOTIF_LIST_LISTS_CUH
#define MS_GPU_MOTIF_LIST_LISTS_CUH

#include "gpu/motif/lists.cuh"
#include "gpu/motif/rows.cuh"

/* ---- in rows of bits ------------------------------------------------------------------------- */

/* Listing in rows of bits: sets of one vertex fewer than a match has are visited as in rows.cuh,
 * and the candidates that are left complete them.
 *
 * The output of a unit is a sequence of *records*: the number of vertices that complete a set (1 to
 * launch.together), the vertices of the set in the order in which they joined, and those that
 * complete it; all of them ranks.  No record crosses a multiple of launch.piece entries of its
 * unit's output: what is left of a piece begins with a 0 then.  So pieces can be read by several
 * threads, and a warp can write any of them.
 *
 * A first launch finds the number of entries of each unit, and a later one writes.  A unit's
 * records are the same, in the same order, in each search; a warp that writes a part
 * of them searches from the unit's begin to the end of its part. */

/* Where the records of a unit go; the same in all lanes. */
template <typename entry> struct ms_motif_records {
  unsigned long long at;          /* entries of the unit up to now */
  unsigned long long first, last; /* those that are written */
  entry *to;                      /* where `first` goes; NULL: nothing is written */
  uint32_t left;                  /* entries that are left of the piece */
};

template <typename entry>
MS_DEVICE void ms_motif_begin_records(const ms_motif_launch &l, ms_motif_records<entry> *r)
{
  r->at = 0;
  r->left = l.piece;
}

/* Nothing is left to be written. */
template <typename entry> MS_DEVICE bool ms_motif_is_written(const ms_motif_records<entry> &r)
{
  return r.to && r.at >= r.last;
}

/* Begins a record of so many entries.  Returns its place, or NULL if it is not to be written. */
template <typename entry>
MS_DEVICE entry *ms_motif_record(const ms_motif_launch &l, ms_motif_records<entry> *r,
                                 uint32_t entries)
{
  if (entries > r->left) {
    if (r->left > 0 && r->to && r->at >= r->first && r->at < r->last && ms_lane() == 0)
      r->to[r->at - r->first] = 0;
    r->at += r->left;
    r->left = l.piece;
  }
  entry *place = r->to && r->at >= r->first && r->at < r->last ? r->to + (r->at - r->first) : NULL;
  r->at += entries;
  r->left -= entries;
  return place;
}

/* Lists the matches that hold a set of size - 1 vertices, the lane's of which is `member`. */
template <uint32_t W>
MS_DEVICE void ms_motif_complete(const ms_motif_launch &l, const uint32_t (&x)[W], uint32_t member,
                                 uint16_t *list, ms_motif_records<uint16_t> *r)
{
#pragma unroll 1
  for (uint32_t chunk = 0; chunk < W; chunk++) {
    uint32_t bits = 0;
#pragma unroll
    for (uint32_t i = 0; i < W; i++)
      bits = i == chunk ? x[i] : bits;
    uint32_t count = ms_sum_of_lanes(ms_count_bits(bits));
    bool is_spread = false;
    for (uint32_t done = 0, some; done < count; done += some) {
      some = count - done < l.together ? count - done : l.together;
      uint16_t *record = ms_motif_record(l, r, l.size + some);
      if (!record)
        continue;
      if (!is_spread)
        ms_motif_spread(bits, chunk, list);
      is_spread = true;
      if (ms_lane() == 0)
        record[0] = (uint16_t)some;
      if (ms_lane() + 1 < l.size)
        record[1 + ms_lane()] = (uint16_t)member;
      for (uint32_t i = ms_lane(); i < some; i += MS_LANES)
        record[l.size + i] = list[done + i];
    }
  }
}

/* Lists what grows from the set that a unit begins with.  space: of the warp. */
template <uint32_t W>
MS_DEVICE void ms_motif_list_grow(const ms_motif_launch &l, const ms_motif_unit &unit,
                                  uint32_t state, uint32_t (&x)[W], uint32_t (&near)[W],
                                  uint32_t member, uint32_t *space, uint16_t *list,
                                  ms_motif_records<uint16_t> *r, ms_motif_tally *t)
{
  uint32_t level = 0, number = 0, saved = state; /* lane i of `saved`: the state of level i */
  const uint64_t pair = (uint64_t)2 * l.stride;
  ms_motif_store(space, x);
  ms_motif_store(space + l.stride, near);
  for (uint32_t steps = 0; !ms_motif_is_written(*r);) {
    uint32_t *at = space + level * pair, u = 0;
    ms_motif_load(x, at);
    if (!ms_motif_next(x, &u)) {
      if (level == 0)
        return;
      level--;
      continue;
    }
    ms_motif_store(at, x);
    if (level == 0 && number++ % unit.parts != unit.part)
      continue;
    uint32_t next = l.next[ms_of_lane(saved, level) * l.kinds + l.kind[u]];
    if (next == MS_NO_STATE)
      continue;
    ms_motif_load(near, at + l.stride);
    if (++steps % MS_MOTIF_LOOK == 0 && ms_motif_stops(l))
      return;
    t->visits++;
    if (!ms_motif_extend(l, next, u, x, near))
      continue;
    member = ms_lane() == level + 2 ? u : member;
    if (level + 4 == l.size) {
      ms_motif_complete(l, x, member, list, r);
      continue;
    }
    level++;
    saved = ms_lane() == level ? next : saved;
    ms_motif_store(space + level * pair, x);
    ms_motif_store(space + level * pair + l.stride, near);
  }
}

template <uint32_t W>
MS_DEVICE void ms_motif_list_unit(const ms_motif_launch &l, const ms_motif_unit &unit,
                                  uint32_t *space, uint16_t *list, ms_motif_records<uint16_t> *r,
                                  ms_motif_tally *t)
{
  uint32_t x[W], near[W], root = unit.root, second = unit.second;
  uint32_t state, member = ms_lane() == 1 ? second : root;
  ms_motif_begin_records(l, r);
  if (!ms_motif_begin_unit(l, root, second, x, near, &state))
    return;
  state = l.next[state * l.kinds + l.kind[second]];
  t->visits++;
  if (state == MS_NO_STATE || !ms_motif_extend(l, state, second, x, near))
    return;
  if (l.size == 3)
    ms_motif_complete(l, x, member, list, r);
  else
    ms_motif_list_grow(l, unit, state, x, near, member, space, list, r, t);
}

/* Finds the entries of each unit of a launch, or does its tasks.  list_unit(unit, records): the
 * search of a unit. */
template <typename entry, typename unit_fn>
MS_DEVICE void ms_motif_list_units(const ms_motif_launch &l, unit_fn list_unit)
{
  unsigned long long at;
  while (ms_motif_take(l, &at)) {
    ms_motif_records<entry> r = {0, 0, 0, NULL, 0};
    if (!l.task) {
      list_unit(at, &r);
      if (ms_lane() == 0)
        l.entries[at - l.first] = r.at;
      continue;
    }
    ms_motif_task task = l.task[at];
    r.to = (entry *)l.output + task.to;
    r.first = task.first;
    r.last = task.last;
    for (uint32_t i = 0; i < task.units; i++) {
      list_unit((unsigned long long)task.unit + i, &r);
      r.to += task.units > 1 ? r.at : 0;
    }
  }
}

/* Lists the units of a launch; shared: the block's memory; warps: of a block. */
template <uint32_t W>
MS_DEVICE void ms_motif_list_rows(const ms_motif_launch &l, uint32_t warps, uint8_t *shared)
{
  uint16_t *list = (uint16_t *)shared + ms_warp() * MS_MOTIF_CHUNK;
  uint32_t *space = l.space + (uint64_t)(ms_block() * warps + ms_warp()) * l.size * 2 * l.stride;
  ms_motif_tally t = {0, 0};
  ms_motif_list_units<uint16_t>(l, [&](unsigned long long unit, ms_motif_records<uint16_t> *r) {
    ms_motif_list_unit<W>(l, l.unit[unit], space, list, r, &t);
  });
  ms_motif_end(l, &t);
}

/* ---- in lists -------------------------------------------------------------------------------- */

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
