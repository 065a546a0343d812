/* One word of points in the memory of a multiprocessor (gpu/sieve/sieve_shared.cu): the places of
 * its rows, and the lists of live vertices and of their live neighbours. */
#ifndef MS_GPU_SIEVE_SHARED_WORD_CUH
#define MS_GPU_SIEVE_SHARED_WORD_CUH

#include "gpu/sieve/device.cuh"
#include "gpu/sieve/halves.cuh"

#ifdef MS_EMULATED
#define shared ((uint4 *)emulated_shared_memory())
#else
extern __shared__ uint4 shared[];
#endif

/* Slots are sorted by what is read of their lists of heads.  Bins follow one another in the order
 * of the slots: those of the halves, QUADS for each inner label, by fours of heads; then those of
 * the other vertices, by heads, from the most to none. */
enum { HEADS = 64, QUADS = 16, HALF_BINS = QUADS * MS_WORD_BITS, BINS = HALF_BINS + HEADS };

/* The counts of one word, the same for all threads. */
typedef struct word_state {
  uint32_t slots, pairs, hubs, heads, all_heads;
  uint32_t slot_of_bin[BINS], head_of_bin[BINS], bin[BINS];
  uint64_t unit;
} word_state;

/* The places of the word's data, which every thread computes for itself: numbers of uint4 in shared
 * memory, or pointers.  A slot is a live vertex.  A line holds the private rows of one slot or, of
 * a pair, of two: slots 2i and 2i + 1 < 2 pairs have line i, any other slot s has line s - pairs.
 * The vertices of a pair have the same inner label and no other, so that each matters at the points
 * with this label alone.  The first has these points of the line; what the second has at a point
 * with the label is at the point without it that differs in nothing else.  Published rows are those
 * of slots, each at its own points. */
typedef struct layout {
  uint16_t *position; /* [n] slot of a vertex */
  uint16_t *vertex;   /* [slots]; NO_VERTEX: there is no second half */
  uint16_t *degree;   /* [slots] number of live neighbours */
  uint8_t *half;      /* [slots] 1 << label of a vertex in a pair; else 0 */
  uint32_t *first;    /* [slots] a multiple of four */
  uint16_t *head;     /* [heads] slots; padded to fours with the zero slot */
  uint32_t exchange;  /* [slots + 1][1 << e] */
  uint4 *near, *away; /* rows of W: in shared memory, and in the scratch area */
  uint4 *state;       /* zeta, G_1 .. */
  /* [quads][n] what outer_value returns, until rows of W take its place; NULL: no room */
  uint32_t *constant;
  uint32_t near_rows, apart, near_apart, group, zero_slot, pairs, lines;
  uint4 *late; /* rows of late steps in shared memory (plan_late) */
  uint32_t late_rows, late_low, late_high;
  uint32_t middle; /* the last early step */
} layout;

#define NO_VERTEX 0xFFFFu

/* Most slots of a word of n vertices: each inner label may have a second half without a vertex. */
static __host__ __device__ __forceinline__ uint32_t most_slots(uint32_t n)
{
  return n + MS_WORD_BITS;
}

/* Returns the first half of W_q, or of R(., t, q) before W_q is needed, and the distance of the
 * second half. */
static __device__ __forceinline__ uint4 *w_row(const layout &l, uint32_t q, uint32_t line,
                                               uint32_t *apart)
{
  bool near = q <= l.near_rows;
  *apart = near ? l.near_apart : l.apart;
  return (near ? l.near : l.away) + (q - 1) * 2 * *apart + line;
}

static __device__ __forceinline__ ms_sliced get_w(const layout &l, uint32_t q, uint32_t line)
{
  uint32_t apart;
  const uint4 *row = w_row(l, q, line, &apart);
  return load_row(row, apart);
}

static __device__ __forceinline__ void put_w(const layout &l, uint32_t q, uint32_t line,
                                             const ms_sliced &r)
{
  uint32_t apart;
  uint4 *row = w_row(l, q, line, &apart);
  store_row(row, apart, r);
}

/* Returns row G_u, with zeta in the place of G_0 = 1. */
static __device__ __forceinline__ uint4 *g_row(const layout &l, uint32_t u, uint32_t line)
{
  return l.state + u * 2 * l.apart + line;
}

static __device__ __forceinline__ ms_sliced get_g(const layout &l, uint32_t u, uint32_t line)
{
  return load_row(g_row(l, u, line), l.apart);
}

