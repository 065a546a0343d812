#include "plan/shape.h"

#include <string.h>

static bool accept_same_colors(const ms_pattern *p, uint32_t a, uint32_t b)
{
  return p->colors[a] == p->colors[b] &&
         (p->colors[a] == 0 ||
          memcmp(p->color[a], p->color[b], p->colors[a] * sizeof *p->color[a]) == 0);
}

/* Numbers kinds in the order of their first vertex, from 1. */
static void number_kinds(const ms_pattern *pattern, ms_shape *shape)
{
  uint32_t kinds = MS_KIND_ANY;
  for (uint32_t i = 0; i < pattern->n; i++) {
    uint32_t like = 0;
    while (like < i && !accept_same_colors(pattern, like, i))
      like++;
    if (pattern->colors[i] == 0)
      shape->kind[i] = MS_KIND_ANY;
    else
      shape->kind[i] = like < i ? shape->kind[like] : ++kinds;
  }
}

void ms_shape_of(const ms_pattern *pattern, bool induced, ms_shape *shape)
{
  memset(shape, 0, sizeof *shape);
  shape->n = pattern->n;
  shape->directed = pattern->directed;
  shape->induced = induced;
  for (uint32_t i = 0; i < pattern->n; i++) {
    shape->out[i] = pattern->out[i];
    shape->in[i] = pattern->in[i];
    shape->member[i] = ms_bitset_of(i);
  }
  number_kinds(pattern, shape);
}

ms_bitset ms_shape_component(const ms_shape *shape, uint32_t i)
{
  ms_bitset all = ms_bitset_of(i), front = all;
  while (!ms_bitset_is_empty(front)) {
    ms_bitset next = {{0}};
    MS_EACH_MEMBER (v, front)
      next = ms_bitset_or(next, ms_shape_near(shape, v));
    front = ms_bitset_minus(next, all);
    all = ms_bitset_or(all, next);
  }
  return all;
}

bool ms_shape_is_connected(const ms_shape *shape)
{
  return ms_bitset_count(ms_shape_component(shape, 0)) == shape->n;
}

void ms_shape_quotient(const ms_shape *shape, const uint8_t *block, uint32_t blocks, ms_shape *out)
{
  *out = (ms_shape){.n = blocks, .directed = shape->directed, .induced = shape->induced};
  for (uint32_t i = 0; i < shape->n; i++) {
    uint32_t to = block[i];
    out->member[to] = ms_bitset_or(out->member[to], shape->member[i]);
    MS_EACH_MEMBER (j, shape->out[i])
      ms_bitset_add(&out->out[to], block[j]);
    MS_EACH_MEMBER (j, shape->in[i])
      ms_bitset_add(&out->in[to], block[j]);
  }
}
