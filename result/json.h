/* JSON, written object by object. */
#ifndef MS_RESULT_JSON_H
#define MS_RESULT_JSON_H

#include "base/outfile.h"
#include "result/header.h"

#include <jansson.h>

/* To be called before anything is written: jansson allocates through base/alloc.h from then on.
 * MS_ERR_INPUT for a path or text in the header that is not UTF-8, which JSON needs; `option` asked
 * for JSON. */
ms_status ms_json_check(const ms_result_header *header, const char *option, ms_error *err);

/* Write and release `object`, then write `after`; NULL means that it could not
 * be made, and leaves part of a line behind, as any failure may. */
ms_status ms_json_put(ms_outfile *out, json_t *object, const char *after, ms_error *err);

/* Add value to the array, and release it; where either is NULL or memory ran
 * out, *array is released and becomes NULL. */
void ms_json_append(json_t **array, json_t *value);

/* Add value to the object, and release it, or the object where either is NULL
 * or memory ran out; the object or NULL. */
json_t *ms_json_add(json_t *object, const char *key, json_t *value);
/* The same with a text, and nothing where that is NULL.  (json_pack's "s*"
 * takes a failed allocation for such a NULL.) */
json_t *ms_json_add_text(json_t *object, const char *key, const char *text);

/* Eight hexadecimal digits. */
json_t *ms_json_of_crc32c(uint32_t crc32c);
/* Strings; NULL when out of memory. */
json_t *ms_json_of_names(uint32_t count, const char *const *names);
/* The names of v's colours; NULL when out of memory. */
json_t *ms_json_of_colors(const ms_coloring *coloring, uint32_t v);
/* The fields of the header that stand in that place, added to the object; that or NULL. */
json_t *ms_json_of_fields(json_t *object, const ms_result_header *header, ms_result_place place);

#endif
