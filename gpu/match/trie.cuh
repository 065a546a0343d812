/* The engine `trie` as one warp sees it (gpu/match/trie_device.h): jobs on entries, and what is
 * done before and after them. */
#ifndef MS_GPU_MATCH_TRIE_CUH
#define MS_GPU_MATCH_TRIE_CUH

#include "gpu/common/wide.cuh"
#include "gpu/match/trie_sets.cuh"

/* ---- sums -------------------------------------------------------------------------- */

/* Adds what the lanes have counted to the launch's sum. */
MS_DEVICE void trie_add_sum(const ms_trie_memory &m, ms_int128 value)
{
  for (uint32_t apart = 1; apart < 32; apart *= 2) {
    unsigned long long low = ms_swap((unsigned long long)value, apart),
                       high = ms_swap((unsigned long long)((ms_uint128)value >> 64), apart);
    value += (ms_int128)((ms_uint128)high << 64 | low);
  }
  if (ms_lane() == 0)
    ms_wide_add_to(ms_wide_of(value), &m.counters->sum);
}

/* Adds all terms for the lane's sizes, size[32 mask].  A term is a product of up to 64 bits and
 * a factor of up to 16, and a lane adds at most 2^40 of them. */
MS_DEVICE void trie_add_terms(const ms_conjunction_program &p, const ms_trie_memory &m,
                              const uint32_t *size, ms_int128 *total)
{
  for (uint32_t t = 0; t < p.n_terms; t++) {
    const ms_conjunction_term &term = p.term[t];
    uint32_t length = 0;
    uint64_t product = 1;
    bool none = false;
    for (uint32_t b = 0; b < term.count; b++) {
      uint32_t s = size[32 * term.mask[b]];
      length += ms_bit_length(s);
      product *= s;
      none = none || s == 0;
    }
    if (!none && length <= 64) {
      *total += (ms_int128)term.factor * (ms_int128)product;
    } else if (!none) {
      ms_wide large = ms_wide_of(term.factor);
      for (uint32_t b = 0; b < term.count; b++)
        ms_wide_multiply(&large, size[32 * term.mask[b]]);
      ms_wide_add_to(large, &m.counters->sum);
    }
  }
}

/* Adds c (c - 1) .. (c - falling + 1); c is not less than `falling`. */
MS_DEVICE void trie_add_falling(const ms_conjunction_program &p, const ms_trie_memory &m,
                                uint32_t c)
{
  ms_wide product = ms_wide_of(1);
  for (uint32_t i = 0; i < p.falling; i++)
    ms_wide_multiply(&product, c - i);
  ms_wide_add_to(product, &m.counters->sum);
}

/* ---- jobs -------------------------------------------------------------------------- */

/* Writes the candidates of one round that fit.  Returns how many of the 32 are done: fewer if
 * there was no room for the next one. */
MS_DEVICE uint32_t trie_write(const ms_trie_memory &m, const ms_trie_work &a, uint32_t entry,
                              uint32_t v, bool fits)
{
  uint32_t all = ms_ballot(fits);
  unsigned long long place = 0;
  if (all == 0)
    return 32;
  if (ms_lane() == 0)
    place = ms_add(&m.counters->cursor, (unsigned long long)ms_count_bits(all));
  place = ms_of_lane(place, 0) + ms_count_bits(all & ((1u << ms_lane()) - 1));
  if (fits && place < a.room) {
    m.parent[a.to + place] = entry;
    m.vertex[a.to + place] = v;
  }
  uint32_t lost = ms_ballot(fits && place >= a.room);
  return lost ? ms_lowest(lost) : 32;
}

/* Writes children of the warp's entries.  Returns how many of the lane's candidates are done. */
MS_DEVICE uint64_t trie_children(const ms_conjunction_program &p, const ms_trie_memory &m,
                                 const ms_trie_work &a, const trie_batch &b, const trie_turn &turn,
                                 const conj_span &span)
{
  const ms_conjunction_set &set = p.set[a.level + 1];
  uint32_t lane = ms_lane(), all, done = 32;
  uint64_t at = turn.first;
  for (; done == 32 && ms_any(at < span.length); ms_sync_warp()) {
    uint32_t mine = trie_flatten(b, span, at, &all), first;
    for (first = 0; first < all && done == 32; first += done) {
      uint32_t owner = 0, v = 0;
      bool fits = first + lane < all;
      if (fits) {
        v = trie_candidate(b, first + lane, &owner);
        fits = conj_fits(p, set, b.match + owner, b.link[owner], v);
      }
      done = trie_write(m, a, ms_of_lane(turn.entry, owner), v, fits);
    }
    uint32_t begin = b.start[lane], some = first > begin ? first - begin : 0;
    at += some < mine ? some : mine;
  }
  return at;
}

/* Expands until there is no more room; then the lanes note where they stopped, and the warp takes
 * no more entries. */
MS_DEVICE void trie_expand(uint32_t *fast, const ms_conjunction_program &p, const ms_trie_memory &m,
                           const ms_trie_work &a, uint32_t warp)
{
  const ms_conjunction_set &set = p.set[a.level + 1];
  const trie_batch b = trie_batch_of(fast, p);
  trie_turn turn = trie_before_first(warp);
  while (trie_take(m, a, b, &turn)) {
    conj_span span = {nullptr, 0, 0, MS_CONJUNCTION_RANGE};
    if (turn.has)
      span = conj_span_of(p, set, b.match + ms_lane());
    if (span.length < set.least)
      span.length = 0;
    uint64_t at = trie_children(p, m, a, b, turn, span);
    if (at < span.length) {
      uint64_t place = ms_add(&m.counters->left, 1ull);
      m.item[a.left_list * m.most_items + place] = {turn.entry, (uint32_t)at};
    }
    if (ms_any(at < span.length))
      return;
    ms_sync_warp();
  }
}

