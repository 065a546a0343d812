/* Domains on a GPU (domains.cuh). */
#ifndef MS_GPU_MATCH_DOMAINS_H
#define MS_GPU_MATCH_DOMAINS_H

#include "match/domain_task.h"

/* ms_pattern_engine.filter_domains (match/engine.h): makes the tests on the GPU on which an earlier
 * search has left the index.  MS_ERR_USAGE: there is none, or the host is expected to be as fast.
 */
ms_status ms_gpu_filter_domains(const ms_domain_task *task, ms_error *err);

#endif
