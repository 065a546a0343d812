/* The engine `trie` as one warp sees it (gpu/trie_device.h).
 *
 * The 32 lanes of a warp stay together: in each round every tile looks at the
 * next candidates of its entry, tiles without any look on.  `Warp` is what
 * lanes say to each other (gpu/trie.cu); with MS_TRIE_HOST defined this is
 * plain C++, and tests/gpu/pattern_trie.cu brings a warp that runs on the host. */
#ifndef MS_GPU_TRIE_CUH
#define MS_GPU_TRIE_CUH

#include "gpu/trie_device.h"

#ifdef MS_TRIE_HOST
#define MS_TRIE_FN static inline
MS_TRIE_FN uint32_t trie_ones(uint32_t x) { return (uint32_t)__builtin_popcount(x); }
MS_TRIE_FN uint32_t trie_first(uint32_t x) { return (uint32_t)__builtin_ctz(x); }
MS_TRIE_FN uint32_t trie_first(uint64_t x) { return (uint32_t)__builtin_ctzll(x); }
MS_TRIE_FN uint32_t trie_length(uint32_t x) { return x ? 32 - (uint32_t)__builtin_clz(x) : 0; }
#else
#define MS_TRIE_FN static __device__ __forceinline__
MS_TRIE_FN uint32_t trie_ones(uint32_t x) { return (uint32_t)__popc(x); }
MS_TRIE_FN uint32_t trie_first(uint32_t x) { return (uint32_t)__ffs((int)x) - 1; }
MS_TRIE_FN uint32_t trie_first(uint64_t x) { return (uint32_t)__ffsll((long long)x) - 1; }
MS_TRIE_FN uint32_t trie_length(uint32_t x) { return 32 - (uint32_t)__clz((int)x); }
#endif

/* Longer rows are worth the look at how long the candidate's own is. */
#ifndef MS_TRIE_LONG_ROW
#define MS_TRIE_LONG_ROW 64u
#endif

struct trie_bounds {
  uint32_t lo, hi;
};

/* What candidates are taken from: a row or a list, cut to the bounds, or a range. */
struct trie_span {
  const uint32_t *ids; /* NULL: lo, lo + 1, .. */
  uint32_t length, lo;
  uint32_t link;       /* the row's, of the set; UINT32_MAX: none */
};

/* ---- rows ------------------------------------------------------------------- */

/* Ids below v: ids[0 .. length) ascend. */
MS_TRIE_FN uint32_t trie_lower_bound(const uint32_t *ids, uint32_t length, uint32_t v)
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

MS_TRIE_FN bool trie_has(const uint32_t *ids, uint32_t length, uint32_t v)
{
  uint32_t at = trie_lower_bound(ids, length, v);
  return at < length && ids[at] == v;
}

MS_TRIE_FN void trie_row(const ms_trie_program &p, uint32_t kind, uint32_t v, const uint32_t **ids,
                         uint32_t *length)
{
  uint64_t begin = p.rows[kind].offset[v];
  *length = (uint32_t)(p.rows[kind].offset[v + 1] - begin);
  *ids = p.rows[kind].neighbor + begin;
}

/* Is v in the row of a matched vertex?  By that row (cuTS: p-intersection), or
 * by v's own (c-intersection) if that is the shorter one.  An arc that is in
 * one's row OUT (1) is in the other's row IN (2). */
MS_TRIE_FN bool trie_adjacent(const ms_trie_program &p, const ms_trie_link &link, uint32_t matched, uint32_t v)
{
  const uint32_t *ids, *own;
  uint32_t length, own_length;
  trie_row(p, link.kind, matched, &ids, &length);
  if (length > MS_TRIE_LONG_ROW) {
    trie_row(p, link.kind == 0 ? 0 : 3 - link.kind, v, &own, &own_length);
    if (own_length < length)
      return trie_has(own, own_length, matched);
  }
  return trie_has(ids, length, v);
}

/* ---- bounds ------------------------------------------------------------------ */

