/* The Delaunay triangulation of each slide, by Qhull (Barber, Dobkin and Huhdanpaa, ACM
 * Transactions on Mathematical Software 22, 1996). */
#include "graph/points/points.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "graph/sort_ids.h"

#include <libqhull_r/qhull_ra.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PHASE "points are triangulated"

/* Qhull's options: Delaunay triangulation, of triangles only; the last coordinate is scaled, points
 * that come to lie on others are kept, a point at infinity serves points on one circle, and wide
 * facets are no error. */
#define QHULL "qhull d Qt Qbb Qc Qz Q12"

/* What Qhull takes for a point, by itself: measured in the plane and in space. */
#define QHULL_BYTES_2 1600u
#define QHULL_BYTES_3 6000u

typedef struct triangulation {
  ms_point *point; /* [count] different places, by coordinates */
  uint64_t count;
  uint32_t axis[MS_DIMENSIONS], axes; /* along which the points differ */
  double *at;                         /* [count][axes] for Qhull */
  uint64_t *edge;                     /* [edges] pairs of ids, the lower one first */
  uint64_t edges, room;
  double limit2;
} triangulation;

static int by_place(const void *a, const void *b)
{
  const ms_point *p = a, *q = b;
  for (uint32_t d = 0; d < MS_DIMENSIONS; d++)
    if (p->at[d] != q->at[d])
      return p->at[d] < q->at[d] ? -1 : 1;
  return (p->id > q->id) - (p->id < q->id);
}

static ms_status add_edge(triangulation *t, uint32_t u, uint32_t v, ms_error *err)
{
  if (!MS_GROW(t->edge, t->room, t->edges, 1))
    return ms_fail_memory(err, "the edges of a triangulation");
  t->edge[t->edges++] = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
  return MS_OK;
}

static ms_status join(triangulation *t, const ms_point *a, const ms_point *b, ms_error *err)
{
  return ms_distance2(a, b) <= t->limit2 ? add_edge(t, a->id, b->id, err) : MS_OK;
}

/* Leaves one point of each place, the one with the lowest id, and joins the others to it. */
static ms_status join_equal(triangulation *t, ms_error *err)
{
  uint64_t kept = 0;
  for (uint64_t i = 0; i < t->count; i++)
    if (kept > 0 && ms_distance2(&t->point[kept - 1], &t->point[i]) == 0)
      MS_TRY(add_edge(t, t->point[kept - 1].id, t->point[i].id, err));
    else
      t->point[kept++] = t->point[i];
  t->count = kept;
  return MS_OK;
}

static void find_axes(triangulation *t)
{
  t->axes = 0;
  for (uint32_t d = 0; d < MS_DIMENSIONS; d++) {
    bool differ = false;
    for (uint64_t i = 1; i < t->count && !differ; i++)
      differ = t->point[i].at[d] != t->point[0].at[d];
    if (differ)
      t->axis[t->axes++] = d;
  }
}

/* Joins points on a line along it: they are sorted by coordinates. */
static ms_status join_line(triangulation *t, ms_error *err)
{
  for (uint64_t i = 1; i < t->count; i++)
    MS_TRY(join(t, &t->point[i - 1], &t->point[i], err));
  return MS_OK;
}

/* Adds the edges of the simplex whose corners are given. */
static ms_status add_simplex(triangulation *t, const int *corner, uint32_t corners, ms_error *err)
{
  for (uint32_t i = 0; i < corners; i++)
    for (uint32_t j = 0; j < i; j++)
      MS_TRY(join(t, &t->point[corner[i]], &t->point[corner[j]], err));
  return MS_OK;
}

/* Joins the points that Qhull could not tell from a corner of the facet to that corner. */
static ms_status join_merged(triangulation *t, qhT *qh, facetT *facet, ms_error *err)
{
  pointT *point, **pointp;
  FOREACHpoint_(facet->coplanarset)
  {
    int id = qh_pointid(qh, point), nearest = -1;
    vertexT *vertex, **vertexp;
    if (id < 0 || (uint64_t)id >= t->count)
      continue; /* the point at infinity */
    FOREACHvertex_(facet->vertices)
    {
      int corner = qh_pointid(qh, vertex->point);
      if (corner >= 0 && (uint64_t)corner < t->count &&
          (nearest < 0 || ms_distance2(&t->point[corner], &t->point[id]) <
                              ms_distance2(&t->point[nearest], &t->point[id])))
        nearest = corner;
    }
    if (nearest >= 0)
      MS_TRY(join(t, &t->point[nearest], &t->point[id], err));
  }
  return MS_OK;
}

static ms_status take_facets(triangulation *t, qhT *qh, ms_error *err)
{
  facetT *facet;
  vertexT *vertex, **vertexp;
  FORALLfacets
  {
    int corner[MS_DIMENSIONS + 1];
    uint32_t corners = 0;
    MS_TRY(join_merged(t, qh, facet, err));
    if (facet->upperdelaunay)
      continue;
    FOREACHvertex_(facet->vertices)
    {
      int id = qh_pointid(qh, vertex->point);
      if (corners > t->axes || id < 0 || (uint64_t)id >= t->count)
        return ms_fail(err, MS_ERR_INTERNAL, "Qhull returned a facet that is no simplex");
      corner[corners++] = id;
    }
    MS_TRY(add_simplex(t, corner, corners, err));
  }
  return MS_OK;
}

/* Copies the first line of what Qhull has written. */
static void first_line(const char *log, char *text, size_t room)
{
  size_t length = strcspn(log, "\n");
  length = length < room ? length : room - 1;
  memcpy(text, log, length);
  text[length] = '\0';
}

