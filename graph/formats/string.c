/* STRING protein links:
 *
 *   protein1 protein2 combined_score
 *   4932.Q0045 4932.YGR222W 292
 *
 * separated by blanks, with any columns between.  The score is the chosen column, or the last one
 * called combined_score, or the last column.  Edges below the least score are ignored.
 * See scores.h. */
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/io/columns.h"
#include "graph/io/scores.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

#define MAX_COLUMNS MS_MAX_COLUMNS

static ms_status find_score_column(ms_text *text, const char *chosen, uint32_t *column,
                                   ms_error *err)
{
  ms_table_columns header = {.count = 0};
  ms_field *fields = header.field;
  uint32_t count;
  MS_TRY(ms_text_split(text, MS_BLANKS, MAX_COLUMNS, fields, &count, err));
  if (!ms_is_string_header((ms_field){text->line, text->length}) || count < 3)
    return ms_text_fail(text, err,
                        "expected the STRING header 'protein1 protein2 ... combined_score'; give a "
                        "protein.links file, or read it as an edge list");
  if (chosen) {
    const ms_column_choice choice = {chosen, NULL, "column of scores",
                                     "score column (`score_column`)"};
    header.count = count;
    MS_TRY(ms_column_find(text, &header, &choice, column, err));
    return *column > 1 ? MS_OK
                       : ms_text_fail(text, err,
                                      "column %u holds proteins; choose another score column "
                                      "(`score_column`)",
                                      *column + 1);
  }
  *column = count - 1;
  for (uint32_t i = 2; i < count; i++)
    if (ms_field_is(fields[i], "combined_score"))
      *column = i;
  return MS_OK;
}

/* Adds the edge of a line. */
static ms_status add_line(ms_text *text, uint32_t column, ms_scores *scores, ms_edges *edges,
                          ms_error *err)
{
  ms_field fields[MAX_COLUMNS];
  uint32_t count;
  bool keep;
  MS_TRY(ms_text_split(text, MS_BLANKS, column + 1, fields, &count, err));
  if (count <= column)
    return ms_text_fail(text, err,
                        "expected %u columns as in the header, found %u; complete the line",
                        column + 1, count);
  MS_TRY(ms_scores_add(scores, text, edges, fields[column], fields[0], fields[1], &keep, err));
  return keep ? ms_edges_add(edges, text, fields[0], fields[1], err) : MS_OK;
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
  uint32_t column = 0;
  ms_scores scores = {.least = ms_least_score(options->min_score), .kept = options->keep_scores};
  ms_status status = ms_text_next_data(text, err);
  if (status != MS_OK || !text->line)
    return status;
  status = find_score_column(text, options->score_column, &column, err);
  if (status == MS_OK)
    status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = add_line(text, column, &scores, edges, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  if (status == MS_OK)
    status = ms_edges_flush(edges, err);
  ms_scores_end(&scores, column, edges);
  return status == MS_OK && !options->keep_taxon ? strip_taxon(edges, err) : status;
}

/* The format is not written: its names have a taxon, and its scores are integers. */
const ms_format ms_format_string = {
    .info = {.name = "string",
             .about = "STRING protein.links: a header, then two proteins and their score per line",
             .example = "protein1 protein2 combined_score\n4932.Q0045 4932.YGR222W 292\n",
             .suffix = ".txt"},
    .options = MS_HAS_SCORE | MS_HAS_KEPT_SCORES | MS_HAS_PREFIX,
    .read = read_string};
