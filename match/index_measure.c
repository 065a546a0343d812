/* Everything in an index that follows from the vertices and the rows. */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "match/cpu/sorted.h"
#include "match/index_parts.h"

#include <string.h>

#define CLOSURE_SAMPLES 256u /* number of sampled edges */
/* The bits of all hubs together have to stay in the caches. */
#define HUB_BYTES (UINT64_C(32) << 20)

/* What a chunk of vertices adds to the figures of the index.  Chunks are added in their order, so
 * that sums do not depend on threads. */
typedef struct chunk_figures {
  double square_degrees, edge_steps, middle_paths;
  uint32_t longest, longest_above, longest_below;
} chunk_figures;

typedef struct measure_loop {
  ms_pattern_index *index;
  chunk_figures *chunk; /* [chunks] */
  uint64_t *bits;       /* [n] the colours of each id, as in `near` */
} measure_loop;

/* ---- degrees ------------------------------------------------------------------------------ */

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

static void measure_vertex(ms_pattern_index *index, uint32_t v, chunk_figures *f)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  uint32_t degree, best = 0, smaller = 0;
  const uint32_t *row = ms_row(rows, v, &degree);
  for (uint32_t i = 0; i < degree; i++) {
    uint32_t d = ms_row_length(rows, row[i]);
    best = d > best ? d : best;
    smaller += row[i] < v;
  }
  update_longest(&f->longest, degree);
  update_longest(&f->longest_below, smaller);
  update_longest(&f->longest_above, degree - smaller);
  index->best[v] = best;
  f->square_degrees += (double)degree * degree;
  f->edge_steps += edge_steps_of(degree, smaller);
  f->middle_paths += (double)smaller * (degree - smaller);
}

static void measure_chunks(void *user, ms_range r)
{
  const measure_loop *l = user;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint32_t end, begin = ms_index_chunk(l->index, c, &end);
    chunk_figures f = {0};
    for (uint32_t v = begin; v < end; v++)
      measure_vertex(l->index, v, &f);
    l->chunk[begin / MS_INDEX_CHUNK] = f;
  }
}

static ms_status measure_rows(measure_loop *l, int threads, ms_error *err)
{
  ms_pattern_index *index = l->index;
  uint64_t chunks = ms_index_chunks(index);
  l->chunk = ms_alloc(chunks, sizeof *l->chunk);
  if (!l->chunk)
    return ms_fail_memory(err, "an index of patterns");
  ms_status status = ms_index_loop(index, threads, measure_chunks, l, err);
  for (uint64_t c = 0; c < chunks && status == MS_OK; c++) {
    const chunk_figures *f = &l->chunk[c];
    update_longest(&index->longest, f->longest);
    update_longest(&index->longest_below, f->longest_below);
    update_longest(&index->longest_above, f->longest_above);
    index->square_degrees += f->square_degrees;
    index->edge_steps += f->edge_steps;
    index->middle_paths += f->middle_paths;
  }
  ms_free(l->chunk);
  return status;
}

/* ---- closure ------------------------------------------------------------------------------ */

typedef struct closure_loop {
  const ms_pattern_index *index;
  uint64_t step;
  uint64_t (*found)[4]; /* [samples] neighbours that are shared, and all, with one and with two
                           other vertices */
  uint32_t *common;     /* [threads][most] */
  size_t most;
} closure_loop;

/* The third vertex of a sample is the middle one of the common neighbours. */
static void sample_arcs(void *user, ms_range r)
{
  const closure_loop *l = user;
  const ms_neighbor_rows *rows = &l->index->rows[MS_ROWS_ANY];
  const ms_sorted *sorted = ms_sorted_best();
  uint32_t *common = l->common + (size_t)r.thread * l->most, n_v, n_w, n_x;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint64_t a = l->step / 2 + i * l->step, *found = l->found[i];
    const uint32_t *row_v =
        ms_row(rows, (uint32_t)ms_last_at_most(rows->offset, l->index->n, a), &n_v);
    const uint32_t *row_w = ms_row(rows, rows->neighbor[a], &n_w);
    size_t count = sorted->intersect(row_v, n_v, row_w, n_w, common);
    found[0] = count;
    found[1] = n_w - 1;
    found[2] = found[3] = 0;
    if (count < 2)
      continue;
    const uint32_t *row_x = ms_row(rows, common[count / 2], &n_x);
    found[2] = sorted->count(common, count, row_x, n_x);
    found[3] = count - 1;
  }
}

