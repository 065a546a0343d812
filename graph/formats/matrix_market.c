/* Matrix Market coordinate matrices, read as adjacency matrices:
 *
 *   %%MatrixMarket matrix coordinate real symmetric
 *   % a comment
 *   3 3 2            rows, columns, entries
 *   2 1 0.5          row, column, value; of a complex matrix two values, of a
 *   3 2 -1           pattern none
 *
 * Every listed entry is an edge, whatever its value, even an explicit zero: only the pattern
 * counts.  Values are checked; real numbers and integers are kept as scores if the graph is to have
 * scores, unless the matrix is skew-symmetric, where an edge has two values.  A symmetric matrix
 * may list either triangle (the format requires the lower one).  Entries on the diagonal are
 * self-loops.  In a directed graph an entry points from its row to its column; in a matrix with a
 * symmetry it points both ways.
 *
 * R. Boisvert, R. Pozo, K. Remington: The Matrix Market exchange formats:
 * initial design. NISTIR 5935, 1996. */
#include "graph/formats/attributes.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/io/counted.h"

#include "base/status.h"
#include "base/text/utf8.h"

#include <inttypes.h>
#include <string.h>

/* The number of values of an entry, by the kind of number.  Later programs added the last
 * two. */
static const struct field_kind {
  const char *name;
  uint32_t values;
} field_kinds[] = {{"pattern", 0}, {"real", 1},   {"integer", 1},
                   {"complex", 2}, {"double", 1}, {"unsigned-integer", 1}};

static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};

typedef struct matrix {
  uint32_t values; /* of an entry */
  bool general;    /* without a symmetry */
  bool skew;       /* skew-symmetric */
  bool scored;     /* values are kept as scores */
  uint64_t n;      /* rows, and columns */
  uint64_t entries;
} matrix;

static bool is_word(ms_field field, const char *word)
{
  return field.length == strlen(word) && ms_alike(field.text, word, field.length);
}

static ms_status read_kind(const ms_text *text, ms_field kind, ms_field symmetry, matrix *m,
                           ms_error *err)
{
  size_t k = 0, s = 0, kinds = sizeof field_kinds / sizeof *field_kinds;
  while (k < kinds && !is_word(kind, field_kinds[k].name))
    k++;
  if (k == kinds)
    return ms_text_fail(text, err,
                        "unknown kind of values; write pattern, real, integer or complex after "
                        "'coordinate'");
  while (s < 4 && !is_word(symmetry, symmetries[s]))
    s++;
  if (s == 4)
    return ms_text_fail(text, err,
                        "unknown symmetry; end the line with general, symmetric, skew-symmetric or "
                        "hermitian");
  m->values = field_kinds[k].values;
  m->general = s == 0;
  m->skew = s == 2;
  return MS_OK;
}

/* Refuses to keep scores that are not there. */
static ms_status check_scores(const ms_text *text, const matrix *m, ms_error *err)
{
  if (!m->scored || (m->values == 1 && !m->skew))
    return MS_OK;
  return ms_text_fail(text, err,
                      "scores are wanted, but %s; give a matrix of real numbers or integers, or "
                      "leave out `keep_scores`",
                      m->values == 0   ? "a pattern has no values"
                      : m->values == 2 ? "complex numbers are no scores"
                                       : "an edge of a skew-symmetric matrix has two values");
}

