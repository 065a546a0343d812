/* The stages of pruning on a GPU (gpu/sieve/prune.c).  Where rows are read, a warp takes a vertex,
 * so that the arcs of a row are read together and a hub does not keep one lane busy alone; its 32
 * lanes then hold one vertex, and elsewhere 32 vertices. */
#ifndef MS_GPU_SIEVE_PRUNE_CUH
#define MS_GPU_SIEVE_PRUNE_CUH

#include "gpu/common/warp.cuh"
#include "gpu/sieve/prune_device.h"
#include "gpu/sieve/sieve_device.h"

/* Returns the slots of a vertex if it has one only, else 0: a neighbour with the same mask is at
 * the other end of an arc that does not stay, as is one without a slot. */
MS_DEVICE uint32_t ms_prune_alike(uint32_t mask)
{
  return (mask & (mask - 1)) == 0 ? mask : 0;
}

MS_DEVICE uint32_t ms_prune_or_of_lanes(uint32_t x)
{
#ifndef MS_EMULATED
  return __reduce_or_sync(0xffffffffu, x);
#else
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < MS_LANES; lane++)
    bits |= ms_of_lane(x, lane);
  return bits;
#endif
}

/* Sets a flag that many lanes may set. */
MS_DEVICE void ms_prune_set(uint32_t *flag)
{
  if (ms_peek(flag) == 0)
    ms_or(flag, 1);
}

/* The warp's number in the grid, and the number of warps. */
MS_DEVICE uint64_t ms_prune_warp()
{
  return (uint64_t)ms_block() * MS_PRUNE_WARPS + ms_warp();
}

MS_DEVICE uint64_t ms_prune_warps(const ms_prune_launch &l)
{
  return (uint64_t)l.blocks * MS_PRUNE_WARPS;
}

/* ---- too far ------------------------------------------------------------------------------- */

MS_DEVICE void ms_prune_near(const ms_prune_launch &l)
{
  for (uint64_t v = ms_prune_warp(); v < l.n; v += ms_prune_warps(l)) {
    const uint32_t own = l.mask[v], alike = ms_prune_alike(own);
    uint32_t near = own, count = 0;
    if (own != 0)
      for (uint64_t a = l.offset[v] + ms_lane(); a < l.offset[v + 1]; a += MS_LANES) {
        uint32_t other = l.mask[l.head[a]];
        count += other != 0 && other != alike;
        near |= other;
      }
    near = ms_prune_or_of_lanes(near);
    count = ms_sum_of_lanes(count);
    if (ms_lane() == 0) {
      l.reach[v] = near;
      l.left[v] = own ? count : MS_PRUNE_DROPPED;
      if (own != 0 && near != l.all)
        ms_prune_set(&l.facts->missing);
      if (own == 0)
        ms_prune_set(&l.facts->slotless);
    }
  }
}

MS_DEVICE void ms_prune_hop(const ms_prune_launch &l)
{
  for (uint64_t v = ms_prune_warp(); v < l.n; v += ms_prune_warps(l)) {
    const uint32_t own = l.mask[v], alike = ms_prune_alike(own), before = l.reach[v];
    uint32_t bits = before;
    if (own != 0 && before != l.all)
      for (uint64_t a = l.offset[v] + ms_lane(); a < l.offset[v + 1]; a += MS_LANES) {
        uint32_t u = l.head[a], other = l.mask[u];
        if (other != 0 && other != alike)
          bits |= l.reach[u];
      }
    bits = ms_prune_or_of_lanes(bits);
    if (ms_lane() == 0) {
      l.next[v] = bits;
      if (bits != before)
        ms_prune_set(&l.facts->changed);
      if (own != 0 && bits != l.all)
        ms_prune_set(&l.facts->missing);
    }
  }
}

MS_DEVICE void ms_prune_far(const ms_prune_launch &l)
{
  for (uint64_t first = ms_prune_warp() * MS_LANES; first < l.n;
       first += ms_prune_warps(l) * MS_LANES) {
    const uint64_t v = first + ms_lane();
    const bool drops = v < l.n && l.mask[v] != 0 && l.reach[v] != l.all;
    if (drops)
      l.mask[v] = 0;
    const uint32_t count = ms_count_bits(ms_ballot(drops));
    if (ms_lane() == 0 && count > 0)
      ms_add(&l.facts->far, count);
  }
}

