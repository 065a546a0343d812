/* What the command components has found, for its two writers. */
#ifndef MS_CLI_COMPONENTS_H
#define MS_CLI_COMPONENTS_H

#include "base/outfile.h"
#include "cli/job.h"

typedef struct ms_components_work {
  ms_job job;       /* of the job, only options and graph are used */
  uint32_t count;   /* number of all components */
  uint32_t shown;   /* number of components that get rows: the first ones */
  uint32_t *begin;  /* [count + 1] begin of each component in `vertex`, the largest first */
  uint32_t *vertex; /* [n] ascending within a component */
  double time_read, time_find; /* seconds */
} ms_components_work;

/* Returns the number of vertices of component c. */
uint32_t ms_components_size(const ms_components_work *work, uint32_t c);

/* Writes the rows of component c as JSON lines: one row for each vertex, or with --sizes a single
 * row. */
ms_status ms_components_json(ms_outfile *out, const ms_components_work *work, uint32_t c,
                             ms_error *err);

#endif
