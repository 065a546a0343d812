/* The checks of a whole command line.  option_rules.c checks which options may stand together, the
 * functions here check values, and option_places.c checks files. */
#include "base/file/folder.h"
#include "base/status.h"
#include "cli/commands/motif_significance.h"
#include "cli/options/option_table.h"

#include <string.h>
#include <unistd.h>

/* ---- gen ------------------------------------------------------------------------------------- */

/* Which options of gen go together, beside the rules for names in option_rules.c. */

/* Returns the name of an option for reading that was given, or NULL. */
static const char *given_for_reading(const ms_cli_options *o)
{
  const char *section = NULL;
  for (size_t r = 0; r < ms_option_row_count; r++) {
    section = ms_option_rows[r].section ? ms_option_rows[r].section : section;
    if (ms_is_about_reading(section) && ms_option_row_given(o, r))
      return ms_option_rows[r].name;
  }
  return ms_option_given(o, "permute-colors") ? "permute-colors" : NULL;
}

/* Checks the options of a random graph. */
static ms_status check_random(const ms_cli_options *o, ms_error *err)
{
  const char *option = given_for_reading(o);
  if (option)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for the network in a file; write 'motifsieve gen file GRAPH', or leave "
                   "it out",
                   option);
  if (o->gen.colors_out && !o->gen.plant && !o->gen.uniform_colors)
    return ms_fail(err, MS_ERR_USAGE,
                   "--colors-out needs colours; also give --uniform-colors or --planted");
  if (o->map && !o->gen.shuffle)
    return ms_fail(err, MS_ERR_USAGE, "--map is for names that change; also give --shuffle");
  return MS_OK;
}

/* Checks the options of a given graph. */
static ms_status check_given(const ms_cli_options *o, ms_error *err)
{
  const ms_gen_options *gen = &o->gen;
  unsigned first = gen->graph.given & (0u - gen->graph.given);
  bool numbers = gen->shuffle && gen->new_names == MS_NAMES_NUMBERS;
  if (first)
    return ms_fail(err, MS_ERR_USAGE, "%s is a parameter of random graphs; leave it out",
                   ms_cli_option_of(ms_generate_field_name(first)));
  if (gen->graph.prefix && !numbers)
    return ms_fail(err, MS_ERR_USAGE,
                   "--prefix is for names that are numbers; also give --shuffle and --new-names "
                   "numbers");
  if (!gen->shuffle && !gen->uniform_colors && !gen->permute_colors && !gen->plant &&
      !gen->edge_types && !gen->patterns_out)
    return ms_fail(err, MS_ERR_USAGE,
                   "nothing is to be done with the file; give --shuffle, --uniform-colors, "
                   "--permute-colors, --planted, --edge-types or --patterns ('motifsieve convert' "
                   "writes a network as it is)");
  return MS_OK;
}

static ms_status check_types(const ms_cli_options *o, ms_error *err)
{
  const ms_gen_options *gen = &o->gen;
  if (gen->directed_types > gen->edge_types)
    return ms_fail(err, MS_ERR_USAGE,
                   "--directed-types cannot exceed --edge-types; give more types, or fewer with a "
                   "direction");
  if (gen->edge_types && o->to != MS_FORMAT_AUTO && o->to != MS_FORMAT_TABLE &&
      o->to != MS_FORMAT_TYPED_BINARY)
    return ms_fail(err, MS_ERR_USAGE,
                   "--edge-types is given, but %s holds no types of edges; give --to table or --to "
                   "typed-binary",
                   ms_graph_format_describe(o->to).name);
  return MS_OK;
}

static ms_status check_patterns(const ms_cli_options *o, ms_error *err)
{
  const ms_gen_options *gen = &o->gen;
  if (gen->cut.edges > 0 && gen->cut.density != MS_DENSITY_ANY)
    return ms_fail(err, MS_ERR_USAGE, "--pattern-edges and --%s do not go together; leave one out",
                   gen->cut.density == MS_DENSITY_DENSE ? "dense" : "sparse");
  if (o->graph.directed && gen->pattern_format == MS_PATTERNS_GRAPHML)
    return ms_fail(err, MS_ERR_USAGE,
                   "--pattern-format graphml is for edges without a direction; leave it or "
                   "--directed out");
  if (!gen->patterns_out)
    return MS_OK;
  if (strcmp(gen->patterns_out, "-") == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "option --patterns-out needs a folder, not standard output ('-')");
  return ms_folder_check(gen->patterns_out, err);
}

