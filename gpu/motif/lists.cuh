/* Counting in lists, for large sparse regions: a warp searches one root.
 *
 * The candidates of a set are `count` entries of the warp's stack, from `base` on.  The last one is
 * taken; the list of the larger set, the entries that are left and what the vertex leads to, begins
 * in its place.  A hash table in shared memory holds all candidates that the set has had, and its
 * members: ranks that fit and are near it.  (Ranks that do not fit the set fit
 * no larger one.)  What a vertex has added is taken off again in one piece, so that linear probing
 * needs no marks for what was deleted.
 *
 * At sets of two vertices fewer than a match has, a lane has a candidate, and counts the
 * other candidates that may join after it, kind by kind.  Lanes read the candidates' rows in
 * groups, and count the entries that may join after the candidate and are not near the set.  A root
 * near which there is more than fits is left to others.
 *
 * Where all rows are short, a set leads to few candidates, and most lanes would wait.  Then four
 * sets of size - 2 vertices, which differ in one, are looked at side by side. */
#ifndef MS_GPU_MOTIF_LISTS_CUH
#define MS_GPU_MOTIF_LISTS_CUH

#include "gpu/motif/rows.cuh"

#define MS_MOTIF_EMPTY UINT32_MAX
#define MS_MOTIF_RANK_MASK ((1u << MS_MOTIF_RANK_BITS) - 1)
/* Lanes that read a row together, and entries of the longest row that they read; all lanes read
 * longer rows together. */
#define MS_MOTIF_GROUP 8u
#ifndef MS_MOTIF_GROUP_ROW
#define MS_MOTIF_GROUP_ROW 48u
#endif

/* What a warp works with. */
typedef struct ms_motif_lists {
  uint32_t *hash;   /* [launch.hash] ranks, or MS_MOTIF_EMPTY */
  uint32_t *list;   /* [ms_motif_stack_room] entries */
  uint32_t *log;    /* [ms_motif_list_room] places in hash */
  uint32_t *level;  /* [MS_MAX_K][3] by size of a set: entries of its list, places logged before it,
                       and its state */
  uint32_t *member; /* [MS_MAX_K] */
  uint32_t root, base, count, logged;
  unsigned long long twice, edges; /* of this lane: pairs, each twice, and edges */
} ms_motif_lists;

MS_DEVICE uint32_t ms_motif_slot(const ms_motif_launch &l, uint32_t rank)
{
  return (rank * 0x9e3779b1u >> 11) & (l.hash - 1);
}

MS_DEVICE bool ms_motif_is_near(const ms_motif_launch &l, const ms_motif_lists &w, uint32_t rank)
{
  uint32_t at = ms_motif_slot(l, rank);
  for (uint32_t found; (found = w.hash[at]) != MS_MOTIF_EMPTY; at = (at + 1) & (l.hash - 1))
    if (found == rank)
      return true;
  return false;
}

MS_DEVICE uint32_t ms_motif_insert(const ms_motif_launch &l, const ms_motif_lists &w, uint32_t rank)
{
  uint32_t at = ms_motif_slot(l, rank);
  while (ms_exchange(&w.hash[at], MS_MOTIF_EMPTY, rank) != MS_MOTIF_EMPTY)
    at = (at + 1) & (l.hash - 1);
  return at;
}

/* True if the kind of an entry is in a set of kinds. */
MS_DEVICE bool ms_motif_holds(const ms_motif_launch &l, uint32_t set, uint32_t kind)
{
  return l.set[set * l.kind_words + kind / 32] >> kind % 32 & 1;
}

/* Adds the neighbours of a vertex that may join the set and are not near it.  Returns false if
 * there is no room for them; a part of them is added then. */
