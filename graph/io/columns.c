/* Tables of interactions; see columns.h. */
#include "graph/io/columns.h"

#include "base/status.h"
#include "graph/suggest.h"

#include <stdio.h>
#include <string.h>

ms_status ms_columns_split(ms_table_columns *columns, const ms_text *text, uint32_t least,
                           ms_error *err)
{
  ms_field line = {text->line, text->length};
  columns->count = ms_line_columns(line, MS_MAX_COLUMNS, columns->field);
  if (columns->count < least)
    return ms_text_fail(text, err,
                        "expected at least %u columns between tabs, found %u; complete the line",
                        least, columns->count);
  if (columns->wanted == 0) {
    columns->wanted = columns->count;
    columns->decided = text->number;
  }
  if (columns->count < columns->wanted)
    return ms_text_fail(text, err,
                        "expected %u columns as in line %llu, found %u; complete the line",
                        columns->wanted, (unsigned long long)columns->decided, columns->count);
  return MS_OK;
}

ms_status ms_columns_split_all(ms_table_columns *columns, const ms_text *text, uint32_t least,
                               ms_error *err)
{
  ms_status status = ms_columns_split(columns, text, least, err);
  if (status == MS_OK && columns->count > columns->wanted)
    return ms_text_fail(text, err,
                        "expected %u columns as in line %llu, found %u; is there a tab too many?",
                        columns->wanted, (unsigned long long)columns->decided, columns->count);
  return status;
}

ms_status ms_names_kind(const ms_text *text, const char *wanted, const char *const *kinds,
                        uint32_t *kind, ms_error *err)
{
  char list[200] = "";
  *kind = 0;
  if (!wanted)
    return MS_OK;
  for (uint32_t k = 0; kinds[k]; k++) {
    if (strcmp(wanted, kinds[k]) == 0) {
      *kind = k;
      return MS_OK;
    }
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", kinds[k]);
  }
  return ms_fail(err, MS_ERR_USAGE, "%s: unknown kind of names '%.*s'; give one of %s", text->label,
                 ms_name_clip(wanted, strlen(wanted)), wanted, list);
}

/* ---- columns by name --------------------------------------------------------- */

bool ms_column_is_number(const char *column)
{
  return *column && column[strspn(column, "0123456789")] == '\0';
}

static ms_status number_column(const ms_text *text, const ms_table_columns *header,
                               const ms_column_choice *choice, uint32_t *column, ms_error *err)
{
  uint64_t number;
  ms_field digits = {choice->chosen, strlen(choice->chosen)};
  if (!ms_field_count(digits, header->count, &number) || number == 0)
    return ms_text_fail(text, err,
                        "the %s should be column %.20s, but the line has %u columns; columns are "
                        "numbered from 1",
                        choice->what, choice->chosen, header->count);
  *column = (uint32_t)number - 1;
  return MS_OK;
}

ms_status ms_column_find(const ms_text *text, const ms_table_columns *header,
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
  if (ms_column_is_number(name))
    return number_column(text, header, choice, column, err);
  return ms_text_fail(text, err, "no column has the header '%.*s'; choose the %s from %s",
                      ms_name_clip(name, strlen(name)), name, choice->option,
                      ms_name_list_text(&known));
}
