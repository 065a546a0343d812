/* The index of an induced subgraph, made from the rows of the whole index. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "match/index.h"
#include "match/index_parts.h"

#include <string.h>

#define POLL_VERTICES 256u
#define PHASE "the index is cut"

/* The state of a cut. */
typedef struct cutting {
  const ms_pattern_index *whole;
  const uint64_t *kept;
  ms_pattern_index *cut;
  uint32_t *id;  /* [whole->n] as ms_pattern_index_cut returns it */
  uint32_t *old; /* [cut->n] new id -> id */
} cutting;

static ms_status poll_stop(uint32_t step, ms_error *err)
{
  return step % POLL_VERTICES == 0 ? ms_stop_poll(PHASE, err) : MS_OK;
}

static bool stays(const cutting *c, uint32_t id)
{
  return c->kept[id / 64] >> id % 64 & 1;
}

/* ---- ids ----------------------------------------------------------------- */

/* Numbers the ids that stay in their order. */
static void number_in_order(cutting *c)
{
  uint32_t next = 0;
  for (uint32_t i = 0; i < c->whole->n; i++) {
    c->id[i] = stays(c, i) ? next : MS_NO_ID;
    if (stays(c, i))
      c->old[next++] = i;
  }
}

static uint32_t degree_in_cut(const cutting *c, uint32_t id)
{
  uint32_t length, degree = 0;
  const uint32_t *row = ms_row(&c->whole->rows[MS_ROWS_ANY], id, &length);
  for (uint32_t i = 0; i < length; i++)
    degree += stays(c, row[i]);
  return degree;
}

/* Numbers the ids that stay by their degrees in the subgraph. */
static ms_status number_by_degree(cutting *c, ms_error *err)
{
  const ms_pattern_index *whole = c->whole;
  uint32_t *vertex = c->cut->vertex, next = 0, highest = 0;
  uint32_t *degree = ms_alloc(whole->graph->n, sizeof *degree);
  if (!degree)
    return ms_fail_memory(err, "an index of patterns");
  for (uint32_t v = 0; v < whole->graph->n; v++) {
    uint32_t i = whole->id[v];
    if (i == MS_NO_ID || !stays(c, i))
      continue;
    degree[v] = degree_in_cut(c, i);
    highest = degree[v] > highest ? degree[v] : highest;
    vertex[next++] = v;
  }
  ms_status status = ms_index_sort(c->cut, degree, highest, 1, err);
  ms_free(degree);
  if (status != MS_OK)
    return status;
  memset(c->id, 0xFF, whole->n * sizeof *c->id); /* MS_NO_ID */
  for (uint32_t i = 0; i < c->cut->n; i++) {
    c->old[i] = whole->id[c->cut->vertex[i]];
    c->id[c->old[i]] = i;
  }
  return MS_OK;
}

/* Sets the maps between ids and vertices of the graph. */
static ms_status map_vertices(cutting *c, ms_error *err)
{
  ms_pattern_index *cut = c->cut;
  for (uint32_t i = 0; i < cut->n; i++)
    cut->vertex[i] = c->whole->vertex[c->old[i]];
  if (!c->whole->id)
    return MS_OK;
  cut->id = ms_alloc(cut->graph->n, sizeof *cut->id);
  if (!cut->id)
    return ms_fail_memory(err, "an index of patterns");
  memset(cut->id, 0xFF, cut->graph->n * sizeof *cut->id);
  for (uint32_t i = 0; i < cut->n; i++)
    cut->id[cut->vertex[i]] = i;
  return MS_OK;
}

/* ---- rows ---------------------------------------------------------------- */

/* Allocates the rows of a kind, and sets their offsets. */
static ms_status measure_kind(cutting *c, uint32_t kind, ms_error *err)
{
  ms_neighbor_rows *to = &c->cut->rows[kind];
  to->offset = ms_calloc((size_t)c->cut->n + 2, sizeof *to->offset);
  if (!to->offset)
    return ms_fail_memory(err, "an index of patterns");
  for (uint32_t i = 0; i < c->cut->n; i++) {
    uint32_t length, left = 0;
    const uint32_t *row = ms_row(&c->whole->rows[kind], c->old[i], &length);
    MS_TRY(poll_stop(i, err));
    for (uint32_t j = 0; j < length; j++)
      left += stays(c, row[j]);
    to->offset[i + 1] = to->offset[i] + left;
  }
  to->neighbor = ms_alloc_lines(to->offset[c->cut->n] + 1, sizeof *to->neighbor);
  return to->neighbor ? MS_OK : ms_fail_memory(err, "an index of patterns");
}

