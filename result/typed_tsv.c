/* The head as lines that start with '#', tab-separated rows, the end again as
 * such lines. */
#include "graph/io/typed_read.h"
#include "query/typed_query.h"
#include "result/pattern_writer.h"
#include "result/typed_writer.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- words --------------------------------------------------------------- */

void ms_typed_settings(const ms_typed_options *o, ms_typed_setting setting[MS_TYPED_COLUMNS])
{
  const ms_typed_setting all[MS_TYPED_COLUMNS] = {{"node_name_column", o->node_name_column},
                                                  {"node_type_column", o->node_type_column},
                                                  {"source_column", o->source_column},
                                                  {"target_column", o->target_column},
                                                  {"type_column", o->type_column},
                                                  {"source_type_column", o->source_type_column},
                                                  {"target_type_column", o->target_type_column}};
  memcpy(setting, all, sizeof all);
}

const char *ms_typed_format_text(ms_typed_format format)
{
  return format == MS_TYPED_AUTO ? "plain" : ms_typed_format_name(format);
}

const char *ms_typed_semantics(const ms_typed_output *o)
{
  return o->options->embeddings ? "embeddings" : "subgraphs";
}

const char *ms_typed_walk_text(ms_typed_walk walk)
{
  return walk == MS_WALK_RANDOM ? "random" : "euler";
}

/* ---- head ---------------------------------------------------------------- */

void ms_put_typed_graph_lines(ms_outfile *out, const ms_typed *graph,
                              const ms_typed_options *reading)
{
  ms_typed_info info = ms_typed_describe(graph);
  ms_typed_setting setting[MS_TYPED_COLUMNS];
  ms_outfile_puts(out, "# graph: ");
  ms_put_path(out, info.path);
  ms_outfile_printf(out, " crc32c=%08" PRIx32 " vertices=%" PRIu32 " edges=%" PRIu64 " format=%s\n",
                    info.crc32c, info.vertices, info.edges, ms_typed_format_text(info.format));
  ms_put_file_line(out, "nodes", reading->nodes, info.nodes_crc32c);
  ms_put_file_line(out, "relations", reading->relations, info.relations_crc32c);
  if (reading->directed)
    ms_outfile_puts(out, "# directed: 1\n");
  ms_typed_settings(reading, setting);
  for (int i = 0; i < MS_TYPED_COLUMNS; i++)
    if (setting[i].value)
      ms_outfile_printf(out, "# %s: %s\n", setting[i].name, setting[i].value);
}

static void put_inputs(const ms_typed_output *o)
{
  if (o->job->graph)
    ms_put_graph_lines(o->out, o->job);
  else
    ms_put_typed_graph_lines(o->out, o->graph, &o->job->options->typed);
  if (o->job->coloring)
    ms_put_color_lines(o->out, o->job);
  ms_outfile_puts(o->out, "# pattern: ");
  ms_put_path(o->out, o->job->options->pattern.path);
  ms_outfile_printf(o->out, " crc32c=%08" PRIx32 " vertices=%" PRIu32 " edges=%" PRIu32 "\n",
                    o->pattern->crc32c, o->pattern->n, o->pattern->edges);
}

static void put_mode(const ms_typed_output *o, const ms_typed_result *known)
{
  if (!o->inexact) {
    ms_outfile_printf(o->out, "# semantics: %s\n# automorphisms: %s\n# mode: exact\n",
                      ms_typed_semantics(o), known->automorphisms_text);
    return;
  }
  ms_outfile_printf(o->out, "# mode: inexact\n# walk: %s\n", ms_typed_walk_text(o->options->walk));
  if (o->options->walk == MS_WALK_RANDOM)
    ms_outfile_printf(o->out, "# seed: %" PRIu64 "\n", o->options->seed);
  ms_outfile_printf(o->out, "# walk_length: %" PRIu32 "\n# best_score: %" PRIu32 "\n",
                    known->walk_length, known->best_score);
}

static ms_status head(ms_typed_output *o, const ms_typed_result *known, ms_error *err)
{
  (void)err;
  ms_outfile_printf(o->out, "# motifsieve %s typed-match\n", ms_version());
  put_inputs(o);
  put_mode(o, known);
  ms_outfile_puts(o->out, o->inexact ? "match\tscore" : "match");
  for (uint32_t i = 0; i < o->pattern->n; i++)
    ms_outfile_printf(o->out, "\t%s", ms_typed_pattern_vertex_name(o->pattern, i));
  ms_outfile_puts(o->out, "\n");
  return MS_OK;
}

/* ---- rows, end ------------------------------------------------------------- */

static void rows(ms_typed_output *o, const uint32_t *row, const uint32_t *score, uint64_t count)
{
  ms_name_blocks names = ms_names_blocks(o->graph->names);
  char text[16];
  for (uint64_t r = 0; r < count; r++, row += o->pattern->n) {
    ms_counter_next(&o->number);
    ms_row_put_counter(o->buffer, &o->number);
    if (score)
      ms_row_put(o->buffer, text, (size_t)snprintf(text, sizeof text, "\t%" PRIu32, score[r]));
    ms_put_row_fields(o->buffer, &names, o->pattern->n, row);
  }
}

static ms_status end(ms_typed_output *o, const char *status, ms_error *err)
{
  (void)err;
  ms_outfile_printf(o->out, "# status: %s\n# matches: %" PRIu64 "\n", status, o->rows);
  uint32_t crc = ms_outfile_crc32c(o->out);
  ms_outfile_printf(o->out, "# end: rows=%" PRIu64 " crc32c=%08" PRIx32 "\n", o->rows, crc);
  return MS_OK;
}

const ms_typed_writer ms_typed_writer_tsv = {head, rows, end};