MS_DEVICE bool ms_motif_widen(const ms_motif_launch &l, ms_motif_lists *w, uint32_t vertex,
                              uint32_t state)
{
  uint32_t end = l.offset[vertex + 1];
  uint32_t joins = l.joins[state], room = ms_motif_list_room(l.hash);
  for (uint32_t tile = l.offset[vertex]; tile < end; tile += MS_LANES) {
    uint32_t i = tile + ms_lane();
    uint32_t entry = i < end ? l.neighbor[i] : 0, rank = entry & MS_MOTIF_RANK_MASK;
    bool mine = i < end && rank > w->root &&
                ms_motif_holds(l, joins, entry >> MS_MOTIF_RANK_BITS) &&
                !ms_motif_is_near(l, *w, rank);
    uint32_t mask = ms_ballot(mine), some = ms_count_bits(mask);
    if (w->logged + some > room || w->base + w->count + some > ms_motif_stack_room(l.hash))
      return false;
    if (mine) {
      uint32_t at = ms_rank(mask);
      w->list[w->base + w->count + at] = entry;
      w->log[w->logged + at] = ms_motif_insert(l, *w, rank);
    }
    w->count += some;
    w->logged += some;
    ms_sync_warp();
  }
  return true;
}

/* Begins the list of a larger set with a copy of what is left of this one, behind it.  Returns
 * false if there is no room. */
MS_DEVICE bool ms_motif_copy(const ms_motif_launch &l, ms_motif_lists *w)
{
  if (w->base + 2 * w->count > ms_motif_stack_room(l.hash))
    return false;
  for (uint32_t i = ms_lane(); i < w->count; i += MS_LANES)
    w->list[w->base + w->count + i] = w->list[w->base + i];
  w->base += w->count;
  return true;
}

/* Takes off what was logged from a place on. */
MS_DEVICE void ms_motif_take_off(ms_motif_lists *w, uint32_t from)
{
  ms_sync_warp();
  for (uint32_t i = from + ms_lane(); i < w->logged; i += MS_LANES)
    w->hash[w->log[i]] = MS_MOTIF_EMPTY;
  w->logged = from;
  ms_sync_warp();
}

/* ---- the last two levels ----------------------------------------------------------- */

/* Returns how many entries of the list may join a set of kinds; the lane's set may be another one
 * than the next lane's. */
MS_DEVICE uint32_t ms_motif_pairs(const ms_motif_launch &l, const ms_motif_lists &w, bool active,
                                  uint32_t joins)
{
  uint32_t pairs = 0;
  for (uint32_t tile = 0; tile < w.count; tile += MS_LANES) {
    uint32_t i = tile + ms_lane(),
             kind = i < w.count ? w.list[w.base + i] >> MS_MOTIF_RANK_BITS : 0;
    uint32_t left = ms_ballot(i < w.count);
    while (left) {
      uint32_t leader = ms_of_lane(kind, ms_lowest(left));
      uint32_t same = ms_ballot(i < w.count && kind == leader);
      left &= ~same;
      if (active && ms_motif_holds(l, joins, leader))
        pairs += ms_count_bits(same);
    }
  }
  return pairs;
}

/* True if an entry of a candidate's row completes the set and the candidate. */
template <bool TAKES>
MS_DEVICE bool ms_motif_completes(const ms_motif_launch &l, const ms_motif_lists &w, uint32_t entry,
                                  uint32_t joins)
{
  uint32_t rank = entry & MS_MOTIF_RANK_MASK;
  bool completes = rank > w.root && ms_motif_holds(l, joins, entry >> MS_MOTIF_RANK_BITS) &&
                   !ms_motif_is_near(l, w, rank);
  if (TAKES && completes)
    ms_add(&l.taking[rank], 1ull);
  return completes;
}

/* Returns this lane's part of the number of entries in rows of candidates that complete the set and
 * their candidate.  A lane's candidate, unless `joins` is MS_NO_STATE, has this rank.  Lanes read
 * rows in groups: a row of a sparse graph is one sector of memory. */
