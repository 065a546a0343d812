/* Inside census/: small graphs as numbers, and their isomorphism classes.
 *
 * A graph of k vertices 0 .. k - 1 has a code: the pair of vertices i < j has the place
 * j (j - 1) / 2 + i, and its bits are there: one bit if the graph is undirected, else MS_ARC_TO for
 * i -> j and MS_ARC_FROM for j -> i.  The code of the first vertices is the low end of the code of
 * all.  If vertices have kinds, then those of a code ascend.
 *
 * The class of a graph has the least code that any order of its vertices gives, among the orders in
 * which the kinds ascend.  As many of these orders lead to it as the graph has automorphisms. */
#ifndef MS_CENSUS_SHAPES_CODE_H
#define MS_CENSUS_SHAPES_CODE_H

#include "census/tally.h"

/* What graphs are counted. */
typedef struct ms_graphlet_form {
  uint32_t k;     /* vertices, 2 to MS_MAX_SHAPE */
  uint32_t width; /* bits of a pair: 1, or 2 if there are directions */
} ms_graphlet_form;

static inline ms_graphlet_form ms_graphlet_form_of(uint32_t k, bool directed)
{
  return (ms_graphlet_form){k, directed ? 2 : 1};
}

/* The bits of the pairs of the first `vertices` vertices with each other. */
static inline uint32_t ms_graphlet_bits(ms_graphlet_form form, uint32_t vertices)
{
  return form.width * vertices * (vertices - 1) / 2;
}

/* Returns the bits of the arcs between i and j, seen from i; i and j differ. */
uint32_t ms_graphlet_pair(ms_graphlet_form form, uint32_t code, uint32_t i, uint32_t j);
bool ms_graphlet_is_connected(ms_graphlet_form form, uint32_t code);
/* The number of edges, or of arcs. */
uint32_t ms_graphlet_edges(uint32_t code);

/* Sorts kind[k] (NULL: all are the same), and returns the code of the class of the graph.
 * *automorphisms: how many it has. */
uint32_t ms_graphlet_classify(ms_graphlet_form form, uint32_t code, ms_kind_id *kind,
                              uint32_t *automorphisms);

/* The same, with *position: the lowest vertex of the class to which vertex 0 of the graph may
 * belong. */
uint32_t ms_graphlet_locate(ms_graphlet_form form, uint32_t code, ms_kind_id *kind,
                            uint32_t *position);

/* The codes of a graph in all orders of its vertices that keep the kinds in their places; the same
 * one may come several times. */
typedef struct ms_graphlet_orders {
  ms_graphlet_form form;
  uint32_t code;
  const ms_kind_id *kind; /* [k] ascending; NULL: all are the same */
  uint8_t order[MS_MAX_CENSUS];
  bool begun;
} ms_graphlet_orders;

void ms_graphlet_orders_begin(ms_graphlet_orders *orders, ms_graphlet_form form, uint32_t code,
                              const ms_kind_id *kind);
/* Sets *code to the next one; false: there was none. */
bool ms_graphlet_orders_next(ms_graphlet_orders *orders, uint32_t *code);

/* All classes of connected graphs without kinds. */
typedef struct ms_graphlet_classes {
  uint32_t count;
  uint32_t *code;          /* [count] ascending */
  uint32_t *automorphisms; /* [count] */
  uint32_t *class_of;      /* [2^bits] UINT32_MAX: the graph is not connected */
} ms_graphlet_classes;

ms_status ms_graphlet_classes_open(ms_graphlet_classes *classes, ms_graphlet_form form,
                                   ms_error *err);
void ms_graphlet_classes_close(ms_graphlet_classes *classes);

/* All orbits of connected graphs without kinds: of a class, the vertices that automorphisms take to
 * each other. */
typedef struct ms_graphlet_orbits {
  uint32_t count;
  uint32_t *code;     /* [count] the class, ascending */
  uint32_t *position; /* [count] the lowest vertex of the orbit, ascending in a class */
  uint32_t *orbit_of; /* [2^bits] of vertex 0 of each graph; UINT32_MAX: it is not connected */
} ms_graphlet_orbits;

ms_status ms_graphlet_orbits_open(ms_graphlet_orbits *orbits, ms_graphlet_form form, ms_error *err);
void ms_graphlet_orbits_close(ms_graphlet_orbits *orbits);

/* A key of a tally is a graph with kinds: kind[k], and its code in the last two places. */
#define MS_GRAPHLET_HIGH (MS_MAX_CENSUS - 2)
#define MS_GRAPHLET_LOW (MS_MAX_CENSUS - 1)
static inline uint32_t ms_graphlet_code_of(const ms_multiset *key)
{
  return (uint32_t)key->kind[MS_GRAPHLET_HIGH] << 16 | key->kind[MS_GRAPHLET_LOW];
}
static inline void ms_graphlet_set_code(ms_multiset *key, uint32_t code)
{
  key->kind[MS_GRAPHLET_HIGH] = (ms_kind_id)(code >> 16);
  key->kind[MS_GRAPHLET_LOW] = (ms_kind_id)code;
}
/* True if the key is that of a class of connected graphs, and its kinds are below `kinds`. */
bool ms_graphlet_key_is_right(ms_graphlet_form form, uint32_t kinds, const ms_multiset *key);

#endif
