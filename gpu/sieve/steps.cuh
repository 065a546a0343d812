/* What the steps over all vertices share: the place of a thread, rows of the state, rows that
 * vertices publish and their sums. */
#ifndef MS_GPU_SIEVE_STEPS_CUH
#define MS_GPU_SIEVE_STEPS_CUH

#include "gpu/sieve/device.cuh"
#include "gpu/sieve/halves.cuh"

enum { THREADS = 256 };

typedef struct step_args {
  ms_device_problem p;
  ms_device_pass pass;
  uint32_t word_bits, words, t;
  bool ahead;     /* arcs are asked for before the rows of those before them are there */
  uint32_t bits;  /* outer bits that differ between words */
  uint64_t first; /* block of word 0 */
  uint4 *state; /* [rows][n][words][2]: G_1 .. G_(size - 1), classic P_1 .. P_size; the halves of a
                 * row in one sector; half rows: the first [words] of [words][2] */
  const uint4 *from; /* [n][siblings of t][words][2]; half rows: the first [words] of [words][2] */
  uint4 *to;         /* the same of t + 1 */
  uint4 *hub_sum;    /* [hubs][siblings][words][2] */
} step_args;

typedef struct place {
  uint32_t v, word, outer;
  uint32_t half; /* the vertex's label, if its rows are half rows (gpu/sieve/halves.cuh) */
  bool inside, live;
} place;

static __device__ __forceinline__ place place_of(const step_args &a)
{
  uint64_t x = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  place at;
  at.v = (uint32_t)(x >> a.word_bits);
  at.word = (uint32_t)x & ((1u << a.word_bits) - 1);
  at.outer = outer_of(a.first + at.word);
  at.inside = at.v < a.p.n && at.word < a.words;
  uint32_t active = at.inside ? a.p.active[at.v] : 0;
  at.half = a.p.sibling ? ms_half_of(active) : 0;
  at.live = active & points_of(a.p, at.outer);
  return at;
}

/* Stores a row of words; `to` is the first word. */
static __device__ __forceinline__ void put_row(uint4 *to, const place &at, const ms_sliced &r)
{
  if (at.half) {
    uint32_t packed[4];
    ms_half_pack(r, at.half, packed);
    to[at.word] = make_uint4(packed[0], packed[1], packed[2], packed[3]);
    return;
  }
  store_row(to + 2 * at.word, 1, r);
}

/* Returns row u of the state, from 1 on. */
static __device__ __forceinline__ uint4 *state_row(const step_args &a, const place &at, uint32_t u)
{
  return a.state + 2 * (((uint64_t)(u - 1) * a.p.n + at.v) << a.word_bits);
}

static __device__ __forceinline__ ms_sliced get_state(const step_args &a, const place &at,
                                                      uint32_t u)
{
  const uint4 *row = state_row(a, at, u) + (at.half ? at.word : 2 * at.word);
  uint4 x = row[0], y = make_uint4(0, 0, 0, 0);
  if (!at.half)
    y = row[1];
  const uint32_t low[4] = {x.x, x.y, x.z, x.w}, high[4] = {y.x, y.y, y.z, y.w};
  return ms_half_unpack(low, high, at.half);
}

static __device__ __forceinline__ void put_state(const step_args &a, const place &at, uint32_t u,
                                                 const ms_sliced &r)
{
  put_row(state_row(a, at, u), at, r);
}

/* Returns the place of row q (from 0) of the `siblings` rows that vertex v publishes. */
static __device__ __forceinline__ uint64_t exchange_at(const step_args &a, uint64_t v,
                                                       uint32_t siblings, uint32_t q, uint32_t word)
{
  return 2 * (((v * siblings + q) << a.word_bits) + word);
}

static __device__ __forceinline__ void publish(const step_args &a, const place &at, uint32_t t,
                                               const ms_sliced &own)
{
  uint32_t siblings = siblings_of(a.p.size, t);
  const uint8_t *gamma = a.pass.gamma + (size_t)a.p.gamma_offset[t] * a.p.n + at.v;
  for (uint32_t q = 0; q < siblings; q++)
    put_row(a.to + exchange_at(a, at.v, siblings, q, 0), at, scale(own, gamma[(size_t)q * a.p.n]));
}

