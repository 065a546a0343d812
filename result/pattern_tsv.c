/* The head as lines that start with '#', tab-separated rows, the end again as
 * such lines.  Names are copied from where the graph keeps them, which knows
 * their lengths. */
#include "graph/graph.h"
#include "query/pattern.h"
#include "result/pattern_writer.h"
#include "result/writer.h"

#include <inttypes.h>

static void put_pattern(ms_outfile *out, const ms_job *job)
{
  const ms_pattern *pattern = job->pattern;
  bool file = pattern->format != MS_FORMAT_AUTO;
  ms_outfile_puts(out, "# pattern: ");
  ms_put_path(out, pattern->path);
  if (file)
    ms_outfile_printf(out, " crc32c=%08" PRIx32, pattern->crc32c);
  ms_outfile_printf(out, " vertices=%" PRIu32 " edges=%" PRIu64, pattern->n,
                    ms_pattern_edge_count(pattern));
  if (file)
    ms_outfile_printf(out, " format=%s", ms_graph_format_describe(pattern->format).name);
  ms_outfile_puts(out, "\n");
  ms_put_file_line(out, "pattern_colors", pattern->colors_path, pattern->colors_crc32c);
}

void ms_put_pattern_head(ms_outfile *out, const ms_job *job, const ms_pattern_result *known)
{
  ms_outfile_printf(out, "# motifsieve %s list\n", ms_version());
  ms_put_graph_lines(out, job);
  if (job->coloring)
    ms_put_color_lines(out, job);
  put_pattern(out, job);
  ms_outfile_printf(out, "# semantics: %s%s\n# automorphisms: %s\n", ms_pattern_semantics(job),
                    job->options->pattern.induced ? " induced" : "", known->automorphisms_text);
  if (!known->ordered)
    ms_outfile_printf(out, "# engine: %s unordered\n", known->engine);
  ms_put_sieve_lines(out, job, known->screen);
  ms_outfile_puts(out, "match");
  for (uint32_t i = 0; i < ms_pattern_size(job->pattern); i++)
    ms_outfile_printf(out, "\t%s", ms_pattern_vertex_name(job->pattern, i));
  ms_outfile_puts(out, "\n");
}

static ms_status head(ms_pattern_output *o, const ms_pattern_result *known, ms_error *err)
{
  (void)err;
  ms_put_pattern_head(o->out, o->job, known);
  return MS_OK;
}

void ms_put_row_fields(ms_row_buffer *buffer, const ms_name_blocks *names, uint32_t p,
                       const uint32_t *row)
{
  for (uint32_t i = 0; i < p; i++) {
    uint64_t begin = names->start[row[i]];
    uint64_t end = row[i] + 1 < names->count ? names->start[row[i] + 1] : names->pool_bytes;
    ms_row_put_char(buffer, '\t');
    ms_row_put(buffer, names->pool + begin, end - begin - 1);
  }
  ms_row_put_char(buffer, '\n');
}

static void rows(ms_pattern_output *o, const uint32_t *row, uint64_t count)
{
  ms_name_blocks names = ms_names_blocks(o->job->graph->names);
  uint32_t p = ms_pattern_size(o->job->pattern);
  for (uint64_t r = 0; r < count; r++, row += p) {
    ms_counter_next(&o->number);
    ms_row_put_counter(o->buffer, &o->number);
    ms_put_row_fields(o->buffer, &names, p, row);
  }
}

static ms_status end(ms_pattern_output *o, const ms_pattern_result *result, ms_error *err)
{
  (void)err;
  ms_outfile_printf(o->out, "# status: %s\n# matches: %" PRIu64 "\n",
                    ms_pattern_status(o->job, result), o->rows);
  uint32_t crc = ms_outfile_crc32c(o->out);
  ms_outfile_printf(o->out, "# end: rows=%" PRIu64 " crc32c=%08" PRIx32 "\n", o->rows, crc);
  return MS_OK;
}

const ms_pattern_writer ms_pattern_writer_tsv = {head, rows, end};
