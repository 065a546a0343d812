/* The census of one labelling: a warp searches the sets of a root, each lane another set.
 *
 * It is the enumeration of census/search.h on bits.  A set S of vertices of the ball has X, its
 * candidates, and N, all vertices in S or next to it.  The set of S and a candidate u has the
 * candidates of X behind u and the neighbours of u outside N.
 *
 * For each size below k - 1, a list holds the sets of which some candidates have not been tried.
 * The warp takes up to 32 sets of one list, or several candidates of each if there are fewer, and
 * puts the larger sets into the next list.  It prefers the largest sets of which there are 32, and
 * otherwise the smallest ones, so that lists become full; thus no list has more than 63 sets.  Sets
 * of k - 2 vertices are taken out, and each lane tries the candidates u of its set: the candidates
 * of S and u complete sets of k. */
#ifndef MS_GPU_CENSUS_SEARCH_CUH
#define MS_GPU_CENSUS_SEARCH_CUH

#include "gpu/census/census_device.h"
#include "gpu/common/warp.cuh"

/* ---- ball ------------------------------------------------------------------------------------ */

/* The ball of a root: its vertices, numbered, and their adjacency as bits, in the shared memory of
 * a warp. */

#define MS_CENSUS_FREE 0xffffffffu /* a place of the hash table */

/* A set of vertices of a ball. */
template <uint32_t W> struct ms_bits {
  uint64_t word[W];
};

template <uint32_t W> struct ms_ball {
  ms_bits<W> *row;      /* [64 W] neighbours of each vertex that is less than k - 1 edges away */
  ms_bits<W> *kind_row; /* [merged] vertices of each kind */
  uint32_t *key;        /* [128 W] ranks, in a hash table */
  uint32_t *rank;       /* [64 W] */
  uint16_t *number;     /* [128 W] of the rank at the same place of `key` */
  uint16_t *kind;       /* [64 W] */
  uint32_t count;       /* vertices; the root is number 0 */
};

/* Divides the memory of a warp; returns what is behind the ball. */
template <uint32_t W>
MS_DEVICE uint8_t *ms_ball_place(ms_ball<W> *b, const ms_census_launch &l, uint8_t *memory)
{
  const uint32_t most = 64 * W;
  uint32_t merged = l.label ? 0 : l.merged;
  b->row = (ms_bits<W> *)memory;
  b->kind_row = b->row + most;
  b->key = (uint32_t *)(b->kind_row + merged);
  b->rank = b->key + 2 * most;
  b->number = (uint16_t *)(b->rank + most);
  b->kind = b->number + 2 * most;
  return (uint8_t *)(b->kind + most);
}

template <uint32_t W> MS_DEVICE bool ms_bits_any(const ms_bits<W> &b)
{
  uint64_t any = 0;
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    any |= b.word[i];
  return any != 0;
}

MS_DEVICE uint32_t ms_count_long(uint64_t x)
{
  return ms_count_bits((uint32_t)x) + ms_count_bits((uint32_t)(x >> 32));
}

/* Takes the lowest bit out of a set that is not empty. */
template <uint32_t W> MS_DEVICE uint32_t ms_bits_take(ms_bits<W> *b)
{
  uint32_t lowest = 0;
  bool found = false;
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    if (!found && b->word[i] != 0) {
      lowest = 64 * i + ms_lowest(b->word[i]);
      b->word[i] &= b->word[i] - 1;
      found = true;
    }
  return lowest;
}

/* Empties the rows and the hash table, and makes the root number 0. */
template <uint32_t W>
MS_DEVICE void ms_ball_begin(ms_ball<W> *b, const ms_census_launch &l, uint32_t root)
{
  const uint32_t most = 64 * W, merged = l.label ? 0 : l.merged;
  uint64_t *word = b->row->word;
  for (uint32_t i = ms_lane(); i < (most + merged) * W; i += MS_LANES)
    word[i] = 0;
  for (uint32_t i = ms_lane(); i < 2 * most; i += MS_LANES)
    b->key[i] = MS_CENSUS_FREE;
  if (ms_lane() == 0) {
    b->rank[0] = root;
    b->kind[0] = l.kind[root];
  }
  b->count = 1;
  ms_sync_warp();
}

