#include "cli/options.h"

#include "base/status.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/option_reader.h"
#include "cli/option_table.h"
#include "cli/places.h"
#include "graph/names.h"

#include <string.h>

/* ---- values -------------------------------------------------------------- */

static ms_status bad_value(ms_error *err, const char *name, const char *value, const char *wants)
{
  return ms_fail(err, MS_ERR_USAGE, "option --%s wants %s, not '%s'", name, wants, value);
}

static ms_status count_value(const char *name, const char *value, uint64_t most, const char *wants,
                             uint64_t *out, ms_error *err)
{
  return ms_parse_count(value, 1, most, out) ? MS_OK : bad_value(err, name, value, wants);
}

/* Of two motifs one would be lost without a word. */
static ms_status set_once(const char *name, const char *value, const char **where, ms_error *err)
{
  if (*where)
    return ms_fail(err, MS_ERR_USAGE, "option --%s is given twice; leave one out", name);
  *where = value;
  return MS_OK;
}

static ms_status add_required(ms_cli_options *o, const char *value, ms_error *err)
{
  if (o->n_required == MS_MAX_K)
    return ms_fail(err, MS_ERR_USAGE,
                   "option --require may be given %u times at most, once per motif slot", MS_MAX_K);
  o->required[o->n_required++] = value;
  return MS_OK;
}

static ms_status set_aspect(ms_cli_options *o, const char *value, ms_error *err)
{
  if (!*value || value[strspn(value, "PFC")])
    return bad_value(err, "aspect", value,
                     "one or more of the letters P (process), F (function), C (component)");
  o->coloring.aspects = value;
  return MS_OK;
}

/* A text that a result file must be able to hold on one line. */
static ms_status set_text(const char *name, const char *value, const char **where, ms_error *err)
{
  if (ms_name_problem(value, strlen(value)))
    return bad_value(err, name, value, "a text in UTF-8 without control characters");
  *where = value;
  return MS_OK;
}

static ms_status set_format(const char *name, const char *value, ms_graph_format *format,
                            ms_error *err)
{
  if (ms_graph_format_find(value, format))
    return MS_OK;
  return bad_value(err, name, value, "a format that 'motifsieve convert --list-formats' names");
}

static ms_status set_input(ms_option_key key, const char *name, const char *value,
                           ms_cli_options *o, ms_error *err)
{
  switch (key) {
  case KEY_FORMAT:
    return set_format(name, value, &o->graph.format, err);
  case KEY_HEADER:
    o->graph.header = true;
    return MS_OK;
  case KEY_MIN_SCORE:
    if (!ms_parse_real(value, &o->graph.min_score) || o->graph.min_score < 0)
      return bad_value(err, name, value, "a number of at least 0 (STRING scores go up to 1000)");
    return MS_OK;
  case KEY_KEEP_TAXON:
    o->graph.keep_taxon = true;
    return MS_OK;
  case KEY_TAXON:
    if (!*value || value[strspn(value, "0123456789")])
      return bad_value(err, name, value, "an NCBI taxon number, such as 559292");
    o->graph.taxon = value;
    return MS_OK;
  case KEY_SYSTEM:
    return set_text(name, value, &o->graph.system, err);
  case KEY_NAMES:
    return set_text(name, value, &o->graph.names, err);
  case KEY_DIRECTED:
    o->graph.directed = true;
    o->typed.directed = true;
    return MS_OK;
  case KEY_ALIAS:
    o->aliases = value;
    return MS_OK;
  case KEY_COLOR_FORMAT:
    return ms_color_format_find(value, &o->coloring.format)
               ? MS_OK
               : bad_value(err, name, value, "auto, tsv, go-slim, gaf or graph");
  case KEY_NAME_COLUMN:
    return set_text(name, value, &o->coloring.name_column, err);
  case KEY_COLOR_COLUMN:
    return set_text(name, value, &o->coloring.color_column, err);
  case KEY_OBO:
    o->coloring.obo = value;
    return MS_OK;
  case KEY_SLIM:
    o->coloring.slim = value;
    return MS_OK;
  case KEY_COLOR_HEADER:
    o->coloring.header = true;
    return MS_OK;
  default:
    return set_aspect(o, value, err);
  }
}

