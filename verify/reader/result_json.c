/* Reads result files in JSON lines, one object a line.  Keys that the format does not know are
 * refused, so that nothing unchecked passes as checked.
 *
 * jansson allocates by itself: its hooks are process-wide and belong to the program, not to a
 * library. */
#include "verify/reader/result_json.h"

#include "base/meter.h"
#include "base/status.h"
#include "base/text/json_size.h"
#include "graph/io/json.h"

#include <stdio.h>
#include <string.h>

enum { HEADER, ROW }; /* indices of result->held, the objects into which strings point */

/* Returns the object of a line, or NULL; refuses repeated keys.  *memory: there was no memory. */
static json_t *parse_object(const char *line, bool *memory)
{
  json_error_t problem;
  json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &problem);
  *memory = object ? !ms_json_is_whole(object, line, strlen(line))
                   : json_error_code(&problem) == json_error_out_of_memory;
  if (!*memory)
    return object;
  json_decref(object);
  return NULL;
}

/* Replaces the held object by that of the line, which is NULL if it is none. */
static ms_status hold_object(ms_result *r, int which, const char *line, ms_error *err)
{
  ms_meter *meter = ms_meter_current();
  json_decref(r->held[which]);
  r->held[which] = NULL;
  ms_meter_give(meter, (int64_t)r->held_bytes[which]);
  r->held_bytes[which] = 0;
  uint64_t size = ms_json_size(line, strlen(line));
  if (!ms_meter_take(meter, size))
    return ms_fail_memory(err, "a line of JSON");
  r->held_bytes[which] = size;
  bool memory;
  r->held[which] = parse_object(line, &memory);
  return memory ? ms_fail_memory(err, "a line of JSON") : MS_OK;
}

static bool has_text(const json_t *object, const char *key, const char *value)
{
  const char *text = ms_result_json_text(object, key);
  return text && strcmp(text, value) == 0;
}

static bool get_crc32c(const json_t *object, const char *key, uint32_t *value)
{
  const char *text = ms_result_json_text(object, key);
  return text && ms_take_crc32c(&text, value) && !*text;
}

/* ---- fields ------------------------------------------------------------------------- */

/* Takes all names of an array; if `fixed`, there must be *count of them. */
static bool take_names(const json_t *array, bool fixed, uint32_t most, const char **names,
                       uint32_t *count)
{
  size_t size = json_array_size(array);
  if (!json_is_array(array) || size > most || (fixed && size != *count))
    return false;
  *count = (uint32_t)size;
  for (size_t i = 0; i < size; i++)
    if (!(names[i] = json_string_value(json_array_get(array, i))))
      return false;
  return true;
}

static bool take_value(ms_result *r, const ms_result_field *field, const json_t *value)
{
  ms_result_header *h = &r->header;
  void *at = (char *)h + field->at;
  ms_result_file *file = at;
  uint64_t number;
  switch (field->type) {
  case MS_FIELD_FILE:
    file->path = ms_result_json_text(value, "path");
    return file->path && get_crc32c(value, "crc32c", &file->crc32c) && json_object_size(value) == 2;
  case MS_FIELD_U32:
    if (!ms_result_json_count(value, field->least, field->most ? field->most : UINT32_MAX, &number))
      return false;
    *(uint32_t *)at = (uint32_t)number;
    return ms_result_accepts(h, field, number);
  case MS_FIELD_U64:
    if (!ms_result_json_count(value, 0, INT64_MAX, &number))
      return false;
    *(uint64_t *)at = number;
    return ms_result_accepts(h, field, number);
  case MS_FIELD_REAL:
    *(double *)at = json_number_value(value);
    return json_is_number(value) && !(field->optional && *(double *)at == 0);
  case MS_FIELD_BOUND:
    mpq_set_d(r->bound[at == (void *)&h->miss_bound_union], json_number_value(value));
    return json_is_number(value) && json_number_value(value) >= 0;
  case MS_FIELD_TRUTH:
  case MS_FIELD_MARK:
    *(bool *)at = json_is_true(value);
    return json_is_true(value) || (json_is_false(value) && !field->optional);
  case MS_FIELD_FALSE:
    return json_is_false(value);
  case MS_FIELD_NAMES:
    return take_names(value, !field->optional, field->most, ms_header_texts(h, field),
                      (void *)((char *)h + field->count));
  default: /* a string, which stays as it is */
    return json_is_string(value) && ms_result_parse(r, field, (char *)json_string_value(value));
  }
}

/* Reads the fields of a place; returns the first that is missing or wrong, or NULL. */
static const ms_result_field *take_fields(ms_result *r, const json_t *object, ms_result_place place)
{
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *field = &ms_result_fields[i];
    if (!field->key || !ms_result_has_field(&r->header, field, place))
      continue;
    const json_t *owner = field->section ? json_object_get(object, field->section) : object;
    const json_t *value = json_object_get(owner, field->key);
    /* the key "slim" has two rows: a subset's name is a string, a file is an object */
    bool belongs_to_other_row =
        (field->at == offsetof(ms_result_header, coloring.slim) && json_is_object(value)) ||
        (field->at == offsetof(ms_result_header, slim) && json_is_string(value));
    if (field->optional && (!value || belongs_to_other_row))
      continue;
    if (!take_value(r, field, value))
      return field;
  }
  return NULL;
}

