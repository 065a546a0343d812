/* Reads the pattern of a job, compares it with the colours of the graph, and describes it. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "query/pattern.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static ms_status read_file(const ms_cli_options *o, ms_pattern **pattern, ms_error *err)
{
  /* the rest of o->graph applies to GRAPH, and may not fit the pattern's format */
  ms_graph_options options = {.format = o->pattern.format,
                              .directed = o->graph.directed,
                              .threads = o->graph.threads,
                              .memory = o->graph.memory};
  return ms_pattern_read(o->pattern.path, &options, o->pattern.colors, pattern, err);
}

static ms_status read_built_in(const char *name, const char *colors, ms_pattern **pattern,
                               ms_error *err)
{
  ms_error unknown;
  ms_status status = ms_pattern_named(name, pattern, &unknown);
  if (status == MS_OK && colors)
    return ms_pattern_read_colors(*pattern, colors, err); /* the job frees it in any case */
  if (status != MS_ERR_USAGE) {
    if (status != MS_OK && err)
      *err = unknown;
    return status;
  }
  /* the library's message lists the built-ins */
  return ms_fail(err, ms_pattern_is_name(name) ? MS_ERR_USAGE : MS_ERR_INPUT,
                 "%s: there is no such file, and %s", name, unknown.message);
}

ms_status ms_read_pattern(const ms_cli_options *o, ms_pattern **pattern, ms_error *err)
{
  const char *path = o->pattern.path;
  *pattern = NULL;
  if (strcmp(path, "-") == 0 || access(path, F_OK) == 0)
    return read_file(o, pattern, err);
  if (ms_pattern_is_name(path) && o->pattern.format != MS_FORMAT_AUTO)
    return ms_fail(err, MS_ERR_USAGE,
                   "--pattern-format is for pattern files, and there is no file '%s'; write the "
                   "pattern's edges into one, or leave the option out",
                   path);
  return read_built_in(path, o->pattern.colors, pattern, err);
}

bool ms_pattern_has_colors(const ms_pattern *pattern)
{
  for (uint32_t i = 0; i < pattern->n; i++)
    if (pattern->colors[i] > 0)
      return true;
  return false;
}

ms_status ms_check_pattern_colors(const ms_job *job, ms_error *err)
{
  if (job->coloring || !ms_pattern_has_colors(job->pattern))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "the pattern %s asks for colours, and %s holds none; give --colors FILE, or a "
                 "pattern without colours ('*' accepts any)",
                 job->pattern->path, ms_graph_describe(job->graph).path);
}

void ms_warn_of_pattern_colors(const ms_job *job)
{
  const ms_names *names = job->pattern->color_names;
  if (!ms_pattern_has_colors(job->pattern))
    return;
  for (uint32_t i = 0; i < ms_names_count(names); i++) {
    const char *name = ms_names_get(names, i);
    uint32_t color = ms_coloring_find(job->coloring, name);
    if (color == UINT32_MAX || !ms_color_is_there(job->coloring, color))
      ms_cli_warn("no vertex of %s has the colour '%s', which the pattern %s accepts; are the "
                  "colours of graph and pattern of the same kind?",
                  ms_graph_describe(job->graph).path, name, job->pattern->path);
  }
}

void ms_print_pattern(const ms_pattern *pattern)
{
  uint32_t colored = 0;
  for (uint32_t i = 0; i < pattern->n; i++)
    colored += pattern->colors[i] > 0;
  ms_cli_note("pattern: %s: %s: %" PRIu32 " vertices, %" PRIu64 " %s; %" PRIu32
              " vertices accept certain colours only",
              pattern->path,
              pattern->format == MS_FORMAT_AUTO ? "built-in"
                                                : ms_graph_format_describe(pattern->format).name,
              pattern->n, ms_pattern_edge_count(pattern), pattern->directed ? "arcs" : "edges",
              colored);
}

void ms_pattern_options_of(ms_job *job, ms_pattern_options *options)
{
  const ms_cli_options *o = job->options;
  *options = (ms_pattern_options){.induced = o->pattern.induced,
                                  .embeddings = o->pattern.embeddings,
                                  .engine = o->pattern.engine,
                                  .order = o->pattern.order,
                                  .screen_mode = o->pattern.screen,
                                  .screen = o->list.screen,
                                  .count_only = o->list.count_only,
                                  .limit = o->list.limit};
  ms_job_attach(job, &options->screen);
}
