/* Columns of tables by the names in their header, and the table of nodes.
 *
 *   id<TAB>name<TAB>kind
 *   Gene::7157<TAB>TP53<TAB>Gene
 *
 * A column is chosen by its name, by its number, or is the first that has one
 * of the usual names.  Where neither is so the vertex is the first column of
 * the table of nodes and the type its last, and a table of two columns may do
 * without a header: VERTEX<TAB>TYPE. */
#include "base/status.h"
#include "graph/io/typed_read.h"
#include "graph/suggest.h"

#include <string.h>

uint32_t ms_column_usual(const ms_field *header, uint32_t count, const char *const *usual)
{
  for (; *usual; usual++)
    for (uint32_t i = 0; i < count; i++)
      if (ms_field_alike(header[i], *usual))
        return i;
  return MS_NO_COLUMN;
}

static bool is_number(const char *column)
{
  return *column && column[strspn(column, "0123456789")] == '\0';
}

static ms_status number_column(const ms_text *text, const ms_columns *header,
                               const ms_column_choice *choice, uint32_t *column, ms_error *err)
{
  uint64_t number;
  ms_field digits = {choice->chosen, strlen(choice->chosen)};
  if (!ms_field_count(digits, header->count, &number) || number == 0)
    return ms_text_fail(text, err,
                        "the %s is to be %.20s, but the line has %u columns between "
                        "tabs; count them from 1",
                        choice->what, choice->chosen, header->count);
  *column = (uint32_t)number - 1;
  return MS_OK;
}

ms_status ms_column_find(const ms_text *text, const ms_columns *header,
                         const ms_column_choice *choice, uint32_t *column, ms_error *err)
{
  ms_name_list known = {.used = 0};
  uint32_t found = 0;
  const char *name = choice->chosen;
  *column = MS_NO_COLUMN;
  if (!name)
    *column = ms_column_usual(header->field, header->count, choice->usual);
  if (!name && *column == MS_NO_COLUMN)
    return MS_OK;
  for (uint32_t i = 0; i < header->count; i++) {
    bool same = name ? ms_field_is(header->field[i], name)
                     : i == *column || (header->field[i].length == header->field[*column].length &&
                                        memcmp(header->field[i].text, header->field[*column].text,
                                               header->field[i].length) == 0);
    ms_name_list_add(&known, header->field[i].text, header->field[i].length);
    if (same && found++ == 0)
      *column = i;
  }
  if (found > 1)
    return ms_text_fail(text, err, "%u columns have the header '%.*s'; choose the %s by number",
                        found,
                        ms_name_clip(header->field[*column].text, header->field[*column].length),
                        header->field[*column].text, choice->option);
  if (found == 1)
    return MS_OK;
  if (is_number(name))
    return number_column(text, header, choice, column, err);
  return ms_text_fail(text, err, "no column has the header '%.*s'; choose the %s from %s",
                      ms_name_clip(name, strlen(name)), name, choice->option,
                      ms_name_list_text(&known));
}

/* ---- the table of nodes ---------------------------------------------------- */

static const char *const usual_names[] = {"id",  "node",        "node_id", "vertex",
                                          ":ID", "shared name", "name",    NULL};
static const char *const usual_types[] = {"kind",      "type",     "node_type", "vertex_type",
                                          "node_kind", "metanode", "label",     ":LABEL",
                                          "category",  NULL};

typedef struct nodes {
  uint32_t name, type; /* columns */
  ms_columns row;
} nodes;

/* From the first line; *header: it is no vertex's. */
static ms_status find_columns(const ms_text *text, const ms_typed_options *options, nodes *t,
                              bool *header, ms_error *err)
{
  const ms_column_choice name = {options->node_name_column, usual_names, "column of vertices",
                                 "vertex column"};
  const ms_column_choice type = {options->node_type_column, usual_types,
                                 "column of types of vertices", "type column"};
  const char *chosen[] = {name.chosen, type.chosen};
  ms_status status = ms_columns_split(&t->row, text, 2, err);
  if (status == MS_OK)
    status = ms_column_find(text, &t->row, &name, &t->name, err);
  if (status == MS_OK)
    status = ms_column_find(text, &t->row, &type, &t->type, err);
  if (status != MS_OK)
    return status;
  *header = t->row.count > 2;
  for (int i = 0; i < 2; i++)
    *header |= chosen[i] && !is_number(chosen[i]);
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

static ms_status read_lines(ms_typed_input *input, ms_text *text, ms_error *err)
{
  nodes t = {.row = {.count = 0}};
  bool header = false;
  ms_status status = ms_text_next_data(text, err);
  if (status == MS_OK && !text->line)
    return ms_fail(err, MS_ERR_INPUT, "%s: holds no vertices; give a table of vertices and types",
                   text->label);
  if (status == MS_OK)
    status = find_columns(text, input->options, &t, &header, err);
  if (status == MS_OK && header)
    status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = ms_columns_split_all(&t.row, text, 2, err);
    if (status == MS_OK)
      status = ms_typed_input_vertex(input, text, t.row.field[t.name], &t.row.field[t.type], err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status;
}

ms_status ms_typed_read_nodes(ms_typed_input *input, const char *path, uint32_t *crc32c,
                              ms_error *err)
{
  ms_text *text = NULL;
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = read_lines(input, text, err);
  if (status == MS_OK)
    *crc32c = text->crc32c;
  ms_text_close(text);
  input->nodes = ms_names_count(input->names);
  input->alone = 0;
  return status;
}
