/* motifsieve path: finds shortest paths between pairs of vertices. */
#include "base/alloc.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "graph/io/text.h"
#include "graph/suggest.h"
#include "graph/typed.h"
#include "result/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct path_job {
  const ms_cli_options *options;
  ms_typed *graph;
  uint32_t *types; /* [n_types] the types that --types names; NULL: the usual ones */
  uint32_t n_types;
  uint32_t (*pairs)[2]; /* [count] */
  uint64_t count, room;
  uint32_t pairs_crc32c; /* checksum of the file; 0: there is no file */
  ms_stop *stop;
  ms_progress progress;
  ms_writer writer;
  ms_status status; /* status of the first failure to write */
  ms_error err;
} path_job;

/* ---- types ----------------------------------------------------------------- */

/* Copies the next item of a comma-separated list to `item`, without its quotes, in which "" stands
 * for one quote.  Returns false if a quote has no end, or something other than a comma follows
 * it. */
static bool next_item(const char **at, char *item)
{
  const char *p = *at;
  bool quoted = *p == '"', closed = !quoted;
  for (p += quoted; *p && (quoted || *p != ','); p++) {
    if (quoted && *p == '"' && *++p != '"') {
      closed = true;
      break;
    }
    *item++ = *p;
  }
  *item = '\0';
  *at = p;
  return closed && (*p == '\0' || *p == ',');
}

static ms_status unknown_type(const path_job *job, const char *name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(job->graph->arc_types, "types", "it has no edges", name, strlen(name), hint);
  return ms_fail(err, MS_ERR_USAGE, "--types: '%.*s' is no type of edges of %s; %s",
                 ms_name_clip(name, strlen(name)), name, job->options->operand[0], hint);
}

static ms_status add_type(path_job *job, const char *name, ms_error *err)
{
  uint32_t type = ms_typed_find_arc_type(job->graph, name);
  if (type == MS_NO_ID)
    return unknown_type(job, name, err);
  job->types[job->n_types++] = type;
  return MS_OK;
}

/* Reads --types. */
static ms_status read_types(path_job *job, ms_error *err)
{
  const char *at = job->options->path.types;
  if (!at)
    return MS_OK;
  size_t length = strlen(at);
  char *item = ms_alloc(length + 1, 1);
  job->types = ms_alloc(length / 2 + 1, sizeof *job->types); /* an item and its comma */
  ms_status status = item && job->types ? MS_OK : ms_fail_memory(err, "types of edges");
  while (status == MS_OK) {
    if (!next_item(&at, item) || !*item)
      status = ms_fail(err, MS_ERR_USAGE,
                       "--types wants types of edges with commas between them, in double quotes "
                       "where they hold one, not '%s'",
                       job->options->path.types);
    else
      status = add_type(job, item, err);
    if (!*at)
      break;
    at++;
  }
  ms_free(item);
  return status;
}

/* ---- pairs ----------------------------------------------------------------- */

static uint32_t find_vertex(const path_job *job, const char *name, size_t length)
{
  return ms_names_find(job->graph->names, name, length);
}

/* Fills hint[MS_SUGGEST_BYTES] with a suggestion for an unknown name. */
static void suggest_vertex(const path_job *job, const char *name, size_t length, char *hint)
{
  ms_suggest_name(job->graph->names, "vertices", "it has no vertices", name, length, hint);
}

static ms_status add_pair(path_job *job, uint32_t source, uint32_t target, ms_error *err)
{
  if (job->count == job->room) {
    uint64_t room = job->room ? 2 * job->room : 16;
    uint32_t(*pairs)[2] = ms_resize(job->pairs, job->room, room, sizeof *pairs);
    if (!pairs)
      return ms_fail_memory(err, "pairs of vertices");
    job->pairs = pairs;
    job->room = room;
  }
  job->pairs[job->count][0] = source;
  job->pairs[job->count++][1] = target;
  return MS_OK;
}

