#include "report/head.h"

#include "base/alloc.h"
#include "base/text/utf8.h"
#include "result/json.h"

#include <string.h>

/* A header whose texts may be copies. */
typedef struct head {
  ms_result_header header;
  ms_sample_texts samples; /* of it */
  char **copy;             /* [count] */
  size_t count, room;
} head;

/* Puts an escaped copy in place of a text that is not UTF-8.  False: there is no memory. */
static bool escape(head *h, const char **text)
{
  if (!*text || ms_is_utf8(*text))
    return true;
  if (!MS_GROW(h->copy, h->room, h->count, 1))
    return false;
  size_t room = MS_ESCAPE_BYTES * strlen(*text) + 1;
  char *copy = ms_alloc(room, 1);
  if (!copy)
    return false;
  ms_escape(*text, copy, room);
  h->copy[h->count++] = copy;
  *text = copy;
  return true;
}

static bool escape_field(head *h, const ms_result_field *field)
{
  char *at = (char *)&h->header + field->at;
  switch (field->type) {
  case MS_FIELD_PATH:
  case MS_FIELD_TEXT:
  case MS_FIELD_FORMULA:
    return escape(h, (const char **)at);
  case MS_FIELD_FILE:
    return escape(h, &((ms_result_file *)at)->path);
  case MS_FIELD_NAMES:
    for (uint32_t i = 0; i < *(uint32_t *)((char *)&h->header + field->count); i++)
      if (!escape(h, ms_header_texts(&h->header, field) + i))
        return false;
    return true;
  default:
    return true;
  }
}

json_t *ms_json_of_head(const ms_result_header *header, bool end)
{
  head *h = ms_calloc(1, sizeof *h); /* it is large */
  bool done = h != NULL;
  if (h)
    h->header = *header;
  if (h && header->samples.each) {
    h->samples = *header->samples.each;
    h->header.samples.each = &h->samples;
  }
  for (size_t i = 0; i < ms_result_field_count && done; i++) {
    const ms_result_field *field = &ms_result_fields[i];
    if (ms_result_has_field(header, field, MS_IN_HEAD) ||
        ms_result_has_field(header, field, MS_IN_END))
      done = escape_field(h, field);
  }
  json_t *object = done ? ms_json_of_fields(json_object(), &h->header, MS_IN_HEAD) : NULL;
  if (object && end)
    object = ms_json_of_fields(object, &h->header, MS_IN_END);
  if (object && end && ms_result_has_pattern_columns(&h->header) && !h->header.row_form)
    object = ms_json_add(object, "pattern_names",
                         ms_json_of_names(h->header.k, h->header.pattern.names));
  for (size_t i = 0; h && i < h->count; i++)
    ms_free(h->copy[i]);
  if (h)
    ms_free(h->copy);
  ms_free(h);
  return object;
}
