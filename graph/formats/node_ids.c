#include "graph/formats/node_ids.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

void ms_node_ids_free(ms_node_ids *ids)
{
  ms_free(ids->waiting);
}

/* Finds or adds the vertex of that id, which is new if *known is false. */
static ms_status find_vertex(ms_node_ids *ids, ms_edges *edges, const ms_text *text, ms_field id,
                             uint32_t *v, bool *known, ms_error *err)
{
  uint32_t count = ms_names_count(edges->names);
  MS_TRY(ms_edges_vertex(edges, text, id, v, err));
  *known = *v < count;
  return MS_GROW(ids->waiting, ids->room, 0, *v + (uint64_t)1)
             ? MS_OK
             : ms_fail_memory(err, "the nodes of a graph");
}

ms_status ms_node_ids_declare(ms_node_ids *ids, ms_edges *edges, const ms_text *text, ms_field id,
                              uint32_t *v, ms_error *err)
{
  bool known;
  MS_TRY(find_vertex(ids, edges, text, id, v, &known, err));
  if (known && ids->waiting[*v] == 0)
    return ms_text_fail(text, err, "a second node with the id '%.*s'; rename or remove one",
                        ms_name_clip(id.text, id.length), id.text);
  ids->waiting[*v] = 0;
  return MS_OK;
}

ms_status ms_node_ids_use(ms_node_ids *ids, ms_edges *edges, const ms_text *text, ms_field id,
                          uint32_t *v, ms_error *err)
{
  bool known;
  MS_TRY(find_vertex(ids, edges, text, id, v, &known, err));
  if (!known)
    ids->waiting[*v] = text->number;
  return MS_OK;
}

ms_status ms_node_ids_check(const ms_node_ids *ids, const ms_edges *edges, ms_text *text,
                            ms_error *err)
{
  uint32_t n = ms_names_count(edges->names), missing = MS_NO_ID;
  if (n == 0)
    return ms_text_fail(text, err, "holds no graph with a node; give a graph");
  for (uint32_t v = 0; v < n; v++)
    if (ids->waiting[v] && (missing == MS_NO_ID || ids->waiting[v] < ids->waiting[missing]))
      missing = v;
  if (missing == MS_NO_ID)
    return MS_OK;
  const char *name = ms_names_get(edges->names, missing);
  text->number = ids->waiting[missing];
  return ms_text_fail(text, err,
                      "the edge names the node '%.*s', which is not declared; add that node",
                      ms_name_clip(name, strlen(name)), name);
}
