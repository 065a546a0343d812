/* Result files in JSON lines.  One object a line; keys that the format does
 * not know are refused, so that nothing unchecked passes as checked.
 *
 * jansson allocates by itself: its hooks are process-wide and belong to the
 * program, not to a library. */
#include "verify/result_json.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

enum { HEADER, ROW }; /* result->held: the objects that strings point into */

json_t *ms_parse_json_line(const char *line)
{
  return json_loads(line, JSON_REJECT_DUPLICATES, NULL);
}

bool ms_get_text(const json_t *object, const char *key, const char **value)
{
  *value = json_string_value(json_object_get(object, key));
  return *value != NULL;
}

bool ms_get_count(const json_t *object, const char *key, uint64_t most, uint64_t *value)
{
  const json_t *got = json_object_get(object, key);
  if (!json_is_integer(got) || json_integer_value(got) < 0 ||
      (uint64_t)json_integer_value(got) > most) {
    return false;
  }
  *value = (uint64_t)json_integer_value(got);
  return true;
}

bool ms_get_uint32(const json_t *object, const char *key, uint32_t *value)
{
  uint64_t wide = 0;
  bool ok = ms_get_count(object, key, UINT32_MAX, &wide);
  *value = (uint32_t)wide;
  return ok;
}

bool ms_get_truth(const json_t *object, const char *key, bool *value)
{
  const json_t *got = json_object_get(object, key);
  *value = json_is_true(got);
  return json_is_boolean(got);
}

bool ms_get_crc32c(const json_t *object, const char *key, uint32_t *value)
{
  const char *text;
  return ms_get_text(object, key, &text) && ms_take_crc32c(&text, value) && !*text;
}

/* A number >= 0, as the double that it is. */
static bool get_bound(const json_t *object, const char *key, mpq_t value)
{
  const json_t *got = json_object_get(object, key);
  if (!json_is_number(got) || json_number_value(got) < 0) {
    return false;
  }
  mpq_set_d(value, json_number_value(got));
  return true;
}

bool ms_has_only_keys(json_t *object, const char *known, const char **unknown)
{
  json_t *value;
  json_object_foreach(object, *unknown, value)
  {
    size_t length = strlen(*unknown);
    const char *at = strchr(*unknown, ' ') ? "" : known;
    while (*at && (strncmp(at, *unknown, length) != 0 || at[length] != ' ')) {
      at += strcspn(at, " ") + 1;
    }
    if (!*at) {
      return false;
    }
  }
  return true;
}

bool ms_get_setting(const json_t *object, const char *key, const char **value)
{
  *value = NULL;
  return !json_object_get(object, key) || (ms_get_text(object, key, value) && **value);
}

bool ms_get_file(const json_t *object, const char *key, ms_result_file *file)
{
  const json_t *got = json_object_get(object, key);
  return !got || (json_object_size(got) == 2 && ms_get_text(got, "path", &file->path) &&
                  ms_get_crc32c(got, "crc32c", &file->crc32c));
}

bool ms_get_directed(const json_t *graph, bool *directed)
{
  *directed = json_object_get(graph, "directed") != NULL;
  return !*directed || json_is_true(json_object_get(graph, "directed"));
}

bool ms_read_json_graph(ms_result_header *h, json_t *graph)
{
  const char *text;
  const json_t *score = json_object_get(graph, "min_score");
  h->graph.min_score = json_number_value(score);
  return ms_get_text(graph, "path", &text) && ms_get_crc32c(graph, "crc32c", &h->graph_crc32c) &&
         ms_get_uint32(graph, "vertices", &h->vertices) &&
         ms_get_count(graph, "edges", INT64_MAX, &h->edges) &&
         ms_get_text(graph, "format", &text) && ms_graph_format_find(text, &h->graph.format) &&
         json_is_number(score) && ms_get_truth(graph, "keep_taxon", &h->graph.keep_taxon) &&
         ms_get_truth(graph, "header", &h->graph.header) &&
         ms_get_setting(graph, "taxon", &h->graph.taxon) &&
         ms_get_setting(graph, "system", &h->graph.system) &&
         ms_get_setting(graph, "names", &h->graph.names) &&
         ms_get_file(graph, "alias", &h->alias) && ms_get_directed(graph, &h->graph.directed) &&
         ms_has_only_keys(
             graph,
             "path crc32c vertices edges format min_score keep_taxon header taxon system "
             "names alias directed ",
             &text);
}

