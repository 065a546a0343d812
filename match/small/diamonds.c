/* Numbers that follow from the common neighbours of the ends of the edges of triangles: diamonds
 * and what hangs on them. */
#include "match/small/passes.h"

#include "base/status.h"

typedef struct pass {
  ms_small *s;
  /* [arcs] of u -> v */
  uint64_t *degrees; /* the sum of the degrees of their common neighbours */
  uint64_t *fans;    /* triangles at the edges from u to these neighbours, other than with v */
  /* wheels without a spoke that u finds for v: v has the hub or is opposite to it, or v has lost
   * its spoke */
  uint64_t *axes, *rims; /* with ends larger than u, and without changing ends and axis */
  ms_small_sum *side;    /* [threads][n] */
} pass;

/* ---- wheels without a spoke ------------------------------------------------------------------ */

/* Visits the diamonds with the root at an end, and a larger vertex at the other end: those whose
 * poles are the ends of the arcs `first` and `second` from the root, and of the arc `next` between
 * them. */
static void visit_triangle(const pass *p, ms_small_scratch *t, uint32_t root, uint64_t first,
                           uint64_t second, uint32_t next)
{
  const ms_small *s = p->s;
  uint64_t further = 0, end = s->first[next + UINT64_C(1)], i = end;
  for (; s->corner[i - 1] > root; i--) { /* the root is in the list */
    t->sum[s->corner[i - 1]]++;
    further += t->common[s->corner[i - 1]];
  }
  further -= 2 * (end - i); /* the poles are no further common neighbours */
  p->axes[first] += further;
  p->axes[second] += further;
}

static void visit_ends(const pass *p, ms_small_scratch *t, uint32_t root)
{
  const ms_small *s = p->s;
  for (uint64_t arc = s->offset[root]; arc < s->offset[root + 1]; arc++)
    for (uint64_t i = s->first[arc + 1]; i-- > s->first[arc] && s->corner[i] > s->end[arc];)
      visit_triangle(p, t, root, arc, t->arc[s->corner[i]], s->third[i]);
  for (uint64_t arc = s->offset[root]; arc < s->offset[root + 1]; arc++) {
    uint32_t mid = s->end[arc];
    for (uint64_t next = s->offset[mid]; next < s->offset[mid + 1]; next++)
      p->rims[arc] += t->sum[s->end[next]];
  }
}

static void visit_roots(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  ms_small_scratch *t = &s->scratch[r.thread];
  ms_small_sum *side = p->side + (size_t)r.thread * s->n;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    if (s->first[s->offset[v + 1]] == s->first[s->offset[v]])
      continue; /* it is in no triangle */
    ms_small_mark(s, t, v);
    ms_small_meet(s, t, v);
    visit_ends(p, t, v);
    for (uint32_t i = 0; i < t->mets; i++) {
      uint32_t end = t->met[i];
      if (t->sum[end] == 0)
        continue;
      ms_small_sum wheels = 2 * t->sum[end] * (t->common[end] - (ms_small_sum)2);
      side[v] += wheels;
      side[end] += wheels;
      t->sum[end] = 0;
    }
    ms_small_part(t);
    ms_small_unmark(s, t, v);
  }
}

/* ---- sums over triangles --------------------------------------------------------------------- */

static void visit_fans(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  ms_small_scratch *t = &s->scratch[r.thread];
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    ms_small_mark(s, t, v);
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++)
      for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++) {
        uint32_t third = s->corner[i];
        p->degrees[arc] += (uint64_t)ms_small_degree(s, third);
        p->fans[arc] += s->common[t->arc[third]] - 1u;
      }
    ms_small_unmark(s, t, v);
  }
}

/* Adds the shapes at a triangle of the root: `first` is the arc to its second vertex, `next` the
 * arc from there to the third one, and `other` that from the root to the third one. */
