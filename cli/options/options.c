/* Turns a command line into options: getopt_long over the rows of the table, then operands, then
 * the check of what goes together. */
#include "cli/options/options.h"

#include "base/status.h"
#include "base/threads/threads.h"
#include "cli/cli.h"
#include "cli/options/option_table.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 64 * MS_OPTION_WORDS, FIRST_LONG = 256 };

/* ---- options ------------------------------------------------------------------- */

/* The table in the form that getopt_long reads; it returns FIRST_LONG + row for a long option. */
typedef struct option_reader {
  const ms_command *command;
  struct option longs[2 * MOST_ROWS + 1];
  char shorts[2 * MOST_ROWS + 2];
} option_reader;

static void add_long(option_reader *reader, size_t *n, const char *name, size_t row)
{
  int argument = ms_option_rows[row].optional   ? optional_argument
                 : ms_option_rows[row].argument ? required_argument
                                                : no_argument;
  reader->longs[(*n)++] = (struct option){name, argument, NULL, FIRST_LONG + (int)row};
}

static void open_reader(option_reader *reader, const ms_command *command)
{
  size_t n_long = 0, n_short = 0;
  *reader = (option_reader){.command = command};
  /* getopt_long then distinguishes a missing value from an unknown option */
  reader->shorts[n_short++] = ':';
  for (size_t r = 0; r < ms_option_row_count; r++) {
    const ms_option_row *row = &ms_option_rows[r];
    if (!(row->commands & command->bit))
      continue;
    add_long(reader, &n_long, row->name, r);
    if (row->also)
      add_long(reader, &n_long, row->also, r);
    if (row->letter) {
      reader->shorts[n_short++] = row->letter;
      if (row->argument && !row->optional)
        reader->shorts[n_short++] = ':';
    }
  }
  opterr = 0;
  optind = 1;
}

/* Returns the row for what getopt_long returned, or for optopt; NULL: the command has no such
 * option. */
static const ms_option_row *find_row(int got, const ms_command *command)
{
  if (got >= FIRST_LONG)
    return &ms_option_rows[got - FIRST_LONG];
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_rows[r].letter == got && (ms_option_rows[r].commands & command->bit))
      return &ms_option_rows[r];
  return NULL;
}

/* True if patterns are an operand of the command, or were an option of it and now have a command of
 * their own. */
static bool takes_pattern_operand(const ms_command *command)
{
  return command->bit & (MS_COMMAND_SCREEN | MS_COMMAND_LIST | MS_COMMAND_MATCH | MS_COMMAND_PLAN);
}

/* Refuses `word`, an element of argv that is no option of the command; it may be one of another
 * command, or mistyped. */
static ms_status refuse_unknown(const option_reader *reader, const char *word, ms_error *err)
{
  const char *names[2 * MOST_ROWS], *command = reader->command->name;
  size_t n = 0;
  char typed[64];
  snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
  const char *bare = typed + strspn(typed, "-");
  for (const struct option *known = reader->longs; known->name; known++)
    names[n++] = known->name;
  if (takes_pattern_operand(reader->command) &&
      (strcmp(bare, "pattern") == 0 || strcmp(typed, "-p") == 0))
    return ms_fail(err, MS_ERR_USAGE,
                   "option '%s' is not one of 'motifsieve %s'; write 'motifsieve %s GRAPH PATTERN'",
                   typed, command, reader->command->bit == MS_COMMAND_LIST ? "match" : command);
  for (size_t r = 0; r < ms_option_row_count; r++) {
    const ms_option_row *row = &ms_option_rows[r];
    if (strcmp(row->name, bare) == 0 || (row->also && strcmp(row->also, bare) == 0))
      return ms_fail(err, MS_ERR_USAGE,
                     "option '%s' is not one of 'motifsieve %s'; see 'motifsieve %s --help'", typed,
                     command, command);
  }
  const char *nearest = ms_cli_nearest(bare, names, n);
  if (nearest)
    return ms_fail(err, MS_ERR_USAGE,
                   "unknown option '%s'; did you mean '--%s'? see 'motifsieve %s --help'", typed,
                   nearest, command);
  return ms_fail(err, MS_ERR_USAGE, "unknown option '%s'; see 'motifsieve %s --help'", typed,
                 command);
}

