/* What the exact and the inexact way of a typed pattern share. */
#ifndef MS_CLI_PIPELINE_TYPED_H
#define MS_CLI_PIPELINE_TYPED_H

#include "graph/typed/filter.h"

#include <gmp.h>

/* The compound type filter, which goes in front of every typed query; edges_kept,
 * vertices_kept and time_filter of the result. */
ms_status ms_typed_cut(const ms_typed_query *query, const ms_typed_match_options *options,
                       ms_typed_part **part, ms_typed_result *result, ms_error *err);
/* ms_typed_match in a part that was cut before; NULL: cut here. */
ms_status ms_typed_match_part(const ms_typed_query *query, const ms_typed_match_options *options,
                              const ms_typed_part *part, ms_typed_result **out, ms_error *err);
/* Decimal; freed with ms_free. */
ms_status ms_typed_number_text(const mpz_t number, char **out, ms_error *err);

#endif
