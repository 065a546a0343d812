/* Reads plain graphs and their colours, motifs and patterns, with warnings, and describes them. */
#include "base/alloc.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/options/option_table.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/spellings.h"
#include "graph/suggest.h"
#include "query/labels.h"
#include "query/pattern.h"
#include "query/query.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- graphs and colours ------------------------------------------------------ */

void ms_warn_of_colors(const ms_coloring *coloring, const char *strata)
{
  ms_coloring_info c = ms_coloring_describe(coloring);
  uint64_t all = c.mentions ? c.mentions : c.lines;
  if (c.unknown_vertices > all / 2 && c.format != MS_COLORS_GMT)
    ms_cli_warn("%s: %" PRIu64 " of %" PRIu64
                " %s name a vertex that is not in the graph; do both files use "
                "the same kind of names?",
                c.path, c.unknown_vertices, all, c.mentions ? "cells" : "lines");
  if (c.colorless > 0)
    ms_cli_warn("%s:%" PRIu64 ": '%s' has no colour in this line; %" PRIu64 " %s, and %s skipped",
                c.path, c.colorless_line, c.colorless_vertex, c.colorless,
                c.colorless == 1 ? "line is such" : "lines are such",
                c.colorless == 1 ? "is" : "are");
  if (c.missing > 0)
    ms_cli_note("%s: %" PRIu64 " lines have no colour, but an empty cell or a sign for a missing "
                "value such as NA",
                c.path, c.missing);
  if (c.negated > 0 && c.format != MS_COLORS_GAF)
    ms_cli_note("%s: %" PRIu64 " lines say NOT in another column, and give no colour", c.path,
                c.negated);
  if (c.respelled > 0)
    ms_cli_note("%s: %" PRIu64 " lines name a vertex in another spelling of Unicode (NFC or NFD)",
                c.path, c.respelled);
  ms_warn_of_spellings(c.path, coloring->names, "colours");
  if (c.extra_columns > 0 && !strata)
    ms_cli_warn("%s: %" PRIu64
                " lines have more than two columns; only the second is read as a colour; "
                "give a vertex of several colours a line for each of them",
                c.path, c.extra_columns);
}

/* Says which scores were found, since a least score means another thing on each scale. */
static void note_scores(const ms_cli_options *o, const char *path, const ms_edge_layout *l)
{
  bool wanted = o->graph.min_score > 0 || o->graph.score_column || o->graph.keep_scores;
  if (l->score_column == 0 || !wanted)
    return;
  bool positive = l->lowest_score >= 0, unit = positive && l->highest_score <= 1;
  if (unit || (positive && l->highest_score <= 1000 && l->highest_score > 100))
    ms_cli_note("%s: scores are in 0..%s (column %" PRIu32 ": from %g to %g)", path,
                unit ? "1" : "1000", l->score_column, l->lowest_score, l->highest_score);
  else
    ms_cli_note("%s: scores are from %g to %g (column %" PRIu32 ")", path, l->lowest_score,
                l->highest_score, l->score_column);
  if (!unit && o->graph.min_score > 0 && o->graph.min_score < 1)
    ms_cli_warn("%s: the scores go up to %g; --min-score %g keeps nearly all edges", path,
                l->highest_score, o->graph.min_score);
}

/* Says what names the vertices of GraphML and CX2, where the reader chose it. */
static void note_names(const ms_cli_options *o, const char *path, const ms_edge_layout *l)
{
  if (!l->name_attribute[0] || o->graph.names)
    return;
  if (l->ids_kept)
    ms_cli_warn("%s: vertices are named by their ids, which are numbers: the attribute '%s' is "
                "missing for a node, or names two alike (--names ATTRIBUTE chooses another)",
                path, l->name_attribute);
  else
    ms_cli_note("%s: vertices are named by the attribute '%s', because their ids are numbers "
                "(--names id keeps the ids)",
                path, l->name_attribute);
}

