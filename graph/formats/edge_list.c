/* Edge lists: two vertex names in each line, then anything.
 *
 *   YAL001C<TAB>YBR123C<TAB>0.98      tab, comma (CSV) or blanks
 *
 * The first data line decides what separates the names: a tab if it has one, else a comma if it has
 * one, else blanks.  Every other line must agree.  The names are the first two columns unless a
 * header or the options say otherwise (edge_columns.h); a column of scores may decide which edges
 * are kept.  Further columns are ignored.  A vertex joined to itself is added without an edge.  In
 * a directed graph an edge points from the first name to the second. */
#include "graph/formats/edge_list.h"
#include "base/status.h"
#include "base/text/float_text.h"
#include "base/threads/threads.h"
#include "graph/formats/format.h"
#include "graph/io/edges/directions.h"
#include "graph/io/edges/edge_columns.h"
#include "graph/io/edges/edge_lines.h"
#include "graph/io/header_check.h"
#include "graph/io/pair_rows.h"
#include "graph/io/scores.h"
#include "graph/io/sections.h"
#include "graph/io/titles.h"
#include "graph/io/writers.h"

#include <stdio.h>
#include <string.h>

static ms_status too_few(const ms_text *text, ms_delimiter delimiter, uint64_t first, ms_field name,
                         ms_error *err)
{
  char found[100] = "", as_before[40] = "";
  /* the message must not hold a tab or foreign bytes */
  if (!ms_name_problem(name.text, name.length))
    snprintf(found, sizeof found, " ('%.*s')", ms_name_clip(name.text, name.length), name.text);
  if (text->number != first)
    snprintf(as_before, sizeof as_before, " as in line %llu", (unsigned long long)first);
  return ms_text_fail(
      text, err,
      "expected two vertex names separated by %s%s, found one%s; add the second name or "
      "remove the line",
      text->number == first ? "a tab, comma, semicolon or blank" : ms_delimiter_name(delimiter),
      as_before, found);
}

/* Returns the table as ms_section_next sees it. */
static ms_section section_of(const ms_graph_options *options, const ms_edge_columns *c)
{
  return (ms_section){.delimiter = c->delimiter,
                      .columns = c->columns,
                      .uniform = c->uniform,
                      .titled = c->pairs > 0,
                      .format = options->format == MS_FORMAT_EDGE_LIST ? NULL : "edge-list"};
}

/* Adds the edge of the current line, plain or not. */
static ms_status add_line(ms_text *text, ms_delimiter delimiter, uint64_t first, ms_edges *edges,
                          ms_error *err)
{
  ms_field names[2];
  uint32_t count;
  ms_status status = ms_text_split(text, delimiter, 2, names, &count, err);
  if (status == MS_OK && count < 2)
    status = too_few(text, delimiter, first, names[0], err);
  return status == MS_OK ? ms_edges_add(edges, text, names[0], names[1], err) : status;
}

/* Reads plain lines in blocks and others one by one.  After each failure to find plain lines it
 * reads twice as many single ones, so that the attempts cost little in a file without plain
 * lines. */
static ms_status read_lines(ms_text *text, const ms_section *section, uint64_t first,
                            ms_edge_lines *plain, ms_edges *edges, ms_error *err)
{
  ms_delimiter delimiter = section->delimiter;
  enum { MOST_SINGLE = 4096 };
  uint64_t single = 1;
  ms_status status = MS_OK;
  while (status == MS_OK && text->line) {
    for (uint64_t i = 0; i < single && text->line && status == MS_OK; i++) {
      if (i > 0)
        status = ms_section_next(text, section, edges, err);
      if (status == MS_OK && text->line)
        status = add_line(text, delimiter, first, edges, err);
    }
    uint64_t number = text->number;
    if (status == MS_OK)
      status = ms_edge_lines_read(plain, text, edges, err);
    single = text->number > number ? 1 : single * 2 < MOST_SINGLE ? single * 2 : MOST_SINGLE;
    if (status == MS_OK)
      status = ms_section_next(text, section, edges, err);
  }
  return status;
}

/* ---- chosen columns and scores ---------------------------------------------- */

