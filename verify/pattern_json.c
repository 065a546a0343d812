/* Pattern matches in JSON lines. */
#include "verify/pattern_file.h"
#include "verify/result_json.h"

#include <string.h>

enum { HEADER, ROW }; /* result->held: the objects that names point into */

static bool read_pattern(ms_result_pattern *pattern, json_t *object)
{
  const char *text;
  const json_t *names = json_object_get(object, "names");
  bool is_file = json_object_get(object, "path") != NULL;
  bool ok = ms_get_uint32(object, "vertices", &pattern->vertices) && pattern->vertices > 0 &&
            pattern->vertices <= MS_MAX_PATTERN &&
            ms_get_count(object, "edges", INT64_MAX, &pattern->edges) &&
            json_array_size(names) == pattern->vertices;
  if (ok && is_file) {
    ok = ms_get_text(object, "path", &pattern->file.path) &&
         ms_get_crc32c(object, "crc32c", &pattern->file.crc32c) &&
         ms_get_text(object, "format", &text) && ms_graph_format_find(text, &pattern->format);
  } else if (ok) {
    ok = ms_get_text(object, "name", &pattern->name);
  }
  for (uint32_t i = 0; ok && i < pattern->vertices; i++) {
    pattern->names[i] = json_string_value(json_array_get(names, i));
    ok = pattern->names[i] != NULL;
  }
  return ok && ms_has_only_keys(object,
                                is_file ? "path crc32c vertices edges format names "
                                        : "name vertices edges names ",
                                &text);
}

/* What is wrong with the header's keys, or NULL. */
static const char *read_header(ms_result_header *h, json_t *object)
{
  ms_result_pattern *pattern = &h->pattern;
  const char *text, *wrong = ms_read_json_tool(object, "list");
  json_t *colors = json_object_get(object, "colors");
  if (wrong) {
    return wrong;
  }
  if (!ms_read_json_graph(h, json_object_get(object, "graph"))) {
    return "graph";
  }
  if (colors && !ms_read_json_colors(h, colors)) {
    return "colors";
  }
  if (!read_pattern(pattern, json_object_get(object, "pattern"))) {
    return "pattern";
  }
  h->k = pattern->vertices;
  if (!ms_get_file(object, "pattern_colors", &pattern->colors)) {
    return "pattern_colors";
  }
  if (!ms_get_text(object, "semantics", &text) ||
      (strcmp(text, "subgraphs") != 0 && strcmp(text, "embeddings") != 0)) {
    return "semantics";
  }
  pattern->embeddings = strcmp(text, "embeddings") == 0;
  if (!ms_get_truth(object, "induced", &pattern->induced)) {
    return "induced";
  }
  if (!ms_get_text(object, "automorphisms", &pattern->automorphisms)) {
    return "automorphisms";
  }
  bool has_engine = json_object_get(object, "engine") || json_object_get(object, "ordered");
  bool ordered = true;
  if (has_engine && (!ms_get_text(object, "engine", &text) ||
                     !ms_get_truth(object, "ordered", &ordered) || ordered)) {
    return "engine";
  }
  return ms_read_json_sieve(h, object);
}

static ms_status json_header(ms_pattern_file *file, ms_error *err)
{
  static const char exact[] = "type tool version command schema graph colors pattern "
                              "pattern_colors semantics induced automorphisms engine ordered "
                              "mode ";
  static const char screened[] = "type tool version command schema graph colors pattern "
                                 "pattern_colors semantics induced automorphisms engine ordered "
                                 "mode recurrence seed repetitions repetitions_planned miss_bound "
                                 "miss_bound_formula miss_bound_union ";
  static const char typed[] = "type tool version command schema graph colors pattern semantics "
                              "automorphisms mode ";
  ms_result *result = file->result;
  ms_result_header *h = &result->header;
  char *line;
  size_t length;
  const char *unknown;
  ms_status status = ms_tape_next_line(file->tape, &line, &length, err);
  if (status != MS_OK) {
    return status;
  }
  json_t *object = line && strlen(line) == length ? ms_parse_json_line(line) : NULL;
  result->held[HEADER] = object;
  if (!json_is_object(object)) {
    return ms_result_refuse(result, 1, "the header is no JSON object");
  }
  h->is_pattern = true;
  for (int part = 0; part < MS_PARTS; part++) {
    h->line[part] = 1;
  }
  const char *wrong = h->is_typed ? ms_read_json_typed(h, object) : read_header(h, object);
  if (wrong) {
    return ms_result_refuse(result, 1, "the header's \"%s\" is missing or cannot be read", wrong);
  }
  if (h->typed.inexact) {
    return MS_OK;
  }
  if (!ms_has_only_keys(object, h->is_typed ? typed : h->exact ? exact : screened, &unknown)) {
    return ms_result_refuse(result, 1, "the header has an unexpected key '%.40s'", unknown);
  }
  file->p = h->pattern.vertices;
  return MS_OK;
}

