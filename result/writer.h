/* Writes a result file: a header, rows, an end, in one of three encodings.  Rows go through a
 * buffer as they are found. */
#ifndef MS_RESULT_WRITER_H
#define MS_RESULT_WRITER_H

#include "graph/io/labels.h"
#include "graph/names.h"
#include "graph/typed.h"
#include "graph/vertex_scores.h"
#include "query/query.h"
#include "query/typed_query.h"
#include "result/columns.h"
#include "result/row_buffer.h"

struct ms_encoding;
struct ms_row_blocks;

typedef struct ms_writer {
  ms_result_header header; /* the caller describes the result here with the functions below */
  const struct ms_encoding *encoding;
  ms_row_columns columns; /* from ms_writer_begin on */
  ms_outfile *out;
  ms_row_buffer *buffer;        /* buffer for rows, before `out` */
  struct ms_row_blocks *blocks; /* rows that several threads write (blocks.h); NULL: none yet */
  uint64_t rows;           /* rows written so far; code that writes rows directly must count them */
  ms_name_blocks names;    /* names of the graph's vertices */
  size_t longest;          /* of the names, in bytes, and 1; 0: not looked for yet */
  const ms_labels *labels; /* labels to write; NULL: none */
  const ms_query *query;   /* of a motif: the query that says which vertex fills which slot */
  const uint8_t *missing, *extra; /* of the nearest matches: [n] as in ms_screen_result */
  const uint32_t *cost;           /* the same, with substitutions */
  const float *score;             /* of a screen: [n] the profile; NULL: none */
  const uint8_t *values; /* of a part of a screen: [repetitions][n] as q of ms_screen_result, .. */
  const uint8_t *kept;   /* .. of the vertices that this says; NULL: no part, or without values */
  const uint32_t *best_sum;              /* of a screen: [n] as in ms_screen_result; NULL: none */
  const uint32_t *sums;                  /* as in ms_screen_result */
  const uint64_t *sums_from;             /* [n + 1] NULL: none */
  const ms_vertex_scores *vertex_scores; /* of a list: scores whose sums are written; NULL: none */
  const uint64_t *family_size; /* of a list with families: [rows] as in ms_list_result; else NULL */
  const ms_pattern *pattern;   /* of a screen: the pattern whose colours are shown */
  const ms_typed *typed; /* of a screen: the graph whose types are shown as colours; NULL: none */
  bool escapes;          /* some text may need escapes in JSON, or quotes in a list */
  ms_counter number;     /* number of the last match */
  bool keeps;            /* after a full disk the file keeps the rows that fit, and says so */
} ms_writer;

/* One of the nearest matches, as in ms_nearest_result. */
typedef struct ms_near_row {
  const uint32_t *vertex; /* [size] */
  uint32_t size, missing, extra, cost;
} ms_near_row;

typedef struct ms_encoding {
  ms_status (*begin)(ms_writer *writer, ms_error *err);
  /* writes matches: rows[count][k]; score[count] of inexact matches, else NULL.  The file remembers
   * a failure. */
  void (*matches)(ms_writer *writer, const uint32_t *rows, const uint32_t *score, uint64_t count);
  /* writes a vertex of a screen; hits: the repetitions of the sieve that flagged it, or the matches
   * that hold it */
  void (*vertex)(ms_writer *writer, const ms_coloring *coloring, uint32_t v, bool flagged,
                 uint64_t hits);
  ms_status (*end)(ms_writer *writer, ms_error *err);
  void (*near)(ms_writer *writer, const ms_near_row *row); /* NULL: there is no such form */
} ms_encoding;

extern const ms_encoding ms_encoding_tsv, ms_encoding_json,
    ms_encoding_binary; /* only for patterns */

/* ---- one file: open, describe, begin, rows, end, close ------------------- */

/* Opens a writer to `path`; NULL or "-" is standard output.  Overwrites *writer.  ms_writer_close
 * must follow in any case. */
ms_status ms_writer_open(ms_writer *writer, const char *path, const ms_encoding *encoding,
                         ms_error *err);
/* Writes the header; `names`: the names of the graph's vertices. */
ms_status ms_writer_begin(ms_writer *writer, const ms_names *names, ms_error *err);
/* Writes a row of a table, the struct of its kind (columns.h). */
ms_status ms_writer_row(ms_writer *writer, const void *row, ms_error *err);
/* Writes matches; returns false once writing has failed. */
bool ms_writer_matches(ms_writer *writer, const uint32_t *rows, const uint32_t *score,
                       uint64_t count);
