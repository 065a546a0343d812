/* ms_typed_pattern_read: reads a file of pattern text, or a typed graph file
 * whose edges and types become those of the pattern.  The first line with data
 * of a pattern text begins with '('. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/typed_read.h"
#include "query/pattern_file.h"

#include <string.h>

/* Turns MS_ERR_USAGE into MS_ERR_INPUT, because the pattern comes from a file. */
static ms_status blame_file(ms_status status, ms_error *err)
{
  if (status != MS_ERR_USAGE)
    return status;
  if (err)
    err->status = MS_ERR_INPUT;
  return MS_ERR_INPUT;
}

/* ---- text -------------------------------------------------------------------- */

#define MOST_TEXT ((size_t)1 << 20) /* bytes; no pattern is that long */

typedef struct buffer {
  char *bytes;
  size_t length, room;
} buffer;

static ms_status add_line(buffer *b, const ms_text *text, ms_error *err)
{
  size_t need = b->length + text->length + 2;
  if (need > MOST_TEXT)
    return ms_text_fail(text, err, "this is too long for a pattern; give a file that holds one");
  if (need > b->room) {
    char *grown = b->room ? ms_resize(b->bytes, b->room, 2 * need, 1) : ms_alloc(2 * need, 1);
    if (!grown)
      return ms_fail_memory(err, "a typed pattern");
    b->bytes = grown;
    b->room = 2 * need;
  }
  memcpy(b->bytes + b->length, text->line, text->length);
  b->length += text->length;
  b->bytes[b->length++] = '\n';
  b->bytes[b->length] = '\0';
  return MS_OK;
}

/* Reads the rest of the text. */
static ms_status read_lines(ms_text *text, buffer *b, ms_error *err)
{
  ms_status status = ms_text_next(text, err);
  while (status == MS_OK && text->line) {
    status = add_line(b, text, err);
    if (status == MS_OK)
      status = ms_text_next(text, err);
  }
  return status;
}

ms_status ms_text_is_notation(ms_text *text, bool *is_notation, ms_error *err)
{
  enum { HEAD = 65536 };
  const char *bytes;
  char *copy = NULL;
  size_t length;
  MS_TRY(ms_text_head(text, HEAD, &bytes, &length, err));
  copy = ms_alloc(length + 1, 1);
  if (!copy)
    return ms_fail_memory(err, "a pattern");
  memcpy(copy, bytes, length);
  copy[length] = '\0';
  char *line = copy;
  if (strncmp(line, MS_BYTE_ORDER_MARK, 3) == 0)
    line += 3;
  for (char *end; (end = strchr(line, '\n')) && !ms_line_holds_data(line, (size_t)(end - line));)
    line = end + 1;
  bool holds_data = length == HEAD || ms_line_holds_data(line, strlen(line));
  *is_notation = ms_is_notation(line);
  ms_free(copy);
  return holds_data ? MS_OK
                    : ms_text_fail(text, err,
                                   "holds no pattern; write one such as (a:Gene)-[GiG]-(b:Gene)");
}

ms_status ms_notation_read_text(const char *path, ms_text *text, ms_typed_pattern **out,
                                ms_error *err)
{
  buffer b = {0};
  *out = NULL;
  ms_status status = read_lines(text, &b, err);
  if (status == MS_OK)
    status = blame_file(ms_typed_pattern_of_text(b.bytes ? b.bytes : "", path, out, err), err);
  if (status == MS_OK)
    (*out)->crc32c = text->crc32c;
  ms_free(b.bytes);
  return status;
}

/* ---- graphs ------------------------------------------------------------------ */

static ms_status add_vertices(const ms_typed *graph, ms_typed_pattern *pattern, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < graph->rows.n && status == MS_OK; v++) {
    uint32_t i;
    const char *name = ms_typed_name(graph, v);
    const char *type = ms_typed_vertex_type_name(graph, graph->rows.vertex_type[v]);
    status = ms_typed_pattern_vertex(pattern, name, strlen(name), &i, err);
    if (status == MS_OK && strcmp(type, "untyped") != 0 && strcmp(type, "*") != 0)
      status = ms_typed_pattern_accept(pattern, i, type, strlen(type), err);
  }
  return status;
}

/* Adds each edge once, in the direction in which the file gives it. */
static ms_status add_edges(const ms_typed *graph, ms_typed_pattern *pattern, ms_error *err)
{
  const ms_typed_rows *rows = &graph->rows;
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < rows->n; v++)
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1] && status == MS_OK; a++) {
      ms_type t = rows->type[a];
      bool symmetric = graph->inverse[t] == t;
      const char *name = ms_typed_arc_type_name(graph, t);
      if ((symmetric && rows->neighbor[a] < v) ||
          (ms_typed_is_second(graph, t) && rows->neighbor[a] != v))
        continue;
      status = ms_typed_pattern_join(pattern, v, rows->neighbor[a],
                                     symmetric ? MS_WAY_ANY : MS_WAY_ON, err);
      if (status == MS_OK && strcmp(name, "*") != 0)
        status = ms_typed_pattern_accept_edge(pattern, name, strlen(name), err);
    }
  return status;
}

ms_status ms_typed_pattern_read_graph(const char *path, ms_text *text,
                                      const ms_typed_options *options, ms_typed_pattern **out,
                                      ms_error *err)
{
  ms_typed *graph;
  *out = NULL;
  MS_TRY(ms_typed_read_any(path, text, options, &graph, err));
  ms_status status = ms_typed_pattern_new(path, out, err);
  if (status == MS_OK && graph->rows.n == 0)
    status = ms_fail(err, MS_ERR_INPUT, "%s: holds no pattern; give it an edge, or a vertex", path);
  if (status == MS_OK)
    status = add_vertices(graph, *out, err);
  if (status == MS_OK)
    status = add_edges(graph, *out, err);
  status = blame_file(status, err);
  if (status == MS_OK)
    (*out)->crc32c = graph->info.crc32c;
  ms_typed_free(graph);
  if (status != MS_OK) {
    ms_typed_pattern_free(*out);
    *out = NULL;
  }
  return status;
}

ms_status ms_typed_pattern_read(const char *path, const ms_typed_options *options,
                                ms_typed_pattern **out, ms_error *err)
{
  ms_text *text = NULL;
  bool is_notation = false;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_text_is_notation(text, &is_notation, err);
  if (status == MS_OK)
    status = is_notation ? ms_notation_read_text(path, text, out, err)
                         : ms_typed_pattern_read_graph(path, text, options, out, err);
  ms_text_close(text);
  return status;
}
