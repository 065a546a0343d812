/* Reads tables of motifs and of components, in TSV and in JSON lines. */
#include "verify/result.h"

#include "base/format.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COUNT, DIGITS, REAL, TEXT };

typedef struct layout {
  ms_result_kind kind;
  const char *type, *columns; /* of a row in JSON; names of the columns of TSV and keys of JSON */
} layout;

static const layout layouts[] = {
    {MS_KIND_COMPONENTS, "vertex", "vertex\tcomponent\tsize"},
    {MS_KIND_COMPONENTS, "component", "component\tsize\texample"},
    {MS_KIND_PATH, "path", MS_PATH_COLUMNS},
    {MS_KIND_PATH, "path", "source\ttarget\tlength"},
    {MS_KIND_MINED, "mined", "name\tk\tflagged\tmotif"},
    {MS_KIND_SCREENS, "motif", "name\tk\tflagged\tmode\tmiss_bound\tstatus\tmotif"},
    {MS_KIND_SCREENS, "motif", "name\tk\tflagged\tmode\tmiss_bound\tstatus\tseconds\tmotif"},
    {MS_KIND_LISTS, "motif", "name\tk\tmatches\tmode\tmiss_bound\tstatus\tmotif"},
    {MS_KIND_LISTS, "motif", "name\tk\tmatches\tmode\tmiss_bound\tstatus\tseconds\tmotif"},
};

static int type_of(const char *column, size_t length)
{
  static const struct {
    const char *name;
    int type;
  } types[] = {{"k", COUNT},        {"component", COUNT}, {"size", COUNT},  {"flagged", COUNT},
               {"matches", DIGITS}, {"miss_bound", REAL}, {"seconds", REAL}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strlen(types[i].name) == length && memcmp(types[i].name, column, length) == 0)
      return types[i].type;
  return TEXT;
}

bool ms_result_find_layout(ms_result *r, const char *columns)
{
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (layouts[i].kind == r->header.kind && strcmp(layouts[i].columns, columns) == 0)
      r->header.columns = layouts[i].columns;
  return r->header.columns != NULL;
}

void ms_result_choose_layout(ms_result *r, const char *line, size_t length)
{
  bool times = memmem(line, length, "\"seconds\":", 10);
  bool sizes = memmem(line, length, "\"type\":\"component\"", 18);
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    const layout *l = &layouts[i];
    bool fits = l->kind == MS_KIND_COMPONENTS  ? sizes == (strcmp(l->type, "component") == 0)
                : l->kind & MS_KINDS_OF_MOTIFS ? times == (strstr(l->columns, "seconds") != NULL)
                                               : !r->header.columns;
    if (l->kind == r->header.kind && fits)
      r->header.columns = l->columns;
  }
}

const char *ms_result_table_type(const ms_result *r)
{
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (layouts[i].columns == r->header.columns)
      return layouts[i].type;
  return "";
}

/* Is the text a value of that type? */
static bool is_value(const char *text, int type)
{
  uint64_t count;
  double number;
  if (type == DIGITS)
    return *text && !text[strspn(text, "0123456789")];
  return type == TEXT || ((type == COUNT ? ms_take_count(&text, UINT32_MAX, &count)
                                         : ms_take_real(&text, &number)) &&
                          !*text);
}

/* Checks the values of the row. */
static ms_status check_cells(ms_result *r)
{
  const char *at = r->header.columns;
  for (uint32_t i = 0; *at; i++) {
    size_t length = strcspn(at, "\t");
    if (!is_value(r->row.cell[i], type_of(at, length)))
      return ms_result_refuse(r, r->row.line, "'%.40s' is no value of the column %.*s",
                              r->row.cell[i], (int)length, at);
    at += length + (at[length] == '\t');
  }
  return MS_OK;
}

ms_status ms_result_split_cells(ms_result *r, char *line)
{
  const char *columns = r->header.columns;
  uint32_t count = 1;
  for (const char *at = columns; *at; at++)
    count += *at == '\t';
  for (uint32_t i = 0; i < count; i++) {
    r->row.cell[i] = line;
    line = line ? strchr(line, '\t') : NULL;
    if (line)
      *line++ = '\0';
    if ((line == NULL) != (i + 1 == count))
      return ms_result_refuse(r, r->row.line, "the row does not have %" PRIu32 " columns", count);
  }
  return check_cells(r);
}

static bool has_type(const json_t *value, int type)
{
  return type == COUNT  ? json_is_integer(value)
         : type == REAL ? json_is_number(value)
                        : json_is_string(value);
}

ms_status ms_result_take_cells(ms_result *r, const json_t *object)
{
  ms_result_row *row = &r->row;
  const char *at = r->header.columns;
  uint32_t count = 0;
  for (; *at; count++) {
    char key[32], *number = row->cell_text[count];
    size_t length = strcspn(at, "\t");
    snprintf(key, sizeof key, "%.*s", (int)length, at);
    const json_t *value = json_object_get(object, key);
    bool is_text = type_of(at, length) == TEXT || type_of(at, length) == DIGITS;
    if (!value || !has_type(value, type_of(at, length)))
      return ms_result_refuse(r, row->line, "the row lacks its %s", key);
    if (json_is_integer(value))
      snprintf(number, sizeof row->cell_text[0], "%" JSON_INTEGER_FORMAT,
               json_integer_value(value));
    else if (!is_text)
      ms_format(number, sizeof row->cell_text[0], "%.17g", json_real_value(value));
    row->cell[count] = is_text ? json_string_value(value) : number;
    at += length + (at[length] == '\t');
  }
  if (json_object_size(object) != count + 1) /* and its type */
    return ms_result_refuse(r, row->line, "the row has a key too many");
  return check_cells(r);
}
