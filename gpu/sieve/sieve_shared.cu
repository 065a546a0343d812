/* The sibling-indexed recurrence on graphs of a few thousand vertices: a multiprocessor takes one
 * word of 32 points through all steps, so that the data that crosses edges stays in shared memory
 * and steps need no launch.
 *
 * For each word, the live vertices (non-zero at some of its points) are numbered; the numbers are
 * slots.  Two vertices that have the same inner label and no other share a line of private rows
 * (gpu/sieve/shared_word.cuh), since each matters at half of the points alone.  A step t
 * has two parts.  Gather R(i, t, q): groups of 2, 4 or 8 lanes for each slot read whole published
 * rows, so that random reads meet no bank conflict.  Update: one thread for each line computes W
 * and G, and publishes A(i, t + 1, q).  Rows of W, and the rows that late steps read most often,
 * are in shared memory as far as there is room; the others are in a scratch area that the L2 cache
 * holds. */
#include "gpu/sieve/shared_lines.cuh"
#include "gpu/sieve/shared_word.cuh"

/* ---- shared updates -------------------------------------------------------------------------- */

/* What a step does with the private rows of a line, once the sums over neighbours are there
 * (gpu/sieve/sieve_shared.cu).
 *
 * An early step t turns G into G * (1 + W_1 x^t + W_2 x^2t ..), so that G_u takes part in G_u, G_(u
 * + t), G_(u + 2t) .. alone.  The coefficients of one class modulo t are read together, because
 * what they read from the L2 cache bounds the kernel as much as the products do. */

/* An early step of a line with few siblings: W_1 .. are in registers. */
template <int SIBLINGS> struct early_line {
  const layout &l;
  uint32_t line, t;
  ms_sliced w[SIBLINGS];
};

/* Computes coefficients r + t, r + 2t .. of the class of r, 0 < r < t, of which `above` has the
 * highest, r + SIBLINGS t, if it is below x^size. */
template <int SIBLINGS>
static __device__ __forceinline__ void update_class(const early_line<SIBLINGS> &e, uint32_t r,
                                                    bool above)
{
  ms_sliced g[SIBLINGS];
  ms_unreduced sum;
  ms_unreduced_clear(&sum);
#pragma unroll
  for (int j = 0; j < SIBLINGS; j++)
    g[j] = get_g(e.l, r + j * e.t, e.line);
  if (above) {
    ms_unreduced_add(&sum, get_g(e.l, r + SIBLINGS * e.t, e.line));
#pragma unroll
    for (int q = 1; q <= SIBLINGS; q++)
      ms_unreduced_mac(&sum, g[SIBLINGS - q], e.w[q - 1]);
    put_g(e.l, r + SIBLINGS * e.t, e.line, ms_reduce(sum));
  }
#pragma unroll
  for (int j = SIBLINGS - 1; j > 0; j--) {
    ms_unreduced_clear(&sum);
    ms_unreduced_add(&sum, g[j]);
#pragma unroll
    for (int q = 1; q <= j; q++)
      ms_unreduced_mac(&sum, g[j - q], e.w[q - 1]);
    put_g(e.l, r + j * e.t, e.line, ms_reduce(sum));
  }
}

/* The same for the class of 0, where G_0 = 1; returns [x^t] G. */
template <int SIBLINGS>
static __device__ __forceinline__ ms_sliced update_class_0(const early_line<SIBLINGS> &e)
{
  ms_sliced g[SIBLINGS + 1], last = ms_sliced_zero();
#pragma unroll
  for (int j = 1; j <= SIBLINGS; j++)
    g[j] = get_g(e.l, j * e.t, e.line);
#pragma unroll
  for (int j = SIBLINGS; j > 0; j--) {
    ms_unreduced sum;
    ms_unreduced_clear(&sum);
    ms_unreduced_add(&sum, g[j]);
    ms_unreduced_add(&sum, e.w[j - 1]);
#pragma unroll
    for (int q = 1; q < j; q++)
      ms_unreduced_mac(&sum, g[j - q], e.w[q - 1]);
    last = ms_reduce(sum);
    put_g(e.l, j * e.t, e.line, last);
  }
  return last;
}

/* Turns R into W, then G into G * (1 + W_1 x^t + W_2 x^2t ..); returns [x^t] G.  W and a class of
 * coefficients stay in registers. */
