/* Inside verify/: a result file against the inputs.
 *
 *   header -> inputs as it states -> query as it states -> each row -> miss bound -> recount
 *
 * The first of them that is wrong refuses the file. */
#ifndef MS_VERIFY_CERTIFICATE_H
#define MS_VERIFY_CERTIFICATE_H

#include "verify/result.h"
#include "verify/row_set.h"
#include "verify/verify.h"

typedef struct ms_certificate {
  const ms_verify_options *options;
  const char *graph_path, *colors_path; /* as given; colors_path may be NULL */
  ms_verify_report *report;
  ms_tape *tape; /* the result file's bytes */
  ms_result result;

  /* the inputs */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_typed *typed; /* of typed matches */

  /* the query: a motif, a pattern or a typed pattern */
  ms_motif *motif;
  ms_query *query;
  ms_pattern *pattern;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
  ms_judge *judge;
  mpz_t automorphisms; /* of a pattern */

  bool certain;     /* the file states that nothing can be missed */
  uint64_t rows;    /* read so far */
  ms_row_set *set;  /* list: the rows */
  uint32_t *row_of; /* screen: [n] row of the vertex, from 1; 0: none */
  uint8_t *flagged; /* screen: [n] */
} ms_certificate;

/* ---- inputs.c -------------------------------------------------------------------- */

/* Read graph and colours as header and options say, and compare them with the header. */
ms_status ms_check_inputs(ms_certificate *c, ms_error *err);
/* The vertex of that very name: other names of vertices (ms_graph_read_aliases) do not occur in a
 * result. */
ms_status ms_find_named(ms_certificate *c, uint64_t line, const char *name, uint32_t *v);
const char *ms_name_of(const ms_certificate *c, uint32_t v);

/* Numbers of an input that the header states, too. */
ms_status ms_check_count(ms_certificate *c, ms_part part, const char *path, const char *what,
                         uint64_t actual, uint64_t stated);
ms_status ms_check_crc32c(ms_certificate *c, ms_part part, const char *kind, const char *path,
                          uint32_t actual, uint32_t stated);
/* Refuse with the reason that a constructor gave for bad words in the header;
 * other failures are passed on. */
ms_status ms_refuse_words(ms_certificate *c, ms_part part, ms_status status, const ms_error *reason,
                          ms_error *err);

/* ---- question.c: the query and its judge ------------------------------------------- */

ms_status ms_open_motif(ms_certificate *c, ms_error *err);
ms_status ms_open_pattern(ms_certificate *c, ms_error *err);
ms_status ms_open_typed(ms_certificate *c, ms_error *err);

/* ---- list.c, screen.c ---------------------------------------------------------------- */

/* Check all rows, and keep them for the recount. */
ms_status ms_check_matches(ms_certificate *c, ms_error *err);
ms_status ms_check_vertices(ms_certificate *c, ms_error *err);

/* Look for what the file lacks, and in a screen for flags that no match supports.  They note in the
 * report how far they came. */
ms_status ms_recount_matches(ms_certificate *c, ms_error *err);
ms_status ms_recount_vertices(ms_certificate *c, ms_error *err);
/* A search that the token ended is no failure: what was checked stands. */
ms_status ms_note_stop(ms_certificate *c, ms_status status);
/* What to make of missing rows, as the end of a sentence. */
const char *ms_missing_explanation(const ms_certificate *c);

#endif
