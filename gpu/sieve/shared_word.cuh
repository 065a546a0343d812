/* One word of points in the memory of a multiprocessor (gpu/sieve/sieve_shared.cu): the places of
 * its rows, and the lists of live vertices and of their live neighbours. */
#ifndef MS_GPU_SIEVE_SHARED_WORD_CUH
#define MS_GPU_SIEVE_SHARED_WORD_CUH

#include "gpu/sieve/device.cuh"

/* 80 registers a thread; other numbers were slower (docs/SIEVE.md, the ladder) */
enum { THREADS = 768, BINS = 64 };

extern __shared__ uint4 shared[];

/* The counts of one word, the same for all threads. */
typedef struct word_state {
  uint32_t live, hubs, heads, all_heads;
  uint32_t slot_of_bin[BINS], head_of_bin[BINS], bin[BINS];
  uint64_t unit;
} word_state;

/* The places of the word's data, which every thread computes for itself: numbers of uint4 in
 * shared memory, or pointers. */
typedef struct layout {
  uint16_t *position; /* [n] slot of a vertex */
  uint16_t *vertex;   /* [slots] */
  uint16_t *degree;   /* [slots] number of live neighbours */
  uint32_t *first;    /* [slots] a multiple of four */
  uint16_t *head;     /* [heads] slots; padded to fours with the zero slot */
  uint32_t exchange;  /* [slots + 1][1 << e] */
  uint4 *near, *away; /* rows of W: in shared memory, and in the scratch area */
  uint4 *state;       /* zeta, G_1 .. */
  uint32_t near_rows, apart, near_apart, group, zero_slot;
} layout;

/* Returns the first half of W_q, or of R(., t, q) before W_q is needed, and the distance of the
 * second half. */
static __device__ __forceinline__ uint4 *w_row(const layout &l, uint32_t q, uint32_t slot,
                                               uint32_t *apart)
{
  bool near = q <= l.near_rows;
  *apart = near ? l.near_apart : l.apart;
  return (near ? l.near : l.away) + (q - 1) * 2 * *apart + slot;
}

static __device__ __forceinline__ ms_sliced get_w(const layout &l, uint32_t q, uint32_t slot)
{
  uint32_t apart;
  const uint4 *row = w_row(l, q, slot, &apart);
  return load_row(row, apart);
}

static __device__ __forceinline__ void put_w(const layout &l, uint32_t q, uint32_t slot,
                                             const ms_sliced &r)
{
  uint32_t apart;
  uint4 *row = w_row(l, q, slot, &apart);
  store_row(row, apart, r);
}

/* Returns row G_u, with zeta in the place of G_0 = 1. */
static __device__ __forceinline__ uint4 *g_row(const layout &l, uint32_t u, uint32_t slot)
{
  return l.state + u * 2 * l.apart + slot;
}

static __device__ __forceinline__ ms_sliced get_g(const layout &l, uint32_t u, uint32_t slot)
{
  return load_row(g_row(l, u, slot), l.apart);
}

static __device__ __forceinline__ void put_g(const layout &l, uint32_t u, uint32_t slot,
                                             const ms_sliced &r)
{
  store_row(g_row(l, u, slot), l.apart, r);
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
  return heads + 3 & ~3u;
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

/* Numbers the slots by descending degree; slots of degree BINS - 1 and more are in any order. */
static __device__ void number_slots(const ms_device_problem &p, uint32_t points, word_state *w,
                                    const layout &l)
{
  for (uint32_t b = threadIdx.x; b < BINS; b += THREADS)
    w->bin[b] = 0;
  if (threadIdx.x == 0)
    w->heads = 0;
  __syncthreads();
  for (uint32_t v = threadIdx.x; v < p.n; v += THREADS) {
    uint32_t heads = p.active[v] & points ? count_heads(p, v, points) : 0;
    bool live = p.active[v] & points && (heads > 0 || p.size == 1);
    l.position[v] = live ? (uint16_t)heads : 0xFFFF;
    if (live)
      atomicAdd(&w->bin[heads < BINS ? heads : BINS - 1], 1);
    if (live && heads >= BINS - 1)
      atomicAdd(&w->heads, fours(heads));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    uint32_t slots = 0, heads = w->heads;
    w->hubs = w->bin[BINS - 1];
    w->heads = 0;
    for (int b = BINS - 1; b >= 0; b--) {
      w->slot_of_bin[b] = slots;
      w->head_of_bin[b] = heads - slots * fours((uint32_t)b); /* first = this + slot * fours(b) */
      slots += w->bin[b];
      heads += b == BINS - 1 ? 0 : w->bin[b] * fours((uint32_t)b);
    }
    w->live = slots;
    w->all_heads = heads;
  }
  __syncthreads();
  for (uint32_t v = threadIdx.x; v < p.n; v += THREADS) {
    uint32_t heads = l.position[v];
    if (heads == 0xFFFF)
      continue;
    uint32_t b = heads < BINS ? heads : BINS - 1, slot = atomicAdd(&w->slot_of_bin[b], 1);
    l.vertex[slot] = (uint16_t)v;
    l.degree[slot] = (uint16_t)heads;
    l.first[slot] =
        b < BINS - 1 ? w->head_of_bin[b] + slot * fours(b) : atomicAdd(&w->heads, fours(heads));
    l.position[v] = (uint16_t)slot;
  }
  __syncthreads();
}

static __device__ void list_heads(const ms_device_problem &p, uint32_t points, const word_state *w,
                                  const layout &l)
{
  for (uint32_t slot = threadIdx.x; slot < w->live; slot += THREADS) {
    uint32_t v = l.vertex[slot];
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
