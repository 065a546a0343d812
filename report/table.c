#include "report/table.h"

#include "base/alloc.h"
#include "base/status.h"
#include "query/query.h"
#include "report/head.h"

#include <math.h>
#include <string.h>

/* ---- what the columns are ------------------------------------------------------------ */

typedef struct reader {
  ms_table *table;
  ms_certificate *c;
  const ms_result_column *source[MS_TABLE_COLUMNS]; /* NULL: the name of the section */
  bool has_sections;                                /* the first column is the name of the motif */
} reader;

static ms_column_kind kind_of(ms_cell_type type)
{
  switch (type) {
  case MS_CELL_VERTEX:
    return MS_COLUMN_VERTEX;
  case MS_CELL_DIGITS:
    return MS_COLUMN_DIGITS;
  case MS_CELL_COUNT:
  case MS_CELL_K:
    return MS_COLUMN_COUNT;
  case MS_CELL_FLAG:
    return MS_COLUMN_FLAG;
  case MS_CELL_REAL:
  case MS_CELL_SINGLE:
  case MS_CELL_SINGLE_OR_NA:
  case MS_CELL_FLOAT:
  case MS_CELL_BOUND:
  case MS_CELL_SECONDS:
    return MS_COLUMN_REAL;
  case MS_CELL_IDS:
  case MS_CELL_COUNTS:
    return MS_COLUMN_COUNTS;
  case MS_CELL_NAMES:
    return MS_COLUMN_TEXTS;
  case MS_CELL_VERTICES:
    return MS_COLUMN_VERTICES;
  default:
    return MS_COLUMN_TEXT;
  }
}

static ms_status add_column(ms_table *t, const char *name, size_t length, ms_column_kind kind,
                            ms_error *err)
{
  if (t->columns == MS_TABLE_COLUMNS || length >= sizeof t->name[0])
    return ms_fail(err, MS_ERR_INTERNAL, "a report has no room for the column '%.*s'", (int)length,
                   name);
  memcpy(t->name[t->columns], name, length);
  t->column[t->columns].name = t->name[t->columns];
  t->column[t->columns++].kind = kind;
  return MS_OK;
}

ms_status ms_table_add_column(ms_table *table, const char *name, ms_column_kind kind, ms_error *err)
{
  return add_column(table, name, strlen(name), kind, err);
}

static ms_status add_source(reader *r, const ms_result_column *column, ms_error *err)
{
  r->source[r->table->columns] = column;
  return ms_table_add_column(r->table, column->name, kind_of(column->type), err);
}

/* True if rows hold the column.  Long and wide rows have been put together: their lists have other
 * names, and long ones have no measures, whatever the header says. */
static bool is_held(const reader *r, const ms_result_column *column)
{
  return column->type >= MS_CELL_NAMES || ms_row_columns_find(&r->c->result.columns, column->name);
}

/* Makes the columns of the result. */
static ms_status open_columns(reader *r, ms_error *err)
{
  ms_result_header h = r->c->result.header;
  bool near = h.kind == MS_KIND_NEAREST_LIST;
  /* slots of one colour have titles of their own, and one role */
  for (uint32_t d = 0; near && r->c->query && h.row_form == MS_ROWS_WIDE && d < h.k; d++)
    r->c->result.header.pattern.names[d] = ms_query_slot_name(r->c->query, d);
  if (h.has & MS_HAS_SECTIONS)
    MS_TRY(ms_table_add_column(r->table, "motif", MS_COLUMN_TEXT, err));
  h.roles |= h.row_form == MS_ROWS_LONG || (h.row_form == MS_ROWS_WIDE && near);
  h.row_form = MS_ROWS_USUAL;
  bool finds_roles = r->c->query && !h.roles && h.kind == MS_KIND_LIST; /* as the last column */
  h.roles |= finds_roles;
  ms_row_columns columns = ms_row_columns_of(&h);
  const ms_result_column *last = finds_roles ? ms_row_columns_find(&columns, "roles") : NULL;
  for (uint32_t i = 0; i < columns.count; i++)
    if (columns.at[i] != last && is_held(r, columns.at[i]))
      MS_TRY(add_source(r, columns.at[i], err));
  return last ? add_source(r, last, err) : MS_OK;
}

