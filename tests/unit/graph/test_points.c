/* graph/points: neighbours against plain loops over all pairs; edges of the Delaunay triangulation
 * against the definition; tables of points. */
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/points/points.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 400u

static ms_error err;

typedef struct scene {
  uint32_t n, dimensions;
  double at[3 * MOST];
  uint32_t slide[MOST];
} scene;

/* Draws points: of a small grid, so that distances and places are often equal, or anywhere. */
static scene draw(uint64_t *seed, uint32_t most, uint32_t dimensions, uint32_t slides, bool grid)
{
  scene s = {.n = 1 + random_below(seed, most), .dimensions = dimensions};
  uint32_t side = 2 + random_below(seed, 12);
  for (uint32_t i = 0; i < s.n * dimensions; i++)
    s.at[i] = grid ? (double)random_below(seed, side) - 3
                   : ldexp((double)(random_next(seed) >> 11), -53) * 1000;
  for (uint32_t i = 0; i < s.n; i++)
    s.slide[i] = random_below(seed, slides);
  return s;
}

static ms_points *points_of(const scene *s)
{
  ms_points *points;
  ck_ok(ms_points_new(s->n, s->dimensions, s->at, s->slide, NULL, &points, &err));
  return points;
}

static ms_graph *graph_of(const scene *s, ms_neighbor_options o)
{
  ms_points *points = points_of(s);
  ms_graph *graph;
  o.size = sizeof o;
  ck_ok(ms_neighbors(points, &o, &graph, &err));
  ck_ok(validate_graph(graph, &err));
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert_uint_eq(info.vertices, s->n);
  ck_assert_uint_eq(info.self_loops, 0);
  ck_assert_uint_eq(info.duplicates, 0);
  ms_points_free(points);
  return graph;
}

static double distance2(const scene *s, uint32_t u, uint32_t v)
{
  double sum = 0;
  for (uint32_t d = 0; d < s->dimensions; d++) {
    double x = s->at[u * s->dimensions + d] - s->at[v * s->dimensions + d];
    sum += x * x;
  }
  return sum;
}

static bool adjacent(const ms_graph *graph, uint32_t u, uint32_t v)
{
  return ms_graph_find_arc(graph, u, v) < graph->arcs;
}

/* True if fewer than k points are nearer to u than v is. */
static bool is_among_nearest(const scene *s, uint32_t u, uint32_t v, uint32_t k, double radius)
{
  double d = distance2(s, u, v);
  uint32_t nearer = 0;
  if (s->slide[u] != s->slide[v] || (radius > 0 && d > radius * radius))
    return false;
  for (uint32_t w = 0; w < s->n; w++) {
    double e = distance2(s, u, w);
    nearer += w != u && w != v && s->slide[w] == s->slide[u] && (e < d || (e == d && w < v));
  }
  return nearer < k;
}

START_TEST(test_nearest)
{
  uint64_t seed = (uint64_t)_i * 7919 + 1;
  for (uint64_t i = 0; i < scaled(100); i++) {
    scene s = draw(&seed, 60, 2 + random_below(&seed, 2), 1 + random_below(&seed, 3), i % 2);
    ms_neighbor_options o = {.nearest = 1 + random_below(&seed, 9),
                             .mutual = random_below(&seed, 2),
                             .radius = random_below(&seed, 3) ? 0 : 3,
                             .run.threads = 1 + (int)random_below(&seed, 3)};
    ms_graph *graph = graph_of(&s, o);
    for (uint32_t u = 0; u < s.n; u++)
      for (uint32_t v = 0; v < u; v++) {
        bool a = is_among_nearest(&s, u, v, o.nearest, o.radius),
             b = is_among_nearest(&s, v, u, o.nearest, o.radius);
        ck_assert_int_eq(adjacent(graph, u, v), o.mutual ? a && b : a || b);
      }
    ms_graph_free(graph);
  }
}
END_TEST