/* Finds the place of a rank in the hash table, or makes it one; sets *fresh if it had none.  The
 * table has a free place, because it has two for each vertex and a warp adds 32 at most. */
template <uint32_t W> MS_DEVICE uint32_t ms_ball_find(ms_ball<W> *b, uint32_t rank, bool *fresh)
{
  const uint32_t mask = 128 * W - 1;
  uint32_t at = rank * 2654435761u >> 16 & mask;
  for (;; at = (at + 1) & mask) {
    uint32_t old = ms_exchange(&b->key[at], MS_CENSUS_FREE, rank);
    *fresh = old == MS_CENSUS_FREE;
    if (*fresh || old == rank)
      return at;
  }
}

/* Notes that vertex u has this neighbour, if the lane has one; all lanes call it together.  Returns
 * false if the ball is too large. */
template <uint32_t W>
MS_DEVICE bool ms_ball_join(ms_ball<W> *b, const ms_census_launch &l, uint32_t u, uint32_t rank,
                            bool has)
{
  const uint32_t most = 64 * W;
  bool fresh = false;
  uint32_t at = has ? ms_ball_find(b, rank, &fresh) : 0;
  uint32_t added = ms_ballot(fresh), id = b->count + ms_rank(added);
  if (b->count + ms_count_bits(added) > most)
    return false;
  if (fresh) {
    uint32_t kind = l.kind[rank];
    b->number[at] = (uint16_t)id;
    b->rank[id] = rank;
    b->kind[id] = (uint16_t)kind;
    if (!l.label && l.merged > 0)
      ms_or((uint32_t *)(b->kind_row + kind) + id / 32, 1u << id % 32);
  }
  b->count += ms_count_bits(added);
  ms_sync_warp();
  if (has) {
    id = b->number[at];
    ms_or((uint32_t *)(b->row + u) + id / 32, 1u << id % 32);
  }
  return true;
}

/* Makes the ball of a root.  Returns false if it is too large.  8 lanes read the row of a vertex,
 * or all lanes where a warp has fewer. */
template <uint32_t W>
MS_DEVICE bool ms_ball_make(ms_ball<W> *b, const ms_census_launch &l, uint32_t root)
{
  const uint32_t group = MS_LANES < 8 ? MS_LANES : 8, groups = MS_LANES / group;
  uint32_t begin = 0, end = 1;
  ms_ball_begin(b, l, root);
  for (uint32_t depth = 0; depth + 1 < l.k && begin < end; depth++) {
    for (uint32_t first = begin; first < end; first += groups) {
      uint32_t u = first + ms_lane() / group, at = 0, last = 0;
      if (u < end) {
        at = l.offset[b->rank[u]] + ms_lane() % group;
        last = l.offset[b->rank[u] + 1];
      }
      for (; ms_any(at < last); at += group) {
        uint32_t rank = at < last ? l.neighbor[at] : 0;
        bool has = l.motif ? at < last && rank != root : rank > root;
        if (!ms_ball_join(b, l, u, rank, has))
          return false;
      }
    }
    begin = end;
    end = b->count;
  }
  ms_sync_warp();
  return true;
}

/* ---- table ----------------------------------------------------------------------------------- */

/* The numbers of one root: a hash table from motifs to numbers of sets, of a warp.  Where there are
 * not more motifs than places, each has the place of its number. */

struct ms_census_table {
  uint32_t *key;  /* [2^place_bits] motif + 1; 0: the place is free */
  uint32_t *sets; /* [2^place_bits] */
  uint32_t fresh; /* places that this lane has taken */
  bool full;      /* this lane had no place for a motif, or a number has no 32 bits */
};

MS_DEVICE void ms_table_add(const ms_census_launch &l, ms_census_table *t, uint32_t motif,
                            uint32_t sets)
{
  const uint32_t last = (1u << l.place_bits) - 1, key = motif + 1;
  uint32_t at = l.motifs <= last + 1 ? motif : motif * 2654435761u >> (32 - l.place_bits);
  for (uint32_t probe = 0; probe < MS_CENSUS_PROBES; probe++, at = (at + 1) & last) {
    uint32_t old = ms_peek(&t->key[at]);
    if (old == 0) {
      old = ms_exchange(&t->key[at], 0, key);
      t->fresh += old == 0;
      old = old == 0 ? key : old;
    }
    if (old == key) {
      t->full |= ms_add(&t->sets[at], sets) > ~sets;
      return;
    }
  }
  t->full = true;
}