/* Triangulates points with at least two axes.  *flat: they lie on a line or in a plane. */
static ms_status call_qhull(triangulation *t, bool *flat, ms_error *err)
{
  qhT state, *qh = &state;
  char options[] = QHULL, line[160];
  char said[1024] = ""; /* what Qhull writes, as far as it fits */
  FILE *log = fmemopen(said, sizeof said - 1, "w");
  *flat = false;
  if (!log)
    return ms_fail_memory(err, "a triangulation");
  qh_zero(qh, log);
  int code = qh_new_qhull(qh, (int)t->axes, (int)t->count, t->at, False, options, NULL, log);
  ms_status status = MS_OK;
  if (code == 0) {
    status = take_facets(t, qh, err);
  } else if (code == qh_ERRsingular) {
    *flat = true;
  } else {
    fflush(log);
    first_line(said, line, sizeof line);
    status = code == qh_ERRmem
                 ? ms_fail_memory(err, "a triangulation")
                 : ms_fail(err, MS_ERR_INPUT, "Qhull cannot triangulate the points: %s", line);
  }
  int blocks, bytes;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &blocks, &bytes);
  fclose(log);
  return status;
}

/* Moves the points around 0 and scales them by a power of two, so that Qhull, which squares the
 * coordinates, loses few digits where they are far from 0, and none of them overflows. */
static void normalize(triangulation *t)
{
  double middle[MS_DIMENSIONS], widest = 0;
  for (uint32_t d = 0; d < t->axes; d++) {
    double low = INFINITY, high = -INFINITY;
    for (uint64_t i = 0; i < t->count; i++) {
      low = fmin(low, t->point[i].at[t->axis[d]]);
      high = fmax(high, t->point[i].at[t->axis[d]]);
    }
    middle[d] = low + (high - low) / 2;
    widest = fmax(widest, high - low);
  }
  int exponent;
  frexp(widest, &exponent);
  for (uint64_t i = 0; i < t->count; i++)
    for (uint32_t d = 0; d < t->axes; d++)
      t->at[i * t->axes + d] = ldexp(t->point[i].at[t->axis[d]] - middle[d], -exponent);
}

static ms_status triangulate(triangulation *t, ms_error *err)
{
  bool flat = true; /* as fewer than four points in space */
  t->at = ms_alloc(t->count, t->axes * sizeof *t->at);
  if (!t->at)
    return ms_fail_memory(err, "a triangulation");
  normalize(t);
  if (t->count > t->axes)
    MS_TRY(call_qhull(t, &flat, err));
  if (!flat)
    return MS_OK;
  if (t->axes == 2)
    return join_line(t, err);
  return ms_fail(err, MS_ERR_USAGE,
                 "the points of a slide lie in one plane, or in none because they are fewer than "
                 "four, and have three coordinates; give two coordinates");
}

/* Triangulates a slide, and appends its edges, each once. */
static ms_status search_slide(triangulation *t, ms_pairs *edges, ms_error *err)
{
  qsort(t->point, t->count, sizeof *t->point, by_place);
  MS_TRY(join_equal(t, err));
  find_axes(t);
  if (t->count == 2 || t->axes == 1)
    MS_TRY(join_line(t, err));
  else if (t->axes >= 2)
    MS_TRY(triangulate(t, err));
  uint64_t *spare = ms_alloc(t->edges, sizeof *spare);
  if (t->edges > 0 && !spare)
    return ms_fail_memory(err, "the edges of a triangulation");
  ms_sort_keys_long(t->edge, t->edges, spare);
  ms_free(spare);
  MS_TRY(ms_pairs_reserve(edges, t->edges, err));
  for (uint64_t i = 0; i < t->edges; i++)
    if (i == 0 || t->edge[i] != t->edge[i - 1])
      MS_TRY(ms_pairs_add(edges, (uint32_t)(t->edge[i] >> 32), (uint32_t)t->edge[i], err));
  return MS_OK;
}

/* Fails if Qhull's own memory for the largest slide is beyond the bound. */
static ms_status check_memory(const ms_slides *slides, uint32_t dimensions,
                              const ms_neighbor_options *o, ms_error *err)
{
  double bound = (double)ms_memory_bound(o->run.memory);
  uint64_t most = 0;
  for (uint32_t s = 0; s < slides->count; s++) {
    uint64_t count = slides->offset[s + 1] - slides->offset[s];
    most = count > most ? count : most;
  }
  double wanted = (double)most * (dimensions == 2 ? QHULL_BYTES_2 : QHULL_BYTES_3);
  if (wanted > bound)
    return ms_fail(err, MS_ERR_MEMORY,
                   "the Delaunay triangulation of %llu points takes about %.0f MiB, more than the "
                   "bound of %.0f MiB; raise `memory`, or ask for nearest neighbours",
                   (unsigned long long)most, ldexp(wanted, -20), ldexp(bound, -20));
  return MS_OK;
}

ms_status ms_find_delaunay(const ms_slides *slides, uint32_t dimensions,
                           const ms_neighbor_options *options, ms_watch *watch, ms_pairs *edges,
                           ms_error *err)
{
  ms_status status = check_memory(slides, dimensions, options, err);
  for (uint32_t s = 0; status == MS_OK && s < slides->count; s++) {
    triangulation t = {.point = slides->point + slides->offset[s],
                       .count = slides->offset[s + 1] - slides->offset[s],
                       .limit2 =
                           options->radius > 0 ? options->radius * options->radius : INFINITY};
    ms_watch_check(watch);
    status = ms_watch_report(watch, PHASE, err);
    if (status == MS_OK)
      status = search_slide(&t, edges, err);
    ms_free(t.at);
    ms_free(t.edge);
  }
  return status;
}
