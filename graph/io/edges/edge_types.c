/* Types of edges and vertices while a file is read; see edges.h. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/edges/edges.h"

#include <string.h>

ms_status ms_edge_types_new(const char *label, const ms_typed_options *options, ms_edge_types **out,
                            ms_error *err)
{
  ms_edge_types *types = *out = ms_calloc(1, sizeof *types);
  if (!types)
    return ms_fail_memory(err, "types of edges");
  types->options = options;
  types->label = label;
  types->rule = options->directed ? MS_RULE_DIRECTED : MS_RULE_SYMMETRIC;
  types->last_word = types->last_vertex_type = MS_NO_ID;
  MS_TRY(ms_names_new(&types->vertex_types, err));
  return ms_relations_new(&types->relations, err);
}

void ms_edge_types_free(ms_edge_types *types)
{
  if (!types)
    return;
  ms_relations_free(&types->relations);
  ms_names_free(types->vertex_types);
  ms_free(types->vertex_type);
  ms_free(types->word);
  ms_free(types);
}

/* ---- types of vertices ----------------------------------------------------- */

/* Is the field equal to the name with that id? */
static bool is_name(const ms_names *names, uint32_t id, ms_field field)
{
  if (id >= ms_names_count(names))
    return false;
  const char *name = ms_names_get(names, id);
  return strncmp(name, field.text, field.length) == 0 && !name[field.length];
}

static ms_status find_vertex_type(ms_edge_types *types, const ms_text *text, ms_field name,
                                  const char *what, ms_type *type, ms_error *err)
{
  uint32_t id = types->last_vertex_type;
  if (name.length == 0 || !is_name(types->vertex_types, id, name)) {
    id = ms_names_find(types->vertex_types, name.text, name.length);
    if (id == MS_NO_ID) {
      MS_TRY(ms_text_check_name(text, name, what, err));
      if (ms_names_count(types->vertex_types) == MS_MAX_TYPES)
        return ms_text_fail(text, err,
                            "more than %u types of vertices; is this the column of types?",
                            MS_MAX_TYPES);
      MS_TRY(ms_names_add(types->vertex_types, name.text, name.length, &id, err));
    }
  }
  types->last_vertex_type = id;
  *type = (ms_type)id;
  return MS_OK;
}

/* Makes room for the type of each vertex, unknown for new vertices. */
static ms_status make_type_room(ms_edges *edges, ms_error *err)
{
  ms_edge_types *types = edges->types;
  uint32_t n = ms_names_count(edges->names);
  if (n <= types->type_room)
    return MS_OK;
  uint64_t wanted = (uint64_t)n + n / 2 + 64;
  uint32_t room = wanted < MS_MAX_NAMES ? (uint32_t)wanted : MS_MAX_NAMES;
  ms_type **type = &types->vertex_type;
  if (!ms_enlarge(type, types->type_room, room, sizeof **type))
    return ms_fail_memory(err, "types of vertices");
  memset(*type + types->type_room, 0xFF, (room - types->type_room) * sizeof **type);
  types->type_room = room;
  return MS_OK;
}

static ms_status assign(const ms_edges *edges, const char *label, uint64_t line, uint32_t v,
                        ms_type type, ms_error *err)
{
  ms_edge_types *types = edges->types;
  ms_type before = types->vertex_type[v];
  if (type == MS_NO_TYPE || type == before)
    return MS_OK;
  if (before == MS_NO_TYPE) {
    types->vertex_type[v] = type;
    return MS_OK;
  }
  const char *name = ms_names_get(edges->names, v);
  const char *here = ms_names_get(types->vertex_types, type);
  const char *there = ms_names_get(types->vertex_types, before);
  return ms_fail(err, MS_ERR_INPUT,
                 "%s:%llu: vertex '%.*s' has the type '%.*s' here, but '%.*s' in a line before%s; "
                 "give it one type",
                 label, (unsigned long long)line, ms_name_clip(name, strlen(name)), name,
                 ms_name_clip(here, strlen(here)), here, ms_name_clip(there, strlen(there)), there,
                 v < types->nodes ? " or in the table of nodes" : "");
}

ms_status ms_edge_types_vertex(ms_edges *edges, const ms_text *text, uint32_t v,
                               const ms_field *type, ms_error *err)
{
  ms_type known = MS_NO_TYPE;
  if (type && type->text)
    MS_TRY(find_vertex_type(edges->types, text, *type, "type of the vertex", &known, err));
  MS_TRY(make_type_room(edges, err));
  edges->types->alone++;
  return assign(edges, text->label, text->number, v, known, err);
}

ms_status ms_edge_types_flush(ms_edges *edges, uint32_t count, const uint32_t *ids, ms_error *err)
{
  const ms_edge_types *types = edges->types;
  MS_TRY(make_type_room(edges, err));
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(assign(edges, types->label, types->line[i / 2], ids[i], types->waiting[i], err));
  return MS_OK;
}

