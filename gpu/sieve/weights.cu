/* Makes the weights of a pass on the device: the bytes of sieve/pass.c in the order in which the
 * kernels read them. */
#include "gf2/gf256.h"
#include "gpu/sieve/device.cuh"
#include "gpu/sieve/quadratic.cuh"
#include "sieve/weights.h"

static __device__ __forceinline__ ms_device_segment segment_at(const ms_device_problem &p,
                                                               uint64_t s)
{
  if (p.segment)
    return p.segment[s];
  ms_device_segment whole = {p.offset[s], (uint32_t)s, (uint32_t)(p.offset[s + 1] - p.offset[s])};
  return whole;
}

/* Returns a weight of vertex v and shade d times its power of y = g^evaluation, where g = 0x03. */
static __device__ __forceinline__ uint8_t scale_weight(const ms_device_problem &p, uint8_t weight,
                                                       uint32_t evaluation, uint32_t v, uint32_t d)
{
  if (evaluation == 0)
    return weight;
  uint32_t power = evaluation * (p.exponent[v] + 255u - p.exponent_base[d]) % 255u;
  uint32_t factor = weight, square = 3;
  for (; power; power >>= 1) {
    factor = power & 1 ? ms_times_byte(factor, square) : factor;
    square = ms_times_byte(square, square);
  }
  return (uint8_t)factor;
}

/* Makes coefficient[b] of zeta_v at point bit b (sieve/pass.c, zeta_coefficients). */
static __global__ void make_vertex(ms_device_problem p, ms_device_pass pass, uint32_t repetition,
                                   uint32_t evaluation, uint32_t variant)
{
  uint32_t v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= p.n)
    return;
  uint32_t id = p.vertex[v], mask = p.mask[v];
  pass.q[v] = 0;
  bool loose = false;
  for (uint32_t i = 0; i < p.loose_count; i++)
    loose |= p.loose[i] == v && variant >> i & 1;
  uint32_t *row = (uint32_t *)(pass.coefficient + (size_t)v * 32), bytes = 0; /* four at a time */
  for (uint32_t b = 0; b < 32; b++) {
    uint8_t sum = 0;
    uint32_t label = p.label_at[b];
    if (b < p.size && !loose && !p.nu && mask >> label & 1) {
      uint8_t mu[4];
      ms_weights4(p.seed, repetition, MS_WEIGHT_MU, id, 0, label / 4, mu);
      sum = scale_weight(p, mu[label & 3], evaluation, v, label);
    } else if (b < p.size && !loose && p.nu) {
      for (uint32_t d = 0; d < p.shades; d++) {
        uint8_t mu[4], nu[4];
        if (!(mask >> d & 1))
          continue;
        ms_weights4(p.seed, repetition, MS_WEIGHT_MU, id, 0, d / 4, mu);
        ms_weights4(p.seed, repetition, MS_WEIGHT_NU, d, 0, label / 4, nu);
        sum ^= (uint8_t)ms_times_byte(mu[d & 3], nu[label & 3]);
      }
    }
    bytes = bytes >> 8 | (uint32_t)sum << 24;
    if (b % 4 == 3)
      row[b / 4] = bytes;
  }
  if (!p.sibling)
    return;
  uint32_t *gamma1 = (uint32_t *)(pass.gamma1 + (size_t)v * 32);
  uint8_t four[4] = {0, 0, 0, 0};
  bytes = 0; /* byte 0 is 0 */
  for (uint32_t q = 0; q < 31; q++) {
    if (q % 4 == 0 && q + 1 < p.size)
      ms_weights4(p.seed, repetition, MS_WEIGHT_GAMMA, id, 1, q / 4, four);
    uint32_t byte = q + 1 < p.size ? four[q & 3] : 0;
    bytes = bytes >> 8 | byte << 24;
    if (q % 4 == 2)
      gamma1[q / 4] = bytes;
  }
  for (uint32_t t = 2; t < p.size; t++) {
    uint32_t siblings = (p.size - 1) / t;
    for (uint32_t q = 0; q < siblings; q++) {
      if (q % 4 == 0)
        ms_weights4(p.seed, repetition, MS_WEIGHT_GAMMA, id, t, q / 4, four);
      pass.gamma[(size_t)(p.gamma_offset[t] + q) * p.n + v] = four[q & 3];
    }
  }
}

