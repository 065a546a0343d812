/* Finds shortest paths of typed graphs, and writes them while they are found. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/typed.h"
#include "result/json.h"
#include "run/write/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct path_file {
  ms_writing writing;
  const ms_typed *graph;
  const ms_path_pairs *pairs;
  char *types; /* the names of the types that a path may follow, separated by commas; NULL: all */
} path_file;

/* ---- types ----------------------------------------------------------------------- */

/* Copies a name to a list of names, in double quotes if it holds a comma or a quote.  Returns the
 * end. */
static char *put_name(char *to, const char *name)
{
  bool quoted = strpbrk(name, ",\"") != NULL;
  if (quoted)
    *to++ = '"';
  for (const char *p = name; *p; p++) {
    if (*p == '"')
      *to++ = '"';
    *to++ = *p;
  }
  if (quoted)
    *to++ = '"';
  *to = '\0';
  return to;
}

static ms_status list_types(path_file *f, const ms_path_options *run, ms_error *err)
{
  size_t bytes = 1;
  if (!run->types)
    return MS_OK;
  for (uint32_t i = 0; i < run->n_types; i++) {
    const char *name = run->types[i] < ms_names_count(f->graph->arc_types)
                           ? ms_typed_arc_type_name(f->graph, run->types[i])
                           : ""; /* the search refuses it */
    bytes += 2 * strlen(name) + 3;
  }
  char *to = f->types = ms_alloc(bytes, 1);
  if (!to)
    return ms_fail_memory(err, "names of types");
  *to = '\0';
  for (uint32_t i = 0; i < run->n_types; i++) {
    if (run->types[i] >= ms_names_count(f->graph->arc_types))
      continue;
    if (i > 0)
      *to++ = ',';
    to = put_name(to, ms_typed_arc_type_name(f->graph, run->types[i]));
  }
  return MS_OK;
}

/* ---- TSV ------------------------------------------------------------------------- */

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
static void put_pair(path_file *f, uint64_t pair, const ms_typed_path *path, char after)
{
  ms_row_buffer *buffer = f->writing.writer.buffer;
  put_text(buffer, ms_typed_name(f->graph, f->pairs->pairs[pair][0]), '\t');
  put_text(buffer, ms_typed_name(f->graph, f->pairs->pairs[pair][1]), '\t');
  if (path->length == MS_NO_PATH)
    put_text(buffer, "-", after);
  else
    put_number(buffer, path->length, after);
}

static void put_step(path_file *f, uint64_t pair, const ms_typed_path *path, uint32_t step)
{
  ms_row_buffer *buffer = f->writing.writer.buffer;
  put_number(buffer, pair + 1, '\t');
  put_pair(f, pair, path, '\t');
  if (path->length == MS_NO_PATH) {
    put_text(buffer, "-\t-\t-", '\n');
    return;
  }
  put_number(buffer, step, '\t');
  put_text(buffer, step ? ms_typed_arc_type_name(f->graph, path->types[step - 1]) : "-", '\t');
  put_text(buffer, ms_typed_name(f->graph, path->vertices[step]), '\n');
}

/* Writes the rows of a pair, from 0: one for each step, or only its length. */
static void put_tsv(path_file *f, uint64_t pair, const ms_typed_path *path)
{
  ms_writer *writer = &f->writing.writer;
  if (f->writing.options.lengths) {
    put_pair(f, pair, path, '\n');
    writer->rows++;
    return;
  }
  uint32_t steps = path->length == MS_NO_PATH ? 0 : path->length;
  for (uint32_t step = 0; step <= steps; step++)
    put_step(f, pair, path, step);
  writer->rows += (uint64_t)steps + 1;
}

/* ---- JSON lines ------------------------------------------------------------------ */

typedef const char *(*name_fn)(const ms_typed *graph, uint32_t id);