/* ---- components ------------------------------------------------------------------------------
 * A forest of parents that are never larger than their children, as in graph/walk/components.c: a
 * root is the smallest vertex of its tree.  A parent that is read too early is an ancestor, too.
 *
 * Two arcs of each vertex join nearly all vertices of most graphs.  Of the other arcs, those within
 * the giant tree need not be read (Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity
 * computation via subgraph sampling", 2018): its vertices are skipped, so that an arc between it
 * and another tree is met from the other tree's end. */

/* Returns the root of v, and shortens the way there for others. */
MS_DEVICE uint32_t ms_prune_root(uint32_t *parent, uint32_t v)
{
  uint32_t up = ms_peek(parent + v);
  while (up != v) {
    const uint32_t above = ms_peek(parent + up);
    if (above == up)
      return up;
    parent[v] = above;
    v = up;
    up = above;
  }
  return v;
}

MS_DEVICE void ms_prune_unite(uint32_t *parent, uint32_t u, uint32_t v)
{
  uint32_t a = ms_prune_root(parent, u), b = ms_prune_root(parent, v);
  while (a != b) {
    const uint32_t high = a > b ? a : b, low = a > b ? b : a;
    const uint32_t above = ms_exchange(parent + high, high, low); /* only a root gets a parent */
    if (above == high)
      return;
    a = above;
    b = low;
  }
}

/* A vertex begins below its smallest neighbour, if that is smaller and is found soon. */
MS_DEVICE void ms_prune_plant(const ms_prune_launch &l)
{
  enum { MOST_ARCS = 8 };
  for (uint64_t v = ms_prune_warp() * MS_LANES + ms_lane(); v < l.n;
       v += ms_prune_warps(l) * MS_LANES) {
    const uint32_t own = l.mask[v], alike = ms_prune_alike(own);
    const uint64_t begin = l.offset[v], end = l.offset[v + 1];
    uint32_t up = (uint32_t)v;
    for (uint64_t a = begin; own != 0 && a < end && a < begin + MOST_ARCS; a++) {
      const uint32_t u = l.head[a];
      if (u >= v)
        break;
      const uint32_t other = l.mask[u];
      if (other != 0 && other != alike) {
        up = u;
        break;
      }
    }
    l.parent[v] = up;
  }
}

MS_DEVICE void ms_prune_hang(uint32_t *parent, uint32_t root, uint32_t other)
{
  uint32_t up = ms_peek(parent + root);
  while (other < up) {
    const uint32_t before = ms_exchange(parent + root, up, other);
    if (before == up)
      return;
    up = before;
  }
}

/* Hangs the tree of a vertex below that of its second neighbour, or the reverse, if this neighbour
 * is found soon: the first one may have been taken by ms_prune_plant.  A root takes the least of
 * the roots that it meets, and forgets the others. */
MS_DEVICE void ms_prune_link(const ms_prune_launch &l)
{
  enum { MOST_ARCS = 8 };
  for (uint64_t v = ms_prune_warp() * MS_LANES + ms_lane(); v < l.n;
       v += ms_prune_warps(l) * MS_LANES) {
    const uint32_t own = l.mask[v], alike = ms_prune_alike(own), root = l.root[v];
    const uint64_t begin = l.offset[v], end = l.offset[v + 1];
    uint32_t seen = 0, other_root = root;
    for (uint64_t a = begin; own != 0 && seen < 2 && a < end && a < begin + MOST_ARCS; a++) {
      const uint32_t u = l.head[a], other = l.mask[u];
      seen += other != 0 && other != alike;
      if (seen == 2)
        other_root = l.root[u];
    }
    if (other_root < root)
      ms_prune_hang(l.parent, root, other_root);
    if (root < other_root)
      ms_prune_hang(l.parent, other_root, root);
  }
}

/* Another lane that shortens a way may replace a root in parent[] by a vertex that it has met below
 * it, so what is read afterwards is root[]. */
MS_DEVICE void ms_prune_flatten(const ms_prune_launch &l)
{
  for (uint64_t v = ms_prune_warp() * MS_LANES + ms_lane(); v < l.n;
       v += ms_prune_warps(l) * MS_LANES) {
    const uint32_t root = ms_prune_root(l.parent, (uint32_t)v);
    l.parent[v] = root;
    l.root[v] = root; /* parent[v] may be another one by now */
  }
}

