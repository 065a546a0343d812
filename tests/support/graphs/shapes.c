#include "tests/support/graphs/shapes.h"

#include "tests/support/random.h"
#include "tests/support/search/oracle.h"

ms_shape shapes_empty(uint32_t n)
{
  ms_shape shape = {.n = n};
  for (uint32_t i = 0; i < n; i++)
    shape.member[i] = ms_bitset_of(i);
  return shape;
}

static void add_arc(ms_shape *shape, uint32_t a, uint32_t b)
{
  ms_bitset_add(&shape->out[a], b);
  ms_bitset_add(&shape->in[b], a);
}

void shapes_join(ms_shape *shape, uint32_t a, uint32_t b)
{
  add_arc(shape, a, b);
  if (!shape->directed)
    add_arc(shape, b, a);
}

ms_shape shapes_clique(uint32_t n)
{
  ms_shape shape = shapes_empty(n);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++)
      shapes_join(&shape, a, b);
  return shape;
}

ms_shape shapes_path(uint32_t n)
{
  ms_shape shape = shapes_empty(n);
  for (uint32_t a = 0; a + 1 < n; a++)
    shapes_join(&shape, a, a + 1);
  return shape;
}

ms_shape shapes_cycle(uint32_t n)
{
  ms_shape shape = shapes_path(n);
  shapes_join(&shape, n - 1, 0);
  return shape;
}

ms_shape shapes_star(uint32_t leaves)
{
  return shapes_bipartite(1, leaves);
}

ms_shape shapes_bipartite(uint32_t a, uint32_t b)
{
  ms_shape shape = shapes_empty(a + b);
  for (uint32_t i = 0; i < a; i++)
    for (uint32_t j = 0; j < b; j++)
      shapes_join(&shape, i, a + j);
  return shape;
}

ms_shape shapes_cube(uint32_t dimension)
{
  ms_shape shape = shapes_empty(1u << dimension);
  for (uint32_t v = 0; v < shape.n; v++)
    for (uint32_t d = 0; d < dimension; d++)
      add_arc(&shape, v, v ^ 1u << d);
  return shape;
}

ms_shape shapes_octahedron(void)
{
  ms_shape shape = shapes_empty(6);
  for (uint32_t a = 0; a < 6; a++)
    for (uint32_t b = a + 1; b < 6; b++)
      if (a + b != 5)
        shapes_join(&shape, a, b);
  return shape;
}

ms_shape shapes_petersen(void)
{
  ms_shape shape = shapes_empty(10);
  for (uint32_t i = 0; i < 5; i++) {
    shapes_join(&shape, i, (i + 1) % 5);
    shapes_join(&shape, i, 5 + i);
    shapes_join(&shape, 5 + i, 5 + (i + 2) % 5);
  }
  return shape;
}

ms_shape shapes_relabel(const ms_shape *shape, const uint8_t *to)
{
  ms_shape other = shapes_empty(shape->n);
  other.directed = shape->directed;
  other.induced = shape->induced;
  for (uint32_t a = 0; a < shape->n; a++) {
    other.kind[to[a]] = shape->kind[a];
    for (uint32_t b = 0; b < shape->n; b++)
      if (ms_bitset_has(&shape->out[a], b))
        add_arc(&other, to[a], to[b]);
  }
  return other;
}

ms_shape shapes_union(const ms_shape *a, const ms_shape *b)
{
  ms_shape shape = shapes_empty(a->n + b->n);
  shape.directed = a->directed;
  for (uint32_t i = 0; i < shape.n; i++) {
    const ms_shape *from = i < a->n ? a : b;
    uint32_t shift = i < a->n ? 0 : a->n;
    shape.kind[i] = from->kind[i - shift];
    MS_EACH_MEMBER (j, from->out[i - shift])
      ms_bitset_add(&shape.out[i], shift + j);
    MS_EACH_MEMBER (j, from->in[i - shift])
      ms_bitset_add(&shape.in[i], shift + j);
  }
  return shape;
}

ms_shape shapes_random(uint64_t *state, uint32_t n, bool directed, uint32_t chance, uint32_t kinds)
{
  ms_shape shape = shapes_empty(n);
  shape.directed = directed;
  for (uint32_t a = 0; a < n; a++) {
    shape.kind[a] = random_below(state, kinds);
    for (uint32_t b = directed ? 0 : a + 1; b < n; b++)
      if (a != b && random_below(state, 256) < chance)
        shapes_join(&shape, a, b);
  }
  return shape;
}

void shapes_shuffle(uint64_t *state, uint32_t n, uint8_t *order)
{
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = random_below(state, i + 1);
    order[i] = order[j];
    order[j] = (uint8_t)i;
  }
}

bool shapes_next_permutation(uint32_t n, uint8_t *perm)
{
  uint32_t i = n - 1, j = n - 1;
  while (i > 0 && perm[i - 1] > perm[i])
    i--;
  if (i == 0)
    return false;
  while (perm[j] < perm[i - 1])
    j--;
  uint8_t swap = perm[i - 1];
  perm[i - 1] = perm[j];
  perm[j] = swap;
  for (j = n - 1; i < j; i++, j--) {
    swap = perm[i];
    perm[i] = perm[j];
    perm[j] = swap;
  }
  return true;
}

bool shapes_is_automorphism(const ms_shape *shape, ms_bitset keep, const uint8_t *map)
{
  for (uint32_t a = 0; a < shape->n; a++) {
    if (shape->kind[a] != shape->kind[map[a]] ||
        ms_bitset_has(&keep, a) != ms_bitset_has(&keep, map[a]))
      return false;
    for (uint32_t b = 0; b < shape->n; b++)
      if (ms_bitset_has(&shape->out[a], b) != (ms_bitset_has(&shape->out[map[a]], map[b])))
        return false;
  }
  return true;
}
