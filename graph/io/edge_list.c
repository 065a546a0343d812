/* Edge lists: two vertex names in each line, then anything.
 *
 *   YAL001C<TAB>YBR123C<TAB>0.98      tab, comma (CSV) or blanks
 *
 * The first data line decides what separates the names: a tab if it has one, else a comma if it has
 * one, else blanks.  Every other line must agree.  Further columns are ignored.  A vertex joined to
 * itself is added without an edge.  In a directed graph an edge points from the first name to the
 * second. */
#include "base/status.h"
#include "base/threads.h"
#include "graph/io/edge_lines.h"
#include "graph/io/format.h"
#include "graph/io/writers.h"

#include <stdio.h>

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
      text->number == first ? "a tab, comma or blank" : ms_delimiter_name(delimiter), as_before,
      found);
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
static ms_status read_lines(ms_text *text, ms_delimiter delimiter, uint64_t first,
                            ms_edge_lines *plain, ms_edges *edges, ms_error *err)
{
  enum { MOST_SINGLE = 4096 };
  uint64_t single = 1;
  ms_status status = MS_OK;
  while (status == MS_OK && text->line) {
    for (uint64_t i = 0; i < single && text->line && status == MS_OK; i++) {
      if (i > 0)
        status = ms_text_next_data(text, err);
      if (status == MS_OK && text->line)
        status = add_line(text, delimiter, first, edges, err);
    }
    uint64_t number = text->number;
    if (status == MS_OK)
      status = ms_edge_lines_read(plain, text, edges, err);
    single = text->number > number ? 1 : single * 2 < MOST_SINGLE ? single * 2 : MOST_SINGLE;
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status;
}

static ms_status read_edge_list(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                                ms_error *err)
{
  ms_edge_lines *plain;
  ms_status status = ms_text_next_data(text, err);
  if (status != MS_OK || !text->line)
    return status;
  ms_delimiter delimiter = ms_text_delimiter(text);
  MS_TRY(ms_edge_lines_new(delimiter, ms_threads(options->threads), &plain, err));
  uint64_t first = text->number;
  if (options->header)
    status = ms_text_next_data(text, err);
  if (status == MS_OK)
    status = read_lines(text, delimiter, first, plain, edges, err);
  ms_edge_lines_free(plain);
  return status;
}

/* A vertex without edges is written as one that is joined to itself. */
static void write_row(const char *a, const char *b, ms_outfile *out)
{
  ms_outfile_printf(out, "%s\t%s\n", a, b ? b : a);
}

static ms_status write_edge_list(const ms_graph *graph, const ms_coloring *coloring,
                                 ms_outfile *out, ms_error *err)
{
  (void)coloring;
  MS_TRY(ms_check_names(graph, "\t", "#!%", "an edge list", err));
  ms_write_rows(graph, write_row, out);
  return MS_OK;
}

const ms_format ms_format_edge_list = {
    .info = {.name = "edge-list",
             .about = "two vertex names a line, split by a tab, a comma (CSV) or blanks; further "
                      "columns are not read",
             .example = "YAL001C\tYBR123C\t0.98\nYBR123C\tYDR362C\t0.71\n",
             .suffix = ".tsv",
             .writable = true},
    .options = MS_HAS_HEADER | MS_HAS_DIRECTION,
    .read = read_edge_list,
    .write = write_edge_list};
