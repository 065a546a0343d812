#include "run/stats.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/watch.h"
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

typedef struct color_row {
  const char *name;
  uint32_t color, vertices;
} color_row;

static int by_frequency(const void *a, const void *b)
{
  const color_row *x = a, *y = b;
  if (x->vertices != y->vertices)
    return x->vertices < y->vertices ? 1 : -1;
  return strcmp(x->name, y->name);
}

static ms_status sort_colors(const ms_coloring *coloring, ms_color_stats *stats, ms_error *err)
{
  color_row *rows = ms_alloc(stats->colors, sizeof *rows);
  if (!rows)
    return ms_fail_memory(err, "colours");
  for (uint32_t c = 0; c < stats->colors; c++)
    rows[c] = (color_row){ms_coloring_name(coloring, c), c, stats->vertices[c]};
  qsort(rows, stats->colors, sizeof *rows, by_frequency);
  for (uint32_t c = 0; c < stats->colors; c++)
    stats->order[c] = rows[c].color;
  ms_free(rows);
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
