/* Inside verify/: the rows of a result of pattern matches, as they come, and
 * whether some are missing; for every sort of pattern. */
#ifndef MS_VERIFY_PATTERN_ROWS_H
#define MS_VERIFY_PATTERN_ROWS_H

#include "verify/pattern_file.h"
#include "verify/row_set.h"

#include <gmp.h>

/* What is known of the inputs.  All functions take `inputs`. */
typedef struct ms_row_judge {
  void *inputs;
  uint32_t vertices; /* of the graph */
  /* the vertex of that own name, or MS_NO_ID */
  uint32_t (*find)(const void *inputs, const char *name);
  const char *(*name)(const void *inputs, uint32_t v);
  /* NULL: row[p] is a match; else what it does, as "lacks an edge" */
  const char *(*fault)(const void *inputs, const uint32_t *row);
  /* all embeddings; `found` may be NULL */
  ms_status (*recount)(const void *inputs, mpz_t embeddings, ms_found_fn found, void *user,
                       const ms_stop *stop, ms_error *err);
} ms_row_judge;

typedef struct ms_pattern_rows {
  ms_certificate *certificate;
  ms_pattern_file *file; /* its header is read */
  const ms_row_judge *judge;
  ms_row_set *set; /* the rows read; to be freed by the owner of this */
} ms_pattern_rows;

/* Every row, and the totals at the end. */
ms_status ms_pattern_rows_check(ms_pattern_rows *rows, ms_error *err);
/* Unless the file is incomplete, or no recount is wanted: is the number of rows
 * that of all matches?  Notes in the report how far that came. */
ms_status ms_pattern_rows_recount(ms_pattern_rows *rows, const mpz_t automorphisms, ms_error *err);

#endif
