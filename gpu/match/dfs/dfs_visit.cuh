/* A warp's depth-first search through stretches of units, and the place that it saves when the
 * output is full, from which the next launch continues. */
#ifndef MS_GPU_MATCH_DFS_VISIT_CUH
#define MS_GPU_MATCH_DFS_VISIT_CUH

#include "gpu/match/dfs/dfs_tail.cuh"

#define MS_STEPS_BETWEEN_CHECKS 256u /* steps between two reads of the host's request to stop */

/* ---- the output ------------------------------------------------------------------ */

/* Writes those of 32 candidates that fit as matches of `length` ids, as far as there is room; one
 * atomic addition reserves the room for all.  Returns the number of rows written. */
MS_DEVICE uint32_t ms_write_matches(ms_walk &w, uint32_t length, uint32_t mask, uint32_t v)
{
  uint32_t wanted = ms_count_bits(mask), last = length - 1;
  unsigned long long at = 0;
  ms_sync_warp();
  if (mask >> ms_lane() & 1)
    w.size[ms_rank(mask)] = v;
  if (ms_lane() == 0)
    at = ms_add(&w.queue->rows, (unsigned long long)wanted);
  at = ms_of_lane(at, 0);
  ms_sync_warp();
  uint32_t room = at >= w.capacity           ? 0
                  : w.capacity - at < wanted ? (uint32_t)(w.capacity - at)
                                             : wanted;
  uint32_t *to = w.rows + at * length;
  for (uint32_t e = ms_lane(); e < room * length; e += MS_LANES) {
    uint32_t row = e / length, level = e % length;
    to[e] = level == last ? w.size[row] : w.match[level];
  }
  return room;
}

/* Writes the candidates from here->next on that fit.  False if the output is full; here->next is
 * then the first candidate that was not written. */
MS_DEVICE bool ms_list_level(ms_walk &w, ms_walk_level *here)
{
  const ms_device_step &step = w.p->step[w.p->prefix - 1];
  while (here->next < here->span.length) {
    uint32_t left = here->span.length - here->next, i = here->next + ms_lane(), v = 0;
    bool fits = false;
    if (ms_lane() < left) {
      v = ms_candidate_at(here->span, i);
      fits = ms_fits(w, step, v);
    }
    uint32_t mask = ms_ballot(fits);
    if (mask) {
      uint32_t written = ms_write_matches(w, w.p->prefix, mask, v);
      if (written < ms_count_bits(mask)) {
        here->next += ms_nth_bit(mask, written);
        return false;
      }
    }
    here->next += left < MS_LANES ? left : MS_LANES;
  }
  return true;
}

/* ---- levels ------------------------------------------------------------------------- */

/* Finds the next candidate that fits.  False if there is none. */
MS_DEVICE bool ms_next(const ms_walk &w, uint32_t depth, ms_walk_level *here, uint32_t *v)
{
  while (here->pending == 0) {
    if (here->next >= here->span.length)
      return false;
    uint32_t left = here->span.length - here->next;
    here->base = here->next;
    here->pending =
        ms_ballot(ms_lane() < left && ms_fits(w, w.p->step[depth],
                                              ms_candidate_at(here->span, here->base + ms_lane())));
    here->next += left < MS_LANES ? left : MS_LANES;
  }
  uint32_t bit = ms_lowest(here->pending);
  here->pending &= here->pending - 1;
  *v = ms_candidate_at(here->span, here->base + bit);
  return true;
}

/* Returns the index of the first candidate that was not taken. */
MS_DEVICE uint32_t ms_not_taken(const ms_walk_level &level)
{
  return level.pending ? level.base + ms_lowest(level.pending) : level.next;
}

/* Counts the matches with the last level's candidates [here->next, ..). */
MS_DEVICE void ms_count_level(ms_walk &w, ms_walk_level *here)
{
  const ms_device_program &p = *w.p;
  uint32_t level = p.prefix - 1, v;
  if (p.quick) {
    ms_quick_level(w, here->span, here->next, here->span.length);
  } else if (p.flat) {
    if (here->next < here->span.length)
      ms_flat_level(w, here->span, here->next, here->span.length);
  } else if (p.n_groups > 0) {
    while (ms_next(w, level, here, &v)) {
      ms_match(w, level, v);
      if (ms_compute_sets(w, level))
        ms_add_tail(w);
    }
  } else {
    uint64_t count = 0;
    for (uint64_t i = (uint64_t)here->next + ms_lane(); i < here->span.length; i += MS_LANES)
      count += ms_fits(w, p.step[level], ms_candidate_at(here->span, (uint32_t)i));
    ms_wide_add(&w.sum, ms_wide_of((ms_int128)count));
  }
}

/* Reads the host's request to stop, and whether enough rows were found, once in
 * MS_STEPS_BETWEEN_CHECKS calls.  True if the search may continue. */
