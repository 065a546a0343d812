/* How one lane tests a candidate against a program as conjunctions
 * (gpu/match/squares/conjunction.h): for all engines that keep no candidate sets. */
#ifndef MS_GPU_MATCH_CONJUNCTION_CUH
#define MS_GPU_MATCH_CONJUNCTION_CUH

#include "gpu/common/warp.cuh"
#include "gpu/match/squares/conjunction_device.h"

/* Words between the matches of two levels.  A kernel may define it. */
#ifndef MS_CONJUNCTION_STEP
#define MS_CONJUNCTION_STEP 1
#endif

/* A file of kernels for programs of many levels (MS_DEVICE_MANY) defines MS_MANY_LEVELS before it
 * includes others: sets then name levels by lists instead of bits, and kernels have room for
 * MS_MOST_LEVELS.  Such kernels are a variant of their own because bits are quicker, and room for
 * few levels is in shared memory. */

/* In longer rows it pays to read the length of the candidate's own row first. */
#ifndef MS_CONJUNCTION_LONG_ROW
#define MS_CONJUNCTION_LONG_ROW 64u
#endif

/* In place of a link's number: a list or the whole row, and a range of ids. */
#define MS_CONJUNCTION_NO_LINK UINT32_MAX
#define MS_CONJUNCTION_RANGE (UINT32_MAX - 1)

struct conj_bounds {
  uint32_t lo, hi;
};

/* The source of candidates: a row or a list, cut to the bounds, or a range. */
struct conj_span {
  const uint32_t *ids; /* NULL: lo, lo + 1, .. */
  uint32_t length, lo;
  uint32_t link; /* number of the row among the set's links, or MS_CONJUNCTION_NO_LINK,
                    MS_CONJUNCTION_RANGE */
};

/* ---- rows ------------------------------------------------------------------- */

/* Returns the number of ids below v; ids[0 .. length) ascend. */
MS_DEVICE uint32_t conj_lower_bound(const uint32_t *ids, uint32_t length, uint32_t v)
{
  uint32_t at = 0;
  while (length > 0) {
    uint32_t half = length / 2;
    bool right = ids[at + half] < v;
    at = right ? at + half + 1 : at;
    length = right ? length - half - 1 : half;
  }
  return at;
}

MS_DEVICE bool conj_has(const uint32_t *ids, uint32_t length, uint32_t v)
{
  uint32_t at = conj_lower_bound(ids, length, v);
  return at < length && ids[at] == v;
}

MS_DEVICE void conj_row(const ms_conjunction_program &p, uint32_t kind, uint32_t v,
                        const uint32_t **ids, uint32_t *length)
{
  const uint64_t *offset;
  const uint32_t *neighbor;
  if (kind < MS_DEVICE_KINDS) {
    offset = p.rows[kind].offset;
    neighbor = p.rows[kind].neighbor;
  } else {
    offset = p.more[kind - MS_DEVICE_KINDS].offset;
    neighbor = p.more[kind - MS_DEVICE_KINDS].neighbor;
  }
  uint64_t begin = offset[v];
  *length = (uint32_t)(offset[v + 1] - begin);
  *ids = neighbor + begin;
}

/* True if v is in the row of a matched vertex: tested by the bits of that row, by the row itself
 * (cuTS: p-intersection), or by v's own row (c-intersection) if that is shorter.  An arc that is
 * in one vertex's row OUT (1) is in the other's row IN (2). */
MS_DEVICE bool conj_adjacent(const ms_conjunction_program &p, const ms_conjunction_link &link,
                             uint32_t matched, uint32_t v)
{
  const uint32_t *ids, *own;
  uint32_t length, own_length, hub = p.hub && link.kind == 0 ? p.hub[matched] : UINT32_MAX;
  if (hub != UINT32_MAX)
    return p.hub_bits[hub * p.hub_words + v / 32] >> v % 32 & 1;
  conj_row(p, link.kind, matched, &ids, &length);
  if (length > MS_CONJUNCTION_LONG_ROW) {
    conj_row(p, link.kind == 0 ? 0 : ((link.kind - 1u) ^ 1u) + 1u, v, &own, &own_length);
    if (own_length < length)
      return conj_has(own, own_length, matched);
  }
  return conj_has(ids, length, v);
}

/* ---- levels ------------------------------------------------------------------ */

/* Takes the next of the levels that a set states.  False if none is left. */
MS_DEVICE bool conj_next_level(const ms_conjunction_program &p, uint64_t *levels, uint32_t *level)
{
#ifdef MS_MANY_LEVELS
  if ((uint32_t)*levels == 0)
    return false;
  *level = p.link[*levels >> 32].level;
  *levels += ((uint64_t)1 << 32) - 1; /* one later and one fewer */
#else
  (void)p;
  if (*levels == 0)
    return false;
  *level = ms_lowest(*levels);
  *levels &= *levels - 1;
#endif
  return true;
}

/* ---- bounds ------------------------------------------------------------------ */

/* match: the matches of the levels, MS_CONJUNCTION_STEP words apart, here and in all functions
 * below. */