static json_t *names_of(const ms_typed *graph, name_fn name, uint64_t count, const uint32_t *ids)
{
  json_t *array = json_array();
  for (uint64_t i = 0; i < count && array; i++)
    ms_json_append(&array, json_string(name(graph, ids[i])));
  return array;
}

/* Writes a pair, from 0, as one object. */
static ms_status put_json(path_file *f, uint64_t pair, const ms_typed_path *path, ms_error *err)
{
  const ms_typed *graph = f->graph;
  const uint32_t *ends = f->pairs->pairs[pair];
  bool found = path->length != MS_NO_PATH;
  json_t *row =
      json_pack("{s:s, s:I, s:s, s:s, s:o}", "type", "path", "pair", (json_int_t)pair + 1, "source",
                ms_typed_name(graph, ends[0]), "target", ms_typed_name(graph, ends[1]), "length",
                found ? json_integer(path->length) : json_null());
  if (found && !f->writing.options.lengths) {
    row = ms_json_add(row, "vertices",
                      names_of(graph, ms_typed_name, (uint64_t)path->length + 1, path->vertices));
    row = ms_json_add(row, "types",
                      names_of(graph, ms_typed_arc_type_name, path->length, path->types));
  }
  f->writing.writer.rows++;
  return ms_json_put(f->writing.writer.out, row, "\n", err);
}

/* ---- the file -------------------------------------------------------------------- */

static bool put_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  path_file *f = user;
  ms_writing *w = &f->writing;
  double begun = ms_seconds();
  if (w->options.form == MS_FORM_JSON)
    w->status = put_json(f, pair, path, &w->err);
  else
    put_tsv(f, pair, path);
  double seconds = ms_seconds() - begun;
  w->row_seconds += seconds;
  w->seconds += seconds;
  return w->status == MS_OK && !ms_outfile_failed(w->writer.out);
}

static void describe(path_file *f, const ms_path_options *run)
{
  ms_writing *w = &f->writing;
  ms_result_header *h = &w->writer.header;
  ms_describe_typed_graph(h, f->graph, &w->typed);
  h->path.pairs = (ms_result_file){f->pairs->path, f->pairs->crc32c};
  h->path.types = f->types;
  h->path.both_ways = run->both_ways;
  h->path.max_length = run->max_length;
  h->layout = w->options.lengths ? MS_WITH_LENGTHS : 0;
  w->names = f->graph->names;
}

static ms_status write_all(path_file *f, const ms_path_options *run, ms_path_summary *summary,
                           ms_error *err)
{
  ms_writing *w = &f->writing;
  const uint32_t(*pairs)[2] = (const uint32_t(*)[2])f->pairs->pairs;
  double begun = ms_seconds();
  describe(f, run);
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  w->seconds += ms_seconds() - begun;
  MS_TRY(ms_typed_path_pairs(f->graph, run, f->pairs->count, pairs, put_path, f, summary, err));
  ms_writing_settle(w, summary->run.stopped, 0, 0);
  w->writer.header.path.searched = summary->pairs;
  w->writer.header.path.found = summary->found;
  return ms_writing_end(w, w->writer.rows, err);
}

ms_status ms_typed_paths_to_file(const ms_typed *graph, const ms_path_options *run,
                                 const ms_path_pairs *pairs, const ms_write_options *options,
                                 const char *path, ms_path_summary *summary, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(pairs, err);
  MS_REQUIRE(path, err);
  ms_path_options o;
  ms_path_summary own = {0};
  path_file f = {.graph = graph, .pairs = pairs};
  MS_TRY(ms_options_take(&ms_path_options_kind, run, &o, err));
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_PATH, graph->rows.n, options, path, err));
  ms_status status = list_types(&f, &o, err);
  if (status == MS_OK)
    status = write_all(&f, &o, &own, err);
  ms_free(f.types);
  status = ms_writing_close(&f.writing, status, err);
  own.time_search = ms_writing_take_time(&f.writing, own.time_search);
  own.run.time_write = f.writing.seconds;
  if (summary)
    *summary = own;
  return status;
}
