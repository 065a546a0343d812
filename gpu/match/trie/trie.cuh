/* The engine `trie` as one warp sees it (gpu/match/trie/trie_device.h): jobs on entries, and what
 * is done before and after them. */
#ifndef MS_GPU_MATCH_TRIE_CUH
#define MS_GPU_MATCH_TRIE_CUH

#include "gpu/common/wide.cuh"

/* ---- trie sets ------------------------------------------------------------------------------- */

/* Candidate sets of the engine `trie`, as one warp finds them.  Each lane reads an entry and
 * finds where its candidates are; then the warp goes through the candidates of all its entries,
 * one after the other, one lane for each candidate.  So no lane waits for an entry that has more
 * candidates.  What entries with the same parent have in common is found once for all of them. */

/* A match is a column, one for each lane. */
#define MS_CONJUNCTION_STEP 32
#include "gpu/match/squares/conjunction.cuh"
#include "gpu/match/trie/trie_device.h"

/* Candidates of an entry that a warp lays out at a time; 32 times this number still fits in 32
 * bits. */
#ifndef MS_TRIE_MOST_FLAT
#define MS_TRIE_MOST_FLAT (1u << 26)
#endif
/* Words of fast memory for elements of a set. */
#ifndef MS_TRIE_KEPT_ROOM
#define MS_TRIE_KEPT_ROOM MS_TRIE_KEPT
#endif

/* ---- a warp's entries ----------------------------------------------------------- */

/* The warp's part of fast memory (ms_trie_words), with one column for each lane. */
struct trie_batch {
  uint32_t *match;      /* [prefix][32] */
  uint32_t *start;      /* [32] the number of the lane's first candidate among the warp's */
  uint32_t *low, *high; /* [32] its address, or the id itself of a range */
  uint32_t *link;       /* [32] */
  uint32_t *size;       /* [n_masks + 1][32]; not for MS_TRIE_EXPAND */
  uint32_t *kept_first, *kept_count; /* [32] the lane's part of .. */
  uint32_t *kept; /* [MS_TRIE_KEPT] .. elements of a set, of a program that keeps some */
};

MS_DEVICE trie_batch trie_batch_of(uint32_t *fast, const ms_conjunction_program &p)
{
  uint32_t *match = fast, *start = match + 32 * p.prefix, *size = start + 32 * 4;
  uint32_t *kept_first = size + 32 * (p.n_masks + 1);
  return {match, start,      start + 32,      start + 64,     start + 96,
          size,  kept_first, kept_first + 32, kept_first + 64};
}

/* The entry on which a lane works. */
struct trie_turn {
  uint32_t warp; /* number of the warp in the launch */
  bool begun;    /* its share is taken */
  bool has;
  uint32_t entry, parent;
  uint32_t first; /* candidates before this one are done */
};

/* Returns what precedes the first turn of a warp. */
MS_DEVICE trie_turn trie_before_first(uint32_t warp)
{
  return {warp, false, false, 0, 0, 0};
}

/* Reads match[0 .. level] of an entry of that level. */
MS_DEVICE void trie_climb(const ms_trie_memory &m, uint32_t level, uint32_t *match, trie_turn *turn)
{
  uint32_t entry = turn->entry;
  turn->parent = 0;
  for (uint32_t i = level + 1; i-- > 0;) {
    match[32 * i] = m.vertex[entry];
    if (i > 0)
      entry = m.parent[entry];
    if (i == level)
      turn->parent = entry;
  }
}

/* Takes the warp's next entries, one for each lane: at first its share, so that the warps of a
 * small level need no tickets, which they would have to wait for.  Shares of entries to be expanded
 * are far from each other, as neighbours have about the same number of candidates; in other jobs
 * neighbours share sets.  False if none is left. */
MS_DEVICE bool trie_take(const ms_trie_memory &m, const ms_trie_work &a, const trie_batch &b,
                         trie_turn *turn)
{
  uint64_t all = a.n_items + (a.end - a.begin), given = (uint64_t)a.warps * a.batch;
  unsigned long long at = all;
  uint32_t lane = ms_lane();
  if (!turn->begun) {
    at = a.room > 0 ? turn->warp + (uint64_t)lane * a.warps : (uint64_t)turn->warp * a.batch + lane;
  } else if (given < all) {
    if (lane == 0)
      at = given + ms_add(&m.counters->ticket, (unsigned long long)a.batch);
    at = ms_of_lane(at, 0) + lane;
  }
  *turn = {turn->warp, true, lane < a.batch && at < all, 0, 0, 0};
  if (!ms_any(turn->has))
    return false;
  if (turn->has && at < a.n_items) {
    const ms_trie_item item = m.item[a.item_list * m.most_items + at];
    turn->entry = item.entry;
    turn->first = item.first;
  } else if (turn->has) {
    turn->entry = (uint32_t)(a.begin + (at - a.n_items));
  }
  if (turn->has)
    trie_climb(m, a.level, b.match + lane, turn);
  ms_sync_warp();
  return true;
}

