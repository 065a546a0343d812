/* Points with coordinates, and the edges between neighbours. */
#ifndef MS_GRAPH_POINTS_POINTS_H
#define MS_GRAPH_POINTS_POINTS_H

#include "base/threads/watch.h"
#include "graph/io/fields.h"
#include "graph/names.h"
#include "graph/pairs.h"

#define MS_DIMENSIONS 3u         /* of the space in which all points lie */
#define MS_MOST_COORDINATE 1e150 /* the square of a distance is a double */

typedef struct ms_point {
  double at[MS_DIMENSIONS]; /* the last one is 0 in the plane */
  uint32_t id;
} ms_point;

struct ms_points {
  uint32_t n, dimensions;
  ms_point *point;  /* [n] in the order of ids */
  uint32_t *slide;  /* [n] the slide of each; NULL: one slide */
  ms_names *slides; /* NULL: one slide, or slides without names */
  ms_names *names;
  ms_names *color_names; /* NULL: no colours */
  uint32_t *color;       /* [n] MS_NO_ID: none; NULL: no colours */
  ms_points_info info;   /* the path and the titles are owned */
};

/* The points of each slide, in the order of ids. */
typedef struct ms_slides {
  uint32_t count;
  uint64_t *offset; /* [count + 1] */
  ms_point *point;  /* [n] */
} ms_slides;

ms_status ms_slides_of(const ms_points *points, ms_slides *out, ms_error *err);
void ms_slides_free(ms_slides *slides);

/* Finds the edges between neighbours of all slides; the pairs are different, and in an order that
 * depends on the points and the options alone.  `edges` is {0} before. */
ms_status ms_find_near(const ms_slides *slides, const ms_neighbor_options *options, ms_watch *watch,
                       ms_pairs *edges, ms_error *err);
ms_status ms_find_delaunay(const ms_slides *slides, uint32_t dimensions,
                           const ms_neighbor_options *options, ms_watch *watch, ms_pairs *edges,
                           ms_error *err);

/* Fails if so many edges, beside what else is held, take more than the bound of the options. */
ms_status ms_check_edges(const ms_neighbor_options *options, uint64_t points, uint64_t edges,
                         ms_error *err);

/* Counts the edges of the graph of the points that are longer than `times` the median, which is
 * also returned. */
ms_status ms_count_long_edges(const ms_points *points, const ms_graph *graph, double times,
                              double *median, uint64_t *count, ms_error *err);

static inline double ms_distance2(const ms_point *a, const ms_point *b)
{
  double x = a->at[0] - b->at[0], y = a->at[1] - b->at[1], z = a->at[2] - b->at[2];
  return x * x + y * y + z * z;
}

#endif
