/* SGD's go_slim_mapping.tab: seven columns between tabs,
 *
 *   ORF  gene  SGDID  aspect (P, F or C)  term  GO id  feature type
 *
 * A line's vertex is its ORF or, where the graph lacks that, its gene.  The
 * colour is the term, with the GO id as alias.  Terms without a GO id ("other",
 * "not_yet_annotated") mean a thing of their own in each aspect and are named
 * "other (P)".  A GO id is one colour under the name that it first has; a term
 * that another GO id already has is named "term (GO:...)". */
#include "base/status.h"
#include "graph/formats/colors/read.h"

#include <string.h>

enum { ORF, GENE, SGDID, ASPECT, TERM, GO_ID, FEATURE, COLUMNS };

static ms_status find_color(ms_color_rows *rows, const ms_field *fields, uint32_t *color,
                            ms_error *err)
{
  return fields[GO_ID].length == 0
             ? ms_color_rows_detailed(rows, fields[TERM], fields[ASPECT], color, err)
             : ms_color_rows_term(rows, fields[TERM], fields[GO_ID], color, err);
}

static ms_status check_fields(const ms_text *text, const ms_field *fields, uint32_t count,
                              ms_error *err)
{
  if (count < FEATURE)
    return ms_text_fail(
        text, err,
        "expected the columns ORF, gene, SGDID, aspect, term, GO id and type between "
        "tabs, found %u of them; complete the line, or read the file as a plain colour "
        "table",
        count);
  if (!ms_is_aspect(fields[ASPECT]))
    return ms_text_fail(text, err, "the fourth column is not a GO aspect; write P, F or C there");
  ms_status status = ms_text_check_name(text, fields[ORF], "ORF", err);
  if (status == MS_OK)
    status = ms_text_check_name(text, fields[TERM], "term", err);
  if (status == MS_OK && fields[GO_ID].length > 0)
    status = ms_text_check_name(text, fields[GO_ID], "GO id", err);
  return status;
}

static ms_status add_line(ms_text *text, const char *aspects, ms_color_rows *rows, ms_error *err)
{
  ms_field fields[COLUMNS];
  uint32_t color, count;
  ms_status status = ms_text_split(text, MS_TAB, COLUMNS, fields, &count, err);
  if (status == MS_OK)
    status = check_fields(text, fields, count, err);
  if (status != MS_OK || !strchr(aspects, fields[ASPECT].text[0]))
    return status;
  MS_TRY(find_color(rows, fields, &color, err));
  uint32_t v = ms_graph_find_text(rows->graph, fields[ORF].text, fields[ORF].length);
  if (v == MS_NO_ID)
    v = ms_graph_find_text(rows->graph, fields[GENE].text, fields[GENE].length);
  return ms_color_rows_add(rows, v, fields[ORF], color, err);
}

ms_status ms_read_go_slim(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                          ms_error *err)
{
  const char *aspects = options->aspects ? options->aspects : "PFC";
  ms_status status = MS_OK;
  while (status == MS_OK && text->line) {
    status = add_line(text, aspects, rows, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status;
}
