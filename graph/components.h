/* Connected components of compressed sparse rows. */
#ifndef MS_GRAPH_COMPONENTS_H
#define MS_GRAPH_COMPONENTS_H

#include "motifsieve.h"

/* component[n] numbered from 0 by smallest vertex; *count their number. */
ms_status ms_components(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                        uint32_t *component, uint32_t *count, ms_error *err);

#endif