/* The part of it that is about gen. */
static ms_status gen_check(const ms_cli_options *o, ms_error *err)
{
  const char *prefix = o->gen.graph.prefix;
  if (o->command->bit != MS_COMMAND_GEN)
    return MS_OK;
  MS_TRY(o->gen.given ? check_given(o, err) : check_random(o, err));
  MS_TRY(check_types(o, err));
  /* a reader would take the vertex for a comment, or trim its name */
  if (prefix && prefix[0] && strchr("#!% \"", prefix[0]))
    return ms_fail(
        err, MS_ERR_USAGE,
        "--prefix '%s' begins with '%c', which readers of graphs ignore or trim; choose another",
        prefix, prefix[0]);
  return check_patterns(o, err);
}

/* ---- other commands -------------------------------------------------------------------------- */

/* Checks that the command line says what to search for. */
static ms_status check_query(const ms_cli_options *o, ms_error *err)
{
  bool screens = o->command->bit == MS_COMMAND_SCREEN;
  const char *near = ms_nearest_option(o);
  const char *for_patterns =
      ms_option_given_of(o, MS_OPTIONS_OF_PATTERN | (screens ? MS_OPTIONS_OF_TYPED_GRAPH : 0));
  if (screens && o->pattern.path && (ms_motif_is_given(o) || o->motifs))
    return ms_fail(err, MS_ERR_USAGE,
                   "a motif and the pattern '%s' are given, and one of them can be searched for; "
                   "leave one out",
                   o->pattern.path);
  if (screens && o->pattern.path && near)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--%s is for motifs, and '%s' is a pattern; leave --%s out, or give a motif with "
        "--motif",
        near, o->pattern.path, near);
  if (screens && for_patterns && !o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for patterns; write 'motifsieve screen GRAPH PATTERN', or leave it out",
                   for_patterns);
  if (o->command->bit == MS_COMMAND_FILTER && !o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE,
                   "no PATTERN: give '(a:Gene)-[GiG]-(b:Gene)' behind GRAPH, or a file; see "
                   "'motifsieve filter --help'");
  if (for_patterns && !o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE, "--%s is for patterns; also give PATTERN, or leave it out",
                   for_patterns);
  return MS_OK;
}

/* Refuses a wish for the sieve beside an option that needs every match. */
static ms_status check_sieve_runs(const ms_cli_options *o, ms_error *err)
{
  const char *few = ms_option_given(o, "sample")     ? "--sample"
                    : ms_option_given(o, "diverse")  ? "--diverse"
                    : ms_option_given(o, "families") ? "--families"
                                                     : NULL;
  if (few && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s chooses from all matches without the sieve, and --screen always asks for "
                   "it; leave one out",
                   few);
  return MS_OK;
}

/* Checks that an ontology is given where it is to give substitutions. */
static ms_status check_substitutes(const ms_cli_options *o, ms_error *err)
{
  if (!o->substitutes || strcmp(o->substitutes, "ontology") != 0 || o->coloring.obo)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "--substitute ontology takes the ontology of --obo, which is not given; give its "
                 "file with --substitute");
}

/* Refuses options that lists of the nearest matches do not have. */
static ms_status check_nearest_list(const ms_cli_options *o, ms_error *err)
{
  static const char *const others[] = {
      "motifs",  "cx2",           "dot",      "svg",          "sample",
      "diverse", "participation", "sort",     "min-density",  "min-mean-score",
      "density", "scores",        "families", "vertex-scores"};
  const char *near = ms_nearest_option(o);
  if (o->command->bit != MS_COMMAND_LIST || !near)
    return MS_OK;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s lists matches in the order of their costs, without the sieve, and does "
                     "not go together with --%s; leave one out",
                     near, others[i]);
  if (ms_option_given(o, "screen") && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s of list enumerates, and --screen always asks for the sieve; leave one out",
                   near);
  return MS_OK;
}

/* Checks the options of a screen that measures matches. */
static ms_status check_measured_screen(const ms_cli_options *o, ms_error *err)
{
  const char *option = o->command->bit != MS_COMMAND_SCREEN ? NULL
                       : o->list.screen.profile             ? "profile"
                       : o->vertex_scores                   ? "vertex-scores"
                                                            : NULL;
  if (!option)
    return MS_OK;
  if (o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE, "--%s is for motifs; leave it out", option);
  if (o->list.screen.profile && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s enumerates, and --screen always asks for the sieve; leave one out",
                   option);
  return MS_OK;
}

static ms_status check_match(const ms_cli_options *o, ms_error *err)
{
  bool of_vertices = o->command->bit == MS_COMMAND_LIST && o->list.sort == MS_MEASURE_VERTEX_SCORE;
  if (of_vertices && !o->vertex_scores)
    return ms_fail(err, MS_ERR_USAGE,
                   "--sort vertex-score needs the scores of vertices; give --vertex-scores FILE");
  if (o->list.exact && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "--exact omits the sieve, and --screen always asks for it; leave one out");
  MS_TRY(check_sieve_runs(o, err));
  if (o->typed_match.walk_length && o->typed_match.walk != MS_WALK_RANDOM)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--walk-length is for --walk random; the pattern decides how long an Euler tour is");
  return MS_OK;
}

