#include "result/json.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/names.h"
#include "result/typed_writer.h"

#include <inttypes.h>
#include <stdio.h>

static void *json_alloc(size_t bytes)
{
  return ms_alloc(bytes, 1);
}

/* JSON can only hold UTF-8.  The readers see to it for names, not for paths. */
static ms_status check_text(const char *text, const char *option, ms_error *err)
{
  if (!text || ms_is_utf8(text))
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: the path is not UTF-8, which JSON needs; leave out %s or rename the file",
                 text, option);
}

/* Looked at before the first byte goes out, so that a refusal leaves nothing
 * behind. */
ms_status ms_json_begin_with(const char *const *texts, size_t count, const char *option,
                             ms_error *err)
{
  ms_status status = MS_OK;
  json_set_alloc_funcs(json_alloc, ms_free);
  for (size_t i = 0; i < count && status == MS_OK; i++)
    status = check_text(texts[i], option, err);
  return status;
}

ms_status ms_json_begin(const ms_cli_options *options, const ms_graph *graph,
                        const ms_coloring *coloring, const char *option, ms_error *err)
{
  const char *const paths[] = {ms_graph_describe(graph).path,
                               ms_graph_describe(graph).alias_path,
                               coloring ? ms_coloring_describe(coloring).path : NULL,
                               options->coloring.obo,
                               options->coloring.slim,
                               options->pattern.path,
                               options->pattern.colors};
  return ms_json_begin_with(paths, sizeof paths / sizeof *paths, option, err);
}

ms_status ms_json_begin_typed(const ms_cli_options *options, const ms_typed *graph,
                              const char *option, ms_error *err)
{
  ms_typed_setting setting[MS_TYPED_COLUMNS];
  const char *text[6 + MS_TYPED_COLUMNS] = {ms_typed_describe(graph).path, options->typed.nodes,
                                            options->typed.relations,      options->pattern.path,
                                            options->path.pairs,           options->path.types};
  ms_typed_settings(&options->typed, setting);
  for (int i = 0; i < MS_TYPED_COLUMNS; i++)
    text[6 + i] = setting[i].value;
  return ms_json_begin_with(text, sizeof text / sizeof *text, option, err);
}

static int write_chunk(const char *bytes, size_t size, void *out)
{
  ms_outfile_write(out, bytes, size);
  return 0; /* errors of the output stick to it */
}

ms_status ms_json_put(ms_outfile *out, json_t *object, const char *after, ms_error *err)
{
  /* not json_dumps: jansson 2.14 passes over some failures of its buffer to
   * grow, and what should be in it is then missing without a word */
  int failed = object ? json_dump_callback(object, write_chunk, out, JSON_COMPACT) : -1;
  json_decref(object);
  if (failed)
    return ms_fail_memory(err, "a line of JSON");
  ms_outfile_puts(out, after);
  return MS_OK;
}

json_t *ms_json_add(json_t *object, const char *key, json_t *value)
{
  if (json_object_set_new(object, key, value) == 0)
    return object;
  json_decref(object);
  return NULL;
}

json_t *ms_json_add_text(json_t *object, const char *key, const char *text)
{
  return text ? ms_json_add(object, key, json_string(text)) : object;
}

void ms_json_append(json_t **array, json_t *value)
{
  if (*array && json_array_append_new(*array, value) == 0)
    return;
  if (!*array)
    json_decref(value);
  json_decref(*array);
  *array = NULL;
}

json_t *ms_json_of_crc32c(uint32_t crc32c)
{
  char text[9];
  snprintf(text, sizeof text, "%08" PRIx32, crc32c);
  return json_string(text);
}

json_t *ms_json_of_vertices(const ms_graph *graph, uint32_t count, const uint32_t *set)
{
  json_t *names = json_array();
  for (uint32_t i = 0; i < count; i++)
    ms_json_append(&names, json_string(ms_graph_name(graph, set[i])));
  return names;
}

json_t *ms_json_of_colors(const ms_coloring *coloring, uint32_t v)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(coloring, v, &count);
  json_t *names = json_array();
  for (uint32_t i = 0; i < count; i++)
    ms_json_append(&names, json_string(ms_coloring_name(coloring, colors[i])));
  return names;
}
