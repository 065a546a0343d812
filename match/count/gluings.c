#include "match/count/gluings.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* ---- quotients ------------------------------------------------------------------------------- */

typedef struct partitions {
  const ms_shape *shape;
  uint8_t tail[MS_MAX_PATTERN], block[MS_MAX_PATTERN];
  uint32_t r, first;   /* vertices of the tail; vertices outside it, each of which is a block */
  const uint32_t *may; /* [shape->n] as ms_each_merging; NULL: any two of the tail */
  uint32_t members[MS_MAX_PATTERN]; /* [blocks] bits of the vertices, if there is `may` */
  ms_shape *quotient;               /* not on the stack, since visits may list quotients of it */
  ms_quotient_fn visit;
  void *user;
} partitions;

static ms_status visit_quotient(const partitions *p, uint32_t blocks)
{
  ms_shape_quotient(p->shape, p->block, blocks, p->quotient);
  return p->visit(p->user, p->quotient);
}

/* Adds the vertices tail[i], tail[i + 1], ... to the blocks so far. */
static ms_status add_vertices(partitions *p, uint32_t i, uint32_t blocks)
{
  ms_status status = MS_OK;
  if (i == p->r)
    return blocks < p->shape->n ? visit_quotient(p, blocks) : MS_OK;
  for (uint32_t b = p->first; status == MS_OK && b <= blocks; b++) {
    uint32_t v = p->tail[i], before = b == blocks ? 0 : p->members[b];
    if (p->may && (before & ~p->may[v]))
      continue;
    p->block[v] = (uint8_t)b;
    p->members[b] = before | (p->may ? UINT32_C(1) << v : 0);
    status = add_vertices(p, i + 1, b == blocks ? blocks + 1 : blocks);
    p->members[b] = before;
  }
  return status;
}

static ms_status each_partition(const ms_shape *shape, ms_bitset tail, const uint32_t *may,
                                ms_quotient_fn visit, void *user, ms_error *err)
{
  partitions p = {.shape = shape, .may = may, .visit = visit, .user = user};
  p.quotient = ms_alloc(1, sizeof *p.quotient);
  if (!p.quotient)
    return ms_fail_memory(err, "quotients of a pattern");
  for (uint32_t i = 0; i < shape->n; i++)
    if (ms_bitset_has(&tail, i))
      p.tail[p.r++] = (uint8_t)i;
    else
      p.block[i] = (uint8_t)p.first++;
  ms_status status = add_vertices(&p, 0, p.first);
  ms_free(p.quotient);
  return status;
}

ms_status ms_each_quotient(const ms_shape *shape, ms_bitset tail, ms_quotient_fn visit, void *user,
                           ms_error *err)
{
  return each_partition(shape, tail, NULL, visit, user, err);
}

ms_status ms_each_merging(const ms_shape *shape, const uint32_t *may, ms_quotient_fn visit,
                          void *user, ms_error *err)
{
  ms_bitset all = {{0}};
  for (uint32_t i = 0; i < shape->n; i++)
    if (may[i])
      ms_bitset_add(&all, i);
  return each_partition(shape, all, may, visit, user, err);
}

/* ---- gluings --------------------------------------------------------------------------------- */

#define NONE 255u

void ms_shape_part(const ms_shape *shape, ms_bitset vertices, ms_shape *out)
{
  uint8_t number[MS_MAX_PATTERN];
  *out = (ms_shape){.directed = shape->directed, .induced = shape->induced};
  MS_EACH_MEMBER (i, vertices)
    number[i] = (uint8_t)out->n++;
  MS_EACH_MEMBER (i, vertices) {
    uint32_t j = number[i];
    ms_bitset heads = ms_bitset_and(shape->out[i], vertices),
              tails = ms_bitset_and(shape->in[i], vertices);
    out->member[j] = shape->member[i];
    out->kind[j] = shape->kind[i];
    MS_EACH_MEMBER (v, heads)
      ms_bitset_add(&out->out[j], number[v]);
    MS_EACH_MEMBER (v, tails)
      ms_bitset_add(&out->in[j], number[v]);
  }
}

/* ---- gluings --------------------------------------------------------------------- */

typedef struct gluing {
  const ms_shape *shape;
  uint8_t a[MS_MAX_GLUED]; /* vertices of the first part */
  uint32_t n_a;
  uint8_t with[MS_MAX_GLUED]; /* [n_a] the vertex of the other part that it is glued to, or NONE */
  ms_shape *glued;            /* not on the stack, since visits may list gluings of it */
  ms_quotient_fn visit;
  void *user;
} gluing;