static ms_status read_operand(const path_job *job, const char *operand, const char *name,
                              uint32_t *v, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  size_t length = strlen(name);
  *v = find_vertex(job, name, length);
  if (*v != MS_NO_ID)
    return MS_OK;
  suggest_vertex(job, name, length, hint);
  return ms_fail(err, MS_ERR_USAGE, "%s '%.*s' is not a vertex of %s; %s", operand,
                 ms_name_clip(name, length), name, job->options->operand[0], hint);
}

static ms_status read_field(const path_job *job, const ms_text *text, const char *name,
                            size_t length, uint32_t *v, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  *v = find_vertex(job, name, length);
  if (*v != MS_NO_ID)
    return MS_OK;
  suggest_vertex(job, name, length, hint);
  return ms_fail(err, MS_ERR_INPUT, "%s:%" PRIu64 ": '%.*s' is not a vertex of %s; %s", text->label,
                 text->number, ms_name_clip(name, length), name, job->options->operand[0], hint);
}

static ms_status read_line(path_job *job, const ms_text *text, ms_error *err)
{
  uint32_t source, target;
  size_t first = strcspn(text->line, "\t");
  if (first == text->length || strchr(text->line + first + 1, '\t'))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s:%" PRIu64 ": a line holds the names of two vertices with a tab between "
                   "them: SOURCE<TAB>TARGET",
                   text->label, text->number);
  ms_status status = read_field(job, text, text->line, first, &source, err);
  if (status == MS_OK)
    status = read_field(job, text, text->line + first + 1, text->length - first - 1, &target, err);
  return status == MS_OK ? add_pair(job, source, target, err) : status;
}

static ms_status read_pair_file(path_job *job, ms_error *err)
{
  ms_text *text;
  ms_status status = ms_text_open(job->options->path.pairs, &text, err);
  if (status != MS_OK)
    return status;
  for (;;) {
    status = ms_text_next_data(text, err);
    if (status != MS_OK || !text->line)
      break;
    status = read_line(job, text, err);
    if (status != MS_OK)
      break;
  }
  job->pairs_crc32c = text->crc32c;
  ms_text_close(text);
  return status;
}

/* Reads --pairs, or SOURCE and TARGET. */
static ms_status read_pairs(path_job *job, ms_error *err)
{
  const ms_path_choice *path = &job->options->path;
  uint32_t source, target;
  if (path->pairs)
    return read_pair_file(job, err);
  ms_status status = read_operand(job, "SOURCE", job->options->operand[1], &source, err);
  if (status == MS_OK)
    status = read_operand(job, "TARGET", job->options->operand[2], &target, err);
  return status == MS_OK ? add_pair(job, source, target, err) : status;
}

static ms_status read_inputs(path_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_status status = ms_read_typed(o, &job->graph, err);
  if (status == MS_OK && o->verbose)
    ms_print_typed(job->graph);
  if (status == MS_OK)
    status = read_types(job, err);
  return status == MS_OK ? read_pairs(job, err) : status;
}

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
static void put_pair(path_job *job, uint64_t pair, const ms_typed_path *path, char after)
{
  put_text(job->writer.buffer, ms_typed_name(job->graph, job->pairs[pair][0]), '\t');
  put_text(job->writer.buffer, ms_typed_name(job->graph, job->pairs[pair][1]), '\t');
  if (path->length == MS_NO_PATH)
    put_text(job->writer.buffer, "-", after);
  else
    put_number(job->writer.buffer, path->length, after);
}

static void put_step(path_job *job, uint64_t pair, const ms_typed_path *path, uint32_t step)
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

/* Writes the rows of a pair, from 0: one for each step, or with --lengths a single one. */
static void put_tsv(path_job *job, uint64_t pair, const ms_typed_path *path)
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

/* Writes a pair, from 0, as one object. */
static ms_status put_json(path_job *job, uint64_t pair, const ms_typed_path *path, ms_error *err)
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

