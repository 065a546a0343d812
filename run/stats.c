#include "run/stats.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/typed.h"
#include "graph/walk/components.h"

#include <stdlib.h>
#include <string.h>

#define PHASE "the graph is measured"

/* ---- degrees and components ---------------------------------------------- */

static uint32_t degree_of(const ms_graph *graph, uint32_t v)
{
  return (uint32_t)(graph->offset[v + 1] - graph->offset[v]);
}

/* Returns the degree of rank `rank`, from 0, by frequency[]. */
static uint32_t degree_at(const uint32_t *frequency, uint32_t rank)
{
  uint32_t d = 0;
  for (uint64_t passed = frequency[0]; passed <= rank; passed += frequency[d])
    d++;
  return d;
}

static ms_status count_degrees(const ms_graph *graph, ms_graph_stats *stats, ms_error *err)
{
  const uint32_t n = graph->n;
  ms_watch watch;
  ms_watch_begin(&watch);
  stats->min_degree = UINT32_MAX;
  for (uint32_t v = 0; v < n && !ms_watch_ended(&watch, v); v++) {
    uint32_t d = degree_of(graph, v);
    stats->degrees[d ? 32 - __builtin_clz(d) : 0]++;
    stats->min_degree = d < stats->min_degree ? d : stats->min_degree;
    stats->max_degree = d > stats->max_degree ? d : stats->max_degree;
  }
  stats->isolated = stats->degrees[0];
  stats->mean_degree = (double)graph->arcs / n;
  MS_TRY(ms_watch_report(&watch, PHASE, err));
  uint32_t *frequency = ms_calloc((size_t)stats->max_degree + 1, sizeof *frequency);
  if (!frequency)
    return ms_fail_memory(err, "degrees");
  for (uint32_t v = 0; v < n; v++)
    frequency[degree_of(graph, v)]++;
  stats->median_degree =
      ((double)degree_at(frequency, (n - 1) / 2) + degree_at(frequency, n / 2)) / 2;
  ms_free(frequency);
  return MS_OK;
}

static ms_status count_components(const ms_graph *graph, ms_graph_stats *stats, ms_error *err)
{
  ms_status status;
  uint32_t *component = ms_alloc(graph->n, sizeof *component);
  uint32_t *size = ms_calloc(graph->n, sizeof *size);
  if (!component || !size) {
    status = ms_fail_memory(err, "components");
    goto done;
  }
  status = ms_components(graph->n, graph->offset, graph->neighbor, 0, component, &stats->components,
                         err);
  if (status != MS_OK)
    goto done;
  uint32_t largest = 0;
  for (uint32_t v = 0; v < graph->n; v++)
    size[component[v]]++;
  for (uint32_t c = 1; c < stats->components; c++)
    largest = size[c] > size[largest] ? c : largest;
  stats->largest = size[largest];
  uint64_t arcs = 0;
  for (uint32_t v = 0; v < graph->n; v++)
    arcs += component[v] == largest ? degree_of(graph, v) : 0;
  stats->largest_edges = arcs / 2;
done:
  ms_free(component);
  ms_free(size);
  return status;
}

ms_status ms_graph_measure(const ms_graph *graph, ms_graph_stats *stats, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(stats, err);
  *stats = (ms_graph_stats){.vertices = graph->n, .edges = graph->arcs / 2};
  if (graph->n == 0)
    return MS_OK;
  ms_status status = count_degrees(graph, stats, err);
  if (status == MS_OK)
    status = ms_stop_poll(PHASE, err);
  return status == MS_OK ? count_components(graph, stats, err) : status;
}

/* ---- colours ------------------------------------------------------------- */

/* A colour or a type, and how many vertices or edges have it. */
typedef struct frequency_row {
  const char *name;
  uint32_t id;
  uint64_t count;
} frequency_row;

static int by_frequency(const void *a, const void *b)
{
  const frequency_row *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return strcmp(x->name, y->name);
}

/* Sorts the rows, lists their ids, and frees them. */
static void sort_frequencies(frequency_row *rows, uint32_t n, uint32_t *order)
{
  qsort(rows, n, sizeof *rows, by_frequency);
  for (uint32_t i = 0; i < n; i++)
    order[i] = rows[i].id;
  ms_free(rows);
}

static ms_status sort_colors(const ms_coloring *coloring, ms_color_stats *stats, ms_error *err)
{
  frequency_row *rows = ms_alloc(stats->colors, sizeof *rows);
  if (!rows)
    return ms_fail_memory(err, "colours");
  for (uint32_t c = 0; c < stats->colors; c++)
    rows[c] = (frequency_row){ms_coloring_name(coloring, c), c, stats->vertices[c]};
  sort_frequencies(rows, stats->colors, stats->order);
  return MS_OK;
}

ms_status ms_coloring_measure(const ms_coloring *coloring, ms_color_stats *stats, ms_error *err)
{
  MS_REQUIRE(stats, err);
  *stats = (ms_color_stats){0};
  MS_REQUIRE(coloring, err);
  uint32_t colors = ms_names_count(coloring->names);
  *stats = (ms_color_stats){.colors = colors,
                            .vertices = ms_calloc(colors, sizeof *stats->vertices),
                            .order = ms_alloc(colors, sizeof *stats->order)};
  if (!stats->vertices || !stats->order)
    return ms_fail_memory(err, "colours");
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < coloring->n && !ms_watch_ended(&watch, v); v++) {
    uint64_t begin = coloring->offset[v], end = coloring->offset[v + 1];
    for (uint64_t i = begin; i < end; i++)
      stats->vertices[coloring->color[i]]++;
    stats->uncolored += begin == end;
    stats->most = end - begin > stats->most ? (uint32_t)(end - begin) : stats->most;
  }
  MS_TRY(ms_watch_report(&watch, PHASE, err));
  return sort_colors(coloring, stats, err);
}

