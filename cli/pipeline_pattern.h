/* The sieve in front of a pattern listing. */
#ifndef MS_CLI_PIPELINE_PATTERN_H
#define MS_CLI_PIPELINE_PATTERN_H

#include "enumerate/pattern_index.h"

/* Decide whether the sieve goes first, and run it: *allowed receives the bits
 * of the index ids that may be in a match, for the caller to ms_free, or NULL:
 * all.  Fills in screen, screen_reason and region_vertices of the result. */
ms_status ms_pattern_screen(const ms_pattern_index *index, const ms_pattern *pattern,
                            const ms_shape *shape, const ms_pattern_options *options,
                            uint64_t **allowed, ms_pattern_result *result, ms_error *err);

#endif
