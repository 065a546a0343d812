/* Which options of gen go together, beside the rules for names in option_rules.c. */
#include "base/folder.h"
#include "base/status.h"
#include "cli/option_table.h"

#include <string.h>

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

ms_status ms_gen_check(const ms_cli_options *o, ms_error *err)
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
