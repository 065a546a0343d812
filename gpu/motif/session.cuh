/* The kernels of a session.  A place of the batch is worked on by `blocks` blocks, whose warps take
 * turns; nothing depends on their number. */
#ifndef MS_GPU_MOTIF_SESSION_CUH
#define MS_GPU_MOTIF_SESSION_CUH

#include "gpu/common/warp.cuh"
#include "gpu/motif/session_device.h"

/* A row of more arcs is read by a whole warp. */
#ifndef MS_SESSION_LONG_ROW
#define MS_SESSION_LONG_ROW 64u
#endif
/* In a row of more arcs a neighbour is looked up by bisection. */
#ifndef MS_SESSION_BISECTED
#define MS_SESSION_BISECTED 16u
#endif

typedef unsigned long long ms_session_set; /* of sub-multisets */

/* Where a warp works. */
typedef struct ms_session_place {
  const ms_session_motif *motif;
  ms_session_summary *summary;
  ms_session_slot slot;
  uint32_t number, warp, warps; /* of the place; of the warp among the warps of the place */
} ms_session_place;

template <typename type> MS_DEVICE type *session_shift(type *from, uint64_t bytes)
{
  return (type *)((uint8_t *)from + bytes);
}

MS_DEVICE ms_session_place session_place(const ms_session_batch &b)
{
  ms_session_place p;
  p.number = ms_block() / b.blocks;
  p.warp = ms_block() % b.blocks * b.block_warps + ms_warp();
  p.warps = b.blocks * b.block_warps;
  p.motif = b.motif + p.number;
  p.summary = b.summary + p.number;
  uint64_t bytes = p.number * b.stride;
  p.slot.mask = session_shift(b.slot.mask, bytes);
  p.slot.bits = session_shift(b.slot.bits, bytes);
  p.slot.word_live = session_shift(b.slot.word_live, bytes);
  p.slot.word_arcs = session_shift(b.slot.word_arcs, bytes);
  p.slot.chunk_live = session_shift(b.slot.chunk_live, bytes);
  p.slot.chunk_arcs = session_shift(b.slot.chunk_arcs, bytes);
  p.slot.begin = session_shift(b.slot.begin, bytes);
  p.slot.length = session_shift(b.slot.length, bytes);
  p.slot.tree = session_shift(b.slot.tree, bytes);
  p.slot.fits = session_shift(b.slot.fits, bytes);
  p.slot.flag = session_shift(b.slot.flag, bytes);
  p.slot.open = session_shift(b.slot.open, bytes);
  p.slot.arc = session_shift(b.slot.arc, bytes);
  return p;
}

/* Returns the sum of x of the lanes below this one; *total receives that of all lanes. */
MS_DEVICE uint32_t session_sum_below(uint32_t x, uint32_t *total)
{
  uint32_t sum = x;
  for (uint32_t hop = 1; hop < MS_LANES; hop *= 2) {
    uint32_t other = ms_of_lane(sum, ms_lane() >= hop ? ms_lane() - hop : 0);
    sum += ms_lane() >= hop ? other : 0;
  }
  *total = ms_of_lane(sum, MS_LANES - 1);
  return sum - x;
}

/* ---- mask ---------------------------------------------------------------------------- */

MS_DEVICE uint32_t session_classes_of_color(const ms_session_motif &m, uint32_t color)
{
  uint32_t classes = 0;
  for (uint32_t i = 0; i < m.colors; i++)
    classes |= m.color[i] == color ? m.of_color[i] : 0;
  return classes;
}

MS_DEVICE uint32_t session_classes(const ms_session_batch &b, const ms_session_motif &m, uint32_t v)
{
  if (!b.color_offset)
    return m.any | session_classes_of_color(m, b.color[v]);
  uint32_t classes = m.any;
  for (uint32_t i = b.color_offset[v]; i < b.color_offset[v + 1]; i++)
    classes |= session_classes_of_color(m, b.color[i]);
  return classes;
}

