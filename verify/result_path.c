/* Reads the rows of shortest paths in TSV: a line for each vertex of the path of a pair, or a line
 * for a pair of which only the length was written. */
#include "verify/result.h"

#include "base/status.h"

#include <string.h>

enum { PAIR, SOURCE, TARGET, LENGTH, STEP, TYPE, VERTEX, COLUMNS };

static ms_status refuse_columns(ms_result *r, uint32_t count)
{
  return ms_result_refuse(r, r->row.line, "the row does not have %u columns", count);
}

/* Reads the length of the path, or "-". */
static ms_status take_length(ms_result *r, const char *text)
{
  uint64_t length = 0;
  const char *rest = text;
  r->row.path.found = strcmp(text, "-") != 0;
  if (r->row.path.found && (!ms_take_count(&rest, UINT32_MAX - 1, &length) || *rest))
    return ms_result_refuse(r, r->row.line, "'%.40s' is no length of a path", text);
  r->row.path.length = (uint32_t)length;
  return MS_OK;
}

/* Checks what each line of a pair repeats; first[]: the offsets of the fields of its first line in
 * r->match. */
static ms_status check_line(ms_result *r, const char *const *field, const size_t *first,
                            uint32_t step)
{
  uint64_t number = 0;
  const char *text = field[STEP];
  for (uint32_t i = PAIR; i <= LENGTH; i++)
    if (strcmp(field[i], r->match + first[i]) != 0)
      return ms_result_refuse(r, r->row.line, "pair %s has %u rows, and its length asks for %llu",
                              r->match + first[PAIR], step,
                              (unsigned long long)r->row.path.length + 1);
  if (!ms_take_count(&text, UINT32_MAX, &number) || *text || number != step)
    return ms_result_refuse(r, r->row.line, "step %u of the path should come here, not '%.40s'",
                            step, field[STEP]);
  if (step == 0 && strcmp(field[TYPE], "-") != 0)
    return ms_result_refuse(r, r->row.line,
                            "no edge leads to the first vertex of a path, so that "
                            "its type is -");
  return MS_OK;
}

/* Adds every second text of r->match[from..used), from the first or second one on. */
static ms_status add_names(ms_result *r, size_t from, size_t used, bool second, ms_error *err)
{
  for (bool adds = !second; from < used; adds = !adds) {
    if (adds)
      MS_TRY(ms_result_add_name(r, r->match + from, err));
    from += strlen(r->match + from) + 1;
  }
  return MS_OK;
}

/* Reads the lines of a path, of which field[COLUMNS] is the first.  They are copied, because
 * reading a line may move the one before it. */
static ms_status take_all(ms_result *r, const char **field, ms_error *err)
{
  ms_result_path *path = &r->row.path;
  size_t first[STEP], used = 0, begin = 0, rest = 0;
  uint64_t line = r->row.line;
  for (uint32_t i = PAIR; i <= LENGTH; i++) {
    first[i] = used;
    MS_TRY(ms_result_keep_text(r, field[i], &used, err));
  }
  begin = used;
  for (uint32_t step = 0; step <= path->length; step++) {
    char *text;
    if (step > 0) {
      MS_TRY(ms_result_take_line(r, &text, err));
      if (!ms_result_split(text, field, COLUMNS))
        return refuse_columns(r, COLUMNS);
    }
    MS_TRY(check_line(r, field, first, step));
    if (step > 0)
      MS_TRY(ms_result_keep_text(r, field[TYPE], &used, err));
    MS_TRY(ms_result_keep_text(r, field[VERTEX], &used, err));
    rest = step == 0 ? used : rest;
  }
  r->row.line = line;
  path->source = r->match + first[SOURCE];
  path->target = r->match + first[TARGET];
  path->lines = (uint64_t)path->length + 1;
  MS_TRY(ms_result_add_name(r, r->match + begin, err));
  MS_TRY(add_names(r, rest, used, true, err));
  MS_TRY(add_names(r, rest, used, false, err));
  return ms_result_split_path(r, path->length + 1);
}

ms_status ms_result_take_steps(ms_result *r, char *line, ms_error *err)
{
  ms_result_path *path = &r->row.path;
  const char *field[COLUMNS];
  r->n_names = 0;
  *path = (ms_result_path){.has_steps = !(r->header.layout & MS_WITH_LENGTHS), .lines = 1};
  uint32_t before = path->has_steps ? SOURCE : 0; /* columns before `source` */
  uint32_t columns = path->has_steps ? COLUMNS : 3;
  if (!ms_result_split(line, field, columns))
    return refuse_columns(r, columns);
  path->source = field[before];
  path->target = field[before + 1];
  MS_TRY(take_length(r, field[before + 2]));
  if (!path->has_steps)
    return MS_OK;
  const char *number = field[PAIR];
  if (!ms_take_count(&number, INT64_MAX, &path->pair) || *number || path->pair == 0)
    return ms_result_refuse(r, r->row.line, "'%.40s' is no number of a pair", field[PAIR]);
  if (path->found)
    return take_all(r, field, err);
  path->has_steps = false; /* there are none */
  for (uint32_t i = STEP; i < COLUMNS; i++)
    if (strcmp(field[i], "-") != 0)
      return ms_result_refuse(r, r->row.line, "a pair without a path has - in its last columns");
  return MS_OK;
}