void ms_note_layout(const ms_cli_options *o, const char *path, const ms_edge_layout *l)
{
  note_scores(o, path, l);
  note_names(o, path, l);
  if (l->counted)
    ms_cli_note(
        "%s: the first line states the numbers of vertices and edges (--no-header: it is an "
        "edge)",
        path);
  if (l->direction_column > 0)
    ms_cli_note("%s: column %" PRIu32
                " says which way edges point (--direction-column none ignores "
                "it)",
                path, l->direction_column);
  if (l->scores_differ && !o->graph.combine)
    ms_cli_warn("%s: lines of the same two vertices have different scores, of which the greatest "
                "counts; --combine sum or --combine count takes all of them, and --combine max "
                "leaves this warning out",
                path);
  if (l->combined_by_type)
    ms_cli_warn("%s: lines of the same two vertices have different types, and scores are combined "
                "for each type alone; --type-column none combines all of them",
                path);
  if (l->section > 0)
    ms_cli_warn("%s:%" PRIu64 ": a second table begins here, below a blank line; it is not read",
                path, l->section);
  if (l->missing[0])
    ms_cli_warn("%s: a vertex is called '%s'; if that stands for a missing name, remove its lines",
                path, l->missing);
  if (l->pairs > 1 && !o->graph.source_column && !o->graph.target_column)
    ms_cli_note("%s: columns %" PRIu32 " and %" PRIu32
                " are the ends of the edges; its header has %" PRIu32
                " such pairs of columns (--source-column and --target-column choose another)",
                path, l->source_column, l->target_column, l->pairs);
}

/* Warns of labels of edges, which commands for plain graphs do not use (gen.c speaks for
 * gen). One label that all edges share tells nothing apart. */
static void warn_of_labels(const ms_cli_options *o, const ms_graph_info *info)
{
  unsigned patterns = MS_COMMAND_MATCH | MS_COMMAND_PLAN;
  unsigned commands = MS_COMMAND_SCREEN | MS_COMMAND_LIST | MS_COMMAND_CONVERT | patterns;
  if (info->edge_labels > 1 && (o->command->bit & commands))
    ms_cli_warn("%s: its edges have %" PRIu32 " different labels or types, which '%s' ignores; "
                "'match' searches for them with a pattern such as '(a)-[TYPE]-(b)'",
                info->path, info->edge_labels,
                !(o->command->bit & patterns) ? o->command->name
                : o->pattern.path             ? o->pattern.path
                                              : o->pattern.set);
}

/* Says what was not read, which the user may expect to count. */
static void note_unread(const ms_cli_options *o, const ms_graph_info *info)
{
  const ms_edge_layout *l = &info->layout;
  bool word = l->unread_word[0] != '\0';
  if (l->unread_words > 0)
    ms_cli_warn("%s: column %" PRIu32
                " holds words%s%s%s, which are not read; if they are types of "
                "edges, --type-column %" PRIu32 " lets 'match' use them",
                info->path, l->unread_words, word ? ", such as '" : "", l->unread_word,
                word ? "'" : "", l->unread_words);
  if (l->unread_numbers > 0 && !(o->graph.min_score > 0))
    ms_cli_note("%s: column %" PRIu32 " holds scores or weights, which are not used (--min-score "
                "drops edges with a lower score)",
                info->path, l->unread_numbers);
}

void ms_warn_of_spellings(const char *path, const ms_names *names, const char *what)
{
  uint32_t twins[2];
  if (ms_names_spelled_twice(names, twins))
    ms_cli_warn("%s: '%s' and '%s' look alike and are two %s, because Unicode spells some "
                "letters in two ways (NFC and NFD); write all names alike: uconv -x any-nfc FILE > "
                "NEW",
                path, ms_names_get(names, twins[0]), ms_names_get(names, twins[1]), what);
}

/* Says how a table was read, where another reading is possible. */
static void note_reading(const ms_cli_options *o, const ms_graph *graph)
{
  ms_graph_info info = ms_graph_describe(graph);
  ms_note_layout(o, info.path, &info.layout);
  ms_warn_of_spellings(info.path, graph->names, "vertices");
  note_unread(o, &info);
  warn_of_labels(o, &info);
  if (info.motif_size > 0 && (o->command->bit & (MS_COMMAND_CONVERT | MS_COMMAND_GEN)))
    ms_cli_warn("%s: the file states a motif and perhaps a target, which '%s' leaves out",
                info.path, o->command->name);
}

ms_status ms_read_graph(const ms_cli_options *o, ms_graph **graph, ms_error *err)
{
  ms_status status = ms_graph_read(o->operand[0], &o->graph, graph, err);
  return status == MS_OK ? ms_read_aliases(o, *graph, err) : status;
}

ms_status ms_read_aliases(const ms_cli_options *o, ms_graph *graph, ms_error *err)
{
  if (!o->quiet)
    note_reading(o, graph);
  if (!o->aliases)
    return MS_OK;
  ms_alias_info aliases;
  ms_status status = ms_graph_read_aliases(graph, o->aliases, &aliases, err);
  if (status == MS_OK && o->verbose)
    ms_cli_note("aliases: %s: %" PRIu64 " other names of vertices; %" PRIu64
                " names of several vertices are left out; %" PRIu64 " lines name no vertex",
                o->aliases, aliases.aliases, aliases.ambiguous, aliases.unknown);
  return status;
}