static __device__ __forceinline__ void put_g(const layout &l, uint32_t u, uint32_t line,
                                             const ms_sliced &r)
{
  store_row(g_row(l, u, line), l.apart, r);
}

/* ---- rows of late steps ---------------------------------------------------------- */

/* Late steps publish one row a slot, and need one W, so that shared memory has room for the rows
 * that they read most often: zeta, G_1, G_2 .., late_low of them; then the W of the first late
 * steps, late_high of them; then one row for the W of any other late step. */
static __device__ __forceinline__ void plan_late(layout *l, uint32_t size, uint32_t rows)
{
  const uint32_t steps = size - 1 - l->middle, most = rows > 0 ? rows - 1 : 0;
  uint32_t high = most / 2 < steps ? most / 2 : steps;
  l->late_rows = rows;
  l->late_high = high;
  l->late_low = most - high < l->middle + 1 ? most - high : l->middle + 1;
}

static __device__ __forceinline__ bool is_late_near(const layout &l, uint32_t u)
{
  return u < l.late_low || (u > l.middle && u <= l.middle + l.late_high);
}

static __device__ __forceinline__ uint32_t late_number(const layout &l, uint32_t u)
{
  return u < l.late_low ? u : l.late_low + (u - l.middle - 1);
}

/* Makes the place of W of late step t that of W_1. */
static __device__ __forceinline__ void place_late_w(layout *l, uint32_t t)
{
  uint32_t number = is_late_near(*l, t) ? late_number(*l, t) : l->late_low + l->late_high;
  l->near = l->late + number * 2 * l->near_apart;
  l->near_rows = l->late_rows > 0;
}

/* Returns row u in a late step: zeta, G_u or, after the middle, the W of step u. */
static __device__ __forceinline__ ms_sliced get_late(const layout &l, uint32_t u, uint32_t line)
{
  bool near = is_late_near(l, u);
  uint32_t apart = near ? l.near_apart : l.apart, number = near ? late_number(l, u) : u;
  return load_row((near ? l.late : l.state) + number * 2 * apart + line, apart);
}

/* Returns the place of uint4 number `chunk` of a slot's published rows, 2^e uint4 for a slot and
 * one left free: with odd strides, eight neighbouring threads use all banks. */
static __device__ __forceinline__ uint32_t exchange_at(uint32_t e, uint32_t slot, uint32_t chunk)
{
  return slot * ((1u << e) + 1) + chunk;
}

static __device__ __forceinline__ uint32_t exponent_of(uint32_t rows)
{
  return rows == 1 ? 1 : rows == 2 ? 2 : 3;
}

/* ---- lists --------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t fours(uint32_t heads)
{
  return (heads + 3) & ~3u;
}

static __device__ uint32_t count_heads(const ms_device_problem &p, uint32_t v, uint32_t points)
{
  uint32_t heads = 0;
  const ms_device_arc *arc = p.arc + p.offset[v], *end = p.arc + p.offset[v + 1];
  for (; end - arc >= 4; arc += 4) /* four loads at the same time */
    heads += ((arc[0].active & points) != 0) + ((arc[1].active & points) != 0) +
             ((arc[2].active & points) != 0) + ((arc[3].active & points) != 0);
  for (; arc < end; arc++)
    heads += (arc->active & points) != 0;
  return heads;
}

/* Returns the bin of a live vertex, and its label as in `half` of the layout. */
static __device__ __forceinline__ uint32_t bin_of(const ms_device_problem &p, uint32_t v,
                                                  uint32_t heads, uint32_t *half)
{
  const uint32_t quad = fours(heads) / 4;
  *half = p.inner_bits == MS_WORD_BITS && quad < QUADS ? ms_half_of(p.active[v]) : 0;
  if (*half) { /* odd labels from the fewest heads on, so that neighbouring
                  slots have as many */
    uint32_t label = (uint32_t)__ffs(*half) - 1;
    return label * QUADS + (label & 1 ? quad : QUADS - 1 - quad);
  }
  return HALF_BINS + HEADS - 1 - (heads < HEADS ? heads : HEADS - 1);
}

/* Returns the entries of the list of heads of a slot in a bin; 0 for that of hubs, which differ. */
static __device__ __forceinline__ uint32_t heads_of_bin(uint32_t bin)
{
  if (bin >= HALF_BINS)
    return bin > HALF_BINS ? fours(HALF_BINS + HEADS - 1 - bin) : 0;
  uint32_t quad = bin % QUADS;
  return 4 * (bin / QUADS & 1 ? quad : QUADS - 1 - quad);
}

