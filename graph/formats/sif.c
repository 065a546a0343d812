/* Cytoscape's simple interaction format:
 *
 *   TP53<TAB>pp<TAB>MDM2<TAB>MDM4     an edge to each target
 *   GAL1<TAB>^pd<TAB>GAL4             typed: an edge of type pd from GAL4 to GAL1
 *   alone                             a vertex
 *
 * If any line has a tab, tabs separate the fields of the whole file, and names may hold blanks;
 * else blanks separate them.  Only the beginning of a file is searched for tabs.  After a beginning
 * without tabs a tab is refused, because names with blanks may have been split by then.
 *
 * In a directed graph edges point from source to target.
 *
 * A plain graph does not keep the relation.  The format has no header, but tables that were saved
 * under its name may have one: a first line such as "source metaedge target" (Hetionet) is
 * recognized by all three words.  Below a blank line, a table of nodes may follow (sections.h). */
#include "base/status.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/io/columns.h"
#include "graph/io/edges/directions.h"
#include "graph/io/sections.h"
#include "graph/io/writers.h"

#include <inttypes.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------- */

/* Are there tabs between the fields of the file?  Called in front of the first line. */
static ms_status find_tab(ms_text *text, bool *tabs, ms_error *err)
{
  const char *bytes;
  size_t length, begin = 0;
  ms_status status = ms_text_head(text, 1, &bytes, &length, err);
  for (*tabs = false; status == MS_OK && begin < length && !*tabs;) {
    const char *line = bytes + begin, *lf = memchr(line, '\n', length - begin);
    size_t size = lf ? (size_t)(lf - line) : length - begin;
    *tabs = memchr(line, '\t', size) && ms_line_holds_data(line, size);
    begin += size + 1;
  }
  return status;
}

/* Refuses a line whose delimiter differs.  In a file with tabs, "A pp B" would be a vertex of
 * that name. */
static ms_status check_delimiter(const ms_text *text, bool tabs, ms_error *err)
{
  ms_field line = {text->line, text->length}, field;
  bool tab = memchr(line.text, '\t', line.length);
  if (tab && !tabs)
    return ms_text_fail(text, err,
                        "a tab separates fields here, but blanks do in the lines before; use tabs "
                        "throughout");
  if (tabs && !tab && ms_field_word(&line, &field) && ms_field_word(&line, &field) &&
      ms_sif_relation(field))
    return ms_text_fail(
        text, err, "blanks separate fields here, but tabs do in other lines; use tabs throughout");
  return MS_OK;
}

/* Adds an edge.  In a directed graph a relation that is an arrow says which way it points. */
static ms_status add_edge(ms_text *text, const ms_edge_line *line, bool directed, ms_edges *edges,
                          ms_error *err)
{
  ms_edge_line back = *line;
  ms_direction direction = directed ? ms_arrow_direction(line->type) : MS_DIRECTION_ON;
  back.source = line->target;
  back.target = line->source;
  MS_TRY(ms_edges_add_typed(edges, text, direction == MS_DIRECTION_BACK ? &back : line, err));
  return direction == MS_DIRECTION_BOTH ? ms_edges_add_typed(edges, text, &back, err) : MS_OK;
}

static ms_status add_line(ms_text *text, bool tabs, bool directed, ms_edges *edges, ms_error *err)
{
  ms_edge_line line = {.source_type = {0}};
  MS_TRY(check_delimiter(text, tabs, err));
  ms_field rest = {text->line, text->length};
  ms_field_next(&rest, tabs, &line.source); /* there is one: the line is not blank */
  if (!ms_field_next(&rest, tabs, &line.type))
    return ms_edges_alone(edges, text, line.source, NULL, err);
  if (line.type.length == 0 && ms_field_trim(rest).length == 0)
    return ms_edges_alone(edges, text, line.source, NULL, err);
  if (line.type.length == 0)
    return ms_text_fail(text, err,
                        "the second field, the relation, is empty; write one, such as pp");
  if (tabs && rest.text && ms_field_trim(rest).length == 0) /* tabs at the end of a table's row */
    return ms_edges_alone(edges, text, line.source, NULL, err);
  if (!ms_field_next(&rest, tabs, &line.target))
    return ms_text_fail(text, err,
                        "expected a source, a relation and targets, found two fields; add the "
                        "target, or read the file as an edge list");
  do
    MS_TRY(add_edge(text, &line, directed, edges, err));
  while (!(tabs && rest.text && ms_field_trim(rest).length == 0) &&
         ms_field_next(&rest, tabs, &line.target));
  return MS_OK;
}

