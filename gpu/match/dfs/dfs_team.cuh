/* Chains (dfs_chain.cuh) in graphs of few edges, where a search takes as long as what one warp or
 * block does after the other.
 *
 * A block has every n-th root, where n is the number of blocks, because roots with neighbouring ids
 * have about the same work.  It looks at a root for each thread, and puts small universes into a
 * *batch* until the next one would make it more than 128 vertices.  A batch is searched like one
 * universe: no row of its matrix has bits of another universe than its own, so that products of
 * rows count the chains of all.  For each batch the block waits for memory three times (ids,
 * offsets, rows), however many roots it has.  A warp that takes root after root waits as often for
 * each, about 19,000 clocks for a root of email-Enron.  Universes that are not small are listed, as
 * by ms_dfs_local.
 *
 * A row of the matrix is made by eight lanes, which read 32 neighbours before they look up the
 * first one, in a hash table whose keys are ids and universes.  The edges that are found are
 * listed, and then each thread takes one after the other: of the vertices next to both ends it
 * counts the chains by AND and POPC.  There are few of these vertices in most batches: 3.4 in
 * wiki-Vote.  Products by tensor cores, which have tiles of 16 sets and 8 rows, would take about 23
 * million instructions for K5 of wiki-Vote, and this takes 3 million.  A batch of more
 * edges than are listed is dense, and is counted by products. */
#ifndef MS_GPU_MATCH_DFS_TEAM_CUH
#define MS_GPU_MATCH_DFS_TEAM_CUH

#include "gpu/match/dfs/dfs_local_block.cuh"

/* ---- the batch's vertices ------------------------------------------------------------------- */

/* Returns the key of a vertex; the universe is given by its first place. */
MS_DEVICE uint32_t ms_team_key(uint32_t x, uint32_t base)
{
  return x * MS_CHAIN_SMALL + base;
}

MS_DEVICE uint32_t ms_team_at(uint32_t key)
{
  return (key * 0x9e3779b1u >> 16) % MS_TEAM_TABLE;
}

/* Enters a vertex into the table, whose keys are MS_NO_PLACE at first. */
MS_DEVICE void ms_team_enter(ms_team *team, uint32_t x, uint32_t base, uint32_t place)
{
  uint32_t key = ms_team_key(x, base), at = ms_team_at(key);
  while (ms_exchange(&team->key[at], MS_NO_PLACE, key) != MS_NO_PLACE)
    at = (at + 1) % MS_TEAM_TABLE;
  team->place[at] = (uint8_t)place;
}

/* Returns the number of entries from `from` on whose universes are a batch, and sets *size to the
 * number of its vertices. */
MS_DEVICE uint32_t ms_team_batch(const ms_team *team, uint32_t from, uint32_t *size)
{
  uint32_t end = from;
  *size = 0;
  while (end < team->small && *size + team->entry[end].length <= MS_CHAIN_SMALL)
    *size += team->entry[end++].length;
  return end - from;
}

/* Loads the vertices of a batch, which begins with the entry `from`, and finds their rows. */
MS_DEVICE void ms_team_load(const ms_local &l, ms_team *team, uint32_t from, uint32_t threads)
{
  const ms_device_program &p = *l.w.p;
  const ms_device_rows &rows = l.w.index->rows[0];
  bool filtered = p.chain_filter != MS_NO_FILTER;
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < l.size; i += threads) {
    uint32_t base = 0, e = from;
    for (; i - base >= team->entry[e].length; e++)
      base += team->entry[e].length;
    uint32_t v = team->entry[e].ids[i - base], smaller = rows.smaller[v];
    unsigned long long begin = rows.offset[v] + smaller;
    bool holds = !filtered || ms_domain_holds(p.filter[p.chain_filter], v);
    team->base[i] = base;
    team->begin[i] = begin;
    team->length[i] = holds ? (uint32_t)(rows.offset[v + 1] - begin) : 0;
    if (holds) /* others have no edges */
      ms_team_enter(team, v, base, i);
  }
}

/* Enters an edge into the matrix and the list. */
MS_DEVICE void ms_team_edge(ms_team *team, uint32_t at, uint32_t to)
{
  (void)ms_or(&team->matrix[at * MS_CHAIN_WORDS + to / 32], 1u << to % 32);
  uint32_t i = ms_add(&team->edges, 1u);
  if (i < MS_TEAM_EDGES)
    team->edge[i] = (uint16_t)(at * MS_CHAIN_SMALL + to);
}

