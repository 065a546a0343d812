/* The engine `trie` as one warp sees it (gpu/match/trie_device.h): jobs on entries, and
 * what is done before and after.
 *
 * `Warp` is what lanes say to each other (gpu/match/trie.cu); with MS_TRIE_HOST defined
 * this is plain C++, and tests/gpu/pattern_trie.cu brings a warp that runs on the
 * host. */
#ifndef MS_GPU_MATCH_TRIE_CUH
#define MS_GPU_MATCH_TRIE_CUH

#include "gpu/match/trie_sets.cuh"

/* ---- sums -------------------------------------------------------------------------- */

MS_TRIE_FN uint32_t trie_limb(__int128 value, uint32_t i)
{
  return i < 4 ? (uint32_t)((unsigned __int128)value >> 32 * i) : value < 0 ? UINT32_MAX : 0;
}

template <class Warp> MS_TRIE_FN void trie_add_sum(Warp &w, const ms_trie_memory &m, __int128 value)
{
  for (uint32_t apart = 1; apart < 32; apart *= 2) {
    uint64_t low = w.swap((uint64_t)value, apart),
             high = w.swap((uint64_t)((unsigned __int128)value >> 64), apart);
    value += (__int128)((unsigned __int128)high << 64 | low);
  }
  for (uint32_t i = 0; i < MS_TRIE_LIMBS && w.lane() == 0; i++)
    if (trie_limb(value, i))
      w.add(&m.counters->sum[i], trie_limb(value, i));
}

