/* Inside verify/: what all results in JSON lines share. */
#ifndef MS_VERIFY_RESULT_JSON_H
#define MS_VERIFY_RESULT_JSON_H

#include "verify/result.h"

#include <jansson.h>

/* The object of a line, or NULL; keys that come twice are refused. */
json_t *ms_json_line(const char *line);

/* A getter for each type; false if the key is missing or of another type. */
bool ms_json_text(const json_t *object, const char *key, const char **value);
bool ms_json_count(const json_t *object, const char *key, uint64_t most, uint64_t *value);
bool ms_json_uint32(const json_t *object, const char *key, uint32_t *value);
bool ms_json_truth(const json_t *object, const char *key, bool *value);
bool ms_json_crc32c(const json_t *object, const char *key, uint32_t *value);
/* A file {"path":..,"crc32c":".."} that may be absent. */
bool ms_json_file(const json_t *object, const char *key, ms_result_file *file);

/* Is every key of the object among the words of `known` (each followed by a blank)? */
bool ms_json_only_known(json_t *object, const char *known, const char **unknown);

/* Parts of a header.  ms_json_sieve: what is wrong with the keys, or NULL. */
bool ms_json_graph(ms_result_header *h, json_t *graph);
bool ms_json_colors(ms_result_header *h, json_t *colors);
const char *ms_json_sieve(ms_result_header *h, const json_t *object);

#endif
