/* What all kernels of one line type share: products of the polynomials G by their factors (SIEVE:
 * "Sibling-indexed recurrence", step 4), and the polls of a step.  Include it after a line header
 * and the definition of GATHER_TILE (kernel_template.h). */
#ifndef MS_SIEVE_KERNEL_PARTS_TEMPLATE_H
#define MS_SIEVE_KERNEL_PARTS_TEMPLATE_H

#include "base/compiler.h"
#include "sieve/kernels/kernel.h"

/* 15 lines are all that there are: code for each number of them, and for each t, has no loops. */
#define STRAIGHT (GATHER_TILE == 15)
#if STRAIGHT
#define UNROLL MS_UNROLL(16)
#else
#define UNROLL
#endif
#if GATHER_TILE > 1
#define UNROLL_TILE MS_UNROLL(16)
#else
#define UNROLL_TILE
#endif

#ifndef LINE_SUM
/* A line, and then products that are added to it. */
typedef line line_sum;

static inline line_sum line_sum_of(line first)
{
  return first;
}

static inline line_sum line_sum_add(line_sum sum, line a, line b)
{
  return line_xor(sum, line_mul(a, b));
}

static inline line line_of_sum(line_sum sum)
{
  return sum;
}
#endif

/* Makes one copy for each small number (of sums, of t), so that lines stay in
 * registers and offsets are constants. Lines wider than a few registers gain
 * nothing from that. */
#if STRAIGHT
#define SPECIALIZE(count, CALL)                                                                    \
  switch (count) {                                                                                 \
    EVERY_CASE(CALL)                                                                               \
  }
#define CASE(c, CALL)                                                                              \
  case c:                                                                                          \
    CALL(c);                                                                                       \
    break;
#define EVERY_CASE(CALL)                                                                           \
  CASE(1, CALL)                                                                                    \
  CASE(2, CALL)                                                                                    \
  CASE(3, CALL)                                                                                    \
  CASE(4, CALL)                                                                                    \
  CASE(5, CALL)                                                                                    \
  CASE(6, CALL)                                                                                    \
  CASE(7, CALL)                                                                                    \
  CASE(8, CALL)                                                                                    \
  CASE(9, CALL)                                                                                    \
  CASE(10, CALL)                                                                                   \
  CASE(11, CALL)                                                                                   \
  CASE(12, CALL)                                                                                   \
  CASE(13, CALL)                                                                                   \
  CASE(14, CALL)                                                                                   \
  CASE(15, CALL)
#else
#define SPECIALIZE(count, CALL) CALL((int)(count))
#endif

/* Number of vertices whose sums are computed together before their G are
 * updated. The code for a number of siblings, and the code for t, is then
 * chosen once for several vertices, and their sums stay in the L1 cache. */
enum { BATCH = 8, MOST_SIBLINGS = (MS_MAX_K - 1) / 2 };

/* Asks for 64 bytes that will be read soon, in the L2 cache.  If they were to come as far as the L1
 * cache, each line would keep one of that cache's few miss buffers until the line is there, and
 * loads have to wait for a buffer. */
MS_ALWAYS_INLINE void prefetch(const void *at)
{
  __builtin_prefetch(at, 0, 2);
}

/* Returns gamma(t, q, v) of one t: [n][siblings of t]. */
static inline const uint32_t *gamma_of(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                                       uint32_t t)
{
  return pass->gamma + (size_t)shape->problem->instance->n * shape->gamma_offset[t];
}

/* Computes g[u] += sum_{q = 1 .. u/t} g[u - q t] W_q with W_q = w[q-1], where
 * g[0] means 1 (its place holds zeta). */
MS_ALWAYS_INLINE void multiply_at(const int u, const int t, line *g, const line *w)
{
  const int one = u % t == 0; /* the last factor is g[0] = 1 */
  line first = one ? line_xor(g[u], w[u / t - 1]) : g[u];
  line_sum sum = line_sum_of(first);
  UNROLL
  for (int q = 1; q <= u / t - one; q++)
    sum = line_sum_add(sum, g[u - q * t], w[q - 1]);
  g[u] = u == t ? first : line_of_sum(sum);
}

/* Computes G <- G * (1 + W_1 x^t + W_2 x^(2t) + ...) mod x^size for `count`
 * vertices, t <= (size-1)/2. u descends, so that the right-hand sides are still
 * old. */
MS_ALWAYS_INLINE void multiply_by(const int t, line *g, line w[BATCH][MOST_SIBLINGS],
                                  uint32_t count, int size)
{
  for (uint32_t x = 0; x < count; x++, g += size) {
#if STRAIGHT
    /* Straight-line code with constant offsets, entered at the top coefficient.  The empty
     * statements of assembly keep GCC from loading at each entry what later cases may use, which
     * makes five times as much code and takes three times as long to compile. */
    const line *own = w[x];
#define AT(u)                                                                                      \
  case u:                                                                                          \
    __asm__ volatile("" : : : "memory");                                                           \
    if (u >= t)                                                                                    \
      multiply_at(u, t, g, own);                                                                   \
    MS_FALLTHROUGH;
    /* clang-format off */
    switch (size - 1) {
      AT(31) AT(30) AT(29) AT(28) AT(27) AT(26) AT(25) AT(24) AT(23) AT(22) AT(21) AT(20) AT(19)
      AT(18) AT(17) AT(16) AT(15) AT(14) AT(13) AT(12) AT(11) AT(10) AT(9) AT(8) AT(7) AT(6) AT(5)
      AT(4) AT(3) AT(2)
    default:
      break;
    }
    /* clang-format on */
#undef AT
#else
    for (int u = size - 1; u >= t; u--)
      multiply_at(u, t, g, w[x]);
#endif
  }
}

static void multiply_all(uint32_t t, line *g, line w[BATCH][MOST_SIBLINGS], uint32_t count,
                         uint32_t size)
{
#define CALL_MULTIPLY(c)                                                                           \
  if ((c) > 1)                                                                                     \
  multiply_by(c, g, w, count, (int)size)
  SPECIALIZE(t, CALL_MULTIPLY);
#undef CALL_MULTIPLY
}

/* Live vertices of a step between two checks of the stop token. */
#define POLL_LIVE 16384u

/* Returns the end of the next vertices of a step, which begin at `begin`, or 0 if the token is
 * stopped. */
static uint32_t next_part(const ms_sieve_shape *shape, uint32_t begin, uint32_t live)
{
  if (ms_stop_check(shape->stop) != MS_OK)
    return 0;
  return live - begin < POLL_LIVE ? live : begin + POLL_LIVE;
}

#endif