MS_DEVICE conj_bounds conj_bounds_of(const ms_conjunction_program &p, const ms_conjunction_set &set,
                                     const uint32_t *match)
{
  conj_bounds b = {set.lo, set.hi};
  uint32_t level;
  for (uint64_t left = set.above; conj_next_level(p, &left, &level);) {
    uint32_t v = match[MS_CONJUNCTION_STEP * level];
    b.lo = v >= b.lo ? v + 1 : b.lo;
  }
  for (uint64_t left = set.below; conj_next_level(p, &left, &level);) {
    uint32_t v = match[MS_CONJUNCTION_STEP * level];
    b.hi = v < b.hi ? v : b.hi;
  }
  b.hi = b.hi > b.lo ? b.hi : b.lo;
  return b;
}

MS_DEVICE bool conj_in_bounds(const ms_conjunction_program &p, const ms_conjunction_set &set,
                              const uint32_t *match, uint32_t v)
{
  conj_bounds b = conj_bounds_of(p, set, match);
  return v >= b.lo && v < b.hi;
}

/* Finds the positions [*first, *first + result) of the ids within the bounds. */
MS_DEVICE uint32_t conj_cut(const uint32_t *ids, uint32_t length, const conj_bounds &b,
                            uint32_t *first)
{
  uint32_t begin = length > 0 && ids[0] < b.lo ? conj_lower_bound(ids, length, b.lo) : 0;
  uint32_t end = length;
  if (begin < end && ids[end - 1] >= b.hi)
    end = begin + conj_lower_bound(ids + begin, end - begin, b.hi);
  *first = begin;
  return end - begin;
}

/* ---- candidates ----------------------------------------------------------------- */

/* Returns the shortest row, cut to the bounds, the first one among equals; without rows it
 * returns the list or the range. */
MS_DEVICE conj_span conj_span_of(const ms_conjunction_program &p, const ms_conjunction_set &set,
                                 const uint32_t *match)
{
  conj_bounds b = conj_bounds_of(p, set, match);
  conj_span best = {nullptr, UINT32_MAX, 0, MS_CONJUNCTION_NO_LINK};
  const uint32_t *ids;
  uint32_t length, first;
  for (uint32_t i = 0; i < set.n_needed && best.length > 0; i++) {
    const ms_conjunction_link link = p.link[set.first_link + i];
    conj_row(p, link.kind, match[MS_CONJUNCTION_STEP * link.level], &ids, &length);
    length = conj_cut(ids, length, b, &first);
    if (length < best.length)
      best = {ids + first, length, 0, i};
  }
  if (set.n_needed > 0)
    return best;
  if (set.list) {
    length = conj_cut(set.list, set.list_count, b, &first);
    return {set.list + first, length, 0, MS_CONJUNCTION_NO_LINK};
  }
  return {nullptr, b.hi - b.lo, b.lo, MS_CONJUNCTION_RANGE};
}

MS_DEVICE bool conj_in_bits(const ms_conjunction_program &p, const ms_conjunction_set &set,
                            uint32_t v)
{
  for (uint32_t i = 0; i < set.n_bits; i++)
    if (!(p.bits[set.first_bits + i][v / 64] >> v % 64 & 1))
      return false;
  return true;
}

/* True if v, from the row of `span_link`, meets all other conditions of the set. */
MS_DEVICE bool conj_fits(const ms_conjunction_program &p, const ms_conjunction_set &set,
                         const uint32_t *match, uint32_t span_link, uint32_t v)
{
  if (!conj_in_bits(p, set, v))
    return false;
  uint32_t level;
  for (uint64_t left = set.distinct; conj_next_level(p, &left, &level);)
    if (match[MS_CONJUNCTION_STEP * level] == v)
      return false;
  for (uint32_t i = 0; i < set.n_links; i++) {
    const ms_conjunction_link link = p.link[set.first_link + i];
    if (i != span_link &&
        conj_adjacent(p, link, match[MS_CONJUNCTION_STEP * link.level], v) == (bool)link.subtract)
      return false;
  }
  return true;
}

/* Returns the number of matches that are among the elements that only the span and the bits
 * restrict. */
MS_DEVICE uint32_t conj_matched(const ms_conjunction_program &p, const ms_conjunction_set &set,
                                const uint32_t *match, const conj_span &span)
{
  uint32_t count = 0, level;
  for (uint64_t left = set.distinct; conj_next_level(p, &left, &level);) {
    uint32_t v = match[MS_CONJUNCTION_STEP * level];
    bool inside =
        span.ids ? conj_has(span.ids, span.length, v) : v >= span.lo && v - span.lo < span.length;
    count += inside && conj_in_bits(p, set, v);
  }
  return count;
}

/* True if the size of the set is known without a test of each element. */
MS_DEVICE bool conj_is_plain(const ms_conjunction_set &set)
{
  return set.is_whole || (set.n_links == set.n_needed && set.n_links < 2 && set.n_bits == 0);
}

MS_DEVICE uint32_t conj_plain_size(const ms_conjunction_program &p, const ms_conjunction_set &set,
                                   const uint32_t *match, const conj_span &span)
{
  uint32_t all = set.is_whole ? set.whole : span.length;
  return all > 0 ? all - conj_matched(p, set, match, span) : 0;
}

#endif
