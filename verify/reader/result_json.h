/* Inside verify/: what the readers of rows in JSON lines share. */
#ifndef MS_VERIFY_RESULT_JSON_H
#define MS_VERIFY_RESULT_JSON_H

#include "graph/io/json.h"
#include "verify/reader/result.h"

/* Returns the text of a key, which lives as long as the object; NULL: there is none. */
static inline const char *ms_result_json_text(const json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

/* Sets *count to a whole number; false if the value is none from `least` to `most`. */
static inline bool ms_result_json_count(const json_t *value, uint64_t least, uint64_t most,
                                        uint64_t *count)
{
  *count = json_is_integer(value) ? (uint64_t)json_integer_value(value) : UINT64_MAX;
  return *count >= least && *count <= most && *count <= INT64_MAX;
}

#endif