/* Finds the classes of each vertex, and counts live vertices and their arcs in each chunk. */
MS_DEVICE void session_mask(const ms_session_batch &b)
{
  const ms_session_place p = session_place(b);
  bool several = false;
  if (p.motif->slots == 0)
    return;
  for (uint32_t chunk = p.warp; chunk < b.chunks; chunk += p.warps) {
    uint32_t live = 0, arcs = 0;
    for (uint32_t i = 0; i < MS_SESSION_CHUNK / 32 && chunk * 32 + i < b.words; i++) {
      uint32_t word = chunk * 32 + i, v = word * 32 + ms_lane(), classes = 0;
      if (v < b.n) {
        classes = session_classes(b, *p.motif, v);
        p.slot.mask[v] = (uint8_t)classes;
      }
      uint32_t bits = ms_ballot(classes != 0);
      uint32_t sum = ms_sum_of_lanes(classes ? b.offset[v + 1] - b.offset[v] : 0);
      several |= (classes & (classes - 1)) != 0;
      if (ms_lane() == 0) {
        p.slot.bits[word] = bits;
        p.slot.word_live[word] = live;
        p.slot.word_arcs[word] = arcs;
      }
      live += ms_count_bits(bits);
      arcs += sum;
    }
    if (ms_lane() == 0) {
      p.slot.chunk_live[chunk] = live;
      p.slot.chunk_arcs[chunk] = arcs;
    }
  }
  if (ms_any(several) && ms_lane() == 0)
    ms_or(&p.summary->several, 1);
}

/* ---- compact ------------------------------------------------------------------------- */

/* Replaces the numbers of the chunks by their sums over the chunks before. */
MS_DEVICE void session_number(const ms_session_batch &b)
{
  const ms_session_place p = session_place(b);
  uint32_t live = 0, arcs = 0;
  if (p.motif->slots == 0 || p.warp > 0)
    return;
  for (uint32_t first = 0; first < b.chunks; first += MS_LANES) {
    uint32_t chunk = first + ms_lane(), more_live, more_arcs;
    bool is_chunk = chunk < b.chunks;
    uint32_t live_below = session_sum_below(is_chunk ? p.slot.chunk_live[chunk] : 0, &more_live);
    uint32_t arcs_below = session_sum_below(is_chunk ? p.slot.chunk_arcs[chunk] : 0, &more_arcs);
    if (is_chunk) {
      p.slot.chunk_live[chunk] = live + live_below;
      p.slot.chunk_arcs[chunk] = arcs + arcs_below;
    }
    live += more_live;
    arcs += more_arcs;
  }
  if (ms_lane() == 0)
    p.summary->live = live;
}

/* Returns the number of a live vertex. */
MS_DEVICE uint32_t session_number_of(const ms_session_slot &s, uint32_t v)
{
  uint32_t below = s.bits[v / 32] & ((1u << v % 32) - 1);
  return s.chunk_live[v / MS_SESSION_CHUNK] + s.word_live[v / 32] + ms_count_bits(below);
}

/* True if the arc to u stays: u is live, and the two ends do not fit one and the same slot alone.
 */
MS_DEVICE bool session_stays(const ms_session_place &p, uint32_t classes, uint32_t u)
{
  uint32_t other = p.slot.mask[u];
  bool alike = other == classes && (classes & (classes - 1)) == 0 && (classes & p.motif->single);
  return other && !alike;
}

/* Copies the arcs of v that stay to `to`.  Returns their number. */
MS_DEVICE uint32_t session_copy_row(const ms_session_batch &b, const ms_session_place &p,
                                    uint32_t v, uint32_t *to)
{
  uint32_t classes = p.slot.mask[v], length = 0;
  for (uint32_t a = b.offset[v]; a < b.offset[v + 1]; a++) {
    uint32_t u = b.neighbor[a];
    if (session_stays(p, classes, u))
      to[length++] = session_number_of(p.slot, u);
  }
  return length;
}