/* ---- candidates of a warp, one for each lane --------------------------------------- */

/* Lays out the candidates of each lane's span from number `at` on, one span after the other, so
 * that the warp goes through all of them however they are divided.  Returns the number of
 * candidates of this lane, and of all lanes. */
MS_DEVICE uint32_t trie_flatten(const trie_batch &b, const conj_span &span, uint64_t at,
                                uint32_t *all)
{
  uint32_t lane = ms_lane();
  uint64_t left = at < span.length ? span.length - at : 0;
  uint32_t mine = left < MS_TRIE_MOST_FLAT ? (uint32_t)left : MS_TRIE_MOST_FLAT, sum = mine;
  for (uint32_t apart = 1; apart < 32; apart *= 2) {
    uint32_t before = ms_of_lane(sum, lane >= apart ? lane - apart : lane);
    sum += lane >= apart ? before : 0;
  }
  uint64_t address = span.ids ? (uint64_t)(uintptr_t)(span.ids + at) : span.lo + at;
  b.start[lane] = sum - mine;
  b.low[lane] = (uint32_t)address;
  b.high[lane] = (uint32_t)(address >> 32);
  b.link[lane] = span.link;
  *all = ms_of_lane(sum, 31);
  ms_sync_warp();
  return mine;
}

/* Returns the candidate with this number, and the lane that owns it. */
MS_DEVICE uint32_t trie_candidate(const trie_batch &b, uint32_t number, uint32_t *owner)
{
  uint32_t i = 0;
  for (uint32_t step = 16; step > 0; step /= 2)
    i = b.start[i + step] <= number ? i + step : i;
  *owner = i;
  number -= b.start[i];
  if (b.link[i] == MS_CONJUNCTION_RANGE)
    return b.low[i] + number;
  return ((const uint32_t *)(uintptr_t)((uint64_t)b.high[i] << 32 | b.low[i]))[number];
}

/* Returns the lanes from this one on whose candidates have the same owner; only the first of
 * them calls it in this round. */
MS_DEVICE uint32_t trie_same_owner(const trie_batch &b, uint32_t lane, uint32_t owner,
                                   uint32_t first, uint32_t all)
{
  uint32_t end = (owner < 31 ? b.start[owner + 1] : all) - first;
  return (end < 32 ? (1u << end) - 1 : ~0u) & ~((1u << lane) - 1);
}

/* Adds the number of candidates of each lane's span that fit to size[32]. */
MS_DEVICE void trie_count_spans(const ms_conjunction_program &p, const trie_batch &b,
                                const ms_conjunction_set &set, const conj_span &span,
                                uint32_t *size)
{
  uint32_t lane = ms_lane(), all;
  uint64_t at = 0;
  for (; ms_any(at < span.length); ms_sync_warp()) {
    at += trie_flatten(b, span, at, &all);
    for (uint32_t first = 0; first < all; first += 32) {
      uint32_t number = first + lane, owner = 0;
      bool fits = false;
      if (number < all) {
        uint32_t v = trie_candidate(b, number, &owner);
        fits = (!set.is_rest || conj_in_bounds(p, set, b.match + owner, v)) &&
               conj_fits(p, set, b.match + owner, b.link[owner], v);
      }
      uint32_t fit = ms_ballot(fits);
      if (number < all && (lane == 0 || b.start[owner] == number))
        fit &= trie_same_owner(b, lane, owner, first, all);
      else
        fit = 0;
      if (fit)
        ms_add(&size[owner], ms_count_bits(fit));
    }
  }
  ms_sync_warp();
}

/* Stores the size of the set for each lane's entry in size[32]. */
MS_DEVICE void trie_sizes(const ms_conjunction_program &p, const trie_batch &b,
                          const ms_conjunction_set &set, bool wanted, uint32_t *size)
{
  uint32_t lane = ms_lane(), count = 0;
  conj_span span = {nullptr, 0, 0, MS_CONJUNCTION_RANGE};
  if (wanted && !set.is_whole)
    span = conj_span_of(p, set, b.match + lane);
  if (set.is_whole || (set.n_links == set.n_needed && set.n_links < 2 && set.n_bits == 0)) {
    if (set.is_whole)
      span = {nullptr, set.hi - set.lo, set.lo, MS_CONJUNCTION_RANGE};
    count = set.is_whole ? set.whole : span.length;
    count -= wanted && count > 0 ? conj_matched(p, set, b.match + lane, span) : 0;
    span.length = 0;
  }
  if (span.length < set.least)
    span.length = 0;
  size[lane] = wanted ? count : 0;
  trie_count_spans(p, b, set, span, size);
}

/* ---- entries with the same parent ------------------------------------------------------ */

