/* The sibling-indexed recurrence on graphs of a few thousand vertices: a
 * multiprocessor takes one word of 32 points through all steps, so that the data
 * that crosses edges stays in shared memory and steps need no launch.
 *
 * For each word, the live vertices (non-zero at some of its points) are numbered by
 * descending number of live neighbours; the numbers are slots.  A step t is
 *   gather   R(i, t, q): groups of 2, 4 or 8 lanes for each slot read whole
 *            published rows, so that random reads meet no bank conflict;
 *   update   one thread for each slot: W, G, and A(i, t + 1, q) published.
 * Rows of W are in shared memory as far as there is room; the others and G are in a
 * scratch area that the L2 cache holds. */
#include "gpu/sieve/shared_word.cuh"

typedef struct shared_args {
  ms_device_problem p;
  ms_device_pass pass[MS_MOST_PASSES];
  uint32_t shared_bytes, rows, apart_most;
  uint64_t first, last;
  unsigned long long *counter;
  uint4 *scratch;
} shared_args;

/* ---- a step ---------------------------------------------------------------------- */

static __device__ __forceinline__ void add4(uint4 *sum, const uint4 &a, const uint4 &b)
{
  sum->x ^= a.x ^ b.x;
  sum->y ^= a.y ^ b.y;
  sum->z ^= a.z ^ b.z;
  sum->w ^= a.w ^ b.w;
}

/* Adds this lane's uint4 of four published rows to sum. */
template <uint32_t E>
static __device__ __forceinline__ void add_heads(uint4 *sum, const layout &l, const uint16_t *head,
                                                 uint32_t piece)
{
  ushort4 h = *(const ushort4 *)head;
  uint4 a = shared[l.exchange + exchange_at(E, h.x, piece)],
        b = shared[l.exchange + exchange_at(E, h.y, piece)];
  uint4 c = shared[l.exchange + exchange_at(E, h.z, piece)],
        d = shared[l.exchange + exchange_at(E, h.w, piece)];
  add4(sum, a, b);
  add4(sum, c, d);
}

/* Gathers R(., t, q0 + 1 ..) of all slots into the rows of W. */
template <uint32_t E>
static __device__ __forceinline__ void gather(const word_state *w, const layout &l, uint32_t q0,
                                              uint32_t rows)
{
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x / 32, warps = THREADS / 32;
  const uint32_t piece = lane & ((1u << E) - 1), sub = lane >> E, subs = 32u >> E;
  const bool wanted = piece / 2 < rows;
  uint32_t apart;
  uint4 *to = w_row(l, q0 + 1 + (wanted ? piece / 2 : 0), 0, &apart);
  to += piece & 1 ? apart : 0;
  /* slots with many neighbours: all lanes work on one slot */
  for (uint32_t slot = warp; slot < w->hubs; slot += warps) {
    uint4 sum = make_uint4(0, 0, 0, 0);
    const uint16_t *head = l.head + l.first[slot];
    if (wanted)
      for (uint32_t i = 4 * sub; i < l.degree[slot]; i += 4 * subs)
        add_heads<E>(&sum, l, head + i, piece);
    for (uint32_t lanes = 1u << E; lanes < 32; lanes *= 2) {
      uint4 other =
          make_uint4(__shfl_xor_sync(~0u, sum.x, lanes), __shfl_xor_sync(~0u, sum.y, lanes),
                     __shfl_xor_sync(~0u, sum.z, lanes), __shfl_xor_sync(~0u, sum.w, lanes));
      add4(&sum, other, make_uint4(0, 0, 0, 0));
    }
    if (wanted && sub == 0)
      to[slot] = sum;
  }
  if (!wanted)
    return;
  for (uint32_t slot = w->hubs + warp * subs + sub; slot < w->live; slot += warps * subs) {
    uint4 sum = make_uint4(0, 0, 0, 0);
    const uint16_t *head = l.head + l.first[slot];
    uint32_t heads = l.degree[slot];
    for (uint32_t i = 0; i < heads; i += 4)
      add_heads<E>(&sum, l, head + i, piece);
    to[slot] = sum;
  }
}

static __device__ __forceinline__ void gather_rows(const word_state *w, const layout &l,
                                                   uint32_t q0, uint32_t rows)
{
  if (rows == 1)
    gather<1>(w, l, q0, rows);
  else if (rows == 2)
    gather<2>(w, l, q0, rows);
  else
    gather<3>(w, l, q0, rows);
}