/* Does the same by all lanes together. */
MS_DEVICE uint32_t session_copy_long_row(const ms_session_batch &b, const ms_session_place &p,
                                         uint32_t v, uint32_t *to)
{
  uint32_t classes = p.slot.mask[v], length = 0, end = b.offset[v + 1];
  for (uint32_t first = b.offset[v]; first < end; first += MS_LANES) {
    uint32_t a = first + ms_lane(), u = a < end ? b.neighbor[a] : 0;
    bool stays = a < end && session_stays(p, classes, u);
    uint32_t who = ms_ballot(stays);
    if (stays)
      to[length + ms_rank(who)] = session_number_of(p.slot, u);
    length += ms_count_bits(who);
  }
  return length;
}

/* Returns the sub-multisets of one vertex of these classes. */
MS_DEVICE ms_session_set session_alone(const ms_session_motif &m, uint32_t classes)
{
  ms_session_set set = 0;
  for (; classes; classes &= classes - 1)
    set |= (ms_session_set)1 << m.of_class[ms_lowest(classes)];
  return set;
}

/* Makes the rows of live vertices, and begins T. */
MS_DEVICE void session_rows(const ms_session_batch &b)
{
  const ms_session_place p = session_place(b);
  const ms_session_slot &s = p.slot;
  if (p.motif->slots == 0)
    return;
  for (uint32_t word = p.warp; word < b.words; word += p.warps) {
    uint32_t bits = s.bits[word], v = word * 32 + ms_lane(), chunk = word / 32, all;
    bool live = bits >> ms_lane() & 1;
    uint32_t degree = live ? b.offset[v + 1] - b.offset[v] : 0;
    uint32_t i = s.chunk_live[chunk] + s.word_live[word] + ms_rank(bits);
    uint32_t begin = s.chunk_arcs[chunk] + s.word_arcs[word] + session_sum_below(degree, &all);
    uint32_t length = 0, longs = ms_ballot(degree > MS_SESSION_LONG_ROW);
    if (live && degree <= MS_SESSION_LONG_ROW)
      length = session_copy_row(b, p, v, s.arc + begin);
    for (; longs; longs &= longs - 1) {
      uint32_t lane = ms_lowest(longs);
      uint32_t copied =
          session_copy_long_row(b, p, word * 32 + lane, s.arc + ms_of_lane(begin, lane));
      length = ms_lane() == lane ? copied : length;
    }
    if (live) {
      s.begin[i] = begin;
      s.length[i] = length;
      s.fits[i] = s.mask[v];
      s.tree[i] = session_alone(*p.motif, s.mask[v]);
    }
  }
}

/* ---- passes -------------------------------------------------------------------------- */

/* Returns the sums of an element of x and one of y that the layer joins. */
MS_DEVICE ms_session_set session_join(const uint64_t *layer, ms_session_set x, ms_session_set y)
{
  ms_session_set sums = 0;
  for (; y; y &= y - 1) {
    uint32_t s = ms_lowest((uint64_t)y);
    sums |= (x & layer[s]) << s;
  }
  return sums;
}

/* Adds to T the sub-multisets of number + 2 slots.  They come from smaller ones, so it does not
 * matter whether a vertex already sees those that a neighbour has just found. */
MS_DEVICE void session_pass(const ms_session_batch &b, uint32_t number)
{
  const ms_session_place p = session_place(b);
  const ms_session_slot &s = p.slot;
  const uint64_t *layer = p.motif->layer[number];
  if (number + 2 >= p.motif->slots)
    return;
  for (uint32_t first = p.warp * MS_LANES; first < p.summary->live; first += p.warps * MS_LANES) {
    uint32_t i = first + ms_lane();
    bool live = i < p.summary->live;
    uint32_t begin = live ? s.begin[i] : 0, length = live ? s.length[i] : 0;
    ms_session_set old = live ? ms_peek(s.tree + i) : 0, more = 0;
    for (uint32_t a = begin; length <= MS_SESSION_LONG_ROW && a < begin + length; a++)
      more |= session_join(layer, old, ms_peek(s.tree + s.arc[a]));
    for (uint32_t longs = ms_ballot(length > MS_SESSION_LONG_ROW); longs; longs &= longs - 1) {
      uint32_t lane = ms_lowest(longs), from = ms_of_lane(begin, lane);
      uint32_t to = from + ms_of_lane(length, lane);
      ms_session_set of_lane = ms_of_lane(old, lane), sums = 0;
      for (uint32_t a = from + ms_lane(); a < to; a += MS_LANES)
        sums |= session_join(layer, of_lane, ms_peek(s.tree + s.arc[a]));
      for (uint32_t bit = 1; bit < MS_LANES; bit *= 2)
        sums |= ms_swap(sums, bit);
      more |= ms_lane() == lane ? sums : 0;
    }
    if (more & ~old)
      s.tree[i] = old | more;
  }
}

