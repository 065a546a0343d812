/* The options of patterns, and what they go together with. */
#include "base/status.h"
#include "cli/option_table.h"
#include "run/engine.h"

#include <string.h>
#include <unistd.h>

/* ---- values -------------------------------------------------------------- */

static ms_status refuse_value(const ms_option_row *row, const char *value, const char *wants,
                              ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "option --%s wants %s, not '%s'", row->name, wants, value);
}

/* Of two patterns one would be lost without a word. */
static ms_status set_once(const ms_option_row *row, const char *value, const char **where,
                          ms_error *err)
{
  if (*where)
    return ms_fail(err, MS_ERR_USAGE, "option --%s is given twice; leave one out", row->name);
  if (!*value)
    return refuse_value(row, value,
                        row->key == KEY_PATTERN ? "a pattern, or a file that holds one" : "a file",
                        err);
  *where = value;
  return MS_OK;
}

ms_status ms_options_set_pattern(const ms_option_row *row, const char *value,
                                 ms_cli_options *options, ms_error *err)
{
  ms_pattern_choice *pattern = &options->pattern;
  uint32_t choice = 0;
  char names[128];
  pattern->given |= 1u << (row->key - KEY_PATTERN);
  switch (row->key) {
  case KEY_PATTERN:
    return set_once(row, value, &pattern->path, err);
  case KEY_PATTERN_COLORS:
    return set_once(row, value, &pattern->colors, err);
  case KEY_PATTERN_FORMAT:
    return ms_graph_format_find(value, &pattern->format)
               ? MS_OK
               : refuse_value(row, value, "a format that 'motifsieve convert --list-formats' names",
                              err);
  case KEY_INDUCED:
    pattern->induced = true;
    return MS_OK;
  case KEY_EMBEDDINGS:
    pattern->embeddings = true;
    return MS_OK;
  case KEY_SUBGRAPHS:
    pattern->subgraphs = true;
    return MS_OK;
  case KEY_ORDER:
    if (!ms_option_choice(row->key, value, &choice))
      return refuse_value(row, value, "auto, ri, degree or reuse", err);
    pattern->order = (ms_order)choice;
    return MS_OK;
  case KEY_SCREEN:
    if (!ms_option_choice(row->key, value, &choice))
      return refuse_value(row, value, "auto, always or never", err);
    pattern->screen = (ms_screen_mode)choice;
    return MS_OK;
  case KEY_ENGINE:
    pattern->engine = value;
    return ms_option_choice(row->key, value, &choice)
               ? MS_OK
               : refuse_value(row, value, ms_pattern_engine_names(names, sizeof names), err);
  default:
    pattern->binary = true;
    return MS_OK;
  }
}

/* ---- what goes together -------------------------------------------------- */

/* The first of the options given that only patterns have. */
static const char *first_given(const ms_cli_options *o)
{
  for (size_t r = 0; r < MS_OPTION_ROWS; r++) {
    const ms_option_row *row = &ms_option_rows[r];
    if (row->key >= KEY_PATTERN && row->key <= KEY_BINARY && (row->commands & o->command) &&
        row->help && (o->pattern.given >> (row->key - KEY_PATTERN) & 1))
      return row->name;
  }
  return "pattern";
}

static ms_status check_without(const ms_cli_options *o, ms_error *err)
{
  if (o->command == MS_COMMAND_PLAN)
    return ms_fail(err, MS_ERR_USAGE,
                   "no pattern: give --pattern FILE, or a built-in one such as --pattern "
                   "triangle; see 'motifsieve plan --help'");
  if (o->pattern.given)
    return ms_fail(err, MS_ERR_USAGE, "--%s is for patterns; give --pattern, too, or leave it out",
                   first_given(o));
  return MS_OK;
}

/* What motifs have, and what there is for patterns instead. */
static ms_status check_no_motif(const ms_cli_options *o, ms_error *err)
{
  if (o->motif || o->motif_file)
    return ms_fail(err, MS_ERR_USAGE, "--%s and --pattern do not go together; leave one out",
                   o->motif ? "motif" : "motif-file");
  if (o->list.exact)
    return ms_fail(err, MS_ERR_USAGE,
                   "--exact is for motifs; with --pattern, --screen never goes without the sieve");
  if (o->n_required)
    return ms_fail(err, MS_ERR_USAGE,
                   "--require is for motifs; with --pattern, give that vertex a colour of its own "
                   "(--colors), and a pattern vertex that colour (--pattern-colors)");
  if (o->list.screen.no_prune)
    return ms_fail(err, MS_ERR_USAGE, "--no-prune is for motifs; leave it out with --pattern");
  if (o->cx2 || o->dot || o->match || o->whole_graph)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for motifs; with --pattern the output is TSV, --json or --binary",
                   o->cx2     ? "cx2"
                   : o->dot   ? "dot"
                   : o->match ? "match"
                              : "whole-graph");
  return MS_OK;
}

ms_status ms_options_check_pattern(const ms_cli_options *o, ms_error *err)
{
  const ms_pattern_choice *pattern = &o->pattern;
  if (!pattern->path)
    return check_without(o, err);
  MS_TRY(check_no_motif(o, err));
  if (pattern->embeddings && pattern->subgraphs)
    return ms_fail(err, MS_ERR_USAGE,
                   "--embeddings and --subgraphs do not go together; leave one out");
  if (pattern->binary && (o->json || o->list.count_only))
    return ms_fail(err, MS_ERR_USAGE, "--binary and --%s do not go together; leave one out",
                   o->json ? "json" : "count");
  if (pattern->binary && (!o->output || strcmp(o->output, "-") == 0) && isatty(STDOUT_FILENO))
    return ms_fail(err, MS_ERR_USAGE,
                   "--binary is nothing for a terminal; give --output FILE, too");
  return MS_OK;
}
