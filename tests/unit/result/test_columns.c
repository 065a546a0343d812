/* The table of columns: every column says what it is, and docs/result.schema.json has all keys of
 * rows and headers, and no others. */
#include "result/columns.h"
#include "tests/support/test_main.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *defs;

static void read_schema(void)
{
  json_error_t problem;
  json_t *schema = json_load_file("docs/result.schema.json", 0, &problem);
  ck_assert_msg(schema != NULL, "docs/result.schema.json:%d: %s", problem.line, problem.text);
  defs = json_incref(json_object_get(schema, "$defs"));
  json_decref(schema);
}

static void forget_schema(void)
{
  json_decref(defs);
}

/* True if the definition is one of objects of that type. */
static bool has_type(const json_t *def, const char *type)
{
  const json_t *stated = json_object_get(json_object_get(def, "properties"), "type");
  const char *text = json_string_value(json_object_get(stated, "const"));
  return text && strcmp(text, type) == 0;
}

static bool has_key(const json_t *def, const char *key)
{
  return json_object_get(json_object_get(def, "properties"), key) != NULL;
}

/* True if the rows of some kind with that type have the column. */
static bool is_column(const char *type, const char *name)
{
  for (uint32_t i = 0; i < ms_row_kind_count; i++)
    for (uint32_t c = 0; c < ms_row_kinds[i].count; c++)
      if (ms_row_kinds[i].type && strcmp(ms_row_kinds[i].type, type) == 0 &&
          strcmp(ms_row_kinds[i].columns[c].name, name) == 0)
        return true;
  return false;
}

START_TEST(every_column_says_what_it_is)
{
  ms_column_info info[MS_MOST_COLUMNS];
  uint32_t kinds = 0;
  for (const char *kind; (kind = ms_columns_kind(kinds)); kinds++) {
    uint32_t count = ms_columns(kind, MS_MOST_COLUMNS, info);
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_le(count, MS_MOST_COLUMNS);
    ck_assert_uint_eq(ms_columns(kind, 0, NULL), count);
    for (uint32_t i = 0; i < count; i++) {
      ck_assert_msg(*info[i].name && *info[i].type && *info[i].meaning, "%s: column %u", kind, i);
      for (uint32_t j = 0; j < i; j++)
        ck_assert_str_ne(info[i].name, info[j].name);
    }
    for (uint32_t i = 0; i < kinds; i++)
      ck_assert_str_ne(ms_columns_kind(i), kind);
  }
  ck_assert_uint_eq(kinds, ms_row_kind_count);
  ck_assert_uint_eq(ms_columns("none", 0, NULL), 0);
  ck_assert_uint_eq(ms_columns(NULL, 0, NULL), 0);
}
END_TEST

/* A header without the graph could not be checked. */
START_TEST(each_kind_names_its_graph)
{
  for (uint32_t i = 0; i < ms_result_kind_count; i++)
    for (size_t f = 0; f < 4; f++)
      ck_assert_msg(ms_result_fields[f].kinds & ms_result_kinds[i].kind, "%s: no '%s'",
                    ms_result_kinds[i].name, ms_result_fields[f].key);
}
END_TEST

START_TEST(a_property_has_a_column_and_is_explained)
{
  ms_column_info info[MS_MOST_COLUMNS];
  for (uint32_t k = 0; k < ms_row_kind_count; k++) {
    ms_columns(ms_row_kinds[k].name, MS_MOST_COLUMNS, info);
    for (uint32_t i = 0; i < ms_row_kinds[k].count; i++)
      ck_assert_msg(!ms_row_kinds[k].columns[i].needs == !*info[i].when,
                    "%s: %s: when is it there?", ms_row_kinds[k].name, info[i].name);
  }
}
END_TEST

/* Columns that only TSV has, because JSON has a list in place of the rows of a path or a match. */
static bool is_of_tsv(const ms_row_kind *kind, const char *name)
{
  bool step = strcmp(name, "step") == 0 || strcmp(name, "type") == 0 || strcmp(name, "vertex") == 0;
  return (kind->kinds & MS_KIND_PATH && step) || kind->needs == MS_WITH_LONG_ROWS;
}

START_TEST(the_schema_has_every_column)
{
  for (uint32_t i = 0; i < ms_row_kind_count; i++)
    for (uint32_t c = 0; c < ms_row_kinds[i].count && ms_row_kinds[i].type; c++) {
      const char *key, *name = ms_row_kinds[i].columns[c].name;
      json_t *def;
      bool found = is_of_tsv(&ms_row_kinds[i], name);
      json_object_foreach(defs, key, def)
      {
        found |= has_type(def, ms_row_kinds[i].type) && has_key(def, name);
      }
      ck_assert_msg(found, "the schema lacks %s of rows of type %s", name, ms_row_kinds[i].type);
    }
}
END_TEST

