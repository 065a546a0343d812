/* Inside verify/: what is known of a census that is checked. */
#ifndef MS_VERIFY_CENSUS_H
#define MS_VERIFY_CENSUS_H

#include "verify/statistics/permuted.h"

#define MS_STORED_SETS 4096u /* of so few sets, all pairs are compared */

struct ms_verify_census {
  ms_certificate *c;
  uint32_t k;
  bool of_vertices;
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
