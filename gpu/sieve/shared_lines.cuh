/* What is private to the vertices of a line, or leaves it (gpu/sieve/shared_word.cuh): linear
 * forms, weights, published rows and Q. */
#ifndef MS_GPU_SIEVE_SHARED_LINES_CUH
#define MS_GPU_SIEVE_SHARED_LINES_CUH

#include "gpu/sieve/shared_word.cuh"

/* The vertices of a line.  `half` is 0 if there is one alone; else it is 1 << label of both, and
 * `points` has this label.  If the second half has no vertex, other == v. */
typedef struct line_owner {
  uint32_t slot, v, other, half, points;
} line_owner;

static __device__ __forceinline__ line_owner owner_of(const layout &l, uint32_t line)
{
  line_owner o;
  bool pair = line < l.pairs;
  o.slot = pair ? 2 * line : line + l.pairs;
  o.v = l.vertex[o.slot];
  o.other = o.v;
  o.half = pair ? l.half[o.slot] : 0;
  o.points = ms_points_with(o.half);
  if (pair && l.vertex[o.slot + 1] != NO_VERTEX)
    o.other = l.vertex[o.slot + 1];
  return o;
}

/* Returns the line of two rows, each at all points. */
static __device__ __forceinline__ ms_sliced join(const ms_sliced &a, const ms_sliced &b,
                                                 const line_owner &o)
{
  ms_sliced r;
#pragma unroll
  for (int i = 0; i < 8; i++)
    r.w[i] = (a.w[i] & o.points) | (b.w[i] >> o.half & ~o.points);
  return r;
}

/* Returns the row that is `a` at the points of the first vertex and `b` at those of the second. */
static __device__ __forceinline__ ms_sliced select(const ms_sliced &a, const ms_sliced &b,
                                                   const line_owner &o)
{
  ms_sliced r;
#pragma unroll
  for (int i = 0; i < 8; i++)
    r.w[i] = (a.w[i] & o.points) | (b.w[i] & ~o.points);
  return r;
}

/* The same as outer_value, for both vertices; constant: as in the layout. */
typedef struct line_constants {
  uint32_t first, second;
} line_constants;

static __device__ __forceinline__ line_constants constants_of(const ms_device_problem &p,
                                                              const ms_device_pass &pass,
                                                              const line_owner &o,
                                                              const uint32_t *constant,
                                                              uint32_t quad, uint32_t outer)
{
  line_constants c = {0, 0};
  if (constant) {
    c.first = constant[quad * p.n + o.v];
    c.second = constant[quad * p.n + o.other];
    return c;
  }
  c.first = outer_value(p, pass.value, o.v, quad, outer);
  if (o.half)
    c.second = outer_value(p, pass.value, o.other, quad, outer);
  return c;
}

/* Makes l.constant in the order of the vertices, in which the coefficients lie; two bits and
 * several quads are loaded at the same time. */
static __device__ __forceinline__ void make_constants(const ms_device_problem &p,
                                                      const ms_device_pass &pass, const layout &l,
                                                      uint32_t outer)
{
  enum { MOST_QUADS = 8 };
  const size_t row = (size_t)p.quads * p.n;
  const uint32_t *value = pass.value + p.inner_bits * row;
  for (uint32_t v = threadIdx.x; v < p.n && l.constant; v += blockDim.x) {
    uint32_t sum[MOST_QUADS] = {0};
    if (l.position[v] == NO_VERTEX)
      continue;
    for (uint32_t rest = outer; rest;) {
      const uint32_t *a = value + (__ffs(rest) - 1) * row + v, *b = a;
      rest &= rest - 1;
      const uint32_t two = rest ? ~0u : 0;
      b = rest ? value + (__ffs(rest) - 1) * row + v : a;
      rest &= rest - 1;
#pragma unroll
      for (uint32_t quad = 0; quad < MOST_QUADS; quad++)
        if (quad < p.quads)
          sum[quad] ^= a[quad * p.n] ^ (b[quad * p.n] & two);
    }
#pragma unroll
    for (uint32_t quad = 0; quad < MOST_QUADS; quad++)
      if (quad < p.quads)
        l.constant[quad * p.n + v] = sum[quad];
  }
}

/* The inner parts of a form of both vertices, so that they can be asked for ahead. */
typedef struct form_rows {
  ms_sliced first, second;
} form_rows;

static __device__ __forceinline__ form_rows load_form(const ms_device_problem &p,
                                                      const ms_device_pass &pass,
                                                      const line_owner &o, uint32_t f)
{
  form_rows r;
  r.first = r.second = inner_form_of(p, pass.inner, o.v, f);
  if (o.half)
    r.second = inner_form_of(p, pass.inner, o.other, f);
  return r;
}

/* Returns form f of a line; c: the bytes of forms f & ~3 to f | 3 at the outer bits. */
static __device__ __forceinline__ ms_sliced line_form(form_rows r, const line_owner &o, uint32_t f,
                                                      const line_constants &c)
{
  add_constant(&r.first, c.first >> f % 4 * 8 & 255);
  if (!o.half)
    return r.first;
  add_constant(&r.second, c.second >> f % 4 * 8 & 255);
  return join(r.first, r.second, o);
}

/* Returns zeta of a line, which is zero where there is no vertex and past the last point. */
static __device__ __forceinline__ ms_sliced line_zeta(const ms_device_problem &p,
                                                      const ms_device_pass &pass,
                                                      const line_owner &o, const line_constants &c)
{
  ms_sliced zeta = only_points(p, line_form(load_form(p, pass, o, 0), o, 0, c));
  if (o.other == o.v)
#pragma unroll
    for (int b = 0; b < 8; b++)
      zeta.w[b] &= o.points;
  return zeta;
}

