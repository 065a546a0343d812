/* Numbers that follow from the common neighbours of all pairs of vertices, adjacent or not. */
#include "match/small/passes.h"

#include "base/status.h"

/* Sums over all vertices with common neighbours of the root. */
static void add_pairs(const ms_small *s, const ms_small_scratch *t, uint32_t root)
{
  ms_small_sum *const *number = s->number;
  for (uint32_t i = 0; i < t->mets; i++) {
    ms_small_sum both = t->common[t->met[i]], pairs = both * (both - 1);
    number[MS_SMALL_CYCLE4][root] += pairs;
    if (!s->fives || both < 2)
      continue;
    number[MS_SMALL_BIPARTITE_TWO][root] += pairs * (both - 2);
    number[MS_SMALL_BANNER_OPPOSITE][root] += pairs * (ms_small_degree(s, t->met[i]) - 2);
  }
}

typedef struct pass {
  ms_small *s;
  uint64_t *rows; /* [arcs] of u -> v: ordered pairs of further paths of two edges from u to the
                     other neighbours of v */
} pass;

/* Counts the 4-cycles through the edges of the root, and what is over an edge that it is not in. */
static void add_paths(const pass *p, const ms_small_scratch *t, uint32_t root)
{
  const ms_small *s = p->s;
  ms_small_sum floor = 0;
  for (uint64_t arc = s->offset[root]; arc < s->offset[root + 1]; arc++) {
    uint32_t mid = s->end[arc];
    uint64_t cycles = 0, pairs = 0;
    for (uint64_t next = s->offset[mid]; next < s->offset[mid + 1]; next++) {
      if (s->end[next] == root)
        continue;
      uint64_t others = t->common[s->end[next]] - UINT64_C(1);
      cycles += others;
      pairs += others > 1 ? others * (others - 1) : 0;
      floor += others * s->common[next];
    }
    s->cycles[arc] = cycles;
    p->rows[arc] = pairs;
    s->number[MS_SMALL_BANNER_NEXT][root] += cycles * (ms_small_degree(s, mid) - 2);
  }
  s->number[MS_SMALL_HOUSE_FLOOR][root] = floor;
}

static void visit_pairs(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  ms_small_scratch *t = &s->scratch[r.thread];
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    ms_small_meet(s, t, v);
    add_pairs(s, t, v);
    if (s->fives)
      add_paths(p, t, v);
    ms_small_part(t);
  }
}

/* Subtracts the maps of 4-cycles with a diagonal. */
static void settle_pairs(void *user, ms_range r)
{
  const pass *p = user;
  const ms_small *s = p->s;
  ms_small_sum *const *number = s->number;
  for (uint64_t v = r.begin; v < r.end; v++) {
    ms_small_sum pole = number[MS_SMALL_DIAMOND_POLE][v], end = number[MS_SMALL_DIAMOND_END][v];
    number[MS_SMALL_BANNER_NEXT][v] -= end;
    number[MS_SMALL_BANNER_OPPOSITE][v] -= pole;
    number[MS_SMALL_HOUSE_FLOOR][v] -= pole + end;
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++)
      number[MS_SMALL_BIPARTITE_THREE][v] += p->rows[s->reverse[arc]];
  }
}

ms_status ms_small_pairs(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {MS_SMALL_CYCLE4,          MS_SMALL_BANNER_NEXT,
                                         MS_SMALL_BANNER_OPPOSITE, MS_SMALL_BIPARTITE_TWO,
                                         MS_SMALL_BIPARTITE_THREE, MS_SMALL_HOUSE_FLOOR};
  uint64_t arcs = s->offset[s->n];
  pass p = {.s = s};
  MS_TRY(ms_small_open(s, shape, s->fives ? sizeof shape / sizeof *shape : 1, err));
  if (!s->fives)
    return ms_small_loop(s, visit_pairs, &p, err);
  s->cycles = ms_small_room(s, arcs, sizeof *s->cycles);
  p.rows = ms_small_room(s, arcs, sizeof *p.rows);
  if (!s->cycles || !p.rows)
    return ms_fail_memory(err, "the 4-cycles at edges");
  ms_status status = ms_small_loop(s, visit_pairs, &p, err);
  if (status == MS_OK)
    status = ms_small_loop(s, settle_pairs, &p, err);
  ms_small_give_back(s, p.rows, arcs, sizeof *p.rows);
  return status;
}

/* ---- houses ---------------------------------------------------------------------------------- */

static void visit_houses(void *user, ms_range r)
{
  const ms_small *s = user;
  ms_small_sum *const *number = s->number;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++)
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++) {
      ms_small_sum t = s->common[arc];
      number[MS_SMALL_HOUSE_WALL][v] += t * s->cycles[arc];
      for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++) {
        uint32_t next = s->third[i];
        number[MS_SMALL_HOUSE_ROOF][v] += s->cycles[next] - 2 * (t - 1);
        /* the triangle's third vertex is the roof of the edge to its second one, or the other way
         * round */
        number[MS_SMALL_HOUSE_WALL][v] -= t - 1 + s->common[next] - 1;
      }
    }
}

ms_status ms_small_houses(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {MS_SMALL_HOUSE_ROOF, MS_SMALL_HOUSE_WALL};
  MS_TRY(ms_small_open(s, shape, 2, err));
  return ms_small_loop(s, visit_houses, s, err);
}
