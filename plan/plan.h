/* The plan of a pattern: the order in which its vertices are matched, the earlier vertices
 * to which each new one must be adjacent, the order constraints that break symmetry, and
 * the candidate sets of earlier vertices that can be reused.  A plan does not depend on
 * the engine.
 *
 * Level i matches vertex level[i].vertex of the shape; the sets below hold
 * levels.  Every vertex but the first of a component is adjacent to an
 * earlier one.
 *
 * Orders: RI's greatest constraint first (Bonnici et al. 2013; GRASS section
 * 3), highest degree first (cuTS, SC'21), and the least estimated cost with
 * reuse (RPS, TKDE'22: every order of up to 8 vertices, greedy beyond).
 * Reuse (RPS, section 4): a vertex u_j is constraint-subsumed by u_i if a map of
 * u_j's backward part into u_i's keeps the order, maps u_j to u_i, and maps
 * backward neighbours to backward neighbours.  Then the candidates of u_j lie
 * within the candidates of u_i that were found for another partial match. */
#ifndef MS_PLAN_PLAN_H
#define MS_PLAN_PLAN_H

#include "plan/automorphisms.h"

/* Reuse of the candidates of an earlier level `level`, under the partial match that puts
 * the vertex of level from[b] where level b is now.  They cover the backward neighbours
 * `covers` of this level.
 *
 * This holds for the common neighbours of back_out and back_in, restricted by colour at
 * most.  The other conditions on a candidate (degrees, distinctness, not_out, not_in,
 * above, below) differ from level to level and are checked when the set is used.  Without
 * same_path there may be no such partial match, because its other levels find no vertex or
 * above and below exclude it: then the rows of `covers` are read. */
typedef struct ms_plan_reuse {
  uint8_t level;
  uint8_t from[MS_MAX_PATTERN]; /* [level] for each level b of `needed`: the level whose match takes
                                   its place */
  ms_bitset needed;             /* the backward neighbours of `level` */
  bool same_path;               /* from[b] == b wherever one is needed: the set belongs to the
                                   current partial match */
  ms_bitset covers_out, covers_in;
} ms_plan_reuse;

typedef struct ms_plan_level {
  uint8_t vertex;     /* vertex of the shape */
  ms_bitset back_out; /* levels whose match must have an arc to this level's match */
  ms_bitset back_in;  /* levels to whose match this level's match must have an arc; undirected:
                         equal to back_out, and counted once */
  ms_bitset not_out, not_in; /* induced: levels to which there must be no such arc */
  ms_bitset above;           /* levels whose match must have a smaller index id than this level's */
  ms_bitset below;           /* levels whose match must have a larger index id */
  double candidates; /* estimated mean number of candidates under one partial match, without the
                        constraints `above` and `below` */
  double matches;    /* estimated partial matches up to this level */
  uint32_t n_reuse;  /* number of reused sets, largest covers first (Z1 of RPS) */
  ms_plan_reuse reuse[4];
  ms_bitset rows_out, rows_in; /* levels whose adjacency rows are still needed (Z2 of RPS) */
} ms_plan_level;

typedef struct ms_plan {
  ms_shape shape;
  ms_order order;        /* the order that was chosen; never MS_ORDER_AUTO */
  bool constrained;      /* true: one match of each class; false: every map */
  ms_group *group;       /* its base is the matching order; `above` and `below` break it */
  double cost;           /* estimated steps: entries of sets that are read */
  ms_plan_level level[]; /* [shape.n] */
} ms_plan;

/* The input of a plan in addition to the shape. */
typedef struct ms_plan_input {
  double vertices, arcs;         /* numbers of the graph; an undirected edge is 2 arcs */
  double square_degrees;         /* sum of squared degrees: an edge's end has the mean degree
                                    square_degrees / arcs */
  double domain[MS_MAX_PATTERN]; /* [shape.n] size of the domain of each pattern vertex */
  /* [n][n] of a shape with labels: the mean length of the rows of i's domain that lead to
   * j's.  NULL: rows of the mean degree */
  const double (*row)[MS_MAX_PATTERN];
  ms_order order;
  const uint8_t *fixed; /* [shape.n] the order itself; NULL: `order` chooses it */
  bool constrain;
  uint32_t constrained; /* only this number of first levels get constraints; 0: all levels */
  bool largest_first;   /* constraints are row[base[i]] > row[x]: `below` instead of `above` */
  ms_bitset last;       /* vertices that are matched last, in any order among them;
                           automorphisms that do not keep this set are not used */
} ms_plan_input;

/* Makes an empty plan of the shape.  Returns NULL if there is no memory. */
ms_plan *ms_plan_alloc(const ms_shape *shape);
ms_status ms_plan_new(const ms_shape *shape, const ms_plan_input *input, ms_plan **out,
                      ms_error *err);
void ms_plan_free(ms_plan *plan);

/* Returns "ri", "degree", "reuse" or "auto". */
const char *ms_order_word(ms_order order);

/* Describes the plan for a person, in lines that end with \n, or as one JSON object, whose keys
 * plan_text.c lists.  name[shape.n] are the names of the vertices in UTF-8.  The caller frees *text
 * with ms_free. */
ms_status ms_plan_text(const ms_plan *plan, const char *const *name, char **text, ms_error *err);
ms_status ms_plan_json(const ms_plan *plan, const char *const *name, char **text, ms_error *err);

#endif