/* Numbers with commas between them. */
static ms_status set_devices(const char *name, const char *value, ms_cli_options *o, ms_error *err)
{
  ms_screen_options *s = &o->list.screen;
  const char *at = value;
  s->devices = o->devices;
  s->n_devices = 0;
  for (;;) {
    size_t length = strcspn(at, ",");
    char number[8] = "";
    uint64_t device = 0;
    if (length < sizeof number)
      memcpy(number, at, length);
    if (s->n_devices == MS_MAX_DEVICES || !ms_parse_count(number, 0, 9999, &device))
      return bad_value(err, name, value, "numbers of GPUs with commas between them, such as 0,2");
    o->devices[s->n_devices++] = (int)device;
    if (!at[length])
      return MS_OK;
    at += length + 1;
  }
}

static ms_status set_search(ms_option_key key, const char *name, const char *value,
                            ms_cli_options *o, ms_error *err)
{
  ms_screen_options *s = &o->list.screen;
  uint64_t count = 0;
  uint32_t choice = 0;
  ms_status status = MS_OK;
  switch (key) {
  case KEY_ERROR:
    if (!ms_parse_real(value, &s->error) || s->error <= 0 || s->error >= 1)
      return bad_value(err, name, value, "a number above 0 and below 1, such as 1e-6");
    return MS_OK;
  case KEY_REPETITIONS:
    status = count_value(name, value, 1000000, "a whole number from 1 to 1000000", &count, err);
    s->repetitions = (uint32_t)count;
    return status;
  case KEY_SEED:
    /* up to what a JSON integer holds */
    if (!ms_parse_count(value, 0, INT64_MAX, &s->seed))
      return bad_value(err, name, value, "a whole number from 0 to 9223372036854775807");
    return MS_OK;
  case KEY_RECURRENCE:
    if (!ms_option_choice(key, value, &choice))
      return bad_value(err, name, value, "sibling or classic");
    s->recurrence = (ms_recurrence)choice;
    return MS_OK;
  case KEY_NO_PRUNE:
    s->no_prune = true;
    return MS_OK;
  case KEY_BACKEND:
    if (!ms_option_choice(key, value, &choice))
      return bad_value(err, name, value, "auto, cpu, cuda or both");
    s->backend = (ms_backend)choice;
    return MS_OK;
  case KEY_DEVICES:
    return set_devices(name, value, o, err);
  case KEY_LIMIT:
    return count_value(name, value, UINT64_MAX, "a whole number of at least 1", &o->list.limit,
                       err);
  case KEY_THREADS:
    status = count_value(name, value, 1024, "a whole number from 1 to 1024", &count, err);
    s->threads = (int)count;
    o->graph.threads = (int)count; /* readers, too */
    o->typed.threads = (int)count;
    return status;
  case KEY_MEMORY:
    if (!ms_parse_size(value, &s->memory))
      return bad_value(err, name, value, "a size, such as 4G or 512M");
    o->graph.memory = s->memory;
    return MS_OK;
  default:
    if (!ms_parse_duration(value, &o->timeout))
      return bad_value(err, name, value, "a time above 0, such as 30s, 5m or 2h");
    return MS_OK;
  }
}