ms_status ms_edge_types_from_colors(ms_edges *edges, ms_error *err)
{
  ms_edge_types *types = edges->types;
  MS_TRY(make_type_room(edges, err));
  if (!edges->color_names)
    return MS_OK;
  if (ms_names_count(edges->color_names) >= MS_MAX_TYPES)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: vertices have %u different labels, and a typed graph has fewer than %u "
                   "types; give fewer labels",
                   types->label, ms_names_count(edges->color_names), MS_MAX_TYPES);
  for (uint64_t i = 0; i < edges->colors.count; i++) {
    const uint32_t *pair = edges->colors.pair[i];
    ms_type *type = &types->vertex_type[pair[0]];
    if (pair[1] == MS_DEFAULT_COLORS || (*type != MS_NO_TYPE && *type != pair[1])) {
      const char *name = ms_names_get(edges->names, pair[0]);
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: vertex '%.*s' has several colours, and in a typed graph a vertex has one "
                     "type; give it one, or do without types of edges (`type_column` none)",
                     types->label, ms_name_clip(name, strlen(name)), name);
    }
    *type = (ms_type)pair[1];
  }
  ms_names_free(types->vertex_types);
  types->vertex_types = edges->color_names;
  edges->color_names = NULL;
  return MS_OK;
}

/* ---- types of edges -------------------------------------------------------- */

ms_status ms_edge_types_word(ms_edges *edges, const ms_text *text, ms_field word, ms_error *err)
{
  ms_edge_types *types = edges->types;
  uint32_t id = types->last_word;
  if (!is_name(types->relations.words, id, word)) {
    const ms_place place = {text->label, text->number};
    MS_TRY(ms_relations_word(&types->relations, &place, word, &id, err));
  }
  if (!MS_GROW(types->word, types->word_room, types->words, 1))
    return ms_fail_memory(err, "types of edges");
  types->last_word = id;
  types->word[types->words++] = (ms_type)id;
  return MS_OK;
}

ms_status ms_edge_types_line(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                             ms_error *err)
{
  ms_edge_types *types = edges->types;
  uint32_t id = types->last_word, at = edges->batch.count;
  ms_type *type = types->waiting + at;
  if (line->type.length == 0 || !is_name(types->relations.words, id, line->type)) {
    const ms_place place = {text->label, text->number};
    MS_TRY(ms_relations_word(&types->relations, &place, line->type, &id, err));
  }
  type[0] = type[1] = MS_NO_TYPE;
  if (line->source_type.text)
    MS_TRY(find_vertex_type(types, text, line->source_type, "type of the source", &type[0], err));
  if (line->target_type.text)
    MS_TRY(find_vertex_type(types, text, line->target_type, "type of the target", &type[1], err));
  if (!MS_GROW(types->word, types->word_room, types->words, 1))
    return ms_fail_memory(err, "types of edges");
  types->last_word = id;
  types->line[at / 2] = text->number;
  types->word[types->words++] = (ms_type)id;
  return MS_OK;
}

/* ---- in the end ------------------------------------------------------------ */

/* Finds the type of a vertex for which the files state none. */
static ms_status type_of_name(const ms_edges *edges, uint32_t v, ms_type *type, ms_error *err)
{
  const ms_edge_types *types = edges->types;
  const char *name = ms_names_get(edges->names, v), *mark = strstr(name, "::");
  const char *word = types->prefixes && mark && mark != name ? name : "untyped";
  size_t length = word == name ? (size_t)(mark - name) : strlen(word);
  uint32_t id;
  ms_status status = ms_names_add(types->vertex_types, word, length, &id, err);
  if (status == MS_OK && id >= MS_MAX_TYPES)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: more than %u types of vertices; is this a file of vertices 'Kind::id'?",
                   types->label, MS_MAX_TYPES);
  *type = (ms_type)id;
  return status;
}

ms_status ms_edge_types_settle(ms_edges *edges, ms_typed_parts *parts, ms_error *err)
{
  ms_edge_types *types = edges->types;
  const ms_place file = {.label = types->label};
  ms_type *type = NULL;
  for (uint32_t v = 0; v < ms_names_count(edges->names); v++)
    if (types->vertex_type[v] == MS_NO_TYPE)
      MS_TRY(type_of_name(edges, v, &types->vertex_type[v], err));
  ms_status status = ms_relations_settle(&types->relations, &file, types->rule, parts, &type, err);
  for (uint64_t e = 0; e < types->words && status == MS_OK; e++)
    types->word[e] = type[types->word[e]];
  ms_free(type);
  if (status != MS_OK)
    return status;
  parts->names = edges->names;
  parts->vertex_types = types->vertex_types;
  parts->vertex_type = types->vertex_type;
  parts->edges = edges->pairs.count;
  parts->edge = edges->pairs.pair;
  parts->edge_type = types->word;
  edges->names = types->vertex_types = NULL;
  edges->pairs = (ms_pairs){0};
  types->vertex_type = types->word = NULL;
  return MS_OK;
}
