/* Nearest neighbours, and points within a distance. */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "graph/points/points.h"

#include <math.h>
#include <string.h>

/* ---- tree ------------------------------------------------------------------------------------ */

/* A k-d tree (Bentley 1975): halves of a set of points, cut across the axis along which the set is
 * longest.  It is an order of the points: the one in the middle of a range parts the range. */

#define MS_TREE_LEAF 8u /* ranges of so many points are not parted */
typedef struct ms_point_tree {
  ms_point *point; /* [count] */
  uint8_t *axis;   /* [count] across which the range is cut whose middle is here */
  uint64_t count;
} ms_point_tree;

/* A point that was found. */
typedef struct ms_near {
  double distance2;
  uint32_t id;
} ms_near;

#define POLLED 65536u /* points of a range whose cutting checks the token first */

static bool is_before(const ms_point *a, const ms_point *b, uint32_t axis)
{
  return a->at[axis] < b->at[axis] || (a->at[axis] == b->at[axis] && a->id < b->id);
}

static void swap(ms_point *a, ms_point *b)
{
  ms_point c = *a;
  *a = *b;
  *b = c;
}

/* Puts the point that belongs in the middle there, and the ones before it to its left (Hoare's
 * "Find").  Ids make all points different, so that equal coordinates cost no more. */
static void part(ms_point *p, uint64_t count, uint32_t axis)
{
  uint64_t left = 0, right = count - 1, middle = count / 2;
  while (left < right) {
    /* the median of three, so that an order that is there already is no worst case */
    ms_point *a = p + left, *b = p + left + (right - left) / 2, *c = p + right;
    if (is_before(b, a, axis))
      swap(a, b);
    if (is_before(c, b, axis)) {
      swap(b, c);
      if (is_before(b, a, axis))
        swap(a, b);
    }
    ms_point pivot = *b;
    uint64_t i = left, j = right;
    while (i <= j) {
      while (is_before(&p[i], &pivot, axis))
        i++;
      while (is_before(&pivot, &p[j], axis))
        j--;
      if (i > j)
        break;
      swap(&p[i++], &p[j]);
      if (j == 0)
        break;
      j--;
    }
    if (middle <= j)
      right = j;
    else if (middle >= i)
      left = i;
    else
      return;
  }
}

/* Returns the axis along which the points are spread most. */
static uint32_t longest(const ms_point *p, uint64_t count)
{
  double low[MS_DIMENSIONS], high[MS_DIMENSIONS];
  uint32_t best = 0;
  for (uint32_t d = 0; d < MS_DIMENSIONS; d++)
    low[d] = high[d] = p[0].at[d];
  for (uint64_t i = 1; i < count; i++)
    for (uint32_t d = 0; d < MS_DIMENSIONS; d++) {
      low[d] = p[i].at[d] < low[d] ? p[i].at[d] : low[d];
      high[d] = p[i].at[d] > high[d] ? p[i].at[d] : high[d];
    }
  for (uint32_t d = 1; d < MS_DIMENSIONS; d++)
    if (high[d] - low[d] > high[best] - low[best])
      best = d;
  return best;
}

static void cut(ms_point *p, uint8_t *axis, uint64_t count, ms_watch *watch)
{
  while (count > MS_TREE_LEAF) {
    if (count > POLLED && ms_watch_check(watch))
      return;
    uint64_t middle = count / 2;
    uint32_t along = longest(p, count);
    part(p, count, along);
    axis[middle] = (uint8_t)along;
    cut(p, axis, middle, watch);
    p += middle + 1;
    axis += middle + 1;
    count -= middle + 1;
  }
}

/* ---- nearest points --------------------------------------------------------- */

typedef struct nearest_search {
  const ms_point *from;
  ms_near *near; /* [most] ascending */
  uint32_t most, count;
  double limit2; /* what is farther away does not matter */
} nearest_search;

static void offer(nearest_search *s, const ms_point *p)
{
  double d = ms_distance2(s->from, p);
  if (d > s->limit2 || p->id == s->from->id)
    return;
  if (s->count == s->most && d == s->limit2 && p->id > s->near[s->count - 1].id)
    return;
  uint32_t i = s->count < s->most ? s->count++ : s->count - 1;
  for (; i > 0 && (s->near[i - 1].distance2 > d ||
                   (s->near[i - 1].distance2 == d && s->near[i - 1].id > p->id));
       i--)
    s->near[i] = s->near[i - 1];
  s->near[i] = (ms_near){d, p->id};
  if (s->count == s->most)
    s->limit2 = s->near[s->count - 1].distance2;
}

/* Looks at the half that holds the place of `from` first, and at the other one if a point in it
 * may be near enough.  Points at the limit count, because their ids may be lower. */