static ms_status set_option(const ms_option_row *row, const char *value, ms_cli_options *o,
                            ms_error *err)
{
  if (row->key >= KEY_FORMAT && row->key <= KEY_SLIM)
    return set_input(row->key, row->name, value, o, err);
  if (row->key >= KEY_VERTICES && row->key <= KEY_PLANTED_OUT)
    return ms_options_set_gen(row, value, o, err);
  if (row->key >= KEY_PATTERN && row->key <= KEY_BINARY)
    return ms_options_set_pattern(row, value, o, err);
  if (row->key >= KEY_TYPED_FORMAT && row->key <= KEY_WALK_LENGTH)
    return ms_options_set_typed(row, value, o, err);
  if (row->key >= KEY_ALGORITHM && row->key <= KEY_SIZES)
    return ms_options_set_components(row, value, o, err);
  if (row->key >= KEY_PATH_TYPES && row->key <= KEY_PATH_LENGTHS)
    return ms_options_set_path(row, value, o, err);
  switch (row->key) {
  case KEY_COLORS:
    o->colors = value;
    break;
  case KEY_MOTIF:
    return set_once(row->name, value, &o->motif, err);
  case KEY_MOTIF_FILE:
    return set_once(row->name, value, &o->motif_file, err);
  case KEY_REQUIRE:
    return add_required(o, value, err);
  case KEY_ALL:
    o->all = true;
    break;
  case KEY_EXACT:
    o->list.exact = true;
    break;
  case KEY_COUNT:
    o->list.count_only = true;
    break;
  case KEY_RECOUNT:
    o->recount = MS_RECOUNT_FULL;
    break;
  case KEY_NO_RECOUNT:
    o->recount = MS_RECOUNT_NONE;
    break;
  case KEY_OUTPUT:
    if (!*value)
      return ms_fail(err, MS_ERR_USAGE,
                     "option --output wants a file name, or '-' for standard output");
    o->output = value;
    break;
  case KEY_JSON:
    o->json = true;
    break;
  case KEY_CX2:
    o->cx2 = true;
    break;
  case KEY_DOT:
    o->dot = true;
    break;
  case KEY_MATCH:
    return count_value(row->name, value, INT64_MAX, "the number of a match, from 1", &o->match,
                       err);
  case KEY_WHOLE_GRAPH:
    o->whole_graph = true;
    break;
  case KEY_FAIL_IF_NONE:
    o->fail_if_none = true;
    break;
  case KEY_QUIET:
    o->quiet = true;
    break;
  case KEY_VERBOSE:
    o->verbose = true;
    break;
  case KEY_TO:
    return set_format(row->name, value, &o->to, err);
  case KEY_MAP:
    o->map = value;
    break;
  case KEY_LIST_FORMATS:
    o->list_formats = true;
    break;
  case KEY_HELP:
    o->help = true;
    break;
  default:
    return set_search(row->key, row->name, value, o, err);
  }
  return MS_OK;
}

/* ---- what has to be there ------------------------------------------------ */

static ms_status take_operands(int argc, char **argv, ms_cli_options *o, ms_error *err)
{
  static const char *const search[] = {"GRAPH"}, *const verify[] = {"RESULT", "GRAPH"};
  const char *name = ms_command_name(o->command);
  const char *const *wanted = o->command == MS_COMMAND_VERIFY ? verify : search;
  bool gen = o->command == MS_COMMAND_GEN;
  if (o->command == MS_COMMAND_PATH)
    return ms_options_take_path(argc - optind, argv + optind, o, err);
  int n = o->command == MS_COMMAND_INFO || gen ? 0 : o->command == MS_COMMAND_VERIFY ? 2 : 1;
  if (gen && ms_options_set_family(optind < argc ? argv[optind++] : NULL, o, err) != MS_OK)
    return MS_ERR_USAGE;
  for (int i = 0; i < n; i++) {
    if (optind + i >= argc)
      return ms_fail(err, MS_ERR_USAGE, "no %s file was given; see 'motifsieve %s --help'",
                     wanted[i], name);
    o->operand[i] = argv[optind + i];
  }
  if (optind + n < argc)
    return ms_fail(err, MS_ERR_USAGE, "'%s' is one %s too many; see 'motifsieve %s --help'",
                   argv[optind + n], gen ? "word" : "file", name);
  return MS_OK;
}

static ms_status check_motif(const ms_cli_options *o, ms_error *err)
{
  bool list = o->command == MS_COMMAND_LIST;
  if (!o->motif && !o->motif_file && o->command != MS_COMMAND_STATS)
    return ms_fail(err, MS_ERR_USAGE,
                   "no motif%s: give --motif 'colour:2,colour'%s --motif-file FILE%s; see "
                   "'motifsieve %s --help'",
                   list ? " and no pattern" : "", list ? "," : " or",
                   list ? " or --pattern FILE" : "", ms_command_name(o->command));
  if (o->motif && o->motif_file)
    return ms_fail(err, MS_ERR_USAGE, "--motif and --motif-file do not go together; leave one out");
  return MS_OK;
}

