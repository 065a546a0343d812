/* What typed-match writes (docs/RESULT.md, "Typed matches"): rows as they are
 * found, as TSV or JSON lines. */
#ifndef MS_RESULT_TYPED_WRITER_H
#define MS_RESULT_TYPED_WRITER_H

#include "cli/job.h"
#include "result/row_buffer.h"

struct ms_typed_writer;

typedef struct ms_typed_output {
  /* what the rows are of, set by the caller */
  const ms_job *job; /* its options; graph and coloring, where the typed graph is made of a plain
                        one; no more of it */
  const ms_typed *graph;
  const ms_typed_pattern *pattern;
  bool pattern_is_text; /* options.pattern.path is no path, but the pattern itself */
  bool inexact;
  const ms_typed_match_options *options;
  const struct ms_typed_writer *writer;
  ms_outfile *out;
  ms_row_buffer *buffer; /* in front of `out`, for rows */
  uint64_t rows;         /* written so far; the caller counts */
  /* the writer's, of zeros at first */
  ms_counter number; /* of the last row */
  bool escapes;      /* JSON: some name needs them */
} ms_typed_output;

/* head, then rows any number of times, then end. */
typedef struct ms_typed_writer {
  /* of `known` the number of automorphisms; inexact: the length of the walk and
   * the best score */
  ms_status (*head)(ms_typed_output *output, const ms_typed_result *known, ms_error *err);
  /* rows[count][p], through the buffer, which may keep some; what fails sticks to the file.
   * score[count] of inexact matches, else NULL */
  void (*rows)(ms_typed_output *output, const uint32_t *rows, const uint32_t *score,
               uint64_t count);
  /* after the last row, when the buffer is empty; `status` in words as ms_status_words */
  ms_status (*end)(ms_typed_output *output, const char *status, ms_error *err);
} ms_typed_writer;

extern const ms_typed_writer ms_typed_writer_tsv, ms_typed_writer_json;

/* --count --json: one object. */
ms_status ms_put_typed_count(ms_outfile *out, const ms_typed_output *output,
                             const ms_typed_result *result, const char *status, ms_error *err);

/* ---- words that both share ------------------------------------------------- */

/* The ways of reading that have a line or a key each: name and value, NULL where
 * it was not used. */
#define MS_TYPED_COLUMNS 7
typedef struct ms_typed_setting {
  const char *name, *value;
} ms_typed_setting;
void ms_typed_settings(const ms_typed_options *options, ms_typed_setting setting[MS_TYPED_COLUMNS]);

const char *ms_typed_format_text(ms_typed_format format); /* "plain" for AUTO */
/* A typed graph and how it was read; path has it, too. */
void ms_put_typed_graph_lines(ms_outfile *out, const ms_typed *graph,
                              const ms_typed_options *reading);
const char *ms_typed_semantics(const ms_typed_output *output);
const char *ms_typed_walk_text(ms_typed_walk walk);

#endif
