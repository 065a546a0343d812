/* Reads names of vertices and types from the command line and from a file of pairs. */
#include "base/alloc.h"
#include "base/status.h"
#include "cli/path.h"
#include "graph/io/text.h"
#include "graph/suggest.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <string.h>

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

static ms_status unknown_type(const ms_path_job *job, const char *name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(job->graph->arc_types, "types", "it has no edges", name, strlen(name), hint);
  return ms_fail(err, MS_ERR_USAGE, "--types: '%.*s' is no type of edges of %s; %s",
                 ms_name_clip(name, strlen(name)), name, job->options->operand[0], hint);
}

static ms_status add_type(ms_path_job *job, const char *name, ms_error *err)
{
  uint32_t type = ms_typed_find_arc_type(job->graph, name);
  if (type == MS_NO_ID)
    return unknown_type(job, name, err);
  job->types[job->n_types++] = type;
  return MS_OK;
}

ms_status ms_path_read_types(ms_path_job *job, ms_error *err)
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

static uint32_t find_vertex(const ms_path_job *job, const char *name, size_t length)
{
  return ms_names_find(job->graph->names, name, length);
}

/* Fills hint[MS_SUGGEST_BYTES] with a suggestion for an unknown name. */
static void suggest_vertex(const ms_path_job *job, const char *name, size_t length, char *hint)
{
  ms_suggest_name(job->graph->names, "vertices", "it has no vertices", name, length, hint);
}

static ms_status add_pair(ms_path_job *job, uint32_t source, uint32_t target, ms_error *err)
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

static ms_status read_operand(const ms_path_job *job, const char *operand, const char *name,
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

static ms_status read_field(const ms_path_job *job, const ms_text *text, const char *name,
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

static ms_status read_line(ms_path_job *job, const ms_text *text, ms_error *err)
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

static ms_status read_file(ms_path_job *job, ms_error *err)
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

ms_status ms_path_read_pairs(ms_path_job *job, ms_error *err)
{
  const ms_path_choice *path = &job->options->path;
  uint32_t source, target;
  if (path->pairs)
    return read_file(job, err);
  ms_status status = read_operand(job, "SOURCE", job->options->operand[1], &source, err);
  if (status == MS_OK)
    status = read_operand(job, "TARGET", job->options->operand[2], &target, err);
  return status == MS_OK ? add_pair(job, source, target, err) : status;
}
