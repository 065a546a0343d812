/* Both recurrences over one line type (SIEVE: "Sibling-indexed recurrence",
 * "Classic recurrence").
 *
 * Include it after a line header, and define before
 *   GATHER_TILE   lines that are summed over the neighbours in one pass: 15 (the
 *                 maximum) if they fit registers, else 1 to 4
 *   SCALE_AT_HEAD number of siblings from which products by constants are left
 *                 to the readers of a row; 99 for never
 *   line_xor3     optional macro: XOR of three lines
 *   line_scale_word  optional macro: line_scale, the constant given as a word
 *                 that repeats it in each byte
 *   LINE_SCALE_MANY  optional: line_scale by several constants at once
 *   LINE_SUM      optional: the line header defines line_sum, a sum of products
 *                 that is reduced at its end (line_sum_of, line_sum_add, line_of_sum)
 *   LIVE_HEADS    optional: a faster copy_live_heads (same contract)
 *   KERNEL_HALVES optional: &kernel where two vertices may share a line
 * Defines ms_sieve_kernel_<LINE_NAME>_<LINE_BITS>.
 *
 * Cost of a sibling block for a live vertex of live degree d, in lines: about
 * k^2 / 2 products, and over its arcs d * sum_{t=2}^{k-1} floor((k-1)/t) XORs
 * with as many loads, or as many products by constants and d * (k-2) loads. */
#include "base/compiler.h"
#include "sieve/kernels/kernel.h"
#include "sieve/kernels/kernel_parts_template.h"
#ifndef LIVE_HEADS
#include "sieve/kernels/live_heads.h"
#endif

#include <string.h>

#ifndef line_scale_word
#define line_scale_word(word, a) line_scale((uint8_t)(word), a)
#endif

#ifndef line_xor3
#define line_xor3(a, b, c) line_xor(line_xor(a, b), c)
#endif

#ifndef KERNEL_HALVES
#define KERNEL_HALVES NULL
#endif

#define KERNEL_PASTE3(a, b, c) a##b##_##c
#define KERNEL_PASTE(a, b, c) KERNEL_PASTE3(a, b, c)
#define KERNEL_TEXT2(a) #a
#define KERNEL_TEXT(a) KERNEL_TEXT2(a)

#ifndef LINE_SCALE_MANY
#define LINE_SCALE_MANY scale_many

static inline void scale_many(line *out, const uint32_t *constants, uint32_t count, line a)
{
  for (uint32_t i = 0; i < count; i++)
    out[i] = line_scale_word(constants[i], a);
}
#endif

/* ---- sparsity over points ------------------------------------------------ */

/* Finds the vertices that are non-zero somewhere in the block, and their live
 * neighbours. With size > 1, a vertex without live neighbours has Q = 0
 * there. */
static uint32_t find_live(const ms_sieve_shape *shape, ms_sieve_scratch *s, uint64_t outer,
                          bool with_arcs)
{
  const ms_instance *in = shape->problem->instance;
  const uint32_t *active = shape->problem->active;
  uint32_t points =
      (uint32_t)(outer << shape->inner_bits | (((uint64_t)1 << shape->inner_bits) - 1));
  uint32_t count = 0;
  uint64_t at = 0;
  for (uint32_t v = 0; v < in->n; v++) {
    if (!(active[v] & points))
      continue;
    uint64_t heads =
        copy_live_heads(in->neighbor, shape->arc_active, in->offset[v], in->offset[v + 1], points,
                        s->head + at, with_arcs ? s->arc + at : NULL);
    if (heads == 0 && shape->problem->size > 1)
      continue;
    s->found[count++] = (ms_sieve_live){.first = at, .vertex = v, .heads = (uint32_t)heads};
    at += heads;
  }
  memset(s->head + at, 0, MS_SIEVE_SLACK * sizeof *s->head); /* prefetched, not used */
  ms_sieve_order_live(shape, s, count);
  return count;
}

/* ---- lines --------------------------------------------------------------- */

/* Returns 1 on lanes that are points, and 0 on lanes past the last point (size
 * less than line bits). */