/* ---- filter -------------------------------------------------------------------------- */

/* True if T alone says which vertices are in a match. */
MS_DEVICE bool session_is_plain(const ms_session_place &p)
{
  return p.motif->distinct && !p.summary->several;
}

MS_DEVICE ms_session_set session_reversed(ms_session_set set)
{
#ifndef MS_EMULATED
  return __brevll(set);
#else
  ms_session_set reversed = 0;
  for (uint32_t bit = 0; bit < MS_SESSION_STATES; bit++)
    reversed |= (set >> bit & 1) << (MS_SESSION_STATES - 1 - bit);
  return reversed;
#endif
}

/* Returns what completes the elements of a set. */
MS_DEVICE ms_session_set session_completing(const ms_session_motif &m, ms_session_set set)
{
  return session_reversed(set) >> (MS_SESSION_STATES - m.states);
}

/* Drops the arcs of a row that are in no tree of a match.  Returns how many are left. */
MS_DEVICE uint32_t session_filter_row(const ms_session_slot &s, ms_session_set wanted,
                                      uint32_t begin, uint32_t length)
{
  uint32_t left = 0;
  for (uint32_t a = begin; a < begin + length; a++) {
    uint32_t u = s.arc[a];
    if (s.tree[u] & wanted)
      s.arc[begin + left++] = u;
  }
  return left;
}

/* Does the same by all lanes together. */
MS_DEVICE uint32_t session_filter_long_row(const ms_session_slot &s, ms_session_set wanted,
                                           uint32_t begin, uint32_t length)
{
  uint32_t left = 0;
  for (uint32_t first = 0; first < length; first += MS_LANES) {
    uint32_t at = first + ms_lane(), u = at < length ? s.arc[begin + at] : 0;
    bool stays = at < length && (s.tree[u] & wanted);
    uint32_t who = ms_ballot(stays); /* all lanes have read */
    if (stays)
      s.arc[begin + left + ms_rank(who)] = u;
    left += ms_count_bits(who);
    ms_sync_warp();
  }
  return left;
}

/* Filters the rows of a warp's vertices.  Returns the length of this lane's. */
MS_DEVICE uint32_t session_filter_rows(const ms_session_place &p, uint32_t i, bool live)
{
  const ms_session_slot &s = p.slot;
  uint32_t begin = live ? s.begin[i] : 0, length = live ? s.length[i] : 0, left = 0;
  ms_session_set wanted = live ? session_completing(*p.motif, s.tree[i]) : 0;
  if (length <= MS_SESSION_LONG_ROW)
    left = session_filter_row(s, wanted, begin, length);
  for (uint32_t longs = ms_ballot(length > MS_SESSION_LONG_ROW); longs; longs &= longs - 1) {
    uint32_t lane = ms_lowest(longs);
    uint32_t of_lane = session_filter_long_row(s, ms_of_lane(wanted, lane), ms_of_lane(begin, lane),
                                               ms_of_lane(length, lane));
    left = ms_lane() == lane ? of_lane : left;
  }
  return left;
}

