/* Annotation files, whose columns stand between tabs: GAF, GPAD, NCBI's gene2go, and phenotype.hpoa
 * of the Human Phenotype Ontology.
 *
 * A line's vertex is the first of object id, symbol and synonyms that the graph has.  The colour is
 * the GO term: with an ontology its name, with the id as alias, and old ids lead to the terms that
 * replaced them; without an ontology it is the id.  With a slim the colours are the slim terms that
 * the term maps to (graph/formats/colors/slim.h).  Lines with NOT are no annotations. */
#include "base/status.h"
#include "graph/formats/colors/ontology.h"
#include "graph/formats/colors/read.h"
#include "graph/formats/colors/slim.h"
#include "graph/io/edges/edges.h"

#include <stdio.h>
#include <string.h>

#define NONE UINT32_MAX
#define MOST_COLUMNS 15u /* that are read */

/* The columns of a form, from 0.  Columns behind the last one that is needed may be missing. */
typedef struct form {
  const char *name;
  uint32_t least, most; /* columns of a line */
  uint32_t object, symbol, qualifier, term, aspect, synonyms;
  bool prefixed; /* the object is "DB:ID" */
} form;

/* The most columns first: a line is one of the first form that it fits. */
static const form forms[] = {{"GAF", 15, UINT32_MAX, 1, 2, 3, 4, 8, 10, false},
                             {"gene2go", 8, 8, 1, NONE, 4, 2, 7, NONE, false},
                             {"GPAD", 9, 12, 1, NONE, 2, 3, NONE, NONE, false},
                             {"GPAD 2", 9, 12, 0, NONE, 1, 3, NONE, NONE, true},
                             {"phenotype.hpoa", 9, 14, 0, 1, 2, 3, NONE, NONE, false}};
enum { GAF, GENE2GO, PHENOTYPES = 4 };

/* Returns the field of a column; an empty one where there is none. */
static ms_field field_at(const ms_field *fields, uint32_t count, uint32_t column)
{
  return column < count ? fields[column] : (ms_field){"", 0};
}

/* An id of an ontology: "GO:0006281", "HP:0000118" */
static bool is_term(ms_field field)
{
  size_t letters = 0, digits = 0;
  while (letters < field.length && field.text[letters] >= 'A' && field.text[letters] <= 'Z')
    letters++;
  while (letters + 1 + digits < field.length && field.text[letters + 1 + digits] >= '0' &&
         field.text[letters + 1 + digits] <= '9')
    digits++;
  return letters > 1 && digits == 7 && field.length == letters + 8 && field.text[letters] == ':';
}

/* Returns P, F or C for its letter or word; 0: this is no aspect. */
static char aspect_of(ms_field field)
{
  return ms_is_aspect(field) ? field.text[0]
         : ms_field_alike(field, "Process") || ms_field_alike(field, "biological_process")   ? 'P'
         : ms_field_alike(field, "Function") || ms_field_alike(field, "molecular_function")  ? 'F'
         : ms_field_alike(field, "Component") || ms_field_alike(field, "cellular_component") ? 'C'
                                                                                             : 0;
}

/* Does the line fit, with the id of a term, and an aspect if the form has one? */
static bool fits(const form *f, const ms_field *fields, uint32_t count)
{
  uint64_t number;
  if (count < f->least || count > f->most)
    return false;
  bool numbers =
      f != &forms[GENE2GO] || ms_field_count(fields[0], UINT64_MAX, &number); /* the taxon */
  bool database = memchr(fields[0].text, ':', fields[0].length);
  bool qualifier =
      f != &forms[PHENOTYPES] || (database && (fields[2].length == 0 || ms_is_negated(fields[2])));
  return numbers && qualifier && is_term(fields[f->term]) &&
         (f->aspect == NONE || aspect_of(fields[f->aspect])) && (!f->prefixed || database);
}

/* Returns the form of the line; NULL: it is none. */
static const form *form_of(const ms_field *fields, uint32_t count)
{
  for (size_t i = sizeof forms / sizeof *forms; i-- > 0;)
    if (fits(&forms[i], fields, count))
      return &forms[i];
  return NULL;
}

bool ms_is_annotation(ms_field line)
{
  ms_field fields[MOST_COLUMNS + 1];
  return form_of(fields, ms_line_columns(line, MOST_COLUMNS + 1, fields)) != NULL;
}