MS_TRIE_FN trie_bounds trie_bounds_of(const ms_trie_set &set, const uint32_t *match)
{
  trie_bounds b = {set.lo, set.hi};
  for (uint64_t left = set.above; left; left &= left - 1) {
    uint32_t v = match[trie_first(left)];
    b.lo = v >= b.lo ? v + 1 : b.lo;
  }
  for (uint64_t left = set.below; left; left &= left - 1) {
    uint32_t v = match[trie_first(left)];
    b.hi = v < b.hi ? v : b.hi;
  }
  b.hi = b.hi > b.lo ? b.hi : b.lo;
  return b;
}

/* Positions [*first, *first + result) of the ids within the bounds. */
MS_TRIE_FN uint32_t trie_cut(const uint32_t *ids, uint32_t length, const trie_bounds &b, uint32_t *first)
{
  uint32_t begin = length > 0 && ids[0] < b.lo ? trie_lower_bound(ids, length, b.lo) : 0;
  uint32_t end = length;
  if (begin < end && ids[end - 1] >= b.hi)
    end = begin + trie_lower_bound(ids + begin, end - begin, b.hi);
  *first = begin;
  return end - begin;
}

/* ---- candidates ----------------------------------------------------------------- */

/* The shortest row, each lane of the tile looking at some; without rows the
 * list or the range.  All lanes of the warp take part. */
template <class Warp>
MS_TRIE_FN trie_span trie_span_of(Warp &w, const ms_trie_program &p, const ms_trie_set &set,
                                  const uint32_t *match, uint32_t lanes, bool wanted)
{
  trie_bounds b = {0, 0};
  trie_span best = {nullptr, UINT32_MAX, 0, UINT32_MAX};
  if (wanted)
    b = trie_bounds_of(set, match);
  for (uint32_t i = w.lane() & (lanes - 1); wanted && i < set.n_needed; i += lanes) {
    const ms_trie_link link = p.link[set.first_link + i];
    const uint32_t *ids;
    uint32_t length, first;
    trie_row(p, link.kind, match[link.level], &ids, &length);
    length = trie_cut(ids, length, b, &first);
    if (length < best.length)
      best = {ids + first, length, 0, i};
  }
  for (uint32_t apart = 1; apart < lanes; apart *= 2) {
    uint32_t length = w.swap(best.length, apart), link = w.swap(best.link, apart);
    const uint32_t *ids = w.swap(best.ids, apart);
    if (length < best.length || (length == best.length && link < best.link))
      best = {ids, length, 0, link};
  }
  if (set.n_needed > 0 || !wanted)
    return {best.ids, wanted ? best.length : 0, 0, best.link};
  if (set.list) {
    uint32_t first, length = trie_cut(set.list, set.list_count, b, &first);
    return {set.list + first, length, 0, UINT32_MAX};
  }
  return {nullptr, b.hi - b.lo, b.lo, UINT32_MAX};
}

/* v, of the span, in all else that the set asks for? */
MS_TRIE_FN bool trie_fits(const ms_trie_program &p, const ms_trie_set &set, const uint32_t *match,
                          const trie_span &span, uint32_t v)
{
  for (uint32_t i = 0; i < set.n_bits; i++)
    if (!(p.bits[set.first_bits + i][v / 64] >> v % 64 & 1))
      return false;
  for (uint64_t left = set.distinct; left; left &= left - 1)
    if (match[trie_first(left)] == v)
      return false;
  for (uint32_t i = 0; i < set.n_links; i++) {
    const ms_trie_link link = p.link[set.first_link + i];
    if (i != span.link && trie_adjacent(p, link, match[link.level], v) == (bool)link.subtract)
      return false;
  }
  return true;
}

MS_TRIE_FN uint32_t trie_candidate(const trie_span &span, uint32_t at)
{
  return span.ids ? span.ids[at] : span.lo + at;
}

MS_TRIE_FN bool trie_in_bits(const ms_trie_program &p, const ms_trie_set &set, uint32_t v)
{
  for (uint32_t i = 0; i < set.n_bits; i++)
    if (!(p.bits[set.first_bits + i][v / 64] >> v % 64 & 1))
      return false;
  return true;
}

/* How many of the levels' matches are among the elements that only the span and
 * the bits restrict. */