/* Writes one of the nearest matches; returns false once writing has failed. */
bool ms_writer_near(ms_writer *writer, const ms_near_row *row);
/* `coloring` NULL: there are no colours. */
void ms_writer_vertex(ms_writer *writer, const ms_coloring *coloring, uint32_t v, bool flagged,
                      uint64_t hits);
/* Writes the rest of the buffer, then the end, and flushes the file.  header.status must be set. If
 * the disk is full and `keeps` is set, cuts off as many rows as is necessary; header.status and
 * header.found, at the end, then say so. */
ms_status ms_writer_end(ms_writer *writer, ms_error *err);
/* After a full disk, begins the file again, for a form whose head says how many matches there are.
 * header.status and header.found say that it is incomplete, and that as many matches follow as have
 * room.  Returns false if that is impossible.  ms_writer_end may then be called again. */
bool ms_writer_rewind(ms_writer *writer);
/* Ends a section, after which another may begin: the caller describes it in the header first. */
ms_status ms_writer_end_section(ms_writer *writer, ms_error *err);
/* Writes the number of matches as one JSON object in place of a file of rows. */
ms_status ms_writer_count(ms_writer *writer, ms_error *err);
/* Puts the file in its place if `status` is MS_OK, else removes it. */
ms_status ms_writer_close(ms_writer *writer, ms_status status, ms_error *err);

/* ---- describing a result ------------------------------------------------- */

/* Each fills its fields of the header with pointers into its arguments.  The kind must be set
 * before. */
void ms_describe_graph(ms_result_header *header, const ms_graph *graph,
                       const ms_graph_options *reading);
void ms_describe_typed_graph(ms_result_header *header, const ms_typed *graph,
                             const ms_typed_options *reading);
/* `coloring` NULL: there are no colours. */
void ms_describe_coloring(ms_result_header *header, const ms_coloring *coloring,
                          const ms_color_options *reading);
void ms_describe_query(ms_result_header *header, const ms_query *query);
/* `substitutes` NULL: there are none. */
void ms_describe_substitutes(ms_result_header *header, const ms_substitutes *substitutes,
                             uint32_t max_cost);
void ms_describe_pattern(ms_result_header *header, const ms_pattern *pattern);
void ms_describe_typed_pattern(ms_result_header *header, const ms_typed_pattern *pattern);
/* Fills own[count] with the names by which results know the vertices that given[count] name,
 * perhaps by aliases, each once and in the order of the graph.  Returns their number; count <=
 * MS_MAX_K. `graph` NULL: they are vertices of `typed`.  A name that is no vertex is kept. */
uint32_t ms_own_names(const ms_graph *graph, const ms_typed *typed, uint32_t count,
                      const char *const *given, const char **own);
/* `labels` NULL: there are none.  The writer also needs them. */
void ms_describe_labels(ms_result_header *header, const ms_labels *labels);
/* `screen` NULL: no sieve ran. */
void ms_describe_screen(ms_result_header *header, const ms_screen_result *screen,
                        const ms_screen_options *options);

/* Returns the status of a result.  at_limit: a limit of matches, not of time, stopped the
 * search. */
ms_result_status ms_status_of(ms_status stopped, bool at_limit);
/* Returns the status in words. */
const char *ms_header_status(const ms_result_header *header);

/* ---- shared by encodings ------------------------------------------------- */

/* True if the field is written at this place: all fields of the header are, except for empty
 * optional ones. */
bool ms_header_shows(const ms_result_header *header, const ms_result_field *field,
                     ms_result_place place);
/* Returns the number of names that a field of names holds. */
uint32_t ms_header_names(const ms_result_header *header, const ms_result_field *field);

static inline size_t ms_name_length(const ms_name_blocks *names, uint32_t v)
{
  uint64_t end = v + 1 < names->count ? names->start[v + 1] : names->pool_bytes;
  return end - names->start[v] - 1;
}

/* Returns the next colour of v that a screen shows, from *i on, and moves *i behind it; NULL: there
 * is no other.  A screen shows all colours, or those of the motif or pattern; or the type of v. */
const char *ms_writer_next_color(const ms_writer *writer, const ms_coloring *coloring, uint32_t v,
                                 uint32_t *i);
/* Writes the head in TSV, which the binary form contains. */
void ms_put_tsv_head(ms_outfile *out, const ms_result_header *header);
/* Passes the sieve's values of a vertex to `put`, as hexadecimal digits; none if it has none. */
void ms_writer_put_values(const ms_writer *writer, uint32_t v,
                          void (*put)(const ms_writer *writer, const char *text, size_t length));
/* Writes a path, which only people read, with its control characters escaped. */
void ms_put_path(ms_outfile *out, const char *path);

#endif
