#include "match/index.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "match/cpu/sorted.h"
#include "match/index_parts.h"

#include <stdatomic.h>
#include <string.h>

#define POLL_VERTICES 256u
#define PHASE "the graph is indexed"
#define CLOSURE_SAMPLES 256u /* number of sampled edges */
/* The bits of all hubs together have to stay in the caches. */
#define HUB_BYTES (UINT64_C(32) << 20)

/* A hub is adjacent to at least one vertex in 64, so that its bits take at most twice the
 * bytes of its row. */
uint32_t ms_hub_degree = 64;

/* ---- ids ----------------------------------------------------------------- */

static uint32_t degree_of(const ms_graph *graph, uint32_t v)
{
  return (uint32_t)(graph->offset[v + 1] - graph->offset[v]);
}

/* Returns the colour of a vertex that has at most one; the number after all
 * colours means none. */
static uint32_t sort_color(const ms_pattern_index *index, uint32_t v)
{
  uint32_t count;
  if (!index->ranges || !index->coloring)
    return 0;
  const uint32_t *color = ms_coloring_of(index->coloring, v, &count);
  return count > 0 ? *color : index->colors;
}

/* Sorts from[n] into to[n] by key[vertex] < keys with a stable counting sort;
 * place[keys + 1] is its working space. */
static void sort_by(const uint32_t *key, const uint32_t *from, uint32_t n, uint32_t keys,
                    uint32_t *place, uint32_t *to)
{
  memset(place, 0, ((size_t)keys + 1) * sizeof *place);
  for (uint32_t i = 0; i < n; i++)
    place[key[from[i]] + 1]++;
  for (uint32_t k = 0; k < keys; k++)
    place[k + 1] += place[k];
  for (uint32_t i = 0; i < n; i++)
    to[place[key[from[i]]]++] = from[i];
}

ms_status ms_index_sort(ms_pattern_index *index, const uint32_t *degree, uint32_t highest,
                        ms_error *err)
{
  uint32_t n = index->n, all = index->graph->n, colors = index->colors + 1;
  uint32_t keys = highest + 1 > colors ? highest + 1 : colors;
  uint32_t *color = ms_alloc(all, sizeof *color), *by_degree = ms_alloc(n, sizeof *by_degree);
  uint32_t *place = ms_alloc((size_t)keys + 1, sizeof *place);
  ms_status status =
      color && by_degree && place ? MS_OK : ms_fail_memory(err, "an index of patterns");
  if (status == MS_OK) {
    sort_by(degree, index->vertex, n, highest + 1, place, by_degree);
    for (uint32_t i = 0; i < n; i++)
      color[by_degree[i]] = sort_color(index, by_degree[i]);
    sort_by(color, by_degree, n, colors, place, index->vertex);
  }
  ms_free(color);
  ms_free(by_degree);
  ms_free(place);
  return status;
}

/* Sorts vertex[] by (colour, degree, vertex), and sets id[] to its inverse. */
static ms_status number_vertices(ms_pattern_index *index, ms_error *err)
{
  uint32_t *degree = ms_alloc(index->n, sizeof *degree);
  if (!degree)
    return ms_fail_memory(err, "an index of patterns");
  for (uint32_t v = 0; v < index->n; v++) {
    degree[v] = degree_of(index->graph, v);
    index->vertex[v] = v;
  }
  ms_status status = ms_index_sort(index, degree, index->graph->info.max_degree, err);
  for (uint32_t i = 0; status == MS_OK && i < index->n; i++)
    index->id[index->vertex[i]] = i;
  ms_free(degree);
  return status;
}

/* ---- rows ---------------------------------------------------------------- */

/* True if arc a of the graph belongs to the rows of this kind, seen from the other end:
 * rows are filled by their neighbours. */
static bool belongs_to_rows(const ms_graph *graph, uint64_t a, int kind)
{
  if (kind == MS_ROWS_ANY)
    return true;
  /* direction: 1 is an arc to the neighbour, which has it in its row IN */
  return graph->direction[a] & (kind == MS_ROWS_IN ? 1 : 2);
}

/* Polls the thread's token at some of the steps of a loop over vertices. */
static ms_status poll_stop(uint32_t step, ms_error *err)
{
  return step % POLL_VERTICES == 0 ? ms_stop_poll(PHASE, err) : MS_OK;
}

/* Appends each id, in ascending order, to the rows of its neighbours, which are therefore
 * sorted. */