template <int SIBLINGS>
static __device__ __forceinline__ ms_sliced early_update(const ms_device_problem &p,
                                                         const layout &l, uint32_t line, uint32_t t)
{
  early_line<SIBLINGS> e = {l, line, t, {}};
#pragma unroll
  for (int q = 0; q < SIBLINGS; q++)
    e.w[q] = get_w(l, (uint32_t)q + 1, line);
#pragma unroll
  for (int q = 1; q < SIBLINGS; q++)
    e.w[q] = ms_sliced_mul(e.w[q - 1], e.w[q]);
  for (uint32_t r = t - 1; r > 0; r--)
    update_class<SIBLINGS>(e, r, r + SIBLINGS * t < p.size);
  return update_class_0<SIBLINGS>(e);
}

/* Computes coefficients j and j - 1 of the class of r, or the first of them alone, j = 1; returns
 * the lower one.  Both are sums over the same coefficients, which are read once for both. */
static __device__ __forceinline__ ms_sliced update_two(const layout &l, uint32_t line, uint32_t t,
                                                       uint32_t r, uint32_t j)
{
  ms_unreduced high, low;
  ms_unreduced_clear(&high);
  ms_unreduced_clear(&low);
  ms_sliced w = get_w(l, 1, line);
  ms_unreduced_add(&high, get_g(l, r + j * t, line));
  if (j > 1) {
    ms_sliced g = get_g(l, r + (j - 1) * t, line);
    ms_unreduced_add(&low, g);
    ms_unreduced_mac(&high, g, w);
#pragma unroll 1
    for (uint32_t q = 2; q < j; q++) {
      g = get_g(l, r + (j - q) * t, line);
      ms_unreduced_mac(&low, g, w);
      w = get_w(l, q, line);
      ms_unreduced_mac(&high, g, w);
    }
  }
  if (r == 0) { /* G_0 = 1 */
    if (j > 1) {
      ms_unreduced_add(&low, w);
      w = get_w(l, j, line);
    }
    ms_unreduced_add(&high, w);
  } else {
    ms_sliced g = get_g(l, r, line);
    if (j > 1) {
      ms_unreduced_mac(&low, g, w);
      w = get_w(l, j, line);
    }
    ms_unreduced_mac(&high, g, w);
  }
  ms_sliced last = ms_reduce(high);
  put_g(l, r + j * t, line, last);
  if (j > 1) {
    last = ms_reduce(low);
    put_g(l, r + (j - 1) * t, line, last);
  }
  return last;
}

/* The same as early_update, for more siblings. */
static __device__ __forceinline__ ms_sliced early_update_many(const ms_device_problem &p,
                                                              const layout &l, uint32_t line,
                                                              uint32_t t, uint32_t siblings)
{
  ms_sliced w = get_w(l, 1, line), last = w;
  for (uint32_t q = 2; q <= siblings; q++) {
    w = ms_sliced_mul(w, get_w(l, q, line));
    put_w(l, q, line, w);
  }
  for (uint32_t r = t; r-- > 0;)
    for (uint32_t j = (p.size - 1 - r) / t; j < p.size && j > 0; j -= 2)
      last = update_two(l, line, t, r, j);
  return last;
}

/* ---- late steps -------------------------------------------------------------------- */

/* Brings the lowest rows of a line into shared memory, before its first late step. */
static __device__ __forceinline__ void begin_late(const layout &l, uint32_t line)
{
  for (uint32_t u = 0; u < l.late_low; u++)
    store_row(l.late + u * 2 * l.near_apart + line, l.near_apart, get_g(l, u, line));
}

/* Computes the late coefficients as on the CPU (sieve/kernels/kernel_template.h, late_step). */
static __device__ __forceinline__ ms_sliced late_update(const layout &l, uint32_t line, uint32_t t)
{
  if (t == l.middle + 1)
    begin_late(l, line);
  ms_sliced w = get_w(l, 1, line);
  ms_unreduced sum;
  ms_unreduced_clear(&sum);
  ms_unreduced_add(&sum, w);
  ms_unreduced_add(&sum, get_g(l, t, line));
#pragma unroll 2
  for (uint32_t s = l.middle + 1; s < t; s++)
    ms_unreduced_mac(&sum, get_late(l, t - s, line), get_late(l, s, line));
  if (!is_late_near(l, t))
    put_g(l, t, line, w);
  return ms_reduce(sum);
}

/* Threads of a multiprocessor, of 96 registers each; most vertices for which it takes two words at
 * the same time (docs/SIEVE.md, "Small graphs"). */
enum { MOST_THREADS = 640, MOST_FOR_TWO = 256 };

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