MS_TRIE_FN uint32_t trie_matched(const ms_trie_program &p, const ms_trie_set &set, const uint32_t *match,
                                 const trie_span &span)
{
  uint32_t count = 0;
  for (uint64_t left = set.distinct; left; left &= left - 1) {
    uint32_t v = match[trie_first(left)];
    bool inside = span.ids ? trie_has(span.ids, span.length, v) : v >= span.lo && v - span.lo < span.length;
    count += inside && trie_in_bits(p, set, v);
  }
  return count;
}

/* This lane's share of the set's size; the tile's lanes together have all. */
template <class Warp>
MS_TRIE_FN uint32_t trie_size(Warp &w, const ms_trie_program &p, const ms_trie_set &set, const uint32_t *match,
                              uint32_t lanes, bool wanted, uint64_t *looked)
{
  uint32_t lane = w.lane() & (lanes - 1), count = 0;
  trie_span span = {nullptr, set.hi - set.lo, set.lo, UINT32_MAX};
  if (!set.is_whole)
    span = trie_span_of(w, p, set, match, lanes, wanted);
  if (set.is_whole || (set.n_links == set.n_needed && set.n_links < 2 && set.n_bits == 0)) {
    uint32_t all = set.is_whole ? set.whole : span.length;
    return wanted && lane == 0 && all > 0 ? all - trie_matched(p, set, match, span) : 0;
  }
  *looked += lane == 0 ? span.length : 0;
  for (uint64_t at = lane; at < span.length; at += lanes)
    count += trie_fits(p, set, match, span, trie_candidate(span, (uint32_t)at));
  w.sync();
  return count;
}

/* ---- entries ------------------------------------------------------------------------ */

/* match[0 .. level] of an entry of that level. */
MS_TRIE_FN void trie_climb(const ms_trie_memory &m, uint32_t level, uint32_t entry, uint32_t *match, bool writes)
{
  for (uint32_t i = level + 1; i-- > 0;) {
    uint32_t v = m.vertex[entry];
    if (writes)
      match[i] = v;
    if (i > 0)
      entry = m.parent[entry];
  }
}

/* What a tile has in hand. */
struct trie_turn {
  bool has;
  ms_trie_item item;
};

/* The warp's next tickets, one a tile.  False: there are none. */
template <class Warp>
MS_TRIE_FN bool trie_take(Warp &w, const ms_trie_memory &m, const ms_trie_work &a, uint32_t *match, trie_turn *turn)
{
  uint64_t all = a.n_items + (a.end - a.begin), ticket = 0;
  if (w.lane() == 0) {
    bool full = a.room > 0 && w.read(&m.counters->cursor) >= a.room;
    ticket = full ? all : w.add(&m.counters->ticket, 32 / a.lanes);
  }
  ticket = w.from(ticket, 0);
  if (ticket >= all)
    return false;
  ticket += w.lane() / a.lanes;
  turn->has = ticket < all;
  turn->item = {0, 0};
  if (turn->has && ticket < a.n_items)
    turn->item = m.item[a.item_list * m.most_items + ticket];
  else if (turn->has)
    turn->item.entry = (uint32_t)(a.begin + (ticket - a.n_items));
  if (turn->has)
    trie_climb(m, a.level, turn->item.entry, match, (w.lane() & (a.lanes - 1)) == 0);
  w.sync();
  return true;
}

template <class Warp>
MS_TRIE_FN void trie_note_span(Warp &w, const ms_trie_memory &m, uint64_t looked)
{
  for (uint32_t apart = 1; apart < 32; apart *= 2)
    looked += w.swap(looked, apart);
  if (w.lane() == 0 && looked > 0)
    w.add(&m.counters->span, looked);
}

/* ---- sums -------------------------------------------------------------------------- */

MS_TRIE_FN uint32_t trie_limb(__int128 value, uint32_t i)
{
  return i < 4 ? (uint32_t)((unsigned __int128)value >> 32 * i) : value < 0 ? UINT32_MAX : 0;
}

template <class Warp>
MS_TRIE_FN void trie_add_sum(Warp &w, const ms_trie_memory &m, __int128 value)
{
  for (uint32_t apart = 1; apart < 32; apart *= 2) {
    uint64_t low = w.swap((uint64_t)value, apart), high = w.swap((uint64_t)((unsigned __int128)value >> 64), apart);
    value += (__int128)((unsigned __int128)high << 64 | low);
  }
  for (uint32_t i = 0; i < MS_TRIE_LIMBS && w.lane() == 0; i++)
    if (trie_limb(value, i))
      w.add(&m.counters->sum[i], trie_limb(value, i));
}