/* ---- a row ---------------------------------------------------------------------------- */

ms_status ms_table_add_text(ms_table *table, ms_column *column, const char *text, ms_error *err)
{
  uint32_t id;
  text = text ? text : "";
  MS_TRY(ms_names_add(table->strings, text, strlen(text), &id, err));
  return ms_values_add(&column->values, id, err);
}

ms_status ms_table_add_texts(ms_table *table, ms_column *column, uint32_t count,
                             const char *const *texts, ms_error *err)
{
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(ms_table_add_text(table, column, texts[i], err));
  return ms_values_add(&column->ends, column->values.count, err);
}

/* Adds the names of the vertices of a match, which a binary file knows by their places. */
static ms_status add_vertices(reader *r, ms_column *column, ms_error *err)
{
  const ms_match_row *row = &r->c->result.row.match;
  const char *name[MS_MAX_PATTERN];
  if (!row->ids)
    return ms_table_add_texts(r->table, column, row->count, row->vertices, err);
  if (!r->c->graph && !r->c->typed)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: a binary result holds no names of vertices; give the graph, too",
                   r->c->result.path);
  for (uint32_t i = 0; i < row->count; i++) {
    if (row->ids[i] >= r->c->result.header.vertices)
      return ms_result_refuse(&r->c->result, 0, "match %llu has a vertex that the graph lacks",
                              (unsigned long long)row->number);
    name[i] = ms_name_of(r->c, row->ids[i]);
  }
  return ms_table_add_texts(r->table, column, row->count, name, err);
}

/* Finds the slot that each vertex of a motif's match fills. */
static ms_status add_roles(reader *r, ms_column *column, ms_error *err)
{
  const ms_match_row *row = &r->c->result.row.match;
  uint64_t line = r->c->result.row.line;
  uint32_t ids[MS_MAX_K], slot[MS_MAX_K];
  const char *role[MS_MAX_K];
  if (row->count != r->c->result.header.k)
    return ms_result_refuse(&r->c->result, line, "the match has %u vertices, not %u", row->count,
                            r->c->result.header.k);
  for (uint32_t i = 0; i < row->count; i++)
    MS_TRY(ms_find_named(r->c, line, row->vertices[i], &ids[i]));
  bool fits = ms_query_slots(r->c->query, ids, slot);
  for (uint32_t i = 0; i < row->count; i++)
    role[i] = fits ? ms_query_slot_name(r->c->query, slot[i]) : "";
  return ms_table_add_texts(r->table, column, row->count, role, err);
}

static ms_status add_numbers(ms_column *column, const uint32_t *number, uint32_t count,
                             ms_error *err)
{
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(ms_values_add(&column->values, number[i], err));
  return ms_values_add(&column->ends, column->values.count, err);
}

static ms_status add_list(reader *r, ms_column *column, const ms_result_column *from, ms_error *err)
{
  const char *row = (const char *)&r->c->result.row.vertex;
  uint32_t count;
  const void *list;
  memcpy(&count, row + from->count, sizeof count);
  memcpy(&list, row + from->at, sizeof list);
  if (from->type == MS_CELL_IDS)
    return add_numbers(column, (const uint32_t *)(const void *)(row + from->at), count, err);
  if (from->type == MS_CELL_COUNTS)
    return add_numbers(column, list, count, err);
  if (from->at == offsetof(ms_match_row, vertices) && from->type == MS_CELL_VERTICES)
    return add_vertices(r, column, err);
  if (list)
    return ms_table_add_texts(r->table, column, count, list, err);
  return strcmp(from->name, "roles") == 0 ? add_roles(r, column, err)
                                          : ms_table_add_texts(r->table, column, 0, NULL, err);
}