/* Returns the sum that the lane has whose number differs in these bits. */
static __device__ __forceinline__ uint4 sum_of_lane(const uint4 &sum, uint32_t lanes)
{
  return make_uint4(__shfl_xor_sync(~0u, sum.x, lanes), __shfl_xor_sync(~0u, sum.y, lanes),
                    __shfl_xor_sync(~0u, sum.z, lanes), __shfl_xor_sync(~0u, sum.w, lanes));
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

/* Adds the rows of the heads of a slot from `begin` on, four at a time, `step` apart. */
template <uint32_t E>
static __device__ __forceinline__ uint4 sum_heads(const layout &l, uint32_t slot, uint32_t piece,
                                                  uint32_t begin, uint32_t step)
{
  uint4 sum = make_uint4(0, 0, 0, 0);
  const uint16_t *head = l.head + l.first[slot];
  uint32_t heads = l.degree[slot];
  for (uint32_t i = begin; i < heads; i += step)
    add_heads<E>(&sum, l, head + i, piece);
  return sum;
}

/* Keeps of the sum of one slot of a pair what belongs into the line, in its place there. */
static __device__ __forceinline__ void place_half(uint4 *sum, uint32_t half, bool second)
{
  uint32_t points = ms_points_with(half);
  uint32_t moved = second ? half : 0;
  points = second ? ~points : points;
  sum->x = sum->x >> moved & points;
  sum->y = sum->y >> moved & points;
  sum->z = sum->z >> moved & points;
  sum->w = sum->w >> moved & points;
}

/* Gathers R(., t, q0 + 1 ..) of all lines into the rows of W. */
template <uint32_t E>
static __device__ __forceinline__ void gather(const word_state *w, const layout &l, uint32_t q0,
                                              uint32_t rows)
{
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const uint32_t piece = lane & ((1u << E) - 1), sub = lane >> E, subs = 32u >> E;
  const bool wanted = piece / 2 < rows;
  const uint32_t hubs = w->hubs, halves = 2 * l.pairs, slots = w->slots;
  uint32_t apart;
  uint4 *to = w_row(l, q0 + 1 + (wanted ? piece / 2 : 0), 0, &apart);
  to += piece & 1 ? apart : 0;
  /* slots with many neighbours: all lanes work on one slot */
  for (uint32_t slot = halves + warp; slot < halves + hubs; slot += warps) {
    uint4 sum = make_uint4(0, 0, 0, 0);
    if (wanted)
      sum = sum_heads<E>(l, slot, piece, 4 * sub, 4 * subs);
    for (uint32_t lanes = 1u << E; lanes < 32; lanes *= 2)
      add4(&sum, sum_of_lane(sum, lanes), make_uint4(0, 0, 0, 0));
    if (wanted && sub == 0)
      to[slot - l.pairs] = sum;
  }
  /* the others; the halves of a line are sums of neighbouring groups of lanes */
  for (uint32_t begin = warp * subs; begin < slots - hubs; begin += warps * subs) {
    uint32_t slot = begin + sub < halves ? begin + sub : begin + sub + hubs;
    bool there = wanted && slot < slots;
    uint4 sum = make_uint4(0, 0, 0, 0);
    if (there)
      sum = sum_heads<E>(l, slot, piece, 0, 4);
    if (begin < halves) {
      bool second = slot < halves && slot & 1;
      if (slot < halves)
        place_half(&sum, l.half[slot], second);
      uint4 other = sum_of_lane(sum, 1u << E);
      if (slot < halves)
        add4(&sum, other, make_uint4(0, 0, 0, 0));
      there = there && !second;
    }
    if (there)
      to[slot < halves ? slot / 2 : slot - l.pairs] = sum;
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

/* Returns the number of rows that are published together: in the first group of step t, or in a
 * later one. */
static __device__ __forceinline__ uint32_t group_of(const layout &l, uint32_t siblings, uint32_t q0)
{
  return siblings - q0 < l.group ? siblings - q0 : l.group;
}

/* Computes zeta and G after step 1 of a line from the linear forms; returns P(., 2), or P(., 1) if
 * that is the last. */
static __device__ __forceinline__ ms_sliced first_line(const ms_device_problem &p,
                                                       const ms_device_pass &pass, const layout &l,
                                                       uint32_t line, uint32_t outer)
{
  line_owner o = owner_of(l, line);
  line_constants constants = constants_of(p, pass, o, l.constant, 0, outer);
  ms_sliced zeta = line_zeta(p, pass, o, constants);
  if (p.size == 1)
    return zeta;
  ms_sliced g = line_form(load_form(p, pass, o, 1), o, 1, constants),
            product = ms_sliced_mul(zeta, g);
  if (p.size == 2)
    return product;
  form_rows ahead = load_form(p, pass, o, 2);
  put_g(l, 0, line, zeta);
  put_g(l, 1, line, g);
  for (uint32_t u = 2; u < p.size; u++) {
    if (u % 4 == 0)
      constants = constants_of(p, pass, o, l.constant, u / 4, outer);
    ms_sliced form = line_form(ahead, o, u, constants);
    if (u + 1 < p.size)
      ahead = load_form(p, pass, o, u + 1);
    g = ms_sliced_mul(g, form);
    put_g(l, u, line, g);
  }
  return product;
}

/* Returns [x^t] G, once R(., t, q) are there. */
static __device__ __forceinline__ ms_sliced update(const ms_device_problem &p, const layout &l,
                                                   uint32_t line, uint32_t t)
{
  uint32_t siblings = siblings_of(p.size, t);
  if (t > l.middle)
    return late_update(l, line, t);
  if (siblings == 2)
    return early_update<2>(p, l, line, t);
  if (siblings == 3)
    return early_update<3>(p, l, line, t);
  return early_update_many(p, l, line, t, siblings);
}

/* Returns P(., t) of a line, t >= 2, which was already found if rows of it were published. */
static __device__ __forceinline__ ms_sliced line_p(const ms_device_problem &p,
                                                   const ms_device_pass &pass, const layout &l,
                                                   uint32_t line, uint32_t t, uint32_t published,
                                                   uint32_t outer)
{
  if (published > 0)
    return ms_sliced_mul(get_g(l, 0, line), get_g(l, t - 1, line));
  if (t == 2)
    return first_line(p, pass, l, line, outer);
  ms_sliced g = update(p, l, line, t - 1);
  return ms_sliced_mul(t - 1 > l.middle ? get_late(l, 0, line) : get_g(l, 0, line), g);
}

/* Takes the word through all steps.  There is one place where rows are published, because the code
 * for it is long. */
static __device__ __forceinline__ void run_steps(const ms_device_problem &p,
                                                 const ms_device_pass &pass, const word_state *w,
                                                 layout &l, uint32_t outer)
{
  for (uint32_t t = 2, q0 = 0;;) {
    const bool last = t >= p.size;
    const uint32_t siblings = last ? 1 : siblings_of(p.size, t), rows = group_of(l, siblings, q0);
    for (uint32_t line = threadIdx.x; line < l.lines; line += blockDim.x) {
      ms_sliced own = line_p(p, pass, l, line, t, q0, outer);
      line_owner o = owner_of(l, line);
      if (last)
        add_to_q(pass, o, own);
      else
        publish(p, pass, l, o, t, q0, rows, own);
    }
    if (last)
      return;
    if (t > l.middle)
      place_late_w(&l, t);
    clear_zero_slot(l, rows);
    __syncthreads();
    gather_rows(w, l, q0, rows);
    __syncthreads();
    q0 += rows;
    if (q0 >= siblings) {
      q0 = 0;
      t++;
    }
  }
}

/* The shared memory of a word, from front to back: state, positions, slots, heads, exchange,
 * private rows. */
static __host__ __device__ __forceinline__ uint32_t lists_bytes(uint32_t n)
{
  return (uint32_t)((sizeof(word_state) + 15) & ~15u) +
         ((n * 2 + most_slots(n) * (4 + 2 + 2 + 1) + 15) & ~15u);
}

/* Places the lists of a word. */
static __device__ __forceinline__ void place_lists(uint32_t n, layout *l)
{
  const uint32_t slots = most_slots(n);
  char *base = (char *)shared;
  l->first = (uint32_t *)(base + ((sizeof(word_state) + 15) & ~15u));
  l->position = (uint16_t *)(l->first + slots);
  l->vertex = l->position + n;
  l->degree = l->vertex + slots;
  l->half = (uint8_t *)(l->degree + slots);
  l->head = (uint16_t *)(base + lists_bytes(n));
}

/* Places the rows of a word, once its slots are numbered. */
static __device__ __forceinline__ void place_rows(const ms_device_problem &p, const word_state *w,
                                                  uint32_t shared_bytes, layout *l)
{
  const uint32_t used = lists_bytes(p.n) + ((w->all_heads * 2 + 15) & ~15u),
                 left = shared_bytes - used, rows = w->slots + 1; /* and the zero slot */
  l->pairs = w->pairs;
  l->lines = w->slots - w->pairs;
  l->apart = (l->lines + 7) & ~7u;
  l->near_apart = l->apart + 1;
  l->zero_slot = w->slots;
  l->group = left >= rows * 9 * 16 ? 4 : left >= rows * 5 * 16 ? 2 : 1;
  l->exchange = used / 16;
  l->late = shared + l->exchange + rows * 3;
  l->middle = (p.size - 1) / 2;
  plan_late(l, p.size, (left - rows * 3 * 16) / (l->near_apart * 32));
  uint32_t published = rows * (2 * l->group + 1);
  l->near = shared + l->exchange + published;
  l->near_rows = (left - published * 16) / (l->near_apart * 32);
  bool fits = left - published * 16 >= (uint64_t)p.quads * p.n * sizeof *l->constant;
  l->constant = fits ? (uint32_t *)l->near : NULL;
}

static __global__ void __launch_bounds__(MOST_THREADS, 1)
    sieve_shared(const __grid_constant__ shared_args a)
{
  const ms_device_problem &p = a.p;
  word_state *w = (word_state *)shared;
  layout l;
  place_lists(p.n, &l);
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
    if (w->slots == 0)
      continue;
    place_rows(p, w, a.shared_bytes, &l);
    list_heads(p, points, w, l);
    make_constants(p, pass, l, outer);
    __syncthreads();
    run_steps(p, pass, w, l, outer);
  }
}

/* ---- host ------------------------------------------------------------------------------ */

/* Plans for `words` words on a multiprocessor at the same time; returns false if they do not
 * fit. */
static bool plan_words(const ms_device_problem *p, uint32_t multiprocessors, uint32_t shared_bytes,
                       uint32_t words, ms_shared_plan *plan)
{
  enum { OTHER = 1024 }; /* bytes that the system takes of each block's share */
  uint64_t slots = most_slots(p->n),
           lists = lists_bytes(p->n) + (((p->arcs + slots * 3) * 2 + 15) & ~15u),
           lines = (p->n + 7) & ~7u, share = (shared_bytes + OTHER) / words - OTHER;
  share &= ~(uint64_t)15;
  plan->blocks = multiprocessors * words;
  plan->threads = (MOST_THREADS / words) & ~31u;
  plan->shared_bytes = (uint32_t)share;
  plan->rows = (p->size - 1) / 2 + (p->size < 3) + p->size;
  plan->scratch = plan->blocks * (uint64_t)plan->rows * 2 * lines * sizeof(uint4);
  /* one published row of each slot or, where there is a choice, four and some rows of the lines */
  uint64_t row = words > 1 ? 9 * sizeof(uint4) + 64 : 3 * sizeof(uint4);
  return share <= shared_bytes && lists + (slots + 1) * row <= share;
}

extern "C" bool ms_shared_plan_make(const ms_device_problem *p, uint32_t multiprocessors,
                                    uint32_t shared_bytes, ms_shared_plan *plan)
{
  if (p->n >= NO_VERTEX - MS_WORD_BITS || !p->sibling)
    return false;
  /* a word of few vertices leaves a multiprocessor waiting most of the time */
  if (p->n <= MOST_FOR_TWO && plan_words(p, multiprocessors, shared_bytes, 2, plan))
    return true;
  return plan_words(p, multiprocessors, shared_bytes, 1, plan);
}

extern "C" cudaError_t ms_shared_run(const ms_device_problem *p, const ms_shared_plan *plan,
                                     const ms_device_pass *passes, uint4 *scratch,
                                     unsigned long long *counter, uint64_t first, uint64_t last,
                                     cudaStream_t stream)
{
  shared_args a = {};
  a.p = *p;
  uint64_t count = ((last - 1) >> p->outer_bits) + 1;
  for (uint64_t i = 0; i < count; i++)
    a.pass[i] = passes[i];
  a.shared_bytes = plan->shared_bytes;
  a.rows = plan->rows;
  a.apart_most = (p->n + 7) & ~7u;
  a.first = first;
  a.last = last;
  a.counter = counter;
  a.scratch = scratch;
  cudaError_t error =
      cudaFuncSetAttribute((const void *)sieve_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           (int)plan->shared_bytes);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(counter, 0, sizeof *counter, stream);
  if (error != cudaSuccess)
    return error;
  uint64_t words = last - first;
  unsigned blocks = words < plan->blocks ? (unsigned)words : plan->blocks;
  MS_LAUNCH_SHARED(sieve_shared, blocks, plan->threads, plan->shared_bytes, stream, a);
  return cudaGetLastError();
}