static uint32_t columns_needed(const ms_edge_columns *c)
{
  uint32_t last = c->source > c->target ? c->source : c->target;
  if (c->type != MS_NO_COLUMN && c->type > last)
    last = c->type;
  if (c->direction != MS_NO_COLUMN && c->direction > last)
    last = c->direction;
  return 1 + (c->score != MS_NO_COLUMN && c->score > last ? c->score : last);
}

/* Adds the edge in the direction that the cell states; an edge without one points both ways. */
static ms_status add_directed(ms_text *text, const ms_edge_columns *c, ms_field word,
                              const ms_edge_line *line, ms_edges *edges, ms_error *err)
{
  ms_edge_line back = *line;
  ms_direction direction = ms_word_direction(word, c->truth);
  ms_direction number = ms_word_direction(word, false);
  if (c->undirected && number == MS_DIRECTION_UNKNOWN && direction != number) /* "undirected=1" */
    direction = direction == MS_DIRECTION_ON ? MS_DIRECTION_BOTH : MS_DIRECTION_ON;
  back.source = line->target;
  back.target = line->source;
  if (direction == MS_DIRECTION_UNKNOWN)
    return ms_text_fail(
        text, err,
        "'%.*s' in column %u may say which way the edge points, but is not "
        "understood; write '->', '<-' or '-', or say that the column does not "
        "(`direction_column` none)",
        ms_name_problem(word.text, word.length) ? 0 : ms_name_clip(word.text, word.length),
        word.text, c->direction + 1);
  MS_TRY(ms_edges_add_labelled(edges, text, direction == MS_DIRECTION_BACK ? &back : line, err));
  if (direction != MS_DIRECTION_BOTH)
    return MS_OK;
  if (edges->scores > 0)
    MS_TRY(ms_edges_score(edges, edges->score[edges->scores - 1], err));
  return ms_edges_add_labelled(edges, text, &back, err);
}

static ms_status add_row(ms_text *text, const ms_edge_columns *c, bool directed, ms_scores *scores,
                         ms_edges *edges, ms_error *err)
{
  ms_field cell[MS_MAX_COLUMNS];
  uint32_t count, needed = columns_needed(c);
  bool keep = true;
  MS_TRY(ms_text_split(text, c->delimiter, needed, cell, &count, err));
  if (count < needed)
    return ms_text_fail(text, err,
                        "expected at least %u columns separated by %s, found %u; complete the line",
                        needed, ms_delimiter_name(c->delimiter), count);
  if (c->score != MS_NO_COLUMN)
    MS_TRY(ms_scores_add(scores, text, edges, cell[c->score], cell[c->source], cell[c->target],
                         &keep, err));
  if (!keep)
    return MS_OK;
  ms_edge_line line = {.source = cell[c->source],
                       .target = cell[c->target],
                       .type = c->type == MS_NO_COLUMN ? (ms_field){NULL, 0} : cell[c->type]};
  if (ms_field_missing(line.type) && !(c->signs && ms_field_is(line.type, "-")))
    line.type.length = 0;
  if (c->score == MS_NO_COLUMN && edges->combine == MS_COMBINE_COUNT)
    MS_TRY(ms_edges_score(edges, 1, err));
  if ((c->direction == MS_NO_COLUMN && !c->undirected) || !directed)
    return ms_edges_add_labelled(edges, text, &line, err);
  return add_directed(text, c,
                      c->direction == MS_NO_COLUMN ? (ms_field){"-", 1} : cell[c->direction], &line,
                      edges, err);
}

static ms_status read_rows(ms_text *text, const ms_graph_options *options, const ms_edge_columns *c,
                           ms_edges *edges, ms_error *err)
{
  ms_scores scores = {.least = ms_least_score(options->min_score),
                      .kept = options->keep_scores,
                      .watched = !options->combine,
                      .delimiter = c->delimiter};
  const ms_section section = section_of(options, c);
  ms_status status = MS_OK;
  while (status == MS_OK && text->line) {
    status = add_row(text, c, options->directed, &scores, edges, err);
    if (status == MS_OK)
      status = ms_section_next(text, &section, edges, err);
  }
  ms_scores_end(&scores, c->score, edges);
  return status;
}

/* ---- all of it --------------------------------------------------------------- */