/* Returns the first lane of each run of lanes that have the same parent. */
MS_DEVICE uint32_t trie_first_siblings(const trie_turn &turn, bool wanted)
{
  uint32_t lane = ms_lane(), live = ms_ballot(wanted),
           before = ms_of_lane(turn.parent, lane > 0 ? lane - 1 : 0);
  return ms_ballot(wanted && (lane == 0 || !(live >> (lane - 1) & 1) || before != turn.parent));
}

/* Returns the last of these lanes up to this one. */
MS_DEVICE uint32_t trie_first_of(uint32_t firsts, uint32_t lane)
{
  return ms_bit_length(firsts & (~0u >> (31 - lane))) - 1;
}

/* Stores the elements of a set for the entries of these lanes, one lane's after the other's.
 * False if there is no room for them. */
MS_DEVICE bool trie_keep(const ms_conjunction_program &p, const trie_batch &b,
                         const ms_conjunction_set &set, uint32_t lanes)
{
  uint32_t lane = ms_lane(), used = 0, all, number = lane;
  conj_span span = {nullptr, 0, 0, MS_CONJUNCTION_RANGE};
  if (lanes >> lane & 1)
    span = conj_span_of(p, set, b.match + lane);
  if (ms_any(span.length > MS_TRIE_MOST_FLAT))
    return false;
  b.kept_first[lane] = 0;
  b.kept_count[lane] = 0;
  trie_flatten(b, span, 0, &all);
  for (uint32_t first = 0; first < all && used <= MS_TRIE_KEPT_ROOM; first += 32, number += 32) {
    uint32_t owner = 0, v = 0;
    bool fits = false;
    if (number < all) {
      v = trie_candidate(b, number, &owner);
      fits = conj_fits(p, set, b.match + owner, b.link[owner], v);
    }
    uint32_t fit = ms_ballot(fits), place = used + ms_count_bits(fit & ((1u << lane) - 1));
    if (fits && place < MS_TRIE_KEPT_ROOM)
      b.kept[place] = v;
    if (number < all && b.start[owner] == number)
      b.kept_first[owner] = place;
    if (number < all && (lane == 0 || b.start[owner] == number))
      ms_add(&b.kept_count[owner],
             ms_count_bits(fit & trie_same_owner(b, lane, owner, first, all)));
    used += ms_count_bits(fit);
  }
  ms_sync_warp();
  return used <= MS_TRIE_KEPT_ROOM;
}

/* Finds the sizes of a set that is the same for siblings except for what the last level adds:
 * the common part once, then the rest. */
MS_DEVICE void trie_sizes_by_base(const ms_conjunction_program &p, const trie_batch &b,
                                  const ms_conjunction_set &set, const trie_turn &turn, bool wanted,
                                  uint32_t *size)
{
  uint32_t lane = ms_lane(), firsts = trie_first_siblings(turn, wanted);
  if (!trie_keep(p, b, p.set[set.base], firsts)) {
    trie_sizes(p, b, set, wanted, size);
    return;
  }
  conj_span span = {nullptr, 0, 0, MS_CONJUNCTION_RANGE};
  if (wanted) {
    uint32_t first = trie_first_of(firsts, lane);
    span = {b.kept + b.kept_first[first], b.kept_count[first], 0, MS_CONJUNCTION_NO_LINK};
  }
  if (span.length < p.set[set.base].least)
    span.length = 0;
  size[lane] = 0;
  trie_count_spans(p, b, p.set[set.base + 1], span, size);
}

/* Finds the sizes of a set that does not depend on the last level's match, once for all
 * siblings. */
MS_DEVICE void trie_sizes_of_parents(const ms_conjunction_program &p, const trie_batch &b,
                                     const ms_conjunction_set &set, const trie_turn &turn,
                                     bool wanted, uint32_t *size)
{
  uint32_t lane = ms_lane(), firsts = trie_first_siblings(turn, wanted), count = 0;
  trie_sizes(p, b, set, firsts >> lane & 1, size);
  if (wanted) {
    count = size[trie_first_of(firsts, lane)];
    uint32_t last = b.match[32 * (p.prefix - 1) + lane];
    if (set.but_last && conj_in_bounds(p, set, b.match + lane, last) &&
        conj_fits(p, set, b.match + lane, MS_CONJUNCTION_NO_LINK, last))
      count--;
  }
  ms_sync_warp();
  size[lane] = count;
  ms_sync_warp();
}

MS_DEVICE void trie_sizes_of(const ms_conjunction_program &p, const trie_batch &b,
                             const ms_conjunction_set &set, const trie_turn &turn, bool wanted,
                             uint32_t *size)
{
  if (set.of_parent)
    trie_sizes_of_parents(p, b, set, turn, wanted, size);
  else if (set.base > 0)
    trie_sizes_by_base(p, b, set, turn, wanted, size);
  else
    trie_sizes(p, b, set, wanted, size);
}

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
