/* GO annotation files, GAF 2.0 to 2.2, and 1.0 if the format is given: 17 (15) columns between
 * tabs, behind a comment '!gaf-version: 2.2'.
 *
 * A line's vertex is the first of object id, symbol and synonyms that the graph has.  The colour is
 * the GO term: with an ontology its name, with the id as alias, and old ids lead to the terms that
 * replaced them; without an ontology it is the id.  With a slim the colours are the slim terms that
 * the term maps to (graph/formats/colors/slim.h).  Lines with NOT are no annotations. */
#include "base/status.h"
#include "graph/formats/colors/ontology.h"
#include "graph/formats/colors/read.h"
#include "graph/formats/colors/slim.h"
#include "graph/io/edges.h"

#include <string.h>

/* Columns, from 0; those behind the last may be missing. */
enum { OBJECT = 1, SYMBOL = 2, QUALIFIER = 3, TERM = 4, ASPECT = 8, SYNONYMS = 10, LAST = 14 };

typedef struct gaf_reader {
  ms_text *text;
  const char *aspects;
  ms_ontology *ontology; /* or NULL */
  ms_slim *slim;         /* or NULL */
  ms_color_rows *rows;
} gaf_reader;

/* Reads the part of a list split by '|' that begins at *at, and moves *at behind it; false at
 * the end. */
static bool next_part(ms_field list, size_t *at, ms_field *part)
{
  if (*at >= list.length)
    return false;
  const char *from = list.text + *at, *bar = memchr(from, '|', list.length - *at);
  size_t length = bar ? (size_t)(bar - from) : list.length - *at;
  *part = ms_field_trim((ms_field){from, length});
  *at += length + 1;
  return true;
}

static bool is_negated(ms_field qualifier)
{
  ms_field part;
  for (size_t at = 0; next_part(qualifier, &at, &part);)
    if (ms_field_is(part, "NOT"))
      return true;
  return false;
}

static uint32_t find_vertex(const ms_graph *graph, const ms_field *fields)
{
  ms_field part;
  uint32_t v = ms_graph_find_text(graph, fields[OBJECT].text, fields[OBJECT].length);
  if (v == MS_NO_ID)
    v = ms_graph_find_text(graph, fields[SYMBOL].text, fields[SYMBOL].length);
  for (size_t at = 0; v == MS_NO_ID && next_part(fields[SYNONYMS], &at, &part);)
    v = ms_graph_find_text(graph, part.text, part.length);
  return v;
}

/* ---- colours of a line ---------------------------------------------------- */

static ms_field field_of(const char *text)
{
  return (ms_field){text, strlen(text)};
}

/* Finds the colour of a term of the ontology; `id` is its id on the line. */
static ms_status find_term_color(const gaf_reader *g, uint32_t term, ms_field id, uint32_t *color,
                                 ms_error *err)
{
  ms_status status = ms_color_rows_term(g->rows, field_of(ms_ontology_name(g->ontology, term)),
                                        field_of(ms_ontology_id(g->ontology, term)), color, err);
  return status == MS_OK ? ms_color_rows_alias(g->rows, id, *color, err) : status;
}

static ms_status add_slim_terms(const gaf_reader *g, uint32_t term, uint32_t v, ms_field name,
                                ms_error *err)
{
  ms_status status = MS_OK;
  ms_slim_range range = g->slim->range[term];
  uint32_t color = 0;
  for (uint32_t i = 0; i < range.count && status == MS_OK; i++) {
    uint32_t above = g->slim->mapped.pair[range.start + i][1];
    status = ms_color_rows_term(g->rows, field_of(ms_ontology_name(g->ontology, above)),
                                field_of(ms_ontology_id(g->ontology, above)), &color, err);
    if (status == MS_OK && v != MS_NO_ID)
      status = ms_color_rows_add(g->rows, v, name, color, err);
  }
  if (status == MS_OK && range.count == 0)
    g->rows->info.outside_slim++;
  /* counts one line, however many colours there are */
  return status == MS_OK && range.count > 0 && v == MS_NO_ID
             ? ms_color_rows_add(g->rows, v, name, color, err)
             : status;
}

static ms_status add_annotation(const gaf_reader *g, const ms_field *fields, ms_error *err)
{
  ms_field id = fields[TERM];
  uint32_t term = MS_NO_ID, color, v = find_vertex(g->rows->graph, fields);
  ms_status status;
  if (g->ontology)
    term = ms_ontology_find(g->ontology, id.text, id.length);
  g->rows->info.unmapped += g->ontology && term == MS_NO_ID;
  if (g->slim)
    return term == MS_NO_ID ? MS_OK : add_slim_terms(g, term, v, fields[SYMBOL], err);
  status = term == MS_NO_ID ? ms_names_add(g->rows->names, id.text, id.length, &color, err)
                            : find_term_color(g, term, id, &color, err);
  return status == MS_OK ? ms_color_rows_add(g->rows, v, fields[SYMBOL], color, err) : status;
}

/* ---- lines ---------------------------------------------------------------- */

static ms_status check_fields(const ms_text *text, const ms_field *fields, uint32_t count,
                              ms_error *err)
{
  if (count <= LAST)
    return ms_text_fail(text, err,
                        "expected the 17 columns of GAF 2 (or the 15 of GAF 1) between tabs, found "
                        "%u; complete the line, or read the file as a plain colour table",
                        count);
  ms_status status = ms_text_check_name(text, fields[OBJECT], "object id (column 2)", err);
  if (status == MS_OK)
    status = ms_text_check_name(text, fields[SYMBOL], "object symbol (column 3)", err);
  if (status == MS_OK)
    status = ms_text_check_name(text, fields[TERM], "GO id (column 5)", err);
  if (status == MS_OK && !ms_is_aspect(fields[ASPECT]))
    status = ms_text_fail(text, err, "column 9 is not a GO aspect; write P, F or C there");
  return status;
}

static ms_status add_line(const gaf_reader *g, ms_error *err)
{
  ms_field fields[LAST + 1];
  uint32_t count;
  ms_status status = ms_text_split(g->text, MS_TAB, LAST + 1, fields, &count, err);
  if (status == MS_OK)
    status = check_fields(g->text, fields, count, err);
  if (status != MS_OK || !strchr(g->aspects, fields[ASPECT].text[0]))
    return status;
  if (is_negated(fields[QUALIFIER])) {
    g->rows->info.negated++;
    return MS_OK;
  }
  return add_annotation(g, fields, err);
}

ms_status ms_read_gaf(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                      ms_error *err)
{
  gaf_reader g = {
      .text = text, .aspects = options->aspects ? options->aspects : "PFC", .rows = rows};
  ms_status status = MS_OK;
  if (options->obo)
    status = ms_ontology_read(options->obo, &g.ontology, err);
  if (status == MS_OK && options->slim)
    status = ms_slim_read(g.ontology, options->slim, &g.slim, err);
  while (status == MS_OK && text->line) {
    status = add_line(&g, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  if (g.ontology)
    rows->info.obo_crc32c = g.ontology->crc32c;
  if (g.slim) {
    rows->info.slim_is_file = g.slim->is_file;
    rows->info.slim_crc32c = g.slim->crc32c;
  }
  ms_slim_free(g.slim);
  ms_ontology_free(g.ontology);
  return status;
}