/* A number as a string. */
static bool read_number(const json_t *object, const char *key, uint64_t *value)
{
  const char *text;
  return ms_get_text(object, key, &text) && ms_take_count(&text, UINT64_MAX, value) && !*text;
}

static bool read_end(ms_pattern_file *file, const json_t *object, uint32_t *crc32c)
{
  const char *type, *word;
  return json_object_size(object) == 5 && ms_get_text(object, "type", &type) &&
         strcmp(type, "end") == 0 && ms_get_text(object, "status", &word) &&
         ms_read_status(word, &file->complete) &&
         read_number(object, "matches", &file->stated_matches) &&
         ms_get_count(object, "rows", INT64_MAX, &file->stated_rows) &&
         ms_get_crc32c(object, "crc32c", crc32c);
}

static ms_status read_tail(ms_pattern_file *file, const json_t *object, ms_error *err)
{
  uint32_t stated;
  char *bytes;
  size_t left;
  file->at_end = ms_get_crc32c(object, "crc32c", &file->end_crc32c);
  file->result->header.line[MS_PART_FOUND] = file->line;
  if (!read_end(file, object, &stated)) {
    return ms_result_refuse(file->result, file->line, "the last line cannot be read");
  }
  ms_status status = ms_tape_look(file->tape, 1, &bytes, &left, err);
  if (status != MS_OK) {
    return status;
  }
  return left > 0 ? ms_result_refuse(file->result, file->line + 1, "lines follow the last one")
                  : ms_pattern_check_crc32c(file, file->tape->before_line, stated);
}

static ms_status read_names(ms_pattern_file *file, const json_t *array)
{
  bool ok = json_is_array(array);
  if (ok && json_array_size(array) != file->p) {
    return ms_result_refuse(file->result, file->line, "the match has %zu vertices, not %u",
                            json_array_size(array), file->p);
  }
  for (uint32_t i = 0; ok && i < file->p; i++) {
    file->names[i] = json_string_value(json_array_get(array, i));
    ok = file->names[i] != NULL;
  }
  return ok ? MS_OK : ms_result_refuse(file->result, file->line, "the row lacks its list of names");
}

static ms_status json_row(ms_pattern_file *file, bool *more, ms_error *err)
{
  ms_result *result = file->result;
  char *line;
  size_t length;
  const char *type;
  *more = false;
  ms_status status = ms_tape_next_line(file->tape, &line, &length, err);
  if (status != MS_OK) {
    return status;
  }
  if (!line || file->tape->cut) {
    return ms_pattern_refuse_cut(file);
  }
  file->line = file->tape->line;
  json_decref(result->held[ROW]);
  json_t *object = strlen(line) == length ? ms_parse_json_line(line) : NULL;
  result->held[ROW] = object;
  if (!json_is_object(object) || !ms_get_text(object, "type", &type)) {
    return ms_result_refuse(result, file->line, "the line is no JSON object with a type");
  }
  if (strcmp(type, "end") == 0) {
    return read_tail(file, object, err);
  }
  *more = true;
  if (strcmp(type, "match") != 0) {
    return ms_result_refuse(result, file->line, "the line is of type '%.40s', not \"match\"", type);
  }
  if (json_object_size(object) != 3 || !ms_get_count(object, "match", INT64_MAX, &file->number)) {
    return ms_result_refuse(result, file->line, "the row lacks a key, or has one too many");
  }
  return read_names(file, json_object_get(object, "vertices"));
}

/* Is this the last line?  Its keys may be in any order. */
static bool is_end(const char *line, uint32_t *crc32c)
{
  const char *type;
  json_t *object = strstr(line, "\"crc32c\"") ? ms_parse_json_line(line) : NULL;
  bool ok = ms_get_text(object, "type", &type) && strcmp(type, "end") == 0 &&
            ms_get_crc32c(object, "crc32c", crc32c);
  json_decref(object);
  return ok;
}

static ms_status json_drain(ms_pattern_file *file, ms_error *err)
{
  uint32_t stated = file->end_crc32c;
  bool ended = file->at_end;
  char *line;
  size_t length;
  ms_status status = ms_tape_next_line(file->tape, &line, &length, err);
  while (status == MS_OK && line) {
    ended = is_end(line, &stated) && !file->tape->cut;
    status = ms_tape_next_line(file->tape, &line, &length, err);
  }
  if (status != MS_OK) {
    return status;
  }
  return ended ? ms_pattern_check_crc32c(file, file->tape->before_line, stated)
               : ms_pattern_refuse_cut(file);
}

static void json_release(ms_pattern_file *file)
{
  json_decref(file->result->held[HEADER]);
  json_decref(file->result->held[ROW]);
}

const ms_pattern_format ms_pattern_file_json = {false, json_header, json_row, json_drain,
                                                json_release};
