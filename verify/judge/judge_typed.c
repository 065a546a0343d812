/* The judge of a typed pattern: typed vertices, and edges of several relations, which may be
 * parallel or self-loops. */
#include "verify/judge/judge.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

static ms_status find_masks(ms_judge *judge, const ms_typed_query *query, ms_error *err)
{
  uint32_t types = ms_names_count(query->graph->vertex_types);
  judge->words = (judge->p + 63) / 64;
  judge->mask = ms_calloc((size_t)types * judge->words, sizeof *judge->mask);
  if (!judge->mask)
    return ms_fail_memory(err, "the types of a pattern");
  for (uint32_t t = 0; t < types; t++)
    for (uint32_t i = 0; i < query->n; i++)
      judge->mask[(size_t)t * judge->words + i / 64] |=
          (uint64_t)ms_type_in(query->vertex_types[i], (ms_type)t) << i % 64;
  return MS_OK;
}

static void list_pairs(ms_judge *judge, const ms_typed_query *query, bool induced)
{
  uint32_t listed = 0;
  for (uint32_t j = 0; j < query->n; j++)
    for (uint32_t i = 0; i <= j; i++) {
      uint32_t begin = listed;
      for (uint32_t e = 0; e < query->edges; e++) {
        const ms_typed_query_edge *edge = &query->edge[e];
        bool on = edge->from == i && edge->to == j;
        if (on || (edge->from == j && edge->to == i)) {
          judge->accepted[0][listed] = on ? edge->on : edge->back;
          judge->accepted[1][listed++] = on ? edge->back : edge->on;
        }
      }
      if (listed > begin || (induced && i < j))
        ms_judge_add_pair(judge, (ms_judge_pair){.first = (uint8_t)i,
                                                 .second = (uint8_t)j,
                                                 .joined = listed > begin,
                                                 .begin = (uint16_t)begin,
                                                 .edges = (uint16_t)(listed - begin)});
    }
}

/* Counts how often the set of `bytes` bytes occurs among the `edges` sets. */
static uint32_t count_equal(const uint64_t *const *sets, uint32_t edges, const uint64_t *set,
                            size_t bytes)
{
  uint32_t count = 0;
  for (uint32_t e = 0; e < edges; e++)
    count += memcmp(sets[e], set, bytes) == 0;
  return count;
}

/* True if the edges of both pairs, seen from these sides, accept the same sets of types, each as
 * often. */
static bool same_sets(const ms_judge *judge, const ms_judge_pair *a, uint32_t side_a,
                      const ms_judge_pair *b, uint32_t side_b, size_t bytes)
{
  const uint64_t *const *sets = judge->accepted[side_a] + a->begin;
  if (a->edges != b->edges)
    return false;
  for (uint32_t e = 0; e < a->edges; e++)
    if (count_equal(sets, a->edges, sets[e], bytes) !=
        count_equal(judge->accepted[side_b] + b->begin, b->edges, sets[e], bytes))
      return false;
  return true;
}

/* Returns the number, from 1, of the first pair and side of the same kind as the pair seen from
 * this side. */
static uint16_t find_kind(const ms_judge *judge, const ms_judge_pair *pair, uint32_t side,
                          size_t bytes)
{
  uint32_t like = 0;
  while (!judge->pair[like / 2].joined ||
         !same_sets(judge, &judge->pair[like / 2], like % 2, pair, side, bytes))
    like++;
  return (uint16_t)(like + 1);
}

static size_t bytes_of(const ms_names *types)
{
  return ((size_t)ms_names_count(types) + 63) / 64 * sizeof(uint64_t);
}

/* Sorts vertices and ordered pairs into kinds.  Vertices are alike if they accept the same types
 * and their self-loops do.  Ordered pairs are alike if their edges accept the same sets of types
 * seen from the first vertex; then they also accept the same sets seen from the second. */
static void list_kinds(ms_judge *judge, const ms_typed_query *query)
{
  size_t arc_bytes = bytes_of(query->graph->arc_types);
  size_t vertex_bytes = bytes_of(query->graph->vertex_types);
  uint16_t loops[MS_MAX_PATTERN] = {0}; /* [p] kind of each vertex's self-loops */
  ms_kinds *kinds = &judge->kinds;
  kinds->n = query->n;
  for (const ms_judge_pair *pair = judge->pair; pair < judge->pair + judge->pairs; pair++)
    if (!pair->joined) {
      continue;
    } else if (pair->first == pair->second) {
      loops[pair->first] = find_kind(judge, pair, 0, arc_bytes);
    } else {
      kinds->pair[pair->first][pair->second] = find_kind(judge, pair, 0, arc_bytes);
      kinds->pair[pair->second][pair->first] = find_kind(judge, pair, 1, arc_bytes);
    }
  for (uint32_t i = 0; i < query->n; i++) {
    uint16_t like = 0;
    while (loops[like] != loops[i] ||
           memcmp(query->vertex_types[like], query->vertex_types[i], vertex_bytes) != 0)
      like++;
    kinds->vertex[i] = like;
  }
}

ms_status ms_judge_typed(const ms_typed_query *query, bool induced, bool subgraphs, ms_judge **out,
                         ms_error *err)
{
  const ms_typed_rows *rows = &query->graph->rows;
  *out = NULL;
  ms_judge *judge = ms_calloc(1, sizeof *judge);
  if (!judge)
    return ms_fail_memory(err, "the judge of typed matches");
  judge->p = query->n;
  judge->n = rows->n;
  judge->offset = rows->offset;
  judge->neighbor = rows->neighbor;
  judge->type = rows->type;
  judge->vertex_type = rows->vertex_type;
  judge->typed = true;
  list_pairs(judge, query, induced);
  list_kinds(judge, query);
  ms_status status = find_masks(judge, query, err);
  return ms_judge_finish(judge, status, subgraphs, out, err);
}
