/* ms_graph_read_aliases: other names of vertices.
 *
 *   YAL001C<TAB>TFC3<TAB>...        tab, comma (CSV) or blanks, as in edge lists
 *
 * If one of the first two columns is a vertex's own name, the other becomes its alias; if both are,
 * the line is ignored.  An alias of several vertices finds none of them.
 */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/io/edges/edges.h"
#include "graph/io/own_names.h"

#include <string.h>

typedef struct alias_rows {
  const ms_graph *graph;
  ms_own_names own;
  ms_names *names;
  ms_pairs vertex_of; /* [alias] = {alias, vertex or MS_NO_ID} */
  uint64_t lines, unknown;
} alias_rows;

static ms_status add_alias(alias_rows *rows, ms_field name, uint32_t v, ms_error *err)
{
  uint32_t alias;
  MS_TRY(ms_names_add(rows->names, name.text, name.length, &alias, err));
  if (alias == rows->vertex_of.count)
    return ms_pairs_add(&rows->vertex_of, alias, v, err);
  if (rows->vertex_of.pair[alias][1] != v)
    rows->vertex_of.pair[alias][1] = MS_NO_ID;
  return MS_OK;
}

static ms_status add_line(ms_text *text, ms_delimiter delimiter, alias_rows *rows, ms_error *err)
{
  ms_field names[2];
  uint32_t count;
  ms_status status = ms_text_split(text, delimiter, 2, names, &count, err);
  if (status == MS_OK && count < 2)
    status = ms_text_fail(text, err,
                          "expected a name and another name of the same vertex separated by %s, "
                          "found one; add the second name or remove the line",
                          ms_delimiter_name(delimiter));
  if (status == MS_OK)
    status = ms_text_check_name(text, names[0], "first name", err);
  if (status == MS_OK)
    status = ms_text_check_name(text, names[1], "second name", err);
  if (status != MS_OK)
    return status;
  uint32_t first = ms_own_names_find(&rows->own, names[0]),
           second = ms_own_names_find(&rows->own, names[1]);
  rows->lines++;
  rows->unknown += first == MS_NO_ID && second == MS_NO_ID;
  for (int i = 0; i < 2 && first == MS_NO_ID && second == MS_NO_ID; i++)
    MS_TRY(ms_own_names_check_spelling(&rows->own, text, names[i], err));
  if ((first == MS_NO_ID) == (second == MS_NO_ID))
    return MS_OK;
  return first == MS_NO_ID ? add_alias(rows, names[0], second, err)
                           : add_alias(rows, names[1], first, err);
}

static ms_status read_rows(ms_text *text, alias_rows *rows, ms_error *err)
{
  const ms_graph *graph = rows->graph;
  ms_status status = ms_own_names_open(&rows->own, graph->names, graph->taxon_prefix, text, err);
  ms_delimiter delimiter = status == MS_OK && text->line ? ms_text_delimiter(text) : MS_TAB;
  ms_text_set_delimiter(text, delimiter);
  while (status == MS_OK && text->line) {
    status = add_line(text, delimiter, rows, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  if (status != MS_OK)
    return status;
  if (rows->lines == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: holds no aliases; give a file with two names a line",
                   text->label);
  if (rows->unknown < rows->lines)
    return MS_OK;
  const char *ours = rows->graph->n ? ms_names_get(rows->graph->names, 0) : "";
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: none of its names is a vertex of %s, which has names like '%.*s'; give a "
                 "file in which those are one of the first two columns",
                 text->label, rows->graph->path, ms_name_clip(ours, strlen(ours)), ours);
}

/* Moves the rows to the graph, all or none of them. */
static ms_status take_rows(const char *path, const ms_text *text, alias_rows *rows, ms_graph *graph,
                           ms_alias_info *info, ms_error *err)
{
  MS_TRY(ms_pairs_seconds(&rows->vertex_of, &graph->alias_of, err));
  graph->alias_path = ms_strdup(path);
  if (!graph->alias_path) {
    ms_free(graph->alias_of);
    graph->alias_of = NULL;
    return ms_fail_memory(err, "a path");
  }
  graph->aliases = rows->names;
  rows->names = NULL;
  graph->info.alias_path = graph->alias_path;
  graph->info.alias_crc32c = text->crc32c;
  info->lines = text->number;
  info->crc32c = text->crc32c;
  info->unknown = rows->unknown;
  for (uint64_t i = 0; i < rows->vertex_of.count; i++)
    *(graph->alias_of[i] == MS_NO_ID ? &info->ambiguous : &info->aliases) += 1;
  return MS_OK;
}

ms_status ms_graph_read_aliases(ms_graph *graph, const char *path, ms_alias_info *info,
                                ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(path, err);
  ms_alias_info unused;
  alias_rows rows = {.graph = graph};
  ms_text *text = NULL;
  info = info ? info : &unused;
  *info = (ms_alias_info){0};
  if (graph->aliases)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: %s already has the aliases of %s; put both files into one", path,
                   graph->path, graph->alias_path);
  ms_status status = ms_names_new(&rows.names, err);
  if (status == MS_OK)
    status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = read_rows(text, &rows, err);
  if (status == MS_OK)
    status = take_rows(path, text, &rows, graph, info, err);
  ms_own_names_close(&rows.own);
  ms_text_close(text);
  ms_names_free(rows.names);
  ms_free(rows.vertex_of.pair);
  return status;
}