/* Samples edges at equal distances. */
static ms_status measure_closure(ms_pattern_index *index, int threads, ms_error *err)
{
  uint64_t found[CLOSURE_SAMPLES][4], sum[4] = {0};
  uint64_t step = index->arcs / CLOSURE_SAMPLES + 1;
  uint64_t samples = index->arcs > step / 2 ? (index->arcs - step / 2 - 1) / step + 1 : 0;
  closure_loop l = {.index = index,
                    .step = step,
                    .found = found,
                    .most = (size_t)index->graph->info.max_degree + MS_SORTED_SLACK};
  threads = ms_threads_for(threads, index->arcs);
  l.common = ms_alloc((size_t)threads * l.most, sizeof *l.common);
  if (!l.common)
    return ms_fail_memory(err, "an index of patterns");
  ms_parallel(threads, samples, 1, sample_arcs, &l);
  for (uint64_t i = 0; i < samples; i++)
    for (int k = 0; k < 4; k++)
      sum[k] += found[i][k];
  for (int i = 0; i < 2; i++)
    index->closure[i] = sum[2 * i + 1] > 0 ? (double)sum[2 * i] / (double)sum[2 * i + 1] : 0;
  ms_free(l.common);
  return MS_OK;
}

/* ---- hubs --------------------------------------------------------------------------------- */

/* Returns the degree from which on bits are kept, so that the hubs fit into
 * HUB_BYTES. */
static uint32_t hub_degree(const ms_pattern_index *index, uint32_t *hubs)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  uint64_t most = HUB_BYTES / (index->words * sizeof(uint64_t) + 1);
  uint32_t degree = index->n / 64 > ms_hooks.hub_degree ? index->n / 64 : ms_hooks.hub_degree;
  for (;; degree *= 2) {
    *hubs = 0;
    for (uint32_t v = 0; degree <= index->longest && v < index->n; v++)
      *hubs += ms_row_length(rows, v) >= degree;
    if (*hubs <= most)
      return degree;
  }
}

static void set_hub_bits(void *user, ms_range r)
{
  const measure_loop *l = user;
  const ms_pattern_index *index = l->index;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint32_t end, length;
    for (uint32_t v = ms_index_chunk(index, c, &end); v < end; v++) {
      if (index->hub[v] == UINT32_MAX)
        continue;
      uint64_t *bits = index->hub_bits + index->hub[v] * index->words;
      const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], v, &length);
      for (uint32_t i = 0; i < length; i++)
        bits[row[i] / 64] |= UINT64_C(1) << row[i] % 64;
    }
  }
}

static ms_status keep_hubs(measure_loop *l, int threads, ms_error *err)
{
  ms_pattern_index *index = l->index;
  uint32_t hubs, degree = hub_degree(index, &hubs), next = 0;
  if (hubs == 0)
    return MS_OK;
  index->hub = ms_alloc(index->n, sizeof *index->hub);
  index->hub_bits = ms_calloc(hubs, index->words * sizeof *index->hub_bits);
  if (!index->hub || !index->hub_bits)
    return ms_fail_memory(err, "an index of patterns");
  for (uint32_t v = 0; v < index->n; v++)
    index->hub[v] = ms_row_length(&index->rows[MS_ROWS_ANY], v) >= degree ? next++ : UINT32_MAX;
  return ms_index_loop(index, threads, set_hub_bits, l, err);
}

/* ---- colours ------------------------------------------------------------------------------ */

static void list_ids(void *user, ms_range r)
{
  const measure_loop *l = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    l->index->color_id[i] = (uint32_t)i;
}

/* Does the same as gather_colors if ids ascend by colour: those without a colour come last. */
static ms_status find_color_ranges(measure_loop *l, int threads, ms_error *err)
{
  ms_pattern_index *index = l->index;
  uint32_t count, first = 0;
  index->color_offset = ms_calloc((size_t)index->colors + 2, sizeof *index->color_offset);
  if (!index->color_offset)
    return ms_fail_memory(err, "an index of colours");
  for (uint32_t c = 0; c < index->colors; c++) {
    uint32_t last = index->n;
    while (first < last) { /* until `first` is the first id after colour c */
      uint32_t middle = first + (last - first) / 2;
      const uint32_t *color = ms_coloring_of(index->coloring, index->vertex[middle], &count);
      if (count > 0 && *color <= c)
        first = middle + 1;
      else
        last = middle;
    }
    index->color_offset[c + 1] = first;
  }
  index->color_id = ms_alloc(first, sizeof *index->color_id);
  if (!index->color_id)
    return ms_fail_memory(err, "an index of colours");
  ms_parallel(ms_threads_for(threads, first), first, 0, list_ids, l);
  return MS_OK;
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

static void find_own_colors(void *user, ms_range r)
{
  const measure_loop *l = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(l->index->coloring, l->index->vertex[i], &count);
    l->bits[i] = 0;
    for (uint32_t c = 0; c < count; c++)
      l->bits[i] |= UINT64_C(1) << color[c] % 64;
  }
}