/* Enters the edges that join the place `at` and the valid ones of x[MS_READS]. */
MS_DEVICE void ms_team_look_up(ms_team *team, uint32_t at, const uint32_t *x, uint32_t valid)
{
  uint32_t base = team->base[at], place[MS_READS], key[MS_READS];
#pragma unroll
  for (uint32_t i = 0; i < MS_READS; i++) {
    place[i] = ms_team_at(ms_team_key(x[i], base));
    key[i] = valid >> i & 1 ? team->key[place[i]] : MS_NO_PLACE;
  }
#pragma unroll
  for (uint32_t i = 0; i < MS_READS; i++) {
    while (key[i] != MS_NO_PLACE && key[i] != ms_team_key(x[i], base)) {
      place[i] = (place[i] + 1) % MS_TEAM_TABLE;
      key[i] = team->key[place[i]];
    }
    if (key[i] != MS_NO_PLACE)
      ms_team_edge(team, at, team->place[place[i]]);
  }
}

/* Enters all edges of the batch's universes. */
MS_DEVICE void ms_team_edges(const ms_local &l, ms_team *team, uint32_t warps)
{
  uint32_t few = MS_LANES < 8 ? MS_LANES : 8, tiles = MS_LANES / few, tile = ms_lane() / few;
  if (tile >= tiles) /* lanes without a row */
    return;
  for (uint32_t at = ms_warp() * tiles + tile; at < l.size; at += warps * tiles) {
    const uint32_t *row = l.w.index->rows[0].neighbor + team->begin[at];
    for (uint32_t first = ms_lane() % few, end = team->length[at]; first < end;
         first += MS_READS * few) {
      uint32_t x[MS_READS], valid = 0;
#pragma unroll
      for (uint32_t i = 0; i < MS_READS; i++) {
        bool is_there = first + i * few < end;
        x[i] = is_there ? row[first + i * few] : 0;
        valid |= (uint32_t)is_there << i;
      }
      ms_team_look_up(team, at, x, valid);
    }
  }
}

/* ---- a batch -----------------------------------------------------------------------------------
 */

MS_DEVICE ms_chain_set ms_team_row(const ms_team *team, uint32_t at)
{
  return *(const ms_chain_set *)(team->matrix + at * MS_CHAIN_WORDS);
}

MS_DEVICE ms_chain_set ms_team_meet(const ms_chain_set &a, const ms_chain_set &b)
{
  ms_chain_set both;
#pragma unroll
  for (uint32_t i = 0; i < MS_CHAIN_WORDS; i++)
    both.word[i] = a.word[i] & b.word[i];
  return both;
}

/* Returns the number of ways to place LEFT vertices in the set. */
template <uint32_t LEFT> MS_DEVICE uint64_t ms_team_within(const ms_team *team, ms_chain_set set)
{
  uint64_t found = 0;
#pragma unroll
  for (uint32_t i = 0; i < MS_CHAIN_WORDS; i++) {
    if constexpr (LEFT == 1)
      found += ms_count_bits(set.word[i]);
    else
      for (uint32_t bits = set.word[i]; bits; bits &= bits - 1)
        found += ms_team_within<LEFT - 1>(
            team, ms_team_meet(set, ms_team_row(team, i * 32 + ms_lowest(bits))));
  }
  return found;
}

/* Counts the chains at the listed edges with LEFT vertices after them.  Each lane returns its part.
 */
template <uint32_t LEFT> MS_DEVICE uint64_t ms_team_listed(const ms_team *team, uint32_t threads)
{
  uint64_t found = 0;
  for (uint32_t i = ms_warp() * MS_LANES + ms_lane(); i < team->edges; i += threads) {
    uint32_t first = team->edge[i] / MS_CHAIN_SMALL, second = team->edge[i] % MS_CHAIN_SMALL;
    found += ms_team_within<LEFT>(
        team, ms_team_meet(ms_team_row(team, first), ms_team_row(team, second)));
  }
  return found;
}

/* Counts long chains with each vertex of the batch at level 1, which the block's warps share.
 * Each lane returns its part.  32 lanes. */
MS_DEVICE uint64_t ms_team_long(ms_local &l, const ms_chain_walk &c, uint32_t *next)
{
  ms_fragments f = ms_load_fragments(c.m);
  uint64_t found = 0;
  uint32_t at;
  while (ms_may_continue(l.w) && (at = ms_chain_share(next, 1, 0, c.m.size)) < c.m.size) {
    found += ms_chain_small_set(l, c, f, c.m.row[at * MS_CHAIN_WORDS + ms_lane() % 4],
                                l.w.p->prefix - 1, 0);
    ms_sync_warp(); /* all lanes have read the list of waiting sets, which the next turn writes */
  }
  return found;
}

