/* The table of columns: every column says what it is, and docs/RESULT.md shows the tables. */
#include "result/columns.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

TEST_MAIN("columns", TEST(every_column_says_what_it_is), TEST(each_kind_names_its_graph),
          TEST(a_property_has_a_column_and_is_explained), TEST(the_page_has_the_tables))
