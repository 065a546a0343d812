/* Gene sets in GMT, the format of MSigDB and Enrichr: the name of a set, a description, and its
 * genes, one in each column.
 *
 *   HALLMARK_APOPTOSIS<TAB>http://...<TAB>CASP3<TAB>CASP9<TAB>...
 *
 * The set is the colour, and the description is not read.  Enrichr puts a weight behind a gene,
 * "CASP3,1.0", which is not read either.  Most genes of a collection are no vertices of a small
 * network, so these are only counted. */
#include "base/status.h"
#include "graph/formats/colors/read.h"

#include <string.h>

/* Returns the gene without a weight behind it. */
static ms_field gene_of(const ms_graph *graph, ms_field cell)
{
  const char *comma = memchr(cell.text, ',', cell.length);
  if (!comma || ms_graph_find_text(graph, cell.text, cell.length) != MS_NO_ID)
    return cell;
  return ms_field_trim((ms_field){cell.text, (size_t)(comma - cell.text)});
}

static ms_status add_set(ms_text *text, ms_color_rows *rows, ms_error *err)
{
  ms_field rest = {text->line, text->length}, set, description, cell;
  uint32_t color, v;
  bool complete =
      ms_field_next(&rest, true, &set) && ms_field_next(&rest, true, &description) && rest.text;
  MS_TRY(ms_text_check_name(text, set, "name of the set", err));
  if (!complete)
    return ms_text_fail(text, err,
                        "expected a set, a description and genes between tabs, found fewer than "
                        "three columns; complete the line");
  MS_TRY(ms_names_add(rows->names, set.text, set.length, &color, err));
  while (ms_field_next(&rest, true, &cell)) {
    if (cell.length == 0)
      continue;
    cell = gene_of(rows->graph, cell);
    MS_TRY(ms_color_rows_vertex(rows, text, cell, &v, err));
    if (v != MS_NO_ID)
      MS_TRY(ms_color_rows_add(rows, v, cell, color, err));
  }
  return MS_OK;
}

ms_status ms_read_gmt(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                      ms_error *err)
{
  (void)options;
  while (text->line) {
    MS_TRY(add_set(text, rows, err));
    MS_TRY(ms_text_next_data(text, err));
  }
  return MS_OK;
}