MS_DEVICE void session_filter(const ms_session_batch &b)
{
  const ms_session_place p = session_place(b);
  const ms_session_slot &s = p.slot;
  bool plain = session_is_plain(p);
  uint32_t kept = 0, holders[MS_SESSION_CLASSES] = {0};
  for (uint32_t first = p.warp * MS_LANES; first < p.summary->live; first += p.warps * MS_LANES) {
    uint32_t i = first + ms_lane(), fits = 0;
    bool live = i < p.summary->live;
    uint32_t length = session_filter_rows(p, i, live);
    if (live) {
      fits = length > 0 || p.motif->slots == 1 ? s.fits[i] : 0;
      s.length[i] = length;
      s.fits[i] = (uint8_t)fits;
      s.flag[i] = plain && fits;
      s.open[i] = 0;
    }
    kept += fits != 0;
    for (uint32_t c = 0; c < MS_SESSION_CLASSES; c++)
      holders[c] += fits >> c & 1;
  }
  uint32_t sum = ms_sum_of_lanes(kept);
  if (ms_lane() == 0 && sum)
    ms_add(&p.summary->kept, sum);
  for (uint32_t c = 0; c < MS_SESSION_CLASSES; c++) {
    sum = ms_sum_of_lanes(holders[c]);
    if (ms_lane() == 0 && sum)
      ms_add(&p.summary->holders[c], sum);
  }
}

/* ---- search -------------------------------------------------------------------------- */

/* The connected sets that hold a root are visited one by one.  The rows of the members, in the
 * order in which they joined, make a list; the cursor is a place in it.  A vertex joins or is left
 * out where it is first in the list, so each set is visited once. */
typedef struct ms_session_search {
  uint32_t member[MS_SESSION_SLOTS];
  uint32_t row[MS_SESSION_SLOTS], at[MS_SESSION_SLOTS]; /* the cursor when member i had joined */
  ms_session_set filled[MS_SESSION_SLOTS + 1]; /* what the first i members may fill together */
  uint32_t size;
} ms_session_search;

MS_DEVICE bool session_has_neighbor(const ms_session_slot &s, uint32_t i, uint32_t u)
{
  uint32_t low = s.begin[i], high = low + s.length[i];
  while (high - low > MS_SESSION_BISECTED) {
    uint32_t middle = low + (high - low) / 2;
    if (s.arc[middle] <= u)
      low = middle;
    else
      high = middle;
  }
  for (; low < high; low++)
    if (s.arc[low] == u)
      return true;
  return false;
}

/* True if u is a member, or is in the row of a member before number `row`. */
MS_DEVICE bool session_is_seen(const ms_session_slot &s, const ms_session_search &x, uint32_t row,
                               uint32_t u)
{
  for (uint32_t i = 0; i < x.size; i++)
    if (x.member[i] == u)
      return true;
  for (uint32_t i = 0; i < row; i++)
    if (session_has_neighbor(s, x.member[i], u))
      return true;
  return false;
}

/* Returns what a set may fill after a vertex of these classes has joined. */
MS_DEVICE ms_session_set session_extend(const ms_session_motif &m, ms_session_set filled,
                                        uint32_t classes)
{
  ms_session_set more = 0;
  for (; classes; classes &= classes - 1) {
    uint32_t s = m.of_class[ms_lowest(classes)];
    more |= (filled & m.fits[s]) << s;
  }
  return more;
}

/* Returns the class that the fewest vertices fit; each match holds one of them. */
MS_DEVICE uint32_t session_rarest(const ms_session_place &p)
{
  uint32_t rarest = 0;
  for (uint32_t c = 1; c < p.motif->classes; c++)
    rarest = p.summary->holders[c] < p.summary->holders[rarest] ? c : rarest;
  return rarest;
}

/* Flags a vertex.  What the first search flagged stays so, because it says which roots the second
 * one has. */
template <bool ALL> MS_DEVICE void session_flag(const ms_session_slot &s, uint32_t i)
{
  if (ALL)
    s.flag[i] = 1;
  else if (s.flag[i] != 1)
    s.flag[i] = 2;
}

/* Notes that the search of a root was given up. */
template <bool ALL> MS_DEVICE void session_give_up(const ms_session_place &p, uint32_t root)
{
  if (ALL)
    ms_or(&p.summary->capped, 1);
  else
    p.slot.open[root] = 1;
}

