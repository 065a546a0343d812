/* ms_points_new and ms_neighbors: points of arrays, and the graph of their neighbours. */
#include "graph/points/points.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/graph.h"

#include <math.h>
#include <string.h>

ms_points_info ms_points_describe(const ms_points *points)
{
  return points ? points->info : (ms_points_info){0};
}

void ms_points_free(ms_points *points)
{
  if (!points)
    return;
  ms_free(points->point);
  ms_free(points->slide);
  ms_free(points->color);
  ms_names_free(points->slides);
  ms_names_free(points->names);
  ms_names_free(points->color_names);
  ms_free((void *)(uintptr_t)points->info.path);
  ms_free((void *)(uintptr_t)points->info.name_title);
  ms_free((void *)(uintptr_t)points->info.color_title);
  ms_free((void *)(uintptr_t)points->info.slide_title);
  ms_free(points);
}

static ms_status copy_points(ms_points *points, const double *coordinates, ms_error *err)
{
  uint32_t dimensions = points->dimensions;
  for (uint32_t i = 0; i < points->n; i++) {
    points->point[i] = (ms_point){.id = i};
    for (uint32_t d = 0; d < dimensions; d++) {
      double x = coordinates[(size_t)i * dimensions + d];
      if (!(fabs(x) <= MS_MOST_COORDINATE))
        return ms_fail(err, MS_ERR_USAGE,
                       "coordinate %u of point %u is no number from -1e150 to 1e150", d, i);
      points->point[i].at[d] = x;
    }
  }
  return MS_OK;
}

static ms_status fill_points(ms_points *points, const double *coordinates, const uint32_t *slides,
                             const char *const *names, ms_error *err)
{
  uint32_t n = points->n, most = 0;
  points->point = ms_alloc(n, sizeof *points->point);
  points->slide = slides ? ms_alloc(n, sizeof *slides) : NULL;
  if (n > 0 && (!points->point || (slides && !points->slide)))
    return ms_fail_memory(err, "points");
  if (slides && n > 0)
    memcpy(points->slide, slides, n * sizeof *slides);
  for (uint32_t i = 0; slides && i < n; i++)
    most = slides[i] > most ? slides[i] : most;
  if (most == UINT32_MAX)
    return ms_fail(err, MS_ERR_USAGE, "a slide has the number %u; number slides from 0", most);
  MS_TRY(copy_points(points, coordinates, err));
  points->info = (ms_points_info){
      .points = n, .dimensions = points->dimensions, .slides = n ? most + 1 : 0, .uncolored = n};
  points->info.path = ms_strdup("(in memory)");
  if (!points->info.path)
    return ms_fail_memory(err, "points");
  MS_TRY(ms_names_new(&points->names, err));
  return ms_graph_make_names(n, names, points->names, err);
}

ms_status ms_points_new(uint32_t n, uint32_t dimensions, const double *coordinates,
                        const uint32_t *slides, const char *const *names, ms_points **out,
                        ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  if (n > 0)
    MS_REQUIRE(coordinates, err);
  if (dimensions < 2 || dimensions > MS_DIMENSIONS || n > MS_MAX_NAMES)
    return ms_fail(err, MS_ERR_USAGE, "%u points of %u dimensions; give two or three dimensions", n,
                   dimensions);
  ms_points *points = ms_calloc(1, sizeof *points);
  if (!points)
    return ms_fail_memory(err, "points");
  points->n = n;
  points->dimensions = dimensions;
  ms_status status = fill_points(points, coordinates, slides, names, err);
  if (status == MS_OK)
    *out = points;
  else
    ms_points_free(points);
  return status;
}

/* ---- slides ------------------------------------------------------------------- */

void ms_slides_free(ms_slides *slides)
{
  ms_free(slides->offset);
  ms_free(slides->point);
  *slides = (ms_slides){0};
}

ms_status ms_slides_of(const ms_points *points, ms_slides *out, ms_error *err)
{
  uint32_t count = points->info.slides;
  *out = (ms_slides){.count = count};
  out->offset = ms_calloc((size_t)count + 2, sizeof *out->offset);
  out->point = ms_alloc(points->n, sizeof *out->point);
  if (!out->offset || (points->n > 0 && !out->point)) {
    ms_slides_free(out);
    return ms_fail_memory(err, "the points of the slides");
  }
  /* offset[s + 1] is where the next point of slide s goes, and in the end where s + 1 begins */
  for (uint32_t i = 0; i < points->n; i++)
    out->offset[(points->slide ? points->slide[i] : 0) + 2]++;
  for (uint32_t s = 2; s <= count + 1; s++)
    out->offset[s] += out->offset[s - 1];
  for (uint32_t i = 0; i < points->n; i++)
    out->point[out->offset[(points->slide ? points->slide[i] : 0) + 1]++] = points->point[i];
  return MS_OK;
}

/* ---- the graph ------------------------------------------------------------------ */

