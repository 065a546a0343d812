#include "cli/typed_query.h"

#include "base/stop.h"
#include "cli/cli.h"
#include "cli/typed_inputs.h"
#include "graph/suggest.h"

#include <string.h>
#include <unistd.h>

bool ms_typed_pattern_is_text(const char *argument)
{
  return argument[strspn(argument, " \t\n")] == '(' && access(argument, F_OK) != 0;
}

/* How to read a pattern that is a file of edges: as the graph, but its columns
 * and tables are its own. */
static ms_typed_options reading_of(const ms_cli_options *o)
{
  return (ms_typed_options){
      .directed = o->typed.directed, .relations = o->typed.relations, .threads = o->typed.threads};
}

ms_status ms_typed_pattern_of(const ms_cli_options *o, ms_typed_pattern **pattern, bool *is_text,
                              ms_error *err)
{
  ms_typed_options reading = reading_of(o);
  *is_text = ms_typed_pattern_is_text(o->pattern.path);
  return *is_text ? ms_typed_pattern_parse(o->pattern.path, pattern, err)
                  : ms_typed_pattern_read(o->pattern.path, &reading, pattern, err);
}

/* What the graph has instead, of the kind that the name is of. */
static void warn_of_type(const ms_typed *graph, const char *name)
{
  ms_typed_info info = ms_typed_describe(graph);
  ms_name_list list = {.used = 0};
  const char *nearest = NULL;
  unsigned best = MS_NAME_FAR;
  for (uint32_t i = 0; i < info.vertex_types + info.arc_types; i++) {
    const char *known = i < info.vertex_types
                            ? ms_typed_vertex_type_name(graph, i)
                            : ms_typed_arc_type_name(graph, i - info.vertex_types);
    unsigned distance = ms_name_distance(name, strlen(name), known, strlen(known));
    ms_name_list_add(&list, known, strlen(known));
    nearest = distance < best ? known : nearest;
    best = distance < best ? distance : best;
  }
  if (nearest)
    ms_cli_warn("the graph has no type '%s', which the pattern names; did you mean '%s'?", name,
                nearest);
  else
    ms_cli_warn("the graph has no type '%s', which the pattern names; it has %s", name,
                ms_name_list_text(&list));
}

static void warn_of_types(const ms_typed_inputs *in)
{
  const char *name;
  for (uint32_t i = 0; (name = ms_typed_query_unknown(in->query, i)); i++)
    warn_of_type(in->graph, name);
}

/* What an edge list takes to be no edge's end it passes over. */
static void warn_of_format(const ms_job *job)
{
  if (job->graph && ms_graph_describe(job->graph).format == MS_FORMAT_EDGE_LIST)
    ms_cli_warn("%s is read as an edge list, whose edges have one type, 'edge'; a table of edges "
                "with types has a header that names columns such as source, type and target",
                job->options->operand[0]);
}

ms_status ms_typed_inputs_open(ms_job *job, ms_typed_inputs *in, ms_error *err)
{
  const ms_cli_options *o = job->options;
  double begin = ms_seconds();
  memset(in, 0, sizeof *in);
  ms_status status = ms_typed_pattern_of(o, &in->pattern, &in->pattern_is_text, err);
  if (status == MS_OK)
    status = ms_read_typed_job(job, &in->graph, err);
  if (status == MS_OK)
    status = ms_typed_query_new(in->graph, in->pattern, &in->query, err);
  job->time_read = ms_seconds() - begin;
  if (status == MS_OK && !o->quiet) {
    warn_of_format(job);
    warn_of_types(in);
  }
  return status;
}

void ms_typed_inputs_close(ms_typed_inputs *in)
{
  ms_typed_query_free(in->query);
  ms_typed_pattern_free(in->pattern);
  ms_typed_free(in->graph);
}