/* Makes the warp's table zeros. */
MS_DEVICE void ms_table_clear(const ms_census_launch &l, ms_census_table *t)
{
  for (uint32_t i = ms_lane(); i < 1u << l.place_bits; i += MS_LANES)
    t->key[i] = t->sets[i] = 0;
  t->fresh = 0;
  t->full = false;
  ms_sync_warp();
}

/* Writes the entries of a root, and makes the table zeros.  All lanes have counted. */
MS_DEVICE void ms_table_write(const ms_census_launch &l, ms_census_table *t, uint64_t unit)
{
  ms_sync_warp();
  bool full = ms_any(t->full);
  uint32_t entries = ms_sum_of_lanes(t->fresh), written = 0;
  unsigned long long at = 0;
  if (ms_lane() == 0 && !full)
    at = ms_add(l.used, (unsigned long long)entries);
  at = ms_of_lane(at, 0);
  bool fits = !full && at + entries <= l.room;
  for (uint32_t i = ms_lane(); i < 1u << l.place_bits; i += MS_LANES) {
    uint32_t key = t->key[i], some = ms_ballot(key > 0);
    if (key > 0 && fits)
      l.entry[at + written + ms_rank(some)] =
          (unsigned long long)(0xffffffffu - t->sets[i]) << 32 | (key - 1);
    if (key > 0)
      t->key[i] = t->sets[i] = 0;
    written += ms_count_bits(some);
  }
  if (ms_lane() == 0 && full)
    l.found[unit] = MS_CENSUS_TABLE;
  if (ms_lane() == 0 && fits)
    l.found[unit] = at << 24 | (unsigned long long)entries << 2 | MS_CENSUS_DONE;
  t->fresh = 0;
  t->full = false;
  ms_sync_warp();
}

/* ---- search ---------------------------------------------------------------------------------- */

/* Rounds of a warp between two looks whether it should stop. */
enum { MS_CENSUS_LOOK = 16 };

/* Where sets are counted. */
enum ms_census_sink {
  MS_IN_GLOBAL_MEMORY, /* all together, in l.cell */
  MS_IN_BLOCK,         /* all together, in the block's memory */
  MS_IN_TABLE          /* those of a root, in the table of the warp */
};

template <uint32_t W> struct ms_census_warp {
  ms_ball<W> ball;
  ms_bits<W> *x, *near; /* [k - 2][MS_CENSUS_ITEMS] */
  uint32_t *state;      /* [k - 2][MS_CENSUS_ITEMS] numbers of multisets of kinds */
  uint32_t *shared;     /* [shared_cells] of the block */
  ms_census_table table;
  uint32_t visits; /* of this lane */
};

/* A set in the registers of a lane. */
template <uint32_t W> struct ms_census_set {
  ms_bits<W> x, near;
  uint32_t state;
};

MS_DEVICE bool ms_census_stops(const ms_census_launch &l)
{
  return ms_of_lane(ms_lane() == 0 ? ms_peek(&l.queue->stop) : 0u, 0) != 0;
}

/* Takes the next root; false if none is left, or if the warp should stop. */
MS_DEVICE bool ms_census_take(const ms_census_launch &l, uint32_t *root, uint64_t *taken = nullptr)
{
  unsigned long long at = ms_lane() == 0 ? ms_add(&l.queue->next, 1ull) : 0ull;
  at = ms_of_lane(at, 0);
  unsigned long long unit = at / l.width * l.all + l.first + at % l.width;
  if (unit >= l.units || ms_census_stops(l))
    return false;
  *root = l.root ? l.root[unit] : (uint32_t)unit;
  if (taken)
    *taken = unit;
  return true;
}

MS_DEVICE uint32_t ms_census_step(const ms_census_launch &l, uint32_t size, uint32_t state,
                                  uint32_t kind)
{
  return l.step[l.step_at[size] + state * l.kinds + kind];
}

/* Adds to the number of a cell.  A number in shared memory has 32 bits; what it loses goes into the
 * number of all blocks. */
