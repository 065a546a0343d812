/* Reads plain graphs and their colours, with warnings, and describes them. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "graph/colors.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

void ms_print_inputs(const ms_graph *graph, const ms_coloring *coloring)
{
  ms_graph_info g = ms_graph_describe(graph);
  ms_cli_note("graph: %s: %s: %" PRIu32 " vertices, %" PRIu64 " edges; dropped %" PRIu64
              " self-loops, %" PRIu64 " duplicates, %" PRIu64 " below the score, %" PRIu64
              " of another taxon or system; highest degree %" PRIu32,
              g.path, ms_graph_format_describe(g.format).name, g.vertices, g.edges, g.self_loops,
              g.duplicates, g.below_score, g.filtered, g.max_degree);
  if (!coloring)
    return;
  ms_coloring_info c = ms_coloring_describe(coloring);
  ms_cli_note("colors: %s: %s: %" PRIu32 " colours, %" PRIu64 " assignments; dropped %" PRIu64
              " duplicates; %" PRIu64 " lines name a vertex that is not in the graph",
              c.path, ms_color_format_name(c.format), c.colors, c.assignments, c.duplicates,
              c.unknown_vertices);
  if (c.format == MS_COLORS_GAF)
    ms_cli_note("colors: %" PRIu64 " lines say NOT, %" PRIu64
                " have a term that the ontology lacks, %" PRIu64 " one outside the slim",
                c.negated, c.unmapped, c.outside_slim);
}

bool ms_color_is_there(const ms_coloring *coloring, uint32_t color)
{
  uint64_t assignments = coloring->offset[coloring->n];
  for (uint64_t at = 0; at < assignments; at++)
    if (coloring->color[at] == color)
      return true;
  return false;
}

/* Warns of lines of the colour file that fit neither the graph nor the format. */
void ms_warn_of_colors(const ms_coloring *coloring)
{
  ms_coloring_info c = ms_coloring_describe(coloring);
  if (c.unknown_vertices > c.lines / 2)
    ms_cli_warn("%s: %" PRIu64 " of %" PRIu64
                " lines name a vertex that is not in the graph; do both files use "
                "the same kind of names?",
                c.path, c.unknown_vertices, c.lines);
  if (c.extra_columns > 0)
    ms_cli_warn("%s: %" PRIu64 " lines have more than two columns; only the second is taken for a "
                "colour; a vertex of several colours has a line for each",
                c.path, c.extra_columns);
}

/* True if the name looks like the title of a column of names. */
static bool is_title(const char *name)
{
  static const char *const words[] = {"interactor", "source", "target", "protein", "gene",
                                      "node",       "symbol", "entrez", "vertex",  "participant"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncasecmp(name, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

/* Warns of input that can be read but may mean something else. */
static void warn_of_reading(const ms_cli_options *o, const ms_graph *graph)
{
  ms_graph_info info = ms_graph_describe(graph);
  uint32_t first = 0, second = 0;
  if (o->graph.min_score > 0 && o->graph.min_score < 1)
    ms_cli_warn("%s: STRING's scores go up to 1000; --min-score %g keeps nearly all", info.path,
                o->graph.min_score);
  if (info.format != MS_FORMAT_EDGE_LIST || o->graph.header || info.vertices < 2)
    return;
  ms_graph_neighbors(graph, 0, &first);
  ms_graph_neighbors(graph, 1, &second);
  if (first == 1 && second == 1 && is_title(ms_graph_name(graph, 0)) &&
      is_title(ms_graph_name(graph, 1)))
    ms_cli_warn("%s: its first line, '%s' and '%s', is read as an edge; if it is a header, give "
                "--header",
                info.path, ms_graph_name(graph, 0), ms_graph_name(graph, 1));
}

ms_status ms_read_graph(const ms_cli_options *o, ms_graph **graph, ms_error *err)
{
  ms_status status = ms_graph_read(o->operand[0], &o->graph, graph, err);
  return status == MS_OK ? ms_read_aliases(o, *graph, err) : status;
}

ms_status ms_read_aliases(const ms_cli_options *o, ms_graph *graph, ms_error *err)
{
  if (!o->quiet)
    warn_of_reading(o, graph);
  if (!o->aliases)
    return MS_OK;
  ms_alias_info aliases;
  ms_status status = ms_graph_read_aliases(graph, o->aliases, &aliases, err);
  if (status == MS_OK && o->verbose)
    ms_cli_note("aliases: %s: %" PRIu64 " names beside the vertices' own; left out %" PRIu64
                " that stand for several vertices; %" PRIu64 " lines name no vertex",
                o->aliases, aliases.aliases, aliases.ambiguous, aliases.unknown);
  return status;
}

ms_status ms_read_colors(const ms_cli_options *o, const ms_graph *graph, bool needed,
                         ms_coloring **coloring, ms_error *err)
{
  *coloring = NULL;
  if (o->colors)
    return ms_coloring_read(o->colors, graph, &o->coloring, coloring, err);
  if (ms_option_given_of(o, MS_OPTIONS_OF_COLOR_FILE))
    return ms_fail(err, MS_ERR_USAGE,
                   "there are options for reading a colour file, but none is given; give --colors "
                   "FILE, or leave them out");
  if (ms_graph_describe(graph).colored || o->coloring.format == MS_COLORS_GRAPH)
    return ms_coloring_from_graph(graph, coloring, err);
  return needed
             ? ms_fail(err, MS_ERR_USAGE,
                       "no colours: give --colors FILE (%s holds none); see 'motifsieve %s --help'",
                       o->operand[0], ms_command_name(o->command))
             : MS_OK;
}
