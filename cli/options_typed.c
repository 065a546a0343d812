/* The options of typed graphs. */
#include "base/status.h"
#include "cli/numbers.h"
#include "cli/option_table.h"
#include "graph/io/typed_read.h"
#include "graph/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static ms_status refuse_value(const ms_option_row *row, const char *value, const char *wants,
                              ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "option --%s wants %s, not '%s'", row->name, wants, value);
}

/* A typed format by preference: "sif" is one, too. */
static ms_status set_format(const ms_option_row *row, const char *value, ms_cli_options *o,
                            ms_error *err)
{
  for (int f = MS_TYPED_AUTO; f < MS_TYPED_FORMATS; f++)
    if (strcmp(value, ms_typed_format_name((ms_typed_format)f)) == 0) {
      o->typed.format = (ms_typed_format)f;
      o->graph.format = MS_FORMAT_AUTO;
      return MS_OK;
    }
  o->typed.format = MS_TYPED_AUTO;
  return ms_graph_format_find(value, &o->graph.format)
             ? MS_OK
             : refuse_value(row, value,
                            "auto, hetionet, sif, table, or a plain format that 'motifsieve "
                            "convert --list-formats' names",
                            err);
}

static ms_status set_file(const ms_option_row *row, const char *value, const char **where,
                          ms_error *err)
{
  if (!*value)
    return refuse_value(row, value, "a file", err);
  *where = value;
  return MS_OK;
}

static ms_status set_column(const ms_option_row *row, const char *value, const char **where,
                            ms_error *err)
{
  if (ms_name_problem(value, strlen(value)))
    return refuse_value(row, value, "the name of a column, or its number from 1", err);
  *where = value;
  return MS_OK;
}

static ms_status set_count(const ms_option_row *row, const char *value, uint32_t most,
                           uint32_t *where, ms_error *err)
{
  uint64_t count;
  char wants[64];
  snprintf(wants, sizeof wants, "a whole number from 1 to %" PRIu32, most);
  if (!ms_parse_count(value, 1, most, &count))
    return refuse_value(row, value, wants, err);
  *where = (uint32_t)count;
  return MS_OK;
}

static ms_status set_match(const ms_option_row *row, const char *value, ms_typed_choice *choice,
                           ms_error *err)
{
  uint32_t walk;
  switch (row->key) {
  case KEY_INEXACT:
    choice->inexact = true;
    return MS_OK;
  case KEY_BEST:
    return set_count(row, value, 1000000, &choice->best, err);
  case KEY_WALK_LENGTH:
    return set_count(row, value, 1000000, &choice->walk_length, err);
  default:
    if (!ms_option_choice(row->key, value, &walk))
      return refuse_value(row, value, "euler or random", err);
    choice->walk = (ms_typed_walk)walk;
    return MS_OK;
  }
}

ms_status ms_options_check_typed(const ms_cli_options *o, ms_error *err)
{
  const ms_typed_choice *choice = &o->typed_match;
  if (!o->pattern.path)
    return ms_fail(
        err, MS_ERR_USAGE,
        "no pattern: give --pattern '(a:Gene)-[GiG]-(b:Gene)', or a file; see 'motifsieve "
        "%s --help'",
        ms_command_name(o->command));
  if (o->pattern.embeddings && o->pattern.subgraphs)
    return ms_fail(err, MS_ERR_USAGE,
                   "--embeddings and --subgraphs do not go together; leave one out");
  if (choice->inexact && o->list.exact)
    return ms_fail(err, MS_ERR_USAGE, "--exact and --inexact do not go together; leave one out");
  if (choice->inexact && (o->list.count_only || o->list.limit))
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for exact matches; with --inexact, --best N says how many to look for",
                   o->list.count_only ? "count" : "limit");
  if (choice->best && !choice->inexact)
    return ms_fail(err, MS_ERR_USAGE,
                   "--best is for --inexact; give it, too, or --limit N instead");
  if (choice->walk_length && choice->walk != MS_WALK_RANDOM)
    return ms_fail(err, MS_ERR_USAGE,
                   "--walk-length is for --walk random; an Euler tour has a length of its own");
  return MS_OK;
}

ms_status ms_options_set_typed(const ms_option_row *row, const char *value, ms_cli_options *options,
                               ms_error *err)
{
  ms_typed_options *typed = &options->typed;
  if (row->key >= KEY_INEXACT)
    return set_match(row, value, &options->typed_match, err);
  switch (row->key) {
  case KEY_TYPED_FORMAT:
    return set_format(row, value, options, err);
  case KEY_NODES:
    return set_file(row, value, &typed->nodes, err);
  case KEY_RELATIONS:
    return set_file(row, value, &typed->relations, err);
  case KEY_NODE_COLUMN:
    return set_column(row, value, &typed->node_name_column, err);
  case KEY_NODE_TYPE_COLUMN:
    return set_column(row, value, &typed->node_type_column, err);
  case KEY_SOURCE_COLUMN:
    return set_column(row, value, &typed->source_column, err);
  case KEY_TARGET_COLUMN:
    return set_column(row, value, &typed->target_column, err);
  case KEY_TYPE_COLUMN:
    return set_column(row, value, &typed->type_column, err);
  case KEY_SOURCE_TYPE_COLUMN:
    return set_column(row, value, &typed->source_type_column, err);
  default:
    return set_column(row, value, &typed->target_type_column, err);
  }
}
