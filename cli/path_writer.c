/* What path writes: TSV, a row for each step; or JSON lines, an object for
 * each pair. */
#include "base/status.h"
#include "cli/path.h"
#include "graph/io/typed_read.h"
#include "result/json.h"
#include "result/typed_writer.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- TSV ------------------------------------------------------------------- */

static void put_inputs(const ms_path_job *job)
{
  const ms_cli_options *o = job->options;
  ms_put_typed_graph_lines(job->out, job->graph, &o->typed);
  ms_put_file_line(job->out, "pairs", o->path.pairs, job->pairs_crc32c);
}

static ms_status head_tsv(ms_path_job *job, ms_error *err)
{
  const ms_path_choice *path = &job->options->path;
  (void)err;
  ms_outfile_printf(job->out, "# motifsieve %s path\n", ms_version());
  put_inputs(job);
  if (path->types)
    ms_outfile_printf(job->out, "# types: %s\n", path->types);
  if (path->both_ways)
    ms_outfile_puts(job->out, "# both_ways: 1\n");
  if (path->max_length)
    ms_outfile_printf(job->out, "# max_length: %" PRIu32 "\n", path->max_length);
  ms_outfile_puts(job->out, path->lengths ? "source\ttarget\tlength\n"
                                          : "pair\tsource\ttarget\tlength\tstep\ttype\tvertex\n");
  return MS_OK;
}

static void put_text(ms_row_buffer *buffer, const char *text, char after)
{
  ms_row_put(buffer, text, strlen(text));
  ms_row_put_char(buffer, after);
}

static void put_number(ms_row_buffer *buffer, uint64_t number, char after)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, number);
  put_text(buffer, text, after);
}

/* SOURCE, TARGET, LENGTH */
static void put_pair(ms_path_job *job, uint64_t pair, const ms_typed_path *path, char after)
{
  put_text(job->buffer, ms_typed_name(job->graph, job->pairs[pair][0]), '\t');
  put_text(job->buffer, ms_typed_name(job->graph, job->pairs[pair][1]), '\t');
  if (path->length == MS_NO_PATH)
    put_text(job->buffer, "-", after);
  else
    put_number(job->buffer, path->length, after);
}

static void put_step(ms_path_job *job, uint64_t pair, const ms_typed_path *path, uint32_t step)
{
  put_number(job->buffer, pair + 1, '\t');
  put_pair(job, pair, path, '\t');
  if (path->length == MS_NO_PATH) {
    put_text(job->buffer, "-\t-\t-", '\n');
    return;
  }
  put_number(job->buffer, step, '\t');
  put_text(job->buffer, step ? ms_typed_arc_type_name(job->graph, path->types[step - 1]) : "-",
           '\t');
  put_text(job->buffer, ms_typed_name(job->graph, path->vertices[step]), '\n');
}

static ms_status path_tsv(ms_path_job *job, uint64_t pair, const ms_typed_path *path, ms_error *err)
{
  (void)err;
  if (job->options->path.lengths) {
    put_pair(job, pair, path, '\n');
    job->rows++;
    return MS_OK;
  }
  uint32_t steps = path->length == MS_NO_PATH ? 0 : path->length;
  for (uint32_t step = 0; step <= steps; step++)
    put_step(job, pair, path, step);
  job->rows += (uint64_t)steps + 1;
  return MS_OK;
}

static ms_status end_tsv(ms_path_job *job, const ms_path_summary *summary, ms_error *err)
{
  (void)err;
  ms_row_buffer_flush(job->buffer);
  ms_outfile_printf(job->out, "# status: %s\n# searched: %" PRIu64 "\n# found: %" PRIu64 "\n",
                    ms_status_words(summary->stopped, false), summary->pairs, summary->found);
  uint32_t crc = ms_outfile_crc32c(job->out);
  ms_outfile_printf(job->out, "# end: rows=%" PRIu64 " crc32c=%08" PRIx32 "\n", job->rows, crc);
  return MS_OK;
}

const ms_path_writer ms_path_writer_tsv = {head_tsv, path_tsv, end_tsv};

/* ---- JSON lines ------------------------------------------------------------ */

static ms_status head_json(ms_path_job *job, ms_error *err)
{
  const ms_path_choice *path = &job->options->path;
  MS_TRY(ms_json_begin_typed(job->options, job->graph, "--json", err));
  json_t *header = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "type", "header", "tool",
                             "motifsieve", "version", ms_version(), "command", "path", "schema", 1,
                             "graph", ms_json_of_typed_graph(job->graph, &job->options->typed));
  header = ms_json_add_file(header, "pairs", path->pairs, job->pairs_crc32c);
  header = ms_json_add_text(header, "types", path->types);
  header = ms_json_add(header, "both_ways", json_boolean(path->both_ways));
  if (path->max_length)
    header = ms_json_add(header, "max_length", json_integer(path->max_length));
  return ms_json_put(job->out, header, "\n", err);
}

typedef const char *(*name_fn)(const ms_typed *graph, uint32_t id);

static json_t *names_of(const ms_typed *graph, name_fn name, uint64_t count, const uint32_t *ids)
{
  json_t *array = json_array();
  for (uint64_t i = 0; i < count && array; i++)
    ms_json_append(&array, json_string(name(graph, ids[i])));
  return array;
}

static ms_status path_json(ms_path_job *job, uint64_t pair, const ms_typed_path *path,
                           ms_error *err)
{
  const ms_typed *graph = job->graph;
  bool found = path->length != MS_NO_PATH;
  json_t *row = json_pack("{s:s, s:I, s:s, s:s, s:o}", "type", "path", "pair", (json_int_t)pair + 1,
                          "source", ms_typed_name(graph, job->pairs[pair][0]), "target",
                          ms_typed_name(graph, job->pairs[pair][1]), "length",
                          found ? json_integer(path->length) : json_null());
  if (found && !job->options->path.lengths) {
    row = ms_json_add(row, "vertices",
                      names_of(graph, ms_typed_name, (uint64_t)path->length + 1, path->vertices));
    row = ms_json_add(row, "types",
                      names_of(graph, ms_typed_arc_type_name, path->length, path->types));
  }
  job->rows++;
  return ms_json_put(job->out, row, "\n", err);
}

static ms_status end_json(ms_path_job *job, const ms_path_summary *summary, ms_error *err)
{
  uint32_t crc = ms_outfile_crc32c(job->out);
  return ms_json_put(job->out,
                     json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "type", "end", "status",
                               ms_status_words(summary->stopped, false), "searched",
                               (json_int_t)summary->pairs, "found", (json_int_t)summary->found,
                               "rows", (json_int_t)job->rows, "crc32c", ms_json_of_crc32c(crc)),
                     "\n", err);
}

const ms_path_writer ms_path_writer_json = {head_json, path_json, end_json};
