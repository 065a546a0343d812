/* The vertices in which a local program (dfs_local.cuh) or a program of codegrees
 * (dfs_local_block.cuh) searches, and how elements of rows are looked up in them.
 *
 * Most elements that are looked up are not in the universe.  Nearly all of these are
 * found out by one bit of a *filter*, in which each vertex of the universe sets the bit
 * of the lowest bits of its id.  The others wait until there is one for each lane; then
 * a warp searches for them, and a block has a hash table. */
#ifndef MS_GPU_MATCH_DFS_UNIVERSE_CUH
#define MS_GPU_MATCH_DFS_UNIVERSE_CUH

#include "gpu/match/dfs/dfs_visit.cuh"

typedef struct ms_local {
  ms_walk w; /* program, index, queue, sum */
  uint32_t size, words,
      stride; /* of the universe; stride: number of words between the beginnings of two rows */
  uint32_t root_at;     /* number of vertices of the universe that are smaller than the root */
  uint32_t first_row;   /* the first place that has a row in the matrix */
  const uint32_t *ids;  /* [size] */
  uint32_t *finder;     /* [finder_room] hash table of places; NULL: places are searched for */
  uint32_t finder_room; /* a power of two, at least twice the size */
  uint32_t *filter;     /* [filter_mask + 1] bits, see above */
  uint32_t filter_mask;
  uint32_t *matrix; /* [size - first_row][stride]; for programs of ends: [size] numbers of
                       neighbours */
  uint32_t *masks;  /* [n_filters][stride] */
  /* the warp's data in shared memory */
  uint32_t *sets;  /* [n_local_slots][stride] */
  uint32_t *match; /* [prefix] positions */
  uint32_t *list;  /* [MS_LOCAL_LISTS] two lists of 2 MS_LANES */
} ms_local;

/* ---- a hash table, or a search -------------------------------------------------------- */

/* In place of a vertex's place in the hash table. */
#define MS_NO_PLACE 0xffffffffu

MS_DEVICE uint32_t ms_finder_hash(const ms_local &l, uint32_t x)
{
  return (x * 0x9e3779b1u >> 16) & (l.finder_room - 1);
}

/* Enters the universe's vertices into the hash table, whose entries are MS_NO_PLACE. */
MS_DEVICE void ms_finder_fill(const ms_local &l, uint32_t warp, uint32_t warps)
{
  for (uint32_t i = warp * MS_LANES + ms_lane(); i < l.size; i += warps * MS_LANES) {
    uint32_t at = ms_finder_hash(l, l.ids[i]);
    while (ms_exchange(&l.finder[at], MS_NO_PLACE, i) != MS_NO_PLACE)
      at = (at + 1) & (l.finder_room - 1);
  }
}

/* Returns the position of x in the universe, or the universe's size if x is not in it. */
MS_DEVICE uint32_t ms_find(const ms_local &l, uint32_t x)
{
  if (l.finder) {
    uint32_t at = ms_finder_hash(l, x), place;
    while ((place = l.finder[at]) != MS_NO_PLACE && l.ids[place] != x)
      at = (at + 1) & (l.finder_room - 1);
    return place == MS_NO_PLACE ? l.size : place;
  }
  const uint32_t *ids = l.ids;
  uint32_t n = l.size;
  while (n > 1) {
    uint32_t half = n / 2;
    ids += ids[half - 1] < x ? half : 0;
    n -= half;
  }
  return *ids == x ? (uint32_t)(ids - l.ids) : l.size;
}

/* ---- the filter --------------------------------------------------------------------------- */

/* Clears the filter, with the warps of the team. */
MS_DEVICE void ms_filter_clear(ms_local &l, uint32_t warp, uint32_t warps)
{
  uint32_t words = ms_filter_words(l.size);
  l.filter_mask = 32 * words - 1;
  for (uint32_t i = warp * MS_LANES + ms_lane(); i < words; i += warps * MS_LANES)
    l.filter[i] = 0;
}

MS_DEVICE void ms_filter_fill(const ms_local &l, uint32_t warp, uint32_t warps)
{
  for (uint32_t i = warp * MS_LANES + ms_lane(); i < l.size; i += warps * MS_LANES) {
    uint32_t bit = l.ids[i] & l.filter_mask;
    (void)ms_or(&l.filter[bit / 32], 1u << bit % 32);
  }
}

/* False if x is not in the universe. */
MS_DEVICE bool ms_filter_holds(const ms_local &l, uint32_t x)
{
  uint32_t bit = x & l.filter_mask;
  return l.filter[bit / 32] >> bit % 32 & 1;
}

/* ---- elements that the filter lets pass ------------------------------------------------- */

/* Calls visit(first + i, x) for elements x of the rows of the lanes that the filter lets pass; i is
 * the lane whose row, neighbor[begin .. begin + length), holds x.  x need not be in the universe.
 * Elements wait in the warp's lists, *waiting of them, until each lane has one; fewer than that
 * are left there, for the next call or for ms_visit_waiting.  All lanes call it, and the visits,
 * together.  SHORT_READS: of ms_visit_rows. */
template <uint32_t SHORT_READS, typename visitor>
MS_DEVICE void ms_visit_filtered(const ms_local &l, const uint32_t *neighbor,
                                 unsigned long long begin, uint32_t length, uint32_t first,
                                 uint32_t *waiting, const visitor &visit)
{
  uint32_t *place = l.list, *id = l.list + MS_LOCAL_LISTS / 2;
  ms_visit_rows<SHORT_READS>(neighbor, begin, length, [&](uint32_t x, uint32_t from, bool valid) {
    bool fits = valid && ms_filter_holds(l, x);
    uint32_t mask = ms_ballot(fits);
    if (!mask)
      return;
    if (fits) {
      uint32_t to = *waiting + ms_rank(mask);
      place[to] = first + from;
      id[to] = x;
    }
    *waiting += ms_count_bits(mask);
    ms_sync_warp();
    if (*waiting >= MS_LANES) {
      *waiting -= MS_LANES;
      visit(place[*waiting + ms_lane()], id[*waiting + ms_lane()]);
      ms_sync_warp();
    }
  });
}

/* Visits the elements that still wait, fewer than there are lanes. */
template <typename visitor>
MS_DEVICE void ms_visit_waiting(const ms_local &l, uint32_t waiting, const visitor &visit)
{
  if (ms_lane() < waiting)
    visit(l.list[ms_lane()], l.list[MS_LOCAL_LISTS / 2 + ms_lane()]);
  ms_sync_warp();
}

#endif
