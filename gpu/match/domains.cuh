/* The tests of domains (match/domain_task.h), bit for bit those of the host.
 *
 * A warp takes a word of 32 vertices of a domain, a lane each.  Neighbours of one colour are a
 * stretch of a row, with those of high degree at its end, and these are in most domains: a lane
 * looks at the last NEAR of them by itself, and where that does not decide, all lanes of the warp
 * look at the rest of the stretch.  The first test is one launch for all pattern vertices, and so
 * is each round after it, which reads the domains of the pass before and writes those of its own.
 * It reads how many vertices that pass dropped: without any among the neighbours, nothing is
 * tested.
 *
 * Cost: a few dependent loads for a vertex and a condition, and the entries of stretches without a
 * vertex of the domain. */
#ifndef MS_GPU_MATCH_DOMAINS_CUH
#define MS_GPU_MATCH_DOMAINS_CUH

#include "gpu/common/warp.cuh"
#include "gpu/match/domains_device.h"

enum { MS_DOMAIN_NEAR = 16, MS_DOMAIN_SHORT_ROW = 24 /* = MS_SHORT_ROW */ };

/* Neighbours that are looked for: `need` of them in the stretch of `row` that ends at `end`, with
 * ids of at least `lo`, whose bit is set. */
typedef struct ms_domain_search {
  const uint32_t *row, *bits; /* bits: of the words from `word` on */
  uint32_t end, lo, hi, need, word;
} ms_domain_search;

