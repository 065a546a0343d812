/* Inside run/: merging the parts of a run.  merge.c opens the parts and checks that they are those
 * of one run; the functions below make the result of each kind. */
#ifndef MS_RUN_MERGE_H
#define MS_RUN_MERGE_H

#include "parts/identity.h"
#include "result/writer.h"
#include "verify/reader/result.h"

typedef struct ms_merged_part {
  ms_tape tape;
  ms_result result; /* its header is read, and none of its rows */
  /* what its head says of the run: its inputs and options, and what follows from them */
  ms_identity asked, derived;
  bool open; /* tape and result are */
} ms_merged_part;

typedef struct ms_merging {
  const char *const *path; /* [count] */
  ms_merged_part *part;    /* [count] in the order of `path` */
  uint32_t count;
  uint32_t *by_number; /* [count] the place of part 1, 2, .. */
  const ms_merge_options *options;
  ms_result first;  /* of part 1: the header that the writer has points into it */
  ms_writer writer; /* its header is that of the undivided run, as far as the parts say it */
  uint64_t rows;
  double reported; /* when progress was reported last */
} ms_merging;

/* Reports progress, unless the last report was a moment ago and this one is neither the first nor
 * the last of what it counts. */
void ms_merging_report(ms_merging *m, const char *what, uint64_t done, uint64_t total);

/* Reads the headers of all parts, which are those of one run, and none is missing or there twice.
 */
ms_status ms_merging_open(ms_merging *m, ms_error *err);
/* Closes the file of a part, if it is open; its header stays. */
void ms_merged_part_close(ms_merged_part *part);
/* Opens the file of part i again, up to its rows; each part is read by itself, so that any number
 * of them can be merged. */
ms_status ms_merging_open_rows(ms_merging *m, uint32_t i, ms_error *err);
void ms_merging_close_rows(ms_merging *m, uint32_t i);
/* Reads the next row of part i; *more == false at the end of the part, which then is whole. */
ms_status ms_merging_next_row(ms_merging *m, uint32_t i, bool *more, ms_error *err);
/* Passes on what reading part i returned: MS_ERR_INPUT, with the reason, if it was refused. */
ms_status ms_merging_refuse(ms_merging *m, uint32_t i, ms_status status, ms_error *err);

/* Finds in a line of a match of part i what follows its number. */
ms_status ms_merging_rest_of_line(ms_merging *m, uint32_t i, const char *line, const char **rest,
                                  ms_error *err);
/* Writes a line of a match: its number in the whole, and the rest. */
void ms_merging_put_line(ms_merging *m, const char *rest, uint64_t number);
/* Reads the end of part i, behind its last row, with its checksum, and closes it. */
ms_status ms_merging_end_rows(ms_merging *m, uint32_t i, ms_error *err);
/* Writes the rows of a list that are sorted by their vertices, and the end: `rows` of all parts. */
ms_status ms_merge_sorted(ms_merging *m, uint64_t rows, ms_error *err);

/* The inputs that part 1 names, as ms_named_path allows. */
typedef struct ms_merged_inputs {
  const ms_merging *m;
  char *path[12];
  uint32_t count;
} ms_merged_inputs;
/* Puts a path that may be opened in place of *name, which part 1 states and may be NULL. */
ms_status ms_merged_input(ms_merged_inputs *inputs, const char **name, ms_error *err);
/* Returns `status`, of reading the inputs through the certificate, with a message that shows none
 * of their text; MS_ERR_INPUT if part 1 is refused. */
ms_status ms_merged_inputs_pass(const ms_merged_inputs *inputs, const ms_result *part,
                                ms_status status, ms_error *err);
void ms_merged_inputs_free(ms_merged_inputs *inputs);

/* These read the rows of all parts, and write the result but for its end. */
ms_status ms_merge_census(ms_merging *m, ms_error *err);
ms_status ms_merge_counts(ms_merging *m, ms_error *err);
ms_status ms_merge_permutations(ms_merging *m, ms_error *err);
ms_status ms_merge_vertices(ms_merging *m, ms_error *err);
ms_status ms_merge_screen(ms_merging *m, ms_error *err);
ms_status ms_merge_rows(ms_merging *m, ms_error *err);

/* Checks the columns of a row of shapes of part i, with their colours color[k], NULL: they are not
 * known, and sets *code.  Refuses what does not fit. */
ms_status ms_merging_check_shape(const ms_merging *m, uint32_t i, const uint32_t *color,
                                 uint32_t *code, ms_error *err);

#endif