/* A term of any size at once into the sum. */
template <class Warp>
MS_TRIE_FN void trie_add_large(Warp &w, const ms_trie_memory &m, const ms_trie_term &term, const uint32_t *size)
{
  uint32_t limb[MS_TRIE_LIMBS] = {0};
  uint64_t factor = (uint64_t)(term.factor < 0 ? -term.factor : term.factor), carry;
  limb[0] = (uint32_t)factor;
  limb[1] = (uint32_t)(factor >> 32);
  for (uint32_t b = 0; b < term.count; b++) {
    carry = 0;
    for (uint32_t i = 0; i < MS_TRIE_LIMBS; i++) {
      carry += (uint64_t)limb[i] * size[term.mask[b]];
      limb[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  carry = 1;
  for (uint32_t i = 0; i < MS_TRIE_LIMBS; i++) {
    if (term.factor < 0) {
      carry += ~limb[i];
      limb[i] = (uint32_t)carry;
      carry >>= 32;
    }
    if (limb[i])
      w.add(&m.counters->sum[i], limb[i]);
  }
}

/* Each lane some of the terms.  Products of up to 64 bits with factors of up to
 * 16: a lane adds at most 2^40 of them. */
template <class Warp>
MS_TRIE_FN void trie_add_terms(Warp &w, const ms_trie_program &p, const ms_trie_memory &m, const uint32_t *size,
                               uint32_t lanes, __int128 *total)
{
  for (uint32_t t = w.lane() & (lanes - 1); t < p.n_terms; t += lanes) {
    const ms_trie_term &term = p.term[t];
    uint32_t length = 0;
    uint64_t product = 1;
    bool none = false;
    for (uint32_t b = 0; b < term.count; b++) {
      uint32_t s = size[term.mask[b]];
      length += trie_length(s);
      product *= s;
      none = none || s == 0;
    }
    if (!none && length <= 64)
      *total += (__int128)term.factor * (__int128)product;
    else if (!none)
      trie_add_large(w, m, term, size);
  }
}

/* ---- jobs -------------------------------------------------------------------------- */

/* The tile's part of the warp's fast memory. */
template <class Warp>
MS_TRIE_FN uint32_t *trie_tile_words(Warp &w, const ms_trie_program &p, uint32_t lanes)
{
  return w.words() + w.lane() / lanes * (p.prefix + p.n_masks);
}

/* One round of candidates, `at` the tile's first: writes those that fit.
 * Returns how many of the tile's candidates are done: fewer than lanes where
 * there was no room for the next one. */
template <class Warp>
MS_TRIE_FN uint32_t trie_write(Warp &w, const ms_trie_memory &m, const ms_trie_work &a, uint32_t entry, uint32_t v,
                               bool fits)
{
  uint32_t all = w.ballot(fits), lane = w.lane(), tile = lane / a.lanes * a.lanes;
  uint64_t place = 0;
  if (all == 0)
    return a.lanes;
  if (lane == 0)
    place = w.add(&m.counters->cursor, trie_ones(all));
  place = w.from(place, 0) + trie_ones(all & ((1u << lane) - 1));
  if (fits && place < a.room) {
    m.parent[a.to + place] = entry;
    m.vertex[a.to + place] = v;
  }
  uint32_t lost = w.ballot(fits && place >= a.room) >> tile;
  lost &= a.lanes == 32 ? ~0u : (1u << a.lanes) - 1;
  return lost ? trie_first(lost) : a.lanes;
}

template <class Warp>
MS_TRIE_FN void trie_leave(Warp &w, const ms_trie_memory &m, const ms_trie_work &a, uint32_t entry, uint32_t first)
{
  uint64_t place = w.add(&m.counters->left, 1);
  m.item[a.left_list * m.most_items + place] = {entry, first};
}

/* Children of the entries, until there is no more room. */
template <class Warp>
MS_TRIE_FN void trie_expand(Warp &w, const ms_trie_program &p, const ms_trie_memory &m, const ms_trie_work &a)
{
  const ms_trie_set &set = p.set[a.level + 1];
  uint32_t *match = trie_tile_words(w, p, a.lanes), lane = w.lane() & (a.lanes - 1);
  uint64_t looked = 0;
  trie_turn turn;
  while (trie_take(w, m, a, match, &turn)) {
    trie_span span = trie_span_of(w, p, set, match, a.lanes, turn.has);
    uint64_t at = turn.item.first;
    bool room = true;
    looked += lane == 0 ? span.length : 0;
    while (w.any(at < span.length) && room) {
      uint32_t v = 0;
      bool fits = at + lane < span.length;
      if (fits) {
        v = trie_candidate(span, (uint32_t)at + lane);
        fits = trie_fits(p, set, match, span, v);
      }
      uint32_t done = trie_write(w, m, a, turn.item.entry, v, fits);
      room = !w.any(done < a.lanes);
      at += done;
    }
    if (lane == 0 && at < span.length)
      trie_leave(w, m, a, turn.item.entry, (uint32_t)at);
    w.sync();
  }
  trie_note_span(w, m, looked);
}

template <class Warp>
MS_TRIE_FN void trie_count(Warp &w, const ms_trie_program &p, const ms_trie_memory &m, const ms_trie_work &a)
{
  const ms_trie_set &set = p.set[a.level + 1];
  uint32_t *match = trie_tile_words(w, p, a.lanes);
  uint64_t total = 0, looked = 0;
  trie_turn turn;
  while (trie_take(w, m, a, match, &turn)) {
    total += trie_size(w, p, set, match, a.lanes, turn.has, &looked);
    w.sync();
  }
  trie_add_sum(w, m, (__int128)total);
  trie_note_span(w, m, looked);
}

template <class Warp>
MS_TRIE_FN void trie_tail(Warp &w, const ms_trie_program &p, const ms_trie_memory &m, const ms_trie_work &a)
{
  uint32_t *match = trie_tile_words(w, p, a.lanes), *size = match + p.prefix;
  __int128 total = 0;
  uint64_t looked = 0;
  trie_turn turn;
  while (trie_take(w, m, a, match, &turn)) {
    bool live = turn.has;
    for (uint32_t i = 0; i < p.n_masks && w.any(live); i++) {
      const ms_trie_set &set = p.set[p.prefix + i];
      uint32_t count = trie_size(w, p, set, match, a.lanes, live, &looked);
      for (uint32_t apart = 1; apart < a.lanes; apart *= 2)
        count += w.swap(count, apart);
      if ((w.lane() & (a.lanes - 1)) == 0)
        size[i] = count;
      live = live && count >= set.least;
    }
    w.sync();
    if (live)
      trie_add_terms(w, p, m, size, a.lanes, &total);
    w.sync();
  }
  trie_add_sum(w, m, total);
  trie_note_span(w, m, looked);
}

template <class Warp>
MS_TRIE_FN void trie_work(Warp &w, const ms_trie_program &p, const ms_trie_memory &m, const ms_trie_work &a,
                          ms_trie_job job)
{
  if (job == MS_TRIE_EXPAND)
    trie_expand(w, p, m, a);
  else if (job == MS_TRIE_COUNT)
    trie_count(w, p, m, a);
  else
    trie_tail(w, p, m, a);
}

/* ---- one thread an entry ------------------------------------------------------------- */

/* Root number i as an entry of level 0. */
MS_TRIE_FN void trie_root(const ms_trie_program &p, const ms_trie_memory &m, uint64_t i, uint64_t entry)
{
  uint32_t place = (uint32_t)(i * p.stride % p.n_roots);
  m.parent[entry] = 0;
  m.vertex[entry] = p.root_list ? p.root_list[place] : p.first_root + place;
}

/* rows[prefix][room] of the deepest level: number i of a buffer. */
MS_TRIE_FN void trie_gather(const ms_trie_program &p, const ms_trie_memory &m, uint64_t entry, uint32_t *rows,
                            uint64_t room, uint64_t i)
{
  uint32_t at = (uint32_t)entry;
  for (uint32_t level = p.prefix; level-- > 0;) {
    rows[level * room + i] = m.vertex[at];
    at = m.parent[at];
  }
}

#endif
