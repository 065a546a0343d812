/* The decision variant over one line type.  Include it after a line header and the definitions that
 * sieve/kernels/kernel_template.h asks for, with DECISION_KERNEL, the name of the struct that it
 * defines, and DECISION_PATH, the name of the gf2 path.  LINE_NAME must not be that of a kernel of
 * the library.
 *
 * The last step of the localized variant adds, to the coefficient of x^(size-1) of each vertex i,
 * the sum R(i, size-1) of what its neighbours j published, and multiplies it by zeta_i.  In the sum
 * over all i, each edge may as well be read from its other end: sum_i zeta_i R(i, size-1, 1) =
 * sum_j gamma(size-1, 1, j) P(j, size-1) Z(j), where Z(j), the sum of zeta_i over the neighbours i
 * of j, is linear in L.  So that step crosses no edge, and is done with the one before it: the
 * vertices are visited once less. */
#include "bench/sieve/decision.h"
#include "sieve/kernels/kernel_template.h"

/* Makes step size-2 for the live vertices begin..live, and the last step; adds to *total. */
MS_ALWAYS_INLINE void decide_step(const bool far, const ms_sieve_shape *shape,
                                  const ms_sieve_pass *pass, const bench_roots *roots,
                                  const ms_sieve_scratch *s, uint32_t begin, uint32_t live,
                                  const line *rows, line *total)
{
  const uint32_t size = shape->problem->size, half = (size - 1) / 2, t = size - 2;
  const uint32_t *gamma = gamma_of(shape, pass, t), *last = gamma_of(shape, pass, size - 1);
  line *g = (line *)s->state + (size_t)begin * size;
  for (uint32_t x = begin; x < live; x++, g += size) {
    const ms_sieve_live *own = &s->live[x];
    const uint32_t v = own->vertex;
    line w;
    gather(1, at_head(1), far, &w, rows, gamma, 1, s->head + own->first, own->heads);
    line_sum child = line_sum_of(line_xor(g[t], w)), root = line_sum_of(g[t + 1]);
    for (uint32_t u = half + 1; u < t; u++) {
      child = line_sum_add(child, g[t - u], g[u]);
      root = line_sum_add(root, g[t + 1 - u], g[u]);
    }
    root = line_sum_add(root, g[1], w);
    line z = line_affine(roots->inner[v], roots->constant[v]);
    line edges = line_scale_word(last[v], line_mul(line_of_sum(child), z));
    *total = line_xor(*total, line_mul(g[0], line_xor(edges, line_of_sum(root))));
  }
}

static void decide_block(const ms_sieve_shape *shape, const ms_sieve_pass *pass,
                         const bench_roots *roots, ms_sieve_scratch *s, uint64_t outer,
                         uint8_t *sum)
{
  const uint32_t size = shape->problem->size, live = find_live(shape, s, outer, false);
  uint32_t t = 2;
  uint8_t *none = NULL; /* the values of vertices, which only the last step would write */
  line total = line_zero();
  first_step(shape, pass, s, 0, live, s->exchange[0], none);
  for (; t < size - 2; t++)
    sibling_step(shape, pass, s, 0, live, t, s->exchange[t & 1], s->exchange[~t & 1], none);
  if (shape->far)
    decide_step(true, shape, pass, roots, s, 0, live, s->exchange[t & 1], &total);
  else
    decide_step(false, shape, pass, roots, s, 0, live, s->exchange[t & 1], &total);
  *sum ^= line_fold(total);
}

const bench_decision_kernel DECISION_KERNEL = {
    .path = DECISION_PATH,
    .localized = &KERNEL_PASTE(ms_sieve_kernel_, LINE_NAME, LINE_BITS),
    .decide = decide_block,
};