template <uint32_t W, ms_census_sink SINK>
MS_DEVICE void ms_census_add(const ms_census_launch &l, ms_census_warp<W> &w, uint64_t cell,
                             uint32_t sets)
{
  if (SINK == MS_IN_TABLE) {
    ms_table_add(l, &w.table, l.motif[cell], sets);
  } else if (SINK == MS_IN_BLOCK) {
    if (ms_add(&w.shared[cell], sets) > ~sets)
      ms_add(&l.cell[cell], 1ull << 32);
  } else {
    ms_add(&l.cell[cell], (unsigned long long)sets);
  }
}

/* Counts the vertices of y as completions of a set of k - 1 vertices. */
template <uint32_t W, ms_census_sink SINK>
MS_DEVICE void ms_census_complete_set(const ms_census_launch &l, ms_census_warp<W> &w, uint32_t row,
                                      ms_bits<W> y)
{
  uint64_t begin = (uint64_t)row * l.kinds;
  if (l.merged > 0) {
    while (ms_bits_any(y)) {
      ms_bits<W> rest = y;
      uint32_t kind = w.ball.kind[ms_bits_take(&rest)], sets = 0;
#pragma unroll
      for (uint32_t i = 0; i < W; i++) {
        uint64_t same = w.ball.kind_row[kind].word[i];
        sets += ms_count_long(y.word[i] & same);
        y.word[i] &= ~same;
      }
      ms_census_add<W, SINK>(l, w, begin + kind, sets);
    }
    return;
  }
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    for (uint64_t left = y.word[i]; left; left &= left - 1)
      ms_census_add<W, SINK>(l, w, begin + w.ball.kind[64 * i + ms_lowest(left)], 1);
}

/* Makes X and N of a set with candidate u; `behind`: its candidates behind u. */
template <uint32_t W>
MS_DEVICE void ms_census_extend(const ms_census_warp<W> &w, uint32_t u, const ms_bits<W> &behind,
                                const ms_census_set<W> &set, ms_census_set<W> *next)
{
#pragma unroll
  for (uint32_t i = 0; i < W; i++) {
    uint64_t row = w.ball.row[u].word[i];
    next->x.word[i] = behind.word[i] | (row & ~set.near.word[i]);
    next->near.word[i] = set.near.word[i] | row;
  }
}

/* Counts the completions of a set of k - 2 vertices by candidates `mine`, mine + step, .. */
template <uint32_t W, ms_census_sink SINK>
MS_DEVICE void ms_census_finish(const ms_census_launch &l, ms_census_warp<W> &w,
                                const ms_census_set<W> &set, uint32_t mine, uint32_t step)
{
  ms_bits<W> behind = set.x;
  ms_census_set<W> next;
  for (uint32_t skip = mine; ms_bits_any(behind); skip--) {
    uint32_t u = ms_bits_take(&behind);
    if (skip > 0)
      continue;
    skip = step;
    uint32_t row = ms_census_step(l, l.k - 2, set.state, w.ball.kind[u]);
    ms_census_extend(w, u, behind, set, &next);
    ms_census_complete_set<W, SINK>(l, w, row, next.x);
  }
}

/* Chooses the size of the sets to take next; `waiting`: of sets of lane + 1 vertices, in this lane.
 * Returns 0 if no set is left. */
MS_DEVICE uint32_t ms_census_choose(uint32_t waiting)
{
  uint32_t full = ms_ballot(waiting >= MS_LANES), some = ms_ballot(waiting > 0);
  return full ? ms_bit_length(full) : some ? ms_lowest(some) + 1 : 0;
}

template <uint32_t W>
MS_DEVICE void ms_census_load(const ms_census_warp<W> &w, uint32_t at, ms_census_set<W> *set)
{
  set->x = w.x[at];
  set->near = w.near[at];
  set->state = w.state[at];
}

template <uint32_t W>
MS_DEVICE void ms_census_store(const ms_census_warp<W> &w, uint32_t at, const ms_census_set<W> &set)
{
  w.x[at] = set.x;
  w.near[at] = set.near;
  w.state[at] = set.state;
}

/* Tries one candidate of each of the last `taken` sets of a list in each of `each` lanes.  Returns
 * the number of sets that are left of them; *made: of sets of the next size. */