/* ALL: visits all sets of the roots, which are the vertices of the rarest class.  Otherwise each
 * vertex without a flag is a root, and its search ends with its first match.  A thread begins with
 * its next root as soon as one is done, so that the threads of a warp take the same steps. */
template <bool ALL> MS_DEVICE void session_search(const ms_session_batch &b)
{
  const ms_session_place p = session_place(b);
  const ms_session_slot &s = p.slot;
  const ms_session_motif &m = *p.motif;
  if (m.slots == 0 || session_is_plain(p) || (!ALL && !p.summary->capped))
    return;
  uint32_t wanted = ALL ? 1u << session_rarest(p) : (1u << MS_SESSION_CLASSES) - 1;
  uint32_t next = p.warp * MS_LANES + ms_lane(), live = p.summary->live, most = b.most[!ALL];
  uint32_t row = 0, at = 0, begin = 0, length = 0, steps = 0;
  ms_session_search x;
  x.size = 0;
  for (;;) {
    if (x.size == 0) {
      while (next < live && (!(s.fits[next] & wanted) || (!ALL && s.flag[next] == 1)))
        next += p.warps * MS_LANES;
      if (next >= live)
        return;
      x.member[0] = next;
      x.filled[1] = session_alone(m, s.fits[next]);
      x.size = 1;
      row = at = steps = 0;
      begin = s.begin[next];
      length = s.length[next];
      next += p.warps * MS_LANES;
      if (m.slots == 1) {
        session_flag<ALL>(s, x.member[0]);
        x.size = 0;
      }
      continue;
    }
    if (at == length) { /* to the next row, or back to the set without its last member */
      at = 0;
      if (++row == x.size) {
        x.size--;
        row = x.row[x.size];
        at = x.at[x.size];
      }
      if (x.size > 0) {
        begin = s.begin[x.member[row]];
        length = s.length[x.member[row]];
      }
      continue;
    }
    uint32_t u = s.arc[begin + at++];
    if (++steps > most) {
      session_give_up<ALL>(p, x.member[0]);
      x.size = 0;
      continue;
    }
    ms_session_set filled = session_extend(m, x.filled[x.size], s.fits[u]);
    if (!filled || session_is_seen(s, x, row, u))
      continue;
    if (x.size + 1 < m.slots) {
      x.member[x.size] = u;
      x.row[x.size] = row;
      x.at[x.size] = at;
      x.size++;
      x.filled[x.size] = filled;
      continue;
    }
    session_flag<ALL>(s, u);
    for (uint32_t i = 0; i < x.size; i++)
      session_flag<ALL>(s, x.member[i]);
    if (!ALL)
      x.size = 0;
  }
}

/* ---- report -------------------------------------------------------------------------- */

MS_DEVICE void session_report(const ms_session_batch &b)
{
  const ms_session_place p = session_place(b);
  const ms_session_slot &s = p.slot;
  uint32_t flagged = 0;
  bool lost = false;
  uint32_t *flags = b.found + (uint64_t)p.number * 2 * b.words, *left = flags + b.words;
  if (p.motif->slots == 0)
    return;
  for (uint32_t word = p.warp; word < b.words; word += p.warps) {
    uint32_t bits = s.bits[word];
    uint32_t i = s.chunk_live[word / 32] + s.word_live[word] + ms_rank(bits);
    bool live = bits >> ms_lane() & 1, flag = live && s.flag[i] != 0;
    uint32_t flag_bits = ms_ballot(flag), left_bits = ms_ballot(live && s.fits[i] != 0);
    lost |= live && !flag && s.open[i];
    flagged += ms_count_bits(flag_bits);
    if (ms_lane() == 0) {
      flags[word] = flag_bits;
      left[word] = left_bits;
    }
  }
  if (ms_lane() == 0 && flagged)
    ms_add(&p.summary->flagged, flagged);
  if (ms_any(lost) && ms_lane() == 0)
    ms_or(&p.summary->lost, 1);
}

#endif
