/* Random graphs and colours, and random changes of given graphs, for tests and benchmarks.
 *
 * All are functions of their parameters and the seed, whatever the number of
 * threads.  All graphs are simple.
 *
 *   regular    every vertex has degree D: the pairing model, loops and repeated
 *              edges switched away (McKay & Wormald 1990).  Degrees are exact;
 *              the distribution is close to uniform.  D above (n-1)/2: the
 *              complement of a regular graph.
 *   power-law  the same for degrees that follow p(d) ~ d^X on a range of whole
 *              numbers, see graph/generate/power.c.  Degrees are exact, too.
 *   er         Erdos and Renyi: uniform among the graphs with m edges (by edges
 *              or mean degree), or each edge with probability p (Gilbert).
 *   clique     all edges.
 *   rmat       Chakrabarti, Zhan & Faloutsos 2004: each of `scale` bits of the
 *              two ends is drawn from the quadrants a (0,0), b (0,1), c (1,0),
 *              d (1,1); loops and repeats (also turned around) are drawn again
 *              until there are m edges.  Vertices are not renumbered: small
 *              numbers have high degrees where a is large.
 *   grid       road-like: rows x cols vertices in rows, joined to the right and
 *              down, each edge removed with one chance; each square gets one of
 *              its diagonals with another.  Not connected in general.
 *   hubs       the graphs with hubs of Kaski, Lauri & Thejaswi 2018: `classes`
 *              classes of geometrically growing numbers f of vertices, whose
 *              vertices have numbers of stubs proportional to f^X, with mean
 *              `degree`.  Stubs are paired at random; loops and repeated edges
 *              are left out, so that degrees are lower, for hubs by half and more. */
#ifndef MS_GRAPH_GENERATE_GENERATE_H
#define MS_GRAPH_GENERATE_GENERATE_H

#include "graph/names.h"
#include "motifsieve.h"

/* Does the work of ms_generate, with options of the size that this library knows.  MS_ERR_USAGE: a
 * parameter is missing, superfluous or out of range, or there is no such graph; MS_ERR_MEMORY: it
 * would take more than the bound. */
ms_status ms_generate_graph(const ms_generate_options *options, ms_graph **out, ms_error *err);

/* Makes a graph of the regular family. */
ms_status ms_generate_regular(uint32_t n, uint32_t d, uint64_t seed, ms_graph **out, ms_error *err);

/* ---- colours ----------------------------------------------------------- */

/* Planted matches.  Disjoint random connected sets of k vertices get the motif's colours in
 * random order; a set grows from a random vertex along random edges that leave it. */
typedef struct ms_planting {
  const ms_names *colors; /* of the motif; NULL: c0, c1, .., one a slot */
  const uint32_t *slot; /* [slots] ids in colors; MS_NO_ID: any colour.  Not read without colors */
  uint32_t slots;       /* k */
  uint32_t plants;      /* sets; 0 means 1 */
  uint32_t background;  /* colours of the other vertices (and of wildcard slots), uniform:
                           "background-0", ..: none of the motif's, so that nothing but the
                           plants (and sets that join parts of several) matches.  0: the
                           colours of the motif instead */
  uint64_t seed;
  const ms_coloring *keep; /* colours of the other vertices (and of wildcard slots), in place of
                              the background; NULL: none */
} ms_planting;

/* Colours the graph around planted matches.  MS_ERR_USAGE where the graph has no room for the
 * plants.  Free planted->vertices with ms_free. */
ms_status ms_plant_colors(const ms_graph *graph, const ms_planting *options, ms_coloring **out,
                          ms_planted *planted, ms_error *err);

/* ---- given graphs ------------------------------------------------------ */

/* Lists the edges of a graph in a random order, as ends of lines; a vertex without edges is a line
 * of twice that vertex.  An undirected edge has either end first, at random; a directed one has a
 * line for each of its arcs, from the first vertex to the second.  The lines are a function of the
 * graph and the seed.  *count: their number; the caller frees *lines with ms_free. */
ms_status ms_shuffle_lines(const ms_graph *graph, uint64_t seed, int threads, uint32_t (**lines)[2],
                           uint64_t *count, ms_error *err);
/* Does the same in the order of the vertices. */
ms_status ms_list_lines(const ms_graph *graph, uint32_t (**lines)[2], uint64_t *count,
                        ms_error *err);

/* ---- types of edges ---------------------------------------------------- */

typedef struct ms_type_options {
  uint32_t relations; /* t0, t1, .. */
  uint32_t directed;  /* the first of them have a direction */
  uint64_t seed;
  int threads; /* 0: OMP_NUM_THREADS or all processors */
} ms_type_options;

/* Gives every edge one of the relations and one of the two directions, uniform and independent;
 * the colours, if there are any, become types of vertices. */
ms_status ms_add_edge_types(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_type_options *options, ms_typed **out, ms_error *err);

#endif