static line valid_lanes(const ms_sieve_shape *shape)
{
  uint8_t bytes[1 << LINE_BITS];
  for (uint32_t l = 0; l < 1u << LINE_BITS; l++)
    bytes[l] = l >> shape->inner_bits == 0;
  return line_from_bytes(bytes);
}

/* Returns form f of vertex v on all lanes. */
MS_ALWAYS_INLINE line form(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                           const ms_sieve_scratch *s, uint32_t v, uint32_t f)
{
  return line_affine(pass->inner[(size_t)v * shape->forms + f],
                     s->constant[(size_t)v * shape->row + f]);
}

/* ---- sibling-indexed ----------------------------------------------------- */

/* True if the readers of a row scale it. What crosses an edge at step t is A(j,
 * t, q) = gamma(t, q, j) P(j, t). Either j multiplies once and publishes one
 * line for each q; or, if a product by a constant costs no more than a load, j
 * publishes the one line P(j, t) and its readers multiply. Rows that are read
 * at random are then q times shorter and stay in cache. The second way pays
 * from SCALE_AT_HEAD siblings on. */
MS_ALWAYS_INLINE bool at_head(uint32_t siblings)
{
  return siblings >= SCALE_AT_HEAD;
}

/* Computes r[q] = R(i, t, q), q < width, over the heads of i. `rows` is P [n]
 * (scaled at the head) or A [n][stride], beginning with its first required q;
 * `gamma` is [n][stride] of this t, with the same begin. If the rows are larger
 * than a cache (far), the rows of heads further down the list are
 * prefetched. */
MS_ALWAYS_INLINE void gather(const int width, const bool scale, const bool far, line *r,
                             const line *rows, const uint32_t *gamma, uint32_t stride,
                             const uint32_t *head, uint32_t heads)
{
  line sum[GATHER_TILE];
  const uint32_t *end = head + heads;
  size_t apart = scale ? 1 : stride;
  UNROLL_TILE
  for (int q = 0; q < width; q++)
    sum[q] = line_zero();
  if (far)
    for (const uint32_t *ahead = head + MS_SIEVE_AHEAD; ahead < end + MS_SIEVE_AHEAD; ahead++) {
      prefetch(rows + *ahead * apart);
      if (scale)
        prefetch(gamma + (size_t)*ahead * stride);
    }
  for (; end - head >= 2; head += 2) {
    const line *x = rows + head[0] * apart, *y = rows + head[1] * apart;
    const uint32_t *b = gamma + (size_t)head[0] * stride, *c = gamma + (size_t)head[1] * stride;
    UNROLL_TILE
    for (int q = 0; q < width; q++)
      sum[q] = scale ? line_xor3(sum[q], line_scale_word(b[q], *x), line_scale_word(c[q], *y))
                     : line_xor3(sum[q], x[q], y[q]);
  }
  if (head < end) {
    const line *x = rows + head[0] * apart;
    const uint32_t *b = gamma + (size_t)head[0] * stride;
    UNROLL_TILE
    for (int q = 0; q < width; q++)
      sum[q] = line_xor(sum[q], scale ? line_scale_word(b[q], *x) : x[q]);
  }
  UNROLL_TILE
  for (int q = 0; q < width; q++)
    r[q] = sum[q];
}

#if !STRAIGHT
/* Computes the first `left` of the sums, or as many as a tile has. */
MS_ALWAYS_INLINE void gather_tile(const int left, const bool scale, const bool far, line *r,
                                  const line *rows, const uint32_t *gamma, uint32_t stride,
                                  const uint32_t *head, uint32_t heads)
{
#define CASE(width)                                                                                \
  case width:                                                                                      \
    gather(width < GATHER_TILE ? width : GATHER_TILE, scale, far, r, rows, gamma, stride, head,    \
           heads);                                                                                 \
    break;
  switch (left < GATHER_TILE ? left : GATHER_TILE) {
    CASE(1)
    CASE(2)
    CASE(3)
    CASE(4)
  }
#undef CASE
}
#endif

