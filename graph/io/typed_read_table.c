/* A table of edges between tabs, below a header that names the columns:
 *
 *   #relation:<TAB>regulates<TAB>^regulates
 *   source<TAB>type<TAB>target<TAB>source_type<TAB>target_type
 *   TP53<TAB>regulates<TAB>MDM2<TAB>gene<TAB>gene
 *   alone<TAB><TAB><TAB>gene<TAB>
 *
 * The lines of relations above the header need not be there; they say what the
 * relations' table can say, too.  Of the columns only source, target and type
 * have to be.  A line without type and target is a vertex. */
#include "base/status.h"
#include "graph/io/typed_read.h"

#include <string.h>

enum { SOURCE, TYPE, TARGET, SOURCE_TYPE, TARGET_TYPE, COLUMNS };

#define MAX_USUAL 12

static const char *const usual[COLUMNS][MAX_USUAL] = {
    [SOURCE] = {"source", "source_id", "source_node", "source_name", "from", "subject", "head",
                "start", ":START_ID", NULL},
    [TYPE] = {"type", "relation", "metaedge", "edge_type", "relationship", "relation_type",
              "interaction", "interaction_type", "predicate", ":TYPE", NULL},
    [TARGET] = {"target", "target_id", "target_node", "target_name", "to", "object", "tail", "end",
                ":END_ID", NULL},
    [SOURCE_TYPE] = {"source_type", "source_kind", "from_type", "subject_type", NULL},
    [TARGET_TYPE] = {"target_type", "target_kind", "to_type", "object_type", NULL},
};

typedef struct table {
  uint32_t place[COLUMNS]; /* MS_NO_COLUMN: there is none */
  ms_columns row;
} table;

/* ---- telling it ------------------------------------------------------------ */

bool ms_typed_has_relations(const ms_head *head)
{
  ms_field line;
  size_t mark = sizeof MS_RELATION_MARK - 1;
  return ms_head_line(head, 0, &line) && line.length >= mark &&
         memcmp(line.text, MS_RELATION_MARK, mark) == 0;
}

bool ms_typed_is_table(const ms_head *head)
{
  ms_field line, fields[MS_MAX_COLUMNS];
  if (ms_typed_has_relations(head))
    return true;
  if (!ms_head_data_line(head, 0, &line))
    return false;
  uint32_t count = ms_line_columns(line, MS_MAX_COLUMNS, fields);
  for (int c = SOURCE; c <= TARGET; c++)
    if (ms_column_usual(fields, count, usual[c]) == MS_NO_COLUMN)
      return false;
  return true;
}

static bool detect(const ms_head *head)
{
  return ms_format_detect(head) == MS_FORMAT_TABLE;
}

/* ---- the header ------------------------------------------------------------ */

static ms_status find_columns(const ms_text *text, const ms_typed_options *o, table *t,
                              ms_error *err)
{
  const ms_column_choice choices[COLUMNS] = {
      [SOURCE] = {o->source_column, usual[SOURCE], "column of sources", "source column"},
      [TYPE] = {o->type_column, usual[TYPE], "column of types", "type column"},
      [TARGET] = {o->target_column, usual[TARGET], "column of targets", "target column"},
      [SOURCE_TYPE] = {o->source_type_column, usual[SOURCE_TYPE], "column of types of sources",
                       "source type column"},
      [TARGET_TYPE] = {o->target_type_column, usual[TARGET_TYPE], "column of types of targets",
                       "target type column"}};
  bool none = o->type_column && strcmp(o->type_column, "none") == 0 &&
              ms_column_usual(t->row.field, t->row.count, (const char *const[]){"none", NULL}) ==
                  MS_NO_COLUMN;
  ms_status status = MS_OK;
  for (int c = 0; c < COLUMNS && status == MS_OK; c++) {
    t->place[c] = MS_NO_COLUMN;
    if (c == TYPE && none)
      continue;
    status = ms_column_find(text, &t->row, &choices[c], &t->place[c], err);
    if (status == MS_OK && c <= TARGET && t->place[c] == MS_NO_COLUMN)
      status = ms_text_fail(text, err,
                            "the header has no %s such as '%s'; choose the %s by name or number%s",
                            choices[c].what, usual[c][0], choices[c].option,
                            c == TYPE ? ", or 'none' for edges without types" : "");
  }
  if (status == MS_OK && t->place[SOURCE] == t->place[TARGET])
    status = ms_text_fail(text, err,
                          "sources and targets would both be column %u; choose two "
                          "columns",
                          t->place[SOURCE] + 1);
  return status;
}

