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
  struct ms_row_blocks *blocks; /* rows that several threads write (below); NULL: none yet */
  uint64_t rows;           /* rows written so far; code that writes rows directly must count them */
  uint64_t extra_lines;    /* of long rows of near matches: lines of extra vertices */
  ms_name_blocks names;    /* names of the graph's vertices */
  size_t longest;          /* of the names, in bytes, and 1; 0: not looked for yet */
  const ms_labels *labels; /* labels to write; NULL: none */
  const ms_query *query;   /* of a motif: the query that says which vertex fills which slot */
  const ms_graph *graph;   /* of matches with measures: the graph; else NULL */
  const ms_vertex_scores *vertex_scores; /* of a list: scores whose sums are written; NULL: none */
  const uint64_t *family_size; /* of a list with families: [rows] as in ms_list_result; else NULL */
  const ms_pattern *pattern;   /* of a screen: the pattern whose colours are shown */
  const ms_typed *typed; /* of a screen: the graph whose types are shown as colours; NULL: none */
  char *slot_titles;     /* of wide rows: the titles of their columns, one after the other */
  const char **shown;    /* [shown_room] colours of the vertex that is written */
  uint32_t shown_room;
  bool escapes;      /* some text may need escapes in JSON, or quotes in a list */
  ms_counter number; /* number of the last match */
  bool keeps;        /* after a full disk the file keeps the rows that fit, and says so */
} ms_writer;

typedef struct ms_encoding {
  bool is_json;
  ms_status (*begin)(ms_writer *writer, ms_error *err);
  /* writes matches: rows[count][k]; score[count] of inexact matches, else NULL.  The file remembers
   * a failure. */
  void (*matches)(ms_writer *writer, const uint32_t *rows, const uint32_t *score, uint64_t count);
  ms_status (*end)(ms_writer *writer, ms_error *err);
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
/* Writes a vertex, whose name, label and colours are filled in here; the rest of the row is the
 * caller's.  `coloring` NULL: there are no colours. */
ms_status ms_writer_vertex(ms_writer *writer, const ms_coloring *coloring, uint32_t v,
                           ms_vertex_row *row, ms_error *err);
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

/* Writes a name inside a comma-separated list: in double quotes if it holds what would break the
 * list, with "" for a quote. */
typedef void (*ms_put_fn)(void *to, const char *text, size_t length);
void ms_put_listed(ms_put_fn put, void *to, bool first, const char *name);
/* The same to a buffer of rows. */
void ms_row_put_listed(ms_row_buffer *buffer, bool first, const char *name);
/* Writes a text of a JSON string without its quotes; it has no control characters. */
void ms_row_put_escaped(ms_row_buffer *buffer, const char *text, size_t length);
/* Writes the head in TSV, which the binary form contains. */
void ms_put_tsv_head(ms_outfile *out, const ms_result_header *header);
/* Writes a path, which only people read, with its control characters escaped. */
void ms_put_path(ms_outfile *out, const char *path);

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Rows of a long result, which several threads write.
 *
 * The thread that receives rows only copies them: into blocks, which are encoded and compressed by
 * the threads of the file (base/file/packer.h), each with the encoding of the writer and into
 * memory of its own.  Blocks begin at numbers of rows that depend on the width of a row alone, so
 * the bytes of the file depend neither on the threads nor on the portions in which rows arrive. */

/* Rows of a result after which blocks begin: short results are written on one thread, and can be
 * cut back to almost any row if a disk is full. */
#define MS_BLOCKS_FROM ((uint64_t)1 << 16)

/* Begins with blocks behind the rows that were written; does nothing in their midst.  Returns false
 * if there is no memory: rows can then still be written on one thread. */
bool ms_row_blocks_begin(ms_writer *writer);
/* Adds matches to the blocks, as ms_writer_matches does. */
void ms_row_blocks_add(ms_writer *writer, const uint32_t *rows, uint64_t count);
/* Ends the last block, and waits until all of them are in the file or forgotten.  Without blocks,
 * it does nothing. */
void ms_row_blocks_end(ms_writer *writer);

#endif