/* Adds a word's byte to q[v]; all lanes of a warp take part. */
static __device__ __forceinline__ void add_to_q(const step_args &a, const place &at, uint32_t byte)
{
#ifdef MS_SERIAL
  if (at.inside)
    a.pass.q[at.v] ^= byte;
  return;
#endif
  for (uint32_t apart = 1; apart < 32u && apart < 1u << a.word_bits; apart *= 2)
    byte ^= __shfl_xor_sync(~0u, byte, apart);
  if (at.inside && (at.word & 31) == 0 && byte)
    atomicXor(&a.pass.q[at.v], byte);
}

/* Computes zeta from the forms each time: a stored row would be one more read. */
static __device__ __forceinline__ ms_sliced zeta_of(const step_args &a, const place &at,
                                                    uint32_t constants)
{
  return only_points(a.p, form_of(a.p, a.pass.inner, at.v, 0, constants));
}

/* Loads arcs [e, e + ARCS); those from `end` on are zero, and dead at all points. */
template <int ARCS>
static __device__ __forceinline__ void load_arcs(const step_args &a, uint64_t e, uint64_t end,
                                                 ms_device_arc *arc)
{
#pragma unroll
  for (int j = 0; j < ARCS; j++) {
    ms_device_arc none = {0, 0};
    arc[j] = e + j < end ? a.p.arc[e + j] : none;
  }
}

/* Sums rows q0 + i over arcs [e, end) into sum[i], i < COUNT.  It fetches the rows of several
 * arcs at a time.  AHEAD: the next arcs are asked for first, so that a thread waits for one load
 * in place of two, one after the other. */
template <int COUNT, bool AHEAD>
static __device__ __forceinline__ void sum_rows(const step_args &a, uint64_t e, uint64_t end,
                                                uint32_t points, uint32_t word, uint32_t siblings,
                                                uint32_t q0, ms_sliced *sum)
{
  enum { ARCS = COUNT == 1 ? 4 : 1 };
#pragma unroll
  for (int i = 0; i < COUNT; i++)
    sum[i] = ms_sliced_zero();
  ms_device_arc next[ARCS];
  if (AHEAD)
    load_arcs<ARCS>(a, e, end, next);
  for (; e < end; e += ARCS) {
    uint4 low[ARCS][COUNT], high[ARCS][COUNT];
    uint32_t half[ARCS];
    ms_device_arc now[ARCS];
    if (!AHEAD)
      load_arcs<ARCS>(a, e, end, now);
#pragma unroll
    for (int j = 0; AHEAD && j < ARCS; j++)
      now[j] = next[j];
    if (AHEAD)
      load_arcs<ARCS>(a, e + ARCS, end, next);
#pragma unroll
    for (int j = 0; j < ARCS; j++) {
      const ms_device_arc arc = now[j];
      half[j] = ms_half_of(arc.active);
      const uint4 *row =
          a.from + exchange_at(a, arc.head, siblings, q0, 0) + (half[j] ? word : 2 * word);
#pragma unroll
      for (int i = 0; i < COUNT; i++) {
        low[j][i] = high[j][i] = make_uint4(0, 0, 0, 0);
        if (arc.active & points)
          low[j][i] = row[(size_t)(2 * i) << a.word_bits];
        if (arc.active & points && !half[j])
          high[j][i] = row[((size_t)(2 * i) << a.word_bits) + 1];
      }
    }
#pragma unroll
    for (int j = 0; j < ARCS; j++)
#pragma unroll
      for (int i = 0; i < COUNT; i++) {
        uint4 x = low[j][i], y = high[j][i];
        const uint32_t first[4] = {x.x, x.y, x.z, x.w}, second[4] = {y.x, y.y, y.z, y.w};
        ms_half_add(&sum[i], first, second, half[j]);
      }
  }
}

/* Finds R(v, t, q0 + 1 ..), from the hub's sums or over v's arcs. */
template <int COUNT, bool AHEAD>
static __device__ __forceinline__ void gather(const step_args &a, const place &at,
                                              uint32_t siblings, uint32_t q0, ms_sliced *sum)
{
  const ms_device_problem &p = a.p;
  uint32_t hub = p.hub_of ? p.hub_of[at.v] : UINT32_MAX;
  if (hub == UINT32_MAX) {
    sum_rows<COUNT, AHEAD>(a, p.offset[at.v], p.offset[at.v + 1], points_of(p, at.outer), at.word,
                           siblings, q0, sum);
    return;
  }
#pragma unroll
  for (int i = 0; i < COUNT; i++)
    sum[i] = load_row(a.hub_sum + exchange_at(a, hub, siblings, q0 + i, at.word), 1);
}

#endif
