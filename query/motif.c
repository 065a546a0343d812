/* Motifs: parsing a text, and reading a file.
 *
 * A text consists of items between commas.  An item is a colour or `*`, with or
 * without double quotes, or a condition, and may end in `:count`.  An unquoted
 * item is the wildcard if it is `*`; otherwise a colour, if the whole item is a
 * known one (so GO:0006364 and "A|B" as a colour need no quotes); otherwise a
 * colour or `*` and, after the last colon, its count; otherwise a condition
 * (query/condition.h), if it holds | or & or begins with !.
 *
 * A line of a file holds a colour or a condition, or one of them, a tab and a
 * count.  A colour alone is not quoted there; `*` is the wildcard.  The reader
 * skips blank lines, and lines that begin with # unless the line names a known
 * colour. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/text.h"
#include "query/motif_build.h"
#include "query/motif_words.h"

#include <stdio.h>
#include <string.h>

uint32_t ms_motif_size(const ms_motif *motif)
{
  if (!motif)
    return 0;
  return motif->k;
}

const char *ms_motif_text(const ms_motif *motif)
{
  if (!motif)
    return NULL;
  return motif->text;
}

/* Adds the condition at `text`, and moves *end to the place of the comma or of the end. */
static ms_status parse_condition(ms_motif *motif, const ms_coloring *coloring, const char *text,
                                 const char **end, ms_ranges *ranges, ms_error *err)
{
  ms_field count;
  ms_condition *condition;
  MS_TRY(ms_condition_parse(text, coloring, &condition, &count, end, err));
  uint32_t slots;
  if (ms_read_count(count, ranges, &slots))
    return ms_motif_add_condition(motif, coloring, condition, slots, err);
  ms_condition_free(condition);
  ms_field name = ms_field_trim((ms_field){text, (size_t)(count.text - text)});
  name = ms_field_trim((ms_field){name.text, name.length - 1}); /* without the colon */
  return ms_fail_count(count, name, err);
}

/* Fails for an item that is neither `*` nor a known colour. */
static ms_status fail_unquoted(const ms_coloring *coloring, ms_field item, ms_error *err)
{
  ms_field name, count;
  if (!ms_split_count(item, &name, &count))
    return ms_fail_color(coloring, item, err);
  if (ms_is_wildcard(name) || ms_coloring_find_text(coloring, name.text, name.length) != MS_NO_ID)
    return ms_fail_count(count, name, err);
  /* the unknown colour is "kinaze" in "kinaze:2", but all of "GO:0099999" */
  return ms_fail_color(coloring, name.length > 0 && ms_slot_count(count) ? name : item, err);
}

/* Adds an item that begins with a quoted name, at `text`; *end receives the place of the comma or
 * of the end. */
static ms_status add_quoted(ms_motif *motif, const ms_coloring *coloring, const char *text,
                            const char **end, ms_ranges *ranges, ms_error *err)
{
  size_t length;
  ms_field count = {"1", 1};
  char *buffer = ms_alloc(strlen(text) + 1, 1);
  if (!buffer)
    return ms_fail_memory(err, "a colour name");
  const char *at = ms_read_quoted(text + 1, buffer, &length);
  const ms_field name = {buffer, length};
  size_t rest = at ? strcspn(at, ",") : 0;
  ms_field tail = at ? ms_field_trim((ms_field){at, rest}) : count;
  ms_status status;
  *end = at + rest;
  if (!at) {
    status = ms_fail_quote(name, err);
    goto done;
  }
  if (tail.length > 0 && (tail.text[0] == '|' || tail.text[0] == '&')) {
    status = parse_condition(motif, coloring, text, end, ranges, err);
    goto done;
  }
  if (tail.length > 0 && tail.text[0] != ':') {
    status = ms_fail(
        err, MS_ERR_USAGE,
        "'%.*s' follows the quoted colour '%.*s'; write a colon and a count, or a comma",
        ms_name_clip(tail.text, tail.length), tail.text, ms_name_clip(buffer, length), buffer);
    goto done;
  }
  if (tail.length > 0)
    count = ms_field_trim((ms_field){tail.text + 1, tail.length - 1});
  uint32_t slots, color = ms_coloring_find_text(coloring, name.text, name.length);
  if (color == MS_NO_ID)
    status = ms_fail_color(coloring, name, err);
  else if (!ms_read_count(count, ranges, &slots))
    status = ms_fail_count(count, name, err);
  else
    status = ms_motif_add_slots(motif, color, slots, err);

done:
  ms_free(buffer);
  return status;
}

/* Adds the item at *text, and moves *text to the comma that follows it or to the end. */
static ms_status add_item(ms_motif *motif, const ms_coloring *coloring, const char **text,
                          ms_ranges *ranges, ms_error *err)
{
  uint32_t color, slots;
  const char *at = *text + strspn(*text, " \t");
  if (*at == '"')
    return add_quoted(motif, coloring, at, text, ranges, err);
  size_t length = strcspn(at, ",");
  ms_field item = ms_field_trim((ms_field){at, length});
  *text = at + length;
  if (item.length == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "the motif has an empty item; write colours separated by single commas");
  if (ms_read_plain_item(item, coloring, ranges, &color, &slots))
    return ms_motif_add_slots(motif, color, slots, err);
  if (ms_condition_is_meant(item))
    return parse_condition(motif, coloring, at, text, ranges, err);
  return fail_unquoted(coloring, item, err);
}