/* A subset's name, or a file. */
static bool read_slim(ms_result_header *h, const json_t *colors)
{
  return json_is_object(json_object_get(colors, "slim"))
             ? ms_get_file(colors, "slim", &h->slim)
             : ms_get_setting(colors, "slim", &h->coloring.slim);
}

bool ms_read_json_colors(ms_result_header *h, json_t *colors)
{
  const char *text;
  return ms_get_text(colors, "path", &h->colors_path) &&
         ms_get_crc32c(colors, "crc32c", &h->colors_crc32c) &&
         ms_get_uint32(colors, "colors", &h->colors) &&
         ms_get_count(colors, "assignments", INT64_MAX, &h->assignments) &&
         ms_get_text(colors, "format", &text) && ms_color_format_find(text, &h->coloring.format) &&
         ms_get_text(colors, "aspects", &text) && ms_read_aspects(text, h) &&
         ms_get_truth(colors, "header", &h->coloring.header) &&
         ms_get_setting(colors, "name_column", &h->coloring.name_column) &&
         ms_get_setting(colors, "color_column", &h->coloring.color_column) &&
         ms_get_file(colors, "obo", &h->obo) && read_slim(h, colors) &&
         ms_has_only_keys(colors,
                          "path crc32c colors assignments format aspects header name_column "
                          "color_column obo slim ",
                          &text);
}

const char *ms_read_json_tool(const json_t *object, const char *command)
{
  const char *text;
  uint64_t schema;
  if (!ms_get_text(object, "tool", &text) || strcmp(text, "motifsieve") != 0) {
    return "tool";
  }
  if (!ms_get_text(object, "version", &text)) {
    return "version";
  }
  if (!ms_get_text(object, "command", &text) || strcmp(text, command) != 0) {
    return "command";
  }
  return ms_get_count(object, "schema", 1, &schema) && schema == 1 ? NULL : "schema";
}

static bool read_required(ms_result_header *h, const json_t *required)
{
  size_t count = json_array_size(required);
  if (!required) {
    return true;
  }
  if (!json_is_array(required) || count > MS_MAX_K) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    h->required[i] = json_string_value(json_array_get(required, i));
    if (!h->required[i]) {
      return false;
    }
  }
  h->n_required = (uint32_t)count;
  return true;
}

const char *ms_read_json_sieve(ms_result_header *h, const json_t *object)
{
  const char *text;
  if (!ms_get_text(object, "mode", &text)) {
    return "mode";
  }
  h->exact = strcmp(text, "exact") == 0;
  if (h->exact) {
    return NULL;
  }
  if (strcmp(text, "screened") != 0) {
    return "mode";
  }
  if (!ms_get_text(object, "recurrence", &text) ||
      (strcmp(text, "sibling") != 0 && strcmp(text, "classic") != 0)) {
    return "recurrence";
  }
  if (!ms_get_count(object, "seed", INT64_MAX, &h->seed)) {
    return "seed";
  }
  if (!ms_get_uint32(object, "repetitions", &h->repetitions) ||
      !ms_get_uint32(object, "repetitions_planned", &h->repetitions_planned) ||
      h->repetitions > h->repetitions_planned) {
    return "repetitions";
  }
  if (!get_bound(object, "miss_bound", h->bound) ||
      !ms_get_text(object, "miss_bound_formula", &h->formula)) {
    return "miss_bound";
  }
  return get_bound(object, "miss_bound_union", h->bound_union) ? NULL : "miss_bound_union";
}

/* What is wrong with the header's keys, or NULL. */
static const char *read_header(ms_result_header *h, json_t *object)
{
  const char *text;
  h->is_screen = ms_get_text(object, "command", &text) && strcmp(text, "screen") == 0;
  const char *wrong = ms_read_json_tool(object, h->is_screen ? "screen" : "list");
  if (wrong) {
    return wrong;
  }
  if (!ms_read_json_graph(h, json_object_get(object, "graph"))) {
    return "graph";
  }
  if (!ms_read_json_colors(h, json_object_get(object, "colors"))) {
    return "colors";
  }
  if (!ms_get_text(object, "motif", &h->motif)) {
    return "motif";
  }
  if (!ms_get_uint32(object, "k", &h->k)) {
    return "k";
  }
  if (!read_required(h, json_object_get(object, "required"))) {
    return "required";
  }
  if (!ms_get_text(object, "status", &text) || !ms_read_status(text, &h->complete)) {
    return "status";
  }
  const json_t *rows = json_object_get(object, "rows");
  h->all_rows = rows != NULL;
  if (rows &&
      (!h->is_screen || !json_is_string(rows) || strcmp(json_string_value(rows), "all") != 0)) {
    return "rows";
  }
  const char *found = h->is_screen ? "flagged" : "matches";
  if (!ms_get_count(object, found, INT64_MAX, &h->found)) {
    return found;
  }
  return ms_read_json_sieve(h, object);
}