static ms_status fill_rows(ms_pattern_index *index, int kind, ms_error *err)
{
  const ms_graph *graph = index->graph;
  ms_neighbor_rows *rows = &index->rows[kind];
  uint32_t n = index->n;
  rows->offset = ms_calloc((size_t)n + 2, sizeof *rows->offset);
  if (!rows->offset)
    return ms_fail_memory(err, "an index of patterns");
  /* next[i] is where row i grows; in the end it is offset[i + 1] */
  uint64_t *next = rows->offset + 1;
  for (uint32_t v = 0; v < n; v++) {
    MS_TRY(poll_stop(v, err));
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (belongs_to_rows(graph, a, kind) && index->id[graph->neighbor[a]] + 1 < n)
        next[index->id[graph->neighbor[a]] + 1]++;
  }
  for (uint32_t i = 0; i + 1 < n; i++)
    next[i + 1] += next[i];
  rows->neighbor = ms_alloc_lines(graph->arcs, sizeof *rows->neighbor);
  if (!rows->neighbor)
    return ms_fail_memory(err, "an index of patterns");
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = index->vertex[i];
    MS_TRY(poll_stop(i, err));
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (belongs_to_rows(graph, a, kind))
        rows->neighbor[next[index->id[graph->neighbor[a]]]++] = i;
  }
  return MS_OK;
}

/* Returns what a vertex adds to the steps of a sum over edges: its row is read for each larger
 * neighbour v, and the paths v - u - x with x < v are visited twice. */
static double edge_steps_of(double degree, double smaller)
{
  double paths = (degree * (degree - 1) - smaller * (smaller - 1)) / 2;
  return degree * (degree - smaller) + 2 * paths;
}

static void update_longest(uint32_t *longest, uint32_t length)
{
  *longest = length > *longest ? length : *longest;
}

static ms_status measure_rows(ms_pattern_index *index, ms_error *err)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t degree, best = 0, smaller = 0;
    const uint32_t *row = ms_row(rows, v, &degree);
    MS_TRY(poll_stop(v, err));
    for (uint32_t i = 0; i < degree; i++) {
      uint32_t d = ms_row_length(rows, row[i]);
      best = d > best ? d : best;
      smaller += row[i] < v;
    }
    update_longest(&index->longest, degree);
    update_longest(&index->longest_below, smaller);
    update_longest(&index->longest_above, degree - smaller);
    index->best[v] = best;
    index->square_degrees += (double)degree * degree;
    index->edge_steps += edge_steps_of(degree, smaller);
  }
  return MS_OK;
}

/* Samples edges at equal distances; the third vertex is the middle one of the
 * common neighbours. common[most + slack] is working space. */
static void sample_closure(ms_pattern_index *index, uint32_t *common)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  const ms_sorted *sorted = ms_sorted_best();
  uint64_t step = index->arcs / CLOSURE_SAMPLES + 1, shared[2] = {0}, all[2] = {0};
  uint32_t v = 0, n_v, n_w, n_x;
  for (uint64_t a = step / 2; a < index->arcs; a += step) {
    while (rows->offset[v + 1] <= a)
      v++;
    const uint32_t *row_v = ms_row(rows, v, &n_v), *row_w = ms_row(rows, rows->neighbor[a], &n_w);
    size_t count = sorted->intersect(row_v, n_v, row_w, n_w, common);
    shared[0] += count;
    all[0] += n_w - 1;
    if (count < 2)
      continue;
    const uint32_t *row_x = ms_row(rows, common[count / 2], &n_x);
    shared[1] += sorted->count(common, count, row_x, n_x);
    all[1] += count - 1;
  }
  for (int i = 0; i < 2; i++)
    index->closure[i] = all[i] > 0 ? (double)shared[i] / (double)all[i] : 0;
}

static ms_status measure_closure(ms_pattern_index *index, ms_error *err)
{
  size_t most = index->graph->info.max_degree;
  uint32_t *common = ms_alloc(most + MS_SORTED_SLACK, sizeof *common);
  if (!common)
    return ms_fail_memory(err, "an index of patterns");
  sample_closure(index, common);
  ms_free(common);
  return MS_OK;
}

/* Returns the degree from which on bits are kept, so that the hubs fit into
 * HUB_BYTES. */