/* Clears the rows of the zero slot, which pads the lists of heads; 2^3 uint4 at most. */
static __device__ __forceinline__ void clear_zero_slot(const layout &l, uint32_t rows)
{
  uint32_t e = exponent_of(rows);
  if (threadIdx.x < 1u << e)
    shared[l.exchange + exchange_at(e, l.zero_slot, threadIdx.x)] = make_uint4(0, 0, 0, 0);
}

/* Adds power * bit BIT of constant q to a[q]. */
template <int BIT, int ROWS>
static __device__ __forceinline__ void scale_bit(const ms_sliced &power, const ms_masks *m,
                                                 ms_sliced *a)
{
#pragma unroll
  for (int q = 0; q < ROWS; q++) {
    uint32_t mask = ms_mask_of_bit<BIT>(m[q]);
#pragma unroll
    for (int b = 0; b < 8; b++)
      a[q].w[b] ^= power.w[b] & mask;
  }
}

/* Computes A(v, t, q0 + 1 .. q0 + ROWS) from P(v, t): the multiples of P by powers of x are made
 * once for all rows. */
template <int ROWS>
static __device__ __forceinline__ void
publish_rows(const layout &l, uint32_t slot, const uint8_t *gamma, size_t apart, ms_sliced own)
{
  const uint32_t e = exponent_of(ROWS);
  ms_masks m[ROWS];
  ms_sliced a[ROWS];
#pragma unroll
  for (int q = 0; q < ROWS; q++) {
    m[q] = ms_masks_of(gamma[q * apart]);
    a[q] = ms_sliced_zero();
  }
  scale_bit<0, ROWS>(own, m, a);
  ms_sliced_times_x(&own);
  scale_bit<1, ROWS>(own, m, a);
  ms_sliced_times_x(&own);
  scale_bit<2, ROWS>(own, m, a);
  ms_sliced_times_x(&own);
  scale_bit<3, ROWS>(own, m, a);
  ms_sliced_times_x(&own);
  scale_bit<4, ROWS>(own, m, a);
  ms_sliced_times_x(&own);
  scale_bit<5, ROWS>(own, m, a);
  ms_sliced_times_x(&own);
  scale_bit<6, ROWS>(own, m, a);
  ms_sliced_times_x(&own);
  scale_bit<7, ROWS>(own, m, a);
#pragma unroll
  for (int q = 0; q < ROWS; q++) {
    uint32_t at = l.exchange + exchange_at(e, slot, 2 * q);
    shared[at] = make_uint4(a[q].w[0], a[q].w[1], a[q].w[2], a[q].w[3]);
    shared[at + 1] = make_uint4(a[q].w[4], a[q].w[5], a[q].w[6], a[q].w[7]);
  }
}

static __device__ __forceinline__ void publish(const ms_device_problem &p,
                                               const ms_device_pass &pass, const layout &l,
                                               uint32_t slot, uint32_t t, uint32_t q0,
                                               uint32_t rows, const ms_sliced &own)
{
  const uint8_t *gamma = pass.gamma + (size_t)(p.gamma_offset[t] + q0) * p.n + l.vertex[slot];
  if (rows == 1)
    publish_rows<1>(l, slot, gamma, p.n, own);
  else if (rows == 2)
    publish_rows<2>(l, slot, gamma, p.n, own);
  else if (rows == 3)
    publish_rows<3>(l, slot, gamma, p.n, own);
  else
    publish_rows<4>(l, slot, gamma, p.n, own);
}

/* Returns the number of rows that are published together: in the first group of step t, or in a
 * later one. */
static __device__ __forceinline__ uint32_t group_of(const layout &l, uint32_t siblings, uint32_t q0)
{
  return siblings - q0 < l.group ? siblings - q0 : l.group;
}