MS_DEVICE bool ms_may_continue(ms_walk &w)
{
  if (++w.steps >= MS_STEPS_BETWEEN_CHECKS) {
    w.steps = 0;
    bool ends = ms_peek(&w.queue->stop) || (w.enough && ms_peek(&w.queue->rows) >= w.capacity);
    w.stopped = w.stopped || ms_of_lane((uint32_t)ends, 0) != 0;
  }
  return !w.stopped;
}

MS_DEVICE void ms_push(const ms_walk &w, uint32_t depth, const ms_walk_level &level)
{
  ms_sync_warp();
  if (ms_lane() == 0)
    w.level[depth] = level;
  ms_sync_warp();
}

MS_DEVICE ms_walk_level ms_level_of(const ms_device_span &span, uint32_t next)
{
  ms_walk_level level = {span, next, 0, 0};
  return level;
}

MS_DEVICE void ms_save(const ms_walk &w, uint32_t base, uint32_t depth, const ms_walk_level &here,
                       ms_device_place *place)
{
  ms_sync_warp();
  if (ms_lane() == 0) {
    place->base = base;
    place->depth = depth;
    for (uint32_t i = 0; i < depth; i++)
      place->match[i] = w.match[i];
    for (uint32_t i = base; i < depth; i++)
      place->next[i] = ms_not_taken(w.level[i]);
    place->next[depth] = ms_not_taken(here);
    place->child_end = depth == base ? here.span.length : w.level[base].span.length;
  }
  ms_sync_warp();
}

/* Searches from level `depth`, whose candidates are `here`, until all of level `base` is done.
 * False if the output is full; the place is then saved. */
template <bool LIST>
MS_DEVICE bool ms_search(ms_walk &w, uint32_t base, uint32_t depth, ms_walk_level here,
                         ms_device_place *place)
{
  uint32_t last = w.p->prefix - 1, v;
  while (ms_may_continue(w)) {
    bool down = false;
    if (LIST && depth == last) {
      if (!ms_list_level(w, &here)) {
        ms_save(w, base, depth, here, place);
        return false;
      }
    } else if (depth == last) {
      ms_count_level(w, &here);
      w.steps += here.span.length / MS_LANES;
    } else if (ms_next(w, depth, &here, &v)) {
      ms_match(w, depth, v);
      if (!ms_compute_sets(w, depth))
        continue;
      down = true;
    }
    if (down) {
      ms_push(w, depth, here);
      depth++;
      here = ms_level_of(ms_candidates(w, depth), 0);
    } else if (depth == base) {
      break;
    } else {
      depth--;
      here = w.level[depth];
    }
  }
  return true;
}

/* ---- units --------------------------------------------------------------------------- */

/* Units [first, last) of one root as candidates of level `base`. */
typedef struct ms_part {
  uint64_t next;              /* the first unit after the part */
  uint32_t base, first, last; /* candidates */
  uint32_t root;              /* its number; for base 1 */
} ms_part;

/* Returns the root of an arc: the last root whose row begins at or before the arc, without roots
 * that have empty rows. */
MS_DEVICE uint32_t ms_root_of_arc(const ms_walk &w, uint64_t unit)
{
  const ms_device_program &p = *w.p;
  return (uint32_t)ms_lower_bound_of(p.root_offset + 1, p.roots, p.first_unit + unit + 1);
}

/* Returns the part of [unit, end) that belongs to one root. */
MS_DEVICE ms_part ms_part_at(const ms_walk &w, uint64_t unit, uint64_t end)
{
  const ms_device_program &p = *w.p;
  ms_part part = {end, 0, (uint32_t)unit, (uint32_t)end, 0};
  if (p.unit_kind == MS_UNIT_ROOTS)
    return part;
  uint64_t begin, behind;
  if (p.unit_kind == MS_UNIT_ARCS) {
    part.root = ms_root_of_arc(w, unit);
    begin = p.root_offset[part.root] - p.first_unit;
    behind = p.root_offset[part.root + 1] - p.first_unit;
  } else {
    part.root = (uint32_t)(unit / p.per_root);
    begin = part.root * p.per_root;
    behind = begin + p.per_root;
  }
  part.base = 1;
  part.next = behind < end ? behind : end;
  part.first = (uint32_t)(unit - begin);
  part.last = (uint32_t)(part.next - begin);
  return part;
}

MS_DEVICE uint32_t ms_root_at(const ms_walk &w, uint64_t i)
{
  const ms_device_step &step = w.p->step[0];
  return step.list ? step.list[i] : step.domain.lo + (uint32_t)i;
}

/* The state in which a search begins. */
typedef struct ms_begin {
  uint32_t base, depth;
  ms_walk_level here;
} ms_begin;

/* Begins a part.  False if it has no candidates. */
MS_DEVICE bool ms_begin_part(ms_walk &w, const ms_part &part, ms_begin *begin)
{
  ms_device_span span = {w.p->step[0].list, w.p->step[0].domain.lo, part.last};
  if (part.base > 0) {
    ms_match(w, 0, ms_root_at(w, part.root));
    if (!ms_compute_sets(w, 0))
      return false;
    span = ms_candidates(w, 1);
    span.length = span.length < part.last ? span.length : part.last;
  }
  begin->base = begin->depth = part.base;
  begin->here = ms_level_of(span, part.first);
  return part.first < span.length;
}