static uint32_t hub_degree(const ms_pattern_index *index, uint32_t *hubs)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  uint64_t most = HUB_BYTES / (index->words * sizeof(uint64_t) + 1);
  uint32_t degree = index->n / 64 > ms_hub_degree ? index->n / 64 : ms_hub_degree;
  for (;; degree *= 2) {
    *hubs = 0;
    for (uint32_t v = 0; v < index->n; v++)
      *hubs += ms_row_length(rows, v) >= degree;
    if (*hubs <= most)
      return degree;
  }
}

static ms_status keep_hubs(ms_pattern_index *index, ms_error *err)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  uint32_t hubs, degree = hub_degree(index, &hubs), next = 0, length;
  if (hubs == 0)
    return MS_OK;
  index->hub = ms_alloc(index->n, sizeof *index->hub);
  index->hub_bits = ms_calloc(hubs, index->words * sizeof *index->hub_bits);
  if (!index->hub || !index->hub_bits)
    return ms_fail_memory(err, "an index of patterns");
  for (uint32_t v = 0; v < index->n; v++) {
    const uint32_t *row = ms_row(rows, v, &length);
    index->hub[v] = length >= degree ? next++ : UINT32_MAX;
    for (uint32_t i = 0; length >= degree && i < length; i++)
      index->hub_bits[index->hub[v] * index->words + row[i] / 64] |= UINT64_C(1) << row[i] % 64;
  }
  return MS_OK;
}

/* ---- colours ------------------------------------------------------------- */

static bool at_most_one_color(const ms_coloring *coloring, uint32_t n)
{
  for (uint32_t v = 0; coloring && v < n; v++) {
    uint32_t count;
    ms_coloring_of(coloring, v, &count);
    if (count > 1)
      return false;
  }
  return true;
}

/* Lists the vertices of each colour, ids ascending. */
static ms_status gather_colors(ms_pattern_index *index, ms_error *err)
{
  uint32_t count;
  index->color_offset = ms_calloc((size_t)index->colors + 2, sizeof *index->color_offset);
  if (!index->color_offset)
    return ms_fail_memory(err, "an index of colours");
  uint64_t *next = index->color_offset + 1, assignments = 0;
  for (uint32_t v = 0; v < index->n; v++) {
    const uint32_t *color = ms_coloring_of(index->coloring, index->vertex[v], &count);
    assignments += count;
    for (uint32_t i = 0; i < count; i++)
      if (color[i] + 1 < index->colors)
        next[color[i] + 1]++;
  }
  for (uint32_t c = 0; c + 1 < index->colors; c++)
    next[c + 1] += next[c];
  index->color_id = ms_alloc(assignments, sizeof *index->color_id);
  if (!index->color_id)
    return ms_fail_memory(err, "an index of colours");
  for (uint32_t i = 0; i < index->n; i++) {
    const uint32_t *color = ms_coloring_of(index->coloring, index->vertex[i], &count);
    for (uint32_t c = 0; c < count; c++)
      index->color_id[next[color[c]]++] = i;
  }
  return MS_OK;
}

/* Sets near[]: every vertex marks its colours at its neighbours. */
static ms_status mark_neighbor_colors(ms_pattern_index *index, ms_error *err)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  index->near = ms_calloc(index->n, sizeof *index->near);
  if (!index->near)
    return ms_fail_memory(err, "an index of colours");
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t degree, count;
    const uint32_t *row = ms_row(rows, v, &degree);
    MS_TRY(poll_stop(v, err));
    const uint32_t *color = ms_coloring_of(index->coloring, index->vertex[v], &count);
    uint64_t bits = 0;
    for (uint32_t c = 0; c < count; c++)
      bits |= UINT64_C(1) << color[c] % 64;
    for (uint32_t i = 0; i < degree; i++) {
      uint64_t *near = index->near[row[i]];
      near[1] |= near[0] & bits;
      near[0] |= bits;
    }
  }
  return MS_OK;
}

/* True if long rows are divided by colours: then colour c is bit c of `near`. */
static bool divides_rows(const ms_pattern_index *index)
{
  return index->near && index->ranges && index->colors <= 64;
}

