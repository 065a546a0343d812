#include "cli/commands/report.h"

#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <string.h>

/* Graphviz needs more than a minute for more vertices, and nobody can read the drawing. */
#define MANY_TO_DRAW 5000u

static void warn_of_ending(const ms_cli_options *o)
{
  const struct {
    const char *ending, *option;
    bool given;
  } forms[] = {{".cx2", "--cx2", o->cx2},    {".dot", "--dot", o->dot},
               {".gv", "--dot", o->dot},     {".svg", "--svg", o->svg},
               {".json", "--json", o->json}, {".jsonl", "--json", o->json}};
  const char *form = o->json             ? "JSON lines"
                     : o->cx2            ? "CX2"
                     : o->dot            ? "DOT"
                     : o->svg            ? "SVG"
                     : o->pattern.binary ? "binary"
                                         : "TSV";
  size_t length = o->output ? strlen(o->output) : 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t ending = strlen(forms[i].ending);
    if (!forms[i].given && length > ending &&
        strcmp(o->output + length - ending, forms[i].ending) == 0)
      ms_cli_warn(
          "%s is written as %s, because its name does not choose the form; give %s for that",
          o->output, form, forms[i].option);
  }
}

bool ms_report_draws(const ms_cli_options *o)
{
  return o->cx2 || o->dot || o->svg;
}

/* Sorting and leaving out show what they are based on. */
static ms_measures_choice measures_of(const ms_cli_options *o)
{
  bool used = (o->list.sort && o->list.sort != MS_MEASURE_VERTEX_SCORE) || o->list.min_density > 0;
  if (!(o->command->bit & (MS_COMMAND_LIST | MS_COMMAND_MATCH)) || ms_report_draws(o) ||
      o->pattern.binary)
    return MS_MEASURES_NONE;
  return o->graph.keep_scores ? MS_MEASURES_SCORES
         : o->density || used ? MS_MEASURES_DENSITY
                              : MS_MEASURES_NONE;
}

void ms_report_open(ms_report *r, const ms_job *job)
{
  const ms_cli_options *o = job->options;
  *r = (ms_report){.path = o->output ? o->output : "-",
                   .options = {.size = sizeof(ms_write_options),
                               .form = o->json             ? MS_FORM_JSON
                                       : o->cx2            ? MS_FORM_CX2
                                       : o->dot            ? MS_FORM_DOT
                                       : o->svg            ? MS_FORM_SVG
                                       : o->pattern.binary ? MS_FORM_BINARY
                                                           : MS_FORM_TSV,
                               .graph = &o->graph,
                               .colors = &o->coloring,
                               .typed = &o->typed,
                               .plain = job->typed ? job->graph : NULL,
                               .coloring = job->typed ? job->coloring : NULL,
                               .labels = job->labels,
                               .positions = job->positions,
                               .all = o->all,
                               .match = o->match,
                               .whole_graph = o->whole_graph,
                               .roles = o->roles,
                               .long_rows = o->long_rows,
                               .wide_rows = o->wide_rows,
                               .all_colors = o->all_colors,
                               .times = o->times,
                               .measures = measures_of(o),
                               .title = o->title,
                               .unit = o->unit,
                               .drawn = &r->drawn,
                               .unplaced = &r->unplaced}};
  if (!o->quiet && !o->list.count_only)
    warn_of_ending(o);
}

void ms_report_warn_of_drawing(const ms_report *r, const ms_job *job, bool is_screen)
{
  const ms_cli_options *o = job->options;
  if (r->unplaced > 0 && !o->quiet)
    ms_cli_warn("%s: %" PRIu32 " vert%s of the graph ha%s no position there, and %s not in the "
                "picture",
                o->positions, r->unplaced, r->unplaced == 1 ? "ex" : "ices",
                r->unplaced == 1 ? "s" : "ve", r->unplaced == 1 ? "is" : "are");
  if (o->dot && r->drawn > MANY_TO_DRAW && !o->quiet)
    ms_cli_warn("%" PRIu32 " vertices are too many for Graphviz to lay out; %s", r->drawn,
                is_screen ? "give --cx2 to Cytoscape"
                          : "draw one match with --match N, or give --cx2 to Cytoscape");
}

ms_status ms_report_statistics(const ms_job *job, ms_statistics s, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (!o->stats_file)
    return MS_OK;
  s.words = (const char *const *)o->argv;
  s.n_words = (uint32_t)o->argc;
  s.threads = o->list.screen.run.threads;
  s.read = job->time_read;
  s.total = ms_seconds() - job->begun;
  return ms_statistics_write(o->stats_file, &s, err);
}
