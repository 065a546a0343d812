#include "match/typed/symmetry.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* An edge seen from one of its ends. */
typedef struct side {
  uint16_t from, to;
  uint16_t set; /* equal if and only if the accepted types are equal */
} side;

typedef struct labels {
  ms_shape shape;
  uint16_t label[MS_MAX_PATTERN][MS_MAX_PATTERN];
  uint32_t sides;
  side side[2 * MS_MAX_TYPED_EDGES]; /* [sides] sorted by from, to, set */
} labels;

static const uint64_t *set_of(const ms_typed_query *query, uint32_t s)
{
  return s & 1 ? query->edge[s / 2].back : query->edge[s / 2].on;
}

/* Returns the number of the first side of the query's edges that accepts the
 * same types. */
static uint16_t number_set(const ms_typed_query *query, uint32_t s)
{
  uint32_t like = 0;
  while (memcmp(set_of(query, like), set_of(query, s), query->arc_words * sizeof(uint64_t)) != 0)
    like++;
  return (uint16_t)like;
}

static int by_ends_and_set(const void *a, const void *b)
{
  const side *x = a, *y = b;
  int from = (x->from > y->from) - (x->from < y->from);
  int to = (x->to > y->to) - (x->to < y->to);
  return from ? from : to ? to : (x->set > y->set) - (x->set < y->set);
}

static void list_sides(const ms_typed_query *query, labels *l)
{
  for (uint32_t s = 0; s < 2 * query->edges; s++) {
    const ms_typed_query_edge *edge = &query->edge[s / 2];
    l->side[s] = (side){.from = (uint16_t)(s & 1 ? edge->to : edge->from),
                        .to = (uint16_t)(s & 1 ? edge->from : edge->to),
                        .set = number_set(query, s)};
  }
  l->sides = 2 * query->edges;
  qsort(l->side, l->sides, sizeof *l->side, by_ends_and_set);
}

/* Returns the end of the run of sides that have the same two ends as side s. */
static uint32_t run_end(const labels *l, uint32_t s)
{
  uint32_t end = s;
  while (end < l->sides && l->side[end].from == l->side[s].from && l->side[end].to == l->side[s].to)
    end++;
  return end;
}

static bool same_sets(const labels *l, uint32_t a, uint32_t b)
{
  uint32_t count = run_end(l, a) - a;
  if (run_end(l, b) - b != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (l->side[a + i].set != l->side[b + i].set)
      return false;
  return true;
}

/* Labels each run of sides between the same two ends, from 1, by the first run
 * that accepts the same types. */
static void label_pairs(labels *l)
{
  for (uint32_t s = 0; s < l->sides; s = run_end(l, s)) {
    uint32_t like = 0, from = l->side[s].from, to = l->side[s].to;
    while (!same_sets(l, like, s))
      like = run_end(l, like);
    l->label[from][to] = (uint16_t)(like + 1);
    if (from != to)
      l->shape.out[from] |= UINT64_C(1) << to;
  }
}

static void number_kinds(const ms_typed_query *query, labels *l)
{
  for (uint32_t i = 0; i < query->n; i++) {
    uint32_t like = 0;
    while (l->label[like][like] != l->label[i][i] ||
           memcmp(query->vertex_types[like], query->vertex_types[i],
                  query->type_words * sizeof(uint64_t)) != 0)
      like++;
    l->shape.kind[i] = like + 1;
  }
}

ms_status ms_typed_group_new(const ms_typed_query *query, ms_group **out, ms_error *err)
{
  *out = NULL;
  labels *l = ms_calloc(1, sizeof *l);
  if (!l)
    return ms_fail_memory(err, "the pattern's automorphisms");
  l->shape.n = query->n;
  list_sides(query, l);
  label_pairs(l);
  number_kinds(query, l);
  for (uint32_t i = 0; i < query->n; i++) {
    l->shape.in[i] = l->shape.out[i];
    l->shape.member[i] = UINT64_C(1) << i;
  }
  ms_status status =
      ms_group_of_labels(&l->shape, (ms_arc_labels)l->label, NULL, UINT64_MAX, out, err);
  ms_free(l);
  return status;
}
