/* A k-d tree (Bentley 1975): halves of a set of points, cut across the axis along which the set is
 * longest.  It is an order of the points: the one in the middle of a range parts the range. */
#ifndef MS_GRAPH_POINTS_TREE_H
#define MS_GRAPH_POINTS_TREE_H

#include "graph/points/points.h"

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

/* Reorders the points; both arrays must outlive the tree. */
void ms_point_tree_make(ms_point *point, uint8_t *axis, uint64_t count, ms_watch *watch,
                        ms_point_tree *out);
/* Finds the points nearest to `from`, except itself, by (distance, id): near[most] receives up to
 * `most` of those at most sqrt(limit2) away; returns how many. */
uint32_t ms_tree_nearest(const ms_point_tree *tree, const ms_point *from, uint32_t most,
                         double limit2, ms_near *near);
/* Finds the points with larger ids than `from` that are at most sqrt(limit2) away, in the order of
 * the tree.  Returns their number, and writes their ids unless id is NULL. */
uint64_t ms_tree_within(const ms_point_tree *tree, const ms_point *from, double limit2,
                        uint32_t *id);

#endif
