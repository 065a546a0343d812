/* ms_motif_read_vertices: a motif of the colours of given vertices, such as the genes of a complex.
 */
#include "base/status.h"
#include "graph/graph.h"
#include "graph/io/text.h"
#include "graph/suggest.h"
#include "query/motif_build.h"

#include <string.h>

typedef struct vertex_list {
  const ms_graph *graph;
  const ms_coloring *coloring;
  ms_motif *motif;
  uint32_t count, uncolored;
  uint32_t vertex[MS_MAX_K];
  uint64_t line[MS_MAX_K]; /* where the vertex stands */
} vertex_list;

static ms_status unknown_vertex(const vertex_list *list, const ms_text *text, ms_field name,
                                ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(list->graph->names, "vertices", "the graph has no vertices", name.text,
                  name.length, hint);
  return ms_text_fail(text, err,
                      "'%.*s' is not a vertex of %s; %s (check the name system, or remove the "
                      "line)",
                      ms_name_clip(name.text, name.length), name.text, list->graph->path, hint);
}

/* Refuses a vertex that an earlier line names, perhaps by another name. */
static ms_status check_new(const vertex_list *list, const ms_text *text, uint32_t v, ms_field name,
                           ms_error *err)
{
  for (uint32_t i = 0; i < list->count; i++)
    if (list->vertex[i] == v)
      return ms_text_fail(text, err, "line %llu names the vertex '%.*s', too; remove one line",
                          (unsigned long long)list->line[i], ms_name_clip(name.text, name.length),
                          name.text);
  return MS_OK;
}

/* Adds a slot for a vertex with the same colours: any of them fills it. */
static ms_status add_slot(vertex_list *list, uint32_t v, ms_error *err)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(list->coloring, v, &count);
  ms_condition *condition;
  list->uncolored += count == 0;
  if (count == 0)
    return ms_motif_add_slots(list->motif, MS_WILDCARD, 1, err);
  MS_TRY(ms_condition_of_colors(colors, count, list->coloring, &condition, err));
  return ms_motif_add_condition(list->motif, list->coloring, condition, 1, err);
}

static ms_status add_line(vertex_list *list, const ms_text *text, ms_error *err)
{
  ms_field name = ms_field_trim((ms_field){text->line, text->length});
  ms_error reason;
  uint32_t v = ms_graph_find_text(list->graph, name.text, name.length);
  if (name.length == 0 || (v == MS_NO_ID && name.text[0] == '#'))
    return MS_OK;
  if (v == MS_NO_ID && memchr(name.text, '\t', name.length))
    return ms_text_fail(text, err, "'%.*s' holds a tab; write one name of a vertex on each line",
                        ms_name_clip(name.text, name.length), name.text);
  if (v == MS_NO_ID)
    return unknown_vertex(list, text, name, err);
  MS_TRY(check_new(list, text, v, name, err));
  ms_status status = add_slot(list, v, &reason);
  if (status == MS_ERR_USAGE)
    return ms_text_fail(text, err, "%s", reason.message);
  if (status != MS_OK)
    return ms_fail(err, status, "%s", reason.message);
  list->line[list->count] = text->number;
  list->vertex[list->count++] = v;
  return MS_OK;
}

static ms_status read_lines(vertex_list *list, ms_text *text, ms_error *err)
{
  MS_TRY(ms_text_next(text, err));
  while (text->line) {
    MS_TRY(add_line(list, text, err));
    MS_TRY(ms_text_next(text, err));
  }
  if (list->count == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: no vertex; write the name of one on each line",
                   text->label);
  return MS_OK;
}

ms_status ms_motif_read_vertices(const char *path, const ms_graph *graph,
                                 const ms_coloring *coloring, uint32_t *uncolored, ms_motif **out,
                                 ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_TRY(ms_coloring_check(coloring, graph, err));
  ms_text *text;
  vertex_list list = {.graph = graph, .coloring = coloring};
  MS_TRY(ms_motif_new(coloring, &list.motif, err));
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK) {
    status = read_lines(&list, text, err);
    ms_text_close(text);
  }
  if (uncolored)
    *uncolored = status == MS_OK ? list.uncolored : 0;
  return ms_motif_finish(list.motif, coloring, status, out, err);
}
