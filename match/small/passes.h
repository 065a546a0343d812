/* Inside match/small/: the core, and the passes over it. */
#ifndef MS_MATCH_SMALL_PASSES_H
#define MS_MATCH_SMALL_PASSES_H

#include "base/threads/watch.h"
#include "match/small/rows.h"
#include "match/small/small.h"

/* Rooted shapes, in the order of the table of small.c. */
typedef enum ms_small_shape {
  MS_SMALL_EDGE,
  MS_SMALL_TRIANGLE,
  MS_SMALL_TAILED,
  MS_SMALL_CYCLE4,
  MS_SMALL_DIAMOND_END,
  MS_SMALL_DIAMOND_POLE,
  MS_SMALL_CLIQUE4,
  MS_SMALL_LOLLIPOP,
  MS_SMALL_CRICKET,
  MS_SMALL_BULL,
  MS_SMALL_BANNER_NEXT,
  MS_SMALL_BANNER_OPPOSITE,
  MS_SMALL_CYCLE5,
  MS_SMALL_BOWTIE,
  MS_SMALL_DART_END,
  MS_SMALL_DART_POLE,
  MS_SMALL_KITE_END,
  MS_SMALL_KITE_POLE,
  MS_SMALL_CLIQUE4_TAIL,
  MS_SMALL_HOUSE_ROOF,
  MS_SMALL_HOUSE_WALL,
  MS_SMALL_HOUSE_FLOOR,
  MS_SMALL_BIPARTITE_TWO,   /* K2,3: a vertex of the side of two */
  MS_SMALL_BIPARTITE_THREE, /* and of the side of three */
  MS_SMALL_BOOK_SPINE,
  MS_SMALL_BOOK_PAGE,
  MS_SMALL_GEM_CENTER,
  MS_SMALL_GEM_MIDDLE,
  MS_SMALL_GEM_END,
  MS_SMALL_CUT_WHEEL_RIM,  /* a wheel of four without a spoke: the vertex of degree two */
  MS_SMALL_CUT_WHEEL_SIDE, /* its neighbours */
  MS_SMALL_CUT_WHEEL_AXIS, /* the two others */
  MS_SMALL_WHEEL_HUB,
  MS_SMALL_WHEEL_RIM,
  MS_SMALL_EAR, /* a clique of four, two of whose vertices have another neighbour: this one */
  MS_SMALL_EAR_NEAR,
  MS_SMALL_EAR_FAR,
  MS_SMALL_CUT_CLIQUE_END, /* a clique of five without an edge: an end of that */
  MS_SMALL_CUT_CLIQUE_REST,
  MS_SMALL_CLIQUE5,
  MS_SMALL_SHAPES
} ms_small_shape;

/* What a thread has for itself, for a root at a time. */
typedef struct ms_small_scratch {
  uint32_t *common; /* [n] common neighbours of the root and each vertex */
  uint32_t *met;    /* [n] vertices where it is not 0 */
  uint32_t mets;
  uint32_t *arc;   /* [n] the arc from the root to a neighbour, or MS_NO_ARC */
  uint32_t *found; /* [n] a list */
  uint32_t *times; /* [n] */
  uint64_t *sum;   /* [n] */
} ms_small_scratch;

#define MS_NO_ARC UINT32_MAX

struct ms_small {
  const ms_pattern_index *index;
  int threads;
  bool fives; /* shapes of five vertices are counted, too */
  const ms_small_rows *rows;
  ms_budget *budget;
  uint64_t reserved;                     /* bytes */
  uint32_t passes;                       /* bits of passes that are done */
  ms_wide_size *number[MS_SMALL_SHAPES]; /* [n] of the passes that are done */
  ms_small_scratch *scratch;             /* [threads] */
  ms_watch watch;
  /* The core.  An arc is an entry of a row; rows ascend. */
  uint32_t n;
  uint64_t *offset;  /* [n + 1] */
  uint32_t *end;     /* [arcs] */
  uint32_t *reverse; /* [arcs] the arc from the end */
  uint32_t *common;  /* [arcs] common neighbours of both ends */
  uint64_t *first;   /* [arcs + 1] where the list of an arc begins */
  uint32_t *corner;  /* of an arc u -> v: the common neighbours w, ascending */
  uint32_t *third;   /* and the arcs v -> w */
  /* Of each arc, once a pass has filled it. */
  uint64_t *cycles;  /* 4-cycles through it */
  uint64_t *cliques; /* maps of cliques of four that take two given vertices to its ends */
};

/* All sums are modulo 2^128, so that a difference may be below 0 for a while. */
typedef ms_wide_size ms_small_sum;

/* The neighbours of a vertex in the graph. */
static inline ms_small_sum ms_small_degree(const ms_small *s, uint32_t v)
{
  return ms_row_length(&s->index->rows[MS_ROWS_ANY], v);
}

/* Reserves and allocates count * size bytes of zeros that ms_small_free releases, or NULL. */
void *ms_small_room(ms_small *small, uint64_t count, size_t size);
/* Returns what ms_small_room gave; count and size are the same. */
void ms_small_give_back(ms_small *small, void *room, uint64_t count, size_t size);
/* Makes room for the numbers of these shapes. */
ms_status ms_small_open(ms_small *small, const ms_small_shape *shape, uint32_t shapes,
                        ms_error *err);
/* Calls fn on ranges of roots, by all threads; a stop ends it with its status. */
ms_status ms_small_loop(ms_small *small, ms_range_fn *fn, void *user, ms_error *err);

/* Sets arc[] of the scratch to the arcs of a vertex; ms_small_unmark clears it. */
void ms_small_mark(const ms_small *small, ms_small_scratch *scratch, uint32_t v);
void ms_small_unmark(const ms_small *small, ms_small_scratch *scratch, uint32_t v);
/* Fills common[] and met[] of the scratch for a root; ms_small_part empties them. */
void ms_small_meet(const ms_small *small, ms_small_scratch *scratch, uint32_t root);
void ms_small_part(ms_small_scratch *scratch);

/* Each of these is called once, after those that it needs. */
ms_status ms_small_core(ms_small *small, ms_error *err); /* the core, common and third */
ms_status ms_small_pairs(ms_small *small, ms_error *err);
ms_status ms_small_triangles(ms_small *small, ms_error *err);
ms_status ms_small_houses(ms_small *small, ms_error *err);
ms_status ms_small_neighborhoods(ms_small *small, ms_error *err);
ms_status ms_small_diamonds(ms_small *small, ms_error *err);
ms_status ms_small_fives(ms_small *small, ms_error *err); /* cliques of five */
ms_status ms_small_cycles(ms_small *small, ms_error *err);

#endif