static ms_status read_first_columns(ms_text *text, const ms_graph_options *options,
                                    const ms_edge_columns *c, ms_edges *edges, ms_error *err)
{
  ms_edge_lines *plain;
  const ms_section section = section_of(options, c);
  MS_TRY(ms_edge_lines_new(c->delimiter, ms_threads(options->run.threads), &plain, err));
  ms_status status = read_lines(text, &section, c->line, plain, edges, err);
  ms_edge_lines_free(plain);
  return status;
}

static ms_status read_data(ms_text *text, const ms_graph_options *options, ms_edge_columns *c,
                           ms_edges *edges, ms_error *err)
{
  if (c->line > 0)
    ms_text_set_delimiter(text, c->delimiter);
  text->quoted = c->quoted;
  MS_TRY(ms_text_next_data(text, err));
  if (!text->line)
    return MS_OK;
  /* a first line behind the sample is longer than it, and no header */
  if (c->line == 0) {
    c->line = text->number;
    c->delimiter = ms_text_delimiter(text);
    ms_text_set_delimiter(text, c->delimiter);
  }
  if (c->header)
    MS_TRY(ms_text_next_data(text, err));
  bool first_two =
      c->source == 0 && c->target == 1 && c->score == MS_NO_COLUMN && c->type == MS_NO_COLUMN &&
      !c->quoted && !edges->types && !(c->undirected && options->directed) &&
      (c->direction == MS_NO_COLUMN || !options->directed) && edges->combine != MS_COMBINE_COUNT;
  MS_TRY(first_two ? read_first_columns(text, options, c, edges, err)
                   : read_rows(text, options, c, edges, err));
  MS_TRY(ms_edges_flush(edges, err));
  if (c->counted.line > 0)
    MS_TRY(ms_counted_check(&c->counted, text, edges, err));
  if (c->sizes.line > 0)
    MS_TRY(ms_sizes_check(&c->sizes, text, edges, err));
  return ms_edge_columns_check(c, text, edges->names, err);
}

static ms_status read_edge_list(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                                ms_error *err)
{
  ms_edge_columns c;
  const char *types = edges->types ? edges->types->options->type_column : NULL;
  ms_status status = ms_edge_columns_find(text, options, types, &c, err);
  if (status == MS_OK)
    status = read_data(text, options, &c, edges, err);
  edges->layout.header = c.header;
  edges->layout.counted = c.counted.line > 0;
  edges->layout.direction_column = options->directed ? c.direction + 1 : 0;
  edges->layout.source_column = c.source + 1;
  edges->layout.target_column = c.target + 1;
  edges->layout.pairs = c.pairs;
  edges->layout.type_column = c.type + 1; /* MS_NO_COLUMN becomes 0 */
  edges->layout.unread_words = c.unread_words + 1;
  edges->layout.unread_numbers = c.unread_numbers + 1;
  snprintf(edges->layout.unread_word, sizeof edges->layout.unread_word, "%s", c.word);
  ms_edge_columns_free(&c);
  return status;
}

/* Does arc a of v have a row?  One of the two arcs of an undirected edge has. */
static bool has_row(const ms_graph *graph, uint32_t v, uint64_t a)
{
  return graph->direction ? graph->direction[a] & MS_ARC_TO : graph->neighbor[a] > v;
}

/* Finds the ends of the first row; equal: those of a vertex without edges. */
static void find_first_row(const ms_graph *graph, uint32_t end[2])
{
  end[0] = end[1] = 0;
  for (uint32_t v = 0; v < graph->n; v++) {
    end[0] = end[1] = v;
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (has_row(graph, v, a)) {
        end[1] = graph->neighbor[a];
        return;
      }
    if (graph->offset[v] == graph->offset[v + 1])
      return;
  }
}

/* Writes the edges, or the arcs of a directed graph, with their scores if it has some.  A vertex
 * without edges is joined to itself, with any score. */
static void write_arc_rows(const ms_graph *graph, ms_outfile *out)
{
  char text[MS_FLOAT_BYTES];
  for (uint32_t v = 0; v < graph->n && !ms_outfile_failed(out); v++) {
    uint64_t begin = graph->offset[v], end = graph->offset[v + 1];
    const char *name = ms_names_get(graph->names, v);
    if (begin == end)
      ms_outfile_printf(out, graph->score ? "%s\t%s\t0\n" : "%s\t%s\n", name, name);
    for (uint64_t a = begin; a < end; a++)
      if (has_row(graph, v, a))
        ms_outfile_printf(out, graph->score ? "%s\t%s\t%s\n" : "%s\t%s\n", name,
                          ms_names_get(graph->names, graph->neighbor[a]),
                          graph->score ? ms_float_text(graph->score[a], text) : NULL);
  }
}

