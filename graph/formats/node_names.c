#include "graph/formats/node_names.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "graph/formats/attributes.h"

#include <stdio.h>
#include <string.h>

/* The surest first. */
static const char *const usual_titles[] = {"name", "shared name", "label",
                                           "id",   MS_YED_LABEL,  NULL};

ms_status ms_chars_append(ms_chars *chars, const char *bytes, size_t length, ms_error *err)
{
  if (!MS_GROW(chars->text, chars->room, chars->length, length))
    return ms_fail_memory(err, "the text of an element");
  if (length > 0)
    memcpy(chars->text + chars->length, bytes, length);
  chars->length += length;
  return MS_OK;
}

ms_field ms_chars_trim(const ms_chars *chars)
{
  ms_field text = {chars->text, chars->length};
  while (text.length > 0 && strchr(" \t\r\n", text.text[0]))
    text = (ms_field){text.text + 1, text.length - 1};
  while (text.length > 0 && strchr(" \t\r\n", text.text[text.length - 1]))
    text.length--;
  return text;
}

ms_field ms_chars_all(const ms_chars *chars)
{
  return (ms_field){chars->text, chars->length};
}

ms_field ms_chars_join_words(ms_chars *chars)
{
  size_t length = 0;
  bool blank = false;
  for (size_t i = 0; i < chars->length; i++) {
    bool was_blank = blank;
    blank = strchr(" \t\r\n", chars->text[i]) != NULL;
    if (!blank || !was_blank)
      chars->text[length++] = blank ? ' ' : chars->text[i];
  }
  chars->length = length;
  return ms_chars_trim(chars);
}

void ms_node_names_free(ms_node_names *names)
{
  ms_free(names->key);
  ms_free(names->title);
  ms_free(names->text.text);
  ms_free(names->part);
}

static bool uses_ids(const ms_node_names *names)
{
  return names->chosen && strcmp(names->chosen, "id") == 0;
}

static size_t rank_of(const ms_node_names *names, const char *title)
{
  if (names->chosen)
    return strcmp(title, names->chosen) == 0 ? 0 : SIZE_MAX;
  for (size_t i = 0; usual_titles[i]; i++)
    if (ms_alike(title, usual_titles[i], strlen(title) + 1))
      return i;
  return SIZE_MAX;
}

ms_status ms_node_names_key(ms_node_names *names, const char *id, const char *title, ms_error *err)
{
  size_t rank = rank_of(names, title);
  if (uses_ids(names) || rank == SIZE_MAX || (names->key && rank >= names->rank))
    return MS_OK;
  ms_free(names->key);
  ms_free(names->title);
  names->rank = rank;
  names->key = ms_strdup(id);
  names->title = ms_strdup(title);
  return names->key && names->title ? MS_OK : ms_fail_memory(err, "a key");
}

void ms_node_names_id(ms_node_names *names, const char *id)
{
  if ((*id >= 'a' && *id <= 'z') || (*id >= 'A' && *id <= 'Z'))
    id++;
  if (*id == '\0' || id[strspn(id, "0123456789")] != '\0')
    names->real_ids = true;
}

bool ms_node_names_wants(const ms_node_names *names, const char *key)
{
  return names->key && (names->chosen || !names->real_ids) && strcmp(key, names->key) == 0;
}

bool ms_node_names_drawn(const ms_node_names *names)
{
  return names->title && strcmp(names->title, MS_YED_LABEL) == 0;
}

bool ms_node_names_has(const ms_node_names *names, uint32_t v)
{
  return v < names->room && names->part[v][1] > 0;
}

ms_status ms_node_names_add(ms_node_names *names, uint32_t v, ms_field value, ms_error *err)
{
  size_t before = names->room;
  if (!MS_GROW(names->part, names->room, 0, v + (uint64_t)1))
    return ms_fail_memory(err, "the names of nodes");
  memset(names->part + before, 0, (names->room - before) * sizeof *names->part);
  names->part[v][0] = names->text.length;
  names->part[v][1] = value.length;
  return ms_chars_append(&names->text, value.text, value.length, err);
}

/* ---- the end of the file ---------------------------------------------------- */

/* Returns the name of the vertex; length 0: it has none. */
static ms_field name_of(const ms_node_names *names, uint32_t v)
{
  if (!ms_node_names_has(names, v))
    return (ms_field){"", 0};
  return (ms_field){names->text.text + names->part[v][0], names->part[v][1]};
}

static ms_status refuse(const ms_node_names *names, const ms_text *text, const ms_names *ids,
                        uint32_t v, const char *problem, ms_error *err)
{
  const char *id = ms_names_get(ids, v);
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: the attribute '%s' of the node '%.*s' %s; choose another attribute "
                 "(`names`), or 'id'",
                 text->label, names->title, ms_name_clip(id, strlen(id)), id, problem);
}

/* Adds the name of every vertex to `renamed`; MS_ERR_INPUT where one has none of its own. */
static ms_status rename_all(const ms_node_names *names, const ms_text *text, const ms_names *ids,
                            ms_names *renamed, ms_error *err)
{
  for (uint32_t v = 0; v < ms_names_count(ids); v++) {
    ms_field name = name_of(names, v);
    const char *problem =
        name.length == 0 ? "is empty or missing" : ms_name_problem(name.text, name.length);
    uint32_t id = v;
    if (problem)
      return refuse(names, text, ids, v, problem, err);
    MS_TRY(ms_names_add(renamed, name.text, name.length, &id, err));
    if (id != v)
      return refuse(names, text, ids, v, "is the name of an earlier node, too", err);
  }
  return MS_OK;
}

ms_status ms_node_names_settle(ms_node_names *names, const ms_text *text, ms_edges *edges,
                               ms_error *err)
{
  ms_names *renamed = NULL;
  ms_error ignored;
  if (uses_ids(names) || (names->real_ids && !names->chosen))
    return MS_OK;
  if (!names->key)
    return names->chosen ? ms_refuse_attribute(text, "nodes", names->chosen,
                                               "another (`names`), or 'id'", err)
                         : MS_OK;
  MS_TRY(ms_names_new(&renamed, err));
  ms_status status = rename_all(names, text, edges->names, renamed, names->chosen ? err : &ignored);
  ms_edge_layout *layout = &edges->layout;
  snprintf(layout->name_attribute, sizeof layout->name_attribute, "%.*s",
           ms_name_clip(names->title, strlen(names->title)), names->title);
  if (status == MS_OK) {
    ms_names_free(edges->names);
    edges->names = renamed;
    return MS_OK;
  }
  ms_names_free(renamed);
  if (names->chosen || status != MS_ERR_INPUT)
    return names->chosen ? status : ms_fail_memory(err, "the names of nodes");
  layout->ids_kept = true; /* the ids are distinct, so they name the vertices */
  return MS_OK;
}
