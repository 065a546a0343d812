#include "query/motif_words.h"

#include "base/status.h"
#include "graph/io/fields.h"
#include "graph/suggest.h"
#include "query/query.h"

#include <string.h>

bool ms_is_wildcard(ms_field field)
{
  return field.length == 1 && field.text[0] == '*';
}

uint32_t ms_slot_count(ms_field field)
{
  uint32_t count = 0;
  if (field.length == 0 || field.length > 2 || field.text[0] == '0')
    return 0;
  for (size_t i = 0; i < field.length; i++) {
    if (field.text[i] < '0' || field.text[i] > '9')
      return 0;
    count = count * 10 + (uint32_t)(field.text[i] - '0');
  }
  return count <= MS_MAX_K ? count : 0;
}

/* Parses digits that make a number of at most MS_MAX_K. */
static bool read_bound(ms_field field, uint32_t *bound)
{
  uint64_t value;
  field = ms_field_trim(field);
  if (!ms_field_count(field, MS_MAX_K, &value))
    return false;
  *bound = (uint32_t)value;
  return true;
}

static bool read_range(ms_field field, uint32_t *low, uint32_t *high)
{
  const char *dash = memchr(field.text, '-', field.length);
  if (!dash)
    return false;
  size_t length = (size_t)(dash - field.text);
  return read_bound((ms_field){field.text, length}, low) &&
         read_bound((ms_field){dash + 1, field.length - length - 1}, high) && *low <= *high &&
         *high > 0;
}

bool ms_is_range(ms_field field)
{
  uint32_t low, high;
  return read_range(field, &low, &high);
}

bool ms_read_count(ms_field field, ms_ranges *ranges, uint32_t *slots)
{
  uint32_t low, high;
  *slots = ms_slot_count(field);
  if (*slots > 0)
    return true;
  if (!ranges || ranges->count == MS_MAX_K || !read_range(field, &low, &high))
    return false;
  *slots = ranges->choice ? ranges->choice[ranges->count] : low;
  ranges->low[ranges->count] = low;
  ranges->high[ranges->count++] = high;
  return true;
}

bool ms_split_count(ms_field item, ms_field *name, ms_field *count)
{
  for (size_t at = item.length; at-- > 0;)
    if (item.text[at] == ':') {
      *name = ms_field_trim((ms_field){item.text, at});
      *count = ms_field_trim((ms_field){item.text + at + 1, item.length - at - 1});
      return true;
    }
  return false;
}

bool ms_read_plain_item(ms_field item, const ms_coloring *coloring, ms_ranges *ranges,
                        uint32_t *color, uint32_t *slots)
{
  ms_field name, count;
  bool counted = ms_split_count(item, &name, &count);
  bool wildcard = ms_is_wildcard(item) || (counted && ms_is_wildcard(name));
  *slots = 1;
  *color = wildcard ? MS_WILDCARD : ms_coloring_find_text(coloring, item.text, item.length);
  if (!wildcard && *color != MS_NO_ID)
    return true;
  if (!counted)
    return wildcard;
  if (!wildcard)
    *color = ms_coloring_find_text(coloring, name.text, name.length);
  return (wildcard || *color != MS_NO_ID) && ms_read_count(count, ranges, slots);
}

const char *ms_read_quoted(const char *at, char *name, size_t *length)
{
  *length = 0;
  for (; *at && (*at != '"' || at[1] == '"'); at++) {
    at += *at == '"';
    name[(*length)++] = *at;
  }
  return *at ? at + 1 : NULL;
}

ms_status ms_fail_count(ms_field count, ms_field name, ms_error *err)
{
  if (ms_is_range(count))
    return ms_fail(
        err, MS_ERR_USAGE,
        "'%.*s' for '%.*s' is a range, which stands for several motifs; write the motif into a "
        "file for `motifs`, with at most %u ranges in a line",
        ms_name_clip(count.text, count.length), count.text, ms_name_clip(name.text, name.length),
        name.text, MS_MAX_K);
  return ms_fail(err, MS_ERR_USAGE,
                 "'%.*s' is not a count for '%.*s'; write a number from 1 to %u, or in a file of "
                 "many motifs a range whose ends ascend, such as 0-2",
                 ms_name_clip(count.text, count.length), count.text,
                 ms_name_clip(name.text, name.length), name.text, MS_MAX_K);
}

ms_status ms_fail_color(const ms_coloring *coloring, ms_field name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_color(coloring, name.text, name.length, hint);
  return ms_fail(err, MS_ERR_USAGE, "unknown colour '%.*s'; %s",
                 ms_name_clip(name.text, name.length), name.text, hint);
}

ms_status ms_fail_quote(ms_field name, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "the double quote in front of '%.*s' is not closed; close it",
                 ms_name_clip(name.text, name.length), name.text);
}