/* True if there is a field of that name, or, if `section` is NULL, also a section. */
static bool is_known(const ms_result *r, const char *section, const char *key)
{
  static const char *const frame[] = {"type", "tool", "version", "command", "schema"};
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *field = &ms_result_fields[i];
    const char *name = !section && field->section ? field->section : field->key;
    bool fits = !section || (field->section && strcmp(section, field->section) == 0);
    if (fits && name && strcmp(name, key) == 0 &&
        ms_result_has_field(&r->header, field, MS_IN_HEAD))
      return true;
  }
  for (size_t i = 0; !section && i < sizeof frame / sizeof *frame; i++)
    if (strcmp(frame[i], key) == 0)
      return true;
  return false;
}

/* Refuses unknown keys, also in sections. */
static ms_status check_keys(ms_result *r, const char *section, json_t *object)
{
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value)
  {
    if (!is_known(r, section, key))
      return section ? ms_result_refuse(r, r->first_line,
                                        "the header's \"%s\" has an unexpected key '%.40s'",
                                        section, key)
                     : ms_result_refuse(r, r->first_line,
                                        "the header has an unexpected key '%.40s'", key);
    bool is_section =
        strcmp(key, "graph") == 0 || strcmp(key, "colors") == 0 || strcmp(key, "pattern") == 0;
    if (!section && is_section)
      MS_TRY(check_keys(r, key, value));
  }
  return MS_OK;
}

/* ---- the header --------------------------------------------------------------------- */

static bool has_key(const ms_result *r, const char *section, const char *key)
{
  const json_t *header = r->held[HEADER];
  return json_object_get(section ? json_object_get(header, section) : header, key) != NULL;
}

/* Notes what the first section says of the inputs, or whether a later one says something else. */
static void note_inputs(ms_result *r, json_t *object)
{
  static const char *const sections[] = {"graph", "colors"};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    json_t *inputs = json_object_get(object, sections[i]);
    if (!r->is_later)
      r->inputs[i] = json_incref(inputs);
    r->other_inputs |= !json_equal(inputs, r->inputs[i]);
  }
}

/* The header of a table does not say which columns its rows have, so the first row decides. */
static ms_status choose_layout(ms_result *r, ms_error *err)
{
  char *bytes;
  size_t length;
  MS_TRY(ms_tape_peek_line(r->tape, 0, &bytes, &length, err));
  if (r->header.kind & MS_KINDS_OF_MOTIFS && memmem(bytes, length, "\"seconds\":", 10))
    r->header.layout = MS_WITH_SECONDS;
  if (r->header.kind == MS_KIND_COMPONENTS && memmem(bytes, length, "\"type\":\"component\"", 18))
    r->header.layout = MS_WITH_SIZES;
  return MS_OK;
}