/* Makes the forms at point bit b, four at a time: form 0 is zeta, form q the sum of gamma(1, q,
 * j) * coefficient(j, b) over the neighbours j.  A thread takes one segment of arcs; x is the
 * segment, then (b, quad). */
static __global__ void make_values(ms_device_problem p, ms_device_pass pass)
{
  uint64_t x = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t pairs = p.size * p.quads;
  uint64_t s = x / pairs;
  if (s >= p.segment_count)
    return;
  uint32_t b = (uint32_t)(x % pairs) / p.quads, quad = (uint32_t)(x % pairs) % p.quads;
  ms_device_segment segment = segment_at(p, s);
  uint32_t v = segment.vertex, sum = 0;
  if (p.sibling)
    for (uint32_t i = 0; i < segment.count; i++) {
      ms_device_arc arc = p.arc[segment.first + i];
      if (arc.active >> b & 1)
        sum ^= ms_times_byte(((const uint32_t *)(pass.all_gamma1 + (size_t)arc.head * 32))[quad],
                             pass.all_coefficients[(size_t)arc.head * 32 + b]);
    }
  bool only = segment.first == p.offset[v] && segment.first + segment.count == p.offset[v + 1];
  if (quad == 0 && segment.first == p.offset[v])
    sum ^= pass.coefficient[(size_t)v * 32 + b];
  uint32_t *to = pass.value + ((size_t)b * p.quads + quad) * p.n + v;
  if (only)
    *to = sum;
  else
    atomicXor(to, sum);
}

/* Adds the multiples of a byte by bit b of the points 0 .. 31. */
static __device__ __forceinline__ void add_form_bit(ms_sliced *r, uint32_t b, uint32_t byte)
{
  const uint32_t pattern[5] = {0xAAAAAAAAu, 0xCCCCCCCCu, 0xF0F0F0F0u, 0xFF00FF00u, 0xFFFF0000u};
#pragma unroll
  for (int i = 0; i < 8; i++)
    r->w[i] ^= byte >> i & 1 ? pattern[b] : 0;
}

/* Makes inner[f][v][half]: the form over the inner five bits. */
static __global__ void make_inner(ms_device_problem p, ms_device_pass pass)
{
  uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, f = blockIdx.y;
  if (v >= p.n)
    return;
  ms_sliced r = ms_sliced_zero();
  for (uint32_t b = 0; b < p.inner_bits; b++)
    add_form_bit(&r, b, pass.value[((size_t)b * p.quads + f / 4) * p.n + v] >> f % 4 * 8 & 255);
  store_row(pass.inner + ((size_t)f * p.n + v) * 2, 1, r);
}

/* Makes product[v][d][e][four] for each active bit d of v and each bit e: gamma(2, q, v) times the
 * coefficient of L_d L_e in P(v, 2).  All others are 0, and nobody reads them. */
static __global__ void make_products(ms_device_problem p, ms_device_pass pass, uint32_t *product)
{
  uint32_t v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= p.n)
    return;
  uint32_t siblings = siblings_of(p.size, 2), fours = ms_quadratic_fours(p.size), four[4];
  const uint8_t *z = pass.coefficient + (size_t)v * 32,
                *gamma = pass.gamma + (size_t)p.gamma_offset[2] * p.n + v;
  for (uint32_t f = 0; f < fours; f++) {
    four[f] = 0;
    for (uint32_t i = 0; i < 4 && 4 * f + i < siblings; i++)
      four[f] |= (uint32_t)gamma[(size_t)(4 * f + i) * p.n] << 8 * i;
  }
  for (uint32_t rest = p.active[v]; rest; rest &= rest - 1) {
    uint32_t d = (uint32_t)__ffs(rest) - 1;
    uint32_t r_d = pass.value[(size_t)d * p.quads * p.n + v] >> 8 & 255;
    uint32_t *to = product + ((size_t)v * p.size + d) * p.size * fours;
    for (uint32_t e = 0; e < p.size; e++) {
      uint32_t r_e = pass.value[(size_t)e * p.quads * p.n + v] >> 8 & 255;
      uint32_t byte = ms_pair_product(d, e, z[d], z[e], r_d, r_e);
      for (uint32_t f = 0; f < fours; f++)
        *to++ = ms_times_byte(four[f], byte);
    }
  }
}