static void search_nearest(nearest_search *s, const ms_point *p, const uint8_t *axis,
                           uint64_t count)
{
  while (count > MS_TREE_LEAF) {
    uint64_t middle = count / 2, above = count - middle - 1;
    double aside = s->from->at[axis[middle]] - p[middle].at[axis[middle]];
    bool low = aside < 0;
    search_nearest(s, low ? p : p + middle + 1, low ? axis : axis + middle + 1,
                   low ? middle : above);
    if (aside * aside > s->limit2)
      return;
    offer(s, p + middle);
    p += low ? middle + 1 : 0;
    axis += low ? middle + 1 : 0;
    count = low ? above : middle;
  }
  for (uint64_t i = 0; i < count; i++)
    offer(s, p + i);
}

/* Finds the points nearest to `from`, except itself, by (distance, id): near[most] receives up to
 * `most` of those at most sqrt(limit2) away; returns how many. */
static uint32_t tree_nearest(const ms_point_tree *tree, const ms_point *from, uint32_t most,
                             double limit2, ms_near *near)
{
  nearest_search s = {.from = from, .near = near, .most = most, .limit2 = limit2};
  search_nearest(&s, tree->point, tree->axis, tree->count);
  return s.count;
}

/* ---- points within a distance ------------------------------------------------- */

typedef struct within_search {
  const ms_point *from;
  double limit2;
  uint64_t count;
  uint32_t *id;
} within_search;

static void take(within_search *s, const ms_point *p)
{
  if (p->id <= s->from->id || ms_distance2(s->from, p) > s->limit2)
    return;
  if (s->id)
    s->id[s->count] = p->id;
  s->count++;
}

static void search_within(within_search *s, const ms_point *p, const uint8_t *axis, uint64_t count)
{
  while (count > MS_TREE_LEAF) {
    uint64_t middle = count / 2;
    double aside = s->from->at[axis[middle]] - p[middle].at[axis[middle]];
    bool near = aside * aside <= s->limit2;
    if (near)
      take(s, p + middle);
    if (near || aside < 0)
      search_within(s, p, axis, middle);
    if (!near && aside < 0)
      return;
    p += middle + 1;
    axis += middle + 1;
    count -= middle + 1;
  }
  for (uint64_t i = 0; i < count; i++)
    take(s, p + i);
}

/* Finds the points with larger ids than `from` that are at most sqrt(limit2) away, in the order of
 * the tree.  Returns their number, and writes their ids unless id is NULL. */
static uint64_t tree_within(const ms_point_tree *tree, const ms_point *from, double limit2,
                            uint32_t *id)
{
  within_search s = {.from = from, .limit2 = limit2, .id = id};
  search_within(&s, tree->point, tree->axis, tree->count);
  return s.count;
}

/* ---- near ------------------------------------------------------------------------------------ */

#define PHASE "neighbours are searched"
#define PIECE 1024u /* points of a range of a loop */

/* Bytes of an edge at the peak: its pair, and the rows of the graph and their scratch; of a point:
 * itself twice, its name and its row. */
#define BYTES_PER_EDGE 24u
#define BYTES_PER_POINT 192u

ms_status ms_check_edges(const ms_neighbor_options *options, uint64_t points, uint64_t edges,
                         ms_error *err)
{
  double bound = (double)ms_memory_bound(options->run.memory);
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
    uint32_t count = tree_nearest(&w->tree, &w->tree.point[i], w->most, w->limit2, found);
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
                               : tree_within(&w->tree, &w->tree.point[i], w->limit2, NULL);
}

static void put_range(void *user, ms_range r)
{
  near_work *w = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    if (w->most) {
      put_nearest(w, i, w->pair + w->offset[i]);
      continue;
    }
    tree_within(&w->tree, &w->tree.point[i], w->limit2, w->id + w->offset[i]);
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
  ms_watch_loop(watch, o->run.threads, count, PIECE, count_range, w);
  MS_TRY(ms_watch_report(watch, PHASE, err));
  for (uint64_t i = 0; i < count; i++)
    w->offset[i + 1] += w->offset[i];
  MS_TRY(ms_check_edges(o, points, edges->count + w->offset[count], err));
  MS_TRY(ms_pairs_reserve(edges, w->offset[count], err));
  w->pair = edges->pair + edges->count;
  w->id = w->most ? NULL : ms_alloc(w->offset[count], sizeof *w->id);
  if (!w->most && w->offset[count] > 0 && !w->id)
    return ms_fail_memory(err, "the neighbours of points");
  ms_watch_loop(watch, o->run.threads, count, PIECE, put_range, w);
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
    cut(point, axis, count, watch);
    w->tree = (ms_point_tree){point, axis, count};
    status = ms_watch_report(watch, PHASE, err);
  }
  for (uint64_t i = 0; status == MS_OK && i < count; i++)
    w->place[point[i].id] = (uint32_t)i;
  if (status == MS_OK && w->most)
    ms_watch_loop(watch, o->run.threads, count, PIECE, find_nearest, w);
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
  w.found = nearest ? ms_alloc((size_t)options->run.threads, w.most * sizeof *w.found) : NULL;
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