/* ---- search ---------------------------------------------------------------- */

static ms_status open_output(path_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  MS_TRY(ms_report_open(&job->writer, o, err));
  ms_result_header *h = &job->writer.header;
  h->kind = MS_KIND_PATH;
  ms_describe_typed_graph(h, job->graph, &o->typed);
  h->path.pairs = (ms_result_file){o->path.pairs, job->pairs_crc32c};
  h->path.types = o->path.types;
  h->path.both_ways = o->path.both_ways;
  h->path.max_length = o->path.max_length;
  h->columns = o->path.lengths ? "source\ttarget\tlength"
                               : "pair\tsource\ttarget\tlength\tstep\ttype\tvertex";
  return ms_writer_begin(&job->writer, job->graph->names, err);
}

static bool put_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  path_job *job = user;
  if (job->options->json)
    job->status = put_json(job, pair, path, &job->err);
  else
    put_tsv(job, pair, path);
  ms_progress_report(&job->progress, "paths", pair + 1, job->count);
  return job->status == MS_OK && !ms_outfile_failed(job->writer.out);
}

static ms_status search(path_job *job, ms_path_summary *summary, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const ms_path_options options = {.size = sizeof(ms_path_options),
                                   .types = job->types,
                                   .n_types = job->n_types,
                                   .both_ways = o->path.both_ways,
                                   .max_length = o->path.max_length,
                                   .threads = o->list.screen.threads,
                                   .stop = job->stop};
  ms_progress_start(&job->progress, stderr, !o->quiet && !o->verbose);
  ms_status status =
      ms_typed_path_pairs(job->graph, &options, job->count, (const uint32_t(*)[2])job->pairs,
                          put_path, job, summary, err);
  ms_progress_end(&job->progress);
  if (status == MS_OK && job->status != MS_OK) {
    *err = job->err;
    status = job->status;
  }
  job->writer.header.status = ms_status_of(summary->stopped, false);
  job->writer.header.path.searched = summary->pairs;
  job->writer.header.path.found = summary->found;
  return status == MS_OK ? ms_writer_end(&job->writer, err) : status;
}

/* Runs the search; the first signal ends it, and then writes what was found. */
static ms_status find_paths(path_job *job, ms_path_summary *summary, ms_error *err)
{
  MS_TRY(ms_stop_new(&job->stop, err));
  if (job->options->timeout > 0)
    ms_stop_after(job->stop, job->options->timeout);
  ms_status status = read_inputs(job, err);
  double begin = ms_seconds();
  if (status == MS_OK)
    status = open_output(job, err);
  if (status == MS_OK) {
    ms_catch_signals(job->stop, false);
    status = search(job, summary, err);
    ms_catch_signals(NULL, false);
  }
  status = ms_writer_close(&job->writer, status, err);
  if (status == MS_OK && job->options->verbose)
    ms_cli_note("%" PRIu64 " pairs, %" PRIu64 " with a path; seconds: search and write %.3f",
                summary->pairs, summary->found, ms_seconds() - begin);
  return status;
}

static int outcome(const path_job *job, const ms_path_summary *summary)
{
  const ms_cli_options *o = job->options;
  if (summary->stopped != MS_OK) {
    if (!o->quiet)
      ms_cli_warn("%s after %" PRIu64 " of %" PRIu64 " pairs; the result is incomplete",
                  summary->stopped == MS_ERR_LIMIT ? "out of time" : "interrupted", summary->pairs,
                  job->count);
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && summary->found == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

int ms_run_path(const ms_cli_options *o)
{
  ms_error err;
  path_job job = {.options = o};
  ms_path_summary summary = {0};
  ms_status status = find_paths(&job, &summary, &err);
  int code = status == MS_OK ? outcome(&job, &summary) : ms_cli_error(&err);
  ms_free(job.types);
  ms_free(job.pairs);
  ms_typed_free(job.graph);
  ms_stop_free(job.stop);
  return code;
}