MS_DEVICE void trie_count(uint32_t *fast, const ms_conjunction_program &p, const ms_trie_memory &m,
                          const ms_trie_work &a, uint32_t warp)
{
  const trie_batch b = trie_batch_of(fast, p);
  uint64_t total = 0;
  trie_turn turn = trie_before_first(warp);
  while (trie_take(m, a, b, &turn)) {
    trie_sizes_of(p, b, p.set[a.level + 1], turn, turn.has, b.size);
    total += b.size[ms_lane()];
    ms_sync_warp();
  }
  trie_add_sum(m, (ms_int128)total);
}

MS_DEVICE void trie_tail(uint32_t *fast, const ms_conjunction_program &p, const ms_trie_memory &m,
                         const ms_trie_work &a, uint32_t warp)
{
  const trie_batch b = trie_batch_of(fast, p);
  ms_int128 total = 0;
  trie_turn turn = trie_before_first(warp);
  while (trie_take(m, a, b, &turn)) {
    bool live = turn.has;
    for (uint32_t i = 0; i < p.n_masks && ms_any(live); i++) {
      const ms_conjunction_set &set = p.set[p.prefix + i];
      uint32_t *size = b.size + 32 * i;
      trie_sizes_of(p, b, set, turn, live, size);
      live = live && size[ms_lane()] >= set.least;
    }
    if (live && p.falling > 0)
      trie_add_falling(p, m, b.size[ms_lane()]);
    else if (live)
      trie_add_terms(p, m, b.size + ms_lane(), &total);
    ms_sync_warp();
  }
  trie_add_sum(m, total);
}

/* ---- a warp's job ------------------------------------------------------------------ */

/* Returns the work, completed if the host did not know it. */
MS_DEVICE ms_trie_work trie_work_of(const ms_trie_memory &m, const ms_trie_work &given)
{
  ms_trie_work a = given;
  if (!a.follows)
    return a;
  const ms_trie_counters *before = m.counters - 1;
  uint64_t count = before->cursor, batch = (count + a.share - 1) / a.share;
  bool is_whole = before->left == 0 && count < before->room && count <= a.most;
  a.batch = batch > MS_TRIE_BATCH ? (uint32_t)MS_TRIE_BATCH : batch > 0 ? (uint32_t)batch : 1;
  a.begin = before->end;
  a.end = a.to = a.begin + (is_whole ? count : 0);
  a.room = a.deeper > 0 ? ms_trie_room(a.entries, a.to, a.deeper) : 0;
  return a;
}

/* Notes what the host, and the kernel after this one, have to know about the work. */
MS_DEVICE void trie_note_work(const ms_trie_memory &m, const ms_trie_work &a)
{
  m.counters->given = (uint64_t)a.warps * a.batch;
  m.counters->begin = a.begin;
  m.counters->end = a.end;
  m.counters->room = a.room;
  m.counters->started = ms_nanoseconds();
}

/* fast: the warp's words of fast memory (ms_trie_words); warp: its number in the launch. */
MS_DEVICE void trie_work(uint32_t *fast, const ms_conjunction_program &p, const ms_trie_memory &m,
                         const ms_trie_work &given, ms_trie_job job, uint32_t warp)
{
  ms_trie_work *a = (ms_trie_work *)(void *)fast;
  if (ms_lane() == 0)
    *a = trie_work_of(m, given);
  if (ms_lane() == 0 && warp == 0)
    trie_note_work(m, *a);
  ms_sync_warp();
  fast += MS_TRIE_WORK_WORDS;
  if (job == MS_TRIE_EXPAND)
    trie_expand(fast, p, m, *a, warp);
  else if (job == MS_TRIE_COUNT)
    trie_count(fast, p, m, *a, warp);
  else
    trie_tail(fast, p, m, *a, warp);
}

/* ---- rows as bits ------------------------------------------------------------------ */

MS_DEVICE void trie_make_hubs(const ms_conjunction_program &p, const ms_trie_hubs &h, uint64_t warp,
                              uint64_t warps)
{
  for (uint64_t i = warp; i < h.n; i += warps) {
    uint32_t v = (uint32_t)(h.n - 1 - i), number = UINT32_MAX, length;
    const uint32_t *ids;
    conj_row(p, 0, v, &ids, &length);
    if (ms_lane() == 0 && length >= h.least)
      number = ms_add(&h.number[h.n], 1u);
    number = ms_of_lane(number, 0);
    number = number < h.room ? number : UINT32_MAX;
    if (ms_lane() == 0)
      h.number[v] = number;
    for (uint32_t at = ms_lane(); number != UINT32_MAX && at < length; at += 32)
      ms_or(&h.bits[number * h.words + ids[at] / 32], 1u << ids[at] % 32);
  }
}

/* ---- one thread for each entry ------------------------------------------------------- */

/* Writes root number i as an entry of level 0. */
MS_DEVICE void trie_root(const ms_conjunction_program &p, const ms_trie_memory &m, uint64_t i,
                         uint64_t entry)
{
  uint32_t place = (uint32_t)(i * p.stride % p.n_roots);
  m.parent[entry] = 0;
  m.vertex[entry] = p.root_list ? p.root_list[place] : p.first_root + place;
}

/* Writes match number i into rows[prefix][room], a buffer of matches of the deepest level. */
MS_DEVICE void trie_gather(const ms_conjunction_program &p, const ms_trie_memory &m, uint64_t entry,
                           uint32_t *rows, uint64_t room, uint64_t i)
{
  uint32_t at = (uint32_t)entry;
  for (uint32_t level = p.prefix; level-- > 0;) {
    rows[level * room + i] = m.vertex[at];
    at = m.parent[at];
  }
}

#endif