START_TEST(test_radius)
{
  uint64_t seed = (uint64_t)_i * 104729 + 5;
  for (uint64_t i = 0; i < scaled(100); i++) {
    bool grid = i % 2;
    scene s = draw(&seed, 80, 2 + random_below(&seed, 2), 1 + random_below(&seed, 3), grid);
    double radius = grid ? 1 + random_below(&seed, 4) : 20 + random_below(&seed, 300);
    ms_graph *graph = graph_of(&s, (ms_neighbor_options){.rule = MS_NEIGHBORS_RADIUS,
                                                         .radius = radius,
                                                         .run.threads = 1 + (int)(i % 3)});
    for (uint32_t u = 0; u < s.n; u++)
      for (uint32_t v = 0; v < u; v++)
        ck_assert_int_eq(adjacent(graph, u, v),
                         s.slide[u] == s.slide[v] && distance2(&s, u, v) <= radius * radius);
    ms_graph_free(graph);
  }
}
END_TEST

START_TEST(test_many_points)
{
  /* more than a leaf and more than a range of a loop; the same on any number of threads */
  static double at[2 * 20000];
  uint64_t seed = 17;
  for (uint32_t i = 0; i < 40000; i++)
    at[i] = random_below(&seed, 3000);
  ms_points *points;
  ck_ok(ms_points_new(20000, 2, at, NULL, NULL, &points, &err));
  ms_graph *graph[2];
  for (int t = 0; t < 2; t++) {
    const ms_neighbor_options o = {.size = sizeof o, .nearest = 6, .run.threads = 1 + 3 * t};
    ck_ok(ms_neighbors(points, &o, &graph[t], &err));
  }
  ck_assert_uint_eq(graph[0]->arcs, graph[1]->arcs);
  ck_assert_mem_eq(graph[0]->neighbor, graph[1]->neighbor, graph[0]->arcs * sizeof(uint32_t));
  for (uint32_t u = 0; u < 20000; u += 997) { /* some points in full */
    uint32_t least = 0, chosen = 0;
    double far = 0;
    for (uint64_t a = graph[0]->offset[u]; a < graph[0]->offset[u + 1]; a++)
      chosen++;
    ck_assert_uint_ge(chosen, 6);
    /* the sixth smallest distance is that of an edge, and all below it are edges */
    for (uint32_t k = 0; k < 6; k++) {
      double best = INFINITY;
      uint32_t next = u;
      for (uint32_t v = 0; v < 20000; v++) {
        double x = at[2 * u] - at[2 * v], y = at[2 * u + 1] - at[2 * v + 1], d = x * x + y * y;
        bool later = k == 0 || d > far || (d == far && v > least);
        if (v != u && later && d < best) {
          best = d;
          next = v;
        }
      }
      far = best;
      least = next;
      ck_assert(adjacent(graph[0], u, next));
    }
  }
  ms_graph_free(graph[0]);
  ms_graph_free(graph[1]);
  ms_points_free(points);
}
END_TEST

/* ---- Delaunay --------------------------------------------------------------------- */

/* The centres of the circles through u and v are on a line.  Sets *low and *high to the part of it
 * whose circles have no other point inside; false if there is none. */
static bool empty_circles(const scene *s, uint32_t u, uint32_t v, double *low, double *high)
{
  const double *a = s->at + 2 * u, *b = s->at + 2 * v;
  double mx = (a[0] + b[0]) / 2, my = (a[1] + b[1]) / 2, nx = a[1] - b[1], ny = b[0] - a[0];
  double quarter = (nx * nx + ny * ny) / 4;
  *low = -INFINITY;
  *high = INFINITY;
  for (uint32_t w = 0; w < s->n; w++) {
    const double *c = s->at + 2 * w;
    if (w == u || w == v || s->slide[w] != s->slide[u])
      continue;
    double x = c[0] - mx, y = c[1] - my, side = 2 * (nx * x + ny * y);
    double room = x * x + y * y - quarter;
    if (side == 0 && room < 0)
      return false;
    if (side > 0 && room / side < *high)
      *high = room / side;
    if (side < 0 && room / side > *low)
      *low = room / side;
  }
  return *low <= *high + 1e-9;
}