/* Finds the first slot and the first head of each bin from the numbers of vertices.  Each thread
 * adds up the bins before its own, QUADS at a time. */
static __device__ void place_bins(word_state *w, const layout &l)
{
  for (uint32_t b = threadIdx.x; b <= BINS; b += blockDim.x) {
    uint32_t slots = 0, heads = w->heads, added = 0;
    for (uint32_t c = 0; c < b; c += QUADS) {
      slots += c <= HALF_BINS ? slots & 1 : 0;
      added = 0;
#pragma unroll
      for (uint32_t i = 0; i < QUADS; i++) {
        uint32_t count = c + i < b ? w->bin[c + i] : 0;
        added += count;
        heads += count * heads_of_bin(c + i);
      }
      slots += added;
    }
    if (b > 0 && b % QUADS == 0 && b <= HALF_BINS && slots & 1) { /* the last half is alone */
      l.vertex[slots] = NO_VERTEX;
      l.degree[slots] = 0;
      l.first[slots] = 0;
      l.half[slots] = (uint8_t)(1u << (b / QUADS - 1));
      slots++;
    }
    if (b == HALF_BINS)
      w->pairs = slots / 2;
    if (b == BINS) {
      w->slots = slots;
      w->all_heads = heads;
      continue;
    }
    w->slot_of_bin[b] = slots;
    w->head_of_bin[b] = heads - slots * heads_of_bin(b); /* first = this + slot * heads */
  }
}

/* Numbers the slots as the bins say; those of one bin are in any order. */
static __device__ void number_slots(const ms_device_problem &p, uint32_t points, word_state *w,
                                    const layout &l)
{
  for (uint32_t b = threadIdx.x; b < BINS; b += blockDim.x)
    w->bin[b] = 0;
  if (threadIdx.x == 0)
    w->heads = 0;
  __syncthreads();
  for (uint32_t v = threadIdx.x; v < p.n; v += blockDim.x) {
    uint32_t heads = p.active[v] & points ? count_heads(p, v, points) : 0, half;
    bool live = p.active[v] & points && (heads > 0 || p.size == 1);
    l.position[v] = live ? (uint16_t)heads : 0xFFFF;
    if (!live)
      continue;
    uint32_t bin = bin_of(p, v, heads, &half);
    atomicAdd(&w->bin[bin], 1u);
    if (bin == HALF_BINS)
      atomicAdd(&w->heads, fours(heads));
  }
  __syncthreads();
  if (threadIdx.x == 0)
    w->hubs = w->bin[HALF_BINS];
  place_bins(w, l);
  __syncthreads();
  if (threadIdx.x == 0)
    w->heads = 0;
  __syncthreads();
  for (uint32_t v = threadIdx.x; v < p.n; v += blockDim.x) {
    uint32_t heads = l.position[v], half;
    if (heads == 0xFFFF)
      continue;
    uint32_t bin = bin_of(p, v, heads, &half), slot = atomicAdd(&w->slot_of_bin[bin], 1u);
    l.vertex[slot] = (uint16_t)v;
    l.degree[slot] = (uint16_t)heads;
    l.half[slot] = (uint8_t)half;
    l.first[slot] = bin != HALF_BINS ? w->head_of_bin[bin] + slot * heads_of_bin(bin)
                                     : atomicAdd(&w->heads, fours(heads));
    l.position[v] = (uint16_t)slot;
  }
  __syncthreads();
}

static __device__ void list_heads(const ms_device_problem &p, uint32_t points, const word_state *w,
                                  const layout &l)
{
  for (uint32_t slot = threadIdx.x; slot < w->slots; slot += blockDim.x) {
    uint32_t v = l.vertex[slot];
    if (v == NO_VERTEX)
      continue;
    uint16_t *to = l.head + l.first[slot];
    const ms_device_arc *arc = p.arc + p.offset[v], *end = p.arc + p.offset[v + 1];
    for (; end - arc >= 4; arc += 4) {
      ms_device_arc four[4] = {arc[0], arc[1], arc[2], arc[3]};
#pragma unroll
      for (int i = 0; i < 4; i++)
        if (four[i].active & points)
          *to++ = l.position[four[i].head];
    }
    for (; arc < end; arc++)
      if (arc->active & points)
        *to++ = l.position[arc->head];
    for (uint32_t pad = l.degree[slot]; pad & 3; pad++)
      *to++ = (uint16_t)l.zero_slot;
  }
}

#endif