/* Returns the number of columns of a header that begins with titles of a source, a relation and a
 * target; 0: it is none. */
static uint32_t count_titles(const ms_text *text, bool tabs)
{
  ms_field rest = {text->line, text->length}, field;
  uint32_t count = 0;
  for (; text->line && ms_field_next(&rest, tabs, &field); count++)
    if (count < 3 &&
        ms_column_usual(&field, 1, ms_table_names[MS_TABLE_SOURCE + count]) == MS_NO_COLUMN)
      return 0;
  return count < 3 ? 0 : count;
}

/* Moves past a header. */
static ms_status read_header(ms_text *text, const ms_graph_options *options, ms_section *section,
                             ms_error *err)
{
  bool tabs = section->delimiter == MS_TAB;
  uint32_t titles = count_titles(text, tabs);
  if (titles > 3)
    return ms_text_fail(text, err,
                        "the header has %" PRIu32
                        " columns, and all but the first two would be targets; separate the "
                        "columns by tabs, and read the file as a table (`format`)",
                        titles);
  section->titled = titles == 3;
  section->columns = titles;
  return text->line && (titles == 3 || options->header) ? ms_text_next_data(text, err) : MS_OK;
}

static ms_status read_sif(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                          ms_error *err)
{
  bool tabs;
  MS_TRY(find_tab(text, &tabs, err));
  MS_TRY(ms_text_next_data(text, err));
  ms_section section = {.delimiter = tabs ? MS_TAB : MS_BLANKS,
                        .uniform = UINT64_MAX,
                        .format = options->format == MS_FORMAT_SIF ? NULL : "sif"};
  MS_TRY(read_header(text, options, &section, err));
  while (text->line) {
    if (1 + ms_delimiter_count((ms_field){text->line, text->length}, section.delimiter) != 3)
      section.columns = 0; /* lists of targets */
    MS_TRY(add_line(text, tabs, options->directed, edges, err));
    MS_TRY(ms_section_next(text, &section, edges, err));
  }
  /* the format has to name a relation, so one that all edges share tells nothing apart */
  if (edges->labels && ms_names_count(edges->labels) == 1) {
    ms_names_free(edges->labels);
    edges->labels = NULL;
  }
  return MS_OK;
}

/* ---- writing --------------------------------------------------------------- */

/* Writes an edge or a lone vertex.  Where no line has a tab, a lone "a b" would be two fields;
 * joined to itself it is one name in any file. */
static void write_row(const char *a, const char *b, ms_outfile *out)
{
  if (b || strchr(a, ' '))
    ms_outfile_printf(out, "%s\tpp\t%s\n", a, b ? b : a);
  else
    ms_outfile_printf(out, "%s\n", a);
}

static ms_status write_sif(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                           ms_error *err)
{
  (void)coloring;
  MS_TRY(ms_check_names(graph, "\t", "#!%", "a SIF file", err));
  ms_write_rows(graph, write_row, out);
  return MS_OK;
}

const ms_format ms_format_sif = {
    .info = {.name = "sif",
             .about = "Cytoscape SIF: a source, a relation (not kept) and targets per line, "
                      "separated by tabs or blanks; a name alone is a vertex",
             .example = "TP53\tpp\tMDM2\tMDM4\nGAL4\tpd\tGAL1\nalone\n",
             .suffix = ".sif",
             .writable = true},
    .typed = {.name = "sif",
              .about =
                  "SIF with relations as types: a source, a relation and targets per line, "
                  "separated by tabs or blanks; '^r' is r from target to source; a name alone is "
                  "a vertex",
              .example = "TP53\tpp\tMDM2\tMDM4\nGAL1\t^pd\tGAL4\nalone\n"},
    .options = MS_HAS_HEADER | MS_HAS_DIRECTION,
    .read = read_sif,
    .write = write_sif};
