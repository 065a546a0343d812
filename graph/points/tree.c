#include "graph/points/tree.h"

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

void ms_point_tree_make(ms_point *point, uint8_t *axis, uint64_t count, ms_watch *watch,
                        ms_point_tree *out)
{
  cut(point, axis, count, watch);
  *out = (ms_point_tree){point, axis, count};
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

uint32_t ms_tree_nearest(const ms_point_tree *tree, const ms_point *from, uint32_t most,
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

uint64_t ms_tree_within(const ms_point_tree *tree, const ms_point *from, double limit2,
                        uint32_t *id)
{
  within_search s = {.from = from, .limit2 = limit2, .id = id};
  search_within(&s, tree->point, tree->axis, tree->count);
  return s.count;
}
