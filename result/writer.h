/* Writing a result file: a header, rows, an end, in one of three encodings.
 * Rows come while they are found and go through a buffer. */
#ifndef MS_RESULT_WRITER_H
#define MS_RESULT_WRITER_H

#include "graph/names.h"
#include "graph/typed.h"
#include "query/typed_query.h"
#include "result/header.h"
#include "result/row_buffer.h"

struct ms_encoding;

typedef struct ms_writer {
  ms_result_header header; /* the caller describes the result here, see below */
  const struct ms_encoding *encoding;
  ms_outfile *out;
  ms_row_buffer *buffer; /* in front of `out`, for rows */
  uint64_t rows;         /* written so far; whoever writes rows by hand counts them */
  ms_name_blocks names;  /* of the graph's vertices */
  bool escapes;          /* some name needs them in JSON */
  ms_counter number;     /* of the last match */
} ms_writer;

typedef struct ms_encoding {
  ms_status (*begin)(ms_writer *writer, ms_error *err);
  /* rows[count][k] of matches; score[count] of inexact ones, else NULL.  A failure sticks to the
   * file. */
  void (*matches)(ms_writer *writer, const uint32_t *rows, const uint32_t *score, uint64_t count);
  /* of a screen */
  void (*vertex)(ms_writer *writer, const ms_coloring *coloring, uint32_t v, uint32_t hits);
  ms_status (*end)(ms_writer *writer, ms_error *err);
} ms_encoding;

extern const ms_encoding ms_encoding_tsv, ms_encoding_json,
    ms_encoding_binary; /* of patterns only */

/* ---- one file: open, describe, begin, rows, end, close ------------------- */

/* To `path`, NULL or "-" for standard output.  Forgets what *writer held.  ms_writer_close must
 * follow in any case. */
ms_status ms_writer_open(ms_writer *writer, const char *path, const ms_encoding *encoding,
                         ms_error *err);
/* Write the header; `names` of the graph's vertices. */
ms_status ms_writer_begin(ms_writer *writer, const ms_names *names, ms_error *err);
/* Write matches; false where there is no use in further ones. */
bool ms_writer_matches(ms_writer *writer, const uint32_t *rows, const uint32_t *score,
                       uint64_t count);
void ms_writer_vertex(ms_writer *writer, const ms_coloring *coloring, uint32_t v, uint32_t hits);
/* What is still in the buffer, then the end.  header.status is set. */
ms_status ms_writer_end(ms_writer *writer, ms_error *err);
/* One JSON object in place of a file of rows: the number of matches. */
ms_status ms_writer_count(ms_writer *writer, ms_error *err);
/* Put the file in its place if `status` is MS_OK, else remove it. */
ms_status ms_writer_close(ms_writer *writer, ms_status status, ms_error *err);

/* ---- describing a result ------------------------------------------------- */

/* Each fills its fields of the header with pointers into what it is given.  The kind is set
 * before. */
void ms_describe_graph(ms_result_header *header, const ms_graph *graph,
                       const ms_graph_options *reading);
void ms_describe_typed_graph(ms_result_header *header, const ms_typed *graph,
                             const ms_typed_options *reading);
/* NULL: none. */
void ms_describe_coloring(ms_result_header *header, const ms_coloring *coloring,
                          const ms_color_options *reading);
void ms_describe_query(ms_result_header *header, const ms_query *query);
void ms_describe_pattern(ms_result_header *header, const ms_pattern *pattern);
/* `given`: the path of a file, or the pattern itself. */
void ms_describe_typed_pattern(ms_result_header *header, const ms_typed_pattern *pattern,
                               const char *given, bool is_text);
/* NULL: there was no sieve. */
void ms_describe_screen(ms_result_header *header, const ms_screen_result *screen,
                        const ms_screen_options *options);

/* at_limit: the limit that stopped the search was one of matches, not of time. */
ms_result_status ms_status_of(ms_status stopped, bool at_limit);
/* In words. */
const char *ms_header_status(const ms_result_header *header);

/* ---- shared by encodings ------------------------------------------------- */

/* Is the field written there?  All but empty optional ones are that the header has. */
bool ms_header_shows(const ms_result_header *header, const ms_result_field *field,
                     ms_result_place place);
/* The number of names that a field of names holds. */
uint32_t ms_header_names(const ms_result_header *header, const ms_result_field *field);

static inline size_t ms_name_length(const ms_name_blocks *names, uint32_t v)
{
  uint64_t end = v + 1 < names->count ? names->start[v + 1] : names->pool_bytes;
  return end - names->start[v] - 1;
}

/* The head in TSV, which the binary form has, too. */
void ms_put_tsv_head(ms_outfile *out, const ms_result_header *header);
/* A path is there for the reader only; a line break in it must not end the line. */
void ms_put_path(ms_outfile *out, const char *path);

#endif
