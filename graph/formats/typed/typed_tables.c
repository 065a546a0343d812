/* The tables that may accompany a file of typed edges.
 *
 *   id<TAB>name<TAB>kind             nodes: the types of vertices
 *   Gene::7157<TAB>TP53<TAB>Gene
 *
 *   regulates<TAB>regulated by       relations: a type of edges and its inverse
 *
 * The vertex and its type are in the columns that are chosen, or in those with a usual
 * name, or in the first and the last; a table of two columns may do without a header. */
#include "base/status.h"
#include "graph/formats/typed/typed_load.h"
#include "graph/io/columns.h"

#include <string.h>

/* ---- nodes ----------------------------------------------------------------- */

static const char *const usual_names[] = {"id",  "node",        "node_id", "vertex",
                                          ":ID", "shared name", "name",    NULL};
static const char *const usual_types[] = {"kind",      "type",     "node_type", "vertex_type",
                                          "node_kind", "metanode", "label",     ":LABEL",
                                          "category",  NULL};

typedef struct nodes {
  uint32_t name, type;    /* columns */
  ms_delimiter delimiter; /* a tab, or a comma or semicolon (CSV) */
  ms_table_columns row;
} nodes;

/* Splits the current line, which must have as many columns as the first one. */
static ms_status split(ms_text *text, nodes *t, ms_error *err)
{
  if (t->delimiter == MS_TAB)
    return ms_columns_split_all(&t->row, text, 2, err);
  MS_TRY(ms_text_split(text, t->delimiter, MS_MAX_COLUMNS, t->row.field, &t->row.count, err));
  if (t->row.wanted == 0) {
    t->row.wanted = t->row.count;
    t->row.decided = text->number;
  }
  if (t->row.count < 2 || t->row.count != t->row.wanted)
    return ms_text_fail(text, err,
                        "expected %u columns, separated by %s, as in line %llu, found %u; complete "
                        "the line",
                        t->row.wanted < 2 ? 2 : t->row.wanted, ms_delimiter_name(t->delimiter),
                        (unsigned long long)t->row.decided, t->row.count);
  return MS_OK;
}

/* Finds the columns in the first line; *header: it is a header. */
static ms_status find_columns(ms_text *text, const ms_typed_options *options, nodes *t,
                              bool *header, ms_error *err)
{
  const ms_column_choice name = {options->node_name_column, usual_names, "column of vertices",
                                 "vertex column"};
  const ms_column_choice type = {options->node_type_column, usual_types,
                                 "column of types of vertices", "type column"};
  const char *chosen[] = {name.chosen, type.chosen};
  MS_TRY(split(text, t, err));
  MS_TRY(ms_column_find(text, &t->row, &name, &t->name, err));
  MS_TRY(ms_column_find(text, &t->row, &type, &t->type, err));
  *header = t->row.count > 2;
  for (int i = 0; i < 2; i++)
    *header |= chosen[i] && !ms_column_is_number(chosen[i]);
  *header |= ms_column_usual(t->row.field, t->row.count, usual_names) != MS_NO_COLUMN &&
             ms_column_usual(t->row.field, t->row.count, usual_types) != MS_NO_COLUMN;
  if (t->name == MS_NO_COLUMN || !*header)
    t->name = chosen[0] ? t->name : 0;
  if (t->type == MS_NO_COLUMN || !*header)
    t->type = chosen[1] ? t->type : t->row.count - 1;
  if (t->name == t->type)
    return ms_text_fail(text, err, "vertices and types would both be column %u; choose two columns",
                        t->name + 1);
  return MS_OK;
}

static ms_status read_nodes(ms_edges *edges, ms_text *text, ms_error *err)
{
  nodes t = {.row = {.count = 0}};
  bool header = false;
  MS_TRY(ms_text_next_data(text, err));
  if (!text->line)
    return ms_fail(err, MS_ERR_INPUT, "%s: holds no vertices; give a table of vertices and types",
                   text->label);
  t.delimiter = ms_text_delimiter(text);
  if (t.delimiter == MS_BLANKS)
    t.delimiter = MS_TAB;
  ms_text_set_delimiter(text, t.delimiter);
  MS_TRY(find_columns(text, edges->types->options, &t, &header, err));
  if (header)
    MS_TRY(ms_text_next_data(text, err));
  while (text->line) {
    MS_TRY(split(text, &t, err));
    const ms_field *type = &t.row.field[t.type];
    MS_TRY(ms_edges_alone(edges, text, t.row.field[t.name], ms_field_missing(*type) ? NULL : type,
                          err));
    MS_TRY(ms_text_next_data(text, err));
  }
  edges->types->nodes = ms_names_count(edges->names);
  edges->types->alone = 0;
  return MS_OK;
}

/* ---- relations ------------------------------------------------------------- */

static ms_status read_relations(ms_edges *edges, ms_text *text, ms_error *err)
{
  MS_TRY(ms_text_next_data(text, err));
  while (text->line) {
    const ms_place place = {text->label, text->number};
    ms_field fields[3];
    uint32_t count = ms_line_columns((ms_field){text->line, text->length}, 3, fields);
    if (count != 2)
      return ms_text_fail(
          text, err,
          "expected a type and its inverse, separated by a tab, found %s; write both, "
          "and for a type without a direction the same name twice",
          count < 2 ? "no tab" : "more than one tab");
    MS_TRY(ms_relations_set_inverse(&edges->types->relations, &place, fields[0], fields[1], err));
    MS_TRY(ms_text_next_data(text, err));
  }
  return MS_OK;
}

/* ---- both ------------------------------------------------------------------ */

typedef ms_status (*table_reader)(ms_edges *edges, ms_text *text, ms_error *err);

static ms_status read_file(ms_edges *edges, const char *path, table_reader read, uint32_t *crc32c,
                           ms_error *err)
{
  ms_text *text = NULL;
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = read(edges, text, err);
  if (status == MS_OK)
    *crc32c = text->crc32c;
  ms_text_close(text);
  return status;
}

ms_status ms_typed_read_tables(ms_edges *edges, ms_typed_info *info, ms_error *err)
{
  const ms_typed_options *o = edges->types->options;
  if (o->relations)
    MS_TRY(read_file(edges, o->relations, read_relations, &info->relations_crc32c, err));
  if (o->nodes)
    MS_TRY(read_file(edges, o->nodes, read_nodes, &info->nodes_crc32c, err));
  return MS_OK;
}