/* Fills rows whose ids have kept their order, so that they stay sorted. */
static ms_status copy_rows(cutting *c, uint32_t kind, ms_error *err)
{
  uint32_t *next = c->cut->rows[kind].neighbor;
  for (uint32_t i = 0; i < c->cut->n; i++) {
    uint32_t length;
    const uint32_t *row = ms_row(&c->whole->rows[kind], c->old[i], &length);
    MS_TRY(poll_stop(i, err));
    for (uint32_t j = 0; j < length; j++)
      if (stays(c, row[j]))
        *next++ = c->id[row[j]];
  }
  return MS_OK;
}

/* Appends each new id, in ascending order, to the rows of its neighbours, which are therefore
 * sorted. */
static ms_status append_to_rows(cutting *c, uint32_t kind, ms_error *err)
{
  const ms_neighbor_rows *reverse = &c->whole->rows[ms_reverse_rows((uint16_t)kind)];
  ms_neighbor_rows *to = &c->cut->rows[kind];
  uint64_t *next = ms_alloc(c->cut->n, sizeof *next);
  if (!next)
    return ms_fail_memory(err, "an index of patterns");
  memcpy(next, to->offset, c->cut->n * sizeof *next);
  ms_status status = MS_OK;
  for (uint32_t i = 0; status == MS_OK && i < c->cut->n; i++) {
    uint32_t length;
    const uint32_t *row = ms_row(reverse, c->old[i], &length);
    status = poll_stop(i, err);
    for (uint32_t j = 0; j < length; j++)
      if (stays(c, row[j]))
        to->neighbor[next[c->id[row[j]]]++] = i;
  }
  ms_free(next);
  return status;
}

static ms_status cut_rows(cutting *c, ms_error *err)
{
  const ms_neighbor_rows *from = c->whole->rows;
  ms_pattern_index *cut = c->cut;
  for (uint32_t kind = 0; kind < cut->kinds; kind++) {
    if (kind > 0 && from[kind].offset == from[kind - 1].offset) {
      cut->rows[kind] = cut->rows[kind - 1]; /* both sides of a relation without a direction */
      continue;
    }
    MS_TRY(measure_kind(c, kind, err));
    MS_TRY(cut->by_degree ? append_to_rows(c, kind, err) : copy_rows(c, kind, err));
  }
  cut->arcs = cut->rows[MS_ROWS_ANY].offset[cut->n];
  return MS_OK;
}

/* Finds the longest row of an index of relations, which says nothing else about its rows. */
static void find_longest(ms_pattern_index *cut)
{
  for (uint32_t kind = 0; kind < cut->kinds; kind++)
    for (uint32_t i = 0; i < cut->n; i++) {
      uint32_t length = ms_row_length(&cut->rows[kind], i);
      cut->longest = length > cut->longest ? length : cut->longest;
    }
}

/* ---- the index ----------------------------------------------------------- */

static ms_status fill(cutting *c, bool by_degree, ms_error *err)
{
  ms_pattern_index *cut = c->cut;
  cut->rows = ms_calloc(cut->kinds, sizeof *cut->rows);
  cut->vertex = ms_alloc(cut->n, sizeof *cut->vertex);
  c->old = ms_alloc(cut->n, sizeof *c->old);
  if (!cut->rows || !cut->vertex || !c->old)
    return ms_fail_memory(err, "an index of patterns");
  if (by_degree)
    MS_TRY(number_by_degree(c, err));
  else
    number_in_order(c);
  MS_TRY(map_vertices(c, err));
  MS_TRY(cut_rows(c, err));
  if (!cut->graph) {
    find_longest(cut);
    return MS_OK;
  }
  cut->best = ms_alloc(cut->n, sizeof *cut->best);
  return cut->best ? ms_index_measure(cut, 1, err) : ms_fail_memory(err, "an index of patterns");
}

ms_status ms_pattern_index_cut(const ms_pattern_index *index, const uint64_t *kept, bool by_degree,
                               uint32_t *id, ms_pattern_index **out, ms_error *err)
{
  ms_pattern_index *cut = ms_calloc(1, sizeof *cut);
  cutting c = {.whole = index, .kept = kept, .cut = cut, .id = id};
  *out = NULL;
  if (!cut)
    return ms_fail_memory(err, "an index of patterns");
  cut->serial = ms_pattern_index_serial();
  cut->graph = index->graph;
  cut->coloring = index->coloring;
  for (size_t w = 0; w < index->words; w++)
    cut->n += (uint32_t)__builtin_popcountll(kept[w]);
  cut->words = ((size_t)cut->n + 63) / 64;
  cut->directed = index->directed;
  cut->ranges = index->ranges;
  cut->by_degree = by_degree;
  cut->kinds = index->kinds;
  cut->colors = index->colors;
  ms_status status = fill(&c, by_degree, err);
  ms_free(c.old);
  if (status == MS_OK)
    *out = cut;
  else
    ms_pattern_index_free(cut);
  return status;
}