/* Refuses `word`, at which getopt_long returned '?' or ':'. */
static ms_status refuse_option(const option_reader *reader, int got, const char *word,
                               ms_error *err)
{
  const ms_option_row *known = optopt ? find_row(optopt, reader->command) : NULL;
  if (known && got == ':')
    return ms_fail(err, MS_ERR_USAGE, "option --%s needs a value: --%s %s", known->name,
                   known->name, known->argument);
  if (known)
    return ms_fail(err, MS_ERR_USAGE, "option --%s takes no value", known->name);
  if (optopt == 'p' && takes_pattern_operand(reader->command))
    return refuse_unknown(reader, "-p", err);
  if (optopt)
    return ms_fail(err, MS_ERR_USAGE, "unknown option '-%c'; see 'motifsieve %s --help'", optopt,
                   reader->command->name);
  return refuse_unknown(reader, word, err);
}

static ms_status set_option(const ms_option_row *row, const char *value, ms_cli_options *o,
                            ms_error *err)
{
  size_t r = (size_t)(row - ms_option_rows);
  if (!row->many && ms_option_row_given(o, r))
    return ms_fail(err, MS_ERR_USAGE, "option --%s is given twice; leave one out", row->name);
  o->given[r / 64] |= UINT64_C(1) << r % 64;
  return row->set(row, value, o, err);
}

/* Reads the options; ends early at --help and --list-formats. */
static ms_status read_options(int argc, char **argv, ms_cli_options *o, ms_error *err)
{
  option_reader reader;
  int got;
  open_reader(&reader, o->command);
  while (!o->help && !o->list_formats &&
         (got = getopt_long(argc, argv, reader.shorts, reader.longs, NULL)) != -1) {
    if (got == '?' || got == ':')
      return refuse_option(&reader, got, argv[optind - 1], err);
    MS_TRY(set_option(find_row(got, o->command), optarg, o, err));
  }
  return MS_OK;
}

/* ---- defaults, and values that several parts of the library take ---------------- */

static void set_defaults(ms_cli_options *o)
{
  o->graph = (ms_graph_options)MS_GRAPH_OPTIONS_DEFAULT;
  o->typed = (ms_typed_options)MS_TYPED_OPTIONS_DEFAULT;
  o->coloring = (ms_color_options)MS_COLOR_OPTIONS_DEFAULT;
  o->list = (ms_list_options)MS_LIST_OPTIONS_DEFAULT;
  o->division = (ms_division)MS_DIVISION_DEFAULT;
  o->census.statistics = (ms_significance_options)MS_SIGNIFICANCE_OPTIONS_DEFAULT;
  o->neighbors.points = (ms_points_options)MS_POINTS_OPTIONS_DEFAULT;
  o->neighbors.graph = (ms_neighbor_options)MS_NEIGHBOR_OPTIONS_DEFAULT;
  o->gen.planted.background = 1;
  o->gen.cut = (ms_cut_options)MS_CUT_OPTIONS_DEFAULT;
  o->gen.cut.patterns = 0;
  o->bench = (ms_bench_choice){.threads = {1, (uint32_t)ms_threads(0)},
                               .seconds = 0.5,
                               .vertices = 1024,
                               .degree = 20,
                               .slots = 16,
                               .runs = 3};
  o->bench.n_threads = o->bench.threads[1] > 1 ? 2 : 1;
  if (o->command->bit == MS_COMMAND_BENCH_GF2)
    o->list.screen.backend = MS_BACKEND_CPU;
  if (o->command->bit == MS_COMMAND_BENCH_SIEVE)
    o->list.screen.repetitions = 1;
}