/* Takes the commonest root among as many vertices as there are lanes. */
MS_DEVICE void ms_prune_giant(const ms_prune_launch &l)
{
  enum { MOST_LOOKS = 64 };
  if (ms_prune_warp() > 0)
    return;
  uint64_t v = (uint64_t)l.n * ms_lane() / MS_LANES;
  for (uint32_t look = 0; look < MOST_LOOKS && v + 1 < l.n && l.mask[v] == 0; look++)
    v++;
  const uint32_t root = l.root[v];
  uint32_t alike = 0;
  for (uint32_t lane = 0; lane < MS_LANES; lane++)
    alike += ms_of_lane(root, lane) == root;
  uint32_t most = 0, giant = 0;
  for (uint32_t lane = 0; lane < MS_LANES; lane++) {
    const uint32_t count = ms_of_lane(alike, lane), candidate = ms_of_lane(root, lane);
    giant = count > most ? candidate : giant;
    most = count > most ? count : most;
  }
  if (ms_lane() == 0)
    l.facts->giant = giant;
}

/* Each edge is met from its larger end, or from the one end that is not in the giant tree.  Whether
 * a vertex is in it is what root[] says, which does not change meanwhile. */
MS_DEVICE void ms_prune_join(const ms_prune_launch &l)
{
  const uint32_t giant = l.facts->giant;
  for (uint64_t v = ms_prune_warp(); v < l.n; v += ms_prune_warps(l)) {
    const uint32_t own = l.mask[v], alike = ms_prune_alike(own);
    if (own == 0 || l.root[v] == giant)
      continue;
    for (uint64_t a = l.offset[v] + ms_lane(); a < l.offset[v + 1]; a += MS_LANES) {
      const uint32_t u = l.head[a], other = l.mask[u];
      if (other != 0 && other != alike && (u < v || l.root[u] == giant))
        ms_prune_unite(l.parent, (uint32_t)v, u);
    }
  }
}

/* Most vertices are in one component, so lanes of the first one's tree count together. */
MS_DEVICE void ms_prune_size(const ms_prune_launch &l)
{
  for (uint64_t first = ms_prune_warp() * MS_LANES; first < l.n;
       first += ms_prune_warps(l) * MS_LANES) {
    const uint64_t v = first + ms_lane();
    const bool counts = v < l.n && l.mask[v] != 0;
    const uint32_t root = counts ? l.root[v] : 0, some = ms_ballot(counts);
    if (some == 0)
      continue;
    const uint32_t common = ms_of_lane(root, ms_lowest(some));
    const uint32_t same = ms_ballot(counts && root == common);
    if (counts && root != common)
      ms_add(l.size + root, 1u);
    if (ms_lane() == ms_lowest(some))
      ms_add(l.size + common, ms_count_bits(same));
  }
}

MS_DEVICE void ms_prune_small(const ms_prune_launch &l)
{
  for (uint64_t first = ms_prune_warp() * MS_LANES; first < l.n;
       first += ms_prune_warps(l) * MS_LANES) {
    const uint64_t v = first + ms_lane();
    const bool there = v < l.n && l.mask[v] != 0;
    const uint32_t root = there ? l.root[v] : 0;
    const bool drops = there && l.size[root] < l.least;
    if (drops)
      l.mask[v] = 0;
    const uint32_t dropped = ms_count_bits(ms_ballot(drops)),
                   roots = ms_count_bits(ms_ballot(there && !drops && root == v));
    if (ms_lane() == 0 && dropped > 0)
      ms_add(&l.facts->poor, dropped);
    if (ms_lane() == 0 && roots > 0)
      ms_add(&l.facts->components, roots);
  }
}

/* ---- the result ------------------------------------------------------------------------------ */

MS_DEVICE unsigned long long ms_prune_sum_of_lanes(unsigned long long x)
{
  for (uint32_t bits = 1; bits < MS_LANES; bits *= 2)
    x += ms_swap(x, bits);
  return x;
}

/* Returns the sum of x of this lane and of the lanes below it. */
MS_DEVICE unsigned long long ms_prune_sum_up_to_lane(unsigned long long x)
{
  for (uint32_t step = 1; step < MS_LANES; step *= 2) {
    const bool adds = ms_lane() >= step;
    const unsigned long long below = ms_of_lane(x, adds ? ms_lane() - step : ms_lane());
    x += adds ? below : 0;
  }
  return x;
}