/* Counts the chains in the batch's matrix. */
MS_DEVICE void ms_team_count(ms_local &l, const ms_team *team, uint32_t warps, uint32_t *next)
{
  uint32_t levels = l.w.p->prefix, threads = warps * MS_LANES;
  ms_chain_walk c = ms_chain_walk_of(l, MS_CHAIN_SMALL, 0, 0);
  if (team->edges > MS_TEAM_EDGES && MS_LANES == 32 && levels > MS_SHORT_CHAIN) {
    ms_chain_add(l, ms_team_long(l, c, next));
  } else if (team->edges > MS_TEAM_EDGES) {
    c.room = MS_LANES == 32 ? MS_CHAIN_ROOM : 0; /* the batch's matrix is a small one */
    ms_chain_children(l, c, 0, l.size, next);
  } else {
    ms_chain_add(l, levels == 3   ? ms_team_listed<1>(team, threads)
                    : levels == 4 ? ms_team_listed<2>(team, threads)
                    : levels == 5 ? ms_team_listed<3>(team, threads)
                                  : ms_team_listed<4>(team, threads));
  }
}

/* Makes the matrix of the batch of l.size vertices from the entry `from` on, and searches it, by
 * all warps of the block. */
MS_DEVICE void ms_team_search(ms_local &l, ms_team *team, uint32_t from, uint32_t warps,
                              uint32_t *next)
{
  uint32_t threads = warps * MS_LANES;
  ms_sync_block(); /* the batch before is searched */
  ms_fill_words(0, l.matrix, sizeof team->matrix, threads);
  ms_fill_words(MS_NO_PLACE, team->key, sizeof team->key, threads);
  if (ms_warp() == 0 && ms_lane() == 0)
    *next = team->edges = 0;
  ms_sync_block();
  ms_team_load(l, team, from, threads);
  ms_sync_block();
  ms_team_edges(l, team, warps);
  ms_sync_block();
  ms_team_count(l, team, warps, next);
}

/* ---- roots -------------------------------------------------------------------------------------
 */

/* Notes the universes of the block's roots from `round` on, one for each thread: small ones from
 * the first place on, and those that are to be listed from the last one on. */
MS_DEVICE void ms_team_note(const ms_local &l, const ms_dfs_launch &launch, ms_team *team,
                            uint64_t round)
{
  uint32_t threads = launch.warps * MS_LANES, thread = ms_warp() * MS_LANES + ms_lane(), ignored;
  uint64_t place = round + (uint64_t)thread * launch.blocks + ms_block();
  uint64_t unit =
      place < ms_places_of_launch(launch) ? ms_unit_of_launch(launch, place) : launch.share.units;
  if (unit >= launch.share.units)
    return;
  ms_device_span universe = ms_universe<true>(l.w, ms_root_at(l.w, (uint32_t)unit), &ignored);
  bool large = universe.length > launch.small;
  if (universe.length < l.w.p->local_need || (!large && !ms_counts_root(launch, unit)))
    return;
  uint32_t at = ms_add(large ? &team->large : &team->small, 1u);
  ms_team_entry entry = {universe.ids, universe.length, (uint32_t)unit};
  team->entry[large ? threads - 1 - at : at] = entry;
}

MS_DEVICE void ms_dfs_team_chains(const ms_dfs_launch &launch, uint8_t *shared)
{
  ms_dfs_block *block = (ms_dfs_block *)shared;
  ms_team *team = (ms_team *)(shared + sizeof *block + launch.warps * launch.warp_bytes);
  uint32_t threads = launch.warps * MS_LANES;
  ms_begin_block(launch, shared, false);
  ms_local l = {};
  l.w = ms_walk_of(launch, shared, false);
  ms_local_place(l, shared + sizeof *block + ms_warp() * launch.warp_bytes, (uint8_t *)team->key, 0,
                 MS_CHAIN_WORDS, (uint8_t *)team->matrix);
  l.stride = MS_CHAIN_WORDS;
  for (uint64_t round = 0; round < ms_places_of_launch(launch);
       round += (uint64_t)launch.blocks * threads) {
    if (ms_warp() == 0 && ms_lane() == 0) {
      team->large = team->small = 0;
      (void)ms_add(&launch.queue->next, (unsigned long long)threads); /* for who looks at it */
      block->stop = ms_peek(&launch.queue->stop);
    }
    ms_sync_block();
    if (block->stop)
      break;
    ms_team_note(l, launch, team, round);
    ms_sync_block();
    for (uint32_t i = ms_warp(); i < team->large; i += launch.warps) {
      const ms_team_entry &e = team->entry[threads - 1 - i];
      ms_device_span universe = {e.ids, 0, e.length};
      ms_list_universe<true>(l, launch, e.number, universe);
    }
    for (uint32_t from = 0; from < team->small;) {
      uint32_t count = ms_team_batch(team, from, &l.size);
      l.words = (l.size + 31) / 32;
      ms_team_search(l, team, from, launch.warps, &block->child);
      from += count;
    }
    ms_sync_block();
  }
  ms_end_block(launch, shared, l.w);
}

#endif