/* Sets the ends of colours in long rows. */
static ms_status divide_rows(ms_pattern_index *index, ms_error *err)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  index->part_offset = ms_alloc((size_t)index->n + 1, sizeof *index->part_offset);
  if (!index->part_offset)
    return ms_fail_memory(err, "an index of colours");
  index->part_offset[0] = 0;
  for (uint32_t v = 0; v < index->n; v++)
    index->part_offset[v + 1] =
        index->part_offset[v] + (ms_row_length(rows, v) > MS_SHORT_ROW
                                     ? (uint32_t)__builtin_popcountll(index->near[v][0])
                                     : 0);
  index->part = ms_alloc(index->part_offset[index->n], sizeof *index->part);
  if (!index->part)
    return ms_fail_memory(err, "an index of colours");
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t length, at = 0, *end = index->part + index->part_offset[v];
    const uint32_t *row = ms_row(rows, v, &length);
    MS_TRY(poll_stop(v, err));
    for (uint64_t left = length > MS_SHORT_ROW ? index->near[v][0] : 0; left; left &= left - 1) {
      uint64_t last = index->color_offset[__builtin_ctzll(left) + 1] - 1;
      at += (uint32_t)ms_lower_bound(row + at, length - at, index->color_id[last] + 1);
      *end++ = at;
    }
  }
  return MS_OK;
}

/* ---- the index ----------------------------------------------------------- */

static ms_status fill_index(ms_pattern_index *index, ms_error *err)
{
  ms_status status = number_vertices(index, err);
  for (int kind = MS_ROWS_ANY; status == MS_OK && kind < (int)index->kinds; kind++)
    status = fill_rows(index, kind, err);
  return status == MS_OK ? ms_index_measure(index, err) : status;
}

ms_status ms_index_measure(ms_pattern_index *index, ms_error *err)
{
  ms_status status = measure_rows(index, err);
  if (status == MS_OK)
    status = measure_closure(index, err);
  if (status == MS_OK)
    status = keep_hubs(index, err);
  if (status == MS_OK && index->coloring)
    status = gather_colors(index, err);
  if (status == MS_OK && index->coloring)
    status = mark_neighbor_colors(index, err);
  if (status == MS_OK && divides_rows(index))
    status = divide_rows(index, err);
  return status;
}

uint64_t ms_pattern_index_serial(void)
{
  static _Atomic uint64_t serials;
  return atomic_fetch_add(&serials, 1) + 1;
}

ms_status ms_pattern_index_new(const ms_graph *graph, const ms_coloring *coloring, int threads,
                               ms_pattern_index **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_TRY(ms_stop_poll(PHASE, err));
  MS_TRY(ms_check_threads(threads, err));
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  (void)threads; /* one pass over the arcs takes far less time than reading the graph */
  ms_pattern_index *index = ms_calloc(1, sizeof *index);
  if (!index)
    return ms_fail_memory(err, "an index of patterns");
  index->serial = ms_pattern_index_serial();
  index->graph = graph;
  index->coloring = coloring;
  index->n = graph->n;
  index->words = ((size_t)graph->n + 63) / 64;
  index->arcs = graph->arcs;
  index->directed = graph->direction != NULL;
  index->by_degree = true;
  index->colors = coloring ? ms_coloring_describe(coloring).colors : 0;
  index->ranges = at_most_one_color(coloring, graph->n);
  index->kinds = index->directed ? MS_ROW_KINDS : 1;
  index->rows = ms_calloc(index->kinds, sizeof *index->rows);
  index->vertex = ms_alloc(graph->n, sizeof *index->vertex);
  index->id = ms_alloc(graph->n, sizeof *index->id);
  index->best = ms_alloc(graph->n, sizeof *index->best);
  ms_status status = index->rows && index->vertex && index->id && index->best
                         ? fill_index(index, err)
                         : ms_fail_memory(err, "an index of patterns");
  if (status == MS_OK)
    *out = index;
  else
    ms_pattern_index_free(index);
  return status;
}

void ms_pattern_index_free(ms_pattern_index *index)
{
  if (!index)
    return;
  for (uint32_t kind = 0; index->rows && kind < index->kinds; kind++) {
    if (kind > 0 && index->rows[kind].offset == index->rows[kind - 1].offset)
      continue; /* both sides of a relation without a direction */
    ms_free(index->rows[kind].offset);
    ms_free(index->rows[kind].neighbor);
  }
  ms_free(index->rows);
  ms_free(index->vertex);
  ms_free(index->id);
  ms_free(index->best);
  ms_free(index->near);
  ms_free(index->part_offset);
  ms_free(index->part);
  ms_free(index->hub);
  ms_free(index->hub_bits);
  ms_free(index->color_offset);
  ms_free(index->color_id);
  ms_free(index);
}
