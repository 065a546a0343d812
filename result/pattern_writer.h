/* What list --pattern writes (docs/RESULT.md, "Pattern matches"): rows as they
 * are found, in one of three forms. */
#ifndef MS_RESULT_PATTERN_WRITER_H
#define MS_RESULT_PATTERN_WRITER_H

#include "cli/job.h"
#include "graph/names.h"
#include "result/row_buffer.h"

struct ms_pattern_writer;

typedef struct ms_pattern_output {
  const ms_job *job;
  const struct ms_pattern_writer *writer;
  ms_outfile *out;
  uint64_t rows;         /* written so far */
  ms_counter number;     /* of the last row */
  ms_row_buffer *buffer; /* in front of `out`, for rows */
  bool escapes;          /* JSON: some name needs them */
} ms_pattern_output;

/* head, then rows any number of times, then end. */
typedef struct ms_pattern_writer {
  /* `known`: what there is to tell before the first row, see ms_pattern_begin_fn */
  ms_status (*head)(ms_pattern_output *output, const ms_pattern_result *known, ms_error *err);
  /* rows[count][p], through the buffer, which may keep some; what fails sticks to the file */
  void (*rows)(ms_pattern_output *output, const uint32_t *rows, uint64_t count);
  /* after the last row, and when the buffer is empty */
  ms_status (*end)(ms_pattern_output *output, const ms_pattern_result *result, ms_error *err);
} ms_pattern_writer;

extern const ms_pattern_writer ms_pattern_writer_tsv, ms_pattern_writer_json,
    ms_pattern_writer_binary;

/* The head of the TSV form, also found in the binary one. */
void ms_put_pattern_head(ms_outfile *out, const ms_job *job, const ms_pattern_result *known);

/* --count --json: one object. */
ms_status ms_put_pattern_count(ms_outfile *out, const ms_job *job, const ms_pattern_result *result,
                               ms_error *err);

/* Rows of vertices as list --pattern and typed-match write them: a tab in front
 * of each name and a line feed behind the last; strings of JSON between commas. */
void ms_put_row_fields(ms_row_buffer *buffer, const ms_name_blocks *names, uint32_t p,
                       const uint32_t *row);
void ms_put_row_strings(ms_row_buffer *buffer, const ms_name_blocks *names, bool escapes,
                        uint32_t p, const uint32_t *row);
/* Does any name hold what JSON escapes? */
bool ms_names_need_escapes(const ms_name_blocks *names);
/* The last line in JSON. */
ms_status ms_put_json_end(ms_outfile *out, const char *status, uint64_t rows, ms_error *err);

/* The status of the result in words. */
const char *ms_pattern_status(const ms_job *job, const ms_pattern_result *result);
/* Are there as many matches as --limit allows? */
bool ms_pattern_at_limit(const ms_job *job, const ms_pattern_result *result);
/* "subgraphs" or "embeddings". */
const char *ms_pattern_semantics(const ms_job *job);

#endif