/* Computes w[x][q - 1] = W(i, t, q) for `count` live vertices from live[0]
 * on. */
MS_ALWAYS_INLINE void factors(const int siblings, const bool far, line w[BATCH][MOST_SIBLINGS],
                              const ms_sieve_live *live, uint32_t count, const ms_sieve_scratch *s,
                              const line *rows, const uint32_t *gamma)
{
  const bool scale = at_head((uint32_t)siblings);
  for (uint32_t x = 0; x < count; x++) {
    const uint32_t *head = s->head + live[x].first;
#if STRAIGHT
    gather(siblings, scale, far, w[x], rows, gamma, (uint32_t)siblings, head, live[x].heads);
#else
    for (int q = 0; q < siblings; q += GATHER_TILE)
      gather_tile(siblings - q, scale, far && q == 0, w[x] + q, scale ? rows : rows + q, gamma + q,
                  (uint32_t)siblings, head, live[x].heads);
#endif
    UNROLL
    for (int q = 1; q < siblings; q++)
      w[x][q] = line_mul(w[x][q - 1], w[x][q]);
  }
}

static void factors_near(uint32_t siblings, line w[BATCH][MOST_SIBLINGS], const ms_sieve_live *live,
                         uint32_t count, const ms_sieve_scratch *s, const line *rows,
                         const uint32_t *gamma)
{
#define CALL_FACTORS(c) factors(c, false, w, live, count, s, rows, gamma)
  SPECIALIZE(siblings, CALL_FACTORS);
#undef CALL_FACTORS
}

static void factors_far(uint32_t siblings, line w[BATCH][MOST_SIBLINGS], const ms_sieve_live *live,
                        uint32_t count, const ms_sieve_scratch *s, const line *rows,
                        const uint32_t *gamma)
{
#define CALL_FACTORS(c) factors(c, true, w, live, count, s, rows, gamma)
  SPECIALIZE(siblings, CALL_FACTORS);
#undef CALL_FACTORS
}

/* Publishes step t of vertex v: P(v, t) = zeta * coefficient, where the
 * coefficient is [x^(t-1)] G. */
MS_ALWAYS_INLINE void publish(const ms_sieve_shape *shape, const ms_sieve_pass *pass, line zeta,
                              line coefficient, uint32_t v, uint32_t t, line *next)
{
  line p = line_mul(zeta, coefficient);
  uint32_t siblings = ms_sieve_siblings(shape->problem->size, t);
  if (at_head(siblings)) {
    next[v] = p;
    return;
  }
  const uint32_t *gamma = gamma_of(shape, pass, t) + (size_t)v * siblings;
  LINE_SCALE_MANY(next + (size_t)v * siblings, gamma, siblings, p);
}

/* Returns zeta_v, which is zero on lanes past the last point. */
MS_ALWAYS_INLINE line zeta_of(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                              const ms_sieve_scratch *s, uint32_t v, line valid)
{
  line zeta = form(shape, pass, s, v, 0);
  return shape->inner_bits < LINE_BITS ? line_mul(zeta, valid) : zeta;
}

/* Computes G of v after step 1, which crosses no edge: R(v, 1, q) is a linear
 * form in L, and [x^u] G = W(v, 1, u). */
static void expand_first(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                         const ms_sieve_scratch *s, uint32_t v, line valid, line *g)
{
  uint32_t size = shape->problem->size;
  line w = form(shape, pass, s, v, 1);
  g[0] = zeta_of(shape, pass, s, v, valid);
  g[1] = w;
  for (uint32_t u = 2; u < size; u++)
    g[u] = w = line_mul(w, form(shape, pass, s, v, u));
}

/* Makes step t, 2 <= t <= half = (size-1)/2, for the live vertices begin..live: reads the
 * lines published for t, updates G, and publishes for t + 1. */
