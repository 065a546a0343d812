/* ms_motif_slots: reads a motif text without a graph. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/text.h"
#include "query/motif_words.h"
#include "query/query.h"

#include <string.h>

/* Returns the name in an unquoted item.  One or two digits after the last colon are a count, more
 * digits are part of the name (GO:0006364). */
static ms_field name_of_item(ms_field item)
{
  size_t colon = item.length;
  while (colon > 0 && item.text[colon - 1] != ':')
    colon--;
  ms_field count = ms_field_trim((ms_field){item.text + colon, item.length - colon});
  bool counted = colon > 0 && count.length <= 2;
  for (size_t i = 0; i < count.length && counted; i++)
    counted = count.text[i] >= '0' && count.text[i] <= '9';
  return counted ? ms_field_trim((ms_field){item.text, colon - 1}) : item;
}

/* A vertex that is planted gets one colour.  So slots with conditions are refused. */
static ms_status refuse_condition(ms_field item, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "the planted motif has the slot '%.*s', whose vertex could have various colours; "
                 "give each slot one colour, and put names with |, & or ! in double quotes",
                 ms_name_clip(item.text, item.length), item.text);
}

static ms_status refuse_range(ms_field count, ms_field name, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "the planted motif has the range '%.*s' for '%.*s'; write a number, or the whole "
                 "name in double quotes",
                 ms_name_clip(count.text, count.length), count.text,
                 ms_name_clip(name.text, name.length), name.text);
}

static ms_status learn_name(ms_names *names, const char *text, size_t length, ms_error *err)
{
  uint32_t id;
  if (length == 1 && *text == '*')
    return MS_OK;
  const char *problem = ms_name_problem(text, length);
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "a colour of the planted motif %s", problem);
  return ms_names_add(names, text, length, &id, err);
}

/* Lists the colours that the text names, in their order.  It refuses conditions and ranges, and
 * ignores other errors in the text:
 * ms_motif_parse, which reads the text again with these as the known colours, reports them. */
static ms_status learn_colors(const char *text, ms_names *names, ms_error *err)
{
  ms_status status = MS_OK;
  char *name = ms_alloc(strlen(text) + 1, 1);
  if (!name)
    return ms_fail_memory(err, "a motif");
  while (status == MS_OK && *text) {
    size_t length;
    text += strspn(text, " \t");
    if (*text == '"') {
      text = ms_read_quoted(text + 1, name, &length);
      if (!text)
        break;
      status = learn_name(names, name, length, err);
    } else {
      ms_field item = ms_field_trim((ms_field){text, strcspn(text, ",")}),
               bare = name_of_item(item);
      ms_field name_only, count;
      if (ms_condition_is_meant(item))
        status = refuse_condition(item, err);
      else if (ms_split_count(item, &name_only, &count) && ms_is_range(count))
        status = refuse_range(count, name_only, err);
      else if (bare.length > 0)
        status = learn_name(names, bare.text, bare.length, err);
    }
    text += strcspn(text, ",");
    text += *text == ',';
  }
  ms_free(name);
  return status;
}

/* Makes a colouring without vertices, which is needed to parse the motif. */
static ms_status make_palette(const char *text, ms_coloring **out, ms_error *err)
{
  ms_names *names;
  MS_TRY(ms_names_new(&names, err));
  ms_status status = learn_colors(text, names, err);
  if (status == MS_OK)
    return ms_coloring_build(0, 0, NULL, names, NULL, NULL, out, err);
  ms_names_free(names);
  return status;
}

ms_status ms_motif_slots(const char *text, ms_names **colors, uint32_t slot[MS_MAX_K], uint32_t *k,
                         ms_error *err)
{
  ms_coloring *palette = NULL;
  ms_motif *motif = NULL;
  *colors = NULL;
  *k = 0;
  ms_status status = make_palette(text, &palette, err);
  if (status == MS_OK)
    status = ms_motif_parse(text, palette, &motif, err);
  for (uint32_t c = 0; status == MS_OK && c < motif->n_classes; c++)
    if (motif->class_[c].condition) {
      const char *shown = motif->class_[c].condition->text;
      status = refuse_condition((ms_field){shown, strlen(shown)}, err);
    }
  if (status == MS_OK) {
    for (uint32_t c = 0; c < motif->n_classes; c++)
      for (uint32_t i = 0; i < motif->class_[c].count; i++)
        slot[(*k)++] = motif->class_[c].color;
    *colors = palette->names;
    palette->names = NULL;
  }
  ms_motif_free(motif);
  ms_coloring_free(palette);
  return status;
}