static ms_status header(ms_result *r, ms_error *err)
{
  ms_result_header *h = &r->header;
  char *line;
  uint64_t schema;
  size_t length;
  MS_TRY(ms_tape_next_line(r->tape, &line, &length, err));
  MS_TRY(hold_object(r, HEADER, line && strlen(line) == length ? line : "", err));
  json_t *object = r->held[HEADER];
  if (!json_is_object(object))
    return ms_result_refuse(r, r->first_line, "the header is not a JSON object");
  for (int part = 0; part < MS_PARTS; part++)
    h->line[part] = r->first_line;
  const char *command = ms_result_json_text(object, "command");
  const char *version = ms_result_json_text(object, "version");
  const char *wrong = !has_text(object, "tool", "motifsieve")      ? "tool"
                      : !version || !ms_result_is_version(version) ? "version"
                      : !command                                   ? "command"
                      : !ms_result_json_count(json_object_get(object, "schema"), 1, 1, &schema)
                          ? "schema"
                          : NULL;
  if (wrong)
    return ms_result_refuse(r, r->first_line, "the header's \"%s\" is missing or cannot be read",
                            wrong);
  snprintf(r->version, sizeof r->version, "%.31s", version);
  MS_TRY(ms_result_find_kind(r, command, has_key));
  if (h->kind == MS_KIND_TYPED && has_text(object, "mode", "inexact")) {
    h->has |= MS_HAS_INEXACT | (json_object_get(object, "seed") ? MS_HAS_RANDOM_WALK : 0);
    if (!r->reads_all) /* nothing in an inexact result can be checked */
      return MS_OK;
  }
  const ms_result_field *field = take_fields(r, object, MS_IN_HEAD);
  if (field && field->section)
    return ms_result_refuse(r, r->first_line,
                            "the header's \"%s\" is missing, or its \"%s\" cannot be read",
                            field->section, field->key);
  if (field)
    return ms_result_refuse(r, r->first_line, "the header's \"%s\" is missing or cannot be read",
                            field->key);
  h->k += h->pattern.vertices; /* the k of a pattern is its number of vertices */
  MS_TRY(check_keys(r, NULL, object));
  if (h->has & MS_HAS_SECTIONS)
    note_inputs(r, object);
  return h->kind & MS_KINDS_WITH_LAYOUTS ? choose_layout(r, err) : MS_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

static ms_status take_tail(ms_result *r, const json_t *object, ms_error *err)
{
  uint32_t stated;
  size_t keys = 3; /* the keys of the frame */
  r->at_end = get_crc32c(object, "crc32c", &r->end_crc32c);
  bool counts_here =
      r->header.kind & (MS_KIND_PATTERN | MS_KIND_TYPED) || r->header.has & MS_HAS_SEARCH_ORDER;
  r->header.line[MS_PART_FOUND] = counts_here ? r->tape->line : r->first_line;
  for (size_t i = 0; i < ms_result_field_count; i++)
    keys += ms_result_has_field(&r->header, &ms_result_fields[i], MS_IN_END);
  if (json_object_size(object) != keys || take_fields(r, object, MS_IN_END) ||
      !ms_result_json_count(json_object_get(object, "rows"), 0, INT64_MAX, &r->stated_rows) ||
      !get_crc32c(object, "crc32c", &stated))
    return ms_result_refuse(r, r->tape->line, "the last line cannot be read");
  return ms_result_check_end(r, stated, err);
}

static ms_status take_list(ms_result *r, const json_t *array, ms_error *err)
{
  if (!json_is_array(array))
    return ms_result_refuse(r, r->row.line, "the row lacks its list of names");
  for (size_t i = 0; i < json_array_size(array); i++) {
    const char *name = json_string_value(json_array_get(array, i));
    if (!name)
      return ms_result_refuse(r, r->row.line, "the row lacks a name, or it is no string");
    MS_TRY(ms_result_add_name(r, name, err));
  }
  return MS_OK;
}

/* Reads a pair of vertices, with its path unless only lengths were written. */
static ms_status take_path(ms_result *r, const json_t *object, ms_error *err)
{
  ms_result_path *path = &r->row.path;
  const json_t *length = json_object_get(object, "length");
  uint64_t number = 0;
  r->n_names = 0;
  *path = (ms_result_path){.source = ms_result_json_text(object, "source"),
                           .target = ms_result_json_text(object, "target"),
                           .found = !json_is_null(length),
                           .lines = 1,
                           .has_steps = json_object_get(object, "vertices") != NULL};
  if (json_object_size(object) != (path->has_steps ? 7 : 5) || !path->source || !path->target ||
      !ms_result_json_count(json_object_get(object, "pair"), 1, INT64_MAX, &path->pair) ||
      (path->found && !ms_result_json_count(length, 0, UINT32_MAX - 1, &number)) ||
      (path->has_steps && !path->found))
    return ms_result_refuse(r, r->row.line, "the row lacks a key, or has one too many");
  path->length = (uint32_t)number;
  if (!path->has_steps)
    return MS_OK;
  MS_TRY(take_list(r, json_object_get(object, "vertices"), err));
  uint32_t vertices = r->n_names;
  MS_TRY(take_list(r, json_object_get(object, "types"), err));
  return ms_result_split_path(r, vertices);
}

static ms_status row(ms_result *r, bool *more, ms_error *err)
{
  const char *wanted = r->columns.kind->type;
  char *line;
  MS_TRY(ms_result_take_line(r, &line, err));
  MS_TRY(hold_object(r, ROW, line, err));
  json_t *object = r->held[ROW];
  const char *type = ms_result_json_text(object, "type");
  if (!type)
    return ms_result_refuse(r, r->row.line, "the line is not a JSON object of type \"%s\"",
                            wanted ? wanted : "end");
  if (strcmp(type, "end") == 0)
    return take_tail(r, object, err);
  *more = true;
  if (r->header.kind == MS_KIND_CHANCE)
    return ms_result_refuse(r, r->row.line, "permutations of one motif have no rows");
  if (strcmp(type, wanted) != 0)
    return ms_result_refuse(r, r->row.line, "the line is of type '%.40s', not \"%s\"", type,
                            wanted);
  if (r->header.has & MS_HAS_SECTIONS && !has_text(object, "name", r->header.name))
    return ms_result_refuse(r, r->row.line, "the row is not one of the motif '%.100s'",
                            r->header.name);
  return r->header.kind == MS_KIND_PATH ? take_path(r, object, err)
                                        : ms_result_take_object(r, object, err);
}

/* True if this is the last line.  Its keys may be in any order. */
static bool is_end(const char *line, uint32_t *crc32c)
{
  bool memory;
  json_t *object = strstr(line, "\"crc32c\"") ? parse_object(line, &memory) : NULL;
  bool ok = has_text(object, "type", "end") && get_crc32c(object, "crc32c", crc32c);
  json_decref(object);
  return ok;
}

static ms_status drain(ms_result *r, ms_error *err)
{
  return ms_result_drain_lines(r, is_end, err);
}

const ms_result_format ms_result_json = {"{\"type\":\"header\",", header, row, drain};