static void spread_values(ms_cli_options *o)
{
  const ms_run_limits *run = &o->list.screen.run;
  o->neighbors.points.run.memory = o->graph.run.memory = run->memory;
  o->graph.run.threads = o->typed.run.threads = run->threads; /* readers use them, too */
  ms_threads_set_default(run->threads);                       /* and so do writers */
  o->neighbors.graph.run = o->graph.run;
  o->graph.keep_scores |= o->list.screen.profile || o->list.min_mean_score > 0 ||
                          o->list.sort == MS_MEASURE_MEAN_SCORE ||
                          o->list.sort == MS_MEASURE_LEAST_SCORE;
  /* the first N of sorted matches are those of --top N */
  if (o->list.sort && o->list.limit > 0 && o->list.families == 0 && !o->list.diverse) {
    o->list.top = o->list.top && o->list.top < o->list.limit ? o->list.top : o->list.limit;
    o->list.limit = 0;
  }
  o->typed.directed = o->graph.directed;
  o->typed.source_column = o->graph.source_column;
  o->typed.target_column = o->graph.target_column;
  o->typed.min_score = o->graph.min_score;
  o->typed.score_column = o->graph.score_column;
  o->typed.combine = o->graph.combine;
  o->typed.direction_column = o->graph.direction_column;
  o->typed.header = o->graph.header;
  o->typed.no_header = o->graph.no_header;
  o->typed.names = o->graph.names;
  o->typed.color_attribute = o->graph.color_attribute;
  if (o->command->bit != MS_COMMAND_GEN)
    return;
  for (unsigned field = 1; field < 1u << MS_GEN_FIELDS; field <<= 1)
    if (ms_option_given(o, ms_cli_option_of(ms_generate_field_name(field)) + 2))
      o->gen.graph.given |= field;
}

/* ---- operands -------------------------------------------------------------------- */

static ms_status refuse_missing(const ms_cli_options *o, const char *operand, ms_error *err)
{
  char words[128];
  if (strcmp(operand, "FAMILY") == 0) {
    ms_words_join(ms_family_word, words, sizeof words);
    return ms_fail(err, MS_ERR_USAGE, "no FAMILY was given: give %s; see 'motifsieve gen --help'",
                   words);
  }
  if (strcmp(operand, "PATTERN") == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "no PATTERN was given: give a name such as triangle, a file, or a text such as "
                   "'(a)--(b)'; see 'motifsieve %s --help'",
                   o->command->name);
  if (o->command->bit == MS_COMMAND_PATH && o->operand[0])
    return ms_fail(err, MS_ERR_USAGE,
                   "no %s was given: give the names of two vertices, SOURCE and TARGET, or --pairs "
                   "FILE; see 'motifsieve path --help'",
                   operand);
  return ms_fail(err, MS_ERR_USAGE, "no %s file was given; see 'motifsieve %s --help'", operand,
                 o->command->name);
}

static ms_status find_family(ms_cli_options *o, ms_error *err)
{
  const char *names[MS_FAMILIES + 1], *name = o->operand[0];
  char words[128];
  uint32_t family;
  if (ms_word_find(ms_family_word, name, &family)) {
    o->gen.given = family == MS_FAMILIES;
    o->gen.graph.family = o->gen.given ? 0 : (ms_family)family;
    return MS_OK;
  }
  if (access(name, F_OK) == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "unknown family '%s'; for the network in this file, write 'motifsieve gen file "
                   "%s'",
                   name, name);
  for (uint32_t f = 0; f <= MS_FAMILIES; f++)
    names[f] = ms_family_word(f);
  const char *nearest = ms_cli_nearest(name, names, MS_FAMILIES + 1);
  ms_words_join(ms_family_word, words, sizeof words);
  return ms_fail(
      err, MS_ERR_USAGE, "unknown family '%s'; %s%s%sgive %s; see 'motifsieve gen --help'", name,
      nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "", words);
}

