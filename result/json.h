/* Writes JSON, object by object. */
#ifndef MS_RESULT_JSON_H
#define MS_RESULT_JSON_H

#include "base/file/outfile.h"
#include "result/header.h"

#include <jansson.h>

/* Checks that the header can be written as JSON; must be called before anything is written, because
 * jansson allocates through base/alloc.h from then on.  MS_ERR_INPUT: a path or text in the header
 * is not UTF-8, which JSON needs; `option` is the option that asked for JSON. */
ms_status ms_json_check(const ms_result_header *header, const char *option, ms_error *err);

/* Writes and releases `object`, then writes `after`.  NULL means that the object could not be made;
 * as after any failure, part of a line may then remain. */
ms_status ms_json_put(ms_outfile *out, json_t *object, const char *after, ms_error *err);

/* Adds the value to the array, and releases it.  If either is NULL or memory ran out, *array is
 * released and becomes NULL. */
void ms_json_append(json_t **array, json_t *value);

/* Adds the value to the object, and releases it.  If either is NULL or memory ran out, releases the
 * object.  Returns the object or NULL. */
json_t *ms_json_add(json_t *object, const char *key, json_t *value);
/* Adds a text in the same way, or nothing if the text is NULL.  (json_pack's "s*" takes a failed
 * allocation for such a NULL.) */
json_t *ms_json_add_text(json_t *object, const char *key, const char *text);

/* Returns a string of eight hexadecimal digits. */
json_t *ms_json_of_crc32c(uint32_t crc32c);
/* Returns an array of strings; NULL if memory ran out. */
json_t *ms_json_of_names(uint32_t count, const char *const *names);
/* Returns the names of v's colours; NULL if memory ran out. */
json_t *ms_json_of_colors(const ms_coloring *coloring, uint32_t v);
/* Adds the fields of the header at this place to the object; returns the object or NULL. */
json_t *ms_json_of_fields(json_t *object, const ms_result_header *header, ms_result_place place);

#endif
