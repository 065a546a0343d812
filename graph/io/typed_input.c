/* What readers of typed graphs do with what they have read; see read.h. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/typed_read.h"

#include <string.h>

/* ---- types of vertices ----------------------------------------------------- */

/* Is this what the name with that id is? */
static bool is_name(const ms_names *names, uint32_t id, ms_field field)
{
  if (id >= ms_names_count(names))
    return false;
  const char *name = ms_names_get(names, id);
  return strncmp(name, field.text, field.length) == 0 && !name[field.length];
}

static ms_status find_vertex_type(ms_typed_input *input, const ms_text *text, ms_field name,
                                  const char *what, ms_type *type, ms_error *err)
{
  ms_status status = MS_OK;
  uint32_t id = input->last_vertex_type;
  if (name.length == 0 || !is_name(input->vertex_types, id, name)) {
    id = ms_names_find(input->vertex_types, name.text, name.length);
    if (id == MS_NO_ID)
      status = ms_text_check_name(text, name, what, err);
    if (status == MS_OK && id == MS_NO_ID && ms_names_count(input->vertex_types) == MS_MAX_TYPES)
      status = ms_text_fail(
          text, err, "more than %u types of vertices; is this the column of types?", MS_MAX_TYPES);
    if (status == MS_OK && id == MS_NO_ID)
      status = ms_names_add(input->vertex_types, name.text, name.length, &id, err);
  }
  if (status != MS_OK)
    return status;
  input->last_vertex_type = id;
  *type = (ms_type)id;
  return MS_OK;
}

/* A type for each vertex, unknown for the new ones. */
static ms_status make_type_room(ms_typed_input *input, ms_error *err)
{
  uint32_t n = ms_names_count(input->names);
  if (n <= input->type_room)
    return MS_OK;
  uint64_t wanted = (uint64_t)n + n / 2 + 64;
  uint32_t room = wanted < MS_MAX_NAMES ? (uint32_t)wanted : MS_MAX_NAMES;
  ms_type *type = ms_resize(input->vertex_type, input->type_room, room, sizeof *type);
  if (!type)
    return ms_fail_memory(err, "types of vertices");
  memset(type + input->type_room, 0xFF, (room - input->type_room) * sizeof *type);
  input->vertex_type = type;
  input->type_room = room;
  return MS_OK;
}

static ms_status assign(ms_typed_input *input, const char *label, uint64_t line, uint32_t v,
                        ms_type type, ms_error *err)
{
  ms_type before = input->vertex_type[v];
  if (type == MS_NO_TYPE || type == before)
    return MS_OK;
  if (before == MS_NO_TYPE) {
    input->vertex_type[v] = type;
    return MS_OK;
  }
  const char *name = ms_names_get(input->names, v), *here, *there;
  here = ms_names_get(input->vertex_types, type);
  there = ms_names_get(input->vertex_types, before);
  return ms_fail(err, MS_ERR_INPUT,
                 "%s:%llu: vertex '%.*s' has the type '%.*s' here, but '%.*s' in a line before%s; "
                 "give it one type",
                 label, (unsigned long long)line, ms_name_clip(name, strlen(name)), name,
                 ms_name_clip(here, strlen(here)), here, ms_name_clip(there, strlen(there)), there,
                 v < input->nodes ? " or in the table of nodes" : "");
}

/* ---- edges ----------------------------------------------------------------- */

static ms_status make_edge_room(ms_typed_input *input, ms_error *err)
{
  if (input->edges < input->edge_room)
    return MS_OK;
  uint64_t room = input->edge_room ? input->edge_room * 2 : 1024;
  uint32_t(*edge)[2] = ms_resize(input->edge, input->edge_room, room, sizeof *edge);
  if (edge)
    input->edge = edge;
  ms_type *word = ms_resize(input->word, input->edge_room, room, sizeof *word);
  if (word)
    input->word = word;
  if (!edge || !word)
    return ms_fail_memory(err, "edges being read");
  input->edge_room = room;
  return MS_OK;
}

static ms_status add_edge(ms_typed_input *input, const uint32_t *ends, const ms_type *vertex_type,
                          ms_type word, uint64_t line, ms_error *err)
{
  ms_status status = make_edge_room(input, err);
  if (status == MS_OK)
    status = assign(input, input->label, line, ends[0], vertex_type[0], err);
  if (status == MS_OK)
    status = assign(input, input->label, line, ends[1], vertex_type[1], err);
  if (status == MS_OK) {
    memcpy(input->edge[input->edges], ends, sizeof *input->edge);
    input->word[input->edges++] = word;
  }
  return status;
}