template <bool TAKES>
MS_DEVICE uint32_t ms_motif_leads(const ms_motif_launch &l, const ms_motif_lists &w,
                                  uint32_t candidates, uint32_t rank, uint32_t joins)
{
  uint32_t begin = 0, length = 0, edges = 0;
  if (joins != MS_NO_STATE) {
    begin = l.offset[rank];
    length = l.offset[rank + 1] - begin;
  }
  uint32_t long_rows = ms_ballot(length > MS_MOTIF_GROUP_ROW);
  for (uint32_t c = 0; c < candidates; c += MS_LANES / MS_MOTIF_GROUP) {
    uint32_t lane = c + ms_lane() / MS_MOTIF_GROUP, mine = 0;
    uint32_t its = ms_of_lane(joins, lane), from = ms_of_lane(begin, lane),
             some = ms_of_lane(length, lane), of = TAKES ? ms_of_lane(rank, lane) : 0;
    if (some <= MS_MOTIF_GROUP_ROW)
      for (uint32_t i = ms_lane() % MS_MOTIF_GROUP; i < some; i += MS_MOTIF_GROUP)
        mine += ms_motif_completes<TAKES>(l, w, l.neighbor[from + i], its);
    if (TAKES && mine > 0)
      ms_add(&l.taking[of], (unsigned long long)mine);
    edges += mine;
  }
  for (; long_rows; long_rows &= long_rows - 1) {
    uint32_t lane = ms_lowest(long_rows), mine = 0;
    uint32_t its = ms_of_lane(joins, lane), from = ms_of_lane(begin, lane),
             some = ms_of_lane(length, lane), of = ms_of_lane(rank, lane);
    for (uint32_t i = ms_lane(); i < some; i += MS_LANES)
      mine += ms_motif_completes<TAKES>(l, w, l.neighbor[from + i], its);
    if (TAKES && mine > 0)
      ms_add(&l.taking[of], (unsigned long long)mine);
    edges += mine;
  }
  return edges;
}

/* Counts the matches that hold a set of size - 2 vertices. */
template <bool TAKES>
MS_DEVICE void ms_motif_fold(const ms_motif_launch &l, ms_motif_lists *w, uint32_t state)
{
  unsigned long long twice = 0, edges = 0;
  ms_sync_warp();
  for (uint32_t tile = 0; tile < w->count; tile += MS_LANES) {
    uint32_t i = tile + ms_lane(), entry = i < w->count ? w->list[w->base + i] : 0;
    uint32_t kind = entry >> MS_MOTIF_RANK_BITS, rank = entry & MS_MOTIF_RANK_MASK;
    uint32_t next = i < w->count ? l.next[state * l.kinds + kind] : MS_NO_STATE;
    bool active = next != MS_NO_STATE;
    uint32_t joins = active ? l.joins[next] : MS_NO_STATE, all = w->count - tile;
    uint32_t pairs = ms_motif_pairs(l, *w, active, joins);
    pairs -= active && ms_motif_holds(l, joins, kind);
    edges += ms_motif_leads<TAKES>(l, *w, all < MS_LANES ? all : MS_LANES, rank, joins);
    twice += pairs;
    if (TAKES && pairs > 0)
      ms_add(&l.taking[rank], (unsigned long long)pairs);
  }
  w->twice += twice;
  w->edges += edges;
  if (TAKES) {
    for (uint32_t d = 1; d < MS_LANES; d *= 2) {
      twice += ms_swap(twice, d);
      edges += ms_swap(edges, d);
    }
    for (uint32_t i = ms_lane(); i < l.size - 2 && twice / 2 + edges > 0; i += MS_LANES)
      ms_add(&l.taking[w->member[i]], twice / 2 + edges);
  }
}

/* Counts the matches that hold a set of size - 3 vertices, where all rows are short and kinds fit
 * into a word.  A group of lanes has one more vertex of the set's list; the groups work side by
 * side, each with a larger set.  What that vertex leads to, `fresh`, is kept behind the list, and
 * is looked up entry by entry.  Returns false if there is no room. */