MS_TRIE_FN void trie_multiply(uint32_t limb[MS_TRIE_LIMBS], uint32_t by)
{
  uint64_t carry = 0;
  for (uint32_t i = 0; i < MS_TRIE_LIMBS; i++) {
    carry += (uint64_t)limb[i] * by;
    limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* A number of any size at once into the sum. */
template <class Warp>
MS_TRIE_FN void trie_add_large(Warp &w, const ms_trie_memory &m, uint32_t limb[MS_TRIE_LIMBS],
                               bool negative)
{
  uint64_t carry = 1;
  for (uint32_t i = 0; i < MS_TRIE_LIMBS; i++) {
    if (negative) {
      carry += (uint32_t)~limb[i];
      limb[i] = (uint32_t)carry;
      carry >>= 32;
    }
    if (limb[i])
      w.add(&m.counters->sum[i], limb[i]);
  }
}

/* All terms of the lane's sizes, size[32 mask].  Products of up to 64 bits with
 * factors of up to 16: a lane adds at most 2^40 of them. */
template <class Warp>
MS_TRIE_FN void trie_add_terms(Warp &w, const ms_trie_program &p, const ms_trie_memory &m,
                               const uint32_t *size, __int128 *total)
{
  for (uint32_t t = 0; t < p.n_terms; t++) {
    const ms_trie_term &term = p.term[t];
    uint32_t length = 0;
    uint64_t product = 1;
    bool none = false;
    for (uint32_t b = 0; b < term.count; b++) {
      uint32_t s = size[32 * term.mask[b]];
      length += trie_length(s);
      product *= s;
      none = none || s == 0;
    }
    if (!none && length <= 64) {
      *total += (__int128)term.factor * (__int128)product;
    } else if (!none) {
      uint64_t factor = (uint64_t)(term.factor < 0 ? -term.factor : term.factor);
      uint32_t limb[MS_TRIE_LIMBS] = {(uint32_t)factor, (uint32_t)(factor >> 32)};
      for (uint32_t b = 0; b < term.count; b++)
        trie_multiply(limb, size[32 * term.mask[b]]);
      trie_add_large(w, m, limb, term.factor < 0);
    }
  }
}

/* c (c - 1) .. (c - falling + 1); c is no less than `falling`. */
template <class Warp>
MS_TRIE_FN void trie_add_falling(Warp &w, const ms_trie_program &p, const ms_trie_memory &m,
                                 uint32_t c)
{
  uint32_t limb[MS_TRIE_LIMBS] = {1};
  for (uint32_t i = 0; i < p.falling; i++)
    trie_multiply(limb, c - i);
  trie_add_large(w, m, limb, false);
}

/* ---- jobs -------------------------------------------------------------------------- */

/* One round of candidates: writes those that fit.  Returns how many of the 32 are
 * done: fewer where there was no room for the next one. */
template <class Warp>
MS_TRIE_FN uint32_t trie_write(Warp &w, const ms_trie_memory &m, const ms_trie_work &a,
                               uint32_t entry, uint32_t v, bool fits)
{
  uint32_t all = w.ballot(fits);
  uint64_t place = 0;
  if (all == 0)
    return 32;
  if (w.lane() == 0)
    place = w.add(&m.counters->cursor, trie_ones(all));
  place = w.from(place, 0) + trie_ones(all & ((1u << w.lane()) - 1));
  if (fits && place < a.room) {
    m.parent[a.to + place] = entry;
    m.vertex[a.to + place] = v;
  }
  uint32_t lost = w.ballot(fits && place >= a.room);
  return lost ? trie_first(lost) : 32;
}

/* Children of the warp's entries.  Returns how many of the lane's candidates are
 * done. */
template <class Warp>
MS_TRIE_FN uint64_t trie_children(Warp &w, const ms_trie_program &p, const ms_trie_memory &m,
                                  const ms_trie_work &a, const trie_batch &b, const trie_turn &turn,
                                  const trie_span &span)
{
  const ms_trie_set &set = p.set[a.level + 1];
  uint32_t lane = w.lane(), all, done = 32;
  uint64_t at = turn.first;
  for (; done == 32 && w.any(at < span.length); w.sync()) {
    uint32_t mine = trie_flatten(w, b, span, at, &all), first;
    for (first = 0; first < all && done == 32; first += done) {
      uint32_t owner = 0, v = 0;
      bool fits = first + lane < all;
      if (fits) {
        v = trie_candidate(b, first + lane, &owner);
        fits = trie_fits(p, set, b.match + owner, b.link[owner], v);
      }
      done = trie_write(w, m, a, w.from(turn.entry, owner), v, fits);
    }
    uint32_t begin = b.start[lane], some = first > begin ? first - begin : 0;
    at += some < mine ? some : mine;
  }
  return at;
}

/* Until there is no more room; then lanes note where they stopped. */
template <class Warp>
MS_TRIE_FN void trie_expand(Warp &w, const ms_trie_program &p, const ms_trie_memory &m,
                            const ms_trie_work &a)
{
  const ms_trie_set &set = p.set[a.level + 1];
  const trie_batch b = trie_batch_of(w, p);
  trie_turn turn;
  while (trie_take(w, m, a, b, &turn)) {
    trie_span span = {nullptr, 0, 0, MS_TRIE_RANGE};
    if (turn.has)
      span = trie_span_of(p, set, b.match + w.lane());
    if (span.length < set.least)
      span.length = 0;
    uint64_t at = trie_children(w, p, m, a, b, turn, span);
    if (at < span.length) {
      uint64_t place = w.add(&m.counters->left, 1);
      m.item[a.left_list * m.most_items + place] = {turn.entry, (uint32_t)at};
    }
    w.sync();
  }
}

template <class Warp>
MS_TRIE_FN void trie_count(Warp &w, const ms_trie_program &p, const ms_trie_memory &m,
                           const ms_trie_work &a)
{
  const trie_batch b = trie_batch_of(w, p);
  uint64_t total = 0;
  trie_turn turn;
  while (trie_take(w, m, a, b, &turn)) {
    trie_sizes_of(w, p, b, p.set[a.level + 1], turn, turn.has, b.size);
    total += b.size[w.lane()];
    w.sync();
  }
  trie_add_sum(w, m, (__int128)total);
}

template <class Warp>
MS_TRIE_FN void trie_tail(Warp &w, const ms_trie_program &p, const ms_trie_memory &m,
                          const ms_trie_work &a)
{
  const trie_batch b = trie_batch_of(w, p);
  __int128 total = 0;
  trie_turn turn;
  while (trie_take(w, m, a, b, &turn)) {
    bool live = turn.has;
    for (uint32_t i = 0; i < p.n_masks && w.any(live); i++) {
      const ms_trie_set &set = p.set[p.prefix + i];
      uint32_t *size = b.size + 32 * i;
      trie_sizes_of(w, p, b, set, turn, live, size);
      live = live && size[w.lane()] >= set.least;
    }
    if (live && p.falling > 0)
      trie_add_falling(w, p, m, b.size[w.lane()]);
    else if (live)
      trie_add_terms(w, p, m, b.size + w.lane(), &total);
    w.sync();
  }
  trie_add_sum(w, m, total);
}

template <class Warp>
MS_TRIE_FN void trie_work(Warp &w, const ms_trie_program &p, const ms_trie_memory &m,
                          const ms_trie_work &a, ms_trie_job job)
{
  if (job == MS_TRIE_EXPAND)
    trie_expand(w, p, m, a);
  else if (job == MS_TRIE_COUNT)
    trie_count(w, p, m, a);
  else
    trie_tail(w, p, m, a);
}

/* ---- rows as bits ------------------------------------------------------------------ */

template <class Warp>
MS_TRIE_FN void trie_make_hubs(Warp &w, const ms_trie_program &p, const ms_trie_hubs &h,
                               uint64_t warp, uint64_t warps)
{
  for (uint64_t i = warp; i < h.n; i += warps) {
    uint32_t v = (uint32_t)(h.n - 1 - i), number = UINT32_MAX, length;
    const uint32_t *ids;
    trie_row(p, 0, v, &ids, &length);
    if (w.lane() == 0 && length >= h.least)
      number = w.add(&h.number[h.n], 1);
    number = w.from(number, 0);
    number = number < h.room ? number : UINT32_MAX;
    if (w.lane() == 0)
      h.number[v] = number;
    for (uint32_t at = w.lane(); number != UINT32_MAX && at < length; at += 32)
      w.unite(&h.bits[number * h.words + ids[at] / 32], 1u << ids[at] % 32);
  }
}

/* ---- one thread an entry ------------------------------------------------------------- */

/* Root number i as an entry of level 0. */
MS_TRIE_FN void trie_root(const ms_trie_program &p, const ms_trie_memory &m, uint64_t i,
                          uint64_t entry)
{
  uint32_t place = (uint32_t)(i * p.stride % p.n_roots);
  m.parent[entry] = 0;
  m.vertex[entry] = p.root_list ? p.root_list[place] : p.first_root + place;
}

/* rows[prefix][room] of the deepest level: number i of a buffer. */
MS_TRIE_FN void trie_gather(const ms_trie_program &p, const ms_trie_memory &m, uint64_t entry,
                            uint32_t *rows, uint64_t room, uint64_t i)
{
  uint32_t at = (uint32_t)entry;
  for (uint32_t level = p.prefix; level-- > 0;) {
    rows[level * room + i] = m.vertex[at];
    at = m.parent[at];
  }
}

#endif