/* PATTERN is the last operand, or the value of --pattern, which filter, verify and report have. */
static ms_status store_pattern(const char *operand, ms_cli_options *o, ms_error *err)
{
  if (operand && o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE,
                   "PATTERN is given twice, as '%s' and by --pattern '%s'; leave one out", operand,
                   o->pattern.path);
  if (operand && o->pattern.set)
    return ms_fail(err, MS_ERR_USAGE,
                   "the patterns of --patterns are given, and PATTERN '%s', too; leave one out, or "
                   "write PATTERN into the file",
                   operand);
  if (operand)
    o->pattern.path = operand;
  if (!o->pattern.path)
    return MS_OK;
  return *o->pattern.path
             ? MS_OK
             : ms_fail(err, MS_ERR_USAGE,
                       "PATTERN is empty; give a name such as triangle, a file, or a text such as "
                       "'(a)--(b)'");
}

static ms_status store_operands(int count, char **word, ms_cli_options *o, ms_error *err)
{
  if (o->command->bit == MS_COMMAND_MERGE && count > 0) {
    o->parts = word;
    o->n_parts = (uint32_t)count;
    return MS_OK;
  }
  /* screen may be for a motif, and verify check a result of one; filter says what it wants */
  const unsigned without =
      MS_COMMAND_SCREEN | MS_COMMAND_VERIFY | MS_COMMAND_FILTER | MS_COMMAND_REPORT;
  const char *const *wanted = o->command->operands;
  bool has_pairs = o->command->bit == MS_COMMAND_PATH && o->path.pairs;
  bool is_random = o->command->bit == MS_COMMAND_GEN &&
                   !(count > 0 && strcmp(word[0], ms_family_word(MS_FAMILIES)) == 0);
  int n = 0;
  for (; n < 3 && wanted[n] && !(n == 1 && (has_pairs || is_random)); n++) {
    if (n >= count && strcmp(wanted[n], "PATTERN") == 0 && (o->command->bit & without))
      return store_pattern(NULL, o, err);
    if (n == 1 && n >= count && o->command->bit == MS_COMMAND_MATCH && o->pattern.set)
      return MS_OK;
    if (n == 1 && n >= count && o->command->bit == MS_COMMAND_REPORT) /* a table of the result */
      return store_pattern(NULL, o, err);
    if (n >= count && o->command->bit == MS_COMMAND_BENCH_SIEVE) /* a random graph */
      return MS_OK;
    if (n >= count)
      return refuse_missing(o, wanted[n], err);
    o->operand[n] = word[n];
  }
  const char *hint = has_pairs ? ": --pairs FILE holds the vertices"
                     : o->command->bit == MS_COMMAND_LIST
                         ? " ('motifsieve match' searches for patterns)"
                         : "";
  if (n < count)
    return ms_fail(err, MS_ERR_USAGE, "'%s' is one word too many%s; see 'motifsieve %s --help'",
                   word[n], hint, o->command->name);
  if (n > 0 && strcmp(wanted[n - 1], "PATTERN") == 0)
    return store_pattern(o->operand[n - 1], o, err);
  return o->command->bit == MS_COMMAND_GEN ? find_family(o, err) : MS_OK;
}

ms_status ms_options_parse(const ms_command *command, int argc, char **argv,
                           ms_cli_options *options, ms_error *err)
{
  memset(options, 0, sizeof *options);
  options->command = command;
  options->argc = argc;
  options->argv = argv;
  set_defaults(options);
  const ms_cli_options usual = *options;
  MS_TRY(read_options(argc, argv, options, err));
  if (options->help || options->list_formats)
    return MS_OK;
  ms_options_drop_useless(options, &usual);
  spread_values(options);
  MS_TRY(store_operands(argc - optind, argv + optind, options, err));
  return ms_options_check(options, err);
}
