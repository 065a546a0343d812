#include "result/json.h"

#include "base/status.h"
#include "base/text/utf8.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- texts ----------------------------------------------------------------- */

static const char *text_at(const ms_result_header *h, const ms_result_field *field)
{
  const void *at = (const char *)h + field->at;
  bool has_text =
      field->type == MS_FIELD_PATH || field->type == MS_FIELD_FILE || field->type == MS_FIELD_TEXT;
  return has_text ? *(const char *const *)at : NULL; /* the path is the first member of a file */
}

/* Checks paths and options, which may be anything; the readers ensure that names are UTF-8. */
ms_status ms_json_check(const ms_result_header *h, const char *option, ms_error *err)
{
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *field = &ms_result_fields[i];
    const char *text =
        ms_header_shows(h, field, MS_IN_HEAD | MS_IN_COUNT) ? text_at(h, field) : NULL;
    if (text && !ms_is_utf8(text))
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: the path is not UTF-8, which JSON needs; leave out %s or rename the file",
                     text, option);
  }
  return MS_OK;
}

/* ---- objects ----------------------------------------------------------------- */

/* Writes a piece of JSON, whose strings hold whole characters.  jansson escapes C0 alone; the other
 * control characters, which only paths may hold, are escaped here. */
static int write_chunk(const char *bytes, size_t size, void *out)
{
  const char *from = bytes, *end = bytes + size;
  for (const char *at = bytes; at < end;) {
    size_t length = (unsigned char)*at < 0x7F ? 1 : ms_utf8_character(at, (size_t)(end - at));
    if ((unsigned char)*at < 0x7F || length == 0 || !ms_is_control(at, length)) {
      at += length ? length : 1;
      continue;
    }
    char escape[MS_ESCAPE_BYTES];
    size_t taken, shown = ms_escape_character(MS_ESCAPE_JSON, at, length, escape, &taken);
    ms_outfile_write(out, from, (size_t)(at - from));
    ms_outfile_write(out, escape, shown);
    from = at += taken;
  }
  ms_outfile_write(out, from, (size_t)(end - from));
  return 0; /* the output remembers its errors */
}

ms_status ms_json_put(ms_outfile *out, json_t *object, const char *after, ms_error *err)
{
  /* not json_dumps: jansson 2.14 ignores some failures of its buffer to grow, and what should be in
   * it is then silently missing */
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

json_t *ms_json_of_names(uint32_t count, const char *const *text)
{
  json_t *names = json_array();
  for (uint32_t i = 0; i < count; i++)
    ms_json_append(&names, json_string(text[i]));
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

/* ---- fields ------------------------------------------------------------------ */

static json_t *value_of(const ms_result_header *h, const ms_result_field *field)
{
  const void *at = (const char *)h + field->at;
  const ms_result_file *file = at;
  char text[24];
  switch (field->type) {
  case MS_FIELD_PATH:
  case MS_FIELD_TEXT:
  case MS_FIELD_FORMULA:
  case MS_FIELD_ASPECTS:
    return json_string(*(const char *const *)at);
  case MS_FIELD_CRC32C:
    return ms_json_of_crc32c(*(const uint32_t *)at);
  case MS_FIELD_FILE:
    return json_pack("{s:s, s:o}", "path", file->path, "crc32c", ms_json_of_crc32c(file->crc32c));
  case MS_FIELD_U32:
    return json_integer(*(const uint32_t *)at);
  case MS_FIELD_U64:
    return json_integer((json_int_t) * (const uint64_t *)at);
  case MS_FIELD_DECIMAL:
    snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)at);
    return json_string(text);
  case MS_FIELD_REAL:
  case MS_FIELD_BOUND:
    return json_real(*(const double *)at);
  case MS_FIELD_TRUTH:
  case MS_FIELD_MARK:
    return json_boolean(*(const bool *)at);
  case MS_FIELD_FALSE:
    return json_false();
  case MS_FIELD_WORD:
    return json_string(ms_result_word(field->words, *(const uint32_t *)at));
  case MS_FIELD_NAMES:
    return ms_json_of_names(ms_header_names(h, field), ms_header_texts(h, field));
  }
  return NULL;
}

json_t *ms_json_of_fields(json_t *object, const ms_result_header *h, ms_result_place place)
{
  const char *name = NULL; /* name of the section, an object that is added once it is complete */
  json_t *section = NULL;
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *field = &ms_result_fields[i];
    if (!field->key || !ms_header_shows(h, field, place))
      continue;
    if (name != field->section) {
      if (name)
        object = ms_json_add(object, name, section);
      name = field->section;
      section = name ? json_object() : NULL;
    }
    if (name)
      section = ms_json_add(section, field->key, value_of(h, field));
    else
      object = ms_json_add(object, field->key, value_of(h, field));
  }
  return name ? ms_json_add(object, name, section) : object;
}
