/* STRING protein links:
 *
 *   protein1 protein2 combined_score
 *   4932.Q0045 4932.YGR222W 292
 *
 * separated by blanks, with any columns between.  The score is the last column of that name, or the
 * last column.  Edges below the least score are ignored; they add no vertices.
 *
 * STRING lists an edge in both directions.  The second listing of a kept edge
 * counts as a duplicate.  Edges below the score are not stored, so they are
 * counted apart as lines with name1 < name2 and with name1 > name2 in byte
 * order, and the larger number is reported: exact for files that list every
 * edge in both directions, and for those that list each once in name order. */
#include "graph/io/detect.h"
#include "graph/io/format.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

#define MAX_COLUMNS 64

static ms_status find_score_column(ms_text *text, uint32_t *column, ms_error *err)
{
  ms_field fields[MAX_COLUMNS];
  uint32_t count;
  MS_TRY(ms_text_split(text, MS_BLANKS, MAX_COLUMNS, fields, &count, err));
  if (!ms_is_string_header((ms_field){text->line, text->length}) || count < 3)
    return ms_text_fail(text, err,
                        "expected the STRING header 'protein1 protein2 ... combined_score'; give a "
                        "protein.links file, or read it as an edge list");
  *column = count - 1;
  for (uint32_t i = 2; i < count; i++)
    if (ms_field_is(fields[i], "combined_score"))
      *column = i;
  return MS_OK;
}

static int compare(ms_field a, ms_field b)
{
  int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* Adds the edge of a line.  below: the number of lines below the score, in either direction. */
static ms_status add_line(ms_text *text, uint32_t column, double min_score, ms_edges *edges,
                          uint64_t below[2], ms_error *err)
{
  ms_field fields[MAX_COLUMNS];
  uint32_t count;
  double score;
  MS_TRY(ms_text_split(text, MS_BLANKS, column + 1, fields, &count, err));
  if (count <= column)
    return ms_text_fail(text, err,
                        "expected %u columns as in the header, found %u; complete the line",
                        column + 1, count);
  ms_field last = fields[column];
  if (!ms_field_real(last, &score))
    return ms_name_problem(last.text, last.length)
               ? ms_text_fail(text, err, "the score is not a number; correct the line")
               : ms_text_fail(text, err, "the score '%.*s' is not a number; correct the line",
                              ms_name_clip(last.text, last.length), last.text);
  if (score < min_score) {
    below[compare(fields[0], fields[1]) > 0]++;
    return MS_OK;
  }
  return ms_edges_add(edges, text, fields[0], fields[1], err);
}

static size_t taxon_length(const char *name)
{
  return ms_field_taxon((ms_field){name, strlen(name)});
}

/* Removes the taxon prefix if all names have the same one.  Names stay different and keep their
 * ids. */
static ms_status strip_taxon(ms_edges *edges, ms_error *err)
{
  uint32_t count = ms_names_count(edges->names), id;
  if (count == 0)
    return MS_OK;
  size_t prefix = taxon_length(ms_names_get(edges->names, 0));
  for (uint32_t i = 0; i < count; i++) {
    const char *name = ms_names_get(edges->names, i);
    if (prefix == 0 || taxon_length(name) != prefix ||
        memcmp(name, ms_names_get(edges->names, 0), prefix) != 0)
      return MS_OK;
  }
  ms_names *stripped;
  edges->taxon_prefix = ms_strdup(ms_names_get(edges->names, 0));
  if (!edges->taxon_prefix)
    return ms_fail_memory(err, "a taxon");
  edges->taxon_prefix[prefix] = '\0';
  ms_status status = ms_names_new(&stripped, err);
  for (uint32_t i = 0; i < count && status == MS_OK; i++) {
    const char *name = ms_names_get(edges->names, i) + prefix;
    status = ms_names_add(stripped, name, strlen(name), &id, err);
  }
  if (status != MS_OK) {
    ms_names_free(stripped);
    return status;
  }
  ms_names_free(edges->names);
  edges->names = stripped;
  return MS_OK;
}

static ms_status read_string(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                             ms_error *err)
{
  uint32_t column;
  uint64_t below[2] = {0, 0};
  ms_status status = ms_text_next_data(text, err);
  if (status != MS_OK || !text->line)
    return status;
  status = find_score_column(text, &column, err);
  if (status == MS_OK)
    status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = add_line(text, column, options->min_score, edges, below, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  if (status == MS_OK)
    status = ms_edges_flush(edges, err);
  edges->below_score = below[0] > below[1] ? below[0] : below[1];
  return status == MS_OK && !options->keep_taxon ? strip_taxon(edges, err) : status;
}

/* The format is not written, because a graph has no scores. */
const ms_format ms_format_string = {
    .info = {.name = "string",
             .about = "STRING protein.links: a header, then two proteins and their score a line",
             .example = "protein1 protein2 combined_score\n4932.Q0045 4932.YGR222W 292\n",
             .suffix = ".txt"},
    .options = MS_HAS_SCORE | MS_HAS_PREFIX,
    .read = read_string};
