/* The parts of path: what is asked for, the search, and what is written. */
#ifndef MS_CLI_PATH_H
#define MS_CLI_PATH_H

#include "base/progress.h"
#include "cli/options.h"
#include "result/writer.h"

typedef struct ms_path_job {
  const ms_cli_options *options;
  ms_typed *graph;
  uint32_t *types; /* [n_types] the types that --types names; NULL: the usual ones */
  uint32_t n_types;
  uint32_t (*pairs)[2]; /* [count] */
  uint64_t count, room;
  uint32_t pairs_crc32c; /* checksum of the file; 0: there is no file */
  ms_stop *stop;
  ms_progress progress;
  ms_writer writer;
  ms_status status; /* status of the first failure to write */
  ms_error err;
} ms_path_job;

/* These two read --types, and SOURCE and TARGET or --pairs, by the graph's names. */
ms_status ms_path_read_types(ms_path_job *job, ms_error *err);
ms_status ms_path_read_pairs(ms_path_job *job, ms_error *err);

/* These two write the rows of a pair, from 0: in TSV one row for each step, in JSON lines a single
 * one. */
void ms_path_put_tsv(ms_path_job *job, uint64_t pair, const ms_typed_path *path);
ms_status ms_path_put_json(ms_path_job *job, uint64_t pair, const ms_typed_path *path,
                           ms_error *err);

#endif
