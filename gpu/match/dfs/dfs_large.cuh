/* What a warp does in a launch of the engine `dfs` on a large program. */
#ifndef MS_GPU_MATCH_DFS_LARGE_CUH
#define MS_GPU_MATCH_DFS_LARGE_CUH

#include "gpu/match/dfs/dfs_large_device.h"
#include "gpu/match/dfs/dfs_visit.cuh"
#include "gpu/match/squares/conjunction.cuh"

/* All functions are called by a warp, whose lanes get the same result. */
typedef struct ms_large {
  ms_walk walk; /* its queue, output, sum and matches; it has no program and no sets */
  const ms_conjunction_program *p;
  ms_large_level *level; /* [prefix] levels whose candidates are not finished */
} ms_large;

/* ---- sizes ------------------------------------------------------------------------ */

/* Returns the number of elements of a set under the current matches. */
MS_DEVICE uint32_t ms_large_size(const ms_large &w, const ms_conjunction_set &set)
{
  conj_span span = {NULL, set.hi - set.lo, set.lo, MS_CONJUNCTION_RANGE};
  uint32_t count = 0;
  if (!set.is_whole)
    span = conj_span_of(*w.p, set, w.walk.match);
  if (conj_is_plain(set))
    return conj_plain_size(*w.p, set, w.walk.match, span);
  if (span.length < set.least)
    return 0;
  for (uint64_t first = 0; first < span.length; first += MS_LANES) {
    uint64_t i = first + ms_lane();
    bool fits = i < span.length && conj_fits(*w.p, set, w.walk.match, span.link,
                                             span.ids ? span.ids[i] : span.lo + (uint32_t)i);
    count += ms_count_bits(ms_ballot(fits));
  }
  return count;
}

/* Adds the value of the tail under the current matches. */
MS_DEVICE void ms_large_tail(ms_large &w)
{
  const ms_conjunction_program &p = *w.p;
  for (uint32_t i = 0; i < p.n_masks; i++) {
    const ms_conjunction_set &set = p.set[p.prefix + i];
    uint32_t size = ms_large_size(w, set);
    if (size < set.least)
      return;
    ms_note_size(w.walk, i, size);
  }
  if (p.falling > 0 && ms_lane() == 0) {
    ms_wide product = ms_wide_of(1);
    for (uint32_t i = 0; i < p.falling; i++)
      ms_wide_multiply(&product, w.walk.size[0] - i);
    ms_wide_add(&w.walk.sum, product);
  }
  for (uint32_t t = ms_lane(); t < p.n_terms; t += MS_LANES) {
    const ms_conjunction_term &term = p.term[t];
    ms_wide product = ms_wide_of(term.factor);
    for (uint32_t b = 0; b < term.count; b++)
      ms_wide_multiply(&product, w.walk.size[term.mask[b]]);
    ms_wide_add(&w.walk.sum, product);
  }
}

/* ---- levels ------------------------------------------------------------------------- */

MS_DEVICE ms_large_level ms_large_candidates(const ms_large &w, uint32_t depth)
{
  const ms_conjunction_set &set = w.p->set[depth];
  conj_span span = conj_span_of(*w.p, set, w.walk.match);
  ms_device_span ids = {span.ids, span.lo, span.length < set.least ? 0 : span.length};
  ms_large_level level = {ms_level_of(ids, 0), span.link};
  return level;
}

/* Returns a bit for each lane whose candidate, number walk.next + lane, fits; *v: the lane's. */
MS_DEVICE uint32_t ms_large_fitting(const ms_large &w, uint32_t depth, const ms_large_level &here,
                                    uint32_t *v)
{
  const ms_walk_level &l = here.walk;
  bool has = ms_lane() < l.span.length - l.next;
  *v = has ? ms_candidate_at(l.span, l.next + ms_lane()) : 0;
  return ms_ballot(has && conj_fits(*w.p, w.p->set[depth], w.walk.match, here.link, *v));
}

MS_DEVICE void ms_large_advance(ms_walk_level *l)
{
  uint32_t left = l->span.length - l->next;
  l->next += left < MS_LANES ? left : MS_LANES;
}

/* Finds the next candidate that fits.  False if there is none. */
MS_DEVICE bool ms_large_next(const ms_large &w, uint32_t depth, ms_large_level *here, uint32_t *v)
{
  ms_walk_level *l = &here->walk;
  while (l->pending == 0) {
    if (l->next >= l->span.length)
      return false;
    uint32_t of_lane;
    l->base = l->next;
    l->pending = ms_large_fitting(w, depth, *here, &of_lane);
    ms_large_advance(l);
  }
  uint32_t bit = ms_lowest(l->pending);
  l->pending &= l->pending - 1;
  *v = ms_candidate_at(l->span, l->base + bit);
  return true;
}

