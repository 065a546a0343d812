#include "sieve/cost.h"

#include <math.h>

/* How many blocks have a vertex with these point bits live. */
static double live_blocks(uint32_t bits, uint32_t inner, double blocks)
{
  uint32_t low = inner >= 32 ? UINT32_MAX : (1u << inner) - 1;
  return bits & low ? blocks : blocks * (1 - ldexp(1, -__builtin_popcount(bits)));
}

static double both_live(uint32_t a, uint32_t b, uint32_t inner, double blocks)
{
  uint32_t low = inner >= 32 ? UINT32_MAX : (1u << inner) - 1;
  if (a & low)
    return live_blocks(b, inner, blocks);
  if (b & low)
    return live_blocks(a, inner, blocks);
  return blocks * (1 - ldexp(1, -__builtin_popcount(a)) - ldexp(1, -__builtin_popcount(b)) +
                   ldexp(1, -__builtin_popcount(a | b)));
}

static ms_sieve_work count_sibling(const ms_sieve_problem *p, uint32_t inner, uint32_t scale_at_head)
{
  const ms_instance *in = p->instance;
  uint32_t k = p->size, half = (k - 1) / 2;
  double blocks = ldexp(1, (int)(k - inner));
  ms_sieve_work w = {0};
  for (uint32_t v = 0; v < in->n; v++) {
    w.live_vertices += live_blocks(p->active[v], inner, blocks);
    for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
      w.live_arcs += both_live(p->active[v], p->active[in->neighbor[e]], inner, blocks);
  }
  /* step 1: k forms, k-2 prefix products, publish; G is made at step 2 */
  double vertex = k + (k - 2) + 1, arc = 0, rows = 0, state = 0;
  for (uint32_t t = 2; t < k; t++) {
    uint32_t siblings = ms_sieve_siblings(k, t);
    bool at_head = siblings >= scale_at_head;
    arc += at_head ? siblings : 0;
    rows += at_head ? 1 : siblings;
    if (t <= half) {
      vertex += siblings; /* prefix products and publish */
      for (uint32_t u = t; u < k; u++)
        vertex += u / t - (u % t == 0);
      state += t == 2 ? k : k + (k - t); /* reads all, writes those from t on */
    } else {
      vertex += t - half;               /* late products and publish */
      state += 2 * (t - half - 1) + 3;  /* reads; writes one */
    }
  }
  w.products = vertex * w.live_vertices + arc * w.live_arcs;
  w.row_lines = rows * w.live_arcs;
  w.state_lines = state * w.live_vertices;
  return w;
}

static ms_sieve_work count_classic(const ms_sieve_problem *p, uint32_t inner)
{
  uint32_t k = p->size;
  ms_sieve_work w = count_sibling(p, inner, 1);
  w.products = w.live_vertices + (k * (k - 1) / 2.0 + k - 1) * w.live_arcs;
  w.row_lines = k * (k - 1) / 2.0 * w.live_arcs;
  w.state_lines = k * w.live_vertices;
  return w;
}

ms_sieve_work ms_sieve_count(const ms_sieve_problem *problem, uint32_t inner, uint32_t scale_at_head)
{
  return problem->recurrence == MS_SIBLING ? count_sibling(problem, inner, scale_at_head)
                                           : count_classic(problem, inner);
}