ms_status ms_typed_input_flush(ms_typed_input *input, ms_error *err)
{
  ms_typed_batch *batch = &input->batch;
  uint32_t ids[MS_NAME_BATCH];
  ms_status status =
      ms_names_add_batch(input->names, batch->count, batch->text, batch->length, ids, err);
  if (status == MS_OK)
    status = make_type_room(input, err);
  for (uint32_t i = 0; i < batch->count && status == MS_OK; i += 2)
    status = add_edge(input, ids + i, batch->vertex_type + i, batch->word[i / 2],
                      batch->line[i / 2], err);
  batch->count = 0;
  batch->used = 0;
  return status;
}

static void put(ms_typed_batch *batch, ms_field name, ms_type type)
{
  char *to = batch->bytes + batch->used;
  memcpy(to, name.text, name.length);
  batch->text[batch->count] = to;
  batch->length[batch->count] = name.length;
  batch->vertex_type[batch->count++] = type;
  batch->used += name.length;
}

/* Names longer than a batch. */
static ms_status add_long(ms_typed_input *input, const ms_text *text, const ms_typed_line *line,
                          ms_type word, const ms_type *type, ms_error *err)
{
  uint32_t ids[2];
  ms_status status = ms_names_add_batch(
      input->names, 2, (const char *const[]){line->source.text, line->target.text},
      (const size_t[]){line->source.length, line->target.length}, ids, err);
  if (status == MS_OK)
    status = make_type_room(input, err);
  return status == MS_OK ? add_edge(input, ids, type, word, text->number, err) : status;
}

static ms_status read_types(ms_typed_input *input, const ms_text *text, const ms_typed_line *line,
                            ms_type *word, ms_type *type, ms_error *err)
{
  uint32_t id = input->last_word;
  ms_status status = MS_OK;
  if (line->type.length == 0 || !is_name(input->relations.words, id, line->type))
    status = ms_relations_word(&input->relations, text, line->type, &id, err);
  if (status == MS_OK && line->source_typed)
    status = find_vertex_type(input, text, line->source_type, "type of the source", &type[0], err);
  if (status == MS_OK && line->target_typed)
    status = find_vertex_type(input, text, line->target_type, "type of the target", &type[1], err);
  if (status != MS_OK)
    return status;
  input->last_word = id;
  *word = (ms_type)id;
  return MS_OK;
}

ms_status ms_typed_input_edge(ms_typed_input *input, const ms_text *text, const ms_typed_line *line,
                              ms_error *err)
{
  ms_typed_batch *batch = &input->batch;
  ms_type word, type[2] = {MS_NO_TYPE, MS_NO_TYPE};
  ms_status status = ms_text_check_name(text, line->source, "name of the source", err);
  if (status == MS_OK)
    status = ms_text_check_name(text, line->target, "name of the target", err);
  if (status == MS_OK)
    status = read_types(input, text, line, &word, type, err);
  if (status != MS_OK)
    return status;
  size_t bytes = line->source.length + line->target.length;
  if (batch->count == MS_NAME_BATCH || batch->used + bytes > MS_TYPED_BATCH_BYTES)
    status = ms_typed_input_flush(input, err);
  if (status != MS_OK)
    return status;
  if (bytes > MS_TYPED_BATCH_BYTES)
    return add_long(input, text, line, word, type, err);
  batch->word[batch->count / 2] = word;
  batch->line[batch->count / 2] = text->number;
  put(batch, line->source, type[0]);
  put(batch, line->target, type[1]);
  return MS_OK;
}

ms_status ms_typed_input_vertex(ms_typed_input *input, const ms_text *text, ms_field name,
                                const ms_field *type, ms_error *err)
{
  uint32_t v;
  ms_type known = MS_NO_TYPE;
  ms_status status = ms_typed_input_flush(input, err);
  if (status == MS_OK)
    status = ms_text_check_name(text, name, "name of the vertex", err);
  if (status == MS_OK && type)
    status = find_vertex_type(input, text, *type, "type of the vertex", &known, err);
  if (status == MS_OK)
    status = ms_names_add(input->names, name.text, name.length, &v, err);
  if (status == MS_OK)
    status = make_type_room(input, err);
  if (status != MS_OK)
    return status;
  input->alone++;
  return assign(input, text->label, text->number, v, known, err);
}