MS_DEVICE bool ms_motif_fold_siblings(const ms_motif_launch &l, ms_motif_lists *w, uint32_t state,
                                      ms_motif_tally *t)
{
  const uint32_t groups = MS_LANES / MS_MOTIF_GROUP, lane = ms_lane() % MS_MOTIF_GROUP,
                 leader = ms_lane() - lane;
  const uint32_t *list = w->list + w->base;
  uint32_t *fresh = w->list + w->base + w->count + ms_lane() / MS_MOTIF_GROUP * l.longest;
  unsigned long long twice = 0, edges = 0;
  if (w->base + w->count + groups * l.longest > ms_motif_stack_room(l.hash))
    return false;
  for (uint32_t tile = 0; tile < w->count; tile += groups) {
    uint32_t i = tile + ms_lane() / MS_MOTIF_GROUP, entry = i < w->count ? list[i] : 0;
    uint32_t next =
        i < w->count ? l.next[state * l.kinds + (entry >> MS_MOTIF_RANK_BITS)] : MS_NO_STATE;
    bool active = next != MS_NO_STATE;
    uint32_t joins = active ? l.set[l.joins[next]] : 0, vertex = entry & MS_MOTIF_RANK_MASK;
    uint32_t at = active ? l.offset[vertex] + lane : 0, end = active ? l.offset[vertex + 1] : 0;
    uint32_t inherited = active ? i : 0, count = inherited;
    t->visits += ms_count_bits(ms_ballot(active && lane == 0));
    ms_sync_warp(); /* the tile before has been read */
    for (; ms_any(at < end); at += MS_MOTIF_GROUP) {
      uint32_t found = at < end ? l.neighbor[at] : 0, rank = found & MS_MOTIF_RANK_MASK;
      bool mine = at < end && rank > w->root && (joins >> (found >> MS_MOTIF_RANK_BITS) & 1) &&
                  !ms_motif_is_near(l, *w, rank);
      uint32_t mask = ms_ballot(mine) >> leader & ((1u << MS_MOTIF_GROUP) - 1);
      if (mine)
        fresh[count - inherited + ms_count_bits(mask & ((1u << lane) - 1))] = found;
      count += ms_count_bits(mask);
    }
    ms_sync_warp();
    for (uint32_t c = 0; ms_any(c < count); c += MS_MOTIF_GROUP) {
      uint32_t mine = c + lane, word = 0, from = 0, length = 0;
      uint32_t candidate = mine < inherited ? list[mine]
                           : mine < count   ? fresh[mine - inherited]
                                            : 0;
      uint32_t kind = candidate >> MS_MOTIF_RANK_BITS, rank = candidate & MS_MOTIF_RANK_MASK;
      uint32_t last = mine < count ? l.next[next * l.kinds + kind] : MS_NO_STATE;
      if (last != MS_NO_STATE) {
        word = l.set[l.joins[last]];
        from = l.offset[rank];
        length = l.offset[rank + 1] - from;
        uint32_t pairs = 0;
        for (uint32_t j = 0; j < inherited; j++)
          pairs += word >> (list[j] >> MS_MOTIF_RANK_BITS) & 1;
        for (uint32_t j = 0; j < count - inherited; j++)
          pairs += word >> (fresh[j] >> MS_MOTIF_RANK_BITS) & 1;
        twice += pairs - (word >> kind & 1);
      }
      for (uint32_t d = 0; d < MS_MOTIF_GROUP && ms_any(c + d < count); d++) {
        uint32_t its = ms_of_lane(word, leader + d), row = ms_of_lane(from, leader + d),
                 some = ms_of_lane(length, leader + d);
        for (uint32_t j = lane; j < some; j += MS_MOTIF_GROUP) {
          uint32_t found = l.neighbor[row + j], other = found & MS_MOTIF_RANK_MASK;
          bool completes = other > w->root && (its >> (found >> MS_MOTIF_RANK_BITS) & 1);
          for (uint32_t f = 0; completes && f < count - inherited; f++)
            completes = fresh[f] != found;
          edges += completes && !ms_motif_is_near(l, *w, other);
        }
      }
    }
  }
  w->twice += twice;
  w->edges += edges;
  ms_sync_warp();
  return true;
}

/* ---- the search of a root ---------------------------------------------------------- */

MS_DEVICE void ms_motif_save(ms_motif_lists *w, uint32_t size, uint32_t count, uint32_t logged,
                             uint32_t state)
{
  uint32_t *level = w->level + 3 * size;
  if (ms_lane() == 0) {
    level[0] = count;
    level[1] = logged;
    level[2] = state;
  }
  ms_sync_warp();
}

