/* What components has found, for its two writers. */
#ifndef MS_CLI_COMPONENTS_H
#define MS_CLI_COMPONENTS_H

#include "base/outfile.h"
#include "cli/job.h"

typedef struct ms_components_work {
  ms_job job;                  /* options and graph alone */
  uint32_t count;              /* components, all of them */
  uint32_t shown;              /* the first so many, which rows are written of */
  uint32_t *begin;             /* [count + 1] of component c, the largest first, in vertex */
  uint32_t *vertex;            /* [n] ascending within a component */
  double time_read, time_find; /* seconds */
} ms_components_work;

/* Vertices of component c. */
uint32_t ms_components_size(const ms_components_work *work, uint32_t c);

/* The rows of component c as JSON lines: one, or without --sizes one for each vertex. */
ms_status ms_components_json(ms_outfile *out, const ms_components_work *work, uint32_t c,
                             ms_error *err);

#endif