static ms_status read_banner(ms_text *text, matrix *m, ms_error *err)
{
  ms_field fields[6];
  uint32_t count = 0;
  ms_status status;
  uint64_t first = 0; /* line that is not blank: other comments may precede the banner */
  do {
    status = ms_text_next(text, err);
    if (first == 0 && status == MS_OK && text->line && *text->line)
      first = text->number;
  } while (status == MS_OK && text->line && !ms_line_holds_data(text->line, text->length) &&
           !ms_alike(text->line, MS_MATRIX_MARKET_BANNER, sizeof MS_MATRIX_MARKET_BANNER - 1));
  if (status == MS_OK && !text->line && first == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: is empty; give a Matrix Market file", text->label);
  if (status == MS_OK && !text->line)
    text->number = first;
  if (status == MS_OK && text->line)
    status = ms_text_split(text, MS_BLANKS, 6, fields, &count, err);
  if (status != MS_OK)
    return status;
  if (count != 5 || !is_word(fields[0], MS_MATRIX_MARKET_BANNER) || !is_word(fields[1], "matrix"))
    return ms_text_fail(text, err,
                        "expected '%s matrix coordinate KIND SYMMETRY'; add this first line, or "
                        "read the file as an edge list",
                        MS_MATRIX_MARKET_BANNER);
  if (is_word(fields[2], "array"))
    return ms_text_fail(
        text, err,
        "an array lists every cell of the matrix; write the matrix as 'coordinate', "
        "with the entries that are edges");
  if (!is_word(fields[2], "coordinate"))
    return ms_text_fail(text, err, "unknown kind of matrix; only 'coordinate' is read");
  return read_kind(text, fields[3], fields[4], m, err);
}

static ms_status read_size(ms_text *text, ms_edges *edges, matrix *m, ms_error *err)
{
  ms_field fields[4];
  uint32_t count = 0;
  uint64_t columns = 0;
  ms_status status = ms_text_next_data(text, err);
  if (status == MS_OK && text->line)
    status = ms_text_split(text, MS_BLANKS, 4, fields, &count, err);
  if (status != MS_OK)
    return status;
  if (count != 3)
    return ms_text_fail(
        text, err,
        "expected the numbers of rows, columns and entries; add this line after the "
        "comments");
  status = ms_numbered_count(text, fields[0], MS_MAX_NAMES, "number of rows", &m->n, err);
  if (status == MS_OK)
    status = ms_numbered_count(text, fields[1], MS_MAX_NAMES, "number of columns", &columns, err);
  if (status == MS_OK)
    status = ms_numbered_count(text, fields[2], UINT64_MAX, "number of entries", &m->entries, err);
  if (status != MS_OK)
    return status;
  if (m->n != columns || columns == 0)
    return ms_text_fail(text, err,
                        "the matrix has %" PRIu64 " rows and %" PRIu64
                        " columns; give an adjacency "
                        "matrix, which has a row and a column for every vertex",
                        m->n, columns);
  return ms_edges_number(edges, text, 1, m->n, err);
}

static ms_status read_entry(ms_text *text, const matrix *m, ms_edges *edges, ms_error *err)
{
  ms_field fields[5];
  uint32_t count, row = 0, column = 0;
  MS_TRY(ms_text_split(text, MS_BLANKS, 5, fields, &count, err));
  if (count != 2 + m->values)
    return ms_text_fail(text, err,
                        "expected a row, a column and %" PRIu32 " values, as the first line says, "
                        "found %" PRIu32 "%s fields; correct the line",
                        m->values, count, count == 5 ? " or more" : "");
  ms_status status = ms_numbered_vertex(text, fields[0], m->n, &row, err);
  if (status == MS_OK)
    status = ms_numbered_vertex(text, fields[1], m->n, &column, err);
  double value = 0;
  for (uint32_t i = 2; i < count && status == MS_OK; i++)
    status = ms_numbered_value(text, fields[i], &value, err);
  if (status == MS_OK && m->scored)
    status = ms_keep_score(edges, text, value, err);
  if (status != MS_OK)
    return status;
  return m->general ? ms_edges_join(edges, row, column, err)
                    : ms_edges_join_both(edges, row, column, err);
}

static ms_status read_entries(ms_text *text, const matrix *m, ms_edges *edges, ms_error *err)
{
  for (uint64_t found = 0;; found++) {
    MS_TRY(ms_text_next_data(text, err));
    if (!text->line && found < m->entries)
      return ms_text_fail(text, err,
                          "the file ends after %" PRIu64 " of %" PRIu64 " entries; complete it, or "
                          "correct their number",
                          found, m->entries);
    if (!text->line)
      return MS_OK;
    if (found == m->entries)
      return ms_text_fail(text, err,
                          "there are more than the %" PRIu64
                          " entries that were announced; remove some, or correct their number",
                          m->entries);
    MS_TRY(read_entry(text, m, edges, err));
  }
}

static ms_status read_matrix_market(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                                    ms_error *err)
{
  matrix m = {.scored = options->keep_scores};
  ms_status status = read_banner(text, &m, err);
  if (status == MS_OK)
    status = check_scores(text, &m, err);
  if (status == MS_OK)
    status = read_size(text, edges, &m, err);
  return status == MS_OK ? read_entries(text, &m, edges, err) : status;
}

/* Writes the lower triangle, row > column, as the format requires of a symmetric matrix. */
static ms_status write_matrix_market(const ms_graph *graph, const ms_coloring *coloring,
                                     ms_outfile *out, ms_error *err)
{
  (void)coloring;
  (void)err;
  ms_outfile_puts(out, MS_MATRIX_MARKET_BANNER " matrix coordinate pattern symmetric\n");
  ms_outfile_printf(out, "%" PRIu32 " %" PRIu32 " %" PRIu64 "\n", graph->n, graph->n,
                    graph->arcs / 2);
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1] && graph->neighbor[a] < v; a++)
      ms_outfile_printf(out, "%" PRIu64 " %" PRIu64 "\n", (uint64_t)v + 1,
                        (uint64_t)graph->neighbor[a] + 1);
  return MS_OK;
}

const ms_format ms_format_matrix_market = {
    .info = {.name = "matrix-market",
             .about =
                 "Matrix Market coordinate matrix: a first line as below, the numbers of rows, "
                 "columns and entries, then the row and column of each entry",
             .example = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
             .suffix = ".mtx",
             .writable = true,
             .numbered = true,
             .first_number = 1},
    .options = MS_HAS_DIRECTION | MS_HAS_KEPT_SCORES,
    .read = read_matrix_market,
    .write = write_matrix_market};