template <uint32_t W>
MS_DEVICE uint32_t ms_census_grow(const ms_census_launch &l, ms_census_warp<W> *w, uint32_t size,
                                  uint32_t begin, uint32_t taken, uint32_t each, uint32_t to,
                                  uint32_t *made)
{
  uint32_t which = ms_lane() % taken, skip = ms_lane() / taken;
  ms_census_set<W> set, next;
  ms_census_load(*w, begin + which, &set);
  ms_bits<W> behind = set.x;
  bool works = skip < each;
  for (; skip > 0 && ms_bits_any(behind); skip--)
    (void)ms_bits_take(&behind);
  works = works && ms_bits_any(behind);
  if (works) {
    uint32_t u = ms_bits_take(&behind);
    next.state = ms_census_step(l, size, set.state, w->ball.kind[u]);
    ms_census_extend(*w, u, behind, set, &next);
    works = ms_bits_any(next.x);
  }
  /* the lane of a set's last candidate of this round keeps what is behind it */
  uint32_t grown = ms_ballot(works);
  bool keeps = ms_lane() / taken == each - 1 && ms_bits_any(behind);
  uint32_t kept = ms_ballot(keeps); /* also: all lanes have loaded their sets */
  ms_sync_warp();
  if (works)
    ms_census_store(*w, to + ms_rank(grown), next);
  if (keeps) {
    set.x = behind;
    ms_census_store(*w, begin + ms_rank(kept), set);
  }
  ms_sync_warp();
  w->visits += works;
  *made = ms_count_bits(grown);
  return ms_count_bits(kept);
}

/* Makes the set of the root alone. */
template <uint32_t W>
MS_DEVICE void ms_census_begin(const ms_census_warp<W> &w, ms_census_set<W> *set)
{
  set->x = set->near = w.ball.row[0];
  set->near.word[0] |= 1;
  set->state = w.ball.kind[0];
}

/* Searches all sets that begin with those in the lists, of which `waiting` have lane + 1 vertices.
 * Returns false if the warp should stop. */
template <uint32_t W, ms_census_sink SINK>
MS_DEVICE bool ms_census_search_lists(const ms_census_launch &l, ms_census_warp<W> *w,
                                      uint32_t waiting)
{
  ms_census_set<W> set;
  for (uint32_t round = 1;; round++) {
    uint32_t size = ms_census_choose(waiting);
    if (size == 0)
      return true;
    if (round % MS_CENSUS_LOOK == 0 && ms_census_stops(l))
      return false;
    uint32_t all = ms_of_lane(waiting, size - 1), taken = all < MS_LANES ? all : MS_LANES;
    uint32_t begin = (size - 1) * MS_CENSUS_ITEMS + all - taken, each = MS_LANES / taken;
    if (size + 2 == l.k) {
      if (ms_lane() < taken * each) {
        ms_census_load(*w, begin + ms_lane() % taken, &set);
        ms_census_finish<W, SINK>(l, *w, set, ms_lane() / taken, each);
      }
      ms_sync_warp();
      waiting -= ms_lane() == size - 1 ? taken : 0;
      continue;
    }
    uint32_t made, to = size * MS_CENSUS_ITEMS + ms_of_lane(waiting, size);
    uint32_t kept = ms_census_grow(l, w, size, begin, taken, each, to, &made);
    waiting = ms_lane() == size - 1 ? all - taken + kept : waiting;
    waiting += ms_lane() == size ? made : 0;
  }
}

/* Searches the sets of a root, whose ball is made.  Returns false if the warp should stop. */
template <uint32_t W, ms_census_sink SINK>
MS_DEVICE bool ms_census_search_root(const ms_census_launch &l, ms_census_warp<W> *w)
{
  ms_census_set<W> set;
  ms_census_begin(*w, &set);
  if (!ms_bits_any(set.x))
    return true;
  if (ms_lane() == 0)
    ms_census_store(*w, 0, set);
  w->visits += ms_lane() == 0;
  ms_sync_warp();
  return ms_census_search_lists<W, SINK>(l, w, ms_lane() == 0);
}