/* Writes the last level's candidates that fit.  False if the output is full; walk.next is then the
 * first candidate that was not written. */
MS_DEVICE bool ms_large_list(ms_large &w, ms_large_level *here)
{
  ms_walk_level *l = &here->walk;
  while (l->next < l->span.length) {
    uint32_t v, mask = ms_large_fitting(w, w.p->prefix - 1, *here, &v);
    uint32_t written = mask ? ms_write_matches(w.walk, w.p->prefix, mask, v) : 0;
    if (written < ms_count_bits(mask)) {
      l->next += ms_nth_bit(mask, written);
      return false;
    }
    ms_large_advance(l);
  }
  return true;
}

/* Counts the last level's candidates; roots all fit. */
MS_DEVICE void ms_large_count(ms_large &w, uint32_t depth, const ms_large_level &here)
{
  uint32_t count =
      depth > 0 ? ms_large_size(w, w.p->set[depth]) : here.walk.span.length - here.walk.next;
  if (ms_lane() == 0)
    ms_wide_add(&w.walk.sum, ms_wide_of((ms_int128)count));
}

MS_DEVICE void ms_large_push(const ms_large &w, uint32_t depth, const ms_large_level &level)
{
  ms_sync_warp();
  if (ms_lane() == 0)
    w.level[depth] = level;
  ms_sync_warp();
}

/* Searches from level `depth`, whose candidates are `here`, until all roots of the stretch are
 * done.  False if the output is full; the stack and *at are then what the next launch needs. */
template <bool LIST>
MS_DEVICE bool ms_large_search(ms_large &w, uint32_t depth, ms_large_level here, uint32_t *at)
{
  uint32_t last = w.p->prefix - 1, v;
  while (ms_may_continue(w.walk)) {
    if (LIST && depth == last) {
      if (!ms_large_list(w, &here)) {
        ms_large_push(w, depth, here);
        *at = depth;
        return false;
      }
    } else if (depth == last && w.p->n_masks == 0) {
      ms_large_count(w, depth, here);
    } else if (ms_large_next(w, depth, &here, &v)) {
      ms_match(w.walk, depth, v);
      if (depth == last) {
        ms_large_tail(w);
      } else {
        ms_large_push(w, depth, here);
        depth++;
        here = ms_large_candidates(w, depth);
      }
      continue;
    }
    if (depth == 0)
      break;
    depth--;
    here = w.level[depth];
  }
  return true;
}

/* ---- a launch -------------------------------------------------------------------------- */

/* Returns a stretch of roots as candidates of level 0. */
MS_DEVICE ms_large_level ms_large_roots(const ms_large &w, const ms_stretch &s)
{
  const ms_conjunction_program &p = *w.p;
  ms_device_span span = {p.root_list ? p.root_list + s.first : NULL,
                         p.first_root + (uint32_t)s.first, (uint32_t)(s.last - s.first)};
  ms_large_level level = {ms_level_of(span, 0), MS_CONJUNCTION_NO_LINK};
  return level;
}

MS_DEVICE ms_large ms_large_of(const ms_large_launch &a, uint64_t warp)
{
  ms_large w = {};
  w.p = &a.program;
  w.walk.match = a.match + warp * a.program.prefix;
  w.walk.size = a.size + warp * a.sizes;
  w.walk.queue = a.queue;
  w.walk.rows = a.rows;
  w.walk.capacity = a.capacity;
  w.walk.enough = a.enough;
  w.level = a.level + warp * a.program.prefix;
  return w;
}

/* Does a warp's whole share of a launch. */
template <bool LIST> MS_DEVICE void ms_large_units(const ms_large_launch &a)
{
  uint64_t warp = (uint64_t)ms_block() * a.warps + ms_warp();
  ms_large w = ms_large_of(a, warp);
  ms_large_place *place = LIST ? a.place + warp : NULL;
  ms_stretch s = {0, 0, a.end, 0, a.most, (uint64_t)a.blocks * a.warps};
  bool again = LIST && place->waits, full = false;
  uint32_t depth = again ? place->depth : 0;
  while (!full &&
         (again || (!w.walk.stopped && !ms_is_over(w.walk) && ms_take(w.walk, a.first, &s)))) {
    ms_large_level here = again ? w.level[depth] : ms_large_roots(w, s);
    full = !ms_large_search<LIST>(w, again ? depth : 0, here, &depth);
    again = false;
  }
  ms_sync_warp();
  if (LIST && ms_lane() == 0) {
    ms_large_place left = {full, depth};
    *place = left;
    if (full)
      ms_add(&a.queue->left, 1);
  }
  if (!ms_wide_is_zero(w.walk.sum))
    ms_wide_add_to(w.walk.sum, &a.queue->sum);
}

#endif
