/* Random patterns that fall apart at a vertex and small random graphs with hubs, and brute force
 * for them. */
#ifndef MS_TESTS_SUPPORT_HINGE_CASE_H
#define MS_TESTS_SUPPORT_HINGE_CASE_H

#include "tests/support/search/count_trial.h"

enum { HINGE_MOST_N = 14, HINGE_MOST_M = 40, HINGE_MOST_P = 7, HINGE_COLORS = 3 };

/* A graph and a pattern as their edges: [u][v] an arc u -> v. */
typedef struct hinge_case {
  uint32_t n, p;
  bool directed, colored;
  bool arc[HINGE_MOST_N][HINGE_MOST_N], wanted[HINGE_MOST_P][HINGE_MOST_P];
  uint32_t color[HINGE_MOST_N];   /* of the graph's vertices */
  uint32_t accepts[HINGE_MOST_P]; /* bits of colours */
  /* [pattern vertex][vertex] brute force does not match these; the library does not know it */
  bool excluded[HINGE_MOST_P][HINGE_MOST_N];
  uint32_t edges, edge[HINGE_MOST_M][2];
  uint32_t wants, want[HINGE_MOST_P * HINGE_MOST_P][2];
} hinge_case;

typedef struct hinge_trial {
  count_trial t;
  ms_coloring *coloring;
} hinge_trial;

/* Adds an edge to the graph, unless it is there. */
void hinge_case_join(hinge_case *c, uint32_t u, uint32_t v);
/* Adds an edge to the pattern, in a random direction, unless it is there. */
void hinge_case_want(hinge_case *c, uint64_t *state, uint32_t u, uint32_t v);
/* Draws a pattern of 4 to 7 vertices with a hinge, and a graph of 7 to 14; a quarter of the seeds
 * give directed ones, and a third colours. */
void hinge_case_draw(hinge_case *c, uint64_t seed);
/* Returns the number of maps of the pattern. */
uint64_t hinge_case_maps(const hinge_case *c);
/* Returns the number of maps of the vertices whose bits are in `part` that take `root` to v. */
uint64_t hinge_case_rooted(const hinge_case *c, uint32_t part, uint32_t root, uint32_t v);

/* Makes the library's objects; the index has ids of its own. */
void hinge_trial_make(hinge_trial *h, const hinge_case *c, int threads);
void hinge_trial_free(hinge_trial *h);

/* Lets every way to count be compared, however short a search is, and sets the weight of hinges and
 * of rooted numbers that are not counted by programs. */
void hinge_choose_weight(double weight);
/* Brings the usual choice back. */
void hinge_choose_as_usual(void);

#endif
