/* Random numbers and weighted draws of a probe (probe.h). */
#ifndef MS_MATCH_PROBE_DRAW_H
#define MS_MATCH_PROBE_DRAW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ms_draws {
  uint32_t key[2], counter[4], word[4];
  uint32_t left; /* words that are not used yet */
} ms_draws;

/* Returns a random number in [0, 1). */
double ms_draw_unit(ms_draws *draws);

/* A partial match of a probe: a vertex, and the partial match that it continues. */
typedef struct ms_probe_node {
  uint32_t id;   /* the match of this level */
  uint32_t up;   /* number of the node of the level before */
  double weight; /* partial matches that it stands for */
  double size;   /* it is drawn with a probability that is proportional to weight * size */
} ms_probe_node;

/* Keeps at most `most` of the nodes, in their order, by systematic sampling: points at equal
 * distances on a line on which each node has the length weight * size.  A node that k points hit
 * gets k times the weight that one point stands for, so the expected weight of each node stays what
 * it was.  Returns the number of nodes that are kept. */
uint32_t ms_draw_nodes(ms_draws *draws, ms_probe_node *node, uint32_t count, uint32_t most);

#endif
