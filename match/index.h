/* The graph as pattern engines read it.
 *
 * Vertices have index ids, which ascend by (colour, degree, vertex) if every
 * vertex has at most one colour, and otherwise by (degree, vertex).  So the
 * vertices of one colour with at least a given degree are a range of ids, and
 * the neighbours of one colour are consecutive in a sorted row.  A larger id
 * means a degree at least as high, so a symmetry constraint u < v keeps
 * candidate sets as small as an orientation of the edges by degree does.
 *
 * ms_pattern_index_cut makes the index of a part of the graph. */
#ifndef MS_MATCH_INDEX_H
#define MS_MATCH_INDEX_H

#include "plan/shape.h"

/* In a row of so many ids, to count the smaller ones takes less time than a search. */
#define MS_SHORT_ROW 24u

typedef struct ms_neighbor_rows {
  uint64_t *offset;   /* [n + 1] */
  uint32_t *neighbor; /* [arcs] index ids, ascending within a vertex */
} ms_neighbor_rows;

/* Kinds of rows.  An undirected graph has the rows of all neighbours alone, a directed one also
 * those of the heads and of the tails of arcs.  An index of relations (match/typed/relations.h)
 * has a kind for each relation of a pattern, seen from either end. */
enum { MS_ROWS_ANY = 0, MS_ROWS_OUT = 1, MS_ROWS_IN = 2, MS_ROW_KINDS = 3 };

struct ms_pattern_index {
  const ms_graph *graph;
  const ms_coloring *coloring; /* NULL: no colours */
  uint64_t serial;             /* unique among all indexes that this process ever made */
  uint32_t n;
  uint64_t arcs; /* number of entries in the rows of all neighbours: 2 for each edge */
  bool directed;
  bool ranges;            /* every vertex has at most one colour, and ids ascend by colour */
  bool by_degree;         /* ids ascend by degree; false: an index of relations, or a cut one */
  uint32_t *vertex;       /* [n] index id -> graph vertex */
  uint32_t *id;           /* [graph vertices] graph vertex -> index id, or MS_NO_ID if it was cut;
                             NULL: of an index of relations, whose ids ascend by vertex */
  uint32_t kinds;         /* of rows: 1, of a directed graph MS_ROW_KINDS, with relations more */
  ms_neighbor_rows *rows; /* [kinds] */
  /* Neighbour rows as bits, for vertices whose degree is so high that testing a bit for each id
   * of a set costs less than reading their row. */
  uint32_t *hub;      /* [n] number of the hub, or UINT32_MAX for other vertices; NULL: no hubs */
  uint64_t *hub_bits; /* [hubs][words] */
  size_t words;       /* (n + 63) / 64 */
  uint32_t longest, longest_above, longest_below; /* the longest row; the longest part of a row
                                  above, and below, the vertex of the row */
  uint32_t *best;                                 /* [n] the highest degree among the neighbours */
  uint64_t (*near)[2]; /* [n] the colours of at least one neighbour, and of at least two:
                          colour c is bit c % 64; NULL: no colours */
  /* Where the neighbours of a colour end in a long row: if a vertex has more than MS_SHORT_ROW
   * neighbours, part[part_offset[v] + i] is the place in its row of all neighbours after the last
   * neighbour of colour c or of a smaller one, where c is the i-th bit that is set in near[v][0],
   * for c < 64.  NULL: some vertex has several colours. */
  uint64_t *part_offset; /* [n + 1] */
  uint32_t *part;
  uint32_t colors;        /* number of colours of the colouring */
  uint64_t *color_offset; /* [colors + 1] */
  uint32_t *color_id;     /* ids of each colour's vertices, ascending; consecutive if `ranges` */
  double square_degrees;  /* sum of squared degrees */
  double edge_steps;      /* steps (probe.h) of a sum over edges (count/edge_product.h) */
  double middle_paths;    /* paths x - y - z, x < y < z: what a search for triangles compares */
  double closure[2];      /* sampled probabilities: that a neighbour of one end of an edge is
                             adjacent to the other end; that a common neighbour of the ends is
                             adjacent to a third vertex that is adjacent to both */
};

/* The kind of the rows that hold the same arcs, seen from their other ends. */
static inline uint16_t ms_reverse_rows(uint16_t kind)
{
  return kind == MS_ROWS_ANY ? MS_ROWS_ANY : (uint16_t)(((kind - 1u) ^ 1u) + 1u);
}

/* Makes the index of the subgraph that some vertices induce: all edges between them, and no others.
 * Whatever lies within these vertices, such as a match whose domains do, is there as it is in the
 * whole index, non-edges included.  Its vertex[n] are those of the graph.
 *
 * kept[words of `index`] has a bit for each id that stays, at least one.  by_degree: ids are
 * numbered anew by the degrees in the subgraph, as in every index; the index must be that of a
 * graph.  Otherwise they keep their order, in which degrees then need not ascend: a search lists
 * the same rows in the same order as in the whole index, but a domain is no range of ids by degree.
 * id[index->n] receives the new id of each id, or MS_NO_ID.
 *
 * Time and memory: O(vertices of the graph + entries in the rows of the vertices that stay).  The
 * graph and its colouring must outlive the result, `index` need not. */
ms_status ms_pattern_index_cut(const ms_pattern_index *index, const uint64_t *kept, bool by_degree,
                               uint32_t *id, ms_pattern_index **out, ms_error *err);

/* Returns a number that it never returned before. */
uint64_t ms_pattern_index_serial(void);

static inline uint32_t ms_row_length(const ms_neighbor_rows *rows, uint32_t v)
{
  return (uint32_t)(rows->offset[v + 1] - rows->offset[v]);
}

static inline const uint32_t *ms_row(const ms_neighbor_rows *rows, uint32_t v, uint32_t *length)
{
  *length = ms_row_length(rows, v);
  return rows->neighbor + rows->offset[v];
}

/* Returns the bits of v's row of all neighbours, or NULL if v is no hub. */
static inline const uint64_t *ms_hub_bits(const ms_pattern_index *index, uint32_t v)
{
  return index->hub && index->hub[v] != UINT32_MAX ? index->hub_bits + index->hub[v] * index->words
                                                   : NULL;
}

/* Returns the rows that contain the arcs of this kind for a shape: the rows of all neighbours,
 * unless graph and shape are both directed. */
static inline const ms_neighbor_rows *ms_index_rows(const ms_pattern_index *index,
                                                    const ms_shape *shape, int kind)
{
  return &index->rows[index->directed && shape->directed ? kind : MS_ROWS_ANY];
}

#endif