ms_status ms_read_labels(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (!o->labels)
    return MS_OK;
  if (strcmp(o->labels, "alias") == 0)
    MS_TRY(ms_labels_from_aliases(job->graph, &job->labels, err));
  else if (job->graph)
    MS_TRY(ms_labels_read(o->labels, job->graph, &job->labels, err));
  else
    MS_TRY(ms_labels_read_typed(o->labels, job->typed, &job->labels, err));
  ms_labels_info info = ms_labels_describe(job->labels);
  if (o->verbose)
    ms_cli_note("labels: %s: %" PRIu32 " vertices have a label; %" PRIu64 " lines name no vertex",
                info.path, info.labelled, info.unknown);
  return MS_OK;
}

ms_status ms_read_positions(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (!o->positions)
    return MS_OK;
  MS_TRY(ms_points_read(o->positions, &o->neighbors.points, &job->positions, err));
  if (o->verbose) {
    ms_points_info info = ms_points_describe(job->positions);
    ms_cli_note("positions: %s: %" PRIu32 " points of %" PRIu32 " dimensions, %" PRIu32 " slide%s",
                info.path, info.points, info.dimensions, info.slides, info.slides == 1 ? "" : "s");
  }
  return MS_OK;
}

ms_status ms_read_vertex_scores(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (!o->vertex_scores || o->command->bit == MS_COMMAND_VERIFY)
    return MS_OK;
  if (!job->graph)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--vertex-scores is for motifs and plain patterns, and the pattern is typed; leave "
        "it out");
  MS_TRY(ms_vertex_scores_read(o->vertex_scores, job->graph, &job->scores, err));
  ms_vertex_scores_info info = ms_vertex_scores_describe(job->scores);
  if (o->verbose || (info.unknown > 0 && !o->quiet))
    ms_cli_note("scores of vertices: %s: %" PRIu32 " vertices have a score, at most %" PRIu32
                "; %" PRIu64 " lines name no vertex",
                info.path, info.scored, info.greatest, info.unknown);
  return MS_OK;
}

ms_status ms_read_colors(const ms_cli_options *o, const ms_graph *graph, bool needed,
                         ms_coloring **coloring, ms_error *err)
{
  *coloring = NULL;
  if (o->colors && o->graph.color_attribute && ms_graph_describe(graph).colored)
    return ms_fail(err, MS_ERR_USAGE,
                   "colours are given by %s, and by an attribute of %s, which holds colours, too; "
                   "leave out one of --colors and --color-attribute",
                   o->colors, o->operand[0]);
  if (o->colors)
    return ms_coloring_read(o->colors, graph, &o->coloring, coloring, err);
  if (ms_option_given_of(o, MS_OPTIONS_OF_COLOR_FILE))
    return ms_fail(err, MS_ERR_USAGE,
                   "options for reading a colour file are given, but no file; give --colors FILE, "
                   "or leave these options out");
  if (ms_graph_describe(graph).colored || o->coloring.format == MS_COLORS_GRAPH)
    return ms_coloring_from_graph(graph, coloring, err);
  return needed
             ? ms_fail(err, MS_ERR_USAGE,
                       "no colours: give --colors FILE (%s holds none); see 'motifsieve %s --help'",
                       o->operand[0], o->command->name)
             : MS_OK;
}

ms_status ms_read_null_strata(const ms_job *job, const ms_census_options *census,
                              ms_permutation_options *null, uint32_t **stratum, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (!o->census.strata)
    return MS_OK;
  if (!job->coloring)
    return ms_fail(err, MS_ERR_USAGE,
                   "--strata keeps colours in their stratum, and there are no colours; give "
                   "--colors, or leave it out");
  null->n_strata = ms_graph_vertex_count(job->graph);
  null->stratum = *stratum = ms_alloc(null->n_strata, sizeof **stratum);
  if (!*stratum)
    return ms_fail_memory(err, "the strata of vertices");
  return ms_read_strata(job->graph, job->coloring, &o->coloring, census, o->census.strata, *stratum,
                        err);
}