/* Leaves in the set the vertices of the ball with larger numbers than u. */
template <uint32_t W> MS_DEVICE void ms_bits_keep_behind(ms_bits<W> *b, uint32_t u)
{
#pragma unroll
  for (uint32_t i = 0; i < W; i++) {
    uint32_t first = u + 1; /* of those that stay */
    if (first >= 64 * (i + 1))
      b->word[i] = 0;
    else if (first > 64 * i)
      b->word[i] &= ~(uint64_t)0 << (first - 64 * i);
  }
}

/* Searches the sets of a root whose second vertex is one of candidates begin .. end - 1 of it,
 * which have the numbers from 1 on in the ball, in their order: 32 candidates at a time, each as a
 * set of two vertices.  Returns false if the warp should stop. */
template <uint32_t W, ms_census_sink SINK>
MS_DEVICE bool ms_census_search_piece(const ms_census_launch &l, ms_census_warp<W> *w,
                                      uint32_t begin, uint32_t end)
{
  ms_census_set<W> set, next;
  uint32_t candidates = 0;
  ms_census_begin(*w, &set);
#pragma unroll
  for (uint32_t i = 0; i < W; i++)
    candidates += ms_count_long(set.x.word[i]);
  end = end < candidates ? end : candidates;
  for (uint32_t first = begin; first < end; first += MS_LANES) {
    uint32_t u = first + ms_lane() + 1;
    bool works = u <= end;
    if (works) {
      ms_bits<W> behind = set.x;
      ms_bits_keep_behind(&behind, u);
      next.state = ms_census_step(l, 1, set.state, w->ball.kind[u]);
      ms_census_extend(*w, u, behind, set, &next);
      if (l.k == 3)
        ms_census_complete_set<W, SINK>(l, *w, next.state, next.x);
      works = l.k > 3 && ms_bits_any(next.x);
    }
    uint32_t made = ms_ballot(works);
    if (works)
      ms_census_store(*w, MS_CENSUS_ITEMS + ms_rank(made), next);
    w->visits += works;
    ms_sync_warp();
    if (made && !ms_census_search_lists<W, SINK>(l, w, ms_lane() == 1 ? ms_count_bits(made) : 0))
      return false;
    if (ms_census_stops(l))
      return false;
  }
  return true;
}

/* Counts the sets of the roots of a launch; shared: the block's memory. */
template <uint32_t W, ms_census_sink SINK>
MS_DEVICE void ms_census_roots(const ms_census_launch &l, uint32_t warps, uint8_t *shared)
{
  ms_census_warp<W> w;
  uint32_t root, thread = ms_warp() * MS_LANES + ms_lane(), threads = warps * MS_LANES;
  uint64_t unit = 0;
  w.shared = (uint32_t *)shared;
  w.visits = 0;
  uint8_t *own = shared + (l.shared_cells * 4 + 15) / 16 * 16 +
                 ms_warp() * ms_census_warp_bytes(W, l.k, l.merged);
  w.x = (ms_bits<W> *)ms_ball_place(&w.ball, l, own);
  w.near = w.x + (l.k - 2) * MS_CENSUS_ITEMS;
  w.state = (uint32_t *)(w.near + (l.k - 2) * MS_CENSUS_ITEMS);
  if (SINK == MS_IN_BLOCK) {
    for (uint32_t i = thread; i < l.shared_cells; i += threads)
      w.shared[i] = 0;
    ms_sync_block();
  }
  while (ms_census_take(l, &root, &unit)) {
    bool goes_on = true;
    if (!ms_ball_make(&w.ball, l, root)) {
      if (ms_lane() == 0)
        l.left[root] = 1;
      ms_sync_warp();
    } else if (l.begin && (l.begin[unit] > 0 || l.end[unit] < 0xffffffffu)) {
      goes_on = ms_census_search_piece<W, SINK>(l, &w, l.begin[unit], l.end[unit]);
    } else {
      goes_on = ms_census_search_root<W, SINK>(l, &w);
    }
    if (!goes_on)
      break;
  }
  uint32_t visits = ms_sum_of_lanes(w.visits);
  if (ms_lane() == 0)
    ms_add(&l.queue->rows, (unsigned long long)visits);
  if (SINK == MS_IN_BLOCK) {
    ms_sync_block();
    for (uint32_t i = thread; i < l.shared_cells; i += threads)
      if (w.shared[i] > 0)
        ms_add(&l.cell[i], (unsigned long long)w.shared[i]);
  }
}

#endif