static ms_status read_relation(const ms_text *text, ms_typed_input *input, ms_error *err)
{
  ms_field fields[4];
  uint32_t count = ms_line_columns((ms_field){text->line, text->length}, 4, fields);
  if (count != 3)
    return ms_text_fail(text, err,
                        "expected '#relation:', a type and its inverse between tabs, found %u "
                        "fields; write the type twice if it has no direction",
                        count);
  return ms_relations_say(&input->relations, text, fields[1], fields[2], err);
}

/* Past the lines of relations, to the header. */
static ms_status find_header(ms_text *text, ms_typed_input *input, ms_error *err)
{
  ms_status status;
  do {
    status = ms_text_next(text, err);
    if (status == MS_OK && text->line &&
        strncmp(text->line, MS_RELATION_MARK, sizeof MS_RELATION_MARK - 1) == 0)
      status = read_relation(text, input, err);
  } while (status == MS_OK && text->line && !ms_line_holds_data(text->line, text->length));
  return status;
}

/* ---- lines ----------------------------------------------------------------- */

static ms_field cell(const table *t, int column)
{
  return t->place[column] == MS_NO_COLUMN ? (ms_field){"", 0} : t->row.field[t->place[column]];
}

static ms_status add_vertex(const ms_text *text, ms_typed_input *input, const table *t,
                            ms_error *err)
{
  ms_field type = cell(t, SOURCE_TYPE);
  bool typed = t->place[SOURCE_TYPE] != MS_NO_COLUMN;
  return ms_typed_input_vertex(input, text, cell(t, SOURCE), typed ? &type : NULL, err);
}

/* Where only one end has a column of types, the other end's are unknown. */
static ms_status add_line(const ms_text *text, ms_typed_input *input, table *t, ms_error *err)
{
  MS_TRY(ms_columns_split_all(&t->row, text, 2, err));
  ms_typed_line line = {.source = cell(t, SOURCE),
                        .target = cell(t, TARGET),
                        .type = cell(t, TYPE),
                        .source_typed = t->place[SOURCE_TYPE] != MS_NO_COLUMN,
                        .target_typed = t->place[TARGET_TYPE] != MS_NO_COLUMN,
                        .source_type = cell(t, SOURCE_TYPE),
                        .target_type = cell(t, TARGET_TYPE)};
  if (line.target.length == 0 && line.type.length == 0 && t->place[TYPE] != MS_NO_COLUMN)
    return add_vertex(text, input, t, err);
  if (t->place[TYPE] == MS_NO_COLUMN)
    line.type = (ms_field){"edge", 4};
  return ms_typed_input_edge(input, text, &line, err);
}

static ms_status read_table(ms_text *text, ms_typed_input *input, ms_error *err)
{
  table t = {.row = {.count = 0}};
  input->rule = input->options->directed ? MS_RULE_DIRECTED : MS_RULE_SYMMETRIC;
  ms_status status = find_header(text, input, err);
  if (status == MS_OK && !text->line)
    return ms_fail(err, MS_ERR_INPUT, "%s: holds no edges; give a table with a header",
                   text->label);
  if (status == MS_OK)
    status = ms_columns_split(&t.row, text, 2, err);
  if (status == MS_OK)
    status = find_columns(text, input->options, &t, err);
  if (status == MS_OK)
    status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = add_line(text, input, &t, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status == MS_OK ? ms_typed_input_flush(input, err) : status;
}

const ms_typed_reader ms_typed_table = {
    .name = "table",
    .about = "columns between tabs, named by a header; lines of relations and their inverses may "
             "stand above it",
    .example = "#relation:\tregulates\t^regulates\nsource\ttype\ttarget\tsource_type\ttarget_type\n"
               "TP53\tregulates\tMDM2\tgene\tgene\n",
    .detect = detect,
    .read = read_table};
