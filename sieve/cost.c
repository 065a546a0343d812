#include "sieve/cost.h"

#include "sieve/halves.h"

#include <math.h>

enum { SAMPLES = 16384 };

/* Returns the number of blocks in which a vertex with these point bits is
 * live. */
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

/* Returns the part of a line that a vertex has. */
static double line_of(const ms_sieve_problem *p, uint32_t inner, bool halved, uint32_t v)
{
  return halved && ms_sieve_half_bit(p, inner, v) < inner ? 0.5 : 1;
}

static void count_live(const ms_sieve_problem *p, uint32_t inner, bool halved, ms_sieve_work *w)
{
  const ms_instance *in = p->instance;
  double blocks = ldexp(1, (int)(p->size - inner));
  for (uint32_t v = 0; v < in->n; v++) {
    double live = live_blocks(p->active[v], inner, blocks);
    w->live_vertices += live;
    w->vertex_lines += live * line_of(p, inner, halved, v);
    for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++) {
      uint32_t head = in->neighbor[e];
      double both = both_live(p->active[v], p->active[head], inner, blocks);
      w->live_arcs += both;
      w->arc_lines += both * line_of(p, inner, halved, head);
    }
  }
}

/* Returns a pseudo-random place in each stride, so that no regularity of the
 * graph's order biases the sample. */
static uint64_t sampled_at(uint64_t i, uint64_t stride)
{
  return i * stride + (i * UINT64_C(0x9E3779B97F4A7C15) >> 32) % stride;
}

/* Counts live vertices and arcs in a sample with fixed strides. Each sampled
 * entry costs a cache miss. */
static void sample_live(const ms_sieve_problem *p, uint32_t inner, bool halved, ms_sieve_work *w)
{
  const ms_instance *in = p->instance;
  double blocks = ldexp(1, (int)(p->size - inner));
  uint64_t arcs = in->arcs / SAMPLES, vertices = in->n / SAMPLES ? in->n / SAMPLES : 1, count;
  for (count = 0; count < in->n / vertices; count++) {
    uint32_t at = (uint32_t)sampled_at(count, vertices);
    double live = live_blocks(p->active[at], inner, blocks);
    w->live_vertices += live;
    w->vertex_lines += live * line_of(p, inner, halved, at);
  }
  w->live_vertices *= (double)in->n / (double)count;
  w->vertex_lines *= (double)in->n / (double)count;
  uint32_t v = 0;
  for (count = 0; count < in->arcs / arcs; count++) {
    uint64_t e = sampled_at(count, arcs);
    while (in->offset[v + 1] <= e)
      v++;
    uint32_t head = in->neighbor[e];
    double both = both_live(p->active[v], p->active[head], inner, blocks);
    w->live_arcs += both;
    w->arc_lines += both * line_of(p, inner, halved, head);
  }
  w->live_arcs *= (double)in->arcs / (double)count;
  w->arc_lines *= (double)in->arcs / (double)count;
}

/* Adds the work of the sibling recurrence on live vertices and arcs. */
static void work_of_sibling(uint32_t k, uint32_t inner, uint32_t scale_at_head,
                            ms_sieve_lines lines, ms_sieve_work *w)
{
  const bool halved = lines != MS_SIEVE_WHOLE, quadratic = lines == MS_SIEVE_QUADRATIC;
  /* a quadratic form, and what outer labels add to it, of the two units of a line */
  const double form = 2.0 * (sizeof(ms_sieve_inner_form) + sizeof(uint64_t)) / ldexp(1, (int)inner);
  uint32_t half = (k - 1) / 2;
  /* step 1: k forms, k-2 prefix products, publish; G is made at step 2 */
  double vertex = k + (k - 2) + !quadratic, arc = 0, rows = 0, state = 0;
  for (uint32_t t = 2; t < k; t++) {
    uint32_t siblings = ms_sieve_siblings(k, t);
    bool at_head = siblings >= scale_at_head;
    bool from_forms = quadratic && t == 2, moments = halved && t == k - 1;
    arc += at_head && !from_forms ? siblings : 0;
    rows += moments || from_forms ? 0 : at_head ? 1 : siblings; /* the last step has moments */
    if (t <= half) {
      vertex += siblings; /* prefix products and publish */
      for (uint32_t u = t; u < k; u++)
        vertex += u / t - (u % t == 0);
      if (quadratic && t <= 3)
        state += t == 2 ? form : half * form + k; /* reads forms, at step 3 again, writes all */
      else if (halved && t <= 3)
        state +=
            half + (t == 3 ? k : 0); /* writes the factors of step 2, then reads them, writes all */
      else
        state += t == 2 ? k : k + (k - t); /* reads all, writes those from t on */
    } else {
      vertex += t - half; /* late products and publish */
      if (halved && t >= k - 2)
        state += t == k - 2 ? k : 0; /* reads all for both steps */
      else
        state += 2 * (t - half - 1) + 3; /* reads all, writes one */
    }
  }
  w->products = vertex * w->vertex_lines + arc * w->live_arcs;
  w->row_lines = rows * w->arc_lines;
  w->state_lines = state * w->vertex_lines;
}

static void work_of_classic(uint32_t k, ms_sieve_work *w)
{
  w->products = w->live_vertices + (k * (k - 1) / 2.0 + k - 1) * w->live_arcs;
  w->row_lines = k * (k - 1) / 2.0 * w->live_arcs;
  w->state_lines = k * w->live_vertices;
}

static ms_sieve_work count(const ms_sieve_problem *p, uint32_t inner, uint32_t scale_at_head,
                           ms_sieve_lines lines, bool sampled)
{
  const bool halved = lines != MS_SIEVE_WHOLE;
  ms_sieve_work w = {0};
  if (sampled && p->instance->arcs >= 2 * SAMPLES)
    sample_live(p, inner, halved, &w);
  else
    count_live(p, inner, halved, &w);
  if (p->recurrence == MS_SIBLING)
    work_of_sibling(p->size, inner, scale_at_head, lines, &w);
  else
    work_of_classic(p->size, &w);
  return w;
}

ms_sieve_lines ms_sieve_lines_of(const ms_sieve_shape *shape)
{
  if (!shape->is_halved)
    return MS_SIEVE_WHOLE;
  return shape->is_quadratic ? MS_SIEVE_QUADRATIC : MS_SIEVE_HALVED;
}

ms_sieve_work ms_sieve_count(const ms_sieve_problem *problem, uint32_t inner,
                             uint32_t scale_at_head, ms_sieve_lines lines)
{
  return count(problem, inner, scale_at_head, lines, false);
}

ms_sieve_work ms_sieve_count_quickly(const ms_sieve_problem *problem, uint32_t inner,
                                     uint32_t scale_at_head, ms_sieve_lines lines)
{
  return count(problem, inner, scale_at_head, lines, true);
}
