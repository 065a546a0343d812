/* The options and operands of path. */
#include "base/status.h"
#include "cli/numbers.h"
#include "cli/option_table.h"
#include "graph/names.h"

#include <string.h>

static ms_status refuse_value(const ms_option_row *row, const char *value, const char *wants,
                              ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "option --%s wants %s, not '%s'", row->name, wants, value);
}

ms_status ms_options_set_path(const ms_option_row *row, const char *value, ms_cli_options *options,
                              ms_error *err)
{
  ms_path_choice *path = &options->path;
  uint64_t count;
  switch (row->key) {
  case KEY_PATH_TYPES:
    /* stands on a line of the result */
    if (ms_name_problem(value, strlen(value)))
      return refuse_value(row, value, "types of edges with commas between them", err);
    if (path->types)
      return ms_fail(err, MS_ERR_USAGE, "option --types is given twice; put commas between types");
    path->types = value;
    return MS_OK;
  case KEY_PATH_BOTH_WAYS:
    path->both_ways = true;
    return MS_OK;
  case KEY_PATH_MAX_LENGTH:
    if (!ms_parse_count(value, 1, UINT32_MAX - 1, &count))
      return refuse_value(row, value, "a whole number from 1 to 4294967294", err);
    path->max_length = (uint32_t)count;
    return MS_OK;
  case KEY_PATH_PAIRS:
    if (!*value)
      return refuse_value(row, value, "a file, or '-' for standard input", err);
    path->pairs = value;
    return MS_OK;
  default:
    path->lengths = true;
    return MS_OK;
  }
}

ms_status ms_options_take_path(int count, char **operand, ms_cli_options *options, ms_error *err)
{
  int most = options->path.pairs ? 1 : 3;
  if (count == 0)
    return ms_fail(err, MS_ERR_USAGE, "no GRAPH file was given; see 'motifsieve path --help'");
  options->operand[0] = operand[0];
  if (options->path.pairs && count > 1)
    return ms_fail(err, MS_ERR_USAGE,
                   "'%s' is one word too many: --pairs FILE holds the vertices; leave one out",
                   operand[1]);
  if (count < most)
    return ms_fail(err, MS_ERR_USAGE,
                   "no %s was given: give the names of two vertices, SOURCE and TARGET, or --pairs "
                   "FILE; see 'motifsieve path --help'",
                   count == 1 ? "SOURCE" : "TARGET");
  if (count > most)
    return ms_fail(err, MS_ERR_USAGE, "'%s' is one word too many; see 'motifsieve path --help'",
                   operand[most]);
  options->path.source = most == 3 ? operand[1] : NULL;
  options->path.target = most == 3 ? operand[2] : NULL;
  return MS_OK;
}