/* Computes G after step 1 and zeta from the linear forms; publishes step 2. */
static __device__ __forceinline__ void first_step(const ms_device_problem &p,
                                                  const ms_device_pass &pass, const word_state *w,
                                                  const layout &l, uint32_t outer)
{
  for (uint32_t slot = threadIdx.x; slot < w->live; slot += THREADS) {
    uint32_t v = l.vertex[slot], constants = outer_value(p, pass.value, v, 0, outer);
    ms_sliced zeta = only_points(p, form_of(p, pass.inner, v, 0, constants));
    if (p.size == 1) {
      atomicXor(&pass.q[v], fold(zeta));
      continue;
    }
    ms_sliced g = form_of(p, pass.inner, v, 1, constants >> 8);
    ms_sliced product = ms_sliced_mul(zeta, g);
    if (p.size == 2) {
      atomicXor(&pass.q[v], fold(product));
      continue;
    }
    put_g(l, 0, slot, zeta);
    put_g(l, 1, slot, g);
    uint32_t siblings = siblings_of(p.size, 2);
    publish(p, pass, l, slot, 2, 0, group_of(l, siblings, 0), product);
    ms_sliced form = form_of(p, pass.inner, v, 2, constants >> 16);
    for (uint32_t u = 2; u < p.size; u++) {
      ms_sliced ahead = form;
      if (u + 1 < p.size) {
        if ((u + 1) % 4 == 0)
          constants = outer_value(p, pass.value, v, (u + 1) / 4, outer);
        ahead = form_of(p, pass.inner, v, u + 1, constants >> (u + 1) % 4 * 8);
      }
      g = ms_sliced_mul(g, form);
      put_g(l, u, slot, g);
      form = ahead;
    }
  }
}

/* Turns R into W, then G into G * (1 + W_1 x^t + W_2 x^2t ..); returns [x^t] G.  A few W stay in
 * registers; more of them are read where they are needed. */
template <int SIBLINGS>
static __device__ __forceinline__ ms_sliced early_update(const ms_device_problem &p,
                                                         const layout &l, uint32_t slot, uint32_t t)
{
  ms_sliced w[SIBLINGS], last = ms_sliced_zero();
#pragma unroll
  for (int q = 0; q < SIBLINGS; q++)
    w[q] = get_w(l, q + 1, slot);
#pragma unroll
  for (int q = 1; q < SIBLINGS; q++)
    w[q] = ms_sliced_mul(w[q - 1], w[q]);
  for (uint32_t u = p.size - 1; u >= t; u--) {
    ms_unreduced sum;
    ms_unreduced_clear(&sum);
    ms_unreduced_add(&sum, get_g(l, u, slot));
#pragma unroll
    for (uint32_t q = 1; q <= SIBLINGS; q++)
      if (q * t < u)
        ms_unreduced_mac(&sum, get_g(l, u - q * t, slot), w[q - 1]);
      else if (q * t == u)
        ms_unreduced_add(&sum, w[q - 1]);
    last = ms_reduce(sum);
    put_g(l, u, slot, last);
  }
  return last;
}

static __device__ __forceinline__ ms_sliced early_update_many(const ms_device_problem &p,
                                                              const layout &l, uint32_t slot,
                                                              uint32_t t, uint32_t siblings)
{
  ms_sliced w = get_w(l, 1, slot), last = w;
  for (uint32_t q = 2; q <= siblings; q++) {
    w = ms_sliced_mul(w, get_w(l, q, slot));
    put_w(l, q, slot, w);
  }
  for (uint32_t u = p.size - 1; u >= t; u--) {
    ms_unreduced sum;
    ms_unreduced_clear(&sum);
    ms_unreduced_add(&sum, get_g(l, u, slot));
#pragma unroll 2
    for (uint32_t q = 1; q * t < u; q++)
      ms_unreduced_mac(&sum, get_g(l, u - q * t, slot), get_w(l, q, slot));
    if (u % t == 0)
      ms_unreduced_add(&sum, get_w(l, u / t, slot));
    last = ms_reduce(sum);
    put_g(l, u, slot, last);
  }
  return last;
}

/* Computes the late coefficients as on the CPU (sieve/kernel_template.h, late_step). */
static __device__ __forceinline__ ms_sliced late_update(const ms_device_problem &p, const layout &l,
                                                        uint32_t slot, uint32_t t)
{
  ms_sliced w = get_w(l, 1, slot);
  ms_unreduced sum;
  ms_unreduced_clear(&sum);
  ms_unreduced_add(&sum, w);
  ms_unreduced_add(&sum, get_g(l, t, slot));
#pragma unroll 2
  for (uint32_t s = (p.size - 1) / 2 + 1; s < t; s++)
    ms_unreduced_mac(&sum, get_g(l, t - s, slot), get_g(l, s, slot));
  put_g(l, t, slot, w);
  return ms_reduce(sum);
}

/* Computes P(., t + 1) of a slot from [x^t] G; publishes it or, at the end, adds it to the sums. */
static __device__ __forceinline__ void finish(const ms_device_problem &p,
                                              const ms_device_pass &pass, const layout &l,
                                              uint32_t slot, uint32_t t, const ms_sliced &g)
{
  ms_sliced own = ms_sliced_mul(get_g(l, 0, slot), g);
  if (t + 1 < p.size)
    publish(p, pass, l, slot, t + 1, 0, group_of(l, siblings_of(p.size, t + 1), 0), own);
  else
    atomicXor(&pass.q[l.vertex[slot]], fold(own));
}

