/* Writes the output of path: TSV with a row for each step, or JSON lines with an object for each
 * pair. */
#include "base/status.h"
#include "cli/path.h"
#include "result/json.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- TSV ------------------------------------------------------------------- */

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

/* Writes SOURCE, TARGET and LENGTH. */
static void put_pair(ms_path_job *job, uint64_t pair, const ms_typed_path *path, char after)
{
  put_text(job->writer.buffer, ms_typed_name(job->graph, job->pairs[pair][0]), '\t');
  put_text(job->writer.buffer, ms_typed_name(job->graph, job->pairs[pair][1]), '\t');
  if (path->length == MS_NO_PATH)
    put_text(job->writer.buffer, "-", after);
  else
    put_number(job->writer.buffer, path->length, after);
}

static void put_step(ms_path_job *job, uint64_t pair, const ms_typed_path *path, uint32_t step)
{
  put_number(job->writer.buffer, pair + 1, '\t');
  put_pair(job, pair, path, '\t');
  if (path->length == MS_NO_PATH) {
    put_text(job->writer.buffer, "-\t-\t-", '\n');
    return;
  }
  put_number(job->writer.buffer, step, '\t');
  put_text(job->writer.buffer,
           step ? ms_typed_arc_type_name(job->graph, path->types[step - 1]) : "-", '\t');
  put_text(job->writer.buffer, ms_typed_name(job->graph, path->vertices[step]), '\n');
}

void ms_path_put_tsv(ms_path_job *job, uint64_t pair, const ms_typed_path *path)
{
  if (job->options->path.lengths) {
    put_pair(job, pair, path, '\n');
    job->writer.rows++;
    return;
  }
  uint32_t steps = path->length == MS_NO_PATH ? 0 : path->length;
  for (uint32_t step = 0; step <= steps; step++)
    put_step(job, pair, path, step);
  job->writer.rows += (uint64_t)steps + 1;
}

/* ---- JSON lines ------------------------------------------------------------ */

typedef const char *(*name_fn)(const ms_typed *graph, uint32_t id);

static json_t *names_of(const ms_typed *graph, name_fn name, uint64_t count, const uint32_t *ids)
{
  json_t *array = json_array();
  for (uint64_t i = 0; i < count && array; i++)
    ms_json_append(&array, json_string(name(graph, ids[i])));
  return array;
}

ms_status ms_path_put_json(ms_path_job *job, uint64_t pair, const ms_typed_path *path,
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
  job->writer.rows++;
  return ms_json_put(job->writer.out, row, "\n", err);
}