static ms_status visit_gluing(const gluing *g)
{
  uint8_t block[MS_MAX_GLUED];
  uint32_t blocks = 0;
  memset(block, NONE, sizeof block);
  for (uint32_t i = 0; i < g->n_a; i++) {
    block[g->a[i]] = (uint8_t)blocks;
    if (g->with[i] != NONE)
      block[g->with[i]] = (uint8_t)blocks;
    blocks++;
  }
  for (uint32_t i = 0; i < g->shape->n; i++)
    if (block[i] == NONE)
      block[i] = (uint8_t)blocks++;
  if (blocks == g->shape->n)
    return MS_OK;
  ms_shape_quotient(g->shape, block, blocks, g->glued);
  return g->visit(g->user, g->glued);
}

static ms_status glue_from(gluing *g, uint32_t i, ms_bitset left_of_b)
{
  if (i == g->n_a)
    return visit_gluing(g);
  g->with[i] = NONE;
  ms_status status = glue_from(g, i + 1, left_of_b);
  MS_EACH_MEMBER (v, left_of_b) {
    if (status != MS_OK)
      break;
    g->with[i] = (uint8_t)v;
    status = glue_from(g, i + 1, ms_bitset_without(left_of_b, v));
  }
  return status;
}

ms_status ms_each_gluing(const ms_shape *shape, ms_bitset a, ms_bitset b, ms_quotient_fn visit,
                         void *user, ms_error *err)
{
  gluing g = {.shape = shape, .visit = visit, .user = user};
  g.glued = ms_alloc(1, sizeof *g.glued);
  if (!g.glued)
    return ms_fail_memory(err, "gluings of a pattern");
  MS_EACH_MEMBER (i, a)
    g.a[g.n_a++] = (uint8_t)i;
  ms_status status = glue_from(&g, 0, b);
  ms_free(g.glued);
  return status;
}

double ms_count_gluings(uint32_t a, uint32_t b)
{
  double sum = 0, term = 1;
  for (uint32_t i = 0; i <= a && i <= b; i++) {
    sum += term;
    term *= (double)(a - i) * (b - i) / (i + 1);
  }
  return sum;
}

/* ---- hinges ---------------------------------------------------------------------- */

/* Finds the components of the shape without the vertex; returns their number. */
static uint32_t components_without(const ms_shape *shape, uint32_t vertex,
                                   ms_bitset component[MS_MAX_GLUED])
{
  ms_bitset left = ms_bitset_without(ms_bitset_below(shape->n), vertex);
  uint32_t count = 0;
  while (!ms_bitset_is_empty(left)) {
    ms_bitset all = ms_bitset_of(ms_bitset_first(left)), front = all;
    while (!ms_bitset_is_empty(front)) {
      ms_bitset next = {{0}};
      MS_EACH_MEMBER (v, front)
        next = ms_bitset_or(next, ms_shape_near(shape, v));
      front = ms_bitset_minus(ms_bitset_and(next, left), all);
      all = ms_bitset_or(all, front);
    }
    component[count++] = all;
    left = ms_bitset_minus(left, all);
  }
  return count;
}

uint32_t ms_list_hinges(const ms_shape *shape, ms_hinge hinge[MS_MAX_HINGES])
{
  ms_bitset component[MS_MAX_GLUED];
  uint32_t count = 0;
  for (uint32_t v = 0; v < shape->n; v++) {
    uint32_t parts = components_without(shape, v, component);
    /* the last component is on the second side */
    for (uint32_t first = 1; parts > 1 && first < 1u << (parts - 1); first++) {
      ms_hinge h = {.vertex = v};
      for (uint32_t i = 0; i < parts; i++) {
        ms_bitset *side = &h.side[first >> i & 1 ? 0 : 1];
        *side = ms_bitset_or(*side, component[i]);
      }
      if (count == MS_MAX_HINGES)
        return count;
      hinge[count++] = h;
    }
  }
  return count;
}

bool ms_has_hinge(const ms_shape *shape)
{
  ms_bitset component[MS_MAX_GLUED];
  bool has = false;
  if (shape->induced || shape->label || shape->n < 4 || shape->n > MS_MAX_GLUED ||
      !ms_shape_is_connected(shape))
    return false;
  for (uint32_t v = 0; v < shape->n && !has; v++)
    has = components_without(shape, v, component) > 1;
  return has;
}
