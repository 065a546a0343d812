/* Nearest neighbours, and points within a distance. */
#include "graph/points/tree.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

#define PHASE "neighbours are searched"
#define PIECE 1024u /* points of a range of a loop */

/* Bytes of an edge at the peak: its pair, and the rows of the graph and their scratch; of a point:
 * itself twice, its name and its row. */
#define BYTES_PER_EDGE 24u
#define BYTES_PER_POINT 192u

ms_status ms_check_edges(const ms_neighbor_options *options, uint64_t points, uint64_t edges,
                         ms_error *err)
{
  double bound = (double)ms_memory_bound(options->memory);
  double wanted = (double)edges * BYTES_PER_EDGE + (double)points * BYTES_PER_POINT;
  if (wanted <= bound)
    return MS_OK;
  return ms_fail(err, MS_ERR_MEMORY,
                 "the neighbours of %llu points are up to %llu edges, which take about %.0f MiB, "
                 "more than the bound of %.0f MiB; ask for fewer neighbours, or raise `memory`",
                 (unsigned long long)points, (unsigned long long)edges, ldexp(wanted, -20),
                 ldexp(bound, -20));
}

/* One slide. */
typedef struct near_work {
  ms_point_tree tree;
  double limit2;
  uint32_t most; /* the nearest of each point; 0: those within the distance */
  bool mutual;
  uint32_t *place; /* [points of all slides] the place of a point in the tree */
  /* nearest: */
  uint32_t *near;      /* [count][most] ids, MS_NO_ID behind the last one */
  ms_near *found;      /* [threads][most] */
  uint64_t *offset;    /* [count + 1] of the edges that a point in the tree is the first end of */
  uint32_t (*pair)[2]; /* where the edges of the slide go */
  uint32_t *id;        /* within: [edges] the second ends */
} near_work;

static void find_nearest(void *user, ms_range r)
{
  near_work *w = user;
  ms_near *found = w->found + (size_t)r.thread * w->most;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t *near = w->near + i * w->most;
    uint32_t count = ms_tree_nearest(&w->tree, &w->tree.point[i], w->most, w->limit2, found);
    for (uint32_t j = 0; j < w->most; j++)
      near[j] = j < count ? found[j].id : MS_NO_ID;
  }
}

static bool has(const near_work *w, uint32_t point, uint32_t id)
{
  const uint32_t *near = w->near + (uint64_t)w->place[point] * w->most;
  for (uint32_t j = 0; j < w->most && near[j] != MS_NO_ID; j++)
    if (near[j] == id)
      return true;
  return false;
}

/* Counts the edges that the point at place i is the first end of, and writes them unless `pair` is
 * NULL.  An edge that both ends have chosen belongs to the end with the lower id. */
static uint64_t put_nearest(const near_work *w, uint64_t i, uint32_t (*pair)[2])
{
  uint32_t own = w->tree.point[i].id;
  const uint32_t *near = w->near + i * w->most;
  uint64_t count = 0;
  for (uint32_t j = 0; j < w->most && near[j] != MS_NO_ID; j++) {
    bool both = has(w, near[j], own);
    if (both ? own > near[j] : w->mutual)
      continue;
    if (pair) {
      pair[count][0] = own;
      pair[count][1] = near[j];
    }
    count++;
  }
  return count;
}

static void count_range(void *user, ms_range r)
{
  near_work *w = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    w->offset[i + 1] = w->most ? put_nearest(w, i, NULL)
                               : ms_tree_within(&w->tree, &w->tree.point[i], w->limit2, NULL);
}

static void put_range(void *user, ms_range r)
{
  near_work *w = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    if (w->most) {
      put_nearest(w, i, w->pair + w->offset[i]);
      continue;
    }
    ms_tree_within(&w->tree, &w->tree.point[i], w->limit2, w->id + w->offset[i]);
    for (uint64_t j = w->offset[i]; j < w->offset[i + 1]; j++) {
      w->pair[j][0] = w->tree.point[i].id;
      w->pair[j][1] = w->id[j];
    }
  }
}

/* Makes room for the edges, and writes them. */
static ms_status put_edges(near_work *w, const ms_neighbor_options *o, uint64_t points,
                           ms_watch *watch, ms_pairs *edges, ms_error *err)
{
  uint64_t count = w->tree.count;
  w->offset[0] = 0;
  ms_watch_loop(watch, o->threads, count, PIECE, count_range, w);
  MS_TRY(ms_watch_report(watch, PHASE, err));
  for (uint64_t i = 0; i < count; i++)
    w->offset[i + 1] += w->offset[i];
  MS_TRY(ms_check_edges(o, points, edges->count + w->offset[count], err));
  MS_TRY(ms_pairs_reserve(edges, w->offset[count], err));
  w->pair = edges->pair + edges->count;
  w->id = w->most ? NULL : ms_alloc(w->offset[count], sizeof *w->id);
  if (!w->most && w->offset[count] > 0 && !w->id)
    return ms_fail_memory(err, "the neighbours of points");
  ms_watch_loop(watch, o->threads, count, PIECE, put_range, w);
  ms_free(w->id);
  edges->count += w->offset[count];
  return ms_watch_report(watch, PHASE, err);
}

static ms_status search_slide(near_work *w, const ms_neighbor_options *o, ms_point *point,
                              uint64_t count, uint64_t points, ms_watch *watch, ms_pairs *edges,
                              ms_error *err)
{
  uint8_t *axis = ms_alloc(count, sizeof *axis);
  w->offset = ms_alloc(count + 1, sizeof *w->offset);
  w->near = w->most ? ms_alloc(count, w->most * sizeof *w->near) : NULL;
  ms_status status = MS_OK;
  if (!axis || !w->offset || (w->most && !w->near))
    status = ms_fail_memory(err, "the neighbours of points");
  if (status == MS_OK) {
    ms_point_tree_make(point, axis, count, watch, &w->tree);
    status = ms_watch_report(watch, PHASE, err);
  }
  for (uint64_t i = 0; status == MS_OK && i < count; i++)
    w->place[point[i].id] = (uint32_t)i;
  if (status == MS_OK && w->most)
    ms_watch_loop(watch, o->threads, count, PIECE, find_nearest, w);
  if (status == MS_OK)
    status = put_edges(w, o, points, watch, edges, err);
  ms_free(axis);
  ms_free(w->offset);
  ms_free(w->near);
  return status;
}

ms_status ms_find_near(const ms_slides *slides, const ms_neighbor_options *options, ms_watch *watch,
                       ms_pairs *edges, ms_error *err)
{
  bool nearest = options->rule == MS_NEIGHBORS_NEAREST;
  uint64_t points = slides->offset[slides->count];
  near_work w = {.limit2 = options->radius > 0 ? options->radius * options->radius : INFINITY,
                 .most = nearest ? options->nearest : 0,
                 .mutual = options->mutual};
  if (nearest)
    MS_TRY(ms_check_edges(options, points, points * options->nearest, err));
  w.place = ms_alloc(points, sizeof *w.place);
  w.found = nearest ? ms_alloc((size_t)options->threads, w.most * sizeof *w.found) : NULL;
  ms_status status = MS_OK;
  if ((points > 0 && !w.place) || (nearest && !w.found))
    status = ms_fail_memory(err, "the neighbours of points");
  for (uint32_t s = 0; status == MS_OK && s < slides->count; s++)
    status = search_slide(&w, options, slides->point + slides->offset[s],
                          slides->offset[s + 1] - slides->offset[s], points, watch, edges, err);
  ms_free(w.place);
  ms_free(w.found);
  return status;
}