static ms_field name_of(const ms_graph *graph, uint32_t v)
{
  const char *name = ms_names_get(graph->names, v);
  return (ms_field){name, strlen(name)};
}

/* Is one of a and b a word, and are all other names numbers?  Or are a and b "0" and "1", and no
 * other name is a number? */
static bool are_above_others(const ms_graph *graph, uint32_t a, uint32_t b)
{
  double value;
  bool digits = ms_field_is(name_of(graph, a), "0") && ms_field_is(name_of(graph, b), "1");
  bool word =
      !ms_field_real(name_of(graph, a), &value) || !ms_field_real(name_of(graph, b), &value);
  if (a == b || graph->n < 3 || !(digits || word))
    return false;
  for (uint32_t v = 0; v < graph->n; v++)
    if (v != a && v != b && ms_field_real(name_of(graph, v), &value) == digits)
      return false;
  return true;
}

/* Are no two edges adjacent, and is one of a and b an accession?  A reader may take each line for
 * two names of one vertex. */
static bool are_names(const ms_graph *graph, uint32_t a, uint32_t b)
{
  if (ms_name_is_accession(name_of(graph, a)) == ms_name_is_accession(name_of(graph, b)))
    return false;
  for (uint32_t v = 0; v < graph->n; v++)
    if (graph->offset[v + 1] - graph->offset[v] > 1)
      return false;
  return true;
}

/* Is a one letter, and so is another vertex than b, in the same case? */
static bool has_letters(const ms_graph *graph, uint32_t a, uint32_t b)
{
  ms_field letter = name_of(graph, a), other;
  for (uint32_t v = 0; v < graph->n && letter.length == 1; v++) {
    other = name_of(graph, v);
    if (v != a && v != b && other.length == 1 && ((*other.text ^ *letter.text) & 32) == 0 &&
        (*other.text | 32) >= 'a' && (*other.text | 32) <= 'z')
      return true;
  }
  return false;
}

/* Would a reader take the line of a and b, such as "source target", for a header?  a == b: a vertex
 * without edges. */
static bool is_like_header(const ms_graph *graph, uint32_t a, uint32_t b)
{
  ms_field first = name_of(graph, a);
  ms_field second = name_of(graph, b);
  return are_above_others(graph, a, b) || ms_title_is_vertex(first) || are_names(graph, a, b) ||
         (graph->n > 2 && ms_titles_may_be_ends(first, second) && !has_letters(graph, a, b)) ||
         (a != b && (ms_titles_are_ends(first, second) || ms_titles_are_ends(second, first)));
}

/* May a line of a and b, above `rows` others, state n vertices and m edges?  Of many rows a reader
 * sees only the first ones. */
static bool may_state(const ms_graph *graph, const uint32_t end[2], uint64_t rows, uint64_t n,
                      uint64_t m)
{
  enum { MANY = 1000 };
  uint64_t id;
  double value;
  if (n == 0 || m == 0 || n + 2 < graph->n ||
      (m != rows && 2 * m != rows && (m <= MANY || rows <= MANY)))
    return false;
  uint32_t ids = 0, words = 0, others = 0;
  for (uint32_t v = 0; v < graph->n && rows <= MANY; v++) {
    if (v == end[0] || v == end[1])
      continue;
    others++;
    ids += ms_field_count(name_of(graph, v), n, &id);
    words += !ms_field_real(name_of(graph, v), &value);
  }
  return ids == others || words == others;
}

/* Would a reader take the line of a and b, above `rows` others, for one of numbers of vertices and
 * edges?  *smaller: the end with the smaller number, which alone on a line is none of these,
 * because the next line names a larger one. */
