/* The degeneracy order of a count of cliques. */
#include "match/cpu/cliques/order.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* Steps to put a vertex or an arc in its place. */
#define ORDER_STEPS 6.0
/* Vertices between two looks at the stop token. */
#define VERTICES_A_LOOK 1024u

/* Vertices in buckets by the neighbours that they have left (Batagelj and Zaversnik, 2003). */
typedef struct peeling {
  const ms_cliques_task *task;
  uint32_t n;
  uint32_t *degree; /* [n] neighbours that are left; of a vertex that is taken, when it was */
  uint32_t *vertex; /* [n] by degree; those that are taken come first */
  uint32_t *place;  /* [n] in `vertex`; MS_NO_ID: the vertex may be in no clique */
  uint32_t *begin;  /* [degrees + 1] where the vertices of each degree begin */
} peeling;

double ms_cliques_order_steps(const ms_pattern_index *index)
{
  return ORDER_STEPS * ((double)index->n + (double)index->arcs);
}

static bool may_be_in(const peeling *p, uint32_t v)
{
  return !p->task->domain || ms_domain_has(p->task->domain, v);
}

static uint32_t degree_in(const peeling *p, uint32_t v)
{
  uint32_t length, degree = 0;
  const uint32_t *row = ms_row(&p->task->index->rows[MS_ROWS_ANY], v, &length);
  for (uint32_t i = 0; i < length; i++)
    degree += may_be_in(p, row[i]);
  return degree;
}

/* Sorts the vertices by degree, and sets *count to their number. */
static ms_status sort_by_degree(peeling *p, uint32_t *count)
{
  uint32_t most = p->task->index->longest;
  for (uint32_t v = 0; v < p->n; v++) {
    if (v % VERTICES_A_LOOK == 0)
      MS_TRY(ms_stop_check(p->task->stop));
    p->place[v] = MS_NO_ID;
    if (!may_be_in(p, v))
      continue;
    p->degree[v] = degree_in(p, v);
    p->begin[p->degree[v] + 1]++;
  }
  for (uint32_t d = 0; d <= most; d++)
    p->begin[d + 1] += p->begin[d];
  for (uint32_t v = 0; v < p->n; v++)
    if (may_be_in(p, v)) {
      p->place[v] = p->begin[p->degree[v]]++;
      p->vertex[p->place[v]] = v;
      ++*count;
    }
  for (uint32_t d = most + 1; d > 0; d--)
    p->begin[d] = p->begin[d - 1];
  p->begin[0] = 0;
  return MS_OK;
}

/* Takes one neighbour from w, which becomes the first vertex of its degree and then the last one of
 * the degree below. */
static void lower(peeling *p, uint32_t w)
{
  uint32_t d = p->degree[w]--, first = p->begin[d]++, other = p->vertex[first];
  p->vertex[p->place[w]] = other;
  p->place[other] = p->place[w];
  p->vertex[first] = w;
  p->place[w] = first;
}

/* Takes the vertices one by one, and returns the place of the first one that may be in a clique of
 * the least size. */
static ms_status peel(peeling *p, uint32_t count, uint32_t *first)
{
  *first = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length, v = p->vertex[i];
    const uint32_t *row = ms_row(&p->task->index->rows[MS_ROWS_ANY], v, &length);
    if (*first == count && p->degree[v] + 1 >= p->task->least)
      *first = i;
    for (uint32_t j = 0; j < length; j++)
      if (p->place[row[j]] != MS_NO_ID && p->degree[row[j]] > p->degree[v])
        lower(p, row[j]);
    if (i % VERTICES_A_LOOK == 0)
      MS_TRY(ms_stop_check(p->task->stop));
  }
  return MS_OK;
}

/* Stores the neighbours behind each vertex. */
static ms_status store_rows(const peeling *p, uint32_t first, uint32_t count, ms_clique_order *out,
                            ms_error *err)
{
  const ms_neighbor_rows *rows = &p->task->index->rows[MS_ROWS_ANY];
  uint64_t arcs = 0;
  out->vertices = count - first;
  out->offset = ms_alloc((size_t)out->vertices + 1, sizeof *out->offset);
  out->neighbor = ms_alloc(p->task->index->arcs / 2 + 1, sizeof *out->neighbor);
  out->vertex = ms_alloc(out->vertices, sizeof *out->vertex);
  if (!out->offset || !out->neighbor || !out->vertex)
    return ms_fail_memory(err, "the order of a count of cliques");
  if (out->vertices > 0)
    memcpy(out->vertex, p->vertex + first, out->vertices * sizeof *out->vertex);
  for (uint32_t i = first; i < count; i++) {
    uint32_t length;
    const uint32_t *row = ms_row(rows, p->vertex[i], &length);
    out->offset[i - first] = arcs;
    if (i % VERTICES_A_LOOK == 0)
      MS_TRY(ms_stop_check(p->task->stop));
    for (uint32_t j = 0; j < length; j++)
      if (p->place[row[j]] != MS_NO_ID && p->place[row[j]] > i)
        out->neighbor[arcs++] = p->place[row[j]] - first;
    uint32_t candidates = (uint32_t)(arcs - out->offset[i - first]);
    out->longest = candidates > out->longest ? candidates : out->longest;
  }
  out->offset[out->vertices] = arcs;
  return MS_OK;
}

ms_status ms_clique_order_make(const ms_cliques_task *task, ms_clique_order *out, ms_error *err)
{
  uint32_t n = task->index->n, most = task->index->longest, count = 0, first = 0;
  uint32_t *memory = ms_calloc(3 * (size_t)n + most + 2, sizeof *memory);
  if (!memory)
    return ms_fail_memory(err, "the order of a count of cliques");
  peeling p = {.task = task,
               .n = n,
               .degree = memory,
               .vertex = memory + n,
               .place = memory + 2 * (size_t)n,
               .begin = memory + 3 * (size_t)n};
  ms_status status = sort_by_degree(&p, &count);
  if (status == MS_OK)
    status = peel(&p, count, &first);
  if (status == MS_OK)
    status = store_rows(&p, first, count, out, err);
  ms_free(memory);
  return status;
}

uint64_t ms_clique_order_bytes(const ms_pattern_index *index)
{
  return 28 * (uint64_t)index->n + 2 * index->arcs + 4 * (uint64_t)index->longest;
}

void ms_clique_order_free(ms_clique_order *order)
{
  ms_free(order->vertex);
  ms_free(order->offset);
  ms_free(order->neighbor);
}