/* Restores the state at a saved place: sets are computed again; candidates are the same as
 * before. */
MS_DEVICE void ms_begin_again(ms_walk &w, const ms_device_place *place, ms_begin *begin)
{
  begin->base = place->base;
  begin->depth = place->depth;
  for (uint32_t i = 0;; i++) {
    ms_device_span span = {w.p->step[0].list, w.p->step[0].domain.lo, 0};
    if (i > 0)
      span = ms_candidates(w, i);
    if (i == begin->base)
      span.length = place->child_end;
    begin->here = ms_level_of(span, i >= begin->base ? place->next[i] : 0);
    if (i == begin->depth)
      return;
    if (i >= begin->base)
      ms_push(w, i, begin->here);
    ms_match(w, i, place->match[i]);
    (void)ms_compute_sets(w, i); /* none is empty: the search had reached the levels below them */
  }
}

/* ---- stretches --------------------------------------------------------------------------- */

typedef struct ms_stretch {
  uint64_t first, last, end; /* places of units; `end`: of the launch */
  uint64_t taken;            /* the value of the queue when the last stretch was taken */
  uint64_t most;             /* places of a stretch */
  uint64_t warps;
} ms_stretch;

/* Takes the next stretch of [first, end), the last places first; stretches become shorter towards
 * the end.  False if none is left. */
MS_DEVICE bool ms_take(ms_walk &w, uint64_t first, ms_stretch *s)
{
  uint64_t all = s->end - first, left = s->taken < all ? all - s->taken : 0,
           size = left / (4 * s->warps);
  unsigned long long at = 0;
  size = size < 1 ? 1 : size > s->most ? s->most : size;
  if (ms_lane() == 0)
    at = ms_add(&w.queue->next, (unsigned long long)size);
  at = ms_of_lane(at, 0);
  s->taken = at;
  if (at >= all)
    return false;
  size = size < all - at ? size : all - at;
  s->last = s->end - at;
  s->first = s->last - size;
  return true;
}

/* True if there is no room for another match, or if the host has asked to stop. */
MS_DEVICE bool ms_is_over(const ms_walk &w)
{
  bool full = w.rows && ms_peek(&w.queue->rows) >= w.capacity;
  return ms_of_lane((uint32_t)(full || ms_peek(&w.queue->stop) != 0), 0) != 0;
}

/* Saves that nothing is left, or that the units at [at, end) are left after the saved search. */
MS_DEVICE void ms_set_place(ms_device_place *place, bool none, uint64_t at, uint64_t end)
{
  ms_sync_warp();
  if (ms_lane() == 0) {
    if (none)
      place->depth = MS_DEVICE_LEVELS;
    place->unit = at;
    place->unit_end = end;
  }
  ms_sync_warp();
}

/* Takes the next part of the stretch at [*at, *end), or of another stretch.  False if nothing is
 * left or the search is over. */
MS_DEVICE bool ms_next_part(ms_walk &w, const ms_unit_classes &share, ms_stretch *s, uint64_t *at,
                            uint64_t *end, ms_part *part)
{
  if (w.stopped)
    return false;
  for (;;) {
    if (*at >= *end) {
      if (ms_is_over(w) || !ms_take(w, 0, s))
        return false;
      *at = s->first;
      *end = s->last;
    }
    uint64_t unit = ms_classes_unit(&share, *at), left = share.group - *at % share.group;
    left = left < *end - *at ? left : *end - *at; /* places of one group */
    if (unit < share.units) {
      left = left < share.units - unit ? left : share.units - unit;
      *part = ms_part_at(w, unit, unit + left);
      *at += part->next - unit;
      return true;
    }
    *at += left;
  }
}

/* Does a warp's whole share of a launch: what an earlier launch left at the place, then stretches
 * of the launch's places. */
template <bool LIST>
MS_DEVICE void ms_search_units(ms_walk &w, const ms_unit_classes &share, ms_stretch s,
                               ms_device_place *place)
{
  bool again = LIST && place->depth < MS_DEVICE_LEVELS;
  uint64_t at = again ? place->unit : 0, end = again ? place->unit_end : 0;
  ms_part part;
  ms_begin begin;
  while (again || ms_next_part(w, share, &s, &at, &end, &part)) {
    if (again)
      ms_begin_again(w, place, &begin);
    else if (!ms_begin_part(w, part, &begin))
      continue;
    bool done = ms_search<LIST>(w, begin.base, begin.depth, begin.here, place);
    if (LIST && (again || !done))
      ms_set_place(place, done, at, end);
    if (!done) {
      if (ms_lane() == 0)
        ms_add(&w.queue->left, 1);
      return;
    }
    again = false;
  }
}

#endif