static bool is_like_counts(const ms_graph *graph, uint32_t a, uint32_t b, uint64_t rows,
                           uint32_t *smaller)
{
  uint64_t n, m;
  *smaller = a;
  if (!ms_field_count(name_of(graph, a), UINT64_MAX, &n) ||
      !ms_field_count(name_of(graph, b), UINT64_MAX, &m))
    return false;
  *smaller = n < m ? a : b;
  return may_state(graph, (uint32_t[]){a, b}, rows, n, m) ||
         may_state(graph, (uint32_t[]){a, b}, rows, m, n) ||
         (graph->score && a != b && graph->score[ms_graph_find_arc(graph, a, b)] == (float)rows);
}

/* Counts the rows: edges, or arcs of a directed graph, and vertices without edges. */
static uint64_t count_rows(const ms_graph *graph)
{
  uint64_t rows = 0;
  for (uint32_t v = 0; v < graph->n; v++) {
    rows += graph->offset[v] == graph->offset[v + 1];
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      rows += has_row(graph, v, a);
  }
  return rows;
}

/* Checks the names.  Where a reader would take the first of the rows, of a and b, for a header, or
 * one of numbers, writes one of a or b alone before it: the name then recurs, or the number is
 * wrong. */
static ms_status begin(const ms_graph *graph, uint32_t a, uint32_t b, uint64_t rows,
                       ms_outfile *out, ms_error *err)
{
  MS_TRY(ms_check_names(graph, "\t", "#!%\"", "an edge list", err));
  uint32_t alone = a;
  if ((rows > 0 && is_like_counts(graph, a, b, rows - 1, &alone)) ||
      (graph->n > 0 && is_like_header(graph, a, b))) {
    const char *first = ms_names_get(graph->names, alone);
    ms_outfile_printf(out, graph->score ? "%s\t%s\t0\n" : "%s\t%s\n", first, first);
  }
  return MS_OK;
}

static ms_status write_edge_list(const ms_graph *graph, const ms_coloring *coloring,
                                 ms_outfile *out, ms_error *err)
{
  (void)coloring;
  uint32_t end[2];
  find_first_row(graph, end);
  uint64_t number;
  bool numbers = graph->n > 0 && ms_field_count(name_of(graph, end[1]), UINT64_MAX, &number);
  MS_TRY(begin(graph, end[0], end[1], numbers ? count_rows(graph) : 0, out, err));
  if (graph->score || graph->direction)
    write_arc_rows(graph, out);
  else
    ms_write_pair_rows(graph, out);
  return MS_OK;
}

ms_status ms_edge_list_write(const ms_graph *graph, const uint32_t (*lines)[2], uint64_t count,
                             ms_outfile *out, ms_error *err)
{
  char text[MS_FLOAT_BYTES];
  MS_TRY(begin(graph, count > 0 ? lines[0][0] : 0, count > 0 ? lines[0][1] : 0, count, out, err));
  for (uint64_t i = 0; i < count && !ms_outfile_failed(out); i++) {
    uint32_t a = lines[i][0], b = lines[i][1];
    const char *from = ms_names_get(graph->names, a), *to = ms_names_get(graph->names, b);
    if (graph->score && a != b)
      ms_outfile_printf(out, "%s\t%s\t%s\n", from, to,
                        ms_float_text(graph->score[ms_graph_find_arc(graph, a, b)], text));
    else
      ms_outfile_printf(out, graph->score ? "%s\t%s\t0\n" : "%s\t%s\n", from, to);
  }
  return MS_OK;
}

const ms_format ms_format_edge_list = {
    .info = {.name = "edge-list",
             .about =
                 "two vertex names per line, separated by a tab, a comma or semicolon (CSV) or "
                 "blanks; a header or options choose columns, also one of scores",
             .example = "YAL001C\tYBR123C\t0.98\nYBR123C\tYDR362C\t0.71\n",
             .suffix = ".tsv",
             .writable = true,
             .holds_scores = true},
    .typed = {.name = "edge-list",
              .about = "the same with a column of types, which a header names or which is chosen",
              .example = "from,to,interaction\nTP53,MDM2,activates\nMDM2,TP53,inhibits\n"},
    .options = MS_HAS_HEADER | MS_HAS_NO_HEADER | MS_HAS_COLUMNS | MS_HAS_SCORE |
               MS_HAS_KEPT_SCORES | MS_HAS_DIRECTION | MS_HAS_COMBINE,
    .read = read_edge_list,
    .write = write_edge_list,
    .writes_directions = true};