void ms_color_stats_clear(ms_color_stats *stats)
{
  if (!stats)
    return;
  ms_free(stats->vertices);
  ms_free(stats->order);
  *stats = (ms_color_stats){0};
}

/* ---- types --------------------------------------------------------------- */

/* Counts an edge at the one of its two arcs whose type names the relation, or at the smaller vertex
 * if both have that type.  A self-loop has one arc, which may have either type. */
static ms_status count_types(const ms_typed *graph, ms_type_stats *stats, ms_error *err)
{
  const ms_typed_rows *rows = &graph->rows;
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < rows->n && !ms_watch_ended(&watch, v); v++) {
    stats->vertices[rows->vertex_type[v]]++;
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
      ms_type type = rows->type[a], inverse = graph->inverse[type];
      uint32_t w = rows->neighbor[a];
      if (v == w)
        stats->edges[ms_typed_is_second(graph, type) ? inverse : type]++;
      else if (type == inverse ? v < w : !ms_typed_is_second(graph, type))
        stats->edges[type]++;
    }
  }
  return ms_watch_report(&watch, PHASE, err);
}

static ms_status sort_types(const ms_typed *graph, ms_type_stats *stats, ms_error *err)
{
  uint32_t arc_types = graph->info.arc_types;
  frequency_row *of_vertices = ms_alloc(stats->vertex_types, sizeof *of_vertices);
  frequency_row *of_edges = ms_alloc(arc_types, sizeof *of_edges);
  if (!of_vertices || !of_edges) {
    ms_free(of_vertices);
    ms_free(of_edges);
    return ms_fail_memory(err, "types");
  }
  for (uint32_t t = 0; t < stats->vertex_types; t++)
    of_vertices[t] = (frequency_row){ms_names_get(graph->vertex_types, t), t, stats->vertices[t]};
  for (uint32_t t = 0; t < arc_types; t++)
    if (!ms_typed_is_second(graph, (ms_type)t))
      of_edges[stats->edge_types++] =
          (frequency_row){ms_names_get(graph->arc_types, t), t, stats->edges[t]};
  sort_frequencies(of_vertices, stats->vertex_types, stats->vertex_order);
  sort_frequencies(of_edges, stats->edge_types, stats->edge_order);
  return MS_OK;
}

ms_status ms_typed_measure(const ms_typed *graph, ms_type_stats *stats, ms_error *err)
{
  MS_REQUIRE(stats, err);
  *stats = (ms_type_stats){0};
  MS_REQUIRE(graph, err);
  uint32_t vertex_types = graph->info.vertex_types, arc_types = graph->info.arc_types;
  *stats = (ms_type_stats){.vertex_types = vertex_types,
                           .vertices = ms_calloc(vertex_types, sizeof *stats->vertices),
                           .vertex_order = ms_alloc(vertex_types, sizeof *stats->vertex_order),
                           .edges = ms_calloc(arc_types, sizeof *stats->edges),
                           .edge_order = ms_alloc(arc_types, sizeof *stats->edge_order)};
  if (!stats->vertices || !stats->vertex_order || !stats->edges || !stats->edge_order)
    return ms_fail_memory(err, "types");
  MS_TRY(count_types(graph, stats, err));
  return sort_types(graph, stats, err);
}

void ms_type_stats_clear(ms_type_stats *stats)
{
  if (!stats)
    return;
  ms_free(stats->vertices);
  ms_free(stats->vertex_order);
  ms_free(stats->edges);
  ms_free(stats->edge_order);
  *stats = (ms_type_stats){0};
}

/* ---- the motif ----------------------------------------------------------- */

static ms_status count_classes(const ms_query *query, ms_motif_stats *stats, ms_error *err)
{
  const ms_motif *motif = query->motif;
  ms_watch watch;
  ms_watch_begin(&watch);
  stats->classes = motif->n_classes;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    const uint32_t color = motif->class_[c].color;
    if (color == MS_WILDCARD)
      stats->have[c] = query->graph->n;
    for (uint32_t v = 0; v < query->graph->n && color == MS_CONDITION; v++) {
      if (ms_watch_ended(&watch, v))
        break;
      stats->have[c] += ms_class_fits(&motif->class_[c], query->coloring, v);
    }
    for (uint64_t i = 0; i < query->coloring->info.assignments && color < MS_CONDITION; i++) {
      if (ms_watch_ended(&watch, i))
        break;
      stats->have[c] += query->coloring->color[i] == color;
    }
    stats->impossible |= stats->have[c] < motif->class_[c].count;
  }
  return ms_watch_report(&watch, PHASE, err);
}

ms_status ms_query_measure(const ms_query *query, ms_motif_stats *stats, ms_error *err)
{
  MS_REQUIRE(query, err);
  MS_REQUIRE(stats, err);
  ms_instance *whole, *left = NULL;
  *stats = (ms_motif_stats){0};
  MS_TRY(count_classes(query, stats, err));
  MS_TRY(ms_instance_new(query, 0, &whole, err));
  ms_status status = ms_instance_prune(whole, 0, &left, &stats->pruned, err);
  if (status == MS_OK) {
    stats->vertices = left->n;
    stats->edges = left->arcs / 2;
    stats->components = stats->pruned.components;
  }
  ms_instance_free(left);
  ms_instance_free(whole);
  return status;
}
