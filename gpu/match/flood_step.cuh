/* Flooding: a thread a path (gpu/match/flood_device.h). */
#ifndef MS_GPU_MATCH_FLOOD_STEP_CUH
#define MS_GPU_MATCH_FLOOD_STEP_CUH

#include "gpu/common/warp.cuh"
#include "gpu/match/conjunction.cuh"
#include "gpu/match/flood_device.h"

/* Candidates that a thread tries by itself; then its warp helps. */
#ifndef MS_FLOOD_ALONE
#define MS_FLOOD_ALONE 64u
#endif

MS_DEVICE uint32_t ms_flood_candidate(const conj_span &span, uint32_t at)
{
  return span.ids ? span.ids[at] : span.lo + at;
}

/* The path of root number i.  The last ones, whose degrees are the highest, come
 * first: what then has no room are small ones. */
MS_DEVICE void ms_flood_root(const ms_conjunction_program &p, uint64_t i, uint32_t *row)
{
  row[0] = 0;
  row[1] = p.root_list ? p.root_list[i] : p.first_root + (uint32_t)i;
}

MS_DEVICE void ms_flood_child(const uint32_t *row, uint32_t level, uint32_t v, uint32_t *to)
{
  to[0] = 0;
  for (uint32_t i = 1; i <= level + 1; i++)
    to[i] = row[i];
  to[level + 2] = v;
}

/* Children of the lanes whose v fits, one atomic add for all.  False, a lane's
 * own: there was no room for its one. */
MS_DEVICE bool ms_flood_put(const ms_flood_step &a, const uint32_t *row, uint32_t v, bool fits)
{
  uint32_t mask = ms_ballot(fits);
  unsigned long long place = 0;
  if (mask == 0)
    return true;
  if (ms_lane() == 0)
    place = ms_add(&a.queue->rows, (unsigned long long)ms_count_bits(mask));
  place = ms_of_lane(place, 0) + ms_rank(mask);
  if (!fits)
    return true;
  if (place >= a.room)
    return false;
  ms_flood_child(row, a.level, v, a.to + place * ms_flood_words(a.level + 1));
  return true;
}

/* A lane's path. */
typedef struct ms_flood_hand {
  const uint32_t *row;
  conj_span span;
  uint32_t next; /* the first candidate that was not tried */
} ms_flood_hand;

/* Each lane its own candidates, as far as a lane goes by itself.  False: no more room. */
MS_DEVICE bool ms_flood_alone(const ms_flood_step &a, const ms_conjunction_set &set,
                              ms_flood_hand &h)
{
  for (uint32_t tries = 0; tries < MS_FLOOD_ALONE; tries++) {
    bool more = h.next < h.span.length, fits = false;
    uint32_t v = 0;
    if (ms_ballot(more) == 0)
      return true;
    if (more) {
      v = ms_flood_candidate(h.span, h.next);
      fits = conj_fits(a.program, set, h.row + 1, h.span.link, v);
    }
    bool kept = ms_flood_put(a, h.row, v, fits);
    h.next += more && kept;
    if (ms_ballot(!kept))
      return false;
  }
  return true;
}

MS_DEVICE ms_flood_hand ms_flood_hand_of(const ms_flood_hand &h, uint32_t lane)
{
  ms_flood_hand other;
  other.row = (const uint32_t *)(uintptr_t)ms_of_lane((unsigned long long)(uintptr_t)h.row, lane);
  other.span.ids =
      (const uint32_t *)(uintptr_t)ms_of_lane((unsigned long long)(uintptr_t)h.span.ids, lane);
  other.span.length = ms_of_lane(h.span.length, lane);
  other.span.lo = ms_of_lane(h.span.lo, lane);
  other.span.link = ms_of_lane(h.span.link, lane);
  other.next = ms_of_lane(h.next, lane);
  return other;
}

/* All lanes the candidates of one path.  False: no more room. */
MS_DEVICE bool ms_flood_together(const ms_flood_step &a, const ms_conjunction_set &set,
                                 ms_flood_hand &h)
{
  while (h.next < h.span.length) {
    bool has = h.span.length - h.next > ms_lane(), fits = false;
    uint32_t v = 0, left = h.span.length - h.next;
    if (has) {
      v = ms_flood_candidate(h.span, h.next + ms_lane());
      fits = conj_fits(a.program, set, h.row + 1, h.span.link, v);
    }
    uint32_t lost = ms_ballot(!ms_flood_put(a, h.row, v, fits));
    h.next += lost ? ms_lowest(lost) : left < MS_LANES ? left : MS_LANES;
    if (lost)
      return false;
  }
  return true;
}

/* Children of a warp's paths.  False: no more room. */
MS_DEVICE bool ms_flood_warp(const ms_flood_step &a, const ms_conjunction_set &set,
                             ms_flood_hand &h)
{
  bool room = ms_flood_alone(a, set, h);
  uint32_t left = ms_ballot(h.next < h.span.length);
  for (; left && room; left &= left - 1) {
    uint32_t lane = ms_lowest(left);
    ms_flood_hand other = ms_flood_hand_of(h, lane);
    room = ms_flood_together(a, set, other);
    if (ms_lane() == lane)
      h.next = other.next;
  }
  return room;
}

MS_DEVICE void ms_flood_paths_of(const ms_flood_step &a)
{
  const ms_conjunction_set &set = a.program.set[a.level + 1];
  uint64_t warp = (uint64_t)ms_block() * MS_FLOOD_WARPS + ms_warp();
  uint64_t step = (uint64_t)a.blocks * MS_FLOOD_WARPS * MS_LANES;
  uint32_t words = ms_flood_words(a.level);
  for (uint64_t first = warp * MS_LANES; first < a.from.count; first += step) {
    bool over = ms_peek(&a.queue->rows) >= a.room || ms_peek(&a.queue->stop) != 0;
    uint64_t i = first + ms_lane();
    ms_flood_hand h = {NULL, {NULL, 0, 0, 0}, 0};
    if (ms_of_lane((uint32_t)over, 0)) { /* what was not begun is as it was */
      if (ms_lane() == 0)
        ms_or(&a.queue->left, 1);
      return;
    }
    uint32_t *row = i < a.from.count ? a.from.row + i * words : NULL;
    if (row) {
      h.row = row;
      h.span = conj_span_of(a.program, set, row + 1);
      h.next = row[0];
    }
    (void)ms_flood_warp(a, set, h);
    bool done = h.next >= h.span.length;
    if (row)
      row[0] = done ? MS_FLOOD_DONE : h.next;
    if (!done)
      ms_or(&a.queue->left, 1);
  }
}

#endif
