/* Long runs: parts of a run on several machines, and checkpoints.  motifsieve.h includes this
 * file. */
#ifndef MOTIFSIEVE_PARTS_H
#define MOTIFSIEVE_PARTS_H

#include "motifsieve/base.h"

/* ---- parts and checkpoints ----------------------------------------------------------- */

#define MS_MOST_PARTS 1000000u /* of a run */

/* How a long run is divided, and where its state is saved.  docs/PARTS.md says more. */
typedef struct ms_division {
  size_t size;            /* set by MS_DIVISION_DEFAULT */
  uint32_t part, parts;   /* do the part-th of `parts` parts, 1 <= part <= parts; both 0: all */
  const char *checkpoint; /* the file in which the state of the run is saved; NULL: none.  Rows go
                             to a second one, whose name has ".rows" behind it.  Both stay when
                             the run has ended: they are the caller's to remove */
  double checkpoint_seconds; /* between two savings; 0: 30 */
  bool resume;               /* go on from the state in that file, if there is one; else the file
                                must not exist */
  /* receives a line of text if the state cannot be saved: the run goes on, and `checkpoint` stays
   * as it was; may be NULL */
  void (*warn)(void *user, const char *message);
  void *warn_user;
  struct ms_crew *crew; /* the ranks of motifsieve-mpi; NULL in any other program */
  /* Compute this part of the work a second time, by another device or another implementation, and
   * compare, and keep checksums of what is added (docs/PARANOID.md); 0 < paranoid <= 1, 0: do not.
   * `warn` receives a line for each difference. */
  double paranoid;
} ms_division;
#define MS_DIVISION_DEFAULT                                                                        \
  {                                                                                                \
    .size = sizeof(ms_division)                                                                    \
  }

#define MS_PARANOID_USUAL                                                                          \
  0.05 /* the part of the work that `motifsieve --paranoid` computes twice */

typedef struct ms_merge_options {
  size_t size;       /* set by MS_MERGE_OPTIONS_DEFAULT */
  ms_run_limits run; /* only `memory`, `stop` and progress */
  const char *below; /* the folder below which the inputs have to lie that part 1 names; NULL: the
                        folder of part 1 */
} ms_merge_options;
#define MS_MERGE_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_merge_options)                                                               \
  }

typedef struct ms_merge_report {
  uint32_t parts; /* that were merged */
  uint64_t rows;  /* of the merged result; 0 for a count */
} ms_merge_report;

/* Merges the result files of all parts of a run, in any order, and writes the result of the
 * undivided run to `path`, which is treated as by ms_graph_write.  The inputs of the run are not
 * needed, but for a count of a pattern and for a list of up to 2^20 matches of a motif; they are
 * read from the paths that part 1 states, if these lead to regular files below `below`, and
 * messages show no text of these files.  `report` may be NULL.  MS_ERR_INPUT: a part is missing,
 * there twice, damaged, incomplete, or of another run; the message names it, and says what differs.
 * MS_ERR_USAGE: `path` is an input of the run, as a part states it; nothing is written. */
MS_API ms_status ms_merge(const char *const *parts, uint32_t count, const ms_merge_options *options,
                          const char *path, ms_merge_report *report, ms_error *err);

#endif