START_TEST(every_key_of_rows_in_the_schema_is_a_column)
{
  for (uint32_t i = 0; i < ms_row_kind_count; i++) {
    const char *key, *name;
    json_t *def, *value;
    json_object_foreach(defs, key, def)
    {
      if (!ms_row_kinds[i].type || !has_type(def, ms_row_kinds[i].type))
        continue;
      json_object_foreach(json_object_get(def, "properties"), name, value)
      {
        bool known = strcmp(name, "type") == 0 || strcmp(name, "name") == 0 ||
                     (ms_row_kinds[i].kinds & MS_KIND_PATH &&
                      (strcmp(name, "vertices") == 0 || strcmp(name, "types") == 0)) ||
                     is_column(ms_row_kinds[i].type, name);
        ck_assert_msg(known, "the schema has %s in %s, and rows have not", name, key);
      }
    }
  }
}
END_TEST

/* True if some definition of the schema has the field: a section, or an object of its kind. */
static bool schema_has_field(const ms_result_field *field)
{
  const char *key;
  json_t *def;
  json_object_foreach(defs, key, def)
  {
    bool fits = field->section
                    ? strstr(key, field->section) != NULL
                    : has_type(def, "header") || has_type(def, "count") || has_type(def, "end");
    if (fits && has_key(def, field->key))
      return true;
  }
  return false;
}

START_TEST(the_schema_has_every_field)
{
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *field = &ms_result_fields[i];
    ck_assert_msg(!field->key || schema_has_field(field), "the schema lacks %s of %s", field->key,
                  field->section ? field->section : "the header");
  }
}
END_TEST

/* The definition of the heads of each kind. */
static const struct {
  unsigned kinds;
  const char *def;
} heads[] = {
    {MS_KINDS_TYPED & ~MS_KINDS_OF_POSITIONS, "typed_header"},
    {MS_KIND_SCREEN | MS_KIND_LIST | (MS_KINDS_PLAIN_PATTERN & ~MS_KINDS_OF_POSITIONS), "header"},
    {MS_KINDS_OF_MOTIFS, "motifs_header"},
    {MS_KIND_MINED, "mined_header"},
    {MS_KINDS_OF_CENSUSES, "census_header"},
    {MS_KIND_CHANCE, "chance_header"},
    {MS_KINDS_OF_SAMPLES, "compare_header"},
    {MS_KIND_NEAREST, "nearest_header"},
    {MS_KIND_NEAREST_LIST, "nearest_list_header"},
    {MS_KIND_PARTICIPATION, "participation_header"},
    {MS_KINDS_OF_POSITIONS, "pattern_participation_header"},
    {MS_KIND_COMPONENTS, "components_header"},
    {MS_KIND_PATH, "path_header"}};

START_TEST(the_schema_has_every_field_of_each_head)
{
  for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
    for (size_t i = 0; i < ms_result_field_count; i++) {
      const ms_result_field *field = &ms_result_fields[i];
      bool stated = field->key && !field->section && field->kinds & heads[h].kinds &&
                    field->places & MS_IN_HEAD && !field->of_samples;
      ck_assert_msg(!stated || has_key(json_object_get(defs, heads[h].def), field->key),
                    "the schema lacks %s of %s", field->key, heads[h].def);
    }
}
END_TEST

/* Writes the tables of all kinds as docs/RESULT.md has them. */
static void put_tables(FILE *out)
{
  ms_column_info info[MS_MOST_COLUMNS];
  for (uint32_t k = 0; k < ms_row_kind_count; k++) {
    const ms_row_kind *kind = &ms_row_kinds[k];
    uint32_t count = ms_columns(kind->name, MS_MOST_COLUMNS, info);
    fprintf(out, "### `%s`\n\n| column | values | when | meaning |\n|---|---|---|---|\n",
            kind->name);
    for (uint32_t i = 0; i < count; i++)
      fprintf(out, "| `%s` | %s | %s | %s |\n", info[i].name, info[i].type, info[i].when,
              info[i].meaning);
    fprintf(out, "\n");
  }
}

/* MOTIFSIEVE_COLUMNS names a file that receives the tables, to put them into the page. */
START_TEST(the_page_has_the_tables)
{
  const char *path = getenv("MOTIFSIEVE_COLUMNS");
  char *tables = NULL, *page = NULL;
  size_t length, room = 0;
  FILE *out = open_memstream(&tables, &length);
  put_tables(out);
  fclose(out);
  if (path) {
    out = fopen(path, "w");
    fputs(tables, out);
    fclose(out);
  }
  FILE *in = fopen("docs/RESULT.md", "r");
  ck_assert(in != NULL && getdelim(&page, &room, '\0', in) > 0);
  fclose(in);
  ck_assert_msg(strstr(page, tables) != NULL,
                "docs/RESULT.md lacks the tables of columns: run this test with "
                "MOTIFSIEVE_COLUMNS=FILE, and put FILE under its heading 'All columns'");
  free(page);
  free(tables);
}
END_TEST

TEST_MAIN("columns", AROUND_EACH(read_schema, forget_schema), TEST(every_column_says_what_it_is),
          TEST(each_kind_names_its_graph), TEST(a_property_has_a_column_and_is_explained),
          TEST(the_schema_has_every_column), TEST(every_key_of_rows_in_the_schema_is_a_column),
          TEST(the_schema_has_every_field), TEST(the_schema_has_every_field_of_each_head),
          TEST(the_page_has_the_tables))