MS_DEVICE uint32_t ms_domain_lower_bound(const uint32_t *row, uint32_t length, uint32_t id)
{
  uint32_t first = 0, last = length;
  while (first < last) {
    uint32_t middle = first + (last - first) / 2;
    if (row[middle] < id)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/* As end_of in match/domain_filter.c. */
MS_DEVICE uint32_t ms_domain_end_of(const ms_domain_launch &l, uint32_t kind, uint32_t v,
                                    const uint32_t *row, uint32_t length, uint32_t hi,
                                    uint32_t color)
{
  if (hi >= l.index.n)
    return length;
  if (length <= MS_DOMAIN_SHORT_ROW || color >= 64 || !l.colors.part || kind != 0)
    return ms_domain_lower_bound(row, length, hi);
  uint64_t near = l.colors.near[2 * (uint64_t)v], below = near & (((uint64_t)1 << color) - 1);
  if (!(near >> color & 1))
    return 0;
  return l.colors.part[l.colors.part_offset[v] + ms_count_bits((uint32_t)below) +
                       ms_count_bits((uint32_t)(below >> 32))];
}

MS_DEVICE bool ms_domain_is_in(const ms_domain_search &s, uint32_t id)
{
  return id < s.hi && (s.bits[id / 32 - s.word] >> id % 32 & 1);
}

/* Looks at the last entries of the stretch.  Returns false if that decides; *found is whether there
 * are enough. */
MS_DEVICE bool ms_domain_look(ms_domain_search &s, bool *found)
{
  for (uint32_t looks = 0; s.need > 0 && looks < MS_DOMAIN_NEAR; looks++) {
    if (s.end == 0 || s.row[s.end - 1] < s.lo) {
      *found = false;
      return false;
    }
    s.end--;
    s.need -= ms_domain_is_in(s, s.row[s.end]);
  }
  *found = s.need == 0;
  return s.need > 0;
}

/* Continues the searches of the lanes in the mask, one after the other, by all lanes; returns
 * whether this lane's search, if it is one, found enough. */
MS_DEVICE bool ms_domain_look_together(const ms_domain_search &mine, uint32_t mask)
{
  bool found = false;
  for (; mask; mask &= mask - 1) {
    uint32_t lane = ms_lowest(mask);
    ms_domain_search s;
    s.row = (const uint32_t *)ms_of_lane((unsigned long long)mine.row, lane);
    s.bits = (const uint32_t *)ms_of_lane((unsigned long long)mine.bits, lane);
    s.end = ms_of_lane(mine.end, lane);
    s.lo = ms_of_lane(mine.lo, lane);
    s.hi = ms_of_lane(mine.hi, lane);
    s.need = ms_of_lane(mine.need, lane);
    s.word = ms_of_lane(mine.word, lane);
    bool all = false; /* entries of the stretch were looked at */
    while (s.need > 0 && !all) {
      bool in_row = s.end > ms_lane();
      uint32_t id = in_row ? s.row[s.end - 1 - ms_lane()] : 0;
      in_row = in_row && id >= s.lo;
      uint32_t hits = ms_count_bits(ms_ballot(in_row && ms_domain_is_in(s, id)));
      all = ms_any(!in_row);
      s.need = hits < s.need ? s.need - hits : 0;
      s.end = s.end > MS_LANES ? s.end - MS_LANES : 0;
    }
    if (ms_lane() == lane)
      found = s.need == 0;
  }
  return found;
}

/* Tests one condition for the vertices of the lanes that are `active`: `need` neighbours in a
 * domain of pattern vertex `of`, the first one or the one of now. */
MS_DEVICE bool ms_domain_meets(const ms_domain_launch &l, uint32_t v, bool active, uint32_t kind,
                               uint32_t of, uint32_t need, bool first)
{
  const ms_device_domain_vertex &d = l.vertex[of];
  ms_domain_search s = {};
  bool found = false, open = false;
  if (active) {
    const ms_device_rows &rows = l.index.rows[kind];
    uint64_t begin = rows.offset[v];
    uint32_t length = (uint32_t)(rows.offset[v + 1] - begin);
    s.row = rows.neighbor + begin;
    s.end = ms_domain_end_of(l, kind, v, s.row, length, d.hi, d.color);
    s.lo = d.lo;
    s.hi = d.hi;
    s.need = need;
    s.word = first ? 0 : d.word;
    s.bits = first ? d.start : l.before + d.at;
    if (!s.bits) /* all ids of [lo, hi): the stretch from `lo` on */
      found = s.end >= need && s.row[s.end - need] >= s.lo;
    else
      open = ms_domain_look(s, &found);
  }
  uint32_t mask = ms_ballot(open);
  bool later = ms_domain_look_together(s, mask);
  return open ? later : found;
}

MS_DEVICE bool ms_domain_passes(const ms_domain_launch &l, const ms_device_domain_vertex &d,
                                uint32_t v)
{
  if (l.colors.best[v] < d.best)
    return false;
  if (!l.colors.near)
    return true;
  const uint64_t *near = l.colors.near + 2 * (uint64_t)v;
  return !((d.near_colors[0] & ~near[0]) | (d.near_colors[1] & ~near[1]));
}

/* Returns the bits of a word of a first domain. */
MS_DEVICE uint32_t ms_domain_first_word(const ms_device_domain_vertex &d, uint32_t word)
{
  uint32_t id = word * 32 + ms_lane();
  bool in = id >= d.lo && id < d.hi && (!d.start || (d.start[word] >> ms_lane() & 1));
  return ms_ballot(in);
}

/* The first test of a word. */
MS_DEVICE uint32_t ms_domain_test_first(const ms_domain_launch &l, const ms_device_domain_vertex &d,
                                        uint32_t word, uint32_t before)
{
  uint32_t v = word * 32 + ms_lane();
  bool stays = before >> ms_lane() & 1;
  if (l.allowed)
    stays = stays && (l.allowed[word] >> ms_lane() & 1);
  stays = stays && ms_domain_passes(l, d, v);
  for (uint32_t i = d.first; i < d.end && ms_any(stays); i++) {
    const ms_device_condition &c = l.condition[i];
    bool meets = ms_domain_meets(l, v, stays, c.rows, c.of, c.need, true);
    stays = stays && meets;
  }
  return ms_ballot(stays);
}

/* True if the pass before is the first test, or dropped enough for another round (end_round in
 * match/domains.c).  A lane adds up what a pattern vertex has. */
MS_DEVICE bool ms_domain_goes_on(const ms_domain_launch &l)
{
  const uint32_t *dropped = l.dropped + ms_lane();
  unsigned long long more = 0; /* modulo 2^64 */
  if (l.pass > 1 && ms_lane() < l.n) {
    more = (unsigned long long)MS_DEVICE_ENOUGH * dropped[(l.pass - 1) * MS_DEVICE_DOMAINS];
    more -= l.vertex[ms_lane()].count;
    for (uint32_t pass = 0; pass + 1 < l.pass; pass++)
      more += dropped[pass * MS_DEVICE_DOMAINS];
  }
  for (uint32_t bits = MS_LANES / 2; bits > 0; bits /= 2)
    more += ms_swap(more, bits);
  return (long long)more >= 0;
}

/* Returns the pattern neighbours of u, in rows of the k-th kind, whose domains the pass before
 * changed.  Of the domains by colour and degree, only those that were found count. */
MS_DEVICE uint32_t ms_domain_stale(const ms_domain_launch &l, uint32_t u, uint32_t k)
{
  const ms_device_domain_vertex &d = l.vertex[u];
  uint32_t w = ms_lane();
  bool near = w < l.n && (d.near[k] >> w & 1);
  bool changed = near && (l.dropped[(l.pass - 1) * MS_DEVICE_DOMAINS + w] > 0 ||
                          (l.pass == 1 && !(d.found >> w & 1)));
  return ms_ballot(changed);
}

MS_DEVICE uint32_t ms_domain_test_again(const ms_domain_launch &l, const uint32_t stale[2],
                                        uint32_t word, uint32_t before)
{
  uint32_t v = word * 32 + ms_lane();
  bool stays = before >> ms_lane() & 1;
  for (uint32_t k = 0; k < l.kinds; k++)
    for (uint32_t left = stale[k]; left && ms_any(stays); left &= left - 1) {
      bool meets = ms_domain_meets(l, v, stays, l.kind[k], ms_lowest(left), 1, false);
      stays = stays && meets;
    }
  return ms_ballot(stays);
}

/* Stores a word, and counts what was dropped. */
MS_DEVICE void ms_domain_store(const ms_domain_launch &l, uint32_t u, uint32_t at, uint32_t before,
                               uint32_t after)
{
  if (ms_lane() > 0)
    return;
  l.bits[at] = after;
  if (before != after)
    (void)ms_add(&l.dropped[l.pass * MS_DEVICE_DOMAINS + u], ms_count_bits(before & ~after));
}

/* A word of a round's test. */
MS_DEVICE void ms_domain_run_again(const ms_domain_launch &l, uint32_t u, const uint32_t stale[2],
                                   uint32_t at)
{
  const ms_device_domain_vertex &d = l.vertex[u];
  uint32_t before = ms_of_lane(l.before[at], 0), after = before;
  if (before && (stale[0] | stale[1]))
    after = ms_domain_test_again(l, stale, d.word + (at - d.at), before);
  ms_domain_store(l, u, at, before, after);
}

MS_DEVICE void ms_domain_run_first(const ms_domain_launch &l, uint32_t u, uint32_t at)
{
  const ms_device_domain_vertex &d = l.vertex[u];
  uint32_t word = d.word + (at - d.at), before = ms_domain_first_word(d, word);
  uint32_t after = before ? ms_domain_test_first(l, d, word, before) : 0;
  ms_domain_store(l, u, at, before, after);
}

MS_DEVICE void ms_domain_run(const ms_domain_launch &l)
{
  uint32_t u = 0, known = MS_DEVICE_DOMAINS, stale[2] = {0, 0};
  MS_EXPECT(MS_LANES == 32);
  for (uint32_t i = ms_block() * l.warps + ms_warp(); i < l.total; i += l.blocks * l.warps) {
    while (i >= l.vertex[u].at + l.vertex[u].words)
      u++;
    if (l.pass == 0) {
      ms_domain_run_first(l, u, i);
      continue;
    }
    if (u != known) {
      bool goes_on = ms_domain_goes_on(l);
      stale[0] = goes_on ? ms_domain_stale(l, u, 0) : 0;
      stale[1] = goes_on && l.kinds > 1 ? ms_domain_stale(l, u, 1) : 0;
      known = u;
    }
    ms_domain_run_again(l, u, stale, i);
  }
}

#endif