static void add_triangle(const pass *p, uint32_t root, uint64_t first, uint32_t next,
                         uint32_t other)
{
  const ms_small *s = p->s;
  ms_small_sum *const *number = s->number;
  ms_small_sum t = s->common[first] - 1u, far = s->common[next] - 1u, back = s->common[other] - 1u;
  number[MS_SMALL_KITE_END][root] += p->degrees[next] - ms_small_degree(s, root) - 2 * far;
  number[MS_SMALL_GEM_CENTER][root] += t * back;
  number[MS_SMALL_GEM_MIDDLE][root] += t * far;
  number[MS_SMALL_GEM_END][root] += p->fans[next] - t;
  number[MS_SMALL_EAR][root] += s->cliques[next];
}

/* Takes what other vertices have found for this one, and subtracts maps in which two vertices
 * coincide. */
static void settle(const pass *p, uint32_t v)
{
  const ms_small *s = p->s;
  ms_small_sum *const *number = s->number, cliques = number[MS_SMALL_CLIQUE4][v];
  for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++) {
    ms_small_sum t = s->common[arc];
    uint32_t back = s->reverse[arc];
    number[MS_SMALL_KITE_POLE][v] += (t - 1) * p->degrees[arc] - 2 * t * (t - 1);
    number[MS_SMALL_CUT_WHEEL_AXIS][v] += 2 * (ms_small_sum)p->axes[back];
    number[MS_SMALL_CUT_WHEEL_RIM][v] += 4 * (ms_small_sum)p->rims[back];
  }
  for (int i = 0; i < s->threads; i++)
    number[MS_SMALL_CUT_WHEEL_SIDE][v] += p->side[(size_t)i * s->n + v];
  number[MS_SMALL_CUT_WHEEL_RIM][v] -= 2 * number[MS_SMALL_DIAMOND_POLE][v];
  number[MS_SMALL_KITE_POLE][v] -= cliques;
  number[MS_SMALL_KITE_END][v] -= cliques;
  number[MS_SMALL_GEM_CENTER][v] -= cliques;
  number[MS_SMALL_GEM_MIDDLE][v] -= cliques;
  number[MS_SMALL_GEM_END][v] -= cliques;
  number[MS_SMALL_EAR][v] -= 2 * cliques;
}

static void settle_roots(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  ms_small_scratch *t = &s->scratch[r.thread];
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    ms_small_mark(s, t, v);
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++)
      for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++)
        add_triangle(p, v, arc, s->third[i], t->arc[s->corner[i]]);
    settle(p, v);
    ms_small_unmark(s, t, v);
  }
}

ms_status ms_small_diamonds(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {
      MS_SMALL_KITE_END,      MS_SMALL_KITE_POLE,      MS_SMALL_GEM_CENTER,
      MS_SMALL_GEM_MIDDLE,    MS_SMALL_GEM_END,        MS_SMALL_EAR,
      MS_SMALL_CUT_WHEEL_RIM, MS_SMALL_CUT_WHEEL_SIDE, MS_SMALL_CUT_WHEEL_AXIS};
  uint64_t arcs = s->offset[s->n], sides = (uint64_t)s->threads * s->n;
  pass p = {.s = s};
  uint64_t **const arrays[] = {&p.degrees, &p.fans, &p.axes, &p.rims};
  bool room = true;
  MS_TRY(ms_small_open(s, shape, sizeof shape / sizeof *shape, err));
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = ms_small_room(s, arcs, sizeof **arrays[i]);
    room &= *arrays[i] != NULL;
  }
  p.side = ms_small_room(s, sides, sizeof *p.side);
  ms_status status = room && p.side ? MS_OK : ms_fail_memory(err, "the triangles at edges");
  if (status == MS_OK)
    status = ms_small_loop(s, visit_roots, &p, err);
  if (status == MS_OK)
    status = ms_small_loop(s, visit_fans, &p, err);
  if (status == MS_OK)
    status = ms_small_loop(s, settle_roots, &p, err);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    ms_small_give_back(s, *arrays[i], arcs, sizeof **arrays[i]);
  ms_small_give_back(s, p.side, sides, sizeof *p.side);
  return status;
}