template <int SIBLINGS>
static __device__ __forceinline__ void
early_updates(const ms_device_problem &p, const ms_device_pass &pass, const word_state *w,
              const layout &l, uint32_t t)
{
  for (uint32_t slot = threadIdx.x; slot < w->live; slot += THREADS)
    finish(p, pass, l, slot, t, early_update<SIBLINGS>(p, l, slot, t));
}

/* Makes R(., t, q) of all slots. */
static __device__ __forceinline__ void gather_step(const ms_device_problem &p,
                                                   const ms_device_pass &pass, const word_state *w,
                                                   const layout &l, uint32_t t)
{
  uint32_t siblings = siblings_of(p.size, t);
  for (uint32_t q0 = 0; q0 < siblings;) {
    uint32_t rows = group_of(l, siblings, q0);
    if (q0 > 0) /* the first group was already published */
      for (uint32_t slot = threadIdx.x; slot < w->live; slot += THREADS)
        publish(p, pass, l, slot, t, q0, rows,
                ms_sliced_mul(get_g(l, 0, slot), get_g(l, t - 1, slot)));
    clear_zero_slot(l, rows);
    __syncthreads();
    gather_rows(w, l, q0, rows);
    __syncthreads();
    q0 += rows;
  }
}

static __device__ __forceinline__ void step(const ms_device_problem &p, const ms_device_pass &pass,
                                            const word_state *w, const layout &l, uint32_t t)
{
  uint32_t siblings = siblings_of(p.size, t), half = (p.size - 1) / 2;
  gather_step(p, pass, w, l, t);
  if (t > half) {
    for (uint32_t slot = threadIdx.x; slot < w->live; slot += THREADS)
      finish(p, pass, l, slot, t, late_update(p, l, slot, t));
    return;
  }
  if (siblings == 2)
    early_updates<2>(p, pass, w, l, t);
  else if (siblings == 3)
    early_updates<3>(p, pass, w, l, t);
  else
    for (uint32_t slot = threadIdx.x; slot < w->live; slot += THREADS)
      finish(p, pass, l, slot, t, early_update_many(p, l, slot, t, siblings));
}

/* Does steps size - 2 and size - 1 for a decision, once R(., size - 2, 1) is there: what
 * decide_step does in graphs of any size (gpu/sieve/recurrence.cuh). */
static __device__ __forceinline__ void decide_updates(const ms_device_problem &p,
                                                      const ms_device_pass &pass,
                                                      const word_state *w, const layout &l,
                                                      uint32_t outer)
{
  const uint32_t t = p.size - 2;
  const uint8_t *gamma = pass.gamma + (size_t)p.gamma_offset[t + 1] * p.n;
  for (uint32_t slot = threadIdx.x; slot < w->live; slot += THREADS) {
    uint32_t v = l.vertex[slot];
    ms_sliced own = get_w(l, 1, slot);
    ms_unreduced sum, last;
    ms_unreduced_clear(&sum);
    ms_unreduced_clear(&last);
    ms_unreduced_add(&sum, own);
    ms_unreduced_add(&sum, get_g(l, t, slot));
    ms_unreduced_add(&last, get_g(l, t + 1, slot));
    ms_unreduced_mac(&last, get_g(l, 1, slot), own);
    for (uint32_t s = (p.size - 1) / 2 + 1; s < t; s++) {
      own = get_g(l, s, slot);
      ms_unreduced_mac(&sum, get_g(l, t - s, slot), own);
      ms_unreduced_mac(&last, get_g(l, t + 1 - s, slot), own);
    }
    ms_sliced roots = form_of(p, pass.inner, v, p.size,
                              outer_value(p, pass.value, v, p.size / 4, outer) >> p.size % 4 * 8);
    /* zeta (last + gamma sum roots) */
    own = ms_sliced_mul(scale(ms_reduce(sum), gamma[v]), roots);
    ms_sliced_add(&own, ms_reduce(last));
    atomicXor(&pass.q[v], fold(ms_sliced_mul(get_g(l, 0, slot), own)));
  }
}

/* The shared memory of a word, from front to back: state, positions, slots, heads, exchange,
 * private rows. */
static __device__ __forceinline__ uint32_t lists_bytes(uint32_t n)
{
  return (uint32_t)(sizeof(word_state) + 15 & ~15u) + (n * (2 + 2 + 2 + 4) + 15 & ~15u);
}

