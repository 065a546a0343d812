/* The core of a graph, and its triangles. */
#include "match/small/passes.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* Sets left[n] to the number of neighbours of each vertex in the core, 0 outside of it.  `stack` is
 * [n]. */
static void peel(const ms_neighbor_rows *rows, uint32_t n, uint32_t *left, uint32_t *stack)
{
  uint32_t length, height = 0;
  for (uint32_t v = 0; v < n; v++) {
    left[v] = ms_row_length(rows, v);
    if (left[v] == 1)
      stack[height++] = v;
  }
  while (height > 0) {
    uint32_t v = stack[--height];
    const uint32_t *near = ms_row(rows, v, &length);
    for (uint32_t i = 0; left[v] > 0 && i < length; i++)
      if (left[near[i]] > 0 && --left[near[i]] == 1)
        stack[height++] = near[i];
    left[v] = 0;
  }
}

static ms_status fill_rows(ms_small *s, const uint32_t *left, ms_error *err)
{
  const ms_neighbor_rows *rows = &s->index->rows[MS_ROWS_ANY];
  uint32_t length;
  s->offset = ms_small_room(s, (uint64_t)s->n + 1, sizeof *s->offset);
  if (!s->offset)
    return ms_fail_memory(err, "the core of a graph");
  for (uint32_t v = 0; v < s->n; v++)
    s->offset[v + 1] = s->offset[v] + left[v];
  uint64_t arcs = s->offset[s->n];
  s->end = ms_small_room(s, arcs, sizeof *s->end);
  s->reverse = ms_small_room(s, arcs, sizeof *s->reverse);
  s->common = ms_small_room(s, arcs, sizeof *s->common);
  s->first = ms_small_room(s, arcs + 1, sizeof *s->first);
  if (!s->end || !s->reverse || !s->common || !s->first)
    return ms_fail_memory(err, "the arcs of a core");
  for (uint32_t v = 0; v < s->n; v++) {
    const uint32_t *near = ms_row(rows, v, &length);
    uint64_t to = s->offset[v];
    for (uint32_t i = 0; left[v] > 0 && i < length; i++)
      if (left[near[i]] > 0)
        s->end[to++] = near[i];
  }
  return MS_OK;
}

/* Rows ascend: the k-th arc that ends at a vertex begins at the k-th neighbour in its row. */
static void fill_reverse(ms_small *s, uint32_t *next)
{
  memset(next, 0, s->n * sizeof *next);
  for (uint64_t arc = 0; arc < s->offset[s->n]; arc++) {
    uint32_t v = s->end[arc];
    s->reverse[s->offset[v] + next[v]++] = (uint32_t)arc;
  }
}

/* ---- scratch --------------------------------------------------------------------------------- */

static ms_status open_scratch(ms_small *s, ms_error *err)
{
  s->scratch = ms_small_room(s, (uint64_t)s->threads, sizeof *s->scratch);
  for (int i = 0; s->scratch && i < s->threads; i++) {
    ms_small_scratch *t = &s->scratch[i];
    t->common = ms_small_room(s, s->n, sizeof *t->common);
    t->met = ms_small_room(s, s->n, sizeof *t->met);
    t->arc = ms_small_room(s, s->n, sizeof *t->arc);
    t->found = ms_small_room(s, s->n, sizeof *t->found);
    t->times = ms_small_room(s, s->n, sizeof *t->times);
    t->sum = ms_small_room(s, s->n, sizeof *t->sum);
    if (!t->common || !t->met || !t->arc || !t->found || !t->times || !t->sum)
      return ms_fail_memory(err, "the threads of small shapes");
    memset(t->arc, 0xff, s->n * sizeof *t->arc);
  }
  return s->scratch ? MS_OK : ms_fail_memory(err, "the threads of small shapes");
}

void ms_small_mark(const ms_small *s, ms_small_scratch *t, uint32_t v)
{
  for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++)
    t->arc[s->end[arc]] = (uint32_t)arc;
}

