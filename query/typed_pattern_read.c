/* ms_typed_pattern_read: reads a file of pattern text, or a typed graph file
 * whose edges and types become those of the pattern.  The first line with data
 * of a pattern text begins with '('. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/io/head.h"
#include "query/typed_query.h"

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
  if (!MS_GROW(b->bytes, b->room, 0, need))
    return ms_fail_memory(err, "a typed pattern");
  memcpy(b->bytes + b->length, text->line, text->length);
  b->length += text->length;
  b->bytes[b->length++] = '\n';
  b->bytes[b->length] = '\0';
  return MS_OK;
}

ms_status ms_typed_pattern_read_text(ms_text *text, const char *path, ms_typed_pattern **out,
                                     ms_error *err)
{
  buffer b = {0};
  bool begun = false;
  ms_status status = ms_text_next(text, err);
  while (status == MS_OK && text->line) {
    begun = begun || ms_line_holds_data(text->line, text->length);
    status = add_line(&b, text, err);
    if (status == MS_OK)
      status = ms_text_next(text, err);
  }
  if (status == MS_OK && !begun)
    status = ms_text_fail(text, err, "holds no pattern; write one such as (a:Gene)-[GiG]-(b:Gene)");
  if (status == MS_OK)
    status = blame_file(ms_typed_pattern_of_text(b.bytes, path, out, err), err);
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
  bool labels = ms_typed_has_labels(graph);
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
      if (status == MS_OK && labels && strcmp(name, "*") != 0)
        status = ms_typed_pattern_accept_edge(pattern, name, strlen(name), err);
    }
  return status;
}

/* True for a SIF file with one relation, counting a relation and its inverse once. */
static bool has_lone_relation(const ms_typed *graph)
{
  uint32_t relations = 0;
  for (uint32_t t = 0; t < ms_names_count(graph->arc_types); t++)
    relations += !ms_typed_is_second(graph, (ms_type)t);
  return graph->info.format == MS_TYPED_SIF && relations == 1;
}

ms_status ms_typed_pattern_from_graph(const ms_typed *graph, const char *path,
                                      ms_typed_pattern **out, ms_error *err)
{
  MS_TRY(ms_typed_pattern_new(path, out, err));
  ms_status status = MS_OK;
  if (graph->rows.n == 0)
    status = ms_fail(err, MS_ERR_INPUT, "%s: holds no pattern; give it an edge, or a vertex", path);
  if (status == MS_OK)
    status = add_vertices(graph, *out, err);
  if (status == MS_OK)
    status = add_edges(graph, *out, err);
  (*out)->lone_relation = has_lone_relation(graph);
  (*out)->crc32c = graph->info.crc32c;
  return blame_file(status, err);
}

/* ---- both -------------------------------------------------------------------- */

static ms_status pattern_of_graph(const char *path, const ms_typed_options *options,
                                  ms_typed_pattern **pattern, ms_error *err)
{
  ms_typed *graph;
  MS_TRY(ms_typed_read(path, options, &graph, err));
  ms_status status = ms_typed_pattern_from_graph(graph, path, pattern, err);
  ms_typed_free(graph);
  return status;
}

/* Looks at what follows from the line on. */
static ms_status begins_notation(const ms_head *head, ms_field line, bool *is_text, ms_error *err)
{
  size_t length = head->length - (size_t)(line.text - head->bytes);
  char *text = ms_alloc(length + 1, 1);
  if (!text)
    return ms_fail_memory(err, "a pattern");
  memcpy(text, line.text, length);
  text[length] = '\0';
  *is_text = ms_is_notation(text);
  ms_free(text);
  return MS_OK;
}

ms_status ms_is_pattern_text(const char *path, ms_text *text, bool *is_text, ms_error *err)
{
  ms_head head;
  ms_field line;
  MS_TRY(ms_head_read(path, text, &head, err));
  *is_text = true;
  for (size_t at = 0; ms_head_next_line(&head, &at, &line);)
    if (ms_line_holds_data(line.text, line.length))
      return begins_notation(&head, line, is_text, err);
  return MS_OK;
}

ms_status ms_typed_pattern_read(const char *path, const ms_typed_options *options,
                                ms_typed_pattern **out, ms_error *err)
{
  ms_text *text = NULL;
  bool is_text = false;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  ms_typed_options own; /* a text needs no options, but wrong ones are refused all the same */
  MS_TRY(ms_options_take(&ms_typed_options_kind, options, &own, err));
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_is_pattern_text(path, text, &is_text, err);
  if (status == MS_OK && (is_text || strcmp(path, "-") == 0))
    status = ms_typed_pattern_read_text(text, path, out, err);
  else if (status == MS_OK)
    status = pattern_of_graph(path, &own, out, err);
  ms_text_close(text);
  if (status != MS_OK) {
    ms_typed_pattern_free(*out);
    *out = NULL;
  }
  return status;
}