/* DECIDE: only the sum of q over all vertices counts. */
template <bool DECIDE>
static __global__ void __launch_bounds__(THREADS, 1)
    sieve_shared(const __grid_constant__ shared_args a)
{
  const ms_device_problem &p = a.p;
  char *base = (char *)shared;
  word_state *w = (word_state *)base;
  layout l;
  l.first = (uint32_t *)(base + (sizeof(word_state) + 15 & ~15u));
  l.position = (uint16_t *)(l.first + p.n);
  l.vertex = l.position + p.n;
  l.degree = l.vertex + p.n;
  l.head = (uint16_t *)(base + lists_bytes(p.n));
  l.state = a.scratch + (size_t)blockIdx.x * a.rows * 2 * a.apart_most;
  l.away = l.state + p.size * 2 * a.apart_most;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0)
      w->unit = a.first + atomicAdd(a.counter, 1ull);
    __syncthreads();
    uint64_t unit = w->unit;
    if (unit >= a.last)
      return;
    const ms_device_pass &pass = a.pass[unit >> p.outer_bits];
    uint32_t outer = outer_of(unit & (((uint64_t)1 << p.outer_bits) - 1)),
             points = points_of(p, outer);
    number_slots(p, points, w, l);
    uint32_t live = w->live;
    if (live == 0)
      continue;
    l.apart = live + 7 & ~7u;
    l.zero_slot = live;
    uint32_t used = lists_bytes(p.n) + (w->all_heads * 2 + 15 & ~15u), left = a.shared_bytes - used;
    uint32_t slots = live + 1;
    l.group = left >= slots * 9 * 16 ? 4 : left >= slots * 5 * 16 ? 2 : 1;
    uint32_t published = slots * (2 * l.group + 1);
    l.exchange = used / 16;
    l.near = shared + l.exchange + published;
    l.near_apart = l.apart + 1;
    l.near_rows = (left - published * 16) / (l.near_apart * 32);
    list_heads(p, points, w, l);
    first_step(p, pass, w, l, outer);
    for (uint32_t t = 2; t < (DECIDE ? p.size - 2 : p.size); t++)
      step(p, pass, w, l, t);
    if (DECIDE) {
      gather_step(p, pass, w, l, p.size - 2);
      decide_updates(p, pass, w, l, outer);
    }
  }
}

/* ---- host ------------------------------------------------------------------------------ */

extern "C" bool ms_shared_plan_make(const ms_device_problem *p, uint32_t multiprocessors,
                                    uint32_t shared_bytes, ms_shared_plan *plan)
{
  uint32_t apart = p->n + 7 & ~7u;
  shared_bytes &= ~15u;
  uint64_t lists = (sizeof(word_state) + 15 & ~15u) + ((uint64_t)p->n * 10 + 15 & ~15u) +
                   ((p->arcs + (uint64_t)p->n * 3) * 2 + 15 & ~15u);
  plan->multiprocessors = multiprocessors;
  plan->shared_bytes = shared_bytes;
  plan->rows = (p->size - 1) / 2 + (p->size < 3) + p->size;
  plan->scratch = (uint64_t)multiprocessors * plan->rows * 2 * apart * sizeof(uint4);
  return p->n < 0xFFFF && p->sibling && lists + ((uint64_t)apart + 1) * 48 <= shared_bytes;
}

extern "C" cudaError_t ms_shared_run(const ms_device_problem *p, const ms_shared_plan *plan,
                                     const ms_device_pass *passes, uint4 *scratch,
                                     unsigned long long *counter, uint64_t first, uint64_t last,
                                     cudaStream_t stream)
{
  shared_args a = {};
  a.p = *p;
  uint64_t count = (last - 1 >> p->outer_bits) + 1;
  for (uint64_t i = 0; i < count; i++)
    a.pass[i] = passes[i];
  a.shared_bytes = plan->shared_bytes;
  a.rows = plan->rows;
  a.apart_most = p->n + 7 & ~7u;
  a.first = first;
  a.last = last;
  a.counter = counter;
  a.scratch = scratch;
  void (*kernel)(shared_args) = p->decide ? sieve_shared<true> : sieve_shared<false>;
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)plan->shared_bytes);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(counter, 0, sizeof *counter, stream);
  if (error != cudaSuccess)
    return error;
  uint64_t words = last - first;
  unsigned blocks = words < plan->multiprocessors ? (unsigned)words : plan->multiprocessors;
  kernel<<<blocks, THREADS, plan->shared_bytes, stream>>>(a);
  return cudaGetLastError();
}