void ms_small_unmark(const ms_small *s, ms_small_scratch *t, uint32_t v)
{
  for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++)
    t->arc[s->end[arc]] = MS_NO_ARC;
}

void ms_small_meet(const ms_small *s, ms_small_scratch *t, uint32_t root)
{
  t->mets = 0;
  for (uint64_t arc = s->offset[root]; arc < s->offset[root + 1]; arc++) {
    uint32_t mid = s->end[arc];
    for (uint64_t next = s->offset[mid]; next < s->offset[mid + 1]; next++)
      if (t->common[s->end[next]]++ == 0)
        t->met[t->mets++] = s->end[next];
  }
  t->common[root] = 0; /* it stays in met[], and counts for nothing */
}

void ms_small_part(ms_small_scratch *t)
{
  for (uint32_t i = 0; i < t->mets; i++)
    t->common[t->met[i]] = 0;
  t->mets = 0;
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* Counts the common neighbours of each vertex and its neighbours of smaller ids. */
static void count_common(void *user, ms_range r)
{
  ms_small *s = user;
  ms_small_scratch *t = &s->scratch[r.thread];
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    ms_small_mark(s, t, v);
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1] && s->end[arc] < v; arc++) {
      uint32_t u = s->end[arc], count = 0;
      for (uint64_t next = s->offset[u]; next < s->offset[u + 1]; next++)
        count += t->arc[s->end[next]] != MS_NO_ARC;
      s->common[arc] = s->common[s->reverse[arc]] = count;
    }
    ms_small_unmark(s, t, v);
  }
}

static void fill_third(void *user, ms_range r)
{
  ms_small *s = user;
  ms_small_scratch *t = &s->scratch[r.thread];
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    ms_small_mark(s, t, v);
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1] && s->end[arc] < v; arc++) {
      uint32_t u = s->end[arc];
      uint64_t forth = s->first[arc], back = s->first[s->reverse[arc]];
      for (uint64_t next = s->offset[u]; next < s->offset[u + 1]; next++) {
        uint32_t from_v = t->arc[s->end[next]];
        if (from_v == MS_NO_ARC)
          continue;
        s->corner[forth] = s->corner[back] = s->end[next];
        s->third[forth++] = (uint32_t)next;
        s->third[back++] = from_v;
      }
    }
    ms_small_unmark(s, t, v);
  }
}

ms_status ms_small_core(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {MS_SMALL_EDGE};
  MS_TRY(ms_small_open(s, shape, 1, err));
  for (uint32_t v = 0; v < s->n; v++)
    s->number[MS_SMALL_EDGE][v] = ms_small_degree(s, v);
  uint32_t *left = ms_alloc(s->n, sizeof *left), *stack = ms_alloc(s->n, sizeof *stack);
  ms_status status = left && stack ? MS_OK : ms_fail_memory(err, "the core of a graph");
  if (status == MS_OK) {
    peel(&s->index->rows[MS_ROWS_ANY], s->n, left, stack);
    status = fill_rows(s, left, err);
  }
  if (status == MS_OK)
    fill_reverse(s, stack);
  ms_free(left);
  ms_free(stack);
  MS_TRY(status);
  MS_TRY(open_scratch(s, err));
  MS_TRY(ms_small_loop(s, count_common, s, err));
  uint64_t arcs = s->offset[s->n];
  for (uint64_t arc = 0; arc < arcs; arc++)
    s->first[arc + 1] = s->first[arc] + s->common[arc];
  s->corner = ms_small_room(s, s->first[arcs], sizeof *s->corner);
  s->third = ms_small_room(s, s->first[arcs], sizeof *s->third);
  if (!s->corner || !s->third)
    return ms_fail_memory(err, "the triangles of a graph");
  return ms_small_loop(s, fill_third, s, err);
}