/* Makes pair[v][pair][four]: sums of products over neighbours.  A thread takes one segment of
 * arcs and one word. */
static __global__ void make_pairs(ms_device_problem p, ms_device_pass pass, const uint32_t *product)
{
  uint64_t x = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t fours = ms_quadratic_fours(p.size), row = ms_quadratic_pairs(p.size) * fours;
  uint64_t s = x / row;
  if (s >= p.segment_count)
    return;
  uint32_t at = (uint32_t)(x % row), e = 0, sum = 0;
  while (ms_pair(0, e + 1) <= at / fours)
    e++;
  uint32_t d = at / fours - ms_pair(0, e), bits = 1u << e | 1u << d;
  /* a product of the pair is in the row of each active bit of it */
  uint32_t of_d = (d * p.size + e) * fours + at % fours,
           of_e = (e * p.size + d) * fours + at % fours;
  size_t rows = (size_t)p.size * p.size * fours;
  ms_device_segment segment = segment_at(p, s);
  uint32_t v = segment.vertex;
  for (uint32_t i = 0; i < segment.count; i++) {
    ms_device_arc arc = p.arc[segment.first + i];
    if (arc.active & bits)
      sum ^= product[arc.head * rows + (arc.active >> d & 1 ? of_d : of_e)];
  }
  bool only = segment.first == p.offset[v] && segment.first + segment.count == p.offset[v + 1];
  uint32_t *to = pass.pair + (size_t)v * row + at;
  if (only)
    *to = sum;
  else
    atomicXor(to, sum);
}

static __global__ void make_inner_pairs(ms_device_problem p, ms_device_pass pass)
{
  uint32_t siblings = siblings_of(p.size, 2), fours = ms_quadratic_fours(p.size);
  uint64_t x = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x, v = x / siblings;
  uint32_t q = (uint32_t)(x % siblings);
  if (v < p.n)
    store_row(pass.inner_pairs + 2 * x, 1,
              ms_quadratic_inner(pass.pair + v * ms_quadratic_pairs(p.size) * fours + q / 4, fours,
                                 q % 4));
}

/* Adds to q[v] the product of zeta with the rows of neighbours, summed over all points: what the
 * last step does, from moments.  A thread takes one segment of arcs and one word of moments. */
static __global__ void add_moments(ms_device_problem p, ms_device_pass pass)
{
  uint64_t x = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t words = ms_moment_words(p.size), word = (uint32_t)(x % words), sum = 0, byte = 0;
  uint64_t s = x / words;
  if (s >= p.segment_count)
    return;
  ms_device_segment segment = segment_at(p, s);
  for (uint32_t i = 0; i < segment.count; i++)
    sum ^= pass.moment[(size_t)p.arc[segment.first + i].head * words + word];
  for (uint32_t i = 0; i < 4 && 4 * word + i < p.size; i++) {
    uint32_t zeta = pass.value[(size_t)(4 * word + i) * p.quads * p.n + segment.vertex] & 255;
    byte ^= ms_times_byte(sum >> 8 * i & 255, zeta);
  }
  if (byte)
    atomicXor(&pass.q[segment.vertex], byte);
}

/* Makes alpha[s - 2][arc] for s = 2 .. size. */
static __global__ void make_alpha(ms_device_problem p, ms_device_pass pass, uint32_t repetition)
{
  uint64_t s = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= p.segment_count)
    return;
  ms_device_segment segment = segment_at(p, s);
  uint32_t tail = p.vertex[segment.vertex];
  for (uint32_t i = 0; i < segment.count; i++) {
    uint64_t e = segment.first + i;
    uint32_t head = p.vertex[p.arc[e].head];
    uint8_t four[4];
    for (uint32_t a = 0; a + 1 < p.size; a++) {
      if (a % 4 == 0)
        ms_weights4(p.seed, repetition, MS_WEIGHT_ALPHA, tail, head, a / 4, four);
      pass.alpha[a * p.arcs + e] = four[a & 3];
    }
  }
}

static __global__ void make_arcs(const uint32_t *heads, const uint32_t *active, uint64_t arcs,
                                 ms_device_arc *arc)
{
  uint64_t e = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (e < arcs)
    arc[e] = {heads[e], active[heads[e]]};
}

