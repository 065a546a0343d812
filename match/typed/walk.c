#include "match/typed/walk.h"

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/philox.h"
#include "base/status.h"

/* ---- Euler tours -------------------------------------------------------------- */

typedef struct tour {
  const ms_typed_query *query;
  ms_pattern_walk *walk;
  ms_bitset seen;                 /* visited pattern vertices */
  bool taken[MS_MAX_TYPED_EDGES]; /* edges that the tour has taken */
} tour;

static void put_step(tour *t, uint32_t e, bool on)
{
  const ms_typed_query_edge *edge = &t->query->edge[e];
  t->walk->step[t->walk->length++] =
      (ms_walk_step){.edge = e, .on = on, .to = on ? edge->to : edge->from};
}

/* Takes all edges at v that were not taken yet, each forth and back. The
 * recursion is at most n deep. */
static void tour_from(tour *t, uint32_t v)
{
  ms_bitset_add(&t->seen, v);
  for (uint32_t e = 0; e < t->query->edges; e++) {
    const ms_typed_query_edge *edge = &t->query->edge[e];
    if (t->taken[e] || (edge->from != v && edge->to != v))
      continue;
    bool on = edge->from == v;
    uint32_t w = on ? edge->to : edge->from;
    t->taken[e] = true;
    put_step(t, e, on);
    if (v == w)
      continue;
    if (!ms_bitset_has(&t->seen, w))
      tour_from(t, w);
    put_step(t, e, !on);
  }
}

/* ---- random walks -------------------------------------------------------------- */

/* Lists the numbers of the edges at v and returns how many there are. */
static uint32_t edges_at(const ms_typed_query *query, uint32_t v, uint32_t *list)
{
  uint32_t count = 0;
  for (uint32_t e = 0; e < query->edges; e++)
    if (query->edge[e].from == v || query->edge[e].to == v)
      list[count++] = e;
  return count;
}

static ms_status add_step(ms_pattern_walk *walk, uint32_t *room, ms_walk_step step, ms_error *err)
{
  if (!MS_GROW(walk->step, *room, walk->length, 1))
    return ms_fail_memory(err, "a walk through a pattern");
  walk->step[walk->length++] = step;
  return MS_OK;
}

/* Continues at random. `left` edges were not taken yet. */
static ms_status walk_at_random(const ms_typed_query *query, uint32_t length, uint64_t seed,
                                uint32_t left, uint32_t room, ms_pattern_walk *walk, ms_error *err)
{
  bool taken[MS_MAX_TYPED_EDGES] = {false};
  uint32_t list[MS_MAX_TYPED_EDGES], v = walk->start;
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  ms_status status = MS_OK;
  for (uint32_t i = 0; (i < length || left > 0) && status == MS_OK; i++) {
    uint32_t word[4], count = edges_at(query, v, list);
    ms_philox4x32((const uint32_t[4]){i, 0x57414c4bu}, key, word);
    uint32_t e = list[(uint64_t)word[0] * count >> 32];
    bool on = query->edge[e].from == v;
    v = on ? query->edge[e].to : query->edge[e].from;
    left -= !taken[e];
    taken[e] = true;
    status = add_step(walk, &room, (ms_walk_step){.edge = e, .on = on, .to = v}, err);
  }
  return status;
}

/* ---- both ------------------------------------------------------------------------ */

ms_status ms_walk_new(const ms_typed_query *query, uint32_t start, ms_typed_walk kind,
                      uint32_t length, uint64_t seed, ms_pattern_walk *walk, ms_error *err)
{
  tour t = {.query = query, .walk = walk};
  uint32_t room = 2 * query->edges + 1, edges = 0;
  *walk = (ms_pattern_walk){.start = start};
  walk->step = ms_alloc(room, sizeof *walk->step);
  if (!walk->step)
    return ms_fail_memory(err, "a walk through a pattern");
  tour_from(&t, start);
  for (uint32_t e = 0; e < query->edges; e++)
    edges += t.taken[e];
  if (kind == MS_WALK_EULER || edges == 0)
    return MS_OK;
  length = length ? length : 4 * walk->length;
  walk->length = 0;
  ms_status status = walk_at_random(query, length, seed, edges, room, walk, err);
  if (status != MS_OK)
    ms_walk_free(walk);
  return status;
}

void ms_walk_free(ms_pattern_walk *walk)
{
  ms_free(walk->step);
  *walk = (ms_pattern_walk){0};
}