static void early_step(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                       const ms_sieve_scratch *s, uint32_t begin, uint32_t live, uint32_t t,
                       const line *rows, line *next)
{
  uint32_t size = shape->problem->size, siblings = ms_sieve_siblings(size, t);
  const uint32_t *gamma = gamma_of(shape, pass, t);
  line *g = (line *)s->state + (size_t)begin * size, w[BATCH][MOST_SIBLINGS];
  line valid = valid_lanes(shape);
  memset(w, 0, sizeof w);
  for (uint32_t from = begin; from < live; from += BATCH, g += (size_t)BATCH * size) {
    uint32_t count = live - from < BATCH ? live - from : BATCH;
    (shape->far ? factors_far : factors_near)(siblings, w, s->live + from, count, s, rows, gamma);
    for (uint32_t x = 0; x < count && t == 2; x++)
      expand_first(shape, pass, s, s->live[from + x].vertex, valid, g + (size_t)x * size);
    multiply_all(t, g, w, count, size);
    for (uint32_t x = 0; x < count; x++)
      publish(shape, pass, g[(size_t)x * size], g[(size_t)x * size + t], s->live[from + x].vertex,
              t + 1, next);
  }
}

/* Makes step t > half for the live vertices begin..live; the last step adds to q.
 *
 * Only one sibling index is left, and no product of two such factors is below
 * x^size.  So G needs no update: the product H of the factors up to half and
 * the W_s = R(i, s, 1) are kept, and
 *   [x^t] G = [x^t] H + W_t + sum_{half < s < t} [x^(t-s)] H * W_s
 * is computed when it is needed.  g[s] holds W_s once [x^s] H was used; writes
 * drop from size - t lines to one. */
MS_ALWAYS_INLINE void late_step(const bool far, const ms_sieve_shape *shape,
                                const ms_sieve_pass *pass, const ms_sieve_scratch *s,
                                uint32_t begin, uint32_t live, uint32_t t, const line *rows,
                                line *next, uint8_t *q)
{
  const uint32_t size = shape->problem->size, half = (size - 1) / 2;
  const uint32_t *gamma = gamma_of(shape, pass, t);
  line *g = (line *)s->state + (size_t)begin * size;
  for (uint32_t x = begin; x < live; x++, g += size) {
    const ms_sieve_live *own = &s->live[x];
    line w;
    gather(1, at_head(1), far, &w, rows, gamma, 1, s->head + own->first, own->heads);
    line_sum sum = line_sum_of(line_xor(g[t], w));
    for (uint32_t u = half + 1; u < t; u++)
      sum = line_sum_add(sum, g[t - u], g[u]);
    line coefficient = line_of_sum(sum);
    g[t] = w;
    if (t + 1 < size)
      publish(shape, pass, g[0], coefficient, own->vertex, t + 1, next);
    else
      q[own->vertex] ^= line_fold(line_mul(g[0], coefficient));
  }
}

static void sibling_step(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                         const ms_sieve_scratch *s, uint32_t begin, uint32_t live, uint32_t t,
                         const line *rows, line *next, uint8_t *q)
{
  if (t <= (shape->problem->size - 1) / 2)
    early_step(shape, pass, s, begin, live, t, rows, next);
  else if (shape->far)
    late_step(true, shape, pass, s, begin, live, t, rows, next, q);
  else
    late_step(false, shape, pass, s, begin, live, t, rows, next, q);
}

/* Makes step 1, which publishes from two forms. Its G is computed when step 2
 * first needs it, which saves writing all of it to memory and reading it again;
 * unless there is no early step. */
static void first_step(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                       const ms_sieve_scratch *s, uint32_t begin, uint32_t live, line *next,
                       uint8_t *q)
{
  uint32_t size = shape->problem->size;
  line *g = (line *)s->state + (size_t)begin * size, valid = valid_lanes(shape);
  for (uint32_t x = begin; x < live; x++, g += size) {
    uint32_t v = s->live[x].vertex;
    line zeta = zeta_of(shape, pass, s, v, valid);
    if (size == 1) {
      q[v] ^= line_fold(zeta);
      continue;
    }
    line first = form(shape, pass, s, v, 1);
    if (size == 2)
      q[v] ^= line_fold(line_mul(zeta, first));
    else
      publish(shape, pass, zeta, first, v, 2, next);
    if (size == 3 || size == 4)
      expand_first(shape, pass, s, v, valid, g);
  }
}

