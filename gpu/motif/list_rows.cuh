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
#ifndef MS_GPU_MOTIF_LIST_ROWS_CUH
#define MS_GPU_MOTIF_LIST_ROWS_CUH

#include "gpu/motif/rows.cuh"

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

#endif
