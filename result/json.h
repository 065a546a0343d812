/* JSON, written object by object. */
#ifndef MS_RESULT_JSON_H
#define MS_RESULT_JSON_H

#include "base/outfile.h"
#include "cli/job.h"

#include <jansson.h>

/* Before anything is written: jansson allocates through base/alloc.h from here
 * on, and MS_ERR_INPUT for a path that is not UTF-8, which JSON needs.
 * `coloring` may be NULL; `option` asked for JSON. */
ms_status ms_json_begin(const ms_cli_options *options, const ms_graph *graph,
                        const ms_coloring *coloring, const char *option, ms_error *err);

/* The same for any texts[count] that go into JSON; some may be NULL. */
ms_status ms_json_begin_with(const char *const *texts, size_t count, const char *option,
                             ms_error *err);
/* The same for a typed graph. */
ms_status ms_json_begin_typed(const ms_cli_options *options, const ms_typed *graph,
                              const char *option, ms_error *err);

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
/* The names of the vertices, or of v's colours; NULL when out of memory. */
json_t *ms_json_of_vertices(const ms_graph *graph, uint32_t count, const uint32_t *set);
json_t *ms_json_of_colors(const ms_coloring *coloring, uint32_t v);

/* Parts of a header, NULL when out of memory: the graph and how it was read,
 * the colours, what tells of the sieve (NULL: none), and {"path":..,
 * "crc32c":..}, which is added where there is a path. */
json_t *ms_json_of_graph(const ms_job *job);
json_t *ms_json_of_typed_graph(const ms_typed *graph, const ms_typed_options *reading);
json_t *ms_json_of_coloring(const ms_job *job);
json_t *ms_json_of_sieve(const ms_job *job, const ms_screen_result *screen);
json_t *ms_json_add_file(json_t *object, const char *key, const char *path, uint32_t crc32c);

#endif
