/* Inside verify/: a result file against the inputs. */
#ifndef MS_VERIFY_CERTIFICATE_H
#define MS_VERIFY_CERTIFICATE_H

#include "verify/result.h"
#include "verify/verify.h"

typedef struct ms_certificate {
  const ms_verify_options *options;
  ms_verify_report *report;
  ms_tape *tape; /* the result file's bytes */
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

/* Read graph and colours as header and options say, and compare them with the
 * header. */
ms_status ms_check_inputs(ms_certificate *certificate, const char *graph_path,
                          const char *colors_path, ms_error *err);
/* A file must be given if and only if the result was made with one; the header
 * knows its path then.  That it is the same file is seen later. */
ms_status ms_check_given(const ms_certificate *certificate, const char *option, bool given,
                         const char *path, ms_error *err);
/* Numbers of an input that the header states, too. */
ms_status ms_check_count(ms_certificate *certificate, ms_part part, const char *path,
                         const char *what, uint64_t actual, uint64_t stated);
ms_status ms_check_crc32c(ms_certificate *certificate, ms_part part, const char *kind,
                          const char *path, uint32_t actual, uint32_t stated);
/* Refuse with the reason that a constructor gave for bad words in the header;
 * other failures are passed on. */
ms_status ms_refuse_words(ms_certificate *certificate, ms_part part, ms_status status,
                          const ms_error *reason, ms_error *err);

/* Check all rows and keep them for the recount. */
ms_status ms_check_rows(ms_certificate *certificate, ms_error *err);
/* Look for what the file lacks; and, in a screen, for flags that no match
 * supports.  Notes in the report how far it came. */
ms_status ms_check_by_recount(ms_certificate *certificate, ms_error *err);
/* What to make of missing rows, as the end of a sentence. */
const char *ms_missing_explanation(const ms_certificate *certificate);

#endif