static void find_near_colors(void *user, ms_range r)
{
  const measure_loop *l = user;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint32_t end, length;
    for (uint32_t v = ms_index_chunk(l->index, c, &end); v < end; v++) {
      const uint32_t *row = ms_row(&l->index->rows[MS_ROWS_ANY], v, &length);
      uint64_t one = 0, two = 0;
      for (uint32_t i = 0; i < length; i++) {
        uint64_t bits = l->bits[row[i]];
        two |= one & bits;
        one |= bits;
      }
      l->index->near[v][0] = one;
      l->index->near[v][1] = two;
    }
  }
}

static ms_status mark_neighbor_colors(measure_loop *l, int threads, ms_error *err)
{
  ms_pattern_index *index = l->index;
  index->near = ms_alloc(index->n, sizeof *index->near);
  l->bits = ms_alloc(index->n, sizeof *l->bits);
  ms_status status = MS_OK;
  if (!index->near || !l->bits) {
    status = ms_fail_memory(err, "an index of colours");
  } else {
    ms_parallel(ms_threads_for(threads, index->n), index->n, 0, find_own_colors, l);
    status = ms_index_loop(index, threads, find_near_colors, l, err);
  }
  ms_free(l->bits);
  return status;
}

/* ---- colours in long rows ------------------------------------------------------------------- */

static void divide_chunks(void *user, ms_range r)
{
  const measure_loop *l = user;
  const ms_pattern_index *index = l->index;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint32_t end;
    for (uint32_t v = ms_index_chunk(index, c, &end); v < end; v++) {
      uint32_t length, at = 0, *part = index->part + index->part_offset[v];
      const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], v, &length);
      for (uint64_t left = length > MS_SHORT_ROW ? index->near[v][0] : 0; left; left &= left - 1) {
        uint32_t color = (uint32_t)__builtin_ctzll(left); /* or one with the same bit */
        uint32_t last = color < index->colors ? (uint32_t)index->color_offset[color + 1] : 0;
        at += (uint32_t)ms_lower_bound(row + at, length - at, last);
        *part++ = at;
      }
    }
  }
}

/* Sets the ends of colours in long rows. */
static ms_status divide_rows(measure_loop *l, int threads, ms_error *err)
{
  ms_pattern_index *index = l->index;
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  index->part_offset = ms_alloc((size_t)index->n + 1, sizeof *index->part_offset);
  if (!index->part_offset)
    return ms_fail_memory(err, "an index of colours");
  index->part_offset[0] = 0;
  for (uint32_t v = 0; v < index->n; v++) {
    bool is_long = ms_row_length(rows, v) > MS_SHORT_ROW;
    uint32_t parts = is_long ? (uint32_t)__builtin_popcountll(index->near[v][0]) : 0;
    index->part_offset[v + 1] = index->part_offset[v] + parts;
  }
  index->part = ms_alloc(index->part_offset[index->n], sizeof *index->part);
  if (!index->part)
    return ms_fail_memory(err, "an index of colours");
  return ms_index_loop(index, threads, divide_chunks, l, err);
}

ms_status ms_index_measure(ms_pattern_index *index, int threads, ms_error *err)
{
  measure_loop l = {.index = index};
  MS_TRY(measure_rows(&l, threads, err));
  MS_TRY(measure_closure(index, threads, err));
  MS_TRY(keep_hubs(&l, threads, err));
  if (!index->coloring)
    return MS_OK;
  MS_TRY(index->ranges ? find_color_ranges(&l, threads, err) : gather_colors(index, err));
  MS_TRY(mark_neighbor_colors(&l, threads, err));
  return index->ranges ? divide_rows(&l, threads, err) : MS_OK;
}
