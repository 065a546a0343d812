#include "report/table.h"

#include "base/alloc.h"
#include "base/status.h"
#include "query/query.h"
#include "report/head.h"

#include <math.h>
#include <string.h>

/* ---- what the columns are ------------------------------------------------------------ */

/* A column of a result file, and where the reader of results leaves its value. */
typedef struct field {
  const char *name;
  ms_column_kind kind;
  size_t at, size;
  unsigned kinds; /* of results; 0: all */
} field;

#define AT(member)                                                                                 \
  .at = offsetof(ms_result_row, member), .size = sizeof(((ms_result_row *)0)->member)
#define MATCHES (MS_KIND_LIST | MS_KIND_NEAREST_LIST | MS_KIND_PATTERN | MS_KIND_TYPED)

static const field fields[] = {
    /* tables of motifs, whose values are in row.cell */
    {"name", MS_COLUMN_TEXT, 0, 0, MS_KINDS_OF_TABLES},
    {"k", MS_COLUMN_COUNT, 0, 0, MS_KINDS_OF_TABLES},
    {"flagged", MS_COLUMN_COUNT, 0, 0, MS_KINDS_OF_TABLES},
    {"matches", MS_COLUMN_DIGITS, 0, 0, MS_KINDS_OF_TABLES},
    {"mode", MS_COLUMN_TEXT, 0, 0, MS_KINDS_OF_TABLES},
    {"status", MS_COLUMN_TEXT, 0, 0, MS_KINDS_OF_TABLES},
    {"motif", MS_COLUMN_TEXT, 0, 0, MS_KINDS_OF_TABLES},
    {"miss_bound", MS_COLUMN_REAL, 0, 0, MS_KINDS_OF_TABLES},
    {"seconds", MS_COLUMN_REAL, 0, 0, MS_KINDS_OF_TABLES},
    /* rows */
    {"match", MS_COLUMN_COUNT, AT(number), 0},
    {"vertex", MS_COLUMN_VERTEX, AT(vertex), 0},
    {"vertices", MS_COLUMN_VERTICES, 0, 0, 0},
    {"label", MS_COLUMN_TEXT, AT(label), 0},
    {"labels", MS_COLUMN_TEXTS, AT(labels), 0},
    {"roles", MS_COLUMN_TEXTS, AT(roles), 0},
    {"colors", MS_COLUMN_TEXTS, 0, 0, 0},
    {"flagged", MS_COLUMN_FLAG, AT(flagged), 0},
    {"repetitions", MS_COLUMN_COUNT, AT(repetitions), 0},
    {"matches", MS_COLUMN_COUNT, AT(repetitions), MS_KIND_PARTICIPATION},
    {"missing", MS_COLUMN_COUNT, AT(missing), 0},
    {"extra", MS_COLUMN_COUNT, AT(extra), 0},
    {"cost", MS_COLUMN_COUNT, AT(cost), 0},
    {"score", MS_COLUMN_COUNT, AT(map_score), MS_KIND_TYPED},
    {"score", MS_COLUMN_REAL, AT(score), 0},
    {"best_sum", MS_COLUMN_COUNT, AT(best_sum), 0},
    {"sums", MS_COLUMN_COUNTS, 0, 0, 0},
    {"edges", MS_COLUMN_COUNT, AT(measures.edges), 0},
    {"density", MS_COLUMN_REAL, AT(measures.density), 0},
    {"mean_score", MS_COLUMN_REAL, AT(measures.mean_score), 0},
    {"least_score", MS_COLUMN_REAL, AT(measures.least_score), 0},
    {"vertex_score", MS_COLUMN_COUNT, AT(vertex_score), 0},
    {"family_size", MS_COLUMN_COUNT, AT(family_size), 0},
    {"motif", MS_COLUMN_TEXT, AT(motif), MS_KINDS_OF_CENSUSES | MS_KINDS_OF_SAMPLES},
    {"k", MS_COLUMN_COUNT, 0, 0, 0},
    {"sets", MS_COLUMN_COUNT, AT(sets), 0},
    {"share", MS_COLUMN_REAL, AT(share), MS_KIND_CENSUS},
    {"p_by", MS_COLUMN_TEXT, AT(p_by), MS_KIND_CENSUS},
    {"group", MS_COLUMN_TEXT, AT(group), 0},
    {"reference", MS_COLUMN_TEXT, AT(reference), 0},
    {"sample", MS_COLUMN_TEXT, AT(sample), 0},
    {"permutations", MS_COLUMN_COUNT, AT(permutations), 0},
    {"exact", MS_COLUMN_FLAG, AT(exact), 0},
};

