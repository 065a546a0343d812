/* Inside verify/: what is known of a census that is checked. */
#ifndef MS_VERIFY_CENSUS_H
#define MS_VERIFY_CENSUS_H

#include "verify/statistics/permuted.h"

#define MS_STORED_SETS 4096u /* of so few sets, all pairs are compared */

typedef struct ms_verify_orbits ms_verify_orbits;

struct ms_verify_census {
  ms_certificate *c;
  ms_verify_orbits *orbits; /* of a census of the orbits of each vertex; NULL: it is none */
  uint32_t k;
  bool of_vertices, of_shapes;
  ms_coloring *coloring;              /* the colours that count */
  ms_census_number *stated;           /* [rows] in the order of the file */
  uint64_t *line;                     /* [rows] */
  double *share;                      /* [rows] */
  double (*statistic)[MS_STATISTICS]; /* [rows], if the census has statistics */
  uint64_t rows, room;
  ms_census_number *counted; /* [places] */
  uint64_t places, used;
  ms_census_number *absent; /* [n_absent] motifs without a set that are expected often enough for a
                               row, but that the options left out */
  uint64_t n_absent, absent_room;
  uint64_t sets;                  /* that were listed */
  uint64_t *taking;               /* [vertices] sets that hold each vertex, for the significance */
  uint32_t (*set)[MS_MAX_CENSUS]; /* [sets up to MS_STORED_SETS] */
  ms_census_number *fits;         /* [fit_room] motifs that a set fits */
  uint64_t fit_room;
  bool full; /* there was no memory */
};

/* ---- shapes (shapes.c), whose code is in the last place of the colours of a number ------------
 */

/* A graph of k vertices with colours. */
typedef struct ms_verify_small {
  uint32_t k;
  bool directed;
  bool arc[MS_MAX_SHAPE][MS_MAX_SHAPE];
  uint32_t color[MS_MAX_SHAPE];
} ms_verify_small;

/* Where a graph belongs: the colours of its class, ascending, the least code of all orders of its
 * vertices in which colours ascend, and the lowest place that each vertex has in such an order. */
typedef struct ms_verify_class {
  uint32_t color[MS_MAX_SHAPE], code, place[MS_MAX_SHAPE], automorphisms;
} ms_verify_class;

void ms_verify_classify(const ms_verify_small *g, ms_verify_class *out);
/* Sets color[] to the colours and the code of the class of the graph, as in a row. */
void ms_verify_shape_key(const ms_verify_small *g, uint32_t color[MS_MAX_CENSUS]);
/* Takes the arcs of a code of k vertices. */
void ms_verify_take_code(uint32_t k, bool directed, uint32_t code, ms_verify_small *out);
/* Takes the arcs between the vertices of a set. */
void ms_verify_take_set(const ms_graph *graph, const uint32_t *set, uint32_t k,
                        ms_verify_small *out);
/* Reads the text of a shape; *right: it is the canonical text of its class. */
ms_status ms_verify_read_shape(const ms_certificate *c, const char *text, ms_verify_small *g,
                               ms_verify_class *class, bool *right, ms_error *err);
/* Reads the shape of the row, and its colours, ascending; refuses it unless its text is the
 * canonical one, and its other columns fit. */
ms_status ms_verify_shape_row(ms_certificate *c, uint32_t color[MS_MAX_CENSUS], ms_error *err);
/* Sets key->color to the colours and the shape of a set with one colour each. */
void ms_verify_shape_of_set(const ms_verify_census *census, const uint32_t *set,
                            ms_census_number *key);
/* Receives a subgraph; false: no further one. */
typedef bool ms_verify_subgraph_fn(void *user, const ms_verify_small *part);
/* Passes on each connected subgraph on all vertices of a graph: every subset of its edges is looked
 * at.  Returns false if the receiver did. */
bool ms_verify_subgraphs(const ms_verify_small *whole, ms_verify_subgraph_fn *receive, void *user);
/* Adds to the number of a motif in counted[]; false: no memory. */
typedef bool ms_verify_add_fn(ms_verify_census *census, const ms_census_number *key, uint64_t sets);
/* True if rows may have no sets. */
static inline bool ms_verify_census_has_absent(const ms_result_header *h)
{
  const uint32_t permuted_shapes = MS_HAS_SHAPES | MS_HAS_PERMUTATIONS;
  return h->has & MS_HAS_SIGNIFICANCE ||
         (!(h->has & MS_HAS_COLORS) && (h->has & permuted_shapes) == permuted_shapes);
}
/* Checks the means by formula of all rows, after the recount. */
ms_status ms_verify_means(ms_certificate *c, ms_error *err);
/* Checks perm_profile of all rows. */
ms_status ms_verify_profile(ms_certificate *c);
/* Turns counted[], the numbers of sets by their shapes, into those of all subgraphs.  It is slow:
 * each subset of the edges of a shape is looked at. */
ms_status ms_verify_all_subgraphs(ms_verify_census *census, ms_verify_add_fn *add, ms_error *err);
/* Sets count to the matches of one row, as subgraphs. */
ms_status ms_verify_recount_shape(ms_certificate *c, uint64_t row, const ms_stop *stop, mpz_t count,
                                  ms_error *err);

/* ---- orbits (orbits.c) ------------------------------------------------------------------- */

/* *out must be freed in any case. */
ms_status ms_verify_orbits_open(ms_certificate *c, ms_verify_orbits **out, ms_error *err);
void ms_verify_orbits_free(ms_verify_orbits *orbits); /* accepts NULL */
/* Reads all rows. */
ms_status ms_verify_orbits_check(ms_verify_orbits *orbits, ms_error *err);
/* Counts again and compares.  coloring: the colours that count; without colours, all are alike. */
ms_status ms_verify_orbits_recount(ms_verify_orbits *orbits, const ms_coloring *coloring,
                                   ms_error *err);

/* Compares two ms_census_number by the vertex, then by falling numbers of sets, then by the
 * colours: the order of rows. */
int ms_verify_census_order(const void *a, const void *b);

/* Lists the motifs that the recount has found and that have no row, in no order; there are *count
 * of them.  *out, which the caller frees, has the first `most` of them. */
ms_status ms_census_left_out(const ms_verify_census *census, uint64_t most, ms_census_number **out,
                             uint64_t *count, ms_error *err);

/* Checks the columns of significance, and what the head says of them, after the recount:
 * `recounted` says whether all sets were listed.  significance.c says how. */
ms_status ms_check_significance(ms_certificate *c, bool recounted, ms_error *err);

#endif
