/* One trial of the miss rate: a small random graph in which a match is hidden,
 * a vertex of that match, and what is true of all other vertices.
 *
 * Two ways to colour the graph around the planted set S of k vertices:
 *
 *   lonely   S is the only match.  Neighbours of S have a colour that the motif
 *            lacks; others have colours of the motif where they stay in connected
 *            pieces of fewer than k vertices, so that walks through them exist,
 *            and every one of them has to cancel.
 *   crowded  every vertex has the colour of a random slot. */
#ifndef MS_BENCH_PLANTED_H
#define MS_BENCH_PLANTED_H

#include "motifsieve.h"

#define PLANTED_MOST_VERTICES 64

/* Where the set comes from.  Up to PLANTED_CLIQUE: a random connected set of a
 * random graph, and a random vertex of it.  From then on: S has this shape, the
 * vertex is the one named, and more random vertices and edges surround it. */
typedef enum planted_host {
  PLANTED_REGULAR,   /* degree 4 */
  PLANTED_POWER_LAW, /* mean degree 4, at least 2, exponent -1.5 */
  PLANTED_ER,        /* 2n edges */
  PLANTED_GRID,      /* a tenth of the edges removed, a tenth of the squares with a diagonal */
  PLANTED_CLIQUE,    /* as PLANTED_ER, then all edges of S */
  PLANTED_PATH_END,
  PLANTED_PATH_MIDDLE, /* vertex (k-1)/2 of 0..k-1 */
  PLANTED_STAR_CENTRE,
  PLANTED_STAR_LEAF,
  PLANTED_BINARY_ROOT, /* v hangs on (v-1)/2 */
  PLANTED_TREE,        /* v hangs on a random one of 0..v-1; a random vertex */
  PLANTED_CYCLE,
  /* One vertex, then k-1 layers of two, each joined to all of the one before,
   * each with a colour of its own: 2^(k-1) matches hold the first vertex.
   * Colours are distinct, and nothing else matches. */
  PLANTED_LAYERS
} planted_host;
#define PLANTED_FAMILIES 5
#define PLANTED_HOSTS 13

typedef enum planted_motif {
  PLANTED_DISTINCT, /* k colours */
  PLANTED_PAIRS,    /* each colour twice, the last once where k is odd */
  PLANTED_ONE       /* one colour k times */
} planted_motif;
#define PLANTED_MOTIFS 3

typedef struct planted_setting {
  planted_host host;
  planted_motif motif;
  bool crowded; /* families only */
  uint32_t k;   /* 2..16 */
} planted_setting;

typedef struct planted_case {
  planted_setting setting;
  uint32_t n;
  uint64_t adjacent[PLANTED_MOST_VERTICES]; /* bit u of adjacent[v]: edge {u, v} */
  uint32_t colors;                          /* of the motif */
  uint8_t slots[MS_MAX_K + 1];          /* [colors + 1]; the last, 0, is no colour of the motif */
  uint8_t color[PLANTED_MOST_VERTICES]; /* 0..colors */
  uint64_t core;                        /* S, or all layers */
  uint32_t vertex;                      /* certainly in a match */
  uint32_t redrawn;                     /* graphs thrown away: no connected set of k vertices */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
} planted_case;

const char *planted_host_name(planted_host host);
const char *planted_motif_name(planted_motif motif);
/* Colours of that motif of k slots. */
uint32_t planted_colors(planted_motif motif, uint32_t k);

/* A function of setting and seed.  Freed by planted_free, also after a failure. */
ms_status planted_make(const planted_setting *setting, uint64_t seed, planted_case *out,
                       ms_error *err);
void planted_free(planted_case *c);

/* Whether core is exactly the set of vertices that are in matches. */
bool planted_core_is_all(const planted_case *c);

typedef struct planted_search {
  uint64_t matches; /* found */
  uint64_t covered; /* vertices of those */
  bool gave_up;     /* there may be more */
} planted_search;

/* Matches that hold v, by trying all connected sets; stops at `most` > 0, and
 * gives up after some millions of sets.  Shares no code with the library. */
planted_search planted_find(const planted_case *c, uint32_t v, uint64_t most);

/* The probability that one repetition misses c->vertex, where it is known in
 * closed form, else NAN (docs/MISS_RATE.md, "What theory expects").  Right to one
 * part in 100. */
double planted_expected(const planted_case *c, ms_recurrence recurrence);

/* A bijection of 64 bits (the finaliser of splitmix64). */
uint64_t planted_mix(uint64_t x);

#endif