/* Tables are TSV or JSON lines, drawings CX2 or DOT. */
static ms_status check_form(const ms_cli_options *o, ms_error *err)
{
  bool drawing = o->cx2 || o->dot;
  if (o->json + o->cx2 + o->dot > 1)
    return ms_fail(err, MS_ERR_USAGE, "--json, --cx2 and --dot do not go together; choose one");
  if (!drawing && (o->match || o->whole_graph))
    return ms_fail(err, MS_ERR_USAGE, "%s is for drawings; give --cx2 or --dot, too",
                   o->match ? "--match" : "--whole-graph");
  if (o->match && o->whole_graph)
    return ms_fail(err, MS_ERR_USAGE,
                   "--match and --whole-graph do not go together; leave one out");
  if (drawing && o->list.count_only)
    return ms_fail(err, MS_ERR_USAGE, "--count and %s do not go together; leave one out",
                   o->cx2 ? "--cx2" : "--dot");
  if (drawing && o->all)
    return ms_fail(err, MS_ERR_USAGE,
                   "--all is for tables; --whole-graph makes %s hold every vertex",
                   o->cx2 ? "--cx2" : "--dot");
  return MS_OK;
}

static bool is_stdin(const char *path)
{
  return path && strcmp(path, "-") == 0;
}

static ms_status check_together(const ms_cli_options *o, ms_error *err)
{
  ms_status status = MS_OK;
  if (o->quiet && o->verbose)
    return ms_fail(err, MS_ERR_USAGE, "--quiet and --verbose do not go together; leave one out");
  if (o->colors && o->coloring.format == MS_COLORS_GRAPH)
    return ms_fail(err, MS_ERR_USAGE,
                   "--colors and --color-format graph do not go together; leave one out");
  if (o->command == MS_COMMAND_GEN)
    status = ms_options_check_gen(o, err);
  if (o->command == MS_COMMAND_COMPONENTS)
    status = ms_options_check_components(o, err);
  if (o->command & (MS_COMMAND_LIST | MS_COMMAND_PLAN | MS_COMMAND_VERIFY))
    status = ms_options_check_pattern(o, err);
  if (o->command & (MS_COMMAND_FILTER | MS_COMMAND_TYPED))
    status = ms_options_check_typed(o, err);
  if (status == MS_OK && !o->pattern.path &&
      (o->command & (MS_COMMAND_SCREEN | MS_COMMAND_LIST | MS_COMMAND_STATS)))
    status = check_motif(o, err);
  if (status == MS_OK)
    status = check_form(o, err);
  if (status != MS_OK)
    return status;
  int from_stdin = is_stdin(o->operand[0]) + is_stdin(o->operand[1]) + is_stdin(o->colors) +
                   is_stdin(o->motif_file) + is_stdin(o->aliases) + is_stdin(o->coloring.obo) +
                   is_stdin(o->coloring.slim) + is_stdin(o->pattern.path) +
                   is_stdin(o->pattern.colors) + is_stdin(o->typed.nodes) +
                   is_stdin(o->typed.relations) + is_stdin(o->path.pairs);
  if (from_stdin > 1)
    return ms_fail(err, MS_ERR_USAGE, "only one input can come from standard input ('-')");
  return ms_check_places(o, err);
}

ms_status ms_options_parse(ms_command command, int argc, char **argv, ms_cli_options *options,
                           ms_error *err)
{
  ms_option_reader reader;
  const ms_option_row *row;
  const char *value;
  memset(options, 0, sizeof *options);
  options->command = command;
  options->list.screen.seed = 1;
  ms_option_reader_init(&reader, command, argc, argv);
  for (;;) {
    ms_status status = ms_option_next(&reader, &row, &value, err);
    if (status == MS_OK && !row)
      break;
    if (status == MS_OK)
      status = set_option(row, value, options, err);
    if (status != MS_OK || options->help || options->list_formats)
      return status;
  }
  ms_status status = take_operands(argc, argv, options, err);
  return status == MS_OK ? check_together(options, err) : status;
}