typedef struct gaf_reader {
  ms_text *text;
  const char *aspects;
  const form *form;
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

static ms_field object_of(const form *f, const ms_field *fields)
{
  ms_field object = fields[f->object];
  const char *colon = f->prefixed ? memchr(object.text, ':', object.length) : NULL;
  size_t skip = colon ? (size_t)(colon + 1 - object.text) : 0;
  return (ms_field){object.text + skip, object.length - skip};
}

static uint32_t find_vertex(const ms_graph *graph, const form *f, const ms_field *fields,
                            uint32_t count)
{
  ms_field part = object_of(f, fields), symbol = field_at(fields, count, f->symbol);
  uint32_t v = ms_graph_find_text(graph, part.text, part.length);
  if (v == MS_NO_ID && f->prefixed)
    v = ms_graph_find_text(graph, fields[f->object].text, fields[f->object].length);
  if (v == MS_NO_ID && symbol.length > 0)
    v = ms_graph_find_text(graph, symbol.text, symbol.length);
  ms_field synonyms = field_at(fields, count, f->synonyms);
  for (size_t at = 0; v == MS_NO_ID && next_part(synonyms, &at, &part);)
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

static ms_status add_annotation(const gaf_reader *g, const ms_field *fields, uint32_t count,
                                ms_error *err)
{
  ms_field id = fields[g->form->term], name = field_at(fields, count, g->form->symbol);
  uint32_t term = MS_NO_ID, color, v = find_vertex(g->rows->graph, g->form, fields, count);
  ms_status status;
  name = name.length > 0 ? name : object_of(g->form, fields);
  if (g->ontology)
    term = ms_ontology_find(g->ontology, id.text, id.length);
  g->rows->info.unmapped += g->ontology && term == MS_NO_ID;
  if (g->slim)
    return term == MS_NO_ID ? MS_OK : add_slim_terms(g, term, v, name, err);
  status = term == MS_NO_ID ? ms_names_add(g->rows->names, id.text, id.length, &color, err)
                            : find_term_color(g, term, id, &color, err);
  return status == MS_OK ? ms_color_rows_add(g->rows, v, name, color, err) : status;
}

/* ---- lines ---------------------------------------------------------------- */

/* The symbol, and the last two columns of GAF, may be missing. */
static ms_status check_fields(const ms_text *text, const form *f, const ms_field *fields,
                              uint32_t count, ms_error *err)
{
  char what[40];
  ms_field symbol = field_at(fields, count, f->symbol);
  if (count < f->least)
    return ms_text_fail(text, err,
                        "expected the %s columns of %s between tabs, found %u; complete the line, "
                        "or read the file as a plain colour table",
                        f == &forms[GAF]       ? "17"
                        : f == &forms[GENE2GO] ? "8"
                                               : "12",
                        f == &forms[GAF] ? "GAF 2 (or the 15 of GAF 1)" : f->name, count);
  snprintf(what, sizeof what, "object id (column %u)", f->object + 1);
  MS_TRY(ms_text_check_name(text, object_of(f, fields), what, err));
  if (symbol.length > 0)
    MS_TRY(ms_text_check_name(text, symbol, "object symbol (column 3)", err));
  snprintf(what, sizeof what, "GO id (column %u)", f->term + 1);
  MS_TRY(ms_text_check_name(text, fields[f->term], what, err));
  return f->aspect == NONE || aspect_of(fields[f->aspect])
             ? MS_OK
             : ms_text_fail(text, err, "column %u is not a GO aspect; write P, F or C there",
                            f->aspect + 1);
}

static ms_status add_line(gaf_reader *g, ms_error *err)
{
  ms_field fields[MOST_COLUMNS + 1];
  uint32_t count;
  MS_TRY(ms_text_split(g->text, MS_TAB, MOST_COLUMNS + 1, fields, &count, err));
  if (!g->form)
    g->form = form_of(fields, count);
  if (!g->form)
    g->form = &forms[GAF];
  MS_TRY(check_fields(g->text, g->form, fields, count, err));
  const form *f = g->form;
  if (f->aspect != NONE && !strchr(g->aspects, aspect_of(fields[f->aspect])))
    return MS_OK;
  if (f->aspect == NONE && strlen(g->aspects) < 3)
    return ms_text_fail(g->text, err,
                        "aspects are chosen, and %s does not state them; give a GAF file, or leave "
                        "the aspects out",
                        f->name);
  if (ms_is_negated(fields[f->qualifier])) {
    g->rows->info.negated++;
    return MS_OK;
  }
  return add_annotation(g, fields, count, err);
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
  if (status == MS_OK && ms_field_begins((ms_field){text->line, text->length}, MS_HPOA_TITLE))
    status = ms_text_next_data(text, err);
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