/* True if an earlier point of the slide has the same place. */
static bool repeats(const scene *s, uint32_t u)
{
  for (uint32_t v = 0; v < u; v++)
    if (s->slide[u] == s->slide[v] && distance2(s, u, v) == 0)
      return true;
  return false;
}

START_TEST(test_delaunay)
{
  uint64_t seed = (uint64_t)_i * 31337 + 11;
  for (uint64_t i = 0; i < scaled(60); i++) {
    scene s = draw(&seed, 60, 2, 1 + random_below(&seed, 2), i % 3 == 1);
    double radius = i % 4 == 3 ? 2 + random_below(&seed, 200) : 0;
    ms_graph *graph =
        graph_of(&s, (ms_neighbor_options){.rule = MS_NEIGHBORS_DELAUNAY, .radius = radius});
    for (uint32_t u = 0; u < s.n; u++)
      for (uint32_t v = 0; v < u; v++) {
        double low, high, d = distance2(&s, u, v);
        bool same = s.slide[u] == s.slide[v], edge = adjacent(graph, u, v);
        if (!same || d == 0 || repeats(&s, u) || repeats(&s, v)) {
          /* a repeated point has one neighbour, the first point of its place */
          ck_assert_int_eq(edge, same && d == 0 && repeats(&s, u) && !repeats(&s, v));
          continue;
        }
        bool possible = empty_circles(&s, u, v, &low, &high),
             within = !radius || d <= radius * radius;
        ck_assert(!edge || (possible && within));
        /* an edge with more than one empty circle is in every Delaunay triangulation */
        if (possible && within && high > low + 1e-6 * (1 + fabs(low)))
          ck_assert(edge);
      }
    ms_graph_free(graph);
  }
}
END_TEST

/* Moved far from 0, or made very large or small, points have the triangulation that they had. */
START_TEST(test_scaled_delaunay)
{
  static const double factor[] = {1, 1, 0x1p480, 0x1p-480}, shift[] = {0x1p36, -0x1p40, 0, 0};
  uint64_t seed = (uint64_t)_i * 7919 + 5;
  for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
    scene s, moved;
    do
      s = draw(&seed, 60, dimensions, 1, false);
    while (s.n < 5);
    moved = s;
    for (uint32_t i = 0; i < s.n * dimensions; i++)
      moved.at[i] = s.at[i] * factor[_i] + shift[_i];
    for (uint32_t i = 0; i < s.n * dimensions; i++)
      s.at[i] = (moved.at[i] - shift[_i]) / factor[_i]; /* what is left of the digits */
    const ms_neighbor_options o = {.rule = MS_NEIGHBORS_DELAUNAY};
    ms_graph *a = graph_of(&s, o), *b = graph_of(&moved, o);
    for (uint32_t u = 0; u < s.n; u++) {
      ck_assert_uint_gt(b->offset[u + 1], b->offset[u]);
      for (uint32_t v = 0; v < u; v++)
        ck_assert_int_eq(adjacent(a, u, v), adjacent(b, u, v));
    }
    ms_graph_free(a);
    ms_graph_free(b);
  }
}
END_TEST

/* A point so near another that doubles hardly tell them apart has a neighbour. */
START_TEST(test_merged_delaunay)
{
  static const double apart[] = {1e-7, 1e-10, 1e-13};
  uint64_t seed = (uint64_t)_i * 7919 + 6;
  for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
    scene s = draw(&seed, 1, dimensions, 1, false);
    for (s.n = 1; s.n < MOST; s.n++)
      for (uint32_t d = 0; d < dimensions; d++) {
        double x = ldexp((double)(random_next(&seed) >> 11), -53);
        s.at[s.n * dimensions + d] =
            s.n < MOST / 2 ? 1000 * x : s.at[(s.n - MOST / 2) * dimensions + d] + apart[_i] * x;
        s.slide[s.n] = 0;
      }
    ms_graph *graph = graph_of(&s, (ms_neighbor_options){.rule = MS_NEIGHBORS_DELAUNAY});
    for (uint32_t u = 0; u < s.n; u++)
      ck_assert_uint_gt(graph->offset[u + 1], graph->offset[u]);
    ms_graph_free(graph);
  }
}
END_TEST