void ms_print_inputs(const ms_graph *graph, const ms_coloring *coloring)
{
  ms_graph_info g = ms_graph_describe(graph);
  ms_cli_note("graph: %s: %s: %" PRIu32 " vertices, %" PRIu64 " edges; dropped %" PRIu64
              " self-loops, %" PRIu64 " repeated lines%s, %" PRIu64 " below the score, %" PRIu64
              " of another taxon or system; highest degree %" PRIu32,
              g.path, ms_graph_format_describe(g.format).name, g.vertices, g.edges, g.self_loops,
              g.duplicates,
              g.directed ? " of an edge in either direction (both directions are kept)" : "",
              g.below_score, g.filtered, g.max_degree);
  if (g.layout.header)
    ms_cli_note("graph: the first line is a header; columns %" PRIu32 " and %" PRIu32
                " are the ends of the edges",
                g.layout.source_column, g.layout.target_column);
  if (!coloring)
    return;
  ms_coloring_info c = ms_coloring_describe(coloring);
  ms_cli_note("colors: %s: %s: %" PRIu32 " colours, %" PRIu64 " assignments; dropped %" PRIu64
              " repeated assignments; %" PRIu64 " %s name a vertex that is not in the graph",
              c.path, ms_color_format_name(c.format), c.colors, c.assignments, c.duplicates,
              c.unknown_vertices, c.mentions ? "cells" : "lines");
  if (c.format == MS_COLORS_GAF)
    ms_cli_note("colors: %" PRIu64 " lines say NOT, %" PRIu64
                " have a term that the ontology lacks, and %" PRIu64 " a term outside the slim",
                c.negated, c.unmapped, c.outside_slim);
}

/* ---- motifs and patterns ----------------------------------------------------- */

/* True if any vertex of the graph has this colour. */
static bool color_is_there(const ms_coloring *coloring, uint32_t color)
{
  uint64_t assignments = coloring->offset[coloring->n];
  for (uint64_t at = 0; at < assignments; at++)
    if (coloring->color[at] == color)
      return true;
  return false;
}

ms_status ms_check_motif_given(const ms_cli_options *o, const ms_graph *graph, ms_error *err)
{
  if (ms_motif_is_given(o) || ms_graph_describe(graph).motif_size > 0)
    return MS_OK;
  return ms_fail(
      err, MS_ERR_USAGE,
      "no motif: give --motif 'colour:2,colour', --motif-file FILE or --motif-from FILE; see "
      "'motifsieve %s --help' ('motifsieve match' searches for patterns)",
      o->command->name);
}

static ms_status read_motif_from(const ms_cli_options *o, const ms_graph *graph,
                                 const ms_coloring *coloring, ms_motif **motif, ms_error *err)
{
  uint32_t uncolored;
  MS_TRY(ms_motif_read_vertices(o->motif_from, graph, coloring, &uncolored, motif, err));
  if (uncolored > 0 && !o->quiet)
    ms_cli_warn("%" PRIu32 " of the %" PRIu32 " vertices in %s %s no colour; any vertex fills %s",
                uncolored, ms_motif_size(*motif), o->motif_from, uncolored == 1 ? "has" : "have",
                uncolored == 1 ? "its slot" : "their slots");
  return MS_OK;
}

ms_status ms_read_motif(const ms_cli_options *o, const ms_graph *graph, const ms_coloring *coloring,
                        ms_motif **motif, ms_error *err)
{
  if (!ms_motif_is_given(o))
    return ms_motif_from_graph(graph, coloring, motif, err);
  if (o->motif_from)
    return read_motif_from(o, graph, coloring, motif, err);
  return o->motif ? ms_motif_parse(o->motif, coloring, motif, err)
                  : ms_motif_read(o->motif_file, coloring, motif, err);
}

ms_status ms_read_motifs(ms_job *job, ms_error *err)
{
  MS_TRY(ms_motif_set_read(job->options->motifs, job->coloring, &job->motifs, err));
  return ms_session_new(job->graph, job->coloring, &job->session, err);
}

static void warn_of_color(const ms_job *job, uint32_t color)
{
  if (!color_is_there(job->coloring, color))
    ms_cli_warn("no vertex of %s has the colour '%s'; do the colour file and the graph use the "
                "same kind of names?",
                ms_graph_describe(job->graph).path, ms_coloring_name(job->coloring, color));
}

void ms_warn_of_motif_colors(const ms_job *job)
{
  for (uint32_t i = 0; i < job->motif->n_classes; i++) {
    const ms_condition *condition = job->motif->class_[i].condition;
    if (job->motif->class_[i].color < MS_CONDITION)
      warn_of_color(job, job->motif->class_[i].color);
    for (uint32_t j = 0; condition && j < condition->count; j++)
      warn_of_color(job, condition->literal[j].color);
  }
}