/* The keys that a header of this mode and command may have. */
static bool has_known_keys(const ms_result_header *h, json_t *object, const char **unknown)
{
  char known[256];
  snprintf(known, sizeof known, "%s%s%s",
           "type tool version command schema graph colors motif k required mode status ",
           h->exact ? ""
                    : "recurrence seed repetitions repetitions_planned miss_bound "
                      "miss_bound_formula miss_bound_union ",
           h->is_screen ? "rows flagged " : "matches ");
  return ms_has_only_keys(object, known, unknown);
}

static ms_status json_header(ms_result *result, ms_error *err)
{
  const char *line = ms_result_next_line(result), *unknown;
  json_t *object = line ? ms_parse_json_line(line) : NULL;
  (void)err;
  result->held[HEADER] = object;
  if (!json_is_object(object)) {
    return ms_result_refuse(result, 1, "the header is no JSON object");
  }
  const char *wrong = read_header(&result->header, object);
  if (wrong) {
    return ms_result_refuse(result, 1, "the header's \"%s\" is missing or cannot be read", wrong);
  }
  if (!has_known_keys(&result->header, object, &unknown)) {
    return ms_result_refuse(result, 1, "the header has an unexpected key '%.40s'", unknown);
  }
  for (int part = 0; part < MS_PARTS; part++) {
    result->header.line[part] = 1;
  }
  return MS_OK;
}

static ms_status read_names(ms_result *result, const json_t *array, ms_error *err)
{
  if (!json_is_array(array)) {
    return ms_result_refuse(result, result->line, "the row lacks its list of names");
  }
  for (size_t i = 0; i < json_array_size(array); i++) {
    const char *name = json_string_value(json_array_get(array, i));
    if (!name) {
      return ms_result_refuse(result, result->line, "a name is no string");
    }
    ms_status status = ms_result_add_name(result, name, err);
    if (status != MS_OK) {
      return status;
    }
  }
  return MS_OK;
}

static ms_status json_row(ms_result *result, char *line, ms_error *err)
{
  ms_result_row *row = &result->row;
  bool is_screen = result->header.is_screen;
  const char *type;
  json_decref(result->held[ROW]);
  json_t *object = ms_parse_json_line(line);
  result->held[ROW] = object;
  if (!json_is_object(object) || !ms_get_text(object, "type", &type) ||
      strcmp(type, is_screen ? "vertex" : "match") != 0) {
    return ms_result_refuse(result, row->line, "the line is no JSON object of type \"%s\"",
                            is_screen ? "vertex" : "match");
  }
  bool ok =
      is_screen
          ? json_object_size(object) == 5 && ms_get_text(object, "vertex", &row->vertex) &&
                ms_get_truth(object, "flagged", &row->flagged) &&
                ms_get_count(object, "repetitions", INT64_MAX, &row->repetitions)
          : json_object_size(object) == 3 && ms_get_count(object, "match", INT64_MAX, &row->number);
  if (!ok) {
    return ms_result_refuse(result, row->line, "the row lacks a key, or has one too many");
  }
  return read_names(result, json_object_get(object, is_screen ? "colors" : "vertices"), err);
}

static bool json_end(const char *line, uint64_t *rows, uint32_t *crc32c)
{
  const char *type;
  json_t *object = ms_parse_json_line(line);
  bool ok = json_is_object(object) && json_object_size(object) == 3 &&
            ms_get_text(object, "type", &type) && strcmp(type, "end") == 0 &&
            ms_get_count(object, "rows", INT64_MAX, rows) &&
            ms_get_crc32c(object, "crc32c", crc32c);
  json_decref(object);
  return ok;
}

static void json_release(ms_result *result)
{
  json_decref(result->held[HEADER]);
  json_decref(result->held[ROW]);
}

const ms_result_format ms_result_json = {json_header, json_row, json_end, json_release};