static bool sibling_block(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                          ms_sieve_scratch *s, uint64_t outer, uint8_t *q)
{
  uint32_t size = shape->problem->size;
  uint32_t live = find_live(shape, s, outer, false);
  for (uint32_t begin = 0, end; begin < live; begin = end) {
    if ((end = next_part(shape, begin, live)) == 0)
      return false;
    first_step(shape, pass, s, begin, end, s->exchange[0], q);
  }
  for (uint32_t t = 2; t < size; t++)
    for (uint32_t begin = 0, end; begin < live; begin = end) {
      if ((end = next_part(shape, begin, live)) == 0)
        return false;
      sibling_step(shape, pass, s, begin, end, t, s->exchange[t & 1], s->exchange[~t & 1], q);
    }
  return true;
}

/* ---- classic ------------------------------------------------------------- */

/* Computes P(v, c) = sum_{j ~ v} alpha(c, v, j) sum_{a + b = c} P(v, a) P(j,
 * b). */
static void classic_step(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                         const ms_sieve_scratch *s, uint32_t begin, uint32_t live, uint32_t c)
{
  uint32_t size = shape->problem->size;
  line *p = s->state; /* P(v, a) is at p[v * size + a - 1] */
  for (uint32_t x = begin; x < live; x++) {
    const ms_sieve_live *tail = &s->live[x];
    line *own = p + (size_t)tail->vertex * size;
    line total = line_zero();
    for (uint64_t e = tail->first; e < tail->first + tail->heads; e++) {
      const line *other = p + (size_t)s->head[e] * size;
      line_sum sum = line_sum_of(line_zero());
      for (uint32_t a = 1; a < c; a++)
        sum = line_sum_add(sum, own[a - 1], other[c - a - 1]);
      uint8_t alpha = pass->alpha[(size_t)s->arc[e] * (size - 1) + c - 2];
      total = line_xor(total, line_scale(alpha, line_of_sum(sum)));
    }
    own[c - 1] = total;
  }
}

static bool classic_block(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                          ms_sieve_scratch *s, uint64_t outer, uint8_t *q)
{
  uint32_t size = shape->problem->size;
  uint32_t live = find_live(shape, s, outer, true);
  line *p = s->state;
  bool partial = shape->inner_bits < LINE_BITS;
  line valid = valid_lanes(shape);
  for (uint32_t x = 0; x < live; x++) {
    line zeta = form(shape, pass, s, s->live[x].vertex, 0);
    p[(size_t)s->live[x].vertex * size] = partial ? line_mul(zeta, valid) : zeta;
  }
  for (uint32_t c = 2; c <= size; c++)
    for (uint32_t begin = 0, end; begin < live; begin = end) {
      if ((end = next_part(shape, begin, live)) == 0)
        return false;
      classic_step(shape, pass, s, begin, end, c);
    }
  for (uint32_t x = 0; x < live; x++)
    q[s->live[x].vertex] ^= line_fold(p[(size_t)s->live[x].vertex * size + size - 1]);
  return true;
}

/* ---- table entry --------------------------------------------------------- */

static bool kernel_available(void)
{
  return LINE_AVAILABLE;
}

static void kernel_setup(void)
{
  line_setup();
}

extern const ms_sieve_kernel KERNEL_PASTE(ms_sieve_kernel_, LINE_NAME, LINE_BITS);
const ms_sieve_kernel KERNEL_PASTE(ms_sieve_kernel_, LINE_NAME, LINE_BITS) = {
    .path = KERNEL_TEXT(LINE_NAME),
    .line_bits = LINE_BITS,
    .scale_at_head = SCALE_AT_HEAD,
    .available = kernel_available,
    .setup = kernel_setup,
    .sibling = sibling_block,
    .classic = classic_block,
    .halves = KERNEL_HALVES,
};