/* Refuses options of bench sieve that belong to a random graph if a file is given, and options that
 * belong to a file if none is given. */
static ms_status check_bench_sieve(const ms_cli_options *o, ms_error *err)
{
  static const char *const random[] = {"vertices", "degree", "slots"};
  for (size_t i = 0; o->operand[0] && i < sizeof random / sizeof *random; i++)
    if (ms_option_given(o, random[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "option --%s is for a random graph, and %s is a file; leave one out",
                     random[i], o->operand[0]);
  if (!o->operand[0] && (o->colors || ms_motif_is_given(o)))
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is given without a graph; give GRAPH, or leave it out and sieve a random "
                   "graph",
                   o->colors       ? "colors"
                   : o->motif      ? "motif"
                   : o->motif_file ? "motif-file"
                                   : "motif-from");
  if (o->json && o->bench.csv)
    return ms_fail(err, MS_ERR_USAGE, "--json and --csv are two forms; leave one out");
  if (o->list.screen.backend == MS_BACKEND_CPU && o->list.screen.run.n_devices > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "option --devices names GPUs and --backend cpu has none; leave one out");
  return MS_OK;
}

static ms_status check_bench(const ms_cli_options *o, ms_error *err)
{
  bool cuda = o->list.screen.backend == MS_BACKEND_CUDA;
  if (o->command->bit == MS_COMMAND_BENCH_GF2 && cuda && ms_option_given(o, "threads"))
    return ms_fail(err, MS_ERR_USAGE,
                   "option --threads is for --backend cpu; a GPU is measured as a whole");
  if (o->command->bit == MS_COMMAND_BENCH_GF2 && !cuda && ms_option_given(o, "device"))
    return ms_fail(err, MS_ERR_USAGE,
                   "option --device is for --backend cuda; also give --backend cuda, or leave "
                   "--device out");
  return o->command->bit == MS_COMMAND_BENCH_SIEVE ? check_bench_sieve(o, err) : MS_OK;
}

/* Refuses GPUs beside --engine cpu, unless the sieve is asked for, which runs on them. */
static ms_status check_devices(const ms_cli_options *o, ms_error *err)
{
  bool searches = o->command->bit & (MS_COMMAND_LIST | MS_COMMAND_CENSUS | MS_COMMAND_MATCH);
  const char *engine = searches ? o->list.screen.run.engine : NULL;
  if (!engine || strcmp(engine, "cpu") != 0 || o->list.screen.run.n_devices == 0 ||
      o->list.screen.backend == MS_BACKEND_CUDA ||
      (ms_option_given(o, "screen") && o->pattern.screen == MS_SCREEN_ALWAYS))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "option --devices names GPUs and --engine cpu uses none; leave one out");
}

/* Checks that the aliases that should be labels are given. */
static ms_status check_labels(const ms_cli_options *o, ms_error *err)
{
  if (!o->labels || (o->command->bit & (MS_COMMAND_VERIFY | MS_COMMAND_REPORT)) ||
      strcmp(o->labels, "alias") != 0)
    return MS_OK;
  if (!o->aliases)
    return ms_fail(err, MS_ERR_USAGE,
                   "--labels alias takes labels from the file of --alias; also give --alias FILE, "
                   "or give --labels ./alias for a file of that name");
  return strcmp(o->aliases, "-") == 0
             ? ms_fail(err, MS_ERR_USAGE,
                       "--labels alias reads the alias file again, which standard input does not "
                       "allow; give --alias FILE")
             : MS_OK;
}

/* ---- all checks --------------------------------------------------------------------- */

ms_status ms_options_check(const ms_cli_options *o, ms_error *err)
{
  MS_TRY(check_query(o, err));
  MS_TRY(ms_options_check_names(o, err));
  if (o->colors && o->coloring.format == MS_COLORS_GRAPH)
    return ms_fail(err, MS_ERR_USAGE,
                   "--colors and --color-format graph do not go together; leave one out");
  if (o->pattern.binary && (!o->output || strcmp(o->output, "-") == 0) && isatty(STDOUT_FILENO))
    return ms_fail(err, MS_ERR_USAGE,
                   "a terminal cannot show what --binary writes; also give --output FILE");
  MS_TRY(check_match(o, err));
  if (ms_motif_significance_is_wanted(o))
    MS_TRY(ms_motif_significance_check(o, err));
  MS_TRY(check_nearest_list(o, err));
  MS_TRY(check_substitutes(o, err));
  MS_TRY(check_measured_screen(o, err));
  MS_TRY(gen_check(o, err));
  MS_TRY(check_bench(o, err));
  MS_TRY(check_devices(o, err));
  MS_TRY(check_labels(o, err));
  return ms_options_check_places(o, err);
}