static uint64_t edges_of(const scene *s)
{
  ms_graph *graph = graph_of(s, (ms_neighbor_options){.rule = MS_NEIGHBORS_DELAUNAY});
  uint64_t edges = graph->arcs / 2;
  ms_graph_free(graph);
  return edges;
}

START_TEST(test_special_delaunay)
{
  const scene one = {.n = 1, .dimensions = 2};
  const scene two = {.n = 2, .dimensions = 2, .at = {1, 1, 4, 5}};
  const scene three = {.n = 3, .dimensions = 2, .at = {0, 0, 1, 0, 0, 1}};
  const scene line = {.n = 4, .dimensions = 2, .at = {0, 0, 3, 3, 1, 1, 2, 2}};
  const scene level = {.n = 4, .dimensions = 3, .at = {0, 0, 5, 1, 0, 5, 0, 1, 5, 1, 1, 5}};
  const scene corner = {.n = 4, .dimensions = 3, .at = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ck_assert_uint_eq(edges_of(&one), 0);
  ck_assert_uint_eq(edges_of(&two), 1);
  ck_assert_uint_eq(edges_of(&three), 3);
  ck_assert_uint_eq(edges_of(&line), 3);
  ck_assert_uint_eq(edges_of(&level), 5);
  ck_assert_uint_eq(edges_of(&corner), 6);
  ms_graph *path = graph_of(&line, (ms_neighbor_options){.rule = MS_NEIGHBORS_DELAUNAY});
  ck_assert(adjacent(path, 0, 2) && adjacent(path, 2, 3) && adjacent(path, 3, 1));
  ms_graph_free(path);
  const scene tilted = {.n = 4, .dimensions = 3, .at = {0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2}};
  ms_points *points = points_of(&tilted);
  ms_graph *graph;
  const ms_neighbor_options o = {.size = sizeof o, .rule = MS_NEIGHBORS_DELAUNAY};
  ck_assert_int_eq(ms_neighbors(points, &o, &graph, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "one plane"));
  ck_assert_ptr_null(graph);
  ms_points_free(points);
}
END_TEST

/* ---- tables ----------------------------------------------------------------------- */

static ms_points *read(const char *text)
{
  ms_points *points;
  ck_ok(ms_points_read(files_write_text("points", text), NULL, &points, &err));
  return points;
}

START_TEST(test_table)
{
  ms_points *points = read("cell_id,X,y,cell_type,sample\nq,1,2,\"T cell\",s1\nr,3.5,-4e1,,s1\n"
                           "q,0,0,B,s2\n");
  ms_points_info info = ms_points_describe(points);
  ck_assert_uint_eq(info.points, 3);
  ck_assert_uint_eq(info.dimensions, 2);
  ck_assert_uint_eq(info.slides, 2);
  ck_assert_uint_eq(info.colors, 2);
  ck_assert_uint_eq(info.uncolored, 1);
  ck_assert(info.names_with_slides);
  ck_assert_str_eq(info.slide_title, "sample");
  ck_assert_double_eq(points->point[1].at[1], -40);
  ms_graph *graph;
  ms_coloring *coloring;
  ck_ok(ms_neighbors(points, NULL, &graph, &err));
  ck_ok(ms_points_coloring(points, graph, &coloring, &err));
  ck_assert_uint_eq(graph->arcs, 2);
  ck_assert_str_eq(ms_graph_name(graph, 0), "s1:q");
  ck_assert_str_eq(ms_graph_name(graph, 2), "s2:q");
  ck_assert_uint_eq(coloring->offset[3], 2);
  ck_assert_str_eq(ms_names_get(coloring->names, coloring->color[0]), "T cell");
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  ms_points_free(points);
  points = read("\"x\" \"y\" \"z\"\n\"c1\" 1 2 3\n\"c2\" 1 2 4\n"); /* as R writes it */
  ck_assert_uint_eq(points->dimensions, 3);
  ck_assert_str_eq(ms_names_get(points->names, 1), "c2");
  ms_points_free(points);
}
END_TEST

/* Graphs of a real tissue: of k nearest neighbours and of a triangulation. */
START_TEST(test_tissue)
{
  const char *path = files_data("spatial/codex_human_spleen.tsv.gz");
  ms_points *points;
  ms_graph *graph;
  if (!path) {
    printf("SKIPPED: a real tissue: no spatial/codex_human_spleen.tsv.gz; set MOTIFSIEVE_DATA\n");
    return;
  }
  ck_ok(ms_points_read(path, NULL, &points, &err));
  ms_points_info info = ms_points_describe(points);
  ck_assert_uint_eq(info.points, 154446);
  ck_assert_uint_eq(info.colors, 12);
  ms_neighbor_options o = {.size = sizeof o, .nearest = 6};
  ck_ok(ms_neighbors(points, &o, &graph, &err));
  for (uint32_t v = 0; v < graph->n; v++)
    ck_assert_uint_ge(graph->offset[v + 1] - graph->offset[v], 6);
  ms_graph_free(graph);
  o.rule = MS_NEIGHBORS_DELAUNAY;
  ck_ok(ms_neighbors(points, &o, &graph, &err));
  /* a planar triangulation has at most 3 n - 6 edges, and 3 n - 3 less those of the hull */
  ck_assert_uint_le(graph->arcs / 2, 3 * (uint64_t)graph->n - 6);
  ck_assert_uint_ge(graph->arcs / 2, 3 * (uint64_t)graph->n - 3 - 1000);
  ms_graph_free(graph);
  ms_points_free(points);
}
END_TEST

static ms_status make_of(void *user, ms_error *error)
{
  const ms_neighbor_options *o = user;
  static const double at[] = {0, 0, 1, 0, 0, 1, 1, 1, 3, 4, 5, 1, 2, 2, 7, 7, 1, 5, 5, 5};
  static const uint32_t slide[] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  ms_points *points = NULL;
  ms_graph *graph = NULL;
  ms_status status = ms_points_new(10, 2, at, slide, NULL, &points, error);
  if (status == MS_OK)
    status = ms_neighbors(points, o, &graph, error);
  ms_graph_free(graph);
  ms_points_free(points);
  return status;
}

static ms_status read_of(void *user, ms_error *error)
{
  ms_points *points = NULL;
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_status status = ms_points_read(user, NULL, &points, error);
  if (status == MS_OK)
    status = ms_neighbors(points, NULL, &graph, error);
  if (status == MS_OK)
    status = ms_points_coloring(points, graph, &coloring, error);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  ms_points_free(points);
  return status;
}

START_TEST(test_no_memory)
{
  for (int rule = 0; rule <= MS_NEIGHBORS_DELAUNAY; rule++) {
    ms_neighbor_options o = {.size = sizeof o,
                             .rule = (ms_neighbor_rule)rule,
                             .nearest = 3,
                             .radius = 3,
                             .run.threads = 2};
    ck_assert_int_gt(failing_runs(make_of, &o), 10);
  }
  char *path = strdup(files_write_text("points", "cell,x,y,type,slide\na,1,2,t,s\na,2,3,u,r\n"));
  ck_assert_int_gt(failing_runs(read_of, path), 20);
  free(path);
}
END_TEST

TEST_MAIN("points", TEST_TIMES(test_nearest, 10), TEST_TIMES(test_radius, 10),
          TEST(test_many_points), TEST_TIMES(test_delaunay, 10),
          TEST_TIMES(test_scaled_delaunay, 4), TEST_TIMES(test_merged_delaunay, 3),
          TEST(test_special_delaunay), TEST(test_table), TEST(test_tissue), TEST(test_no_memory))