ms_status ms_read_built_in(const ms_cli_options *o, ms_pattern **pattern, ms_error *err)
{
  const char *name = o->pattern.path;
  ms_error unknown;
  if (ms_pattern_is_name(name) && o->pattern.format != MS_FORMAT_AUTO)
    return ms_fail(err, MS_ERR_USAGE,
                   "--pattern-format is for pattern files, and there is no file '%s'; write the "
                   "pattern's edges into one, or leave the option out",
                   name);
  ms_status status = ms_pattern_named(name, pattern, &unknown);
  if (status == MS_OK && o->pattern.colors) /* the job frees the pattern in any case */
    return ms_pattern_read_colors(*pattern, o->pattern.colors, err);
  if (status != MS_ERR_USAGE) {
    if (status != MS_OK && err)
      *err = unknown;
    return status;
  }
  /* the library's message lists the built-ins */
  return ms_fail(err, ms_pattern_is_name(name) ? MS_ERR_USAGE : MS_ERR_INPUT,
                 "%s: there is no such file, and %s", name, unknown.message);
}

ms_status ms_check_pattern(const ms_job *job, ms_error *err)
{
  if (ms_pattern_label_use(job->pattern, job->graph) == MS_LABELS_TYPED)
    return ms_fail(err, MS_ERR_INPUT,
                   "the edges of the pattern %s have labels, which a plain pattern would ignore; "
                   "leave --pattern-format out",
                   job->pattern->path);
  MS_TRY(ms_pattern_check_labels(job->pattern, job->graph, err));
  if (job->coloring || !ms_pattern_has_colors(job->pattern))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the pattern %s asks for colours, and %s holds none; give --colors FILE, or a "
                 "pattern without colours ('*' accepts any)",
                 job->pattern->path, ms_graph_describe(job->graph).path);
}

/* Does any vertex of the graph have colour i of the pattern? */
static bool has_color(const ms_job *job, uint32_t i)
{
  uint32_t color = ms_coloring_find(job->coloring, ms_names_get(job->pattern->color_names, i));
  return color != UINT32_MAX && color_is_there(job->coloring, color);
}

void ms_warn_of_pattern_colors(const ms_job *job)
{
  const ms_names *names = job->pattern->color_names;
  for (uint32_t i = 0; ms_pattern_has_colors(job->pattern) && i < ms_names_count(names); i++)
    if (!has_color(job, i))
      ms_cli_warn("no vertex of %s has the colour '%s', which the pattern %s accepts; do the "
                  "graph and the pattern use the same kind of colours?",
                  ms_graph_describe(job->graph).path, ms_names_get(names, i), job->pattern->path);
}

ms_status ms_check_pattern_colors(const ms_job *job, ms_error *err)
{
  const ms_pattern *pattern = job->pattern;
  for (uint32_t v = 0; v < pattern->n; v++) {
    char hint[MS_SUGGEST_BYTES];
    uint32_t found = 0;
    for (uint32_t i = 0; i < pattern->colors[v]; i++)
      found += has_color(job, pattern->color[v][i]);
    if (pattern->colors[v] == 0 || found > 0)
      continue;
    const char *name = ms_names_get(pattern->color_names, pattern->color[v][0]);
    if (ms_coloring_find(job->coloring, name) == UINT32_MAX)
      ms_suggest_color(job->coloring, name, strlen(name), hint);
    else
      snprintf(hint, sizeof hint, "do the colour file and the graph use the same kind of names?");
    return ms_fail(err, MS_ERR_USAGE,
                   "no vertex of %s has the colour '%s', which the pattern %s asks for; %s "
                   "(--ignore-unknown searches all the same)",
                   ms_graph_describe(job->graph).path, name, pattern->path, hint);
  }
  return MS_OK;
}

void ms_print_pattern(const ms_pattern *pattern)
{
  uint32_t colored = 0;
  for (uint32_t i = 0; i < pattern->n; i++)
    colored += pattern->colors[i] > 0;
  ms_cli_note("pattern: %s: %s: %" PRIu32 " vertices, %" PRIu64 " %s; %" PRIu32
              " vertices accept certain colours only",
              pattern->path,
              pattern->source == MS_PATTERN_NAME  ? "built-in"
              : pattern->format == MS_FORMAT_AUTO ? "Cypher's notation"
                                                  : ms_graph_format_describe(pattern->format).name,
              pattern->n, ms_pattern_edge_count(pattern), pattern->directed ? "arcs" : "edges",
              colored);
}
