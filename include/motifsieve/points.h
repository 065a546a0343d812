/* Points with coordinates, such as the cells of a tissue, and the graphs of their neighbours, as
 * `motifsieve neighbors` makes them.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_POINTS_H
#define MOTIFSIEVE_POINTS_H

#include "motifsieve/colors.h"

/* Points in the plane or in space.  Each has a name, may have one colour, and belongs to a slide;
 * points of different slides are never neighbours.  Several threads may use one at the same
 * time. */
typedef struct ms_points ms_points;

typedef struct ms_points_options {
  size_t size; /* set by MS_POINTS_OPTIONS_DEFAULT */
  /* The columns of a table, by name or by number from 1.  NULL: one with a usual name, such as "x",
   * "y" and "z", "cell_id", "cell_type" and "sample"; without such a column, points lie in the
   * plane, are numbered from 1, have no colours, and are of one slide.  slide_column
   * "none": so they are, whatever the titles say. */
  const char *x_column, *y_column, *z_column, *name_column, *color_column, *slide_column;
  ms_run_limits run; /* only `memory`: bytes that reading may hold, as in ms_graph_options */
} ms_points_options;
#define MS_POINTS_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_points_options)                                                              \
  }

typedef struct ms_points_info {
  uint32_t points, dimensions; /* 2 or 3 */
  uint32_t slides;
  uint32_t colors;         /* different colours */
  uint32_t uncolored;      /* points without a colour */
  const char *name_title;  /* the title of the column of names; NULL: it has no title, or points are
                              numbered */
  const char *color_title; /* NULL: there are no colours */
  const char *slide_title; /* NULL: one slide */
  uint32_t coincident;     /* points that lie exactly where another one of their slide does */
  bool names_with_slides;  /* a name occurred on two slides, so every name is SLIDE:NAME */
  uint32_t crc32c;         /* of the uncompressed input bytes */
  const char *path;        /* as given; owned by the points, as the titles are */
} ms_points_info;

/* Reads a table with a line of titles, one point a line, separated by tabs, commas, semicolons or
 * blanks.  If no column has a usual title of names, a first column with an empty title, or a first
 * field of each line for which the titles have no column, holds the names, as R and pandas write
 * them.  `path` "-" is standard input; gzip and zstd are detected by content.  MS_ERR_INPUT names
 * the line. */
MS_API ms_status ms_points_read(const char *path, const ms_points_options *options, ms_points **out,
                                ms_error *err);
/* Makes points of arrays, which are copied: coordinates[n][dimensions], slides[n] (NULL: one slide)
 * and names[n] (NULL: "0", "1", ..).  MS_ERR_USAGE: other than two or three dimensions, a
 * coordinate that is no number or beyond 1e150, a name that is none or occurs twice. */
MS_API ms_status ms_points_new(uint32_t n, uint32_t dimensions, const double *coordinates,
                               const uint32_t *slides, const char *const *names, ms_points **out,
                               ms_error *err);
MS_API void ms_points_free(ms_points *points);
MS_API ms_points_info ms_points_describe(const ms_points *points);

typedef enum ms_neighbor_rule {
  MS_NEIGHBORS_NEAREST = 0, /* the `nearest` points that are nearest to each */
  MS_NEIGHBORS_RADIUS,      /* points at most `radius` apart */
  MS_NEIGHBORS_DELAUNAY     /* the edges of the Delaunay triangulation */
} ms_neighbor_rule;

typedef struct ms_neighbor_options {
  size_t size; /* set by MS_NEIGHBOR_OPTIONS_DEFAULT */
  ms_neighbor_rule rule;
  uint32_t nearest;  /* 1..MS_MOST_NEAREST; of points at one distance, those with lower ids */
  double radius;     /* in the units of the coordinates; with the other rules: no edge is longer; 0:
                        any */
  bool mutual;       /* NEAREST: both ends must be among the nearest of the other; otherwise one of
                        them suffices */
  ms_run_limits run; /* only `threads` and `memory` */
} ms_neighbor_options;
#define MS_MOST_NEAREST 1000u
#define MS_NEIGHBOR_OPTIONS_DEFAULT                                                                \
  {                                                                                                \
    .size = sizeof(ms_neighbor_options), .nearest = 6                                              \
  }

/* Makes the graph of neighbours; its vertices are the points, in their order.  Distances are
 * Euclidean, and the graph does not depend on the number of threads.  Of points at one place, only
 * the first is in the Delaunay triangulation, and the others are joined to it alone; points too
 * near another one to be told from it are joined to it, too; points on one line are joined along
 * the line.  MS_ERR_USAGE: a parameter is out of range, or there is no triangulation;
 * MS_ERR_MEMORY: the graph would take more than the bound.  (Nearest neighbours: k-d tree,
 * Friedman, Bentley and Finkel 1977.  Delaunay: Qhull, Barber, Dobkin and Huhdanpaa 1996.) */
MS_API ms_status ms_neighbors(const ms_points *points, const ms_neighbor_options *options,
                              ms_graph **out, ms_error *err);
/* Sets *out to the colours of the points, for a graph that ms_neighbors made of them; NULL: they
 * have none.  MS_ERR_USAGE: the graph has another number of vertices. */
MS_API ms_status ms_points_coloring(const ms_points *points, const ms_graph *graph,
                                    ms_coloring **out, ms_error *err);

#endif