MS_DEVICE uint64_t ms_prune_chunk_end(const ms_prune_launch &l, uint64_t chunk)
{
  const uint64_t end = (chunk + 1) * l.chunk;
  return end < l.n ? end : l.n;
}

MS_DEVICE void ms_prune_count(const ms_prune_launch &l)
{
  for (uint64_t chunk = ms_prune_warp(); chunk < l.chunks; chunk += ms_prune_warps(l)) {
    uint32_t vertices = 0, hubs = 0, most = 0;
    unsigned long long arcs = 0;
    for (uint64_t v = chunk * l.chunk + ms_lane(); v < ms_prune_chunk_end(l, chunk);
         v += MS_LANES) {
      const uint32_t left = l.left[v];
      if (left == MS_PRUNE_DROPPED)
        continue;
      vertices++;
      arcs += left;
      hubs += left > MS_HUB;
      most = left > most ? left : most;
    }
    vertices = ms_sum_of_lanes(vertices);
    arcs = ms_prune_sum_of_lanes(arcs);
    hubs = ms_sum_of_lanes(hubs);
    if (most > ms_peek(&l.facts->most))
      (void)ms_max(&l.facts->most, most);
    if (ms_lane() == 0) {
      l.sum[chunk].vertices = vertices;
      l.sum[chunk].arcs = arcs;
      if (hubs > 0)
        ms_add(&l.facts->hubs, hubs);
    }
  }
}

/* Finds the numbers of vertices and arcs that stay in the chunks before this one. */
MS_DEVICE void ms_prune_before(const ms_prune_launch &l, uint64_t chunk, uint32_t *vertices,
                               unsigned long long *arcs)
{
  uint32_t own_vertices = 0;
  unsigned long long own_arcs = 0;
  for (uint64_t c = ms_lane(); c < chunk; c += MS_LANES) {
    own_vertices += l.sum[c].vertices;
    own_arcs += l.sum[c].arcs;
  }
  *vertices = ms_sum_of_lanes(own_vertices);
  *arcs = ms_prune_sum_of_lanes(own_arcs);
}

MS_DEVICE void ms_prune_number(const ms_prune_launch &l)
{
  for (uint64_t chunk = ms_prune_warp(); chunk < l.chunks; chunk += ms_prune_warps(l)) {
    const uint64_t end = ms_prune_chunk_end(l, chunk);
    uint32_t vertices;
    unsigned long long arcs;
    ms_prune_before(l, chunk, &vertices, &arcs);
    for (uint64_t first = chunk * l.chunk; first < end; first += MS_LANES) {
      const uint64_t v = first + ms_lane();
      const uint32_t left = v < end ? l.left[v] : MS_PRUNE_DROPPED;
      const bool stays = left != MS_PRUNE_DROPPED;
      const uint32_t staying = ms_ballot(stays), id = vertices + ms_rank(staying);
      const unsigned long long with = ms_prune_sum_up_to_lane(stays ? left : 0);
      if (v < end && l.new_id)
        l.new_id[v] = stays ? id : MS_PRUNE_DROPPED;
      if (stays)
        l.new_offset[id] = arcs + with - left;
      vertices += ms_count_bits(staying);
      arcs += ms_of_lane(with, MS_LANES - 1);
    }
    if (chunk + 1 == l.chunks && ms_lane() == 0) {
      l.new_offset[vertices] = arcs;
      l.facts->vertices = vertices;
      l.facts->arcs = arcs;
    }
  }
}

MS_DEVICE void ms_prune_copy(const ms_prune_launch &l)
{
  for (uint64_t v = ms_prune_warp(); v < l.n; v += ms_prune_warps(l)) {
    const uint32_t id = l.new_id ? l.new_id[v] : (uint32_t)v;
    if (id == MS_PRUNE_DROPPED)
      continue;
    const uint32_t alike = ms_prune_alike(l.mask[v]);
    const uint64_t end = l.offset[v + 1];
    uint64_t at = l.new_offset[id];
    for (uint64_t first = l.offset[v]; first < end; first += MS_LANES) {
      const uint64_t a = first + ms_lane();
      const uint32_t u = a < end ? l.head[a] : 0, other = a < end ? l.mask[u] : 0;
      const bool stays = other != 0 && other != alike;
      const uint32_t staying = ms_ballot(stays);
      if (stays)
        l.new_head[at + ms_rank(staying)] = l.new_id ? l.new_id[u] : u;
      at += ms_count_bits(staying);
    }
  }
}

#endif