/* ---- entry points ------------------------------------------------------ */

ms_status ms_motif_parse_ranges(const char *text, const ms_coloring *coloring, ms_ranges *ranges,
                                ms_motif **out, ms_error *err)
{
  ms_status status = MS_OK;
  ms_motif *motif;
  *out = NULL;
  if (text[strspn(text, " \t")] == '\0')
    return ms_fail(err, MS_ERR_USAGE, "the motif is empty; name at least one colour");
  MS_TRY(ms_motif_new(coloring, &motif, err));
  for (const char *at = text; status == MS_OK; at++) {
    status = add_item(motif, coloring, &at, ranges, err);
    if (status == MS_OK && *at == '\0')
      break;
  }
  return ms_motif_finish(motif, coloring, status, out, err);
}

ms_status ms_motif_parse(const char *text, const ms_coloring *coloring, ms_motif **out,
                         ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(text, err);
  MS_REQUIRE(coloring, err);
  return ms_motif_parse_ranges(text, coloring, NULL, out, err);
}

ms_status ms_motif_from_slots(const uint32_t *color, uint32_t k, const ms_coloring *coloring,
                              ms_motif **out, ms_error *err)
{
  ms_status status = MS_OK;
  *out = NULL;
  ms_motif *motif;
  MS_TRY(ms_motif_new(coloring, &motif, err));
  for (uint32_t i = 0; i < k && status == MS_OK; i++)
    status = ms_motif_add_slots(motif, color[i], 1, err);
  return ms_motif_finish(motif, coloring, status, out, err);
}

/* Adds a condition of a line of a file, where the count is not behind a colon. */
static ms_status add_file_condition(ms_motif *motif, const ms_coloring *coloring, ms_field text,
                                    uint32_t slots, ms_error *err)
{
  ms_field count;
  ms_condition *condition = NULL;
  const char *end;
  text = ms_field_trim(text);
  char *copy = ms_alloc(text.length + 1, 1);
  if (!copy)
    return ms_fail_memory(err, "a motif");
  memcpy(copy, text.text, text.length);
  copy[text.length] = '\0';
  ms_status status = ms_condition_parse(copy, coloring, &condition, &count, &end, err);
  bool counted = status == MS_OK && count.text > copy && count.text <= end;
  if (status == MS_OK && (*end || counted)) {
    ms_condition_free(condition);
    status = ms_fail(err, MS_ERR_USAGE,
                     "'%.*s' is not one condition; put colours with commas in double quotes, and a "
                     "tab before the count",
                     ms_name_clip(copy, text.length), copy);
  } else if (status == MS_OK) {
    status = ms_motif_add_condition(motif, coloring, condition, slots, err);
  }
  ms_free(copy);
  return status;
}

static ms_status add_line(ms_motif *motif, const ms_coloring *coloring, const ms_text *text,
                          ms_error *err)
{
  const char *tab = memchr(text->line, '\t', text->length);
  ms_field name = {text->line, tab ? (size_t)(tab - text->line) : text->length}, count = {"1", 1};
  uint32_t color =
      ms_is_wildcard(name) ? MS_WILDCARD : ms_coloring_find_text(coloring, name.text, name.length);
  bool known = color != MS_NO_ID || ms_is_wildcard(name);
  if (!known && (text->line[0] == '#' || strspn(text->line, " \t") == text->length))
    return MS_OK;
  if (!known && !ms_condition_is_meant(ms_field_trim(name)))
    return ms_fail_color(coloring, name, err);
  if (tab)
    count = ms_field_trim((ms_field){tab + 1, text->length - name.length - 1});
  if (ms_slot_count(count) == 0)
    return ms_fail_count(count, name, err);
  if (known)
    return ms_motif_add_slots(motif, color, ms_slot_count(count), err);
  return add_file_condition(motif, coloring, name, ms_slot_count(count), err);
}

static ms_status read_lines(ms_motif *motif, const ms_coloring *coloring, ms_text *text,
                            ms_error *err)
{
  for (;;) {
    ms_error reason;
    MS_TRY(ms_text_next(text, err));
    if (!text->line)
      break;
    ms_status status = add_line(motif, coloring, text, &reason);
    if (status == MS_ERR_USAGE)
      return ms_text_fail(text, err,
                          "%s (a line of a motif file is a colour, or a colour, a tab and a count, "
                          "without quotes; or a condition with |, & or ! in place of the colour)",
                          reason.message);
    if (status != MS_OK)
      return ms_fail(err, status, "%s", reason.message);
  }
  if (motif->k == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: the motif is empty; name at least one colour",
                   text->label);
  return MS_OK;
}

ms_status ms_motif_read(const char *path, const ms_coloring *coloring, ms_motif **out,
                        ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(coloring, err);
  ms_text *text;
  ms_motif *motif;
  MS_TRY(ms_motif_new(coloring, &motif, err));
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK) {
    status = read_lines(motif, coloring, text, err);
    ms_text_close(text);
  }
  return ms_motif_finish(motif, coloring, status, out, err);
}
