/* Inside verify/: a result file against the inputs. */
#ifndef MS_VERIFY_CERTIFICATE_H
#define MS_VERIFY_CERTIFICATE_H

#include "verify/result.h"
#include "verify/verify.h"

typedef struct ms_certificate {
  const ms_verify_options *options;
  ms_verify_report *report;
  ms_result result;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  bool certain;       /* the file states that nothing can be missed */
  uint64_t first_row; /* line of the first row */
  uint32_t *matches;  /* list: [rows][k] */
  uint64_t rows, capacity;
  uint32_t *row_of; /* screen: [n] row of the vertex, from 1; 0: none */
  uint8_t *flagged; /* screen: [n] */
} ms_certificate;

/* Check all rows and keep them for the recount. */
ms_status ms_check_rows(ms_certificate *certificate, ms_error *err);
/* Look for what the file lacks; and, in a screen, for flags that no match
 * supports.  Notes in the report how far it came. */
ms_status ms_check_by_recount(ms_certificate *certificate, ms_error *err);

#endif