/* Counts the matches of a root.  Returns false if too much is near it. */
template <bool TAKES>
MS_DEVICE bool ms_motif_search(const ms_motif_launch &l, ms_motif_lists *w, uint32_t state,
                               ms_motif_tally *t)
{
  uint32_t size = 1, begin = 0; /* begin: places logged before the last vertex */
  if (!ms_motif_widen(l, w, w->root, state))
    return false;
  t->visits++;
  if (l.size == 3) {
    ms_motif_fold<TAKES>(l, w, state);
    return true;
  }
  for (uint32_t steps = 0;;) {
    if (!TAKES && l.longest > 0 && size + 3 == l.size && w->count > 0) {
      if (++steps % MS_MOTIF_LOOK == 0 && ms_motif_stops(l))
        return true;
      if (!ms_motif_fold_siblings(l, w, state, t))
        return false;
      w->count = 0;
    }
    if (w->count == 0) {
      ms_motif_take_off(w, begin);
      if (--size == 0)
        return true;
      const uint32_t *level = w->level + 3 * size;
      w->count = level[0];
      w->base -= w->count;
      begin = level[1];
      state = level[2];
      continue;
    }
    uint32_t entry = w->list[w->base + --w->count], vertex = entry & MS_MOTIF_RANK_MASK;
    uint32_t next = l.next[state * l.kinds + (entry >> MS_MOTIF_RANK_BITS)];
    if (next == MS_NO_STATE)
      continue;
    if (++steps % MS_MOTIF_LOOK == 0 && ms_motif_stops(l))
      return true;
    if (TAKES && ms_lane() == 0)
      w->member[size] = vertex;
    uint32_t count = w->count, logged = w->logged;
    ms_sync_warp(); /* the entry was read before it is overwritten */
    if (!ms_motif_copy(l, w) || !ms_motif_widen(l, w, vertex, next))
      return false;
    t->visits++;
    if (size + 3 == l.size) {
      if (w->count > 0)
        ms_motif_fold<TAKES>(l, w, next);
      ms_motif_take_off(w, logged);
      w->count = count;
      w->base -= count;
      continue;
    }
    ms_motif_save(w, size, count, begin, state);
    size++;
    begin = logged;
    state = next;
  }
}

template <bool TAKES>
MS_DEVICE void ms_motif_root(const ms_motif_launch &l, ms_motif_lists *w, uint32_t root,
                             ms_motif_tally *t)
{
  uint32_t state = l.next[l.kind[root]];
  if (state == MS_NO_STATE || (TAKES && l.left[root]))
    return;
  w->root = root;
  w->base = w->count = w->logged = 0;
  w->twice = w->edges = 0;
  if (TAKES && ms_lane() == 0)
    w->member[0] = root;
  bool done = ms_motif_search<TAKES>(l, w, state, t);
  ms_motif_take_off(w, 0);
  if (!done && ms_lane() == 0)
    l.left[root] = 1;
  unsigned long long twice = w->twice;
  for (uint32_t d = 1; d < MS_LANES; d *= 2)
    twice += ms_swap(twice, d);
  t->sum += done ? w->edges + (ms_lane() == 0 ? twice / 2 : 0) : 0;
  if (ms_any(t->sum >> 58 != 0))
    ms_motif_flush(l, t);
}

/* Makes a warp's tables in the block's memory. */
MS_DEVICE void ms_motif_begin_lists(const ms_motif_launch &l, ms_motif_lists *w, uint8_t *shared)
{
  w->hash = (uint32_t *)(shared + (uint64_t)ms_warp() * ms_motif_warp_bytes(l.hash));
  w->list = w->hash + l.hash;
  w->log = w->list + ms_motif_stack_room(l.hash);
  w->level = w->log + ms_motif_list_room(l.hash);
  w->member = w->level + 3 * MS_MAX_K;
  for (uint32_t i = ms_lane(); i < l.hash; i += MS_LANES)
    w->hash[i] = MS_MOTIF_EMPTY;
  ms_sync_warp();
}

/* Counts the roots of a launch.  shared: the block's memory. */
template <bool TAKES> MS_DEVICE void ms_motif_roots(const ms_motif_launch &l, uint8_t *shared)
{
  ms_motif_lists w;
  ms_motif_tally t = {0, 0};
  unsigned long long unit;
  ms_motif_begin_lists(l, &w, shared);
  while (ms_motif_take(l, &unit))
    ms_motif_root<TAKES>(l, &w, l.root[unit], &t);
  ms_motif_end(l, &t);
}

#endif
