#include "match/typed/shape.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* An edge seen from one of its ends. */
typedef struct side {
  uint16_t from, to;
  uint16_t set; /* equal if and only if the accepted types are equal */
} side;

typedef struct builder {
  ms_typed_shape *out;
  uint32_t sides;
  side side[2 * MS_MAX_TYPED_EDGES]; /* [sides] sorted by from, to, set */
  /* [n][n] 1 + the first of the sides between the two ends whose sets of types are the same;
   * 0: no edge */
  uint16_t like[MS_MAX_PATTERN][MS_MAX_PATTERN];
} builder;

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

static void list_sides(const ms_typed_query *query, builder *b)
{
  for (uint32_t s = 0; s < 2 * query->edges; s++) {
    const ms_typed_query_edge *edge = &query->edge[s / 2];
    b->side[s] = (side){.from = (uint16_t)(s & 1 ? edge->to : edge->from),
                        .to = (uint16_t)(s & 1 ? edge->from : edge->to),
                        .set = number_set(query, s)};
  }
  b->sides = 2 * query->edges;
  qsort(b->side, b->sides, sizeof *b->side, by_ends_and_set);
}

/* Returns the end of the run of sides that have the same two ends as side s. */
static uint32_t run_end(const builder *b, uint32_t s)
{
  uint32_t end = s;
  while (end < b->sides && b->side[end].from == b->side[s].from && b->side[end].to == b->side[s].to)
    end++;
  return end;
}

static bool same_sets(const builder *b, uint32_t s, uint32_t t)
{
  uint32_t count = run_end(b, s) - s;
  if (run_end(b, t) - t != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (b->side[s + i].set != b->side[t + i].set)
      return false;
  return true;
}

static void compare_pairs(builder *b)
{
  for (uint32_t s = 0; s < b->sides; s = run_end(b, s)) {
    uint32_t like = 0;
    while (!same_sets(b, like, s))
      like = run_end(b, like);
    b->like[b->side[s].from][b->side[s].to] = (uint16_t)(like + 1);
  }
}

/* Numbers the relations in the order of their first pair. */
static void number_relations(builder *b)
{
  ms_typed_shape *out = b->out;
  uint16_t label_of[2 * MS_MAX_TYPED_EDGES + 1] = {0}; /* by the value of `like` */
  for (uint32_t i = 0; i < out->shape.n; i++)
    for (uint32_t j = 0; j < out->shape.n; j++) {
      uint16_t on = b->like[i][j], back = b->like[j][i];
      if (i == j || on == 0)
        continue;
      if (label_of[on] == 0) {
        label_of[on] = (uint16_t)(1 + 2 * out->relations++);
        label_of[back] = on == back ? label_of[on] : (uint16_t)(label_of[on] + 1);
      }
      out->label[i][j] = label_of[on];
      ms_bitset_add(&out->shape.out[i], j);
      ms_bitset_add(&out->shape.in[j], i);
    }
}

static void number_kinds(const ms_typed_query *query, builder *b)
{
  for (uint32_t i = 0; i < query->n; i++) {
    uint32_t same = 0;
    while (b->like[same][same] != b->like[i][i] ||
           memcmp(query->vertex_types[same], query->vertex_types[i],
                  query->type_words * sizeof(uint64_t)) != 0)
      same++;
    b->out->shape.kind[i] = same + 1;
  }
}

ms_status ms_typed_shape_new(const ms_typed_query *query, ms_typed_shape **out, ms_error *err)
{
  *out = ms_calloc(1, sizeof **out);
  builder *b = ms_calloc(1, sizeof *b);
  if (!*out || !b) {
    ms_free(*out);
    ms_free(b);
    *out = NULL;
    return ms_fail_memory(err, "a typed pattern");
  }
  b->out = *out;
  (*out)->shape.n = query->n;
  (*out)->shape.label = (ms_arc_labels)(*out)->label;
  list_sides(query, b);
  compare_pairs(b);
  number_relations(b);
  number_kinds(query, b);
  for (uint32_t i = 0; i < query->n; i++)
    (*out)->shape.member[i] = ms_bitset_of(i);
  ms_free(b);
  return MS_OK;
}