extern "C" cudaError_t ms_device_make_arcs(const uint32_t *heads, const uint32_t *active,
                                           uint64_t arcs, ms_device_arc *arc, cudaStream_t stream)
{
  if (arcs > 0)
    MS_LAUNCH(make_arcs, (unsigned)((arcs + 255) / 256), 256, stream, heads, active, arcs, arc);
  return cudaGetLastError();
}

static __global__ void make_labels(ms_device_problem p, uint32_t *active, uint32_t *vertex)
{
  uint32_t v = blockIdx.x * blockDim.x + threadIdx.x, bits = 0;
  if (v >= p.n)
    return;
  for (uint32_t b = 0; b < p.size; b++)
    bits |= (p.mask[v] >> p.label_at[b] & 1) << b;
  active[v] = bits;
  vertex[v] = v;
}

extern "C" cudaError_t ms_device_make_labels(const ms_device_problem *p, uint32_t *active,
                                             uint32_t *vertex, cudaStream_t stream)
{
  const uint32_t threads = 256;
  MS_LAUNCH(make_labels, (p->n + threads - 1) / threads, threads, stream, *p, active, vertex);
  return cudaGetLastError();
}

extern "C" cudaError_t ms_device_make_vertices(const ms_device_problem *p,
                                               const ms_device_pass *pass, uint32_t repetition,
                                               uint32_t variant, cudaStream_t stream)
{
  const uint32_t threads = 256;
  MS_LAUNCH(make_vertex, (p->n + threads - 1) / threads, threads, stream, *p, *pass,
            repetition / p->evaluations, repetition % p->evaluations, variant);
  return cudaGetLastError();
}

extern "C" cudaError_t ms_device_make_weights(const ms_device_problem *p,
                                              const ms_device_pass *pass, uint32_t repetition,
                                              uint32_t variant, cudaStream_t stream)
{
  const uint32_t threads = 256;
  size_t values = (size_t)p->size * p->quads * p->n * sizeof *pass->value;
  cudaError_t error = cudaMemsetAsync(pass->value, 0, values, stream);
  if (error != cudaSuccess)
    return error;
  error = ms_device_make_vertices(p, pass, repetition, variant, stream);
  if (error != cudaSuccess)
    return error;
  repetition /= p->evaluations;
  uint32_t blocks = (p->n + threads - 1) / threads;
  uint64_t work = p->segment_count * p->size * p->quads;
  MS_LAUNCH(make_values, (unsigned)((work + threads - 1) / threads), threads, stream, *p, *pass);
  MS_LAUNCH(make_inner, dim3(blocks, p->forms), threads, stream, *p, *pass);
  if (!p->sibling)
    MS_LAUNCH(make_alpha, (unsigned)((p->segment_count + threads - 1) / threads), threads, stream,
              *p, *pass, repetition);
  return cudaGetLastError();
}

extern "C" cudaError_t ms_device_add_moments(const ms_device_problem *p, const ms_device_pass *pass,
                                             cudaStream_t stream)
{
  const uint32_t threads = 256;
  uint64_t work = p->segment_count * ms_moment_words(p->size);
  MS_LAUNCH(add_moments, (unsigned)((work + threads - 1) / threads), threads, stream, *p, *pass);
  return cudaGetLastError();
}

extern "C" cudaError_t ms_device_make_quadratic(const ms_device_problem *p,
                                                const ms_device_pass *pass, void *work,
                                                cudaStream_t stream)
{
  const uint32_t threads = 256;
  uint64_t row = (uint64_t)ms_quadratic_pairs(p->size) * ms_quadratic_fours(p->size);
  cudaError_t error = p->segment
                          ? cudaMemsetAsync(pass->pair, 0, p->n * row * sizeof *pass->pair, stream)
                          : cudaSuccess;
  if (error != cudaSuccess)
    return error;
  MS_LAUNCH(make_products, (p->n + threads - 1) / threads, threads, stream, *p, *pass,
            (uint32_t *)work);
  MS_LAUNCH(make_pairs, (unsigned)((p->segment_count * row + threads - 1) / threads), threads,
            stream, *p, *pass, (const uint32_t *)work);
  uint64_t forms = (uint64_t)p->n * ((p->size - 1) / 2);
  MS_LAUNCH(make_inner_pairs, (unsigned)((forms + threads - 1) / threads), threads, stream, *p,
            *pass);
  return cudaGetLastError();
}