static const field *find_field(const char *name, ms_result_kind kind)
{
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strcmp(fields[i].name, name) == 0 && (!fields[i].kinds || fields[i].kinds & kind))
      return &fields[i];
  return NULL;
}

/* A column that is being read. */
typedef struct source {
  const field *field; /* NULL: a number of these arrays */
  size_t at;          /* of the double in the row */
} source;

typedef struct reader {
  ms_table *table;
  ms_certificate *c;
  source source[MS_TABLE_COLUMNS];
  bool has_sections; /* the first column is the name of the motif */
  bool finds_roles;  /* the last column is made here */
} reader;

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

static ms_status add_named(reader *r, const char *name, size_t length, uint32_t *numbers,
                           ms_error *err)
{
  char text[32];
  uint32_t at = r->table->columns;
  if (length >= sizeof text)
    return ms_fail(err, MS_ERR_INTERNAL, "a report has no room for the column '%.*s'", (int)length,
                   name);
  memcpy(text, name, length);
  text[length] = '\0';
  const field *f = find_field(text, r->c->result.header.kind);
  MS_TRY(add_column(r->table, name, length, f ? f->kind : MS_COLUMN_REAL, err));
  size_t array = r->c->result.header.kind == MS_KIND_CENSUS ? offsetof(ms_result_row, statistic)
                                                            : offsetof(ms_result_row, compared);
  r->source[at] = (source){f, f ? f->at : array + *numbers * sizeof(double)};
  *numbers += f == NULL || ms_result_statistic_is_word(name, length);
  return MS_OK;
}

/* Makes the columns that the header names. */
static ms_status open_columns(reader *r, ms_error *err)
{
  const ms_result_header *h = &r->c->result.header;
  bool of_pattern = ms_result_has_pattern_columns(h), scores = h->has & MS_HAS_INEXACT;
  const char *columns = !of_pattern && !h->long_rows ? ms_result_columns(h)
                        : scores                     ? "match\tscore\tvertices"
                                                     : "match\tvertices";
  uint32_t numbers = 0;
  if (h->has & MS_HAS_SECTIONS)
    MS_TRY(ms_table_add_column(r->table, "motif", MS_COLUMN_TEXT, err));
  for (const char *at = columns; *at;) {
    size_t length = strcspn(at, "\t");
    MS_TRY(add_named(r, at, length, &numbers, err));
    at += length + (at[length] == '\t');
  }
  if ((of_pattern || h->long_rows) && h->labels.path)
    MS_TRY(add_named(r, "labels", strlen("labels"), &numbers, err));
  if (h->long_rows)
    MS_TRY(add_named(r, "roles", strlen("roles"), &numbers, err));
  r->finds_roles = h->kind == MS_KIND_LIST && r->c->query && !ms_table_find(r->table, "roles");
  return r->finds_roles ? add_named(r, "roles", strlen("roles"), &numbers, err) : MS_OK;
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
  const ms_result_row *row = &r->c->result.row;
  const char *name[MS_MAX_PATTERN];
  if (!row->has_ids)
    return ms_table_add_texts(r->table, column, row->count, row->names, err);
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
  const ms_result_row *row = &r->c->result.row;
  uint32_t ids[MS_MAX_K], slot[MS_MAX_K];
  const char *role[MS_MAX_K];
  if (row->count != r->c->result.header.k)
    return ms_result_refuse(&r->c->result, row->line, "the match has %u vertices, not %u",
                            row->count, r->c->result.header.k);
  for (uint32_t i = 0; i < row->count; i++)
    MS_TRY(ms_find_named(r->c, row->line, row->names[i], &ids[i]));
  bool fits = ms_query_slots(r->c->query, ids, slot);
  for (uint32_t i = 0; i < row->count; i++)
    role[i] = fits ? ms_query_slot_name(r->c->query, slot[i]) : "";
  return ms_table_add_texts(r->table, column, row->count, role, err);
}

