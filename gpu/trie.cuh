/* The engine `trie` as one warp sees it (gpu/trie_device.h).
 *
 * The 32 lanes of a warp stay together: in each round every tile looks at the
 * next candidates of its entry, tiles without any look on.  `Warp` is what
 * lanes say to each other (gpu/trie.cu); with MS_TRIE_HOST defined this is
 * plain C++, and tests/gpu/pattern_trie.cu brings a warp that runs on the host. */
#ifndef MS_GPU_TRIE_CUH
#define MS_GPU_TRIE_CUH

#include "gpu/trie_sets.cuh"

/* ---- candidates ----------------------------------------------------------------- */

/* The shortest row, each lane of the tile looking at some; without rows the
 * list or the range.  All lanes of the warp take part. */
template <class Warp>
MS_TRIE_FN trie_span trie_span_of(Warp &w, const ms_trie_program &p, const ms_trie_set &set,
                                  const uint32_t *match, uint32_t lanes, bool wanted)
{
  trie_bounds b = {0, 0};
  trie_span best = {nullptr, UINT32_MAX, 0, UINT32_MAX};
  if (wanted) {
    b = trie_bounds_of(set, match);
    best = trie_shortest_row(p, set, match, b, w.lane() & (lanes - 1), lanes);
  }
  for (uint32_t apart = 1; apart < lanes; apart *= 2) {
    uint32_t length = w.swap(best.length, apart), link = w.swap(best.link, apart);
    const uint32_t *ids = w.swap(best.ids, apart);
    if (length < best.length || (length == best.length && link < best.link))
      best = {ids, length, 0, link};
  }
  if (set.n_needed > 0 || !wanted)
    return {best.ids, wanted ? best.length : 0, 0, best.link};
  return trie_all_of(set, b);
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
  if (trie_is_plain(set))
    return wanted && lane == 0 ? trie_plain_size(p, set, match, span) : 0;
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