static ms_status check(const ms_neighbor_options *o, ms_error *err)
{
  bool nearest = o->rule == MS_NEIGHBORS_NEAREST;
  if (nearest && (o->nearest == 0 || o->nearest > MS_MOST_NEAREST))
    return ms_fail(err, MS_ERR_USAGE, "`neighbors.nearest` is %u; give 1 to %u", o->nearest,
                   MS_MOST_NEAREST);
  if (!(o->radius >= 0 && o->radius <= MS_MOST_COORDINATE) ||
      (o->rule == MS_NEIGHBORS_RADIUS && o->radius == 0))
    return ms_fail(err, MS_ERR_USAGE, "`neighbors.radius` is %g; give a distance above 0, up to %g",
                   o->radius, MS_MOST_COORDINATE);
  if (o->mutual && !nearest)
    return ms_fail(err, MS_ERR_USAGE,
                   "`neighbors.mutual` goes only with `neighbors.nearest`; leave it out");
  return MS_OK;
}

static ms_status copy_names(const ms_names *from, ms_names **out, ms_error *err)
{
  MS_TRY(ms_names_new(out, err));
  ms_status status = MS_OK;
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t i = 0; status == MS_OK && i < ms_names_count(from) && !ms_watch_ended(&watch, i);
       i++) {
    const char *name = ms_names_get(from, i);
    uint32_t id;
    status = ms_names_add(*out, name, strlen(name), &id, err);
  }
  if (status == MS_OK)
    status = ms_watch_report(&watch, "names are copied", err);
  if (status == MS_OK)
    return MS_OK;
  ms_names_free(*out);
  *out = NULL;
  return status;
}

ms_status ms_neighbors(const ms_points *points, const ms_neighbor_options *options, ms_graph **out,
                       ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(points, err);
  ms_neighbor_options o;
  MS_TRY(ms_options_take(&ms_neighbor_options_kind, options, &o, err));
  MS_TRY(check(&o, err));
  o.run.threads = ms_threads(o.run.threads);
  ms_watch watch;
  ms_slides slides;
  ms_pairs edges = {0};
  ms_names *names = NULL;
  ms_watch_begin(&watch);
  MS_TRY(ms_slides_of(points, &slides, err));
  ms_status status = o.rule == MS_NEIGHBORS_DELAUNAY
                         ? ms_find_delaunay(&slides, points->dimensions, &o, &watch, &edges, err)
                         : ms_find_near(&slides, &o, &watch, &edges, err);
  ms_slides_free(&slides);
  if (status == MS_OK)
    status = copy_names(points->names, &names, err);
  if (status == MS_OK) {
    const uint32_t(*pairs)[2] = (const uint32_t(*)[2])edges.pair;
    status = ms_graph_build(points->n, edges.count, pairs, names, o.run.threads, out, err);
  }
  ms_free(edges.pair);
  return status;
}

/* Moves the k-th smallest number to its place, by Hoare's selection; returns it. */
static double select_kth(double *at, uint64_t count, uint64_t k)
{
  for (uint64_t low = 0, high = count - 1; low < high;) {
    double pivot = at[low + (high - low) / 2];
    uint64_t i = low - 1, j = high + 1;
    for (;;) {
      while (at[++i] < pivot)
        ;
      while (at[--j] > pivot)
        ;
      if (i >= j)
        break;
      double held = at[i];
      at[i] = at[j];
      at[j] = held;
    }
    if (k <= j)
      high = j;
    else
      low = j + 1;
  }
  return at[k];
}

ms_status ms_count_long_edges(const ms_points *points, const ms_graph *graph, double times,
                              double *median, uint64_t *count, ms_error *err)
{
  uint64_t edges = 0;
  double *length = ms_alloc(graph->arcs / 2 + 1, sizeof *length);
  if (!length)
    return ms_fail_memory(err, "lengths of edges");
  for (uint32_t v = 0; v < points->n; v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
    for (uint32_t i = 0; i < degree && row[i] < v; i++)
      length[edges++] = sqrt(ms_distance2(&points->point[v], &points->point[row[i]]));
  }
  *median = edges ? select_kth(length, edges, edges / 2) : 0;
  *count = 0;
  for (uint64_t i = 0; i < edges; i++)
    *count += length[i] > times * *median;
  ms_free(length);
  return MS_OK;
}

ms_status ms_points_coloring(const ms_points *points, const ms_graph *graph, ms_coloring **out,
                             ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(points, err);
  MS_REQUIRE(graph, err);
  if (graph->n != points->n)
    return ms_fail(err, MS_ERR_USAGE, "the graph has %u vertices, but there are %u points",
                   graph->n, points->n);
  if (!points->color)
    return MS_OK;
  ms_pairs pairs = {0};
  ms_names *names = NULL;
  ms_status status = ms_pairs_reserve(&pairs, points->n, err);
  for (uint32_t i = 0; status == MS_OK && i < points->n; i++)
    if (points->color[i] != MS_NO_ID)
      status = ms_pairs_add(&pairs, i, points->color[i], err);
  if (status == MS_OK)
    status = copy_names(points->color_names, &names, err);
  if (status == MS_OK)
    status = ms_coloring_build(points->n, pairs.count, (const uint32_t(*)[2])pairs.pair, names,
                               NULL, NULL, out, err);
  if (status == MS_OK)
    (*out)->graph_serial = graph->serial;
  ms_free(pairs.pair);
  return status;
}