/* Adds the points of a row to Q of its vertices. */
static __device__ __forceinline__ void add_to_q(const ms_device_pass &pass, const line_owner &o,
                                                const ms_sliced &r)
{
  ms_sliced own = r, others = r;
#pragma unroll
  for (int b = 0; b < 8; b++) {
    own.w[b] &= o.points;
    others.w[b] &= ~o.points;
  }
  atomicXor(&pass.q[o.v], fold(own));
  if (o.half)
    atomicXor(&pass.q[o.other], fold(others));
}

/* ---- published rows ----------------------------------------------------------------- */

/* Adds power * bit BIT of constant q to a[q]; PAIR: m[ROWS + q] is that of the second vertex. */
template <int BIT, int ROWS, bool PAIR>
static __device__ __forceinline__ void scale_bit(const ms_sliced &power, const ms_masks *m,
                                                 uint32_t points, ms_sliced *a)
{
#pragma unroll
  for (int q = 0; q < ROWS; q++) {
    uint32_t mask = ms_mask_of_bit<BIT>(m[q]);
    if (PAIR)
      mask = (mask & points) | (ms_mask_of_bit<BIT>(m[ROWS + q]) & ~points);
#pragma unroll
    for (int b = 0; b < 8; b++)
      a[q].w[b] ^= power.w[b] & mask;
  }
}

static __device__ __forceinline__ void publish_row(const layout &l, uint32_t at, const ms_sliced &r)
{
  shared[l.exchange + at] = make_uint4(r.w[0], r.w[1], r.w[2], r.w[3]);
  shared[l.exchange + at + 1] = make_uint4(r.w[4], r.w[5], r.w[6], r.w[7]);
}

/* Publishes row q of a line as that of its slot, or as those of its two slots. */
template <bool PAIR>
static __device__ __forceinline__ void publish_line(const layout &l, uint32_t e,
                                                    const line_owner &o, int q, const ms_sliced &r)
{
  ms_sliced first = r, second = r;
#pragma unroll
  for (int b = 0; b < 8; b++) {
    first.w[b] = PAIR ? r.w[b] & o.points : r.w[b];
    second.w[b] = r.w[b] << o.half & o.points;
  }
  publish_row(l, exchange_at(e, o.slot, 2 * q), first);
  if (PAIR)
    publish_row(l, exchange_at(e, o.slot + 1, 2 * q), second);
}

/* Computes A(., t, q0 + 1 .. q0 + ROWS) of a line from P(., t): the multiples of P by powers of x
 * are made once for all rows. */
template <int ROWS, bool PAIR>
static __device__ __forceinline__ void publish_rows(const layout &l, const line_owner &o,
                                                    const uint8_t *gamma, size_t apart,
                                                    ms_sliced own)
{
  const uint32_t e = exponent_of(ROWS);
  ms_masks m[2 * ROWS];
  ms_sliced a[ROWS];
#pragma unroll
  for (int q = 0; q < ROWS; q++) {
    m[q] = ms_masks_of(gamma[q * apart + o.v]);
    m[ROWS + q] = PAIR ? ms_masks_of(gamma[q * apart + o.other]) : m[q];
    a[q] = ms_sliced_zero();
  }
  scale_bit<0, ROWS, PAIR>(own, m, o.points, a);
  ms_sliced_times_x(&own);
  scale_bit<1, ROWS, PAIR>(own, m, o.points, a);
  ms_sliced_times_x(&own);
  scale_bit<2, ROWS, PAIR>(own, m, o.points, a);
  ms_sliced_times_x(&own);
  scale_bit<3, ROWS, PAIR>(own, m, o.points, a);
  ms_sliced_times_x(&own);
  scale_bit<4, ROWS, PAIR>(own, m, o.points, a);
  ms_sliced_times_x(&own);
  scale_bit<5, ROWS, PAIR>(own, m, o.points, a);
  ms_sliced_times_x(&own);
  scale_bit<6, ROWS, PAIR>(own, m, o.points, a);
  ms_sliced_times_x(&own);
  scale_bit<7, ROWS, PAIR>(own, m, o.points, a);
#pragma unroll
  for (int q = 0; q < ROWS; q++)
    publish_line<PAIR>(l, e, o, q, a[q]);
}

template <bool PAIR>
static __device__ __forceinline__ void
publish_line_rows(const ms_device_problem &p, const ms_device_pass &pass, const layout &l,
                  const line_owner &o, uint32_t t, uint32_t q0, uint32_t rows, const ms_sliced &own)
{
  const uint8_t *gamma = pass.gamma + (size_t)(p.gamma_offset[t] + q0) * p.n;
  if (rows == 1)
    publish_rows<1, PAIR>(l, o, gamma, p.n, own);
  else if (rows == 2)
    publish_rows<2, PAIR>(l, o, gamma, p.n, own);
  else if (rows == 3)
    publish_rows<3, PAIR>(l, o, gamma, p.n, own);
  else
    publish_rows<4, PAIR>(l, o, gamma, p.n, own);
}

static __device__ __forceinline__ void publish(const ms_device_problem &p,
                                               const ms_device_pass &pass, const layout &l,
                                               const line_owner &o, uint32_t t, uint32_t q0,
                                               uint32_t rows, const ms_sliced &own)
{
  if (o.half)
    publish_line_rows<true>(p, pass, l, o, t, q0, rows, own);
  else
    publish_line_rows<false>(p, pass, l, o, t, q0, rows, own);
}

#endif