static ms_status add_sums(ms_column *column, const ms_result_row *row, ms_error *err)
{
  for (uint32_t i = 0; row->flagged && i < row->n_sums; i++)
    MS_TRY(ms_values_add(&column->values, row->sums[i], err));
  return ms_values_add(&column->ends, column->values.count, err);
}

static ms_status add_list(reader *r, ms_column *column, const field *f, ms_error *err)
{
  const ms_result_row *row = &r->c->result.row;
  if (column->kind == MS_COLUMN_COUNTS)
    return add_sums(column, row, err);
  if (column->kind == MS_COLUMN_VERTICES)
    return add_vertices(r, column, err);
  if (f->size == 0) /* colours */
    return ms_table_add_texts(r->table, column, row->count, row->names, err);
  const char *const *texts;
  memcpy(&texts, (const char *)row + f->at, sizeof texts);
  if (!texts)
    return add_roles(r, column, err);
  return ms_table_add_texts(r->table, column, row->count, texts, err);
}

/* Reads a whole number of one, four or eight bytes. */
static uint64_t number_at(const char *at, size_t size)
{
  uint32_t small;
  uint64_t large;
  if (size == 1)
    return *(const unsigned char *)at;
  memcpy(&small, at, sizeof small);
  memcpy(&large, at, size == sizeof large ? sizeof large : sizeof small);
  return size == sizeof large ? large : small;
}

static ms_status add_real(reader *r, ms_column *column, const source *from, ms_error *err)
{
  const ms_result_row *row = &r->c->result.row;
  const char *at = (const char *)row + from->at;
  double value = NAN;
  float single;
  uint64_t bits;
  bool is_single = from->field && from->field->size == sizeof single; /* of flagged vertices only */
  memcpy(&single, at, sizeof single);
  if (!is_single)
    memcpy(&value, at, sizeof value);
  else if (row->flagged)
    value = (double)single;
  memcpy(&bits, &value, sizeof bits);
  return ms_values_add(&column->values, bits, err);
}

/* Adds a value of a table of motifs, whose text was checked. */
static ms_status add_cell(reader *r, ms_column *column, const char *text, ms_error *err)
{
  uint64_t number = 0;
  double real = 0;
  if (column->kind == MS_COLUMN_COUNT)
    (void)ms_take_count(&text, UINT64_MAX, &number);
  else if (column->kind == MS_COLUMN_REAL && ms_take_real(&text, &real))
    memcpy(&number, &real, sizeof number);
  else
    return ms_table_add_text(r->table, column, text, err);
  return ms_values_add(&column->values, number, err);
}

static ms_status add_value(reader *r, uint32_t i, ms_error *err)
{
  ms_column *column = &r->table->column[i];
  const source *from = &r->source[i];
  const char *at = (const char *)&r->c->result.row + from->at, *text;
  if (r->c->result.header.kind & MS_KINDS_OF_TABLES)
    return add_cell(r, column, r->c->result.row.cell[i], err);
  if (i == 0 && r->has_sections)
    return ms_table_add_text(r->table, column, r->c->result.header.name, err);
  if (ms_column_is_list(column))
    return add_list(r, column, from->field, err);
  switch (column->kind) {
  case MS_COLUMN_TEXT:
  case MS_COLUMN_VERTEX:
    memcpy(&text, at, sizeof text);
    return ms_table_add_text(r->table, column, text, err);
  case MS_COLUMN_REAL:
    return add_real(r, column, from, err);
  default: /* a whole number; k alone is not in the row */
    return ms_values_add(
        &column->values,
        from->field->size ? number_at(at, from->field->size) : r->c->result.header.k, err);
  }
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
  const char *columns = ms_result_columns(&r->c->result.header);
  r->table->sections = json_array();
  for (;;) {
    MS_TRY(keep_section(r, err));
    MS_TRY(read_rows(r, most, err));
    if (ms_result_is_last(&r->c->result))
      return MS_OK;
    MS_TRY(ms_result_open_next(&r->c->result, err));
    if (strcmp(columns, ms_result_columns(&r->c->result.header)) != 0)
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
