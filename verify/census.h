/* Inside verify/: what is known of a census that is checked. */
#ifndef MS_VERIFY_CENSUS_H
#define MS_VERIFY_CENSUS_H

#include "verify/certificate.h"

#define MS_SIGNIFICANCE_COLUMNS 7u /* expected, sd, z, p, q, p_less, q_less */
#define MS_STORED_SETS 4096u       /* of so few sets, all pairs are compared */

/* The sets of a motif, or those that hold a vertex. */
typedef struct ms_motif_number {
  uint32_t vertex;               /* 0 in a census of the whole graph */
  uint32_t color[MS_MAX_CENSUS]; /* [k] ascending, then zeros */
  uint64_t sets;                 /* 0: the place is free */
} ms_motif_number;

struct ms_verify_census {
  ms_certificate *c;
  uint32_t k;
  bool of_vertices;
  ms_coloring *coloring;                   /* the colours that count */
  ms_motif_number *stated;                 /* [rows] in the order of the file */
  uint64_t *line;                          /* [rows] */
  double *share;                           /* [rows] */
  double (*statistic)[MS_MOST_STATISTICS]; /* [rows], where there are such columns */
  uint64_t rows, room;
  ms_motif_number *counted; /* [places] */
  uint64_t places, used;
  uint64_t sets;                  /* that were listed */
  uint64_t *taking;               /* [vertices] sets that hold each vertex, for the significance */
  uint32_t (*set)[MS_MAX_CENSUS]; /* [sets up to MS_STORED_SETS] */
  ms_motif_number *fits;          /* [fit_room] motifs that a set fits */
  uint64_t fit_room;
  bool full; /* there was no memory */
};

/* Checks the columns of significance, and what the head says of them, after the recount:
 * `recounted` says whether all sets were listed.  significance.c says how. */
ms_status ms_check_significance(ms_certificate *c, bool recounted, ms_error *err);

#endif
