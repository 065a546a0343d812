/* A program as conjunctions on its way to a GPU. */
#ifndef MS_GPU_MATCH_CONJUNCTION_UPLOAD_H
#define MS_GPU_MATCH_CONJUNCTION_UPLOAD_H

#include "gpu/match/conjunction.h"
#include "gpu/match/context.h"

/* siblings: as for ms_trie_tables_new.  *tables: to be freed even on failure.
 * *memory: device memory of the tables that *out points to, to be freed before
 * the context is closed.  Returns when the tables have been read. */
ms_status ms_trie_upload(ms_gpu_pattern *context, const ms_program *program, bool siblings,
                         ms_trie_tables *tables, void **memory, ms_trie_program *out,
                         ms_error *err);

#endif
