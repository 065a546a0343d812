/* One trial of the miss rate: a small random graph in which a match is hidden,
 * a vertex of that match, and the truth about all other vertices.
 *
 * Two ways to colour the graph around the planted set S of k vertices:
 *
 *   lonely   S is the only match.  Neighbours of S have a colour that the motif
 *            lacks; others have colours of the motif if they stay in connected
 *            pieces of fewer than k vertices.  Walks through them exist,
 *            and every one of them has to cancel.
 *   crowded  every vertex has the colour of a random slot. */
#ifndef MS_BENCH_PLANTED_H
#define MS_BENCH_PLANTED_H

#include "motifsieve.h"

#define PLANTED_MOST_VERTICES 64

/* The origin of the set S.  Up to PLANTED_CLIQUE: S is a random connected set of a random graph,
 * and the vertex is a random vertex of it.  From then on: S has this shape, the vertex is the one
 * that the name says, and more random vertices and edges surround S. */
typedef enum planted_host {
  PLANTED_REGULAR,   /* all degrees are 4 */
  PLANTED_POWER_LAW, /* mean degree 4, at least 2, exponent -1.5 */
  PLANTED_ER,        /* 2n random edges */
  PLANTED_GRID,      /* a tenth of the edges removed, a tenth of the squares with a diagonal */
  PLANTED_CLIQUE,    /* as PLANTED_ER, with all edges of S added */
  PLANTED_PATH_END,
  PLANTED_PATH_MIDDLE, /* vertex (k-1)/2 of 0..k-1 */
  PLANTED_STAR_CENTRE,
  PLANTED_STAR_LEAF,
  PLANTED_BINARY_ROOT, /* v hangs on (v-1)/2 */
  PLANTED_TREE,        /* v hangs on a random vertex of 0..v-1; the vertex is random */
  PLANTED_CYCLE,
  /* One vertex, then k-1 layers of two, each joined to all vertices of the layer before.  Each
   * layer has another colour.  2^(k-1) matches hold the first vertex, and there are no others. */
  PLANTED_LAYERS
} planted_host;
#define PLANTED_FAMILIES 5
#define PLANTED_HOSTS 13

typedef enum planted_motif {
  PLANTED_DISTINCT, /* k colours */
  PLANTED_PAIRS,    /* each colour twice, the last once if k is odd */
  PLANTED_ONE       /* one colour k times */
} planted_motif;
#define PLANTED_MOTIFS 3

typedef struct planted_setting {
  planted_host host;
  planted_motif motif;
  bool crowded; /* only for families */
  uint32_t k;   /* 2..16 */
} planted_setting;

typedef struct planted_case {
  planted_setting setting;
  uint32_t n;
  uint64_t adjacent[PLANTED_MOST_VERTICES]; /* bit u of adjacent[v]: edge {u, v} */
  uint32_t colors;                          /* colours of the motif */
  uint8_t slots[MS_MAX_K + 1]; /* [colors + 1] by colour; the last, 0, is no colour of the motif */
  uint8_t color[PLANTED_MOST_VERTICES]; /* 0..colors */
  uint64_t core;                        /* the set S, or all layers */
  uint32_t vertex;                      /* certainly in a match */
  uint32_t redrawn; /* discarded graphs, without a connected set of k vertices */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
} planted_case;

const char *planted_host_name(planted_host host);
const char *planted_motif_name(planted_motif motif);
/* Returns the number of colours of that motif of k slots. */
uint32_t planted_colors(planted_motif motif, uint32_t k);

/* Makes a case, a function of setting and seed.  planted_free frees it, also after a failure. */
ms_status planted_make(const planted_setting *setting, uint64_t seed, planted_case *out,
                       ms_error *err);
void planted_free(planted_case *c);

/* True if core is exactly the set of vertices that are in matches. */
bool planted_core_is_all(const planted_case *c);

typedef struct planted_search {
  uint64_t matches; /* found */
  uint64_t covered; /* vertices of these matches */
  bool gave_up;     /* there may be more */
} planted_search;

/* Finds the matches that hold v by trying all connected sets; stops at `most` > 0 matches, and
 * gives up after some millions of sets.  It shares no code with the library. */
planted_search planted_find(const planted_case *c, uint32_t v, uint64_t most);

/* Returns the probability that one repetition misses c->vertex if a closed form is known, else NAN
 * (docs/MISS_RATE.md, "What theory expects").  It is right to one part in 100. */
double planted_expected(const planted_case *c, ms_recurrence recurrence);

/* Maps 64 bits by a bijection (the finaliser of splitmix64). */
uint64_t planted_mix(uint64_t x);

#endif
