/* Inside verify/: what all results in JSON lines share. */
#ifndef MS_VERIFY_RESULT_JSON_H
#define MS_VERIFY_RESULT_JSON_H

#include "verify/result.h"

#include <jansson.h>

/* The object of a line, or NULL; keys that come twice are refused. */
json_t *ms_parse_json_line(const char *line);

/* A getter for each type; false if the key is missing or of another type. */
bool ms_get_text(const json_t *object, const char *key, const char **value);
bool ms_get_count(const json_t *object, const char *key, uint64_t most, uint64_t *value);
bool ms_get_uint32(const json_t *object, const char *key, uint32_t *value);
bool ms_get_truth(const json_t *object, const char *key, bool *value);
bool ms_get_crc32c(const json_t *object, const char *key, uint32_t *value);
/* A text that may be absent, but not empty. */
bool ms_get_setting(const json_t *object, const char *key, const char **value);
/* "directed":true, or not there. */
bool ms_get_directed(const json_t *graph, bool *directed);
/* A file {"path":..,"crc32c":".."} that may be absent. */
bool ms_get_file(const json_t *object, const char *key, ms_result_file *file);

/* Is every key of the object among the words of `known` (each followed by a blank)? */
bool ms_has_only_keys(json_t *object, const char *known, const char **unknown);

/* What is wrong with the first keys of a header of this command, or NULL. */
const char *ms_read_json_tool(const json_t *object, const char *command);
/* Parts of a header.  ms_read_json_sieve: what is wrong with the keys, or NULL. */
bool ms_read_json_graph(ms_result_header *h, json_t *graph);
bool ms_read_json_colors(ms_result_header *h, json_t *colors);
const char *ms_read_json_sieve(ms_result_header *h, const json_t *object);
/* The header of typed matches: what is wrong with its keys, or NULL. */
const char *ms_read_json_typed(ms_result_header *h, json_t *object);

#endif