static ms_status add_value(reader *r, uint32_t i, ms_error *err)
{
  ms_column *column = &r->table->column[i];
  const ms_result_column *from = r->source[i];
  const ms_result_header *h = &r->c->result.header;
  const char *at = (const char *)&r->c->result.row.vertex, *text;
  double real = NAN;
  uint64_t bits;
  if (!from)
    return ms_table_add_text(r->table, column, h->name, err);
  if (ms_column_is_list(column))
    return add_list(r, column, from, err);
  at += from->at;
  memcpy(&text, at, sizeof text);
  memcpy(&bits, at, sizeof bits);
  if (column->kind == MS_COLUMN_REAL && !(from->of_flagged && !r->c->result.row.vertex.flagged))
    memcpy(&real, at, sizeof real);
  switch (from->type) {
  case MS_CELL_WORD:
    memcpy(&real, at, sizeof real);
    text = isnan(real) ? NULL : ms_result_word(from->words, (uint32_t)real);
    return ms_table_add_text(r->table, column, text, err);
  case MS_CELL_COUNT:
    return ms_values_add(&column->values, bits, err);
  case MS_CELL_K:
    return ms_values_add(&column->values, h->k, err);
  case MS_CELL_FLAG:
    return ms_values_add(&column->values, *(const unsigned char *)at, err);
  default:
    break;
  }
  if (column->kind != MS_COLUMN_REAL)
    return ms_table_add_text(r->table, column, text, err);
  memcpy(&bits, &real, sizeof bits);
  return ms_values_add(&column->values, bits, err);
}

/* ---- all rows -------------------------------------------------------------------------- */

static ms_status read_rows(reader *r, uint64_t most, ms_error *err)
{
  ms_table *t = r->table;
  for (bool more = true;;) {
    if ((t->rows & 1023) == 0)
      MS_TRY(ms_stop_poll("the rows of the result are read", err));
    MS_TRY(ms_result_next_row(&r->c->result, &more, err));
    if (!more)
      return MS_OK;
    for (uint32_t i = 0; i < t->columns && t->rows < most; i++)
      MS_TRY(add_value(r, i, err));
    t->shown += t->rows < most;
    t->rows++;
  }
}

/* Keeps what the header of a section says. */
static ms_status keep_section(reader *r, ms_error *err)
{
  json_t *object = ms_json_of_head(&r->c->result.header, false);
  json_object_del(object, "graph");
  json_object_del(object, "colors");
  if (!object || json_array_append_new(r->table->sections, object) != 0)
    return ms_fail_memory(err, "the sections of a result");
  return MS_OK;
}

static ms_status read_sections(reader *r, uint64_t most, ms_error *err)
{
  const ms_row_columns columns = r->c->result.columns;
  r->table->sections = json_array();
  for (;;) {
    MS_TRY(keep_section(r, err));
    MS_TRY(read_rows(r, most, err));
    if (ms_result_is_last(&r->c->result))
      return MS_OK;
    MS_TRY(ms_result_open_next(&r->c->result, err));
    if (memcmp(columns.at, r->c->result.columns.at, sizeof columns.at) != 0)
      return ms_result_refuse(&r->c->result, r->c->result.first_line,
                              "this section has other columns than the first one");
  }
}

ms_status ms_table_begin(ms_table *table, ms_error *err)
{
  memset(table, 0, sizeof *table);
  return ms_names_new(&table->strings, err);
}

ms_status ms_table_read(ms_table *table, ms_certificate *c, uint64_t most, ms_error *err)
{
  reader r = {.table = table, .c = c, .has_sections = c->result.header.has & MS_HAS_SECTIONS};
  MS_TRY(ms_table_begin(table, err));
  MS_TRY(open_columns(&r, err));
  return r.has_sections ? read_sections(&r, most, err) : read_rows(&r, most, err);
}

void ms_table_free(ms_table *table)
{
  for (uint32_t i = 0; i < table->columns; i++)
    ms_column_free(&table->column[i]);
  ms_names_free(table->strings);
  json_decref(table->sections);
}

const ms_column *ms_table_find(const ms_table *table, const char *name)
{
  for (uint32_t i = 0; i < table->columns; i++)
    if (strcmp(table->column[i].name, name) == 0)
      return &table->column[i];
  return NULL;
}

const ms_column *ms_table_vertices(const ms_table *table)
{
  const ms_column *drawn = ms_table_find(table, "drawn");
  if (drawn)
    return drawn;
  for (uint32_t i = 0; i < table->columns; i++)
    if (table->column[i].kind == MS_COLUMN_VERTEX || table->column[i].kind == MS_COLUMN_VERTICES)
      return &table->column[i];
  return NULL;
}
